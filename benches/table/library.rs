//! Readers with libraries of any size, written by the program's own store.
use std::ops::Range;
use std::path::Path;

use chrono::{Days, NaiveDate, Utc};
use rusqlite::Connection;
use shelfwise::kit::db::pool::{Tx, open_writer};
use shelfwise::kit::http::session::{self, From, Id, id_hash};
use shelfwise::kit::id::UserId;
use shelfwise::library::books::model::{BookDraft, BookId, Distribution, Format, Status};
use shelfwise::library::books::rating::Rating;
use shelfwise::library::books::store;
use shelfwise::library::counters;

/// A reader who is signed in.
pub struct Reader {
    pub id: UserId,
    /// The `Cookie` header.
    pub cookie: String,
}

/// Opens a file in a folder, as the program names it.
pub fn file(folder: &Path) -> Connection {
    std::fs::create_dir_all(folder).unwrap();
    let conn = open_writer(&folder.join("shelfwise.db")).unwrap();
    // Nothing else makes its checkpoints.
    conn.execute_batch("PRAGMA wal_autocheckpoint = 1000").unwrap();
    conn
}

/// A new reader with so many books.
pub fn reader(conn: &Connection, books: i64) -> Reader {
    let transaction = conn.unchecked_transaction().unwrap();
    let tx = Tx::new(&transaction, Utc::now());
    let (id, session) = (account(&tx), Id::default());
    let from = From { ip: "127.0.0.1".into(), user_agent: "bench".into(), provider: None, header_user: None };
    session::store::open(&tx, id, id_hash(session), &from).unwrap();
    fill(&tx, id, 0..books);
    transaction.commit().unwrap();
    Reader { id, cookie: format!("shelfwise_session={session}") }
}

/// Readers of three hundred books each, who together have so many.
pub fn others(conn: &Connection, books: i64) {
    for _ in 0..books / 300 / 100 {
        let transaction = conn.unchecked_transaction().unwrap();
        let tx = Tx::new(&transaction, Utc::now());
        for _ in 0..100 {
            let id = account(&tx);
            fill(&tx, id, 0..300);
        }
        transaction.commit().unwrap();
    }
}

fn account(tx: &Tx<'_>) -> UserId {
    let sql = "INSERT INTO users (email, email_key, display_name, created_at)
        SELECT 'r' || n || '@example.org', 'r' || n || '@example.org', 'Reader', ?1 FROM (SELECT count(*) AS n FROM users)";
    tx.prepare_cached(sql).unwrap().execute([tx.stamp()]).unwrap();
    let id = UserId(tx.last_insert_rowid());
    tx.prepare_cached("INSERT INTO preferences (user_id) VALUES (?1)").unwrap().execute([id]).unwrap();
    id
}

/// Adds the books of these numbers to a library.
pub fn fill(tx: &Tx<'_>, owner: UserId, books: Range<i64>) {
    let first = counters::add_books(tx, owner, books.end - books.start).unwrap();
    for (id, draft) in (first..).map(BookId).zip(books.map(book)) {
        let bytes = store::insert_folded(tx, owner, id, &draft, &store::folded(&draft), id).unwrap();
        counters::add_texts(tx, owner, bytes).unwrap();
    }
}

/// A book of a plausible library: fifteen years, 400 authors, every tenth spread over three weeks, every twentieth with
/// impressions.
pub fn book(number: i64) -> BookDraft {
    const GENRES: [&str; 12] = [
        "Classic",
        "Crime",
        "Essays",
        "Fantasy",
        "History",
        "Horror",
        "Memoir",
        "Mystery",
        "Poetry",
        "Romance",
        "Satire",
        "Science Fiction",
    ];
    const WORDS: [&str; 10] =
        ["Winter", "River", "House", "Memory", "Garden", "Silence", "Glass", "Harbour", "Letter", "Mountain"];
    let (n, pick) = (number.unsigned_abs(), |of: u64| usize::try_from(mixed(number) / of % 97).unwrap_or(0));
    let status = match n % 20 {
        7 => Status::Undated,
        13 => Status::InProgress,
        _ => Status::Completed,
    };
    let day = NaiveDate::from_ymd_opt(2011, 1, 1).unwrap() + Days::new(mixed(number) % 5400);
    let spread = status == Status::Completed && n.is_multiple_of(10);
    BookDraft {
        title: format!("The {} and the {} of {number}", WORDS[pick(3) % 10], WORDS[pick(11) % 10]),
        author: format!("{} {} Author", WORDS[pick(5) % 10], pick(7) % 40),
        word_count: 20_000 + i64::try_from(mixed(number) % 160_000).unwrap_or(0),
        status,
        date_completed: (status == Status::Completed).then_some(day),
        start_date: spread.then_some(day - Days::new(21)),
        word_distribution: if spread { Distribution::Spread } else { Distribution::Final },
        rating: (status != Status::InProgress && n % 6 > 0).then(|| Rating::points(i64::try_from(n % 11).unwrap_or(0))),
        format: Format::ALL[pick(13) % 3],
        reread: n.is_multiple_of(17),
        genres: vec![GENRES[pick(2) % 12].into(), GENRES[(pick(2) + 5) % 12].into()],
        impressions: n.is_multiple_of(20).then(|| "A long evening, and worth it. ".repeat(8)),
        ..BookDraft::default()
    }
}

/// Spreads numbers about, the same in every run.
fn mixed(number: i64) -> u64 {
    (number.unsigned_abs() + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20
}
