//! What a reader chooses about the dates of a file: in the form and on the command line.
use serde_json::{Value, json};

use crate::support::actors::Reader;
use crate::support::harness::TestServer;

const GOODREADS: &str = "Book Id,Title,Author,My Rating,Exclusive Shelf,Date Read,Date Added\n\
    1,Sand,A B,5,read,03/04/2020,06/07/2019\n\
    2,Sea,A B,4,read,05/05/2021,06/07/2019\n";
const OPENREADS: &str = "title,author,status,deleted,rating,readings,book_format\n\
    Year,A B,finished,false,4.0,|2019-01-01T00:00:00.000|,paperback\n\
    Day,A B,finished,false,3.5,|2019-02-02T00:00:00.000|,paperback\n";
const JELU: &str = "Title,Author,Date Read,Shelves,Bookshelves,read_dates,dropped_dates,currently_reading\n\
    Unknown day,A B,1970/01/01,,,1970/01/01,,\n\
    Known day,A B,2021/05/06,,,2021/05/06,,\n";

async fn preview(reader: &Reader, text: &str, fields: &[(&str, &str)]) -> Value {
    reader.upload("/api/books/import?dryRun=true", "books.csv", text, fields).await.expect(200)
}

async fn import(reader: &Reader, text: &str, fields: &[(&str, &str)]) -> Value {
    reader.upload("/api/books/import", "books.csv", text, fields).await.expect(200)
}

/// Title, status, first and last possible day of each book, in the order of their ids.
async fn books(reader: &Reader) -> Vec<Value> {
    let list = reader.get("/api/books").await.expect(200);
    let mut books = list["data"].as_array().unwrap().clone();
    books.sort_by_key(|book| book["id"].as_i64());
    let shown = |book: &Value| json!([book["title"], book["status"], book["completedFrom"], book["dateCompleted"]]);
    books.iter().map(shown).collect()
}

#[tokio::test]
async fn the_order_of_dates_is_in_the_preview_and_can_be_chosen() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let seen = preview(&reader, GOODREADS, &[]).await;
    assert_eq!(
        (&seen["dateOrder"], &seen["ambiguousDates"]),
        (&json!("mdy"), &json!({"count": 3, "sample": "03/04/2020"}))
    );
    let seen = preview(&reader, GOODREADS, &[("dateOrder", "dmy")]).await;
    assert_eq!((&seen["dateOrder"], &seen["books"][0]["dateCompleted"]), (&json!("dmy"), &json!("2020-04-03")));
    let seen = preview(&reader, OPENREADS, &[]).await;
    assert!(seen["dateOrder"] == "ymd" && seen.get("ambiguousDates").is_none(), "{seen}");
    import(&reader, GOODREADS, &[("dateOrder", "dmy")]).await;
    assert_eq!(books(&reader).await[0], json!(["Sand", "completed", null, "2020-04-03"]));
    let wrong = reader.upload("/api/books/import", "books.csv", GOODREADS, &[("dateOrder", "ydm")]).await;
    assert_eq!((wrong.status, wrong.fields()), (422, vec!["dateOrder"]));
}

#[tokio::test]
async fn a_file_with_a_telling_date_is_read_by_it_as_a_whole() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let later = format!("{GOODREADS}3,Sky,A B,4,read,,25/06/2021\n");
    let seen = preview(&reader, &later, &[]).await;
    assert_eq!((&seen["dateOrder"], &seen["books"][0]["dateCompleted"]), (&json!("dmy"), &json!("2020-04-03")));
}

#[tokio::test]
async fn a_first_of_january_becomes_a_year_when_its_reader_says_so() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    assert_eq!(preview(&reader, OPENREADS, &[]).await["januaryFirsts"], 1);
    import(&reader, OPENREADS, &[]).await;
    assert_eq!(books(&reader).await[0], json!(["Year", "completed", null, "2019-01-01"]));
    let other = server.plus().await;
    let choice = [("januaryFirsts", "years")];
    assert_eq!(preview(&other, OPENREADS, &choice).await["januaryFirsts"], 1);
    import(&other, OPENREADS, &choice).await;
    assert_eq!(books(&other).await[0], json!(["Year", "completed", "2019-01-01", "2019-12-31"]));
    let again = import(&other, OPENREADS, &[]).await;
    assert_eq!((&again["imported"], &again["skipped"]), (&json!(0), &json!(2)), "the choice makes no second book");
    let known = preview(&other, OPENREADS, &[]).await;
    assert!(known.get("januaryFirsts").is_none(), "only new books are offered: {known}");
    let wrong = other.upload("/api/books/import", "books.csv", OPENREADS, &[("januaryFirsts", "yes")]).await;
    assert_eq!(wrong.fields(), ["januaryFirsts"]);
}

#[tokio::test]
async fn days_of_january_1970_in_a_file_of_jelu_become_unknown_when_their_reader_says_so() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let seen = preview(&reader, JELU, &[]).await;
    assert!(seen["january1970"] == 1 && seen.get("januaryFirsts").is_none(), "{seen}");
    import(&reader, JELU, &[]).await;
    assert_eq!(books(&reader).await[0], json!(["Unknown day", "completed", null, "1970-01-01"]));
    let other = server.plus().await;
    import(&other, JELU, &[("january1970", "undated")]).await;
    assert_eq!(
        books(&other).await,
        [json!(["Unknown day", "undated", null, null]), json!(["Known day", "completed", null, "2021-05-06"])]
    );
    let wrong = other.upload("/api/books/import", "books.csv", JELU, &[("january1970", "1")]).await;
    assert_eq!(wrong.fields(), ["january1970"]);
}

#[tokio::test]
async fn a_preview_says_which_books_have_no_words_and_which_the_plan_does_not_show() {
    let server = TestServer::start().await;
    let file = "Title,Authors,Read Status,Dates Read\nOld,A B,read,2001/02/03\nUndated,A B,read,\n";
    let seen = |preview: &Value| (preview["withoutWords"].clone(), preview["hiddenBooks"].clone());
    let reader = server.reader().await;
    assert_eq!(seen(&preview(&reader, file, &[]).await), (json!(2), json!(1)));
    let plus = server.plus().await;
    assert_eq!(seen(&preview(&plus, file, &[]).await), (json!(2), Value::Null));
    let import = import(&plus, file, &[]).await;
    assert_eq!(seen(&import), (Value::Null, Value::Null));
}

#[tokio::test]
async fn an_archive_with_one_table_is_imported_and_a_spreadsheet_gets_advice() {
    use std::io::Write as _;
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    archive.start_file("books.csv", zip::write::SimpleFileOptions::default()).unwrap();
    archive.write_all(b"Title,Author,Date Completed,Rating\nDune,F H,2024-01-01,5\n").unwrap();
    let archive = archive.finish().unwrap().into_inner();
    let report = reader.upload("/api/books/import", "export.zip", archive, &[]).await.expect(200);
    assert_eq!((&report["imported"], &report["format"]), (&json!(1), &json!("template")));
    let refused = reader.upload("/api/books/import", "books.xlsx", "PK", &[]).await;
    assert_eq!(refused.status, 415);
    assert!(refused.body["error"].as_str().unwrap().contains("in LibreOffice with File, Save As, Text CSV"));
    let json = reader.upload("/api/books/import", "books.json", "{\"a\": 1}", &[]).await;
    assert_eq!(json.code(422), "unreadable_file");
}

const STORYGRAPH: &str = "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,\
    Read Count,Moods,Star Rating,Review,Tags,Owned?\n\
    Sand,A B,,,print,read,2020/01/01,2020/03/04,2020/03/04,1,\"dark, Tense\",4.0,,\"desert\",\n";

#[tokio::test]
async fn moods_become_tags_only_where_the_reader_wants_it() {
    let server = TestServer::start().await;
    let (plain, wanting) = (server.plus().await, server.plus().await);
    let tags = async |reader: &Reader| reader.get("/api/books").await.expect(200)["data"][0]["tags"].clone();
    let moods = [("columnMap", r#"{"Moods": "tags"}"#)];
    import(&plain, STORYGRAPH, &[]).await;
    assert_eq!(tags(&plain).await, json!([]), "a shelf that is a genre is not a tag, too");
    import(&wanting, STORYGRAPH, &moods).await;
    let mut with_moods = tags(&wanting).await;
    with_moods.as_array_mut().unwrap().sort_by_key(Value::to_string);
    assert_eq!(with_moods, json!(["Tense", "dark"]));
    let genres = wanting.get("/api/books").await.expect(200)["data"][0]["genres"].clone();
    assert_eq!(genres, json!(["desert"]));
    // A row that was imported before stays as it is.
    let again = import(&plain, STORYGRAPH, &moods).await;
    assert_eq!((&again["imported"], &again["skipped"]), (&json!(0), &json!(1)));
    assert_eq!(tags(&plain).await, json!([]));
}
