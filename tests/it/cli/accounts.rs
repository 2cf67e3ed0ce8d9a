//! `shelfwise user` and `shelfwise plan`, run as an operator runs them.
use std::path::Path;

use serde_json::{Value, json};

use crate::support::actors::PASSWORD;
use crate::support::harness::TestServer;
use crate::support::program::{self, Ended, shelfwise};

/// Runs a command over a data directory, with a text as its standard input.
fn run(folder: &Path, line: &str, input: &str) -> Ended {
    let mut command = shelfwise();
    command.args(line.split(' ')).arg("--data-dir").arg(folder);
    program::run(command, input)
}

#[track_caller]
fn done(ended: Ended) -> String {
    assert_eq!(ended.status, 0, "{}", ended.err);
    ended.out
}

#[track_caller]
fn refused(ended: Ended, words: &str) {
    assert_eq!(ended.status, 1, "{}", ended.out);
    assert!(ended.err.contains(words), "{}", ended.err);
}

#[test]
fn without_a_database_nothing_is_created_and_the_sentence_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    for line in ["user list", "user show a@b.c", "plan list", "plan set a@b.c reader"] {
        refused(run(folder.path(), line, ""), "shelfwise serve");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_private_server_shows_no_plans_in_its_lists_of_people() {
    let folder = tempfile::tempdir().unwrap();
    done(run(folder.path(), "user create a@b.c --name Ada --new", &format!("{PASSWORD}\n")));
    for line in ["user list", "user show a@b.c"] {
        assert!(done(run(folder.path(), line, "")).to_lowercase().contains("plan"), "{line}");
    }
    done(run(folder.path(), "settings set instance private", ""));
    for line in ["user list", "user show a@b.c"] {
        let shown = done(run(folder.path(), line, ""));
        assert!(!shown.to_lowercase().contains("plan") && shown.contains("Ada"), "{shown}");
    }
}

#[test]
fn every_command_shows_an_example_and_a_wrong_argument_is_status_two() {
    let folder = tempfile::tempdir().unwrap();
    for line in [
        "user create", "user list", "user show", "user set-password", "user promote", "user demote", "user disable",
        "user enable", "user connect", "user delete", "plan set", "plan show", "plan list",
    ] {
        let help = done(run(folder.path(), &format!("{line} --help"), ""));
        assert!(help.contains(&format!("Example:\n  shelfwise {line}")), "{help}");
    }
    assert_eq!(run(folder.path(), "plan set a@b.c gold", "").status, 2);
    assert_eq!(run(folder.path(), "user show", "").status, 2);
}

#[tokio::test]
async fn a_granted_plan_counts_from_the_next_request_and_reader_removes_it() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let plan = async || nora.get("/api/subscriptions/current").await.expect(200)["subscription"].clone();
    let email = nora.email.to_uppercase();
    let set = done(run(server.folder(), &format!("plan set {email} shelfwise_plus"), ""));
    assert!(set.contains("shelfwise_plus (Shelfwise Plus), set by hand"), "{set}");
    assert_eq!((&plan().await["plan"], &plan().await["source"]), (&json!("shelfwise_plus"), &json!("operator")));
    let list: Value = serde_json::from_str(&done(run(server.folder(), "plan list --json", ""))).unwrap();
    assert_eq!(list, json!([{"email": nora.email, "plan": "shelfwise_plus", "source": "operator"}]));
    done(run(server.folder(), &format!("plan set {email} reader"), ""));
    assert_eq!(plan().await["plan"], "reader");
    refused(run(server.folder(), "plan show nobody@example.org", ""), "nobody@example.org");
}

#[tokio::test]
async fn the_plan_shown_is_the_one_in_force() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let config = server.folder().join("config.toml");
    std::fs::write(&config, "default_plan = \"shelfwise_team\"\n").unwrap();
    done(run(server.folder(), &format!("plan set {} shelfwise_plus", nora.email), ""));
    let shown = done(run(server.folder(), &format!("plan show {} --config {}", nora.email, config.display()), ""));
    assert!(shown.contains("shelfwise_team") && shown.contains("the server's default"), "{shown}");
}

#[tokio::test]
async fn setting_a_password_demoting_and_disabling_end_the_sessions() {
    let server = TestServer::start().await;
    let (nora, keeper) = (server.reader().await, server.reader().await);
    let user = |verb: &str, input: &str| run(server.folder(), &format!("user {verb} {}", nora.email), input);
    let login = async |password: &str| {
        nora.post("/api/auth/login", json!({"email": nora.email, "password": password})).await.status
    };
    let me = async || nora.get("/api/auth/me").await;

    refused(user("set-password", "short\n"), "at least 8");
    assert_eq!(me().await.status, 200);
    done(user("set-password", "another passphrase\nsecond line\n"));
    assert_eq!(me().await.status, 401);
    assert_eq!((login(PASSWORD).await, login("another passphrase").await), (401, 200));

    done(run(server.folder(), &format!("user promote {}", keeper.email), ""));
    done(user("promote", ""));
    assert_eq!(me().await.expect(200)["user"]["role"], "admin");
    done(user("demote", ""));
    assert_eq!(me().await.status, 401);
    assert_eq!(login("another passphrase").await, 200);
    assert_eq!(me().await.expect(200)["user"]["role"], "user");

    done(user("disable", ""));
    assert_eq!((me().await.status, login("another passphrase").await), (401, 401));
    let list: Value = serde_json::from_str(&done(run(server.folder(), "user list --json", ""))).unwrap();
    assert_eq!(
        (&list[0]["email"], &list[0]["disabled"], &list[1]["role"]),
        (&json!(nora.email), &json!(true), &json!("admin"))
    );
    assert!(done(user("show", "")).contains(&nora.email));
    done(user("enable", ""));
    assert_eq!(login("another passphrase").await, 200);
}

#[tokio::test]
async fn a_recovery_by_command_stops_the_sharing_with_a_team_and_a_new_password_alone_does_not() {
    let server = TestServer::start().await;
    let (_, members) = server.team(1).await;
    let member = &members[0];
    let shares = async |password: &str| {
        member.post("/api/auth/login", json!({"email": member.email, "password": password})).await.expect(200);
        member.get("/api/preferences").await.expect(200)["preferences"]["shareWithTeam"].clone()
    };
    member.patch("/api/preferences", json!({"shareWithTeam": true})).await.expect(200);
    let command = format!("user set-password {}", member.email);

    let said = done(run(server.folder(), &command, "another passphrase\n"));
    assert!(!said.contains("team"), "{said}");
    assert_eq!(shares("another passphrase").await, json!(true));

    let recovery = format!("{command} --end-other-access");
    let said = done(run(server.folder(), &recovery, "yet another passphrase\n"));
    assert!(said.contains("providers are removed, and sharing with a team is off."), "{said}");
    assert_eq!(shares("yet another passphrase").await, json!(false));
    member.get("/api/teams/current").await.expect(200);
    let help = done(run(server.folder(), "user set-password --help", ""));
    assert!(help.contains("switch off sharing with a team"), "{help}");
}

#[tokio::test]
async fn the_last_operator_is_kept() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    done(run(server.folder(), &format!("user promote {}", nora.email), ""));
    for line in ["demote", "disable", "delete --yes"] {
        refused(run(server.folder(), &format!("user {line} {}", nora.email), ""), "last operator");
    }
    nora.get("/api/auth/me").await.expect(200);
}

#[tokio::test]
async fn deleting_asks_first_and_leaves_no_bytes() {
    let server = TestServer::start().await;
    let (nora, _other) = (server.reader().await, server.reader().await);
    let book = json!({"title": "canary-title", "author": "A", "status": "undated"});
    nora.post("/api/books", book).await.expect(201);
    refused(run(server.folder(), &format!("user delete {}", nora.email), "yes\n"), "--yes");
    nora.get("/api/auth/me").await.expect(200);
    done(run(server.folder(), &format!("user delete {} --yes", nora.email), ""));
    assert_eq!(nora.get("/api/auth/me").await.status, 401);
    for file in std::fs::read_dir(server.folder()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(
            !["canary-title", nora.email.as_str()]
                .iter()
                .any(|word| { bytes.windows(word.len()).any(|window| window == word.as_bytes()) })
        );
    }
    refused(run(server.folder(), &format!("user delete {} --yes", nora.email), ""), "there is no account");
}
