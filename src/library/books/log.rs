//! The log of a read: the place that was reached on each day, and what its words count for when they are counted by it.
use std::collections::BTreeMap;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::length;
use super::model::{Book, BookStatus, FIRST_DAY, LAST_DAY, LONGEST_MINUTES, MOST_PAGES};
use super::reads::{MOST_DAYS, ReadRefusal};
use crate::kit::named::named;
use crate::library::months::{Share, number, spread};

/// The whole book, in hundredths of a percent.
pub const WHOLE: i64 = 10_000;
/// The most characters of a note.
pub const NOTE_LENGTH: usize = 2_000;
/// The most minutes of a day.
pub const MOST_MINUTES: i64 = 1_440;

named! {
    /// Where a day of a log comes from.
    #[derive(Default)]
    ReadingDaySource {
        /// Entered by a person.
        #[default]
        Hand = "hand",
        /// KOReader.
        KoReader = "koreader",
        /// Kobo.
        Kobo = "kobo",
        /// Kindle.
        Kindle = "kindle",
        /// Audiobookshelf.
        Audiobookshelf = "audiobookshelf",
        /// Calibre.
        Calibre = "calibre",
        /// A table of days.
        File = "file",
    }
}

/// One day of a log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReadingDay {
    /// The day of reading, yyyy-MM-dd.
    pub day: NaiveDate,
    /// The place reached, in hundredths of a percent; null where only the day was noted.
    #[schema(required, minimum = 0, maximum = 10_000)]
    pub at: Option<i64>,
    /// The page; null where none was noted.
    #[schema(required)]
    pub page: Option<i64>,
    /// The time from the beginning of an audiobook, h:mm; null where none was noted.
    #[schema(required, value_type = Option<String>, pattern = r"^\d{1,4}:[0-5]\d$")]
    #[serde(serialize_with = "written_time")]
    pub time: Option<i64>,
    /// Minutes of reading; null where none were noted.
    #[schema(required)]
    pub minutes: Option<i64>,
    /// The reader's note; null without one.
    #[schema(required)]
    pub note: Option<String>,
    /// What was newly read on the day, in hundredths of a percent, as a device says; null where none does.
    #[schema(required, minimum = 0, maximum = 10_000)]
    pub covered: Option<i64>,
    /// True for a day that a device has and its reader removed, and of which nothing else is said; otherwise absent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub dismissed: bool,
    /// Where it comes from.
    #[serde(skip)]
    pub source: ReadingDaySource,
}

impl ReadingDay {
    /// A day without a place.
    pub fn of(day: NaiveDate) -> Self {
        let source = ReadingDaySource::Hand;
        Self {
            day,
            at: None,
            page: None,
            time: None,
            minutes: None,
            note: None,
            covered: None,
            dismissed: false,
            source,
        }
    }
}

/// A day of a log in one of our own files.
#[derive(Debug, Serialize, Deserialize)]
struct ListedDay {
    day: NaiveDate,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    page: Option<i64>,
    /// In minutes from the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    minutes: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    covered: Option<i64>,
    #[serde(default, skip_serializing_if = "is_hand")]
    source: ReadingDaySource,
}

fn is_hand(source: &ReadingDaySource) -> bool {
    *source == ReadingDaySource::Hand
}

/// A log as a JSON list; empty for an empty log.
pub fn listed(log: &[ReadingDay]) -> serde_json::Result<String> {
    if log.is_empty() {
        return Ok(String::new());
    }
    let listed = |logged: &ReadingDay| {
        let ReadingDay { day, at, page, time, minutes, note, covered, source, .. } = logged.clone();
        ListedDay { day, at, page, time, minutes, note, covered, source }
    };
    serde_json::to_string(&log.iter().map(listed).collect::<Vec<_>>())
}

/// Reads [`listed`], oldest first; `None` for anything that no log has.
pub fn read_list(cell: &str) -> Option<Vec<ReadingDay>> {
    let days: Vec<ListedDay> = serde_json::from_str(cell).ok()?;
    let within = |value: Option<i64>, most| value.is_none_or(|value| (0..=most).contains(&value));
    let is_valid = |listed: &ListedDay| {
        (FIRST_DAY..=LAST_DAY).contains(&listed.day)
            && within(listed.at, WHOLE)
            && within(listed.page, MOST_PAGES)
            && within(listed.time, LONGEST_MINUTES)
            && (listed.page.is_none() || listed.at.is_some())
            && (listed.time.is_none() || (listed.at.is_some() && listed.page.is_none()))
            && within(listed.minutes, MOST_MINUTES)
            && within(listed.covered, WHOLE)
            && listed.note.as_ref().is_none_or(|note| note.chars().count() <= NOTE_LENGTH && !note.contains('\0'))
    };
    let valid = days.len() <= MOST_DAYS && days.iter().all(is_valid);
    let logged = |listed: ListedDay| {
        let ListedDay { day, at, page, time, minutes, note, covered, source } = listed;
        (day, ReadingDay { at, page, time, minutes, note, covered, source, ..ReadingDay::of(day) })
    };
    let by_day: BTreeMap<_, _> = days.into_iter().map(logged).collect();
    valid.then(|| by_day.into_values().collect())
}

/// The place of a page among the pages, or of a time in the length, rounded down; beyond the end the end.
pub fn place_of(page: i64, pages: i64) -> i64 {
    (page.saturating_mul(WHOLE) / pages.max(1)).clamp(0, WHOLE)
}

/// How long an edition is, in the units that places are noted in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Length {
    /// The pages, where they are known.
    pub pages: Option<i64>,
    /// The minutes, where they are known.
    pub minutes: Option<i64>,
}

impl Length {
    /// The length of a read's edition.
    pub fn of(book: &Book<'_>) -> Self {
        Self { pages: book.pages, minutes: book.minutes }
    }
}

impl ReadingDay {
    /// The place by the page or the time that was noted, in an edition of this length; `None` where neither was, or its unit is unknown.
    pub fn place_in(&self, length: Length) -> Option<i64> {
        let of_page = self.page.zip(length.pages).map(|(page, pages)| place_of(page, pages));
        of_page.or_else(|| self.time.zip(length.minutes).map(|(time, minutes)| place_of(time, minutes)))
    }
}

fn written_time<S: serde::Serializer>(time: &Option<i64>, serializer: S) -> Result<S::Ok, S::Error> {
    time.map(length::written).serialize(serializer)
}

/// Whether a read takes a day of its log: a finished one up to its last possible day of completion, an undated one only days that it
/// has already.
pub fn takes_day(book: &Book<'_>, day: NaiveDate, is_new: bool) -> Result<(), ReadRefusal> {
    let refused = match book.status {
        BookStatus::Completed => book.date_completed.is_some_and(|completed| day > completed),
        BookStatus::Undated => is_new,
        BookStatus::InProgress | BookStatus::DidNotFinish => false,
    };
    if refused { Err(ReadRefusal::Finished) } else { Ok(()) }
}

/// The words of each month of a finished read by its log. `places` are days with the place reached, in hundredths of a percent, oldest
/// first. What was read up to the first place is spread from the start on; each further rise counts on its day; the rest, and what was
/// noted later, counts on the day of completion. The shares add up to exactly the words, and each is at least one.
pub fn months(words: i64, start: Option<NaiveDate>, completed: NaiveDate, places: &[(NaiveDate, i64)]) -> Vec<Share> {
    let mut shares = BTreeMap::<i32, i64>::new();
    let (mut reached, mut read) = (0, 0);
    for (day, at) in places {
        if *at <= reached {
            continue;
        }
        let day = (*day).min(completed);
        // 128 bits, because words are not limited here.
        let through =
            i64::try_from(i128::from(words) * i128::from(*at) / i128::from(WHOLE)).unwrap_or(words).min(words);
        let from = start.filter(|start| reached == 0 && *start < day).unwrap_or(day);
        for Share { month, words } in spread(through - read, from, day) {
            *shares.entry(month).or_default() += words;
        }
        (reached, read) = (*at, through);
    }
    *shares.entry(number(completed)).or_default() += words - read;
    shares.into_iter().filter(|(_, words)| *words > 0).map(|(month, words)| Share { month, words }).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::library::months::name;
    use crate::library::text::date;

    fn counted(words: i64, start: Option<&str>, completed: &str, places: &[(&str, i64)]) -> Vec<(String, i64)> {
        let places: Vec<_> = places.iter().map(|(day, at)| (date(day).unwrap(), *at)).collect();
        let shares = months(words, start.and_then(date), date(completed).unwrap(), &places);
        shares.into_iter().map(|share| (name(share.month), share.words)).collect()
    }

    fn pairs(list: &[(&str, i64)]) -> Vec<(String, i64)> {
        list.iter().map(|(month, words)| ((*month).to_owned(), *words)).collect()
    }

    #[test]
    fn words_are_counted_by_the_log() {
        let log = [("2026-02-02", 4_000), ("2026-02-10", 7_000)];
        assert_eq!(
            counted(100_000, Some("2026-01-30"), "2026-03-05", &log),
            pairs(&[("2026-01", 20_000), ("2026-02", 50_000), ("2026-03", 30_000)])
        );
        // Without an earlier start, the first part counts on the day of the first place.
        assert_eq!(counted(100_000, None, "2026-03-05", &log), pairs(&[("2026-02", 70_000), ("2026-03", 30_000)]));
        assert_eq!(counted(100, None, "2026-03-05", &[]), pairs(&[("2026-03", 100)]));
        assert_eq!(counted(0, None, "2026-03-05", &log), pairs(&[]));
    }

    #[test]
    fn a_step_back_changes_nothing_and_a_late_note_counts_on_the_day_of_completion() {
        let log = [("2026-01-10", 0), ("2026-01-20", 5_000), ("2026-02-01", 2_000), ("2026-04-01", 9_000)];
        assert_eq!(counted(1_000, None, "2026-03-05", &log), pairs(&[("2026-01", 500), ("2026-03", 500)]));
    }

    #[test]
    fn a_page_is_rounded_down_and_never_beyond_the_end() {
        assert_eq!(
            [place_of(0, 412), place_of(1, 412), place_of(412, 412), place_of(500, 412)],
            [0, 24, 10_000, 10_000]
        );
    }

    proptest! {
        #[test]
        fn the_months_add_up_to_exactly_the_words(
            words in 0..=100_000_000_i64, start in proptest::option::of(0..400_i64), end in 0..400_i64,
            log in proptest::collection::btree_map(0..500_i64, 0..=10_000_i64, 0..12),
        ) {
            let day = |days| date("2024-01-01").unwrap() + chrono::TimeDelta::days(days);
            let places: Vec<_> = log.into_iter().map(|(days, at)| (day(days), at)).collect();
            let shares = months(words, start.map(day), day(end), &places);
            prop_assert_eq!(shares.iter().map(|share| share.words).sum::<i64>(), words);
            prop_assert!(shares.iter().all(|share| share.words > 0 && share.month <= number(day(end))));
        }
    }
}
