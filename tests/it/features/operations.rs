//! What is done to a library as a whole, and its undo: joined works, series and tags that are renamed, merged and deleted, imports.
use serde_json::{Value, json};

use crate::support::actors::Reader;
use crate::support::harness::TestServer;

async fn add(reader: &Reader, title: &str, more: Value) -> Value {
    let mut book = json!({"title": title, "author": "Ursula K. Le Guin", "status": "undated", "wordCount": 50_000});
    book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    reader.post("/api/books", book).await.expect(201)["book"].clone()
}

fn earthsea(number: &str) -> Value {
    json!({"name": "Earthsea", "number": number})
}

/// Every book with all its fields.
async fn library(reader: &Reader) -> Value {
    reader.get("/api/books").await.expect(200)["data"].clone()
}

async fn operations(reader: &Reader) -> Value {
    reader.get("/api/operations").await.expect(200)["data"].clone()
}

async fn undo(reader: &Reader, id: &Value) -> Value {
    reader.delete(&format!("/api/operations/{id}")).await.expect(200)
}

async fn read(reader: &Reader, book: &Value) -> Value {
    reader.get(&format!("/api/books/{}", book["id"])).await.expect(200)["book"].clone()
}

#[tokio::test]
async fn a_series_says_what_is_read_missing_and_next() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let wizard = add(&reader, "A Wizard of Earthsea", json!({"series": earthsea("1")})).await;
    reader.post(&format!("/api/books/{}/again", wizard["id"]), json!({})).await.expect(201);
    add(&reader, "The Daughter of Odren", json!({"series": {"name": "earthsea", "number": "1.5"}})).await;
    add(&reader, "Tehanu", json!({"series": earthsea("4"), "status": "in-progress"})).await;
    add(&reader, "Rocannon's World", json!({"series": {"name": "Hainish Cycle", "number": null}})).await;
    add(&reader, "Lavinia", json!({})).await;
    let expected = json!({"data": [
        {"name": "Earthsea", "read": 2, "open": 2, "known": ["1", "1.5", "4"], "missing": [2, 3], "next": 2},
        {"name": "Hainish Cycle", "read": 1, "open": 0, "known": [], "missing": [], "next": null},
    ]});
    assert_eq!(reader.get("/api/series").await.expect(200), expected);
    let other = server.reader().await;
    assert_eq!(other.get("/api/series").await.expect(200), json!({"data": []}));
}

#[tokio::test]
async fn an_omnibus_has_all_of_its_volumes_and_lists_are_in_natural_order() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    for (title, number) in [("Series 10", "Book 5"), ("Series 2", "1\u{2013}3")] {
        add(&reader, title, json!({"series": {"name": title, "number": "1"}})).await;
        add(&reader, &format!("Earthsea {number}"), json!({"series": earthsea(number)})).await;
    }
    let series = reader.get("/api/series").await.expect(200)["data"].clone();
    let (known, missing) = (json!(["1\u{2013}3", "Book 5"]), json!([4]));
    assert_eq!((&series[0]["known"], &series[0]["missing"], &series[0]["next"]), (&known, &missing, &json!(4)));
    assert_eq!((&series[1]["name"], &series[2]["name"]), (&json!("Series 2"), &json!("Series 10")));
    let titles = reader.get("/api/books/titles").await.expect(200)["data"].clone();
    let expected = ["Earthsea 1\u{2013}3", "Earthsea Book 5", "Series 2", "Series 10"];
    assert_eq!(titles.as_array().unwrap().iter().map(|book| &book["title"]).collect::<Vec<_>>(), expected);
    let (mut paged, mut cursor) = (Vec::new(), String::new());
    for _ in expected {
        let page = reader.get(&format!("/api/books?sort=title&order=asc&limit=1&cursor={cursor}")).await.expect(200);
        paged.push(page["data"][0]["title"].clone());
        cursor = page["nextCursor"].as_str().unwrap_or_default().to_owned();
    }
    assert_eq!(paged, expected);
}

#[tokio::test]
async fn a_series_is_renamed_merged_and_given_back() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let one = add(&reader, "A Wizard of Earthsea", json!({"series": earthsea("1")})).await;
    add(&reader, "Tehanu", json!({"series": {"name": "EARTHSEA", "number": "4"}})).await;
    add(&reader, "Tales", json!({"series": {"name": "The Earthsea Cycle", "number": "5"}})).await;
    let before = library(&reader).await;
    let renamed = reader.patch("/api/series/earthsea", json!({"name": " Erdsee "})).await.expect(200);
    assert_eq!((&renamed["series"]["name"], &renamed["series"]["read"]), (&json!("Erdsee"), &json!(2)));
    reader.patch("/api/series/earthsea", json!({"name": "X"})).await.expect(404);
    let merged = reader.patch("/api/series/Erdsee", json!({"name": "the earthsea cycle"})).await.expect(200);
    assert_eq!(merged["series"]["known"], json!(["1", "4", "5"]));
    let list = operations(&reader).await;
    let kinds: Vec<_> =
        list.as_array().unwrap().iter().map(|one| (one["kind"].clone(), one["summary"].clone())).collect();
    assert_eq!(
        kinds,
        [
            (json!("merge"), json!("Series “Erdsee” merged into “The Earthsea Cycle”.")),
            (json!("rename"), json!("Series “Earthsea” renamed to “Erdsee”.")),
        ]
    );
    assert_eq!(
        (&list[0]["id"], &list[0]["undone"], &list[0]["importId"]),
        (&merged["operationId"], &Value::Null, &Value::Null)
    );
    // What was changed since stays.
    reader
        .patch(&format!("/api/books/{}", one["id"]), json!({"series": {"name": "My own", "number": "9"}}))
        .await
        .expect(200);
    let undone = undo(&reader, &merged["operationId"]).await;
    let kept = json!([{"id": one["id"], "title": "A Wizard of Earthsea"}]);
    assert_eq!(undone, json!({"restored": 1, "removed": 0, "kept": kept}));
    reader
        .patch(&format!("/api/books/{}", one["id"]), json!({"series": {"name": "Erdsee", "number": "1"}}))
        .await
        .expect(200);
    assert_eq!(undo(&reader, &renamed["operationId"]).await, json!({"restored": 2, "removed": 0, "kept": []}));
    let without_notes = |list: &Value| -> Vec<Value> {
        let plain = |book: &Value| {
            let mut book = book.clone();
            book.as_object_mut().unwrap().remove("updatedAt");
            book
        };
        list.as_array().unwrap().iter().map(plain).collect()
    };
    assert_eq!(without_notes(&library(&reader).await), without_notes(&before));
    let refused = reader.delete(&format!("/api/operations/{}", renamed["operationId"])).await;
    assert_eq!(refused.code(409), "already_undone");
    assert!(operations(&reader).await[0]["undone"].is_string());
    for wrong in
        [json!({}), json!({"name": null}), json!({"name": 5}), json!({"name": " "}), json!({"name": "x".repeat(201)})]
    {
        assert_eq!(reader.patch("/api/series/Earthsea", wrong).await.fields(), ["name"]);
    }
    let same = reader.patch("/api/series/Earthsea", json!({"name": "Earthsea"})).await.expect(200);
    assert_eq!(same["series"]["read"], 2, "spellings become one");
}

#[tokio::test]
async fn tags_are_in_natural_order_whatever_their_accents() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    add(&reader, "Tehanu", json!({"tags": ["Zeta", "été 10", "eta", "Été 2", "Ärger"]})).await;
    let tags = reader.get("/api/tags").await.expect(200);
    let names: Vec<_> = tags["data"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Ärger", "eta", "Été 2", "été 10", "Zeta"]);
}

#[tokio::test]
async fn tags_are_renamed_merged_deleted_and_given_back() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let first = add(&reader, "Tehanu", json!({"tags": ["cosy", "SF", "owned"]})).await;
    add(&reader, "Tehanu", json!({})).await;
    add(&reader, "Lavinia", json!({"tags": ["Comfort", "sf"]})).await;
    add(&reader, "Tales", json!({"tags": ["comfort", "cosy"]})).await;
    let before = library(&reader).await;
    let tag = |name: &str, books: i64| json!({"name": name, "books": books, "shelf": false, "icon": null});
    let all = json!({"data": [tag("Comfort", 2), tag("cosy", 2), tag("owned", 1), tag("SF", 2)]});
    assert_eq!(reader.get("/api/tags").await.expect(200), all);
    let shown = reader.patch("/api/tags/COSY", json!({"shelf": true, "icon": "lamp"})).await.expect(200);
    assert_eq!(shown, json!({"tag": {"name": "cosy", "books": 2, "shelf": true, "icon": "lamp"}, "operationId": null}));
    reader.patch("/api/tags/owned", json!({"shelf": true, "position": 0})).await.expect(200);
    let order = |tags: Value| -> Vec<String> {
        tags["data"].as_array().unwrap().iter().map(|tag| tag["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(order(reader.get("/api/tags").await.expect(200)), ["owned", "cosy", "Comfort", "SF"]);
    let styled = reader.get("/api/tags").await.expect(200);
    let merged = reader.patch("/api/tags/cosy", json!({"name": "comfort"})).await.expect(200);
    // The shelf goes along.
    assert_eq!(merged["tag"], json!({"name": "Comfort", "books": 3, "shelf": true, "icon": "lamp"}));
    let tags = |book: &Value| book["tags"].clone();
    assert_eq!(tags(&read(&reader, &first).await), json!(["Comfort", "SF", "owned"]));
    let renamed = reader.patch("/api/tags/sf", json!({"name": "science fiction"})).await.expect(200);
    reader.delete("/api/tags/comfort").await.expect(204);
    assert_eq!(tags(&read(&reader, &first).await), json!(["science fiction", "owned"]));
    reader.get("/api/tags").await.expect(200);
    reader.delete("/api/tags/comfort").await.expect(404);
    let list = operations(&reader).await;
    let kinds: Vec<_> = list.as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["delete-tag", "rename", "merge"]);
    assert_eq!(list[0]["summary"], "Tag “Comfort” deleted.");
    assert_eq!(undo(&reader, &list[0]["id"]).await["restored"], 4);
    assert_eq!(undo(&reader, &renamed["operationId"]).await["restored"], 3);
    assert_eq!(undo(&reader, &merged["operationId"]).await["restored"], 3);
    // Exactly as before, with the times of the last change.
    assert_eq!(library(&reader).await, before);
    assert_eq!(reader.get("/api/tags").await.expect(200), styled);
    for (field, wrong) in [
        ("name", vec![json!(null), json!(5), json!(" "), json!("a,b"), json!("x".repeat(101))]),
        ("shelf", vec![json!(null), json!("yes")]),
        ("icon", vec![json!(5), json!("x".repeat(41))]),
        ("position", vec![json!(-1), json!("first")]),
    ] {
        for value in wrong {
            assert_eq!(reader.patch("/api/tags/owned", json!({field: value})).await.fields(), [field], "{value}");
        }
    }
}

#[tokio::test]
async fn joining_and_parting_are_taken_back_exactly() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let german =
        add(&reader, "Die Gräber von Atuan", json!({"tags": ["owned"], "series": {"name": "Erdsee", "number": "2"}}))
            .await;
    add(&reader, "Die Gräber von Atuan", json!({})).await;
    let english = add(&reader, "The Tombs of Atuan", json!({"series": earthsea("2"), "originalYear": 1971})).await;
    let before = library(&reader).await;
    let join = format!("/api/works/{}/join", english["id"]);
    reader.post(&join, json!({"work": german["id"]})).await.expect(200);
    assert_eq!(read(&reader, &german).await["originalYear"], 1971);
    let joined = library(&reader).await;
    reader.post(&format!("/api/books/{}/part", german["id"]), json!({})).await.expect(200);
    let list = operations(&reader).await;
    let shown = |at: usize| (list[at]["kind"].as_str().unwrap(), list[at]["summary"].as_str().unwrap());
    assert_eq!(shown(0), ("part", "A read of “Die Gräber von Atuan” became a book of its own."));
    assert_eq!(shown(1), ("join", "“The Tombs of Atuan” and “Die Gräber von Atuan” became one book."));
    undo(&reader, &list[0]["id"]).await;
    assert_eq!(library(&reader).await, joined);
    assert_eq!(undo(&reader, &list[1]["id"]).await["kept"], json!([]));
    assert_eq!(library(&reader).await, before);
    // A work that is joined with itself is nothing to undo.
    reader.post(&format!("/api/works/{}/join", german["id"]), json!({"work": german["id"]})).await.expect(200);
    assert_eq!(operations(&reader).await.as_array().unwrap().len(), 2);
}

/// A read that was parted goes back to its book only where both still fit together: what was changed since stays.
#[tokio::test]
async fn a_parted_read_that_no_longer_fits_its_book_stays_apart() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let first = add(&reader, "Tehanu", json!({"tags": ["owned"]})).await;
    let parted = |book: &Value| format!("/api/books/{}/part", book["id"]);

    let second = add(&reader, "Tehanu", json!({"work": first["work"]})).await;
    reader.post(&parted(&second), json!({})).await.expect(200);
    reader.patch(&format!("/api/books/{}", second["id"]), json!({"tags": ["gift"]})).await.expect(200);
    let undone = undo(&reader, &operations(&reader).await[0]["id"]).await;
    assert_eq!(undone["kept"], json!([{"id": second["id"], "title": "Tehanu"}]));
    let second = read(&reader, &second).await;
    assert_eq!((&second["work"], &second["tags"]), (&second["id"], &json!(["gift"])));

    let open = add(&reader, "Tehanu", json!({"work": first["work"], "status": "in-progress"})).await;
    reader.post(&parted(&open), json!({})).await.expect(200);
    reader.post(&format!("/api/books/{}/again", first["id"]), json!({})).await.expect(201);
    let undone = undo(&reader, &operations(&reader).await[0]["id"]).await;
    assert_eq!(undone["kept"], json!([{"id": open["id"], "title": "Tehanu"}]));
    assert_eq!(read(&reader, &open).await["work"], open["id"]);
}

/// Reads that were added to a parted book since go back with it, and keep it apart where they do not fit.
#[tokio::test]
async fn what_was_read_since_a_part_goes_back_with_the_parted_read() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let part = async |book: &Value| {
        reader.post(&format!("/api/books/{}/part", book["id"]), json!({})).await.expect(200);
        operations(&reader).await[0]["id"].clone()
    };
    let again = async |book: &Value| {
        reader.post(&format!("/api/books/{}/again", book["id"]), json!({})).await.expect(201)["book"].clone()
    };
    let first = add(&reader, "Tehanu", json!({})).await;
    let second = add(&reader, "Tehanu", json!({"work": first["work"]})).await;
    let operation = part(&second).await;
    let third = again(&second).await;
    assert_eq!(undo(&reader, &operation).await, json!({"restored": 1, "removed": 0, "kept": []}));
    assert_eq!(read(&reader, &second).await["work"], first["id"]);
    assert_eq!(read(&reader, &third).await["work"], first["id"]);

    // Its book is being read again by now, and so is the first one: only one of them could be in progress.
    reader.patch(&format!("/api/books/{}", third["id"]), json!({"status": "undated"})).await.expect(200);
    let operation = part(&second).await;
    let (ours, theirs) = (again(&first).await, again(&second).await);
    assert_eq!(undo(&reader, &operation).await["kept"], json!([{"id": second["id"], "title": "Tehanu"}]));
    let work = async |book: &Value| read(&reader, book).await["work"].clone();
    assert_eq!((work(&second).await, work(&theirs).await), (second["id"].clone(), second["id"].clone()));
    assert_eq!(work(&ours).await, first["id"]);
}

/// An icon or a shelf that was chosen after an operation stays when the operation is taken back.
#[tokio::test]
async fn a_tag_that_was_shown_otherwise_since_keeps_its_icon() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    add(&reader, "Tehanu", json!({"tags": ["owned", "gift"]})).await;
    reader.patch("/api/tags/gift", json!({"shelf": true, "icon": "heart"})).await.expect(200);
    reader.patch("/api/tags/owned", json!({"icon": "star"})).await.expect(200);
    let shown = async || {
        let tags = reader.get("/api/tags").await.expect(200);
        let tag = |tag: &Value| (tag["name"].as_str().unwrap().to_owned(), tag["icon"].clone(), tag["shelf"].clone());
        tags["data"].as_array().unwrap().iter().map(tag).collect::<Vec<_>>()
    };
    let before = shown().await;
    reader.patch("/api/tags/gift", json!({"name": "owned"})).await.expect(200);
    undo(&reader, &operations(&reader).await[0]["id"]).await;
    assert_eq!(shown().await, before);
    reader.patch("/api/tags/gift", json!({"name": "owned"})).await.expect(200);
    reader.patch("/api/tags/owned", json!({"icon": "flag"})).await.expect(200);
    undo(&reader, &operations(&reader).await[0]["id"]).await;
    assert_eq!(
        shown().await,
        [("gift".to_owned(), json!("heart"), json!(true)), ("owned".to_owned(), json!("flag"), json!(false))]
    );
}

#[tokio::test]
async fn imports_stand_among_the_operations_and_give_other_books_back() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let kept =
        add(&reader, "Tehanu", json!({"tags": ["owned"], "dateCompleted": "2020-01-02", "status": "completed"})).await;
    let file = "Title,Author,Word Count,Date Completed,Word Distribution,Authors,Series,Series Number,Tags,Original Year\n\
        Tehanu,Ursula K. Le Guin,1,2024-01-02,final,,Earthsea,4,\"gift,Owned\",1990\n";
    let report = reader.upload("/api/books/import", "tehanu.csv", file, &[]).await.expect(200);
    let united = read(&reader, &kept).await;
    assert_eq!((&united["tags"], &united["series"]), (&json!(["owned", "gift"]), &earthsea("4")));
    let list = operations(&reader).await;
    let import = json!({"id": list[0]["id"], "kind": "import", "summary": "Imported 1 book from tehanu.csv.",
        "createdAt": list[0]["createdAt"], "undone": null, "importId": report["importId"]});
    assert_eq!(list, json!([import]));
    assert_eq!(undo(&reader, &list[0]["id"]).await, json!({"restored": 1, "removed": 1, "kept": []}));
    assert_eq!(library(&reader).await, json!([kept]));
    assert!(operations(&reader).await[0]["undone"].is_string());
    let again = reader.delete(&format!("/api/operations/{}", list[0]["id"])).await;
    assert_eq!(again.code(409), "already_undone");
    let again = reader.delete(&format!("/api/imports/{}", report["importId"])).await;
    assert_eq!(again.code(409), "already_undone");
    let read = "Title,Author,Status\nMalafrena,Ursula K. Le Guin,undated\n";
    let listed = "Lavinia,Ursula K. Le Guin,to-read\nOrsinia,Ursula K. Le Guin,to-read\n";
    reader.upload("/api/books/import", "both.csv", format!("{read}{listed}"), &[]).await.expect(200);
    let third = "Title,Author,Status\nGifts,Ursula K. Le Guin,to-read\n";
    reader.upload("/api/books/import", "list.csv", third, &[]).await.expect(200);
    let list = operations(&reader).await;
    assert_eq!(list[1]["summary"], "Imported 1 book and 2 list items from both.csv.");
    assert_eq!(list[0]["summary"], "Imported 1 list item from list.csv.");
    let many: String = (0..1_200).map(|at| format!("Book {at},Somebody,undated\n")).collect();
    reader.upload("/api/books/import", "many.csv", format!("Title,Author,Status\n{many}"), &[]).await.expect(200);
    assert_eq!(operations(&reader).await[0]["summary"], "Imported 1,200 books from many.csv.");
}

#[tokio::test]
async fn operations_are_listed_in_pages_kept_for_ninety_days_and_erased_with_the_data() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    add(&reader, "Tehanu", json!({"tags": ["a"]})).await;
    for name in ["b", "c", "d"] {
        let tags = reader.get("/api/tags").await.expect(200);
        let path = format!("/api/tags/{}", tags["data"][0]["name"].as_str().unwrap());
        reader.patch(&path, json!({"name": name})).await.expect(200);
    }
    let first = reader.get("/api/operations?limit=2").await.expect(200);
    assert_eq!(first["data"].as_array().unwrap().len(), 2);
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = reader.get(&format!("/api/operations?limit=2&cursor={cursor}")).await.expect(200);
    assert_eq!((second["data"].as_array().unwrap().len(), &second["nextCursor"]), (1, &Value::Null));
    for wrong in ["limit=0", "limit=201", "limit=x", "cursor=x"] {
        let refused = reader.get(&format!("/api/operations?{wrong}")).await;
        assert_eq!(refused.fields(), [wrong.split('=').next().unwrap()]);
    }
    server.advance(chrono::TimeDelta::days(91));
    shelfwise::app::tidy_up(&server.db).await.unwrap();
    let reader = server.visitor().log_in(&reader.email).await;
    assert_eq!(operations(&reader).await, json!([]));
    reader.patch("/api/tags/d", json!({"name": "e", "shelf": true})).await.expect(200);
    assert_eq!(operations(&reader).await.as_array().unwrap().len(), 1);
    reader.delete("/api/account/data").await.expect(204);
    assert_eq!(operations(&reader).await, json!([]));
    add(&reader, "Tehanu", json!({"tags": ["e"]})).await;
    assert_eq!(reader.get("/api/tags").await.expect(200)["data"][0]["shelf"], false);
}

#[tokio::test]
async fn an_account_keeps_100_000_former_rows_and_the_oldest_operations_go() {
    let server = TestServer::start().await;
    let (reader, other) = (server.plus().await, server.plus().await);
    for person in [&reader, &other] {
        add(person, "Tehanu", json!({"tags": ["a"]})).await;
        for name in ["b", "c", "d"] {
            let tag = person.get("/api/tags").await.expect(200)["data"][0]["name"].as_str().unwrap().to_owned();
            person.patch(&format!("/api/tags/{tag}"), json!({"name": name})).await.expect(200);
        }
    }
    // Each rename has 40,000 rows more, as if it had changed as many books.
    let many = "WITH RECURSIVE numbers (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM numbers WHERE n < 40099)
        INSERT INTO undo (user_id, operation, seq, kind, before) SELECT user_id, id, n, 'changed', '{}' FROM operations, numbers";
    let rows = |user: i64| {
        server.db.read(move |conn| {
            Ok(conn.query_row("SELECT count(*) FROM undo WHERE user_id = ?1", [user], |row| row.get::<_, i64>(0))?)
        })
    };
    server.db.write(move |tx| Ok(tx.execute(many, [])?)).await.unwrap();
    assert!(rows(reader.id).await.unwrap() > 120_000);
    let newest = reader.patch("/api/tags/d", json!({"name": "e"})).await.expect(200);
    let left = rows(reader.id).await.unwrap();
    assert!((80_000..=100_000).contains(&left), "{left}");
    let sentences = |list: Value| -> Vec<String> {
        list.as_array().unwrap().iter().map(|one| one["summary"].as_str().unwrap().to_owned()).collect()
    };
    let renamed = |from, to| format!("Tag “{from}” renamed to “{to}”.");
    assert_eq!(sentences(operations(&reader).await), [renamed("d", "e"), renamed("c", "d"), renamed("b", "c")]);
    assert!(rows(other.id).await.unwrap() > 120_000, "another account's rows stay");
    assert_eq!(undo(&reader, &newest["operationId"]).await["restored"], 1);
    assert_eq!(reader.get("/api/tags").await.expect(200)["data"][0]["name"], "d");
}

#[tokio::test]
async fn books_are_found_by_tag_series_and_language() {
    let server = TestServer::start().await;
    let (owner, _) = server.team(0).await;
    owner.patch("/api/preferences", json!({"shareWithTeam": true})).await.expect(200);
    add(&owner, "Tehanu", json!({"tags": ["Owned"], "series": earthsea("4"), "language": "en"})).await;
    add(&owner, "Tales", json!({"tags": ["lent"], "series": earthsea("5"), "language": "pt-BR"})).await;
    add(&owner, "Lavinia", json!({})).await;
    for (query, books) in [
        ("tags=owned", 1),
        ("tags=owned&tags=LENT", 2),
        ("tags=own", 0),
        ("series=earthsea", 2),
        ("series=EARTHSEA&language=pt-br", 1),
        ("language=EN", 1),
        ("tags=&series=&language=", 3),
        ("tags=owned&titleSearch=tales", 0),
    ] {
        let listed = owner.get(&format!("/api/books?{query}")).await.expect(200);
        assert_eq!(listed["matching"], books, "{query}");
        let stats = owner.get(&format!("/api/stats?{query}")).await.expect(200);
        assert_eq!(stats["kpis"]["booksRead"], books, "{query}");
        let team = owner.get(&format!("/api/teams/stats?{query}")).await.expect(200);
        assert_eq!(team["kpis"]["booksRead"], if query.contains("title") { 1 } else { 3 }, "{query}");
    }
    let long = "x".repeat(201);
    for key in ["tags", "series", "language"] {
        assert_eq!(owner.get(&format!("/api/books?{key}={long}")).await.fields(), [key]);
    }
}
