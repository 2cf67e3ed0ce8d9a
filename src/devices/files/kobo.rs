//! Kobo's `KoboReader.sqlite`: places, finishes, sessions of kepubs, and words counted by chapter.
use std::collections::{BTreeMap, HashMap};

use chrono::NaiveDate;
use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::{Options, columns, instant};
use crate::devices::coverage::NotedDay;
use crate::devices::statistics::{
    Content, FileBook, FileRefusal, MOST_BOOKS, MOST_ROWS, authors, cut, has, number, words,
};
use crate::library::books::log::{MOST_MINUTES, ReadingDaySource, WHOLE};
use crate::library::books::passages::Passage;
use crate::library::clippings::read::{MOST_PASSAGES, Marked};
use crate::library::rough_date::FIRST_DAY;

/// A book of the table `content`, as a number or as a text.
const BOOK: i64 = 6;
/// Its chapters: the files of a kepub, and the entries of its table of contents, which have the same words once more.
const CHAPTERS: [i64; 2] = [9, 899];
/// `ReadStatus` of a finished book.
const FINISHED: i64 = 2;
/// Events at the beginning and at the end of a session.
const SESSION: [i64; 2] = [1020, 1021];
/// The longest session in seconds: what is longer was never closed.
const LONGEST_SESSION: i64 = 6 * 3_600;

/// Reads the file.
pub fn read(conn: &Connection, options: &Options) -> Result<Content, FileRefusal> {
    let mut content = Content::default();
    let (mut books, mut counted) = (HashMap::<String, FileBook>::new(), HashMap::<String, [i64; 2]>::new());
    let mut names = HashMap::new();
    let wanted = [
        "ContentID", "ContentType", "BookID", "Title", "Attribution", "ReadStatus", "___PercentRead", "DateLastRead",
        "LastTimeFinishedReading", "WordCount",
    ];
    let mut query = conn.prepare(&columns(conn, "content", &wanted)?)?;
    let (mut rows, mut count) = (query.query([])?, 0);
    while let Some(row) = rows.next()? {
        count += 1;
        if count > MOST_ROWS {
            return Err(FileRefusal::TooMany);
        }
        let kind = number(row, 1)?.unwrap_or_default();
        if let Some(place) = CHAPTERS.iter().position(|chapter| *chapter == kind) {
            let sums = counted.entry(words(row, 2)?).or_default();
            sums[place] = sums[place].saturating_add(number(row, 9)?.unwrap_or(0).max(0));
        }
        let title = cut(&words(row, 3)?);
        if kind != BOOK || title.is_empty() {
            continue;
        }
        let (last, finish) = (words(row, 7)?, words(row, 8)?);
        let is_finished = number(row, 5)? == Some(FINISHED);
        let when = if is_finished && !finish.is_empty() { &finish } else { &last };
        let day = instant(when).map(|time| options.zone.day_at(time)).filter(|day| *day <= options.today);
        let at = number(row, 6)?.map(|percent| percent.clamp(0, 100) * 100);
        let at = if is_finished { Some(WHOLE) } else { at.filter(|at| *at > 0) };
        let days = day.zip(at).map(|(day, at)| NotedDay { at: Some(at), finished: is_finished, ..noted(day) });
        let author = words(row, 4)?;
        let book = FileBook {
            authors: authors(&author.replace(';', "\n")),
            title,
            days: days.into_iter().collect(),
            ..FileBook::default()
        };
        names.insert(words(row, 0)?, (book.title.clone(), author));
        books.insert(words(row, 0)?, book);
    }
    for (id, sums) in counted {
        if let Some(book) = books.get_mut(&id) {
            book.words = sums.into_iter().max().filter(|words| *words > 0);
        }
    }
    if has(conn, "Event")? {
        for (id, days) in sessions(conn, options)? {
            if let Some(book) = books.get_mut(&id) {
                book.days
                    .extend(days.into_iter().map(|(day, minutes)| NotedDay { minutes: Some(minutes), ..noted(day) }));
            }
        }
    }
    content.books.extend(books.into_values().filter(|book| !book.days.is_empty() || book.words.is_some()));
    if content.books.len() > MOST_BOOKS {
        return Err(FileRefusal::TooManyBooks);
    }
    // In an order that does not change from one reading to the next.
    content.books.sort_by(|one, other| (&one.title, &one.authors).cmp(&(&other.title, &other.authors)));
    content.passages = passages(conn, options, &names)?;
    Ok(content)
}

/// What was marked in books, by their titles and authors.
fn passages(
    conn: &Connection,
    options: &Options,
    names: &HashMap<String, (String, String)>,
) -> Result<Vec<Marked>, FileRefusal> {
    let wanted = ["VolumeID", "Text", "Annotation", "DateCreated", "Hidden"];
    let mut query = conn.prepare(&columns(conn, "Bookmark", &wanted)?)?;
    let (mut rows, mut found) = (query.query([])?, Vec::new());
    while let Some(row) = rows.next()? {
        let is_hidden = words(row, 4)? == "true" || number(row, 4)?.unwrap_or(0) != 0;
        let Some((title, author)) = names.get(&words(row, 0)?).filter(|_| !is_hidden) else { continue };
        let day = instant(&words(row, 3)?).map(|time| options.zone.day_at(time));
        let passage = Passage { text: words(row, 1)?, place: None, note: Some(words(row, 2)?), day };
        found.extend(Marked::new(title, author, passage));
        if found.len() > MOST_PASSAGES {
            return Err(FileRefusal::TooManyPassages);
        }
    }
    Ok(found)
}

fn noted(day: NaiveDate) -> NotedDay {
    NotedDay { day, at: None, page: None, minutes: None, finished: false, source: ReadingDaySource::Kobo }
}

/// The minutes of each day by book, from the sessions that have both ends.
fn sessions(conn: &Connection, options: &Options) -> Result<HashMap<String, BTreeMap<NaiveDate, i64>>, FileRefusal> {
    let mut ends = HashMap::<String, Vec<(i64, bool)>>::new();
    let mut query = conn.prepare(&columns(conn, "Event", &["EventType", "ContentID", "ExtraData"])?)?;
    let (mut rows, mut count) = (query.query([])?, 0);
    while let Some(row) = rows.next()? {
        let kind = number(row, 0)?;
        let Some(place) = SESSION.iter().position(|known| kind == Some(*known)) else { continue };
        let times = match row.get_ref(2)? {
            ValueRef::Blob(data) => timestamps(data),
            _ => None,
        };
        let times = times.unwrap_or_default();
        count += times.len();
        if count > MOST_ROWS {
            return Err(FileRefusal::TooMany);
        }
        ends.entry(words(row, 1)?).or_default().extend(times.into_iter().map(|time| (time, place == 1)));
    }
    let mut found = HashMap::new();
    for (book, mut times) in ends {
        times.sort_unstable();
        let mut seconds = BTreeMap::<NaiveDate, i64>::new();
        for pair in times.windows(2) {
            let [(start, false), (end, true)] = pair else { continue };
            let length = end - start;
            let day = chrono::DateTime::from_timestamp(*start, 0).map(|time| options.zone.day_at(time));
            if let Some(day) = day.filter(|day| length <= LONGEST_SESSION && (FIRST_DAY..=options.today).contains(day))
            {
                *seconds.entry(day).or_default() += length;
            }
        }
        let minutes = seconds.into_iter().map(|(day, seconds)| (day, ((seconds + 30) / 60).min(MOST_MINUTES)));
        found.insert(book, minutes.filter(|(_, minutes)| *minutes > 0).collect());
    }
    Ok(found)
}

/// The list `eventTimestamps` of a map in Qt's data stream, in seconds; `None` for anything else.
fn timestamps(data: &[u8]) -> Option<Vec<i64>> {
    let mut stream = Stream(data);
    for _ in 0..stream.int()? {
        let key = stream.text()?;
        let value = stream.value()?;
        if key == "eventTimestamps" {
            return Some(value);
        }
    }
    None
}

/// What is left of a data stream.
struct Stream<'d>(&'d [u8]);

impl<'d> Stream<'d> {
    fn take(&mut self, count: usize) -> Option<&'d [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn int(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_be_bytes)
    }

    fn long(&mut self) -> Option<i64> {
        self.take(8)?.try_into().ok().map(i64::from_be_bytes)
    }

    /// UTF-16 with its length in bytes.
    fn text(&mut self) -> Option<String> {
        let length = self.int()?;
        if length == u32::MAX {
            return Some(String::new());
        }
        let units = self.take(usize::try_from(length).ok()?)?.chunks_exact(2);
        Some(String::from_utf16_lossy(&units.map(|unit| u16::from_be_bytes([unit[0], unit[1]])).collect::<Vec<_>>()))
    }

    /// The numbers in a value: its own, or those of a list of numbers.
    fn value(&mut self) -> Option<Vec<i64>> {
        let kind = self.int()?;
        self.take(1)?;
        Some(match kind {
            // No value, a truth value.
            0 => Vec::new(),
            1 => self.take(1).map(|_| Vec::new())?,
            2 | 3 => vec![i64::from(self.int()?)],
            4 | 5 => vec![self.long()?],
            6 => self.take(8).map(|_| Vec::new())?,
            9 => {
                let mut numbers = Vec::new();
                for _ in 0..self.int()? {
                    let (kind, _) = (self.int()?, self.take(1)?);
                    match kind {
                        2 | 3 => numbers.push(i64::from(self.int()?)),
                        4 | 5 => numbers.push(self.long()?),
                        _ => return None,
                    }
                }
                numbers
            }
            10 => self.text().map(|_| Vec::new())?,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Vec<u8> {
        let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
        [&u32::try_from(units.len()).unwrap().to_be_bytes(), units.as_slice()].concat()
    }

    #[test]
    fn the_times_of_an_event_are_a_list_in_a_map() {
        let list = [
            &9_u32.to_be_bytes()[..],
            &[0],
            &2_u32.to_be_bytes(),
            &3_u32.to_be_bytes(),
            &[0],
            &7_u32.to_be_bytes(),
            &4_u32.to_be_bytes(),
            &[0],
            &8_i64.to_be_bytes(),
        ]
        .concat();
        let map = [
            &2_u32.to_be_bytes()[..],
            &text("a"),
            &10_u32.to_be_bytes(),
            &[0],
            &text("b"),
            &text("eventTimestamps"),
            &list,
        ]
        .concat();
        assert_eq!(timestamps(&map), Some(vec![7, 8]));
        for length in 0..map.len() {
            assert_eq!(timestamps(&map[..length]), None, "cut off at {length}");
        }
        assert_eq!(timestamps(&[0xff; 64]), None);
    }
}
