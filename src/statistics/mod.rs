//! The numbers: one filter, one pass over the books, one implementation for a reader and for a team.
//!
//! Tables: `challenges`; `books` is read. Doors: library, for the books; teams, for who shares them. [`model`] gathers · [`months`] spreads words over days · [`store`] scans · [`http`] answers what the
//! plan shows · [`team`] the same of everybody who shares with their team · [`challenges`] what a team has set itself.
pub mod challenges;
pub mod http;
pub mod model;
pub mod months;
pub mod store;
pub mod team;

pub use http::routes;
