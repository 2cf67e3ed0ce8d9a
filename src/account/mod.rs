//! Accounts: signing up, in and out, and who one is.
//!
//! Tables: `users` (its rows are made here), `sessions` and `known_devices` through the kit. Doors: preferences, for the theme
//! and the time zone that a new account starts with.
mod http;
pub mod model;
pub mod password;
pub mod store;

pub use http::routes;
