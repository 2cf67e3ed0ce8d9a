//! The address of a monitor that waits for the reports of a job.
use std::fmt;

use serde::Deserialize;
use url::Url;

use super::secret::MASK;
use super::section::serialize_as_text;

/// A web address to report outcomes to. Everyone who knows it can report, so neither the log nor `config show` shows it.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct SecretUrl(Url);

impl SecretUrl {
    /// The address.
    pub fn url(&self) -> &Url {
        &self.0
    }

    /// Reads a web address.
    pub fn parse(text: &str) -> Result<Self, String> {
        let url = Url::parse(text.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        url.map(Self).ok_or_else(|| "must be a web address, as in https://hc-ping.com/...".to_owned())
    }
}

impl TryFrom<String> for SecretUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text)
    }
}

impl fmt::Debug for SecretUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

impl fmt::Display for SecretUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

serialize_as_text!(SecretUrl);
