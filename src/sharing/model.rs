//! Secret links as their owner sees them, and what they show.
use chrono::{DateTime, Datelike as _, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::page::written;
use crate::kit::http::patch_field::PatchField;
use crate::kit::http::session::RandomToken;
use crate::kit::id::id;
use crate::kit::named::named;
use crate::kit::time_zone::Zone;
use crate::kit::timestamp::Timestamp;
use crate::kit::{Error, ErrorCode, FieldErrors, Result};
use crate::library::books::facts::Cover;
use crate::library::books::model::{BookFormat, BookId, Genres};
use crate::library::books::rating::Rating;
use crate::library::rough_date::LAST_DAY;
use crate::library::text::genre_key;
use crate::reading::period::Period;
use crate::reading::review::model::Review;
use crate::statistics::model::{ShelfBook, WordsByName};

/// The blue of all genres but the five with most words.
pub const OTHER_BLUE: u8 = 6;

/// The most links of one account.
pub const MOST: i64 = 50;

id! {
    /// The number of a link in its table, not its secret token.
    ShareId
}

/// The secret in a link's address: 160 random bits, 27 characters of base64url.
pub type ShareToken = RandomToken<20>;

named! {
    /// What a link shows.
    ShareKind {
        /// The newest finished books, for feed readers.
        Feed = "feed",
        /// The days of finished books, for calendars.
        Calendar = "calendar",
        /// A year or a month in review.
        Review = "review",
        /// The books that are being read, and those finished this year.
        Public = "public",
        /// The to-be-read list, or the items of it with a tag.
        List = "list",
        /// The books with a tag.
        Tag = "tag",
    }
}

named! {
    /// Something that a link shows besides title and author.
    SharePart {
        /// Ratings and their average.
        Ratings = "ratings",
        /// Impressions.
        Impressions = "impressions",
        /// Days of completion.
        Dates = "dates",
        /// Covers.
        Covers = "covers",
        /// Series with their numbers.
        Series = "series",
        /// The display name of the owner.
        Name = "name",
    }
}

impl ShareKind {
    /// What a link of this kind can show besides title and author.
    pub fn parts(self) -> &'static [SharePart] {
        match self {
            Self::Feed | Self::Review | Self::Public | Self::Tag => &SharePart::ALL,
            Self::Calendar => &[SharePart::Ratings, SharePart::Dates, SharePart::Series, SharePart::Name],
            Self::List => &[SharePart::Name],
        }
    }

    /// What a new link shows where nothing is said about it.
    fn preset(self) -> &'static [SharePart] {
        if matches!(self, Self::List | Self::Tag) { &[] } else { &[SharePart::Dates] }
    }

    /// Whether its entries can't be without their days.
    fn needs_dates(self) -> bool {
        matches!(self, Self::Feed | Self::Calendar)
    }
}

/// A form in which a link sends what it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A page for people.
    Page,
    Atom,
    /// JSON Feed.
    JsonFeed,
    /// iCalendar.
    Calendar,
    /// A picture as SVG.
    Card,
    /// A review as JSON.
    Review,
}

impl Form {
    pub const ALL: [Self; 6] = [Self::Page, Self::Atom, Self::JsonFeed, Self::Calendar, Self::Card, Self::Review];

    /// The type for the header `Content-Type`.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Page => "text/html; charset=utf-8",
            Self::Atom => "application/atom+xml; charset=utf-8",
            Self::JsonFeed => "application/feed+json",
            Self::Calendar => "text/calendar; charset=utf-8",
            Self::Card => "image/svg+xml",
            Self::Review => "application/json",
        }
    }

    /// The name of its file: below the link's address, where the page alone has none, and in a folder.
    pub fn file(self) -> &'static str {
        match self {
            Self::Page => "index.html",
            Self::Atom => "feed.atom",
            Self::JsonFeed => "feed.json",
            Self::Calendar => "calendar.ics",
            Self::Card => "card.svg",
            Self::Review => "review.json",
        }
    }

    /// What a form is called that a program fetches again and again.
    pub fn feed(self) -> Option<&'static str> {
        match self {
            Self::Atom => Some("Atom"),
            Self::JsonFeed => Some("JSON Feed"),
            Self::Calendar => Some("iCalendar"),
            Self::Page | Self::Card | Self::Review => None,
        }
    }
}

/// The parts of a link, each at most once, in the order of [`SharePart::ALL`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Parts(Vec<SharePart>);

impl Parts {
    /// These parts, in any order.
    pub fn of(parts: &[SharePart]) -> Self {
        Self(SharePart::ALL.into_iter().filter(|part| parts.contains(part)).collect())
    }

    /// Whether a part is shown.
    pub fn has(&self, part: SharePart) -> bool {
        self.0.contains(&part)
    }

    /// The form in the database: the names with commas between them.
    pub fn stored(&self) -> String {
        self.0.iter().map(|part| part.name()).collect::<Vec<_>>().join(",")
    }

    /// Reads the form of the database. A name that this program does not know is not shown.
    pub fn from_stored(stored: &str) -> Self {
        Self(stored.split(',').filter_map(SharePart::from_name).collect())
    }
}

/// A link, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Share {
    /// The link's id.
    #[schema(value_type = i64)]
    pub id: ShareId,
    /// What it shows.
    pub kind: ShareKind,
    /// What it shows besides title and author.
    #[schema(value_type = Vec<SharePart>)]
    pub parts: Parts,
    /// The year or the month of a review, 2026 or 2026-11; null for the other kinds.
    #[schema(required, value_type = Option<String>, pattern = r"^\d{4}(-\d{2})?$")]
    pub period: Option<Period>,
    /// The tag whose books or items are shown; null for the whole list and the other kinds.
    #[schema(required)]
    pub tag: Option<String>,
    /// RFC 3339, UTC.
    #[schema(value_type = String)]
    pub created_at: Timestamp,
    /// RFC 3339, UTC: from then on the link shows nothing; null for a link without an end.
    #[schema(required, value_type = Option<String>)]
    pub expires_at: Option<Timestamp>,
    /// RFC 3339, UTC, exact to an hour: when it was last opened; null until then.
    #[schema(required, value_type = Option<String>)]
    pub last_seen: Option<Timestamp>,
}

impl Share {
    /// Refuses a link after its end, which is a day in its owner's time zone.
    pub fn require_running(&self, zone: &Zone, now: DateTime<Utc>) -> Result<()> {
        let Some(end) = self.expires_at.filter(|end| end.utc() <= now) else { return Ok(()) };
        let day = written(zone.day_at(end.utc()));
        Err(Error::refused(ErrorCode::ShareEnded, format!("This link ended on {day}.")))
    }

    /// The forms that this link has.
    pub fn forms(&self) -> &'static [Form] {
        match self.kind {
            ShareKind::Feed => &[Form::Page, Form::Atom, Form::JsonFeed],
            ShareKind::Calendar => &[Form::Page, Form::Calendar],
            ShareKind::Review => &[Form::Page, Form::Card, Form::Review],
            // A feed can't be without its days.
            ShareKind::Public if self.parts.has(SharePart::Dates) => {
                &[Form::Page, Form::Card, Form::Atom, Form::JsonFeed]
            }
            ShareKind::Public => &[Form::Page, Form::Card],
            ShareKind::List | ShareKind::Tag => &[Form::Page],
        }
    }
}

/// The request to make a link.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareCreate {
    /// What the link shows.
    #[schema(required, value_type = ShareKind)]
    #[serde(default)]
    pub kind: PatchField<ShareKind>,
    /// What it shows besides title and author, as far as the kind can; absent means `["dates"]`, and nothing for a list and a tag. A feed and
    /// a calendar always have dates.
    #[schema(value_type = Option<Vec<SharePart>>)]
    #[serde(default)]
    pub parts: PatchField<Vec<SharePart>>,
    /// The year or the month of a review, 2026 or 2026-11; the other kinds have none.
    #[schema(value_type = Option<String>, pattern = r"^\d{4}(-\d{2})?$")]
    #[serde(default)]
    pub period: PatchField<String>,
    /// A tag of your books or your list: needed for the kind `tag`, possible for `list`.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    pub tag: PatchField<String>,
    /// RFC 3339, in the future; null or absent for a link without an end.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    pub expires_at: PatchField<String>,
}

/// A change of a link. Absent keys keep their values.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShareUpdate {
    /// What it shows besides title and author.
    #[schema(value_type = Option<Vec<SharePart>>)]
    #[serde(default)]
    pub parts: PatchField<Vec<SharePart>>,
    /// RFC 3339, in the future; null removes the end.
    #[schema(value_type = Option<String>)]
    #[serde(default)]
    pub expires_at: PatchField<String>,
}

/// A checked request for a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewShare {
    pub kind: ShareKind,
    /// The year or the month of a review.
    pub period: Option<Period>,
    /// The tag as it was sent.
    pub tag: Option<String>,
    /// What it shows besides title and author.
    pub parts: Parts,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
}

/// What of a link can be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// What it shows besides title and author.
    pub parts: Parts,
    /// When it ends.
    pub expires_at: Option<Timestamp>,
}

impl ShareCreate {
    /// Checks every field, but not whether the tag is there.
    pub fn checked(self, now: DateTime<Utc>) -> std::result::Result<NewShare, FieldErrors> {
        let mut errors = FieldErrors::new();
        let kind = self.kind.value();
        if kind.is_none() {
            errors.add("kind", "A link shows a feed, a calendar, a review, a public page, a list or a tag.");
        }
        // Without a kind, the other fields are checked as those of a review.
        let kind = kind.unwrap_or(ShareKind::Review);
        let has_period = self.period.is_given();
        let period = self.period.value().and_then(|text| text.parse().ok());
        match kind {
            ShareKind::Review if period.is_none() => {
                errors.add("period", "A review needs a year or a month from 1900 to 2100, such as 2026 or 2026-11.")
            }
            ShareKind::Review => {}
            _ if has_period => errors.add("period", "Only a review has a year or a month."),
            _ => {}
        }
        let has_tag = self.tag.is_given();
        let tag = self.tag.value();
        match kind {
            ShareKind::Tag if tag.is_none() => errors.add("tag", "This link needs a tag."),
            ShareKind::List if has_tag && tag.is_none() => errors.add("tag", UNKNOWN_TAG),
            ShareKind::Tag | ShareKind::List => {}
            _ if has_tag => errors.add("tag", "Only a list and a tag have a tag."),
            _ => {}
        }
        let before = Shown { parts: Parts::of(kind.preset()), expires_at: None };
        let change = ShareUpdate { parts: self.parts.null_is_absent(), expires_at: self.expires_at };
        let Shown { parts, expires_at } = errors.and(change.checked(kind, before, now))?;
        Ok(NewShare { kind, period, tag, parts, expires_at })
    }
}

/// The sentence about a tag that nothing has.
pub const UNKNOWN_TAG: &str = "None of your books and nothing on your list has this tag.";

impl ShareUpdate {
    /// Checks every field against the link from before.
    pub fn checked(
        self,
        kind: ShareKind,
        before: Shown,
        now: DateTime<Utc>,
    ) -> std::result::Result<Shown, FieldErrors> {
        let (mut errors, Shown { mut parts, mut expires_at }) = (FieldErrors::new(), before);
        match self.parts {
            PatchField::Absent => {}
            PatchField::Value(list) if list.iter().any(|part| !kind.parts().contains(part)) => {
                let names: Vec<_> = kind.parts().iter().map(|part| part.name()).collect();
                errors.add("parts", format!("The parts of this link can be: {}.", names.join(", ")));
            }
            PatchField::Value(mut list) => {
                list.extend(kind.needs_dates().then_some(SharePart::Dates));
                parts = Parts::of(&list);
            }
            PatchField::Null | PatchField::Wrong => {
                errors
                    .add("parts", "The parts must be a list of ratings, impressions, dates, covers, series and name.");
            }
        }
        match self.expires_at {
            PatchField::Absent => {}
            PatchField::Null => expires_at = None,
            sent => match sent.value().and_then(|text| DateTime::parse_from_rfc3339(&text).ok()) {
                Some(end) if end.to_utc().year() > LAST_DAY.year() => {
                    errors.add("expiresAt", "The end must be before 2101.")
                }
                Some(end) if end <= now => errors.add("expiresAt", "The end must be in the future."),
                Some(end) => expires_at = Some(end.to_utc().into()),
                None => errors.add("expiresAt", "The end must be an instant such as 2026-12-01T23:59:59Z."),
            },
        }
        if errors.is_empty() { Ok(Shown { parts, expires_at }) } else { Err(errors) }
    }
}

/// A review as a link shows it. Absent keys are switched off or unknown.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedReview {
    /// A year or a month: 2026 or 2026-11.
    #[schema(value_type = String, pattern = r"^\d{4}(-\d{2})?$")]
    pub period: Period,
    /// Whether the period is over.
    pub complete: bool,
    /// The owner's current day.
    #[serde(skip)]
    pub today: NaiveDate,
    /// Whether the link shows covers.
    #[serde(skip)]
    pub has_covers: bool,
    /// Whether the link shows ratings.
    #[serde(skip)]
    pub has_ratings: bool,
    /// The owner's display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = String)]
    pub name: Option<String>,
    /// Finished books.
    pub books: i64,
    /// Their words.
    pub words: i64,
    /// Average over the rated books, with one decimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = f64)]
    pub average_rating: Option<f64>,
    /// The finished books, at most 500: the newest, oldest first; without dates by title.
    pub shelf: Vec<SharedBook>,
}

/// A finished book as a link shows it. Absent keys are switched off or unknown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SharedBook {
    /// As entered.
    pub title: String,
    /// The names of all authors with commas between them.
    pub author: String,
    /// The number of words.
    pub words: i64,
    /// The completion date, of a rough date the last possible day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = NaiveDate)]
    pub completed: Option<NaiveDate>,
    /// The first possible day of a rough completion date.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = NaiveDate)]
    pub completed_from: Option<NaiveDate>,
    /// 0 to 10, with at most one decimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = f64)]
    pub rating: Option<Rating>,
    /// The series.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = String)]
    pub series: Option<String>,
    /// The number in the series.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = String)]
    pub series_number: Option<String>,
    /// As entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = String)]
    pub impressions: Option<String>,
    /// The picture of the book.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = Cover)]
    pub cover: Option<Cover>,
    /// The book's id, which no form shows.
    #[serde(skip)]
    pub id: Option<BookId>,
    /// The first day of reading, which calendars show.
    #[serde(skip)]
    pub started: Option<NaiveDate>,
    /// How far it is read, in percent, of a book that is being read.
    #[serde(skip)]
    pub place: Option<i64>,
    /// The blue of its spine, 1 to 6, which is that on its owner's shelf.
    #[serde(skip)]
    pub blue: u8,
    /// The binding of its spine.
    #[serde(skip)]
    pub format: BookFormat,
    /// Its spine has a ribbon.
    #[serde(skip)]
    pub reread: bool,
}

/// What a link shows of a book besides the figures of its review.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Details {
    pub series: Option<String>,
    /// The number in the series.
    pub series_number: Option<String>,
    pub impressions: Option<String>,
    /// The cover, with its address behind this link.
    pub cover: Option<Cover>,
}

impl SharedBook {
    /// What a link with these parts shows of a book whose spine has this blue.
    pub fn of(book: ShelfBook, parts: &Parts, blue: u8, details: Details) -> Self {
        let Details { series, series_number, impressions, cover } = details;
        let dates = parts.has(SharePart::Dates);
        Self {
            title: book.title,
            author: book.author,
            words: book.word_count,
            completed: book.date.filter(|_| dates),
            completed_from: book.completed_from.filter(|_| dates),
            rating: book.rating.filter(|_| parts.has(SharePart::Ratings)),
            series,
            series_number,
            impressions,
            cover,
            id: Some(book.id),
            started: book.start_date.filter(|_| dates),
            place: None,
            blue,
            format: book.format,
            reread: book.reread,
        }
    }

    /// Where its cover is.
    pub fn cover_url(&self) -> Option<&str> {
        self.cover.as_ref().map(|cover| cover.url.as_str())
    }

    /// A book of which nothing else is shown.
    pub fn named(title: &str, author: &str) -> Self {
        Self {
            title: title.to_owned(),
            author: author.to_owned(),
            words: 0,
            completed: None,
            completed_from: None,
            rating: None,
            series: None,
            series_number: None,
            impressions: None,
            cover: None,
            id: None,
            started: None,
            place: None,
            blue: OTHER_BLUE,
            format: BookFormat::Print,
            reread: false,
        }
    }

    /// What follows the series: " #4", " IV", or nothing.
    pub fn number_in_series(&self) -> String {
        let number = self.series_number.as_deref().unwrap_or_default();
        let mark = match number.chars().next() {
            Some(sign) if sign.is_ascii_digit() => " #",
            Some(_) => " ",
            None => "",
        };
        format!("{mark}{number}")
    }
}

/// Text without control characters, which neither HTML nor XML nor iCalendar allow. Lines end with a line feed.
pub fn plain(text: &str) -> String {
    let is_banned = |c: char| c.is_control() && !matches!(c, '\n' | '\t') || matches!(c, '\u{FFFE}' | '\u{FFFF}');
    text.replace("\r\n", "\n").replace('\r', "\n").replace(is_banned, "\u{FFFD}")
}

impl SharedReview {
    /// What `parts` show of a review. `name` is the owner's, `genres` are those of the whole library, most words first; `details_of` looks
    /// up what the parts show of a book.
    pub fn of(
        review: Review,
        parts: &Parts,
        today: NaiveDate,
        name: String,
        genres: &[WordsByName],
        mut details_of: impl FnMut(BookId) -> Result<Details>,
    ) -> Result<Self> {
        let (dates, ratings) = (parts.has(SharePart::Dates), parts.has(SharePart::Ratings));
        let ranked: Vec<_> =
            genres.iter().take(usize::from(OTHER_BLUE - 1)).map(|genre| genre_key(&genre.name)).collect();
        let blue_of = |genres: &Genres<'_>| {
            let place = genres.iter().next().and_then(|first| ranked.iter().position(|key| *key == genre_key(first)));
            place.and_then(|place| u8::try_from(place + 1).ok()).unwrap_or(OTHER_BLUE)
        };
        let mut shelf = Vec::with_capacity(review.shelf.len());
        for book in review.shelf {
            let (blue, details) = (blue_of(&book.genres), details_of(book.id)?);
            shelf.push(SharedBook::of(book, parts, blue, details));
        }
        if !dates {
            // The order of completion says something about the dates.
            shelf.sort_by(|a, b| (&a.title, &a.author, a.words).cmp(&(&b.title, &b.author, b.words)));
        }
        Ok(Self {
            period: review.period,
            complete: review.complete,
            today,
            has_covers: parts.has(SharePart::Covers),
            has_ratings: ratings,
            name: Some(name).filter(|_| parts.has(SharePart::Name)),
            books: review.totals.books,
            words: review.totals.words,
            average_rating: review.average_rating.filter(|_| ratings),
            shelf,
        })
    }
}
