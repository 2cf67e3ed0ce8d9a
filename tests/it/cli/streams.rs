//! Input and output of commands: standard streams, devices, pipes and links, JSON, closed pipes.
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, symlink};
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::support::actors::PASSWORD;
use crate::support::program::{self, Ended, shelfwise};
use crate::support::tools::skip;

/// A folder with a data directory in which Ada has two books.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        assert_eq!(place.run("user create ada@example.org --name Ada", PASSWORD).status, 0);
        fs::write(place.path("books.csv"), "Title,Author\nDune,Herbert\nEmma,Austen\n").unwrap();
        let imported = place.run("import ada@example.org books.csv", "");
        assert!(imported.out.starts_with("Imported 2 books"), "{}{}", imported.out, imported.err);
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, line: &str) -> Command {
        let mut command = shelfwise();
        command.args(line.split_whitespace()).args(["--data-dir", "data"]).current_dir(self.0.path());
        command
    }

    fn run(&self, line: &str, input: &str) -> Ended {
        program::run(self.command(line), input)
    }

    #[track_caller]
    fn json(&self, line: &str) -> Value {
        let ended = self.run(line, "");
        assert_eq!((ended.status, ended.err.as_str()), (0, ""), "{line}");
        serde_json::from_str(&ended.out).unwrap()
    }
}

#[test]
fn an_export_goes_to_standard_output_into_pipes_and_devices_and_along_links() {
    let place = Place::new();
    assert_eq!(place.run("export ada@example.org --output out.csv", "").status, 0);
    let csv = fs::read_to_string(place.path("out.csv")).unwrap();
    assert!(csv.contains("Dune"), "{csv}");
    for output in ["-", "/dev/stdout"] {
        let streamed = place.run(&format!("export ada@example.org --output {output}"), "");
        assert_eq!((streamed.status, streamed.out.as_str(), streamed.err.as_str()), (0, csv.as_str(), ""), "{output}");
    }
    assert!(!place.path("-").exists());

    let line = "export ada@example.org --format goodreads --losses";
    let losses = place.run(line, "").out;
    assert!(!losses.is_empty());
    let written = place.run(&format!("{line} --output there.csv"), "");
    assert!(written.status == 0 && written.out.ends_with(&losses), "{}", written.out);
    let streamed = place.run(&format!("{line} --output -"), "");
    assert_eq!(streamed.out, fs::read_to_string(place.path("there.csv")).unwrap());
    assert_eq!((streamed.status, streamed.err), (0, losses));

    fs::create_dir(place.path("elsewhere")).unwrap();
    fs::write(place.path("elsewhere/kept.csv"), "former").unwrap();
    symlink("elsewhere/kept.csv", place.path("link")).unwrap();
    assert_eq!(place.run("export ada@example.org --output link", "").status, 0);
    assert!(fs::symlink_metadata(place.path("link")).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(place.path("elsewhere/kept.csv")).unwrap(), csv);

    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    let pipe = place.path("pipe");
    let reader = std::thread::spawn(move || {
        let mut read = String::new();
        fs::File::open(pipe).unwrap().read_to_string(&mut read).unwrap();
        read
    });
    let exported = place.run("export ada@example.org --output pipe", "");
    assert_eq!(exported.status, 0, "{}", exported.err);
    assert!(fs::symlink_metadata(place.path("pipe")).unwrap().file_type().is_fifo());
    assert_eq!(reader.join().unwrap(), csv);

    let refused = place.run("export ada@example.org --output data", "");
    assert!(refused.status == 1 && refused.err.contains("data"), "{}", refused.err);
    let refused = place.run("backup create --to -", "");
    assert!(refused.status == 2 && !place.path("-").exists(), "{}", refused.err);
}

#[test]
fn root_never_replaces_a_device() {
    let place = Place::new();
    let made = Command::new("mknod").arg(place.path("null")).args(["c", "1", "3"]).output();
    // In some sandboxes a device can be made and not be opened.
    if !made.is_ok_and(|done| done.status.success()) || fs::write(place.path("null"), "x").is_err() {
        return skip("root", "an export into a device");
    }
    let exported = place.run("export ada@example.org --output null", "");
    assert_eq!(exported.status, 0, "{}", exported.err);
    assert!(fs::symlink_metadata(place.path("null")).unwrap().file_type().is_char_device());
}

#[test]
fn an_import_reads_standard_input_and_strict_fails_on_rejected_rows() {
    let place = Place::new();
    let rows = "Title,Author,Date Completed\nNew,Author,2020-01-02\nBad,Author,2020-13-45\n";
    let strict = place.run("import ada@example.org - --strict --dry-run", rows);
    assert_eq!((strict.status, strict.err.as_str()), (1, "shelfwise: 1 row was refused\n"));
    assert!(strict.out.starts_with("Would import 1 book") && strict.out.contains("line 3: "), "{}", strict.out);
    let plain = place.run("import ada@example.org /dev/stdin", rows);
    assert_eq!((plain.status, plain.err.as_str()), (0, "shelfwise: 1 row was refused\n"));
    assert_eq!(place.run("import ada@example.org - --strict", "Title,Author\nThird,Author\n").status, 0);
    let endless = place.run("import ada@example.org /dev/zero", "");
    assert!(endless.status == 1 && endless.err.contains("20 MB"), "{}", endless.err);
}

#[test]
fn an_import_says_what_a_file_leaves_open_and_takes_the_answer() {
    let place = Place::new();
    let rows = "title,author_text,shelf,finish_date\nMomo,A B,read,2024-01-05\n";
    let seen = place.run("import ada@example.org - --dry-run", rows).out;
    assert!(seen.contains("Some books say no format: see --format (Print, eBook, Audio)."), "{seen}");
    let done = place.run("import ada@example.org - --format eBook", rows);
    assert!(done.status == 0 && done.out.starts_with("Imported 1 book "), "{}{}", done.out, done.err);
    assert_eq!(place.run("export ada@example.org --output out.csv", "").status, 0);
    let exported = fs::read_to_string(place.path("out.csv")).unwrap();
    assert!(exported.contains("Momo,A B,0,2024-01-05,,eBook,"), "{exported}");
}

#[test]
fn an_import_offers_the_choices_about_dates_and_takes_them() {
    let place = Place::new();
    let rows = "title,author,status,olid,readings\nYear,A B,finished,,|2019-01-01T00:00:00.000|\n\
        Day,A B,finished,,|03/04/2020|\n";
    let seen = place.run("import ada@example.org - --dry-run", rows).out;
    assert!(seen.contains("1 date can be read in two orders, for example 03/04/2020: read as mdy"), "{seen}");
    assert!(seen.contains("1 book was finished on a January 1: --january-firsts years"), "{seen}");
    let done = place.run("import ada@example.org - --date-order dmy --january-firsts years", rows);
    assert!(done.status == 0 && done.out.starts_with("Imported 2 books"), "{}{}", done.out, done.err);
    assert_eq!(place.run("export ada@example.org --output out.csv", "").status, 0);
    let exported = fs::read_to_string(place.path("out.csv")).unwrap();
    assert!(exported.contains("Year,A B,0,2019,") && exported.contains("Day,A B,0,2020-04-03,"), "{exported}");
    for (flag, word) in [
        ("--date-order", "ydm"),
        ("--january-firsts", "yes"),
        ("--january-1970", "no"),
        ("--status", "read"),
        ("--format", "paper"),
    ] {
        let refused = place.run(&format!("import ada@example.org books.csv {flag} {word}"), "");
        assert!(refused.status == 2 && refused.err.contains("choose "), "{flag}: {}", refused.err);
    }
}

#[test]
fn a_newer_file_brings_a_library_up_to_date_and_one_without_news_says_so() {
    let place = Place::new();
    let rows = |stars: u8| {
        format!("Title,Authors,ISBN/UID,Read Status,Dates Read,Star Rating\nDune,F H,u1,read,2020/05/02,{stars}\n")
    };
    let refused = place.run("import ada@example.org - --sync", &rows(3));
    assert_eq!(refused.status, 1);
    assert!(
        refused.err.contains("This library has never seen a file from StoryGraph. Import it first."),
        "{}",
        refused.err
    );
    assert_eq!(place.run("import ada@example.org -", &rows(3)).status, 0);
    let known = place.run("import ada@example.org - --sync", &rows(3));
    assert_eq!((known.status, known.out.as_str(), known.err.as_str()), (0, "Your library knows all of this.\n", ""));
    let seen = place.run("import ada@example.org - --sync --dry-run", &rows(5));
    assert!(seen.out.starts_with("Would bring the library up to date: 0 new, 0 moved on, 1 changed,"), "{}", seen.out);
    let done = place.run("import ada@example.org - --sync --json", &rows(5));
    assert!(done.status == 0 && done.out.contains("\"changed\""), "{}", done.out);
    assert_eq!(place.run("export ada@example.org --output out.csv", "").status, 0);
    assert!(fs::read_to_string(place.path("out.csv")).unwrap().contains("Dune,F H,0,2020-05-02,10,"));
}

#[test]
fn a_closed_output_pipe_is_not_a_failure() {
    let place = Place::new();
    for line in [
        "user list",
        "user show ada@example.org",
        "plan list --json",
        "export ada@example.org --output -",
        "openapi",
        "completions bash",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let ended = place.command(line).stdout(writer).output().unwrap();
        assert_eq!((ended.status.code(), String::from_utf8_lossy(&ended.stderr).as_ref()), (Some(0), ""), "{line}");
    }
}

#[test]
fn commands_that_show_one_object_also_print_json() {
    let place = Place::new();
    let user = place.json("user show ada@example.org --json");
    assert_eq!((&user["email"], &user["books"]), (&"ada@example.org".into(), &2.into()));
    assert_eq!(place.json("user list --json")[0], user);
    let plan = place.json("plan show ada@example.org --json");
    assert_eq!(plan, place.json("plan list --json")[0]);
    let made = place.json("backup create --to copies --json");
    let path = made["path"].as_str().unwrap();
    assert!(place.path(path).exists() && made["bytes"].as_u64().unwrap() > 0, "{made}");
    assert_eq!(place.json("backup list copies --json")[0]["name"], made["name"]);
    assert_eq!(place.json(&format!("backup verify {path} --json"))["verified"], true);
    fs::write(place.path(path), "damaged").unwrap();
    let refused = place.run(&format!("backup verify {path} --json"), "");
    let said: Value = serde_json::from_str(&refused.out).unwrap();
    assert!(refused.status == 1 && said["verified"] == false && said["reason"].is_string(), "{said}");
}

#[test]
fn the_yes_flag_is_shown_where_needed_and_accepted_elsewhere() {
    let place = Place::new();
    for verb in ["show", "promote"] {
        assert!(!place.run(&format!("user {verb} --help"), "").out.contains("--yes"), "{verb}");
        assert_eq!(place.run(&format!("user {verb} ada@example.org --yes"), "").status, 0, "{verb}");
    }
    assert!(place.run("user delete --help", "").out.contains("--yes"));
}

/// At a terminal, which `script` makes.
fn at_a_terminal(place: &Place, line: &str, typed: &str) -> Option<Ended> {
    let mut command = Command::new("script");
    let words = format!("{} {line} --data-dir {}", env!("CARGO_BIN_EXE_shelfwise"), place.path("data").display());
    command.args(["-q", "-e", "-c", &words, "/dev/null"]).current_dir(place.0.path());
    Command::new("script").arg("--version").output().is_ok().then(|| program::run(command, typed))
}

#[test]
fn a_password_is_entered_twice_at_a_terminal_and_empty_input_is_reported() {
    let place = Place::new();
    let empty = place.run("user set-password ada@example.org", "");
    assert!(empty.status == 1 && empty.err.contains("standard input is empty"), "{}", empty.err);
    let line = "user create bob@example.org --name Bob";
    let Some(differ) = at_a_terminal(&place, line, &format!("{PASSWORD}\nanother passphrase\n")) else {
        return skip("script", "a password at a terminal");
    };
    assert!(differ.status == 1 && differ.out.contains("differ"), "{differ:?}");
    let made = at_a_terminal(&place, line, &format!("{PASSWORD}\n{PASSWORD}\n")).unwrap();
    assert!(made.status == 0 && made.out.contains("again") && made.out.contains("bob@example.org"), "{made:?}");
}
