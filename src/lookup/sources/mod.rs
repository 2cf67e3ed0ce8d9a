//! One file for each catalogue: the request to it, and how its response is parsed.
mod google;
mod hardcover;
mod openlibrary;
mod sru;

use std::time::Duration;

use serde_json::Value;
use url::Url;

use super::model::{FoundBook, LookupQuery, LookupSource};
use crate::config::lookup::Lookup;

/// A request to a catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceRequest {
    pub url: Url,
    /// JSON to send; without it the request is a GET.
    pub body: Option<String>,
    /// The key, which goes to this address alone.
    pub bearer: Option<String>,
}

impl SourceRequest {
    fn get(url: Url) -> Self {
        Self { url, body: None, bearer: None }
    }
}

/// The pause between two requests of this server to a catalogue.
pub fn pause(source: LookupSource) -> Duration {
    match source {
        LookupSource::OpenLibrary | LookupSource::Hardcover | LookupSource::Google => Duration::from_secs(1),
        LookupSource::Dnb | LookupSource::Bnf | LookupSource::Loc | LookupSource::Ndl => Duration::from_millis(500),
    }
}

/// Whether a catalogue has the key that it needs.
pub fn is_set_up(source: LookupSource, settings: &Lookup) -> bool {
    match source {
        LookupSource::Hardcover => settings.hardcover.key.is_some(),
        LookupSource::Google => settings.google.key.is_some(),
        LookupSource::OpenLibrary | LookupSource::Dnb | LookupSource::Bnf | LookupSource::Loc | LookupSource::Ndl => {
            true
        }
    }
}

/// The configured address of a catalogue.
pub fn address(source: LookupSource, settings: &Lookup) -> &str {
    match source {
        LookupSource::OpenLibrary => &settings.openlibrary.url,
        LookupSource::Dnb => &settings.dnb.url,
        LookupSource::Bnf => &settings.bnf.url,
        LookupSource::Loc => &settings.loc.url,
        LookupSource::Ndl => &settings.ndl.url,
        LookupSource::Hardcover => &settings.hardcover.url,
        LookupSource::Google => &settings.google.url,
    }
}

/// The configured address of a catalogue's covers.
pub fn cover_address(source: LookupSource, settings: &Lookup) -> &str {
    match source {
        LookupSource::OpenLibrary => &settings.openlibrary.covers_url,
        _ => address(source, settings),
    }
}

/// The hosts to which a catalogue may redirect, besides the configured one.
pub fn hosts(source: LookupSource) -> &'static [&'static str] {
    match source {
        LookupSource::OpenLibrary => openlibrary::HOSTS,
        LookupSource::Dnb => &["services.dnb.de"],
        LookupSource::Bnf => &["catalogue.bnf.fr"],
        LookupSource::Loc => &["lx2.loc.gov"],
        LookupSource::Ndl => &["ndlsearch.ndl.go.jp"],
        LookupSource::Hardcover => hardcover::HOSTS,
        LookupSource::Google => google::HOSTS,
    }
}

/// The request that searches a catalogue; `None` for words that it does not accept.
pub fn request(source: LookupSource, settings: &Lookup, query: &LookupQuery) -> Option<SourceRequest> {
    match source {
        LookupSource::OpenLibrary => openlibrary::request(settings, query),
        LookupSource::Hardcover => hardcover::request(settings, query),
        LookupSource::Google => google::request(settings, query),
        LookupSource::Dnb | LookupSource::Bnf | LookupSource::Loc | LookupSource::Ndl => {
            sru::request(source, settings, query)
        }
    }
}

/// Parses a catalogue's response. `None` when it is not of the catalogue's form.
pub fn parse_response(source: LookupSource, query: &LookupQuery, body: &[u8]) -> Option<Vec<FoundBook>> {
    match source {
        LookupSource::OpenLibrary => openlibrary::parse_response(query, body),
        LookupSource::Hardcover => hardcover::parse_response(query, body),
        LookupSource::Google => google::parse_response(query, body),
        LookupSource::Dnb | LookupSource::Bnf | LookupSource::Loc | LookupSource::Ndl => {
            sru::parse_response(source, query, body)
        }
    }
}

/// The request for a cover, by what a result has under `cover`. `None` when it is not of the catalogue's form.
pub fn cover_request(source: LookupSource, settings: &Lookup, cover: &str) -> Option<SourceRequest> {
    match source {
        LookupSource::OpenLibrary => openlibrary::cover_request(settings, cover),
        LookupSource::Hardcover => hardcover::cover_request(settings, cover),
        LookupSource::Google => google::cover_request(settings, cover),
        LookupSource::Dnb | LookupSource::Bnf | LookupSource::Loc | LookupSource::Ndl => None,
    }
}

/// An address below a base, with a query. `None` when the base is not an address.
fn address_below(base: &str, path: &str, query: &[(&str, &str)]) -> Option<Url> {
    let mut url = Url::parse(&format!("{}{path}", base.trim_end_matches('/'))).ok()?;
    url.query_pairs_mut().extend_pairs(query);
    Some(url)
}

/// The entries of a list; a value alone is a list of one.
fn objects(value: &Value) -> impl Iterator<Item = &Value> + Clone {
    match value {
        Value::Array(list) => list.iter(),
        Value::Null => [].iter(),
        alone => std::slice::from_ref(alone).iter(),
    }
}

/// The texts of a list.
fn texts(value: &Value) -> impl Iterator<Item = &str> + Clone {
    let list = match value {
        Value::Array(list) => list.as_slice(),
        alone => std::slice::from_ref(alone),
    };
    list.iter().filter_map(Value::as_str)
}
