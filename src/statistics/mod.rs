//! Statistics: one filter, one pass over the books, one implementation for a reader and for a team.
//!
//! Tables: `challenges`; `books` and `read_months` are read. Uses `library` for the books and for the filter
//! (`library/books/filter.rs`), and `teams` for the members who share.
//! [`model`] collects statistics, [`charts`] those of the further charts, [`store`] scans the books, [`http`] returns what the plan shows to a reader, and in `http/team.rs`
//! to the members of a team; [`challenges`] has what a team wants to read together.
pub mod challenges;
pub mod charts;
pub mod http;
pub mod model;
pub mod monthly;
pub mod store;

pub use http::routes;
