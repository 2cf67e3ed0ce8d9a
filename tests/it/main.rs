//! Tests that enter by the front door: a real listener, a real database file, real requests.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests say what they expect")]
mod accounts;
mod architecture;
mod backups;
mod books;
mod cli;
mod cli_accounts;
mod cli_operating;
mod crash;
mod demo;
mod deploy;
mod erasure;
mod export;
mod harness;
mod imports;
mod memory;
mod own_account;
mod permissions;
mod plans;
mod preferences;
mod program;
mod server;
mod statistics;
mod team_reading;
mod team_roles;
mod teams;
