use chrono::TimeDelta;
use proptest::prelude::*;

use super::*;
use crate::kit::id::UserId;
use crate::kit::time_zone::Zone;
use crate::library::books::model::{BookId, BookStatus, WordDistribution};
use crate::library::text::date;

fn on(text: &str) -> NaiveDate {
    date(text).unwrap()
}

fn book(id: i64, words: i64, day: Option<&str>) -> BookRow<'static> {
    BookRow {
        id: BookId(id),
        status: if day.is_some() { BookStatus::Completed } else { BookStatus::Undated },
        date_completed: day.map(on),
        start_date: None,
        word_count: words,
        rating: None,
        format: BookFormat::Print,
        reread: false,
        word_distribution: WordDistribution::Final,
        title: "T",
        author: "A",
        title_key: "t",
        author_key: "a",
        genres: "",
        completed_from: None,
    }
}

fn found(today: &str, books: &[BookRow<'_>]) -> Found {
    let mut tally = Tally::new(on(today));
    books.iter().for_each(|book| tally.add(book));
    tally.finish()
}

#[test]
fn an_empty_library_has_zeros_and_no_average() {
    assert_eq!(found("2024-06-01", &[]), Found::default());
}

#[test]
fn undated_books_count_in_everything_that_needs_no_date() {
    let undated = BookRow { genres: "Crime", rating: Some(Rating::points(4)), ..book(1, 500, None) };
    let found = found("2024-06-01", &[undated]);
    let counted = Kpis {
        total_words: 500,
        books_read: 1,
        authors: 1,
        rated_books: 1,
        average_rating: Some(4.0),
        ..Kpis::default()
    };
    assert_eq!(found.kpis, counted);
    assert_eq!((found.genres.len(), found.authors.len(), found.formats.len(), found.shelf.books.len()), (1, 1, 1, 1));
    assert!(found.months.is_empty());
}

#[test]
fn books_that_are_not_finished_count_in_nothing() {
    let reading = BookRow {
        status: BookStatus::InProgress,
        genres: "Crime",
        start_date: Some(on("2024-01-01")),
        ..book(1, 500, None)
    };
    let given_up = BookRow { status: BookStatus::DidNotFinish, rating: Some(Rating::points(3)), ..reading.clone() };
    assert_eq!(found("2024-06-01", &[reading, given_up]), Found::default());
}

fn rough(words: i64, from: &str, to: &str) -> BookRow<'static> {
    BookRow { completed_from: Some(on(from)), ..book(1, words, Some(to)) }
}

/// The months with any words: name, words, books, about words.
fn months(books: &[BookRow<'_>]) -> Vec<(String, i64, i64, i64)> {
    let months = found("2024-08-01", books).months;
    months.into_iter().map(|month| (month.month, month.words, month.books, month.about_words)).collect()
}

#[test]
fn a_rough_date_of_a_month_counts_as_that_month_and_a_coarser_one_is_about() {
    assert_eq!(months(&[rough(500, "2021-03-01", "2021-03-31")]), [("2021-03".to_owned(), 500, 1, 0)]);
    let year = months(&[rough(73_000, "2019-01-01", "2019-12-31")]);
    assert_eq!(
        (year.len(), &year[0], &year[1]),
        (12, &("2019-01".to_owned(), 0, 0, 6_200), &("2019-02".to_owned(), 0, 0, 5_600))
    );
    assert_eq!(year.iter().map(|month| month.3).sum::<i64>(), 73_000);
    let spring: Vec<_> = months(&[rough(92_000, "2020-03-01", "2020-05-31")]).iter().map(|month| month.3).collect();
    assert_eq!(spring, [31_000, 30_000, 31_000]);
    assert_eq!(months(&[rough(366, "2020-01-01", "2020-12-31")]).len(), 12);
    assert_eq!(months(&[rough(500, "2018-01-01", "2020-12-31")]), []);
}

#[test]
fn a_rough_date_counts_in_a_window_only_with_all_its_days() {
    let kpis = |books: &[BookRow<'_>]| found("2024-08-01", books).kpis;
    let all = kpis(&[
        rough(1, "2024-01-01", "2024-12-31"),
        rough(10, "2023-12-01", "2024-02-29"),
        rough(100, "2024-07-01", "2024-07-31"),
        rough(1_000, "2024-07-05", "2024-07-31"),
        book(5, 10_000, Some("2025-01-01")),
    ]);
    assert_eq!((all.words_ytd, all.books_ytd), (1_101, 3));
    assert_eq!((all.words_last30_days, all.books_last30_days), (1_000, 1));
    assert_eq!((all.total_words, all.books_read), (11_111, 5));
}

#[test]
fn a_book_that_is_read_again_counts_each_time() {
    let dune = rough(200_000, "2019-01-01", "2019-12-31");
    let again = BookRow { reread: true, ..book(2, 200_000, Some("2024-05-02")) };
    let open = BookRow { status: BookStatus::InProgress, ..book(3, 200_000, None) };
    let emma = book(4, 160_000, Some("2024-07-01"));
    let kpis = found("2024-08-01", &[dune, again, open, emma]).kpis;
    assert_eq!((kpis.books_read, kpis.total_words, kpis.rereads), (3, 560_000, 1));
    assert_eq!((kpis.words_ytd, kpis.books_ytd), (360_000, 2));
}

#[test]
fn tenths_are_averaged_exactly() {
    for (tenths, average) in [(vec![75, 80], 7.8), (vec![75, 80, 73], 7.6)] {
        let books: Vec<_> = tenths
            .iter()
            .map(|tenths| BookRow { rating: Some(Rating::of_tenths(*tenths)), ..book(1, 1, None) })
            .collect();
        assert_eq!(found("2024-03-16", &books).kpis.average_rating, Some(average), "{tenths:?}");
    }
}

#[test]
fn the_words_of_a_logged_book_come_from_its_log_and_the_book_from_its_completion() {
    let logged = BookRow { word_distribution: WordDistribution::Logged, ..book(7, 100_000, Some("2026-03-05")) };
    let mut tally = Tally::new(on("2026-06-01"));
    tally.add(&logged);
    assert_eq!(tally.take_logged(), [BookId(7)]);
    tally.add_logged(crate::library::months::number(on("2026-01-01")), 20_000);
    let months = tally.finish().months;
    let shown: Vec<_> = months.iter().map(|month| (month.month.as_str(), month.words, month.books)).collect();
    assert_eq!(shown, [("2026-01", 20_000, 0), ("2026-02", 0, 0), ("2026-03", 0, 1)]);
}

#[test]
fn thirty_days_include_both_ends_and_the_year_begins_on_its_first_day() {
    let books = ["2024-02-15", "2024-02-14", "2024-03-16", "2024-03-17", "2024-01-01", "2023-12-31"];
    let books: Vec<_> =
        (0..).zip(books).map(|(n, day)| book(n, 10_i64.pow(u32::try_from(n).unwrap()), Some(day))).collect();
    let kpis = found("2024-03-16", &books).kpis;
    assert_eq!((kpis.words_last30_days, kpis.books_last30_days), (101, 2));
    assert_eq!((kpis.words_ytd, kpis.books_ytd), (11_111, 5));
}

#[test]
fn the_average_has_one_decimal_half_away_from_zero() {
    for (ratings, average) in [
        (vec![7, 7, 7, 8], 7.3),
        (vec![7, 8], 7.5),
        (vec![0], 0.0),
        (vec![10, 10, 9], 9.7),
        (vec![1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0.1),
    ] {
        let books: Vec<_> = (0..)
            .zip(&ratings)
            .map(|(n, rating)| BookRow { rating: Some(Rating::points(*rating)), ..book(n, 1, None) })
            .collect();
        assert_eq!(found("2024-03-16", &books).kpis.average_rating, Some(average), "{ratings:?}");
    }
}

#[test]
fn authors_of_one_key_are_one_in_the_newest_spelling_whatever_the_filter_leaves_out() {
    let by = |id, author| BookRow { author, ..book(id, 10, None) };
    let mut tally = Tally::new(on("2024-03-16"));
    tally.add(&by(1, "J.R.R. Tolkien\u{1f}J R R Tolkien"));
    tally.add(&by(2, "J. R. R. Tolkien"));
    tally.add(&by(3, "A"));
    tally.pass_over(&by(4, "JRR Tolkien"));
    tally.pass_over(&by(5, "B"));
    let found = tally.finish();
    let authors: Vec<_> = found.authors.iter().map(|one| (one.name.as_str(), one.words, one.books)).collect();
    assert_eq!((authors.as_slice(), found.kpis.authors), ([("JRR Tolkien", 20, 2), ("A", 10, 1)].as_slice(), 2));
}

#[test]
fn names_come_by_words_and_ties_by_code_point() {
    let books =
        [("b,a", 5), ("Z,é", 5), ("y", 9)].map(|(genres, words)| BookRow { genres, ..book(words, words, None) });
    let genres = found("2024-03-16", &books).genres;
    assert_eq!(genres.iter().map(|genre| genre.name.as_str()).collect::<Vec<_>>(), ["y", "Z", "a", "b", "é"]);
    let formats =
        [BookFormat::EBook, BookFormat::Audio, BookFormat::Print].map(|format| BookRow { format, ..book(1, 5, None) });
    let names: Vec<_> = found("2024-03-16", &formats).formats.iter().map(|one| one.format.name()).collect();
    assert_eq!(names, ["Audio", "Print", "eBook"]);
}

#[test]
fn months_have_no_gaps_and_a_spread_book_counts_in_each_but_is_completed_in_one() {
    let spread = BookRow {
        start_date: Some(on("2024-12-30")),
        word_distribution: WordDistribution::Spread,
        ..book(1, 400, Some("2025-01-02"))
    };
    let single = BookRow { start_date: Some(on("2024-09-01")), ..book(2, 7, Some("2024-10-05")) };
    let months = found("2025-03-16", &[spread, single]).months;
    let shown: Vec<_> = months.iter().map(|month| (month.month.as_str(), month.words, month.books)).collect();
    assert_eq!(shown, [("2024-10", 7, 1), ("2024-11", 0, 0), ("2024-12", 200, 0), ("2025-01", 200, 1)]);
}

#[test]
fn the_shelf_shows_the_newest_five_hundred_oldest_first_and_undated_before_all() {
    let mut books: Vec<_> = (0..600)
        .map(|n| BookRow {
            date_completed: Some(on("2020-01-01") + TimeDelta::days(n * 7 % 600)),
            ..book(n, 1, Some("2020-01-01"))
        })
        .collect();
    books.push(book(1000, 1, None));
    let shelf = found("2024-03-16", &books).shelf;
    assert_eq!((shelf.books.len(), shelf.hidden), (500, 101));
    assert_eq!(shelf.books[0].date, Some(on("2020-01-01") + TimeDelta::days(100)));
    assert!(shelf.books.is_sorted_by_key(|book| book.date));
    let few =
        found("2024-03-16", &[book(1, 1, Some("2024-01-01")), book(2, 1, None), book(3, 1, Some("2024-01-01"))]).shelf;
    assert_eq!((few.books.iter().map(|book| book.id.0).collect::<Vec<_>>(), few.hidden), (vec![2, 1, 3], 0));
}

#[test]
fn only_a_teams_shelf_says_whose_a_book_is() {
    let theirs = book((7 << 24) | 1, 1, None);
    let mut team = Tally::of_team(on("2024-01-01"));
    team.add(&theirs);
    assert_eq!(team.finish().shelf.books[0].user_id, Some(UserId(7)));
    assert_eq!(found("2024-01-01", &[theirs]).shelf.books[0].user_id, None);
}

/// The same instant is a different day, month or year elsewhere, and the statistics use the reader's own day.
#[test]
fn figures_follow_the_readers_midnight() {
    let day = |instant: &str, zone| Zone::named(zone).unwrap().day_at(instant.parse().unwrap());
    let finished = [book(1, 1, Some("2024-12-31")), book(2, 10, Some("2025-01-01")), book(3, 100, Some("2024-12-01"))];
    for (zone, today, ytd, recent) in [
        // It is New Year in Kiritimati and Tokyo, but not yet in the other places.
        ("Pacific/Kiritimati", "2025-01-01", 10, 11),
        ("Asia/Tokyo", "2025-01-01", 10, 11),
        ("UTC", "2024-12-31", 101, 101),
        ("America/New_York", "2024-12-31", 101, 101),
        ("Pacific/Pago_Pago", "2024-12-31", 101, 101),
    ] {
        let today_there = day("2024-12-31T15:30:00Z", zone);
        assert_eq!(today_there, on(today), "{zone}");
        let mut tally = Tally::new(today_there);
        finished.iter().for_each(|book| tally.add(book));
        let kpis = tally.finish().kpis;
        assert_eq!((kpis.words_ytd, kpis.words_last30_days), (ytd, recent), "{zone}");
    }
}

#[test]
fn thirty_days_before_the_day_after_a_leap_day() {
    let books = [book(1, 1, Some("2024-01-31")), book(2, 10, Some("2024-01-30")), book(3, 100, Some("2024-02-29"))];
    assert_eq!(found("2024-03-01", &books).kpis.words_last30_days, 101);
    assert_eq!(found("2024-02-29", &books).kpis.words_last30_days, 111);
    assert_eq!(found("2024-02-29", &books).kpis.words_ytd, 111);
}

proptest! {
    /// The sums of figures, names and months agree, whatever the order of the books.
    #[test]
    fn sums_agree_with_each_other(
        books in proptest::collection::vec((0..50_000_i64, proptest::option::of(0..900_i64), 0..60_i64, any::<bool>(), 0..3_usize), 0..60),
        turn in 0..60_usize,
    ) {
        let rows: Vec<_> = (0..).zip(&books).map(|(id, (words, day, before, spreads, genre))| {
            let day = day.map(|day| on("2022-06-01") + TimeDelta::days(day));
            BookRow {
                date_completed: day,
                status: if day.is_some() { BookStatus::Completed } else { BookStatus::Undated },
                start_date: day.map(|day| day - TimeDelta::days(*before)),
                word_distribution: if *spreads { WordDistribution::Spread } else { WordDistribution::Final },
                genres: ["A", "A,B", ""][*genre],
                ..book(id, *words, None)
            }
        }).collect();
        let all = found("2024-03-16", &rows);
        let mut turned = rows.clone();
        if !turned.is_empty() {
            turned.rotate_left(turn % rows.len());
        }
        prop_assert_eq!(&found("2024-03-16", &turned), &all);
        let dated: Vec<_> = rows.iter().filter(|row| row.date_completed.is_some()).collect();
        prop_assert_eq!(all.months.iter().map(|month| month.words).sum::<i64>(), dated.iter().map(|row| row.word_count).sum::<i64>());
        prop_assert_eq!(all.months.iter().map(|month| month.books).sum::<i64>(), i64::try_from(dated.len()).unwrap());
        prop_assert_eq!(all.authors.iter().map(|author| author.words).sum::<i64>(), all.kpis.total_words);
        prop_assert_eq!(all.formats.iter().map(|format| format.books).sum::<i64>(), all.kpis.books_read);
        prop_assert_eq!(i64::try_from(all.shelf.books.len()).unwrap() + all.shelf.hidden, all.kpis.books_read);
    }
}
