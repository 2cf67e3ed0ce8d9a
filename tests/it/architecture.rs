//! The code has the structure of `docs/architecture.md`: a module imports only lower modules, and each file has one role.
mod circles;
mod file_roles;
mod source;

use std::collections::BTreeSet;

use source::{Source, sources};

/// The modules, low to high. Modules in one row never import each other. Imports from lower rows must be in [`DEPENDENCIES`].
const LAYERS: &[&[&str]] = &[
    &["config"],
    &["kit"],
    &["access"],
    &["settings"],
    &["preferences", "library", "teams", "backups"],
    &["catalogue"],
    &["statistics", "billing", "lookup"],
    &["reading"],
    &["sharing"],
    &["account"],
    &["admin"],
    &["app"],
    &["cli"],
    &["main"],
];

/// Every import from one module into another, except those of config, kit and access, which are free.
const DEPENDENCIES: &[(&str, &str)] = &[
    ("account", "backups"),
    ("account", "billing"),
    ("account", "library"),
    ("account", "preferences"),
    ("account", "reading"),
    ("account", "settings"),
    ("account", "sharing"),
    ("account", "teams"),
    ("admin", "account"),
    ("admin", "backups"),
    ("admin", "catalogue"),
    ("admin", "library"),
    ("admin", "settings"),
    ("admin", "teams"),
    ("app", "account"),
    ("app", "admin"),
    ("app", "billing"),
    ("app", "catalogue"),
    ("app", "library"),
    ("app", "lookup"),
    ("app", "preferences"),
    ("app", "reading"),
    ("app", "settings"),
    ("app", "sharing"),
    ("app", "statistics"),
    ("app", "teams"),
    ("backups", "settings"),
    ("billing", "library"),
    ("billing", "teams"),
    ("cli", "account"),
    ("cli", "admin"),
    ("cli", "app"),
    ("cli", "backups"),
    ("catalogue", "library"),
    ("cli", "catalogue"),
    ("cli", "billing"),
    ("cli", "library"),
    ("cli", "preferences"),
    ("cli", "reading"),
    ("cli", "settings"),
    ("cli", "sharing"),
    ("cli", "statistics"),
    ("cli", "teams"),
    ("lookup", "catalogue"),
    ("lookup", "library"),
    ("main", "cli"),
    ("reading", "library"),
    ("reading", "statistics"),
    ("sharing", "library"),
    ("sharing", "reading"),
    ("statistics", "library"),
    ("statistics", "teams"),
];

fn layer(module: &str) -> usize {
    LAYERS.iter().position(|layer| layer.contains(&module)).unwrap_or_else(|| panic!("{module} is in no layer"))
}

/// The modules that a file imports, by `crate::module`, or `shelfwise::module` in the program (in the library that is a file format).
fn imports(source: &Source) -> BTreeSet<String> {
    let paths = if source.module == "main" { source.paths_of("shelfwise") } else { source.paths() };
    paths.into_iter().filter_map(|path| path.into_iter().next()).filter(|module| is_module(module)).collect()
}

/// Whether a name is a module's, and not that of something at the crate's root.
fn is_module(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

#[test]
fn a_module_uses_only_lower_modules_and_listed_items() {
    let mut used = BTreeSet::new();
    for source in sources().iter().filter(|source| source.module != "lib") {
        for module in imports(source).into_iter().filter(|module| *module != source.module) {
            let (from, to) = (layer(&source.module), layer(&module));
            assert!(to < from, "{} must not use {module}", source.path.display());
            if !matches!(module.as_str(), "config" | "kit" | "access") {
                let dependency =
                    DEPENDENCIES.iter().find(|dependency| **dependency == (source.module.as_str(), module.as_str()));
                used.insert(
                    *dependency.unwrap_or_else(|| panic!("{} has a new dependency on {module}", source.path.display())),
                );
            }
        }
    }
    let unused: Vec<_> = DEPENDENCIES.iter().filter(|dependency| !used.contains(*dependency)).collect();
    assert!(unused.is_empty(), "these dependencies are not used: {unused:?}");
}

#[test]
fn only_the_clock_reads_the_time_of_day() {
    for source in sources() {
        let inside = source.path.to_string_lossy();
        if inside != "kit/clock.rs" {
            for word in ["Utc::now", "Local::now"] {
                assert!(!source.code.contains(word), "{inside} reads the time of day without the clock");
            }
        }
    }
}

#[test]
fn files_stay_short_enough_to_read() {
    for source in sources() {
        let lines = source.lines;
        assert!(lines <= 500, "{} has {lines} lines", source.path.display());
    }
}

/// The functions of a file with their lines, from the name to the closing brace.
fn functions(source: &Source) -> Vec<(&str, usize)> {
    let lines: Vec<_> = source.code.lines().collect();
    let functions = lines.iter().enumerate().filter_map(|(at, line)| {
        let (before, after) = line.split_once("fn ")?;
        let is_start =
            before.split_whitespace().all(|word| word.starts_with("pub") || word == "async" || word == "const");
        let name = after.split(['(', '<']).next().filter(|_| is_start)?;
        let indent = &line[..line.len() - line.trim_start().len()];
        let end = |line: &&str| line.strip_prefix(indent).is_some_and(|rest| rest == "}");
        let length = if line.ends_with(['}', ';']) { 1 } else { 1 + lines[at..].iter().position(end)? };
        Some((name, length))
    });
    functions.collect()
}

#[test]
fn functions_stay_short_enough_to_read() {
    for source in sources() {
        for (name, lines) in functions(&source) {
            assert!(lines <= 70, "{name} in {} has {lines} lines", source.path.display());
        }
    }
}

#[test]
fn the_lines_of_a_function_end_at_its_brace() {
    let text = "impl A {\n    pub(super) async fn long(&self) {\n        if true {\n        }\n    }\n\n    fn short() {}\n}\n";
    assert_eq!(functions(&Source::of(std::path::Path::new("a.rs"), text)), [("long", 4), ("short", 1)]);
}

/// The test of the access matrix takes the calls from the API description, so every route must be in it. `routes!` adds a route to both.
/// Only the listener of the metrics adds its own.
#[test]
fn no_route_is_added_past_the_description() {
    let past = |source: &&Source| [".route(", ".route_service(", ".nest"].iter().any(|call| source.code.contains(call));
    let found: Vec<_> = sources().iter().filter(past).map(|source| source.path.display().to_string()).collect();
    assert_eq!(found, ["admin/http.rs"]);
}
