//! Shelfwise: a reading tracker that a person can host.
//!
//! The modules from low to high; each uses only those before it in this list: [`config`] settings · [`kit`] the lowest layer,
//! used by all others · [`access`] authentication and permissions · [`settings`] those that the server stores · [`preferences`] ·
//! [`library`] books, the to-be-read list, imports and exports · [`teams`] · [`backups`] · [`catalogue`] the offline catalogue ·
//! [`statistics`] · [`billing`] plans and payments · [`lookup`] books found in catalogues · [`reading`] open books, goals, the
//! calendar and the review · [`devices`] reading that logs itself · [`sharing`] secret links · [`account`] sign-up, sign-in and a
//! person's own account · [`admin`] the operator's pages · [`app`] the complete server · [`cli`] the program.
pub mod access;
pub mod account;
pub mod admin;
pub mod app;
pub mod backups;
pub mod billing;
pub mod catalogue;
pub mod cli;
pub mod config;
pub mod devices;
pub mod kit;
pub mod library;
pub mod lookup;
pub mod preferences;
pub mod reading;
pub mod settings;
pub mod sharing;
pub mod statistics;
pub mod teams;
