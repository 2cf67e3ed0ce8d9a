//! The audit trail: security events of accounts, with actor, time and source.
//!
//! Table: `events`. An event is written in the transaction of the action that it records, and is logged under the target
//! `security` with account ids, never with addresses. Housekeeping deletes events after 90 days; an account's own events are
//! deleted with the account.
mod http;
pub mod model;
pub mod store;

pub use http::routes;
