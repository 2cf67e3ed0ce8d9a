//! The offline catalogue: made from dumps with all their faults, and read by the commands and the server.
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use axum::response::IntoResponse as _;
use chrono::TimeDelta;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::catalogue::Catalogue;
use crate::support::dump::{self, Dump};
use crate::support::harness::TestServer;
use crate::support::program::{self, Ended, shelfwise};

/// Makes the catalogue of a data directory.
fn build(data: &Path, dump: &Dump, more: &[&str]) -> Ended {
    let mut command = shelfwise();
    command.args(["catalogue", "build", "--data-dir"]).arg(data);
    for (flag, file) in [("--editions", &dump.editions), ("--works", &dump.works), ("--authors", &dump.authors)] {
        command.arg(flag).arg(file);
    }
    command.arg("--ratings").arg(&dump.ratings).arg("--reading-log").arg(&dump.reading_log).args(more);
    program::run(command, "")
}

fn ask(data: &Path, words: &[&str]) -> Ended {
    let mut command = shelfwise();
    command.arg("catalogue").args(words).arg("--data-dir").arg(data);
    program::run(command, "")
}

fn json_of(data: &Path, words: &[&str]) -> Value {
    let ended = ask(data, &[words, &["--json"]].concat());
    assert_eq!(ended.status, 0, "{}", ended.err);
    serde_json::from_str(&ended.out).unwrap()
}

fn titles(found: &Value) -> Vec<&str> {
    found.as_array().unwrap().iter().map(|hit| hit["title"].as_str().unwrap()).collect()
}

#[test]
fn every_fault_of_a_dump_is_met_and_the_book_found() {
    let folder = tempfile::tempdir().unwrap();
    let (data, dump) = (folder.path(), dump::small(folder.path()));
    let built = build(data, &dump, &[]);
    assert_eq!(built.status, 0, "{}", built.err);
    for said in ["2 lines of", "editions.txt are not records", "the first is line 14", "1 line of", "works.txt"] {
        assert!(built.err.contains(said), "{said}: {}", built.err);
    }
    assert!(built.out.contains("as of 2026-10-31: 10 works, 10 editions"), "{}", built.out);
    let status = json_of(data, &["status"]);
    assert_eq!((&status["works"], &status["editions"], &status["isbns"]), (&json!(10), &json!(10), &json!(5)));
    assert_eq!((&status["changed"], &status["languages"]), (&json!("2026-10-31"), &json!([])));
    assert_eq!(fs::metadata(data.join("catalogue.db")).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(!data.join("catalogue.db.tmp").exists());
    assert!(ask(data, &["verify"]).out.contains("is intact"));

    // The edition of a work that moved, with pages in its pagination only and a cover behind marks for none.
    let dune = json!([{
        "title": "Dune", "authors": ["Frank Herbert"], "pages": 412, "isbn": "9780441013593", "publisher": "Ace",
        "published": "1990", "language": "en", "format": "Print", "genres": ["Science Fiction"], "originalYear": 1965, "cover": 21,
    }]);
    assert_eq!(json_of(data, &["search", "978-0-441-01359-3"]), dune);
    assert_eq!(json_of(data, &["search", "0441013597"]), dune);
    // The rating counts more often than the reading log, and a box of several books comes last.
    assert_eq!(titles(&json_of(data, &["search", "dune"])), ["Dune", "Dune Messiah", "Dune Boxed Set"]);
    assert_eq!(json_of(data, &["search", "dune"])[0], dune[0]);
    assert_eq!(titles(&json_of(data, &["search", "herbert mess"])), ["Dune Messiah"]);
    // A title in capitals, an ISBN of ten digits, and pages that nobody prints.
    let german = json_of(data, &["search", "wustenplanet"]);
    let expected = (json!("Der Wüstenplanet"), json!("9783453186835"), json!("de"), Value::Null);
    assert_eq!(
        (
            german[0]["title"].clone(),
            german[0]["isbn"].clone(),
            german[0]["language"].clone(),
            german[0]["pages"].clone()
        ),
        expected
    );
    // Authors in another form, moved, and with a NUL; a subtitle, a prefix, and pages that are a text.
    let omens = &json_of(data, &["search", "good omens"])[0];
    assert_eq!(omens["authors"], json!(["Terry Pratchett", "Neil Gaiman"]));
    assert_eq!(json_of(data, &["search", "gaiman very"])[0]["pages"], 384);
    // Editions without a work, of a deleted work, and with two ISBNs.
    for isbn in ["9780575048003", "9791090636071"] {
        let orphan = &json_of(data, &["search", isbn])[0];
        assert_eq!((&orphan["title"], &orphan["authors"]), (&json!("Orphan Island"), &json!(["Rose Macaulay"])));
        assert_eq!(orphan["isbn"], isbn);
    }
    for (asked, title) in [
        ("edition of a deleted", "Edition of a deleted work"),
        ("only a work", "Only a Work"),
        ("tabbed", "Tabbed"),
        ("吾輩", "吾輩は猫である"),
        ("nul book", "Nul Book"),
    ] {
        assert_eq!(titles(&json_of(data, &["search", asked])), [title], "{asked}");
    }
    assert_eq!(json_of(data, &["search", "吾輩"])[0]["published"], Value::Null);
    for nothing in ["second record", "cut off", "dune AND", "\"", "9780441013590"] {
        assert_eq!(json_of(data, &["search", nothing]), json!([]), "{nothing}");
    }
    let nothing = ask(data, &["search", "unwritten"]);
    assert_eq!((nothing.status, nothing.err.contains("nothing found for \"unwritten\"")), (1, true), "{}", nothing.err);
}

#[test]
fn a_catalogue_of_some_languages_leaves_the_others_out() {
    let folder = tempfile::tempdir().unwrap();
    let (data, dump) = (folder.path(), dump::small(folder.path()));
    let built = build(data, &dump, &["--languages", "ger,en"]);
    assert_eq!(built.status, 0, "{}", built.err);
    assert_eq!(json_of(data, &["status"])["languages"], json!(["de", "en"]));
    // The first language is preferred where both titles fit, and a work without an edition is left out.
    assert_eq!(titles(&json_of(data, &["search", "frank herbert"]))[0], "Der Wüstenplanet");
    assert_eq!(titles(&json_of(data, &["search", "dune"]))[0], "Dune");
    for left_out in ["吾輩", "only a work", "nul book"] {
        assert_eq!(json_of(data, &["search", left_out]), json!([]), "{left_out}");
    }
    assert_eq!(titles(&json_of(data, &["search", "9780000000019"])), ["Dune Boxed Set"], "an ISBN is enough");
}

#[test]
fn packed_dumps_give_the_same_and_a_failed_build_keeps_the_former_catalogue() {
    let folder = tempfile::tempdir().unwrap();
    let (data, mut dump) = (folder.path(), dump::small(folder.path()));
    let pack = |path: &Path| {
        let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packer.write_all(&fs::read(path).unwrap()).unwrap();
        packer.finish().unwrap()
    };
    let packed = pack(&dump.editions);
    dump.editions = data.join("editions.gz");
    fs::write(&dump.editions, &packed).unwrap();
    assert_eq!(build(data, &dump, &[]).status, 0);
    let before = fs::read(data.join("catalogue.db")).unwrap();
    fs::write(&dump.editions, &packed[..packed.len() / 2]).unwrap();
    let cut = build(data, &dump, &[]);
    assert_eq!(cut.status, 1);
    assert!(cut.err.contains("ends in the middle: please download it again"), "{}", cut.err);
    // The works are given as editions.
    let swapped = Dump { editions: dump.works.clone(), ..dump };
    let refused = build(data, &swapped, &[]);
    assert_eq!(refused.status, 1);
    assert!(refused.err.contains("is not Open Library's dump of editions"), "{}", refused.err);
    let nowhere = build(data, &swapped, &["--to", "/dev/full/catalogue.db"]);
    assert_eq!(nowhere.status, 1);
    assert!(fs::read(data.join("catalogue.db")).unwrap() == before);
    assert!(!data.join("catalogue.db.tmp").exists());
}

#[test]
fn a_larger_dump_is_whole_and_searched_by_any_word() {
    let folder = tempfile::tempdir().unwrap();
    let (data, dump) = (folder.path(), dump::large(folder.path(), 3000));
    let built = build(data, &dump, &[]);
    assert_eq!(built.status, 0, "{}", built.err);
    assert_eq!(json_of(data, &["status"])["editions"], 3010);
    assert!(ask(data, &["verify"]).out.contains("is intact"));
    for place in [0, 1, 2, 30] {
        let word = dump::word(place);
        let found = json_of(data, &["search", &word]);
        assert!(!found.as_array().unwrap().is_empty(), "{word}");
    }
}

#[tokio::test]
async fn a_running_server_reads_a_catalogue_that_appears_and_is_replaced() {
    let server = TestServer::start().await;
    let operator = server.operator().await;
    let check = async || -> Option<Value> {
        let health = operator.get("/api/admin/health").await.expect(200);
        health["checks"].as_array().unwrap().iter().find(|check| check["name"] == "catalogue").cloned()
    };
    assert_eq!(check().await, None);
    let folder = tempfile::tempdir().unwrap();
    let dump = dump::small(folder.path());
    let to = server.folder().join("catalogue.db");
    for (languages, works) in [("eng,ger,jpn", "7 works"), ("eng", "6 works")] {
        let built = build(folder.path(), &dump, &["--languages", languages, "--to", to.to_str().unwrap()]);
        assert_eq!(built.status, 0, "{}", built.err);
        let found = check().await.unwrap();
        let sentence = found["sentence"].as_str().unwrap();
        assert!(
            sentence.starts_with("The offline catalogue is as of 2026-10-31: ") && found["ok"] == true,
            "{sentence}"
        );
        assert!(sentence.contains(works), "{sentence}");
    }
    let doctor = || {
        let mut command = shelfwise();
        command.args(["doctor", "--data-dir"]).arg(server.folder());
        program::run(command, "").out
    };
    assert!(doctor().contains("as of 2026-10-31: 6 works"), "{}", doctor());
    // A backup has the library alone.
    let backups = folder.path().join("backups");
    let mut command = shelfwise();
    command.args(["backup", "create", "--data-dir"]).arg(server.folder()).arg("--to").arg(&backups);
    assert_eq!(program::run(command, "").status, 0);
    let kept = fs::read_dir(&backups).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(kept.into_iter().all(|name| name.starts_with("shelfwise-")));
    fs::write(&to, "something else").unwrap();
    let found = check().await.unwrap();
    assert_eq!(
        (&found["ok"], found["sentence"].as_str().unwrap().contains("can't be read")),
        (&json!(false), true),
        "{found}"
    );
    assert!(doctor().contains("is not a file that `shelfwise catalogue build` has made"), "{}", doctor());
}

#[tokio::test]
async fn a_look_up_is_answered_by_the_offline_catalogue_first_and_leaves_the_server_only_when_it_must() {
    let outside = Catalogue::start().await;
    let server = TestServer::with(|config| {
        config.lookup.openlibrary.url.clone_from(&outside.base);
        config.lookup.openlibrary.covers_url.clone_from(&outside.base);
    })
    .await;
    let reader = server.reader().await;
    let sources = |outcomes: &[(&str, &str)]| -> Value {
        outcomes.iter().map(|(name, outcome)| json!({"name": name, "outcome": outcome})).collect()
    };
    let dune = "/api/lookup?q=dune%20herb&offline=true";
    assert_eq!(reader.get(dune).await.code(503), "lookup_not_configured");
    assert_eq!(reader.get("/api/site").await.expect(200)["offlineCatalogue"], false);
    let folder = tempfile::tempdir().unwrap();
    let to = server.folder().join("catalogue.db");
    let built = build(folder.path(), &dump::small(folder.path()), &["--to", to.to_str().unwrap()]);
    assert_eq!(built.status, 0, "{}", built.err);
    assert_eq!(reader.get("/api/site").await.expect(200)["offlineCatalogue"], true);

    let found = reader.get("/api/lookup?isbn=0441013597").await.expect(200);
    assert_eq!(
        found,
        json!({"data": [{
            "source": "catalogue", "title": "Dune", "authors": ["Frank Herbert"], "pages": 412, "minutes": null, "wordCount": 113_300,
            "wordCountSource": "pages", "isbn": "9780441013593", "publisher": "Ace", "published": "1990", "originalYear": 1965,
            "language": "en", "format": "Print", "genres": ["Science Fiction"], "series": null, "cover": "21",
        }], "sources": sources(&[("catalogue", "ok")])})
    );
    // A reader who types asks as often as keys are pressed.
    for _ in 0..5 {
        let found = reader.get(dune).await.expect(200);
        assert_eq!((titles(&found["data"])[0], &found["sources"]), ("Dune", &sources(&[("catalogue", "ok")])));
    }
    assert_eq!(outside.asked().len(), 0);
    let found = reader.get("/api/lookup?q=kindred%20butler").await.expect(200);
    assert_eq!(found["sources"], sources(&[("catalogue", "empty"), ("openlibrary", "ok")]));
    assert_eq!(found["data"][0]["source"], "openlibrary");
    server.advance(TimeDelta::seconds(1));
    let found = reader.get("/api/lookup?isbn=978-0-8070-8369-7").await.expect(200);
    assert_eq!(found["sources"], sources(&[("catalogue", "empty"), ("openlibrary", "ok")]));
    assert_eq!(outside.asked().len(), 2);

    // Its covers are Open Library's.
    let cover = json!({"source": "catalogue", "cover": "21"});
    assert_eq!(reader.post("/api/lookup/cover", cover.clone()).await.code(404), "not_found");
    assert_eq!(outside.asked().last().unwrap().uri, "/b/id/21-M.jpg?default=false");

    // A file that is not a catalogue is one more source that failed.
    fs::write(&to, "something else").unwrap();
    let failed = reader.get(dune).await;
    assert_eq!(failed.code(503), "lookup_unavailable");
    let found = reader.get("/api/lookup?isbn=9780807083697").await.expect(200);
    assert_eq!(found["sources"], sources(&[("catalogue", "error"), ("openlibrary", "ok")]));
    outside.answer(|_: &axum::http::Uri| Some(axum::http::StatusCode::INTERNAL_SERVER_ERROR.into_response()));
    server.advance(TimeDelta::seconds(1));
    let failed = reader.get("/api/lookup?q=nobody%20answers").await;
    assert_eq!(failed.code(503), "lookup_unavailable");
    assert_eq!(failed.body["sources"], sources(&[("catalogue", "error"), ("openlibrary", "error")]));
}

#[tokio::test]
async fn a_damaged_catalogue_that_is_the_only_source_is_no_answer() {
    let server = TestServer::with(|config| config.lookup.sources.clear()).await;
    fs::write(server.folder().join("catalogue.db"), "something else").unwrap();
    let failed = server.reader().await.get("/api/lookup?q=dune").await;
    assert_eq!(failed.code(503), "lookup_unavailable");
    assert_eq!(failed.body["sources"], json!([{"name": "catalogue", "outcome": "error"}]));
}

#[tokio::test]
async fn books_without_words_get_the_pages_of_the_offline_catalogue_and_give_them_back() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let change = json!({"wordsFromCatalogue": true});
    for (title, author, more) in [
        ("An Edition by its ISBN", "Somebody", json!({"isbn": "9780441013593"})),
        ("DUNE (Dune, #1)", "Herbert, Frank", json!({})),
        ("Dune", "Somebody Else", json!({})),
        ("Dun", "Frank Herbert", json!({})),
        ("Dune", "Frank Herbert", json!({"pages": 100, "status": "in-progress"})),
        ("Dune", "Frank Herbert", json!({"wordCount": 7})),
        ("Very Good (Omens, #1)", "Neil Gaiman", json!({"isbn": "9780000000002"})),
        ("\" OR *", "NEAR(", json!({})),
    ] {
        let mut book = json!({"title": title, "author": author, "status": "undated", "work": null});
        book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        reader.post("/api/books", book).await.expect(201);
    }
    let counts = async || -> Vec<Value> {
        let books = reader.get("/api/books").await.expect(200)["data"].as_array().unwrap().clone();
        let mut books: Vec<_> = books.iter().map(|book| (book["id"].as_i64(), book.clone())).collect();
        books.sort_by_key(|(id, _)| *id);
        books.iter().map(|(_, book)| json!([book["pages"], book["wordCount"], book["wordCountSource"]])).collect()
    };
    let before = counts().await;
    assert_eq!(reader.patch("/api/books", change.clone()).await.code(503), "lookup_not_configured");
    let folder = tempfile::tempdir().unwrap();
    let to = server.folder().join("catalogue.db");
    let built = build(folder.path(), &dump::small(folder.path()), &["--to", to.to_str().unwrap()]);
    assert_eq!(built.status, 0, "{}", built.err);

    let none = reader.patch("/api/books?titleSearch=nothing", change.clone()).await.expect(200);
    assert_eq!(none, json!({"changed": 0, "words": 0}));
    assert_eq!(reader.patch("/api/books", change.clone()).await.expect(200), json!({"changed": 0, "words": 3}));
    let after = counts().await;
    let (dune, omens) = (json!([412, 113_300, "pages"]), json!([384, 105_600, "pages"]));
    let stay = |place: usize| before[place].clone();
    assert_eq!(after, [dune.clone(), dune, stay(2), stay(3), stay(4), stay(5), omens, stay(7)]);
    let operation = reader.get("/api/operations").await.expect(200)["data"][0].clone();
    assert_eq!(operation["summary"], "Gave 3 books a word count.");
    reader.delete(&format!("/api/operations/{}", operation["id"])).await.expect(200);
    assert_eq!(counts().await, before);

    // A typed number is for the others, and genres change in the same call.
    let all = json!({"wordsFromCatalogue": true, "wordsFromPages": true, "words": 9, "addGenres": ["Classics"]});
    assert_eq!(reader.patch("/api/books", all).await.expect(200), json!({"changed": 8, "words": 7}));
    let given: Vec<i64> = counts().await.iter().map(|count| count[1].as_i64().unwrap()).collect();
    assert_eq!(given, [113_300, 113_300, 9, 9, 27_500, 7, 105_600, 9]);
    fs::write(&to, "something else").unwrap();
    assert_eq!(reader.patch("/api/books", change).await.code(503), "lookup_unavailable");
}

/// A place that was noted by page follows the pages that a book gets, and is where it was once they are taken back.
#[tokio::test]
async fn the_undo_of_pages_from_the_catalogue_gives_the_places_in_a_log_back() {
    let server = TestServer::start().await;
    let reader = server.reader().await;
    let to = server.folder().join("catalogue.db");
    let folder = tempfile::tempdir().unwrap();
    let built = build(folder.path(), &dump::small(folder.path()), &["--to", to.to_str().unwrap()]);
    assert_eq!(built.status, 0, "{}", built.err);
    let book = json!({"title": "Dune", "author": "Frank Herbert", "pages": 100, "status": "in-progress", "startDate": "2024-01-10"});
    let book = reader.post("/api/books", book).await.expect(201)["book"].clone();
    let path = format!("/api/books/{}", book["id"]);
    let noted = reader.request(Method::PUT, &format!("{path}/days/2024-01-12")).json(&json!({"page": 50}));
    reader.send(noted).await.expect(200);
    reader.patch(&path, json!({"pages": null})).await.expect(200);
    let place = async || reader.get(&format!("{path}/days")).await.expect(200)["data"][0]["at"].clone();
    assert_eq!(place().await, 5_000);
    let given = reader.patch("/api/books", json!({"wordsFromCatalogue": true})).await.expect(200);
    assert_eq!((&given["words"], place().await), (&json!(1), json!(1_213)));
    let operation = reader.get("/api/operations").await.expect(200)["data"][0]["id"].clone();
    reader.delete(&format!("/api/operations/{operation}")).await.expect(200);
    assert_eq!(place().await, 5_000);
}
