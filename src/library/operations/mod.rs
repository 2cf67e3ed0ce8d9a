//! What was done to a library as a whole, and its undo: imports, joined and separated works, renamed series and tags, fill-ins.
//!
//! Tables: `operations`, `undo`. To record a change of many books, run it in [`store::recorded`], or take
//! [`images`](store::images::images) before the change and hand them to [`store::record`] after it. An operation's undo
//! ([`store::undo`]) gives each book the former values, except those that were changed again since.
pub mod http;
pub mod model;
pub mod store;

pub use http::routes;
