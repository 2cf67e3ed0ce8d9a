//! Shelfwise: a reading tracker that a person can host.
//!
//! The house, low to high; each room uses only what stands before it in this list: [`config`] the settings · [`kit`] the ground
//! floor, which knows no room · [`access`] who asks and what they may do · [`preferences`] how they like it · [`library`] books,
//! the to-be-read list and imports · [`teams`] who reads together · [`backups`] copies that outlive the disk · [`statistics`] the
//! numbers · [`billing`] plans · [`account`] signing up, in and out · [`admin`] the operator's area · [`app`] all of it as one
//! server · [`cli`] the program.
pub mod access;
pub mod account;
pub mod admin;
pub mod app;
pub mod backups;
pub mod billing;
pub mod cli;
pub mod config;
pub mod kit;
pub mod library;
pub mod preferences;
pub mod settings;
pub mod statistics;
pub mod teams;
