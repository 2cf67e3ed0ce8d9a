//! What is kept of a record.
use std::borrow::Cow;

use super::super::record::{Author, Edition, Loose, Redirect, Work, id};
use super::super::{genres, parse};
use super::dump::{Columns, Fate, columns};
use crate::library::{isbn, languages};

/// The most authors of one book, and the most ISBNs of an edition.
const MOST: usize = 20;

/// An edition that is kept. Numbers that are not known are 0, texts are empty.
#[derive(Debug)]
pub struct EditionRecord {
    /// The number of its work; 0 for none.
    pub work: u32,
    /// How good it is: the edition with the most points stands for its work.
    pub quality: u8,
    pub title: String,
    pub subtitle: String,
    pub language: String,
    pub publisher: String,
    /// 1 print, 2 eBook, 3 audio.
    pub format: u8,
    pub pages: u32,
    pub year: u32,
    pub cover: u32,
    /// Of 13 digits.
    pub isbns: Vec<u64>,
    pub authors: Vec<u32>,
}

/// A work. Numbers that are not known are 0, texts are empty.
#[derive(Debug, Default)]
pub struct WorkRecord {
    pub id: u32,
    pub title: String,
    pub subtitle: String,
    pub year: u32,
    pub cover: u32,
    /// A bit for each genre.
    pub genres: u32,
    pub authors: Vec<u32>,
}

/// What a batch of lines says.
#[derive(Default)]
pub struct Batch {
    pub editions: Vec<EditionRecord>,
    pub works: Vec<WorkRecord>,
    /// Authors' numbers and names.
    pub names: Vec<(u32, String)>,
    /// Works with one more reader, rating, or edition that is not kept.
    pub mentioned: Vec<u32>,
    /// Records that moved, from one number to another.
    pub moved: Vec<(u32, u32)>,
    /// The latest day of a change.
    pub changed: String,
}

impl Batch {
    fn change(&mut self, at: &str) {
        let day = at.get(..10).unwrap_or_default();
        let is_day = day.len() == 10 && day.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        if is_day && day > self.changed.as_str() {
            day.clone_into(&mut self.changed);
        }
    }
}

/// Reads a line of the wanted kind, notes a redirect, and leaves other kinds out.
fn line<'l>(
    line: &'l [u8],
    kind: &str,
    batch: &mut Batch,
    read: impl FnOnce(&Columns<'l>, u32, &mut Batch) -> Option<()>,
) -> Fate {
    let Some(columns) = columns(line) else { return Fate::Broken };
    if columns.kind == kind.as_bytes() {
        batch.change(columns.changed);
        let read = id(columns.key).and_then(|id| read(&columns, id, batch));
        return if read.is_some() { Fate::Read } else { Fate::Broken };
    }
    if columns.kind == b"/type/redirect" {
        let target: Option<Redirect<'_>> = serde_json::from_slice(columns.json).ok();
        let to = target.as_ref().and_then(|target| target.location.text()).and_then(id);
        batch.moved.extend(id(columns.key).zip(to));
    }
    if columns.kind.starts_with(b"/type/") { Fate::Other } else { Fate::Broken }
}

/// The record of a JSON, also of one with bytes that are not UTF-8, with tabs, NUL and other control characters inside its texts, or
/// with escapes of half a character.
fn with_json<T>(json: &[u8], mut read: impl FnMut(&str) -> Option<T>) -> Option<T> {
    // Looking for faults one by one takes many times longer than validating a text.
    let text = std::str::from_utf8(json).map_or_else(|_| String::from_utf8_lossy(json), Cow::Borrowed);
    read(&text).or_else(|| read(&with_whole_characters(&text.replace(|sign: char| sign.is_ascii_control(), " "))))
}

/// A JSON in which each escape of half a character (a surrogate without its other half, as `\ud83d`) is U+FFFD.
fn with_whole_characters(json: &str) -> String {
    let code = |escape: &str| escape.strip_prefix("\\u").and_then(|rest| u16::from_str_radix(rest.get(..4)?, 16).ok());
    let (mut whole, mut rest) = (String::with_capacity(json.len()), json);
    while let Some(start) = rest.find('\\') {
        let (before, escape) = rest.split_at(start);
        whole.push_str(before);
        let (length, is_half) = match (code(escape), escape.get(6..).and_then(code)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => (12, false),
            (Some(0xd800..0xe000), _) => (6, true),
            _ => (2, false),
        };
        let (kept, behind) = escape.split_at_checked(length).unwrap_or((escape, ""));
        whole.push_str(if is_half { "\u{fffd}" } else { kept });
        rest = behind;
    }
    whole + rest
}

/// Reads a line of the editions. An edition is kept when it has a title and, with languages, is in one of them; one that does not
/// say its language is kept when it has an ISBN.
pub fn edition(text: &[u8], wanted: &[String], batch: &mut Batch) -> Fate {
    line(text, "/type/edition", batch, |columns, _, batch| {
        with_json(columns.json, |json| {
            let record: Edition<'_> = serde_json::from_str(json).ok()?;
            let work = record.works.ids().next().unwrap_or(0);
            match edition_record(&record, work, wanted) {
                Some(edition) => batch.editions.push(edition),
                None => batch.mentioned.extend((work > 0).then_some(work)),
            }
            Some(())
        })
    })
}

fn edition_record(record: &Edition<'_>, work: u32, wanted: &[String]) -> Option<EditionRecord> {
    let title = parse::title(record.title.first()?)?;
    let title = match record.title_prefix.first().and_then(parse::text) {
        Some(prefix) => parse::text(&format!("{prefix} {title}"))?.into_owned().into(),
        None => title,
    };
    let isbns = isbns(&[&record.isbn_13, &record.isbn_10, &record.isbn]);
    let mut spoken = record.languages.texts().filter_map(languages::of_code);
    let (language, preference) = if wanted.is_empty() {
        (spoken.next(), 0)
    } else {
        let best = spoken.filter_map(|tag| wanted.iter().position(|one| *one == tag)).min();
        match best {
            Some(place) => (wanted.get(place).cloned(), 3 - place.min(3)),
            None if record.languages.texts().next().is_none() && !isbns.is_empty() => (None, 0),
            None => return None,
        }
    };
    let pages = parse::pages(record.number_of_pages.number(), record.pagination.first()).unwrap_or(0);
    let year = record.publish_date.first().and_then(parse::year).map_or(0, u32::from);
    let cover = record.covers.cover().unwrap_or(0);
    let format = record.physical_format.first().map_or(0, parse::format);
    let is_set = parse::is_set(&title);
    let points = [
        (!is_set, 32),
        (!isbns.is_empty(), 16),
        (cover > 0, 8),
        (pages > 0, 8),
        (format == 1, 4),
        (year > 0, 2),
        (language.is_some(), 2),
    ];
    let quality = points.iter().filter(|(has, _)| *has).map(|(_, points)| points).sum::<u8>();
    Some(EditionRecord {
        work,
        quality: quality.saturating_add(u8::try_from(preference * 60).unwrap_or(0)),
        format,
        pages,
        year,
        cover,
        isbns,
        authors: record.authors.ids().take(MOST).collect(),
        title: title.into_owned(),
        subtitle: text_of(&record.subtitle),
        language: language.unwrap_or_default(),
        publisher: text_of(&record.publishers),
    })
}

/// The first text of a field, or nothing.
fn text_of(field: &Loose<'_>) -> String {
    field.first().and_then(parse::text).unwrap_or_default().into_owned()
}

/// The valid ISBNs, as 13 digits, once each; also those with a remark behind them, as "0441013597 (pbk.)".
fn isbns(fields: &[&Loose<'_>]) -> Vec<u64> {
    let is_remark = |sign: char| !(sign.is_ascii_digit() || matches!(sign, 'x' | 'X' | '-' | ' '));
    let read = |text: &str| isbn::parse(text).or_else(|| isbn::parse(text.split(is_remark).next()?.trim()));
    let mut found = Vec::new();
    for number in fields.iter().flat_map(|field| field.texts()).filter_map(read).filter_map(|isbn| isbn.parse().ok()) {
        if found.len() < MOST && !found.contains(&number) {
            found.push(number);
        }
    }
    found
}

/// Reads a line of the works.
pub fn work(text: &[u8], batch: &mut Batch) -> Fate {
    line(text, "/type/work", batch, |columns, id, batch| {
        with_json(columns.json, |json| {
            let record: Work<'_> = serde_json::from_str(json).ok()?;
            batch.works.push(WorkRecord {
                id,
                year: record.first_publish_date.first().and_then(parse::year).map_or(0, u32::from),
                cover: record.covers.cover().unwrap_or(0),
                genres: genres::of_subjects(record.subjects.texts()),
                authors: record.authors.ids().take(MOST).collect(),
                subtitle: text_of(&record.subtitle),
                title: record.title.first().and_then(parse::title).unwrap_or_default().into_owned(),
            });
            Some(())
        })
    })
}

/// Reads a line of the authors.
pub fn author(text: &[u8], batch: &mut Batch) -> Fate {
    line(text, "/type/author", batch, |columns, id, batch| {
        let name = with_json(columns.json, |json| {
            let record: Author<'_> = serde_json::from_str(json).ok()?;
            let name = record.name.first().or(record.personal_name.first());
            Some(name.and_then(parse::text).map(|name| name.replace('\u{1f}', " ")))
        })?;
        batch.names.extend(name.map(|name| (id, name)));
        Some(())
    })
}

/// Reads a line of the reading log or of the ratings, which begins with the work.
pub fn mention(text: &[u8], batch: &mut Batch) -> Fate {
    let first = text.split(|byte| *byte == b'\t').next().unwrap_or_default();
    let key = std::str::from_utf8(first).unwrap_or_default();
    match id(key).filter(|_| key.starts_with("/works/") && text.len() > first.len()) {
        Some(work) => {
            batch.mentioned.push(work);
            Fate::Read
        }
        None => Fate::Broken,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_inside_texts_are_blanks_and_half_characters_are_marked() {
        let line = |json: &str| format!("/type/author\t/authors/OL7A\t1\t2026-10-31\t{json}");
        for (json, expected) in [
            ("{\"name\":\"Ursula\tK.\u{0}Le Guin\"}", Some("Ursula K. Le Guin")),
            ("{\t\"name\" :\t\"Ursula K. Le Guin\"}", Some("Ursula K. Le Guin")),
            ("{\"name\":\"Ursula\\u0000 K.\\tLe Guin\"}", Some("Ursula K. Le Guin")),
            (r#"{"name":"Ursula\ud83d K. \\ud83d\ud83d\ude00\ude00\ud8"}"#, None),
            (
                r#"{"name":"Ursula\ud83d K. \\ud83d\ud83d\ude00\ude00"}"#,
                Some("Ursula\u{fffd} K. \\ud83d\u{1f600}\u{fffd}"),
            ),
            ("{\"name\":\"Ursula\tK.", None),
        ] {
            let mut batch = Batch::default();
            let fate = author(line(json).as_bytes(), &mut batch);
            assert_eq!(fate, if expected.is_some() { Fate::Read } else { Fate::Broken }, "{json:?}");
            assert_eq!(batch.names.first().map(|(_, name)| name.as_str()), expected, "{json:?}");
        }
    }

    #[test]
    fn a_title_with_its_prefix_is_as_long_as_a_title_may_be() {
        let json = format!("{{\"title\": \"{}\", \"title_prefix\": \"The\"}}", "x".repeat(600));
        let record: Edition<'_> = serde_json::from_str(&json).unwrap();
        let title = edition_record(&record, 1, &[]).unwrap().title;
        assert_eq!((title.chars().count(), &title[..6]), (parse::LONGEST, "The xx"));
    }

    #[test]
    fn an_isbn_may_have_hyphens_and_a_remark() {
        let field =
            |texts: &[&'static str]| Loose::List(texts.iter().map(|text| Loose::Text((*text).into())).collect());
        let found = isbns(&[
            &field(&["978-0-441-01359-3", "9780441013590", "9780306406157 (pbk.)"]),
            &field(&["0441013597 :", "3 453 18683 4", "(pbk.)", ""]),
        ]);
        assert_eq!(found, [9_780_441_013_593, 9_780_306_406_157, 9_783_453_186_835]);
    }
}
