//! Devices and what they call books, as their reader sees them, and the validation of what is sent.
use chrono::NaiveDate;
use md5::{Digest as _, Md5};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::coverage::FinishReason;
use super::files::{DayColumn, ReadingFormat};
use super::matching::DocumentSuggestion;
use crate::kit::http::patch_field::PatchField;
use crate::kit::id::id;
use crate::kit::named::named;
use crate::kit::timestamp::Timestamp;
use crate::kit::{FieldErrors, Result, random};
use crate::library::books::model::BookId;
use crate::library::books::payload::BookFields;
use crate::library::import::history::model::ImportId;
use crate::library::{day_text, text};

id! {
    /// The number of a device.
    DeviceId
}

id! {
    /// The number of a document. It contains the owner's number, see [`owned`](crate::kit::db::pool::owned).
    DocumentId
}

/// The most devices of an account.
pub const MOST_DEVICES: i64 = 20;
/// The most documents of an account. Further ones are not stored.
pub const MOST_DOCUMENTS: i64 = 5_000;
/// The most characters of a device's name.
pub const NAME_LENGTH: usize = 100;
/// The most bytes of a digest.
pub const DIGEST_LENGTH: usize = 200;
/// The most minutes that a clock may be wrong.
pub const MOST_OFFSET: i64 = 1_440;
/// The letters of passwords and user names: those that no font confuses.
const LETTERS: &[u8; 24] = b"abcdefghijkmnpqrstuvwxyz";

named! {
    /// What reports.
    DeviceKind {
        /// KOReader.
        KoReader = "koreader",
        /// Readest.
        Readest = "readest",
        /// Another program that syncs with KOReader.
        Other = "other",
    }
}

/// What a device has reported.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct DeviceReports {
    /// The days of reading.
    pub days: usize,
    /// The books of the library that it moves.
    pub books: usize,
    /// The documents that wait in "What is this?".
    pub unknown: usize,
}

/// A device, without its password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Device {
    /// The device's id.
    #[schema(value_type = i64)]
    pub id: DeviceId,
    /// 1 to 100 characters.
    pub name: String,
    /// What reports.
    pub kind: DeviceKind,
    /// The user name that is typed into it.
    pub login: String,
    /// RFC 3339, UTC.
    #[schema(value_type = String)]
    pub created_at: Timestamp,
    /// RFC 3339, UTC, accurate to five minutes; null until the first report.
    #[schema(required, value_type = Option<String>)]
    pub last_seen_at: Option<Timestamp>,
    /// When its statistics last arrived: RFC 3339, UTC; null until then.
    #[schema(required, value_type = Option<String>)]
    pub put_at: Option<Timestamp>,
    /// The minutes that its clock is ahead.
    pub clock_offset: i64,
    /// The minutes that its clock seems to be ahead; null where nothing is to be asked.
    #[schema(required)]
    pub clock_offset_proposed: Option<i64>,
    /// What it has reported.
    pub reports: DeviceReports,
}

/// A new device.
#[derive(Debug, Deserialize, ToSchema)]
pub struct DeviceCreate {
    /// 1 to 100 characters.
    #[schema(required, min_length = 1, max_length = 100)]
    #[serde(default)]
    name: String,
    /// `koreader` by default.
    #[schema(value_type = Option<DeviceKind>)]
    #[serde(default)]
    kind: PatchField<DeviceKind>,
}

impl DeviceCreate {
    /// A trimmed name.
    pub fn named(name: &str) -> std::result::Result<String, FieldErrors> {
        let mut errors = FieldErrors::new();
        let name = named(name, &mut errors);
        if errors.is_empty() { Ok(name) } else { Err(errors) }
    }

    /// The trimmed name and the kind.
    pub fn checked(self) -> std::result::Result<(String, DeviceKind), FieldErrors> {
        let mut errors = FieldErrors::new();
        let name = named(&self.name, &mut errors);
        let mut kind = DeviceKind::KoReader;
        self.kind.null_is_absent().set(&mut kind, &mut errors, "kind", "The kind must be koreader, readest or other.");
        if errors.is_empty() { Ok((name, kind)) } else { Err(errors) }
    }
}

fn named(name: &str, errors: &mut FieldErrors) -> String {
    let name = name.trim();
    if name.is_empty() {
        errors.add("name", "Please name the device.");
    }
    text::check(errors, "name", "The name", name, NAME_LENGTH);
    name.to_owned()
}

/// A change of a device; absent fields stay.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DeviceUpdate {
    /// 1 to 100 characters.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 100)]
    #[serde(default)]
    name: PatchField<String>,
    /// The minutes that its clock is ahead, -1,440 to 1,440. It answers the proposal, too.
    #[schema(value_type = Option<i64>, minimum = -1_440, maximum = 1_440)]
    #[serde(default)]
    clock_offset: PatchField<i64>,
    /// True gives the device another password.
    #[schema(value_type = Option<bool>)]
    #[serde(default)]
    new_password: PatchField<bool>,
}

/// A validated change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeviceChange {
    /// The trimmed name.
    pub name: Option<String>,
    /// In minutes.
    pub clock_offset: Option<i64>,
    pub new_password: bool,
}

impl DeviceUpdate {
    pub fn checked(self) -> std::result::Result<DeviceChange, FieldErrors> {
        const OFFSET: &str = "The clock can be wrong by at most 1,440 minutes.";
        let mut errors = FieldErrors::new();
        let mut name = None;
        if let Some(sent) = self.name.checked(&mut errors, "name", "The name must be a text.") {
            name = Some(named(&sent, &mut errors));
        }
        let clock_offset = self.clock_offset.checked(&mut errors, "clockOffset", OFFSET);
        if clock_offset.is_some_and(|offset| !(-MOST_OFFSET..=MOST_OFFSET).contains(&offset)) {
            errors.add("clockOffset", OFFSET);
        }
        let another = "Send true for another password.";
        let new_password = self.new_password.checked(&mut errors, "newPassword", another).unwrap_or_default();
        if errors.is_empty() { Ok(DeviceChange { name, clock_offset, new_password }) } else { Err(errors) }
    }
}

/// Why nothing was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceRefusal {
    /// The account has [`MOST_DEVICES`].
    TooMany,
    /// The account has [`MOST_DOCUMENTS`].
    TooManyDocuments,
    /// The account would have more page turns than a file may have.
    TooManyRows,
}

/// What is typed into a device beside its login.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct DeviceAddresses {
    /// The custom server of progress sync.
    pub kosync: String,
    /// The WebDAV address for statistics.
    pub webdav: String,
}

impl DeviceAddresses {
    /// Those below the server's address.
    pub fn below(url: &str) -> Self {
        Self { kosync: format!("{url}/kosync"), webdav: format!("{url}/dav") }
    }
}

/// Random letters.
fn letters(count: usize) -> Result<String> {
    let mut text = String::with_capacity(count);
    while text.len() < count {
        // The largest multiple of 24 below 256: what is above would make the first letters likelier.
        let fair = random::bytes::<32>()?.into_iter().filter(|byte| *byte < 240);
        text.extend(fair.map(|byte| char::from(LETTERS[usize::from(byte) % LETTERS.len()])).take(count - text.len()));
    }
    Ok(text)
}

/// A new password: ten letters in two groups.
pub fn password() -> Result<String> {
    Ok(format!("{}-{}", letters(5)?, letters(5)?))
}

/// A new user name and its password.
pub fn credentials() -> Result<(String, String)> {
    Ok((letters(6)?, password()?))
}

/// What kosync sends instead of a password.
pub fn key_of(password: &str) -> String {
    hex::encode(Md5::digest(password))
}

/// A digest as it is stored; `None` for what can't be one.
pub fn digest(text: &str) -> Option<String> {
    let text = text.trim();
    let fits = !text.is_empty() && text.len() <= DIGEST_LENGTH && !text.contains([':', '\0']);
    fits.then(|| text.to_owned())
}

/// What a file with reading in it brings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadingReport {
    /// Whose file it is.
    pub format: ReadingFormat,
    /// The books of the file with something new.
    pub documents: usize,
    /// Their days that are new or say more.
    pub days: usize,
    /// The minutes of reading that are new.
    pub minutes: i64,
    /// The quotes that are new.
    pub quotes: usize,
    /// The books that are proposed as finished.
    pub finished: usize,
    /// The rows that can't be read.
    pub rejected: usize,
    /// Null in a preview, and where nothing is new.
    #[schema(required, value_type = Option<i64>)]
    pub import_id: Option<ImportId>,
    /// The columns of a table of days, the first 50; absent for other files. A preview of a table whose columns are unknown has no figures.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub columns: Option<Vec<DayColumn>>,
}

impl ReadingReport {
    /// That of a file without anything.
    pub fn of(format: ReadingFormat) -> Self {
        let (documents, days, minutes, quotes, finished, rejected, import_id, columns) = Default::default();
        Self { format, documents, days, minutes, quotes, finished, rejected, import_id, columns }
    }
}

/// A finish that a device reports, and its reader is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct DocumentFinish {
    /// The day of the last page turn.
    #[serde(serialize_with = "day_text::day")]
    pub day: NaiveDate,
    /// Why it is asked.
    pub because: FinishReason,
}

/// A finished book that is read once more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentAgain {
    /// The finished read.
    #[schema(value_type = i64)]
    pub book_id: BookId,
    /// The first day of the new one.
    #[serde(serialize_with = "day_text::day")]
    pub day: NaiveDate,
}

/// What a device calls a book.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Document {
    /// The document's id.
    #[schema(value_type = i64)]
    pub id: DocumentId,
    /// KOReader's digest of the file or of its name, or a media server's id; empty where none was sent.
    pub digest: String,
    /// Null where the device sends no titles.
    #[schema(required)]
    pub title: Option<String>,
    /// The names.
    pub authors: Vec<String>,
    /// The name of the device that reported last, or of the media server; null once it was taken back.
    #[schema(required)]
    pub device: Option<String>,
    /// The newest place in hundredths of a percent; null where none is known.
    #[schema(required, minimum = 0, maximum = 10_000)]
    pub place: Option<i64>,
    /// RFC 3339, UTC.
    #[schema(value_type = String)]
    pub first_seen: Timestamp,
    /// RFC 3339, UTC.
    #[schema(value_type = String)]
    pub last_seen: Timestamp,
    /// The days of reading.
    pub days: usize,
    /// The minutes of reading.
    pub minutes: i64,
    /// The words of the book, counted by the program that reported it; null where none did.
    #[schema(required)]
    pub words: Option<i64>,
    /// Whether it was only looked into.
    pub peeked: bool,
    /// The read that it moves.
    #[schema(required, value_type = Option<i64>)]
    pub book_id: Option<BookId>,
    /// The book that it may be; null where nothing is asked.
    #[schema(required)]
    pub suggestion: Option<DocumentSuggestion>,
    /// Whether its reader does not want to hear of it.
    pub ignored: bool,
    /// What was read before this day is forgotten.
    #[schema(required)]
    #[serde(serialize_with = "day_text::day_or_null")]
    pub ignore_before: Option<NaiveDate>,
    /// Whether the read may be finished; null where nothing is asked.
    #[schema(required)]
    pub finish: Option<DocumentFinish>,
    /// Whether a finished read goes on as a new one; null where nothing is asked.
    #[schema(required)]
    pub again: Option<DocumentAgain>,
    /// The days that the device has no more.
    pub removed_there: usize,
}

/// What a document is: exactly one of the fields.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DocumentUpdate {
    /// The read that it moves; null takes the link away.
    #[schema(value_type = Option<i64>)]
    #[serde(default)]
    book_id: PatchField<BookId>,
    /// A new book.
    #[serde(default)]
    create: Option<Box<BookFields>>,
    /// Whether its reader does not want to hear of it.
    #[serde(default)]
    ignore: Option<bool>,
    /// Forgets what was read before this day; null forgets nothing.
    #[schema(value_type = Option<chrono::NaiveDate>)]
    #[serde(default)]
    ignore_before: PatchField<String>,
    /// True also removes here what the device has no more.
    #[serde(default)]
    remove_there: Option<bool>,
}

/// One checked change.
pub enum DocumentChange {
    Link(Option<BookId>),
    Create(Box<BookFields>),
    Ignore(bool),
    IgnoreBefore(Option<NaiveDate>),
    RemoveThere,
}

impl DocumentUpdate {
    /// The change.
    ///
    /// # Errors
    /// None or several fields; a sentence for an invalid one.
    pub fn checked(self) -> std::result::Result<DocumentChange, FieldErrors> {
        let refused = |field: &str, sentence: &str| {
            let mut errors = FieldErrors::new();
            errors.add(field, sentence);
            errors
        };
        let book = match self.book_id {
            PatchField::Absent => None,
            PatchField::Null => Some(DocumentChange::Link(None)),
            PatchField::Value(id) => Some(DocumentChange::Link(Some(id))),
            PatchField::Wrong => return Err(refused("bookId", "The book's id must be a whole number.")),
        };
        let before = match self.ignore_before {
            PatchField::Absent => None,
            PatchField::Null => Some(DocumentChange::IgnoreBefore(None)),
            PatchField::Value(day) => match text::date(&day) {
                Some(day) => Some(DocumentChange::IgnoreBefore(Some(day))),
                None => return Err(refused("ignoreBefore", "Dates must be written yyyy-MM-dd.")),
            },
            PatchField::Wrong => return Err(refused("ignoreBefore", "Dates must be written yyyy-MM-dd.")),
        };
        let removal = self.remove_there.filter(|remove| *remove).map(|_| DocumentChange::RemoveThere);
        let sent =
            [book, self.create.map(DocumentChange::Create), self.ignore.map(DocumentChange::Ignore), before, removal];
        let mut sent: Vec<_> = sent.into_iter().flatten().collect();
        match (sent.pop(), sent.pop()) {
            (Some(change), None) => Ok(change),
            _ => Err(refused("bookId", "Please send one of bookId, create, ignore, ignoreBefore and removeThere.")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_ten_letters_in_two_groups_and_its_key_is_their_md5() {
        let password = password().unwrap();
        let (first, second) = password.split_once('-').unwrap();
        assert_eq!((first.len(), second.len()), (5, 5));
        assert!(password.bytes().all(|byte| byte == b'-' || LETTERS.contains(&byte)));
        assert_ne!(password, super::password().unwrap());
        assert_eq!(key_of("password"), "5f4dcc3b5aa765d61d8327deb882cf99");
    }

    #[test]
    fn one_field_says_what_a_document_is() {
        let read = |json| serde_json::from_value::<DocumentUpdate>(json).unwrap().checked();
        assert!(matches!(read(serde_json::json!({"bookId": 7})), Ok(DocumentChange::Link(Some(BookId(7))))));
        assert!(matches!(read(serde_json::json!({"bookId": null})), Ok(DocumentChange::Link(None))));
        assert!(matches!(read(serde_json::json!({"ignore": true})), Ok(DocumentChange::Ignore(true))));
        assert!(matches!(read(serde_json::json!({"removeThere": true})), Ok(DocumentChange::RemoveThere)));
        for wrong in [
            serde_json::json!({}),
            serde_json::json!({"bookId": 7, "ignore": true}),
            serde_json::json!({"removeThere": false}),
            serde_json::json!({"ignoreBefore": "soon"}),
            serde_json::json!({"bookId": "x"}),
        ] {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
    }
}
