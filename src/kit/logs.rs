//! Log lines: what happened, on which route, how long it took. Never a path as asked for, a query, a title or an address.
use tracing_subscriber::EnvFilter;

use crate::config::LogFormat;

/// Starts logging to standard error. `RUST_LOG` narrows or widens it; `info` without.
pub fn start(format: LogFormat) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,refinery_core=warn"));
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false);
    // A second start in one process (tests) keeps the first.
    let _ = match format {
        LogFormat::Text => lines.try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
}
