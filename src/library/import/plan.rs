//! Decides what to create from a file: books, items of the to-be-read list, and the rows that are left out or rejected.
mod drafts;
mod options;
mod problems;
mod questions;
mod waiting;

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::mem::take;
use std::ops::Range;

use self::drafts::Words;
pub use self::options::{
    AudioPages, FormerPlaces, ImportQuestion, January1970, JanuaryFirsts, Kind, NameOrder, Options, StatusAnswer,
};
use self::problems::{first_of, left_empty, too_many_reads};
use self::questions::Answers;
use super::columns::{Field, folds_to};
use super::progress::ImportPhase;
use super::reader::{Quotes, Sheet, SheetRow, Unreadable};
use super::row::{Cells, Destination, Problem, ReadRow, Shelf, key_of};
use crate::kit::FieldErrors;
use crate::library::books::log::ReadingDay;
use crate::library::books::model::{BookDraft, BookStatus, is_hours_or_discs};
use crate::library::import::edition;
use crate::library::import::escaping;
use crate::library::import::genres::{is_genre, written};
use crate::library::import::inspect::{Inspection, PreviewColumn, PreviewShelf};
use crate::library::import::map_row;
use crate::library::import::shelves::{place_of, shelf_key};
use crate::library::import::unpacking::unpacked;
use crate::library::import::values::{DateOrder, Notation, PreviewDates};
use crate::library::tbr::model::TbrDraft;
use crate::library::text::fold_case;

/// A row of the file that created something or was rejected.
#[derive(Clone, Debug)]
pub struct KeptRow {
    /// The line on which it begins.
    pub line: u64,
    /// The range of its text in [`Plan::text`].
    pub raw: Range<usize>,
    /// A hash that is equal for the same cells under the same column names, in any order of columns.
    pub key: [u8; 16],
    /// The tracker's own key of the book, if there is one.
    pub own_key: Option<String>,
    /// How many readings have only a count and no book here.
    pub counted: usize,
}

/// What a row is about that is rejected or left out, as far as it can be read.
#[derive(Clone, Debug)]
pub struct About {
    pub own_key: Option<String>,
    pub title: String,
    pub author: String,
}

/// How many dates of an entry its reader may want to read differently, whether or not they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Offered {
    /// Completions on a January 1: see [`Options::january_firsts`].
    pub january_firsts: usize,
    /// Completions in January 1970: see [`Options::january_1970`].
    pub january_1970: usize,
}

/// An entry to be created.
#[derive(Clone, Debug)]
pub struct Planned<T> {
    /// The index of its row in [`Plan::rows`].
    pub row: usize,
    /// Which reading of its row it is.
    pub nth: u16,
    /// Whether its word count was computed from the pages or the length.
    pub estimated: bool,
    /// The number of its work in one of our own files.
    pub work: Option<i64>,
    /// The days on which it was read.
    pub log: Vec<ReadingDay>,
    /// The dates that can be read differently.
    pub offered: Offered,
    pub draft: T,
}

/// A row that is left out on purpose.
#[derive(Clone, Debug)]
pub struct LeftOut {
    pub line: u64,
    pub raw: Range<usize>,
}

/// A rejected row and the reason.
#[derive(Clone, Debug)]
pub struct Rejected {
    pub line: u64,
    pub raw: Range<usize>,
    pub problem: Problem,
}

/// A cell that is left empty because it can't be read, or a read that is left out because of one. The rest of its row is imported.
#[derive(Clone, Debug)]
pub struct Note {
    /// The index of its row in [`Plan::rows`].
    pub row: usize,
    pub problem: Problem,
}

/// The result of reading a file.
#[derive(Debug, Default)]
pub struct Plan {
    pub format: &'static str,
    /// Whether all required columns are known.
    pub mapped: bool,
    /// What the file leaves open.
    pub asks: Vec<ImportQuestion>,
    /// Whether the text was decoded twice, which is undone.
    pub is_mended: bool,
    /// The file's text, which the rows refer to.
    pub text: String,
    /// The cells of the header, or Goodreads's header for a file without one.
    pub header: Vec<String>,
    pub delimiter: u8,
    pub rows: Vec<KeptRow>,
    /// In the order of their rows.
    pub books: Vec<Planned<BookDraft>>,
    /// In the order in which they are appended to the list.
    pub items: Vec<Planned<TbrDraft>>,
    /// The rows left out on purpose.
    pub left_out: Vec<LeftOut>,
    pub rejected: Vec<Rejected>,
    /// What the rows are about that are rejected or left out on purpose.
    pub passed_over: Vec<About>,
    /// The cells that are left empty, in the order of the file.
    pub notes: Vec<Note>,
    pub shelves: Vec<PreviewShelf>,
    /// Where the rows of these shelves go, chosen or guessed, by [`shelf_key`].
    pub places: HashMap<String, Destination>,
    /// The fields about which this file says nothing, because it lacks their columns.
    pub unsaid: BTreeSet<Field>,
    pub columns: Vec<PreviewColumn>,
    /// For each column whether its cells were read. Rows that differ only in other columns are read as the same.
    pub columns_read: Vec<bool>,
    /// See [`Options::keep_same_reads`].
    pub keeps_same_reads: bool,
    /// The order of the file's dates.
    pub date_order: DateOrder,
    /// The dates for which that order matters.
    pub ambiguous_dates: Option<PreviewDates>,
    /// The number of readings that the file counts without a date.
    pub earlier_reads: usize,
    /// The hours or discs that stand in the place of pages, by the indices of audiobooks' rows: see [`Options::audio_pages`].
    pub audio_pages: HashMap<usize, i64>,
    /// The indices of rows with a series behind their title, whether or not the title loses it.
    pub titled: HashSet<usize>,
    /// Shelves of another tracker that are not genres, whether or not they are left out.
    pub other_shelves: BTreeSet<String>,
    /// Shelves that have another name as a genre, whether or not they get it.
    pub written_genres: BTreeMap<String, &'static str>,
    /// The books that rows on the to-read shelf would be, by the indices of the rows.
    pub waiting: HashMap<usize, BookDraft>,
}

/// Reads a whole file. Pure: the same bytes and options give the same plan.
pub fn plan(bytes: &[u8], options: &Options) -> Result<Plan, Unreadable> {
    let bytes = unpacked(bytes)?;
    let sheet = Sheet::open(&bytes)?;
    let inspect = Inspection::of(&sheet, options)?;
    let columns_read = vec![Cell::new(false); inspect.header.names.len()];
    let mut builder = PlanBuilder::new(&inspect, options, &columns_read);
    if builder.plan.mapped {
        options.progress.begin(ImportPhase::Reading, inspect.rows);
        // Lists of this length would be copied many times while they grow.
        builder.plan.rows.reserve(inspect.rows);
        match options.kind {
            Kind::Books => builder.plan.books.reserve(inspect.rows),
            Kind::Tbr => builder.plan.items.reserve(inspect.rows),
            Kind::Reading => {}
        }
        let mut is_header = !inspect.headerless;
        sheet.rows(&options.deadline, |row| {
            if !take(&mut is_header) {
                builder.take(row);
            }
            options.progress.advance(1);
            true
        })?;
    }
    builder.ask_format();
    let PlanBuilder { mut plan, mut positions, .. } = builder;
    plan.columns_read = columns_read.iter().map(Cell::get).collect();
    if positions.iter().any(Option::is_some) {
        // First in the tracker's own order, then the items without a number in file order.
        let mut items: Vec<_> = positions.drain(..).zip(plan.items).collect();
        items.sort_by_key(|(position, _)| position.unwrap_or(u32::MAX));
        plan.items = items.into_iter().map(|(_, item)| item).collect();
    }
    plan.delimiter = sheet.delimiter;
    plan.is_mended = sheet.is_mended;
    plan.text = sheet.text.into_owned();
    Ok(plan)
}

struct PlanBuilder<'s> {
    inspect: &'s Inspection,
    options: &'s Options,
    columns_read: &'s [Cell<bool>],
    /// Columns in the order of their names, for keys that don't depend on the order in the file.
    by_name: Vec<usize>,
    answers: Answers,
    positions: Vec<Option<u32>>,
    /// The readings besides the first of each row.
    further: usize,
    plan: Plan,
}

impl<'s> PlanBuilder<'s> {
    fn new(inspect: &'s Inspection, options: &'s Options, columns_read: &'s [Cell<bool>]) -> Self {
        let mut by_name: Vec<usize> = (0..inspect.header.folded.len()).collect();
        by_name.sort_by_key(|at| &inspect.header.folded[*at]);
        let place = |shelf: &PreviewShelf| {
            let key = shelf_key(&shelf.name);
            let place = options.shelves.get(&key).copied().unwrap_or(shelf.guess);
            (key, place)
        };
        let plan = Plan {
            format: inspect.format.name,
            mapped: inspect.is_mapped(options.kind == Kind::Books),
            header: inspect.header.names.clone(),
            shelves: inspect.shelves.clone(),
            places: inspect.shelves.iter().map(place).collect(),
            unsaid: inspect.unsaid.clone(),
            columns: inspect.columns.clone(),
            keeps_same_reads: options.keep_same_reads,
            date_order: inspect.said_order,
            ambiguous_dates: inspect.ambiguous_dates.clone(),
            ..Plan::default()
        };
        let (answers, positions) = Default::default();
        let mut builder = PlanBuilder { inspect, options, columns_read, by_name, answers, positions, further: 0, plan };
        builder.ask();
        builder
    }

    fn take(&mut self, row: &SheetRow) {
        if let Some(problem) = self.broken(row) {
            return self.reject(row, problem);
        }
        let inspect = self.inspect;
        let names = &inspect.header.folded;
        if row.cells.len() == names.len() && row.cells.iter().zip(names).all(|(cell, name)| folds_to(cell, name)) {
            return self.leave_out(row); // files put together keep their headers in the middle
        }
        let record = escaping::restored_row(&row.cells);
        let cells = Cells {
            header: &inspect.header,
            record: &record,
            by_hand: &inspect.by_hand,
            escaped: inspect.escaped,
            columns_read: self.columns_read,
        };
        let notation = Notation { order: inspect.order, hemisphere: self.options.hemisphere };
        let mut read = map_row::read(&cells, &inspect.fields, inspect.format, notation);
        if let Some(problem) = too_many_reads(&read, self.options.earlier_reads, &mut self.further) {
            return self.reject(row, problem);
        }
        self.answer(&mut read);
        if inspect.format.foreign {
            self.part_shelves(&mut read);
            edition::fit(&mut read.facts, &mut read.authors);
        }
        let audio_pages = self.take_audio_pages(&mut read);
        let place = self.place(&read);
        let waiting = self.waiting(&read, place);
        // An item of the list has no series, so its title keeps it.
        if let Some(bare) = read.bare_title.take().filter(|_| place != Destination::ToRead) {
            // The row has the next number, if it is kept.
            self.plan.titled.insert(self.plan.rows.len());
            if !self.options.series_in_titles {
                read.title = bare;
            }
        }
        let kept = self.plan.rows.len();
        let about = self.about(&cells, &read);
        match place {
            Destination::Skip => self.leave_out(row),
            Destination::ToRead => self.take_item(row, read),
            _ if self.options.kind == Kind::Tbr => self.leave_out(row),
            place => self.take_books(row, read, place),
        }
        match self.plan.rows.get_mut(kept) {
            Some(row) => row.own_key = about.own_key,
            None => self.plan.passed_over.push(about),
        }
        if let Some(count) = audio_pages.filter(|_| self.plan.rows.len() > kept) {
            self.plan.audio_pages.insert(kept, count);
        }
        if self.plan.rows.len() == kept {
            self.plan.titled.remove(&kept);
        } else if let Some(draft) = waiting {
            self.plan.waiting.insert(kept, draft);
        }
    }

    /// Takes hours or discs out of an audiobook's pages, and makes them its length if the reader wants that. Returns their number where
    /// the file says no length. Our own exports are taken as they are.
    fn take_audio_pages(&self, read: &mut ReadRow) -> Option<i64> {
        if self.inspect.format.escaped {
            return None;
        }
        let count = read.pages.take_if(|pages| is_hours_or_discs(read.format, *pages))?;
        if read.minutes.is_some() {
            return None;
        }
        read.minutes = Some(count * 60).filter(|_| self.options.audio_pages == AudioPages::Hours);
        Some(count)
    }

    /// Notes the shelves that are not genres, and leaves them out if the reader wants only genres. The raw row keeps them.
    fn part_shelves(&mut self, read: &mut ReadRow) {
        let others = &mut self.plan.other_shelves;
        others.extend(read.genres.iter().filter(|name| !is_genre(name)).cloned());
        if self.options.genres_only {
            read.genres.retain(|name| is_genre(name));
        }
    }

    /// Leaves out the tags that are genres, too, and gives genres the names that most people write. An item of the list has no genres, and
    /// keeps all tags.
    ///
    /// Returns these names, by the shelves.
    fn settle_genres(&self, read: &mut ReadRow) -> Vec<(String, &'static str)> {
        let mut renamed = Vec::new();
        if !self.inspect.format.foreign {
            return renamed;
        }
        let known: HashSet<String> = read.genres.iter().map(|genre| fold_case(genre)).collect();
        read.facts.tags.retain(|tag| tag == edition::OWNED || !known.contains(&fold_case(tag)));
        let shelves = take(&mut read.genres);
        let named = shelves.iter().map(|shelf| match written(shelf).filter(|name| name != shelf) {
            Some(name) => {
                renamed.push((shelf.clone(), name));
                if self.options.written_genres { name } else { shelf.as_str() }
            }
            None => shelf,
        });
        read.add_genres(named);
        renamed
    }

    /// The problem of a row whose cells can't be separated.
    fn broken(&self, row: &SheetRow) -> Option<Problem> {
        let width = self.inspect.header.names.len();
        let message = if row.quotes == Quotes::Open {
            "A quote opens in this row and never closes.".to_owned()
        } else if self.inspect.cut_off == Some(row.line) {
            let cells = row.cells.len();
            format!("The file ends in the middle of this row: it has {cells} of {width} cells. Export the file again.")
        } else if row.quotes == Quotes::Stray {
            "A misplaced quote has moved the rest of the row to other columns.".to_owned()
        } else if row.cells.len() > width && row.cells.iter().skip(width).any(|cell| !cell.trim().is_empty()) {
            format!(
                "This row has {} cells and the header has {width}: a text with a comma in it needs quotes around it.",
                row.cells.len()
            )
        } else {
            return None;
        };
        Some(Problem { field: None, message })
    }

    fn place(&self, row: &ReadRow) -> Destination {
        if self.options.kind == Kind::Tbr && !self.inspect.has_places {
            return Destination::ToRead;
        }
        match &row.shelf {
            Shelf::Known(place) => *place,
            Shelf::Custom(name) => {
                let place = self.plan.places.get(&shelf_key(name));
                place.copied().unwrap_or_else(|| place_of(name, false))
            }
            Shelf::Unsaid => {
                let finished = row.reads.iter().any(|read| read.finish.is_some());
                let begun = !row.reads.is_empty();
                match (finished, begun, self.inspect.format.has_places) {
                    (true, ..) => Destination::Read,
                    (false, true, _) => Destination::Reading,
                    // The status is empty although the tracker has statuses: a rating or a count shows that the book was read.
                    (false, false, true) if row.rating.is_none() && row.read_count == 0 => Destination::ToRead,
                    _ => Destination::Read,
                }
            }
        }
    }

    fn take_item(&mut self, row: &SheetRow, mut read: ReadRow) {
        let harmless = ["dateCompleted", "startDate", "stoppedDate", "rating", "reread", "status"];
        let mut notes = match self.check(&mut read, &harmless) {
            Ok(notes) => notes,
            Err(problem) => return self.reject(row, problem),
        };
        notes.extend(self.shorten(&mut read));
        let finished = self.finished_before(&read, &mut notes);
        let Words { count: words, source, estimated } = self.words(&read);
        let position = read.position;
        let draft = TbrDraft {
            notes: Some(drafts::joined(&read.notes, &read.impressions)),
            title: read.title,
            author: Some(read.author),
            word_count: words,
            pages: read.pages,
            isbn: read.isbn,
            format: Some(read.format).filter(|_| read.has_format),
            tags: read.facts.tags,
            word_count_source: words
                .filter(|_| self.inspect.format.foreign || estimated || read.has_words_source)
                .map(|_| source),
        };
        match draft.checked() {
            Ok(draft) => {
                let row = self.keep(row, notes);
                let offered = Offered::default();
                self.plan.items.push(Planned { row, nth: 0, estimated, work: None, log: Vec::new(), offered, draft });
                self.positions.push(position);
                for (nth, (draft, offered)) in (0..).zip(finished) {
                    self.plan.books.push(Planned { row, nth, estimated, work: None, log: Vec::new(), offered, draft });
                }
            }
            Err(errors) => self.reject(row, first_of(&errors)),
        }
    }

    /// The finished reads of a row that waits to be read, in another tracker's file.
    fn finished_before(&mut self, read: &ReadRow, notes: &mut Vec<Problem>) -> Vec<(BookDraft, Offered)> {
        let is_finished = read.reads.iter().any(|read| read.finish.is_some());
        if !is_finished || self.options.kind != Kind::Books || !self.inspect.format.foreign {
            return Vec::new();
        }
        let mut read = read.clone();
        let renamed = self.settle_genres(&mut read);
        self.plan.written_genres.extend(renamed);
        notes.extend(self.part_starts(&mut read, Destination::Read));
        let (drafts, _, earlier) = self.drafts(read, Destination::Read);
        match checked(drafts) {
            Ok(drafts) => {
                self.plan.earlier_reads += earlier;
                drafts
            }
            Err(errors) => {
                let Problem { field, message } = first_of(&errors);
                notes.push(Problem { field, message: format!("{message} The finished read is left out.") });
                Vec::new()
            }
        }
    }

    fn take_books(&mut self, row: &SheetRow, mut read: ReadRow, place: Destination) {
        let harmless: &[&str] = match place {
            Destination::Reading | Destination::Paused => &["dateCompleted", "rating", "stoppedDate"],
            Destination::DidNotFinish => &["dateCompleted"],
            _ => &["stoppedDate"],
        };
        let mut notes = match self.check(&mut read, harmless) {
            Ok(notes) => notes,
            Err(problem) => return self.reject(row, problem),
        };
        let renamed = self.settle_genres(&mut read);
        self.plan.written_genres.extend(renamed);
        notes.extend(self.part_starts(&mut read, place));
        notes.extend(self.shorten(&mut read));
        let (work, mut log) = (read.work, read.log.clone());
        let (drafts, estimated, earlier) = self.drafts(read, place);
        match checked(drafts) {
            Ok(drafts) => {
                self.plan.earlier_reads += earlier;
                let row = self.keep(row, notes);
                // Our own rows are one read each. Other trackers say how far an unfinished read has come.
                let is_logged = |draft: &BookDraft| {
                    !self.inspect.format.foreign
                        || matches!(draft.status, BookStatus::InProgress | BookStatus::DidNotFinish)
                };
                let logged = drafts.iter().position(|(draft, _)| is_logged(draft));
                for (nth, (draft, offered)) in (0..).zip(drafts) {
                    let log = if logged == Some(usize::from(nth)) { take(&mut log) } else { Vec::new() };
                    self.plan.books.push(Planned { row, nth, estimated, work, log, offered, draft });
                }
                self.plan.rows[row].counted = if self.options.earlier_reads { 0 } else { earlier };
            }
            Err(errors) => self.reject(row, first_of(&errors)),
        }
    }

    /// Decides about the cells of a row that can't be read: the first one that the row can't do without, or a note for each that is
    /// left empty. `harmless` are the fields that a row of this kind does not use.
    fn check(&self, read: &mut ReadRow, harmless: &[&str]) -> Result<Vec<Problem>, Problem> {
        let mut notes = Vec::new();
        for problem in take(&mut read.problems) {
            let is_one_of = |fields: &[&str]| problem.field.is_some_and(|field| fields.contains(&field));
            let is_harmless = is_one_of(harmless);
            if self.inspect.format.foreign && (is_harmless || is_one_of(OPTIONAL)) {
                if !is_harmless || self.options.kind == Kind::Books {
                    notes.push(left_empty(&problem));
                }
            } else if !is_harmless {
                return Err(problem);
            }
        }
        if let Some(cell) = read.damaged_isbn.take().filter(|_| read.isbn.is_none()) {
            let message = format!("ISBN \u{201c}{cell}\u{201d} is not a valid ISBN.");
            notes.push(left_empty(&Problem { field: Some("isbn"), message }));
        }
        Ok(notes)
    }

    fn keep(&mut self, row: &SheetRow, notes: Vec<Problem>) -> usize {
        let names = &self.inspect.header.folded;
        let key = key_of(self.by_name.iter().map(|at| (names[*at].as_str(), row.cells.get(*at).unwrap_or_default())));
        let at = self.plan.rows.len();
        self.plan.rows.push(KeptRow { line: row.line, raw: row.raw.clone(), key, own_key: None, counted: 0 });
        self.plan.notes.extend(notes.into_iter().map(|problem| Note { row: at, problem }));
        at
    }

    fn leave_out(&mut self, row: &SheetRow) {
        self.plan.left_out.push(LeftOut { line: row.line, raw: row.raw.clone() });
    }

    fn reject(&mut self, row: &SheetRow, problem: Problem) {
        self.plan.rejected.push(Rejected { line: row.line, raw: row.raw.clone(), problem });
    }
}

/// The fields without which a row of another tracker is still a whole book.
const OPTIONAL: &[&str] = &["rating", "startDate", "stoppedDate", "pages", "minutes", "isbn"];

fn checked(drafts: Vec<(BookDraft, Offered)>) -> Result<Vec<(BookDraft, Offered)>, FieldErrors> {
    drafts.into_iter().map(|(draft, offered)| Ok((draft.checked()?, offered))).collect()
}

#[cfg(test)]
mod mended_tests;
#[cfg(test)]
mod reads_tests;
#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
