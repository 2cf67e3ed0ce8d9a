//! The connection to the mail server. The mail library would look up a host name through the C library, so it gets addresses from
//! [`resolver`](crate::kit::net::resolver) instead; TLS still checks the certificate against the name.
use std::error::Error as _;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use lettre::address::Envelope;
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{CertificateStore, Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::{self, PoolConfig};
use lettre::{AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};

use crate::config::{MailServer, Privacy};
use crate::kit::net::resolver;

/// The time limit of one command and of connecting to one address.
pub const COMMAND_TIMEOUT: Duration = Duration::from_secs(20);
/// How long an unused connection stays open.
const IDLE: Duration = Duration::from_secs(10);

/// Why an attempt failed. Contains no address of a person.
#[derive(Debug)]
pub struct DeliveryFailure {
    /// The reason, as a sentence.
    pub reason: String,
    /// Whether a retry may succeed.
    pub passes: bool,
}

type Transport = AsyncSmtpTransport<Tokio1Executor>;

/// A mail server and its connections. Clones share them.
#[derive(Clone)]
pub struct SmtpClient {
    server: MailServer,
    tls: Tls,
    hello: Option<ClientId>,
    connections: u32,
    /// The connections to the address that accepted the last e-mail.
    last: Arc<Mutex<Option<(IpAddr, Transport)>>>,
}

impl SmtpClient {
    /// The mail server of the settings, with at most `connections` at once.
    pub fn new(server: MailServer, public_url: &str, connections: u32) -> anyhow::Result<Self> {
        let own_name = public_url.parse::<http::Uri>().ok().and_then(|uri| uri.host().map(str::to_owned));
        let (tls, hello) = (tls(&server)?, own_name.map(ClientId::Domain));
        Ok(Self { server, tls, hello, connections, last: Arc::default() })
    }

    /// Host and port, as an operator reads them.
    pub fn name(&self) -> String {
        format!("{}:{}", self.server.host, self.server.port)
    }

    pub async fn send(&self, envelope: &Envelope, bytes: &[u8]) -> Result<(), DeliveryFailure> {
        self.connect(Some((envelope, bytes))).await.map(drop)
    }

    /// Whether the server answers, accepts the password and stays connected. Nothing is sent.
    pub async fn test(&self) -> Result<bool, DeliveryFailure> {
        self.connect(None).await
    }

    /// Tries the server's addresses in turn, until one accepts the connection.
    async fn connect(&self, message: Option<(&Envelope, &[u8])>) -> Result<bool, DeliveryFailure> {
        let addresses = resolver::resolve(&self.server.host).await;
        let addresses = addresses.map_err(|cause| DeliveryFailure { reason: cause.to_string(), passes: true })?;
        let mut failures = Vec::new();
        for address in addresses {
            let transport = self.transport(address);
            let done = match message {
                Some((envelope, bytes)) => transport.send_raw(envelope, bytes).await.map(|_| true),
                None => transport.test_connection().await,
            };
            match done {
                Ok(connected) => return Ok(connected),
                Err(cause) => {
                    let failure =
                        DeliveryFailure { reason: reason(&cause), passes: !cause.is_permanent() && !cause.is_client() };
                    if is_of_the_server(&cause) {
                        return Err(failure);
                    }
                    failures.push(failure);
                }
            }
        }
        // Each address may fail for its own reason: a wrong certificate at one, nothing listening at another.
        let mut reasons: Vec<_> = failures.iter().map(|failure| failure.reason.as_str()).collect();
        reasons.dedup();
        let reason = if reasons.is_empty() { "the mail server has no address".into() } else { reasons.join("; ") };
        Err(DeliveryFailure { reason, passes: failures.iter().all(|failure| failure.passes) })
    }

    /// The open connections to an address if the last e-mail went there; otherwise new ones.
    #[expect(clippy::disallowed_methods, reason = "an IP address is not looked up")]
    fn transport(&self, address: IpAddr) -> Transport {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, open)) = last.as_ref().filter(|(known, _)| *known == address) {
            return open.clone();
        }
        let mut builder = Transport::builder_dangerous(address.to_string())
            .port(self.server.port)
            .tls(self.tls.clone())
            .timeout(Some(COMMAND_TIMEOUT))
            .pool_config(PoolConfig::new().max_size(self.connections).idle_timeout(IDLE));
        if let Some(name) = &self.hello {
            builder = builder.hello_name(name.clone());
        }
        if let Some((user, password)) = &self.server.login {
            builder = builder.credentials(Credentials::new(user.clone(), password.expose().to_owned()));
        }
        last.insert((address, builder.build())).1.clone()
    }
}

/// Whether the server itself refused, so that its other addresses would refuse too.
fn is_of_the_server(cause: &smtp::Error) -> bool {
    cause.status().is_some() || cause.is_response() || cause.is_client() || cause.is_tls()
}

/// The description of a failure. The mail server's own words are left out, because they may repeat an address.
fn reason(cause: &smtp::Error) -> String {
    if let Some(code) = cause.status() {
        return format!("the mail server refused it with {code}");
    }
    if cause.is_response() {
        return "the mail server's answer could not be read".into();
    }
    let mut text = cause.to_string();
    let mut source = cause.source().and_then(|first| first.source());
    while let Some(deeper) = source {
        text = format!("{text}: {deeper}");
        source = deeper.source();
    }
    let known = FAILURES.iter().find(|(part, _)| text.contains(part));
    known.map_or(text.clone(), |(_, said)| (*said).to_owned())
}

/// A part of the mail library's message, and what that means for an operator.
const FAILURES: &[(&str, &str)] = &[
    (
        "No compatible authentication mechanism",
        "the mail server offers no sign-in with a password here: leave user and password out of mail.url, or use TLS",
    ),
    ("InvalidContentType", "the mail server does not speak TLS at this port: use smtp:// instead of smtps://"),
    (
        "STARTTLS is not supported",
        "the mail server offers no TLS at this port: use smtps://, or ?tls=none in your own network",
    ),
];

fn tls(server: &MailServer) -> anyhow::Result<Tls> {
    let parameters = |verified: bool| {
        // The system's certificates (SSL_CERT_FILE names others), or the bundled ones when the system has none.
        let bare = rustls_native_certs::load_native_certs().certs.is_empty();
        let store = if bare { CertificateStore::WebpkiRoots } else { CertificateStore::Default };
        let parameters = TlsParameters::builder(server.host.clone()).certificate_store(store);
        parameters.dangerous_accept_invalid_certs(!verified).dangerous_accept_invalid_hostnames(!verified).build()
    };
    Ok(match server.privacy {
        Privacy::Wrapped => Tls::Wrapper(parameters(true)?),
        Privacy::Required => Tls::Required(parameters(true)?),
        Privacy::Offered => Tls::Opportunistic(parameters(false)?),
        Privacy::Unwanted => Tls::None,
    })
}
