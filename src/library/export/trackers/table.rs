//! What each form can't hold: the words, the marks of books, and a sentence for each.
use crate::kit::named::named;

/// A whole star, in tenths of a point.
pub const WHOLE_STAR: i64 = 20;
/// Half a star, in tenths of a point.
pub const HALF_STAR: i64 = 10;
named! {
    /// A part of a library that a program can't hold.
    #[schema(as = ExportLossKind)]
    What {
        /// Words that are not computed from pages.
        Words = "words",
        /// Pages.
        Pages = "pages",
        /// Lengths of audiobooks.
        Length = "length",
        /// Ratings between two steps.
        HalfPoints = "half-points",
        /// Ratings.
        Ratings = "ratings",
        /// Reads beside the newest, or those without a day of their own.
        OtherReads = "other-reads",
        /// Days on which reading began.
        StartDates = "start-dates",
        /// Rough dates.
        RoughDates = "rough-dates",
        /// Places and days of reading.
        Progress = "progress",
        /// Days on which books were given up.
        StoppedDay = "stopped-day",
        /// Pauses.
        Paused = "paused",
        /// Quotes.
        Quotes = "quotes",
        /// Impressions and notes.
        Impressions = "impressions",
        /// Genres.
        Genres = "genres",
        /// Tags.
        Tags = "tags",
        /// Series.
        Series = "series",
        /// Authors, as separate names.
        Authors = "authors",
        /// Contributors, or their roles.
        Roles = "roles",
        /// ISBNs, or books without one.
        Isbn = "isbn",
        /// Paper, screen or audio.
        Format = "format",
        /// Publisher, years, language.
        Edition = "edition",
        /// Pictures of covers.
        Covers = "covers",
        /// Line breaks in texts.
        LineBreaks = "line-breaks",
        /// The to-be-read list.
        List = "list",
    }
}

/// A set of [`mark`]s.
pub type Marks = u64;

/// A part that a form can't hold: what it is, the marks of the books that have it, and a sentence.
pub type Loss = (What, Marks, &'static str);

/// The marks: parts of a book that not every form can hold.
pub mod mark {
    macro_rules! marks {
        ($($name:ident)+) => { marks!(@ 0; $($name)+); };
        (@ $bit:expr; $name:ident $($rest:ident)*) => {
            pub const $name: u64 = 1 << ($bit);
            marks!(@ $bit + 1; $($rest)*);
        };
        (@ $bit:expr;) => {};
    }
    marks! {
        WORDS PAGES OPEN_PAGES QUARTERS HALVES ZERO OTHER_RATING STARTS SAME_DAY UNPAIRED ROUGH UNDATED LOG LONG_LOG STOPPED PAUSED
        QUOTES OTHER_TEXT NOTES GENRES OTHER_GENRES ODD_GENRES TAGS ODD_TAGS SHELF_TAGS SERIES ODD_SERIES AUTHOR AUTHORS OTHER_AUTHORS COMMA
        PEOPLE ROLES ISBN NO_ISBN FORMAT OTHER_FORMAT PUBLISHER PUBLISHED PUBLISHED_DAY LANGUAGE FIRST_YEAR OTHER_EDITION COVER BREAKS
        OTHERS_OF_LAST OTHERS_OF_LIST OTHERS_OF_ROWS READ_BEFORE MINUTES MARKUP
    }
}

use mark::*;

const NO_WORDS: Loss = (What::Words, WORDS, "It counts pages. Where you have pages, they go along.");
const NO_LENGTH: Loss = (What::Length, MINUTES, "It has no place for the length of an audiobook.");
const NO_COVERS: Loss = (What::Covers, COVER, "A file of this form has no pictures.");
const NO_LOG: Loss = (What::Progress, LOG, "It has no place for the days on which you read, or for how far you are.");
const NO_PAUSE: Loss = (What::Paused, PAUSED, "There the book is being read.");
const NO_QUOTES: Loss = (What::Quotes, QUOTES, "It has no place for them, unless you put them below the review.");
const NO_ZERO: Loss = (What::Ratings, ZERO, "A rating of 0 means unrated there.");
const ONE_RATING: Loss = (
    What::Ratings,
    ZERO | OTHER_RATING,
    "It has one rating for a book, that of the newest read. There 0 means unrated.",
);
const ONE_TEXT: Loss = (What::Impressions, OTHER_TEXT, "It has one review for a book, that of the newest read.");
const ONE_FORMAT: Loss = (What::Format, OTHER_FORMAT, "It has one format for a book, that of the newest read.");
const LAST_DAY: Loss = (What::RoughDates, ROUGH, "It wants a day.");
const SERIES_IN_TITLE: &str = "It is behind the title. Without a number such as 8 or 0.5 it stays a part of the title, and a title that \
                               ends like one with a series is taken for that.";
const ONE_PLAIN_TEXT: Loss = (
    What::Impressions,
    OTHER_TEXT | MARKUP,
    "It has one review for a book, that of the newest read. Text that looks like HTML, such as <b>, does not come back from it.",
);
const SHELVED: Loss =
    (What::Tags, SHELF_TAGS, "Tags and genres are the same there, so that they come back from it as genres.");
const NO_SERIES: Loss = (What::Series, SERIES, "It has no place for a series.");
const HALF_POINTS: Loss = (What::HalfPoints, HALVES, "It rates in half stars: 7.5 here is 3.75 there.");
const WHOLE_POINTS: Loss = (What::HalfPoints, QUARTERS, "It rates in whole stars: 9.5 here is 4.75 there.");
const ALL_READS: &str =
    "It keeps every read that was finished on a day of its own. Others are not there, or only counted.";

/// What Goodreads' form can't hold.
pub const GOODREADS: &[Loss] = &[
    NO_WORDS,
    NO_LENGTH,
    WHOLE_POINTS,
    ONE_RATING,
    (What::OtherReads, OTHERS_OF_LAST, "It keeps the last read. How often you have read a book goes along."),
    (What::StartDates, STARTS, "It has no place for the day on which you began."),
    LAST_DAY,
    NO_LOG,
    (What::StoppedDay, STOPPED, "It has a shelf for books that were not finished, and no day."),
    NO_PAUSE,
    NO_QUOTES,
    ONE_TEXT,
    (What::Genres, ODD_GENRES | OTHER_GENRES, "They become shelves, whose names are in lower case with hyphens."),
    (
        What::Tags,
        ODD_TAGS | SHELF_TAGS,
        "They become shelves as genres do, in lower case with hyphens, and come back from it as genres.",
    ),
    (What::Series, ODD_SERIES, SERIES_IN_TITLE),
    (What::Authors, AUTHORS | OTHER_AUTHORS, "Authors after the first one are additional authors there."),
    (What::Roles, ROLES, "Contributors go along without their roles."),
    ONE_FORMAT,
    (
        What::Edition,
        LANGUAGE | PUBLISHED_DAY | OTHER_EDITION,
        "It has the edition of the newest read, with the year of publication and without a language.",
    ),
    NO_COVERS,
];

/// What Hardcover's form can't hold.
pub const HARDCOVER: &[Loss] = &[
    NO_WORDS,
    HALF_POINTS,
    ONE_RATING,
    (What::OtherReads, OTHERS_OF_LIST | READ_BEFORE, ALL_READS),
    (What::StartDates, UNPAIRED, "Starts and ends are in two lists, which don't say which start belongs to which end."),
    LAST_DAY,
    NO_LOG,
    NO_PAUSE,
    NO_QUOTES,
    ONE_PLAIN_TEXT,
    (What::Genres, OTHER_GENRES, "It has the genres of the newest read."),
    (What::Authors, COMMA | OTHER_AUTHORS, "A name with a comma is two names there."),
    ONE_FORMAT,
    (What::Edition, FIRST_YEAR | OTHER_EDITION, "It has the edition of the newest read, without the original year."),
    NO_COVERS,
];

/// What BookWyrm's importer does not keep.
pub const BOOKWYRM: &[Loss] = &[
    (What::Words, WORDS, "It has no place for words."),
    (What::Pages, PAGES, "Its import takes pages from the catalogue."),
    NO_LENGTH,
    NO_ZERO,
    (What::OtherReads, OTHERS_OF_ROWS | READ_BEFORE, "It keeps every read with a day of its own."),
    (What::StartDates, SAME_DAY, "It leaves out a start on the day of the end."),
    LAST_DAY,
    NO_LOG,
    (What::StoppedDay, STOPPED, "Its file has a column for the day, and its import does not read it."),
    NO_PAUSE,
    NO_QUOTES,
    (What::Impressions, NOTES, "A book that waits to be read has no notes there."),
    (What::Genres, GENRES, "It has one shelf for a book, which says whether it was read."),
    (What::Tags, TAGS, "It has one shelf for a book, which says whether it was read."),
    NO_SERIES,
    (What::Authors, COMMA, "A name with a comma is two names there."),
    (What::Roles, PEOPLE, "It takes contributors from the catalogue."),
    (What::Format, FORMAT, "It takes the format from the catalogue."),
    (
        What::Edition,
        PUBLISHER | PUBLISHED | LANGUAGE | FIRST_YEAR,
        "It takes the edition from the catalogue, by the ISBN.",
    ),
    NO_COVERS,
];

/// What Openreads' form can't hold.
pub const OPENREADS: &[Loss] = &[
    NO_WORDS,
    NO_LENGTH,
    HALF_POINTS,
    ONE_RATING,
    (What::OtherReads, OTHERS_OF_LIST | READ_BEFORE, ALL_READS),
    LAST_DAY,
    NO_LOG,
    NO_PAUSE,
    (What::Quotes, QUOTES, "It has no place for them, unless you put them into the notes."),
    ONE_PLAIN_TEXT,
    (What::Genres, OTHER_GENRES, "It has the genres of the newest read."),
    SHELVED,
    NO_SERIES,
    (What::Authors, AUTHORS | OTHER_AUTHORS, "All names are one text there."),
    (What::Roles, PEOPLE, "It has no place for contributors."),
    ONE_FORMAT,
    (
        What::Edition,
        PUBLISHER | PUBLISHED_DAY | LANGUAGE | FIRST_YEAR | OTHER_EDITION,
        "It has the year in which the edition of the newest read appeared.",
    ),
    NO_COVERS,
];

/// What Jelu's importer does not keep.
pub const JELU: &[Loss] = &[
    NO_WORDS,
    NO_LENGTH,
    WHOLE_POINTS,
    ONE_RATING,
    (What::OtherReads, OTHERS_OF_LIST, ALL_READS),
    (What::StartDates, STARTS, "Its import has no place for the day on which you began."),
    (What::RoughDates, ROUGH | UNDATED, "It wants a day. A read without any date gets a day in January 1970 there."),
    NO_LOG,
    (What::StoppedDay, STOPPED, "It keeps that the book was given up, and not the day."),
    NO_PAUSE,
    NO_QUOTES,
    ONE_TEXT,
    (What::Genres, OTHER_GENRES, "It has the genres of the newest read."),
    SHELVED,
    (What::Series, ODD_SERIES, SERIES_IN_TITLE),
    (What::Authors, COMMA | OTHER_AUTHORS, "A name with a comma is two names there."),
    (What::Roles, PEOPLE, "Contributors become authors there."),
    (What::Isbn, NO_ISBN, "It takes only books with an ISBN. These stay behind."),
    (What::Format, FORMAT, "Its import does not read the format."),
    (
        What::Edition,
        PUBLISHED_DAY | LANGUAGE | FIRST_YEAR | OTHER_EDITION,
        "It has publisher and year of the newest read's edition.",
    ),
    NO_COVERS,
];

/// What Yamtrack's form can't hold.
pub const YAMTRACK: &[Loss] = &[
    (What::Words, WORDS, "It has no place for words."),
    (What::Pages, OPEN_PAGES, "The pages of a finished book become the last page that you reached."),
    NO_LENGTH,
    (What::OtherReads, READ_BEFORE, "It can't mark the first read of a book as a re-read."),
    LAST_DAY,
    (What::Progress, LONG_LOG, "Of a book that is not finished it keeps the newest page alone."),
    (What::Paused, PAUSED, "It keeps that a book is paused, and not since when."),
    (What::Quotes, QUOTES, "It has no place for them, unless you put them into the notes."),
    (What::Impressions, MARKUP, "Text that looks like HTML, such as <b>, does not come back from it."),
    (What::Genres, GENRES, "It has no place for genres."),
    (What::Tags, TAGS, "It has no place for tags."),
    NO_SERIES,
    (What::Authors, AUTHOR, "It has a title for each book, and no author."),
    (What::Roles, PEOPLE, "It has no place for contributors."),
    (What::Isbn, ISBN, "It has no place for an ISBN."),
    (What::Format, FORMAT, "It has no place for the format."),
    (What::Edition, PUBLISHER | PUBLISHED | LANGUAGE | FIRST_YEAR, "It has no place for the edition."),
    NO_COVERS,
    (What::LineBreaks, BREAKS, "Its import reads a line at a time. Line breaks become spaces."),
];
