//! The ground floor: what every room stands on, and what knows none of them.
//!
//! [`data_dir`] the folder · [`open`] its database, looked at first · [`snapshot`] a checked copy of it · [`db`] readers and
//! the single writer · `checkpointer` its checkpoints and erasures, with `wal`, `page_sweep` and `btree_page` ·
//! [`secure_erase`] what notes in the file that they are due · [`error`] the one funnel · [`extract`] request parts · [`sent`]
//! fields that say whether they came · [`idempotency`] creating calls done once · [`session`] cookies and tokens · [`memo`]
//! what stands until the next commit · [`answers`] kept answers · [`encoding`] compression · [`outbound`] calls to other
//! servers · [`turns`] one at a time · [`email`] addresses · [`letter`] and [`mail`] what is sent to them · [`limits`] growing
//! delays · [`zone`] time zones · [`visit`] who a request came from · [`places`] where an address lies · [`calls`] mounting
//! them · [`assets`] the embedded interface · [`origin`] cross-site refusal and security headers · [`server`] connections,
//! time-outs and the graceful stop.
pub mod answers;
pub mod app;
pub mod assets;
mod btree_page;
pub mod calls;
mod checkpointer;
#[cfg(test)]
mod churn;
pub mod data_dir;
pub mod db;
pub mod email;
pub mod encoding;
pub mod error;
pub mod etag;
pub mod extract;
pub mod funnel;
#[cfg(any(test, fuzzing))]
pub mod hostile;
pub mod idempotency;
pub mod letter;
pub mod limits;
pub mod logs;
pub mod mail;
pub mod memo;
pub mod open;
pub mod origin;
pub mod outbound;
mod page_sweep;
pub mod places;
pub mod secure_erase;
pub mod sent;
pub mod server;
pub mod session;
pub mod snapshot;
pub mod turns;
pub mod version;
pub mod visit;
mod wal;
pub mod zone;

pub use app::App;
pub use error::{Error, FieldErrors, Result};
