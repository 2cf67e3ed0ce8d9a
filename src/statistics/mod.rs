//! Statistics: one filter, one pass over the books, one implementation for a reader and for a team.
//!
//! Tables: `challenges`; `books` and `read_months` are read. Uses `library` for the books, and `teams` for the members who share. [`model`] collects
//! statistics, [`store`] scans the books, [`http`] returns what the plan shows, [`team`] does
//! the same for the members of a team who share, [`challenges`] holds a team's goals.
pub mod challenges;
pub mod http;
pub mod model;
pub mod monthly;
pub mod store;

pub use http::routes;
