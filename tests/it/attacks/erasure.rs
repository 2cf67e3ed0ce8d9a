//! Erased data is gone from the responses and from every byte of every file in the data directory.
use std::path::Path;
use std::process::Command;

use reqwest::Method;
use rusqlite::Connection;
use serde_json::json;
use shelfwise::access::Plan;

use crate::features::covers::png;
use crate::support::actors::{PASSWORD, Reader, Visitor};
use crate::support::fault_table::row;
use crate::support::harness::TestServer;
use crate::support::program::{self, Program, shelfwise};

/// Whether a word stands anywhere in the data directory, in any case.
fn stands_in_a_file(server: &TestServer, word: &str) -> bool {
    stands_in(server.folder(), word)
}

fn stands_in(folder: &Path, word: &str) -> bool {
    let word = word.to_lowercase();
    std::fs::read_dir(folder).unwrap().any(|file| {
        // A log may be removed while the folder is listed.
        let bytes = std::fs::read(file.unwrap().path()).unwrap_or_default().to_ascii_lowercase();
        bytes.windows(word.len()).any(|window| window == word.as_bytes())
    })
}

/// Somebody whose every text carries a word of its own.
async fn canary(server: &TestServer) -> Reader {
    let (visitor, email) = (server.visitor(), "canary-address@example.org");
    let form = json!({"email": email, "password": PASSWORD, "displayName": "canary-name"});
    let signup = visitor.request(Method::POST, "/api/auth/signup").header("user-agent", "canary-agent").json(&form);
    let answer = visitor.send(signup).await;
    visitor.signed_up(email, answer)
}

const LIBRARY: [&str; 16] = [
    "canary-title", "canary-author", "canary-genre", "canary-impressions", "canary-quote", "canary-later",
    "canary-notes", "canary-renamed", "canary-long", "canary-file", "canary-row", "canary-cell", "canary-shelf",
    "canary-cover", "canary-former", "canary-merged",
];

async fn fill(person: &Reader) {
    let book = json!({"title": "canary-title", "author": "canary-author", "status": "undated", "genres": ["canary-genre"],
        "impressions": "canary-impressions", "quotes": ["canary-quote"]});
    let request = person.request(Method::POST, "/api/books").header("idempotency-key", "one").json(&book);
    let made = person.send(request).await.expect(201);
    // Far longer than a page.
    let picture = png(5, 5, "canary-cover ".repeat(15_000).as_bytes());
    let cover = person.request(Method::PUT, &format!("/api/books/{}/cover", made["book"]["id"]));
    person.send(cover.body(picture)).await.expect(200);
    // Longer than a page, and changed since: pages of their own, and a former text.
    let long = json!({"title": "canary-renamed", "impressions": "canary-long ".repeat(1500)});
    person.patch(&format!("/api/books/{}", made["book"]["id"]), long).await.expect(200);
    let item = json!({"title": "canary-later", "author": "canary-author", "notes": "canary-notes"});
    let request = person.request(Method::POST, "/api/tbr").header("idempotency-key", "two").json(&item);
    person.send(request).await.expect(201);
    let file = "Title,Author,Number of Pages,Exclusive Shelf,Canary-Column,Date Added\n\
        canary-row,B,100,canary-shelf,canary-cell,2025/01/02\n,nobody,1,read,canary-cell,2025/01/02\n";
    let map = [("shelfMap", r#"{"canary-shelf": "read"}"#)];
    person.upload("/api/books/import", "canary-file.csv", file, &map).await.expect(200);
    // What operations note of books before they change them: a tag and a series with former names.
    let tagged = json!({"title": "T", "author": "B", "status": "undated", "tags": ["canary-former"],
        "series": {"name": "canary-merged", "number": "1"}});
    person.post("/api/books", tagged).await.expect(201);
    person.patch("/api/tags/canary-former", json!({"name": "tag"})).await.expect(200);
    person.patch("/api/series/canary-merged", json!({"name": "series"})).await.expect(200);
}

#[tokio::test]
async fn erased_data_leaves_no_bytes_and_the_account_remains() {
    let server = TestServer::start().await;
    let (person, other) = (canary(&server).await, server.plus().await);
    server.set_plan(&person, Plan::ShelfwisePlus).await;
    fill(&person).await;
    other.post("/api/books", json!({"title": "kept-title", "author": "B", "status": "undated"})).await.expect(201);
    person.patch("/api/preferences", json!({"theme": "dark"})).await.expect(200);
    let before = person.get("/api/books").await;
    for word in LIBRARY {
        assert!(stands_in_a_file(&server, word), "{word} is nowhere, so this tests nothing");
    }

    assert_eq!(person.delete("/api/account/data").await.status, 204);
    server.db.compact().await.unwrap();
    for word in LIBRARY {
        assert!(!stands_in_a_file(&server, word), "{word} is left in a file");
    }
    assert!(stands_in_a_file(&server, "kept-title") && stands_in_a_file(&server, "canary-name"));
    assert_eq!(person.get("/api/books").await.expect(200)["total"], 0);
    assert_eq!(person.get("/api/tbr").await.expect(200)["data"], json!([]));
    assert_eq!(person.get("/api/imports").await.expect(200)["data"], json!([]));
    let current = person.get("/api/subscriptions/current").await.expect(200);
    assert_eq!(
        (&current["limits"]["bookCount"], &current["subscription"]["plan"]),
        (&json!(0), &json!("shelfwise_plus"))
    );
    assert_eq!(person.get("/api/preferences").await.expect(200)["preferences"]["theme"], "dark");
    let revisit = person.request(Method::GET, "/api/books").header("if-none-match", before.header("etag"));
    assert_eq!(person.send(revisit).await.status, 200, "what a browser remembers is out of date");
}

#[tokio::test]
async fn a_deleted_account_leaves_no_bytes() {
    let server = TestServer::start().await;
    // The reader signs up without the link of the invitation.
    let invitation = json!({"email": "canary-address@example.org"});
    server.operator().await.post("/api/admin/invitations", invitation).await.expect(201);
    let (person, other) = (canary(&server).await, server.reader().await);
    fill(&person).await;
    let words = ["canary-address", "canary-name", "canary-agent"].into_iter().chain(LIBRARY);
    for word in words.clone() {
        assert!(stands_in_a_file(&server, word), "{word} is nowhere, so this tests nothing");
    }
    let gone = person.delete("/api/account").await;
    assert!(gone.status == 204 && gone.header("set-cookie").contains("Max-Age=0"));
    server.db.compact().await.unwrap();
    for word in words.chain(["canary"]) {
        assert!(!stands_in_a_file(&server, word), "{word} is left in a file");
    }
    let login = json!({"email": person.email, "password": PASSWORD});
    assert_eq!(server.visitor().post("/api/auth/login", login).await.status, 401);
    assert_eq!(other.get("/api/auth/me").await.status, 200);
    let again = json!({"email": person.email, "password": PASSWORD, "displayName": "New"});
    let again = server.visitor().post("/api/auth/signup", again).await.expect(201);
    assert_ne!(again["user"]["id"], json!(person.id), "a number is never given twice");
    let files = std::fs::read_dir(server.folder()).unwrap().count();
    let found = format!("in none of {files} files");
    row(
        "texts of a deleted account, looked for in every byte of the data directory",
        LIBRARY.len() + 3,
        &found,
        "no byte",
    );
}

#[tokio::test]
async fn the_last_operator_who_can_sign_in_stays() {
    let server = TestServer::start().await;
    let (first, second) = (server.operator().await, server.operator().await);
    server.command(&["user", "disable", &second.email]).await;
    assert_eq!(first.delete("/api/account").await.code(409), "last_operator");
    first.get("/api/auth/me").await.expect(200);
    server.command(&["user", "enable", &second.email]).await;
    assert_eq!(first.delete("/api/account").await.status, 204);
    assert_eq!(second.elsewhere().await.delete("/api/account").await.code(409), "last_operator");
}

fn serving(data: &Path) -> Command {
    let mut command = shelfwise();
    command.env("SHELFWISE_DEFAULT_PLAN", "shelfwise_plus");
    command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(data);
    command
}

async fn sign_up(server: &Program, name: &str) -> Reader {
    Visitor::at(server.address()).sign_up_as(&format!("{name}@example.org"), name).await
}

#[tokio::test]
async fn the_answer_to_a_deletion_is_sent_when_tables_indexes_free_pages_and_the_wal_have_nothing_of_it() {
    let server = TestServer::start().await;
    let person = canary(&server).await;
    // One page of rows, so that no tree is rebalanced.
    person
        .post("/api/books", json!({"title": "canary-title", "author": "canary-author", "status": "undated"}))
        .await
        .expect(201);
    assert!(stands_in_a_file(&server, "canary-title"));
    assert_eq!(person.delete("/api/account").await.status, 204);
    assert!(!stands_in_a_file(&server, "canary"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interrupted_erasure_ends_at_the_next_start_and_commands_erase_beside_a_server_and_without_one() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let mut server = Program::start(serving(&data));
    let (canary, second) = (sign_up(&server, "canary").await, sign_up(&server, "sparrow").await);
    for person in [&canary, &second] {
        for number in 0..20 {
            let title = format!("{} {number}", person.email);
            let book =
                json!({"title": title, "author": "A", "status": "undated", "impressions": "x".repeat(number * 100)});
            person.post("/api/books", book).await.expect(201);
        }
    }
    let compact = || {
        let mut command = shelfwise();
        command.args(["compact", "--data-dir"]).arg(&data);
        let ended = program::run(command, "");
        assert_eq!(ended.status, 0, "{}", ended.err);
    };
    // A reader of the past keeps what was erased in the WAL.
    let reader = Connection::open(data.join("shelfwise.db")).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM books").unwrap();
    assert_eq!(canary.delete("/api/account").await.status, 204);
    server.kill();
    assert!(stands_in(&data, "canary@"), "nothing was cut short");
    drop(reader);
    let mut server = Program::start(serving(&data));
    compact();
    assert!(!stands_in(&data, "canary@") && stands_in(&data, "sparrow@"));
    assert_eq!(server.stop(), Some(0));

    let mut delete = shelfwise();
    delete.args(["user", "delete", "sparrow@example.org", "--yes", "--data-dir"]).arg(&data);
    let ended = program::run(delete, "");
    assert_eq!(ended.status, 0, "{}", ended.err);
    compact();
    assert!(!stands_in(&data, "sparrow@"));
    let conn = Connection::open(data.join("shelfwise.db")).unwrap();
    let verdict: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok");
}
