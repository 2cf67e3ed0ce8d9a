//! Hardcover: one GraphQL request for a look-up, with the server's key.
use serde_json::{Value, json};
use url::Url;

use super::{SourceRequest, objects, texts};
use crate::catalogue::genres;
use crate::config::Secret;
use crate::config::lookup::Lookup;
use crate::library::books::model::BookFormat;
use crate::library::languages;
use crate::lookup::clean;
use crate::lookup::model::{FoundBook, LookupQuery, LookupSource, MOST_RESULTS};

/// The hosts of the API and of its covers.
pub const HOSTS: &[&str] = &["api.hardcover.app", COVERS];
/// The host of its covers.
const COVERS: &str = "assets.hardcover.app";

const BY_ISBN: &str = "query($isbn: String!) { editions(where: {isbn_13: {_eq: $isbn}}, limit: 5) { title pages audio_seconds isbn_13 \
    language { code2 } reading_format_id contributions { author { name } } image { url } book { title } } }";
const BY_WORDS: &str =
    "query($words: String!, $most: Int!) { search(query: $words, query_type: \"Book\", per_page: $most) { results } }";

/// The request that searches for books; `None` without a key.
pub fn request(settings: &Lookup, query: &LookupQuery) -> Option<SourceRequest> {
    let key = settings.hardcover.key.as_ref().map(Secret::expose)?.trim();
    let key = key.strip_prefix("Bearer ").unwrap_or(key);
    let body = match query {
        LookupQuery::Isbn(isbn) => json!({"query": BY_ISBN, "variables": {"isbn": isbn}}),
        LookupQuery::Words(words) => json!({"query": BY_WORDS, "variables": {"words": words, "most": MOST_RESULTS}}),
    };
    let url = Url::parse(&settings.hardcover.url).ok()?;
    Some(SourceRequest { url, body: Some(body.to_string()), bearer: Some(key.to_owned()) })
}

pub fn parse_response(query: &LookupQuery, body: &[u8]) -> Option<Vec<FoundBook>> {
    let answer: Value = serde_json::from_slice(body).ok()?;
    let data = answer.get("data").filter(|data| data.is_object())?;
    let found: Vec<FoundBook> = match query {
        LookupQuery::Isbn(isbn) => objects(&data["editions"]).filter_map(|edition| of_edition(isbn, edition)).collect(),
        LookupQuery::Words(_) => {
            let hits = objects(&data["search"]["results"]["hits"]);
            hits.filter_map(|hit| of_document(&hit["document"])).take(MOST_RESULTS).collect()
        }
    };
    Some(found)
}

fn of_edition(isbn: &str, edition: &Value) -> Option<FoundBook> {
    if !clean::is_about(isbn, edition["isbn_13"].as_str().into_iter()) {
        return None;
    }
    let names = objects(&edition["contributions"]).filter_map(|entry| entry["author"]["name"].as_str());
    let title = clean::title(&edition["title"]).or_else(|| clean::title(&edition["book"]["title"]))?;
    let format = match edition["reading_format_id"].as_i64() {
        Some(1) => Some(BookFormat::Print),
        Some(2) => Some(BookFormat::Audio),
        Some(4) => Some(BookFormat::EBook),
        _ => None,
    };
    let language = edition["language"]["code2"].as_str().and_then(languages::of_code);
    Some(FoundBook {
        format,
        language,
        minutes: clean::minutes(&edition["audio_seconds"]),
        ..book(title, clean::authors(names), &edition["pages"], Some(isbn.to_owned()), &edition["image"])
    })
}

fn of_document(document: &Value) -> Option<FoundBook> {
    let title = clean::title(&document["title"])?;
    let authors = clean::authors(texts(&document["author_names"]));
    let isbn = clean::isbn(texts(&document["isbns"]));
    let genres = genres::most_frequent(texts(&document["genres"]));
    let original_year = clean::year(&document["release_year"]);
    Some(FoundBook { genres, original_year, ..book(title, authors, &document["pages"], isbn, &document["image"]) })
}

fn book(title: String, authors: Vec<String>, pages: &Value, isbn: Option<String>, image: &Value) -> FoundBook {
    FoundBook {
        isbn,
        cover: image["url"].as_str().and_then(cover_path),
        ..FoundBook::new(LookupSource::Hardcover.name(), title, authors, clean::pages(pages))
    }
}

/// The path of a cover on the host of covers.
fn cover_path(address: &str) -> Option<String> {
    let url = Url::parse(address).ok().filter(|url| url.host_str() == Some(COVERS))?;
    let path = url.path().trim_start_matches('/').to_owned();
    is_path(&path).then_some(path)
}

fn is_path(path: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/');
    (1..=200).contains(&path.len()) && path.bytes().all(is_plain) && !path.contains("..") && !path.contains("//")
}

/// The call for a cover.
pub fn cover_request(settings: &Lookup, path: &str) -> Option<SourceRequest> {
    let configured = Url::parse(&settings.hardcover.url).ok()?;
    // Another address of the API has its covers, too.
    let base = match configured.host_str() {
        Some("api.hardcover.app") => Url::parse(&format!("https://{COVERS}/")).ok()?,
        _ => configured.join("/").ok()?,
    };
    is_path(path).then(|| base.join(path).ok().map(SourceRequest::get)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyed() -> Lookup {
        toml::from_str("[hardcover]\nkey = \"Bearer secret\"").unwrap()
    }

    #[test]
    fn editions_and_documents_become_books() {
        let isbn = LookupQuery::Isbn("9780807083697".into());
        let asked = request(&keyed(), &isbn).unwrap();
        assert_eq!(
            (asked.bearer.as_deref(), asked.url.as_str()),
            (Some("secret"), "https://api.hardcover.app/v1/graphql")
        );
        assert!(request(&Lookup::default(), &isbn).is_none());
        let body = json!({"data": {"editions": [{"title": null, "pages": 12, "audio_seconds": 38_700, "isbn_13": "9780807083697", "language": {"code2": "en"},
            "reading_format_id": 2, "contributions": [{"author": {"name": "Octavia E. Butler"}}],
            "image": {"url": "https://assets.hardcover.app/edition/1/a.jpg"}, "book": {"title": "Kindred"}}]}});
        let found = parse_response(&isbn, body.to_string().as_bytes()).unwrap();
        assert_eq!(
            (found[0].title.as_str(), found[0].format, found[0].cover.as_deref()),
            ("Kindred", Some(BookFormat::Audio), Some("edition/1/a.jpg"))
        );
        let counted = found[0].clone().counted();
        assert_eq!((counted.pages, counted.minutes, counted.word_count), (None, Some(645), Some(99_975)));
        let body = json!({"data": {"search": {"results": {"hits": [{"document": {"title": "Kindred", "author_names": ["Octavia E. Butler"],
            "isbns": ["9780807083697"], "pages": 264, "genres": ["Science fiction"], "release_year": 1979,
            "image": {"url": "https://evil.example/x.jpg"}}}]}}}});
        let found = parse_response(&LookupQuery::parse("kindred"), body.to_string().as_bytes()).unwrap();
        assert_eq!((found[0].original_year, found[0].cover.as_deref()), (Some(1979), None));
        assert!(parse_response(&isbn, br#"{"errors": [{"message": "invalid token"}]}"#).is_none());
        assert!(cover_request(&keyed(), "edition/1/a.jpg").is_some() && cover_request(&keyed(), "../a").is_none());
    }
}
