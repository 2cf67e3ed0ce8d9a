//! Files of a module read downward: none leads back to itself.
use std::collections::{BTreeMap, BTreeSet};

use super::source::{Source, sources};

/// Which files of a module each file uses.
type Uses = BTreeMap<Vec<String>, BTreeSet<Vec<String>>>;

/// Each file from which a way leads back to itself, with the files on such ways that it uses.
fn circles(sources: &[Source]) -> Vec<String> {
    let uses = uses(sources);
    let reached = |from: &Vec<String>| {
        let (mut found, mut left) = (BTreeSet::new(), vec![from]);
        while let Some(used) = left.pop().and_then(|file| uses.get(file)) {
            left.extend(used.iter().filter(|file| found.insert((*file).clone())));
        }
        found
    };
    let reached: BTreeMap<_, _> = uses.keys().map(|file| (file, reached(file))).collect();
    let leads = |from: &Vec<String>, to: &Vec<String>| reached.get(from).is_some_and(|found| found.contains(to));
    let circles = uses.iter().filter(|(file, _)| leads(file, file)).map(|(file, used)| {
        let back: Vec<_> = used.iter().filter(|used| leads(used, file)).map(|used| used.join("/")).collect();
        format!("{} uses {}", file.join("/"), back.join(", "))
    });
    circles.collect()
}

/// The files of its module that each file uses. A module and its own parts are one thing: a part may use what stands around it.
fn uses(sources: &[Source]) -> Uses {
    let files: BTreeSet<_> = sources.iter().map(Source::module).collect();
    let given_on: BTreeMap<_, _> = sources
        .iter()
        .flat_map(|source| {
            let module = source.module();
            source.given_on().into_iter().map(move |(name, path)| ([module.clone(), vec![name]].concat(), path))
        })
        .collect();
    let file_of = |path: &[String]| {
        let mut path = path.to_vec();
        while let Some((given, to)) =
            (1..=path.len()).rev().find_map(|length| Some((length, given_on.get(&path[..length])?)))
        {
            path = [to.clone(), path[given..].to_vec()].concat();
        }
        (1..=path.len()).rev().map(|length| path[..length].to_vec()).find(|module| files.contains(module))
    };
    let used = |source: &Source| {
        let module = source.module();
        let paths = source.paths().into_iter().filter(|path| path.first() == Some(&source.module));
        paths.filter_map(|path| file_of(&path)).filter(|file| !module.starts_with(file)).collect()
    };
    sources.iter().map(|source| (source.module(), used(source))).collect()
}

#[test]
fn no_file_of_a_module_leads_back_to_itself() {
    let found = circles(&sources());
    assert!(found.is_empty(), "these files use each other in a circle:\n{}", found.join("\n"));
}

#[test]
fn a_circle_is_found_through_names_that_are_given_on() {
    let file = |path: &str, text: &str| Source::of(std::path::Path::new(path), text);
    let module = [
        file("module/mod.rs", "mod http;\nmod store;\npub use http::routes;"),
        file("module/http.rs", "use super::store;\npub fn routes() {}"),
        file("module/store.rs", "use crate::module::routes;"),
        file("module/model.rs", "use crate::module::{store, other::Thing};"),
    ];
    assert_eq!(circles(&module), ["module/http uses module/store", "module/store uses module/http"]);
    assert!(circles(&module[..2]).is_empty());
    let through_a_folder = [
        file("module/store.rs", "use super::part;\nfn all() { part::store::pending() }"),
        file("module/part/mod.rs", "pub mod store;"),
        file("module/part/store.rs", "use crate::module::store as all;"),
    ];
    assert_eq!(circles(&through_a_folder).len(), 2);
}
