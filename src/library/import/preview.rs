//! The preview of an import: its first entries as they were read, and what its reader can choose.
use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use super::columns::folded;
use super::inspect::{PreviewColumn, PreviewShelf};
use super::plan::{ImportQuestion, Plan, Planned};
use super::store::Choices;
use crate::library::books::facts::BookFacts;
use crate::library::books::model::{BookDraft, BookFormat, BookStatus, WordCountSource, WordDistribution};
use crate::library::books::rating::Rating;
use crate::library::import::dedupe::Deduped;
use crate::library::import::shelves::shelf_key;
use crate::library::import::values::{DateOrder, PreviewDates};
use crate::library::tbr::model::TbrDraft;

/// How many books and items a preview contains.
const SHOWN: usize = 20;
/// How many names of shelves a preview contains.
const SHOWN_SHELVES: usize = 50;

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// What an import would do.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ImportPreview {
    /// The first 20 new books.
    books: Vec<PreviewBook>,
    /// The first 20 new items.
    tbr: Vec<PreviewItem>,
    /// The reader's custom shelves.
    shelves: Vec<PreviewShelf>,
    /// The file's columns.
    columns: Vec<PreviewColumn>,
    /// Readings that the file counts without a date: the number of additional books with `earlierReads=undated`.
    earlier_reads: usize,
    /// The first 50 shelves that are not genres by name. They become genres with `shelfGenres=all`; absent when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    other_shelves: Vec<String>,
    /// The number of new books with a date after today; absent when there are none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    future_books: usize,
    /// The number of new books that the plan imports and does not show, because they were finished before its history begins; absent when
    /// there are none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub hidden_books: usize,
    /// The number of new entries with a series behind their title, which becomes the book's series. The title loses it unless
    /// `seriesTitles=keep`; absent when there are none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    series_titles: usize,
    /// The number of new books without words and without pages to compute them from; absent when there are none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub without_words: usize,
    /// The order in which the file's dates are read.
    pub date_order: DateOrder,
    /// The dates for which `dateOrder` matters; absent when there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub ambiguous_dates: Option<PreviewDates>,
    /// The number of new books that were finished on a January 1: `januaryFirsts=years` makes them year-only. Absent when there are
    /// none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub january_firsts: usize,
    /// The number of new books of a Jelu file with a completion in January 1970: `january1970=undated` makes them undated. Absent
    /// when there are none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub january_1970: usize,
    /// The genres whose shelves have a usual name such as "sci-fi", by the names of the shelves, at most 50: they are written as here unless
    /// `genreNames=keep`. Absent when there are none.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(required = false)]
    genre_names: BTreeMap<String, &'static str>,
    /// Whether letters are mended that a spreadsheet has garbled (`aÃ±os`); absent otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    mended_text: bool,
    /// How many files of this program the library has taken in: `mode=sync` brings it up to date with this one, and adds no changed row a second
    /// time. Absent when there are none, and with `mode=sync`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub former_imports: Option<u32>,
    /// What the file leaves open and the form answers; absent where there is nothing to ask.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub asks: Vec<ImportQuestion>,
}

/// What a preview depends on beside the file and the library.
#[derive(Clone, Copy, Debug)]
pub struct Outlook {
    /// The reader's day.
    pub today: NaiveDate,
    /// The first completion date that the plan shows; `None` where it shows all.
    pub visible_from: Option<NaiveDate>,
}

/// A book as read from a file.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PreviewBook {
    /// The line on which the row begins; the header is line 1.
    row: u64,
    /// As it will be stored.
    title: String,
    /// The names of all authors with commas between them.
    author: String,
    /// Words; 0 when they are unknown.
    word_count: i64,
    word_count_source: WordCountSource,
    /// Null when they are unknown.
    #[schema(required)]
    pages: Option<i64>,
    /// The length of an audiobook; null when it is unknown.
    #[schema(required)]
    minutes: Option<i64>,
    /// 13 digits; null when it is unknown.
    #[schema(required)]
    isbn: Option<String>,
    status: BookStatus,
    /// The first day of reading; null when it is unknown.
    #[schema(required)]
    start_date: Option<NaiveDate>,
    /// The completion date, of a rough date the last possible day; null without one.
    #[schema(required)]
    date_completed: Option<NaiveDate>,
    /// The first possible day of a rough completion date; null for an exact one.
    #[schema(required)]
    completed_from: Option<NaiveDate>,
    /// The day on which the book was given up; null for other books.
    #[schema(required)]
    stopped_date: Option<NaiveDate>,
    /// The day since which the book is paused; null for other books.
    #[schema(required)]
    paused_since: Option<NaiveDate>,
    /// 0 to 10, with at most one decimal; null when it is unrated.
    #[schema(required, value_type = Option<f64>)]
    rating: Option<Rating>,
    format: BookFormat,
    /// Whether it was read before.
    reread: bool,
    /// At most 50, without duplicates.
    genres: Vec<String>,
    /// The review or the notes; null without either.
    #[schema(required)]
    impressions: Option<String>,
    /// Quotes that the file has.
    quotes: Vec<String>,
    word_distribution: WordDistribution,
    #[serde(flatten)]
    facts: BookFacts,
}

/// An item of the to-be-read list as read from a file.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PreviewItem {
    /// The line on which the row begins; the header is line 1.
    row: u64,
    /// As it will be stored.
    title: String,
    /// The names of all authors with commas between them; null when they are unknown.
    #[schema(required)]
    author: Option<String>,
    /// Null when they are unknown.
    #[schema(required)]
    word_count: Option<i64>,
    /// Null without notes.
    #[schema(required)]
    notes: Option<String>,
    /// Null when they are unknown.
    #[schema(required)]
    pages: Option<i64>,
    /// 13 digits; null when it is unknown.
    #[schema(required)]
    isbn: Option<String>,
}

/// The preview of a plan. `chosen` are the choices for this file, `remembered` those of earlier ones.
pub fn preview(
    plan: &Plan,
    chosen: &Choices,
    deduped: &Deduped,
    remembered: &Choices,
    outlook: Outlook,
) -> ImportPreview {
    let is_hidden = |day: NaiveDate| outlook.visible_from.is_some_and(|from| day < from);
    let new = || deduped.books.iter().map(|index| &plan.books[*index]);
    let (mut shelves, mut columns) = (plan.shelves.clone(), plan.columns.clone());
    for shelf in &mut shelves {
        shelf.guess = remembered.shelves.get(&shelf_key(&shelf.name)).copied().unwrap_or(shelf.guess);
    }
    // The reader's earlier choice for a column takes precedence over the guess.
    for column in columns.iter_mut().filter(|_| plan.format == "unknown") {
        let name = folded(&column.name);
        if let Some(earlier) = remembered.columns.get(&name).filter(|_| !chosen.columns.contains_key(&name)) {
            column.field = *earlier;
        }
    }
    ImportPreview {
        books: new().take(SHOWN).map(|book| shown_book(plan, book)).collect(),
        tbr: deduped.items.iter().take(SHOWN).map(|index| shown_item(plan, &plan.items[*index])).collect(),
        shelves,
        columns,
        earlier_reads: plan.earlier_reads,
        other_shelves: plan.other_shelves.iter().take(SHOWN_SHELVES).cloned().collect(),
        future_books: new().filter(|book| is_future(&book.draft, outlook.today)).count(),
        hidden_books: new().filter(|book| book.draft.date_completed.is_some_and(is_hidden)).count(),
        series_titles: new()
            .map(|book| book.row)
            .chain(deduped.items.iter().map(|index| plan.items[*index].row))
            .filter(|row| plan.titled.contains(row))
            .count(),
        without_words: new().filter(|book| book.draft.word_count == 0 && book.draft.pages.is_none()).count(),
        date_order: plan.date_order,
        ambiguous_dates: plan.ambiguous_dates.clone(),
        january_firsts: new().map(|book| book.offered.january_firsts).sum(),
        january_1970: new().map(|book| book.offered.january_1970).sum(),
        former_imports: None,
        genre_names: plan.written_genres.clone().into_iter().take(SHOWN_SHELVES).collect(),
        mended_text: plan.is_mended,
        asks: plan.asks.clone(),
    }
}

fn is_future(draft: &BookDraft, today: NaiveDate) -> bool {
    [draft.start_date, draft.completed_from.or(draft.date_completed)].into_iter().flatten().any(|day| day > today)
}

fn shown_book(plan: &Plan, book: &Planned<BookDraft>) -> PreviewBook {
    let draft = book.draft.clone();
    PreviewBook {
        row: plan.rows[book.row].line,
        author: draft.author(),
        title: draft.title,
        word_count: draft.word_count,
        word_count_source: draft.word_count_source,
        pages: draft.pages,
        minutes: draft.minutes,
        isbn: draft.isbn,
        status: draft.status,
        start_date: draft.start_date,
        date_completed: draft.date_completed,
        completed_from: draft.completed_from,
        stopped_date: draft.stopped_date,
        paused_since: draft.paused_since,
        rating: draft.rating,
        format: draft.format,
        reread: draft.reread,
        genres: draft.genres,
        impressions: draft.impressions,
        quotes: draft.quotes.texts().map(str::to_owned).collect(),
        word_distribution: draft.word_distribution,
        facts: draft.facts,
    }
}

fn shown_item(plan: &Plan, item: &Planned<TbrDraft>) -> PreviewItem {
    let draft = item.draft.clone();
    PreviewItem {
        row: plan.rows[item.row].line,
        title: draft.title,
        author: draft.author,
        word_count: draft.word_count,
        notes: draft.notes,
        pages: draft.pages,
        isbn: draft.isbn,
    }
}
