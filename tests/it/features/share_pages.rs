//! Public pages, lists, tags and pictures behind secret links, and what no link of any kind shows.
use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use chrono::{Datelike as _, Days, TimeDelta};
use serde_json::{Value, json};

use crate::features::covers::png;
use crate::features::shares::{add, html, path, put_cover, read_again};
use crate::support::actors::{Reader, TestClient};
use crate::support::harness::TestServer;
use crate::support::program::{self, Ended, command};

async fn link(reader: &Reader, form: Value) -> (i64, String) {
    let made = reader.post("/api/shares", form).await.expect(201);
    (made["share"]["id"].as_i64().unwrap(), path(&made))
}

async fn text(person: &TestClient, path: &str) -> String {
    let answer = person.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    answer.body.as_str().map_or_else(|| answer.body.to_string(), str::to_owned)
}

/// A picture's text, which every parser of XML reads.
async fn picture(person: &TestClient, path: &str) -> String {
    let svg = text(person, &format!("{path}/card.svg")).await;
    let read = roxmltree::Document::parse(&svg).unwrap();
    let texts = read.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")));
    texts.filter_map(|node| node.text()).collect::<Vec<_>>().join("\n").replace(['\u{2068}', '\u{2069}'], "")
}

/// A day of this year that is over, or today on its first day.
fn this_year(server: &TestServer) -> String {
    let today = server.app.now().date_naive();
    let before = today.checked_sub_days(Days::new(1)).unwrap();
    if before.year() == today.year() { before.to_string() } else { today.to_string() }
}

async fn open(reader: &Reader, title: &str, percent: f64) -> i64 {
    let today = reader.get("/api/reading").await.expect(200)["today"].as_str().unwrap().to_owned();
    let id =
        add(reader, json!({"title": title, "author": "Frank Herbert", "status": "in-progress", "dateCompleted": null}))
            .await;
    reader.put(&format!("/api/books/{id}/days/{today}"), json!({"percent": percent})).await.expect(200);
    id
}

#[tokio::test]
async fn a_public_page_shows_what_is_being_read_and_the_finished_books_of_this_year() {
    let server = TestServer::start().await;
    let (reader, stranger) = (server.plus().await, server.visitor());
    let (id, path) = link(&reader, json!({"kind": "public", "parts": ["name"]})).await;
    assert!(text(&stranger, &path).await.contains("Nothing to see here yet."));
    assert!(picture(&stranger, &path).await.contains("Nothing to see here yet."));
    add(&reader, json!({"dateCompleted": this_year(&server)})).await;
    add(&reader, json!({"title": "Long ago"})).await;
    assert!(picture(&stranger, &path).await.contains("1 book\n160,000 words"));
    open(&reader, "Dune", 40.9).await;
    let paused = open(&reader, "Resting", 10.0).await;
    reader.patch(&format!("/api/books/{paused}"), json!({"pausedSince": this_year(&server)})).await.expect(200);
    let name = reader.get("/api/auth/me").await.expect(200)["user"]["displayName"].as_str().unwrap().to_owned();
    let page = text(&stranger, &path).await;
    for shown in [&format!("{name}, reading"), "Reading now", "Dune", ">40%<", "Finished this year", ">1 book<", "Emma"]
    {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    for hidden in ["Long ago", "Resting", "<script", "rel=\"alternate\""] {
        assert!(!page.contains(hidden), "{hidden}");
    }
    assert_eq!(stranger.get(&format!("{path}/feed.atom")).await.status, 404, "a feed would say the days");
    reader.patch(&format!("/api/shares/{id}"), json!({"parts": ["dates"]})).await.expect(200);
    let page = text(&stranger, &path).await;
    assert!(page.contains(">Reading<") && !page.contains(&name));
    assert_eq!(page.matches("<link rel=\"alternate\" type=\"application/").count(), 2, "{page}");
    let feed = stranger.get(&format!("{path}/feed.json")).await.expect(200);
    let titles: Vec<_> = feed["items"].as_array().unwrap().iter().map(|item| &item["title"]).collect();
    assert_eq!(titles, ["Emma"], "no more than the page");
    let said = picture(&stranger, &path).await;
    assert!(said.starts_with("Reading now\nDune\nFrank Herbert, 40%\n"), "{said}");
    let card = stranger.get(&format!("{path}/card.svg")).await;
    for (header, value) in [
        ("content-type", "image/svg+xml"),
        ("cross-origin-resource-policy", "cross-origin"),
        ("x-robots-tag", "noindex, nofollow"),
        ("cache-control", "private, no-cache"),
    ] {
        assert_eq!(card.header(header), value);
    }
    assert!(card.header("content-security-policy").starts_with("default-src 'none'; style-src 'sha256-"));
    reader.delete(&format!("/api/shares/{id}")).await.expect(204);
    assert_eq!(stranger.get(&format!("{path}/card.svg")).await.status, 404);
}

#[tokio::test]
async fn a_review_has_a_picture_and_a_list_and_a_tag_have_their_books_alone() {
    let server = TestServer::start().await;
    let (reader, stranger) = (server.plus().await, server.visitor());
    let emma = add(&reader, json!({"tags": ["Slow"], "rating": 9})).await;
    read_again(&reader, emma).await;
    add(&reader, json!({"title": "A quick one"})).await;
    add(&reader, json!({"title": "Änglar", "tags": ["slow"], "status": "undated", "dateCompleted": null})).await;
    for (title, tags) in [("Zadig", json!([])), ("Candide", json!(["wish"]))] {
        reader
            .post("/api/tbr", json!({"title": title, "author": "Voltaire", "notes": "Hidden note", "tags": tags}))
            .await
            .expect(201);
    }
    let (_, review) = link(&reader, json!({"kind": "review", "period": "2016"})).await;
    assert!(picture(&stranger, &review).await.starts_with("2016\n"));
    let (_, all) = link(&reader, json!({"kind": "list"})).await;
    let page = text(&stranger, &all).await;
    assert!(page.contains("What to give me") && page.find("Zadig") < page.find("Candide"), "{page}");
    assert!(page.contains("Voltaire") && !page.contains("Hidden note") && !page.contains("Emma"));
    let (_, some) = link(&reader, json!({"kind": "list", "tag": "Wish"})).await;
    let page = text(&stranger, &some).await;
    assert!(page.contains("Candide") && !page.contains("Zadig") && !page.contains("wish"), "{page}");
    let (id, tag) = link(&reader, json!({"kind": "tag", "tag": "slow"})).await;
    let page = text(&stranger, &tag).await;
    assert!(page.contains("<bdi>Slow</bdi>") && page.find("Änglar") < page.find("Emma"), "{page}");
    assert!(!page.contains("quick") && !page.contains("2016") && !page.contains("<span class=\"rating\">"), "{page}");
    assert_eq!(page.matches("<li>").count(), 2, "a reread is the same book");
    reader.patch(&format!("/api/shares/{id}"), json!({"parts": ["dates", "ratings"]})).await.expect(200);
    assert!(text(&stranger, &tag).await.contains("2016"));
    for (path, file) in [(&all, "card.svg"), (&tag, "feed.json"), (&tag, "calendar.ics"), (&review, "feed.atom")] {
        assert_eq!(stranger.get(&format!("{path}/{file}")).await.status, 404, "{file}");
    }
    reader.delete(&format!("/api/books/{emma}")).await.expect(204);
    assert_eq!(stranger.get(&tag).await.status, 200);
}

/// Everything that a link of any kind could show.
const FILES: [&str; 7] = ["", "/feed.atom", "/feed.json", "/calendar.ics", "/card.svg", "/review.json", "/covers/1"];

#[tokio::test]
async fn no_answer_of_any_link_has_a_word_that_the_link_does_not_show() {
    let server = TestServer::start().await;
    let (reader, stranger) = (server.plus().await, server.visitor());
    let day = this_year(&server);
    let year = &day[..4];
    let full = |title: &str| {
        json!({"title": format!("{title}-Title"), "author": format!("{title}-Author"), "rating": 7.3,
            "impressions": format!("{title}-Impressions"), "quotes": ["Secret-Quote"], "genres": ["Secret-Genre"],
            "publisher": "Secret-Publisher", "isbn": "9780141439587", "series": {"name": format!("{title}-Series")},
            "startDate": day, "dateCompleted": day})
    };
    let with = |title: &str, more: Value| {
        let mut book = full(title);
        book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        book
    };
    let finished = add(&reader, with("Finished", json!({}))).await;
    put_cover(&reader, finished).await;
    add(
        &reader,
        with("Tagged", json!({"tags": ["The-Tag"], "startDate": "2011-02-02", "dateCompleted": "2011-03-03"})),
    )
    .await;
    add(&reader, with("Stopped", json!({"status": "did-not-finish", "dateCompleted": null, "stoppedDate": day}))).await;
    add(&reader, with("Open", json!({"status": "in-progress", "dateCompleted": null, "rating": null}))).await;
    add(&reader, with("Hidden", json!({"private": true, "tags": ["The-Tag"]}))).await;
    let open = json!({"private": true, "status": "in-progress", "dateCompleted": null, "rating": null});
    add(&reader, with("Veiled", open)).await;
    for (title, tags) in [("Item", json!([])), ("Wish", json!(["The-Wish"]))] {
        let item = json!({"title": format!("{title}-Title"), "author": format!("{title}-Author"), "notes": "Secret-Note", "tags": tags});
        reader.post("/api/tbr", item).await.expect(201);
    }
    let name = reader.get("/api/auth/me").await.expect(200)["user"]["displayName"].as_str().unwrap().to_owned();
    let parts: [(&str, &[&str]); 5] = [
        ("ratings", &["7.3<span>", "\"rating\":7.3", "7.3/10"]),
        ("impressions", &["-Impressions"]),
        ("covers", &["/covers/"]),
        ("series", &["-Series"]),
        ("name", &[&name]),
    ];
    let books = ["Finished", "Tagged", "Stopped", "Open", "Hidden", "Veiled", "Item", "Wish"];
    for (form, shown) in [
        (json!({"kind": "feed"}), &["Finished", "Tagged"][..]),
        (json!({"kind": "calendar"}), &["Finished", "Tagged"]),
        (json!({"kind": "review", "period": year}), &["Finished"]),
        (json!({"kind": "public"}), &["Finished", "Open"]),
        (json!({"kind": "list"}), &["Item", "Wish"]),
        (json!({"kind": "list", "tag": "the-wish"}), &["Wish"]),
        (json!({"kind": "tag", "tag": "the-tag"}), &["Tagged"]),
    ] {
        let (id, path) = link(&reader, form.clone()).await;
        for on in [vec![], vec!["ratings"], vec!["impressions"], vec!["series"], vec!["covers", "name"]] {
            // An address opens sixty links a minute.
            server.advance(chrono::TimeDelta::minutes(1));
            let changed = reader.patch(&format!("/api/shares/{id}"), json!({ "parts": on })).await;
            let on = if changed.status == 200 { on } else { continue };
            let mut all = String::new();
            if form["kind"] != "feed" && form["kind"] != "calendar" {
                let folder = tempfile::tempdir().unwrap();
                assert_eq!(export(&server, &reader, id, folder.path()).await.status, 0);
                all = contents(folder.path())
                    .into_values()
                    .map(|file| String::from_utf8_lossy(&file).into_owned())
                    .collect();
                assert_eq!(
                    on.contains(&"covers") && shown[0] == "Finished",
                    folder.path().join("covers").exists(),
                    "{form}"
                );
            }
            for file in FILES {
                let answer = stranger.get(&format!("{path}{file}")).await;
                all.push_str(answer.body.as_str().map_or_else(|| answer.body.to_string(), str::to_owned).as_str());
                all.push_str(answer.header("etag"));
            }
            // A calendar folds its lines, and a drawing isolates its texts.
            let all = all.replace("\r\n ", "");
            for book in books {
                assert_eq!(
                    all.contains(&format!("{book}-Title")),
                    shown.contains(&book),
                    "{book} in {form} with {on:?}"
                );
                assert!(shown.contains(&book) || !all.contains(&format!("{book}-")), "{book} in {form} with {on:?}");
            }
            for (part, words) in parts {
                for word in words {
                    assert!(on.contains(&part) || !all.contains(word), "{word} in {form} with {on:?}");
                }
            }
            let mut never = vec!["Secret-", "9780141439587", "@example.org", "The-Wish"];
            never.extend(["tag", "calendar"].iter().all(|kind| form["kind"] != **kind).then_some("The-Tag"));
            never.extend((form["kind"] != "calendar").then_some("20110202"));
            never.extend((form["kind"] != "feed" && form["kind"] != "calendar").then_some("2011"));
            for word in never {
                assert!(!all.contains(word), "{word} in {form} with {on:?}");
            }
        }
    }
}

/// Writes a link as files, beside the running server.
async fn export(server: &TestServer, reader: &Reader, id: i64, to: &Path) -> Ended {
    let words = ["share", "export", &reader.email, &id.to_string(), "--to", to.to_str().unwrap()];
    let command = command(server.folder(), &words);
    tokio::task::spawn_blocking(move || program::run(command, "")).await.unwrap()
}

/// The files of a folder, and of the folders in it.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if entry.path().is_dir() {
            found.extend(contents(&entry.path()).into_iter().map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else {
            found.insert(name, std::fs::read(entry.path()).unwrap());
        }
    }
    found
}

#[tokio::test]
async fn a_page_as_files_has_relative_addresses_alone_and_is_brought_up_to_date() {
    let server = TestServer::start().await;
    let reader = server.plus().await;
    let title = "A \"quote\" url(\"../x\")";
    let book = add(&reader, json!({"title": title, "dateCompleted": this_year(&server)})).await;
    let cover = put_cover(&reader, book).await;
    let (id, _) = link(&reader, json!({"kind": "public", "parts": ["dates", "covers"]})).await;
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("www/reading");
    let written = export(&server, &reader, id, &to).await;
    assert!(written.status == 0 && written.out.contains(" files to "), "{written:?}");
    let files = contents(&to);
    let text = |name: &str| String::from_utf8(files[name].clone()).unwrap();
    let cover = format!("covers/{cover}.png");
    assert_eq!(files[&cover], png(60, 90, format!("pixels of {book}").as_bytes()));
    let page = text("index.html");
    // Of every address in the page there is a file.
    let attributes = ["src=\"", "href=\"", "url(\""].iter().flat_map(|start| page.split(start).skip(1));
    let addresses: Vec<_> = attributes.map(|rest| rest.split('"').next().unwrap()).collect();
    assert!(addresses.contains(&"./feed.atom") && addresses.contains(&format!("./{cover}").as_str()), "{addresses:?}");
    for address in addresses {
        assert!(address.strip_prefix("./").is_some_and(|name| files.contains_key(name)), "{address}");
    }
    assert!(page.contains("A &quot;quote&quot; url(&quot;../x&quot;)"), "{page}");
    for name in ["index.html", "feed.atom", "feed.json", "card.svg"] {
        let known = ["http://www.w3.org/", "https://jsonfeed.org/version/1.1"];
        let text = known.iter().fold(text(name), |text, known| text.replace(known, ""));
        assert!(!text.contains("://"), "{name}: {text}");
    }
    assert!(text("feed.json").contains(&format!("\"./{cover}\"")) && text("feed.atom").contains("rel=\"self\""));
    assert_eq!(
        std::fs::metadata(to.join("index.html")).unwrap().permissions().mode() & 0o644,
        0o644,
        "for a web server"
    );
    reader.patch(&format!("/api/shares/{id}"), json!({"parts": []})).await.expect(200);
    assert_eq!(export(&server, &reader, id, &to).await.status, 0);
    let names: Vec<_> = contents(&to).into_keys().filter(|name| !name.starts_with("assets/")).collect();
    assert_eq!(names, ["card.svg", "index.html"], "what the link shows no longer is gone");
    reader.delete(&format!("/api/shares/{id}")).await.expect(204);
    let gone = export(&server, &reader, id, &to).await;
    assert!(
        gone.status == 1 && gone.err.contains("has no secret link") && gone.err.contains(" is deleted"),
        "{gone:?}"
    );
    assert!(contents(&to).is_empty(), "a page does not outlive its link");
}

#[tokio::test]
async fn only_a_page_that_is_shown_is_written_and_only_into_a_folder_of_its_own() {
    let server = TestServer::start().await;
    let (reader, other) = (server.plus().await, server.plus().await);
    let (id, _) = link(&reader, json!({"kind": "public"})).await;
    let (calendar, _) = link(&reader, json!({"kind": "calendar"})).await;
    let (foreign, _) = link(&other, json!({"kind": "public"})).await;
    let end = (server.app.now() + TimeDelta::seconds(1)).to_rfc3339();
    let (ended, _) = link(&reader, json!({"kind": "public", "expiresAt": end})).await;
    tokio::time::sleep(std::time::Duration::from_millis(1100)).await;
    let folder = tempfile::tempdir().unwrap();
    let none = folder.path().join("none");
    for (id, sentence) in [
        (calendar, "is a calendar, which is no page"),
        (foreign, "has no secret link with the id"),
        (ended, "This link ended on "),
    ] {
        let refused = export(&server, &reader, id, &none).await;
        assert!(refused.status == 1 && refused.err.contains(sentence), "{refused:?}");
    }
    assert!(!none.exists());
    for file in [
        "notes.txt", "index.html", "covers/mine.png", "covers/7.png", "feed.json", "other/index.html",
        "assets/site.css",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, "mine").unwrap();
        let refused = export(&server, &reader, id, folder.path()).await;
        assert!(refused.status == 1 && refused.err.contains("which is not of a secret link's page"), "{refused:?}");
        assert_eq!(contents(folder.path()).into_iter().collect::<Vec<_>>(), [(file.to_owned(), b"mine".to_vec())]);
    }
    std::os::unix::fs::symlink("/nowhere", folder.path().join("covers")).unwrap();
    assert_eq!(export(&server, &reader, id, folder.path()).await.status, 1, "a link leads elsewhere");
}

#[tokio::test]
async fn hostile_texts_stay_texts_on_pages_and_in_pictures() {
    let server = TestServer::start().await;
    let (reader, stranger) = (server.plus().await, server.visitor());
    let evil = "</text><script>alert(1)</script>\" onload=\"x\u{202E}&amp;]]></svg></style>";
    reader.patch("/api/account", json!({"displayName": "<img src=x onerror=alert(1)>"})).await.expect(200);
    let book = json!({"title": evil, "author": evil, "series": {"name": evil, "number": "1"}, "tags": ["<b>tag"], "impressions": evil});
    let mut finished = book.clone();
    finished["dateCompleted"] = this_year(&server).into();
    add(&reader, finished).await;
    let mut open = book.clone();
    open["status"] = "in-progress".into();
    open["dateCompleted"] = Value::Null;
    open["title"] = format!("Open {evil}").into();
    add(&reader, open).await;
    reader.post("/api/tbr", json!({"title": evil, "author": evil})).await.expect(201);
    let parts = json!(["name", "series", "dates", "ratings", "impressions"]);
    let (_, public) = link(&reader, json!({"kind": "public", "parts": parts})).await;
    let (_, list) = link(&reader, json!({"kind": "list", "parts": ["name"]})).await;
    let (_, tag) = link(&reader, json!({"kind": "tag", "tag": "<b>tag", "parts": parts})).await;
    for path in [&public, &list, &tag] {
        let answer = stranger.get(path).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; style-src 'sha256-") && !policy.contains("script"), "{policy}");
        for word in ["<script", "<img", "<b>", "onload=\"", "og:image"] {
            assert!(!html(&answer).contains(word), "{word} in {path}: {}", html(&answer));
        }
        assert_eq!(html(&answer).matches("</style>").count(), 1);
    }
    let said = picture(&stranger, &public).await;
    assert!(said.contains("Open </text><script>"), "{said}");
}
