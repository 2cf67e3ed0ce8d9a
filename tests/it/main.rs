//! Tests that enter by the front door: a real listener, a real database file, real requests.
#![expect(clippy::unwrap_used, reason = "tests say what they expect")]
mod accounts;
mod architecture;
mod books;
mod cli;
mod crash;
mod demo;
mod harness;
mod imports;
mod memory;
mod permissions;
mod preferences;
mod program;
mod server;
mod statistics;
