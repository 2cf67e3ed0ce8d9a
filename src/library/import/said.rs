//! What a file says about a book, one row of it: the normalised drafts of its readings or of its item of the list. An import stores this
//! for each row that it takes, or that a book or an item equals which is here already, so that a newer file can be compared with what was
//! said then.
pub mod former;
pub mod store;

use std::ops::Range;

use chrono::NaiveDate;
use foldhash::HashMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::edition::{Name, name_of};
use super::plan::Plan;
use super::sync::{Rank, Reading, rank_of};
use crate::kit::error::Result;
use crate::library::books::log::{self, ReadingDay};
use crate::library::books::model::BookDraft;
use crate::library::tbr::model::TbrDraft;

/// The number of the reading of an item of the list, and of a book that it has become.
pub const STARTED_ITEM: i64 = -1;

/// A row of a file.
#[derive(Debug, Clone, Default)]
pub struct SaidRow {
    /// The line on which it begins.
    pub line: u64,
    /// A hash that is equal for the same cells.
    pub key: [u8; 16],
    /// The tracker's own key of the book.
    pub own_key: Option<String>,
    /// How many finished readings it counts.
    pub count: usize,
    /// The hours or discs in the place of an audiobook's pages.
    pub audio_pages: Option<i64>,
    pub readings: Vec<RowReading>,
}

/// A reading of a row, or its item of the list.
#[derive(Debug, Clone)]
pub struct RowReading {
    /// Which reading of the row; [`STARTED_ITEM`] for an item of the list.
    pub nth: i64,
    pub rank: Rank,
    /// The book; that of an item is the one that it would be.
    pub draft: BookDraft,
    pub item: Option<TbrDraft>,
    pub log: Vec<ReadingDay>,
    /// The index in [`Plan::books`], or in [`Plan::items`] for an item.
    pub at: usize,
}

/// A row as it is stored. Of the readings after the first only what differs from it is kept, because most is equal in all of them.
#[derive(Serialize, Deserialize)]
struct StoredRow {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    own_key: Option<String>,
    #[serde(default)]
    count: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    audio_pages: Option<i64>,
    #[serde(default)]
    readings: Vec<StoredReading>,
}

#[derive(Serialize, Deserialize)]
struct StoredReading {
    nth: i64,
    draft: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    item: Option<Map<String, Value>>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    log: String,
}

impl SaidRow {
    /// The row as JSON.
    pub fn stored(&self) -> Result<String> {
        let mut first: Option<Map<String, Value>> = None;
        let reading = |reading: &RowReading| {
            let draft = filled(&reading.draft)?;
            let draft = match &first {
                None => first.insert(draft).clone(),
                Some(first) => difference(first, draft),
            };
            let item = reading.item.as_ref().map(filled).transpose()?;
            Ok(StoredReading { nth: reading.nth, draft, item, log: log::listed(&reading.log)? })
        };
        let readings = self.readings.iter().map(reading).collect::<Result<_>>()?;
        let (own_key, count, audio_pages) = (self.own_key.clone(), self.count, self.audio_pages);
        Ok(serde_json::to_string(&StoredRow { own_key, count, audio_pages, readings })?)
    }

    /// Reads [`stored`](Self::stored).
    pub fn parse(stored: &str) -> Result<Self> {
        let StoredRow { own_key, count, audio_pages, readings } = serde_json::from_str(stored)?;
        let mut first: Option<Map<String, Value>> = None;
        let reading = |stored: StoredReading| {
            let draft = match &first {
                None => first.insert(stored.draft).clone(),
                Some(first) => first.clone().into_iter().chain(stored.draft).collect(),
            };
            let draft: BookDraft = read(draft)?;
            let item: Option<TbrDraft> = stored.item.map(read).transpose()?;
            let rank = if item.is_some() { Rank::Waiting } else { rank_of(draft.status) };
            let log = log::read_list(&stored.log).unwrap_or_default();
            Ok(RowReading { nth: stored.nth, rank, draft, item, log, at: 0 })
        };
        let readings = readings.into_iter().map(reading).collect::<Result<_>>()?;
        Ok(Self { own_key, count, audio_pages, readings, ..Self::default() })
    }

    /// The name of its book.
    pub fn name(&self) -> Name {
        self.readings
            .first()
            .map_or_else(Name::default, |reading| name_of(&reading.draft.title, &reading.draft.author()))
    }

    /// The draft of a reading. For [`STARTED_ITEM`] it is the book that the item would be.
    pub fn draft(&self, nth: i64) -> Option<&BookDraft> {
        self.readings.iter().find(|reading| reading.nth == nth).map(|reading| &reading.draft)
    }

    /// The days of the log of a reading.
    pub fn log(&self, nth: i64) -> &[ReadingDay] {
        self.readings.iter().find(|reading| reading.nth == nth).map_or(&[], |reading| &reading.log)
    }

    /// Any draft of the row: for what is equal in all of them, such as the edition.
    pub fn any_draft(&self) -> Option<&BookDraft> {
        let is_item = |reading: &&RowReading| reading.item.is_some();
        self.readings.iter().find(|reading| !is_item(reading)).or(self.readings.first()).map(|reading| &reading.draft)
    }

    /// Whether the row's one rating and review are about this reading: the one that was given up, else the newest that is finished;
    /// any reading of a row with neither.
    pub fn is_about(&self, reading: &RowReading) -> bool {
        let of = |rank: Rank| self.readings.iter().filter(move |one| one.rank == rank);
        let newest = of(Rank::GivenUp).next().or_else(|| of(Rank::Finished).max_by_key(|one| one.draft.date_completed));
        newest.is_none_or(|newest| newest.nth == reading.nth)
    }
}

/// What a draft has, without what is empty.
fn filled(draft: &impl Serialize) -> Result<Map<String, Value>> {
    let Value::Object(mut values) = serde_json::to_value(draft)? else { return Ok(Map::new()) };
    values.retain(|_, value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(list) => !list.is_empty(),
        Value::Object(facts) => {
            facts.retain(|_, fact| !fact.is_null());
            true
        }
        _ => true,
    });
    Ok(values)
}

/// What a draft has otherwise than the first one of its row; null for what only the first one has.
fn difference(first: &Map<String, Value>, mut draft: Map<String, Value>) -> Map<String, Value> {
    let missing: Vec<_> = first.keys().filter(|key| !draft.contains_key(*key)).cloned().collect();
    draft.retain(|key, value| first.get(key) != Some(value));
    draft.extend(missing.into_iter().map(|key| (key, Value::Null)));
    draft
}

fn read<T: for<'de> Deserialize<'de>>(mut values: Map<String, Value>) -> Result<T> {
    values.retain(|_, value| !value.is_null());
    Ok(serde_json::from_value(Value::Object(values))?)
}

impl RowReading {
    /// What matters of it for pairing.
    pub fn reading(&self, key: [u8; 16], row: i64, is_here: bool) -> Reading {
        let completed = self.draft.date_completed.map(|last| (self.draft.completed_from.unwrap_or(last), last));
        Reading { key, row, nth: self.nth, rank: self.rank, completed, is_here }
    }

    /// Whether both rows say the same of it. Of a pause only its existence counts, because its day is often only that of the import.
    pub fn says_the_same(&self, other: &Self) -> bool {
        let plain = |draft: &BookDraft| {
            let paused_since = draft.paused_since.map(|_| NaiveDate::MIN);
            BookDraft { paused_since, ..draft.clone() }
        };
        self.rank == other.rank
            && plain(&self.draft) == plain(&other.draft)
            && self.item == other.item
            && self.log == other.log
    }
}

/// Finds what the rows of a plan say.
#[derive(Debug)]
pub struct Rows<'p> {
    plan: &'p Plan,
    items: HashMap<usize, usize>,
}

impl<'p> Rows<'p> {
    /// The rows of a plan.
    pub fn of(plan: &'p Plan) -> Self {
        let items = plan.items.iter().enumerate().map(|(at, item)| (item.row, at)).collect();
        Self { plan, items }
    }

    /// The plan.
    pub fn plan(&self) -> &'p Plan {
        self.plan
    }

    /// The books of a row: indices of the plan's books, which are in the order of their rows.
    fn books(&self, row: usize) -> Range<usize> {
        let books = &self.plan.books;
        let start = books.partition_point(|book| book.row < row);
        start..start + books[start..].iter().take_while(|book| book.row == row).count()
    }

    /// A row with its readings.
    pub fn get(&self, row: usize) -> SaidRow {
        let kept = &self.plan.rows[row];
        let mut readings: Vec<RowReading> = Vec::new();
        if let Some(at) = self.items.get(&row) {
            let item = &self.plan.items[*at].draft;
            let draft = self.plan.waiting.get(&row).cloned().unwrap_or_else(|| as_book(item));
            let item = Some(item.clone());
            readings.push(RowReading { nth: STARTED_ITEM, rank: Rank::Waiting, draft, item, log: Vec::new(), at: *at });
        }
        for at in self.books(row) {
            let book = &self.plan.books[at];
            readings.push(RowReading {
                nth: i64::from(book.nth),
                rank: rank_of(book.draft.status),
                draft: book.draft.clone(),
                item: None,
                log: book.log.clone(),
                at,
            });
        }
        let finished = readings.iter().filter(|reading| reading.rank == Rank::Finished).count();
        SaidRow {
            line: kept.line,
            key: kept.key,
            own_key: kept.own_key.clone(),
            count: finished + kept.counted,
            audio_pages: self.plan.audio_pages.get(&row).copied(),
            readings,
        }
    }

    /// The name of a row's book.
    pub fn name(&self, row: usize) -> Name {
        if let Some(at) = self.books(row).next() {
            let draft = &self.plan.books[at].draft;
            return name_of(&draft.title, &draft.author());
        }
        match self.items.get(&row).map(|at| &self.plan.items[*at].draft) {
            Some(item) => name_of(&item.title, item.author.as_deref().unwrap_or_default()),
            None => Name::default(),
        }
    }
}

/// An item of the list as a book, for what both have.
pub fn as_book(item: &TbrDraft) -> BookDraft {
    let mut draft = BookDraft {
        title: item.title.clone(),
        authors: item.author.iter().cloned().collect(),
        word_count: item.word_count.unwrap_or(0),
        word_count_source: item.word_count_source.unwrap_or_default(),
        pages: item.pages,
        isbn: item.isbn.clone(),
        format: item.format.unwrap_or_default(),
        impressions: item.notes.clone(),
        ..BookDraft::default()
    };
    draft.facts.tags.clone_from(&item.tags);
    draft
}

#[cfg(test)]
mod tests {
    use super::super::plan::{Options, plan};
    use super::*;

    #[test]
    fn a_row_is_stored_and_read_again() {
        let file = "Book Id,Title,Author,ISBN13,My Rating,Number of Pages,Date Read,Bookshelves,Exclusive Shelf,My Review,Read Count,\
            read_dates,genres\n\
            1,\"Dune (Dune, #1)\",F H,9780441013593,4,412,2024/01/02,owned,read,Good,3,\"2020-01-01,2020-02-02;2024-01-01,2024-01-02\",SF|1\n\
            2,Emma,J A,,0,100,2020/01/02,to-read,to-read,,0,,\n\
            3,Momo,M E,,0,,,currently-reading,currently-reading,,0,,\n";
        let plan = plan(file.as_bytes(), &Options::default()).unwrap();
        let rows = Rows::of(&plan);
        for (row, readings) in [2, 2, 1].into_iter().enumerate() {
            let said = rows.get(row);
            let stored = said.stored().unwrap();
            let again = SaidRow::parse(&stored).unwrap();
            assert_eq!((again.readings.len(), again.count, &again.own_key), (readings, said.count, &said.own_key));
            for (one, other) in said.readings.iter().zip(&again.readings) {
                assert!(one.says_the_same(other), "{stored}");
                assert_eq!((one.nth, said.is_about(one)), (other.nth, again.is_about(other)));
            }
            assert_eq!(again.stored().unwrap(), stored);
        }
        let stored = rows.get(0).stored().unwrap();
        assert_eq!(stored.matches("9780441013593").count(), 1, "what is equal in all readings is stored once");
    }
}
