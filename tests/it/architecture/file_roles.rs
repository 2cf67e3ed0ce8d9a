//! Each file keeps to its role in the module, by what it holds and not by its name alone: SQL is in stores, HTTP in handlers.
use super::source::{Source, sources};

/// What only stores hold: beginnings of statements, and calls that run one.
const SQL_TEXTS: &[&str] =
    &["SELECT ", "INSERT INTO ", "INSERT OR ", "UPDATE ", "DELETE FROM ", "PRAGMA ", "VACUUM", "CREATE TABLE "];
const SQL_CALLS: &[&str] =
    &[".prepare_cached(", ".prepare(", ".query_row(", ".query_map(", ".execute_batch(", "params!["];

/// What only handlers hold: the framework, statuses, and refusals with a sentence.
const HTTP: &[&str] = &[" axum::", "(axum::", "<axum::", "StatusCode", "HeaderMap", "Error::refused("];

/// The statuses that errors answer with; a store's documentation names its errors instead.
const STATUSES: &[&str] = &["400", "401", "403", "404", "409", "410", "413", "415", "422", "429", "500", "503", "507"];

/// Files that are not stores and hold SQL.
const MAY_HOLD_SQL: &[(&str, &str)] = &[("access/viewer.rs", "the extractor of every request, beside its one query")];

/// Files that are not handlers and hold HTTP.
const MAY_HOLD_HTTP: &[(&str, &str)] = &[
    ("access/token.rs", "what a token may do is a matter of methods and routes"),
    ("access/viewer.rs", "the extractor of every request"),
    ("admin/metrics.rs", "counts answers by status"),
    ("admin/request_metrics.rs", "the middleware that counts requests"),
    ("kit/app.rs", "gives handlers the parts of the state"),
];

fn is_store(source: &Source) -> bool {
    source.path.ends_with("store.rs")
        || source.path.iter().any(|part| part == "store")
        || source.path.starts_with("kit/db")
}

fn is_http(source: &Source) -> bool {
    let path = &source.path;
    path.ends_with("http.rs")
        || path.iter().any(|part| part == "http")
        || path.ends_with("kit/error.rs")
        || path.ends_with("kit/error_code.rs")
        || source.module == "app"
}

/// The files that hold something though they don't belong to its layer, as `path: what`, but for those that may.
fn strays<'s>(
    sources: &'s [Source],
    may: &[(&str, &str)],
    belongs: fn(&Source) -> bool,
    held: impl Fn(&'s Source) -> Option<&'static str>,
) -> Vec<String> {
    let (mut found, mut used) = (Vec::new(), Vec::new());
    for source in sources.iter().filter(|source| !belongs(source)) {
        let path = source.path.to_string_lossy();
        match (held(source), may.iter().find(|(allowed, _)| *allowed == path)) {
            (Some(_), Some((allowed, _))) => used.push(*allowed),
            (Some(word), None) => found.push(format!("{path} holds {}", word.trim())),
            (None, _) => {}
        }
    }
    let unused = may.iter().filter(|(path, _)| !used.contains(path));
    found.extend(unused.map(|(path, _)| format!("{path} is listed and needs not be")));
    found
}

fn first_of(text: &str, words: &[&'static str]) -> Option<&'static str> {
    words.iter().copied().find(|word| text.contains(word))
}

#[test]
fn sql_stands_in_stores() {
    let sources = sources();
    let held = |source: &Source| first_of(&source.texts, SQL_TEXTS).or_else(|| first_of(&source.code, SQL_CALLS));
    let found = strays(&sources, MAY_HOLD_SQL, is_store, held);
    assert!(found.is_empty(), "SQL belongs in a store:\n{}", found.join("\n"));
}

#[test]
fn http_stands_in_handlers() {
    let sources = sources();
    let found = strays(&sources, MAY_HOLD_HTTP, is_http, |source| first_of(&source.code, HTTP));
    assert!(found.is_empty(), "HTTP belongs in http.rs:\n{}", found.join("\n"));
}

#[test]
fn stores_name_their_errors_and_not_the_statuses_that_answer_them() {
    let sources = sources();
    let is_number = |word: &str| STATUSES.contains(&word);
    for source in sources.iter().filter(|source| is_store(source)) {
        let named = source.docs.split(|c: char| !c.is_ascii_alphanumeric()).find(|word| is_number(word));
        assert_eq!(named, None, "{} names a status in its documentation", source.path.display());
    }
}

#[test]
fn models_know_no_sql_no_http_and_no_clock() {
    for source in sources().iter().filter(|source| source.path.ends_with("model.rs")) {
        for word in ["rusqlite", "axum::", "Utc::now", "Local::now", "SystemTime::now"] {
            assert!(!source.code.contains(word), "{} names {word}", source.path.display());
        }
    }
}

#[test]
fn a_stray_is_found_whatever_its_file_is_called() {
    let file = |path: &str, text: &str| Source::of(std::path::Path::new(path), text);
    let sources = [
        file("module/store.rs", r#"fn f() { conn.query_row("SELECT 1") }"#),
        file("module/list.rs", r#"fn f() { conn.query("SELECT 1") }"#),
        file("module/flow.rs", "#[cfg(test)]\nmod tests { use axum::Json; }\nuse axum::{http::StatusCode};"),
    ];
    let sql = strays(&sources, &[], is_store, |source| first_of(&source.texts, SQL_TEXTS));
    assert_eq!(sql, ["module/list.rs holds SELECT"]);
    let http = strays(&sources, &[("module/none.rs", "gone")], is_http, |source| first_of(&source.code, HTTP));
    assert_eq!(http, ["module/flow.rs holds axum::", "module/none.rs is listed and needs not be"]);
}
