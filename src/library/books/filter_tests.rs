use proptest::prelude::*;

use super::*;
use crate::kit::Error;
use crate::kit::http::query;
use crate::library::books::model::BookId;

/// The keys that are refused.
fn refused(query: &str) -> Vec<String> {
    match query::read::<Filter>(query).unwrap_err() {
        Error::Invalid(fields) => fields.iter().map(|(field, _)| field.to_owned()).collect(),
        other => panic!("{other:?}"),
    }
}

fn parse(query: &str) -> Filter {
    query::read(query).unwrap()
}

fn day(text: &str) -> Option<NaiveDate> {
    text::date(text)
}

fn book() -> BookRow<'static> {
    BookRow {
        id: BookId(1),
        status: BookStatus::Completed,
        date_completed: day("2024-02-29"),
        start_date: None,
        word_count: 100,
        rating: Some(Rating::points(7)),
        format: BookFormat::EBook,
        reread: false,
        word_distribution: WordDistribution::Final,
        title: "Les Misérables",
        author: "Victor Hugo",
        title_key: "les miserables",
        author_key: "victor hugo",
        genres: "Classic,History",
        completed_from: None,
    }
}

#[test]
fn no_question_lets_everything_pass() {
    for empty in [
        "",
        "titleSearch=&genres=&authors=&formats=&reread=&minRating=&startDate=&endDate=",
        "minRating=0&reread=include&other=1",
    ] {
        assert!(parse(empty).is_everything(), "{empty}");
    }
}

#[test]
fn titles_are_found_without_regard_to_case_and_accents() {
    assert!(parse("titleSearch=MISÉR").matches(&book()));
    assert!(parse("titleSearch=les+mis").matches(&book()));
    assert!(!parse("titleSearch=hugo").matches(&book()));
}

#[test]
fn titles_and_authors_are_found_however_they_are_punctuated() {
    let orwell = BookRow {
        title: "Animal Farm: A Fairy Story?",
        title_key: "animal farm a fairy story",
        author: "J.R.R. Tolkien\u{1f}G. Orwell",
        author_key: "jrr tolkien g orwell",
        ..book()
    };
    for query in [
        "titleSearch=farm+a", "titleSearch=farm,+a", "titleSearch=animalfarm", "titleSearch=?", "authors=J+R+R+Tolkien",
    ] {
        assert!(parse(query).matches(&orwell), "{query}");
    }
    for query in ["titleSearch=!", "titleSearch=nimalfarm", "authors=Orwell"] {
        assert!(!parse(query).matches(&orwell), "{query}");
    }
}

#[test]
fn repeated_keys_mean_any_of_them_and_different_keys_mean_all() {
    assert!(parse("genres=Crime&genres=History").matches(&book()));
    assert!(parse("formats=Print&formats=eBook&authors=Victor+Hugo").matches(&book()));
    assert!(!parse("genres=History&formats=Print").matches(&book()));
    assert!(!parse("genres=Hist").matches(&book()));
}

#[test]
fn a_genre_is_found_however_it_is_written() {
    assert!(parse("genres=HISTORY").matches(&book()) && parse("genres=history&genres=Crime").matches(&book()));
    assert!(!parse("genres=HIST").matches(&book()));
}

#[test]
fn a_status_is_asked_for_by_its_name_and_may_repeat() {
    let open = BookRow { status: BookStatus::InProgress, date_completed: None, rating: None, ..book() };
    assert!(parse("status=in-progress").matches(&open) && !parse("status=in-progress").matches(&book()));
    assert!(parse("status=in-progress&status=completed").matches(&book()));
    assert!(!parse("status=undated&status=in-progress").matches(&book()));
    assert!(parse("status=").is_everything());
    let given_up = BookRow { status: BookStatus::DidNotFinish, date_completed: None, ..book() };
    assert!(parse("status=did-not-finish&status=undated").matches(&given_up));
    assert!(!parse("status=undated&status=completed&status=in-progress").matches(&given_up));
}

#[test]
fn paused_books_are_asked_for_among_those_in_progress() {
    let open = BookRow { status: BookStatus::InProgress, date_completed: None, rating: None, ..book() };
    let paused = parse("status=paused&status=completed");
    assert!(paused.leaves_out_running() && paused.matches(&open) && paused.matches(&book()));
    assert!(!parse("status=paused").matches(&book()));
    assert!(!parse("status=paused&status=in-progress").leaves_out_running());
    assert!(!parse("status=in-progress").leaves_out_running() && !parse("").leaves_out_running());
}

#[test]
fn a_work_is_a_whole_number() {
    assert_eq!(parse("work=16777217").work, Some(BookId(16_777_217)));
    assert!(!parse("work=1").is_everything() && parse("work=").is_everything());
    assert!(refused("work=x") == ["work"]);
}

#[test]
fn a_rough_date_passes_a_bound_only_with_all_its_days() {
    let rough = BookRow { completed_from: day("2019-01-01"), date_completed: day("2019-12-31"), ..book() };
    for (query, passes) in [
        ("startDate=2019-01-01&endDate=2019-12-31", true),
        ("startDate=2019-01-01&endDate=2019-06-30", false),
        ("startDate=2019-02-01", false),
        ("endDate=2020-01-01", true),
    ] {
        assert_eq!(parse(query).matches(&rough), passes, "{query}");
    }
}

#[test]
fn a_least_rating_leaves_out_unrated_books_and_zero_does_not() {
    let unrated = BookRow { rating: None, ..book() };
    assert!(!parse("minRating=1").matches(&unrated) && parse("minRating=0").matches(&unrated));
    assert!(parse("minRating=7").matches(&book()) && !parse("minRating=8").matches(&book()));
    let half = BookRow { rating: Some(Rating::of_tenths(75)), ..book() };
    assert!(parse("minRating=7.5").matches(&half) && !parse("minRating=7.6").matches(&half));
}

#[test]
fn a_date_bound_takes_its_own_day_and_leaves_out_books_without_a_completion() {
    assert!(parse("startDate=2024-02-29&endDate=2024-02-29").matches(&book()));
    assert!(!parse("startDate=2024-03-01").matches(&book()) && !parse("endDate=2024-02-28").matches(&book()));
    let undated = BookRow { date_completed: None, status: BookStatus::Undated, ..book() };
    assert!(!parse("startDate=1900-01-01").matches(&undated) && !parse("endDate=2100-01-01").matches(&undated));
}

#[test]
fn rereads_are_included_left_out_or_alone() {
    let again = BookRow { reread: true, ..book() };
    for (query, first, second) in [("include", true, true), ("exclude", true, false), ("only", false, true)] {
        let filter = parse(&format!("reread={query}"));
        assert_eq!((filter.matches(&book()), filter.matches(&again)), (first, second), "{query}");
    }
}

#[test]
fn every_bad_value_is_named() {
    let query = "formats=print&status=reading&reread=maybe&minRating=11&startDate=2024-02-30&endDate=soon";
    for pair in query.split('&') {
        assert_eq!(refused(pair), [pair.split('=').next().unwrap()], "{pair}");
    }
    assert_eq!(refused(query), ["formats"]);
}

#[test]
fn hidden_are_only_books_completed_before_the_window() {
    let from = day("2024-03-01");
    assert!(!is_visible(day("2024-02-29"), from) && is_visible(day("2024-03-01"), from));
    assert!(is_visible(None, from) && is_visible(day("1900-01-01"), None));
}

proptest! {
    /// The filter agrees with the sentences of docs/rules.md, for any book and any filter.
    #[test]
    fn the_filter_agrees_with_its_sentences(
        rating in proptest::option::of(0..=10_i64),
        min in 0..=10_i64,
        days in proptest::option::of(0..40_i64),
        from in proptest::option::of(0..40_i64),
        to in proptest::option::of(0..40_i64),
        reread: bool,
        want in 0..3_usize,
        genre in prop::sample::select(vec!["", "A", "B", "C"]),
        format in prop::sample::select(BookFormat::ALL.to_vec()),
        wanted in prop::sample::subsequence(BookFormat::ALL.to_vec(), 0..=3),
    ) {
        let on = |offset: i64| day("2024-02-10").unwrap() + chrono::TimeDelta::days(offset);
        let row = BookRow { rating: rating.map(Rating::points), reread, format, date_completed: days.map(on), genres: "A,B", ..book() };
        let filter = Filter {
            min_rating: Rating::points(min),
            from: from.map(on),
            to: to.map(on),
            rereads: [Rereads::Include, Rereads::Exclude, Rereads::Only][want],
            formats: wanted.clone(),
            genres: if genre.is_empty() { vec![] } else { vec![genre.to_lowercase()] },
            ..Filter::default()
        };
        let sentences = [
            min == 0 || rating.unwrap_or(-1) >= min,
            from.is_none() || days.is_some_and(|days| days >= from.unwrap()),
            to.is_none() || days.is_some_and(|days| days <= to.unwrap()),
            want != 1 || !reread,
            want != 2 || reread,
            wanted.is_empty() || wanted.contains(&format),
            genre != "C",
        ];
        prop_assert_eq!(filter.matches(&row), sentences.into_iter().all(|sentence| sentence));
    }
}
