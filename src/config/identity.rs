//! The server as its e-mails name it.
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};

use super::Config;
use super::listen::Listen;

/// The name and the public address of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerIdentity {
    /// The name that the operator chose; `None` for Shelfwise.
    pub name: Option<String>,
    /// The public address, without a slash at the end.
    pub url: String,
}

impl ServerIdentity {
    /// The name of the server.
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or("Shelfwise")
    }

    /// The public address without its scheme, for prose, so that an e-mail has only one link.
    pub fn host(&self) -> &str {
        self.url.split_once("://").map_or(&self.url, |(_, host)| host)
    }

    /// The server as its operators hear of it within a sentence: its name, or "your Shelfwise server".
    pub fn to_operators(&self) -> &str {
        self.name.as_deref().unwrap_or("your Shelfwise server")
    }

    /// A thing of a reader on this server, after "your": "Shelfwise account", or "account at The Okafor shelf".
    pub fn owned(&self, thing: &str) -> String {
        match &self.name {
            Some(name) => format!("{thing} at {name}"),
            None => format!("Shelfwise {thing}"),
        }
    }
}

impl Config {
    /// The name and the public address of this server.
    pub fn identity(&self) -> ServerIdentity {
        ServerIdentity { name: self.name.clone(), url: self.public_url() }
    }

    /// The address of this machine for others in its network, where the server listens on every address and has no `public_url`.
    /// None in a container, whose own address no one opens.
    pub fn network_url(&self) -> Option<String> {
        // The image sets it. Podman's file in /run is hidden where the root is read-only.
        let is_contained = std::env::var_os("container").is_some();
        let Listen::Tcp(listen) = &self.listen else { return None };
        if self.public_url.is_some() || !listen.ip().is_unspecified() || is_contained {
            return None;
        }
        // Nothing is sent: the system says from which address it would be.
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
        let own = socket.local_addr().ok()?.ip();
        (!own.is_loopback()).then(|| format!("http://{}", SocketAddr::new(own, listen.port())))
    }

    /// The public address for a person at the machine of the server. A server that listens on every address, without
    /// `public_url`, is at `localhost` there.
    pub fn local_url(&self) -> String {
        let url = self.public_url();
        ["http://0.0.0.0:", "http://[::]:"]
            .into_iter()
            .find_map(|every| url.strip_prefix(every))
            .map_or_else(|| url.clone(), |port| format!("http://localhost:{port}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_listens_everywhere_is_at_localhost_for_its_operator() {
        for (listen, url) in [
            ("0.0.0.0:8080", "http://localhost:8080"),
            ("[::]:80", "http://localhost:80"),
            ("192.168.1.20:8080", "http://192.168.1.20:8080"),
        ] {
            let config =
                Config { listen: crate::config::listen::Listen::Tcp(listen.parse().unwrap()), ..Config::default() };
            assert_eq!(config.local_url(), url);
        }
        let named =
            Config { public_url: Some("https://books.test".to_owned().try_into().unwrap()), ..Config::default() };
        assert_eq!((named.local_url().as_str(), named.identity().host()), ("https://books.test", "books.test"));
    }

    #[test]
    fn things_of_a_reader_are_named_after_the_server() {
        let named = |name: Option<&str>| Config { name: name.map(str::to_owned), ..Config::default() }.identity();
        assert_eq!(named(None).owned("password"), "Shelfwise password");
        assert_eq!(named(Some("The Okafor shelf")).owned("password"), "password at The Okafor shelf");
    }
}
