//! Imports and the to-be-read list: what an export brings as read leaves the list, and comes back with an undo.
use serde_json::{Value, json};

use crate::support::actors::Reader;
use crate::support::harness::TestServer;

const HEADER: &str =
    "Book Id,Title,Author,My Rating,Number of Pages,Exclusive Shelf,Date Read,Date Added,Private Notes\n";
/// The rows of an export, and of a later one: one book was read in between, another one is being read.
const WANTED: &str = "1,Sand,A B,0,200,to-read,,2019/06/07,from Ben\n2,Sea,A B,0,,to-read,,2019/06/07,\n3,Sky,A B,0,,to-read,,2019/06/07,\n";
const READ: &str = "1,Sand,A B,5,200,read,2024/03/04,2019/06/07,from Ben\n2,Sea,A B,0,,to-read,,2019/06/07,\n3,Sky,A B,0,,currently-reading,,2019/06/07,\n";

async fn import(reader: &Reader, rows: &str) -> Value {
    reader.upload("/api/books/import", "goodreads.csv", format!("{HEADER}{rows}"), &[]).await.expect(200)
}

/// The list but for the times of the call.
async fn list(reader: &Reader) -> Vec<Value> {
    reader.get("/api/tbr").await.expect(200)["data"].as_array().unwrap().clone()
}

async fn titles(reader: &Reader) -> Vec<String> {
    list(reader).await.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_book_that_was_read_since_leaves_the_list_and_comes_back_with_the_undo() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    import(&reader, WANTED).await;
    let before = list(&reader).await;
    let preview = reader
        .upload("/api/books/import?dryRun=true", "goodreads.csv", format!("{HEADER}{READ}"), &[])
        .await
        .expect(200);
    assert_eq!((&preview["takenOffTbr"], titles(&reader).await.len()), (&json!(1), 3), "a preview writes nothing");
    let report = import(&reader, READ).await;
    assert_eq!(
        (&report["imported"], &report["importedTbr"], &report["takenOffTbr"]),
        (&json!(2), &json!(0), &json!(1))
    );
    assert_eq!(titles(&reader).await, ["Sea", "Sky"]);
    let again = import(&reader, READ).await;
    assert!(again["imported"] == 0 && again.get("takenOffTbr").is_none(), "{again}");
    // The former export has the book on its list, which does not bring it back.
    assert_eq!(import(&reader, WANTED).await["importedTbr"], 0);
    let undone = reader.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
    assert_eq!(undone, json!({"removed": 2, "removedTbr": 0, "restoredTbr": 1, "kept": [], "keptTbr": []}));
    assert_eq!(list(&reader).await, before, "each item is in its place, with its number and notes");
    assert_eq!(import(&reader, WANTED).await["importedTbr"], 0, "the item is still that of its row");
    assert_eq!(import(&reader, READ).await["takenOffTbr"], 1);
}

#[tokio::test]
async fn an_item_stays_off_the_list_while_its_book_stays() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    reader.post("/api/tbr", json!({"title": "SAND", "author": "a b", "notes": "by hand"})).await.expect(201);
    reader.post("/api/tbr", json!({"title": "Sand"})).await.expect(201);
    let report = import(&reader, READ).await;
    assert_eq!(report["takenOffTbr"], 1, "titles and authors are compared without case");
    assert_eq!(titles(&reader).await, ["Sand", "Sea"], "an item without an author may be another book");
    let books = reader.get("/api/books?titleSearch=Sand").await.expect(200);
    let book = books["data"][0]["id"].as_i64().unwrap();
    reader.patch(&format!("/api/books/{book}"), json!({"rating": 1})).await.expect(200);
    let undone = reader.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
    assert!(undone.get("restoredTbr").is_none() && undone["kept"][0]["id"] == book, "{undone}");
    assert_eq!(titles(&reader).await, ["Sand"]);
}

/// An item that its reader changed outlives the undo of the import that listed it, also while another import has it off the list.
#[tokio::test]
async fn a_changed_item_comes_back_though_the_import_that_listed_it_was_undone() {
    let server = TestServer::start().await;
    for is_undone_first in [true, false] {
        let reader = server.plus().await;
        let undo =
            async |report: &Value| reader.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
        let wanted = import(&reader, WANTED).await;
        let sand = list(&reader).await[0].clone();
        reader.patch(&format!("/api/tbr/{}", sand["id"]), json!({"notes": "from Ada"})).await.expect(200);
        let changed = list(&reader).await[0].clone();
        if is_undone_first {
            undo(&wanted).await;
        }
        let read = import(&reader, READ).await;
        assert_eq!(read["takenOffTbr"], 1, "{read}");
        if !is_undone_first {
            undo(&wanted).await;
        }
        assert_eq!(undo(&read).await["restoredTbr"], 1, "{is_undone_first}");
        assert_eq!(list(&reader).await, [changed]);
        let lost = "SELECT count(*) FROM imported_items WHERE row_id NOT IN (SELECT id FROM import_rows)";
        let lost = server.db.read(|conn| Ok(conn.query_row(lost, [], |row| row.get::<_, i64>(0))?)).await.unwrap();
        assert_eq!(lost, 0, "an item is linked to a row that is gone");
    }
}

#[tokio::test]
async fn an_item_that_the_file_itself_lists_goes_on_waiting() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    import(&reader, WANTED).await;
    // Read years ago, and wanted again: the row makes the finished read and stays an item.
    let report = import(&reader, "1,Sand,A B,5,200,to-read,2012/03/04,2019/06/07,from Ben\n").await;
    assert!(report["imported"] == 1 && report.get("takenOffTbr").is_none(), "{report}");
    assert_eq!(titles(&reader).await, ["Sand", "Sea", "Sky"]);
}

/// So it is in a newer file: another edition was read, and the row on the list has other notes or the same ones.
#[tokio::test]
async fn an_item_that_a_newer_file_still_lists_goes_on_waiting() {
    let server = TestServer::start().await;
    for (title, notes) in [("Sand", "from Ben"), ("Sand", "from Ada"), ("Sands", "from Ada")] {
        let reader = server.plus().await;
        import(&reader, WANTED).await;
        let item = list(&reader).await[0]["id"].clone();
        if title != "Sand" {
            reader.patch(&format!("/api/tbr/{item}"), json!({"title": title})).await.expect(200);
        }
        let rows = format!("{}4,{title},A B,5,200,read,2024/03/04,2019/06/07,\n", WANTED.replace("from Ben", notes));
        let text = format!("{HEADER}{rows}");
        let report = reader.upload("/api/books/import?mode=sync", "goodreads.csv", text, &[]).await.expect(200);
        assert!(report["imported"] == 1 && report.get("takenOffTbr").is_none(), "{report}");
        let first = list(&reader).await[0].clone();
        assert_eq!((&first["id"], &first["title"]), (&item, &json!(title)));
    }
}

#[tokio::test]
async fn restoring_our_own_files_keeps_the_list_in_any_order() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    import(&reader, WANTED).await;
    let own = "Title,Author,Word Count,Date Completed,Rating,Format,Reread,Genres\nSand,A B,5,2012-03-04,5,Print,No,\n";
    let report = reader.upload("/api/books/import", "books.csv", own, &[]).await.expect(200);
    assert!(report["format"] == "shelfwise" && report.get("takenOffTbr").is_none(), "{report}");
    assert_eq!(titles(&reader).await, ["Sand", "Sea", "Sky"]);
}

#[tokio::test]
async fn an_item_that_was_put_back_by_hand_is_not_doubled() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    import(&reader, WANTED).await;
    let report = import(&reader, READ).await;
    reader.post("/api/tbr", json!({"title": "Sand", "author": "A B"})).await.expect(201);
    let undone = reader.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
    assert!(undone.get("restoredTbr").is_none(), "{undone}");
    assert_eq!(titles(&reader).await, ["Sea", "Sky", "Sand"]);
}

#[tokio::test]
async fn cells_that_cannot_be_read_are_noted_and_their_rows_imported() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let rows = "1,Sand,A B,17,many,read,2024/03/04,2019/06/07,\n2,Sea,A B,4,,read,never,2019/06/07,\n";
    let report = import(&reader, rows).await;
    assert_eq!((&report["imported"], &report["errors"], &report["noted"]), (&json!(1), &json!(1), &json!(2)));
    let fields: Vec<_> =
        report["notes"].as_array().unwrap().iter().map(|note| (&note["row"], &note["field"])).collect();
    assert_eq!(fields, [(&json!(2), &json!("rating")), (&json!(2), &json!("pages"))]);
    let again = import(&reader, rows).await;
    assert!(again.get("noted").is_none() && again.get("notes").is_none(), "only new rows are noted: {again}");
}

#[tokio::test]
async fn a_page_of_yamtrack_is_the_place_in_the_book() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let rows = "media_id,source,media_type,title,score,progress,status,start_date,end_date,notes,progressed_at\n\
        1,hardcover,book,Now,,150,In progress,2024-01-01,,,2024-01-09T20:00:00+00:00\n";
    reader.upload("/api/books/import", "yamtrack.csv", rows, &[]).await.expect(200);
    let book = reader.get("/api/books").await.expect(200)["data"][0].clone();
    let days = reader.get(&format!("/api/books/{}/days", book["id"])).await.expect(200);
    let day = &days["data"][0];
    assert_eq!(
        (&day["day"], &day["page"], days["data"].as_array().unwrap().len()),
        (&json!("2024-01-09"), &json!(150), 1)
    );
    // The place is known as soon as the book has a page count.
    let path = format!("/api/books/{}", book["id"]);
    let longer = reader.patch(&path, json!({"pages": 300})).await.expect(200);
    assert_eq!(longer["book"]["progress"], json!({"at": 5_000, "page": 150, "day": "2024-01-09"}));
}

/// Format and tags of a row come with its item, and go on with the book that the item becomes.
#[tokio::test]
async fn an_imported_item_keeps_what_its_row_says_when_it_is_started() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let storygraph = "Title,Authors,Format,Read Status,Star Rating,Dates Read,Tags\n\
        Momo,Michael Ende,audio,to-read,,,\"club, lent\"\n";
    reader.upload("/api/books/import", "storygraph.csv", storygraph, &[]).await.expect(200);
    let goodreads = "Book Id,Title,Author,My Rating,Binding,Number of Pages,Bookshelves,Exclusive Shelf\n\
        1,Kim,Rudyard Kipling,0,Kindle Edition,100,\"to-read, club, 2023-challenge\",to-read\n";
    reader.upload("/api/books/import", "goodreads.csv", goodreads, &[]).await.expect(200);
    let items = reader.get("/api/tbr").await.expect(200)["data"].clone();
    let mut kept = Vec::new();
    for item in items.as_array().unwrap() {
        let book = reader.post(&format!("/api/tbr/{}/start", item["id"]), json!({})).await.expect(201)["book"].clone();
        for field in ["title", "format", "tags", "wordCount", "pages"] {
            assert_eq!(book[field].as_i64().unwrap_or(0), item[field].as_i64().unwrap_or(0), "{field}: {book}");
        }
        assert_eq!((&book["tags"], &book["format"]), (&item["tags"], &item["format"]), "{book}");
        kept.push(json!([book["title"], book["format"], book["tags"], book["wordCountSource"]]));
    }
    assert_eq!(
        kept,
        [
            json!(["Momo", "Audio", ["club", "lent"], "entered"]),
            json!(["Kim", "eBook", ["club", "2023-challenge"], "pages"])
        ]
    );
}
