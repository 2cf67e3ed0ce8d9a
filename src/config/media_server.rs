//! `[sources.<name>]`: media servers whose listening readers take over.
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};

use super::lookup::is_address;
use super::secret::Secret;
use super::section::{NAME_LENGTH, is_plain_name, section};

section! {
    /// Audiobookshelf servers, under names of your own. Readers connect theirs with a key, and what they listen to logs itself: this
    /// server asks each every 15 minutes.
    MediaServer {
        /// The address: http:// or https://, a host, and the path below which it may be served. Readers' keys are sent there.
        url: Option<String> = None, example "https://audiobooks.example.org";
        /// The program that it runs: audiobookshelf.
        kind: MediaServerKind = MediaServerKind::Audiobookshelf;
        /// What readers see. Unless set, the section's name.
        label: Option<String> = None, example "Audiobookshelf";
        /// Headers that every request has, for a proxy in front of it.
        headers: Vec<Secret> = Vec::new(), example ["CF-Access-Client-Id: ...", "CF-Access-Client-Secret: ..."];
        /// The certificates (PEM) of an authority of your own that has signed its certificate.
        ca: Option<PathBuf> = None, example "/etc/shelfwise/home-ca.pem";
    }
}

/// The programs that a media server may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MediaServerKind {
    /// <https://www.audiobookshelf.org>
    #[default]
    Audiobookshelf,
}

impl MediaServer {
    /// Refuses a section with invalid values.
    pub(super) fn check(&self, section: &str) -> anyhow::Result<()> {
        if !is_plain_name(section) {
            bail!("sources.{section} must be named by 1 to {NAME_LENGTH} alphanumeric characters, - and _");
        }
        match &self.url {
            None => bail!("sources.{section} must set its url"),
            Some(url) if !is_address(url) => {
                bail!("sources.{section}.url is `{url}`, but must be http:// or https:// and a host, without ? and #")
            }
            Some(_) => {}
        }
        self.headers().with_context(|| format!("sources.{section}.headers"))?;
        Ok(())
    }

    /// The headers of every request.
    ///
    /// # Errors
    /// One is not written `name: value`. It is not shown.
    pub fn headers(&self) -> anyhow::Result<HeaderMap> {
        let read = |line: &Secret| {
            let (name, value) = line.expose().split_once(':')?;
            let name: HeaderName = name.trim().parse().ok()?;
            let mut value: HeaderValue = value.trim().parse().ok()?;
            value.set_sensitive(true);
            Some((name, value))
        };
        let headers = self.headers.iter().map(|line| read(line).context("a header must be written `name: value`"));
        headers.collect()
    }

    /// What readers see.
    pub fn title<'a>(&'a self, section: &'a str) -> &'a str {
        self.label.as_deref().unwrap_or(section)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> Result<MediaServer, String> {
        let server: MediaServer = toml::from_str(text).map_err(|cause| cause.to_string())?;
        server.check("home").map_err(|cause| format!("{cause:#}"))?;
        Ok(server)
    }

    #[test]
    fn a_server_has_an_address_and_headers_of_a_name_and_a_value() {
        let url = "url = \"http://nas.local:13378/audiobookshelf\"";
        let server = checked(&format!("kind = \"audiobookshelf\"\n{url}\nheaders = [\"X-Key: a: b\"]")).unwrap();
        assert_eq!((server.headers().unwrap()["x-key"].to_str().unwrap(), server.title("home")), ("a: b", "home"));
        assert_eq!(checked(&format!("{url}\nlabel = \"Ours\"")).unwrap().title("home"), "Ours");
        for (text, named) in [
            ("label = \"x\"", "sources.home must set its url"),
            (&format!("{url}\nkind = \"plex\""), "unknown variant `plex`"),
            ("url = \"nas.local\"", "sources.home.url is `nas.local`"),
            ("url = \"https://user:canary@nas.local\"", "sources.home.url"),
            (&format!("{url}\nheaders = [\"canary\"]"), "sources.home.headers: a header must be"),
            (&format!("{url}\nheaders = [\"a b: canary\"]"), "sources.home.headers: a header must be"),
        ] {
            let error = checked(text).unwrap_err();
            assert!(error.contains(named), "{text}: {error}");
        }
        assert!(MediaServer::default().check("a b").unwrap_err().to_string().contains("must be named"));
    }
}
