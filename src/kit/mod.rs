//! The ground floor: what every room stands on, and what knows none of them.
//!
//! [`data_dir`] the folder · [`open`] its database, looked at first · [`snapshot`] a checked copy of it · [`db`] [`readers`] and the
//! single writer · `checkpointer` its checkpoints and erasures, with `wal`, `page_sweep` and `btree_page` · [`secure_erase`] what notes
//! in the file that they are due · [`error`] the one funnel · [`extract`] request parts · [`sent`] fields that say whether they came · [`idempotency`]
//! creating calls done once · [`session`] cookies and tokens · [`memo`] what stands until the next commit · [`answers`] kept
//! answers · [`encoding`] compression · [`download`] files made for a client · [`outbound`] calls to other servers · [`resolver`] host names to addresses · [`turns`] one at a time · [`email`] addresses ·
//! [`letter`] and [`mail`] what is sent to them · [`smtp`] the connection to the mail server · [`limits`] growing delays · [`hashing`] passwords one after the other · [`zone`] time zones ·
//! [`budgets`] calls at once and memory (an answer's goes with its [`held_body`]), over [`concurrency`] · [`throttled`] refusals counted · [`connection`] one connection's
//! time-outs ·
//! [`visit`] who a request came from · [`places`] where an address lies · [`calls`] mounting them · [`assets`] the embedded interface · [`origin`]
//! cross-site refusal and security headers · [`server`] connections, time-outs and the graceful stop · [`health`] the server's own
//! condition · [`notify`] messages to the service manager · [`current`] settings that may change.
pub mod answers;
pub mod app;
pub mod assets;
mod btree_page;
pub mod budgets;
pub mod calls;
mod checkpointer;
#[cfg(test)]
mod churn;
pub mod concurrency;
pub mod connection;
pub mod current;
pub mod data_dir;
pub mod db;
pub mod download;
pub mod email;
pub mod encoding;
pub mod ended_sessions;
pub mod error;
pub mod etag;
pub mod extract;
pub mod funnel;
pub mod hashing;
pub mod health;
pub mod held_body;
#[cfg(any(test, fuzzing))]
pub mod hostile;
pub mod idempotency;
pub mod letter;
pub mod limits;
pub mod logs;
pub mod mail;
pub mod memo;
pub mod notify;
pub mod open;
pub mod origin;
pub mod outbound;
mod page_sweep;
pub mod places;
pub mod readers;
pub mod resolver;
pub mod secure_erase;
pub mod sent;
pub mod server;
pub mod session;
pub mod smtp;
pub mod snapshot;
pub mod throttled;
pub mod turns;
pub mod version;
pub mod visit;
mod wal;
pub mod zone;

pub use app::App;
pub use error::{Error, FieldErrors, Result};
