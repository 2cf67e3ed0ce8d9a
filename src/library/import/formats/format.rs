//! What a format is, and what is known of a file once it is recognised.
use super::super::columns::{Field, Header};
use super::super::row::{Cells, ReadRow};
use super::super::values::DateOrder;

/// How one kind of file is recognised and read.
pub struct Format {
    /// The API's word for it.
    pub name: &'static str,
    /// Whether a header is of this kind.
    pub recognises: fn(&Header) -> bool,
    /// Folded column names and what they are. Columns named neither here nor in `refined` are kept with the book and
    /// used for nothing else.
    pub fields: &'static [(&'static str, Field)],
    /// Columns written in a way of this format's own, which `refine` reads, and the field that they feed.
    pub refined: &'static [(&'static str, Field)],
    /// Reviews are HTML, numbers may be damaged, lists may be long: take what can be taken, keep the rest as it was.
    pub foreign: bool,
    /// Rows belong somewhere even without a column that is mapped to the status.
    pub has_places: bool,
    /// Cells begin with an apostrophe where a spreadsheet would run them.
    pub escaped: bool,
    /// Reads what is this format's own, after the mapped columns.
    pub refine: fn(&mut ReadRow, &Cells<'_>, DateOrder),
}

/// A file's first row, understood.
pub struct Layout {
    pub format: &'static Format,
    pub header: Header,
    /// The first row is a book already.
    pub headerless: bool,
    /// Cells begin with an apostrophe where a spreadsheet would run them: our own files, and rejected rows of any.
    pub escaped: bool,
}

impl Format {
    /// The field of a column, by its folded name.
    pub fn field(&self, name: &str) -> Option<Field> {
        self.fields.iter().find(|(known, _)| *known == name).map(|(_, field)| *field)
    }
}
