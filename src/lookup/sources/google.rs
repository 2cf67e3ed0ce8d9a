//! Google Books: one request for a look-up, with the server's key.
use serde_json::Value;

use super::{SourceRequest, address_below, objects, texts};
use crate::catalogue::genres;
use crate::config::Secret;
use crate::config::lookup::{Google, Lookup};
use crate::library::languages;
use crate::lookup::clean;
use crate::lookup::model::{FoundBook, LookupQuery, LookupSource, MOST_RESULTS};

/// The hosts of the API and of its covers.
pub const HOSTS: &[&str] = &["www.googleapis.com", "books.google.com", "books.googleusercontent.com"];

/// The request that searches for books; `None` without a key.
pub fn request(settings: &Lookup, query: &LookupQuery) -> Option<SourceRequest> {
    let key = settings.google.key.as_ref().map(Secret::expose)?;
    let words = match query {
        LookupQuery::Isbn(isbn) => format!("isbn:{isbn}"),
        LookupQuery::Words(words) => words.clone(),
    };
    let most = MOST_RESULTS.to_string();
    let query = [("q", words.as_str()), ("maxResults", &most), ("printType", "books"), ("key", key)];
    address_below(&settings.google.url, "/v1/volumes", &query).map(SourceRequest::get)
}

pub fn parse_response(query: &LookupQuery, body: &[u8]) -> Option<Vec<FoundBook>> {
    let answer: Value = serde_json::from_slice(body).ok()?;
    answer.as_object()?;
    Some(objects(&answer["items"]).filter_map(|item| volume(query, item)).take(MOST_RESULTS).collect())
}

fn volume(query: &LookupQuery, item: &Value) -> Option<FoundBook> {
    let info = &item["volumeInfo"];
    let isbns = || objects(&info["industryIdentifiers"]).filter_map(|entry| entry["identifier"].as_str());
    let isbn = match query {
        LookupQuery::Isbn(isbn) if !clean::is_about(isbn, isbns()) => return None,
        LookupQuery::Isbn(isbn) => Some(isbn.clone()),
        LookupQuery::Words(_) => clean::isbn(isbns()),
    };
    let has_cover = info["imageLinks"]["thumbnail"].is_string();
    let authors = clean::authors(texts(&info["authors"]));
    Some(FoundBook {
        isbn,
        publisher: clean::publisher(&info["publisher"]),
        published: info["publishedDate"].as_str().and_then(clean::published),
        language: info["language"].as_str().and_then(languages::of_code),
        genres: genres::most_frequent(texts(&info["categories"])),
        cover: item["id"].as_str().filter(|id| has_cover && is_id(id)).map(str::to_owned),
        ..FoundBook::new(
            LookupSource::Google.name(),
            clean::title(&info["title"])?,
            authors,
            clean::pages(&info["pageCount"]),
        )
    })
}

/// Whether a text is the number of a volume.
fn is_id(id: &str) -> bool {
    (1..=40).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// The call for the cover of a volume.
pub fn cover_request(settings: &Lookup, id: &str) -> Option<SourceRequest> {
    // Another address of the API has its covers, too.
    let is_usual = settings.google.url == Google::default().url;
    let base = if is_usual { "https://books.google.com/books" } else { settings.google.url.as_str() };
    let query = [("id", id), ("printsec", "frontcover"), ("img", "1"), ("zoom", "1"), ("source", "gbs_api")];
    is_id(id).then(|| address_below(base, "/content", &query).map(SourceRequest::get)).flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn keyed() -> Lookup {
        toml::from_str("[google]\nkey = \"secret\"").unwrap()
    }

    #[test]
    fn a_volume_becomes_a_book_and_no_key_is_no_call() {
        let query = LookupQuery::parse("kindred butler");
        assert!(request(&Lookup::default(), &query).is_none());
        let url = request(&keyed(), &query).unwrap().url.to_string();
        assert_eq!(
            url,
            "https://www.googleapis.com/books/v1/volumes?q=kindred+butler&maxResults=20&printType=books&key=secret"
        );
        let body = json!({"totalItems": 2, "items": [
            {"id": "zyTCAlFPjgYC", "volumeInfo": {"title": "Kindred", "authors": ["Octavia E. Butler"], "publisher": "Beacon Press",
                "publishedDate": "2004-02-01", "pageCount": 287, "categories": ["Fiction"], "language": "en",
                "industryIdentifiers": [{"type": "ISBN_10", "identifier": "0807083690"}, {"type": "ISBN_13", "identifier": "9780807083697"}],
                "imageLinks": {"thumbnail": "http://books.google.com/books/content?id=zyTCAlFPjgYC&edge=curl"}}},
            {"id": "../x", "volumeInfo": {"title": "Other", "pageCount": 0, "imageLinks": {"thumbnail": "x"}}},
        ]});
        let found = parse_response(&query, body.to_string().as_bytes()).unwrap();
        assert_eq!(
            (found[0].isbn.as_deref(), found[0].pages, found[0].cover.as_deref()),
            (Some("9780807083697"), Some(287), Some("zyTCAlFPjgYC"))
        );
        assert_eq!((found[1].pages, found[1].cover.as_deref()), (None, None));
        assert!(parse_response(&query, b"{\"totalItems\": 0}").unwrap().is_empty());
        assert!(parse_response(&query, b"<html>").is_none());
        assert!(
            cover_request(&keyed(), "zyTCAlFPjgYC")
                .unwrap()
                .url
                .as_str()
                .starts_with("https://books.google.com/books/content?id=zyTCAlFPjgYC&")
        );
        assert!(cover_request(&keyed(), "../x").is_none());
    }
}
