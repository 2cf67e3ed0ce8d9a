//! What is known of a book beyond title and numbers: several authors, contributors, series, tags, and the edition.
use serde_json::{Value, json};

use crate::support::actors::{Reader, as_listed};
use crate::support::harness::TestServer;

async fn add(reader: &Reader, body: Value) -> Value {
    reader.post("/api/books", body).await.expect(201)["book"].clone()
}

fn omens(more: Value) -> Value {
    let mut book = json!({"title": "Good Omens", "authors": ["Neil Gaiman", "Terry Pratchett"], "wordCount": 110_000, "status": "undated"});
    book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    book
}

fn path(book: &Value) -> String {
    format!("/api/books/{}", book["id"])
}

fn facts() -> Value {
    json!({
        "contributors": [{"name": "Andreas Brandhorst", "role": "translator"}, {"name": "Ann", "role": "other"}],
        "series": {"name": "The Expanse", "number": "0.5"}, "tags": ["owned", "Lent to Bo"], "publisher": "Piper",
        "published": "2011-06", "originalYear": 1990, "language": "de", "private": true
    })
}

fn assert_facts(book: &Value, expected: &Value) {
    for (field, value) in expected.as_object().unwrap() {
        assert_eq!(book[field], *value, "{field}");
    }
}

#[tokio::test]
async fn a_book_keeps_what_is_known_of_it() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let made = add(&reader, omens(facts())).await;
    assert_facts(&made, &facts());
    assert_eq!((&made["author"], &made["cover"]), (&json!("Neil Gaiman, Terry Pratchett"), &Value::Null));
    assert_eq!(reader.get("/api/books").await.expect(200)["data"][0], made);
    assert_eq!(as_listed(&reader.get(&path(&made)).await.expect(200)["book"]), made);
    let titles = reader.get("/api/books/titles").await.expect(200);
    assert_eq!(titles["data"][0]["author"], "Neil Gaiman, Terry Pratchett");
    let nothing = json!({"contributors": null, "series": null, "tags": null, "publisher": " ", "published": null,
        "originalYear": null, "language": ""});
    let cleared = reader.patch(&path(&made), nothing).await.expect(200)["book"].clone();
    let empty = json!({"contributors": [], "series": null, "tags": [], "publisher": null, "published": null,
        "originalYear": null, "language": null});
    assert_facts(&cleared, &empty);
}

#[tokio::test]
async fn the_languages_of_a_library_are_listed_by_their_books() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    assert_eq!(reader.get("/api/books/languages").await.expect(200), json!({"data": []}));
    for (title, language) in [("A", "de"), ("B", "en"), ("C", "en"), ("C", "en"), ("D", "")] {
        add(&reader, json!({"title": title, "author": "X", "status": "undated", "language": language})).await;
    }
    let languages = json!({"data": [{"name": "en", "books": 2}, {"name": "de", "books": 1}]});
    assert_eq!(reader.get("/api/books/languages").await.expect(200), languages);
    assert_eq!(server.plus().await.get("/api/books/languages").await.expect(200), json!({"data": []}));
}

#[tokio::test]
async fn an_author_is_one_name_unless_authors_are_listed() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let one =
        add(&reader, json!({"title": "Omens", "author": "Neil Gaiman, Terry Pratchett", "status": "undated"})).await;
    assert_eq!(one["authors"], json!(["Neil Gaiman, Terry Pratchett"]));
    let both = add(&reader, omens(json!({"author": "Ignored"}))).await;
    assert_eq!(both["authors"], json!(["Neil Gaiman", "Terry Pratchett"]));
    let same = reader.patch(&path(&both), json!({"author": "Neil Gaiman, Terry Pratchett"})).await.expect(200);
    assert_eq!(same["book"], both, "the joined text of the present authors changes nothing");
    let other = reader.patch(&path(&both), json!({"author": "Gaiman, Neil"})).await.expect(200);
    assert_eq!(other["book"]["authors"], json!(["Gaiman, Neil"]));
    let listed = reader.patch(&path(&both), json!({"authors": [" A ", "a", "B"]})).await.expect(200);
    assert_eq!((&listed["book"]["author"], &listed["book"]["authors"]), (&json!("A, B"), &json!(["A", "B"])));
    // A list and a text of the same names are the same book.
    let joined = add(&reader, json!({"title": "good omens", "author": "a, b", "status": "undated"})).await;
    assert_eq!(joined["work"], both["work"]);
}

#[tokio::test]
async fn a_template_may_have_the_further_columns_of_an_export() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let file = "Title,Author,Word Count,Date Completed,Series,Series Number,Tags,Language,Original Year,Contributors\n\
        Emma,Jane Austen,155887,2026-01-02,Novels,4,\"owned, gift\",en,1815,Juliet Stevenson (Narrator)\n\
        Momo,Michael Ende,60000,2026-01-03,NaN,,NaT,German,,\"[{\"\"name\"\": \"\"J. M. Brownjohn\"\", \"\"role\"\": \"\"translator\"\"}]\"\n";
    let answer = reader.upload("/api/books/import", "books.csv", file, &[]).await.expect(200);
    assert_eq!((&answer["format"], &answer["errors"]), (&json!("template"), &json!(0)));
    let books = reader.get("/api/books?sort=title&order=asc").await.expect(200)["data"].clone();
    assert_eq!(books[0]["series"], json!({ "name": "Novels", "number": "4" }));
    assert_eq!(books[0]["tags"], json!(["owned", "gift"]));
    assert_eq!((&books[0]["language"], &books[0]["originalYear"]), (&json!("en"), &json!(1815)));
    assert_eq!(books[0]["contributors"], json!([{ "name": "Juliet Stevenson", "role": "narrator" }]));
    assert_eq!((&books[1]["series"], &books[1]["tags"]), (&Value::Null, &json!([])), "nothing is no name");
    assert_eq!(books[1]["language"], "de");
    assert_eq!(books[1]["contributors"], json!([{ "name": "J. M. Brownjohn", "role": "translator" }]));
}

#[tokio::test]
async fn each_wrong_fact_is_named() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let made = add(&reader, omens(json!({}))).await;
    let long = |length: usize| "x".repeat(length);
    let many = |count: usize| (0..count).map(|at| at.to_string()).collect::<Vec<_>>();
    for (field, wrong) in [
        (
            "authors",
            vec![
                json!([]),
                json!([" "]),
                json!("A"),
                json!(null),
                json!([1]),
                json!([long(501)]),
                json!(many(21)),
                json!([long(250), long(249) + "y"]),
                json!(["a\u{1f}b"]),
            ],
        ),
        (
            "contributors",
            vec![
                json!("A"),
                json!([{"name": "A", "role": "author"}]),
                json!([{"role": "editor"}]),
                json!([{"name": long(501)}]),
                json!(vec![json!({"name": "A"}); 51]),
            ],
        ),
        (
            "series",
            vec![
                json!("Dune"),
                json!({"name": " "}),
                json!({"number": "1"}),
                json!({"name": long(201)}),
                json!({"name": "A", "number": 1}),
                json!({"name": "A", "number": long(21)}),
            ],
        ),
        ("tags", vec![json!("a"), json!([1]), json!(many(51)), json!(["a,b"]), json!([long(101)])]),
        ("publisher", vec![json!(1), json!(long(201))]),
        ("published", vec![json!(2019), json!("soon"), json!("2019-13"), json!("2101")]),
        ("originalYear", vec![json!("1990"), json!(1990.5), json!(-3001), json!(2101)]),
        ("language", vec![json!(1), json!("German, mostly"), json!("en_US")]),
    ] {
        for value in wrong {
            let refused = reader.patch(&path(&made), json!({field: value})).await;
            assert_eq!(refused.status, 422, "{field} {value}");
            assert_eq!(refused.fields(), [field], "{value}");
        }
    }
    let missing = reader.post("/api/books", json!({"title": "T", "status": "undated"})).await;
    assert_eq!(missing.fields(), ["author"]);
    assert_eq!(as_listed(&reader.get(&path(&made)).await.expect(200)["book"]), made);
}

#[tokio::test]
async fn the_reads_of_a_book_agree_about_what_belongs_to_it() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let common = json!({"series": {"name": "Discworld", "number": "4"}, "tags": ["owned"], "originalYear": 1987});
    let first = add(&reader, omens(facts())).await;
    // A joining read takes what belongs to the book, and says the rest itself.
    let second = add(&reader, omens(json!({"publisher": "Corgi"}))).await;
    assert_facts(
        &second,
        &json!({"work": first["id"], "series": facts()["series"], "tags": facts()["tags"], "originalYear": 1990}),
    );
    assert_facts(&second, &json!({"publisher": "Corgi", "published": null, "language": null, "contributors": []}));
    // What it says itself is written to all reads.
    let third = add(&reader, omens(json!({"tags": ["gift"]}))).await;
    assert_facts(&third, &json!({"series": facts()["series"], "tags": ["gift"]}));
    let stored = reader.get(&path(&first)).await.expect(200)["book"].clone();
    assert_facts(&stored, &json!({"series": facts()["series"], "tags": ["gift"], "publisher": "Piper"}));
    // A change of one read is one of all.
    let changed = reader.patch(&path(&second), common.clone()).await.expect(200)["book"].clone();
    assert_facts(&changed, &common);
    for read in [&first, &third] {
        assert_facts(&reader.get(&path(read)).await.expect(200)["book"], &common);
    }
    // A further read has the edition, too.
    let again = reader.post(&format!("{}/again", path(&first)), json!({"language": "en", "published": null})).await;
    let again = again.expect(201)["book"].clone();
    assert_facts(&again, &common);
    let edition =
        json!({"publisher": "Piper", "contributors": facts()["contributors"], "language": "en", "published": null});
    assert_facts(&again, &edition);
    let work = reader.get(&format!("/api/works/{}", first["id"])).await.expect(200)["work"].clone();
    assert_facts(&work, &common);
    assert_eq!((&work["authors"], work["reads"].as_array().unwrap().len()), (&first["authors"], 4));
    // Authors go to all reads only when asked.
    let path = format!("{}?reads=all", path(&second));
    reader.patch(&path, json!({"authors": ["Neil Gaiman"]})).await.expect(200);
    let listed = reader.get("/api/books").await.expect(200);
    assert!(listed["data"].as_array().unwrap().iter().all(|book| book["authors"] == json!(["Neil Gaiman"])));
}

#[tokio::test]
async fn a_book_counts_for_each_of_its_authors() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    add(&reader, omens(json!({"status": "completed", "dateCompleted": "2024-05-02"}))).await;
    let mort =
        json!({"title": "Mort", "author": "Terry Pratchett", "wordCount": 80_000, "dateCompleted": "2023-05-02"});
    add(&reader, mort).await;
    let stats = reader.get("/api/stats").await.expect(200);
    let kpis = &stats["kpis"];
    assert_eq!((&kpis["authors"], &kpis["totalWords"], &kpis["booksRead"]), (&json!(2), &json!(190_000), &json!(2)));
    let authors = json!([{"name": "Terry Pratchett", "words": 190_000, "books": 2}, {"name": "Neil Gaiman", "words": 110_000, "books": 1}]);
    assert_eq!(stats["authors"], authors);
    assert_eq!(stats["shelf"]["books"][1]["author"], "Neil Gaiman, Terry Pratchett");
    for (author, books) in [("Neil%20Gaiman", 1), ("Terry%20Pratchett", 2), ("Neil%20Gaiman,%20Terry%20Pratchett", 0)] {
        let stats = reader.get(&format!("/api/stats?authors={author}")).await.expect(200);
        assert_eq!(stats["kpis"]["booksRead"], books, "{author}");
        let listed = reader.get(&format!("/api/books?authors={author}")).await.expect(200);
        assert_eq!(listed["matching"], books, "{author}");
    }
    let review = reader.get("/api/review?period=2024").await.expect(200);
    assert_eq!(review["newAuthors"], json!(["Neil Gaiman"]));
}
