//! The exit status of commands.
use std::fmt;
use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::config::LogFormat;
use crate::kit::clock::Clock;
use crate::kit::db::data_dir::HoldError;
use crate::kit::db::pool::OpenError;
use crate::kit::logs;

/// The result of a command.
pub type Outcome<T> = Result<T, Exit>;

/// A failure with its exit status.
#[derive(Debug)]
pub struct Exit {
    status: u8,
    message: String,
}

impl Exit {
    /// 1: failed or refused.
    pub fn failed(message: impl fmt::Display) -> Self {
        Self { status: 1, message: message.to_string() }
    }

    /// 2: a wrong flag or argument.
    pub fn usage(message: impl fmt::Display) -> Self {
        Self { status: 2, message: message.to_string() }
    }

    /// 75: another server holds the data directory.
    pub fn held(message: impl fmt::Display) -> Self {
        Self { status: 75, message: message.to_string() }
    }

    /// 78: an invalid setting, data directory or database.
    pub fn config(message: impl fmt::Display) -> Self {
        Self { status: 78, message: format!("{message:#}") }
    }

    /// An error of standard output. A closed pipe (`| head -1`) is not a failure.
    pub fn output(cause: io::Error) -> Self {
        match cause.kind() {
            io::ErrorKind::BrokenPipe => Self { status: 0, message: String::new() },
            _ => Self::failed(format!("standard output can't be written: {cause}")),
        }
    }

    /// Writes the reason to standard error: as text, or as a log line in JSON.
    pub fn report(&self, format: LogFormat) {
        let message = self.to_string();
        if message.is_empty() {
            return;
        }
        // Standard error may be closed, too.
        let _ = match format {
            LogFormat::Text => {
                let priority = if logs::leads_to_journal() { logs::priority(tracing::Level::ERROR) } else { "" };
                writeln!(io::stderr(), "{priority}shelfwise: {message}")
            }
            LogFormat::Json => writeln!(io::stderr(), "{}", log_line("ERROR", &message)),
        };
    }

    /// The status for the system.
    pub fn code(&self) -> ExitCode {
        ExitCode::from(self.status)
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message.trim_end())
    }
}

/// A line in the format of the JSON log, for messages that are not logged.
pub fn log_line(level: &str, message: &str) -> String {
    let at = Clock::default().now().to_rfc3339_opts(chrono::SecondsFormat::Micros, true);
    serde_json::json!({"timestamp": at, "level": level, "message": message}).to_string()
}

impl From<OpenError> for Exit {
    fn from(cause: OpenError) -> Self {
        Self::config(cause)
    }
}

impl From<HoldError> for Exit {
    fn from(cause: HoldError) -> Self {
        match cause {
            HoldError::Held(_) => Self::held(cause),
            HoldError::Unusable { .. } => Self::config(cause),
        }
    }
}
