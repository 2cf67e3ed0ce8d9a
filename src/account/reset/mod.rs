//! Password resets: links that set a new password once, within one hour, or within seven days for an account that was never opened.
//!
//! Table: `password_resets`. Links are sent by e-mail when mail is configured; operators can always create them.
mod http;
pub mod store;

pub use http::routes;
