//! What a server notes about its settings when it starts, for the commands that work beside it.
//!
//! Tables: `server_start`, `server_start_settings`. No calls. How noted values rank among the other sources stands in
//! [`crate::config::sources`].
pub mod store;
