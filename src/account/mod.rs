//! Accounts: signing up, in and out, who one is, and what one does with one's own.
//!
//! Tables: `users` (its rows are made here), `events`, `sessions` and `known_devices` through the kit. Doors: preferences, for the theme
//! and the time zone that a new account starts with; library, whose things go when their reader says so; teams, whose
//! invitations open accounts and whose owners can't just go.
pub mod device;
pub mod emails;
pub mod events;
mod hasher;
mod http;
pub mod model;
pub mod own;
pub mod password;
pub mod reset;
pub mod social;
pub mod store;
pub mod tokens;
pub mod user_list;

pub use http::routes;
pub use social::Social;
