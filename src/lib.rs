//! Shelfwise: a reading tracker that a person can host.
//!
//! The house, low to high; each room uses only what stands above it in this list:
//! [`kit`] knows no room · [`access`] says who asks and what they may do · [`library`] holds books, the to-be-read list
//! and imports · [`statistics`] counts them.
pub mod access;
pub mod account;
pub mod config;
pub mod kit;
pub mod library;
pub mod preferences;
pub mod statistics;
