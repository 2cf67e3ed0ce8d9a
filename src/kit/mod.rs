//! The ground floor: what every room uses, and what knows no room.
//!
//! - [`app`]: the state that every handler can reach; [`error`]: the one error type and its answers; [`logs`]: the log's format;
//!   [`time_zone`]: which day it is for a reader; [`current`]: the configuration in force, which a reload replaces;
//!   [`hashing`]: how many passwords are hashed at once; [`health`]: what works and what failed last; [`notify`]: messages to systemd.
//! - [`db`]: connections, the single writer, migrations at the start, checkpoints, backups, erasure, caches that a commit ends.
//! - [`http`]: connections and time-outs, middleware, cross-site protection, parts of requests and answers, sessions, throttling,
//!   compression, the embedded interface.
//! - [`mail`]: addresses, messages, the queue to the mail server.
//! - [`net`]: the client for other servers, and places of IP addresses.
pub mod app;
pub mod current;
pub mod db;
pub mod error;
#[cfg(any(test, fuzzing))]
pub mod fuzz_checks;
pub mod hashing;
pub mod health;
pub mod http;
pub mod logs;
pub mod mail;
pub mod net;
pub mod notify;
pub mod time_zone;

pub use app::App;
pub use error::{Error, FieldErrors, Result};
