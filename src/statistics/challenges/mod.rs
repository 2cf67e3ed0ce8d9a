//! Challenges: words or books that a team has set itself to read within two days' dates, counted as they are asked for.
pub mod http;
pub mod model;
pub mod store;

pub use http::routes;
