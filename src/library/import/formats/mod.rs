//! The supported formats. A new one has a file here, its `mod` line, and a line each in [`ALL`] and [`tracker`].
pub(super) mod bookcatalogue;
pub(super) mod bookwyrm;
pub(super) mod calibre;
pub(super) mod format;
pub(super) mod goodreads;
pub(super) mod hardcover;
pub(super) mod jelu;
pub(super) mod libation;
pub(super) mod libib;
pub(super) mod librarything;
pub(super) mod openlibrary;
pub(super) mod openreads;
pub(super) mod own;
pub(super) mod readinglist;
pub(super) mod storygraph;
pub(super) mod yamtrack;

use csv::StringRecord;

use self::format::{Format, Layout};
use super::columns::Header;

/// Every format, those with the most specific headers first.
pub static ALL: [&Format; 16] = [
    &jelu::JELU,
    &hardcover::HARDCOVER,
    &librarything::LIBRARYTHING,
    &bookwyrm::BOOKWYRM,
    &openreads::OPENREADS,
    &yamtrack::YAMTRACK,
    &calibre::CALIBRE,
    &openlibrary::OPENLIBRARY,
    &libib::LIBIB,
    &readinglist::READING_LIST,
    &bookcatalogue::BOOK_CATALOGUE,
    &libation::LIBATION,
    &goodreads::GOODREADS,
    &storygraph::STORYGRAPH,
    &own::EXPORT,
    &own::TEMPLATE,
];

/// A file of an unknown tracker, with columns mapped by the reader.
pub static UNKNOWN: Format = Format {
    name: "unknown",
    recognises: |_| false,
    fields: &[],
    refined: &[],
    key: &[],
    foreign: true,
    has_places: false,
    owned: None,
    escaped: false,
    refine: |_, _, _| {},
};

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

/// Whether the cells of the format with this name are escaped.
pub fn is_escaped(name: &str) -> bool {
    ALL.iter().any(|format| format.name == name && format.escaped)
}

/// Whether files of the format with this name are our own.
pub fn is_own(name: &str) -> bool {
    ALL.iter().any(|format| format.name == name && !format.foreign)
}

/// Whether the format with this name uses quotes around cells.
pub fn quotes(name: &str) -> bool {
    name != "librarything"
}

/// The name of the program that writes files of the format with this name.
pub fn tracker(name: &str) -> &'static str {
    match name {
        "goodreads" => "Goodreads",
        "storygraph" => "StoryGraph",
        "hardcover" => "Hardcover",
        "librarything" => "LibraryThing",
        "bookwyrm" => "BookWyrm",
        "openreads" => "Openreads",
        "jelu" => "Jelu",
        "yamtrack" => "Yamtrack",
        "calibre" => "Calibre",
        "openlibrary" => "Open Library",
        "libib" => "Libib",
        "readinglist" => "Reading List",
        "bookcatalogue" => "Book Catalogue",
        "libation" => "Libation",
        "shelfwise" | "template" => "Shelfwise",
        _ => "this tracker",
    }
}
