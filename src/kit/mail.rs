//! Mail: one mailer for all letters. Each has plain text and the same as HTML.
//!
//! Nobody who asks for something waits for mail, or learns from an answer whether one was sent: letters are made and handed over
//! off the request's path. They wait in memory alone, bounded in number, because the links in them are secrets that the database
//! must not know; what could not be handed over when the server stops is lost, and the log says so. It never names an address.
use std::collections::HashMap;
use std::error::Error as _;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use lettre::address::Envelope;
use lettre::message::header::{self, ContentTransferEncoding, ContentType};
use lettre::message::{Body, Mailbox, Message, MultiPart, SinglePart};
use lettre::transport::smtp::authentication::Credentials;
use lettre::transport::smtp::client::{CertificateStore, Tls, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::{self, PoolConfig};
use lettre::{Address, AsyncSmtpTransport, AsyncTransport as _, Tokio1Executor};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

use super::email;
use super::error::Result;
use super::health::{Record, Runs};
use super::letter::Letter;
use super::session::Token;
use crate::config::{Config, MailServer, Privacy};

/// Letters that may wait at once; further ones are dropped.
const WAITING: u32 = 1000;
/// Letters that are handed over at once.
const AT_ONCE: usize = 4;
/// How long one attempt may take, from the connection to the server's last word.
const ATTEMPT: Duration = Duration::from_secs(60);
/// How long the mail server may take for one command.
const COMMAND: Duration = Duration::from_secs(20);
/// The pauses between attempts. The last attempt lies within the hour that a link to a new password works.
const PAUSES: [Duration; 5] = [
    Duration::from_secs(2),
    Duration::from_secs(15),
    Duration::from_secs(60),
    Duration::from_secs(5 * 60),
    Duration::from_secs(20 * 60),
];
/// Letters of one kind that one address gets within an hour, so that nobody's mailbox is filled through this server.
const AN_HOUR: u32 = 10;
const HOUR: Duration = Duration::from_secs(60 * 60);
/// Characters of a line of mail (RFC 5322).
const LONGEST_LINE: usize = 998;
/// Addresses that are counted at once. Beyond that counting begins anew: whoever invents so many must not fill the memory.
const TIDY_AT: usize = 10_000;

/// Sends letters; clones share the queue. The default one sends nothing.
#[derive(Clone, Default)]
pub struct Mailer(Option<Arc<Office>>);

struct Office {
    relay: RwLock<Relay>,
    /// The address that people use, for the letters' foot.
    public_url: String,
    room: Arc<Semaphore>,
    desks: Semaphore,
    stopping: watch::Sender<bool>,
    sent: Mutex<Sent>,
    runs: Runs,
}

/// The server that takes mail, and the sender. Clones share connections.
#[derive(Clone)]
struct Relay {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Relay {
    /// The relay of these settings; nothing where mail is off.
    fn of(config: &Config) -> anyhow::Result<Option<Self>> {
        let Some((server, from)) = config.mail.delivery()? else { return Ok(None) };
        let pool = PoolConfig::new().max_size(AT_ONCE as u32).idle_timeout(Duration::from_secs(10));
        let transport = transport(&server, &config.public_url())?.pool_config(pool).build();
        Ok(Some(Self { transport, from }))
    }
}

/// Letters of a kind to an address since a moment.
type Sent = HashMap<(&'static str, String), (Instant, u32)>;

/// Why an attempt failed, without an address in it.
struct Failure {
    reason: String,
    /// Whether another attempt may succeed.
    passes: bool,
}

impl Mailer {
    /// The mailer of these settings; it belongs to the runtime that it is started in.
    ///
    /// # Errors
    /// A sentence about the setting that can't be used.
    pub fn start(config: &Config) -> anyhow::Result<Self> {
        Ok(Self(Office::of(config)?.map(Arc::new)))
    }

    /// Takes over the mail server and the sender of settings that were read again, the server also for e-mails that wait. Mail is switched
    /// on and off by a restart alone.
    ///
    /// # Errors
    /// A sentence about the setting that can't be used; the settings before hold then.
    pub fn read_again(&self, config: &Config) -> anyhow::Result<()> {
        if let (Some(office), Some(relay)) = (&self.0, Relay::of(config)?) {
            *office.relay.write().unwrap_or_else(PoisonError::into_inner) = relay;
        }
        Ok(())
    }

    /// How e-mails have ended since the start; nothing where mail is off.
    pub fn record(&self) -> Option<Record> {
        self.0.as_ref().map(|office| office.runs.record())
    }

    /// Sends a letter when there is time.
    pub fn post(&self, letter: Letter) {
        let (kind, to) = (letter.kind, letter.to.clone());
        self.post_later(kind, &to, async move { Ok(Some(letter)) });
    }

    /// Makes a letter off the caller's path and sends it. `address` is the one that was asked for: it is what counts toward the
    /// letters of an hour, whether it gets one or not.
    pub fn post_later(
        &self,
        kind: &'static str,
        address: &str,
        making: impl Future<Output = Result<Option<Letter>>> + Send + 'static,
    ) {
        let Some(office) = self.0.clone() else { return };
        if !office.may_send(kind, address) {
            tracing::warn!(kind, "an address had its letters of this hour; one was not sent");
            return;
        }
        let Ok(place) = office.room.clone().try_acquire_owned() else {
            tracing::warn!(kind, "too many letters wait; one was not sent");
            office.runs.failed("too many e-mails wait");
            return;
        };
        tokio::spawn(async move {
            match making.await {
                Ok(Some(letter)) => office.deliver(letter, place).await,
                Ok(None) => {}
                Err(cause) => {
                    tracing::error!(kind, %cause, "a letter could not be made");
                    office.runs.failed("an e-mail could not be made");
                }
            }
        });
    }

    /// Tries once more to send what waits, for so long; what is left then is lost.
    pub async fn drain(&self, within: Duration) {
        let Some(office) = &self.0 else { return };
        office.stopping.send_replace(true);
        if timeout(within, office.room.acquire_many(WAITING)).await.is_err() {
            let lost = WAITING as usize - office.room.available_permits();
            tracing::warn!(lost, "letters could not be sent before the stop");
        }
    }
}

/// Hands one letter over at once, for a command that ends with it. Answers whether this server sends mail at all.
///
/// # Errors
/// A sentence that says why it could not be sent, without an address in it.
pub async fn send_now(config: &Config, letter: &Letter) -> std::result::Result<bool, String> {
    let Some(office) = Office::of(config).map_err(|cause| format!("{cause:#}"))? else { return Ok(false) };
    let (envelope, bytes) = office.sealed(letter).ok_or("mail does not reach such an address")?;
    let handed_over = office.attempt(&envelope, &bytes).await;
    handed_over.map(|()| true).map_err(|failure| failure.reason)
}

impl Office {
    /// The office of these settings; nothing where mail is off.
    fn of(config: &Config) -> anyhow::Result<Option<Self>> {
        let Some(relay) = Relay::of(config)? else { return Ok(None) };
        Ok(Some(Self {
            relay: RwLock::new(relay),
            public_url: config.public_url(),
            room: Arc::new(Semaphore::new(WAITING as usize)),
            desks: Semaphore::new(AT_ONCE),
            stopping: watch::Sender::new(false),
            sent: Mutex::default(),
            runs: Runs::default(),
        }))
    }

    fn relay(&self) -> Relay {
        self.relay.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts a letter to an address, unless it had those of this hour.
    fn may_send(&self, kind: &'static str, address: &str) -> bool {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
        if sent.len() > TIDY_AT {
            sent.retain(|_, (first, _)| first.elapsed() < HOUR);
        }
        if sent.len() > TIDY_AT {
            sent.clear();
        }
        let count = sent.entry((kind, email::key(address))).or_insert((Instant::now(), 0));
        if count.0.elapsed() >= HOUR {
            *count = (Instant::now(), 0);
        }
        count.1 += 1;
        count.1 <= AN_HOUR
    }

    /// Hands a letter over, trying again after pauses; `_place` in the queue is free when it ends.
    async fn deliver(&self, letter: Letter, _place: OwnedSemaphorePermit) {
        let (kind, mut stopping) = (letter.kind, self.stopping.subscribe());
        let Some((envelope, bytes)) = self.sealed(&letter) else {
            tracing::warn!(kind, "a letter can't be sent: mail does not reach such an address");
            self.runs.failed("mail does not reach such an address");
            return;
        };
        let mut pauses = PAUSES.iter();
        loop {
            let Err(failure) = self.attempt(&envelope, &bytes).await else {
                tracing::info!(kind, "a letter was sent");
                self.runs.succeeded();
                return;
            };
            let pause = pauses.next().filter(|_| failure.passes && !*stopping.borrow());
            let Some(pause) = pause else {
                tracing::warn!(kind, reason = failure.reason, "a letter was not sent");
                self.runs.failed(failure.reason);
                return;
            };
            tracing::info!(kind, reason = failure.reason, again_in = ?pause, "a letter could not be sent yet");
            tokio::select! {
                () = sleep(*pause) => {}
                _ = stopping.wait_for(|stopping| *stopping) => {}
            }
        }
    }

    /// The letter as it goes over the wire; nothing for an address that can't be one.
    fn sealed(&self, letter: &Letter) -> Option<(Envelope, Vec<u8>)> {
        let to: Address = letter.to.parse().ok()?;
        let auto = header::HeaderValue::new(
            header::HeaderName::new_from_ascii_str("Auto-Submitted"),
            "auto-generated".to_owned(),
        );
        let from = self.relay().from;
        let id = format!("<{}@{}>", Token::new().ok()?.text(), from.email.domain());
        let message = Message::builder()
            .from(from)
            .to(to.into())
            .subject(letter.subject())
            .message_id(Some(id))
            .date_now()
            .raw_header(auto)
            .multipart(
                MultiPart::alternative()
                    .singlepart(part(ContentType::TEXT_PLAIN, letter.text(&self.public_url)))
                    .singlepart(part(ContentType::TEXT_HTML, letter.html(&self.public_url))),
            )
            .ok()?;
        Some((message.envelope().clone(), message.formatted()))
    }

    async fn attempt(&self, envelope: &Envelope, bytes: &[u8]) -> std::result::Result<(), Failure> {
        let _desk = self.desks.acquire().await;
        let transport = self.relay().transport;
        match timeout(ATTEMPT, transport.send_raw(envelope, bytes)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(cause)) => {
                Err(Failure { passes: !cause.is_permanent() && !cause.is_client(), reason: reason(&cause) })
            }
            Err(_) => Err(Failure { passes: true, reason: "the mail server took too long".into() }),
        }
    }
}

/// Whether the mail server of these settings can be reached, and takes the password.
///
/// # Errors
/// A sentence that says why not.
pub async fn reach(config: &Config) -> std::result::Result<String, String> {
    let sentence = |cause: anyhow::Error| format!("{cause:#}");
    let (server, _) = config.mail.delivery().map_err(sentence)?.ok_or("mail is off")?;
    let shown = format!("{}:{}", server.host, server.port);
    let transport = transport(&server, &config.public_url()).map_err(sentence)?.build::<Tokio1Executor>();
    match timeout(COMMAND, transport.test_connection()).await {
        Ok(Ok(true)) => Ok(format!("{shown} takes mail")),
        Ok(Ok(false)) => Err(format!("{shown} closed the connection")),
        Ok(Err(cause)) => Err(format!("{shown}: {}", reason(&cause))),
        Err(_) => Err(format!("{shown} took too long")),
    }
}

/// What to say of a failure. The words of a mail server are left out: they may repeat an address.
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
    text
}

/// Plain letters go as they are, so that a link stays on its line for whoever reads the source: mail takes 998 characters there.
fn part(kind: ContentType, text: String) -> SinglePart {
    let builder = SinglePart::builder().header(kind);
    if text.is_ascii() && text.lines().all(|line| line.len() <= LONGEST_LINE) {
        let bytes = text.replace('\n', "\r\n").into_bytes();
        builder.body(Body::dangerous_pre_encoded(bytes, ContentTransferEncoding::SevenBit))
    } else {
        builder.body(text)
    }
}

fn transport(server: &MailServer, public_url: &str) -> anyhow::Result<smtp::AsyncSmtpTransportBuilder> {
    let tls = |trusted: bool| {
        // The system's certificates (SSL_CERT_FILE names others), or those of the browsers where a bare system has none.
        let bare = rustls_native_certs::load_native_certs().certs.is_empty();
        let store = if bare { CertificateStore::WebpkiRoots } else { CertificateStore::Default };
        let parameters = TlsParameters::builder(server.host.clone()).certificate_store(store);
        parameters.dangerous_accept_invalid_certs(!trusted).dangerous_accept_invalid_hostnames(!trusted).build()
    };
    let tls = match server.privacy {
        Privacy::Wrapped => Tls::Wrapper(tls(true)?),
        Privacy::Required => Tls::Required(tls(true)?),
        Privacy::Offered => Tls::Opportunistic(tls(false)?),
        Privacy::Unwanted => Tls::None,
    };
    let own_name = public_url.parse::<http::Uri>().ok().and_then(|uri| uri.host().map(str::to_owned));
    let mut builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&server.host)
        .port(server.port)
        .tls(tls)
        .timeout(Some(COMMAND));
    if let Some(name) = own_name {
        builder = builder.hello_name(ClientId::Domain(name));
    }
    if let Some((user, password)) = &server.login {
        builder = builder.credentials(Credentials::new(user.clone(), password.expose().to_owned()));
    }
    Ok(builder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_sender_that_was_read_again_holds_and_one_that_can_not_be_used_changes_nothing() {
        let config = |from: &str, url: &str| {
            let text = format!("public_url = \"https://books.test\"\n[mail]\nurl = \"{url}\"\nfrom = \"{from}\"\n");
            toml::from_str::<Config>(&text).unwrap()
        };
        let mailer = Mailer::start(&config("old@books.test", "smtp://127.0.0.1:1")).unwrap();
        let sender = || mailer.0.as_ref().unwrap().relay().from.email.to_string();
        mailer.read_again(&config("new@books.test", "smtp://127.0.0.1:2")).unwrap();
        assert_eq!(sender(), "new@books.test");
        assert!(mailer.read_again(&config("other@books.test", "http://127.0.0.1")).is_err());
        assert_eq!(sender(), "new@books.test");
    }
}
