//! Log lines: what happened, on which route, how long it took. Never a path as asked for, a query, a title or an address.
use std::io::{IsTerminal as _, stderr};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::layer;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::config::LogFormat;

/// Starts logging to standard error. `RUST_LOG` narrows or widens it (`warn`, `shelfwise=debug,hyper=off`); `info` without.
pub fn start(format: LogFormat) {
    let wanted = std::env::var("RUST_LOG").ok().filter(|text| !text.is_empty()).and_then(|text| text.parse().ok());
    let usual = || Targets::new().with_default(LevelFilter::INFO).with_target("refinery_core", LevelFilter::WARN);
    let lines = layer().with_writer(stderr).with_target(false).with_ansi(stderr().is_terminal());
    let filtered = registry().with(wanted.unwrap_or_else(usual));
    // A second start in one process (tests) keeps the first.
    let _ = match format {
        LogFormat::Text => filtered.with(lines).try_init(),
        LogFormat::Json => filtered.with(lines.json().flatten_event(true)).try_init(),
    };
}
