use super::*;

fn day(text: &str) -> Option<NaiveDate> {
    crate::library::text::date(text)
}

fn completed() -> BookDraft {
    BookDraft {
        title: "Middlemarch".into(),
        authors: vec!["George Eliot".into()],
        word_count: 316_059,
        date_completed: day("2024-02-29"),
        rating: Some(Rating::points(9)),
        ..BookDraft::default()
    }
}

fn complaint(draft: BookDraft, field: &str) -> String {
    let errors = draft.checked().unwrap_err();
    errors.get(field).unwrap_or_else(|| panic!("nothing about {field} in {errors:?}")).to_owned()
}

#[test]
fn a_plain_book_is_fine_and_its_year_and_month_follow_from_the_completion() {
    let book = completed().checked().unwrap();
    assert_eq!((book.year(), book.month()), (Some(2024), Some(2)));
}

#[test]
fn title_and_author_are_trimmed_before_they_are_measured() {
    let padded = BookDraft { title: format!("\u{3000} {} \n", "語".repeat(500)), ..completed() };
    assert_eq!(padded.checked().unwrap().title, "語".repeat(500));
    assert_eq!(
        complaint(BookDraft { title: "語".repeat(501), ..completed() }, "title"),
        "The title can have at most 500 characters."
    );
    assert_eq!(
        complaint(BookDraft { authors: vec![" \t ".into()], ..completed() }, "author"),
        "The author is required."
    );
}

#[test]
fn every_wrong_field_is_named_at_once() {
    let wrong = BookDraft {
        word_count: -1,
        pages: Some(0),
        rating: Some(Rating::points(11)),
        isbn: Some("123".into()),
        ..BookDraft::default()
    };
    let errors = wrong.checked().unwrap_err();
    let named: Vec<_> = errors.iter().map(|(field, _)| field).collect();
    assert_eq!(named, ["title", "author", "wordCount", "pages", "isbn", "rating", "dateCompleted"]);
}

#[test]
fn ranges_take_their_ends_and_nothing_beyond() {
    for (words, pages, rating) in [(0, 1, 0), (100_000_000, 100_000, 10)] {
        let book =
            BookDraft { word_count: words, pages: Some(pages), rating: Some(Rating::points(rating)), ..completed() };
        assert!(book.checked().is_ok());
    }
    for (date, fine) in [("1899-12-31", false), ("1900-01-01", true), ("2100-12-31", true), ("2101-01-01", false)] {
        assert_eq!(BookDraft { date_completed: day(date), ..completed() }.checked().is_ok(), fine, "{date}");
    }
    assert!(BookDraft { word_count: 100_000_001, ..completed() }.checked().is_err());
}

#[test]
fn a_span_may_last_one_day_but_not_end_before_it_starts() {
    let span = |start| BookDraft { start_date: day(start), word_distribution: WordDistribution::Spread, ..completed() };
    assert!(span("2024-02-29").checked().is_ok());
    assert!(complaint(span("2024-03-01"), "startDate").contains("after"));
}

#[test]
fn words_are_spread_only_from_a_start_date() {
    complaint(BookDraft { word_distribution: WordDistribution::Spread, ..completed() }, "wordDistribution");
}

#[test]
fn a_book_in_progress_has_neither_completion_nor_rating() {
    let reading = BookDraft { status: BookStatus::InProgress, date_completed: None, rating: None, ..completed() };
    assert!(BookDraft { start_date: day("2024-01-01"), ..reading.clone() }.checked().is_ok());
    assert!(reading.clone().checked().is_ok());
    complaint(BookDraft { rating: Some(Rating::points(3)), ..reading.clone() }, "rating");
    complaint(BookDraft { date_completed: day("2024-01-01"), ..reading }, "dateCompleted");
}

#[test]
fn an_undated_book_has_no_dates_but_keeps_a_rating() {
    let undated = BookDraft { status: BookStatus::Undated, date_completed: None, ..completed() };
    assert_eq!(undated.clone().checked().unwrap().rating, Some(Rating::points(9)));
    complaint(BookDraft { start_date: day("2024-01-01"), ..undated }, "startDate");
}

#[test]
fn genres_are_trimmed_and_repeated_ones_fold_into_the_first() {
    let genres = [" Fantasy", "", "fantasy", "Épopée", "Epopee", "ÉPOPÉE", "  "].map(String::from).to_vec();
    assert_eq!(BookDraft { genres, ..completed() }.checked().unwrap().genres, ["Fantasy", "Épopée", "Epopee"]);
}

#[test]
fn genres_have_no_commas_and_at_most_fifty_of_a_hundred_characters() {
    let with = |genres| BookDraft { genres, ..completed() };
    complaint(with(vec!["Crime, true".into()]), "genres");
    complaint(with(vec!["g".repeat(101)]), "genres");
    assert!(with((0..50).map(|n| format!("{n:0>100}")).collect()).checked().is_ok());
    complaint(with((0..51).map(|n| n.to_string()).collect()), "genres");
}

#[test]
fn impressions_and_quotes_are_kept_as_written_within_their_limits() {
    let kept = BookDraft {
        impressions: Some(" a\r\nb\u{7} ".into()),
        quotes: [" q ", " \n"].into_iter().collect(),
        ..completed()
    };
    let kept = kept.checked().unwrap();
    assert_eq!(kept.impressions.as_deref(), Some(" a\r\nb\u{7} "));
    assert_eq!(kept.quotes.texts().collect::<Vec<_>>(), [" q "]);
    assert_eq!(BookDraft { impressions: Some(String::new()), ..completed() }.checked().unwrap().impressions, None);
    complaint(BookDraft { impressions: Some("i".repeat(20_001)), ..completed() }, "impressions");
    complaint(BookDraft { quotes: ["q".repeat(5_001)].into_iter().collect(), ..completed() }, "quotes");
    complaint(BookDraft { quotes: vec!["q"; 201].into_iter().collect(), ..completed() }, "quotes");
}

#[test]
fn a_nul_is_refused_in_every_text() {
    complaint(BookDraft { title: "a\0b".into(), ..completed() }, "title");
    complaint(BookDraft { authors: vec!["a\0b".into()], ..completed() }, "author");
    complaint(BookDraft { genres: vec!["a\0".into()], ..completed() }, "genres");
    complaint(BookDraft { impressions: Some("\0".into()), ..completed() }, "impressions");
    complaint(BookDraft { quotes: ["a\0"].into_iter().collect(), ..completed() }, "quotes");
}

#[test]
fn an_isbn_is_kept_as_thirteen_digits_and_a_blank_one_is_none() {
    let with = |isbn: &str| BookDraft { isbn: Some(isbn.into()), ..completed() };
    assert_eq!(with("0-306-40615-2").checked().unwrap().isbn.as_deref(), Some("9780306406157"));
    assert_eq!(with(" ").checked().unwrap().isbn, None);
    complaint(with("0-306-40615-3"), "isbn");
}

#[test]
fn checking_twice_changes_nothing_more() {
    let once = BookDraft { genres: vec![" A ".into(), "a".into()], isbn: Some("0306406152".into()), ..completed() }
        .checked()
        .unwrap();
    assert_eq!(once.clone().checked(), Ok(once));
}

#[test]
fn names_are_read_back() {
    assert!(BookStatus::ALL.iter().all(|one| BookStatus::from_name(one.name()) == Some(*one)));
    assert!(BookFormat::ALL.iter().all(|one| BookFormat::from_name(one.name()) == Some(*one)));
    assert_eq!(BookStatus::from_name("Completed"), None);
}

#[test]
fn sentences_name_the_limits_that_are_checked() {
    let most = |limit: i64| format!(" to {}.", crate::library::text::grouped(limit.unsigned_abs()));
    assert!(WORDS_RANGE.ends_with(&most(MOST_WORDS)), "{WORDS_RANGE}");
    assert!(PAGES_RANGE.ends_with(&most(MOST_PAGES)), "{PAGES_RANGE}");
}

#[test]
fn the_interface_computes_words_from_pages_as_the_program_does() {
    let interface = concat!(env!("CARGO_MANIFEST_DIR"), "/ui/src/");
    let stated = |file: &str| std::fs::read_to_string(format!("{interface}{file}")).unwrap();
    assert!(stated("library/books/numbers.ts").contains(&format!("WORDS_PER_PAGE = {WORDS_A_PAGE};")));
    for file in ["library/import/texts.ts", "library/import/history/gains.ts"] {
        assert!(stated(file).contains(&format!("at {WORDS_A_PAGE} ")), "{file} names another number of words a page");
    }
}
