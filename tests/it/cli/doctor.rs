//! `doctor` finds problems that stop a server or leave it open.
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::support::actors::PASSWORD;
use crate::support::issuer::{CLIENT, Issuer, SECRET};
use crate::support::program::{self, shelfwise};

/// A data directory with an operator, and settings in a file.
struct House {
    folder: tempfile::TempDir,
}

impl House {
    fn new() -> Self {
        let house = Self { folder: tempfile::tempdir().unwrap() };
        let mut command = shelfwise();
        command.args(["user", "create", "ada@example.org", "--name", "Ada", "--admin", "--data-dir"]).arg(house.data());
        let made = program::run(command, PASSWORD);
        assert_eq!(made.status, 0, "{}", made.err);
        // Temporary folders are for their owner alone, which would hide that a file in them is open.
        set_mode(house.folder.path(), 0o755);
        house
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn file(&self, name: &str, text: &str, mode: u32) -> PathBuf {
        let file = self.folder.path().join(name);
        fs::write(&file, text).unwrap();
        set_mode(&file, mode);
        file
    }

    /// The level and the detail of a finding by its name, with these settings; `None` without that finding.
    fn look(&self, name: &str, environment: &[(&str, &str)]) -> Option<(String, String)> {
        let mut command = shelfwise();
        command.args(["doctor", "--json", "--data-dir"]).arg(self.data()).envs(environment.iter().copied());
        let ended = program::run(command, "");
        let checks: Vec<Value> = serde_json::from_str(&ended.out).unwrap_or_else(|_| panic!("{}", ended.err));
        let findings = checks.iter().filter(|check| check["ok"] == false).count();
        assert_eq!(ended.status, i32::from(findings > 0), "{}", ended.err);
        let check = checks.into_iter().find(|check| check["name"] == name)?;
        let text = |key: &str| check[key].as_str().unwrap().to_owned();
        assert_eq!(check["ok"], text("level") != "finding");
        Some((text("level"), text("detail")))
    }

    #[track_caller]
    fn says(&self, name: &str, environment: &[(&str, &str)], level: &str, word: &str) {
        let said = self.look(name, environment);
        assert!(
            said.as_ref().is_some_and(|(found, detail)| found == level && detail.contains(word)),
            "{name}: {said:?}"
        );
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn path(file: &Path) -> &str {
    file.to_str().unwrap()
}

#[test]
fn a_socket_where_everybody_could_name_anybody() {
    let house = House::new();
    let header = [
        ("SHELFWISE_LISTEN", "unix:/run/shelfwise/http.sock"),
        ("SHELFWISE_TRUSTED_HEADER_USER", "Remote-User"),
        ("SHELFWISE_TRUSTED_PROXIES", "unix"),
    ];
    assert_eq!(house.look("socket", &header), None);
    house.says("socket", &[&header[..], &[("SHELFWISE_SOCKET_MODE", "666")]].concat(), "warning", "as anyone");
}

#[test]
fn a_file_with_the_first_operators_password_that_others_can_read() {
    let house = House::new();
    let open = house.file("password", PASSWORD, 0o644);
    let named = |file: &Path| {
        house.look(
            "secret",
            &[("SHELFWISE_ADMIN_EMAIL", "a@example.org"), ("SHELFWISE_ADMIN_PASSWORD_FILE", path(file))],
        )
    };
    assert!(named(&open).is_some_and(|(level, detail)| level == "finding" && detail.contains("admin.password_file")));
    // The file is read once, and may be gone afterwards.
    assert_eq!(named(&house.folder.path().join("gone")), None);
}

#[test]
fn files_of_settings_and_secrets_that_others_can_read_or_change() {
    let house = House::new();
    let secret = "[mail]\nurl = \"smtp://u:p@127.0.0.1:1\"\nfrom = \"a@example.org\"\n".to_owned();
    for (text, mode, level, word) in [
        ("book_limit = 9\n", 0o644, "ok", ""),
        ("book_limit = 9\n", 0o666, "finding", "write"),
        ("book_limit = 9\n", 0o664, "finding", "write"),
        (secret.as_str(), 0o644, "finding", "holds secrets (mode 644)"),
        (secret.as_str(), 0o640, "ok", ""),
        ("[lookup.google]\nkey = \"k\"\n", 0o644, "finding", "holds secrets"),
        ("[lookup.hardcover]\nkey = \"k\"\n", 0o644, "finding", "holds secrets"),
        ("[backup]\nping = \"https://hc.test/5f2\"\n", 0o644, "finding", "holds secrets"),
        ("[stripe]\nwebhook_secret = \"k\"\n", 0o644, "finding", "holds secrets"),
        ("[mail]\nurl = \"smtp://127.0.0.1:1\"\nfrom = \"a@example.org\"\n", 0o644, "ok", ""),
        ("[lookup.google]\nkey = \" \"\n", 0o644, "ok", ""),
    ] {
        let file = house.file("config.toml", text, mode);
        house.says("settings file", &[("SHELFWISE_CONFIG", path(&file))], level, word);
    }
    for (mode, level) in [(0o600, "ok"), (0o640, "ok"), (0o644, "finding"), (0o660, "finding")] {
        let file = house.file("client-secret", "hunter2\n", mode);
        let settings = [("SHELFWISE_SOCIAL_GITHUB_CLIENT_SECRET_FILE", path(&file))];
        house.says("secret", &settings, level, "client-secret");
        assert!(!house.look("secret", &settings).unwrap().1.contains("hunter2"));
    }
    // Nobody passes the folder, so nobody reads the file.
    let (folder, file) = (house.folder.path().join("closed"), house.folder.path().join("closed/config.toml"));
    fs::create_dir(&folder).unwrap();
    fs::write(&file, &secret).unwrap();
    set_mode(&file, 0o644);
    set_mode(&folder, 0o750);
    house.says("settings file", &[("SHELFWISE_CONFIG", path(&file))], "ok", "");
}

/// A mail server without TLS and without AUTH, for one connection at a time.
fn plain_mail_server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map(Result::unwrap) {
            let _ = stream.write_all(b"220 mail.test ESMTP\r\n");
            for _ in BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok) {
                let _ = stream.write_all(b"250 mail.test\r\n");
            }
        }
    });
    port
}

#[test]
fn a_mail_server_that_wants_no_password_or_speaks_no_tls() {
    let (house, port) = (House::new(), plain_mail_server());
    let from = ("SHELFWISE_MAIL_FROM", "books@example.org");
    let public = ("SHELFWISE_PUBLIC_URL", "http://127.0.0.1:8080");
    for (url, word) in [
        (format!("smtp://user:pw@127.0.0.1:{port}"), "leave user and password out of mail.url"),
        (format!("smtps://127.0.0.1:{port}"), "use smtp:// instead of smtps://"),
        (format!("smtp://127.0.0.1:{port}?tls=required"), "use smtps://"),
    ] {
        house.says("mail", &[("SHELFWISE_MAIL_URL", &url), from, public], "finding", word);
    }
}

#[test]
fn a_database_that_the_server_cannot_write_to_or_that_is_empty() {
    let house = House::new();
    let database = house.data().join("shelfwise.db");
    house.says("permissions", &[], "ok", "");
    for mode in [0o400, 0o200] {
        set_mode(&database, mode);
        house.says("permissions", &[], "finding", "shelfwise.db");
    }
    set_mode(&database, 0o600);
    File::create(&database).unwrap();
    house.says("database", &[], "finding", "is empty");
}

#[test]
fn reads_that_disagree_about_their_book_are_found_and_repaired() {
    let house = House::new();
    let conn = rusqlite::Connection::open(house.data().join("shelfwise.db")).unwrap();
    let add = |number: i64, work: i64, series: Option<&str>| {
        let sql = "INSERT INTO books (id, user_id, status, word_count, format, reread, word_distribution, title, author, title_key,
                author_key, genres, work, word_count_source, has_texts, created_at, updated_at, series, series_key)
            VALUES (1 << 24 | ?1, 1, 'undated', 1, 'Print', 0, 'final', 'T', 'A', 't', 'a', '', 1 << 24 | ?2, 'entered', 0, '', '',
                ?3, ?3)";
        conn.execute(sql, (number, work, series)).unwrap();
    };
    add(1, 1, Some("Dune"));
    add(2, 1, Some("Dune"));
    house.says("works", &[], "ok", "agree");
    add(3, 1, None);
    house.says("works", &[], "finding", "1 read disagrees about the series, tags or year of its book: run");
    add(4, 9, None);
    add(5, 9, None);
    house.says("works", &[], "finding", "2 reads belong to no first read: run `shelfwise doctor --repair works`");
    let mut command = shelfwise();
    command.args(["doctor", "--repair", "works", "--data-dir"]).arg(house.data());
    assert!(program::run(command, "").err.contains("3 reads repaired"));
    house.says("works", &[], "ok", "agree");
    conn.execute("UPDATE books SET tags = 'sand' WHERE id = 1 << 24 | 2", []).unwrap();
    let mut command = shelfwise();
    command.args(["doctor", "--repair", "works", "--data-dir"]).arg(house.data());
    assert!(program::run(command, "").err.contains("shelfwise: 1 read repaired\n"));
    let works: Vec<i64> = {
        let mut query = conn.prepare("SELECT work & 0xffffff FROM books ORDER BY id").unwrap();
        query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    assert_eq!(works, [1, 1, 1, 4, 4]);
}

#[test]
fn documents_of_devices_that_wait_are_counted() {
    let house = House::new();
    let conn = rusqlite::Connection::open(house.data().join("shelfwise.db")).unwrap();
    let add = |number: i64, ignored: bool| {
        let sql = "INSERT INTO documents (id, user_id, digest, title_key, author_key, first_seen, last_seen, ignored)
            VALUES (1 << 24 | ?1, 1, ?1, '', '', '', '', ?2)";
        conn.execute(sql, (number, ignored)).unwrap();
    };
    add(1, true);
    add(2, false);
    house.says("devices", &[], "ok", "1 document of 1 reader waiting");
    add(3, false);
    house.says("devices", &[], "ok", "2 documents of 1 reader waiting");
}

#[test]
fn an_address_without_tls_or_without_the_proxy_that_has_it() {
    let house = House::new();
    let name = "public address";
    assert_eq!(house.look(name, &[]), None);
    let url = |url: &'static str| ("SHELFWISE_PUBLIC_URL", url);
    for local in ["http://127.0.0.1:8080", "http://localhost:8080", "http://[::1]:8080", "http://[::1]"] {
        house.says(name, &[url(local)], "ok", local);
    }
    house.says(name, &[url("http://books.example.org")], "warning", "not https");
    house.says(name, &[url("http://192.168.1.5:8080")], "warning", "not https");
    house.says(name, &[url("https://books.example.org")], "warning", "trusted_proxies");
    let proxy = ("SHELFWISE_TRUSTED_PROXIES", "127.0.0.1");
    house.says(name, &[url("https://books.example.org"), proxy], "ok", "");
    house.says(name, &[("SHELFWISE_LISTEN", "0.0.0.0:8080")], "warning", "0.0.0.0");
}

#[test]
fn open_signup_without_mail_unencrypted_mail_and_no_operator() {
    let house = House::new();
    house.says("signup", &[], "warning", "mail is off");
    assert_eq!(house.look("signup", &[("SHELFWISE_SIGNUP", "closed")]), None);
    let from = ("SHELFWISE_MAIL_FROM", "books@example.org");
    let home = ("SHELFWISE_PUBLIC_URL", "http://127.0.0.1:8080");
    let mail = |url: &'static str| [("SHELFWISE_MAIL_URL", url), from, home];
    house.says("mail encryption", &mail("smtp://192.0.2.1:1?tls=none"), "warning", "192.0.2.1");
    assert_eq!(house.look("mail encryption", &mail("smtp://127.0.0.1:1?tls=none")), None);
    house.says("operators", &[], "ok", "there is one");
    let conn = rusqlite::Connection::open(house.data().join("shelfwise.db")).unwrap();
    conn.execute("UPDATE users SET disabled = 1", []).unwrap();
    house.says("operators", &[], "warning", "there are none");
}

#[test]
fn a_folder_of_backups_that_others_can_read_and_backups_of_tomorrow() {
    let house = House::new();
    let to = house.folder.path().join("to");
    let settings = [("SHELFWISE_BACKUP_TO", path(&to))];
    house.says("backup folder", &settings, "ok", "not there yet");
    let mut command = shelfwise();
    command.args(["backup", "create", "--to", path(&to), "--data-dir"]).arg(house.data());
    let made = program::run(command, "");
    house.says("backup folder", &settings, "ok", "");
    house.says("backups", &settings, "ok", "is intact");
    set_mode(&to, 0o755);
    house.says("backup folder", &settings, "finding", "open to others");
    set_mode(&to, 0o700);
    let name = "shelfwise-29990102T030405Z.db";
    fs::copy(made.out.trim(), to.join(name)).unwrap();
    house.says("backups", &settings, "finding", name);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_provider_that_does_not_answer_or_does_not_know_the_server() {
    let (house, issuer) = (House::new(), Issuer::start().await);
    let settings = |issuer: &str, secret: &str| {
        let pairs = [
            ("SHELFWISE_PUBLIC_URL", "http://127.0.0.1:8080"),
            ("SHELFWISE_SOCIAL_HOME_ISSUER", issuer),
            ("SHELFWISE_SOCIAL_HOME_CLIENT_ID", CLIENT),
            ("SHELFWISE_SOCIAL_HOME_CLIENT_SECRET", secret),
        ];
        pairs.map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    let says = |settings: [(String, String); 4], level: &str, word: &str| {
        let pairs: Vec<(&str, &str)> = settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        house.says("sign-in", &pairs, level, word);
    };
    says(settings(&issuer.base, SECRET), "ok", "accepts client_id and client_secret");
    says(settings(&issuer.base, "another"), "finding", "does not accept client_id and client_secret");
    says(settings("http://127.0.0.1:1", SECRET), "finding", "did not answer");
    says(settings(&format!("{}/other", issuer.base), SECRET), "finding", "home: ");
    let mut without = settings(&issuer.base, SECRET);
    without[0] = ("SHELFWISE_SIGNUP".into(), "closed".into());
    says(without, "finding", "public_url");
}

#[test]
fn a_server_that_no_operator_can_sign_in_to_is_reported() {
    let house = House::new();
    let off = ("SHELFWISE_PASSWORD_LOGIN", "false");
    house.says("sign-in", &[off], "finding", "no one could log in");
    let header = ("SHELFWISE_TRUSTED_HEADER_USER", "Remote-User");
    house.says("sign-in", &[header], "finding", "trusted_proxies");
    let proxy = [off, header, ("SHELFWISE_TRUSTED_PROXIES", "127.0.0.1")];
    assert_eq!(house.look("sign-in", &proxy), None);
    house.says("operators", &proxy, "warning", "none can sign in");
    house.says("operators", &[header, proxy[2]], "ok", "one");
    let mut connect = shelfwise();
    connect.args(["user", "connect", "ada@example.org", "ada", "--data-dir"]).arg(house.data());
    assert_eq!(program::run(connect, "").status, 0);
    house.says("operators", &proxy, "ok", "one");
}

#[test]
fn the_catalogues_of_the_look_up_and_settings_of_it_without_effect() {
    let house = House::new();
    house.says("look-up", &[], "ok", "asks openlibrary; lookup.contact is not set");
    house.says("look-up", &[("SHELFWISE_LOOKUP_SOURCES", "")], "ok", "no catalogue is asked");
    let contact = ("SHELFWISE_LOOKUP_CONTACT", "ada@example.org");
    house.says(
        "look-up",
        &[contact, ("SHELFWISE_LOOKUP_SOURCES", "dnb,bnf")],
        "ok",
        "asks dnb, bnf; lookup.contact is ada@",
    );
    let with = |sources| [("SHELFWISE_LOOKUP_SOURCES", sources)];
    house.says("look-up", &with("dnb,hardcover"), "ok", "asks dnb; ");
    house.says("look-up", &with("hardcover"), "ok", "off: no catalogue is asked");
    let warnings = |environment: &[(&str, &str)]| {
        let mut command = shelfwise();
        command.args(["doctor", "--json", "--data-dir"]).arg(house.data()).envs(environment.iter().copied());
        let ended = program::run(command, "");
        assert!(!format!("{}{}", ended.out, ended.err).contains("hunter2"));
        let checks: Vec<Value> = serde_json::from_str(&ended.out).unwrap();
        let is_warning = |check: &&Value| check["name"] == "look-up" && check["level"] == "warning";
        checks.iter().filter(is_warning).map(|check| check["detail"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert!(warnings(&[]).is_empty());
    let key = ("SHELFWISE_LOOKUP_GOOGLE_KEY", "hunter2");
    let unlisted = "lookup.google.key is set, but lookup.sources does not name google: it is not asked";
    assert_eq!(warnings(&[key]), [unlisted]);
    let keyless = "lookup.sources names hardcover, but lookup.hardcover.key is not set: it is not asked";
    assert_eq!(warnings(&[key, ("SHELFWISE_LOOKUP_SOURCES", "google,hardcover")]), [keyless]);
    let missing = warnings(&[("SHELFWISE_LOOKUP_CATALOGUE", "/nowhere/catalogue.db")]);
    assert_eq!(missing, ["lookup.catalogue is /nowhere/catalogue.db, but there is no such file"]);
}
