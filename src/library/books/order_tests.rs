use proptest::prelude::*;

use super::*;
use crate::library::books::model::{BookFormat, BookId, BookStatus, WordDistribution};

fn row(id: i64, title: &'static str, rating: Option<i64>, day: Option<&str>) -> BookRow<'static> {
    BookRow {
        id: BookId(id),
        status: if day.is_some() { BookStatus::Completed } else { BookStatus::Undated },
        date_completed: day.and_then(crate::library::text::date),
        start_date: None,
        word_count: rating.unwrap_or(0) * 100,
        rating: rating.map(Rating::points),
        format: BookFormat::Print,
        reread: false,
        word_distribution: WordDistribution::Final,
        title,
        author: "A",
        title_key: title,
        author_key: "a",
        genres: "",
        completed_from: None,
    }
}

fn read(query: &str) -> Result<ListQuery> {
    ListQuery::new(query::read(query)?, query::read(query)?, !query.is_empty())
}

fn parse(query: &str) -> ListQuery {
    read(query).unwrap()
}

fn ids(query: &ListQuery, rows: &[BookRow<'_>]) -> (Vec<i64>, Option<String>) {
    let mut first = FirstPlaces::new(query);
    rows.iter().for_each(|row| first.offer(row));
    let (page, next) = first.finish();
    (page.iter().map(|place| place.id.0).collect(), next)
}

#[test]
fn a_plain_list_asks_nothing_and_shows_the_newest_completion_first() {
    let plain = parse("");
    assert!(!plain.has_query && plain.limit.is_none());
    let rows = [row(1, "b", None, Some("2024-01-01")), row(2, "a", None, None), row(3, "c", None, Some("2024-01-02"))];
    assert_eq!(ids(&plain, &rows), (vec![3, 1, 2], None));
    assert!(parse("titleSearch=").has_query && parse("sort=title").has_query);
}

#[test]
fn nothing_comes_last_both_ways_and_ties_show_the_newest_book_first() {
    let rows = [
        row(1, "a", Some(3), None),
        row(2, "b", None, None),
        row(3, "c", Some(3), None),
        row(4, "d", Some(9), None),
        row(5, "e", None, None),
    ];
    assert_eq!(ids(&parse("sort=rating"), &rows).0, [4, 3, 1, 5, 2]);
    assert_eq!(ids(&parse("sort=rating&order=asc"), &rows).0, [3, 1, 4, 5, 2]);
}

#[test]
fn every_bad_value_is_named() {
    for wrong in ["sort=genre", "order=up", "limit=501", "limit=0", "limit=-1", "limit=1.5", "limit=many", "cursor=x"] {
        let Err(Error::Invalid(fields)) = read(wrong) else { panic!("{wrong}") };
        let named: Vec<_> = fields.iter().map(|(field, _)| field).collect();
        assert_eq!(named, [wrong.split('=').next().unwrap()], "{wrong}");
    }
}

#[test]
fn a_cursor_is_refused_in_another_order() {
    let rows = [row(1, "a", Some(1), None), row(2, "b", Some(2), None)];
    let cursor = ids(&parse("sort=title&limit=1"), &rows).1.unwrap();
    assert_eq!(ids(&parse(&format!("sort=title&limit=1&cursor={cursor}")), &rows).0, [1]);
    for other in ["sort=author", "sort=title&order=asc", "sort=rating", ""] {
        assert!(read(&format!("{other}&cursor={cursor}")).is_err(), "{other}");
    }
}

#[test]
fn a_title_that_looks_like_a_date_pages_on() {
    let rows = ["1984-01-01", "1984-01-02", "2001-9-2", "2001-9-11"];
    let rows: Vec<_> = (1..).zip(rows).map(|(id, title)| row(id, title, None, None)).collect();
    for (order, expected) in [("asc", [1, 2, 3, 4]), ("desc", [4, 3, 2, 1])] {
        let (mut cursor, mut paged) = (String::new(), Vec::new());
        for _ in &rows {
            let (page, next) = ids(&parse(&format!("sort=title&order={order}&limit=1&cursor={cursor}")), &rows);
            paged.extend(page);
            cursor = next.unwrap_or_default();
        }
        assert_eq!(paged, expected);
    }
}

proptest! {
    /// The pages together show the same books in the same order as the whole list, for any library, order and page size.
    #[test]
    fn pages_together_are_the_whole_list(
        books in proptest::collection::vec((0..4_usize, proptest::option::of(0..3_i64), proptest::option::of(0..3_usize)), 0..40),
        sort in prop::sample::select(vec!["title", "author", "wordCount", "dateCompleted", "rating"]),
        order in prop::sample::select(vec!["asc", "desc"]),
        limit in 1..7_usize,
    ) {
        let (titles, days) = (["a", "b 10", "b 2", "c"], ["2024-01-01", "2024-01-02", "2024-02-01"]);
        let rows: Vec<_> = (1..).zip(&books).map(|(id, (title, rating, day))| row(id, titles[*title], *rating, day.map(|day| days[day]))).collect();
        let whole = ids(&parse(&format!("sort={sort}&order={order}")), &rows).0;
        prop_assert_eq!(whole.len(), rows.len());
        let mut paged = Vec::new();
        let mut cursor = String::new();
        loop {
            let (page, next) = ids(&parse(&format!("sort={sort}&order={order}&limit={limit}&cursor={cursor}")), &rows);
            prop_assert!(page.len() <= limit);
            paged.extend(page);
            match next {
                Some(next) => cursor = next,
                None => break,
            }
        }
        prop_assert_eq!(paged, whole);
    }
}
