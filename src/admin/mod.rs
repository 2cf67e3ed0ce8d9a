//! The operator's module: usage and load of the server, its accounts, and the same statistics for Prometheus.
//!
//! Tables: `activity_days`, `activity_devices`, `activity_places`, `operator_alerts`; reads `users` and `sessions`, and from libraries
//! only whether they are empty, because an operator never sees a reader's books. Requests are counted in memory ([`activity`],
//! [`load`]) and written in batches. Uses `account`, whose rows an operator changes.
pub mod activity;
pub mod alerts;
pub mod analytics;
mod cached;
pub mod counts;
pub mod health;
mod http;
pub mod load;
pub mod metrics;
pub mod process;
mod reports;
mod request_metrics;
mod settings;
pub mod users;

pub use activity::Activity;
pub use http::{metrics_router, routes};
pub use request_metrics::{count, keep_watch, keep_writing, write};
