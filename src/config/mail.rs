//! The settings of outgoing mail: server and sender.
use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;

use anyhow::{Context as _, bail, ensure};
use lettre::message::Mailbox;
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use url::Url;

use super::secret::Secret;
use super::section::{section, serialize_as_text};

section! {
    /// Mail that the server sends: links to a new password, invitations to teams, notices when a password or an address changes.
    /// It needs public_url, because its links lead there.
    Mail {
        /// The mail server: smtps:// (TLS from the first byte, port 465) or smtp:// (port 587 with a password, otherwise 25), which
        /// requires STARTTLS for every server except one on this machine. ?tls=required requires it there, too; ?tls=none sends
        /// unencrypted mail. Special characters of user and password are percent-encoded.
        url: Option<Secret> = None, example "smtps://user:password@mail.example.org";
        /// A file with the url, instead.
        url_file: Option<PathBuf> = None, example "/etc/shelfwise/mail-url";
        /// The sender.
        from: Option<Sender> = None, example "Shelfwise <books@example.org>";
    }
}

/// The sender of mail.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Sender(pub Mailbox);

impl fmt::Display for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

serialize_as_text!(Sender);

impl TryFrom<String> for Sender {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let shape = || format!("`{text}` must be an email address, as in Shelfwise <books@example.org>");
        text.trim().parse().map(Self).map_err(|_| shape())
    }
}

/// A mail server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailServer {
    /// Its host name or address, without brackets.
    pub host: String,
    /// Its port.
    pub port: u16,
    /// User and password.
    pub login: Option<(String, Secret)>,
    /// How the connection is encrypted.
    pub privacy: Privacy,
}

/// How the connection to a mail server is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Privacy {
    /// TLS from the first byte.
    Wrapped,
    /// STARTTLS with a trusted certificate is required.
    Required,
    /// STARTTLS if the server offers it, with any certificate: for a server on this machine, where no one is in between.
    Offered,
    /// Not encrypted, because the operator set `?tls=none`.
    Unwanted,
}

impl Mail {
    /// Whether mail is configured.
    pub fn is_on(&self) -> bool {
        self.url.is_some()
    }

    /// The server and the sender; `None` when mail is off.
    ///
    /// # Errors
    /// A sentence that names the key and never shows the URL, which may contain a password.
    pub fn delivery(&self) -> anyhow::Result<Option<(MailServer, Mailbox)>> {
        let Some(url) = &self.url else { return Ok(None) };
        let server = MailServer::parse(url.expose())?;
        let Some(from) = &self.from else {
            bail!("mail.url is set, but mail.from is not: set the sender, as in Shelfwise <books@example.org>");
        };
        Ok(Some((server, from.0.clone())))
    }
}

impl MailServer {
    /// Whether it runs on this machine.
    pub fn is_loopback(&self) -> bool {
        is_loopback(&self.host)
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let shape = "mail.url must be smtps:// or smtp:// and a host, as in smtps://user:password@mail.example.org";
        let url = Url::parse(text).ok().context(shape)?;
        let host = url.host_str().filter(|host| !host.is_empty()).context(shape)?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        ensure!(matches!(url.scheme(), "smtp" | "smtps") && matches!(url.path(), "" | "/"), shape);
        let login = login(&url)?;
        let privacy = privacy(&url, is_loopback(&host))?;
        let usual = match (privacy, &login) {
            (Privacy::Wrapped, _) => 465,
            (_, Some(_)) => 587,
            (_, None) => 25,
        };
        Ok(Self { host, port: url.port().unwrap_or(usual), login, privacy })
    }
}

fn login(url: &Url) -> anyhow::Result<Option<(String, Secret)>> {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8().map(|text| text.into_owned());
    match (url.username(), url.password()) {
        ("", None) => Ok(None),
        (user, Some(password)) if !user.is_empty() => {
            let login = decoded(user).and_then(|user| Ok((user, decoded(password)?.into())));
            Ok(Some(login.context("mail.url's user and password must be percent-encoded UTF-8")?))
        }
        _ => bail!("mail.url has only a user or only a password; it needs both or neither"),
    }
}

/// `?tls=` decides. Without it no mail goes to another machine unencrypted, because reset links are secrets.
fn privacy(url: &Url, is_loopback: bool) -> anyhow::Result<Privacy> {
    let tls = url.query_pairs().map(|(key, value)| (key.into_owned(), value.into_owned())).collect::<Vec<_>>();
    let tls: Vec<(&str, &str)> = tls.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    match (url.scheme(), tls.as_slice()) {
        ("smtps", []) => Ok(Privacy::Wrapped),
        ("smtp", []) if is_loopback => Ok(Privacy::Offered),
        ("smtp", []) => Ok(Privacy::Required),
        ("smtp", [("tls", "required")]) => Ok(Privacy::Required),
        ("smtp", [("tls", "none")]) => Ok(Privacy::Unwanted),
        _ => bail!("after the host mail.url may only have ?tls=required or ?tls=none, with smtp://"),
    }
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail(url: &str) -> Mail {
        let from = Sender::try_from("Shelfwise <books@example.org>".to_owned()).unwrap();
        Mail { url: Some(url.to_owned().into()), url_file: None, from: Some(from) }
    }

    #[test]
    fn nothing_goes_to_another_machine_in_the_clear_unless_the_operator_says_so() {
        for (url, port, privacy) in [
            ("smtps://mail.test", 465, Privacy::Wrapped),
            ("smtps://u:p@mail.test:1465", 1465, Privacy::Wrapped),
            ("smtp://mail.test", 25, Privacy::Required),
            ("smtp://mail.test?tls=none", 25, Privacy::Unwanted),
            ("smtp://192.0.2.1", 25, Privacy::Required),
            ("smtp://u:p@mail.test", 587, Privacy::Required),
            ("smtp://u:p@mail.test/?tls=none", 587, Privacy::Unwanted),
            ("smtp://mail.test?tls=required", 25, Privacy::Required),
            ("smtp://u:p@localhost", 587, Privacy::Offered),
            ("smtp://u:p@127.0.0.1:2525", 2525, Privacy::Offered),
            ("smtp://[::1]:2525", 2525, Privacy::Offered),
        ] {
            let (server, _) = mail(url).delivery().unwrap().unwrap();
            assert_eq!((server.port, server.privacy), (port, privacy), "{url}");
        }
        let (server, from) = mail("smtps://me%40mail.test:a%2Fb%20c%25@[2001:db8::1]").delivery().unwrap().unwrap();
        let (user, password) = server.login.unwrap();
        assert_eq!((server.host.as_str(), user.as_str(), password.expose()), ("2001:db8::1", "me@mail.test", "a/b c%"));
        assert_eq!(from.to_string(), "Shelfwise <books@example.org>");
    }

    #[test]
    fn a_wrong_address_is_refused_by_its_key_and_not_shown() {
        for url in [
            "mail.test",
            "https://u:hunter2@mail.test",
            "smtp://",
            "smtp://u:hunter2@mail.test/path",
            "smtp://u:hunter2@mail.test?tls=perhaps",
            "smtps://u:hunter2@mail.test?tls=none",
            "smtp://:hunter2@mail.test",
            "smtp://hunter2@mail.test",
            "smtp://u:hunter2%ff@mail.test",
        ] {
            let error = format!("{:#}", mail(url).delivery().unwrap_err());
            assert!(error.contains("mail.url") && !error.contains("hunter2"), "{url}: {error}");
        }
        let nobody = Mail { from: None, ..mail("smtp://mail.test") };
        assert!(nobody.delivery().unwrap_err().to_string().contains("mail.from"));
        assert!(Sender::try_from("nobody".to_owned()).is_err());
        assert!(Mail::default().delivery().unwrap().is_none());
    }
}
