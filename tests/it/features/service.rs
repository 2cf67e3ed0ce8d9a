//! The running program as seen by its service manager, its operator and a monitor: signals, readiness, log lines, health.
use std::fs;
use std::os::linux::fs::MetadataExt as _;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use rustix::process::Signal;
use serde_json::{Value, json};
use shelfwise::kit::VERSION;

use crate::features::{geoip, social};
use crate::support::actors::{TestClient, Visitor};
use crate::support::issuer::Issuer;
use crate::support::program::{Program, shelfwise};

/// A serving command, whose log goes to a file.
struct House {
    folder: tempfile::TempDir,
}

impl House {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn serve(&self) -> Command {
        let mut command = shelfwise();
        command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(self.path("data"));
        command.env_remove("RUST_LOG").stderr(fs::File::create(self.path("log")).unwrap());
        for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "JOURNAL_STREAM"] {
            command.env_remove(name);
        }
        command
    }

    fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap()
    }

    /// Waits until the log has a line with all these words, which it answers.
    fn logged(&self, words: &[&str]) -> String {
        let started = Instant::now();
        loop {
            let log = self.log();
            if let Some(line) = log.lines().find(|line| words.iter().all(|word| line.contains(word))) {
                return line.to_owned();
            }
            assert!(started.elapsed() < Duration::from_secs(60), "{words:?} are not in a line of\n{log}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sighup_changes_the_log_level_and_names_what_needs_a_restart() {
    let house = House::new();
    let (file, secret) = (house.path("config.toml"), house.path("secret"));
    let write = |operator: &str, limit: u32, level: &str| {
        let text = format!(
            "book_limit = {limit}\nlog_level = \"{level}\"\n[stripe]\nsecret_key = \"sk_test_1\"\n\
             webhook_secret_file = \"{}\"\n[legal]\noperator = \"{operator}\"\n",
            secret.display()
        );
        fs::write(&file, text).unwrap();
    };
    write("Ada", 150, "info");
    fs::write(&secret, "whsec_old").unwrap();
    let mut command = house.serve();
    command.arg("--config").arg(&file);
    let mut server = Program::start(command);
    let person = Visitor::at(server.address());

    write("Eva", 200, "debug");
    fs::write(&secret, "whsec_new").unwrap();
    server.signal(Signal::HUP);
    let waiting = house.logged(&["WARN", "need a restart"]);
    assert!(waiting.contains("\"book_limit, legal.operator, stripe.webhook_secret\""), "{waiting}");
    assert_eq!(person.get("/api/site").await.expect(200)["operator"], "Ada");
    person.get("/healthz").await.expect(200);
    house.logged(&["DEBUG", "route=\"/healthz\""]);

    fs::write(&file, "book_limt = 3\n").unwrap();
    server.signal(Signal::HUP);
    assert!(house.logged(&["reloading the settings failed"]).contains("book_limt"));
    assert_eq!(person.get("/api/site").await.expect(200)["operator"], "Ada");
    assert_eq!(server.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn neither_sighup_nor_the_users_signals_end_the_server() {
    let house = House::new();
    let mut server = Program::start(house.serve());
    let person = Visitor::at(server.address());
    for (signal, name) in [(Signal::HUP, "HUP"), (Signal::USR1, "USR1"), (Signal::USR2, "USR2")] {
        server.signal(signal);
        house.logged(&["INFO", &format!("SIG{name}")]);
        person.get("/healthz").await.expect(200);
    }
    assert_eq!(server.stop(), Some(0));
}

/// The words of one message to the service manager.
fn words(receiver: &UnixDatagram) -> Vec<String> {
    let mut bytes = [0; 4096];
    let length = receiver.recv(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes[..length]).lines().map(str::to_owned).collect()
}

/// The next message that says a word.
fn message(receiver: &UnixDatagram, word: &str) -> Vec<String> {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(60) {
        let said = words(receiver);
        if said.iter().any(|known| known == word) {
            return said;
        }
    }
    panic!("no message says {word}")
}

#[test]
fn the_service_manager_is_notified_of_readiness_reloads_life_and_the_stop() {
    let house = House::new();
    let path = house.path("notify");
    let name = format!("shelfwise-test-{}", std::process::id());
    let abstracted = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
    for (socket, receiver) in
        [(path.to_str().unwrap().to_owned(), UnixDatagram::bind(&path).unwrap()), (format!("@{name}"), abstracted)]
    {
        receiver.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let mut command = house.serve();
        command.env("NOTIFY_SOCKET", &socket).env("WATCHDOG_USEC", "2000000");
        let mut server = Program::start(command);
        // The first message, and sent when the program listens: its address answers.
        let first = words(&receiver);
        assert_eq!((first[0].as_str(), &first[1]), ("READY=1", &format!("MAINPID={}", server.pid())));
        assert!(std::net::TcpStream::connect(server.address().strip_prefix("http://").unwrap()).is_ok());
        for _ in 0..3 {
            message(&receiver, "WATCHDOG=1");
        }
        server.signal(Signal::HUP);
        let reloading = message(&receiver, "RELOADING=1");
        assert!(reloading[1].strip_prefix("MONOTONIC_USEC=").is_some_and(|moment| moment.parse::<u64>().is_ok()));
        message(&receiver, "READY=1");
        assert_eq!(server.stop(), Some(0));
        message(&receiver, "STOPPING=1");
    }
}

#[test]
fn the_service_manager_is_notified_when_reloading_fails() {
    let house = House::new();
    let (path, file) = (house.path("notify"), house.path("config.toml"));
    let receiver = UnixDatagram::bind(&path).unwrap();
    receiver.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    fs::write(&file, "book_limit = 3\n").unwrap();
    let mut command = house.serve();
    command.env("NOTIFY_SOCKET", &path).arg("--config").arg(&file);
    let mut server = Program::start(command);
    message(&receiver, "READY=1");
    for (text, status) in [
        ("book_limt = 3\n", "STATUS=Serving with the previous settings: reloading failed, and the log says why"),
        ("book_limit = 3\n", "STATUS=Serving with the reloaded settings"),
    ] {
        fs::write(&file, text).unwrap();
        server.signal(Signal::HUP);
        message(&receiver, "RELOADING=1");
        let ready = message(&receiver, "READY=1");
        assert!(ready.iter().any(|word| word == status), "{ready:?}");
    }
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn a_program_that_can_not_start_does_not_notify_readiness() {
    let house = House::new();
    let path = house.path("notify");
    let receiver = UnixDatagram::bind(&path).unwrap();
    receiver.set_nonblocking(true).unwrap();
    fs::create_dir(house.path("data")).unwrap();
    fs::write(house.path("data/shelfwise.db"), "This is long enough to be taken for a database. ".repeat(100)).unwrap();
    let mut command = house.serve();
    assert!(
        Program::try_start({
            command.env("NOTIFY_SOCKET", &path);
            command
        })
        .is_none()
    );
    assert!(receiver.recv(&mut [0; 64]).is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_start_prints_its_address_and_the_log_has_requests_except_health_checks() {
    let house = House::new();
    let mut command = house.serve();
    command.env("RUST_LOG", "shelfwise=loud").env("SHELFWISE_PUBLIC_URL", "http://books.test");
    let mut server = Program::start(command);
    let told = server.printed.iter().find(|line| line.contains("127.0.0.1:")).unwrap();
    let address = told.split_whitespace().find(|word| word.starts_with("127.0.0.1:")).unwrap();
    let person = Visitor::at(format!("http://{}", address.trim_end_matches(',')));
    for word in [VERSION, "schema ", house.path("data").to_str().unwrap(), "settings from"] {
        assert!(told.contains(word), "{word} is not in {told}");
    }
    assert!(server.printed.last().unwrap().ends_with("http://books.test"));
    person.get("/healthz").await.expect(200);
    person.get("/robots.txt").await;
    person.get("/login").await;
    person.get("/api/site").await.expect(200);
    house.logged(&["INFO", "route=\"/api/site\""]);
    let log = house.log();
    assert!(!log.contains("healthz") && log.matches("route=\"-\"").count() <= 2, "{log}");
    assert!(house.logged(&["WARN", "RUST_LOG"]).contains("`info`"));
    assert_eq!(server.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_scheduled_backup_that_fails_shows_in_the_log_with_its_priority_and_in_the_figures() {
    let house = House::new();
    // No folder can be made below a file, not even by root.
    fs::write(house.path("file"), "").unwrap();
    let metrics = crate::support::program::free_port();
    let mut command = house.serve();
    let log = fs::File::create(house.path("journal")).unwrap();
    let stream =
        fs::metadata(house.path("journal")).map(|file| format!("{}:{}", file.st_dev(), file.st_ino())).unwrap();
    command.env("JOURNAL_STREAM", stream).stderr(log);
    command.env("SHELFWISE_BACKUP_TO", house.path("file/backups"));
    command.env("SHELFWISE_METRICS_LISTEN", format!("127.0.0.1:{metrics}"));
    let mut server = Program::start(command);
    let figures = Visitor::at(format!("http://127.0.0.1:{metrics}"));
    let started = Instant::now();
    let text = loop {
        let text = figures.get("/metrics").await.body.as_str().unwrap().to_owned();
        if text.contains("shelfwise_backup_last_run_ok 0") {
            break text;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{text}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    };
    for line in ["shelfwise_backup_failures_total 1", "# TYPE shelfwise_backup_last_success_timestamp_seconds gauge"] {
        assert!(text.lines().any(|known| known == line), "{line} is not in\n{text}");
    }
    let lines = fs::read_to_string(house.path("journal")).unwrap();
    let failed = lines.lines().find(|line| line.contains("scheduled backup failed")).unwrap();
    assert!(failed.starts_with("<3>ERROR") && failed.contains("Not a directory"), "{failed}");
    assert!(lines.lines().all(|line| line.starts_with('<')), "{lines}");
    assert_eq!(server.stop(), Some(0));
}

#[test]
fn a_start_that_fails_has_the_priority_of_an_error_in_the_journal() {
    let house = House::new();
    let log = fs::File::create(house.path("journal")).unwrap();
    let stream =
        fs::metadata(house.path("journal")).map(|file| format!("{}:{}", file.st_dev(), file.st_ino())).unwrap();
    let mut command = house.serve();
    command.env("JOURNAL_STREAM", stream).stderr(log).env("SHELFWISE_BOOK_LIMT", "3");
    assert!(Program::try_start(command).is_none());
    let said = fs::read_to_string(house.path("journal")).unwrap();
    assert!(said.starts_with("<3>shelfwise: ") && said.contains("SHELFWISE_BOOK_LIMT"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_database_file_is_reported_to_monitors() {
    let house = House::new();
    let mut server = Program::start(house.serve());
    let monitor = Visitor::at(server.address());
    fs::rename(house.path("data/shelfwise.db"), house.path("data/elsewhere.db")).unwrap();
    let failing = monitor.get("/healthz").await;
    assert_eq!(failing.header("cache-control"), "no-store");
    let why = json!({"status": "failing", "why": ["The database file was moved or deleted."]});
    assert_eq!(failing.expect(503), why);
    fs::rename(house.path("data/elsewhere.db"), house.path("data/shelfwise.db")).unwrap();
    healthy(&monitor).await;
    assert_eq!(server.stop(), Some(0));
}

/// Waits until a monitor hears that all is well.
pub async fn healthy(monitor: &TestClient) {
    let started = Instant::now();
    loop {
        let answer = monitor.get("/healthz").await;
        if answer.status == 200 {
            return assert_eq!(answer.body, json!({"status": "ok"}));
        }
        assert!(started.elapsed() < Duration::from_secs(60), "{}", answer.body);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_providers_error_code_is_logged_and_nothing_else_of_its_response() {
    let (house, issuer) = (House::new(), Issuer::start().await);
    let file = house.path("config.toml");
    fs::write(&file, social::section("mine", &issuer.base).replace("[mine]", "[social.mine]")).unwrap();
    let mut command = house.serve();
    command.arg("--config").arg(&file);
    let mut server = Program::start(command);
    for (status, word, logged) in [
        (401, json!("invalid_client"), "error=\"invalid_client\""),
        (200, json!("bad_verification_code"), "error=\"bad_verification_code\""),
        (400, json!("nora@example.org\nforged"), "error=\"unreadable\""),
    ] {
        issuer.manner().turn = Arc::new(move |path| {
            let body: Value = json!({"error": word, "error_description": "for nora@example.org"});
            (path == "/token").then(|| (StatusCode::from_u16(status).unwrap(), axum::Json(body)).into_response())
        });
        let nora = Visitor::at(server.address());
        let answer = issuer.agree(&social::leave(&nora, "mine").await);
        let back = nora.get(&social::path("mine", &answer)).await;
        assert_eq!(back.header("location"), "/login?error=refused&provider=mine");
        house.logged(&["WARN", "provider=\"mine\"", logged]);
    }
    assert!(!house.log().contains("nora@"), "{}", house.log());
    assert_eq!(server.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_geoip_file_holds_after_sighup_and_a_broken_one_changes_nothing() {
    let house = House::new();
    let places = house.path("places.mmdb");
    let lisbon = geoip::database(&[([127, 0, 0, 1].into(), "PT", "Portugal", Some("Lisbon"))]);
    let oslo = geoip::database(&[([127, 0, 0, 1].into(), "NO", "Norway", Some("Oslo"))]);
    fs::write(&places, lisbon).unwrap();
    let mut command = house.serve();
    command.env("SHELFWISE_GEOIP_DATABASE", &places);
    let mut server = Program::start(command);
    let nora = Visitor::at(server.address()).sign_up_as("nora@example.org", "Nora").await;
    let sessions = async || nora.get("/api/auth/sessions").await.expect(200).to_string();
    assert!(sessions().await.contains("Lisbon"));
    fs::write(&places, oslo).unwrap();
    server.signal(Signal::HUP);
    house.logged(&["reloaded the settings"]);
    assert!(sessions().await.contains("Oslo"));
    fs::write(&places, "not a database").unwrap();
    server.signal(Signal::HUP);
    house.logged(&["ERROR", "reloading the GeoIP database failed"]);
    assert!(sessions().await.contains("Oslo"));
    assert_eq!(server.stop(), Some(0));
}

/// What a folder of units and the documents print can be followed.
fn root(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

#[test]
fn the_unit_waits_for_readiness_restarts_forever_and_reloads_by_sighup() {
    let unit = root("deploy/shelfwise.service");
    for line in [
        "Type=notify",
        "NotifyAccess=main",
        "ExecReload=/bin/kill -HUP $MAINPID",
        "RestartSec=5",
        "StartLimitIntervalSec=0",
        "LimitCORE=0",
        "MemoryMax=1G",
        "TasksMax=256",
    ] {
        assert!(unit.lines().any(|known| known == line), "{line} is not in the unit");
    }
    assert!(unit.lines().any(|line| line.starts_with("WatchdogSec=")));
    let operating = root("docs/operating.md");
    assert!(operating.contains("systemctl reload shelfwise") && operating.contains("RUST_LOG"));
}
