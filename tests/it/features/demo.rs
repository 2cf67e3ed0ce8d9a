//! The demo contains only data that a person could have entered, and leaves nothing behind.
use std::collections::BTreeMap;
use std::path::PathBuf;

use shelfwise::cli::demo;
use shelfwise::kit::id::UserId;
use shelfwise::library::{books, counters, tbr};

use crate::support::actors::Visitor;
use crate::support::harness::TestServer;
use crate::support::program::{Program, shelfwise};

/// What a line of the demo says: part, address, password.
fn parts(line: &str) -> [String; 3] {
    line.split_whitespace().map(str::to_owned).collect::<Vec<_>>().try_into().unwrap()
}

async fn furnished() -> (TestServer, Vec<[String; 3]>) {
    let server = TestServer::start().await;
    let people = demo::people().unwrap();
    let lines = people.iter().map(|person| parts(&person.to_string())).collect();
    let db = server.db.clone();
    tokio::task::spawn_blocking(move || demo::fill(&db, people)).await.unwrap().unwrap();
    (server, lines)
}

#[tokio::test]
async fn everybody_in_the_demo_signs_in_with_the_printed_password() {
    let (server, lines) = furnished().await;
    let mut seen = BTreeMap::new();
    for [part, email, password] in lines {
        let person = server.visitor().log_in_with(&email, &password).await;
        let role = person.get("/api/auth/me").await.expect(200)["user"]["role"].as_str().unwrap().to_owned();
        let plan = person.get("/api/subscriptions/current").await.expect(200)["subscription"]["plan"]
            .as_str()
            .unwrap()
            .to_owned();
        seen.insert(part, (role, plan));
    }
    let expected =
        [("operator", "admin", "reader"), ("reader", "user", "shelfwise_plus"), ("team", "user", "shelfwise_team")];
    assert_eq!(seen, expected.map(|(part, role, plan)| (part.to_owned(), (role.to_owned(), plan.to_owned()))).into());
}

#[tokio::test]
async fn the_demos_books_are_valid_and_none_is_in_the_future() {
    let (server, _) = furnished().await;
    let checked = server.db.read(|conn| {
        let today = chrono::Utc::now().date_naive();
        let owner: UserId =
            conn.query_row("SELECT id FROM users WHERE email_key = 'demo@example.org'", [], |row| row.get(0))?;
        let (mut count, mut finished, mut rereads) = (0, BTreeMap::<String, i64>::new(), 0);
        let mut statuses = BTreeMap::<&str, i64>::new();
        books::store::each(conn, owner, |book| {
            let draft = book.draft();
            assert_eq!(draft.clone().checked().unwrap(), draft);
            assert!([draft.start_date, draft.date_completed].into_iter().flatten().all(|day| day < today), "{draft:?}");
            let key = format!("{} by {}", draft.title, draft.author());
            if draft.status.is_finished() {
                *finished.entry(key).or_default() += 1;
            }
            *statuses.entry(draft.status.name()).or_default() += 1;
            rereads += i64::from(draft.reread);
            count += 1;
            Ok(())
        })?;
        let mut items = Vec::new();
        tbr::store::each(conn, owner, &mut |item| {
            assert_eq!(item.draft().checked().unwrap(), item.draft());
            items.push(item.position);
            Ok(())
        })?;
        assert_eq!(counters::book_count(conn, owner)?, count);
        assert_eq!(finished.values().filter(|readings| **readings > 1).count(), 25);
        Ok((count, rereads, statuses["in-progress"], statuses["undated"], items.len()))
    });
    let (count, rereads, in_progress, undated, items) = checked.await.unwrap();
    assert!(count >= 320, "{count} books");
    assert_eq!((rereads, in_progress, undated, items), (25, 4, 9, 17));
}

#[tokio::test]
async fn the_reader_has_something_of_everything() {
    let (server, lines) = furnished().await;
    let [_, email, password] = &lines[0];
    let reader = server.visitor().log_in_with(email, password).await;
    let get = async |path: &str| reader.get(path).await.expect(200);
    let books = get("/api/books").await["data"].as_array().unwrap().clone();
    let covered: Vec<_> = books.iter().filter(|book| !book["cover"].is_null()).collect();
    assert!(covered.len() >= 40, "{} covers", covered.len());
    let picture = reader.get(covered[0]["cover"]["url"].as_str().unwrap()).await;
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/png"));
    assert_eq!(books.iter().filter(|book| !book["completedFrom"].is_null()).count(), 3);
    let series = get("/api/series").await["data"].as_array().unwrap().clone();
    let holmes = series.iter().find(|series| series["name"] == "Sherlock Holmes").unwrap();
    assert_eq!(holmes["missing"], serde_json::json!([2, 4]), "{holmes}");
    let tags = get("/api/tags").await["data"].as_array().unwrap().clone();
    assert!(tags[..2].iter().all(|tag| tag["shelf"] == true && tag["icon"].is_string()), "{tags:?}");
    let imports = get("/api/imports").await["data"].as_array().unwrap().clone();
    let numbers = |key: &str| imports[0][key].as_i64().unwrap();
    assert_eq!((imports.len(), numbers("imported"), numbers("importedTbr"), numbers("errors")), (1, 10, 2, 0));
    assert_eq!(get("/api/shares").await["data"][0]["kind"], "review");
    let device = get("/api/devices").await["data"][0].clone();
    assert_eq!((&device["reports"]["books"], &device["reports"]["unknown"]), (&1.into(), &1.into()), "{device}");
    assert!(device["reports"]["days"].as_i64().unwrap() > 4, "{device}");
    assert_eq!(get("/api/goals").await["data"].as_array().unwrap().len(), 2);
    reader.delete(&format!("/api/imports/{}", imports[0]["id"])).await.expect(200);
    assert_eq!(get("/api/books").await["data"].as_array().unwrap().len(), books.len() - 10);
}

#[tokio::test]
async fn a_reread_comes_after_the_first_reading() {
    let (server, _) = furnished().await;
    let wrong = server.db.read(|conn| {
        let sql = "SELECT a.title FROM books a JOIN books b USING (user_id, title_key, author_key)
            WHERE a.reread = 1 AND b.reread = 0 AND a.date_completed <= b.date_completed";
        Ok(conn.prepare(sql)?.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?)
    });
    assert_eq!(wrong.await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn the_program_shows_its_demo_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = shelfwise();
    command.args(["serve", "--demo", "--listen", "127.0.0.1:0"]).env("TMPDIR", folder.path());
    let mut demo = Program::start(command);
    let people: Vec<_> = demo.printed.iter().take(3).map(|line| parts(line)).collect();
    assert_eq!(people.iter().map(|[part, ..]| part.as_str()).collect::<Vec<_>>(), ["reader", "operator", "team"]);

    let visitor = Visitor::at(demo.address());
    assert_eq!(visitor.get("/api/site").await.expect(200)["demo"], true);
    let [_, email, password] = &people[0];
    let reader = visitor.log_in_with(email, password).await;
    let stats = reader.get("/api/stats").await.expect(200);
    assert!(stats["library"]["total"].as_i64().unwrap() >= 200, "{}", stats["library"]);

    let left =
        || std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect::<Vec<PathBuf>>();
    assert_eq!(left().len(), 1);
    assert_eq!(demo.stop(), Some(0));
    assert_eq!(left(), Vec::<PathBuf>::new());
}

#[tokio::test]
async fn the_demo_uses_no_services_of_the_machines_own_server() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = shelfwise();
    command.args(["serve", "--demo", "--listen", "127.0.0.1:0"]).env("TMPDIR", folder.path());
    command.env("SHELFWISE_SOCIAL_GITHUB_CLIENT_ID", "an id").env("SHELFWISE_SOCIAL_GITHUB_CLIENT_SECRET", "a secret");
    command.env("SHELFWISE_PASSWORD_LOGIN", "false").env("SHELFWISE_STRIPE_SECRET_KEY", "sk_test_1");
    command.env("SHELFWISE_STRIPE_WEBHOOK_SECRET", "whsec_1");
    command.env("SHELFWISE_BACKUP_TO", folder.path().join("backups")).env("SHELFWISE_BACKUP_EVERY", "1s");
    let demo = Program::start(command);
    let [_, email, password] = parts(&demo.printed[0]);
    let visitor = Visitor::at(demo.address());
    assert_eq!(visitor.get("/api/auth/providers").await.expect(200)["data"], serde_json::json!([]));
    assert_eq!(visitor.get("/api/site").await.expect(200)["billing"], false);
    visitor.log_in_with(&email, &password).await;
    assert!(!folder.path().join("backups").exists());
}
