//! The answers of the offline catalogue. It asks nobody, so nothing is counted and nothing is stored.
use super::model::{Answer, Found, MOST_RESULTS, Outcome, Question, Source, SourceOutcome};
use crate::catalogue::model::Hit;
use crate::catalogue::store::{by_isbn, search};
use crate::kit::App;
use crate::kit::db::pool::blocking;
use crate::library::books::facts::PUBLISHER_LENGTH;
use crate::library::books::model::Format;

/// The name of the offline catalogue among the sources.
pub const NAME: &str = "catalogue";
/// The results of the offline catalogue that stay when others have many, too.
const KEPT: usize = MOST_RESULTS / 2;

/// What the offline catalogue knows, with its outcome; `None` when there is no catalogue.
pub async fn ask(app: &App, question: &Question) -> Option<(Vec<Found>, Outcome)> {
    let (file, question) = (app.catalogue.clone(), question.clone());
    let read = blocking(move || {
        Ok(file.read(|conn| match &question {
            Question::Isbn(isbn) => Ok(by_isbn(conn, isbn)?.into_iter().collect()),
            Question::Words(words) => search(conn, words),
        }))
    });
    match read.await {
        Ok(Ok(None)) => None,
        Ok(Ok(Some(hits))) => {
            let found: Vec<Found> = hits.into_iter().map(found).collect();
            let outcome = if found.is_empty() { Outcome::Empty } else { Outcome::Found };
            Some((found, outcome))
        }
        Ok(Err(cause)) => {
            tracing::warn!(%cause, "reading the offline catalogue failed");
            Some((Vec::new(), Outcome::Failed))
        }
        Err(cause) => {
            tracing::warn!(%cause, "reading the offline catalogue failed");
            Some((Vec::new(), Outcome::Failed))
        }
    }
}

/// The catalogue that has the cover of a result: that of the offline catalogue is Open Library's, whose records it holds.
pub fn cover_source(name: &str) -> Option<Source> {
    if name == NAME { Some(Source::OpenLibrary) } else { Source::from_name(name) }
}

/// How the offline catalogue stands among the sources.
pub fn outcome(outcome: Outcome) -> SourceOutcome {
    SourceOutcome { name: NAME.to_owned(), outcome }
}

/// Puts the offline catalogue's results before those of the others, without a second result of one ISBN.
pub fn first((mut found, said): (Vec<Found>, Outcome), others: Answer) -> Answer {
    let has = |found: &[Found], isbn: &Option<String>| isbn.is_some() && found.iter().any(|book| book.isbn == *isbn);
    let others_found: Vec<Found> = others.data.into_iter().filter(|book| !has(&found, &book.isbn)).collect();
    found.truncate(KEPT.max(MOST_RESULTS.saturating_sub(others_found.len())));
    found.extend(others_found);
    found.truncate(MOST_RESULTS);
    let sources = std::iter::once(outcome(said)).chain(others.sources).collect();
    Answer { data: found, sources }
}

fn found(hit: Hit) -> Found {
    let Hit { title, authors, pages, isbn, publisher, published, language, format, genres, original_year, cover } = hit;
    Found {
        isbn,
        publisher: publisher.map(|publisher| publisher.chars().take(PUBLISHER_LENGTH).collect()),
        published,
        original_year,
        language,
        format: format.and_then(Format::from_name),
        genres,
        cover: cover.map(|cover| cover.to_string()),
        ..Found::new(NAME, title, authors, pages.map(i64::from))
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
            Found { source: source.to_owned(), ..found(hit) }
        };
        let own: Vec<Found> = (0..20).map(|isbn| book(NAME, isbn)).collect();
        let others = |isbns: std::ops::Range<usize>| Answer {
            data: isbns.map(|isbn| book("openlibrary", isbn)).collect(),
            sources: vec![SourceOutcome { name: "openlibrary".into(), outcome: Outcome::Found }],
        };
        for (isbns, own_kept, others_kept) in [(0..15, 20, 0), (19..22, 18, 2), (20..40, 10, 10)] {
            let answer = first((own.clone(), Outcome::Found), others(isbns));
            let count = |source: &str| answer.data.iter().filter(|book| book.source == source).count();
            assert_eq!((count(NAME), count("openlibrary")), (own_kept, others_kept));
            assert_eq!((answer.data[0].source.as_str(), answer.data[0].word_count), (NAME, Some(27_500)));
            assert_eq!(answer.sources.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), [NAME, "openlibrary"]);
        }
    }
}
