//! One file a catalogue: how it is asked, and how its answer is read.
pub mod openlibrary;

use std::time::Duration;

use url::Url;

use super::model::{Found, Question, Source};
use crate::config;

/// A call to a catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The address.
    pub url: Url,
}

/// How long a catalogue rests between two questions of this server.
pub fn pause(source: Source) -> Duration {
    match source {
        Source::OpenLibrary => Duration::from_secs(1),
    }
}

/// The configured address of a catalogue.
pub fn address(source: Source, settings: &config::lookup::Lookup) -> &str {
    match source {
        Source::OpenLibrary => &settings.openlibrary.url,
    }
}

/// The hosts to which a catalogue may redirect, besides the configured one.
pub fn hosts(source: Source) -> &'static [&'static str] {
    match source {
        Source::OpenLibrary => openlibrary::HOSTS,
    }
}

/// The call that asks a catalogue; `None` for words that it does not take.
pub fn call(source: Source, settings: &config::lookup::Lookup, question: &Question) -> Option<Call> {
    match source {
        Source::OpenLibrary => openlibrary::call(settings, question),
    }
}

/// Reads a catalogue's answer. `None` when it is not of the catalogue's form.
pub fn read(source: Source, question: &Question, body: &[u8]) -> Option<Vec<Found>> {
    match source {
        Source::OpenLibrary => openlibrary::read(question, body),
    }
}

/// An address below a base, with a query. `None` when the base is not an address.
fn address_below(base: &str, path: &str, query: &[(&str, &str)]) -> Option<Url> {
    let mut url = Url::parse(&format!("{}{path}", base.trim_end_matches('/'))).ok()?;
    url.query_pairs_mut().extend_pairs(query);
    Some(url)
}
