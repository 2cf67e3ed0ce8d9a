//! The reader's choices for a file.
use std::collections::HashMap;

use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use crate::kit::deadline::Deadline;
use crate::kit::named::named;
use crate::kit::time_zone::Hemisphere;
use crate::library::books::model::BookFormat;
use crate::library::import::inspect::ColumnMap;
use crate::library::import::progress::Progress;
use crate::library::import::row::Destination;
use crate::library::import::values::DateOrder;

named! {
    /// What an import creates.
    #[derive(Default)]
    Kind {
        /// Books, and items from the to-read shelf.
        #[default]
        Books = "books",
        /// Only items of the to-be-read list.
        Tbr = "tbr",
        /// Days of reading, from a file of a device.
        Reading = "reading",
    }
}

named! {
    /// How completions on a January 1 are read.
    #[derive(Default)]
    JanuaryFirsts {
        /// As that day.
        #[default]
        Days = "days",
        /// As an unknown day of that year.
        Years = "years",
    }
}

named! {
    /// How completions in January 1970 are read, in files of Jelu, which gives these days to reads without a date.
    #[derive(Default)]
    January1970 {
        /// As that day.
        #[default]
        Days = "days",
        /// As a read without a date.
        Undated = "undated",
    }
}

named! {
    /// How the page count of an audiobook is read that can only be hours or discs.
    #[derive(Default)]
    AudioPages {
        /// Not at all: the length stays unknown.
        #[default]
        Open = "open",
        /// As hours.
        Hours = "hours",
    }
}

named! {
    /// What the books of a file are that says neither a status nor a day of reading.
    StatusAnswer {
        /// Read, without a date.
        Undated = "undated",
        /// Read; without a day in the file the same as `undated`.
        Completed = "completed",
        /// To be read.
        Tbr = "tbr",
        /// Being read.
        InProgress = "in-progress",
    }
}

impl StatusAnswer {
    /// Where the rows go.
    pub fn place(self) -> Destination {
        match self {
            Self::Undated | Self::Completed => Destination::Read,
            Self::Tbr => Destination::ToRead,
            Self::InProgress => Destination::Reading,
        }
    }
}

named! {
    /// How names are read that have the last name first.
    NameOrder {
        /// `Austen, Jane` becomes `Jane Austen`.
        Turn = "turn",
        /// As written.
        Keep = "keep",
    }
}

/// A question that a file leaves open.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ImportQuestion {
    /// The field of the form that answers it: `status`, for a file that says neither whether nor when its books were read, and for the books
    /// that Libby has back; `format`, for one without a column for it; `names`, where most authors have the last name first.
    pub field: &'static str,
    /// The possible answers.
    pub choices: Vec<&'static str>,
    /// The answer that is taken if none is sent, as for the last file with these columns; null where the call decides.
    #[schema(required)]
    pub preset: Option<&'static str>,
}

/// Where the rows of shelves went, by format and shelf.
pub type FormerPlaces = HashMap<String, HashMap<String, Destination>>;

/// The reader's choices.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub kind: Kind,
    /// Destinations of shelves, by [`shelf_key`](super::super::shelves::shelf_key).
    pub shelves: HashMap<String, Destination>,
    pub columns: ColumnMap,
    /// Also create undated books for readings that the file counts without a date.
    pub earlier_reads: bool,
    /// Leave the series in titles: `Emma (Saga, #1)`.
    pub series_in_titles: bool,
    /// Make a book of each of several rows that are the same read: [`Deduped::same_read`](crate::library::import::dedupe::Deduped).
    pub keep_same_reads: bool,
    /// Leave shelves that are not genres, such as "owned" and "2023-challenge", out of the genres.
    pub genres_only: bool,
    /// The order of slashed dates; without a choice the file decides.
    pub date_order: Option<DateOrder>,
    /// Read a completion on a January 1 as that year, without a day.
    pub january_firsts: JanuaryFirsts,
    /// Take completions in January 1970 for unknown dates, in files of a tracker that invents them.
    pub january_1970: January1970,
    /// Take page counts of audiobooks that are hours or discs for hours.
    pub audio_pages: AudioPages,
    /// What the books are if the file does not say it; without an answer they are read.
    pub status: Option<StatusAnswer>,
    /// The format of books that say none.
    pub format: Option<BookFormat>,
    /// How names with the last name first are read, in a file of an unknown program.
    pub names: Option<NameOrder>,
    /// Give genres the names that most people write, where a shelf is a known abbreviation.
    pub written_genres: bool,
    /// The months of seasons in dates.
    pub hemisphere: Hemisphere,
    /// The reader's day: a paused book for which the file has no day is paused since then.
    pub today: Option<NaiveDate>,
    /// Where the rows of shelves went in the last files of each format, by [`shelf_key`](super::super::shelves::shelf_key).
    pub former_places: FormerPlaces,
    /// When reading gives up.
    pub deadline: Deadline,
    /// Where it says how far it is.
    pub progress: Progress,
}
