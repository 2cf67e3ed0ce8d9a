//! A team's shared reading: statistics and challenges of the members who share, and nothing else.
use std::collections::BTreeMap;

use chrono::Datelike as _;
use serde_json::{Value, json};
use shelfwise::access::Plan;
use shelfwise::kit::db::pool::owner_of;

use crate::support::actors::{Reader, TeamMember, TeamOwner};
use crate::support::harness::TestServer;

async fn add(person: &Reader, title: &str, words: i64, more: Value) {
    let mut book = json!({"title": title, "author": "Ann", "wordCount": words, "genres": ["Crime"]});
    book.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    person.post("/api/books", book).await.expect(201);
}

async fn share(person: &Reader, shares: bool) {
    person.patch("/api/preferences", json!({"shareWithTeam": shares})).await.expect(200);
}

/// An owner and a member who share, and a member who does not, each with books.
async fn reading_team(server: &TestServer) -> (TeamOwner, TeamMember, TeamMember) {
    let (owner, members) = server.team(2).await;
    let [sharing, silent] = members.try_into().unwrap_or_else(|_| unreachable!());
    share(&owner, true).await;
    share(&sharing, true).await;
    add(&owner, "One", 1000, json!({"dateCompleted": "2026-02-01", "rating": 8})).await;
    add(&owner, "Begun", 700, json!({"status": "in-progress", "author": "Begun Author", "genres": ["Begun Genre"]}))
        .await;
    add(
        &sharing,
        "Two",
        5000,
        json!({"dateCompleted": "2026-02-28", "impressions": "a private thought", "format": "Audio"}),
    )
    .await;
    add(&sharing, "Three", 200, json!({"status": "undated"})).await;
    add(&silent, "Unseen", 90_000, json!({"dateCompleted": "2026-02-10", "author": "Unseen Author"})).await;
    (owner, sharing, silent)
}

#[tokio::test]
async fn a_teams_numbers_are_those_of_its_sharing_members_finished_books() {
    let server = TestServer::start().await;
    let (owner, sharing, silent) = reading_team(&server).await;
    let people: [&Reader; 2] = [&owner, &silent];
    for person in people {
        let stats = person.get("/api/teams/stats").await.expect(200);
        assert_eq!((&stats["kpis"]["totalWords"], &stats["kpis"]["booksRead"]), (&json!(6200), &json!(3)));
        assert_eq!(stats["library"], json!({"total": 3, "visible": 3, "limitedToMonths": null}));
        let of: Vec<_> = stats["members"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (one["userId"].as_i64().unwrap(), one["words"].clone(), one["books"].clone()))
            .collect();
        assert_eq!(of, [(sharing.id, json!(5200), json!(2)), (owner.id, json!(1000), json!(1))]);
        let shelf: Vec<_> = stats["shelf"]["books"]
            .as_array()
            .unwrap()
            .iter()
            .map(|book| (book["title"].clone(), book["userId"].as_i64().unwrap()))
            .collect();
        assert_eq!(shelf, [(json!("Three"), sharing.id), (json!("One"), owner.id), (json!("Two"), sharing.id)]);
        let options = person.get("/api/teams/stats/options").await.expect(200);
        assert_eq!(options["authors"], json!([{"name": "Ann", "words": 6200, "books": 3}]));
        for word in ["Unseen", "Begun", "private", &silent.email] {
            assert!(!stats.to_string().contains(word) && !options.to_string().contains(word), "{word}");
        }
    }
    let filtered = owner.get("/api/teams/stats?formats=Audio").await.expect(200);
    assert_eq!((&filtered["kpis"]["booksRead"], &filtered["members"][1]["books"]), (&json!(1), &json!(0)));
    assert_eq!(owner.get("/api/teams/stats?minRating=x").await.fields(), ["minRating"]);
    share(&sharing, false).await;
    let stats = owner.get("/api/teams/stats").await.expect(200);
    assert_eq!((&stats["kpis"]["totalWords"], stats["members"].as_array().unwrap().len()), (&json!(1000), 1));
}

#[tokio::test]
async fn a_challenge_counts_whole_books_completed_within_both_days() {
    let server = TestServer::start().await;
    let (owner, sharing, silent) = reading_team(&server).await;
    let form = json!({"title": "February", "metric": "words", "target": 10_000, "startDate": "2026-02-01", "endDate": "2026-02-28"});
    let made = owner.post("/api/teams/challenges", form.clone()).await.expect(201)["challenge"].clone();
    let keys: Vec<_> = made.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys, ["endDate", "id", "members", "metric", "startDate", "target", "title", "total"]);
    assert_eq!(made["total"], 6000);
    let values: Vec<_> = made["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["userId"].as_i64().unwrap(), one["value"].clone()))
        .collect();
    assert_eq!(values, [(sharing.id, json!(5000)), (owner.id, json!(1000))]);
    let path = format!("/api/teams/challenges/{}", made["id"]);
    let changed = owner.patch(&path, json!({"metric": "books", "endDate": "2026-02-27"})).await.expect(200);
    assert_eq!((&changed["challenge"]["total"], &changed["challenge"]["title"]), (&json!(1), &json!("February")));
    assert_eq!(silent.get("/api/teams/challenges").await.expect(200), json!({"data": [changed["challenge"]]}));
    assert_eq!(owner.patch(&path, json!({"startDate": "2026-03-01"})).await.fields(), ["endDate"]);

    for refused in [
        silent.post("/api/teams/challenges", form.clone()).await,
        silent.patch(&path, json!({})).await,
        silent.delete(&path).await,
    ] {
        assert_eq!(refused.code(403), "team_role");
    }
    let (stranger, _) = server.team(0).await;
    assert_eq!((stranger.patch(&path, json!({})).await.status, stranger.delete(&path).await.status), (404, 404));
    server.set_plan(&owner, Plan::Reader).await;
    assert_eq!(owner.post("/api/teams/challenges", form).await.code(409), "team_unpaid");
    assert_eq!(owner.get("/api/teams/challenges").await.expect(200)["data"].as_array().unwrap().len(), 1);
    assert_eq!(owner.get("/api/teams/stats").await.status, 200);
    assert_eq!(owner.delete(&path).await.status, 204);
    assert_eq!(owner.delete(&path).await.status, 404);
}

/// All responses to a team's members about the team's reading.
async fn told(person: &Reader) -> Vec<Value> {
    let mut answers = Vec::new();
    for path in ["/api/teams/stats", "/api/teams/stats/options", "/api/teams/challenges"] {
        answers.push(person.get(path).await.expect(200));
    }
    answers
}

/// The ids of all people in a response, and of the owners of all books in it.
fn named_people(value: &Value, found: &mut Vec<i64>) {
    match value {
        Value::Array(all) => all.iter().for_each(|one| named_people(one, found)),
        Value::Object(fields) => {
            found.extend(fields.get("userId").and_then(Value::as_i64));
            found.extend(fields.get("id").and_then(Value::as_i64).map(|id| owner_of(id).0));
            fields.values().for_each(|one| named_people(one, found));
        }
        _ => {}
    }
}

fn assert_nothing_of(person: &Reader, words: &[&str], answers: &[Value]) {
    for answer in answers {
        let text = answer.to_string();
        for word in words.iter().chain([&person.email.as_str()]) {
            assert!(!text.contains(word), "{word} in {text}");
        }
        let mut people = Vec::new();
        named_people(answer, &mut people);
        assert!(!people.contains(&person.id), "{} in {text}", person.id);
    }
}

/// Books of every kind; the titles contain their owner.
async fn fill(person: &Reader, number: i64) {
    let today = chrono::Utc::now().date_naive();
    let formats = ["Print", "eBook", "Audio"];
    for i in 0..24_i64 {
        let mut more = json!({
            "author": format!("Author {}", (i + number) % 5),
            "genres": (0..i % 3).map(|genre| format!("Genre {}", (genre + i + number) % 6)).collect::<Vec<_>>(),
            "format": formats[usize::try_from((i + number) % 3).unwrap()],
            "reread": i % 7 == 0,
        });
        let rating = if i % 6 == 5 { Value::Null } else { json!((i * 3 + number) % 11) };
        let kind = match i % 8 {
            0 => json!({"status": "undated"}),
            1 => json!({"status": "in-progress"}),
            2 => {
                json!({"dateCompleted": today - chrono::Days::new(40), "startDate": today - chrono::Days::new(90), "rating": rating,
                "wordDistribution": "spread"})
            }
            _ => {
                json!({"dateCompleted": today - chrono::Days::new(u64::try_from(i * i + number).unwrap()), "rating": rating})
            }
        };
        more.as_object_mut().unwrap().extend(kind.as_object().unwrap().clone());
        add(person, &format!("Book {i} of {number}"), 1_000 * (i + 1) + number, more).await;
    }
}

fn genres_of(book: &Value) -> Vec<&str> {
    book["genres"].as_array().unwrap().iter().filter_map(Value::as_str).collect()
}

/// Words and books by name.
fn sums<'a>(books: &[&'a Value], names: impl Fn(&'a Value) -> Vec<&'a str>) -> BTreeMap<&'a str, (i64, i64)> {
    let mut sums = BTreeMap::new();
    for book in books {
        for name in names(book) {
            let sum: &mut (i64, i64) = sums.entry(name).or_default();
            sum.0 += book["wordCount"].as_i64().unwrap();
            sum.1 += 1;
        }
    }
    sums
}

/// The same as an answer has it, under the key of the name.
fn reported_sums<'a>(list: &'a Value, key: &str) -> BTreeMap<&'a str, (i64, i64)> {
    let of =
        |one: &'a Value| (one[key].as_str().unwrap(), (one["words"].as_i64().unwrap(), one["books"].as_i64().unwrap()));
    list.as_array().unwrap().iter().map(of).collect()
}

fn words_of<'a>(books: impl IntoIterator<Item = &'a &'a Value>) -> (i64, i64) {
    books.into_iter().fold((0, 0), |(words, count), book| (words + book["wordCount"].as_i64().unwrap(), count + 1))
}

/// Compares an answer with a count over the books that their owners themselves are given.
fn assert_counted(stats: &Value, books: &[&Value], what: &str) {
    let today = chrono::Utc::now().date_naive();
    let from = |book: &Value, first: chrono::NaiveDate| {
        book["dateCompleted"].as_str().is_some_and(|day| day >= first.to_string().as_str())
    };
    let year: Vec<_> = books.iter().copied().filter(|book| from(book, today.with_ordinal(1).unwrap())).collect();
    let recent: Vec<_> = books.iter().copied().filter(|book| from(book, today - chrono::Days::new(30))).collect();
    let rated: Vec<_> = books.iter().filter_map(|book| book["rating"].as_i64()).collect();
    let authors = sums(books, |book| vec![book["author"].as_str().unwrap()]);
    let kpis = &stats["kpis"];
    let figures = |words: &str, count: &str| (kpis[words].as_i64().unwrap(), kpis[count].as_i64().unwrap());
    assert_eq!(figures("totalWords", "booksRead"), words_of(books), "{what}");
    assert_eq!(figures("wordsYtd", "booksYtd"), words_of(&year), "{what}");
    assert_eq!(figures("wordsLast30Days", "booksLast30Days"), words_of(&recent), "{what}");
    assert_eq!(kpis["authors"], authors.len(), "{what}");
    assert_eq!(kpis["rereads"], books.iter().filter(|book| book["reread"] == true).count(), "{what}");
    assert_eq!(kpis["ratedBooks"], rated.len(), "{what}");
    let tenths = |sum: i64, count: i64| (20 * sum + count) / (2 * count);
    let mean = (!rated.is_empty()).then(|| tenths(rated.iter().sum(), i64::try_from(rated.len()).unwrap()));
    assert_eq!(
        kpis["averageRating"].as_f64().map(|mean| format!("{mean:.1}")),
        mean.map(|t| format!("{}.{}", t / 10, t % 10)),
        "{what}"
    );
    assert_eq!(reported_sums(&stats["authors"], "name"), authors, "{what}");
    assert_eq!(reported_sums(&stats["genres"], "name"), sums(books, genres_of), "{what}");
    assert_eq!(
        reported_sums(&stats["formats"], "format"),
        sums(books, |book| vec![book["format"].as_str().unwrap()]),
        "{what}"
    );
    let dated: Vec<_> = books.iter().copied().filter(|book| book["dateCompleted"].is_string()).collect();
    assert_eq!(words_of_months(&stats["monthlyWords"]), words_of(&dated), "{what}");
    let mut shelf: Vec<_> =
        books.iter().map(|book| (book["dateCompleted"].as_str(), book["id"].as_i64().unwrap())).collect();
    shelf.sort_unstable();
    let told: Vec<_> = stats["shelf"]["books"]
        .as_array()
        .unwrap()
        .iter()
        .map(|book| (book["date"].as_str(), book["id"].as_i64().unwrap()))
        .collect();
    assert_eq!(told, shelf, "{what}");
}

fn words_of_months(months: &Value) -> (i64, i64) {
    let months = months.as_array().unwrap();
    months.iter().fold((0, 0), |(words, books), month| {
        (words + month["words"].as_i64().unwrap(), books + month["books"].as_i64().unwrap())
    })
}

/// A filter of the call, and which books it lets through.
type Filtered<'a> = (&'a str, &'a dyn Fn(&Value) -> bool);

#[tokio::test]
async fn team_statistics_are_the_sum_of_the_sharing_members_books() {
    let server = TestServer::start().await;
    let (owner, members) = server.team(3).await;
    let mut people: Vec<&Reader> = vec![&owner];
    people.extend(members.iter().map(|member| &**member));
    let mut books = Vec::new();
    for (number, person) in (0..).zip(people.iter().copied()) {
        fill(person, number).await;
        // The last one keeps to herself.
        if number < 3 {
            share(person, true).await;
            books.extend(person.get("/api/books").await.expect(200)["data"].as_array().unwrap().clone());
        }
    }
    let finished: Vec<_> = books.iter().filter(|book| book["status"] != "in-progress").collect();
    let day = (chrono::Utc::now().date_naive() - chrono::Days::new(100)).to_string();
    let dates = format!("startDate={day}");
    let has = |key: &'static str, value: &'static str| move |book: &Value| book[key] == value;
    let filters: [Filtered<'_>; 7] = [
        ("", &|_| true),
        ("genres=Genre 2", &|book| book["genres"].as_array().unwrap().contains(&json!("Genre 2"))),
        ("authors=Author 1", &has("author", "Author 1")),
        ("formats=Audio", &has("format", "Audio")),
        ("reread=exclude", &|book| book["reread"] == false),
        ("minRating=7&titleSearch=BOOK 1", &|book| {
            book["rating"].as_i64() >= Some(7) && book["title"].as_str().unwrap().starts_with("Book 1")
        }),
        (&dates, &|book| book["dateCompleted"].as_str().is_some_and(|date| date >= day.as_str())),
    ];
    for (query, matches) in filters {
        let counted: Vec<_> = finished.iter().copied().filter(|book| matches(book)).collect();
        assert!(!counted.is_empty(), "{query}");
        for person in [&people[0], &people[3]] {
            let stats = person.get(&format!("/api/teams/stats?{query}")).await.expect(200);
            assert_counted(&stats, &counted, query);
            assert_eq!(stats["library"]["total"], finished.len());
            let mut shares: Vec<_> = stats["members"].as_array().unwrap().clone();
            shares.sort_by_key(|one| one["userId"].as_i64());
            let told: Vec<_> =
                shares.iter().map(|one| (one["words"].as_i64().unwrap(), one["books"].as_i64().unwrap())).collect();
            let own = |person: &&Reader| {
                words_of(counted.iter().filter(|book| owner_of(book["id"].as_i64().unwrap()).0 == person.id))
            };
            assert_eq!(told, people[..3].iter().map(own).collect::<Vec<_>>(), "{query}");
        }
    }
    let options = people[3].get("/api/teams/stats/options").await.expect(200);
    let authors = sums(&finished, |book| vec![book["author"].as_str().unwrap()]);
    assert_eq!(reported_sums(&options["authors"], "name"), authors);
}

#[tokio::test]
async fn members_who_stop_sharing_or_leave_disappear_from_every_response_at_once() {
    let server = TestServer::start().await;
    let (owner, sharing, silent) = reading_team(&server).await;
    for (title, metric) in [("Words", "words"), ("Books", "books")] {
        let form =
            json!({"title": title, "metric": metric, "target": 10, "startDate": "2026-01-01", "endDate": "2026-12-31"});
        owner.post("/api/teams/challenges", form).await.expect(201);
    }
    let with_them = told(&silent).await;
    share(&sharing, false).await;
    let without = told(&silent).await;
    for (before, after) in with_them.iter().zip(&without) {
        assert_ne!(before, after);
    }
    assert_nothing_of(&sharing, &["Two", "Three"], &without);
    // They see no more of themselves there than the others do.
    assert_eq!(told(&sharing).await, without);
    share(&sharing, true).await;
    assert_eq!(told(&silent).await, with_them);
    owner.delete(&format!("/api/teams/members/{}", sharing.id)).await.expect(200);
    assert_eq!(told(&silent).await, without);
    for path in ["/api/teams/stats", "/api/teams/stats/options", "/api/teams/challenges"] {
        assert_eq!(sharing.get(path).await.status, 404);
    }
    share(&owner, false).await;
    let nothing = told(&silent).await;
    assert_eq!((&nothing[0]["members"], &nothing[0]["shelf"]["books"]), (&json!([]), &json!([])));
    assert_eq!(nothing[1], json!({"genres": [], "authors": [], "formats": []}));
    for challenge in nothing[2]["data"].as_array().unwrap() {
        assert_eq!((&challenge["total"], &challenge["members"]), (&json!(0), &json!([])));
    }
}

#[tokio::test]
async fn data_of_members_who_do_not_share_and_of_other_teams_is_never_shown() {
    let server = TestServer::start().await;
    let (owner, sharing, silent) = reading_team(&server).await;
    silent.patch("/api/account", json!({"displayName": "Silent Name"})).await.expect(200);
    let private = json!({"dateCompleted": "2026-02-11", "author": "Unseen Author", "genres": ["Unseen Genre"], "format": "eBook"});
    add(&silent, "Unseen Too", 1, private.clone()).await;
    let (elsewhere, _) = server.team(0).await;
    share(&elsewhere, true).await;
    add(&elsewhere, "Unseen Elsewhere", 1, private).await;
    add(
        &sharing,
        "Four",
        10,
        json!({"dateCompleted": "2026-02-12", "impressions": "Hidden impression", "quotes": ["Hidden quote"]}),
    )
    .await;
    add(
        &sharing,
        "Hidden Present",
        10,
        json!({"status": "in-progress", "author": "Hidden Author", "genres": ["Hidden"]}),
    )
    .await;
    sharing
        .post("/api/tbr", json!({"title": "Hidden Wish", "author": "Hidden Author", "notes": "Hidden note"}))
        .await
        .expect(201);
    let form =
        json!({"title": "All", "metric": "words", "target": 10, "startDate": "2026-01-01", "endDate": "2026-12-31"});
    let made = owner.post("/api/teams/challenges", form).await.expect(201);
    let people: [&Reader; 3] = [&owner, &sharing, &silent];
    for person in people {
        let mut answers = told(person).await;
        answers.push(made.clone());
        for query in [
            "titleSearch=unseen", "authors=Unseen Author", "genres=Unseen Genre", "formats=eBook", "titleSearch=hidden",
        ] {
            let stats = person.get(&format!("/api/teams/stats?{query}")).await.expect(200);
            assert_eq!(stats["kpis"]["booksRead"], 0, "{query}");
            answers.push(stats);
        }
        assert_nothing_of(&silent, &["Silent Name", "Unseen"], &answers);
        assert_nothing_of(&elsewhere, &[], &answers);
        for answer in &answers {
            let text = answer.to_string();
            assert!(!text.contains("Hidden") && !text.contains(&sharing.email), "{text}");
        }
    }
}
