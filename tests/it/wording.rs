//! Keeps turns of phrase out that a reader has to read twice (docs/style.md, "Turns that we avoid").
//!
//! `wording.allowed` holds, for each file with older sentences, how many it may still have. The numbers only shrink: a file with
//! more fails the test, and so does a file with fewer until `UPDATE_WORDING=1` has lowered its number. Without that file,
//! `UPDATE_WORDING=1` makes it from today's counts.
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

/// What to avoid, in lower case, and what to write instead.
const TURNS: &[(&str, &str)] = &[
    ("letter", "e-mail, message"),
    ("letters", "e-mail, message"),
    ("told", "says, reports, shows, returns"),
    ("tells", "says, reports, shows, returns"),
    ("whoever", "a person, client or caller, named"),
    ("whom", "the person, named"),
    ("only who", "only the person who"),
    ("by who", "only the person who"),
    ("that who", "only the person who"),
    ("for who", "only the person who"),
    ("is no", "is not a, are not"),
    ("are no", "is not a, are not"),
    ("run out", "expired, expires"),
    ("runs out", "expired, expires"),
    ("came to nothing", "failed, fails"),
    ("comes to nothing", "failed, fails"),
    ("into the database file", "WAL checkpoint"),
    ("turned away", "rejected, refused"),
    ("come again", "retry"),
    ("unheard of", "without news, unknown"),
    ("knock", "connect"),
    ("one's", "your, the account's"),
    ("lies in", "is in, are in"),
    ("lie in", "is in, are in"),
    ("vouches for", "signs, certifies"),
    ("vouch for", "signs, certifies"),
    ("believed", "trusted"),
    ("present password", "current password"),
    ("nobody else is", "exclusive, locked"),
    ("for good and all", "permanently"),
    ("a crowd", "many connections"),
    ("anew", "again, new"),
    ("answers whether", "returns whether"),
    ("answers how", "returns how"),
    ("nothing where", "`None` when"),
    ("none where", "`None` when"),
    ("told apart", "distinguished"),
    ("tell apart", "distinguished"),
    ("still stands", "is still valid"),
    ("can't be had", "is not available"),
    ("takes in", "stores, processes"),
    ("taken in", "stores, processes"),
];

/// Places to look in, with the endings of files there.
const PLACES: &[(&str, &[&str])] = &[
    ("src", &["rs"]),
    ("tests/it", &["rs"]),
    ("ui/src", &["ts", "tsx"]),
    ("docs", &["md"]),
    ("README.md", &["md"]),
    ("CHANGELOG.md", &["md"]),
    ("CONTRIBUTING.md", &["md"]),
    ("SECURITY.md", &["md"]),
];

/// The page and the test that list the turns, and types made by a program from texts that are counted where they are written.
const LEFT_OUT: &[&str] = &["docs/style.md", "tests/it/wording.rs", "ui/src/kit/api/schema.d.ts"];

const ALLOWED: &str = "tests/it/wording.allowed";

fn files(root: &Path, inside: &str, endings: &[&str], found: &mut Vec<String>) {
    let path = root.join(inside);
    if path.is_dir() {
        for entry in fs::read_dir(&path).unwrap() {
            let name = entry.unwrap().file_name();
            files(root, &format!("{inside}/{}", name.to_string_lossy()), endings, found);
        }
    } else if path.extension().is_some_and(|ending| endings.iter().any(|one| ending == *one))
        && !LEFT_OUT.contains(&inside)
    {
        found.push(inside.to_owned());
    }
}

/// Whether a character belongs to the same word as its neighbour: `letter-spacing` and `letter_height` hold no letter.
fn joins(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

/// The turns in one line, in lower case.
fn turns(line: &str) -> Vec<(&'static str, &'static str)> {
    let line = line.to_lowercase().replace('’', "'");
    let mut found = Vec::new();
    for (turn, better) in TURNS {
        for (at, _) in line.match_indices(turn) {
            let (before, after) = (&line[..at], &line[at + turn.len()..]);
            if joins(before.chars().next_back()) || joins(after.chars().next()) {
                continue;
            }
            // "There is no index" is good English, and so is "is no longer".
            let existence = before.ends_with("there ") || before.ends_with("where ");
            let comparison = [" longer", " more", " less", " further"].iter().any(|word| after.starts_with(word));
            if turn.ends_with(" no") && (existence || comparison) {
                continue;
            }
            found.push((*turn, *better));
        }
    }
    found
}

/// The numbers of `wording.allowed`, by file.
fn allowed(text: &str) -> BTreeMap<String, usize> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.split_once(' '))
        .map(|(count, file)| (file.to_owned(), count.parse().unwrap()))
        .collect()
}

#[test]
fn no_file_gains_a_turn_to_avoid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut names = Vec::new();
    for (place, endings) in PLACES {
        files(root, place, endings, &mut names);
    }
    assert!(names.len() > 100, "the sources were not found");
    names.sort();
    let made_anew = !root.join(ALLOWED).exists();
    let before = allowed(&fs::read_to_string(root.join(ALLOWED)).unwrap_or_default());
    let (mut more, mut fewer, mut after) = (String::new(), String::new(), String::new());
    for name in &names {
        let text = fs::read_to_string(root.join(name)).unwrap();
        // Names and texts of tests are free: a test of e-mails or of wrong words has to write them.
        let counts = |line: &&str| !name.starts_with("tests/") || line.trim_start().starts_with("//");
        let lines = text.lines().enumerate().filter(|(_, line)| counts(line));
        let lines = lines.flat_map(|(at, line)| turns(line).into_iter().map(move |turn| (at + 1, turn)));
        let found: Vec<_> = lines.collect();
        let may = before.get(name).copied().unwrap_or_default();
        if found.len() > may && !made_anew {
            writeln!(more, "{name} has {} turns to avoid, and may have {may}:", found.len()).unwrap();
            for (line, (turn, better)) in &found {
                writeln!(more, "  {name}:{line}: \"{turn}\"; better: {better}").unwrap();
            }
        } else if found.len() < may {
            writeln!(fewer, "  {name}: {may}, now {}", found.len()).unwrap();
        }
        let stays = if made_anew { found.len() } else { found.len().min(may) };
        if stays > 0 {
            writeln!(after, "{stays} {name}").unwrap();
        }
    }
    for name in before.keys().filter(|name| !names.contains(name)) {
        writeln!(fewer, "  {name}: gone").unwrap();
    }
    if std::env::var_os("UPDATE_WORDING").is_some() {
        let head = "# How many turns of docs/style.md each file may still have. Lower only: UPDATE_WORDING=1 cargo test --test it -- wording\n";
        fs::write(root.join(ALLOWED), format!("{head}{after}")).unwrap();
    } else {
        assert!(fewer.is_empty(), "lower the numbers with UPDATE_WORDING=1:\n{fewer}");
    }
    assert!(more.is_empty(), "docs/style.md says how this project writes.\n{more}");
}

#[test]
fn turns_are_found_as_words_and_good_english_is_left_alone() {
    let found = |line: &str| turns(line).into_iter().map(|(turn, _)| turn).collect::<Vec<_>>();
    assert_eq!(found("/// Whom the letters tell; this is no event."), ["letters", "whom", "is no"]);
    assert_eq!(found("ONE’S OWN account"), ["one's"]);
    let good = "There is no index, letter-spacing is set, and the cookie is no longer valid. lettering";
    assert_eq!(found(good), [""; 0]);
}

#[test]
fn the_style_guide_lists_every_turn() {
    let guide = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/style.md")).unwrap();
    for (turn, better) in TURNS {
        let listed = guide.lines().any(|line| {
            let mut cells = line.trim_matches('|').split('|');
            let (turns, instead) = (cells.next().unwrap_or_default(), cells.next().unwrap_or_default());
            turns.split('(').next().unwrap_or_default().split(',').any(|one| one.trim() == *turn)
                && instead.trim() == *better
        });
        assert!(listed, "docs/style.md does not list \"{turn}\" with \"{better}\"");
    }
}
