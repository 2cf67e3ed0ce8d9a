//! Searches the offline catalogue. It sends no request, so nothing is counted and nothing is stored.
use std::fmt::Display;

use super::model::{
    FoundBook, LookupOutcome, LookupQuery, LookupResponse, LookupSource, LookupSourceOutcome, MOST_RESULTS,
};
use crate::catalogue::model::Hit;
use crate::catalogue::store::{self, by_isbn};
use crate::kit::App;
use crate::kit::db::pool::blocking;
use crate::library::books::facts::PUBLISHER_LENGTH;
use crate::library::books::model::BookFormat;

/// The name of the offline catalogue among the sources.
pub const NAME: &str = "catalogue";
/// The results of the offline catalogue that stay when others have many, too.
const KEPT: usize = MOST_RESULTS / 2;

/// What the offline catalogue knows, with its outcome; `None` when there is no catalogue.
pub async fn search(app: &App, query: &LookupQuery) -> Option<(Vec<FoundBook>, LookupOutcome)> {
    let (file, query) = (app.catalogue.clone(), query.clone());
    let read = blocking(move || {
        Ok(file.read(|conn| match &query {
            LookupQuery::Isbn(isbn) => Ok(by_isbn(conn, isbn)?.into_iter().collect()),
            LookupQuery::Words(words) => store::search(conn, words),
        }))
    });
    let failed = |cause: &dyn Display| {
        tracing::warn!(%cause, "reading the offline catalogue failed");
        Some((Vec::new(), LookupOutcome::Failed))
    };
    match read.await {
        Ok(Ok(None)) => None,
        Ok(Ok(Some(hits))) => {
            let found: Vec<FoundBook> = hits.into_iter().map(found_book).collect();
            let outcome = if found.is_empty() { LookupOutcome::Empty } else { LookupOutcome::Found };
            Some((found, outcome))
        }
        Ok(Err(cause)) => failed(&cause),
        Err(cause) => failed(&cause),
    }
}

/// The catalogue that has the cover of a result: that of the offline catalogue is Open Library's, whose records it holds.
pub fn cover_source(name: &str) -> Option<LookupSource> {
    if name == NAME { Some(LookupSource::OpenLibrary) } else { LookupSource::from_name(name) }
}

/// The entry of the offline catalogue in the list of sources.
pub fn outcome(outcome: LookupOutcome) -> LookupSourceOutcome {
    LookupSourceOutcome { name: NAME.to_owned(), outcome }
}

/// Puts the offline catalogue's results before those of the others, without a second result of one ISBN.
pub fn merge(mut found: Vec<FoundBook>, offline: LookupOutcome, others: LookupResponse) -> LookupResponse {
    let has =
        |found: &[FoundBook], isbn: &Option<String>| isbn.is_some() && found.iter().any(|book| book.isbn == *isbn);
    let others_found: Vec<FoundBook> = others.data.into_iter().filter(|book| !has(&found, &book.isbn)).collect();
    found.truncate(KEPT.max(MOST_RESULTS.saturating_sub(others_found.len())));
    found.extend(others_found);
    found.truncate(MOST_RESULTS);
    let sources = std::iter::once(outcome(offline)).chain(others.sources).collect();
    LookupResponse { data: found, sources }
}

fn found_book(hit: Hit) -> FoundBook {
    let Hit { title, authors, pages, isbn, publisher, published, language, format, genres, original_year, cover } = hit;
    FoundBook {
        isbn,
        publisher: publisher.map(|publisher| publisher.chars().take(PUBLISHER_LENGTH).collect()),
        published,
        original_year,
        language,
        format: format.and_then(BookFormat::from_name),
        genres,
        cover: cover.map(|cover| cover.to_string()),
        ..FoundBook::new(NAME, title, authors, pages.map(i64::from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_comes_first_and_leaves_room_for_the_others() {
        let book = |source: &str, isbn: usize| {
            let hit =
                Hit { title: source.to_owned(), isbn: Some(isbn.to_string()), pages: Some(100), ..Hit::default() };
            FoundBook { source: source.to_owned(), ..found_book(hit) }
        };
        let own: Vec<FoundBook> = (0..20).map(|isbn| book(NAME, isbn)).collect();
        let others = |isbns: std::ops::Range<usize>| LookupResponse {
            data: isbns.map(|isbn| book("openlibrary", isbn)).collect(),
            sources: vec![LookupSourceOutcome { name: "openlibrary".into(), outcome: LookupOutcome::Found }],
        };
        for (isbns, own_kept, others_kept) in [(0..15, 20, 0), (19..22, 18, 2), (20..40, 10, 10)] {
            let answer = merge(own.clone(), LookupOutcome::Found, others(isbns));
            let count = |source: &str| answer.data.iter().filter(|book| book.source == source).count();
            assert_eq!((count(NAME), count("openlibrary")), (own_kept, others_kept));
            assert_eq!((answer.data[0].source.as_str(), answer.data[0].word_count), (NAME, Some(27_500)));
            assert_eq!(answer.sources.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), [NAME, "openlibrary"]);
        }
    }
}
