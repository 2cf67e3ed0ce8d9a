//! The settings of scheduled backups.
use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;

use super::SecretUrl;
use super::section::{section, serialize_as_text};

section! {
    /// The server's own backups, while it runs: a consistent, checked copy with a checksum beside it.
    Backup {
        /// The folder of backups, preferably on another disk. Without one the server makes no backups.
        to: Option<PathBuf> = None, live, example "/var/backups/shelfwise";
        /// The number of newest backups to keep.
        keep: u32 = 14, live;
        /// The maximum age of the newest backup: a whole number and s, m, h or d. A server that starts late makes a backup at once.
        every: Every = Every(Duration::from_secs(86_400)), live;
        /// The address of a monitor that expects a report of each backup, as of Healthchecks: it is asked after a success, and /fail
        /// below it after a failure.
        ping: Option<SecretUrl> = None, example "https://hc-ping.com/00000000-0000-0000-0000-000000000000";
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

serialize_as_text!(Every);
