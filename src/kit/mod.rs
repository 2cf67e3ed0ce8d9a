//! The lowest layer: used by every other module, and independent of them.
//!
//! - [`app`]: the state that every handler can reach; [`error`]: the one error type and its responses; [`error_code`]: its codes;
//!   [`logs`]: the format of the log; [`clock`]: the time of day; [`timestamp`]: a time as it is stored; [`time_zone`]: the
//!   current day of a reader; [`current`]: the settings in force, which a reload replaces; [`deadline`]: when long work gives up;
//!   [`disk`]: the space on a disk; [`named`]: enums that are stored by name; [`id`]: numbers of rows; [`keys`]: the forms in which
//!   texts are compared;
//!   [`hashing`]: limits on password hashing; [`health`]: what works and what failed last; [`notify`]: messages to
//!   systemd; [`random`]: random bytes for secrets; [`sealing`]: secrets that are stored encrypted.
//! - [`db`]: connections, the single writer, migrations, checkpoints, backups, erasure, caches that end with a commit.
//! - [`http`]: connections and time limits, middleware, cross-site protection, extractors, sessions, throttling, compression, the
//!   embedded interface.
//! - [`mail`]: addresses, messages, the queue to the mail server.
//! - [`net`]: the client for other servers, and the location of IP addresses.
pub mod app;
pub mod clock;
pub mod current;
pub mod db;
pub mod deadline;
pub mod disk;
pub mod error;
pub mod error_code;
pub mod hashing;
pub mod health;
pub mod http;
pub mod id;
pub mod keys;
pub mod logs;
pub mod mail;
pub mod named;
pub mod net;
pub mod notify;
pub mod random;
pub mod sealing;
pub mod time_zone;
pub mod timestamp;

/// The version of the program, with the commit until it is released.
pub const VERSION: &str = env!("VERSION");

pub use app::App;
pub use error::{Error, FieldErrors, Result};
pub use error_code::ErrorCode;
