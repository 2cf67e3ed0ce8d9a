//! Reads the passages of a file. Whatever it holds, the time is linear in its bytes, but for sorting.
use std::collections::HashMap;

use chrono::{DateTime, NaiveDate};
use serde::Deserialize;
use serde_json::Value;

use crate::kit::time_zone::Zone;
use crate::library::books::authors::NAME_LENGTH;
use crate::library::books::passages::{NOTE_LENGTH, PLACE_LENGTH, Passage, QUOTE_LENGTH};
use crate::library::rough_date::{FIRST_DAY, LAST_DAY};
use crate::library::text::{self, fold};

/// The most passages of a file.
pub const MOST_PASSAGES: usize = 100_000;
/// How many passages before it, in the order of their places, one is compared with.
const NEAR: usize = 8;
/// The most characters of a line about a passage that are looked at.
const ABOUT: usize = 500;

/// A passage and its book, as a file names it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marked {
    pub title: String,
    /// The names as they stand in the file, with semicolons between them; perhaps empty.
    pub author: String,
    pub passage: Passage,
    /// What of this passage was marked before it was changed on the device.
    pub former: Vec<String>,
}

impl Marked {
    /// A passage within the limits; `None` where it says nothing.
    pub fn new(title: &str, author: &str, passage: Passage) -> Option<Self> {
        let cut = |text: &str, most: usize| text.replace('\0', "").trim().chars().take(most).collect::<String>();
        let some = |text: Option<String>, most| text.map(|text| cut(&text, most)).filter(|text| !text.is_empty());
        let Passage { text, place, note, day } = passage;
        let (text, place, note) = (cut(&text, QUOTE_LENGTH), some(place, PLACE_LENGTH), some(note, NOTE_LENGTH));
        let (title, author) = (cut(title, NAME_LENGTH), cut(author, NAME_LENGTH));
        let day = day.filter(|day| (FIRST_DAY..=LAST_DAY).contains(day));
        let says_something = !title.is_empty() && (!text.is_empty() || note.is_some());
        says_something.then_some(Self {
            title,
            author,
            passage: Passage { text, place, note, day },
            former: Vec::new(),
        })
    }
}

/// The programs whose texts are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    Kindle,
    Readwise,
    KoReader,
}

/// What stands between the passages of a Kindle.
const RULE: &str = "\n==========";

/// Whose passages a text has; `None` for any other text.
pub fn program(text: &str) -> Option<Program> {
    let text = text.trim_start_matches(['\u{feff}', '\n', '\r', ' ']);
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let has = |word: &str| memchr::memmem::find(text.as_bytes(), word.as_bytes()).is_some();
    match () {
        () if first.starts_with("Highlight,") && first.contains("Book Title") => Some(Program::Readwise),
        () if rest.starts_with('-') && has(RULE) => Some(Program::Kindle),
        () if text.starts_with('{') && (has("\"entries\"") || has("\"documents\"")) => Some(Program::KoReader),
        () => None,
    }
}

/// The passages of a text in its order; those of a Kindle in the order of their places. `None` for what can't be read.
pub fn passages(text: &str, program: Program, zone: &Zone) -> Option<Vec<Marked>> {
    let text = text.trim_start_matches(['\u{feff}', '\n', '\r', ' ']);
    match program {
        Program::Kindle => Some(kindle(text)),
        Program::Readwise => readwise(text),
        Program::KoReader => koreader(text, zone),
    }
}

#[derive(Deserialize)]
struct ReadwiseRow {
    #[serde(rename = "Highlight")]
    text: String,
    #[serde(rename = "Book Title")]
    title: String,
    #[serde(default, rename = "Book Author")]
    author: String,
    #[serde(default, rename = "Note")]
    note: Option<String>,
    #[serde(default, rename = "Location Type")]
    kind: String,
    #[serde(default, rename = "Location")]
    location: String,
    #[serde(default, rename = "Highlighted at")]
    at: String,
}

fn readwise(text: &str) -> Option<Vec<Marked>> {
    let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let passage = |row: ReadwiseRow| {
        let place = match row.kind.as_str() {
            "page" => format!("p. {}", row.location),
            "location" => format!("loc. {}", row.location),
            _ => String::new(),
        };
        let day = row.at.get(..10).and_then(text::date);
        let passage = Passage { text: row.text, place: Some(place), note: row.note, day };
        Marked::new(&row.title, &row.author, passage)
    };
    rows.deserialize().filter_map(|row| row.map(passage).transpose()).collect::<Result<_, _>>().ok()
}

/// The file of one book, or of several.
#[derive(Deserialize)]
struct KoReaderFile {
    #[serde(default)]
    title: String,
    author: Option<String>,
    entries: Option<Vec<KoReaderEntry>>,
    documents: Option<Vec<KoReaderFile>>,
}

#[derive(Deserialize)]
struct KoReaderEntry {
    text: Option<String>,
    note: Option<String>,
    page: Option<Value>,
    time: Option<i64>,
}

fn koreader(text: &str, zone: &Zone) -> Option<Vec<Marked>> {
    let file: KoReaderFile = serde_json::from_str(text).ok()?;
    let several = file.documents.is_some();
    let books = if several { file.documents.unwrap_or_default() } else { vec![file] };
    let mut marked = Vec::new();
    for book in books {
        let author = book.author.unwrap_or_default().replace('\n', "; ");
        for entry in book.entries? {
            let page = match entry.page {
                Some(Value::Number(page)) => Some(format!("p. {page}")),
                Some(Value::String(page)) if page.len() < PLACE_LENGTH => Some(format!("p. {page}")),
                _ => None,
            };
            let day = entry.time.and_then(|time| DateTime::from_timestamp(time, 0)).map(|time| zone.day_at(time));
            let passage = Passage { text: entry.text.unwrap_or_default(), place: page, note: entry.note, day };
            marked.extend(Marked::new(&book.title, &author, passage));
        }
    }
    Some(marked)
}

/// Words for a note and for a page in the languages of a Kindle, folded.
const NOTES: [&str; 11] =
    ["note", "notiz", "nota", "notitie", "aantekening", "anteckning", "notatka", "заметка", "メモ", "笔记", "筆記"];
const PAGES: [&str; 9] = ["page", "seite", "pagina", "sida", "stron", "страниц", "ページ", "页", "頁"];
/// The beginnings of the names of months, folded.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene", "gen", "янв", "sty"],
    &["feb", "fev", "фев", "lut"],
    &["mar", "mrt", "maa", "мар"],
    &["apr", "avr", "abr", "апр", "kwi"],
    &["may", "mai", "mag", "mei", "maj", "мая"],
    &["jun", "juin", "giu", "июн", "cze"],
    &["jul", "juil", "lug", "июл", "lip"],
    &["aug", "aou", "ago", "авг", "sie"],
    &["sep", "set", "сен", "wrz"],
    &["oct", "okt", "ott", "out", "окт", "paz"],
    &["nov", "ноя", "lis"],
    &["dec", "dez", "dic", "дек", "gru"],
];

/// A block of a Kindle's file.
struct Clipping {
    /// Where it stands in the file.
    order: usize,
    is_note: bool,
    /// The first and the last location, or pages where there are none.
    range: Option<(u32, u32)>,
    marked: Marked,
}

/// The text of a passage, or of a note.
fn own_text(passage: &Passage) -> &str {
    passage.note.as_deref().unwrap_or(&passage.text)
}

impl Clipping {
    fn overlaps(&self, other: &Self) -> bool {
        self.range.zip(other.range).is_some_and(|(one, other)| one.0 <= other.1 && other.0 <= one.1)
    }

    /// Whether both are the same passage, which was changed on the device: then the later one counts. A location has room for several
    /// passages, but only for one note.
    fn is_same(&self, other: &Self) -> bool {
        let (one, two) = (own_text(&self.marked.passage), own_text(&other.marked.passage));
        self.overlaps(other) && (self.is_note || one.contains(two) || two.contains(one))
    }
}

fn kindle(text: &str) -> Vec<Marked> {
    let (mut places, mut books) = (HashMap::new(), Vec::<Vec<Clipping>>::new());
    for (order, block) in text.split(RULE).enumerate() {
        if let Some((line, clipping)) = clipping(block, order) {
            let place = *places.entry(line).or_insert_with(|| {
                books.push(Vec::new());
                books.len() - 1
            });
            books[place].push(clipping);
        }
    }
    books.into_iter().flat_map(settled).collect()
}

/// The passages of a book with their notes. A note stands where its passage ends, or alone where there is none.
fn settled(mut clippings: Vec<Clipping>) -> Vec<Marked> {
    clippings.sort_by_key(|clipping| clipping.range);
    let (mut passages, mut notes) = (Vec::<Clipping>::new(), Vec::new());
    for mut clipping in clippings {
        let list = if clipping.is_note { &mut notes } else { &mut passages };
        let near = list.len().saturating_sub(NEAR);
        match list[near..].iter_mut().find(|known| known.is_same(&clipping)) {
            Some(known) => {
                if known.order < clipping.order {
                    std::mem::swap(known, &mut clipping);
                }
                let Marked { passage, mut former, .. } = clipping.marked;
                known.marked.former.append(&mut former);
                if passage.text != known.marked.passage.text {
                    known.marked.former.push(passage.text);
                }
            }
            None => list.push(clipping),
        }
    }
    passages.sort_by_key(|clipping| clipping.range);
    let mut alone = Vec::new();
    for note in notes {
        let behind = passages.partition_point(|passage| passage.range <= note.range.map(|(at, _)| (at, u32::MAX)));
        let near = &mut passages[behind.saturating_sub(NEAR)..behind];
        let holds = |passage: &&mut Clipping| passage.marked.passage.note.is_none() && passage.overlaps(&note);
        match near.iter_mut().rev().find(holds) {
            Some(passage) => passage.marked.passage.note = note.marked.passage.note,
            None => alone.push(note),
        }
    }
    passages.append(&mut alone);
    passages.sort_by_key(|clipping| clipping.range);
    passages.into_iter().map(|clipping| clipping.marked).collect()
}

/// Title and author, a line about the place and the day, and behind an empty line the text.
fn clipping(block: &str, order: usize) -> Option<(&str, Clipping)> {
    let block = block.trim_start_matches(['=', '\r', '\n', ' ', '\u{feff}']);
    let (line, rest) = block.split_once('\n')?;
    let (about, text) = rest.split_once('\n')?;
    let (line, text) = (line.trim(), text.trim());
    // A bookmark has no text. One in brackets says that the book allows no more.
    if text.is_empty() || (text.starts_with('<') && text.ends_with('>')) {
        return None;
    }
    let about: String = about.trim().strip_prefix('-')?.chars().take(ABOUT).collect();
    let (places, date) = about.rsplit_once('|').unwrap_or((&about, ""));
    let places: Vec<_> = places.split('|').map(|place| (fold(place), number(place))).collect();
    let is_note = places.iter().any(|(place, _)| {
        let mut words = place.split(|letter: char| !letter.is_alphabetic());
        words.any(|word| NOTES.contains(&word)) || NOTES.iter().any(|note| !note.is_ascii() && place.contains(note))
    });
    let is_page = |place: &str| PAGES.iter().any(|page| place.contains(page));
    let place = places.iter().find_map(|(place, number)| {
        Some(format!("{} {}", if is_page(place) { "p." } else { "loc." }, number.as_ref()?))
    });
    let range = places.last().and_then(|(_, number)| range(number.as_deref()?));
    let text = text.replace("\r\n", "\n");
    let (text, note) = if is_note { (String::new(), Some(text)) } else { (text, None) };
    let (title, author) = title_and_author(line);
    let marked = Marked::new(title, author, Passage { text, place, note, day: day(date) })?;
    Some((line, Clipping { order, is_note, range, marked }))
}

/// The first number of a text, or two with a hyphen between them.
fn number(text: &str) -> Option<String> {
    let from = text.find(|letter: char| letter.is_ascii_digit())?;
    let digits = text[from..].split(|letter: char| !(letter.is_ascii_digit() || letter == '-')).next()?;
    Some(digits.trim_end_matches('-').to_owned())
}

/// `456-458`, or `1456-58` for 1456 to 1458.
fn range(digits: &str) -> Option<(u32, u32)> {
    let (from, to) = digits.split_once('-').unwrap_or((digits, digits));
    let left_out = &from[..from.len().saturating_sub(to.len())];
    Some((from.parse().ok()?, format!("{left_out}{to}").parse().ok()?))
}

/// `Title (Series) (Last, First)`: the last brackets have the author.
fn title_and_author(line: &str) -> (&str, &str) {
    let open = line.strip_suffix(')').and_then(|inner| {
        let mut depth = 1;
        inner.bytes().rposition(|byte| {
            depth += match byte {
                b')' => 1,
                b'(' => -1,
                _ => 0,
            };
            depth == 0
        })
    });
    match open {
        Some(open) if open > 0 => (line[..open].trim(), &line[open + 1..line.len() - 1]),
        _ => (line, ""),
    }
}

/// A day whose month is a word, or stands between 年, 月 and 日. The name of the month is the one nearest before the year.
fn day(text: &str) -> Option<NaiveDate> {
    let folded = fold(text);
    let words: Vec<_> =
        folded.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if let Some((year, rest)) = folded.split_once('年') {
        let (month, rest) = rest.split_once('月')?;
        let last = |text: &str| text.trim().rsplit(|letter: char| !letter.is_ascii_digit()).next()?.parse::<u32>().ok();
        let year = i32::try_from(last(year)?).ok()?;
        return NaiveDate::from_ymd_opt(year, last(month)?, last(rest.split_once('日')?.0)?);
    }
    let is_year = |word: &&str| word.len() == 4 && word.bytes().all(|byte| byte.is_ascii_digit());
    let year = words.iter().position(is_year)?;
    let month_of = |word: &str| {
        let month = MONTHS.iter().position(|names| names.iter().any(|name| word.starts_with(name)))?;
        u32::try_from(month + 1).ok()
    };
    let (at, month) = (0..year).rev().find_map(|at| Some((at, month_of(words[at])?)))?;
    let number = |at: usize| words.get(at)?.parse::<u32>().ok();
    // "21 April", "April 21", "21 de abril".
    let date = at.checked_sub(1).and_then(number).or_else(|| number(at + 1).filter(|_| at + 1 < year));
    let date = date.or_else(|| at.checked_sub(2).and_then(number))?;
    NaiveDate::from_ymd_opt(words[year].parse().ok()?, month, date)
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;
