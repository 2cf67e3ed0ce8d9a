//! The audit trail: what happened to the security of accounts, who did it, and from where.
//!
//! Table: `events`. Events are written in the transaction of what they record, and go to the log under the target `security`
//! with the numbers of accounts, never their addresses. Housekeeping deletes them after 90 days; an account's own events go with
//! the account.
mod http;
pub mod model;
pub mod store;

pub use http::routes;
