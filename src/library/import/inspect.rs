//! Inspects a whole file, to decide how each of its rows is read.
use std::collections::{BTreeSet, HashMap};

use serde::Serialize;
use utoipa::ToSchema;

use super::columns::{Field, Header, guess};
use super::edition::are_turned;
use super::formats::{UNKNOWN, recognise};
use super::plan::Options;
use super::reader::{MOST_COLUMNS, MOST_ROWS, Sheet, Unreadable};
use super::row::{Destination, short};
use super::values::{self, DateEvidence, DateOrder, PreviewDates};
use crate::library::books::model::BookStatus;
use crate::library::import::formats::format::{Format, Layout};
use crate::library::import::shelves::{parse_shelf, place_of, shelf_key};

/// The columns that the reader mapped by hand, by their folded names; `None` means that a column is kept but not used.
pub type ColumnMap = HashMap<String, Option<Field>>;

/// A custom shelf and its probable destination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PreviewShelf {
    /// The shelf, as the file names it.
    pub name: String,
    /// The number of rows on it.
    pub rows: usize,
    /// `read`, `reading`, `to-read` or `skip`.
    #[schema(value_type = String)]
    pub guess: Destination,
}

/// A column, its first value, and its field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PreviewColumn {
    /// The column, as the header names it.
    pub name: String,
    /// The first value in it; empty if there is none.
    pub sample: String,
    /// A name for `columnMap`; null means that the column is kept but not used. In an unknown file it is a guess.
    #[schema(required, value_type = Option<String>)]
    pub field: Option<Field>,
}

/// The properties of a whole file.
pub struct Inspection {
    pub format: &'static Format,
    pub header: Header,
    /// Whether the first row is a book.
    pub headerless: bool,
    /// Whether cells are escaped with apostrophes.
    pub escaped: bool,
    /// The field of each column, in the order of the file.
    pub fields: Vec<Option<Field>>,
    /// Which columns were mapped by hand.
    pub by_hand: Vec<bool>,
    /// The order in which dates are read.
    pub order: DateOrder,
    /// The order that the preview says: as chosen, or as the file's dates show it.
    pub said_order: DateOrder,
    /// The dates for which the order matters.
    pub ambiguous_dates: Option<PreviewDates>,
    pub shelves: Vec<PreviewShelf>,
    pub columns: Vec<PreviewColumn>,
    /// The fields for which files of this format have a column, and this one has none: it says nothing about them.
    pub unsaid: BTreeSet<Field>,
    /// Whether it only proposes ends of reading, or is of an unknown program and has neither a status nor a day of reading.
    pub asks_status: bool,
    /// Whether no column says the format of a book, in a file of another program.
    pub lacks_format: bool,
    /// Whether it is of an unknown program, and most of its authors have the last name first.
    pub has_turned_names: bool,
    /// Whether the file contains the status of its rows.
    pub has_places: bool,
    /// The line of the last row, if the file ends in the middle of it.
    pub cut_off: Option<u64>,
    /// The number of rows without the header.
    pub rows: usize,
}

impl Inspection {
    /// Reads the whole file once.
    ///
    /// # Errors
    /// [`Unreadable::TooManyRows`], [`Unreadable::TooManyColumns`], [`Unreadable::Empty`] for a file without rows, and
    /// [`Unreadable::TookTooLong`].
    pub fn of(sheet: &Sheet<'_>, options: &Options) -> Result<Self, Unreadable> {
        let mut seen: Option<Seen> = None;
        let mut rows = 0;
        let mut widths = Widths::default();
        let mut too_wide = false;
        sheet.rows(&options.deadline, |row| {
            let fresh = seen.is_none();
            too_wide = fresh && row.cells.len() > MOST_COLUMNS;
            if too_wide {
                return false;
            }
            let seen = seen.get_or_insert_with(|| Seen::new(recognise(&row.cells), &options.columns));
            if !fresh || seen.layout.headerless {
                rows += 1;
                seen.look(&row.cells);
                widths.look(row.line, row.cells.len());
            }
            rows <= MOST_ROWS
        })?;
        if rows > MOST_ROWS {
            return Err(Unreadable::TooManyRows);
        }
        if too_wide {
            return Err(Unreadable::TooManyColumns);
        }
        let mut inspection = seen.ok_or(Unreadable::Empty)?.inspect(options);
        if !sheet.text.ends_with(['\n', '\r']) {
            inspection.cut_off = widths.cut_off(&inspection);
        }
        inspection.rows = rows;
        Ok(inspection)
    }

    /// Whether every row can be imported: a file of an unknown tracker needs a title column, and books need an author column.
    pub fn is_mapped(&self, author: bool) -> bool {
        let has = |field| self.fields.contains(&Some(field));
        !std::ptr::eq(self.format, &raw const UNKNOWN) || (has(Field::Title) && (!author || has(Field::Author)))
    }
}

/// The numbers of cells in the rows of a file.
#[derive(Default)]
struct Widths {
    /// The smallest of all rows but the last.
    narrowest: Option<usize>,
    /// The line of the last row, and its number of cells.
    last: Option<(u64, usize)>,
}

impl Widths {
    fn look(&mut self, line: u64, width: usize) {
        if let Some((_, before)) = self.last.replace((line, width)) {
            self.narrowest = Some(self.narrowest.unwrap_or(before).min(before));
        }
    }

    /// The line of the last row, if it alone has fewer cells than the header. Programs write every cell, and people who fill in a
    /// template may leave out the last ones.
    fn cut_off(&self, file: &Inspection) -> Option<u64> {
        let (whole, is_unknown) = (file.header.names.len(), std::ptr::eq(file.format, &raw const UNKNOWN));
        let are_whole = self.narrowest.map_or(!is_unknown, |narrowest| narrowest >= whole);
        let is_written = file.format.foreign || file.escaped;
        self.last.filter(|(_, width)| *width < whole && are_whole && is_written).map(|(line, _)| line)
    }
}

struct Seen {
    layout: Layout,
    fields: Vec<Option<Field>>,
    by_hand: Vec<bool>,
    samples: Vec<String>,
    /// The largest number of each column that is probably a rating.
    largest: Vec<Option<f64>>,
    rated: Vec<bool>,
    dated: Vec<bool>,
    /// Which columns have authors, how many cells these have, and how many of them have the last names first.
    authored: Vec<bool>,
    authors: usize,
    turned: usize,
    evidence: DateEvidence,
    shelves: Vec<(String, usize, usize)>,
    shelf_index: HashMap<String, usize>,
    /// The column in which a format has shelves in its own notation.
    shelf_column: Option<usize>,
}

impl Seen {
    fn new(layout: Layout, map: &ColumnMap) -> Self {
        let names = &layout.header.folded;
        let by_hand: Vec<bool> = names.iter().map(|name| map.contains_key(name)).collect();
        let fields: Vec<_> =
            names.iter().map(|name| map.get(name).copied().unwrap_or_else(|| layout.format.field(name))).collect();
        let dated = names
            .iter()
            .zip(&fields)
            .map(|(name, field)| {
                let refined = || layout.format.refined.iter().find(|(known, _)| known == name).map(|(_, field)| *field);
                matches!(field.or_else(refined), Some(Field::StartDate | Field::DateCompleted))
                    || name.contains("date")
                    || name == "acquired"
            })
            .collect();
        Seen {
            shelf_column: layout
                .format
                .refined
                .iter()
                .find(|(_, field)| *field == Field::Status)
                .and_then(|(name, _)| layout.header.position(name)),
            samples: vec![String::new(); names.len()],
            largest: vec![None; names.len()],
            rated: names.iter().map(|name| matches!(guess(name, None), Some(Field::Rating | Field::Rating5))).collect(),
            dated,
            authored: names
                .iter()
                .zip(&fields)
                .map(|(name, field)| field.or_else(|| guess(name, None)) == Some(Field::Author))
                .collect(),
            authors: 0,
            turned: 0,
            fields,
            by_hand,
            layout,
            evidence: DateEvidence::default(),
            shelves: Vec::new(),
            shelf_index: HashMap::new(),
        }
    }

    fn look(&mut self, cells: &csv::StringRecord) {
        let mut read = false;
        let mut shelf = "";
        for (column, cell) in cells.iter().enumerate().take(self.fields.len()) {
            if self.samples[column].is_empty() && !values::is_missing(cell) {
                self.samples[column] = short(values::unwrapped(cell));
            }
            if self.rated[column]
                && let Some(number) = values::decimal(cell)
            {
                self.largest[column] = Some(self.largest[column].map_or(number, |largest| largest.max(number)));
            }
            if self.dated[column] {
                self.evidence.look(cell);
            }
            if self.authored[column] && !cell.trim().is_empty() {
                self.authors += 1;
                self.turned += usize::from(are_turned(cell));
            }
            let is_missing = || values::is_missing(cell);
            match self.fields[column] {
                Some(Field::Status) if !is_missing() => shelf = cell.trim(),
                None if self.shelf_column == Some(column) && !is_missing() => shelf = cell.trim(),
                Some(Field::DateCompleted | Field::Rating | Field::Rating5) => {
                    read |= !is_missing() && cell.trim() != "0"
                }
                _ => {}
            }
        }
        if shelf.is_empty()
            && let Some(name) = self.layout.format.shelf_of(&self.layout.header, cells)
        {
            shelf = name;
        }
        let ours = !self.layout.format.foreign && BookStatus::from_name(shelf).is_some();
        if !shelf.is_empty() && !ours && parse_shelf(shelf).is_none() {
            let at = *self.shelf_index.entry(shelf_key(shelf)).or_insert_with(|| {
                self.shelves.push((shelf.to_owned(), 0, 0));
                self.shelves.len() - 1
            });
            self.shelves[at].1 += 1;
            self.shelves[at].2 += usize::from(read);
        }
    }

    fn inspect(self, options: &Options) -> Inspection {
        let chosen = options.date_order;
        let former = options.former_places.get(self.layout.format.name);
        let former = |name: &str| former.and_then(|places| places.get(&shelf_key(name))).copied();
        let Layout { format, header, headerless, escaped } = self.layout;
        let columns: Vec<PreviewColumn> = (0..header.names.len())
            .map(|at| {
                let name = &header.folded[at];
                let refined = || format.refined.iter().find(|(known, _)| known == name).map(|(_, field)| *field);
                let field = match self.fields[at] {
                    Some(field) => Some(field),
                    None if self.by_hand[at] => None,
                    None if format.name == UNKNOWN.name => guess(name, self.largest[at]),
                    None => refined(),
                };
                PreviewColumn { name: header.names[at].clone(), sample: self.samples[at].clone(), field }
            })
            .collect();
        // Once the reader has mapped a column, guesses don't count.
        let is_guess = !self.by_hand.contains(&true);
        let is_unknown = format.name == UNKNOWN.name;
        let fields = columns.iter().zip(&self.fields);
        let said: Vec<Option<Field>> =
            fields.map(|(column, field)| if is_guess || !is_unknown { column.field } else { *field }).collect();
        let lacks_format = format.foreign && !said.contains(&Some(Field::Format));
        let mut unsaid = unsaid(format, &columns);
        unsaid.extend(Some(Field::Format).filter(|_| lacks_format));
        Inspection {
            asks_status: format.proposes_ends || (is_unknown && !said.into_iter().any(says_when)),
            lacks_format,
            has_turned_names: is_unknown && self.turned * 2 > self.authors,
            unsaid,
            has_places: format.has_places || self.fields.contains(&Some(Field::Status)),
            shelves: self
                .shelves
                .into_iter()
                .map(|(name, rows, read)| PreviewShelf {
                    guess: former(&name).unwrap_or_else(|| place_of(&name, read * 2 >= rows && read > 0)),
                    name,
                    rows,
                })
                .collect(),
            order: chosen.unwrap_or(self.evidence.verdict()),
            said_order: chosen.unwrap_or(self.evidence.order()),
            ambiguous_dates: self.evidence.ambiguous(),
            fields: self.fields,
            by_hand: self.by_hand,
            columns,
            format,
            header,
            headerless,
            escaped,
            cut_off: None,
            rows: 0,
        }
    }
}

/// Whether a column says that a book was read, or when.
fn says_when(field: Option<Field>) -> bool {
    matches!(field, Some(Field::Status | Field::StartDate | Field::DateCompleted | Field::StoppedDate))
}

/// The fields for which files of a format have a column, and one with these columns has none.
fn unsaid(format: &Format, columns: &[PreviewColumn]) -> BTreeSet<Field> {
    let one = |field| match field {
        Field::Rating5 => Field::Rating,
        Field::SeriesNumber => Field::Series,
        field => field,
    };
    let said: BTreeSet<Field> = columns.iter().filter_map(|column| column.field).map(one).collect();
    let known = format.fields.iter().chain(format.refined).map(|(_, field)| *field);
    let known: BTreeSet<Field> = if format.name == UNKNOWN.name { Field::ALL.into() } else { known.map(one).collect() };
    let mut unsaid: BTreeSet<Field> = known.difference(&said).copied().collect();
    // Shelves are both.
    if said.contains(&Field::Genres) {
        unsaid.remove(&Field::Tags);
    } else if unsaid.contains(&Field::Genres) {
        unsaid.insert(Field::Tags);
    }
    unsaid
}
