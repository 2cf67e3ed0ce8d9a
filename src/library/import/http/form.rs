//! The upload form of an import: the file and the reader's choices.
use std::collections::{BTreeSet, HashMap};

use axum::extract::Request;
use axum::extract::multipart::Field as Part;
use serde_json::Value;
use utoipa::ToSchema;

use crate::kit::error::{Error, Result};
use crate::kit::http::budgets::{ByteBudget, HeldBytes};
use crate::kit::http::upload::{self, LONGEST_TEXT, Upload, UploadLimits};
use crate::library::books::model::BookFormat;
use crate::library::import::columns::{Field, folded};
use crate::library::import::plan::{AudioPages, January1970, JanuaryFirsts, Kind, NameOrder, Options, StatusAnswer};
use crate::library::import::reader::{LARGEST_FILE, Unreadable, check_name};
use crate::library::import::row::Destination;
use crate::library::import::shelves::shelf_key;
use crate::library::import::store::Choices;
use crate::library::import::sync::{Choice, SyncField};
use crate::library::import::values::DateOrder;

/// A file, the text fields, and the parts between them.
const LIMITS: UploadLimits = UploadLimits {
    largest: LARGEST_FILE + 3 * LONGEST_TEXT,
    still_read: 4 * LARGEST_FILE,
    in_memory: true,
    too_large: || Unreadable::UploadTooLarge.into(),
};

/// A file to import, and the reader's choices for it.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes what ImportForm::read reads")]
#[schema(as = ImportForm)]
pub struct ImportFields {
    /// .csv, .tsv or .txt, LibraryThing's .json, a .zip with one of these, or the .zip of a complete export; at most 20 MB, 100,000 rows
    /// and 500 columns.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// The destinations of custom shelves, as JSON: `{"abandoned": "skip"|"read"|"reading"|"to-read"}`.
    #[schema(required = false)]
    shelf_map: String,
    /// The fields of columns, as JSON: `{"Titel": "title", "Wo gekauft": null}`.
    #[schema(required = false)]
    column_map: String,
    /// `undated` also creates undated books for readings that the file counts without a date; `ignore` does not.
    #[schema(required = false)]
    earlier_reads: String,
    /// `genres` (the default) leaves shelves that are not genres, such as "owned" and "2023-challenge", out of a book's genres; `all`
    /// makes genres of them, too.
    #[schema(required = false)]
    shelf_genres: String,
    /// `keep` leaves the series in titles such as "Emma (Saga, #1)"; `cut` (the default) takes it out. The book's series is filled in
    /// either case.
    #[schema(required = false)]
    series_titles: String,
    /// `keep` makes a book of each row; `one` (the default) makes one of rows that are the same read: equal in title, author, status and
    /// exact day, with one rating.
    #[schema(required = false)]
    same_read: String,
    /// The order of slashed dates: `ymd`, `dmy` or `mdy`. Without it the file decides; the preview's `dateOrder` says how.
    #[schema(required = false, value_type = DateOrder)]
    date_order: String,
    /// `years` makes completions on a January 1 year-only, as some trackers write a year without a day; `days` (the default) keeps them.
    #[schema(required = false, value_type = JanuaryFirsts)]
    january_firsts: String,
    /// `undated` makes undated books of a Jelu file's reads in January 1970, which it gives to reads without a date; `days` (the
    /// default) keeps these days.
    #[schema(required = false, value_type = January1970)]
    january_1970: String,
    /// `hours` takes the page counts of audiobooks that can only be hours or discs, at most 60, for hours; `open` (the default) leaves their
    /// length unknown.
    #[schema(required = false, value_type = AudioPages)]
    audio_pages: String,
    /// What the books are of a file that says neither whether nor when they were read, as the preview's `asks` has it: `undated` (the default)
    /// or `completed` for read books without a date, `tbr` for items of the list, `in-progress`.
    #[schema(required = false, value_type = StatusAnswer)]
    status: String,
    /// The format of books that say none, in a file without a column for it, as the preview's `asks` has it.
    #[schema(required = false, value_type = BookFormat)]
    format: String,
    /// `turn` (the default) makes "Jane Austen" of "Austen, Jane" where most authors of an unknown program's file have the last name first;
    /// `keep` leaves them.
    #[schema(required = false, value_type = NameOrder)]
    names: String,
    /// `keep` leaves genres as the file's shelves are named; `written` (the default) gives those with a usual name the one that most people
    /// write: "sci-fi" becomes "Science Fiction". The preview's `genreNames` has them.
    #[schema(required = false)]
    genre_names: String,
    /// `restore` also takes over the preferences of a complete export, but for the sharing with a team; `keep` (the default) does not.
    #[schema(required = false)]
    preferences: String,
    /// With `mode=sync`, the fields in which the new file's value is taken although both sides changed them, as JSON by the ids of books:
    /// `{"123": ["rating"]}`. `tbr-` and the id stand for an item of the list.
    #[schema(required = false)]
    take: String,
    /// With `mode=sync`, the rows that are not taken over, as a JSON list of their lines in the file: the `row` of the preview's entries.
    #[schema(required = false)]
    leave: String,
}

/// A file and the reader's choices.
#[derive(Debug, Default)]
pub struct ImportForm {
    pub file_name: String,
    pub bytes: Vec<u8>,
    pub chosen: Choices,
    /// How the file is read.
    options: Options,
    /// Whether the preferences of a complete export are taken over.
    pub preferences: bool,
    /// The choices of a sync.
    pub choice: Choice,
    memory: Option<HeldBytes>,
}

impl ImportForm {
    /// Reads a multipart form. Memory is taken from the budget as bytes arrive.
    ///
    /// # Errors
    /// 415 for another content type or kind of file, 413 for a file that is too large, 400 for a malformed form, 422 for a form
    /// without a file or with unknown choices, 503 `busy` when the server's memory for bodies is used up.
    pub async fn read(request: Request, memory: &ByteBudget) -> Result<Self> {
        let mut form = Upload::begin(request, memory, LIMITS).await?;
        let read = Self::read_fields(&mut form).await;
        // The form only reports that it ended early; the reason is stored with the body.
        let memory = form.memory()?;
        Ok(Self { memory: Some(memory), ..read? })
    }

    async fn read_fields(form: &mut Upload) -> Result<Self> {
        let options = Options { genres_only: true, written_genres: true, ..Options::default() };
        let mut read = ImportForm { options, ..ImportForm::default() };
        let mut has_file = false;
        while let Some(mut part) = form.next_part().await? {
            let name = part.name().unwrap_or_default().to_owned();
            if name == "file" {
                let file_name = part.file_name().map(str::to_owned);
                read.bytes = upload::bytes(&mut part, LIMITS, LARGEST_FILE).await?.ok_or(Unreadable::UploadTooLarge)?;
                check_name(file_name.as_deref())?;
                read.file_name = file_name.unwrap_or_default().chars().take(255).collect();
                has_file = true;
            } else {
                let sent = text(&mut part).await;
                read.take_field(&name, sent)?;
            }
        }
        if has_file { Ok(read) } else { Err(Error::invalid_field("file", "Please select a file")) }
    }

    /// Takes a choice. A field of another name is passed over, whatever is in it.
    fn take_field(&mut self, name: &str, sent: Result<String>) -> Result<()> {
        let options = &mut self.options;
        match name {
            "shelfMap" => self.chosen.shelves = shelves(&sent?)?,
            "columnMap" => self.chosen.columns = columns(&sent?)?,
            "take" => self.choice.take = take(&sent?)?,
            "leave" => self.choice.leave = leave(&sent?)?,
            "dateOrder" => options.date_order = chosen(name, &sent?, &DateOrder::ALL, DateOrder::name)?,
            "januaryFirsts" => {
                options.january_firsts =
                    chosen(name, &sent?, &JanuaryFirsts::ALL, JanuaryFirsts::name)?.unwrap_or_default();
            }
            "january1970" => {
                options.january_1970 = chosen(name, &sent?, &January1970::ALL, January1970::name)?.unwrap_or_default();
            }
            "audioPages" => {
                options.audio_pages = chosen(name, &sent?, &AudioPages::ALL, AudioPages::name)?.unwrap_or_default();
            }
            "status" => options.status = chosen(name, &sent?, &StatusAnswer::ALL, StatusAnswer::name)?,
            "format" => options.format = chosen(name, &sent?, &BookFormat::ALL, BookFormat::name)?,
            "names" => options.names = chosen(name, &sent?, &NameOrder::ALL, NameOrder::name)?,
            "genreNames" => options.written_genres = !is_second(name, &sent?, ["written", "keep"])?,
            "shelfGenres" => options.genres_only = !is_second(name, &sent?, ["genres", "all"])?,
            "sameRead" => options.keep_same_reads = is_second(name, &sent?, ["one", "keep"])?,
            "seriesTitles" => options.series_in_titles = is_second(name, &sent?, ["cut", "keep"])?,
            "earlierReads" => options.earlier_reads = is_second(name, &sent?, ["ignore", "undated"])?,
            "preferences" => self.preferences = is_second(name, &sent?, ["keep", "restore"])?,
            _ => {}
        }
        Ok(())
    }

    /// Takes the part of the memory budget that the file uses, to be held until the import is complete.
    pub fn take_memory(&mut self) -> Option<HeldBytes> {
        self.memory.take()
    }

    /// The options for reading the file: choices in this form take precedence over remembered ones. `today` is the reader's.
    pub fn options(&self, kind: Kind, remembered: &Choices, today: chrono::NaiveDate) -> Options {
        let mut shelves = remembered.shelves.clone();
        shelves.extend(self.chosen.shelves.clone());
        Options { kind, shelves, columns: self.chosen.columns.clone(), today: Some(today), ..self.options.clone() }
    }
}

async fn text(part: &mut Part<'_>) -> Result<String> {
    upload::text(part, LIMITS).await
}

fn object(field: &str, text: &str) -> Result<serde_json::Map<String, Value>> {
    match serde_json::from_str(if text.trim().is_empty() { "{}" } else { text }) {
        Ok(Value::Object(map)) => Ok(map),
        Ok(Value::Null) => Ok(serde_json::Map::new()),
        _ => Err(Error::invalid_field(field, "This must be a JSON object with names as keys and choices as values.")),
    }
}

fn shelves(text: &str) -> Result<HashMap<String, Destination>> {
    let choose = |(name, choice): (String, Value)| {
        let place = choice.as_str().and_then(Destination::from_name);
        let place = place.ok_or_else(|| {
            Error::invalid_field(
                "shelfMap",
                format!("{name}: choose skip, read, reading, paused, did-not-finish or to-read."),
            )
        })?;
        Ok((shelf_key(&name), place))
    };
    object("shelfMap", text)?.into_iter().map(choose).collect()
}

fn columns(text: &str) -> Result<HashMap<String, Option<Field>>> {
    let choose = |(name, choice): (String, Value)| {
        let field = match &choice {
            Value::Null => None,
            Value::String(choice) if choice.is_empty() => None,
            Value::String(choice) => Some(Field::from_name(choice).ok_or_else(|| {
                Error::invalid_field("columnMap", format!("{name}: there is no field \u{201c}{choice}\u{201d}."))
            })?),
            _ => return Err(Error::invalid_field("columnMap", format!("{name}: choose a field or null."))),
        };
        Ok((folded(&name), field))
    };
    object("columnMap", text)?.into_iter().map(choose).collect()
}

/// The choice with this name; `None` for an empty field.
fn chosen<T: Copy>(field: &str, sent: &str, all: &[T], name: fn(T) -> &'static str) -> Result<Option<T>> {
    let sent = sent.trim();
    if sent.is_empty() {
        return Ok(None);
    }
    let names = || all.iter().map(|one| name(*one)).collect::<Vec<_>>().join(" or ");
    let found = all.iter().copied().find(|one| name(*one) == sent);
    found.map(Some).ok_or_else(|| Error::invalid_field(field, format!("Choose {}.", names())))
}

/// Whether the second of two choices is made. The first one is the default.
fn is_second(field: &str, sent: &str, words: [&'static str; 2]) -> Result<bool> {
    Ok(chosen(field, sent, &words, |word| word)? == Some(words[1]))
}

fn take(text: &str) -> Result<HashMap<String, BTreeSet<SyncField>>> {
    let choose = |(id, fields): (String, Value)| {
        let unknown = || Error::invalid_field("take", format!("{id}: list the names of fields."));
        if id.strip_prefix("tbr-").unwrap_or(&id).parse::<u64>().is_err() {
            let wrong = format!("\u{201c}{id}\u{201d} is not the id of a book, nor tbr- and the id of an item.");
            return Err(Error::invalid_field("take", wrong));
        }
        let fields = fields.as_array().ok_or_else(unknown)?.iter();
        let fields = fields.map(|name| name.as_str().and_then(SyncField::from_name).ok_or_else(unknown));
        let fields = fields.collect::<Result<_>>()?;
        Ok((id, fields))
    };
    object("take", text)?.into_iter().map(choose).collect()
}

fn leave(text: &str) -> Result<BTreeSet<u64>> {
    let text = if text.trim().is_empty() { "[]" } else { text };
    serde_json::from_str(text).map_err(|_| Error::invalid_field("leave", "This must be a JSON list of row numbers."))
}
