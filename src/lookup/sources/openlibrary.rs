//! Open Library: one request for an ISBN, another for words.
use serde_json::Value;

use super::{SourceRequest, address_below, objects, texts};
use crate::catalogue::genres;
use crate::config::lookup::Lookup;
use crate::library::languages;
use crate::lookup::clean;
use crate::lookup::model::{FoundBook, FoundSeries, LookupQuery, LookupSource, MOST_RESULTS};

/// The hosts that Open Library redirects to. A star stands for any name below.
pub const HOSTS: &[&str] =
    &["openlibrary.org", "www.openlibrary.org", "covers.openlibrary.org", "archive.org", "*.archive.org"];

/// Open Library sends only fields that are asked for.
const FIELDS: &str = "key,title,author_name,first_publish_year,number_of_pages_median,isbn,subject,series_name,series_position,cover_i,language,\
    editions,editions.key,editions.title,editions.language,editions.isbn,editions.publisher,editions.publish_date,editions.cover_i";
/// Open Library refuses shorter words.
const SHORTEST: usize = 3;

/// The request that searches for books.
pub fn request(settings: &Lookup, query: &LookupQuery) -> Option<SourceRequest> {
    let base = &settings.openlibrary.url;
    let url = match query {
        LookupQuery::Isbn(isbn) => {
            let key = format!("ISBN:{isbn}");
            address_below(base, "/api/books", &[("bibkeys", &key), ("jscmd", "data"), ("format", "json")])
        }
        LookupQuery::Words(words) => {
            // It refuses this word alone, too.
            if words.chars().count() < SHORTEST || words.eq_ignore_ascii_case("the") {
                return None;
            }
            let limit = MOST_RESULTS.to_string();
            address_below(base, "/search.json", &[("q", words), ("fields", FIELDS), ("limit", &limit)])
        }
    };
    url.map(SourceRequest::get)
}

pub fn parse_response(query: &LookupQuery, body: &[u8]) -> Option<Vec<FoundBook>> {
    let answer: Value = serde_json::from_slice(body).ok()?;
    match query {
        LookupQuery::Isbn(isbn) => {
            let books = answer.as_object()?;
            Some(books.get(&format!("ISBN:{isbn}")).and_then(|book| edition(isbn, book)).into_iter().collect())
        }
        LookupQuery::Words(_) => {
            let works = answer.get("docs")?.as_array()?;
            Some(works.iter().filter_map(work).take(MOST_RESULTS).collect())
        }
    }
}

/// A book of the response for an ISBN.
fn edition(isbn: &str, book: &Value) -> Option<FoundBook> {
    let pages = clean::pages(&book["number_of_pages"]).or_else(|| clean::pages(&book["pagination"]));
    let names = |list: &'static str| objects(&book[list]).filter_map(|entry| entry["name"].as_str());
    let authors = clean::authors(names("authors"));
    Some(FoundBook {
        isbn: Some(isbn.to_owned()),
        publisher: objects(&book["publishers"]).find_map(|entry| clean::publisher(&entry["name"])),
        published: book["publish_date"].as_str().and_then(clean::published),
        genres: genres::most_frequent(names("subjects")),
        cover: ["large", "medium", "small"].iter().find_map(|size| cover_id(book["cover"][*size].as_str()?)),
        ..FoundBook::new(LookupSource::OpenLibrary.name(), clean::title(&book["title"])?, authors, pages)
    })
}

/// A work of the search, in the edition that fits best.
fn work(work: &Value) -> Option<FoundBook> {
    let edition = objects(&work["editions"]["docs"]).next().unwrap_or(&Value::Null);
    let title = clean::title(&edition["title"]).or_else(|| clean::title(&work["title"]))?;
    let authors = clean::authors(texts(&work["author_name"]));
    let languages: Vec<&str> = texts(&work["language"]).collect();
    // A work in many languages does not say which one this edition has.
    let alone = if let [language] = languages.as_slice() { Some(*language) } else { None };
    let series = texts(&work["series_name"]).next().map(Value::from);
    let series = series
        .as_ref()
        .and_then(clean::series_name)
        .map(|name| FoundSeries { name, number: first(&work["series_position"]).and_then(clean::series_number) });
    Some(FoundBook {
        isbn: clean::isbn(texts(&edition["isbn"])).or_else(|| clean::isbn(texts(&work["isbn"]))),
        publisher: first(&edition["publisher"]).and_then(clean::publisher),
        published: first(&edition["publish_date"]).and_then(Value::as_str).and_then(clean::published),
        original_year: clean::year(&work["first_publish_year"]),
        language: texts(&edition["language"]).next().or(alone).and_then(languages::of_code),
        genres: genres::most_frequent(texts(&work["subject"])),
        series,
        cover: [&edition["cover_i"], &work["cover_i"]]
            .into_iter()
            .find_map(|id| id.as_i64().filter(|id| *id > 0).map(|id| id.to_string())),
        ..FoundBook::new(
            LookupSource::OpenLibrary.name(),
            title,
            authors,
            clean::pages(&work["number_of_pages_median"]),
        )
    })
}

/// The request for a cover in the size M, which a book page shows; an absent one is a 404.
pub fn cover_request(settings: &Lookup, id: &str) -> Option<SourceRequest> {
    let is_id = (1..=12).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_digit());
    if !is_id {
        return None;
    }
    let path = format!("/b/id/{id}-M.jpg");
    address_below(&settings.openlibrary.covers_url, &path, &[("default", "false")]).map(SourceRequest::get)
}

/// The number in the address of a cover: `https://covers.openlibrary.org/b/id/123-L.jpg`.
fn cover_id(address: &str) -> Option<String> {
    let (_, rest) = address.split_once("/b/id/")?;
    let id: String = rest.chars().take_while(char::is_ascii_digit).collect();
    (1..=12).contains(&id.len()).then_some(id)
}

fn first(value: &Value) -> Option<&Value> {
    objects(value).next()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_isbn_is_one_call_and_its_answer_one_book() {
        let query = LookupQuery::Isbn("9780441013593".into());
        let call = request(&Lookup::default(), &query).unwrap();
        assert_eq!(
            call.url.as_str(),
            "https://openlibrary.org/api/books?bibkeys=ISBN%3A9780441013593&jscmd=data&format=json"
        );
        let body = json!({"ISBN:9780441013593": {
            "title": "Dune", "authors": [{"name": "Frank Herbert"}], "number_of_pages": 528,
            "publishers": [{"name": "Ace Books"}], "publish_date": "August 2, 2005",
            "subjects": [{"name": "Science fiction"}],
            "cover": {"large": "https://covers.openlibrary.org/b/id/8100921-L.jpg"},
        }});
        let found = parse_response(&query, body.to_string().as_bytes()).unwrap();
        let [dune] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((dune.title.as_str(), dune.authors.as_slice()), ("Dune", &["Frank Herbert".to_owned()][..]));
        assert_eq!((dune.pages, dune.word_count), (Some(528), Some(145_200)));
        assert_eq!((dune.published.as_deref(), dune.cover.as_deref()), (Some("2005-08-02"), Some("8100921")));
        assert!(parse_response(&query, b"{}").unwrap().is_empty());
        for wrong in ["<!doctype html>", "[]", "", "{\"ISBN"] {
            assert!(parse_response(&query, wrong.as_bytes()).is_none(), "{wrong}");
        }
    }

    #[test]
    fn values_of_wrong_types_are_left_out() {
        let body = json!({"docs": [
            {"title": 7},
            {"title": "Kindred", "author_name": "Octavia E. Butler", "number_of_pages_median": "264", "isbn": [7, "9780807083697"],
             "subject": {"x": 1}, "cover_i": -1, "language": ["eng"], "series_name": ["Patternist"], "series_position": [4],
             "first_publish_year": 1979, "editions": {"docs": "x"}},
            "text",
        ]});
        let found = parse_response(&LookupQuery::parse("kindred"), body.to_string().as_bytes()).unwrap();
        let [book] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((book.authors.len(), book.pages, book.cover.as_deref()), (1, Some(264), None));
        assert_eq!((book.isbn.as_deref(), book.language.as_deref()), (Some("9780807083697"), Some("en")));
        assert_eq!(book.series, Some(FoundSeries { name: "Patternist".into(), number: Some("4".into()) }));
        assert_eq!(book.original_year, Some(1979));
        assert!(parse_response(&LookupQuery::parse("kindred"), b"{\"docs\": 7}").is_none());
    }

    #[test]
    fn words_that_it_refuses_are_not_sent() {
        assert!(request(&Lookup::default(), &LookupQuery::parse("it")).is_none());
        assert!(request(&Lookup::default(), &LookupQuery::parse("The")).is_none());
        assert!(request(&Lookup::default(), &LookupQuery::parse("日本語")).is_some());
    }
}
