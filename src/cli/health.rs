//! `shelfwise health`
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::PathBuf;

use clap::Args;
use reqwest::{Client, Url};
use serde::Deserialize;

use super::exit::{Exit, Outcome};
use super::output::say;
use super::settings::Settings;
use crate::config::listen::{self, Listen};
use crate::kit::net::http_client;

/// The path that reports the server's health.
const PATH: &str = "/healthz";
/// The longest answer that is read, in bytes.
const LONGEST_ANSWER: usize = 64 * 1024;

/// Ask a running server whether it works
#[derive(Args)]
#[command(
    after_help = "Examples:\n  shelfwise health\n  shelfwise health --url http://127.0.0.1:8080\n  shelfwise health --url unix:/run/shelfwise/http.sock\n\n\
    Asks GET /healthz and waits ten seconds at most. Exit status 0 when the server can read and write, otherwise 1 with the reason."
)]
pub struct Health {
    /// The server's address, as a web address or unix: and the path of a socket [default: where the server listens]
    #[arg(long, value_name = "URL", value_parser = Target::parse)]
    url: Option<Target>,
}

impl Health {
    /// Runs the command. Every failure but a wrong flag has exit status 1, because the checks of containers know no other.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let target = match self.url {
            Some(target) => target,
            None => {
                let config = settings.load().map_err(|cause| Exit::failed(unknown(&cause.to_string())))?.config;
                Target::of(&config.listen).map_err(|cause| Exit::failed(unknown(&cause)))?
            }
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Exit::failed)?;
        runtime.block_on(target.ask()).map_err(Exit::failed)?;
        say(&format!("{} works", target.name()))
    }
}

fn unknown(cause: &str) -> String {
    format!("the server's address is not known: {cause} (--url names one)")
}

/// Where a server is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Target {
    /// By HTTP or HTTPS.
    Web(Url),
    /// Through a Unix socket.
    Socket(PathBuf),
}

/// The body of the answer.
#[derive(Deserialize)]
struct HealthResponse {
    status: String,
    #[serde(default)]
    why: Vec<String>,
}

impl Target {
    fn parse(text: &str) -> Result<Self, String> {
        if text.starts_with("unix:") {
            return Self::of(&listen::parse(text)?);
        }
        let shape = || format!("`{text}` must be http://, https:// or unix:, as in http://127.0.0.1:8080");
        let mut url = Url::parse(text).map_err(|_| shape())?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(shape());
        }
        if url.path() == "/" {
            url.set_path(PATH);
        }
        Ok(Self::Web(url))
    }

    /// The server that listens there, asked from this machine.
    fn of(listen: &Listen) -> Result<Self, String> {
        let address = match listen {
            Listen::Tcp(address) => address,
            Listen::Unix(path) => return Ok(Self::Socket(path.clone())),
        };
        let ip = match address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        match address.port() {
            0 => Err("listen has port 0, so the system chose the port".to_owned()),
            port => Self::parse(&format!("http://{}", SocketAddr::new(ip, port))),
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Web(url) => url.origin().ascii_serialization(),
            Self::Socket(path) => format!("unix:{}", path.display()),
        }
    }

    /// Returns whether the server is working.
    async fn ask(&self) -> Result<(), String> {
        let unreachable = |cause: anyhow::Error| format!("{} can't be reached: {}", self.name(), cause.root_cause());
        let silent = |cause: reqwest::Error| match cause.is_timeout() && !cause.is_connect() {
            true => format!(
                "{} accepts connections and did not answer in ten seconds. A server that upgrades a large database answers when the upgrade is \
                 done; its log says how far it is",
                self.name()
            ),
            false => unreachable(cause.into()),
        };
        let (client, url) = self.client().map_err(unreachable)?;
        let mut answer = client.get(url).send().await.map_err(silent)?;
        let (status, mut body) = (answer.status().as_u16(), Vec::new());
        while let Some(part) = answer.chunk().await.map_err(|cause| unreachable(cause.into()))? {
            body.extend_from_slice(&part);
            if body.len() > LONGEST_ANSWER {
                break;
            }
        }
        match (status, serde_json::from_slice::<HealthResponse>(&body)) {
            (200, Ok(answer)) if answer.status == "ok" => Ok(()),
            (503, Ok(answer)) if answer.status == "failing" => {
                Err(format!("{} does not work: {}", self.name(), answer.why.join(" ")))
            }
            _ => Err(format!("{} answers with {status}, which is not an answer of Shelfwise", self.name())),
        }
    }

    fn client(&self) -> anyhow::Result<(Client, String)> {
        Ok(match self {
            Self::Web(url) => (http_client::direct_client(None)?, url.to_string()),
            Self::Socket(path) => (http_client::direct_client(Some(path))?, format!("http://localhost{PATH}")),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(listen: &str) -> Result<String, String> {
        match Target::of(&listen::parse(listen)?)? {
            Target::Web(url) => Ok(url.to_string()),
            Target::Socket(path) => Ok(path.display().to_string()),
        }
    }

    #[test]
    fn a_server_that_listens_everywhere_is_asked_on_this_machine() {
        for (listen, url) in [
            ("127.0.0.1:8080", "http://127.0.0.1:8080/healthz"),
            ("0.0.0.0:80", "http://127.0.0.1/healthz"),
            ("[::]:8080", "http://[::1]:8080/healthz"),
            ("192.0.2.7:8080", "http://192.0.2.7:8080/healthz"),
            ("unix:/run/shelfwise.sock", "/run/shelfwise.sock"),
        ] {
            assert_eq!(asked(listen).as_deref(), Ok(url));
        }
        assert!(asked("127.0.0.1:0").unwrap_err().contains("port 0"));
    }

    #[test]
    fn an_address_may_be_a_site_a_page_of_it_or_a_socket() {
        for (text, name) in [
            ("https://books.example.org", "https://books.example.org"),
            ("http://127.0.0.1:8080/healthz", "http://127.0.0.1:8080"),
            ("unix:/run/shelfwise.sock", "unix:/run/shelfwise.sock"),
        ] {
            assert_eq!(Target::parse(text).unwrap().name(), name);
        }
        for text in ["127.0.0.1:8080", "books.example.org", "ftp://x", "unix:run/x", "http://", ""] {
            assert!(Target::parse(text).is_err(), "{text}");
        }
    }
}
