//! The code is structured as `docs/architecture.md` says: modules use only lower modules, and each file keeps to its part.
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms, low to high. Those of one row know nothing of each other unless a door is listed.
const FLOORS: &[&[&str]] = &[
    &["config"],
    &["kit"],
    &["access"],
    &["settings"],
    &["preferences", "library", "teams", "backups"],
    &["statistics", "billing"],
    &["account"],
    &["admin"],
    &["app"],
    &["cli"],
    &["main"],
];

/// Every import from one room into another beyond config, kit and access, which all may use.
const DOORS: &[(&str, &str)] = &[
    ("account", "billing"),
    ("account", "library"),
    ("account", "preferences"),
    ("account", "teams"),
    ("admin", "account"),
    ("admin", "backups"),
    ("admin", "library"),
    ("admin", "settings"),
    ("admin", "teams"),
    ("app", "account"),
    ("app", "admin"),
    ("app", "billing"),
    ("app", "library"),
    ("app", "preferences"),
    ("app", "statistics"),
    ("app", "teams"),
    ("backups", "settings"),
    ("billing", "library"),
    ("billing", "teams"),
    ("cli", "account"),
    ("cli", "admin"),
    ("cli", "app"),
    ("cli", "backups"),
    ("cli", "billing"),
    ("cli", "library"),
    ("cli", "preferences"),
    ("cli", "settings"),
    ("cli", "statistics"),
    ("cli", "teams"),
    ("main", "cli"),
    ("statistics", "library"),
    ("statistics", "teams"),
];

struct Source {
    room: String,
    path: PathBuf,
    /// Without the file's own tests.
    code: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut found) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs")
                && !path.to_string_lossy().ends_with("_tests.rs")
            {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap().to_owned();
                let inside = path.strip_prefix(&root).unwrap();
                let room = inside.iter().next().unwrap().to_string_lossy().trim_end_matches(".rs").to_owned();
                found.push(Source { room, path: inside.to_owned(), code });
            }
        }
    }
    assert!(found.len() > 20, "the sources were not found");
    found
}

fn floor(room: &str) -> usize {
    FLOORS.iter().position(|floor| floor.contains(&room)).unwrap_or_else(|| panic!("{room} stands on no floor"))
}

/// The rooms that a file imports, by `crate::room`, or `shelfwise::room` in the program (in the library that is a file format).
fn imports(room: &str, code: &str) -> BTreeSet<String> {
    let crate_name = if room == "main" { "shelfwise::" } else { "crate::" };
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let marks = lines.flat_map(|line| line.split(crate_name).skip(1));
    marks
        .filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next())
        .map(str::to_owned)
        .filter(|room| !room.is_empty())
        .collect()
}

#[test]
fn a_module_uses_only_lower_modules_and_listed_items() {
    let mut used = BTreeSet::new();
    for source in sources().iter().filter(|source| source.room != "lib") {
        for room in imports(&source.room, &source.code).into_iter().filter(|room| *room != source.room) {
            let (from, to) = (floor(&source.room), floor(&room));
            assert!(to < from, "{} must not use {room}", source.path.display());
            if !matches!(room.as_str(), "config" | "kit" | "access") {
                let door = DOORS.iter().find(|door| **door == (source.room.as_str(), room.as_str()));
                used.insert(*door.unwrap_or_else(|| panic!("{} opens a new door to {room}", source.path.display())));
            }
        }
    }
    let unused: Vec<_> = DOORS.iter().filter(|door| !used.contains(*door)).collect();
    assert!(unused.is_empty(), "these doors are not used: {unused:?}");
}

#[test]
fn models_know_no_sql_no_http_and_no_clock() {
    for source in sources().iter().filter(|source| source.path.ends_with("model.rs")) {
        for word in ["rusqlite", "axum", "Utc::now", "Local::now", "SystemTime::now"] {
            assert!(!source.code.contains(word), "{} names {word}", source.path.display());
        }
    }
}

#[test]
fn stores_know_no_http_and_handlers_no_sql() {
    for source in sources() {
        if source.path.ends_with("store.rs") {
            assert!(!source.code.contains("axum"), "{} names axum", source.path.display());
        }
        if source.path.ends_with("http.rs") {
            for word in ["prepare_cached", "query_row", "SELECT ", "INSERT ", "UPDATE "] {
                assert!(!source.code.contains(word), "{} holds SQL", source.path.display());
            }
        }
    }
}

#[test]
fn only_the_clock_reads_the_time_of_day() {
    for source in sources() {
        let inside = source.path.to_string_lossy();
        if inside != "kit/clock.rs" {
            for word in ["Utc::now", "Local::now"] {
                assert!(!source.code.contains(word), "{inside} reads the time past the clock");
            }
        }
    }
}

#[test]
fn files_stay_short_enough_to_read() {
    for source in sources() {
        let lines = source.code.lines().count();
        assert!(lines <= 500, "{} has {lines} lines", source.path.display());
    }
}

/// The access matrix is held to the description, so the description must have every route: each comes through `routes!`, which
/// describes it. The figures' listener is another one.
#[test]
fn no_route_is_added_past_the_description() {
    let past = |source: &&Source| [".route(", ".route_service(", ".nest"].iter().any(|call| source.code.contains(call));
    let found: Vec<_> = sources().iter().filter(past).map(|source| source.path.display().to_string()).collect();
    assert_eq!(found, ["admin/http.rs"]);
}
