//! The offline catalogue: one read-only SQLite file made from Open Library's monthly dumps, which answers a look-up without asking
//! anybody. `shelfwise catalogue build` makes it ([`build`]); the server reads it with [`store`] if there is one, and [`pages`] finds the
//! pages of many books. It has no tables in the database and no routes. The catalogues that the server asks over the network are in
//! `lookup/sources`.
pub mod build;
mod closeness;
pub mod genres;
mod marks;
pub mod model;
pub mod pages;
mod parse;
mod record;
pub mod store;
mod words;
