//! The first run: a server without an operator is set up with the code that its start prints.
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use shelfwise::account::setup::prepare;

use crate::support::actors::{PASSWORD, Visitor};
use crate::support::harness::TestServer;
use crate::support::program::{self, Ended, Program, shelfwise};

const LINE: &str = "Set up this server: ";

/// The code in a line that the program printed.
#[track_caller]
fn code(line: &str) -> String {
    let address = line.trim().strip_prefix(LINE).unwrap_or_else(|| panic!("{line}"));
    address.rsplit_once("/setup/").unwrap().1.to_owned()
}

/// The code of a start of this server.
async fn code_of(server: &TestServer) -> String {
    code(&prepare(&server.db, &server.app.current.get()).await.unwrap().unwrap())
}

fn form() -> Value {
    json!({"displayName": "Nora", "email": "nora@example.org", "password": PASSWORD, "instance": "private"})
}

/// The form with further fields.
fn form_with(more: &Value) -> Value {
    let mut whole = form();
    whole.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    whole
}

fn serve(data: &Path) -> Command {
    let mut command = shelfwise();
    command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(data);
    command
}

fn run(data: &Path, line: &[&str]) -> Ended {
    let mut command = shelfwise();
    command.args(line).arg("--data-dir").arg(data);
    program::run(command, PASSWORD)
}

#[tokio::test]
async fn the_printed_code_makes_the_first_operator_and_stores_the_answers() {
    let server = TestServer::start().await;
    let (code, visitor) = (code_of(&server).await, server.visitor());
    assert_eq!(code.len(), 32);
    assert_eq!(visitor.get(&format!("/setup/{code}")).await.status, 200);
    assert_eq!(visitor.get("/setup").await.status, 200);
    assert_eq!(visitor.get(&format!("/api/setup/{code}")).await.expect(200), json!({}));
    let folder = server.folder().join("copies");
    let answers = json!({
        "name": " The Okafor shelf ", "publicUrl": "http://192.168.1.20:8080/", "signup": "invite", "backupTo": folder,
    });
    let made = visitor.post(&format!("/api/setup/{}", code.to_uppercase()), form_with(&answers)).await.expect(201);
    assert_eq!((&made["user"]["email"], &made["user"]["role"]), (&json!("nora@example.org"), &json!("admin")));
    assert_eq!(visitor.get("/api/auth/me").await.expect(200)["user"], made["user"], "the browser is signed in");
    let settings = visitor.get("/api/admin/settings").await.expect(200)["settings"].clone();
    assert_eq!(
        (&settings["instance"], &settings["name"], &settings["signup"], &settings["backup"]["to"]),
        (&json!("private"), &json!("The Okafor shelf"), &json!("invite"), &json!(folder)),
    );
    let link = visitor.post("/api/admin/invitations", json!({})).await.expect(201)["url"].clone();
    assert!(link.as_str().unwrap().starts_with("http://192.168.1.20:8080/invite/"), "{link}");
    let events = visitor.get("/api/admin/events").await.expect(200);
    let kinds: Vec<_> = events["data"].as_array().unwrap().iter().map(|event| &event["what"]).collect();
    assert_eq!(kinds, [&json!("invitation_created"), &json!("server_set_up")]);

    let stranger = server.visitor();
    for page in ["/setup", &format!("/setup/{code}")] {
        assert_eq!(stranger.get(page).await.status, 404, "{page}");
    }
    assert_eq!(stranger.get(&format!("/api/setup/{code}")).await.code(404), "not_found");
    assert_eq!(stranger.post(&format!("/api/setup/{code}"), form()).await.code(404), "not_found");
    assert!(prepare(&server.db, &server.app.current.get()).await.unwrap().is_none(), "the server is set up");
}

#[tokio::test]
async fn wrong_answers_are_named_and_leave_the_code_usable() {
    let server = TestServer::with(|config| {
        config.fixed.insert("signup".into());
    })
    .await;
    let path = format!("/api/setup/{}", code_of(&server).await);
    let visitor = server.visitor();
    let wrong = json!({
        "email": "nora", "password": "12345678", "instance": "shared", "name": "x".repeat(61), "publicUrl": "shelf/x",
    });
    let fields = ["email", "instance", "name", "password", "publicUrl"];
    assert_eq!(visitor.post(&path, form_with(&wrong)).await.fields(), fields);
    assert_eq!(visitor.post(&path, json!({})).await.fields(), ["displayName", "email", "instance", "password"]);
    for folder in ["backups", "/proc/no/folder"] {
        assert_eq!(
            visitor.post(&path, form_with(&json!({"backupTo": folder}))).await.fields(),
            ["backupTo"],
            "{folder}"
        );
    }
    let fixed = visitor.post(&path, form_with(&json!({"signup": "closed"}))).await;
    assert_eq!((fixed.code(409), &fixed.body["setting"]), ("setting_fixed", &json!("signup")));
    assert_eq!(visitor.get("/api/auth/me").await.status, 401);
    // A value that the config file has already is not a change.
    visitor.post(&path, form_with(&json!({"signup": "open"}))).await.expect(201);
}

#[tokio::test]
async fn a_folder_for_backups_is_looked_at_before_the_form_is_sent() {
    let server = TestServer::start().await;
    let (code, visitor) = (code_of(&server).await, server.visitor());
    let check = async |code: &str, to: Value| {
        visitor.post(&format!("/api/setup/{code}/backup-folder"), json!({"to": to})).await
    };
    let folder = server.folder().join("copies/nightly");
    let answer = check(&code, json!(folder)).await;
    assert_eq!(answer.header("cache-control"), "no-store");
    let found = answer.expect(200);
    assert_eq!(found["isMissing"], true);
    assert!(found["freeBytes"].as_u64().unwrap() > found["databaseBytes"].as_u64().unwrap(), "{found}");
    assert!(!server.folder().join("copies").exists(), "nothing is made");
    assert_eq!(check(&code, json!(server.folder())).await.expect(200)["isMissing"], false);
    for wrong in [json!("copies"), json!("/proc/copies"), json!(server.folder().join("shelfwise.db")), json!("")] {
        assert_eq!(check(&code, wrong.clone()).await.fields(), ["to"], "{wrong}");
    }
    assert_eq!(check(&"a".repeat(32), json!("/")).await.code(404), "not_found");
    visitor.post(&format!("/api/setup/{code}"), form()).await.expect(201);
    assert_eq!(check(&code, json!("/")).await.code(404), "not_found");
    let asked = visitor.post("/api/admin/backup-folder", json!({"to": folder})).await.expect(200);
    assert_eq!(asked["isMissing"], true);
}

#[tokio::test]
async fn of_two_first_runs_at_once_one_makes_the_operator() {
    let server = TestServer::start().await;
    let path = format!("/api/setup/{}", code_of(&server).await);
    let (one, other) = (server.visitor(), server.visitor());
    let second = form_with(&json!({"email": "greta@example.org"}));
    let (first, second) = tokio::join!(one.post(&path, form()), other.post(&path, second));
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 404]);
    let users: i64 =
        server.db.read(|conn| Ok(conn.query_row("SELECT count(*) FROM users", [], |row| row.get(0))?)).await.unwrap();
    assert_eq!(users, 1);
}

#[tokio::test]
async fn wrong_codes_count_as_guesses_and_the_database_holds_only_the_hash() {
    let server = TestServer::start().await;
    let (code, visitor) = (code_of(&server).await, server.visitor());
    for guess in 0..60 {
        let path = format!("/api/setup/{}", if guess % 2 == 0 { "a".repeat(32) } else { guess.to_string() });
        assert_eq!(visitor.get(&path).await.status, 404);
    }
    assert_eq!(visitor.get(&format!("/api/setup/{code}")).await.code(429), "too_many_attempts");
    assert_eq!(visitor.post(&format!("/api/setup/{code}"), form()).await.code(429), "too_many_attempts");
    let stored: Vec<u8> = server
        .db
        .read(|conn| Ok(conn.query_row("SELECT code_hash FROM setup_code", [], |row| row.get(0))?))
        .await
        .unwrap();
    assert_eq!(stored.len(), 32);
    for file in std::fs::read_dir(server.folder()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(code.len()).any(|part| part == code.as_bytes()), "the code is in a file");
    }
}

#[tokio::test]
async fn every_start_and_the_command_print_a_new_address_until_there_is_an_operator() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut running = Program::start(serve(&data));
    let line = running.printed.iter().find(|line| line.starts_with(LINE)).unwrap().clone();
    assert!(line.starts_with(&format!("{LINE}{}/setup/", running.address())), "{line}");
    let first = code(&line);
    assert_eq!(running.stop(), Some(0));

    let running = Program::start(serve(&data));
    let second = code(running.printed.iter().find(|line| line.starts_with(LINE)).unwrap());
    let visitor = Visitor::at(running.address());
    assert_eq!(visitor.get(&format!("/api/setup/{first}")).await.status, 404, "a code ends with the next start");
    assert_eq!(visitor.get(&format!("/api/setup/{second}")).await.status, 200);
    let printed = run(&data, &["setup-code"]);
    assert_eq!(printed.status, 0, "{}", printed.err);
    let third = code(&printed.out);
    assert_eq!(visitor.get(&format!("/api/setup/{second}")).await.status, 404, "the command's code replaces it");
    assert_eq!(visitor.get(&format!("/api/setup/{third}")).await.status, 200);
    assert_eq!(run(&data, &["user", "create", "ada@example.org", "--name", "Ada", "--admin"]).status, 0);
    assert_eq!(visitor.get(&format!("/api/setup/{third}")).await.status, 404, "there is an operator");
    let refused = run(&data, &["setup-code"]);
    assert!(refused.status == 1 && refused.err.contains("has an operator"), "{}", refused.err);
    drop(running);
    let running = Program::start(serve(&data));
    assert!(!running.printed.iter().any(|line| line.starts_with(LINE)), "{:?}", running.printed);
}

#[tokio::test]
async fn the_environment_makes_the_first_operator_once() {
    let folder = tempfile::tempdir().unwrap();
    let (data, file) = (folder.path().join("data"), folder.path().join("password"));
    let with = |email: Option<&str>, file: Option<&Path>| {
        let mut command = serve(&data);
        if let Some(email) = email {
            command.env("SHELFWISE_ADMIN_EMAIL", email);
        }
        if let Some(file) = file {
            command.env("SHELFWISE_ADMIN_PASSWORD_FILE", file);
        }
        command
    };
    let email = Some("nora@example.org");
    let refusals = [
        (email, None, None, "admin.password_file is not"),
        (None, Some(PASSWORD), Some(&*file), "admin.email is not"),
        (email, None, Some(&*file), "can't be read"),
        (email, Some("\n"), Some(&*file), "is empty"),
        (email, Some("12345678"), Some(&*file), "too common"),
        (Some("nora"), Some(PASSWORD), Some(&*file), "email"),
    ];
    for (email, text, named, reason) in refusals {
        let _ = std::fs::remove_file(&file);
        if let Some(text) = text {
            std::fs::write(&file, text).unwrap();
        }
        let ended = program::run(with(email, named), "");
        assert!(ended.status == 78 && ended.err.contains(reason), "{reason}: {} {}", ended.status, ended.err);
        assert!(!data.exists(), "{reason}: a database is left");
    }
    std::fs::write(&file, format!("{PASSWORD}\n")).unwrap();
    let mut running = Program::start(with(email, Some(&file)));
    assert!(!running.printed.iter().any(|line| line.starts_with(LINE)), "{:?}", running.printed);
    for secret in [PASSWORD, "nora@example.org"] {
        assert!(!running.printed.join("\n").contains(secret), "{:?}", running.printed);
    }
    let operator = Visitor::at(running.address()).log_in("nora@example.org").await;
    operator.get("/api/admin/users").await.expect(200);
    assert_eq!(running.stop(), Some(0));

    std::fs::write(&file, "another passphrase of hers\n").unwrap();
    let mut running = Program::start(with(Some("greta@example.org"), Some(&file)));
    let operator = Visitor::at(running.address()).log_in("nora@example.org").await;
    assert_eq!(
        operator.get("/api/admin/users").await.expect(200)["total"],
        1,
        "nothing is made once there is an operator"
    );
    assert_eq!(running.stop(), Some(0));
}

#[tokio::test]
async fn an_account_of_a_stranger_does_not_become_the_first_operator() {
    let server = TestServer::start().await;
    let stranger = server.visitor().sign_up_as("nora@example.org", "Not Nora").await;
    let file = server.folder().join("password");
    std::fs::write(&file, "another passphrase of hers").unwrap();
    let mut config = (*server.app.config).clone();
    config.admin.email = Some("nora@example.org".to_owned());
    config.admin.password_file = Some(file);
    let refused = prepare(&server.db, &config).await.unwrap_err().to_string();
    assert!(refused.contains("user promote"), "{refused}");
    assert_eq!(stranger.get("/api/admin/users").await.status, 403);
}

#[tokio::test]
async fn a_stored_address_counts_for_links_at_once_and_for_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut running = Program::start(serve(&data));
    let first = code(running.printed.iter().find(|line| line.starts_with(LINE)).unwrap());
    let operator = Visitor::at(running.address());
    let answers = json!({"publicUrl": "http://shelf.example.org", "signup": "invite"});
    operator.post(&format!("/api/setup/{first}"), form_with(&answers)).await.expect(201);
    let by_name = operator.request(reqwest::Method::GET, "/api/site").header("host", "shelf.example.org");
    assert_eq!(operator.send(by_name).await.status, 200, "the name of the server is not foreign");
    assert_eq!(running.stop(), Some(0));

    let running = Program::start(serve(&data));
    assert!(running.printed.last().unwrap().ends_with("http://shelf.example.org"), "{:?}", running.printed);
    let shown = run(&data, &["settings", "get", "public_url"]);
    assert_eq!((shown.status, shown.out.trim()), (0, "http://shelf.example.org"));
    let refused = run(&data, &["settings", "set", "public_url", "shelf.example.org/x"]);
    assert!(refused.status == 2 && refused.err.contains("public_url"), "{}", refused.err);
}
