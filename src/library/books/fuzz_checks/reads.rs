//! Properties of reads: what their requests, typed dates and logs become for any input.
use chrono::NaiveDate;

use crate::kit::FieldErrors;
use crate::kit::time_zone::Hemisphere;
use crate::library::books::again::AgainPayload;
use crate::library::books::authors::Authors;
use crate::library::books::day_payload::DayPayload;
use crate::library::books::facts::Facts;
use crate::library::books::log::{LoggedDay, MOST_MINUTES, NOTE_LENGTH, WHOLE, listed, read_list};
use crate::library::books::model::{
    Book, BookDraft, BookId, Distribution, FIRST_DAY, Format, Genres, LAST_DAY, Status, WordCountSource,
};
use crate::library::books::payload::BookPayload;
use crate::library::rough_date::RoughDate;

/// Up to this many lines of the input are read.
const LINES: usize = 8;
/// The reader's day.
const TODAY: NaiveDate = NaiveDate::from_ymd_opt(2026, 11, 12).unwrap();

/// Each line as a date that was typed, as a log of our own files, and as the body of each request about reads.
pub fn reads(data: &[u8]) {
    for line in String::from_utf8_lossy(data).lines().take(LINES) {
        for hemisphere in [Hemisphere::North, Hemisphere::South] {
            typed(line, hemisphere);
            books(line, hemisphere);
        }
        if let Some(days) = read_list(line).filter(|days| !days.is_empty()) {
            let again = listed(&days).ok().and_then(|cell| read_list(&cell));
            assert_eq!(again.as_ref(), Some(&days), "a log is read as it was written");
            assert!(days.is_sorted_by(|one, other| one.day < other.day), "{days:?}");
        }
        if let Ok(payload) = serde_json::from_str::<AgainPayload>(line) {
            for status in Status::ALL {
                further(payload.clone().into_read(&book(status), status.is_finished(), TODAY));
            }
        }
        if let Ok(payload) = serde_json::from_str::<DayPayload>(line) {
            let known = LoggedDay { at: Some(5_000), page: Some(50), ..LoggedDay::of(TODAY) };
            for (known, pages) in
                [(None, None), (None, Some(100)), (Some(known.clone()), None), (Some(known), Some(100))]
            {
                logged(payload.clone().onto(known, TODAY, TODAY, pages), pages);
            }
        }
    }
}

/// A date that is understood is a valid one, and is read back from its written form wherever its reader lives.
fn typed(line: &str, hemisphere: Hemisphere) {
    let Ok(date) = RoughDate::parse(line, hemisphere) else { return };
    assert_eq!(RoughDate::between(date.from, date.to), Ok(date), "{line:?}");
    for hemisphere in [Hemisphere::North, Hemisphere::South] {
        assert_eq!(RoughDate::parse(&date.exported(), hemisphere), Ok(date), "{line:?}");
    }
}

/// A new book and a changed one are whole, or each wrong field is named.
fn books(line: &str, hemisphere: Hemisphere) {
    let Ok(payload) = serde_json::from_str::<BookPayload>(line) else { return };
    let payload = payload.with_both_ends(hemisphere);
    match payload.clone().into_new() {
        Ok(draft) => whole(&draft),
        Err(errors) => refused(&errors),
    }
    for status in Status::ALL {
        match payload.clone().into_changed(&book(status)) {
            Ok((draft, _)) => whole(&draft),
            Err(errors) => refused(&errors),
        }
    }
}

/// A draft is as it is stored, and has the dates of its status and no others.
fn whole(draft: &BookDraft) {
    assert_eq!(draft.clone().checked().as_ref(), Ok(draft), "a book is as it is stored");
    let BookDraft { status, start_date, date_completed, completed_from, stopped_date, paused_since, .. } = draft;
    let dates = [start_date, date_completed, completed_from, stopped_date, paused_since];
    assert!(dates.into_iter().flatten().all(|day| (FIRST_DAY..=LAST_DAY).contains(day)), "{draft:?}");
    assert_eq!(date_completed.is_some(), *status == Status::Completed, "{draft:?}");
    assert!(start_date.is_none() || *status != Status::Undated, "{draft:?}");
    assert!(stopped_date.is_none() || *status == Status::DidNotFinish, "{draft:?}");
    assert!(paused_since.is_none() || *status == Status::InProgress, "{draft:?}");
    assert!(draft.rating.is_none() || *status != Status::InProgress, "{draft:?}");
    if completed_from.is_some() {
        assert!(completed_from < date_completed && start_date.is_none(), "{draft:?}");
        assert_eq!(draft.word_distribution, Distribution::Final, "{draft:?}");
    }
}

/// A further read is in progress and has none of the former's words about it.
fn further(read: Result<BookDraft, FieldErrors>) {
    match read {
        Ok(draft) => {
            whole(&draft);
            assert!(draft.status == Status::InProgress && draft.start_date.is_some(), "{draft:?}");
            assert!(draft.impressions.is_none() && draft.quotes.is_empty(), "{draft:?}");
        }
        Err(errors) => refused(&errors),
    }
}

/// A day of a log is within its bounds.
fn logged(day: Result<LoggedDay, FieldErrors>, pages: Option<i64>) {
    match day {
        Ok(day) => {
            assert!(day.at.is_none_or(|at| (0..=WHOLE).contains(&at)), "{day:?}");
            let is_in_book = |page: i64| page >= 0 && day.at.is_some() && pages.is_none_or(|pages| page <= pages);
            assert!(day.page.is_none_or(is_in_book), "{day:?}");
            assert!(day.minutes.is_none_or(|minutes| (0..=MOST_MINUTES).contains(&minutes)), "{day:?}");
            let is_note = |note: &String| !note.trim().is_empty() && note.chars().count() <= NOTE_LENGTH;
            assert!(day.note.as_ref().is_none_or(is_note), "{day:?}");
        }
        Err(errors) => refused(&errors),
    }
}

fn refused(errors: &FieldErrors) {
    assert!(!errors.is_empty());
    assert!(errors.iter().all(|(field, sentence)| !field.is_empty() && sentence.ends_with(['.', '?'])), "{errors:?}");
}

/// A read of each status, with everything that the status allows.
fn book(status: Status) -> Book<'static> {
    let on = |allowed: Status| Some(FIRST_DAY).filter(|_| status == allowed);
    Book {
        id: BookId(1),
        title: "Emma".into(),
        author: "Jane Austen".into(),
        authors: Authors("Jane Austen".into()),
        word_count: 160_000,
        word_count_source: WordCountSource::Entered,
        pages: Some(474),
        isbn: None,
        status,
        start_date: Some(FIRST_DAY).filter(|_| status != Status::Undated),
        date_completed: on(Status::Completed),
        year: on(Status::Completed).map(|_| 1900),
        month: on(Status::Completed).map(|_| 1),
        rating: None,
        format: Format::Print,
        reread: false,
        genres: Genres("Classic".into()),
        impressions: Some("Witty.".into()),
        quotes: vec!["Handsome, clever, and rich".into()],
        word_distribution: Distribution::Final,
        work: BookId(1),
        completed_from: None,
        stopped_date: on(Status::DidNotFinish),
        paused_since: on(Status::InProgress),
        progress: None,
        facts: Facts::default(),
        cover: None,
        created_at: String::new().into(),
        updated_at: String::new().into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::fuzz_checks::broken;

    #[test]
    fn whatever_is_sent_about_a_read_becomes_a_whole_read_or_is_refused_by_name() {
        broken("fuzz/seeds/reads", 1_500, reads);
    }
}
