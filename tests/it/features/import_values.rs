//! What an import makes of the cells of other programs: people, loans, shelves, garbled letters, and files that are no books.
use serde_json::{Value, json};

use super::imports::seen;
use crate::support::actors::Reader;
use crate::support::harness::TestServer;

async fn import(reader: &Reader, text: &str, fields: &[(&str, &str)]) -> Value {
    reader.upload("/api/books/import", "books.csv", text.to_owned(), fields).await.expect(200)
}

/// The newest book.
async fn book(reader: &Reader) -> Value {
    reader.get("/api/books").await.expect(200)["data"][0].clone()
}

#[tokio::test]
async fn names_with_the_last_name_first_are_turned_unless_the_reader_keeps_them() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let text = "Name,Writer,Finished,Narrators\n\
        Emma,\"Austen, Jane\",2024-01-05,Ann Voice; Ben Voice\n\
        Good Omens,\"Gaiman, Neil|Pratchett, Terry\",2024-01-06,\nMomo,Michael Ende,2024-01-07,\n";
    let map = (
        "columnMap",
        r#"{"Name": "title", "Writer": "author", "Finished": "dateCompleted", "Narrators": "contributors"}"#,
    );
    let authors = async |names: &str| {
        let (preview, _) = seen(&reader, text, &[map, ("names", names)]).await;
        let books = preview["books"].as_array().unwrap();
        (preview["asks"][0].clone(), books.iter().map(|book| book["author"].clone()).collect::<Vec<_>>())
    };
    let asked = json!({"field": "names", "choices": ["turn", "keep"], "preset": "turn"});
    assert_eq!(
        authors("").await,
        (asked.clone(), vec![json!("Jane Austen"), json!("Neil Gaiman, Terry Pratchett"), json!("Michael Ende")])
    );
    assert_eq!(
        authors("keep").await,
        (asked, vec![json!("Austen, Jane"), json!("Gaiman, Neil, Pratchett, Terry"), json!("Michael Ende")])
    );
    let (preview, _) = seen(&reader, text, &[map]).await;
    let narrators = json!([{"name": "Ann Voice", "role": "narrator"}, {"name": "Ben Voice", "role": "narrator"}]);
    assert_eq!(preview["books"][0]["contributors"], narrators);
    let two = "Name,Writer,Finished\nGood Omens,\"Neil Gaiman, Terry Pratchett\",2024-01-06\n";
    let asks = seen(&reader, two, &[]).await.0["asks"].to_string();
    assert!(!asks.contains("names"), "two spoken names: {asks}");
}

#[tokio::test]
async fn books_that_say_no_format_get_the_one_that_the_reader_chooses() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let text = "Name,Writer,Finished\nEmma,Jane Austen,2024-01-05\n";
    let map = ("columnMap", r#"{"Name": "title", "Writer": "author", "Finished": "dateCompleted"}"#);
    let (preview, _) = seen(&reader, text, &[map]).await;
    assert_eq!(
        preview["asks"],
        json!([{"field": "format", "choices": ["Print", "eBook", "Audio"], "preset": "Print"}]),
        "{preview}"
    );
    import(&reader, text, &[map, ("format", "Audio")]).await;
    assert_eq!(book(&reader).await["format"], "Audio");
    // A newer file that says no format, either, changes nothing.
    let again = reader.upload("/api/books/import?mode=sync", "books.csv", text, &[map]).await.expect(200);
    assert_eq!((&again["changed"], &book(&reader).await["format"]), (&json!(0), &json!("Audio")), "{again}");
    let goodreads =
        "Book Id,Title,Author,My Rating,Binding,Date Read,Exclusive Shelf\n1,Emma,Jane Austen,4,,2024/01/05,read\n";
    assert_eq!(seen(&reader, goodreads, &[]).await.0["asks"], Value::Null);
    let own = "Title,Author,Date Completed\nEmma,Jane Austen,2024-01-05\n";
    assert_eq!(seen(&reader, own, &[]).await.0["asks"], Value::Null, "templates never ask");
    let wrong = reader.upload("/api/books/import?dryRun=true", "books.csv", text, &[("format", "Scroll")]).await;
    assert_eq!(wrong.fields(), ["format"]);
}

#[tokio::test]
async fn loans_and_holds_of_libby_are_books_and_items() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let csv = "cover,title,author,publisher,isbn,timestamp,activity,details,library\n\
        ,Later,Ann Two,Ace,,\"May 02, 2024 08:00\",Placed on hold,,Town\n\
        ,Emma,Jane Austen,Ace,9780441013593,\"March 20, 2024 17:29\",Returned,,Town\n\
        ,Emma,Jane Austen,Ace,9780441013593,\"March 10, 2024 09:15\",Borrowed,21 days,Town\n\
        ,Emma,Jane Austen,Ace,9780441013593,\"February 01, 2024 09:15\",Returned,,Town\n\
        ,Emma,Jane Austen,Ace,9780441013593,\"January 07, 2024 17:29\",Borrowed,21 days,Town\n\
        ,Momo,Michael Ende,Ace,,\"January 05, 2024 17:29\",Borrowed,21 days,Town\n\
        ,A Weekly,,Press,,\"January 04, 2024 17:29\",Borrowed,21 days,Town\n\
        ,Given Up,Ann Two,Ace,,\"January 03, 2024 17:29\",Hold canceled,,Town\n\
        ,Given Up,Ann Two,Ace,,\"January 02, 2024 17:29\",Placed on hold,,Town\n\
        ,Emma,Jane Austen,Ace,9780441013593,\"June 20, 2019 17:29\",Returned,,Town\n\
        ,Emma,Jane Austen,Ace,9780441013593,\"June 02, 2019 17:29\",Borrowed,21 days,Town\n";
    let (preview, books) = seen(&reader, csv, &[]).await;
    assert_eq!((&preview["format"], &preview["leftOut"], &preview["errors"]), (&json!("libby"), &json!(2), &json!(0)));
    assert_eq!(
        books,
        [
            "Emma | Jane Austen | completed | 2019-06-20 | null",
            "Emma | Jane Austen | completed | 2024-03-20 | null",
            "Momo | Michael Ende | in-progress | - | null",
            "Later | to-read",
        ],
        "a book that is borrowed again soon is read on"
    );
    assert_eq!(
        (&preview["books"][1]["startDate"], &preview["books"][0]["format"]),
        (&json!("2024-01-07"), &json!("eBook"))
    );
    let asked = |field: &str| {
        let asks = preview["asks"].as_array().unwrap();
        asks.iter().find(|ask| ask["field"] == field).map(|ask| ask["preset"].clone())
    };
    assert_eq!((asked("status"), asked("format")), (Some(json!("completed")), Some(json!("eBook"))));
    for (answer, emma) in [("undated", "Emma | Jane Austen | undated | - | null"), ("tbr", "Later | to-read")] {
        let (_, books) = seen(&reader, csv, &[("status", answer)]).await;
        assert!(books.contains(&emma.to_owned()), "{answer}: {books:?}");
        assert!(books.contains(&"Momo | Michael Ende | in-progress | - | null".to_owned()), "{answer}: {books:?}");
    }
    let event = |title: &str, format: &str, day: &str, activity: &str| {
        let timestamp = chrono::NaiveDate::parse_from_str(day, "%Y-%m-%d").unwrap().and_hms_opt(9, 0, 0).unwrap();
        json!({"title": {"text": title}, "author": "Jane Austen", "publisher": "Ace", "isbn": null, "details": "21 days",
            "timestamp": timestamp.and_utc().timestamp_millis(), "activity": activity, "cover": {"format": format}})
    };
    let timeline = json!({"version": 1, "timeline": [
        event("Emma", "audiobook", "2024-03-20", "Returned"),
        event("Emma", "audiobook", "2024-03-10", "Borrowed"),
        event("A Weekly", "magazine", "2024-03-01", "Borrowed"),
    ]});
    let preview =
        reader.upload("/api/books/import?dryRun=true", "timeline.json", timeline.to_string(), &[]).await.expect(200);
    let emma = &preview["books"][0];
    assert_eq!(
        (&emma["format"], &emma["startDate"], &preview["leftOut"]),
        (&json!("Audio"), &json!("2024-03-10"), &json!(1))
    );
}

#[tokio::test]
async fn highlights_are_refused_as_belonging_to_the_quotes() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let files = [
        ("readwise.csv", "Highlight,Book Title,Book Author,Amazon Book ID,Note\nA passage,Emma,Jane Austen,,\n".to_owned()),
        (
            "My Clippings.txt",
            "\u{feff}Emma (Jane Austen)\n- Your Highlight on page 12 | Added on Monday, April 21, 2014 10:08:07 PM\n\nA passage\n==========\n"
                .to_owned(),
        ),
        (
            "koreader.json",
            json!({"title": "Emma", "author": "Jane Austen", "file": "/Emma.epub", "number_of_pages": 400, "version": "json/1.0.0",
                "entries": [{"text": "A passage", "page": 12, "chapter": "One", "time": 1_398_000_000}]})
            .to_string(),
        ),
        ("koreader.json", json!({"documents": [], "created_on": 1_398_000_000, "version": "json/1.0.0"}).to_string()),
    ];
    for (name, text) in files {
        let refused = reader.upload("/api/books/import", name, text, &[]).await;
        let sentence = refused.body["error"].as_str().unwrap().to_owned();
        assert_eq!(refused.code(422), "unreadable_file", "{name}");
        assert!(sentence.starts_with("These are highlights, not books.") && sentence.contains("quotes"), "{sentence}");
    }
    assert_eq!(reader.get("/api/books").await.expect(200)["total"], 0);
}

#[tokio::test]
async fn letters_that_a_spreadsheet_garbled_are_mended_when_all_of_them_can_be() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let header = "Book Id,Title,Author,My Rating,Exclusive Shelf\n";
    let garbled = format!("{header}1,Trabajo y aÃ±os,Victoria de los Ã\u{81}ngeles,4,read\n");
    let (preview, books) = seen(&reader, &garbled, &[]).await;
    assert_eq!(books, ["Trabajo y años | Victoria de los Ángeles | undated | - | 8"]);
    assert_eq!(preview["mendedText"], true);
    // One letter that is right shows that the others are meant.
    let (preview, books) = seen(&reader, &format!("{garbled}2,Días,A B,4,read\n"), &[]).await;
    assert!(books[0].starts_with("Trabajo y aÃ±os"), "{books:?}");
    assert_eq!(preview["mendedText"], Value::Null);
}

#[tokio::test]
async fn a_genre_with_a_comma_is_two_and_refuses_no_row() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let text = "Book Id,Title,Author,My Rating,Date Read,Exclusive Shelf,genres\n\
        1,Emma,Jane Austen,4,2024/01/05,read,\"Nonfiction|2941;Autobiography,Memoir|1643\"\n";
    let report = import(&reader, text, &[]).await;
    assert_eq!((&report["imported"], &report["errors"]), (&json!(1), &json!(0)), "{report}");
    assert_eq!(book(&reader).await["genres"], json!(["Nonfiction", "Autobiography", "Memoir"]));
}

#[tokio::test]
async fn a_shelf_is_a_genre_or_a_tag_and_has_its_written_form() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let text = "Book Id,Title,Author,My Rating,Date Read,Bookshelves,Exclusive Shelf\n\
        1,Emma,Jane Austen,4,2024/01/05,\"sci-fi, ya, 2023-challenge\",read\n\
        2,Momo,Michael Ende,0,,\"to-read, sci-fi, from-ann\",to-read\n";
    let (preview, _) = seen(&reader, text, &[]).await;
    assert_eq!(preview["genreNames"], json!({"sci-fi": "Science Fiction", "ya": "Young Adult"}));
    import(&reader, text, &[]).await;
    let emma = book(&reader).await;
    assert_eq!(
        (&emma["genres"], &emma["tags"]),
        (&json!(["Science Fiction", "Young Adult"]), &json!(["2023-challenge"]))
    );
    // An item of the list has no genres.
    let momo = reader.get("/api/tbr").await.expect(200)["data"][0].clone();
    assert_eq!(momo["tags"], json!(["sci-fi", "from-ann"]));
    let kept = server.plus().await;
    import(&kept, text, &[("genreNames", "keep")]).await;
    assert_eq!(book(&kept).await["genres"], json!(["sci-fi", "ya"]));
}

#[tokio::test]
async fn a_second_file_of_a_program_hints_at_bringing_the_library_up_to_date() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let text = "Book Id,Title,Author,My Rating,Date Read,Exclusive Shelf\n1,Emma,Jane Austen,4,2024/01/05,read\n";
    assert_eq!(seen(&reader, text, &[]).await.0["formerImports"], Value::Null);
    import(&reader, text, &[]).await;
    assert_eq!(seen(&reader, text, &[]).await.0["formerImports"], 1);
    assert_eq!(seen(&reader, "Title,Author\nMomo,Michael Ende\n", &[]).await.0["formerImports"], Value::Null);
}
