//! How a command ends.
use std::fmt;
use std::process::ExitCode;

use crate::kit::data_dir::HoldError;
use crate::kit::db::OpenError;

/// What a command answers.
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

    /// 78: a bad setting, data directory or database.
    pub fn config(message: impl fmt::Display) -> Self {
        Self { status: 78, message: format!("{message:#}") }
    }

    /// The status as the system takes it.
    pub fn code(&self) -> ExitCode {
        ExitCode::from(self.status)
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message.trim_end())
    }
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
