//! KOReader's own files, and other programs that speak its protocols. What they may not do: see docs/rules.md, "Devices".
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use chrono::Days;
use rusqlite::Connection;
use serde_json::json;

use crate::features::devices::{Device, ago, book, days, documents, statistics};
use crate::support::harness::TestServer;
use crate::support::tools;

/// The folder that a variable names, with the source of another project.
fn checkout(variable: &str, tool: &str, what: &str) -> Option<PathBuf> {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    if folder.is_none() {
        tools::skip(tool, what);
    }
    folder
}

async fn run(mut command: Command) -> Output {
    tokio::task::spawn_blocking(move || command.output()).await.unwrap().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// An e-reader with KOReader: its statistics, and what it remembers of the last sync beside them.
struct EReader {
    folder: tempfile::TempDir,
    koreader: PathBuf,
}

impl EReader {
    fn with(koreader: &Path, file: &[u8]) -> Self {
        let reader = Self { folder: tempfile::tempdir().unwrap(), koreader: koreader.to_owned() };
        std::fs::write(reader.file(), file).unwrap();
        reader
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("statistics.sqlite3")
    }

    async fn sync(&self, device: &Device) {
        let mut command = Command::new("luajit");
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/outside/koreader.lua"));
        command.arg(&self.koreader).arg(format!("{}/dav", device.client.base));
        let done = run({
            command.args([&device.login, &device.password]).arg(self.file());
            command
        });
        let done = done.await;
        assert!(done.status.success(), "{}", said(&done));
    }

    /// The titles with their page turns.
    fn rows(&self) -> Vec<(String, i64)> {
        let conn = Connection::open(self.file()).unwrap();
        let sql =
            "SELECT title, count(page) FROM book LEFT JOIN page_stat_data ON id_book = id GROUP BY id ORDER BY title";
        let mut query = conn.prepare(sql).unwrap();
        query.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
    }

    fn write(&self, sql: &str) {
        Connection::open(self.file()).unwrap().execute_batch(sql).unwrap();
    }
}

#[tokio::test]
async fn koreader_loses_no_page_turn_whatever_becomes_of_its_server() {
    let what = "KOReader's own merge of statistics";
    let Some(koreader) = checkout("KOREADER", "koreader", what) else { return };
    if tools::program("luajit", "-v", what).is_none() {
        return;
    }
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let login = Device::of(&server, &nora).await;
    let day = ago(&server, 40);
    let trust = ("Trust", "a1", &[(day, 1, 50)][..]);
    let both = [trust, ("Emma", "a2", &[(day, 1, 50)][..])];
    let read = book(&nora, json!({})).await;

    // Two devices with one login, which have read different books.
    let (kobo, boox) = (EReader::with(&koreader, &statistics(&both)), EReader::with(&koreader, &statistics(&[trust])));
    for _ in 0..2 {
        kobo.sync(&login).await;
        boox.sync(&login).await;
    }
    let whole = [("Emma".to_owned(), 50), ("Trust".to_owned(), 50)];
    assert_eq!(kobo.rows(), whole);
    assert_eq!(boox.rows(), [("Trust".to_owned(), 50)]);

    // The server is set back to a day on which it knew nothing, or the device moves to another one.
    let other = TestServer::start().await;
    let there = Device::of(&other, &other.reader().await).await;
    kobo.sync(&there).await;
    kobo.sync(&login).await;
    assert_eq!(kobo.rows(), whole);

    // A book is removed on one device, and a day of the other here: a month of syncs brings neither back, and takes nothing else away.
    kobo.write("DELETE FROM page_stat_data WHERE id_book = 2; DELETE FROM book WHERE title = 'Emma';");
    nora.delete(&format!("/api/books/{read}/days/{day}")).await.expect(204);
    for month_day in 0..30_u64 {
        let noon = (day + Days::new(month_day + 1)).and_hms_opt(12, 0, 0).unwrap().and_utc().timestamp();
        kobo.write(&format!("INSERT INTO page_stat_data VALUES (1, {}, {noon}, 60, 300)", 51 + month_day));
        kobo.sync(&login).await;
        boox.sync(&login).await;
    }
    assert_eq!(kobo.rows(), [("Trust".to_owned(), 80)]);
    assert_eq!(boox.rows(), [("Trust".to_owned(), 50)]);
    let log = days(&nora, read).await;
    assert_eq!(log.iter().filter(|logged| logged["dismissed"] != true).count(), 30);
    assert_eq!(log[0]["dismissed"], true);
    let emma = documents(&nora).await.into_iter().find(|one| one["title"] == "Emma").unwrap();
    assert_eq!((&emma["days"], &emma["removedThere"]), (&json!(1), &json!(1)), "it stays here, and is asked about");
}

#[tokio::test]
async fn kosync_keeps_what_its_conformance_program_asks() {
    let what = "kosync against kosync-conformance";
    let Some(conformance) = checkout("KOSYNC_CONFORMANCE", "kosync-conformance", what) else { return };
    let server = TestServer::start().await;
    let (nora, other) = (server.reader().await, server.reader().await);
    let (device, stranger) = (Device::of(&server, &nora).await, Device::of(&server, &other).await);
    let mut command = Command::new("node");
    command.arg(conformance.join("verify.mjs")).args(["--registration-off", "--quiet", "--base-url"]);
    command.arg(format!("{}/kosync", device.client.base)).args(["--user", &device.login]);
    command.args(["--password", &device.password, "--second-user", &stranger.login]);
    let done = run({
        command.args(["--second-password", &stranger.password]);
        command
    });
    let done = done.await;
    assert!(done.status.success() && !said(&done).contains(" FAIL "), "{}", said(&done));
}

#[tokio::test]
async fn webdav_clients_list_the_folder_upload_the_file_and_get_nothing_back() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let device = Device::of(&server, &nora).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("statistics.sqlite3");
    std::fs::write(&file, statistics(&[("Trust", "a1", &[(ago(&server, 3), 1, 50)])])).unwrap();
    let address = format!("{}/dav/", device.client.base);

    if let Some(mut litmus) = tools::program("litmus", "--help", "litmus' tests of WebDAV") {
        litmus.env("TESTS", "basic").current_dir(&folder).args([&address, &device.login, &device.password]);
        let done = run(litmus).await;
        // It goes on only where it may make a folder of its own.
        assert!(said(&done).contains("Could not create new collection"), "{}", said(&done));
    }
    if let Some(mut cadaver) = tools::program("cadaver", "--version", "cadaver's uploads") {
        let host = device.client.base.trim_start_matches("http://").split(':').next().unwrap();
        let netrc = format!("machine {host} login {} password {}\n", device.login, device.password);
        std::fs::write(folder.path().join(".netrc"), netrc).unwrap();
        let script = "ls\ncd statistics\nput statistics.sqlite3\nget statistics.sqlite3 back\nmkcol other\nquit\n";
        std::fs::write(folder.path().join("script"), script).unwrap();
        let input = std::fs::File::open(folder.path().join("script")).unwrap();
        cadaver.arg(&address).env("HOME", folder.path()).current_dir(&folder).stdin(input);
        let said = said(&run(cadaver).await);
        assert!(said.contains("statistics ") && said.contains("succeeded"), "{said}");
        assert!(said.contains("404 Not Found") && said.contains("403 Forbidden"), "{said}");
        assert_eq!(documents(&nora).await[0]["title"], "Trust");
    }
    if let Some(mut rclone) = tools::program("rclone", "version", "rclone's uploads") {
        let obscured = run({
            let mut obscure = Command::new("rclone");
            obscure.args(["obscure", &device.password]);
            obscure
        });
        let password = String::from_utf8(obscured.await.stdout).unwrap();
        rclone.env("RCLONE_CONFIG", folder.path().join("none")).env("RCLONE_WEBDAV_URL", &address);
        rclone.env("RCLONE_WEBDAV_USER", &device.login).env("RCLONE_WEBDAV_PASS", password.trim());
        let listed = said(
            &run({
                rclone.args(["lsf", ":webdav:"]);
                rclone
            })
            .await,
        );
        assert!(listed.contains("statistics/"), "{listed}");
    }
}
