//! A newer file of a tracker about books that are read several times, further here than there, or followed day by day.
use serde_json::{Value, json};

use super::sync::{book, books, stored};
use crate::support::actors::Reader;
use crate::support::harness::TestServer;

const GOODREADS: &str = "Book Id,Title,Author,My Rating,Publisher,Number of Pages,Original Publication Year,Date Read,Exclusive Shelf,Read Count\n";
const YAMTRACK: &str =
    "media_id,source,media_type,title,score,progress,status,start_date,end_date,notes,progressed_at\n";

async fn import(reader: &Reader, name: &str, header: &str, row: &str) -> Value {
    reader.upload("/api/books/import", name, format!("{header}{row}\n"), &[]).await.expect(200)
}

async fn sync(reader: &Reader, name: &str, header: &str, row: &str, fields: &[(&str, &str)]) -> Value {
    reader.upload("/api/books/import?mode=sync", name, format!("{header}{row}\n"), fields).await.expect(200)
}

/// The days of a book's log: day, place, page.
async fn days(reader: &Reader, title: &str) -> Vec<String> {
    let id = book(reader, title).await["id"].clone();
    let days = reader.get(&format!("/api/books/{id}/days")).await.expect(200);
    let day = |day: &Value| format!("{} {} {}", day["day"].as_str().unwrap(), day["at"], day["page"]);
    days["data"].as_array().unwrap().iter().map(day).collect()
}

#[tokio::test]
async fn a_book_that_was_finished_here_and_is_begun_there_is_asked_about() {
    let server = TestServer::start().await;
    for takes in [false, true] {
        let reader = server.plus().await;
        import(&reader, "goodreads.csv", GOODREADS, "1,Momo,M E,0,,100,,,to-read,0").await;
        let items = reader.get("/api/tbr").await.expect(200);
        reader.post(&format!("/api/tbr/{}/start", items["data"][0]["id"]), json!({})).await.expect(201);
        let id = book(&reader, "Momo").await["id"].clone();
        let finished = json!({"status": "completed", "startDate": null, "dateCompleted": "2026-02-02", "rating": 9});
        reader.patch(&format!("/api/books/{id}"), finished).await.expect(200);
        let take = json!({id.to_string(): ["status"]}).to_string();
        let chosen = [("take", take.as_str())];
        let begun = "1,Momo,M E,0,,100,,,currently-reading,0";
        let report = sync(&reader, "goodreads.csv", GOODREADS, begun, &chosen[..usize::from(takes)]).await;
        let finished = "Momo completed 2026-02-02 9".to_owned();
        if takes {
            assert_eq!(report["inConflict"], 0, "{report}");
            assert_eq!(books(&reader).await, [finished, "Momo in-progress - null again".to_owned()]);
            continue;
        }
        let asked = &report["conflicts"][0];
        assert_eq!(
            (&report["inConflict"], &asked["field"], &asked["mine"], &asked["theirs"], &asked["before"]),
            (&json!(1), &json!("status"), &json!("completed"), &json!("in-progress"), &json!("to-read"))
        );
        assert_eq!(books(&reader).await, [finished.as_str()]);
        let again = sync(&reader, "goodreads.csv", GOODREADS, begun, &[]).await;
        assert_eq!((&again["inConflict"], &again["importId"]), (&json!(0), &Value::Null), "asked once: {again}");
        // Finished there, too: nothing is in question any more.
        let done = sync(&reader, "goodreads.csv", GOODREADS, "1,Momo,M E,0,,100,,2026/02/02,read,1", &[]).await;
        assert_eq!((&done["inConflict"], &done["imported"]), (&json!(0), &json!(0)), "{done}");
        assert_eq!(books(&reader).await, [finished]);
    }
}

/// Title and edition belong to a read, the series belongs to all reads of a book.
#[tokio::test]
async fn a_corrected_date_is_no_further_read_after_the_book_was_begun_again_there() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    import(&reader, "goodreads.csv", GOODREADS, "1,Momo,M E,4,,100,,2026/01/05,read,1").await;
    let begun = sync(&reader, "goodreads.csv", GOODREADS, "1,Momo,M E,4,,100,,,currently-reading,1", &[]).await;
    assert_eq!(begun["inConflict"], 1, "{begun}");
    let first = "Momo completed 2026-01-05 8".to_owned();
    for day in ["2026-02-02", "2026-02-03"] {
        let row = format!("1,Momo,M E,3,,100,,{},read,2", day.replace('-', "/"));
        sync(&reader, "goodreads.csv", GOODREADS, &row, &[]).await;
        assert_eq!(books(&reader).await, [first.clone(), format!("Momo completed {day} 6 again")]);
    }
    for begun in ["currently-reading", "to-read"] {
        let reader = server.plus().await;
        import(&reader, "goodreads.csv", GOODREADS, "1,Momo,M E,4,,100,,2026/01/05,read,1").await;
        sync(&reader, "goodreads.csv", GOODREADS, &format!("1,Momo,M E,4,,100,,,{begun},1"), &[]).await;
        for day in ["2026-01-05", "2026-01-06"] {
            let row = format!("1,Momo,M E,4,,100,,{},read,1", day.replace('-', "/"));
            sync(&reader, "goodreads.csv", GOODREADS, &row, &[]).await;
            assert_eq!(books(&reader).await, [format!("Momo completed {day} 8")], "{begun}");
        }
    }
}

#[tokio::test]
async fn a_second_edition_is_begun_although_the_first_is_in_progress() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    import(
        &reader,
        "goodreads.csv",
        GOODREADS,
        "1,Momo,M E,0,,100,,,currently-reading,0\n2,Momo,M E,0,,100,,,to-read,0",
    )
    .await;
    let begun = "1,Momo,M E,0,,100,,,currently-reading,0\n2,Momo,M E,0,,100,,,currently-reading,0";
    let report = sync(&reader, "goodreads.csv", GOODREADS, begun, &[]).await;
    assert_eq!(books(&reader).await, ["Momo in-progress - null", "Momo in-progress - null"], "{report}");
    assert_eq!(reader.get("/api/tbr").await.expect(200)["data"], json!([]));
}

#[tokio::test]
async fn a_renamed_book_keeps_the_title_of_a_read_that_its_row_no_longer_lists() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    import(&reader, "goodreads.csv", GOODREADS, "1,Twice,A A,4,Ace,100,1990,2024/01/05,read,1").await;
    sync(&reader, "goodreads.csv", GOODREADS, "1,Twice,A A,4,Ace,100,1990,2026/02/02,read,2", &[]).await;
    let before = stored(&server).await;
    let renamed = "1,\"Twice Told (Saga, #2)\",A A,4,Penguin,100,1991,2026/02/02,read,2";
    let report = sync(&reader, "goodreads.csv", GOODREADS, renamed, &[]).await;
    assert_eq!(books(&reader).await, ["Twice Told completed 2026-02-02 8 again", "Twice completed 2024-01-05 8"]);
    let (older, newer) = (book(&reader, "Twice").await, book(&reader, "Twice Told").await);
    assert_eq!(older["work"], newer["work"]);
    for read in [&older, &newer] {
        assert_eq!(read["series"], json!({"name": "Saga", "number": "2"}));
        assert_eq!(read["originalYear"], 1991);
    }
    assert_eq!((&older["publisher"], &newer["publisher"]), (&json!("Ace"), &json!("Penguin")));
    reader.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
    assert!(before == stored(&server).await, "undone");

    // A row that lists both reads renames both.
    let reader = server.plus().await;
    let header = "Title,Authors,ISBN/UID,Read Status,Dates Read,Read Count,Star Rating\n";
    import(&reader, "storygraph.csv", header, "Dune,F H,uid-1,read,\"2012/05/02, 2024/05/02\",2,4").await;
    sync(&reader, "storygraph.csv", header, "Der Wüstenplanet,F H,uid-1,read,\"2012/05/02, 2024/05/02\",2,4", &[])
        .await;
    let titles: Vec<String> =
        books(&reader).await.iter().map(|one| one.split(" completed").next().unwrap().to_owned()).collect();
    assert_eq!(titles, ["Der Wüstenplanet"; 2]);
}

/// The place of a day is compared like every field: what is here as in the last file follows the tracker.
#[tokio::test]
async fn a_day_of_a_log_follows_the_tracker_unless_it_was_changed_here() {
    let server = TestServer::start().await;
    let row = |page: u32, day: &str| format!("1,manual,book,Emma,,{page},In progress,2026-01-01,,,{day}");
    let evening = row(150, "2026-01-02");

    let reader = server.plus().await;
    import(&reader, "yamtrack.csv", YAMTRACK, &row(100, "2026-01-02")).await;
    let id = book(&reader, "Emma").await["id"].clone();
    let path = format!("/api/books/{id}");
    reader.patch(&path, json!({"pages": 300})).await.expect(200);
    assert_eq!(days(&reader, "Emma").await, ["2026-01-02 3333 100"]);
    let before = stored(&server).await;
    let report = sync(&reader, "yamtrack.csv", YAMTRACK, &evening, &[]).await;
    assert_eq!(report["changed"], 1, "{report}");
    assert_eq!(days(&reader, "Emma").await, ["2026-01-02 5000 150"]);
    reader.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
    assert!(before == stored(&server).await, "undone");

    // A day that its reader wrote stays, and a later one is added.
    reader.put(&format!("{path}/days/2026-01-02"), json!({"page": 120})).await.expect(200);
    let report = sync(&reader, "yamtrack.csv", YAMTRACK, &evening, &[]).await;
    assert_eq!((&report["changed"], days(&reader, "Emma").await), (&json!(0), vec!["2026-01-02 4000 120".to_owned()]));
    sync(&reader, "yamtrack.csv", YAMTRACK, &row(180, "2026-01-03"), &[]).await;
    assert_eq!(days(&reader, "Emma").await, ["2026-01-02 4000 120", "2026-01-03 6000 180"]);

    // A day that its reader deleted stays deleted.
    assert_eq!(reader.delete(&format!("{path}/days/2026-01-03")).await.status, 204);
    sync(&reader, "yamtrack.csv", YAMTRACK, &row(190, "2026-01-03"), &[]).await;
    assert_eq!(days(&reader, "Emma").await, ["2026-01-02 4000 120"]);
}

/// A book that another row stands for is not taken for a row with the values that it had before.
#[tokio::test]
async fn a_row_with_the_former_values_of_another_one_is_new_and_comes_once() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let row = |id: u32, day: &str, score: u32| format!("{id},manual,book,Emma,{score},300,Completed,,{day},,{day}");
    import(&reader, "yamtrack.csv", YAMTRACK, &row(1, "2020-02-02", 8)).await;
    let newer = format!("{}\n{}", row(7, "2020-02-02", 6), row(1, "2024-02-02", 9));
    let report = sync(&reader, "yamtrack.csv", YAMTRACK, &newer, &[]).await;
    assert_eq!((&report["imported"], &report["changed"]), (&json!(1), &json!(1)), "{report}");
    let done = ["Emma completed 2020-02-02 6", "Emma completed 2024-02-02 9"];
    assert_eq!(books(&reader).await, done);
    let again = sync(&reader, "yamtrack.csv", YAMTRACK, &newer, &[]).await;
    assert_eq!((&again["imported"], &again["importId"]), (&json!(0), &Value::Null), "{again}");
    assert_eq!(books(&reader).await, done);
}

/// The book keeps the link to the newest row that the item was compared with.
#[tokio::test]
async fn an_item_that_is_started_after_a_sync_follows_later_files() {
    let server = TestServer::start().await;
    for sends_the_book in [false, true] {
        let reader = server.plus().await;
        let row = |pages: u32, more: &str| format!("1,Momo,M E,0,,{pages},,{more}");
        import(&reader, "goodreads.csv", GOODREADS, &row(100, ",to-read,0")).await;
        assert_eq!(sync(&reader, "goodreads.csv", GOODREADS, &row(120, ",to-read,0"), &[]).await["changed"], 1);
        let item = reader.get("/api/tbr").await.expect(200)["data"][0]["id"].clone();
        if sends_the_book {
            let book = json!({"title": "Momo", "author": "M E", "status": "in-progress", "tbrId": item});
            reader.post("/api/books", book).await.expect(201);
        } else {
            reader.post(&format!("/api/tbr/{item}/start"), json!({})).await.expect(201);
        }
        let finished = row(120, "2026/02/02,read,1");
        let report = sync(&reader, "goodreads.csv", GOODREADS, &finished, &[]).await;
        assert_eq!((&report["moved"], &report["deletedHere"]), (&json!(1), &json!(0)), "{report}");
        assert_eq!(books(&reader).await, ["Momo completed 2026-02-02 null"]);
    }
}

#[tokio::test]
async fn a_start_that_was_changed_here_stays_when_the_reading_moves_on() {
    let server = TestServer::start().await;
    let open = "1,manual,book,Emma,,,In progress,2026-01-05,,,";
    let finished = |start: &str| format!("1,manual,book,Emma,,,Completed,{start},2026-01-20,,");
    let take = |id: &Value| json!({id.to_string(): ["startDate"]}).to_string();

    // Here a day of the log moved it, the file has the former start: nothing is in question.
    let reader = server.plus().await;
    import(&reader, "yamtrack.csv", YAMTRACK, open).await;
    let path = format!("/api/books/{}", book(&reader, "Emma").await["id"]);
    let noted = reader.put(&format!("{path}/days/2026-01-03"), json!({"percent": 10})).await;
    assert_eq!(noted.expect(200)["startMoved"], true);
    let report = sync(&reader, "yamtrack.csv", YAMTRACK, &finished("2026-01-05"), &[]).await;
    let read = book(&reader, "Emma").await;
    assert_eq!((&report["moved"], &report["inConflict"]), (&json!(1), &json!(0)), "{report}");
    assert_eq!((&read["status"], &read["startDate"]), (&json!("completed"), &json!("2026-01-03")));

    // Both changed it.
    for takes in [false, true] {
        let reader = server.plus().await;
        import(&reader, "yamtrack.csv", YAMTRACK, open).await;
        let id = book(&reader, "Emma").await["id"].clone();
        reader.patch(&format!("/api/books/{id}"), json!({"startDate": "2026-01-03"})).await.expect(200);
        let (take, newer) = (take(&id), finished("2026-01-06"));
        let chosen = [("take", take.as_str())];
        let report = sync(&reader, "yamtrack.csv", YAMTRACK, &newer, &chosen[..usize::from(takes)]).await;
        let read = book(&reader, "Emma").await;
        assert_eq!((&read["status"], &report["inConflict"]), (&json!("completed"), &json!(usize::from(!takes))));
        assert_eq!(read["startDate"], if takes { "2026-01-06" } else { "2026-01-03" });
    }

    // Only the file changed it.
    let reader = server.plus().await;
    import(&reader, "yamtrack.csv", YAMTRACK, open).await;
    sync(&reader, "yamtrack.csv", YAMTRACK, &finished("2026-01-06"), &[]).await;
    assert_eq!(book(&reader, "Emma").await["startDate"], "2026-01-06");

    // It was finished here as well, with another start than the last file's.
    let reader = server.plus().await;
    import(&reader, "yamtrack.csv", YAMTRACK, open).await;
    let path = format!("/api/books/{}", book(&reader, "Emma").await["id"]);
    let here = json!({"status": "completed", "startDate": "2026-01-03", "dateCompleted": "2026-01-20"});
    reader.patch(&path, here).await.expect(200);
    let report = sync(&reader, "yamtrack.csv", YAMTRACK, &finished("2026-01-05"), &[]).await;
    assert_eq!((&report["inConflict"], &book(&reader, "Emma").await["startDate"]), (&json!(0), &json!("2026-01-03")));
}

const STORYGRAPH: &str = "Title,Authors,ISBN/UID,Format,Read Status,Dates Read,Read Count,Star Rating,Tags\n";

/// The tags of every read, the oldest first.
async fn tags(reader: &Reader) -> Vec<Value> {
    let list = reader.get("/api/books?sort=dateCompleted&order=asc").await.expect(200);
    list["data"].as_array().unwrap().iter().map(|book| book["tags"].clone()).collect()
}

/// Tags are equal in all reads of a book: a further read takes them from the book, whatever the row says of tags that are in conflict or
/// that were cleared here.
#[tokio::test]
async fn a_further_read_has_the_tags_of_its_book() {
    let server = TestServer::start().await;
    let row = |format: &str, dates: &str, count: u32, tags: &str| {
        format!("Dune,F H,uid-1,{format},read,\"{dates}\",{count},4,\"{tags}\"")
    };
    let both = "2012/05/02, 2024/05/02";
    for (last, here, newer, result) in [
        ("", json!(["owned"]), "kindle", json!(["owned"])),
        ("kindle", json!([]), "kindle", json!([])),
        ("kindle", json!(["kindle"]), "netgalley", json!(["netgalley"])),
    ] {
        for format in ["paperback", "audio"] {
            let reader = server.plus().await;
            import(&reader, "storygraph.csv", STORYGRAPH, &row("paperback", "2012/05/02", 1, last)).await;
            let before = book(&reader, "Dune").await;
            if before["tags"] != here {
                reader.patch(&format!("/api/books/{}", before["id"]), json!({"tags": here})).await.expect(200);
            }
            let stored_before = stored(&server).await;
            let report = sync(&reader, "storygraph.csv", STORYGRAPH, &row(format, both, 2, newer), &[]).await;
            assert_eq!(
                tags(&reader).await,
                [result.clone(), result.clone()],
                "{last} {here} {newer} {format}: {report}"
            );
            reader.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
            assert!(stored_before == stored(&server).await, "undone");
        }
    }
}

/// A row that lists only the newest read adds the tags that are new in it.
#[tokio::test]
async fn a_further_read_adds_tags_that_the_last_file_did_not_have() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let row = |day: &str, count: u32, tags: &str| format!("Dune,F H,uid-1,paperback,read,{day},{count},4,\"{tags}\"");
    import(&reader, "storygraph.csv", STORYGRAPH, &row("2012/05/02", 1, "kindle, library")).await;
    let id = book(&reader, "Dune").await["id"].clone();
    reader.patch(&format!("/api/books/{id}"), json!({"tags": ["library", "own"]})).await.expect(200);
    sync(&reader, "storygraph.csv", STORYGRAPH, &row("2024/05/02", 2, "kindle, library, netgalley"), &[]).await;
    assert_eq!(tags(&reader).await, [json!(["library", "own", "netgalley"]), json!(["library", "own", "netgalley"])]);
}

/// A row that is new in the file joins the book by its name, and brings its tags to the read whose row has changed.
#[tokio::test]
async fn a_changed_read_keeps_the_tags_that_a_new_row_brings() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let row = |uid: &str, format: &str, day: &str, tag: &str| format!("Dune,F H,{uid},{format},read,{day},1,4,{tag}");
    import(&reader, "storygraph.csv", STORYGRAPH, &row("uid-1", "paperback", "2012/05/02", "kindle")).await;
    let newer = format!(
        "{}\n{}",
        row("uid-1", "audio", "2012/05/02", "kindle"),
        row("uid-2", "hardcover", "2024/05/02", "own")
    );
    let report = sync(&reader, "storygraph.csv", STORYGRAPH, &newer, &[]).await;
    assert_eq!((&report["changed"], &report["imported"]), (&json!(1), &json!(1)), "{report}");
    assert_eq!(tags(&reader).await, [json!(["kindle", "own"]), json!(["kindle", "own"])]);
}

/// How many rows of files are kept.
async fn kept_rows(server: &TestServer) -> usize {
    stored(server).await["import_rows"].len()
}

/// A row of two reads, of which a newer file lists one: the undo of both files leaves the changed read a row to be compared with.
#[tokio::test]
async fn a_read_keeps_the_row_of_a_newer_file_when_its_own_is_gone() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let row = |dates: &str, stars: u8| format!("Dune,F H,uid-1,paperback,read,\"{dates}\",2,{stars},");
    let first = import(&reader, "storygraph.csv", STORYGRAPH, &row("2012/05/02, 2020/01/01", 3)).await;
    let newest = reader.get("/api/books").await.expect(200)["data"][0]["id"].clone();
    reader.patch(&format!("/api/books/{newest}"), json!({"format": "Audio"})).await.expect(200);
    let second = sync(&reader, "storygraph.csv", STORYGRAPH, &row("2020/01/01", 4), &[]).await;
    for report in [first, second] {
        reader.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
    }
    let lost =
        "SELECT count(*) FROM imported_books WHERE coalesce(newer_row, row_id) NOT IN (SELECT id FROM import_rows)";
    let lost = server.db.read(|conn| Ok(conn.query_row(lost, [], |row| row.get::<_, i64>(0))?)).await.unwrap();
    assert_eq!((lost, books(&reader).await.len()), (0, 1));
}

#[tokio::test]
async fn undoing_an_older_import_keeps_the_newer_rows_that_are_in_use_and_no_others() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let row = |format: &str, dates: &str, count: u32| format!("Dune,F H,uid-1,{format},read,\"{dates}\",{count},,");
    let first = import(&reader, "storygraph.csv", STORYGRAPH, &row("paperback", "2012/05/02", 1)).await;
    sync(&reader, "storygraph.csv", STORYGRAPH, &row("paperback", "2012/05/02, 2024/05/02", 2), &[]).await;
    let undone = reader.delete(&format!("/api/imports/{}", first["importId"])).await.expect(200);
    assert_eq!((&undone["removed"], kept_rows(&server).await), (&json!(1), 1), "{undone}");
    assert_eq!(books(&reader).await.len(), 1);
    let report = sync(&reader, "storygraph.csv", STORYGRAPH, &row("audio", "2012/05/02, 2024/05/02", 2), &[]).await;
    assert_eq!((&report["changed"], &book(&reader, "Dune").await["format"]), (&json!(1), &json!("Audio")), "{report}");

    let server = TestServer::start().await;
    let reader = server.plus().await;
    let row = |pages: u32| format!("1,Momo,M E,0,,{pages},,,to-read,0");
    let first = import(&reader, "goodreads.csv", GOODREADS, &row(100)).await;
    sync(&reader, "goodreads.csv", GOODREADS, &row(120), &[]).await;
    let undone = reader.delete(&format!("/api/imports/{}", first["importId"])).await.expect(200);
    assert_eq!((&undone["removedTbr"], kept_rows(&server).await), (&json!(1), 0), "{undone}");
    let report = sync(&reader, "goodreads.csv", GOODREADS, &row(120), &[]).await;
    assert_eq!((&report["importedTbr"], &report["deletedHere"]), (&json!(1), &json!(0)), "{report}");
}

/// Places by page are recalculated while a read is open, and the undo gives back the former ones.
#[tokio::test]
async fn places_follow_the_pages_that_a_newer_file_or_a_fill_in_brings() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let row = |pages: u32| format!("1,Momo,M E,0,,{pages},,,currently-reading,0");
    import(&reader, "goodreads.csv", GOODREADS, &row(412)).await;
    let path = format!("/api/books/{}", book(&reader, "Momo").await["id"]);
    reader.put(&format!("{path}/days/2026-01-02"), json!({"page": 206})).await.expect(200);
    reader.put(&format!("{path}/days/2026-01-03"), json!({"percent": 60})).await.expect(200);
    let before = stored(&server).await;
    let report = sync(&reader, "goodreads.csv", GOODREADS, &row(420), &[]).await;
    assert_eq!(days(&reader, "Momo").await, ["2026-01-02 4904 206", "2026-01-03 6000 null"], "{report}");
    reader.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
    assert!(before == stored(&server).await, "undone");

    // A day that was noted since follows the former pages, too.
    let report = sync(&reader, "goodreads.csv", GOODREADS, &row(420), &[]).await;
    reader.put(&format!("{path}/days/2026-01-04"), json!({"page": 315})).await.expect(200);
    reader.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
    let places = ["2026-01-02 5000 206", "2026-01-03 6000 null", "2026-01-04 7645 315"];
    assert_eq!(days(&reader, "Momo").await, places);

    // A fill-in, and its undo.
    reader.patch(&path, json!({"pages": null})).await.expect(200);
    assert_eq!(days(&reader, "Momo").await, places);
    import(&reader, "goodreads.csv", GOODREADS, &row(412)).await;
    reader.patch(&path, json!({"pages": 420})).await.expect(200);
    reader.patch(&path, json!({"pages": null})).await.expect(200);
    let before = days(&reader, "Momo").await;
    assert_eq!(before[0], "2026-01-02 4904 206");
    let filled = reader.post("/api/refill", json!({"fields": ["pages"]})).await.expect(200);
    assert_eq!(days(&reader, "Momo").await, places, "{filled}");
    reader.delete(&format!("/api/operations/{}", filled["undoId"])).await.expect(200);
    assert_eq!(days(&reader, "Momo").await, before);
}

/// The words of the months follow the log, also when the undo of a sync takes a day out of it.
#[tokio::test]
async fn months_follow_the_days_that_an_undo_takes_back() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let row = |page: u32, day: &str| format!("1,manual,book,Emma,,{page},In progress,2026-01-01,,,{day}");
    import(&reader, "yamtrack.csv", YAMTRACK, &row(100, "2026-01-02")).await;
    let path = format!("/api/books/{}", book(&reader, "Emma").await["id"]);
    reader.patch(&path, json!({"pages": 300})).await.expect(200);
    let report = sync(&reader, "yamtrack.csv", YAMTRACK, &row(200, "2026-02-02"), &[]).await;
    let finished = json!({"status": "completed", "dateCompleted": "2026-03-03", "wordDistribution": "logged", "wordCount": 90_000});
    reader.patch(&path, finished).await.expect(200);
    let months = async || stored(&server).await["read_months"].clone();
    let with_the_day = months().await;
    reader.delete(&format!("/api/imports/{}", report["importId"])).await.expect(200);
    let undone = months().await;
    assert_ne!(undone, with_the_day);
    reader.patch(&path, json!({"wordCount": 90_001})).await.expect(200);
    reader.patch(&path, json!({"wordCount": 90_000})).await.expect(200);
    assert_eq!(undone, months().await);
}

/// A book has one read in progress, whatever is taken from a file or taken back.
#[tokio::test]
async fn a_sync_and_its_undo_open_no_second_read() {
    let server = TestServer::start().await;
    let row = |status: &str| format!("Dune,F H,uid-1,paperback,{status},,0,,");
    let finished = "Dune,F H,uid-1,paperback,read,2024/05/02,1,,";
    let statuses = async |reader: &Reader| {
        let mut books: Vec<String> = books(reader).await;
        books.iter_mut().for_each(|book| *book = book.split(' ').nth(1).unwrap().to_owned());
        books
    };

    let reader = server.plus().await;
    import(&reader, "storygraph.csv", STORYGRAPH, &row("currently-reading")).await;
    let report = sync(&reader, "storygraph.csv", STORYGRAPH, finished, &[]).await;
    let path = format!("/api/books/{}", book(&reader, "Dune").await["id"]);
    reader.post(&format!("{path}/again"), json!({})).await.expect(201);
    let operation = reader.get("/api/operations").await.expect(200)["data"][0]["id"].clone();
    let undone = reader.delete(&format!("/api/operations/{operation}")).await.expect(200);
    assert_eq!(undone["kept"][0]["title"], "Dune", "{report} {undone}");
    assert_eq!(statuses(&reader).await, ["completed", "in-progress"]);

    let reader = server.plus().await;
    import(&reader, "storygraph.csv", STORYGRAPH, &row("did-not-finish")).await;
    let id = book(&reader, "Dune").await["id"].clone();
    reader.post(&format!("/api/books/{id}/again"), json!({})).await.expect(201);
    let take = json!({id.to_string(): ["status"]}).to_string();
    let report =
        sync(&reader, "storygraph.csv", STORYGRAPH, &row("currently-reading"), &[("take", take.as_str())]).await;
    assert_eq!(report["conflicts"][0]["field"], "status", "{report}");
    assert_eq!(statuses(&reader).await, ["did-not-finish", "in-progress"]);

    // Two rows about one book, and a new one of the same name.
    let reader = server.plus().await;
    let both = |status: &str| format!("{}\nWaste,F H,uid-2,paperback,{status},,0,,", row(status));
    import(&reader, "storygraph.csv", STORYGRAPH, &both("did-not-finish")).await;
    let (one, two) = (book(&reader, "Dune").await, book(&reader, "Waste").await);
    reader.post(&format!("/api/works/{}/join", one["work"]), json!({"work": two["work"]})).await.expect(200);
    let take = json!({one["id"].to_string(): ["status"], two["id"].to_string(): ["status"]}).to_string();
    let text = format!("{}\nDune,F H,uid-3,hardcover,currently-reading,,0,,", both("currently-reading"));
    let report = sync(&reader, "storygraph.csv", STORYGRAPH, &text, &[("take", take.as_str())]).await;
    assert_eq!(report["conflicts"][0]["id"], two["id"], "{report}");
    assert_eq!(statuses(&reader).await, ["in-progress", "in-progress", "did-not-finish"]);
    let reads = reader.get(&format!("/api/works/{}", one["work"])).await.expect(200)["work"]["reads"].clone();
    let statuses: Vec<_> = reads.as_array().unwrap().iter().map(|read| &read["status"]).collect();
    assert_eq!(statuses, ["did-not-finish", "in-progress"]);
}

/// Rows that are left out on purpose are kept once, and counted in every file.
#[tokio::test]
async fn rows_that_are_left_out_again_are_kept_once() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let map = [("shelfMap", r#"{"wont-read": "skip"}"#)];
    let file = |stars: u32| {
        format!("1,Momo,M E,{stars},,100,,,read,1\n2,Owned,A T,0,,100,,,wont-read,0\n2,Owned,A T,0,,100,,,wont-read,0")
    };
    let text = format!("{GOODREADS}{}\n", file(3));
    reader.upload("/api/books/import", "goodreads.csv", text, &map).await.expect(200);
    let rows = kept_rows(&server).await;
    let newer = format!("{GOODREADS}{}\n3,New,A T,0,,100,,,wont-read,0\n", file(4));
    let preview = reader
        .upload("/api/books/import?mode=sync&dryRun=true", "goodreads.csv", newer.clone(), &map)
        .await
        .expect(200);
    let report = reader.upload("/api/books/import?mode=sync", "goodreads.csv", newer, &map).await.expect(200);
    for report in [preview, report] {
        assert_eq!((&report["leftOut"], &report["skipped"]), (&json!(3), &json!(4)), "{report}");
    }
    assert_eq!(kept_rows(&server).await, rows + 1);
}
