//! Devices: reading that logs itself. KOReader and programs like it push places (kosync) and page turns (statistics over WebDAV), which
//! move open reads along; Audiobookshelf is asked for what its listeners do.
//!
//! Tables: `devices`, `documents`, `document_places`, `document_days`, `device_days`, `sources`, `listening_sessions`; writes `reading_days`
//! through `library`. [`coverage`] has the rules of how page turns become days, [`matching`] those of which book a document is, [`statistics`]
//! reads KOReader's file, [`rows`] packs its page turns, [`files`] reads what other devices and programs export, and [`audiobookshelf`] asks
//! media servers. WebDAV takes and never gives: KOReader deletes on the device what the file on its server lacks.
pub mod audiobookshelf;
pub mod coverage;
pub mod files;
mod http;
pub mod matching;
pub mod model;
pub mod rows;
pub mod statistics;
pub mod store;

pub use http::{PROTOCOL_PATHS, hash_here, protocols, routes, unmapped};
