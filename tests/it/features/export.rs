//! The complete export.
use std::io::{Cursor, Read as _};

use serde_json::{Value, json};
use shelfwise::access::Plan;

use crate::support::harness::TestServer;

#[tokio::test]
async fn the_export_is_a_zip_of_the_whole_account() {
    let server = TestServer::start().await;
    let (nora, other) = (server.reader().await, server.reader().await);
    other.post("/api/books", json!({"title": "Foreign", "author": "B", "status": "undated"})).await.expect(201);
    let book = json!({"title": "=SUM(1)", "author": "A", "status": "undated", "quotes": ["One, \"two\""]});
    nora.post("/api/books", book).await.expect(201);
    nora.post("/api/tbr", json!({"title": "Later"})).await.expect(201);
    let file = "Title,Author\nFrom a file,\"B, C\"\n,nobody\n";
    nora.upload("/api/books/import", "mine.csv", file, &[]).await.expect(200);
    let token = nora.post("/api/account/tokens", json!({"name": "Sync", "access": "read"})).await.expect(201);
    server.set_plan(&nora, Plan::ShelfwisePlus).await;
    shelfwise::admin::write(&server.activity, &server.db).await;
    let id = nora.id;
    let chosen = server
        .db
        .write(move |tx| Ok(tx.execute("INSERT INTO import_choices VALUES (?1, 'shelf', 'owned', 'skip')", [id])?));
    chosen.await.unwrap();

    let answer = nora.get("/api/account/export").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/zip"));
    let disposition = answer.header("content-disposition");
    assert!(disposition.starts_with("attachment; filename=\"shelfwise-") && disposition.ends_with(".zip\""));
    let mut zip = zip::ZipArchive::new(Cursor::new(answer.bytes)).unwrap();
    let mut names: Vec<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
    names.sort();
    let tables = ["books", "preferences", "profile", "tbr"]
        .iter()
        .flat_map(|table| ["csv", "json"].map(|end| format!("{table}.{end}")));
    let records = [
        "activity", "devices", "events", "importChoices", "imports", "knownDevices", "sessions", "shares", "sources",
        "subscription", "team", "tokens",
    ];
    let mut expected: Vec<String> = tables.chain(records.map(|name| format!("{name}.json"))).collect();
    expected.extend(["days.csv", "goals.json", "operations.json", "tags.json", "views.json"].map(str::to_owned));
    expected.sort();
    assert_eq!(names, expected);

    let mut text = |name: &str| {
        let mut text = String::new();
        zip.by_name(name).unwrap().read_to_string(&mut text).unwrap();
        text
    };
    for csv in ["books.csv", "tbr.csv"] {
        assert_eq!(text(csv).as_bytes(), nora.get(&format!("/api/account/export/{csv}")).await.bytes);
    }
    let json = |text: String| serde_json::from_str::<Value>(&text).unwrap();
    let books = json(text("books.json"));
    assert_eq!((&books[0]["title"], &books[0]["quotes"][0]), (&json!("=SUM(1)"), &json!("One, \"two\"")));
    assert_eq!((books.as_array().unwrap().len(), json(text("tbr.json"))[0]["title"].clone()), (2, json!("Later")));
    assert_eq!(json(text("profile.json"))["email"], json!(nora.email));
    assert!(text("profile.csv").contains(&nora.email) && text("preferences.csv").starts_with("autoDetectReread,"));
    let records = ["activity", "events", "importChoices", "knownDevices", "sessions", "subscription", "team", "tokens"];
    for name in records {
        assert!(!text(&format!("{name}.json")).contains(token["secret"].as_str().unwrap()), "{name}");
    }
    let mut record = |name: &str| json(text(&format!("{name}.json")));
    assert_eq!(record("activity")["days"][0]["requests"].as_i64().unwrap(), 5);
    assert_eq!(record("activity")["devices"][0]["os"], json!("other"));
    assert_eq!(record("sessions")[0]["ipAddress"], json!("127.0.0.1"));
    assert_eq!(record("tokens"), json!([token["token"]]));
    assert_eq!(record("subscription"), json!({"grantedPlan": "shelfwise_plus", "subscriptions": [], "checkout": null}));
    assert_eq!(record("team"), json!({"team": null, "invitations": []}));
    assert_eq!(record("importChoices"), json!([{"kind": "shelf", "name": "owned", "choice": "skip"}]));
    assert_eq!(record("knownDevices").as_array().unwrap().len(), 1);
    let events: Vec<_> = record("events").as_array().unwrap().iter().map(|event| event["what"].clone()).collect();
    assert_eq!(events, ["plan_changed", "token_created", "signed_up"]);
    let imports = json(text("imports.json"));
    assert_eq!(
        (&imports[0]["fileName"], &imports[0]["rows"][0]["raw"]),
        (&json!("mine.csv"), &json!("From a file,\"B, C\""))
    );
    assert_eq!(imports[0]["rows"].as_array().unwrap().len(), 2, "refused rows are kept as well");
}

#[tokio::test]
async fn an_export_of_nothing_has_empty_lists() {
    let server = TestServer::start().await;
    let bytes = server.reader().await.get("/api/account/export").await.bytes;
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    for name in ["books.json", "tbr.json", "imports.json"] {
        let list: Value = serde_json::from_reader(zip.by_name(name).unwrap()).unwrap();
        assert_eq!(list, json!([]), "{name}");
    }
}

#[tokio::test]
async fn a_rough_date_is_written_as_typed_in_both_files_and_an_exact_one_as_a_day() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    for date in ["2019", "spring 2020", "before 2015", "2021-03-14"] {
        let book = json!({"title": date, "author": "A", "dateCompleted": date});
        reader.post("/api/books", book).await.expect(201);
    }
    let bytes = reader.get("/api/account/export").await.bytes;
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let books: Value = serde_json::from_reader(zip.by_name("books.json").unwrap()).unwrap();
    let books = books.as_array().unwrap().iter();
    let dates: Vec<_> = books.map(|book| (book["dateCompleted"].clone(), book["completedFrom"].clone())).collect();
    let expected = [
        ("2019", json!("2019-01-01")),
        ("2020-03/2020-05", json!("2020-03-01")),
        ("../2014", json!("1900-01-01")),
        ("2021-03-14", Value::Null),
    ];
    assert_eq!(dates, expected.map(|(date, from)| (json!(date), from)));
    let table = String::from_utf8(reader.get("/api/account/export/books.csv").await.bytes).unwrap();
    for cell in ["2019", "2020-03/2020-05", "../2014", "2021-03-14"] {
        assert!(table.contains(&format!(",{cell},")), "{table}");
    }
}
