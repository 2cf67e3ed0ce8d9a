//! The first run: a server without an operator prints an address with a code, and the code makes the first operator.
//!
//! Table: `setup_code`. A code works until there is an operator, until the next start, or until `shelfwise setup-code` prints
//! another. `[admin]` in the settings makes the first operator without a browser. A server that accepts no passwords has no first run.
mod at_start;
mod http;
pub mod model;
pub mod store;

pub use at_start::{check, prepare};
pub use http::routes;
