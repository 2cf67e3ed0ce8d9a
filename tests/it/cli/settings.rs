//! Commands read the same file and environment as the server, and show where each setting comes from.
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::actors::PASSWORD;
use crate::support::program::{self, Ended, Program, shelfwise};
use crate::support::schema;
use crate::support::tools::skip;

/// A folder with a data directory and whatever else a test puts there.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// A command that is run in the folder.
    fn command(&self, line: &str) -> Command {
        let mut command = shelfwise();
        command.args(line.split_whitespace()).current_dir(self.0.path());
        command
    }

    fn run(&self, line: &str) -> Ended {
        program::run(self.command(line), PASSWORD)
    }

    #[track_caller]
    fn done(&self, line: &str) -> String {
        let ended = self.run(line);
        assert_eq!(ended.status, 0, "{line}: {}", ended.err);
        ended.out
    }

    /// Lets a server start in `data` with an environment, and stop again.
    fn serve(&self, flags: &str, environment: &[(&str, &str)]) {
        let mut command = self.command(&format!("serve --listen 127.0.0.1:0 --data-dir data {flags}"));
        command.envs(environment.iter().copied());
        assert_eq!(Program::start(command).stop(), Some(0));
    }

    fn setting(&self, line: &str, key: &str) -> Value {
        let shown: Value = serde_json::from_str(&self.done(line)).unwrap();
        let settings = shown["settings"].as_array().unwrap();
        settings.iter().find(|setting| setting["key"] == key).unwrap_or_else(|| panic!("{key} is not shown")).clone()
    }
}

/// A file of so many books.
fn books(count: usize) -> String {
    let rows = (0..count).map(|number| format!("Book {number},Author\n"));
    std::iter::once("Title,Author\n".to_owned()).chain(rows).collect()
}

#[test]
fn a_command_reads_the_config_file_and_the_environment_as_the_server_does() {
    for by_environment in [false, true] {
        let place = Place::new();
        place.write("books.csv", &books(160));
        place.write("config.toml", "default_plan = \"shelfwise_plus\"\n");
        let variable = match by_environment {
            true => ("SHELFWISE_DEFAULT_PLAN", "shelfwise_plus"),
            false => ("SHELFWISE_CONFIG", "config.toml"),
        };
        place.serve("", &[variable]);
        let done = |line: &str| {
            let mut command = place.command(line);
            command.env(variable.0, variable.1);
            let ended = program::run(command, PASSWORD);
            assert_eq!(ended.status, 0, "{line}: {}", ended.err);
            ended.out
        };
        done("user create ada@example.org --name Ada --data-dir data");
        let imported = done("import ada@example.org books.csv --data-dir data");
        assert!(imported.starts_with("Imported 160 books") && imported.contains("0 with errors"), "{imported}");
        let plan = done("plan show ada@example.org --data-dir data");
        assert!(plan.contains("shelfwise_plus") && plan.contains("the server's default"), "{plan}");
        // In the folder that is the preset, without a flag, too.
        assert_eq!(done("plan show ada@example.org"), plan);
        let shown: Value = serde_json::from_str(&done("config show --json --data-dir data")).unwrap();
        let settings = shown["settings"].as_array().unwrap();
        let shown = settings.iter().find(|setting| setting["key"] == "default_plan").unwrap();
        let from = if by_environment { ("environment", variable.0) } else { ("file", "config.toml") };
        assert_eq!((&shown["value"], &shown["source"]), (&"shelfwise_plus".into(), &from.0.into()));
        assert_eq!(shown["from"], from.1);
    }
}

#[test]
fn the_environment_outranks_the_file_and_flags_outrank_both() {
    let place = Place::new();
    place.write("config.toml", "book_limit = 7\ndata_dir = \"elsewhere\"\n[backup]\nto = \"copies\"\n");
    let show = "config show --json --data-dir data --config config.toml";
    assert_eq!(place.setting(show, "book_limit")["value"], 7);
    assert_eq!(place.setting(show, "signup")["source"], "preset");
    let folder = place.setting(show, "data_dir");
    assert_eq!(
        (&folder["value"], &folder["source"], &folder["from"]),
        (&"data".into(), &"flag".into(), &"--data-dir".into())
    );
    let mut own = place.command(show);
    own.env("SHELFWISE_BOOK_LIMIT", "8");
    let shown: Value = serde_json::from_str(&program::run(own, "").out).unwrap();
    let limit = shown["settings"].as_array().unwrap().iter().find(|setting| setting["key"] == "book_limit").unwrap();
    assert_eq!((&limit["value"], &limit["source"]), (&8.into(), &"environment".into()));
}

#[test]
fn a_secret_of_the_environment_is_masked_and_never_in_the_database() {
    let place = Place::new();
    let environment = [
        ("SHELFWISE_MAIL_URL", "smtp://ada:canary@mail.test"),
        ("SHELFWISE_MAIL_FROM", "books@example.org"),
        ("SHELFWISE_PUBLIC_URL", "https://books.test"),
        ("SHELFWISE_STRIPE_SECRET_KEY", "sk_test_canary"),
    ];
    place.serve("", &environment);
    for entry in fs::read_dir(place.path("data")).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        assert!(!bytes.windows(6).any(|window| window == b"canary"));
    }
    let mut own = place.command("config show --data-dir data");
    own.envs(environment);
    let own = program::run(own, "").out;
    assert!(own.contains("***") && !own.contains("canary"), "{own}");
}

#[test]
fn a_missing_or_invalid_config_file_ends_with_78_and_one_sentence() {
    let place = Place::new();
    place.serve("", &[]);
    place.write("config.toml", "book_limt = 7\n");
    let wrong = place.run("user list --data-dir data --config config.toml");
    assert_eq!((wrong.status, wrong.err.lines().count()), (78, 1), "{}", wrong.err);
    assert!(wrong.err.contains("line 1, book_limt is not a setting; did you mean book_limit?"), "{}", wrong.err);
    let gone = place.run("user list --data-dir data --config gone.toml");
    assert_eq!((gone.status, gone.err.lines().count()), (78, 1), "{}", gone.err);
    assert!(gone.err.contains("gone.toml"), "{}", gone.err);
    assert_eq!(place.run("user list --data-dir data --config /dev/null").status, 0);
}

/// A root of its own, with the program at `/shelfwise`. `None` when this machine does not allow another root.
fn own_root() -> Option<Place> {
    let place = Place::new();
    for folder in ["etc/shelfwise", "srv/data", "var/lib", "var/backups", "tmp", "proc", "dev"] {
        fs::create_dir_all(place.path(folder)).unwrap();
    }
    fs::copy(env!("CARGO_BIN_EXE_shelfwise"), place.path("shelfwise")).unwrap();
    let entered = Command::new("chroot").arg(place.0.path()).args(["/shelfwise", "--version"]).output();
    entered.is_ok_and(|done| done.status.success()).then_some(place)
}

fn inside(place: &Place, line: &str) -> Command {
    let mut command = Command::new("chroot");
    command.arg(place.0.path()).arg("/shelfwise").args(line.split_whitespace());
    command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    command
}

#[test]
fn the_default_config_file_is_used_when_no_other_is_named() {
    let Some(place) = own_root() else {
        return skip("root", "the usual config file");
    };
    place.write("etc/shelfwise/config.toml", "data_dir = \"/srv/data\"\ndefault_plan = \"shelfwise_plus\"\n");
    let inside = |line: &str| inside(&place, line);
    let made = program::run(inside("user create ada@example.org --name Ada"), PASSWORD);
    assert_eq!(made.status, 0, "{}", made.err);
    assert!(place.path("srv/data/shelfwise.db").exists());
    let plan = program::run(inside("plan show ada@example.org"), "");
    assert!(plan.out.contains("shelfwise_plus"), "{}{}", plan.out, plan.err);
    let shown = program::run(inside("config show"), "").out;
    assert!(shown.contains("/etc/shelfwise/config.toml"), "{shown}");
    place.write("etc/shelfwise/config.toml", "book_limt = 3\n");
    let wrong = program::run(inside("config show"), "");
    assert!(wrong.status == 78 && wrong.err.contains("--config names another"), "{}", wrong.err);
    // A relative folder is not a place for a new database.
    place.write("etc/shelfwise/config.toml", "data_dir = \"./elsewhere\"\n");
    let refused = program::run(inside("user create ada@example.org --name Ada"), PASSWORD);
    assert_eq!(refused.status, 1, "{}", refused.err);
    assert!(refused.err.contains("/etc/shelfwise/config.toml") && !place.path("elsewhere").exists(), "{}", refused.err);
}

#[test]
fn a_command_creates_a_database_only_in_a_named_folder_or_with_new() {
    let place = Place::new();
    let create = "user create ada@example.org --name Ada --admin";
    let refused = place.run(create);
    assert_eq!((refused.status, refused.out.as_str()), (1, ""), "{}", refused.err);
    let folder = fs::canonicalize(place.0.path()).unwrap().join("data");
    for word in [folder.to_str().unwrap(), "--data-dir", "SHELFWISE_DATA_DIR", "--new"] {
        assert!(refused.err.contains(word), "{}", refused.err);
    }
    assert_eq!(place.run("backup create --to copies").status, 1);
    assert_eq!(fs::read_dir(place.0.path()).unwrap().count(), 0);

    let by_flag = place.path("flag");
    place.done(&format!("{create} --data-dir {}", by_flag.display()));
    let mut by_environment = place.command(create);
    by_environment.env("SHELFWISE_DATA_DIR", place.path("environment"));
    assert_eq!(program::run(by_environment, PASSWORD).status, 0);
    let config = place.write("config.toml", &format!("data_dir = {:?}\n", place.path("file")));
    place.done(&format!("{create} --config {}", config.display()));
    place.done(&format!("{create} --new"));
    for name in ["flag", "environment", "file", "data"] {
        assert!(place.path(name).join("shelfwise.db").exists(), "{name}");
    }
    assert_eq!(place.run("user create bob@example.org --name Bob").status, 0, "there is one now");
}

#[test]
fn an_older_database_is_upgraded_with_a_line_that_says_so() {
    let place = Place::new();
    fs::create_dir(place.path("data")).unwrap();
    fs::set_permissions(place.path("data"), fs::Permissions::from_mode(0o700)).unwrap();
    schema::earlier(&place.path("data/shelfwise.db"), 10, 1);
    let listed = place.run("user list --data-dir data");
    assert_eq!(listed.status, 0, "{}", listed.err);
    let known = shelfwise::kit::db::pool::known_schema();
    assert!(listed.err.contains(&format!("from schema 10 to {known}")), "{}", listed.err);
    let backups = place.path("data").join("backups");
    assert!(listed.err.contains("backups") && fs::read_dir(backups).unwrap().count() == 2, "{}", listed.err);
    assert_eq!(place.run("user list --data-dir data").err, "", "once is enough");
}

#[test]
fn container_platform_variables_are_ignored_and_mistakes_stop_the_start() {
    let place = Place::new();
    let links = [
        ("SHELFWISE_SERVICE_HOST", "10.0.0.1"),
        ("SHELFWISE_SERVICE_PORT", "8080"),
        ("SHELFWISE_SERVICE_PORT_HTTP", "8080"),
        ("SHELFWISE_PORT", "tcp://10.0.0.1:8080"),
        ("SHELFWISE_PORT_8080_TCP", "tcp://10.0.0.1:8080"),
        ("SHELFWISE_PORT_8080_TCP_ADDR", "10.0.0.1"),
    ];
    place.serve("", &links);
    for name in ["SHELFWISE_SERVICE", "SHELFWISE_BOOK_LIMT"] {
        let mut command = place.command("serve --listen 127.0.0.1:0 --data-dir data");
        command.env(name, "3");
        let ended = program::run(command, "");
        assert!(ended.status == 78 && ended.err.contains(name), "{}", ended.err);
    }
    // An empty variable names no file.
    place.serve("", &[("SHELFWISE_CONFIG", "")]);
}

#[test]
fn every_line_of_a_json_log_is_json() {
    let place = Place::new();
    let json = [("SHELFWISE_LOG_FORMAT", "json")];
    let mut command = place.command("serve --listen 127.0.0.1:0 --data-dir data");
    command.envs(json);
    let mut server = Program::start(command);
    let printed: Vec<Value> = server.printed.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(printed.iter().all(|line| line["level"] == "INFO"), "{printed:?}");
    assert!(
        printed.last().unwrap()["message"].as_str().unwrap().starts_with("Shelfwise is ready at http"),
        "{printed:?}"
    );
    assert_eq!(server.stop(), Some(0));
    place.write("bad.toml", "log_format = \"json\"\nbook_limt = 3\n");
    for (flags, status, word) in
        [("--data-dir data --config bad.toml", 78, "book_limt"), ("--data-dir /proc/none", 78, "/proc/none")]
    {
        let mut command = place.command(&format!("serve --listen 127.0.0.1:0 {flags}"));
        command.envs(json);
        let ended = program::run(command, "");
        let said: Value = serde_json::from_str(&ended.err).unwrap_or_else(|_| panic!("{}", ended.err));
        assert_eq!((ended.status, &said["level"]), (status, &"ERROR".into()));
        assert!(said["message"].as_str().unwrap().contains(word), "{said}");
    }
}

#[test]
fn the_start_warns_of_an_address_on_which_passwords_can_be_read() {
    let place = Place::new();
    for (url, warns) in [("http://books.example.org", true), ("http://127.0.0.1:8080", false)] {
        let log = place.path("log");
        let mut command = place.command("serve --listen 127.0.0.1:0 --data-dir data");
        command.env("SHELFWISE_PUBLIC_URL", url).stderr(std::fs::File::create(&log).unwrap());
        let mut server = Program::start(command);
        assert_eq!(server.stop(), Some(0));
        let said = std::fs::read_to_string(&log).unwrap();
        assert_eq!(said.contains("WARN http://books.example.org is not https: passwords"), warns, "{said}");
    }
}

#[test]
fn a_listen_address_may_be_localhost_and_an_error_shows_the_correct_form() {
    let place = Place::new();
    let mut local = Program::start(place.command("serve --listen localhost:0 --data-dir data"));
    assert!(local.address().starts_with("http://127.0.0.1:"), "{}", local.address());
    assert_eq!(local.stop(), Some(0));
    for text in ["8080", ":8080"] {
        let refused = place.run(&format!("serve --data-dir data --listen {text}"));
        assert!(refused.status == 2 && refused.err.contains("127.0.0.1:8080"), "{}", refused.err);
        let mut by_environment = place.command("serve --data-dir data");
        by_environment.env("SHELFWISE_LISTEN", text);
        let refused = program::run(by_environment, "");
        assert!(refused.status == 78 && refused.err.contains("127.0.0.1:8080"), "{}", refused.err);
    }
}

#[test]
fn a_taken_port_leaves_no_data_directory() {
    let place = Place::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    assert_eq!(place.run(&format!("serve --listen {address}")).status, 1);
    let mut metrics = place.command("serve --listen 127.0.0.1:0");
    metrics.env("SHELFWISE_METRICS_LISTEN", address.to_string());
    assert_eq!(program::run(metrics, "").status, 1);
    assert_eq!(fs::read_dir(place.0.path()).unwrap().count(), 0);
}

#[test]
fn empty_sections_and_folders_are_reported_in_a_clear_sentence() {
    let place = Place::new();
    for (text, words) in [
        ("default_plan = \"gold\"\n", "default_plan is `gold`"),
        ("data_dir = \"\"\n", "data_dir is empty"),
        ("log_level = \"loud\"\n", "`loud` is not a level"),
    ] {
        place.write("c.toml", text);
        let refused = place.run("serve --config c.toml");
        assert_eq!(refused.status, 78);
        assert!(refused.err.contains(words) && !refused.err.contains(": :"), "{}", refused.err);
    }
    let mut empty = place.command("serve");
    empty.env("SHELFWISE_DATA_DIR", "");
    let refused = program::run(empty, "");
    assert!(refused.status == 78 && refused.err.contains("data_dir is empty"), "{}", refused.err);
    assert!(!Path::new(&place.path("data")).exists());
}
