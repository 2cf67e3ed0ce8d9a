//! The book list: newest completion first is read directly from the index, any other query by one pass over the library.
use chrono::NaiveDate;
use rusqlite::{Connection, Row};

use super::{ALL, Audience, book, days, scan, stored, words};
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::authors::joined;
use crate::library::books::model::{Book, BookId};
use crate::library::books::order::{Direction, FirstPlaces, Key, ListQuery, Position, Sort};
use crate::library::{counters, text};

/// The fields beside the books of a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Totals {
    /// The number of all books, including hidden ones.
    pub total: i64,
    /// The number of visible books that match the filter.
    pub matching: i64,
    /// The cursor of the next page; `None` at the end.
    pub next: Option<String>,
}

/// Visits the books of a list in order. `from` is the first visible completion date.
pub fn list(
    conn: &Connection,
    owner: UserId,
    from: Option<NaiveDate>,
    query: &ListQuery,
    visit: &mut dyn FnMut(&Book<'_>) -> Result<()>,
) -> Result<Totals> {
    let total = counters::book_count(conn, owner)?;
    if query.filter.is_everything() && query.sort == Sort::DateCompleted && query.direction == Direction::Desc {
        let next = newest_first(conn, owner, from, query, visit)?;
        return Ok(Totals { total, matching: visible(conn, owner, from, total)?, next });
    }
    let mut first = FirstPlaces::new(query);
    let mut matching = 0;
    super::matching(conn, owner, &query.filter, from, |row| {
        matching += 1;
        first.offer(row);
    })?;
    let (page, next) = first.finish();
    let progress = days::newest(conn, owner)?;
    let mut by_id = conn.prepare_cached(&format!("SELECT {ALL} FROM books WHERE user_id = ?1 AND id = ?2"))?;
    for place in page {
        let mut rows = by_id.query((owner, place.id))?;
        if let Some(row) = rows.next()? {
            visit(&Book { progress: progress.get(&place.id).copied(), ..book(conn, row)? })?;
        }
    }
    Ok(Totals { total, matching, next })
}

/// The number of visible books.
pub fn visible(conn: &Connection, owner: UserId, from: Option<NaiveDate>, total: i64) -> Result<i64> {
    let Some(from) = from else { return Ok(total) };
    let sql = "SELECT count(*) FROM books WHERE user_id = ?1 AND date_completed < ?2";
    let hidden: i64 = conn.prepare_cached(sql)?.query_row((owner, stored(from)), |row| row.get(0))?;
    Ok(total - hidden)
}

/// Reads the index: dated books first, then the undated ones, each part from the cursor on.
fn newest_first(
    conn: &Connection,
    owner: UserId,
    from: Option<NaiveDate>,
    query: &ListQuery,
    visit: &mut dyn FnMut(&Book<'_>) -> Result<()>,
) -> Result<Option<String>> {
    let mut page = Page { query, progress: days::newest(conn, owner)?, left: query.limit, last: None, visit };
    let (after_day, after_id) = match &query.after {
        Some(Position { key: Key::Day(day), id }) => (stored(*day), *id),
        Some(Position { id, .. }) => (String::new(), *id),
        // After every date that a book may have.
        None => ("9999".into(), BookId(i64::MAX)),
    };
    if !after_day.is_empty() {
        let sql = format!(
            "SELECT {ALL} FROM books WHERE user_id = ?1 AND date_completed >= ?2 AND (date_completed, id) < (?3, ?4)
             ORDER BY date_completed DESC, id DESC"
        );
        let mut dated = conn.prepare_cached(&sql)?;
        let mut rows = dated.query((owner, from.map_or_else(String::new, stored), &after_day, after_id))?;
        while let Some(row) = rows.next()? {
            if page.is_full(conn, row)? {
                return Ok(page.next());
            }
        }
    }
    let undated_after = if after_day.is_empty() { after_id } else { BookId(i64::MAX) };
    let sql =
        format!("SELECT {ALL} FROM books WHERE user_id = ?1 AND date_completed IS NULL AND id < ?2 ORDER BY id DESC");
    let mut undated = conn.prepare_cached(&sql)?;
    let mut rows = undated.query((owner, undated_after))?;
    while let Some(row) = rows.next()? {
        if page.is_full(conn, row)? {
            return Ok(page.next());
        }
    }
    Ok(None)
}

/// A page that is being filled.
struct Page<'p> {
    query: &'p ListQuery,
    progress: days::NewestPlaces,
    left: Option<usize>,
    last: Option<Position<'static>>,
    visit: &'p mut dyn FnMut(&Book<'_>) -> Result<()>,
}

impl Page<'_> {
    /// Writes one more book, unless the page is full; then another page follows.
    fn is_full(&mut self, conn: &Connection, row: &Row<'_>) -> Result<bool> {
        if self.left == Some(0) {
            return Ok(true);
        }
        let book = book(conn, row)?;
        let book = Book { progress: self.progress.get(&book.id).copied(), ..book };
        (self.visit)(&book)?;
        self.left = self.left.map(|left| left - 1);
        self.last = Some(Position { key: book.date_completed.map_or(Key::Nothing, Key::Day), id: book.id });
        Ok(false)
    }

    fn next(&self) -> Option<String> {
        self.last.as_ref().map(|last| self.query.cursor_behind(last))
    }
}

/// A book in the picker of the edit tab.
#[derive(Debug, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BookTitle<'a> {
    /// The book's id.
    #[schema(value_type = i64)]
    pub id: BookId,
    /// The title as it was entered.
    pub title: &'a str,
    /// The names of all authors with commas between them.
    pub author: std::borrow::Cow<'a, str>,
    /// The book's status.
    #[schema(value_type = crate::library::books::model::BookStatus)]
    pub status: &'a str,
    /// The completion date, of a rough date the last possible day.
    #[schema(required, value_type = Option<NaiveDate>)]
    pub date_completed: Option<&'a str>,
    /// The first possible day of a rough completion date; absent for an exact one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = NaiveDate)]
    pub completed_from: Option<&'a str>,
    /// The id of the first read of the same book.
    #[schema(value_type = i64)]
    pub work: BookId,
}

/// Visits all books by title, including hidden ones.
pub fn titles(conn: &Connection, owner: UserId, visit: &mut dyn FnMut(&BookTitle<'_>) -> Result<()>) -> Result<()> {
    let mut order: Vec<(String, BookId)> = Vec::new();
    scan(conn, owner, Audience::Owner, |row| order.push((row.title_key.to_owned(), row.id)))?;
    order.sort_unstable_by(|(title, id), (other, other_id)| {
        text::natural_order(title, other).then_with(|| other_id.cmp(id))
    });
    let sql = "SELECT id, title, author, status, date_completed, completed_from, work FROM books WHERE id = ?1";
    let mut query = conn.prepare_cached(sql)?;
    for (_, id) in order {
        let mut rows = query.query([id])?;
        let Some(row) = rows.next()? else { continue };
        let (title, author, status) = (words(row, 1)?, joined(words(row, 2)?), words(row, 3)?);
        let day = |column| row.get_ref(column)?.as_str_or_null().map_err(rusqlite::Error::from);
        let (date_completed, completed_from, work) = (day(4)?, day(5)?, row.get(6)?);
        visit(&BookTitle { id: row.get(0)?, title, author, status, date_completed, completed_from, work })?;
    }
    Ok(())
}
