use std::borrow::Cow;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::*;
use crate::kit::time_zone::Hemisphere;
use crate::library::books::authors::Authors;
use crate::library::books::facts::BookFacts;
use crate::library::books::model::{BookId, Genres};

fn payload(json: serde_json::Value) -> BookFields {
    serde_json::from_value(json).unwrap()
}

fn span() -> Book<'static> {
    Book {
        id: BookId(1),
        title: "Emma".into(),
        author: "Jane Austen".into(),
        authors: Authors("Jane Austen".into()),
        word_count: 160_000,
        word_count_source: WordCountSource::Epub,
        pages: Some(474),
        minutes: None,
        isbn: None,
        status: BookStatus::Completed,
        start_date: text::date("2024-12-30"),
        date_completed: text::date("2025-01-02"),
        year: Some(2025),
        month: Some(1),
        rating: Some(Rating::points(8)),
        format: BookFormat::EBook,
        reread: false,
        genres: Genres(Cow::Borrowed("Classic,Romance")),
        impressions: Some("Witty.".into()),
        quotes: ["Handsome, clever, and rich"].into_iter().collect(),
        word_distribution: WordDistribution::Spread,
        work: BookId(1),
        completed_from: None,
        stopped_date: None,
        paused_since: None,
        progress: None,
        facts: BookFacts::default(),
        cover: None,
        created_at: "2025-01-03T10:00:00Z".into(),
        updated_at: "2025-01-03T10:00:00Z".into(),
    }
}

fn change(json: serde_json::Value) -> Result<BookDraft, FieldErrors> {
    payload(json).into_changed(&span()).map(|(draft, _)| draft)
}

#[test]
fn a_new_book_needs_little_and_unknown_keys_are_ignored() {
    let sent = serde_json::json!({"title": " Emma ", "author": "Jane Austen", "dateCompleted": "2025-01-02", "year": 1, "x": []});
    let draft = payload(sent).into_new().unwrap();
    assert_eq!((draft.title.as_str(), draft.status, draft.format), ("Emma", BookStatus::Completed, BookFormat::Print));
    assert_eq!((draft.word_count, draft.reread, draft.rating), (0, false, None));
}

#[test]
fn null_in_a_new_book_is_the_same_as_not_sent() {
    let sent = serde_json::json!({
        "title": "Emma", "author": "A", "status": "undated", "wordCount": null, "format": null, "reread": null, "genres": null,
        "quotes": null, "rating": null, "wordDistribution": null, "startDate": null
    });
    assert!(payload(sent).into_new().is_ok());
}

#[test]
fn wrong_types_and_words_are_each_named() {
    let sent = serde_json::json!({
        "title": 5, "author": "A", "wordCount": "many", "rating": 7.55, "status": "single", "format": "ebook", "reread": "yes",
        "genres": "Crime", "quotes": [1], "dateCompleted": "2025-1-2", "pages": 1.0, "isbn": 9, "wordDistribution": "even"
    });
    let errors = payload(sent).into_new().unwrap_err();
    for field in [
        "title", "wordCount", "rating", "status", "format", "reread", "genres", "quotes", "dateCompleted", "pages",
        "isbn", "wordDistribution",
    ] {
        assert!(errors.get(field).is_some(), "{field}");
    }
    assert_eq!(errors.get("dateCompleted"), Some("Dates must be written yyyy-MM-dd."));
    assert_eq!(errors.get("title"), Some("The title must be a text."));
}

#[test]
fn an_absent_field_stays_and_null_clears() {
    let draft = change(serde_json::json!({"rating": null, "impressions": null, "genres": null})).unwrap();
    assert_eq!((draft.rating, draft.impressions, draft.genres.len()), (None, None, 0));
    assert_eq!(
        (draft.title.as_str(), draft.pages, draft.word_distribution),
        ("Emma", Some(474), WordDistribution::Spread)
    );
    assert_eq!(draft.quotes, span().quotes);
}

#[test]
fn null_does_not_clear_what_must_be_there() {
    for field in ["title", "author", "wordCount", "status", "format", "reread", "wordDistribution"] {
        assert!(change(serde_json::json!({field: null})).unwrap_err().get(field).is_some(), "{field}");
    }
}

#[test]
fn a_change_of_status_clears_what_the_new_one_may_not_have() {
    let reading = change(serde_json::json!({"status": "in-progress"})).unwrap();
    assert_eq!((reading.date_completed, reading.rating, reading.start_date), (None, None, span().start_date));
    let undated = change(serde_json::json!({"status": "undated"})).unwrap();
    assert_eq!((undated.start_date, undated.date_completed, undated.rating), (None, None, Some(Rating::points(8))));
    assert_eq!(undated.word_distribution, WordDistribution::Final);
}

#[test]
fn what_a_payload_itself_sends_against_its_status_is_refused() {
    assert!(change(serde_json::json!({"status": "in-progress", "rating": 5})).unwrap_err().get("rating").is_some());
    let undated = span().draft();
    let undated = BookDraft { status: BookStatus::Undated, start_date: None, date_completed: None, ..undated };
    assert!(
        BookDraft { status: BookStatus::Completed, ..undated }.checked().unwrap_err().get("dateCompleted").is_some()
    );
}

#[test]
fn a_span_that_loses_its_start_counts_on_its_last_day() {
    let single = change(serde_json::json!({"startDate": null})).unwrap();
    assert_eq!(single.word_distribution, WordDistribution::Final);
    let insisting = change(serde_json::json!({"startDate": null, "wordDistribution": "spread"}));
    assert!(insisting.unwrap_err().get("wordDistribution").is_some());
}

#[test]
fn a_sent_word_count_counts_as_entered() {
    assert_eq!(change(serde_json::json!({"wordCount": 5})).unwrap().word_count_source, WordCountSource::Entered);
    assert_eq!(change(serde_json::json!({"rating": 5})).unwrap().word_count_source, WordCountSource::Epub);
    let pages = change(serde_json::json!({"wordCount": 5, "wordCountSource": "pages"})).unwrap();
    assert_eq!(pages.word_count_source, WordCountSource::Pages);
}

#[test]
fn a_changed_start_is_checked_against_the_end_that_stays() {
    assert!(change(serde_json::json!({"startDate": "2025-01-03"})).unwrap_err().get("startDate").is_some());
}

fn rough(date: &str) -> BookFields {
    payload(serde_json::json!({"title": "T", "author": "A", "dateCompleted": date}))
}

/// The two ends of a draft's completion.
fn ends(draft: &BookDraft) -> (Option<String>, Option<String>) {
    (draft.completed_from.map(|day| day.to_string()), draft.date_completed.map(|day| day.to_string()))
}

#[test]
fn a_rough_text_becomes_its_two_ends() {
    for (typed, hemisphere, from, to) in [
        ("2019", Hemisphere::North, Some("2019-01-01"), "2019-12-31"),
        ("March 2021", Hemisphere::North, Some("2021-03-01"), "2021-03-31"),
        ("spring 2020", Hemisphere::North, Some("2020-03-01"), "2020-05-31"),
        ("spring 2020", Hemisphere::South, Some("2020-09-01"), "2020-11-30"),
        ("before 2015", Hemisphere::North, Some("1900-01-01"), "2014-12-31"),
        ("2021-03-14", Hemisphere::North, None, "2021-03-14"),
        ("2021-03-14/2021-03-14", Hemisphere::North, None, "2021-03-14"),
    ] {
        let draft = rough(typed).with_both_ends(hemisphere).into_new().unwrap();
        assert_eq!(ends(&draft), (from.map(str::to_owned), Some(to.to_owned())), "{typed}");
    }
}

#[test]
fn a_text_that_is_refused_has_the_sentence_of_its_field() {
    for (typed, sentence) in [
        ("winter 2020", "Winter 2019/20 or winter 2020/21? Write it with both years."),
        ("1901-2001", "That is longer than a reader's life. Leave the date out instead."),
        ("1899", "Dates must be between 1900-01-01 and 2100-12-31."),
        (
            "sometime",
            "Dates must be written yyyy-MM-dd, or as a rough date: 2019, 2021-03, March 2021, spring 2020, winter 2019/20, 1990s, \
                2018-2020 or before 2015.",
        ),
    ] {
        let errors = rough(typed).with_both_ends(Hemisphere::North).into_new().unwrap_err();
        assert_eq!(errors.get("dateCompleted"), Some(sentence), "{typed}");
    }
    // A rough date is one text or two days, never a text beside a day.
    let both = serde_json::json!({"title": "T", "author": "A", "dateCompleted": "2019", "completedFrom": "2019-01-01"});
    let errors = payload(both).with_both_ends(Hemisphere::North).into_new().unwrap_err();
    assert_eq!(errors.get("dateCompleted"), Some("Dates must be written yyyy-MM-dd."));
}

#[test]
fn two_equal_ends_are_a_day_and_leave_the_distribution() {
    for json in [
        serde_json::json!({"completedFrom": "2025-01-02"}),
        serde_json::json!({"dateCompleted": "2025-01-05", "completedFrom": "2025-01-05"}),
    ] {
        let (draft, cleared) = payload(json).into_changed(&span()).unwrap();
        assert_eq!((draft.completed_from, draft.word_distribution), (None, WordDistribution::Spread));
        assert!(cleared.is_empty());
    }
}

#[test]
fn a_rough_date_stays_with_its_stored_day_and_becomes_exact_with_any_other() {
    let stored = Book { start_date: None, word_distribution: WordDistribution::Final, ..span() };
    let stored = Book { completed_from: text::date("2019-01-01"), date_completed: text::date("2019-12-31"), ..stored };
    let to = |json: serde_json::Value| {
        let (draft, _) = payload(json).with_both_ends(Hemisphere::North).into_changed(&stored).unwrap();
        ends(&draft)
    };
    let pair = |from: Option<&str>, to: &str| (from.map(str::to_owned), Some(to.to_owned()));
    assert_eq!(
        to(serde_json::json!({"dateCompleted": "2019-12-31", "rating": 7})),
        pair(Some("2019-01-01"), "2019-12-31")
    );
    assert_eq!(to(serde_json::json!({"dateCompleted": "2019-12-30"})), pair(None, "2019-12-30"));
    assert_eq!(to(serde_json::json!({"dateCompleted": "2018-2019"})), pair(Some("2018-01-01"), "2019-12-31"));
    assert_eq!(to(serde_json::json!({"completedFrom": null})), pair(None, "2019-12-31"));
    assert_eq!(to(serde_json::json!({"completedFrom": "2019-06-01"})), pair(Some("2019-06-01"), "2019-12-31"));
    assert_eq!(to(serde_json::json!({"dateCompleted": "Dec 31, 2019"})), pair(None, "2019-12-31"));
}

proptest! {
    #[test]
    fn whatever_is_sent_becomes_a_book_with_the_dates_of_its_status_or_is_refused_by_field(
        keys in proptest::sample::subsequence(
            vec!["status", "startDate", "dateCompleted", "completedFrom", "stoppedDate", "pausedSince", "rating", "wordDistribution"], 0..8),
        values in proptest::collection::vec(select(vec![json!(null), json!("2024-02-29"), json!("2025-01-02"), json!("1899-12-31"),
            json!("spring 2020"), json!("2019"), json!(7.5), json!("completed"), json!("in-progress"), json!("did-not-finish"),
            json!("undated"), json!("spread"), json!("logged"), json!([])]), 8),
        hemisphere in select(&Hemisphere::ALL),
    ) {
        let mut sent: serde_json::Map<_, _> = keys.into_iter().map(str::to_owned).zip(values).collect();
        let changed = payload(sent.clone().into()).with_both_ends(hemisphere).into_changed(&span()).map(|(draft, _)| draft);
        sent.extend([("title".to_owned(), json!("Emma")), ("author".to_owned(), json!("Jane Austen"))]);
        for read in [payload(sent.into()).with_both_ends(hemisphere).into_new(), changed] {
            match read {
                Ok(draft) => {
                    prop_assert_eq!(draft.clone().checked(), Ok(draft.clone()));
                    prop_assert_eq!(draft.date_completed.is_some(), draft.status == BookStatus::Completed);
                    prop_assert!(draft.start_date.is_none() || draft.status != BookStatus::Undated);
                    prop_assert!(draft.stopped_date.is_none() || draft.status == BookStatus::DidNotFinish);
                    prop_assert!(draft.paused_since.is_none() || draft.status == BookStatus::InProgress);
                    prop_assert!(draft.completed_from.is_none() || draft.completed_from < draft.date_completed);
                }
                Err(errors) => prop_assert!(!errors.is_empty()),
            }
        }
    }
}
