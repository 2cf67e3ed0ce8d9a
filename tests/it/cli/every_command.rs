//! Every command of the program: a help with an example, and refusals that say why. A command that this file does not know
//! makes it fail.
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::support::actors::PASSWORD;
use crate::support::program::{self, Ended, Program, shelfwise};

/// A folder with things to refuse: `data` has an account and `backup` a backup of it, `none` has no database, `newer` one of a
/// newer program, `taken` is a file.
struct Stage(tempfile::TempDir);

impl Stage {
    fn new() -> Self {
        let stage = Self(tempfile::tempdir().unwrap());
        for data in ["data", "newer"] {
            let made = stage.run(&format!("user create ada@example.org --name Ada --data-dir {data}"), PASSWORD);
            assert_eq!(made.status, 0, "{}", made.err);
        }
        let conn = rusqlite::Connection::open(stage.path("newer/shelfwise.db")).unwrap();
        conn.execute("UPDATE refinery_schema_history SET version = 9999 WHERE version = 1", []).unwrap();
        std::fs::write(stage.path("taken"), "").unwrap();
        std::fs::write(stage.path("books.csv"), "Title,Author\nDune,Herbert\n").unwrap();
        assert_eq!(stage.run("backup create --to backup --data-dir data", "").status, 0);
        std::fs::write(stage.path("stray.db"), "no backup").unwrap();
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, line: &str, input: &str) -> Ended {
        let mut command = shelfwise();
        command.args(line.split_whitespace()).current_dir(self.0.path());
        program::run(command, input)
    }
}

/// A line, the status it ends with, and a word of what it says.
type Refusal = (&'static str, i32, &'static str);

const NEWER: &str = "newer Shelfwise";
const NO_DATABASE: &str = "there is no database";
const NO_CATALOGUE: &str = "there is no catalogue";
const NOBODY: &str = "no account";

/// Three refusals of every command.
const REFUSED: &[(&str, [Refusal; 3])] = &[
    (
        "catalogue build",
        [
            (
                "catalogue build --editions nowhere --works nowhere --authors nowhere --data-dir data",
                1,
                "nowhere can't be read",
            ),
            (
                "catalogue build --editions books.csv --works books.csv --authors books.csv --data-dir data",
                1,
                "not Open Library's dump of authors",
            ),
            ("catalogue build --editions books.csv --works books.csv --authors books.csv --languages xx", 2, "\"xx\""),
        ],
    ),
    (
        "catalogue status",
        [
            ("catalogue status --data-dir none", 1, NO_CATALOGUE),
            ("catalogue status --data-dir data --config nowhere", 78, "nowhere"),
            ("catalogue status more", 2, "more"),
        ],
    ),
    (
        "catalogue verify",
        [
            ("catalogue verify --data-dir data", 1, NO_CATALOGUE),
            ("catalogue verify stray.db", 78, "is not a file that"),
            ("catalogue verify taken more", 2, "more"),
        ],
    ),
    (
        "catalogue search",
        [
            ("catalogue search dune --data-dir data", 1, NO_CATALOGUE),
            ("catalogue search --data-dir data", 2, "<QUERY>"),
            ("catalogue search two words --data-dir data", 2, "words"),
        ],
    ),
    (
        "serve",
        [
            ("serve --listen 127.0.0.1:0 --data-dir newer", 78, NEWER),
            ("serve --listen 127.0.0.1:0 --data-dir taken", 78, "taken"),
            ("serve --listen everywhere", 2, "everywhere"),
        ],
    ),
    (
        "backup create",
        [
            ("backup create --to x --data-dir none", 1, NO_DATABASE),
            ("backup create --to x --data-dir newer", 78, NEWER),
            ("backup create --to taken/x --data-dir data", 1, "taken/x"),
        ],
    ),
    (
        "setup-code",
        [
            ("setup-code --data-dir none", 1, NO_DATABASE),
            ("setup-code --data-dir newer", 78, NEWER),
            ("setup-code more", 2, "more"),
        ],
    ),
    (
        "settings list",
        [
            ("settings list --data-dir newer --config nowhere", 78, "nowhere"),
            ("settings list --data-dir data --json yes", 2, "yes"),
            ("settings list more", 2, "more"),
        ],
    ),
    (
        "settings get",
        [
            ("settings get listen --data-dir data", 2, "listen"),
            ("settings get", 2, "<KEY>"),
            ("settings get signup --data-dir data --config nowhere", 78, "nowhere"),
        ],
    ),
    (
        "settings set",
        [
            ("settings set signup maybe --data-dir data", 2, "signup"),
            ("settings set signup closed --data-dir none", 1, NO_DATABASE),
            ("settings set signup closed --data-dir newer", 78, NEWER),
        ],
    ),
    (
        "settings unset",
        [
            ("settings unset listen --data-dir data", 2, "listen"),
            ("settings unset signup --data-dir none", 1, NO_DATABASE),
            ("settings unset signup --data-dir newer", 78, NEWER),
        ],
    ),
    (
        "backup list",
        [
            ("backup list nowhere", 1, "nowhere is not a folder"),
            ("backup list taken", 1, "taken is not a folder"),
            ("backup list", 2, "<FOLDER>"),
        ],
    ),
    (
        "backup verify",
        [
            ("backup verify nowhere.db", 1, "is not there"),
            ("backup verify stray.db", 1, "no checksum"),
            ("backup verify", 2, "<FILE>"),
        ],
    ),
    (
        "restore",
        [
            ("restore nowhere.db --data-dir data --yes", 1, "is not there"),
            ("restore stray.db --data-dir data --yes", 1, "no checksum"),
            ("restore --data-dir data", 2, "<FILE>"),
        ],
    ),
    (
        "user create",
        [
            ("user create ada@example.org --name Ada --data-dir data", 1, "already"),
            ("user create bob --name Bob --data-dir data", 1, "valid email"),
            ("user create bob@example.org --data-dir data", 2, "--name"),
        ],
    ),
    (
        "user list",
        [
            ("user list --data-dir none", 1, NO_DATABASE),
            ("user list --data-dir newer", 78, NEWER),
            ("user list --all", 2, "--all"),
        ],
    ),
    (
        "user show",
        [
            ("user show bob@example.org --data-dir data", 1, NOBODY),
            ("user show ada@example.org --data-dir none", 1, NO_DATABASE),
            ("user show", 2, "<EMAIL>"),
        ],
    ),
    (
        "user set-password",
        [
            ("user set-password bob@example.org --data-dir data", 1, NOBODY),
            ("user set-password ada@example.org --data-dir newer", 78, NEWER),
            ("user set-password", 2, "<EMAIL>"),
        ],
    ),
    (
        "user promote",
        [
            ("user promote bob@example.org --data-dir data", 1, NOBODY),
            ("user promote ada@example.org --data-dir none", 1, NO_DATABASE),
            ("user promote", 2, "<EMAIL>"),
        ],
    ),
    (
        "user demote",
        [
            ("user demote bob@example.org --data-dir data", 1, NOBODY),
            ("user demote ada@example.org --data-dir newer", 78, NEWER),
            ("user demote", 2, "<EMAIL>"),
        ],
    ),
    (
        "user disable",
        [
            ("user disable bob@example.org --data-dir data", 1, NOBODY),
            ("user disable ada@example.org --data-dir none", 1, NO_DATABASE),
            ("user disable", 2, "<EMAIL>"),
        ],
    ),
    (
        "user connect",
        [
            ("user connect bob@example.org bob --data-dir data", 1, NOBODY),
            ("user connect ada@example.org ada --data-dir newer", 78, NEWER),
            ("user connect ada@example.org", 2, "<PERSON>"),
        ],
    ),
    (
        "user enable",
        [
            ("user enable bob@example.org --data-dir data", 1, NOBODY),
            ("user enable ada@example.org --data-dir newer", 78, NEWER),
            ("user enable", 2, "<EMAIL>"),
        ],
    ),
    (
        "user delete",
        [
            ("user delete ada@example.org --data-dir data", 1, "--yes"),
            ("user delete bob@example.org --yes --data-dir data", 1, NOBODY),
            ("user delete --yes", 2, "<EMAIL>"),
        ],
    ),
    (
        "plan set",
        [
            ("plan set bob@example.org reader --data-dir data", 1, NOBODY),
            ("plan set ada@example.org reader --data-dir none", 1, NO_DATABASE),
            ("plan set ada@example.org gold --data-dir data", 2, "gold"),
        ],
    ),
    (
        "plan show",
        [
            ("plan show bob@example.org --data-dir data", 1, NOBODY),
            ("plan show ada@example.org --data-dir newer", 78, NEWER),
            ("plan show", 2, "<EMAIL>"),
        ],
    ),
    (
        "plan list",
        [
            ("plan list --data-dir none", 1, NO_DATABASE),
            ("plan list --data-dir newer", 78, NEWER),
            ("plan list everybody", 2, "everybody"),
        ],
    ),
    (
        "import",
        [
            ("import bob@example.org books.csv --data-dir data", 1, NOBODY),
            ("import ada@example.org nowhere.csv --data-dir data", 1, "nowhere.csv"),
            ("import ada@example.org books.csv --data-dir none", 1, NO_DATABASE),
        ],
    ),
    (
        "device create",
        [
            ("device create bob@example.org --data-dir data", 1, NOBODY),
            ("device create ada@example.org --kind fridge --data-dir data", 2, "readest"),
            ("device create ada@example.org --data-dir none", 1, NO_DATABASE),
        ],
    ),
    (
        "device list",
        [
            ("device list bob@example.org --data-dir data", 1, NOBODY),
            ("device list ada@example.org --data-dir none", 1, NO_DATABASE),
            ("device list", 2, "<EMAIL>"),
        ],
    ),
    (
        "device revoke",
        [
            ("device revoke bob@example.org 7 --yes --data-dir data", 1, NOBODY),
            ("device revoke ada@example.org 7 --yes --data-dir data", 1, "no device with the id 7"),
            ("device revoke ada@example.org --data-dir data", 2, "<ID>"),
        ],
    ),
    (
        "share list",
        [
            ("share list bob@example.org --data-dir data", 1, NOBODY),
            ("share list ada@example.org --data-dir none", 1, NO_DATABASE),
            ("share list", 2, "<EMAIL>"),
        ],
    ),
    (
        "share export",
        [
            ("share export bob@example.org 7 --to www --data-dir data", 1, NOBODY),
            ("share export ada@example.org 7 --to www --data-dir data", 1, "no secret link with the id 7"),
            ("share export ada@example.org 7 --to - --data-dir data", 2, "a folder"),
        ],
    ),
    (
        "share revoke",
        [
            ("share revoke ada@example.org --data-dir data", 1, "--yes"),
            ("share revoke bob@example.org --yes --data-dir data", 1, NOBODY),
            ("share revoke ada@example.org --id 7 --yes --data-dir data", 1, "no secret link with the id 7"),
        ],
    ),
    (
        "refill",
        [
            ("refill bob@example.org --data-dir data", 1, NOBODY),
            ("refill ada@example.org --data-dir none", 1, NO_DATABASE),
            ("refill ada@example.org --field colour --data-dir data", 2, "series"),
        ],
    ),
    (
        "export",
        [
            ("export bob@example.org --output x.csv --data-dir data", 1, NOBODY),
            ("export ada@example.org --output taken/x.csv --data-dir data", 1, "taken/x.csv"),
            ("export ada@example.org --data-dir data", 2, "--output"),
        ],
    ),
    (
        "doctor",
        [
            ("doctor --data-dir none", 1, "finding"),
            ("doctor --data-dir newer", 1, "finding"),
            ("doctor --config nowhere.toml", 78, "nowhere.toml"),
        ],
    ),
    (
        "health",
        [
            ("health --url nowhere", 2, "nowhere"),
            ("health --url http://127.0.0.1:1", 1, "can't be reached"),
            ("health --config nowhere.toml", 1, "nowhere.toml"),
        ],
    ),
    (
        "config show",
        [
            ("config show --config nowhere.toml", 78, "nowhere.toml"),
            ("config show book_limit", 2, "book_limit"),
            ("config show --yaml", 2, "--yaml"),
        ],
    ),
    (
        "openapi",
        [("openapi yaml", 2, "yaml"), ("openapi --pretty", 2, "--pretty"), ("openapi --config", 2, "--config")],
    ),
    (
        "completions",
        [("completions", 2, "<SHELL>"), ("completions basic", 2, "basic"), ("completions bash zsh", 2, "zsh")],
    ),
    (
        "compact",
        [
            ("compact --data-dir none", 1, NO_DATABASE),
            ("compact --data-dir newer", 78, NEWER),
            ("compact now --data-dir data", 2, "now"),
        ],
    ),
    ("man", [("man --to taken/x", 1, "taken/x"), ("man --to", 2, "--to"), ("man serve", 2, "serve")]),
];

/// What every command does when nothing is in the way: a line, and a word that it prints.
const DONE: &[(&str, &str)] = &[
    ("compact --data-dir data", "KB"),
    ("backup list backup --data-dir data", "holds"),
    ("backup create --to more --keep 2 --data-dir data", "more"),
    ("user show ada@example.org --data-dir data", "ada@example.org"),
    ("user list --json --data-dir data", "\"email\": \"ada@example.org\""),
    ("user create bob@example.org --name Bob --admin --data-dir data", "bob@example.org"),
    ("user set-password ada@example.org --data-dir data", "ada@example.org"),
    ("user promote ada@example.org --data-dir data", "ada@example.org"),
    ("user demote ada@example.org --data-dir data", "ada@example.org"),
    ("user disable ada@example.org --data-dir data", "ada@example.org"),
    ("user enable ada@example.org --data-dir data", "ada@example.org"),
    ("user connect ada@example.org ada --data-dir data", "ada at the proxy"),
    ("plan set ada@example.org shelfwise_plus --data-dir data", "shelfwise_plus"),
    ("plan show ada@example.org --data-dir data", "set by hand"),
    ("plan list --data-dir data", "ada@example.org"),
    ("share list ada@example.org --data-dir data", "LAST OPENED"),
    ("share revoke ada@example.org --yes --data-dir data", "Revoked 0 secret links of ada@example.org."),
    ("import ada@example.org books.csv --data-dir data", "Imported 1 book"),
    ("export ada@example.org --output out.csv --data-dir data", "out.csv"),
    ("export ada@example.org --format goodreads --rough none --output there.csv --data-dir data", "there.csv"),
    ("export ada@example.org --format yamtrack --losses --data-dir data", "on the way to Yamtrack"),
    ("doctor --data-dir data", "ok"),
    ("config show --data-dir data", "book_limit"),
    ("openapi", "\"/api/books\""),
    ("completions fish", "shelfwise"),
    ("man", ".TH shelfwise 1"),
    ("man --to pages", "pages"),
    ("user delete ada@example.org --yes --data-dir data", "ada@example.org"),
];

/// Every command that does something, by the program's own helps.
fn commands(stage: &Stage) -> BTreeSet<String> {
    let (mut open, mut found) = (vec![String::new()], BTreeSet::new());
    while let Some(command) = open.pop() {
        let help = stage.run(&format!("{command} --help"), "");
        assert_eq!(help.status, 0, "{command}: {}", help.err);
        assert!(help.out.contains("Example"), "{command} shows no example: {}", help.out);
        let listed = help.out.split("Commands:\n").nth(1).unwrap_or_default();
        let listed = listed.lines().take_while(|line| !line.is_empty());
        let names: Vec<_> = listed.filter_map(|line| line.split_whitespace().next()).filter(|n| *n != "help").collect();
        if names.is_empty() {
            found.insert(command);
        } else {
            open.extend(names.into_iter().map(|name| format!("{command} {name}").trim().to_owned()));
        }
    }
    found
}

#[test]
fn every_command_has_an_example_and_three_refusals_that_change_nothing() {
    let stage = Stage::new();
    let known: BTreeSet<String> = REFUSED.iter().map(|(command, _)| (*command).to_owned()).collect();
    assert_eq!(commands(&stage), known);
    let before = everything(stage.0.path());
    for (command, refusals) in REFUSED {
        for (line, status, word) in refusals {
            assert!(line.starts_with(command), "{line}");
            let ended = stage.run(line, PASSWORD);
            assert_eq!(ended.status, *status, "{line}: {}{}", ended.out, ended.err);
            assert!(ended.err.contains(word), "{line}: {}", ended.err);
        }
    }
    assert_eq!(everything(stage.0.path()), before);
}

#[test]
fn one_book_is_singular() {
    let stage = Stage::new();
    let import = stage.run("import ada@example.org books.csv --data-dir data", "");
    assert!(import.out.starts_with("Imported 1 book "), "{}{}", import.out, import.err);
    let export = stage.run("export ada@example.org --output out.csv --data-dir data", "");
    assert_eq!(export.out, "Exported 1 book to out.csv.\n", "{}", export.err);
    let delete = stage.run("user delete ada@example.org --data-dir data", "");
    assert!(delete.err.contains("and 1 book permanently"), "{}", delete.err);
}

#[test]
fn every_command_says_what_it_has_done() {
    let stage = Stage::new();
    for (line, word) in DONE {
        let ended = stage.run(line, "quite another passphrase");
        assert_eq!((ended.status, ended.err.as_str()), (0, ""), "{line}");
        assert!(ended.out.contains(word), "{line}: {}", ended.out);
    }
    let mut backup = std::fs::read_dir(stage.path("backup")).unwrap().map(|entry| entry.unwrap().path());
    let backup = backup.find(|file| file.extension().is_some_and(|ending| ending == "db")).unwrap();
    assert!(stage.run(&format!("backup verify {}", backup.display()), "").out.contains("is intact"));
    assert!(stage.run(&format!("restore {} --data-dir fresh", backup.display()), "").out.contains("fresh"));
    let mut serving = shelfwise();
    serving.args(["serve", "--listen", "127.0.0.1:0", "--data-dir", "fresh"]).current_dir(stage.0.path());
    assert_eq!(Program::start(serving).stop(), Some(0));
}

/// Every file with its length, but the index beside a database, which reading it also makes.
fn everything(folder: &Path) -> BTreeSet<(PathBuf, u64)> {
    let (mut open, mut found) = (vec![folder.to_owned()], BTreeSet::new());
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let name = entry.file_name().into_string().unwrap();
            if entry.path().is_dir() {
                open.push(entry.path());
            } else if !["-shm", "-wal", ".lock"].iter().any(|ending| name.ends_with(ending)) {
                found.insert((entry.path(), entry.metadata().unwrap().len()));
            }
        }
    }
    found
}
