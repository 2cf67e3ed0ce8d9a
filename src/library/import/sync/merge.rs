//! Compares a read of the library with the last file and the new one, field by field (docs/rules.md, "Bringing a library up to date").
use std::collections::BTreeSet;

use chrono::NaiveDate;

use super::fields::{PLAIN, SyncField, are_equal, dates_of, fit_status, has_estimated_words, is_empty, set, value};
use crate::library::books::facts::BookFacts;
use crate::library::books::log::{Length, ReadingDay};
use crate::library::books::model::{BookDraft, BookStatus, estimated_words};
use crate::library::books::rating::Rating;
use crate::library::import::edition::without_series;

/// How far a reading has come. A reading only moves forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// On the to-be-read list.
    Waiting,
    /// In progress, also when it is paused.
    Open,
    /// Given up.
    GivenUp,
    /// Finished, with or without a date.
    Finished,
}

/// The rank of a book's status.
pub fn rank_of(status: BookStatus) -> Rank {
    match status {
        BookStatus::InProgress => Rank::Open,
        BookStatus::DidNotFinish => Rank::GivenUp,
        BookStatus::Completed | BookStatus::Undated => Rank::Finished,
    }
}

/// What a file says of a reading. For an item of the list the draft is the book that it would be.
#[derive(Debug, Clone, Copy)]
pub struct Said<'a> {
    pub rank: Rank,
    pub draft: &'a BookDraft,
    /// Whether the file's one rating and review are about this reading.
    pub has_texts: bool,
}

/// A read of the library.
#[derive(Debug, Clone, Copy)]
pub struct Mine<'a> {
    pub draft: &'a BookDraft,
    /// Whether its reader has never changed it. It then counts as what the last file said.
    pub is_untouched: bool,
    /// Whether a file of this tracker made it. In a book that was here before, what is empty counts as what the last file said.
    pub is_made: bool,
    /// The newest read of the same row of the last file: earlier versions gave its rating and texts to all reads of the row. None of an
    /// item of the list, which they read as today.
    pub newest: Option<&'a BookDraft>,
    /// The fields in which the reader takes what the new file says.
    pub take: &'a BTreeSet<SyncField>,
}

/// What becomes of a read.
#[derive(Debug, Clone, Default)]
pub struct Merged {
    /// The read with what is taken over.
    pub draft: BookDraft,
    /// The fields that are taken over.
    pub changed: Vec<SyncField>,
    /// The fields that stay as they are here although both sides changed them.
    pub conflicts: Vec<SyncField>,
    /// Whether the reading has moved forward.
    pub is_moved: bool,
    /// Whether the reader takes a status that the read can't go back to: a further read, or an item of the list.
    pub starts_again: bool,
}

/// Compares one read. `base` is what the last file said of it, `theirs` what the new one says.
pub fn merge(base: Said<'_>, mine: Mine<'_>, theirs: Said<'_>) -> Merged {
    let mut merged = Merged { draft: mine.draft.clone(), ..Merged::default() };
    let goes_back = merged.status(base, mine, theirs);
    for field in PLAIN {
        // A rating belongs to a read that is over, and texts to the read that the file is about.
        let is_of_read = matches!(field, SyncField::Rating | SyncField::Impressions | SyncField::Quotes);
        let has_no_rating = theirs.rank <= Rank::Open || merged.draft.status == BookStatus::InProgress;
        let is_unsaid = goes_back || !theirs.has_texts || field == SyncField::Rating && has_no_rating;
        if is_of_read && is_unsaid || field == SyncField::Reread && goes_back {
            continue;
        }
        merged.field(field, base.draft, mine, theirs.draft);
    }
    merged.estimate(theirs.draft);
    fit_status(&mut merged.draft);
    merged
}

/// Compares these fields alone.
pub fn merge_fields(fields: &[SyncField], base: &BookDraft, mine: Mine<'_>, theirs: &BookDraft) -> Merged {
    let mut merged = Merged { draft: mine.draft.clone(), ..Merged::default() };
    fields.iter().for_each(|field| merged.field(*field, base, mine, theirs));
    merged
}

/// What a row fills in where a book is empty: the comparison of one field, as if no file had said anything of it before.
pub fn fill_in(field: SyncField, now: &BookDraft, row: &BookDraft) -> Merged {
    static NONE: BTreeSet<SyncField> = BTreeSet::new();
    let mine = Mine { draft: now, is_untouched: false, is_made: true, newest: None, take: &NONE };
    merge_fields(&[field], &BookDraft::default(), mine, row)
}

impl Merged {
    /// Works out the words from another length where nobody says them.
    fn estimate(&mut self, theirs: &BookDraft) {
        let draft = &mut self.draft;
        let is_longer = [SyncField::Pages, SyncField::Minutes].iter().any(|field| self.changed.contains(field));
        if is_longer && theirs.word_count == 0 && has_estimated_words(draft) {
            let words = estimated_words(draft.format, draft.pages, draft.minutes);
            (draft.word_count, draft.word_count_source) = words.unwrap_or_default();
        }
    }

    /// Compares status and dates. Returns whether the new file says less than the library or the last file.
    fn status(&mut self, base: Said<'_>, mine: Mine<'_>, theirs: Said<'_>) -> bool {
        let here = rank_of(mine.draft.status);
        if theirs.rank == base.rank {
            if here == theirs.rank {
                for field in dates_of(theirs.draft.status) {
                    self.field(*field, base.draft, mine, theirs.draft);
                }
            }
            return here > theirs.rank;
        }
        // A read whose status is not that of the last file was changed by its reader.
        let mine = Mine { is_untouched: mine.is_untouched && here == base.rank, ..mine };
        if theirs.rank > here {
            if theirs.rank > base.rank {
                self.move_to(theirs.draft);
                self.said_field(SyncField::StartDate, base.draft, mine, theirs.draft);
            }
            return false;
        }
        if theirs.rank == here {
            // Both sides have the same new status, for which the last file has no dates but the start.
            let unknown = BookDraft { start_date: base.draft.start_date, ..BookDraft::default() };
            for field in dates_of(theirs.draft.status) {
                self.said_field(*field, &unknown, mine, theirs.draft);
            }
            return false;
        }
        // The row waits to be read in the file, and its book is read in the library: that is not a conflict.
        let is_kept = here == Rank::Finished && theirs.rank == Rank::Waiting;
        if is_kept {
            return true;
        }
        if !mine.take.contains(&SyncField::Status) {
            self.conflicts.push(SyncField::Status);
        } else if here == Rank::GivenUp && theirs.rank == Rank::Open {
            self.draft.status = BookStatus::InProgress;
            self.draft.paused_since = theirs.draft.paused_since;
            self.changed.push(SyncField::Status);
        } else {
            self.starts_again = true;
        }
        true
    }

    /// Moves the reading forward, with the dates of its end that the new file says.
    fn move_to(&mut self, theirs: &BookDraft) {
        let draft = &mut self.draft;
        draft.status = theirs.status;
        (draft.date_completed, draft.completed_from) = (theirs.date_completed, theirs.completed_from);
        (draft.stopped_date, draft.paused_since) = (theirs.stopped_date, theirs.paused_since);
        self.changed.push(SyncField::Status);
        self.is_moved = true;
    }

    /// Compares one field, unless the new file says nothing of it.
    fn said_field(&mut self, field: SyncField, base: &BookDraft, mine: Mine<'_>, theirs: &BookDraft) {
        if !value(field, theirs).is_null() {
            self.field(field, base, mine, theirs);
        }
    }

    /// Compares one field.
    fn field(&mut self, field: SyncField, base: &BookDraft, mine: Mine<'_>, theirs: &BookDraft) {
        let here = mine.draft;
        if are_equal(field, base, theirs) || are_equal(field, here, theirs) {
            return;
        }
        // Words that are computed are not in the file. They change with the pages and the length.
        if field == SyncField::WordCount && has_estimated_words(theirs) {
            let lengths = [SyncField::Pages, SyncField::Minutes];
            if has_estimated_words(here) && lengths.iter().any(|field| self.changed.contains(field)) {
                set(field, &mut self.draft, theirs);
            }
            return;
        }
        let is_base = mine.is_untouched
            || (!mine.is_made && is_empty(field, here))
            || are_equal(field, here, base)
            || mine.newest.is_some_and(|newest| is_former(field, base, here, newest));
        if is_base || mine.take.contains(&field) {
            set(field, &mut self.draft, theirs);
            self.changed.push(field);
        } else if field != SyncField::Reread {
            self.conflicts.push(field);
        }
    }
}

/// The days of a log that the new file changes: days that the library has as the last file had them, and that differ in the new file. The
/// place is that of the page in a book of this length.
pub fn changed_days(
    base: &[ReadingDay],
    mine: &[ReadingDay],
    theirs: &[ReadingDay],
    length: Length,
) -> Vec<ReadingDay> {
    // The place depends on the pages of the book, which may differ here.
    let said = |log: &[ReadingDay], day: NaiveDate| {
        let one = log.iter().find(|one| one.day == day)?;
        Some((one.page.ok_or(one.at), one.minutes, one.note.clone()))
    };
    let theirs = theirs.iter().filter(|new| {
        let here = said(mine, new.day);
        here == said(base, new.day) && here != said(theirs, new.day)
    });
    let placed = |new: &ReadingDay| ReadingDay { at: new.place_in(length).or(new.at), ..new.clone() };
    theirs.map(placed).collect()
}

/// Whether a value is what version 0.1.0 made of the last file's row. It rounded ratings, gave rating and texts to every read of a row,
/// left the series in titles, and read nothing of the edition.
fn is_former(field: SyncField, base: &BookDraft, here: &BookDraft, newest: &BookDraft) -> bool {
    match field {
        SyncField::Rating => {
            let is_one = |rating: Option<Rating>| here.rating == rating || here.rating == rating.map(Rating::rounded);
            here.rating.is_some() && (is_one(base.rating) || (base.rating.is_none() && is_one(newest.rating)))
        }
        SyncField::Impressions => base.impressions.is_none() && here.impressions == newest.impressions,
        SyncField::Quotes => base.quotes.is_empty() && here.quotes == newest.quotes,
        SyncField::Title => without_series(&here.title) == base.title,
        SyncField::Contributors
        | SyncField::Series
        | SyncField::Tags
        | SyncField::Publisher
        | SyncField::Published
        | SyncField::OriginalYear
        | SyncField::Language => {
            BookFacts { private: false, ..here.facts.clone() } == BookFacts::default() && facts_of(base) > 1
        }
        _ => false,
    }
}

/// How many facts of an edition a row says.
fn facts_of(draft: &BookDraft) -> usize {
    let facts = &draft.facts;
    [
        !facts.contributors.is_empty(),
        facts.series.is_some(),
        !facts.tags.is_empty(),
        facts.publisher.is_some(),
        facts.published.is_some(),
        facts.original_year.is_some(),
        facts.language.is_some(),
    ]
    .into_iter()
    .filter(|is_said| *is_said)
    .count()
}
