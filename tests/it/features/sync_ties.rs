//! A newer file about books and items that no import made, that came from elsewhere, or that moved in both places: each is found again, and
//! nothing doubles.
use serde_json::{Value, json};

use super::sync::{book, books, stored};
use crate::support::actors::Reader;
use crate::support::harness::TestServer;

const HEADER: &str = "Book Id,Title,Author,ISBN13,My Rating,Publisher,Number of Pages,Date Read,Bookshelves,Exclusive Shelf,My Review,Read Count\n";

async fn upload(reader: &Reader, query: &str, text: String, fields: &[(&str, &str)]) -> Value {
    reader.upload(&format!("/api/books/import{query}"), "goodreads.csv", text, fields).await.expect(200)
}

async fn import(reader: &Reader, rows: &str) -> Value {
    upload(reader, "", format!("{HEADER}{rows}\n"), &[]).await
}

async fn sync(reader: &Reader, rows: &str) -> Value {
    upload(reader, "?mode=sync", format!("{HEADER}{rows}\n"), &[]).await
}

async fn sync_taking(reader: &Reader, rows: &str, take: Value) -> Value {
    upload(reader, "?mode=sync", format!("{HEADER}{rows}\n"), &[("take", &take.to_string())]).await
}

/// A row with shelf, stars and day.
fn row(id: u32, title: &str, shelf: &str, stars: u8, day: &str) -> String {
    let count = u8::from(shelf == "read");
    format!("{id},{title},Ann Author,,{stars},Ace,100,{day},{shelf},{shelf},,{count}")
}

async fn add(reader: &Reader, fields: Value) -> Value {
    let mut payload = json!({"title": "Emma", "author": "Ann Author", "wordCount": 1, "format": "Print"});
    payload.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    reader.post("/api/books", payload).await.expect(201)["book"].clone()
}

async fn items(reader: &Reader) -> Vec<Value> {
    reader.get("/api/tbr").await.expect(200)["data"].as_array().unwrap().clone()
}

async fn titles(reader: &Reader) -> Vec<String> {
    items(reader).await.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect()
}

async fn undo(reader: &Reader, report: &Value) -> Value {
    reader.delete(&format!("/api/operations/{}", report["undoId"])).await.expect(200)
}

#[tokio::test]
async fn a_book_that_was_typed_by_hand_follows_the_file_that_equals_it() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    add(&reader, json!({"status": "completed", "dateCompleted": "2024-05-01", "rating": 8})).await;
    let before = books(&reader).await;
    let first = import(&reader, &row(1, "Emma", "read", 4, "2024/05/01")).await;
    assert_eq!((&first["imported"], &first["skipped"]), (&json!(0), &json!(1)), "{first}");
    let tied = stored(&server).await;
    let rated = sync(&reader, &row(1, "Emma", "read", 5, "2024/05/01")).await;
    assert_eq!((&rated["changed"], &rated["inConflict"]), (&json!(1), &json!(0)), "{rated}");
    assert_eq!(books(&reader).await, ["Emma completed 2024-05-01 10"]);
    undo(&reader, &rated).await;
    assert!(stored(&server).await == tied, "undone");
    sync(&reader, &row(1, "Emma", "read", 5, "2024/05/03")).await;
    assert_eq!(books(&reader).await, ["Emma completed 2024-05-03 10"], "a corrected date is no second read");
    let last = sync(&reader, &row(1, "Emma", "read", 5, "2024/05/03")).await;
    assert_eq!(last["importId"], Value::Null, "{last}");
    let undone = reader.delete(&format!("/api/imports/{}", first["importId"])).await.expect(200);
    assert_eq!((&undone["removed"], books(&reader).await.len()), (&json!(0), before.len()), "it was here before");
}

#[tokio::test]
async fn what_a_reader_changed_in_such_a_book_is_asked_about() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let fields = json!({"status": "completed", "dateCompleted": "2024-05-01", "rating": 7, "publisher": "My press"});
    let id = add(&reader, fields).await["id"].clone();
    import(&reader, &row(1, "Emma", "read", 4, "2024/05/01")).await;
    let newer = row(1, "Emma", "read", 5, "2024/05/01").replace("Ace,100", "Knopf,120");
    let asked = sync(&reader, &newer).await;
    let fields: Vec<_> = asked["conflicts"].as_array().unwrap().iter().map(|one| one["field"].clone()).collect();
    assert_eq!(fields, ["rating", "publisher"], "{asked}");
    assert_eq!(book(&reader, "Emma").await["pages"], 120, "what was empty here is filled in");
    assert_eq!(book(&reader, "Emma").await["rating"], 7);
    let taken = row(1, "Emma", "read", 3, "2024/05/01");
    sync_taking(&reader, &taken, json!({id.to_string(): ["rating"]})).await;
    assert_eq!(book(&reader, "Emma").await["rating"], 6);
}

#[tokio::test]
async fn an_open_read_and_an_item_that_were_here_move_on_with_their_rows() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    add(&reader, json!({"status": "in-progress"})).await;
    let listed = json!({"title": "Momo", "author": "Ann Author"});
    reader.post("/api/tbr", listed).await.expect(201);
    let both =
        |one: &str, day: &str, two: &str| format!("{}\n{}", row(1, "Emma", one, 0, day), row(2, "Momo", two, 0, ""));
    let first = import(&reader, &both("currently-reading", "", "to-read")).await;
    assert_eq!(first["skipped"], 2, "{first}");
    let tied = stored(&server).await;
    let moved = sync(&reader, &both("read", "2024/05/01", "currently-reading")).await;
    assert_eq!((&moved["moved"], &moved["imported"]), (&json!(2), &json!(0)), "{moved}");
    assert_eq!(books(&reader).await, ["Emma completed 2024-05-01 null", "Momo in-progress - null"]);
    assert!(items(&reader).await.is_empty());
    undo(&reader, &moved).await;
    assert!(stored(&server).await == tied, "undone");
}

/// One book is tied to the files of two trackers, each of which changes it by itself.
#[tokio::test]
async fn a_book_follows_the_files_of_two_trackers() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let header = "Title,Authors,ISBN/UID,Format,Read Status,Last Date Read,Read Count,Star Rating,Tags\n";
    let other =
        |stars: &str, format: &str| format!("{header}Emma,Ann Author,uid-1,{format},read,2024/05/01,1,{stars},\n");
    let storygraph = async |query: &str, text: String| {
        reader.upload(&format!("/api/books/import{query}"), "storygraph.csv", text, &[]).await.expect(200)
    };
    storygraph("", other("3", "paperback")).await;
    let skipped = import(&reader, &row(1, "Emma", "read", 3, "2024/05/01")).await;
    assert_eq!(skipped["skipped"], 1, "{skipped}");
    sync(&reader, &row(1, "Emma", "read", 4, "2024/05/01")).await;
    assert_eq!(books(&reader).await, ["Emma completed 2024-05-01 8"]);
    let audio = storygraph("?mode=sync", other("3", "audio")).await;
    assert_eq!((&audio["changed"], &audio["inConflict"]), (&json!(1), &json!(0)), "{audio}");
    assert_eq!(books(&reader).await, ["Emma completed 2024-05-01 8"]);
    assert_eq!(book(&reader, "Emma").await["format"], "Audio");
}

#[tokio::test]
async fn of_two_items_of_one_title_an_undo_gives_back_the_one_that_left() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let both = |shelf: &str, day: &str| {
        format!("{}\n{}", row(1, "Orchard", shelf, 0, day), row(2, "Orchard", "to-read", 0, ""))
    };
    import(&reader, &both("to-read", "")).await;
    for (shelf, day) in [("read", "2024/05/19"), ("currently-reading", "")] {
        let before = stored(&server).await;
        let moved = sync(&reader, &both(shelf, day)).await;
        assert_eq!((&moved["moved"], titles(&reader).await.len()), (&json!(1), 1), "{moved}");
        undo(&reader, &moved).await;
        assert!(before == stored(&server).await, "{shelf}: undone");
    }
    let again = sync(&reader, &both("read", "2024/05/19")).await;
    assert_eq!((&again["moved"], &again["deletedHere"]), (&json!(1), &json!(0)), "{again}");
    assert_eq!(books(&reader).await, ["Orchard completed 2024-05-19 null"]);
}

#[tokio::test]
async fn a_second_edition_on_the_list_is_an_item_of_its_own_in_a_newer_file_too() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    import(&reader, &row(1, "Orchard", "to-read", 0, "")).await;
    let both = format!("{}\n{}", row(1, "Orchard", "to-read", 0, ""), row(2, "Orchard", "to-read", 0, ""));
    let newer = sync(&reader, &both).await;
    assert_eq!((&newer["importedTbr"], titles(&reader).await.len()), (&json!(1), 2), "{newer}");
    assert_eq!(sync(&reader, &both).await["importId"], Value::Null);
}

#[tokio::test]
async fn a_shelf_keeps_the_place_that_was_guessed() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let shelved = |shelf: &str, stars: [u8; 3]| {
        let rows = ["Alpha", "Beta", "Gamma"].into_iter().zip(stars).zip(1..);
        rows.map(|((title, stars), id)| row(id, title, shelf, stars, "")).collect::<Vec<_>>().join("\n")
    };
    let first = import(&reader, &shelved("reference", [5, 0, 0])).await;
    assert_eq!(first["importedTbr"], 3, "{first}");
    let named = [(1, "Alpha", "to-read", 0), (2, "Beta two", "to-read", 0), (3, "Gamma two", "to-read", 0)];
    let named: Vec<_> = named.into_iter().map(|(id, title, shelf, stars)| row(id, title, shelf, stars, "")).collect();
    let second = sync(&reader, &named.join("\n")).await;
    assert_eq!(second["changed"], 2, "{second}");
    let read = format!("{}\n{}\n{}", row(1, "Alpha", "read", 3, "2024/05/01"), named[1], named[2]);
    let third = sync(&reader, &read).await;
    assert_eq!(
        (&third["moved"], books(&reader).await),
        (&json!(1), vec!["Alpha completed 2024-05-01 6".to_owned()]),
        "{third}"
    );

    // Most rows of the shelf are rated by now: they stay where the shelf was put.
    let reader = server.plus().await;
    import(&reader, &shelved("reference", [5, 0, 0])).await;
    let rated =
        sync(&reader, &format!("{}\n{}", shelved("reference", [5, 4, 4]), row(4, "Delta", "reference", 0, ""))).await;
    assert_eq!((&rated["importedTbr"], books(&reader).await.len()), (&json!(1), 0), "{rated}");
    assert_eq!(titles(&reader).await.len(), 4);
}

#[tokio::test]
async fn a_row_that_waited_or_was_open_with_a_day_leaves_that_place() {
    let server = TestServer::start().await;
    for shelf in ["to-read", "currently-reading"] {
        let reader = server.plus().await;
        import(&reader, &row(1, "Emma", shelf, 0, "2020/01/02")).await;
        assert_eq!(books(&reader).await.len() + items(&reader).await.len(), 2);
        let before = stored(&server).await;
        let done = sync(&reader, &row(1, "Emma", "read", 4, "2020/01/02")).await;
        assert_eq!(
            (books(&reader).await, items(&reader).await.len()),
            (vec!["Emma completed 2020-01-02 8".to_owned()], 0),
            "{done}"
        );
        assert_eq!(sync(&reader, &row(1, "Emma", "read", 4, "2020/01/02")).await["importId"], Value::Null);
        undo(&reader, &done).await;
        assert!(before == stored(&server).await, "{shelf}: undone");
    }
    // A read with days of its own is finished instead.
    let reader = server.plus().await;
    import(&reader, &row(1, "Emma", "currently-reading", 0, "2020/01/02")).await;
    let all = reader.get("/api/books").await.expect(200);
    let open =
        all["data"].as_array().unwrap().iter().find(|book| book["status"] == "in-progress").unwrap()["id"].clone();
    reader.put(&format!("/api/books/{open}/days/2026-01-02"), json!({"percent": 50})).await.expect(200);
    sync(&reader, &row(1, "Emma", "read", 4, "2020/01/02")).await;
    let books = books(&reader).await;
    assert!(books.iter().all(|book| !book.contains("in-progress")) && books.len() == 2, "{books:?}");
}

#[tokio::test]
async fn a_column_that_the_newer_file_lacks_says_nothing() {
    let server = TestServer::start().await;
    let header = [
        "Book Id", "Title", "Author", "ISBN13", "My Rating", "Publisher", "Binding", "Number of Pages", "Date Read",
        "Bookshelves", "Exclusive Shelf", "My Review",
    ];
    let cells = [
        "1", "Emma", "Ann Author", "9780441013593", "4", "Ace", "Hardcover", "412", "2024/05/01", "classics", "read",
        "Good",
    ];
    let without = |column: &str| {
        let kept = |cells: &[&str]| {
            let kept = header.iter().zip(cells).filter(|(name, _)| **name != column).map(|(_, cell)| *cell);
            kept.collect::<Vec<_>>().join(",")
        };
        format!("{}\n{}\n", kept(&header), kept(&cells))
    };
    for column in [
        "My Rating", "Date Read", "My Review", "Bookshelves", "ISBN13", "Number of Pages", "Publisher", "Binding",
        "Book Id",
    ] {
        let reader = server.plus().await;
        upload(&reader, "", without(""), &[]).await;
        let before = book(&reader, "Emma").await;
        let done = upload(&reader, "?mode=sync", without(column), &[]).await;
        assert_eq!((&done["changed"], &done["inConflict"]), (&json!(0), &json!(0)), "{column}: {done}");
        assert_eq!(book(&reader, "Emma").await, before, "{column}");
        if column == "Book Id" {
            continue;
        }
        // Beside a cell that changes, and in the next file that has the column again.
        let renamed = without(column).replace("Emma", "Emma Woodhouse");
        upload(&reader, "?mode=sync", renamed, &[]).await;
        let renamed = book(&reader, "Emma Woodhouse").await;
        for field in [
            "rating", "dateCompleted", "impressions", "genres", "tags", "isbn", "pages", "publisher", "format",
            "wordCount",
        ] {
            assert_eq!(renamed[field], before[field], "{column}: {field}");
        }
        let whole = upload(&reader, "?mode=sync", without("").replace("Emma", "Emma Woodhouse"), &[]).await;
        assert_eq!((&whole["changed"], &whole["inConflict"]), (&json!(0), &json!(0)), "{column}: {whole}");
    }
    // An empty cell of a column that is there does say something.
    let reader = server.plus().await;
    upload(&reader, "", without(""), &[]).await;
    upload(&reader, "?mode=sync", without("").replace(",Ace,", ",,"), &[]).await;
    assert_eq!(book(&reader, "Emma").await["publisher"], Value::Null);
}

#[tokio::test]
async fn an_item_keeps_its_readers_values_when_it_becomes_a_book() {
    let server = TestServer::start().await;
    for takes in [false, true] {
        let reader = server.plus().await;
        import(&reader, &row(1, "Emma", "to-read", 0, "")).await;
        let id = items(&reader).await[0]["id"].clone();
        let own = json!({"pages": 777, "wordCount": 99_999, "title": "Mine", "notes": "My own"});
        reader.patch(&format!("/api/tbr/{id}"), own).await.expect(200);
        let newer = row(1, "Emma", "read", 4, "2024/05/01").replace("Ace,100", "Ace,120");
        let take = if takes { json!({format!("tbr-{id}"): ["pages"]}) } else { json!({}) };
        let done = sync_taking(&reader, &newer, take).await;
        let made = book(&reader, "Mine").await;
        let (pages, conflicts) = if takes { (120, 0) } else { (777, 1) };
        assert_eq!((&made["pages"], &done["inConflict"]), (&json!(pages), &json!(conflicts)), "{done}");
        assert_eq!((&made["wordCount"], &made["wordCountSource"]), (&json!(99_999), &json!("entered")));
        assert_eq!((&made["impressions"], &made["rating"]), (&json!("My own"), &json!(8)));
        if !takes {
            let asked = &done["conflicts"][0];
            assert_eq!(
                (&asked["field"], &asked["mine"], &asked["theirs"]),
                (&json!("pages"), &json!(777), &json!(120))
            );
        }
    }
}

#[tokio::test]
async fn a_private_read_stays_although_to_read_is_taken_from_the_file() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    import(&reader, &row(1, "Emma", "currently-reading", 0, "")).await;
    let id = book(&reader, "Emma").await["id"].clone();
    reader.patch(&format!("/api/books/{id}"), json!({"private": true})).await.expect(200);
    let done = sync_taking(&reader, &row(1, "Emma", "to-read", 0, ""), json!({id.to_string(): ["status"]})).await;
    assert_eq!(done["conflicts"][0]["field"], "status", "{done}");
    assert_eq!((books(&reader).await.len(), titles(&reader).await.len()), (1, 0));
}

#[tokio::test]
async fn taking_to_read_from_the_file_moves_an_unfinished_read_back_to_the_list() {
    let server = TestServer::start().await;
    for shelf in ["currently-reading", "did-not-finish"] {
        let reader = server.plus().await;
        import(&reader, &row(1, "Emma", shelf, 0, "")).await;
        let id = book(&reader, "Emma").await["id"].clone();
        let asked = sync(&reader, &row(1, "Emma", "to-read", 0, "")).await;
        assert_eq!(asked["conflicts"][0]["field"], "status", "{shelf}: {asked}");
        undo(&reader, &asked).await;
        let before = stored(&server).await;
        let done = sync_taking(&reader, &row(1, "Emma", "to-read", 0, ""), json!({id.to_string(): ["status"]})).await;
        assert_eq!(
            (books(&reader).await.len(), titles(&reader).await),
            (0, vec!["Emma".to_owned()]),
            "{shelf}: {done}"
        );
        assert_eq!(sync(&reader, &row(1, "Emma", "to-read", 0, "")).await["importId"], Value::Null);
        undo(&reader, &done).await;
        assert!(before == stored(&server).await, "{shelf}: undone");
        sync_taking(&reader, &row(1, "Emma", "to-read", 0, ""), json!({id.to_string(): ["status"]})).await;
        let moved = sync(&reader, &row(1, "Emma", "currently-reading", 0, "")).await;
        assert_eq!(
            (&moved["moved"], books(&reader).await.len(), titles(&reader).await.len()),
            (&json!(1), 1, 0),
            "{moved}"
        );
    }
}

#[tokio::test]
async fn a_reread_that_is_open_here_is_finished_there() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    import(&reader, &row(1, "Emma", "read", 4, "2024/01/05")).await;
    let id = book(&reader, "Emma").await["id"].clone();
    reader.post(&format!("/api/books/{id}/again"), json!({"startDate": "2025-01-01"})).await.expect(201);
    let before = stored(&server).await;
    let newer = row(1, "Emma", "read", 5, "2025/05/01").replace(",,1", ",,2");
    let done = sync(&reader, &newer).await;
    assert_eq!(books(&reader).await, ["Emma completed 2024-01-05 8", "Emma completed 2025-05-01 10 again"], "{done}");
    assert_eq!((&done["moved"], &done["imported"]), (&json!(1), &json!(0)), "{done}");
    assert_eq!(sync(&reader, &newer).await["importId"], Value::Null);
    undo(&reader, &done).await;
    assert!(before == stored(&server).await, "undone");
}

#[tokio::test]
async fn rows_on_a_shelf_that_is_left_out_are_not_gone() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    import(&reader, &format!("{}\n{}", row(1, "Emma", "read", 4, "2024/01/05"), row(2, "Momo", "to-read", 0, "")))
        .await;
    let newer = format!("{HEADER}{}\n{}\n", row(1, "Emma", "wont-read", 4, ""), row(2, "Momo", "wont-read", 0, ""));
    let done = upload(&reader, "?mode=sync", newer, &[("shelfMap", r#"{"wont-read": "skip"}"#)]).await;
    assert_eq!((&done["gone"], &done["leftOut"]), (&json!(0), &json!(2)), "{done}");
}

/// Words for many books: our own CSV with pages filled in.
#[tokio::test]
async fn our_own_csv_brings_back_what_was_filled_in_elsewhere() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let header = "Title,Authors,ISBN/UID,Format,Read Status,Last Date Read,Read Count,Star Rating,Tags\n";
    let rows = "Emma,Ann Author,uid-1,paperback,read,2024/05/01,1,4,\"classics, owned\"\nMomo,Ann Author,uid-2,paperback,read,,1,3,\n";
    reader.upload("/api/books/import", "storygraph.csv", format!("{header}{rows}"), &[]).await.expect(200);
    let csv = String::from_utf8(reader.get("/api/account/export/books.csv").await.bytes).unwrap();
    let mut table = csv::Reader::from_reader(csv.as_bytes());
    let columns = table.headers().unwrap().clone();
    let pages = columns.iter().position(|name| name == "Pages").unwrap();
    let mut filled = csv::Writer::from_writer(Vec::new());
    filled.write_record(&columns).unwrap();
    for row in table.records() {
        let row = row.unwrap();
        let cells = row.iter().enumerate().map(|(at, cell)| if at == pages { "400" } else { cell });
        filled.write_record(cells).unwrap();
    }
    let filled = String::from_utf8(filled.into_inner().unwrap()).unwrap();
    let before = stored(&server).await;
    let send =
        async || reader.upload("/api/books/import?mode=sync", "books.csv", filled.clone(), &[]).await.expect(200);
    let done = send().await;
    assert_eq!((&done["changed"], &done["inConflict"], &done["imported"]), (&json!(2), &json!(0), &json!(0)), "{done}");
    let emma = book(&reader, "Emma").await;
    assert_eq!(
        (&emma["pages"], &emma["wordCount"], &emma["wordCountSource"]),
        (&json!(400), &json!(110_000), &json!("pages"))
    );
    assert_eq!((&emma["rating"], &emma["genres"], &emma["tags"]), (&json!(8), &json!(["Classics"]), &json!(["owned"])));
    assert_eq!(send().await["importId"], Value::Null);
    undo(&reader, &done).await;
    assert!(before == stored(&server).await, "undone");
}

#[tokio::test]
async fn our_own_csv_with_items_of_the_list_is_a_newer_file_too() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    add(&reader, json!({"status": "completed", "dateCompleted": "2024-05-01"})).await;
    let own = "Title,Author,Word Count,Status,Date Completed,Word Distribution\n\
        Emma,Ann Author,1,completed,2024-05-01,final\nLater,Ann Author,1,to-read,,final\n";
    let done = reader.upload("/api/books/import?mode=sync", "books.csv", own, &[]).await.expect(200);
    assert_eq!((books(&reader).await.len(), titles(&reader).await), (1, vec!["Later".to_owned()]), "{done}");
}

/// A note of a row as versions before schema 35 wrote it: its kind and its values.
fn former_note(note: &Value) -> (&'static str, Value) {
    let id = &note["key"][0][1];
    let tie = |values: &Value| json!([values["newer_row"], values["newer_nth"], values["row_key"]["hex"]]);
    match note["table"].as_str().unwrap() {
        "tbr" => ("item", json!({"id": id, "before": note["before"], "after": note["after"]})),
        "import_rows" => ("row", note["before"].clone()),
        table => {
            let (is_book, origin) = (table == "imported_books", &note["key"][1][1]);
            let (before, after) = (tie(&note["before"]), tie(&note["after"]));
            ("link", json!({"is_book": is_book, "id": id, "origin": origin, "before": before, "after": after}))
        }
    }
}

#[tokio::test]
async fn what_a_former_version_noted_of_a_sync_is_taken_back_as_today() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let rows = |title: &str, stars| {
        format!("{}\n{}", row(1, "Emma", "read", stars, "2024/05/01"), row(2, title, "to-read", 0, ""))
    };
    import(&reader, &rows("Momo", 3)).await;
    let before = stored(&server).await;
    let done = sync(&reader, &rows("Momo again", 4)).await;
    let noted = server.db.write(|tx| {
        let notes = |tx: &rusqlite::Connection| -> rusqlite::Result<Vec<(i64, String)>> {
            let mut query = tx.prepare("SELECT seq, before FROM undo WHERE kind = 'row' ORDER BY seq")?;
            query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
        };
        let today = notes(tx)?;
        for (seq, note) in &today {
            let (kind, former) = former_note(&serde_json::from_str(note)?);
            let sql = "UPDATE undo SET kind = ?2, before = ?3 WHERE seq = ?1";
            tx.execute(sql, (seq, kind, former.to_string()))?;
        }
        tx.execute_batch(include_str!("../../../migrations/V35__noted_rows.sql"))?;
        Ok((today, notes(tx)?))
    });
    let (today, migrated) = noted.await.unwrap();
    assert_eq!(today.len(), 5, "two ties, two rows, an item: {today:?}");
    let read = |(seq, note): &(i64, String)| (*seq, serde_json::from_str::<Value>(note).unwrap());
    assert_eq!(migrated.iter().map(read).collect::<Vec<_>>(), today.iter().map(read).collect::<Vec<_>>());
    undo(&reader, &done).await;
    assert!(before == stored(&server).await, "undone");
}

#[tokio::test]
async fn what_a_reader_typed_into_an_item_is_asked_about_also_after_it_became_a_book() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    import(&reader, &row(1, "Emma", "to-read", 0, "")).await;
    let item = items(&reader).await[0]["id"].clone();
    reader.patch(&format!("/api/tbr/{item}"), json!({"pages": 777})).await.expect(200);
    sync(&reader, &row(1, "Emma", "read", 4, "2024/05/01")).await;
    let newer = sync(&reader, &row(1, "Emma", "read", 5, "2024/05/01").replace("Ace,100", "Ace,120")).await;
    assert_eq!(newer["inConflict"], json!(1), "{newer}");
    let book = reader.get("/api/books").await.expect(200)["data"][0].clone();
    assert_eq!((&book["pages"], &book["rating"]), (&json!(777), &json!(10)));
}
