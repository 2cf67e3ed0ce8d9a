//! Filling in: libraries that the first version imported become what a new import of the same file makes, and the undo is exact.
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::NaiveDate;
use rusqlite::Connection;
use serde_json::{Value, json};
use shelfwise::config::Quotas;
use shelfwise::kit::ErrorCode;
use shelfwise::kit::db::pool::{Db, Tx};
use shelfwise::kit::deadline::Deadline;
use shelfwise::kit::id::UserId;
use shelfwise::kit::time_zone::Hemisphere;
use shelfwise::library::books::add::Rules;
use shelfwise::library::books::store;
use shelfwise::library::counters;
use shelfwise::library::covers::store::CoverQuota;
use shelfwise::library::import::complete::Restoring;
use shelfwise::library::import::refill::model::RefillField;
use shelfwise::library::import::refill::{Request, execute, refill, store as refill_store};
use shelfwise::library::import::{LocalFile, Options, Reader as Owner, import_file};

use crate::support::actors::Reader;
use crate::support::harness::TestServer;
use crate::support::schema;

/// The last schema of the first version.
const FIRST_VERSION: i32 = 19;
const ADA: UserId = UserId(1);
const NO_QUOTAS: Quotas = Quotas { books: 0, list_items: 0, text_bytes: 0 };

fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, 12).unwrap()
}

fn file(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/fixtures/import/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// Imports a file as a new reader of today's version does. Returns how many books it made.
fn import(db: &Db, name: &str, bytes: &[u8]) -> usize {
    let owner = Owner { owner: ADA, hemisphere: Hemisphere::North, today: today(), visible_from: None };
    let rules = Rules { book_limit: None, detect_rereads: false, quotas: NO_QUOTAS };
    let file = LocalFile { name, bytes, options: Options::default(), sync: false };
    let restoring = Restoring { parts: &[], covers: CoverQuota(0), preferences: false };
    import_file(db, owner, rules, file, restoring, false).unwrap().imported
}

fn request(fields: Option<&[RefillField]>) -> Request {
    let fields = fields.map(|fields| fields.iter().copied().collect());
    Request { owner: ADA, hemisphere: Hemisphere::North, today: today(), fields, deadline: Deadline::default() }
}

/// Every book as its reader sees it, without the moments of writing.
fn library(db: &Db) -> BTreeMap<i64, Value> {
    let books = db.write_blocking(|tx| {
        let mut books = BTreeMap::new();
        store::each(tx, ADA, |book| {
            let mut value = serde_json::to_value(&book)?;
            for key in ["createdAt", "updatedAt"] {
                value.as_object_mut().unwrap().remove(key);
            }
            books.insert(book.id.0, value);
            Ok(())
        })?;
        Ok(books)
    });
    books.unwrap()
}

/// What a table has, row by row.
fn rows(conn: &Connection, table: &str) -> Vec<String> {
    let mut query = conn.prepare(&format!("SELECT * FROM {table}")).unwrap();
    let columns = query.column_count();
    let rows = query
        .query_map([], |row| Ok((0..columns).map(|at| format!("{:?}|", row.get_ref(at).unwrap())).collect::<String>()));
    rows.unwrap().map(Result::unwrap).collect()
}

/// What the first version called a book: its title as in the file.
fn first_title(header: &[String], raw: &str, title: &str) -> String {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(raw.as_bytes());
    let cells = reader.records().next().unwrap().unwrap();
    let at = header.iter().position(|name| name.eq_ignore_ascii_case("title")).unwrap();
    let cell = cells.get(at).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    if cell.ends_with(')') && cell.starts_with(title) { cell } else { title.to_owned() }
}

/// Writes a database as the first version left it after importing what `new` imported: it kept the same raw rows, read neither series nor
/// people nor the edition, left the series in titles, wrote authors as one text, rounded ratings to whole points and gave them with the
/// review to every dated read of a row. It left out books that were given up, with their rows. Returns how many those are.
fn first_version(path: &Path, new: &Path) -> usize {
    schema::earlier(path, FIRST_VERSION, 0);
    let conn = Connection::open(path).unwrap();
    conn.execute("ATTACH DATABASE ?1 AS new", [new.to_str().unwrap()]).unwrap();
    conn.execute_batch(
        "INSERT INTO imports (id, user_id, file_name, kind, format, header, delimiter, imported, imported_tbr, errors, skipped, created_at)
            SELECT id, user_id, file_name, kind, format, header, delimiter, imported, imported_tbr, errors, 1, '2026-03-03T08:00:00Z'
            FROM new.imports;
         INSERT INTO import_rows (id, raw, reason, field)
            SELECT id, raw, reason, field FROM new.import_rows WHERE id IN
                (SELECT row_id FROM new.imported_books m JOIN new.books b ON b.id = m.book_id WHERE b.status <> 'did-not-finish');
         CREATE TEMP TABLE newest AS SELECT m.row_id, max(b.rating) AS rating, max(t.impressions) AS impressions
            FROM new.imported_books m JOIN new.books b ON b.id = m.book_id LEFT JOIN new.book_texts t ON t.book_id = b.id
            GROUP BY m.row_id;
         INSERT INTO books (id, user_id, status, date_completed, start_date, word_count, rating, format, reread, word_distribution, title,
                author, title_key, author_key, genres, pages, isbn, word_count_source, has_texts, created_at, updated_at)
            SELECT b.id, b.user_id, b.status, b.date_completed, b.start_date, b.word_count,
                CASE WHEN b.status = 'completed' THEN (n.rating + 5) / 10 ELSE (b.rating + 5) / 10 END, b.format, b.reread,
                b.word_distribution, b.title, replace(b.author, char(31), ', '), b.title_key, b.author_key, b.genres, b.pages, b.isbn,
                b.word_count_source, 0, b.created_at, b.updated_at
            FROM new.books b JOIN new.imported_books m ON m.book_id = b.id JOIN newest n ON n.row_id = m.row_id
            WHERE b.status <> 'did-not-finish' AND b.completed_from IS NULL;
         INSERT INTO imported_books (book_id, row_id, row_key, nth) SELECT book_id, row_id, row_key, nth FROM new.imported_books WHERE book_id IN (SELECT id FROM books);
         INSERT INTO book_texts (book_id, impressions, quotes)
            SELECT b.id, CASE WHEN b.status = 'completed' THEN n.impressions ELSE t.impressions END, '[]'
            FROM books b JOIN imported_books m ON m.book_id = b.id JOIN newest n ON n.row_id = m.row_id
                LEFT JOIN new.book_texts t ON t.book_id = b.id
            WHERE CASE WHEN b.status = 'completed' THEN n.impressions ELSE t.impressions END IS NOT NULL;
         UPDATE books SET has_texts = 1 WHERE id IN (SELECT book_id FROM book_texts);
         UPDATE libraries SET books = (SELECT count(*) FROM books), last_book = (SELECT max(id) & 0xffffff FROM new.books), text_bytes =
            (SELECT coalesce(sum(octet_length(title) + octet_length(author) + octet_length(genres)), 0) FROM books)
            + (SELECT coalesce(sum(coalesce(octet_length(impressions), 0) + octet_length(quotes)), 0) FROM book_texts)
            + (SELECT coalesce(sum(octet_length(header) + octet_length(file_name)), 0) FROM imports)
            + (SELECT coalesce(sum(octet_length(raw) + coalesce(octet_length(reason), 0)), 0) FROM import_rows);",
    )
    .unwrap();
    let header: String = conn.query_row("SELECT header FROM imports", [], |row| row.get(0)).unwrap();
    let header: Vec<String> = serde_json::from_str(&header).unwrap();
    let titles: Vec<(i64, String, String)> = conn
        .prepare("SELECT b.id, b.title, r.raw FROM books b JOIN imported_books m ON m.book_id = b.id JOIN import_rows r ON r.id = m.row_id")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    for (id, title, raw) in titles {
        let title = first_title(&header, &raw, &title);
        let key = shelfwise::library::text::title_key(&title);
        conn.execute("UPDATE books SET title = ?2, title_key = ?3 WHERE id = ?1", (id, title, key)).unwrap();
    }
    let left_out = "SELECT count(*) FROM new.books WHERE id NOT IN (SELECT id FROM books)";
    let left_out: i64 = conn.query_row(left_out, [], |row| row.get(0)).unwrap();
    usize::try_from(left_out).unwrap()
}

/// A database that today's version made, with the file imported.
fn new_version(path: &Path, name: &str, bytes: &[u8]) -> BTreeMap<i64, Value> {
    schema::earlier(path, shelfwise::kit::db::pool::known_schema() - 1, 0);
    let db = Db::open(path).unwrap();
    import(&db, name, bytes);
    let books = library(&db);
    db.close();
    books
}

/// Books with what a fill-in can't know: which day a paused book has rested since.
fn comparable(mut book: Value) -> Value {
    book["pausedSince"] = Value::Null;
    book
}

const SERIES: &str = "Book Id,Title,Author,Additional Authors,ISBN13,My Rating,Publisher,Number of Pages,Year Published,\
    Original Publication Year,Date Read,Bookshelves,Exclusive Shelf,My Review,Read Count,Owned Copies\n\
    1,\"Tide  (The Sea, #2)\",Ann  Able,\"Ben Bold, Cy Cold\",,5,Harbour,300,2001,1960,2020/03/04,library,read,Deep,1,1\n\
    2,\"Shore (The Sea #1)\",Ann Able,,9780441013593,4,Harbour,,2000,-20,2019/03/04,,read,,1,0\n\
    3,Plain,Dee Dune,,,0,,120,,,,,read,,2,0\n\
    4,Now (Later),Dee Dune,,,0,Quay,,1999,,,,currently-reading,,1,0\n";

#[test]
fn a_library_of_the_first_version_becomes_what_a_new_import_makes() {
    let without_authors: Vec<RefillField> =
        RefillField::ALL.into_iter().filter(|field| *field != RefillField::Authors).collect();
    let files = [
        // The additional authors of Goodreads are contributors after an import, so they do not become authors here.
        ("series.csv", SERIES.as_bytes().to_vec(), &without_authors[..]),
        ("goodreads-24.csv", file("goodreads-24.csv"), &without_authors[..]),
        ("goodreads-31.csv", file("goodreads-31.csv"), &without_authors[..]),
        ("storygraph.csv", file("storygraph.csv"), &RefillField::ALL[..]),
        ("hardcover.csv", file("hardcover.csv"), &RefillField::ALL[..]),
        ("openreads.csv", file("openreads.csv"), &RefillField::ALL[..]),
        ("calibre.csv", file("calibre.csv"), &RefillField::ALL[..]),
    ];
    for (name, bytes, fields) in files {
        let folder = tempfile::tempdir().unwrap();
        let (new, old) = (folder.path().join("new.db"), folder.path().join("old.db"));
        let expected = new_version(&new, name, &bytes);
        let left_out = first_version(&old, &new);
        let db = Db::open(&old).unwrap();
        let before = library(&db);
        let report = refill(&db, &request(Some(fields)), NO_QUOTAS, false).unwrap();
        let after = library(&db);
        assert!(report.books > 0 && before != after, "{name}: nothing was filled in");
        for (id, book) in &after {
            assert_eq!(comparable(book.clone()), comparable(expected[id].clone()), "{name}");
        }
        assert_eq!(report.files[0].not_kept, 1, "{name}: rows of the first version were not kept");
        let again = refill(&db, &request(Some(fields)), NO_QUOTAS, false).unwrap();
        assert_eq!((again.books, again.undo_id), (0, None), "{name}: a second fill-in finds nothing");
        // The same file adds only the books that the first version left out.
        assert_eq!(import(&db, name, &bytes), left_out, "{name}");
        db.close();
    }
}

#[test]
fn what_its_reader_changed_stays() {
    let folder = tempfile::tempdir().unwrap();
    let (new, old) = (folder.path().join("new.db"), folder.path().join("old.db"));
    new_version(&new, "series.csv", SERIES.as_bytes());
    first_version(&old, &new);
    let db = Db::open(&old).unwrap();
    db.write_blocking(|tx| {
        tx.execute_batch(
            "UPDATE books SET title = 'The Tide (The Sea, #2)', publisher = 'Mine', rating = 60, changes = 1 WHERE title LIKE 'Tide%'",
        )?;
        Ok(())
    })
    .unwrap();
    let report = refill(&db, &request(None), NO_QUOTAS, false).unwrap();
    assert_eq!((report.books, report.kept), (3, 1));
    let after = library(&db);
    let tide = after.values().find(|book| book["title"] == "The Tide (The Sea, #2)").expect("the title stays");
    assert_eq!(
        (&tide["publisher"], &tide["rating"], &tide["series"]["number"], &tide["originalYear"], &tide["tags"]),
        (&json!("Mine"), &json!(6), &json!("2"), &json!(1960), &json!(["library", "owned"]))
    );
    let chosen: Vec<_> = report.fields.iter().filter(|field| !field.chosen).map(|field| field.field).collect();
    assert_eq!(chosen, [RefillField::Authors, RefillField::AudioPages, RefillField::CopiedRatings]);
    let authors = report.fields.iter().find(|field| field.field == RefillField::Authors).unwrap();
    assert_eq!(authors.examples[0].after.as_deref(), Some("Ann Able, Ben Bold, Cy Cold"));
    db.close();
}

/// Every row of the tables that hold a library.
fn snapshot(server: &TestServer) -> Vec<Vec<String>> {
    let conn = Connection::open(server.folder().join("shelfwise.db")).unwrap();
    [
        "books", "book_texts", "reading_days", "read_months", "tbr", "covers", "tag_styles", "imported_books",
        "import_rows",
    ]
    .map(|table| rows(&conn, table))
    .to_vec()
}

async fn fill_in(reader: &Reader, query: &str, body: Value) -> Value {
    reader.post(&format!("/api/refill{query}"), body).await.expect(200)
}

fn count(report: &Value, field: &str) -> Value {
    let fields = report["fields"].as_array().unwrap();
    fields.iter().find(|one| one["field"] == field).unwrap()["books"].clone()
}

#[tokio::test]
async fn a_fill_in_is_previewed_done_once_and_undone_exactly() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    reader.upload("/api/books/import", "series.csv", SERIES.as_bytes(), &[]).await.expect(200);
    let nothing = fill_in(&reader, "?dryRun=true", json!({})).await;
    assert_eq!((&nothing["rows"], &nothing["books"], &nothing["undoId"]), (&json!(4), &json!(0), &Value::Null));
    let conn = Connection::open(server.folder().join("shelfwise.db")).unwrap();
    conn.execute(
        "UPDATE books SET series = NULL, series_key = NULL, series_number = NULL, series_sort = NULL, publisher = NULL, tags = ''",
        [],
    )
    .unwrap();
    let title = "Tide (The Sea, #2)";
    let key = shelfwise::library::text::title_key(title);
    conn.execute("UPDATE books SET title = ?1, title_key = ?2 WHERE title = 'Tide'", [title, &key]).unwrap();
    let before = snapshot(&server);
    let preview = fill_in(&reader, "?dryRun=true", json!({})).await;
    assert_eq!(snapshot(&server), before, "a preview writes nothing");
    let counts = ["series", "publisher", "tags", "authors", "pages"].map(|field| count(&preview, field));
    assert_eq!((counts, &preview["books"]), ([json!(2), json!(3), json!(1), json!(1), json!(0)], &json!(3)));
    let series = &preview["fields"][0]["examples"][0];
    assert_eq!(
        (&series["title"], &series["before"], &series["after"]),
        (&json!("Tide (The Sea, #2)"), &Value::Null, &json!("The Sea, #2"))
    );
    assert_eq!((&preview["files"][0]["format"], &preview["files"][0]["books"]), (&json!("goodreads"), &json!(3)));
    let only = fill_in(&reader, "?dryRun=true", json!({"fields": ["tags"]})).await;
    assert_eq!(only["books"], 1);
    let done = fill_in(&reader, "", json!({})).await;
    assert_eq!((&done["books"], &done["fields"]), (&preview["books"], &preview["fields"]));
    let books = reader.get("/api/books").await.expect(200);
    let tide = books["data"].as_array().unwrap().iter().find(|book| book["title"] == "Tide").unwrap().clone();
    assert_eq!((&tide["series"], &tide["publisher"]), (&json!({"name": "The Sea", "number": "2"}), &json!("Harbour")));
    let again = fill_in(&reader, "", json!({})).await;
    assert_eq!((&again["books"], &again["undoId"]), (&json!(0), &Value::Null));
    let operations = reader.get("/api/operations").await.expect(200);
    assert_eq!(
        (&operations["data"][0]["kind"], &operations["data"][0]["summary"]),
        (&json!("fill-in"), &json!("Filled in 3 books from what was imported."))
    );
    let undone = reader.delete(&format!("/api/operations/{}", done["undoId"])).await.expect(200);
    assert_eq!((&undone["restored"], &undone["kept"]), (&json!(3), &json!([])));
    assert_eq!(snapshot(&server), before, "the undo restores every value");
}

const PLACES: &str = "media_id,source,media_type,title,score,progress,status,start_date,end_date,notes,progressed_at\n\
    1,manual,book,Now,,100,In progress,2024-05-01,,,2024-05-05\n2,manual,book,Noted,,50,In progress,2024-05-01,,,2024-05-06\n";

#[tokio::test]
async fn the_place_in_an_open_book_is_filled_in_once_and_taken_back() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    reader.upload("/api/books/import", "yamtrack.csv", PLACES.as_bytes(), &[]).await.expect(200);
    let conn = Connection::open(server.folder().join("shelfwise.db")).unwrap();
    let as_imported = snapshot(&server);
    conn.execute("DELETE FROM reading_days WHERE book_id IN (SELECT id FROM books WHERE title = 'Now')", []).unwrap();
    let before = snapshot(&server);
    let preview = fill_in(&reader, "?dryRun=true", json!({})).await;
    assert_eq!((&preview["books"], count(&preview, "progress")), (&json!(1), json!(1)));
    let place = preview["fields"].as_array().unwrap().iter().find(|one| one["field"] == "progress").unwrap();
    assert_eq!((&place["examples"][0]["title"], &place["examples"][0]["after"]), (&json!("Now"), &json!("page 100")));
    let done = fill_in(&reader, "", json!({})).await;
    assert_eq!(snapshot(&server)[2], as_imported[2], "the log is that of a new import");
    assert_eq!(fill_in(&reader, "", json!({})).await["books"], 0);
    reader.delete(&format!("/api/operations/{}", done["undoId"])).await.expect(200);
    assert_eq!(snapshot(&server), before);
}

#[tokio::test]
async fn a_fill_in_is_planned_again_outside_of_the_writer_when_the_library_changed() {
    let server = TestServer::start().await;
    let (reader, other) = (server.plus().await, server.plus().await);
    reader.upload("/api/books/import", "series.csv", SERIES.as_bytes(), &[]).await.expect(200);
    let owner = UserId(reader.id);
    let empty = |tx: &Tx<'_>| Ok(tx.execute("UPDATE books SET publisher = NULL", [])?);
    server.db.write(empty).await.unwrap();
    let request = Request { owner, ..request(None) };
    let plan = server.db.read(move |conn| refill_store::plan(conn, &request)).await.unwrap();
    let (old, new) = (plan.clone(), plan);
    // A change of another library does not matter.
    other.post("/api/books", json!({"title": "T", "author": "A", "status": "undated"})).await.expect(201);
    reader.post("/api/books", json!({"title": "T", "author": "A", "status": "undated"})).await.expect(201);
    let refused = server.db.write(move |tx| execute(tx, owner, NO_QUOTAS, old)).await.unwrap_err();
    assert_eq!(refused.code(), ErrorCode::LibraryChanged);
    assert_eq!(ErrorCode::LibraryChanged.status(), 409);
    let books = reader.get("/api/books").await.expect(200);
    assert!(books["data"].as_array().unwrap().iter().all(|book| book["publisher"] == Value::Null), "nothing is done");
    assert_eq!(fill_in(&reader, "", json!({})).await["books"], 3);
    let again = server.db.write(move |tx| execute(tx, owner, NO_QUOTAS, new)).await.unwrap_err();
    assert_eq!(again.code(), ErrorCode::LibraryChanged, "the first fill-in is a change, too");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_library_that_changes_all_the_time_is_not_filled_in() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let rows: String = (0..1_000).map(|n| format!("{n},Book {n},Ann Able,Harbour,read\n")).collect();
    let file = format!("Book Id,Title,Author,Publisher,Exclusive Shelf\n{rows}");
    reader.upload("/api/books/import", "goodreads_library_export.csv", file, &[]).await.expect(200);
    server.db.write(|tx| Ok(tx.execute("UPDATE books SET publisher = NULL", [])?)).await.unwrap();
    let (over, owner, db) = (Arc::new(AtomicBool::new(false)), UserId(reader.id), server.db.clone());
    let changes = tokio::spawn({
        let over = over.clone();
        async move {
            while !over.load(Ordering::SeqCst) {
                db.write(move |tx| counters::changed(tx, owner)).await.unwrap();
            }
        }
    });
    let refused = reader.post("/api/refill", json!({})).await;
    over.store(true, Ordering::SeqCst);
    changes.await.unwrap();
    assert_eq!(refused.code(409), "library_changed");
    assert_eq!(fill_in(&reader, "", json!({})).await["books"], 1_000);
}

#[tokio::test]
async fn an_unknown_field_is_refused_and_another_library_is_not_touched() {
    let server = TestServer::start().await;
    let (reader, other) = (server.plus().await, server.plus().await);
    reader.upload("/api/books/import", "series.csv", SERIES.as_bytes(), &[]).await.expect(200);
    assert_eq!(other.post("/api/refill", json!({})).await.expect(200)["rows"], 0);
    let unknown = other.post("/api/refill", json!({"fields": ["colour"]})).await.expect(422);
    let sentence = unknown["fields"]["fields"].as_str().unwrap();
    assert!(sentence.starts_with("This must be series, ") && sentence.ends_with(" or copiedRatings."), "{sentence}");
    let text = other.post("/api/refill", json!({"fields": "series"})).await.expect(422);
    assert_eq!(text["fields"], json!({"fields": "This must be a list."}));
}

#[tokio::test]
async fn books_without_words_get_them_for_many_at_once_and_give_them_back() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let add = async |title: &str, words: i64, pages: Option<i64>| {
        let book = json!({"title": title, "author": "A", "status": "undated", "wordCount": words, "pages": pages});
        reader.post("/api/books", book).await.expect(201);
    };
    add("Paged", 0, Some(100)).await;
    add("Bare", 0, None).await;
    add("Known", 5_000, Some(100)).await;
    let words = async || {
        let books = reader.get("/api/books?sort=title&order=asc").await.expect(200);
        let of = |book: &Value| (book["title"].clone(), book["wordCount"].clone(), book["wordCountSource"].clone());
        books["data"].as_array().unwrap().iter().map(of).collect::<Vec<_>>()
    };
    let before = words().await;
    let only =
        reader.patch("/api/books?titleSearch=known", json!({"wordsFromPages": true, "words": 9})).await.expect(200);
    assert_eq!(only, json!({"changed": 0, "words": 0}), "a word count stays");
    let given = reader.patch("/api/books", json!({"wordsFromPages": true, "words": 80_000})).await.expect(200);
    assert_eq!(given, json!({"changed": 0, "words": 2}));
    let mut after = words().await;
    after.sort_by_key(|(title, ..)| title.to_string());
    assert_eq!(
        after,
        [
            (json!("Bare"), json!(80_000), json!("entered")),
            (json!("Known"), json!(5_000), json!("entered")),
            (json!("Paged"), json!(27_500), json!("pages")),
        ]
    );
    let operation = reader.get("/api/operations").await.expect(200)["data"][0].clone();
    assert_eq!(operation["summary"], "Gave 2 books a word count.");
    reader.delete(&format!("/api/operations/{}", operation["id"])).await.expect(200);
    assert_eq!(words().await, before);
    for wrong in [json!({}), json!({"words": 0}), json!({"words": "many"})] {
        reader.patch("/api/books", wrong).await.expect(422);
    }
}

#[tokio::test]
async fn books_that_lose_the_genre_of_the_filter_get_their_words_all_the_same() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let book = json!({"title": "T", "author": "A", "status": "undated", "pages": 100, "genres": ["Fantasy"]});
    let path = format!("/api/books/{}", reader.post("/api/books", book).await.expect(201)["book"]["id"]);
    let change = json!({"removeGenres": ["Fantasy"], "wordsFromPages": true});
    let changed = reader.patch("/api/books?genres=Fantasy", change).await.expect(200);
    assert_eq!(changed, json!({"changed": 1, "words": 1}));
    let changed = reader.get(&path).await.expect(200)["book"].clone();
    assert_eq!((&changed["genres"], &changed["wordCount"]), (&json!([]), &json!(27_500)));
}

#[tokio::test]
async fn the_undo_of_an_import_removes_books_that_got_a_word_count_with_many_others() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let file = "Title,Authors,Read Status\nEmma,Jane Austen,read\nSula,Toni Morrison,read\n";
    let import = reader.upload("/api/books/import", "storygraph.csv", file.as_bytes(), &[]).await.expect(200);
    assert_eq!(import["imported"], 2);
    assert_eq!(reader.patch("/api/books", json!({"words": 80_000})).await.expect(200)["words"], 2);
    let undone = reader.delete(&format!("/api/imports/{}", import["importId"])).await.expect(200);
    assert_eq!((&undone["removed"], &undone["kept"]), (&json!(2), &json!([])));
}
