//! The settings of scheduled backups.
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use super::PingUrl;

/// The scheduled backups of `serve`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Backup {
    /// The folder; without one `serve` makes no backups.
    pub to: Option<PathBuf>,
    /// How many of the newest backups are kept. Default 14, at least 1.
    pub keep: u32,
    /// The age at which a new backup is made: a whole number and `s`, `m`, `h` or `d`. Default `1d`.
    pub every: Every,
    /// The address of a monitor that gets a report of each outcome: a GET after a success, `/fail` below it after a failure.
    /// Default: none.
    pub ping: Option<PingUrl>,
}

impl Default for Backup {
    fn default() -> Self {
        Self { to: None, keep: 14, every: Every(Duration::from_secs(86_400)), ping: None }
    }
}

/// The interval between two backups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Every(Duration);

impl Every {
    /// The duration, from one second to some hundred years.
    pub fn duration(self) -> Duration {
        self.0
    }
}

impl std::fmt::Display for Every {
    /// In the largest unit that divides it: `12h`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let seconds = self.0.as_secs();
        let (unit, length) = [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)]
            .into_iter()
            .find(|(_, length)| seconds.is_multiple_of(*length))
            .unwrap_or(("s", 1));
        write!(f, "{}{unit}", seconds / length)
    }
}

impl TryFrom<String> for Every {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let unit = match text.chars().last() {
            Some('s') => Some(1),
            Some('m') => Some(60),
            Some('h') => Some(3_600),
            Some('d') => Some(86_400),
            _ => None,
        };
        let seconds = unit.and_then(|unit| Some(text[..text.len() - 1].parse::<u32>().ok()? as u64 * unit));
        match seconds {
            Some(seconds) if (1..=40_000 * 86_400).contains(&seconds) => Ok(Self(Duration::from_secs(seconds))),
            _ => Err(format!("`{text}` must be a whole number and s, m, h or d, as in 12h or 1d")),
        }
    }
}
