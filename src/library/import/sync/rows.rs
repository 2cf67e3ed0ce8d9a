//! The rows of both files with their readings, and which of them are about the same book.
use std::ops::Range;

use foldhash::HashMap;

use super::merge::{Rank, rank_of};
use super::pairs::Reading;
use crate::library::books::log::LoggedDay;
use crate::library::books::model::BookDraft;
use crate::library::import::edition::{Name, name_of};
use crate::library::import::kept::STARTED_ITEM;
use crate::library::import::plan::Plan;
use crate::library::tbr::model::TbrDraft;

/// A row of a tracker's file.
#[derive(Debug, Clone, Default)]
pub struct FileRow {
    /// The line on which it begins.
    pub line: u64,
    /// A hash that is equal for the same cells.
    pub key: [u8; 16],
    /// The tracker's own key of the book.
    pub own_key: Option<String>,
    /// How many finished readings it counts.
    pub count: usize,
    pub readings: Vec<RowReading>,
}

impl FileRow {
    /// The name of its book.
    pub fn name(&self) -> Name {
        self.readings
            .first()
            .map_or_else(Name::default, |reading| name_of(&reading.draft.title, &reading.draft.author()))
    }

    /// Whether the row's one rating and review are about this reading: the one that was given up, else the newest that is finished;
    /// any reading of a row with neither.
    pub fn is_about(&self, reading: &RowReading) -> bool {
        let of = |rank: Rank| self.readings.iter().filter(move |one| one.rank == rank);
        let newest = of(Rank::GivenUp).next().or_else(|| of(Rank::Finished).max_by_key(|one| one.draft.date_completed));
        newest.is_none_or(|newest| newest.nth == reading.nth)
    }
}

/// What is known of rows of the last files, by their keys in `import_rows`. A stored row never changes.
#[derive(Debug, Default)]
pub struct KnownRows {
    /// The rows as this version imports them.
    pub rows: HashMap<i64, FileRow>,
    /// The rows of the new file that have the same cells in all columns that are read.
    pub alike: HashMap<i64, usize>,
}

impl KnownRows {
    /// A row, if it was read.
    pub fn get(&self, id: i64) -> Option<&FileRow> {
        self.rows.get(&id)
    }

    /// Whether anything is known of a row.
    pub fn has(&self, id: i64) -> bool {
        self.rows.contains_key(&id) || self.alike.contains_key(&id)
    }
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
    pub log: Vec<LoggedDay>,
    /// The index in [`Plan::books`], or in [`Plan::items`] for an item.
    pub at: usize,
}

impl RowReading {
    /// What matters of it for pairing.
    pub fn reading(&self, key: [u8; 16], row: i64, is_here: bool) -> Reading {
        let completed = self.draft.date_completed.map(|last| (self.draft.completed_from.unwrap_or(last), last));
        Reading { key, row, nth: self.nth, rank: self.rank, completed, is_here }
    }

    /// Whether both rows say the same of it.
    pub fn says_the_same(&self, other: &Self) -> bool {
        self.rank == other.rank && self.draft == other.draft && self.item == other.item && self.log == other.log
    }
}

/// Finds the readings of a plan's rows.
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
    pub fn get(&self, row: usize) -> FileRow {
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
        FileRow {
            line: kept.line,
            key: kept.key,
            own_key: kept.own_key.clone(),
            count: finished + kept.counted,
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
