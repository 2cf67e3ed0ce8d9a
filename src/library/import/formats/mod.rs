//! The formats there are. A further one is a file beside this and a line in [`ALL`].
pub(super) mod bookwyrm;
pub(super) mod calibre;
pub(super) mod goodreads;
pub(super) mod hardcover;
pub(super) mod jelu;
pub(super) mod librarything;
pub(super) mod openreads;
pub(super) mod own;
pub(super) mod storygraph;
pub(super) mod yamtrack;

use csv::StringRecord;

use super::columns::{Field, Header, folded};
use super::rejected;
use super::row::{Cells, ReadRow};
use super::values::DateOrder;

/// How a kind of file is told from others and read.
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

/// Every format, those with the most particular headers first.
pub static ALL: [&Format; 11] = [
    &jelu::JELU,
    &hardcover::HARDCOVER,
    &librarything::LIBRARYTHING,
    &bookwyrm::BOOKWYRM,
    &openreads::OPENREADS,
    &yamtrack::YAMTRACK,
    &calibre::CALIBRE,
    &goodreads::GOODREADS,
    &storygraph::STORYGRAPH,
    &own::EXPORT,
    &own::TEMPLATE,
];

/// A file of no known tracker, its columns mapped by the reader.
pub static UNKNOWN: Format = Format {
    name: "unknown",
    recognises: |_| false,
    fields: &[],
    refined: &[],
    foreign: true,
    has_places: false,
    escaped: false,
    refine: |_, _, _| {},
};

/// A file's first row, understood.
pub struct Layout {
    pub format: &'static Format,
    pub header: Header,
    /// The first row is a book already.
    pub headerless: bool,
    /// Cells begin with an apostrophe where a spreadsheet would run them: our own files, and rejected rows of any.
    pub escaped: bool,
}

/// What kind of file begins with this row.
pub fn recognise(first: &StringRecord) -> Layout {
    let header = Header::new(first.iter());
    // Rejected rows that come back mended are still the kind of file that they were taken from.
    let width = rejected::own_width(&header.names);
    let returned = width < header.names.len();
    let own = Header::new(header.names[..width].iter().map(String::as_str));
    if let Some(format) = ALL.iter().find(|format| (format.recognises)(&own)) {
        return Layout { format, header, headerless: false, escaped: format.escaped || returned };
    }
    if let Some(names) = goodreads::header_by_shape(first) {
        return Layout { format: &goodreads::GOODREADS, header: Header::new(names), headerless: true, escaped: false };
    }
    Layout { format: &UNKNOWN, header, headerless: false, escaped: returned }
}

/// Whether a format's cells are escaped, by the format's name.
pub fn is_escaped(name: &str) -> bool {
    ALL.iter().any(|format| format.name == name && format.escaped)
}

/// Whether quotes around cells mean anything in a format, by its name.
pub fn quotes(name: &str) -> bool {
    name != "librarything"
}

impl Format {
    /// The field of a column, by its folded name.
    pub fn field(&self, name: &str) -> Option<Field> {
        self.fields.iter().find(|(known, _)| *known == name).map(|(_, field)| *field)
    }
}

/// A state of reading in the words of any tracker, folded to lower case with hyphens; None for a shelf of one's own.
pub fn known_place(shelf: &str) -> Option<super::row::Destination> {
    use super::row::Destination::{Read, Reading, Skip, ToRead};
    let name = folded(shelf).replace('-', "");
    Some(match name.as_str() {
        "read" | "finished" | "completed" | "complete" | "done" | "undated" | "gelesen" | "beendet" | "lu"
        | "leído" | "leido" | "letto" | "lido" => Read,
        "currentlyreading" | "reading" | "inprogress" | "started" | "lese" | "encours" | "leyendo" | "lendo"
        | "inlettura" => Reading,
        "toread" | "wanttoread" | "planned" | "planning" | "plantoread" | "tbr" | "toberead" | "unread" | "zulesen"
        | "àlire" | "alire" | "porleer" | "daleggere" | "paraler" => ToRead,
        "ignored" => Skip,
        _ => return None,
    })
}
