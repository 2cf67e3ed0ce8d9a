//! Listen addresses. They are read as written: no name is looked up, `localhost` means 127.0.0.1.
use std::net::{Ipv4Addr, SocketAddr};

use serde::{Deserialize, Deserializer};

/// Reads an IP address and a port (`127.0.0.1:8080`, `[::1]:8080`), or `localhost` and a port.
///
/// # Errors
/// A sentence that shows the correct form.
pub fn parse(text: &str) -> Result<SocketAddr, String> {
    let text = text.trim();
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let (host, port) = text.rsplit_once(':').unwrap_or(("", text));
    match (host, port.parse::<u16>()) {
        ("localhost", Ok(port)) => Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port))),
        ("", Ok(port)) => Err(format!(
            "`{text}` is a port without an address: write 127.0.0.1:{port} for this machine only, or 0.0.0.0:{port} for every network"
        )),
        _ => Err(format!(
            "`{text}` must be an IP address and a port, as in 127.0.0.1:8080, 0.0.0.0:8080 or [::1]:8080; the only name that is known is localhost"
        )),
    }
}

pub(super) fn required<'de, D: Deserializer<'de>>(from: D) -> Result<SocketAddr, D::Error> {
    parse(&String::deserialize(from)?).map_err(serde::de::Error::custom)
}

pub(super) fn optional<'de, D: Deserializer<'de>>(from: D) -> Result<Option<SocketAddr>, D::Error> {
    required(from).map(Some)
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
        ] {
            assert_eq!(parse(text).unwrap(), address.parse().unwrap(), "{text}");
        }
        for (text, hint) in [
            ("8080", "127.0.0.1:8080"),
            (":9090", "0.0.0.0:9090"),
            ("books.example.org:8080", "localhost"),
            ("::1:8080x", "[::1]:8080"),
            ("localhost", "[::1]:8080"),
            ("localhost:99999", "[::1]:8080"),
            ("nowhere", "nowhere"),
            ("", "127.0.0.1:8080"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(hint), "{text}: {error}");
        }
    }
}
