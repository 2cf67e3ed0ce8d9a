//! Calibre's `metadata.db`: words that Count Pages counted, KOReader's digests, and days of finishing, each in a column that its reader made.
use std::collections::HashMap;

use chrono::NaiveDate;
use rusqlite::Connection;
use rusqlite::types::Type;

use super::{Options, instant};
use crate::devices::coverage::NotedDay;
use crate::devices::model::digest;
use crate::devices::statistics::{Content, FileBook, FileRefusal, MOST_BOOKS, MOST_ROWS, cut, has, number, words};
use crate::library::books::authors::MOST_AUTHORS;
use crate::library::books::log::{ReadingDaySource, WHOLE};

/// What a column is, by its name and its type in Calibre.
const WORDS: (&[&str], &str) = (&["words", "word_count", "wordcount", "ko_words"], "int");
const DIGEST: (&[&str], &str) = (&["ko_md5", "md5", "koreader_md5"], "text");
const FINISH: (&[&str], &str) =
    (&["ko_finish", "date_read", "read_date", "dateread", "date_finished", "finished", "finish_date"], "datetime");

/// Reads the file.
pub fn read(conn: &Connection, options: &Options) -> Result<Content, FileRefusal> {
    let mut books = HashMap::<i64, FileBook>::new();
    each(conn, "SELECT id, title, NULL FROM books", |id, title, _| {
        books.insert(id, FileBook { title: cut(&title), ..FileBook::default() });
    })?;
    for table in ["books_authors_link", "authors"] {
        if !has(conn, table)? {
            return Err(FileRefusal::Damaged);
        }
    }
    let names = "SELECT l.book, a.name, NULL FROM books_authors_link l JOIN authors a ON a.id = l.author ORDER BY l.id";
    each(conn, names, |id, name, _| {
        if let Some(book) = books.get_mut(&id).filter(|book| book.authors.len() < MOST_AUTHORS) {
            book.authors.push(cut(&name.replace('|', ",")));
        }
    })?;
    for (number, field) in own_columns(conn)? {
        let (table, link) = (format!("custom_column_{number}"), format!("books_custom_column_{number}_link"));
        if !has(conn, &table)? {
            continue;
        }
        // Texts are in a table of their own, and linked.
        let sql = match has(conn, &link)? {
            true => format!("SELECT l.book, c.value, c.value FROM {link} l JOIN {table} c ON c.id = l.value"),
            false => format!("SELECT book, value, value FROM {table}"),
        };
        each(conn, &sql, |id, text, value| {
            let Some(book) = books.get_mut(&id) else { return };
            match field {
                Field::Words => book.words = value.filter(|words| *words > 0).or(book.words),
                Field::Digest => book.digest = digest(&text).unwrap_or_default().to_lowercase(),
                Field::Finish => {
                    let day = instant(&text).map(|time| options.zone.day_at(time));
                    book.days.extend(day.filter(|day| *day <= options.today).map(finished));
                }
            }
        })?;
    }
    let mut books: Vec<_> = books.into_values().filter(|book| !book.title.is_empty()).collect();
    books.retain(|book| book.words.is_some() || !book.digest.is_empty() || !book.days.is_empty());
    if books.len() > MOST_BOOKS {
        return Err(FileRefusal::TooManyBooks);
    }
    books.sort_by(|one, other| (&one.title, &one.authors).cmp(&(&other.title, &other.authors)));
    Ok(Content { books, ..Content::default() })
}

#[derive(Clone, Copy)]
enum Field {
    Words,
    Digest,
    Finish,
}

/// The reader's own columns that are used, by number.
fn own_columns(conn: &Connection) -> Result<Vec<(i64, Field)>, FileRefusal> {
    let mut found = Vec::new();
    let mut query = conn.prepare("SELECT id, label, datatype FROM custom_columns ORDER BY id LIMIT 1000")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (label, kind) = (words(row, 1)?.to_lowercase(), words(row, 2)?);
        let is = |(labels, datatype): (&[&str], &str)| labels.contains(&label.as_str()) && datatype == kind;
        let fields = [(WORDS, Field::Words), (DIGEST, Field::Digest), (FINISH, Field::Finish)];
        let field = fields.into_iter().find(|(known, _)| is(*known)).map(|(_, field)| field);
        found.extend(number(row, 0)?.zip(field));
    }
    Ok(found)
}

fn finished(day: NaiveDate) -> NotedDay {
    NotedDay { day, at: Some(WHOLE), page: None, minutes: None, finished: true, source: ReadingDaySource::Calibre }
}

/// Visits rows of an id, a text and the same as a number.
fn each(conn: &Connection, sql: &str, mut visit: impl FnMut(i64, String, Option<i64>)) -> Result<(), FileRefusal> {
    let mut query = conn.prepare(sql)?;
    let (mut rows, mut count) = (query.query([])?, 0);
    while let Some(row) = rows.next()? {
        count += 1;
        if count > MOST_ROWS {
            return Err(FileRefusal::TooMany);
        }
        let is_blob = row.get_ref(1)?.data_type() == Type::Blob;
        if let (Some(id), false) = (number(row, 0)?, is_blob) {
            visit(id, words(row, 1)?, number(row, 2)?);
        }
    }
    Ok(())
}
