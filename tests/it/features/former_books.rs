//! Books from before reads had works: the upgrade keeps every value, and the answers are those of before but for new keys.
use std::collections::HashMap;

use chrono::{Datelike as _, NaiveDate};
use fastrand::Rng;
use rusqlite::Connection;
use serde_json::{Value, json};
use shelfwise::kit::db::pool::Db;
use shelfwise::kit::id::UserId;
use shelfwise::library::books::filter::Filter;
use shelfwise::library::books::store::{self, Audience};
use shelfwise::statistics::store::scan;

use crate::support::fault_table::times;
use crate::support::schema;

/// The schema before the one that made the table again.
const FORMER: i32 = 19;
/// What books did not have.
const NEW_KEYS: [&str; 16] = [
    "minutes", "work", "completedFrom", "stoppedDate", "pausedSince", "progress", "authors", "contributors", "series",
    "tags", "publisher", "published", "originalYear", "language", "cover", "private",
];

/// A row as it was stored, with the answer that it gave.
struct Former {
    name: (String, String),
    answer: Value,
}

fn day(rng: &mut Rng) -> NaiveDate {
    NaiveDate::from_ymd_opt(rng.i32(1990..2030), rng.u32(1..=12), rng.u32(1..=28)).unwrap()
}

/// Writes a book as the former program did. Titles and authors repeat, and differ by case and accents.
fn write(conn: &Connection, rng: &mut Rng, owner: i64, number: i64) -> Former {
    let (title, author) =
        (*rng.choice(&["Émma", "EMMA", "Dune", "Poems", "1984"]).unwrap(), *rng.choice(&["Ann", "ANN", "Bö"]).unwrap());
    let status = *rng.choice(&["completed", "in-progress", "undated"]).unwrap();
    let completed = Some(day(rng)).filter(|_| status == "completed");
    let start = match (status, completed) {
        ("completed", Some(end)) if rng.bool() => Some(end - chrono::TimeDelta::days(rng.i64(0..90))),
        ("in-progress", _) if rng.bool() => Some(day(rng)),
        _ => None,
    };
    let distribution = if start.is_some() && rng.bool() { "spread" } else { "final" };
    let rating = Some(rng.i64(0..=10)).filter(|_| status != "in-progress" && rng.bool());
    let (words, pages) = (rng.i64(0..300_000), Some(rng.i64(1..900)).filter(|_| rng.bool()));
    let genres = *rng.choice(&["", "Crime", "SF,Crime"]).unwrap();
    let impressions = Some("Quiet.").filter(|_| rng.bool());
    let quotes = if rng.bool() { "[]" } else { "[\"A quote.\"]" };
    let isbn = Some("9780804429573").filter(|_| rng.bool());
    let (reread, changes, format) = (rng.bool(), rng.i64(0..3), *rng.choice(&["Print", "eBook", "Audio"]).unwrap());
    let source = *rng.choice(&["entered", "pages", "epub"]).unwrap();
    let id = owner << 24 | number;
    let (title_key, author_key) = (shelfwise::library::text::fold(title), shelfwise::library::text::fold(author));
    let text = |day: Option<NaiveDate>| day.map(|day| day.to_string());
    let (made, changed) = ("2024-01-02T03:04:05Z", "2025-01-02T03:04:05Z");
    let sql = "INSERT INTO books (id, user_id, status, date_completed, start_date, word_count, rating, format, reread,
            word_distribution, title, author, title_key, author_key, genres, pages, isbn, word_count_source, has_texts, changes,
            created_at, updated_at)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, 1, ?19, ?20, ?21)";
    let values = rusqlite::params![
        id,
        owner,
        status,
        text(completed),
        text(start),
        words,
        rating,
        format,
        reread,
        distribution,
        title,
        author,
        title_key,
        author_key,
        genres,
        pages,
        isbn,
        source,
        changes,
        made,
        changed
    ];
    conn.execute(sql, values).unwrap();
    conn.execute("INSERT INTO book_texts VALUES (?1, ?2, ?3)", (id, impressions, quotes)).unwrap();
    let genres: Vec<_> = genres.split(',').filter(|genre| !genre.is_empty()).collect();
    let quotes: Value = serde_json::from_str(quotes).unwrap();
    let answer = json!({
        "id": id, "title": title, "author": author, "wordCount": words, "wordCountSource": source, "pages": pages, "isbn": isbn,
        "status": status, "startDate": start, "dateCompleted": completed, "year": completed.map(|day| day.year()),
        "month": completed.map(|day| day.month()), "rating": rating, "format": format, "reread": reread, "genres": genres,
        "impressions": impressions, "quotes": quotes, "wordDistribution": distribution, "createdAt": made, "updatedAt": changed,
    });
    Former { name: (title_key, author_key), answer }
}

#[test]
fn an_upgrade_changes_no_answer_about_books() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shelfwise.db");
    schema::earlier(&path, FORMER, 0);
    let mut rng = Rng::with_seed(7);
    let readers = i64::try_from(times("LIBRARIES", 1_000)).unwrap();
    let mut former = HashMap::new();
    let conn = Connection::open(&path).unwrap();
    conn.execute_batch("BEGIN").unwrap();
    for owner in 2..2 + readers {
        conn.execute(
            "INSERT INTO users (id, email, email_key, display_name, created_at) VALUES (?1, ?1, ?1, 'Ada', '2024-01-02T03:04:05Z')",
            [owner],
        )
        .unwrap();
        let books = rng.i64(1..30);
        conn.execute(
            "INSERT INTO libraries (user_id, revision, books, last_book) VALUES (?1, 1, ?2, ?2)",
            (owner, books),
        )
        .unwrap();
        let books: Vec<_> = (1..=books).map(|number| write(&conn, &mut rng, owner, number)).collect();
        former.insert(owner, books);
    }
    conn.execute_batch("COMMIT").unwrap();
    conn.close().unwrap();
    let db = Db::open(&path).unwrap();
    let checked = db.read_blocking(move |conn| {
        for (owner, former) in &former {
            let (mut answers, mut works) = (Vec::new(), Vec::new());
            store::each(conn, UserId(*owner), |book| {
                let mut answer = serde_json::to_value(&book)?;
                works.push(book.work.0);
                NEW_KEYS.iter().for_each(|key| drop(answer.as_object_mut().unwrap().remove(*key)));
                answers.push(answer);
                Ok(())
            })?;
            let expected: Vec<_> = former.iter().map(|row| row.answer.clone()).collect();
            assert_eq!(answers, expected, "reader {owner}");
            let first = |row: &Former| {
                former.iter().find(|other| other.name == row.name).unwrap().answer["id"].as_i64().unwrap()
            };
            assert_eq!(works, former.iter().map(first).collect::<Vec<_>>(), "reader {owner}");
            let today = NaiveDate::from_ymd_opt(2026, 11, 12).unwrap();
            let found = scan(conn, UserId(*owner), Audience::Owner, &Filter::default(), today, None)?.found.kpis;
            let finished = || former.iter().map(|row| &row.answer).filter(|answer| answer["status"] != "in-progress");
            let words: i64 = finished().map(|answer| answer["wordCount"].as_i64().unwrap()).sum();
            let ratings: Vec<_> = finished().filter_map(|answer| answer["rating"].as_i64()).collect();
            let count = |number: usize| i64::try_from(number).unwrap();
            assert_eq!((found.total_words, found.books_read), (words, count(finished().count())));
            let tenths =
                (20 * ratings.iter().sum::<i64>() + count(ratings.len())).checked_div(2 * count(ratings.len()));
            assert_eq!(found.average_rating.map(|average| (average * 10.0).round() as i64), tenths);
        }
        Ok(())
    });
    checked.unwrap();
    db.close();
}
