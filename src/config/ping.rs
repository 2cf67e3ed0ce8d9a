//! The address of a monitor that waits for the reports of a job.
use std::fmt;

use serde::Deserialize;
use url::Url;

/// A web address to report outcomes to. Everybody who knows it can report, so neither the log nor `config show` shows it.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct PingUrl(Url);

impl PingUrl {
    /// The address.
    pub fn url(&self) -> &Url {
        &self.0
    }

    /// Reads a web address.
    ///
    /// # Errors
    /// A sentence that shows the correct form.
    pub fn parse(text: &str) -> Result<Self, String> {
        let url = Url::parse(text.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        url.map(Self).ok_or_else(|| "must be a web address, as in https://hc-ping.com/...".to_owned())
    }
}

impl TryFrom<String> for PingUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text)
    }
}

impl fmt::Debug for PingUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}
