//! Logging: what happened, on which route, how long it took. Log lines never contain requested paths, queries, titles or
//! addresses.
use std::fmt;
use std::io::stderr;
use std::sync::OnceLock;

use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields, format, layer};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::reload;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Registry, registry};

use crate::config::levels::read;
use crate::config::{Config, LogFormat};

/// Libraries that log less unless the settings name them: the migration library repeats what is logged here, and tower-sessions opens a
/// span for each call, whose name would precede this program's own lines, and suspects everybody whose session has ended.
const QUIET: [(&str, LevelFilter); 2] = [("refinery_core", LevelFilter::WARN), ("tower_sessions", LevelFilter::ERROR)];

/// Changes the level while the program runs.
static LEVEL: OnceLock<reload::Handle<Targets, Registry>> = OnceLock::new();

/// Starts logging to standard error, at the level of `RUST_LOG` (`warn`, `shelfwise=debug,hyper=off`) or otherwise of the
/// settings. When standard error leads to systemd's journal, a line starts with its priority instead of the time, which the
/// journal records itself.
pub fn start(config: &Config) {
    let (wanted, complaint) = wanted(std::env::var("RUST_LOG").ok().as_deref(), &config.log_level);
    let (level, handle) = reload::Layer::new(wanted);
    let lines = || layer().with_writer(stderr).with_target(false).with_ansi(false);
    let filtered = registry().with(level);
    let started = match (config.log_format, leads_to_journal()) {
        (LogFormat::Text, false) => filtered.with(lines()).try_init(),
        (LogFormat::Text, true) => {
            let plain = format().with_target(false).without_time().with_ansi(false);
            filtered.with(lines().event_format(Prioritized(plain))).try_init()
        }
        (LogFormat::Json, false) => filtered.with(lines().json().flatten_event(true)).try_init(),
        (LogFormat::Json, true) => {
            let json = format().json().flatten_event(true).with_target(false).without_time();
            filtered.with(lines().json().event_format(Prioritized(json))).try_init()
        }
    };
    // A second start in one process (tests) keeps the first.
    if started.is_ok() {
        let _ = LEVEL.set(handle);
    }
    if let Some(complaint) = complaint {
        tracing::warn!("{complaint}");
    }
}

/// Applies the level of reloaded settings.
pub fn set_level(config: &Config) {
    let (wanted, complaint) = wanted(std::env::var("RUST_LOG").ok().as_deref(), &config.log_level);
    if let Some(Err(cause)) = LEVEL.get().map(|level| level.reload(wanted)) {
        tracing::warn!(%cause, "changing the log level failed");
    }
    if let Some(complaint) = complaint {
        tracing::warn!("{complaint}");
    }
}

/// The levels to log, and a sentence when the environment variable can't be read.
fn wanted(environment: Option<&str>, level: &str) -> (Targets, Option<String>) {
    let (mut text, mut complaint) = (level, None);
    if let Some(environment) = environment.filter(|text| !text.is_empty()) {
        match read(environment) {
            Ok(targets) => return (targets, None),
            Err(cause) => complaint = Some(format!("RUST_LOG can't be read ({cause}); the level is `{level}`")),
        }
    } else if text.is_empty() {
        text = "info";
    }
    let targets = read(text).unwrap_or_default();
    let quiet = QUIET
        .iter()
        .filter(|(name, _)| !targets.iter().any(|(target, _)| target.starts_with(name) || name.starts_with(target)));
    let quiet: Vec<_> = quiet.copied().collect();
    (targets.with_targets(quiet), complaint)
}

/// Whether standard error is the stream that systemd has connected to its journal (`systemd.exec(5)`, `JOURNAL_STREAM`).
pub fn leads_to_journal() -> bool {
    let Ok(stream) = std::env::var("JOURNAL_STREAM") else { return false };
    rustix::fs::fstat(stderr()).is_ok_and(|own| format!("{}:{}", own.st_dev, own.st_ino) == stream)
}

/// The journal's priority prefix of a level; see `sd-daemon(3)`.
pub fn priority(level: Level) -> &'static str {
    match level {
        Level::ERROR => "<3>",
        Level::WARN => "<4>",
        Level::INFO => "<6>",
        _ => "<7>",
    }
}

/// Starts each line with its priority.
struct Prioritized<F>(F);

impl<S, N, F> FormatEvent<S, N> for Prioritized<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        writer.write_str(priority(*event.metadata().level()))?;
        self.0.format_event(context, writer, event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides_what_is_logged_unless_it_can_not_be_read() {
        let lets = |targets: &Targets, level: Level| targets.would_enable("shelfwise::app", &level);
        let (targets, complaint) = wanted(Some("warn"), "debug");
        assert!(!lets(&targets, Level::INFO) && complaint.is_none());
        let (targets, complaint) = wanted(None, "debug");
        assert!(lets(&targets, Level::DEBUG) && complaint.is_none());
        assert!(!targets.would_enable("refinery_core::runner", &Level::INFO));
        let (targets, complaint) = wanted(Some("shelfwise=loud"), "info");
        assert!(lets(&targets, Level::INFO) && !lets(&targets, Level::DEBUG));
        assert!(complaint.unwrap().contains("RUST_LOG"));
        assert!(lets(&wanted(Some(""), "info").0, Level::INFO));
        let (targets, complaint) = wanted(Some("wran"), "info");
        assert!(lets(&targets, Level::INFO));
        assert!(complaint.unwrap().contains("`wran` is not a level"));
    }
}
