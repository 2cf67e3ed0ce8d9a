//! Images of books: the values that an operation may change, before and after it.
use std::collections::BTreeMap;
use std::sync::LazyLock;

use rusqlite::types::Value as Stored;
use rusqlite::{Connection, OptionalExtension as _};
use serde_json::{Map, Value};

use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::library::books::model::BookId;
use crate::library::{counters, text};

/// The columns of a book that an operation may change, in groups: the values of a group depend on each other and are restored
/// together or not at all.
const GROUPS: [&[&str]; 19] = [
    &[
        "status", "date_completed", "completed_from", "start_date", "stopped_date", "paused_since", "rating",
        "word_distribution",
    ],
    &["word_count", "word_count_source"],
    &["series", "series_number"],
    &["format"],
    &["reread"],
    &["title"],
    &["author"],
    &["genres"],
    &["work"],
    &["pages"],
    &["minutes"],
    &["isbn"],
    &["tags"],
    &["contributors"],
    &["publisher"],
    &["published"],
    &["original_year"],
    &["language"],
    &["private"],
];
/// The columns of a book's long texts, each for itself.
const TEXTS: [&str; 2] = ["impressions", "quotes"];
/// What is noted of a book with every change. It is restored where nothing else has changed since.
const NOTES: [&str; 2] = ["changes", "updated_at"];

/// The values of a book by column.
pub type Image = Map<String, Value>;

/// The images of some books, as JSON: of a hundred thousand books they would take hundreds of megabytes as values.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Images(BTreeMap<BookId, String>);

impl Images {
    /// Visits the images in the order of the books.
    pub fn iter(&self) -> impl Iterator<Item = Result<(BookId, Image)>> {
        self.0.iter().map(|(book, image)| Ok((*book, serde_json::from_str(image)?)))
    }

    /// The image of a book.
    pub fn get(&self, book: BookId) -> Result<Option<Image>> {
        Ok(self.0.get(&book).map(|image| serde_json::from_str(image)).transpose()?)
    }

    /// Whether a book is among them.
    pub fn has(&self, book: BookId) -> bool {
        self.0.contains_key(&book)
    }

    /// Adds the images of further books.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }
}

/// The images of those of these books that the owner has.
pub fn images(conn: &Connection, owner: UserId, books: impl IntoIterator<Item = BookId>) -> Result<Images> {
    collected(books, |book| image_json(conn, owner, book))
}

/// The same without the long texts, for changes that leave them alone: the texts of a library may have hundreds of megabytes.
pub fn images_without_texts(
    conn: &Connection,
    owner: UserId,
    books: impl IntoIterator<Item = BookId>,
) -> Result<Images> {
    collected(books, |book| image_json_without_texts(conn, owner, book))
}

/// The image of a book with the columns that another image of it has; `None` when the book is gone.
pub fn image_like(conn: &Connection, owner: UserId, book: BookId, other: &Image) -> Result<Option<Image>> {
    let json = if has_texts(other) { image_json } else { image_json_without_texts };
    parsed(json(conn, owner, book)?)
}

/// Whether the long texts, or one of them, are among these values.
pub fn has_texts(values: &Map<String, Value>) -> bool {
    TEXTS.iter().any(|column| values.contains_key(*column))
}

fn collected(
    books: impl IntoIterator<Item = BookId>,
    image: impl Fn(BookId) -> Result<Option<String>>,
) -> Result<Images> {
    let mut images = BTreeMap::new();
    for book in books {
        if let Some(image) = image(book)? {
            images.insert(book, image);
        }
    }
    Ok(Images(images))
}

/// The image of a book; `None` when it is gone.
pub fn image(conn: &Connection, owner: UserId, book: BookId) -> Result<Option<Image>> {
    parsed(image_json(conn, owner, book)?)
}

fn parsed(json: Option<String>) -> Result<Option<Image>> {
    Ok(json.map(|json| serde_json::from_str(&json)).transpose()?)
}

fn image_json(conn: &Connection, owner: UserId, book: BookId) -> Result<Option<String>> {
    let texts = TEXTS.map(|column| format!("'{column}', t.{column}")).join(", ");
    let sql = format!(
        "SELECT json_object({}, {texts}) FROM books b LEFT JOIN book_texts t ON t.book_id = b.id
         WHERE b.id = ?3 AND b.id BETWEEN ?1 AND ?2",
        narrow_pairs()
    );
    read(conn, &sql, owner, book)
}

fn image_json_without_texts(conn: &Connection, owner: UserId, book: BookId) -> Result<Option<String>> {
    let sql = format!("SELECT json_object({}) FROM books b WHERE b.id = ?3 AND b.id BETWEEN ?1 AND ?2", narrow_pairs());
    read(conn, &sql, owner, book)
}

/// The names of the columns of `books`, each with its value, for the JSON of an image.
fn narrow_pairs() -> &'static str {
    static PAIRS: LazyLock<String> =
        LazyLock::new(|| columns().map(|column| format!("'{column}', b.{column}")).collect::<Vec<_>>().join(", "));
    &PAIRS
}

fn read(conn: &Connection, sql: &str, owner: UserId, book: BookId) -> Result<Option<String>> {
    let (first, last) = owned(owner);
    Ok(conn.prepare_cached(sql)?.query_row((first, last, book), |row| row.get(0)).optional()?)
}

/// The columns of `books` in an image.
fn columns() -> impl Iterator<Item = &'static str> {
    GROUPS.into_iter().flatten().copied().chain(NOTES)
}

/// What a change made of an image: the former and the later value of each column that differs.
pub fn difference(before: &Image, after: &Image) -> Map<String, Value> {
    let differs = |(column, value): (&String, &Value)| {
        let later = after.get(column).filter(|later| *later != value)?;
        Some((column.clone(), Value::Array(vec![value.clone(), later.clone()])))
    };
    before.iter().filter_map(differs).collect()
}

/// What becomes of a book when a difference is taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// The former values of the columns that are restored.
    pub values: Map<String, Value>,
    /// Whether other columns stay, because they were changed since.
    pub keeps: bool,
}

/// What of a difference can be taken back in a book as it is now: each group of columns that nobody has changed since, without those of
/// the `refused` columns.
pub fn restored(difference: &Map<String, Value>, now: &Image, refused: &[&str]) -> Restored {
    let (mut values, mut keeps) = (Map::new(), false);
    let groups = GROUPS.iter().copied().chain(TEXTS.iter().map(std::slice::from_ref));
    for group in groups.chain(NOTES.iter().map(std::slice::from_ref)) {
        let changed = || group.iter().filter_map(|column| Some((*column, difference.get(*column)?.as_array()?)));
        if changed().next().is_none() {
            continue;
        }
        let is_note = NOTES.contains(&group[0]);
        let is_free = changed().all(|(column, pair)| now.get(column) == pair.get(1) && !refused.contains(&column));
        if is_free && !(is_note && keeps) {
            values.extend(changed().filter_map(|(column, pair)| Some((column.to_owned(), pair.first()?.clone()))));
        } else if !is_note {
            keeps = true;
        }
    }
    Restored { values, keeps }
}

/// Writes values into a book, with what follows from them.
///
/// # Errors
/// A value that no column holds; the database's.
pub fn write(tx: &Tx<'_>, owner: UserId, book: BookId, values: &Map<String, Value>) -> Result<()> {
    let mut written: Vec<(&str, Stored)> = Vec::new();
    for (column, value) in values.iter().filter(|(column, _)| !TEXTS.contains(&column.as_str())) {
        written.push((column, stored(value)?));
        let word = || value.as_str().map(|word| word.replace(crate::library::books::model::AUTHOR_SEPARATOR, ", "));
        let key = |of: fn(&str) -> String| word().map_or(Stored::Null, |word| Stored::Text(of(&word)));
        match column.as_str() {
            "title" => written.push(("title_key", key(text::title_key))),
            "author" => written.push(("author_key", key(text::name_key))),
            "series" => written.push(("series_key", key(text::title_key))),
            "series_number" => {
                let sort = value.as_str().and_then(crate::library::books::facts::series_sort);
                written.push(("series_sort", sort.map_or(Stored::Null, Stored::Integer)));
            }
            _ => {}
        }
    }
    if !written.is_empty() {
        let set = written.iter().enumerate().map(|(at, (column, _))| format!("{column} = ?{}", at + 2));
        let sql = format!("UPDATE books SET {} WHERE id = ?1", set.collect::<Vec<_>>().join(", "));
        let values = std::iter::once(Stored::Integer(book.0)).chain(written.into_iter().map(|(_, value)| value));
        tx.prepare_cached(&sql)?.execute(rusqlite::params_from_iter(values))?;
    }
    write_texts(tx, owner, book, values)
}

fn write_texts(tx: &Tx<'_>, owner: UserId, book: BookId, values: &Map<String, Value>) -> Result<()> {
    if !has_texts(values) {
        return Ok(());
    }
    let now = image(tx, owner, book)?.unwrap_or_default();
    let text = |column: &str| {
        let value = values.get(column).or_else(|| now.get(column))?;
        value.as_str().map(str::to_owned)
    };
    let (impressions, quotes) = (text("impressions"), text("quotes").unwrap_or_else(|| "[]".to_owned()));
    let remain = impressions.is_some() || quotes != "[]";
    tx.prepare_cached("DELETE FROM book_texts WHERE book_id = ?1")?.execute([book])?;
    if remain {
        let sql = "INSERT INTO book_texts (book_id, impressions, quotes) VALUES (?1, ?2, ?3)";
        tx.prepare_cached(sql)?.execute((book, &impressions, &quotes))?;
        counters::add_texts(tx, owner, impressions.as_deref().map_or(0, counters::bytes) + counters::bytes(&quotes))?;
    }
    tx.prepare_cached("UPDATE books SET has_texts = ?2 WHERE id = ?1")?.execute((book, remain))?;
    Ok(())
}

fn stored(value: &Value) -> Result<Stored> {
    match value {
        Value::Null => Ok(Stored::Null),
        Value::String(text) => Ok(Stored::Text(text.clone())),
        Value::Number(number) => {
            number.as_i64().map(Stored::Integer).ok_or_else(|| Error::internal("an image has a fraction"))
        }
        _ => Err(Error::internal("an image has a value that no column holds")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn image(value: Value) -> Image {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn what_was_changed_since_stays_with_its_group() {
        let before = image(json!({"status": "undated", "rating": 80, "tags": "a", "pages": null, "changes": 0}));
        let after = image(json!({"status": "undated", "rating": null, "tags": "b", "pages": 300, "changes": 1}));
        let made = difference(&before, &after);
        assert_eq!(
            Value::Object(made.clone()),
            json!({"rating": [80, null], "tags": ["a", "b"], "pages": [null, 300], "changes": [0, 1]})
        );
        let all = restored(&made, &after, &[]);
        assert_eq!(
            (Value::Object(all.values), all.keeps),
            (json!({"rating": 80, "tags": "a", "pages": null, "changes": 0}), false)
        );
        let mut now = after.clone();
        now.insert("pages".into(), json!(301));
        now.insert("changes".into(), json!(2));
        let some = restored(&made, &now, &[]);
        assert_eq!((Value::Object(some.values), some.keeps), (json!({"rating": 80, "tags": "a"}), true));
        // A change of something else keeps nothing.
        let mut now = after;
        now.insert("title".into(), json!("New"));
        now.insert("changes".into(), json!(2));
        let some = restored(&made, &now, &[]);
        assert_eq!(
            (Value::Object(some.values), some.keeps),
            (json!({"rating": 80, "tags": "a", "pages": null}), false)
        );
    }
}
