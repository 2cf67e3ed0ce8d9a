//! Looking up a book in catalogues: by ISBN, by title and author, or by its barcode.
//!
//! Table: `lookup_answers`, the answers of catalogues, shared by all readers. Uses `library` for ISBNs, formats and the limits of a book.
//! The server asks a catalogue only for a reader who presses a button. [`search`] has the service behind the calls, [`offline`]
//! the offline catalogue, [`throttle`] the rate limits of accounts and catalogues, [`fetch`] the requests, [`sources`] one file for each
//! catalogue, and [`clean`] makes their texts fit a book.
mod clean;
mod fetch;
mod http;
pub mod model;
mod offline;
mod search;
mod sources;
pub mod store;
mod throttle;

pub use search::Lookup;

use crate::config::Config;

/// The catalogues that these settings name, by the names that readers see.
pub fn hosts(config: &Config) -> Vec<&'static str> {
    let is_set_up = |source: &model::LookupSource| sources::is_set_up(*source, &config.lookup);
    search::configured(config).into_iter().filter(is_set_up).map(model::LookupSource::host).collect()
}

pub use http::routes;
