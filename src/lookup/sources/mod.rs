//! One file a catalogue: how it is asked, and how its answer is read.
mod google;
mod hardcover;
mod openlibrary;
mod sru;

use std::time::Duration;

use serde_json::Value;
use url::Url;

use super::model::{Found, Question, Source};
use crate::config::lookup::Lookup;

/// A call to a catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The address.
    pub url: Url,
    /// JSON to send; without it the call is a GET.
    pub body: Option<String>,
    /// The key, which goes to this address alone.
    pub bearer: Option<String>,
}

impl Call {
    fn get(url: Url) -> Self {
        Self { url, body: None, bearer: None }
    }
}

/// How long a catalogue rests between two questions of this server.
pub fn pause(source: Source) -> Duration {
    match source {
        Source::OpenLibrary | Source::Hardcover | Source::Google => Duration::from_secs(1),
        Source::Dnb | Source::Bnf | Source::Loc | Source::Ndl => Duration::from_millis(500),
    }
}

/// Whether a catalogue has the key that it needs.
pub fn is_set_up(source: Source, settings: &Lookup) -> bool {
    match source {
        Source::Hardcover => settings.hardcover.key.is_some(),
        Source::Google => settings.google.key.is_some(),
        Source::OpenLibrary | Source::Dnb | Source::Bnf | Source::Loc | Source::Ndl => true,
    }
}

/// The configured address of a catalogue.
pub fn address(source: Source, settings: &Lookup) -> &str {
    match source {
        Source::OpenLibrary => &settings.openlibrary.url,
        Source::Dnb => &settings.dnb.url,
        Source::Bnf => &settings.bnf.url,
        Source::Loc => &settings.loc.url,
        Source::Ndl => &settings.ndl.url,
        Source::Hardcover => &settings.hardcover.url,
        Source::Google => &settings.google.url,
    }
}

/// The configured address of a catalogue's covers.
pub fn cover_address(source: Source, settings: &Lookup) -> &str {
    match source {
        Source::OpenLibrary => &settings.openlibrary.covers_url,
        _ => address(source, settings),
    }
}

/// The hosts to which a catalogue may redirect, besides the configured one.
pub fn hosts(source: Source) -> &'static [&'static str] {
    match source {
        Source::OpenLibrary => openlibrary::HOSTS,
        Source::Dnb => &["services.dnb.de"],
        Source::Bnf => &["catalogue.bnf.fr"],
        Source::Loc => &["lx2.loc.gov"],
        Source::Ndl => &["ndlsearch.ndl.go.jp"],
        Source::Hardcover => hardcover::HOSTS,
        Source::Google => google::HOSTS,
    }
}

/// The call that asks a catalogue; `None` for words that it does not take.
pub fn call(source: Source, settings: &Lookup, question: &Question) -> Option<Call> {
    match source {
        Source::OpenLibrary => openlibrary::call(settings, question),
        Source::Hardcover => hardcover::call(settings, question),
        Source::Google => google::call(settings, question),
        Source::Dnb | Source::Bnf | Source::Loc | Source::Ndl => sru::call(source, settings, question),
    }
}

/// Reads a catalogue's answer. `None` when it is not of the catalogue's form.
pub fn read(source: Source, question: &Question, body: &[u8]) -> Option<Vec<Found>> {
    match source {
        Source::OpenLibrary => openlibrary::read(question, body),
        Source::Hardcover => hardcover::read(question, body),
        Source::Google => google::read(question, body),
        Source::Dnb | Source::Bnf | Source::Loc | Source::Ndl => sru::read(source, question, body),
    }
}

/// The call for a cover, by what a result has under `cover`. `None` when it is not of the catalogue's form.
pub fn cover(source: Source, settings: &Lookup, cover: &str) -> Option<Call> {
    match source {
        Source::OpenLibrary => openlibrary::cover(settings, cover),
        Source::Hardcover => hardcover::cover(settings, cover),
        Source::Google => google::cover(settings, cover),
        Source::Dnb | Source::Bnf | Source::Loc | Source::Ndl => None,
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
