//! Export, delete all data, import: the same library, whatever its reader wrote, with rough dates, logs, and reads that rest or were
//! given up.
//!
//! `PROPTEST_CASES` says how many libraries are made, 24 unless given: `PROPTEST_CASES=10000 cargo test --test it round_trip`.
use std::io::{Cursor, Read as _};
use std::path::Path;
use std::process::Command;

use chrono::{NaiveDate, TimeDelta};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use reqwest::Method;
use rusqlite::StatementStatus;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::support::actors::Reader;
use crate::support::harness::TestServer;

/// What spreadsheets, CSV readers, browsers and databases stumble over.
const HOSTILE: [&str; 49] = [
    "=", "+", "-", "@", "\t", "\r", "\n", "\r\n", "＝", "＋", "－", "＠", "'", "''", "'=", "\"", "\"\"", "\",\"", ",",
    ";", "\\", " ", "\u{a0}", "\u{3000}", "\u{feff}", "\u{200b}", "\u{2028}", "\u{85}", "\u{202e}", "\u{2066}",
    "\u{1}\u{2}\u{3}\u{4}", "\u{7f}\u{1b}[31m", "مئة عام", "שלום", "📚", "👩‍👩‍👧", "e\u{301}", "ﬀ", "İ", "本",
    "\u{10ffff}", "=HYPERLINK(\"http://x\")", ";=1+1", ";'-cmd", "\t\"@x", "=\"0441013597\"", "<script>", "NULL", "\0",
];

fn text() -> impl Strategy<Value = String> {
    let hostile = proptest::sample::select(&HOSTILE[..HOSTILE.len() - 1]).prop_map(str::to_owned);
    let piece = prop_oneof![
        6 => hostile,
        3 => "[a-zA-Z0-9 .:/-]{1,8}".boxed(),
        1 => any::<String>().prop_map(|text| text.replace('\0', "")),
    ];
    // NUL is refused, so that one alone in a hundred texts keeps most libraries.
    prop_oneof![
        99 => proptest::collection::vec(piece, 0..5).prop_map(|pieces| pieces.concat()),
        1 => Just("a\0b".to_owned()),
    ]
}

fn day() -> impl Strategy<Value = String> {
    (1900..=2100, 1..=12, 1..=28).prop_map(|(year, month, day)| format!("{year:04}-{month:02}-{day:02}"))
}

fn rating() -> impl Strategy<Value = Option<f64>> {
    proptest::option::of((0..=100).prop_map(|tenths| f64::from(tenths) / 10.0))
}

/// A day and a later one, at most 99 years apart.
fn interval() -> impl Strategy<Value = (NaiveDate, NaiveDate)> {
    (1900..=2000_i32, 1..=12_u32, 1..=28_u32, 1..36_000_i64).prop_map(|(year, month, day, length)| {
        let from = NaiveDate::from_ymd_opt(year, month, day).unwrap();
        (from, from + TimeDelta::days(length))
    })
}

/// Rough dates as they are typed.
const TYPED: [&str; 8] = [
    "2019", "March 2021", "spring 2020", "1990s", "before 2015", "2018-2020", "winter 2019/20", "2020-03-05/2020-07-08",
];

/// A completion date of which the day is not known, as two days or as it is typed.
fn rough() -> impl Strategy<Value = Value> {
    prop_oneof![
        interval().prop_map(|(from, to)| json!({"completedFrom": from, "dateCompleted": to})),
        (1901..=2100).prop_map(|year| json!({"completedFrom": "1900-01-01", "dateCompleted": format!("{year}-12-31")})),
        proptest::sample::select(TYPED.as_slice()).prop_map(|typed| json!({"dateCompleted": typed})),
    ]
}

/// A read with a log. `log` has the days to be noted, and `ending` the change after them; the server knows neither key.
fn logged() -> impl Strategy<Value = Value> {
    let day = (0..200_i64, proptest::option::of(0..=10_000), proptest::option::of(0..=1_440), text());
    let days = proptest::collection::vec(day, 1..5);
    (interval(), days, 0..6_usize, rating()).prop_map(|((start, _), days, kind, rating)| {
        let (mut last, mut log) = (start, Vec::new());
        for (gap, hundredths, minutes, note) in days {
            last += TimeDelta::days(gap);
            let mut day = json!({"minutes": minutes, "note": note.replace('\0', "")});
            // Without a place no read can be counted by its log.
            if let Some(hundredths) = hundredths.or((kind == 0).then_some(10)) {
                day["percent"] = json!(f64::from(hundredths) / 100.0);
            }
            log.push(json!({"day": last, "fields": day}));
        }
        let end = last + TimeDelta::days(9);
        let ending = match kind {
            0 => json!({"status": "completed", "dateCompleted": end, "wordDistribution": "logged", "rating": rating}),
            1 => json!({"status": "completed", "dateCompleted": end, "wordDistribution": "spread", "rating": rating}),
            2 => json!({"status": "completed", "dateCompleted": end, "completedFrom": start, "startDate": null, "rating": rating}),
            3 => json!({"status": "did-not-finish", "stoppedDate": end, "rating": rating}),
            4 => json!({"pausedSince": end}),
            _ => json!({}),
        };
        json!({"status": "in-progress", "startDate": start, "log": log, "ending": ending})
    })
}

/// The parts of a book that its status decides.
fn reading() -> impl Strategy<Value = Value> {
    prop_oneof![
        (day(), rating()).prop_map(|(end, rating)| json!({"status": "completed", "dateCompleted": end, "rating": rating})),
        (day(), day(), any::<bool>(), rating()).prop_map(|(one, other, spread, rating)| {
            let distribution = if spread { "spread" } else { "final" };
            let (start, end) = if one < other { (one, other) } else { (other, one) };
            json!({"status": "completed", "startDate": start, "dateCompleted": end, "wordDistribution": distribution, "rating": rating})
        }),
        proptest::option::of(day()).prop_map(|start| json!({"status": "in-progress", "startDate": start})),
        rating().prop_map(|rating| json!({"status": "undated", "rating": rating})),
        proptest::option::of(day()).prop_map(|paused| json!({"status": "in-progress", "pausedSince": paused})),
        (rough(), rating()).prop_map(|(dates, rating)| merged(json!({"status": "completed", "rating": rating}), dates)),
        logged(),
        (proptest::option::of(day()), rating())
            .prop_map(|(stopped, rating)| json!({"status": "did-not-finish", "stoppedDate": stopped, "rating": rating})),
    ]
}

fn merged(mut one: Value, other: Value) -> Value {
    if let (Value::Object(one), Value::Object(other)) = (&mut one, other) {
        one.extend(other);
    }
    one
}

fn isbn() -> impl Strategy<Value = Option<&'static str>> {
    proptest::option::of(proptest::sample::select(&["9780441013593", "0-8044-2957-X"][..]))
}

/// Several authors, contributors, a series, tags and an edition, of which any may be missing.
fn facts() -> impl Strategy<Value = Value> {
    let role = proptest::sample::select(&["translator", "narrator", "editor", "illustrator", "other"][..]);
    let person = (text(), role).prop_map(|(name, role)| json!({"name": name, "role": role}));
    let series = (text(), proptest::option::of(proptest::sample::select(&["1", "0.5", "1-3", "=1", "VIII"][..])))
        .prop_map(|(name, number)| json!({"name": name, "number": number}));
    let published = proptest::option::of(proptest::sample::select(&["1999", "2011-06", "2011-06-15"][..]));
    let language = proptest::option::of(proptest::sample::select(&["en", "pt-BR", "zh-Hans"][..]));
    (
        proptest::collection::vec(text(), 0..4),
        proptest::collection::vec(person, 0..3),
        proptest::option::of(series),
        proptest::collection::vec(text(), 0..3),
        (proptest::option::of(text()), published, proptest::option::of(-3_000..=2_100), language),
    )
        .prop_map(|(authors, contributors, series, tags, (publisher, published, year, language))| {
            let tags: Vec<_> = tags.iter().map(|tag| tag.replace(',', " ")).collect();
            let mut facts = json!({
                "contributors": contributors, "tags": tags, "publisher": publisher, "published": published, "originalYear": year,
                "language": language,
            });
            if authors.iter().any(|name| !name.trim().is_empty()) {
                facts["authors"] = json!(authors);
            }
            if series.as_ref().is_some_and(|series| !series["name"].as_str().unwrap().trim().is_empty()) {
                facts["series"] = series.into();
            }
            facts
        })
}

fn book() -> impl Strategy<Value = Value> {
    let texts = (text(), text(), proptest::option::of(text()));
    let lists = (proptest::collection::vec(text(), 0..3), proptest::collection::vec(text(), 0..3));
    let minutes = proptest::option::of(1..=60_000);
    let numbers = (0..=100_000_000, proptest::option::of(1..=100_000), minutes, isbn());
    let choices = (0..3_usize, 0..3_usize, any::<bool>(), any::<bool>());
    (texts, lists, numbers, choices, (reading(), proptest::option::of(facts()))).prop_map(
        |(
            (title, author, impressions),
            (genres, quotes),
            (words, pages, minutes, isbn),
            (format, source, reread, private),
            (reading, facts),
        )| {
            let genres: Vec<_> = genres.iter().map(|genre| genre.replace(',', " ")).collect();
            let (format, source) = (["Print", "eBook", "Audio"][format], ["entered", "pages", "minutes"][source]);
            let plain = json!({
                "title": title, "author": author, "wordCount": words, "pages": pages, "minutes": minutes, "isbn": isbn, "genres": genres,
                "quotes": quotes, "impressions": impressions, "reread": reread, "private": private,
                "format": format, "wordCountSource": source,
            });
            merged(merged(plain, facts.unwrap_or(json!({}))), reading)
        },
    )
}

fn item() -> impl Strategy<Value = Value> {
    let texts = (text(), proptest::option::of(text()), proptest::option::of(text()));
    let numbers = (proptest::option::of(0..=100_000_000), proptest::option::of(1..=100_000), isbn());
    (texts, numbers).prop_map(|((title, author, notes), (words, pages, isbn))| {
        json!({"title": title, "author": author, "notes": notes, "wordCount": words, "pages": pages, "isbn": isbn})
    })
}

/// Adds what the server takes. What it refuses is blank where it may not be, or holds a NUL.
async fn fill(nora: &Reader, path: &str, entries: &[Value]) -> usize {
    let mut added = 0;
    for entry in entries {
        let answer = nora.post(path, entry.clone()).await;
        if answer.status == 422 {
            let blank = |field: &str| entry[field].as_str().is_some_and(|text| text.trim().is_empty());
            let has = |character| entry.to_string().contains(character);
            assert!(
                has("\\u0000") || has("\\u001f") || blank("title") || blank("author"),
                "{entry} answers {}",
                answer.body
            );
        } else {
            assert_eq!(answer.status, 201, "{entry} answers {}", answer.body);
            added += 1;
            if let Some(log) = entry["log"].as_array() {
                let path = format!("{path}/{}", answer.body["book"]["id"]);
                for day in log {
                    let noted = nora.request(Method::PUT, &format!("{path}/days/{}", day["day"].as_str().unwrap()));
                    nora.send(noted.json(&day["fields"])).await.expect(200);
                }
                nora.patch(&path, entry["ending"].clone()).await.expect(200);
            }
        }
    }
    added
}

/// Every entry of a list, without the fields that every import creates.
async fn list(nora: &Reader, path: &str) -> Vec<Value> {
    let mut data = nora.get(path).await.expect(200)["data"].as_array().unwrap().clone();
    let ids: Vec<_> = data.iter().map(|entry| entry["id"].clone()).collect();
    for entry in &mut data {
        if path == "/api/books" {
            entry["log"] = nora.get(&format!("{path}/{}/days", entry["id"])).await.expect(200)["data"].clone();
        }
        // A work is named after its first read.
        if let Some(work) = entry.get_mut("work") {
            *work = json!(ids.iter().position(|id| id == work));
        }
        for made_anew in ["id", "createdAt", "updatedAt"] {
            entry.as_object_mut().unwrap().remove(made_anew);
        }
    }
    data
}

/// One library through the whole way.
async fn round(nora: &Reader, books: &[Value], items: &[Value]) {
    // What a library before it left behind where it failed.
    assert_eq!(nora.delete("/api/account/data").await.status, 204);
    let added = (fill(nora, "/api/books", books).await, fill(nora, "/api/tbr", items).await);
    let before = (list(nora, "/api/books").await, list(nora, "/api/tbr").await);
    let figures = figures(nora).await;
    assert_eq!((before.0.len(), before.1.len()), added);
    let files = [
        ("books", nora.get("/api/account/export/books.csv").await.bytes, added.0),
        ("tbr", nora.get("/api/account/export/tbr.csv").await.bytes, added.1),
    ];
    let mut zip = zip::ZipArchive::new(Cursor::new(nora.get("/api/account/export").await.bytes)).unwrap();
    for (kind, csv, _) in &files {
        let mut packed = Vec::new();
        zip.by_name(&format!("{kind}.csv")).unwrap().read_to_end(&mut packed).unwrap();
        assert!(packed == *csv, "the complete export has the same {kind}.csv");
    }
    assert_eq!(nora.delete("/api/account/data").await.status, 204);
    for (kind, csv, entries) in files {
        let text = String::from_utf8(csv.clone()).unwrap();
        if entries == 0 {
            continue;
        }
        let report = nora.upload(&format!("/api/{kind}/import"), &format!("{kind}.csv"), csv, &[]).await;
        let told = (&report.body["imported"], &report.body["errors"], &report.body["skipped"], &report.body["format"]);
        assert_eq!(told, (&json!(entries), &json!(0), &json!(0), &json!("shelfwise")), "{} of {text}", report.body);
    }
    assert_eq!(list(nora, "/api/books").await, before.0);
    assert_eq!(list(nora, "/api/tbr").await, before.1);
    assert_eq!(self::figures(nora).await, figures);
}

/// The dashboard without the shelf, which has the ids of books.
async fn figures(nora: &Reader) -> Value {
    let mut figures = nora.get("/api/stats").await.expect(200);
    figures.as_object_mut().unwrap().remove("shelf");
    figures
}

#[test]
fn any_exported_library_is_imported_unchanged() {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(24);
    let runtime = Runtime::new().unwrap();
    let (_server, nora) = runtime.block_on(async {
        let server = TestServer::start().await;
        let nora = server.plus().await;
        (server, nora)
    });
    let libraries = (proptest::collection::vec(book(), 0..6), proptest::collection::vec(item(), 0..4));
    TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() })
        .run(&libraries, |(books, items)| {
            runtime.block_on(round(&nora, &books, &items));
            Ok(())
        })
        .unwrap();
}

/// Converts a CSV as LibreOffice reads it, formulas and numbers in quotes included, to a text that distinguishes formulas from words.
fn as_spreadsheet(folder: &Path, name: &str, csv: &[u8], separator: char) -> String {
    std::fs::write(folder.join(format!("{name}.csv")), csv).unwrap();
    let done = Command::new("soffice")
        .arg(format!("-env:UserInstallation=file://{}/profile", folder.display()))
        .arg("--headless")
        .arg(format!("--infilter=CSV:{},34,76,1,,0,false,true,false,false,false,-1,true", separator as u32))
        .args(["--convert-to", "fods", "--outdir"])
        .args([folder, &folder.join(format!("{name}.csv"))])
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    std::fs::read_to_string(folder.join(format!("{name}.fods"))).unwrap()
}

#[tokio::test]
async fn a_spreadsheet_program_executes_nothing_in_an_export() {
    if crate::support::tools::program("soffice", "--version", "an export in a spreadsheet program").is_none() {
        return;
    }
    let server = TestServer::start().await;
    let nora = server.plus().await;
    let formulas = [
        "=1+1",
        "+1+1",
        "-1+1",
        "@SUM(1)",
        "=HYPERLINK(\"http://127.0.0.1:9/\")",
        " =1+1",
        "\t=1+1",
        "'=1+1",
        "＝1+1",
        "x;=1+1;y",
        "x\t=1+1",
    ];
    for text in formulas {
        let book = json!({"title": text, "author": text, "status": "undated", "genres": [text], "impressions": text, "quotes": [text]});
        nora.post("/api/books", book).await.expect(201);
        nora.post("/api/tbr", json!({"title": text, "author": text, "notes": text})).await.expect(201);
    }
    let rows: String = formulas.iter().map(|text| format!("\"{}\",,soon\n", text.replace('"', "\"\""))).collect();
    let report =
        nora.upload("/api/books/import", "mine.csv", format!("Title,Author,Date Completed\n{rows}"), &[]).await;
    let rejected = format!("/api/imports/{}/rejected", report.expect(200)["importId"]);

    let folder = tempfile::tempdir().unwrap();
    let control = as_spreadsheet(folder.path(), "control", b"Title\n=1+1\n\"=2+2\"\nx;=3+3\n", ';');
    for formula in ["1+1", "2+2", "3+3"] {
        assert!(control.contains(&format!("table:formula=\"of:={formula}\"")), "{control}");
    }
    for (name, path) in [
        ("books", "/api/account/export/books.csv"),
        ("tbr", "/api/account/export/tbr.csv"),
        ("rejected", rejected.as_str()),
    ] {
        let answer = nora.get(path).await;
        assert_eq!(answer.status, 200);
        for separator in [',', ';', '\t'] {
            let sheet = as_spreadsheet(folder.path(), name, &answer.bytes, separator);
            assert!(sheet.contains("1+1") && !sheet.contains("table:formula"), "{name} {separator:?}: {sheet}");
        }
    }
}

/// Counting the days of a log for each of its days would take a time that grows with its square, while every other writer waits.
#[tokio::test]
async fn the_days_of_a_log_are_not_counted_one_by_one_when_it_is_imported() {
    let server = TestServer::start().await;
    let (reader, other) = (server.plus().await, server.plus().await);
    let book = json!({"title": "Dune", "author": "Frank Herbert", "status": "in-progress"});
    let id = reader.post("/api/books", book).await.expect(201)["book"]["id"].clone();
    for (day, percent) in [("2026-01-01", 10), ("2026-01-02", 20), ("2026-01-03", 30)] {
        reader.put(&format!("/api/books/{id}/days/{day}"), json!({"percent": percent})).await.expect(200);
    }
    let counts = || {
        let sql = "SELECT count(*) FROM reading_days WHERE book_id = ?1";
        server.db.write(move |tx| Ok(tx.prepare_cached(sql)?.get_status(StatementStatus::Run)))
    };
    let before = counts().await.unwrap();
    assert_eq!(before, 3, "once for each day that was noted");
    let file = reader.get("/api/account/export/books.csv").await.bytes;
    assert_eq!(other.upload("/api/books/import", "books.csv", file, &[]).await.expect(200)["imported"], 1);
    let copy = other.get("/api/books").await.expect(200)["data"][0]["id"].clone();
    let log = other.get(&format!("/api/books/{copy}/days")).await.expect(200);
    assert_eq!((log["data"].as_array().unwrap().len(), counts().await.unwrap()), (3, before));
}
