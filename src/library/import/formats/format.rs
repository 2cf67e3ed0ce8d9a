//! The definition of a format, and the result of recognising a file.
use csv::StringRecord;

use super::super::columns::{Field, Header};
use super::super::row::{Cells, ReadRow};
use super::super::values::{self, Notation};

/// How one kind of file is recognised and read.
pub struct Format {
    /// The name in the API.
    pub name: &'static str,
    /// The name of the program.
    pub title: &'static str,
    /// Whether a header is of this kind.
    pub recognises: fn(&Header) -> bool,
    /// Folded column names and their fields. Columns that are neither here nor in `refined` are only kept with the book.
    pub fields: &'static [(&'static str, Field)],
    /// Columns in a notation of this format, which `refine` reads, and the field that they fill.
    pub refined: &'static [(&'static str, Field)],
    /// The columns with the tracker's own key of a book, by their folded names.
    pub key: &'static [&'static str],
    /// Reviews are HTML, numbers may be damaged, lists may be long: invalid values are dropped and kept in the raw row.
    pub foreign: bool,
    /// Rows have a status even without a column for it.
    pub has_places: bool,
    /// The shelf of a row without any sign of having been read, in a format that only says what a person owns: the reader chooses its
    /// destination.
    pub owned: Option<&'static str>,
    /// Cells that a spreadsheet would execute begin with an apostrophe.
    pub escaped: bool,
    /// Cells may have quotes around them.
    pub quotes: bool,
    /// An end of reading is only proposed: a loan ends whether or not the book was read.
    pub proposes_ends: bool,
    /// Reads the columns of this format's notation, after the mapped columns.
    pub refine: fn(&mut ReadRow, &Cells<'_>, Notation),
}

/// What the formats of other programs have in common.
pub const TRACKER: Format = Format {
    name: "unknown",
    title: "this tracker",
    recognises: |_| false,
    fields: &[],
    refined: &[],
    key: &[],
    foreign: true,
    has_places: true,
    owned: None,
    escaped: false,
    quotes: true,
    proposes_ends: false,
    refine: |_, _, _| {},
};

/// The result of reading a file's first row.
pub struct Layout {
    pub format: &'static Format,
    pub header: Header,
    /// Whether the first row is a book.
    pub headerless: bool,
    /// Whether cells are escaped with apostrophes: in our own files, and in rejected rows of any format.
    pub escaped: bool,
}

impl Format {
    /// The field of a column, by its folded name.
    pub fn field(&self, name: &str) -> Option<Field> {
        self.fields.iter().find(|(known, _)| *known == name).map(|(_, field)| *field)
    }

    /// The shelf of a row that only says what a person owns: a rating shows that the book was read.
    pub fn shelf_of(&self, header: &Header, record: &StringRecord) -> Option<&'static str> {
        let rating = header.position("rating").and_then(|at| record.get(at)).unwrap_or_default();
        self.owned.filter(|_| values::five_stars(rating).is_ok_and(|rating| rating.is_none()))
    }
}
