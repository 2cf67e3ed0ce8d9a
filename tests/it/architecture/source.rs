//! The product's sources as the architecture tests see them: code without comments and tests, texts apart, and every path.
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// One file of `src`, without its comments and its tests.
pub struct Source {
    /// The first folder, or the file's name at the top.
    pub module: String,
    /// Inside `src`.
    pub path: PathBuf,
    /// The code; texts are blank.
    pub code: String,
    /// What stands in texts, one a line.
    pub texts: String,
    /// What stands in doc comments, one a line.
    pub docs: String,
    /// Lines of the file without those of its tests.
    pub lines: usize,
}

/// Every file of `src` but those that are tests.
pub fn sources() -> Vec<Source> {
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
                found.push(Source::of(path.strip_prefix(&root).unwrap(), &fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(found.len() > 20, "the sources were not found");
    found.sort_by(|a, b| a.path.cmp(&b.path));
    let tests_only: Vec<_> = found.iter().flat_map(Source::test_modules).collect();
    found.retain(|source| !tests_only.contains(&source.module()));
    found
}

/// A file in parts of the same length: each part is blank where another has something.
struct Parts {
    code: Vec<u8>,
    texts: Vec<u8>,
    docs: Vec<u8>,
}

impl Source {
    /// Reads a file; `path` is inside `src`.
    pub fn of(path: &Path, text: &str) -> Self {
        let mut parts = apart(text);
        let code = String::from_utf8(parts.code.clone()).unwrap();
        let mut lines = text.lines().count();
        for range in test_items(&code) {
            lines -= code[range.clone()].lines().count();
            for part in [&mut parts.code, &mut parts.texts, &mut parts.docs] {
                part[range.clone()].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
            }
        }
        let module = path.iter().next().unwrap().to_string_lossy().trim_end_matches(".rs").to_owned();
        let read = |part: Vec<u8>| String::from_utf8(part).unwrap();
        Self {
            module,
            path: path.to_owned(),
            code: read(parts.code),
            texts: read(parts.texts),
            docs: read(parts.docs),
            lines,
        }
    }

    /// The module that the file is, as `["library", "books", "store"]`.
    pub fn module(&self) -> Vec<String> {
        let mut names: Vec<_> = self.path.with_extension("").iter().map(|name| name.to_string_lossy().into()).collect();
        if names.last().is_some_and(|last: &String| last == "mod") {
            names.pop();
        }
        names
    }

    /// Modules in files of their own that only tests compile.
    fn test_modules(&self) -> Vec<Vec<String>> {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(&self.path)).unwrap();
        let code = String::from_utf8(apart(&text).code).unwrap();
        let items = test_items(&code).into_iter().filter_map(|range| {
            let item = code[range].rsplit("mod ").next()?.trim().strip_suffix(';')?.trim().to_owned();
            Some([self.module(), vec![item]].concat())
        });
        items.collect()
    }

    /// Every path that begins with `crate`, `self`, `super` or a name that is imported, and every path of a `use` and of a child
    /// module, from the crate's root on.
    pub fn paths(&self) -> BTreeSet<Vec<String>> {
        let (module, children, (imported, written)) = (self.module(), self.children(), self.raw_paths());
        let names: BTreeMap<_, _> = imported.iter().map(|import| (import.name.as_str(), &import.path)).collect();
        let through_names = written.iter().map(|path| match names.get(path[0].as_str()) {
            Some(import) => [import, &path[1..]].concat(),
            None => path.clone(),
        });
        let mut paths = BTreeSet::new();
        for path in imported.iter().map(|import| import.path.clone()).chain(through_names) {
            let first = path[0].as_str();
            let rest = |from: usize| path[from..].to_vec();
            if first == "crate" {
                paths.insert(rest(1));
            } else if first == "self" {
                paths.insert([module.clone(), rest(1)].concat());
            } else if first == "super" {
                let ups = path.iter().take_while(|name| *name == "super").count();
                paths.insert([module[..module.len().saturating_sub(ups)].to_vec(), rest(ups)].concat());
            } else if children.contains(&path[0]) {
                paths.insert([module.clone(), path.clone()].concat());
            }
        }
        paths
    }

    /// Every path into another crate, from that crate's root on.
    pub fn paths_of(&self, crate_name: &str) -> BTreeSet<Vec<String>> {
        let (imported, written) = self.raw_paths();
        let paths = imported.into_iter().map(|import| import.path).chain(written);
        let paths = paths.filter(|path| path[0] == crate_name);
        paths.map(|path| path[1..].to_vec()).collect()
    }

    /// The modules that the file declares.
    pub fn children(&self) -> BTreeSet<String> {
        let words: Vec<_> = self.code.split_whitespace().collect();
        let declared = words.windows(2).filter(|pair| pair[0] == "mod" && pair[1].ends_with(';'));
        declared.map(|pair| pair[1].trim_end_matches(';').to_owned()).collect()
    }

    /// What the file gives on from modules of its own: the name outside, and the path from the crate's root on.
    pub fn given_on(&self) -> Vec<(String, Vec<String>)> {
        let children = self.children();
        let statements = self.code.split(';').filter_map(|statement| statement.split("pub use ").nth(1));
        let given = statements.flat_map(expanded).filter(|import| children.contains(&import.path[0]));
        given.map(|import| (import.name, [self.module(), import.path].concat())).collect()
    }

    /// What the file imports, groups expanded, without what is given on; and the other paths as they are written.
    fn raw_paths(&self) -> (Vec<Import>, Vec<Vec<String>>) {
        let (children, mut imported) = (self.children(), Vec::new());
        let mut rest = String::new();
        for statement in self.code.split_inclusive(';') {
            match statement.rfind("use ").filter(|at| is_use(statement, *at)) {
                Some(at) => {
                    rest.push_str(&statement[..at]);
                    let is_public = statement[..at].trim_end().ends_with("pub");
                    let used = expanded(statement[at + 4..].trim_end_matches(';')).into_iter();
                    imported.extend(used.filter(|import| !is_public || !children.contains(&import.path[0])));
                }
                None => rest.push_str(statement),
            }
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let written = rest.split(|c| !is_part(c)).filter(|path| path.contains("::"));
        let written = written.map(|path| path.split("::").map(str::to_owned).collect::<Vec<_>>());
        (imported, written.filter(|path| !path[0].is_empty()).collect())
    }
}

/// Whether `use ` at a place begins an import: only blanks, attributes or `pub` stand before it.
fn is_use(statement: &str, at: usize) -> bool {
    let before = statement[..at].trim_end().trim_end_matches("pub").trim_end();
    before.is_empty() || before.ends_with(['}', ']', '{']) || statement[..at].ends_with('\n')
}

/// A name that a `use` brings into a file, and its path.
struct Import {
    name: String,
    path: Vec<String>,
}

impl Import {
    fn of(path: Vec<String>) -> Self {
        Self { name: path.last().unwrap().clone(), path }
    }
}

/// The imports of a `use` tree: `a::{b, c::d as e}` is `a::b`, and `a::c::d` under the name `e`.
fn expanded(tree: &str) -> Vec<Import> {
    let tree = tree.trim();
    if let Some(open) = tree.find('{') {
        let before: Vec<String> =
            tree[..open].trim_end_matches("::").split("::").filter(|name| !name.is_empty()).map(trimmed).collect();
        let inside = &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())];
        let mut parts = vec![String::new()];
        let mut depth = 0;
        for c in inside.chars() {
            match c {
                ',' if depth == 0 => parts.push(String::new()),
                _ => parts.last_mut().unwrap().push(c),
            }
            depth += i32::from(c == '{') - i32::from(c == '}');
        }
        let parts = parts.iter().filter(|part| !part.trim().is_empty());
        let inside = parts.flat_map(|part| expanded(part)).map(|import| match import.path.as_slice() {
            [only] if only == "self" && import.name == "self" => Import::of(before.clone()),
            [only] if only == "self" => Import { path: before.clone(), ..import },
            _ => Import { path: [before.clone(), import.path].concat(), ..import },
        });
        return inside.collect();
    }
    let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
    let import = Import::of(path.split("::").map(trimmed).collect());
    vec![if name.is_empty() { import } else { Import { name: trimmed(name), ..import } }]
}

fn trimmed(name: &str) -> String {
    name.trim().to_owned()
}

/// Takes a file apart into code, texts and doc comments.
fn apart(text: &str) -> Parts {
    let bytes = text.as_bytes();
    let blank = || bytes.iter().map(|byte| if *byte == b'\n' { b'\n' } else { b' ' }).collect::<Vec<_>>();
    let mut parts = Parts { code: blank(), texts: blank(), docs: blank() };
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let (length, part, skipped) = if rest.starts_with("//") {
            let length = rest.find('\n').unwrap_or(rest.len());
            let is_doc = rest.starts_with("///") || rest.starts_with("//!");
            (length, is_doc.then_some(&mut parts.docs), 3)
        } else if let Some(length) = text_length(rest, at == 0 || !is_name(bytes[at - 1])) {
            (length, Some(&mut parts.texts), 0)
        } else {
            (rest.chars().next().map_or(1, char::len_utf8), Some(&mut parts.code), 0)
        };
        if let Some(part) = part {
            let from = (at + skipped).min(at + length);
            part[from..at + length].copy_from_slice(&bytes[from..at + length]);
        }
        at += length;
    }
    parts
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The length of the text or character that begins here; `None` when neither does.
fn text_length(rest: &str, fresh: bool) -> Option<usize> {
    if let Some(text) = rest.strip_prefix('"') {
        return Some(1 + closing(text)?);
    }
    if fresh && (rest.starts_with('r') || rest.starts_with("br")) {
        let marks = rest.trim_start_matches('b')[1..].bytes().take_while(|byte| *byte == b'#').count();
        let open = rest.len() - rest.trim_start_matches('b').len() + 1 + marks;
        if rest[open..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(marks));
            return Some(open + 1 + rest[open + 1..].find(&end)? + end.len());
        }
        return None;
    }
    let mut chars = rest.chars();
    if chars.next() != Some('\'') {
        return None;
    }
    match (chars.next()?, chars.next()?) {
        ('\\', _) => Some(3 + rest[3..].find('\'')? + 1),
        (c, '\'') => Some(2 + c.len_utf8()),
        _ => None,
    }
}

/// How far it is to behind the closing quotation mark.
fn closing(rest: &str) -> Option<usize> {
    let mut escaped = false;
    rest.bytes()
        .position(|byte| {
            let closes = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes
        })
        .map(|at| at + 1)
}

/// Where the items stand that only tests compile, attribute included.
fn test_items(code: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for mark in ["#[cfg(test)]", "#[cfg(any(test, fuzzing))]"] {
        for (at, _) in code.match_indices(mark) {
            let (mut depth, mut end) = (0, code.len());
            for (offset, byte) in code[at + mark.len()..].bytes().enumerate() {
                match byte {
                    b'{' | b'(' | b'[' => depth += 1,
                    b'}' | b')' | b']' => depth -= 1,
                    _ => {}
                }
                if depth == 0 && (byte == b';' || byte == b'}') {
                    end = at + mark.len() + offset + 1;
                    break;
                }
            }
            found.push(at..end);
        }
    }
    found
}

#[test]
fn a_source_is_read_without_comments_and_tests_and_its_groups_are_expanded() {
    let text = r##"
//! Doc 404.
use crate::{kit::db, access::{self, Viewer as Who}};
pub use http::routes;
mod http;
#[cfg(test)]
mod churn;
// crate::hidden::one
fn one<'a>(x: &'a str) -> char { super::store::find(x, "crate::text", r#"SELECT "a""#, '"') }
#[cfg(test)]
mod tests { use crate::tested; fn brace() { "}" } }
fn two() { http::call(); crate::after::tests(); db::open(); Who::Seen }
"##;
    let source = Source::of(Path::new("module/part/mod.rs"), text);
    let paths: Vec<_> = source.paths().into_iter().map(|path| path.join("::")).collect();
    let expected = [
        "access",
        "access::Viewer",
        "access::Viewer::Seen",
        "after::tests",
        "kit::db",
        "kit::db::open",
        "module::part::http::call",
        "module::store::find",
    ];
    assert_eq!(paths, expected);
    assert_eq!(
        source.given_on(),
        [("routes".to_owned(), ["module", "part", "http", "routes"].map(str::to_owned).into())]
    );
    assert!(source.texts.contains("SELECT") && !source.code.contains("SELECT") && source.docs.contains("404"));
}
