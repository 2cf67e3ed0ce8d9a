//! Every path that a document names exists, and every link between documents leads to a file and a heading.
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders whose files documents name in backticks.
const FOLDERS: &[&str] =
    &["src/", "ui/", "tests/", "docs/", "deploy/", "scripts/", "migrations/", "benches/", "fuzz/", ".ci/", ".cargo/"];

/// Made by tools, and therefore absent from a clone.
const GENERATED: &[&str] = &["fuzz/artifacts/"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn documents() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for folder in ["", "docs", "docs/decisions"] {
        let entries = fs::read_dir(root().join(folder)).unwrap().map(|entry| entry.unwrap().path());
        found.extend(entries.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    }
    assert!(found.len() > 20, "the documents were not found");
    found.sort();
    found
}

/// The text outside of fenced blocks, whose lines are commands and configuration.
fn prose(text: &str) -> String {
    let mut fenced = false;
    let lines = text.lines().filter(|line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The paths that a text names in backticks. Patterns (`*`, `<module>`, `{id}`, `VNN__why.sql`) name no particular file.
fn named_paths(text: &str) -> impl Iterator<Item = &str> {
    let spans = text.split('`').skip(1).step_by(2);
    spans.filter(|span| {
        FOLDERS.iter().any(|folder| span.starts_with(folder))
            && !span.contains(['*', '<', '{', ' ', '\n'])
            && !span.contains("VNN")
            && !GENERATED.contains(span)
    })
}

/// The targets of links within the repository, each with its anchor or "".
fn links(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    targets.filter(|target| !target.contains("://")).map(|target| target.split_once('#').unwrap_or((target, "")))
}

/// The anchors of a document's headings, as GitHub and GitLab make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let anchor = |heading: &str| {
        let kept = heading.to_lowercase().replace(' ', "-");
        kept.chars().filter(|c| c.is_alphanumeric() || *c == '-' || *c == '_').collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn every_path_in_a_document_exists() {
    let mut missing = Vec::new();
    for document in documents() {
        let text = prose(&fs::read_to_string(&document).unwrap());
        for path in named_paths(&text).filter(|path| !root().join(path).exists()) {
            missing.push(format!("{}: {path}", document.display()));
        }
    }
    assert!(missing.is_empty(), "these paths do not exist:\n{}", missing.join("\n"));
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let mut broken = Vec::new();
    for document in documents() {
        let text = prose(&fs::read_to_string(&document).unwrap());
        for (target, anchor) in links(&text) {
            let path = if target.is_empty() { document.clone() } else { document.parent().unwrap().join(target) };
            let known = anchor.is_empty()
                || fs::read_to_string(&path).is_ok_and(|text| anchors(&prose(&text)).contains(anchor));
            if !path.exists() || !known {
                broken.push(format!("{}: {target}#{anchor}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "these links lead nowhere:\n{}", broken.join("\n"));
}

/// Each index names every document beside it, and that is how a reader finds a record by its subject.
#[test]
fn the_indexes_name_every_document() {
    let mut missing = Vec::new();
    for folder in ["docs", "docs/decisions"] {
        let index = fs::read_to_string(root().join(folder).join("README.md")).unwrap();
        let named: BTreeSet<_> = links(&index).map(|(target, _)| target).collect();
        for document in documents().iter().filter(|path| path.parent() == Some(&root().join(folder))) {
            let name = document.file_name().unwrap().to_str().unwrap();
            if name != "README.md" && !named.contains(name) {
                missing.push(format!("{folder}/README.md: {name}"));
            }
        }
    }
    assert!(missing.is_empty(), "these documents are in no index:\n{}", missing.join("\n"));
}

#[test]
fn paths_and_links_are_recognised() {
    let text =
        "See `src/app.rs`, `src/<module>/`, `src/x/*.rs` and [how](docs/api.md#known-quirks), [out](https://x.org).";
    assert_eq!(named_paths(text).collect::<Vec<_>>(), ["src/app.rs"]);
    assert_eq!(links(text).collect::<Vec<_>>(), [("docs/api.md", "known-quirks")]);
    assert!(anchors("# The table: of `faults`\n").contains("the-table-of-faults"));
    assert_eq!(prose("a\n```sh\n`src/none`\n```\nb"), "a\nb");
}
