//! The formats there are. A further one is a file beside this and a line in [`ALL`].
pub(super) mod bookwyrm;
pub(super) mod calibre;
pub(super) mod format;
pub(super) mod goodreads;
pub(super) mod hardcover;
pub(super) mod jelu;
pub(super) mod librarything;
pub(super) mod openreads;
pub(super) mod own;
pub(super) mod storygraph;
pub(super) mod yamtrack;

use csv::StringRecord;

use self::format::{Format, Layout};
use super::columns::Header;

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

/// What kind of file begins with this row.
pub fn recognise(first: &StringRecord) -> Layout {
    let header = Header::new(first.iter());
    // Rejected rows that come back mended are still the kind of file that they were taken from.
    let width = own::own_width(&header.names);
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
