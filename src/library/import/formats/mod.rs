//! The supported formats. A new one has a file here, its `mod` line, and a line in [`ALL`].
pub(super) mod bookcatalogue;
pub(super) mod bookwyrm;
pub(super) mod calibre;
pub(super) mod format;
pub(super) mod goodreads;
pub(super) mod hardcover;
pub(super) mod jelu;
pub(super) mod libation;
pub(super) mod libby;
pub(super) mod libib;
pub(super) mod librarything;
pub(super) mod openlibrary;
pub(super) mod openreads;
pub(super) mod own;
pub(super) mod readinglist;
pub(super) mod storygraph;
pub(super) mod yamtrack;

use csv::StringRecord;

use self::format::{Format, Layout, TRACKER};
use super::columns::Header;

/// Every format, those with the most specific headers first.
pub static ALL: [&Format; 17] = [
    &jelu::JELU,
    &hardcover::HARDCOVER,
    &librarything::LIBRARYTHING,
    &bookwyrm::BOOKWYRM,
    &openreads::OPENREADS,
    &yamtrack::YAMTRACK,
    &calibre::CALIBRE,
    &openlibrary::OPENLIBRARY,
    &libib::LIBIB,
    &libby::LIBBY,
    &readinglist::READING_LIST,
    &bookcatalogue::BOOK_CATALOGUE,
    &libation::LIBATION,
    &goodreads::GOODREADS,
    &storygraph::STORYGRAPH,
    &own::EXPORT,
    &own::TEMPLATE,
];

/// A file of an unknown tracker, with columns mapped by the reader.
pub static UNKNOWN: Format = Format { has_places: false, ..TRACKER };

/// Recognises the format of a file by its first row.
pub fn recognise(first: &StringRecord) -> Layout {
    let header = Header::new(first.iter());
    // Corrected rejected rows still have the format of the original file.
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

/// The program whose books a file with this first row has; `None` for an unknown one.
pub fn format_of(first: &StringRecord) -> Option<&'static str> {
    let format = recognise(first).format;
    (format.name != UNKNOWN.name).then_some(format.title)
}

/// The format with this name.
pub fn named(name: &str) -> &'static Format {
    ALL.into_iter().find(|format| format.name == name).unwrap_or(&UNKNOWN)
}
