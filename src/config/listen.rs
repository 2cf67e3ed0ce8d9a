//! Where a server listens. Addresses are read as written: no name is looked up, `localhost` means 127.0.0.1.
use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use serde::Deserialize;

use super::section::serialize_as_text;

/// The longest path of a Unix socket, in bytes: the system's limit without its final zero.
const LONGEST_PATH: usize = 107;

/// Where a server listens.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Listen {
    /// At an IP address and a port.
    Tcp(SocketAddr),
    /// At a Unix socket with an absolute path, for a proxy on the same machine.
    Unix(PathBuf),
}

impl Listen {
    /// Whether only this machine reaches it.
    pub fn is_local(&self) -> bool {
        match self {
            Self::Tcp(address) => address.ip().is_loopback(),
            Self::Unix(_) => true,
        }
    }

    /// Whether it is a Unix socket. A proxy is then the only way for people to reach the server.
    pub fn is_unix(&self) -> bool {
        matches!(self, Self::Unix(_))
    }
}

impl fmt::Display for Listen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => address.fmt(f),
            Self::Unix(path) => write!(f, "unix:{}", path.display()),
        }
    }
}

impl TryFrom<String> for Listen {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        parse(&text)
    }
}

/// Reads an IP address and a port (`127.0.0.1:8080`, `[::1]:8080`), `localhost` and a port, or `unix:` and an absolute path.
pub fn parse(text: &str) -> Result<Listen, String> {
    let text = text.trim();
    if let Some(path) = text.strip_prefix("unix:") {
        return socket(path);
    }
    if let Ok(address) = text.parse() {
        return Ok(Listen::Tcp(address));
    }
    let (host, port) = text.rsplit_once(':').unwrap_or(("", text));
    match (host, port.parse::<u16>()) {
        ("localhost", Ok(port)) => Ok(Listen::Tcp(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))),
        ("", Ok(port)) => Err(format!(
            "`{text}` is a port without an address: write 127.0.0.1:{port} for this machine only, or 0.0.0.0:{port} for every network"
        )),
        _ => Err(format!(
            "`{text}` must be an IP address and a port, as in 127.0.0.1:8080, 0.0.0.0:8080 or [::1]:8080, or unix: and the path of a \
             socket; the only name that is known is localhost"
        )),
    }
}

fn socket(path: &str) -> Result<Listen, String> {
    if !path.starts_with('/') || path.ends_with('/') || path.contains('\0') {
        return Err(format!("`unix:{path}` must have the whole path of a socket, as in unix:/run/shelfwise/http.sock"));
    }
    match path.len() > LONGEST_PATH {
        true => Err(format!("`unix:{path}` is too long: the path of a socket has at most {LONGEST_PATH} bytes")),
        false => Ok(Listen::Unix(path.into())),
    }
}

/// The permissions of a Unix socket. A process needs the permission to write in order to connect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct SocketMode(u32);

impl SocketMode {
    /// The permission bits, from 0 to 0o777.
    pub fn bits(self) -> u32 {
        self.0
    }
}

impl Default for SocketMode {
    fn default() -> Self {
        Self(0o660)
    }
}

impl fmt::Display for SocketMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:03o}", self.0)
    }
}

serialize_as_text!(Listen, SocketMode);

impl TryFrom<String> for SocketMode {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let digits = text.trim();
        let mode = u32::from_str_radix(digits, 8).ok().filter(|mode| *mode <= 0o777 && digits.len() >= 3);
        mode.map(Self).ok_or_else(|| format!("`{text}` must be three octal digits, as in 660 or 666"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_as_written_and_a_wrong_one_is_answered_with_the_right_form() {
        for (text, address) in [
            ("127.0.0.1:8080", "127.0.0.1:8080"),
            ("[::]:80", "[::]:80"),
            ("localhost:8080", "127.0.0.1:8080"),
            (" 0.0.0.0:1 ", "0.0.0.0:1"),
            ("unix:/run/shelfwise.sock", "unix:/run/shelfwise.sock"),
        ] {
            assert_eq!(parse(text).unwrap().to_string(), address, "{text}");
        }
        let long = format!("unix:/{}", "a".repeat(LONGEST_PATH));
        for (text, hint) in [
            ("8080", "127.0.0.1:8080"),
            (":9090", "0.0.0.0:9090"),
            ("books.example.org:8080", "localhost"),
            ("::1:8080x", "[::1]:8080"),
            ("localhost", "[::1]:8080"),
            ("localhost:99999", "[::1]:8080"),
            ("nowhere", "nowhere"),
            ("", "127.0.0.1:8080"),
            ("unix:run/shelfwise.sock", "whole path"),
            ("unix:", "unix:/run/"),
            ("unix:/run/", "unix:/run/"),
            (&long, "107 bytes"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(hint), "{text}: {error}");
        }
    }

    #[test]
    fn a_mode_is_three_octal_digits() {
        assert_eq!(SocketMode::try_from("0666".to_owned()).unwrap().bits(), 0o666);
        assert_eq!(SocketMode::default(), SocketMode::try_from("660".to_owned()).unwrap());
        for text in ["66", "888", "1777", "rw", "", "-660"] {
            assert!(SocketMode::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
