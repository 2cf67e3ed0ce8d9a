//! A module imports only modules that are lower in `docs/architecture.md`, and every route is in the API description.
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The modules, low to high. Modules in one row never import each other.
const LAYERS: &[&[&str]] = &[
    &["config"],
    &["kit"],
    &["access"],
    &["settings"],
    &["preferences", "library", "teams", "backups"],
    &["catalogue"],
    &["statistics", "billing", "lookup"],
    &["reading"],
    &["devices"],
    &["sharing"],
    &["account"],
    &["admin"],
    &["app"],
    &["cli"],
];

/// The Rust files of `src` in a module, with their lines of code.
fn sources() -> Vec<(PathBuf, Vec<String>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut folders, mut found) = (vec![root.clone()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.lines().filter(|line| !line.trim_start().starts_with("//")).map(str::to_owned);
                found.push((path.strip_prefix(&root).unwrap().to_owned(), code.collect()));
            }
        }
    }
    found.retain(|(path, _)| !matches!(path.to_str(), Some("lib.rs" | "main.rs")));
    assert!(found.len() > 20, "the sources were not found");
    found
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

#[test]
fn a_module_imports_only_lower_modules() {
    for (path, code) in sources() {
        let module = path.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs");
        let own = layer(module).unwrap_or_else(|| panic!("{module} is in no layer"));
        let imported = code.iter().flat_map(|line| line.split("crate::").skip(1));
        for name in imported.filter_map(|rest| rest.split(|c: char| !c.is_ascii_lowercase()).next()) {
            let is_lower = layer(name).is_none_or(|layer| layer < own);
            assert!(name == module || is_lower, "{} must not import {name}", path.display());
        }
    }
}

/// The access matrix takes the calls from the API description, and `routes!` adds a route to both. Only the listener of the metrics and
/// the redirect for password managers are no calls of the API.
#[test]
fn no_route_is_added_past_the_description() {
    let adds = |line: &String| [".route(", ".route_service(", ".nest"].iter().any(|call| line.contains(call));
    let found = sources().into_iter().flat_map(|(path, code)| code.into_iter().filter(adds).map(move |_| path.clone()));
    assert_eq!(BTreeSet::from_iter(found), ["admin/http.rs", "app.rs"].map(PathBuf::from).into());
}
