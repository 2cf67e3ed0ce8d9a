//! Accounts: signing up, in and out, who one is, and what one does with one's own.
//!
//! Tables: `users` (its rows are made here), `events`, `sessions` and `known_devices` through the kit. Doors: preferences, for the theme
//! and the time zone that a new account starts with; library, whose things go when their reader says so; teams, whose
//! invitations open accounts and whose owners can't just go.
pub mod device;
pub mod events;
mod hasher;
mod http;
pub mod letters;
pub mod model;
pub mod own;
pub mod password;
pub mod reset;
pub mod roster;
pub mod social;
pub mod store;
pub mod tokens;

pub use http::routes;
pub use social::Social;
