//! What a server records about its settings when it starts, for the commands beside it.
//!
//! Tables: `server_start`, `server_start_settings`. There are no API calls. The rank of recorded values among the other sources
//! is in [`crate::config::sources`].
pub mod store;
