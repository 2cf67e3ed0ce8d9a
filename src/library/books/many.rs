//! Changes many books at once, as one operation (docs/rules.md, "Many books at once").
use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde_json::Value;

use super::facts::{Series, each_tag};
use super::list_change::ListChange;
use super::model::{BookDraft, BookFormat, BookId, BookStatus};
use super::page_counts::PageCounts;
use super::payload::BookFields;
use super::store;
use super::store::word_counts::{GivenWords, give_pages, give_words};
use crate::kit::Result;
use crate::kit::db::pool::{Tx, owned};
use crate::kit::http::patch_field::PatchField;
use crate::kit::id::UserId;
use crate::kit::named::named;
use crate::library::operations::model::{OperationId, OperationKind};
use crate::library::operations::store::images::{Image, difference, images_without_texts, write};
use crate::library::operations::store::{self as operations, logs, returned};
use crate::library::{counters, text};

/// The most books that one change takes.
pub const MOST_BOOKS: usize = 100_000;

/// How many books are compared with what they were before at a time.
const COMPARED_AT_ONCE: usize = 1_000;

named! {
    /// What becomes of reads in progress.
    OpenReadStatus {
        /// They go back to the to-be-read list.
        Tbr = "tbr",
        /// They are given up, on an unknown day.
        DidNotFinish = "did-not-finish",
    }
}

/// What becomes of the books.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// Genres that they get and lose.
    pub genres: Option<ListChange>,
    /// Tags that they get and lose.
    pub tags: Option<ListChange>,
    pub format: Option<BookFormat>,
    /// Their language; `Some(None)` for none.
    pub language: Option<Option<String>>,
    /// The name of their series; `Some(None)` for none. They keep their numbers.
    pub series: Option<Option<String>>,
    /// Whether nobody else sees them.
    pub private: Option<bool>,
    /// Word counts for those without one.
    pub words: Option<GivenWords>,
    /// What becomes of those in progress.
    pub status: Option<OpenReadStatus>,
}

/// The books of a change, in the order of their ids.
#[derive(Debug, Default)]
pub struct Matched {
    /// All of them.
    pub books: Vec<BookId>,
    /// Those in progress.
    pub open: Vec<BookId>,
    /// Those without a word count.
    pub wordless: Vec<BookId>,
}

/// How many books a change has changed.
#[derive(Debug, Default)]
pub struct Changed {
    /// Those that differ otherwise than by their word count.
    pub books: usize,
    /// Those that got a word count.
    pub words: usize,
}

/// Changes books. `pages` are known of some of those without a word count, in the order of their ids.
///
/// # Errors
/// A sentence for too many genres or tags; nothing is changed then. Those of [`store::get`].
pub fn change(
    tx: &Tx<'_>,
    owner: UserId,
    today: NaiveDate,
    matched: &Matched,
    (change, pages): (&Change, &PageCounts),
) -> Result<Changed> {
    let operation = operations::begin(tx, owner, OperationKind::Change, "", None)?;
    let returning = &match (change.status, change.private) {
        (Some(OpenReadStatus::Tbr), Some(false)) => matched.open.clone(),
        (Some(OpenReadStatus::Tbr), None) => returned::without_private(tx, owner, &matched.open)?,
        _ => Vec::new(),
    };
    let mut sentences = Vec::new();
    let mut changed = match change.format {
        Some(format) => {
            let timed = with_length(tx, owner, &matched.books, returning, format)?;
            let payload = || BookFields { format: PatchField::Value(format), ..BookFields::default() };
            change_each(tx, owner, today, operation, (&timed, &payload))?;
            timed.into_iter().collect()
        }
        None => BTreeSet::new(),
    };
    changed.extend(write_columns(tx, owner, operation, (&matched.books, returning), change)?);
    sentences.extend(change.sentence(changed.len()));
    let counted = match change.words {
        Some(given) => write_words(tx, owner, operation, (&matched.wordless, pages), given)?,
        None => 0,
    };
    sentences.extend((counted > 0).then(|| format!("Gave {} a word count.", books(counted))));
    match change.status {
        Some(OpenReadStatus::Tbr) => {
            let moved = returned::put_back(tx, owner, operation, returning, |draft| change.of_item(draft))?;
            sentences.extend((moved > 0).then(|| format!("Moved {} back to the to-be-read list.", books(moved))));
            changed.extend(returning);
        }
        Some(OpenReadStatus::DidNotFinish) => {
            let given_up =
                || BookFields { status: PatchField::Value(BookStatus::DidNotFinish), ..BookFields::default() };
            change_each(tx, owner, today, operation, (&matched.open, &given_up))?;
            let given_up = matched.open.len();
            sentences.extend((given_up > 0).then(|| format!("Marked {} as not finished.", books(given_up))));
            changed.extend(&matched.open);
        }
        None => {}
    }
    if sentences.is_empty() {
        tx.prepare_cached("DELETE FROM operations WHERE id = ?1")?.execute([operation])?;
    } else {
        let kind = if changed.is_empty() { OperationKind::FillIn } else { OperationKind::Change };
        operations::describe(tx, operation, kind, &sentences.join(" "))?;
        operations::trim(tx, owner, operation)?;
        counters::changed(tx, owner)?;
    }
    Ok(Changed { books: changed.len(), words: counted })
}

/// `1 book`, `12 books`.
fn books(count: usize) -> String {
    if count == 1 { "1 book".to_owned() } else { format!("{} books", text::grouped(count as u64)) }
}

/// The columns with texts that a change writes, in this order.
const COLUMNS: [&str; 6] = ["genres", "tags", "format", "language", "series", "series_number"];

impl Change {
    /// Whether there is nothing to do.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Whether all reads of a work change, because what changes belongs to the book.
    fn is_of_work(&self) -> bool {
        self.tags.is_some() || self.series.is_some() || self.private.is_some()
    }

    /// The new values of a book by column. `is_matched` is false for another read of a book that the filter has found.
    fn of_book(&self, now: &Image, is_matched: bool) -> Result<Vec<(&'static str, Value)>> {
        let text = |column: &str| now.get(column).and_then(Value::as_str).unwrap_or_default();
        let mut values = Vec::new();
        if let Some(tags) = &self.tags {
            values.extend(tags.apply(text("tags"))?.map(|tags| ("tags", tags.into())));
        }
        if let Some(series) = &self.series {
            values.push(("series", series.clone().into()));
            if series.is_none() {
                values.push(("series_number", Value::Null));
            }
        }
        values.extend(self.private.map(|private| ("private", i64::from(private).into())));
        if is_matched {
            if let Some(genres) = &self.genres {
                values.extend(genres.apply(text("genres"))?.map(|genres| ("genres", genres.into())));
            }
            values.extend(self.format.map(|format| ("format", format.name().into())));
            values.extend(self.language.as_ref().map(|language| ("language", language.clone().into())));
        }
        values.retain(|(column, value)| now.get(*column) != Some(value));
        Ok(values)
    }

    /// What an item of the list gets, whose read was one of the books.
    fn of_item(&self, draft: &mut BookDraft) -> Result<()> {
        if let Some(tags) = &self.tags
            && let Some(joined) = tags.apply(&draft.facts.tags.join(","))?
        {
            draft.facts.tags = each_tag(&joined).map(str::to_owned).collect();
        }
        if let Some(series) = &self.series {
            let number = draft.facts.series.take().and_then(|series| series.number);
            draft.facts.series = series.clone().map(|name| Series { name, number });
        }
        draft.format = self.format.unwrap_or(draft.format);
        Ok(())
    }

    /// `Changed the genres and the format of 12 books.`
    fn sentence(&self, count: usize) -> Option<String> {
        let parts = [
            self.genres.is_some().then_some("the genres"),
            self.tags.is_some().then_some("the tags"),
            self.format.is_some().then_some("the format"),
            self.language.is_some().then_some("the language"),
            self.series.is_some().then_some("the series"),
            self.private.is_some().then_some("the privacy"),
        ];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        let (last, others) = parts.split_last()?;
        let fields = if others.is_empty() { (*last).to_owned() } else { format!("{} and {last}", others.join(", ")) };
        (count > 0).then(|| format!("Changed {fields} of {}.", books(count)))
    }
}

/// Writes genres, tags, format, language, series and privacy, also into the other reads of the books where these belong to all reads. Those that
/// go back to the list are left out. Returns the books that differ now.
fn write_columns(
    tx: &Tx<'_>,
    owner: UserId,
    operation: OperationId,
    (matched, returning): (&[BookId], &[BookId]),
    change: &Change,
) -> Result<BTreeSet<BookId>> {
    let mut ids: BTreeMap<BookId, bool> = BTreeMap::new();
    if change.is_of_work() {
        ids.extend(reads_of_same_works(tx, owner, matched)?.into_iter().map(|id| (id, false)));
    }
    ids.extend(matched.iter().map(|id| (*id, true)));
    ids.retain(|id, _| returning.binary_search(id).is_err());
    let sql = format!("SELECT {}, changes, updated_at, private FROM books WHERE id = ?1", COLUMNS.join(", "));
    let mut query = tx.prepare_cached(&sql)?;
    let mut changed = BTreeSet::new();
    for (id, is_matched) in ids {
        let before = query.query_row([id], |row| {
            let text = |(at, column): (usize, &&str)| {
                Ok(((*column).to_owned(), Value::from(row.get::<_, Option<String>>(at)?)))
            };
            let mut image = COLUMNS.iter().enumerate().map(text).collect::<rusqlite::Result<Image>>()?;
            image.insert("changes".to_owned(), row.get::<_, i64>(COLUMNS.len())?.into());
            image.insert("updated_at".to_owned(), row.get::<_, String>(COLUMNS.len() + 1)?.into());
            image.insert("private".to_owned(), row.get::<_, i64>(COLUMNS.len() + 2)?.into());
            Ok(image)
        })?;
        let values = change.of_book(&before, is_matched)?;
        if values.is_empty() {
            continue;
        }
        let mut after = before.clone();
        after.extend(values.into_iter().map(|(column, value)| (column.to_owned(), value)));
        let changes = before.get("changes").and_then(Value::as_i64).unwrap_or_default();
        after.insert("changes".to_owned(), (changes + 1).into());
        after.insert("updated_at".to_owned(), tx.stamp().to_string().into());
        write(tx, owner, id, &after)?;
        operations::note_difference(tx, owner, operation, id, &difference(&before, &after))?;
        changed.insert(id);
    }
    Ok(changed)
}

/// All reads of the works of these reads, which are in the order of their ids.
fn reads_of_same_works(tx: &Tx<'_>, owner: UserId, reads: &[BookId]) -> Result<Vec<BookId>> {
    let (first, last) = owned(owner);
    let mut query = tx.prepare_cached("SELECT id, work FROM books WHERE id BETWEEN ?1 AND ?2")?;
    let all = query.query_map([first, last], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let all = all.collect::<rusqlite::Result<Vec<(BookId, BookId)>>>()?;
    let works: BTreeSet<BookId> =
        all.iter().filter(|(id, _)| reads.binary_search(id).is_ok()).map(|(_, work)| *work).collect();
    Ok(all.into_iter().filter(|(_, work)| works.contains(work)).map(|(id, _)| id).collect())
}

/// Gives books that have no word count one. Returns how many got one.
fn write_words(
    tx: &Tx<'_>,
    owner: UserId,
    operation: OperationId,
    (books, pages): (&[BookId], &PageCounts),
    given: GivenWords,
) -> Result<usize> {
    let mut counted = 0;
    for books in books.chunks(COMPARED_AT_ONCE) {
        let before = images_without_texts(tx, owner, books.iter().copied())?;
        // A book that has changed meanwhile may not match any more.
        let known = pages.iter().filter(|(id, _)| books.binary_search(id).is_ok());
        let paged = give_pages(tx, owner, known)?;
        counted += give_words(tx, owner, &paged, GivenWords { from_pages: true, words: None })?;
        counted += give_words(tx, owner, books, given)?;
        operations::note_changed(tx, owner, operation, &before)?;
        paged.into_iter().try_for_each(|book| logs::repaginate(tx, owner, operation, book))?;
    }
    Ok(counted)
}

/// The books with a length that get another format, on which their estimated words depend.
fn with_length(
    tx: &Tx<'_>,
    owner: UserId,
    matched: &[BookId],
    returning: &[BookId],
    format: BookFormat,
) -> Result<Vec<BookId>> {
    let (first, last) = owned(owner);
    let sql = "SELECT id FROM books WHERE user_id = ?1 AND minutes IS NOT NULL AND format <> ?2 AND id BETWEEN ?3 AND ?4 ORDER BY id";
    let mut query = tx.prepare_cached(sql)?;
    let ids = query.query_map((owner, format, first, last), |row| row.get(0))?;
    let mut ids = ids.collect::<rusqlite::Result<Vec<BookId>>>()?;
    ids.retain(|id| matched.binary_search(id).is_ok() && returning.binary_search(id).is_err());
    Ok(ids)
}

/// Changes reads one by one, with what follows from a change of each.
fn change_each(
    tx: &Tx<'_>,
    owner: UserId,
    today: NaiveDate,
    operation: OperationId,
    (reads, payload): (&[BookId], &dyn Fn() -> BookFields),
) -> Result<()> {
    for reads in reads.chunks(COMPARED_AT_ONCE) {
        let before = images_without_texts(tx, owner, reads.iter().copied())?;
        for id in reads {
            let book = store::get(tx, owner, *id)?;
            let (draft, _) = payload().into_changed(&book)?;
            super::change::change(tx, owner, &book, &draft, today)?;
        }
        operations::note_changed(tx, owner, operation, &before)?;
    }
    Ok(())
}
