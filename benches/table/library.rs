//! Readers with libraries of any size, written by the program's own store.
use std::ops::Range;
use std::path::Path;

use chrono::{Datelike as _, Days, NaiveDate, Utc};
use rusqlite::Connection;
use shelfwise::kit::db::pool::{Tx, open_writer};
use shelfwise::kit::http::session::{self, From, Id, id_hash};
use shelfwise::kit::id::UserId;
use shelfwise::library::books::log;
use shelfwise::library::books::model::{BookDraft, BookId, Distribution, Format, Status};
use shelfwise::library::books::rating::Rating;
use shelfwise::library::books::store::{self, BookInsert, NewBook};
use shelfwise::library::{counters, months};
use shelfwise::reading::goals::model::{Goal, Metric};
use shelfwise::reading::goals::store as goals;
use shelfwise::reading::period::Period;

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
    reader_with(conn, |tx, id| fill(tx, id, 0..books))
}

/// The same, but every tenth book was finished on an unknown day of a year, and every tenth is counted by its log.
pub fn reader_with_logs(conn: &Connection, books: i64) -> Reader {
    reader_with(conn, |tx, id| fill_with_logs(tx, id, 0..books))
}

/// The same with goals, as [`fill_with_goals`] makes it.
pub fn reader_with_goals(conn: &Connection, books: i64) -> Reader {
    reader_with(conn, |tx, id| fill_with_goals(tx, id, 0..books))
}

/// The same as [`reader`], but [`READ_DAILY`] books were read on the days of a year, one after the other, and the last [`OPEN`] of them
/// are still open; no other book is. The reader has a goal of books and one of words for that year.
pub fn reader_with_days(conn: &Connection, books: i64, year: i32) -> Reader {
    let draft = move |number| read_daily(number, year);
    reader_with(conn, |tx, id| {
        let first = insert(tx, id, 0..books, draft);
        let days = NaiveDate::from_ymd_opt(year, 1, 1).unwrap().iter_days().take_while(|day| day.year() == year);
        for (at, day) in (0..).zip(days) {
            let (number, place) = (at * READ_DAILY / 366, at * READ_DAILY % 366 * log::WHOLE / 366);
            let sql = "INSERT INTO reading_days (book_id, day, at, minutes, source) VALUES (?1, ?2, ?3, 30, 'hand')";
            tx.prepare_cached(sql).unwrap().execute((first + number, day.to_string(), place)).unwrap();
        }
        set_goals(tx, id, year);
    })
}

/// The books that are read in a year of [`reader_with_days`].
pub const READ_DAILY: i64 = 60;
/// Those of them that are open.
pub const OPEN: i64 = 4;

fn read_daily(number: i64, year: i32) -> BookDraft {
    let plain = book(number);
    match number {
        0..READ_DAILY => {
            let is_open = number >= READ_DAILY - OPEN;
            let start = NaiveDate::from_yo_opt(year, 1 + u32::try_from(number * 6).unwrap());
            BookDraft {
                status: if is_open { Status::InProgress } else { Status::Completed },
                rating: plain.rating.filter(|_| !is_open),
                start_date: start,
                date_completed: start.map(|start| start + Days::new(6)).filter(|_| !is_open),
                word_distribution: Distribution::Final,
                ..plain
            }
        }
        _ if plain.status == Status::InProgress => BookDraft { status: Status::Undated, ..plain },
        _ => plain,
    }
}

fn reader_with(conn: &Connection, fill: impl FnOnce(&Tx<'_>, UserId)) -> Reader {
    let transaction = conn.unchecked_transaction().unwrap();
    let tx = Tx::new(&transaction, Utc::now());
    let (id, session) = (account(&tx), Id::default());
    let from = From { ip: "127.0.0.1".into(), user_agent: "bench".into(), provider: None, header_user: None };
    session::store::open(&tx, id, id_hash(session), &from).unwrap();
    fill(&tx, id);
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
    insert(tx, owner, books, book);
}

/// Adds books with rough dates and logs, as [`reader_with_logs`] has them.
fn fill_with_logs(tx: &Tx<'_>, owner: UserId, books: Range<i64>) {
    let first = insert(tx, owner, books.clone(), rough_or_logged);
    for (id, draft) in (first..).zip(books.map(rough_or_logged)) {
        if draft.word_distribution == Distribution::Logged {
            note(tx, id, &draft);
        }
    }
}

/// Adds books with rough dates and logs, and goals for the present year.
pub fn fill_with_goals(tx: &Tx<'_>, owner: UserId, books: Range<i64>) {
    fill_with_logs(tx, owner, books);
    set_goals(tx, owner, Utc::now().year());
}

/// Sets a goal of books and one of words for a year.
fn set_goals(tx: &Tx<'_>, owner: UserId, year: i32) {
    for (metric, target) in [(Metric::Books, 60), (Metric::Words, 5_000_000)] {
        goals::put(tx, owner, Goal { period: Period::Year(year), metric, target, rereads: true }).unwrap();
    }
}

/// Adds books to a library, and returns the id of the first.
fn insert(tx: &Tx<'_>, owner: UserId, books: Range<i64>, draft: impl Fn(i64) -> BookDraft) -> i64 {
    let first = counters::add_books(tx, owner, books.end - books.start).unwrap();
    let mut insert = BookInsert::new(tx, owner);
    for (id, draft) in (first..).map(BookId).zip(books.map(draft)) {
        let new = NewBook { id, folded: store::folded(&draft), draft: &draft, reread: draft.reread, work: id };
        let bytes = insert.insert(&[new]).unwrap();
        counters::add_texts(tx, owner, bytes).unwrap();
    }
    first
}

/// Writes the log of a read with three days, and the months of its words.
fn note(tx: &Tx<'_>, id: i64, draft: &BookDraft) {
    let end = draft.date_completed.unwrap();
    let places = [(end - Days::new(20), 3_000), (end - Days::new(10), 6_500), (end, log::WHOLE)];
    for (day, at) in places {
        let sql = "INSERT INTO reading_days (book_id, day, at, source) VALUES (?1, ?2, ?3, 'hand')";
        tx.prepare_cached(sql).unwrap().execute((id, day.to_string(), at)).unwrap();
    }
    for share in log::months(draft.word_count, draft.start_date, end, &places) {
        let sql = "INSERT INTO read_months (book_id, month, words) VALUES (?1, ?2, ?3)";
        tx.prepare_cached(sql).unwrap().execute((id, months::name(share.month), share.words)).unwrap();
    }
}

/// A book of [`book`], finished on a rough date or counted by its log where its number ends in 1 or 4.
fn rough_or_logged(number: i64) -> BookDraft {
    let plain = book(number);
    let Some(end) = plain.date_completed else { return plain };
    match number % 10 {
        1 => BookDraft {
            completed_from: NaiveDate::from_ymd_opt(end.year(), 1, 1),
            date_completed: NaiveDate::from_ymd_opt(end.year(), 12, 31),
            ..plain
        },
        4 => BookDraft { start_date: Some(end - Days::new(30)), word_distribution: Distribution::Logged, ..plain },
        _ => plain,
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
        authors: vec![format!("{} {} Author", WORDS[pick(5) % 10], pick(7) % 40)],
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
