//! Properties of book queries that must hold for any input; see [`crate::kit::fuzz_checks`]. [`reads`] has those of reads.
mod reads;

use super::filter::{BookRow, Filter};
use super::model::{Distribution, FIRST_DAY, Format, Status};
use super::order::{FirstPlaces, ListQuery, Position};
use super::rating::Rating;
use crate::kit::fuzz_checks::query;
use crate::kit::http::extract::Query;
use crate::library::books::model::BookId;
use crate::library::text;
pub use reads::reads;

/// Filters, orders and cursors from a query string.
pub fn filters(data: &[u8]) {
    let query = query(data);
    let title = text::fold(query.get("titleSearch").unwrap_or_default());
    assert_eq!(text::fold(&title), title, "folding twice changes nothing");
    let asked = ListQuery::parse(&query);
    match (Filter::parse(&query), &asked) {
        (Ok(filter), Ok(asked)) => assert_eq!(filter, asked.filter),
        (Ok(_), Err(errors)) => assert!(!errors.is_empty()),
        (Err(errors), asked) => {
            assert!(asked.is_err(), "the list accepts a query that its filter refuses");
            let named = errors.iter().all(|(field, sentence)| Filter::KEYS.contains(&field) && sentence.ends_with('.'));
            assert!(named, "{errors:?}");
        }
    }
    if let Ok(asked) = asked {
        pages(&asked, &title);
    }
}

/// A page is in order, not longer than requested, begins after its cursor, and the next one begins after its last book.
fn pages(asked: &ListQuery, title: &str) {
    let keys = ["", "a", "2020-01-01", title, "\u{10ffff}"];
    let shelf: Vec<_> = (0..8).map(|id| book(id, keys[id % keys.len()])).collect();
    let mut first = FirstPlaces::new(asked);
    for book in shelf.iter().filter(|book| asked.filter.matches(book)) {
        first.offer(book);
    }
    let (page, next) = first.finish();
    assert!(page.len() <= asked.limit.unwrap_or(shelf.len()));
    assert!(page.is_sorted_by(|one, two| one.compare(two, asked.direction).is_lt()), "{page:?}");
    if let (Some(after), Some(begin)) = (&asked.after, page.first()) {
        assert!(after.compare(begin, asked.direction).is_lt(), "{after:?} before {begin:?}");
    }
    let word = |value| serde_json::to_value(value).ok().and_then(|word| word.as_str().map(str::to_owned));
    let mut more = Query::default();
    more.0.extend(word(serde_json::json!(asked.sort)).map(|sort| ("sort".to_owned(), sort)));
    more.0.extend(word(serde_json::json!(asked.direction)).map(|order| ("order".to_owned(), order)));
    for place in page.iter().map(Position::clone).chain(asked.after.clone()) {
        more.0.retain(|(key, _)| key != "cursor");
        more.0.push(("cursor".to_owned(), asked.cursor_behind(&place)));
        assert_eq!(ListQuery::parse(&more).map(|more| more.after), Ok(Some(place)), "a cursor leads to its place");
    }
    assert_eq!(next, page.last().filter(|_| next.is_some()).map(|last| asked.cursor_behind(last)));
}

/// One of the listed books.
fn book(number: usize, key: &str) -> BookRow<'_> {
    let id = i64::try_from(number).unwrap_or_default();
    let day = number.is_multiple_of(2).then_some(FIRST_DAY);
    BookRow {
        id: BookId(id),
        status: if day.is_some() { Status::Completed } else { Status::Undated },
        date_completed: day,
        start_date: None,
        word_count: id / 3,
        rating: number.is_multiple_of(3).then_some(Rating::of_tenths(id)),
        format: Format::Print,
        reread: false,
        word_distribution: Distribution::Final,
        title: key,
        author: key,
        title_key: key,
        author_key: key,
        genres: "",
        completed_from: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::fuzz_checks::broken;

    #[test]
    fn every_question_is_answered_in_its_order_or_refused_by_name() {
        broken("fuzz/seeds/filters", 1_500, filters);
    }
}
