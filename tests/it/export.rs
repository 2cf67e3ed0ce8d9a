//! The complete export.
use std::io::{Cursor, Read as _};

use serde_json::{Value, json};

use crate::harness::TestServer;

#[tokio::test]
async fn the_export_is_a_zip_of_everything_that_is_ones_own() {
    let server = TestServer::start().await;
    let (nora, other) = (server.reader().await, server.reader().await);
    other.post("/api/books", json!({"title": "Foreign", "author": "B", "status": "undated"})).await.expect(201);
    let book = json!({"title": "=SUM(1)", "author": "A", "status": "undated", "quotes": ["One, \"two\""]});
    nora.post("/api/books", book).await.expect(201);
    nora.post("/api/tbr", json!({"title": "Later"})).await.expect(201);
    let file = "Title,Author\nFrom a file,\"B, C\"\n,nobody\n";
    nora.upload("/api/books/import", "mine.csv", file, &[]).await.expect(200);

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
    let mut expected: Vec<String> = tables.chain(["imports.json".to_owned()]).collect();
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
