//! The same book under several spellings: search, works, the list, imports, authors, and pairs that are likely the same.
use rusqlite::Connection;
use serde_json::{Value, json};
use shelfwise::kit::db::pool::Db;
use shelfwise::library::text::{name_key, title_key};

use crate::support::actors::Reader;
use crate::support::harness::TestServer;
use crate::support::schema;

async fn add(reader: &Reader, title: &str, author: &str, more: Value) -> Value {
    let mut book = json!({"title": title, "author": author, "status": "undated"});
    book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    reader.post("/api/books", book).await.expect(201)["book"].clone()
}

async fn duplicates(reader: &Reader) -> Vec<Value> {
    let found = reader.get("/api/works/duplicates").await.expect(200);
    found["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| json!([one["a"]["id"], one["b"]["id"], one["because"]]))
        .collect()
}

#[tokio::test]
async fn an_upgrade_makes_the_keys_anew_and_joins_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shelfwise.db");
    schema::earlier(&path, 27, 3);
    let titles = [("World\u{2019}s End", "J.R.R. A\u{1f}B"), ("World's End", "J. R. R. A\u{1f}B"), ("Plain", "A")];
    let conn = Connection::open(&path).unwrap();
    for (number, (title, author)) in (1..).zip(titles) {
        let sql =
            "UPDATE books SET title = ?2, title_key = 'old', author = ?3, series = 'Sci-Fi', series_key = 'sci-fi'
            WHERE id = 1 << 24 | ?1";
        conn.execute(sql, (number, title, author)).unwrap();
    }
    conn.execute_batch(
        "INSERT INTO tbr (id, user_id, position, title, title_key, created_at) VALUES (1 << 24 | 1, 1, 1, 'A-B', 'a-b', '')",
    )
    .unwrap();
    conn.close().unwrap();
    let db = Db::open(&path).unwrap();
    let sql = "SELECT title_key, author_key, series_key, id - work FROM books ORDER BY id";
    let read = db.read(move |conn| {
        let mut query = conn.prepare(sql)?;
        let rows = query.query_map([], |row| <(String, String, String, i64)>::try_from(row))?;
        let item: String = conn.query_row("SELECT title_key FROM tbr", [], |row| row.get(0))?;
        Ok((rows.collect::<rusqlite::Result<Vec<_>>>()?, item))
    });
    let (books, item) = read.await.unwrap();
    let expected = titles
        .map(|(title, author)| (title_key(title), name_key(&author.replace('\u{1f}', ", ")), "sci fi".to_owned(), 0));
    assert_eq!((books.as_slice(), item.as_str()), (expected.as_slice(), "a b"));
    db.close();
}

#[tokio::test]
async fn spellings_of_a_title_are_one_book_in_search_works_and_the_list() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    reader.patch("/api/preferences", json!({"autoDetectReread": true})).await.expect(200);
    let first = add(&reader, "The World\u{2019}s Wife", "J.R.R. Duffy", json!({})).await;
    let second = add(
        &reader,
        "The World's Wife",
        "J. R. R. Duffy",
        json!({"status": "completed", "dateCompleted": "2024-01-02"}),
    )
    .await;
    assert_eq!((&second["work"], &second["reread"]), (&first["work"], &json!(true)));
    for query in ["worlds+wife", "world's", "world%E2%80%99s", "theworlds", "wife!"] {
        let found = reader.get(&format!("/api/books?titleSearch={query}")).await.expect(200);
        assert_eq!(found["matching"], 2, "{query}");
    }
    let stats = reader.get("/api/stats?authors=J+R+R+Duffy").await.expect(200);
    assert_eq!((&stats["kpis"]["booksRead"], &stats["kpis"]["authors"]), (&json!(2), &json!(1)));
    assert_eq!(stats["authors"][0]["name"], "J. R. R. Duffy");
    reader.post("/api/tbr", json!({"title": "Crime & Punishment", "author": "F. M. Dostoevsky"})).await.expect(201);
    let file = "Title,Author,Date Completed\nCrime and Punishment,F.M. Dostoevsky,2024-03-04\n";
    let made = reader.upload("/api/books/import", "books.csv", file, &[]).await.expect(200);
    assert_eq!((&made["imported"], &made["takenOffTbr"]), (&json!(1), &json!(1)));
    let again = file.replace("Crime and", "Crime &").replace("F.M.", "F M");
    let again = reader.upload("/api/books/import", "books.csv", again, &[]).await.expect(200);
    assert_eq!((&again["imported"], &again["skipped"]), (&json!(0), &json!(1)));
}

#[tokio::test]
async fn works_that_are_likely_the_same_are_listed_until_they_are_joined_or_kept_apart() {
    let server = TestServer::start().await;
    let (reader, other) = (server.plus().await, server.plus().await);
    let alone = || json!({"work": null});
    let isbn = || json!({"work": null, "isbn": "9780141439518"});
    let mut ids = Vec::new();
    for (title, author, more) in [
        ("Good Omens", "Neil Gaiman", json!({"work": null, "authors": ["Neil Gaiman", "Terry Pratchett"]})),
        ("Good Omens!", "Terry Pratchett", alone()),
        ("Pride and Prejudice", "Jane Austen", isbn()),
        ("Stolz und Vorurteil", "Jane Austen", isbn()),
        ("Emma", "Jane Austen", alone()),
        ("EMMA (Classics, #1)", "Jane  Austen", alone()),
        ("Emma", "Somebody Else", alone()),
    ] {
        ids.push(add(&reader, title, author, more).await["id"].clone());
    }
    let (names, isbn) = (json!([ids[4], ids[5], "same title and author"]), json!([ids[2], ids[3], "same ISBN"]));
    let shared = json!([ids[0], ids[1], "same title, one author shared"]);
    assert_eq!(duplicates(&reader).await, [names, isbn, shared.clone()]);
    let found = reader.get("/api/works/duplicates").await.expect(200);
    let work = reader.get(&format!("/api/works/{}", ids[4])).await.expect(200);
    assert_eq!(found["data"][0]["a"], work["work"]);
    let distinct = format!("/api/works/{}/distinct", ids[3]);
    reader.post(&distinct, json!({"work": ids[2]})).await.expect(204);
    reader.post(&distinct, json!({"work": ids[2]})).await.expect(204);
    reader.post(&format!("/api/works/{}/join", ids[4]), json!({"work": ids[5]})).await.expect(200);
    assert_eq!(duplicates(&reader).await, [shared]);
    for wrong in [json!({}), json!({"work": ids[3]}), json!({"work": "x"})] {
        assert_eq!(reader.post(&distinct, wrong).await.fields(), ["work"]);
    }
    reader.post(&distinct, json!({"work": 7})).await.expect(404);
    other.post(&distinct, json!({"work": ids[2]})).await.expect(404);
    assert_eq!(duplicates(&other).await, Vec::<Value>::new());
}

#[tokio::test]
async fn rows_of_one_read_are_one_book_unless_their_reader_keeps_them() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let file = "Book Id,Title,Author,My Rating,Number of Pages,Date Read,Exclusive Shelf\n\
        1,Emma,Jane Austen,0,474,2025/03/01,read\n2,Emma,Jane Austen,5,400,2025/03/01,read\n";
    let preview = reader.upload("/api/books/import?dryRun=true", "g.csv", file, &[]).await.expect(200);
    assert_eq!((&preview["imported"], &preview["sameRead"], &preview["skipped"]), (&json!(1), &json!(1), &json!(1)));
    let made = reader.upload("/api/books/import", "g.csv", file, &[]).await.expect(200);
    assert_eq!((&made["imported"], &made["sameRead"]), (&json!(1), &json!(1)));
    let again = reader.upload("/api/books/import", "g.csv", file, &[]).await.expect(200);
    assert_eq!((&again["imported"], &again["skipped"]), (&json!(0), &json!(2)));
    let newer = format!("{file}3,Persuasion,Jane Austen,4,250,2025/04/01,read\n");
    let synced = reader.upload("/api/books/import?mode=sync", "g.csv", newer, &[]).await.expect(200);
    assert_eq!((&synced["imported"], &synced["gone"]), (&json!(1), &json!(0)), "{synced}");
    // Without the tracker's own keys rows are known by title and author.
    let nameless = "Title,Authors,ISBN/UID,Format,Read Status,Last Date Read,Star Rating\n\
        Emma,Jane Austen,,paperback,read,2025/03/01,4\nEmma,Jane Austen,,digital,read,2025/03/01,4\n";
    let other = server.plus().await;
    let made = other.upload("/api/books/import", "s.csv", nameless, &[]).await.expect(200);
    let synced = other.upload("/api/books/import?mode=sync", "s.csv", nameless, &[]).await.expect(200);
    assert_eq!(
        (&made["imported"], &synced["imported"], &synced["unchanged"]),
        (&json!(1), &json!(0), &json!(1)),
        "{synced}"
    );
    let keeper = server.plus().await;
    let keep = [("sameRead", "keep")];
    let preview = keeper.upload("/api/books/import?dryRun=true", "g.csv", file, &keep).await.expect(200);
    assert_eq!((&preview["imported"], &preview["sameRead"]), (&json!(2), &json!(1)), "the choice can be taken back");
    let kept = keeper.upload("/api/books/import", "g.csv", file, &keep).await.expect(200);
    assert!(kept["imported"] == 2 && kept.get("sameRead").is_none(), "{kept}");
    let again = keeper.upload("/api/books/import", "g.csv", file, &[]).await.expect(200);
    assert_eq!((&again["imported"], &again["skipped"]), (&json!(0), &json!(2)));
    let wrong = keeper.upload("/api/books/import", "g.csv", file, &[("sameRead", "yes")]).await;
    assert_eq!(wrong.fields(), ["sameRead"]);
}
