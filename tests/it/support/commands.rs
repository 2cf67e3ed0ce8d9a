//! The command blocks of the documents, as they are printed.
//!
//! A block is fenced by `` ```sh ``. A word behind that says where it runs: nothing in a scratch machine (`machine.rs`), `container`
//! with the container programs of this machine, and `not run: <reason>` nowhere.
use std::fs;
use std::path::Path;

/// Where a block runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In a scratch machine.
    Machine,
    /// With podman.
    Container,
    /// Nowhere: the fence gives the reason.
    Nowhere,
}

/// A command block.
#[derive(Debug, PartialEq, Eq)]
pub struct Block {
    /// The document and the line of the fence.
    pub at: String,
    /// Where it runs.
    pub place: Place,
    /// The commands.
    pub commands: String,
}

/// The blocks of a document, in their order. Panics for a fence that says something else.
pub fn blocks(document: &str) -> Vec<Block> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(document)).unwrap();
    blocks_of(document, &text)
}

fn blocks_of(document: &str, text: &str) -> Vec<Block> {
    let (mut found, mut open): (Vec<Block>, Option<(usize, Option<Block>)>) = (Vec::new(), None);
    for (number, line) in text.lines().enumerate() {
        let fence = line.trim_start().strip_prefix("```");
        open = match (open, fence) {
            (None, Some(info)) => {
                let at = format!("{document}:{}", number + 1);
                let indent = line.len() - line.trim_start().len();
                Some((indent, place(info, &at).map(|place| Block { at, place, commands: String::new() })))
            }
            (Some((_, block)), Some(_)) => {
                found.extend(block);
                None
            }
            (Some((indent, mut block)), None) => {
                if let Some(block) = &mut block {
                    block.commands.push_str(line.get(indent..).unwrap_or_default());
                    block.commands.push('\n');
                }
                Some((indent, block))
            }
            (None, None) => None,
        };
    }
    assert!(open.is_none(), "{document}: a fence is not closed");
    found
}

/// Where a block with this fence runs; `None` for what is not a command block.
fn place(info: &str, at: &str) -> Option<Place> {
    let (language, rest) = info.split_once(' ').unwrap_or((info, ""));
    match (language, rest) {
        ("sh", "") => Some(Place::Machine),
        ("sh", "container") => Some(Place::Container),
        ("sh", rest) if rest.strip_prefix("not run: ").is_some_and(|why| why.len() > 10) => Some(Place::Nowhere),
        ("bash" | "shell" | "console" | "sh", _) => panic!("{at}: the fence of a command block can't be ```{info}"),
        _ => None,
    }
}

#[test]
fn command_blocks_are_found_with_their_places() {
    let text = "```sh\na b\n```\n- in a list\n\n  ```sh container\n  c\n    d\n  ```\n```toml\nx = 1\n```\n\
        ```sh not run: it compiles the program\nmake\n```\n";
    let found = blocks_of("x.md", text);
    let shown: Vec<_> = found.iter().map(|block| (block.at.as_str(), block.place, block.commands.as_str())).collect();
    assert_eq!(
        shown,
        [
            ("x.md:1", Place::Machine, "a b\n"),
            ("x.md:6", Place::Container, "c\n  d\n"),
            ("x.md:13", Place::Nowhere, "make\n")
        ]
    );
}

#[test]
#[should_panic(expected = "x.md:1: the fence")]
fn a_block_without_a_reason_is_an_error() {
    blocks_of("x.md", "```sh not run\nmake\n```\n");
}
