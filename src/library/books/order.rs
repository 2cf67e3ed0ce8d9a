//! The orders of the book list, and cursors: a page begins after the last book of the previous one, whatever was added since.
use std::borrow::Cow;
use std::cmp::Ordering;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::filter::{BookRow, Filter};
use super::rating::Rating;
use crate::kit::http::query;
use crate::kit::{Error, Result};
use crate::library::books::model::BookId;
use crate::library::text;

/// The most books of a page.
pub const LONGEST_PAGE: usize = 500;

/// The sort key of the list.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Sort {
    /// By title, regardless of case and accents.
    Title,
    /// By author, regardless of case and accents.
    Author,
    /// By word count.
    WordCount,
    /// By completion date.
    #[default]
    DateCompleted,
    /// By rating.
    Rating,
}

/// The direction of the list. Books without a value are always last, and equal books are ordered newest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Lowest first.
    Asc,
    /// Highest first.
    #[default]
    Desc,
}

/// A book's value of the sort key. In JSON the kinds of values are not distinguished: [`Key::read`] knows which one an order has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Key<'a> {
    Number(i64),
    Points(Rating),
    Day(NaiveDate),
    /// A case-folded text.
    Text(Cow<'a, str>),
    /// The book has no such value.
    Nothing,
}

impl Key<'static> {
    /// The value of a book in this order, from JSON. A title may look like a date.
    fn read(json: Value, sort: Sort) -> Option<Self> {
        match (sort, json) {
            (Sort::Title | Sort::Author, Value::String(text)) => Some(Self::Text(Cow::Owned(text))),
            (Sort::WordCount, json) => json.as_i64().map(Self::Number),
            (Sort::DateCompleted | Sort::Rating, Value::Null) => Some(Self::Nothing),
            (Sort::DateCompleted, json) => serde_json::from_value(json).ok().map(Self::Day),
            (Sort::Rating, json) => {
                serde_json::from_value(json).ok().filter(|rating: &Rating| rating.is_valid()).map(Self::Points)
            }
            (Sort::Title | Sort::Author, _) => None,
        }
    }
}

/// A position in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position<'a> {
    /// The value of the sort key.
    pub key: Key<'a>,
    pub id: BookId,
}

impl Position<'_> {
    /// The position of a book.
    pub fn of<'r>(book: &BookRow<'r>, sort: Sort) -> Position<'r> {
        let key = match sort {
            Sort::Title => Key::Text(Cow::Borrowed(book.title_key)),
            Sort::Author => Key::Text(Cow::Borrowed(book.author_key)),
            Sort::WordCount => Key::Number(book.word_count),
            Sort::Rating => book.rating.map_or(Key::Nothing, Key::Points),
            Sort::DateCompleted => book.date_completed.map_or(Key::Nothing, Key::Day),
        };
        Position { key, id: book.id }
    }

    /// The same position without borrowed texts.
    pub fn into_owned(self) -> Position<'static> {
        let key = match self.key {
            Key::Text(text) => Key::Text(Cow::Owned(text.into_owned())),
            Key::Number(number) => Key::Number(number),
            Key::Points(rating) => Key::Points(rating),
            Key::Day(day) => Key::Day(day),
            Key::Nothing => Key::Nothing,
        };
        Position { key, id: self.id }
    }

    /// Compares two positions of the same order.
    pub fn compare(&self, other: &Position<'_>, direction: Direction) -> Ordering {
        let directed = |order: Ordering| if direction == Direction::Asc { order } else { order.reverse() };
        let keys = match (&self.key, &other.key) {
            (Key::Nothing, Key::Nothing) => Ordering::Equal,
            (Key::Nothing, _) => Ordering::Greater,
            (_, Key::Nothing) => Ordering::Less,
            (Key::Number(one), Key::Number(two)) => directed(one.cmp(two)),
            (Key::Points(one), Key::Points(two)) => directed(one.cmp(two)),
            (Key::Day(one), Key::Day(two)) => directed(one.cmp(two)),
            (Key::Text(one), Key::Text(two)) => directed(text::natural_order(one, two)),
            // Different kinds of keys never meet: a cursor is refused in another order than its own.
            _ => Ordering::Equal,
        };
        keys.then(other.id.cmp(&self.id))
    }
}

/// Order and page of the book list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
pub struct OrderedPage {
    /// The sort key; the completion date by default.
    #[param(inline, value_type = Option<Sort>)]
    sort: Sort,
    /// The direction; `desc` by default.
    #[param(inline, value_type = Option<Direction>)]
    order: Direction,
    /// 1 to 500; all books when absent.
    #[serde(deserialize_with = "query::limit::<_, LONGEST_PAGE>")]
    #[param(value_type = Option<i64>, minimum = 1, maximum = 500)]
    limit: Option<usize>,
    /// The `nextCursor` of the previous page.
    cursor: Option<String>,
}

/// What the book list shows, and in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListQuery {
    pub filter: Filter,
    pub sort: Sort,
    pub direction: Direction,
    /// The most books; all when absent.
    pub limit: Option<usize>,
    /// The position after which the page begins; the beginning when absent.
    pub after: Option<Position<'static>>,
    /// Whether the request had any query: without one the response has no `matching` and no `nextCursor`.
    pub has_query: bool,
}

/// The content of a cursor. It is opaque to clients: base64 of this as JSON.
#[derive(Serialize, Deserialize)]
struct Cursor<K> {
    s: Sort,
    o: Direction,
    k: K,
    i: BookId,
}

impl ListQuery {
    /// Reads the cursor.
    ///
    /// # Errors
    /// 422 for the cursor of another order.
    pub fn new(filter: Filter, page: OrderedPage, has_query: bool) -> Result<Self> {
        let OrderedPage { sort, order: direction, limit, cursor } = page;
        let other_list =
            || Error::invalid_field("cursor", "This cursor belongs to another list. Please start from the beginning.");
        let after = cursor.map(|cursor| read_cursor(&cursor, sort, direction).ok_or_else(other_list)).transpose()?;
        Ok(Self { filter, sort, direction, limit, after, has_query })
    }

    /// The cursor of the page after a position.
    pub fn cursor_behind(&self, place: &Position<'_>) -> String {
        let cursor = Cursor { s: self.sort, o: self.direction, k: place.key.clone(), i: place.id };
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(&cursor).unwrap_or_default())
    }
}

/// The position in a cursor of the same order.
fn read_cursor(text: &str, sort: Sort, direction: Direction) -> Option<Position<'static>> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let cursor: Cursor<Value> = serde_json::from_slice(&bytes).ok()?;
    let key = Key::read(cursor.k, sort)?;
    (cursor.s == sort && cursor.o == direction).then_some(Position { key, id: cursor.i })
}

/// Keeps the first positions of an order, and counts all offered books.
#[derive(Debug)]
pub struct FirstPlaces<'q> {
    query: &'q ListQuery,
    /// One more than the page has, to know whether another page follows.
    wanted: usize,
    kept: Vec<Position<'static>>,
    /// The last position that can still be on the page.
    worst: Option<Position<'static>>,
}

impl<'q> FirstPlaces<'q> {
    pub fn new(query: &'q ListQuery) -> Self {
        let wanted = query.limit.map_or(usize::MAX, |limit| limit + 1);
        Self { query, wanted, kept: Vec::new(), worst: None }
    }

    /// Offers a book, which is kept if it may be on the page.
    pub fn offer(&mut self, book: &BookRow<'_>) {
        let direction = self.query.direction;
        let place = Position::of(book, self.query.sort);
        let behind = |other: &Option<Position<'_>>| other.as_ref().map(|other| place.compare(other, direction));
        if behind(&self.query.after).is_some_and(Ordering::is_le) || behind(&self.worst).is_some_and(Ordering::is_gt) {
            return;
        }
        self.kept.push(place.into_owned());
        // Pruned rarely, so that each book costs the same in a library of any size.
        if self.kept.len() >= self.wanted.saturating_mul(2) {
            self.prune();
        }
    }

    fn prune(&mut self) {
        let direction = self.query.direction;
        self.kept.select_nth_unstable_by(self.wanted - 1, |one, other| one.compare(other, direction));
        self.kept.truncate(self.wanted);
        self.worst = self.kept.last().cloned();
    }

    /// The page in order, and the cursor of the next one.
    pub fn finish(mut self) -> (Vec<Position<'static>>, Option<String>) {
        let direction = self.query.direction;
        self.kept.sort_unstable_by(|one, other| one.compare(other, direction));
        let page = self.query.limit.unwrap_or(usize::MAX);
        let more = self.kept.len() > page;
        self.kept.truncate(page);
        let next = self.kept.last().filter(|_| more).map(|last| self.query.cursor_behind(last));
        (self.kept, next)
    }
}

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
