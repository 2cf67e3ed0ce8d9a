//! Sends e-mails. Each has a plain text and the same as HTML.
//!
//! No request waits for an e-mail, and no response reveals whether one was sent: e-mails are made and delivered in the
//! background. They wait only in memory, in a limited number, because their links are secrets that the database must not contain.
//! E-mails that are not delivered when the server stops are lost, and the log says so, without addresses.
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use chrono::TimeDelta;
use lettre::Address;
use lettre::address::Envelope;
use lettre::message::header::{self, ContentTransferEncoding, ContentType};
use lettre::message::{Body, Mailbox, Message, MultiPart, SinglePart};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

use super::smtp::{COMMAND_TIMEOUT, DeliveryFailure, SmtpClient};
use crate::config::Config;
use crate::kit::clock::Clock;
use crate::kit::error::Result;
use crate::kit::health::{Record, Runs};
use crate::kit::http::session::Token;
use crate::kit::http::throttle::AddressKey;
use crate::kit::http::window::Window;
use crate::kit::mail::address;
use crate::kit::mail::message::EmailMessage;

/// E-mails that may wait at once; further ones are dropped.
const WAITING: u32 = 1000;
/// E-mails that are delivered at once.
const AT_ONCE: usize = 4;
/// The time limit of one attempt, from connecting to the server's last reply.
const ATTEMPT: Duration = Duration::from_secs(60);
/// The time limit of an e-mail whose caller waits for it.
const WAITED_FOR: Duration = Duration::from_secs(20);
/// The pauses between attempts. The last attempt is within the hour in which a password reset link is valid.
const PAUSES: [Duration; 5] = [
    Duration::from_secs(2),
    Duration::from_secs(15),
    Duration::from_secs(60),
    Duration::from_secs(5 * 60),
    Duration::from_secs(20 * 60),
];
/// E-mails of one kind that one mailbox gets within an hour, so that this server can't be used to fill a mailbox.
const AN_HOUR: u32 = 10;
/// E-mails that one client address may request within an hour while not signed in, sent or not.
const ASKED_AN_HOUR: u32 = 20;
const HOUR: TimeDelta = TimeDelta::hours(1);
/// Why an e-mail to an address that mail servers do not accept is not sent.
const INVALID_RECIPIENT: &str = "the recipient is not a valid e-mail address";
/// The most characters in a line of an e-mail (RFC 5322).
const LONGEST_LINE: usize = 998;
/// Sends e-mails; clones share the queue. The default one sends nothing.
#[derive(Clone, Default)]
pub struct Mailer(Option<Arc<Queue>>);

struct Queue {
    outgoing: Outgoing,
    capacity: Arc<Semaphore>,
    permits: Semaphore,
    stopping: watch::Sender<bool>,
    /// E-mails by kind and mailbox. Only mailboxes that get e-mails are counted.
    sent: Mutex<Window<(&'static str, String)>>,
    /// Requested e-mails, by the client's address.
    asked: Mutex<Window<AddressKey>>,
    clock: Clock,
    runs: Runs,
}

/// Why an e-mail was not sent while its caller waited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SendError {
    /// Mail is not configured.
    Off,
    /// The mailbox has got as many e-mails of this kind within an hour as it may.
    TooMany,
    /// The mail server can't be reached or has refused it; holds the reason, without an address.
    Failed(String),
}

/// The mail server and the sender.
struct Outgoing {
    server: SmtpClient,
    from: Mailbox,
}

impl Outgoing {
    /// The mail server and the sender of the settings; `None` when mail is off.
    fn of(config: &Config) -> anyhow::Result<Option<Self>> {
        let Some((server, from)) = config.mail.delivery()? else { return Ok(None) };
        Ok(Some(Self { server: SmtpClient::new(server, &config.public_url(), AT_ONCE as u32)?, from }))
    }
}

impl Mailer {
    /// Starts the mailer of the settings, on the current runtime.
    pub fn start(config: &Config, clock: &Clock) -> anyhow::Result<Self> {
        Ok(Self(Queue::of(config, clock)?.map(Arc::new)))
    }

    /// The outcomes of deliveries since the start; `None` when mail is off.
    pub fn record(&self) -> Option<Record> {
        self.0.as_ref().map(|queue| queue.runs.record())
    }

    /// Sends an e-mail in the background, unless its mailbox has reached the hourly limit.
    pub fn post(&self, email: EmailMessage) {
        if self.may_write(email.kind, &email.to) {
            self.spawn(email.kind, async move { Ok(Some(email)) });
        }
    }

    /// Makes an e-mail in the background and sends it, unless the client's address has reached the hourly limit. `making` calls
    /// [`Mailer::may_write`] once it knows the mailbox.
    pub fn post_later(
        &self,
        kind: &'static str,
        caller: IpAddr,
        making: impl Future<Output = Result<Option<EmailMessage>>> + Send + 'static,
    ) {
        let Some(queue) = &self.0 else { return };
        let mut asked = queue.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let may_ask = asked.count(AddressKey::from(caller), queue.clock.now()) <= ASKED_AN_HOUR;
        drop(asked);
        if may_ask {
            self.spawn(kind, making);
        } else {
            tracing::warn!(kind, "e-mail not sent: the client has reached its hourly limit");
        }
    }

    /// Counts an e-mail to a mailbox. Returns whether it is within the hourly limit. `false` when mail is off.
    pub fn may_write(&self, kind: &'static str, to: &str) -> bool {
        let Some(queue) = &self.0 else { return false };
        let mut sent = queue.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let may_write = sent.count((kind, address::key(to)), queue.clock.now()) <= AN_HOUR;
        if !may_write {
            tracing::warn!(kind, "e-mail not sent: the mailbox has reached its hourly limit");
        }
        may_write
    }

    /// Sends an e-mail once, while the caller waits, for 20 seconds at most. The outcome counts like that of any other e-mail.
    pub async fn send(&self, email: &EmailMessage) -> std::result::Result<(), SendError> {
        let queue = self.0.as_ref().ok_or(SendError::Off)?;
        if !self.may_write(email.kind, &email.to) {
            return Err(SendError::TooMany);
        }
        let sent = match queue.sealed(email) {
            None => Err(INVALID_RECIPIENT.to_owned()),
            Some((envelope, bytes)) => match timeout(WAITED_FOR, queue.attempt(&envelope, &bytes)).await {
                Ok(sent) => sent.map_err(|failure| failure.reason),
                Err(_) => Err("the mail server took too long".to_owned()),
            },
        };
        match &sent {
            Ok(()) => queue.runs.succeeded(),
            Err(reason) => queue.runs.failed(reason.clone()),
        }
        sent.map_err(SendError::Failed)
    }

    fn spawn(&self, kind: &'static str, making: impl Future<Output = Result<Option<EmailMessage>>> + Send + 'static) {
        let Some(queue) = self.0.clone() else { return };
        let Ok(place) = queue.capacity.clone().try_acquire_owned() else {
            tracing::warn!(kind, "e-mail not sent: the queue is full");
            queue.runs.failed("too many e-mails wait");
            return;
        };
        tokio::spawn(async move {
            match making.await {
                Ok(Some(email)) => queue.deliver(email, place).await,
                Ok(None) => {}
                Err(cause) => {
                    tracing::error!(kind, %cause, "making an e-mail failed");
                    queue.runs.failed("making an e-mail failed");
                }
            }
        });
    }

    /// Tries for this long to send the waiting e-mails; the rest is lost.
    pub async fn drain(&self, within: Duration) {
        let Some(queue) = &self.0 else { return };
        queue.stopping.send_replace(true);
        if timeout(within, queue.capacity.acquire_many(WAITING)).await.is_err() {
            let lost = WAITING as usize - queue.capacity.available_permits();
            tracing::warn!(lost, "e-mails were lost at the shutdown");
        }
    }
}

/// Delivers one e-mail at once, for a command that then ends. Returns whether mail is configured at all.
///
/// # Errors
/// A sentence that says why the message could not be sent, without an address in it.
pub async fn send_now(config: &Config, email: &EmailMessage) -> std::result::Result<bool, String> {
    let Some(queue) = Queue::of(config, &Clock::default()).map_err(|cause| format!("{cause:#}"))? else {
        return Ok(false);
    };
    let (envelope, bytes) = queue.sealed(email).ok_or(INVALID_RECIPIENT)?;
    let handed_over = queue.attempt(&envelope, &bytes).await;
    handed_over.map(|()| true).map_err(|failure| failure.reason)
}

impl Queue {
    /// The queue of the settings; `None` when mail is off.
    fn of(config: &Config, clock: &Clock) -> anyhow::Result<Option<Self>> {
        let Some(outgoing) = Outgoing::of(config)? else { return Ok(None) };
        Ok(Some(Self {
            outgoing,
            capacity: Arc::new(Semaphore::new(WAITING as usize)),
            permits: Semaphore::new(AT_ONCE),
            stopping: watch::Sender::new(false),
            sent: Mutex::new(Window::new(HOUR)),
            asked: Mutex::new(Window::new(HOUR)),
            clock: clock.clone(),
            runs: Runs::new(clock.clone()),
        }))
    }

    /// Delivers an e-mail, retrying after pauses. `_place` in the queue is free when it ends.
    async fn deliver(&self, email: EmailMessage, _place: OwnedSemaphorePermit) {
        let (kind, mut stopping) = (email.kind, self.stopping.subscribe());
        let Some((envelope, bytes)) = self.sealed(&email) else {
            tracing::warn!(kind, reason = INVALID_RECIPIENT, "e-mail not sent");
            self.runs.failed(INVALID_RECIPIENT);
            return;
        };
        let mut pauses = PAUSES.iter();
        loop {
            let Err(failure) = self.attempt(&envelope, &bytes).await else {
                tracing::info!(kind, "e-mail sent");
                self.runs.succeeded();
                return;
            };
            let pause = pauses.next().filter(|_| failure.passes && !*stopping.borrow());
            let Some(pause) = pause else {
                tracing::warn!(kind, reason = failure.reason, "e-mail not sent");
                self.runs.failed(failure.reason);
                return;
            };
            tracing::info!(kind, reason = failure.reason, retry_in = ?pause, "sending an e-mail failed");
            tokio::select! {
                () = sleep(*pause) => {}
                _ = stopping.wait_for(|stopping| *stopping) => {}
            }
        }
    }

    /// The e-mail in its wire format; `None` when the recipient is not a valid address.
    fn sealed(&self, email: &EmailMessage) -> Option<(Envelope, Vec<u8>)> {
        let to: Address = email.to.parse().ok()?;
        let auto = header::HeaderValue::new(
            header::HeaderName::new_from_ascii_str("Auto-Submitted"),
            "auto-generated".to_owned(),
        );
        let from = self.outgoing.from.clone();
        let id = format!("<{}@{}>", Token::new().ok()?.text(), from.email.domain());
        let message = Message::builder()
            .from(from)
            .to(to.into())
            .subject(email.subject())
            .message_id(Some(id))
            .date_now()
            .raw_header(auto)
            .multipart(
                MultiPart::alternative()
                    .singlepart(part(ContentType::TEXT_PLAIN, email.text()))
                    .singlepart(part(ContentType::TEXT_HTML, email.html())),
            )
            .ok()?;
        Some((message.envelope().clone(), message.formatted()))
    }

    async fn attempt(&self, envelope: &Envelope, bytes: &[u8]) -> std::result::Result<(), DeliveryFailure> {
        let _desk = self.permits.acquire().await;
        match timeout(ATTEMPT, self.outgoing.server.send(envelope, bytes)).await {
            Ok(sent) => sent,
            Err(_) => Err(DeliveryFailure { passes: true, reason: "the mail server took too long".into() }),
        }
    }
}

/// Whether the mail server of the settings is reachable and accepts the password.
pub async fn reach(config: &Config) -> std::result::Result<String, String> {
    let sentence = |cause: anyhow::Error| format!("{cause:#}");
    let (server, _) = config.mail.delivery().map_err(sentence)?.ok_or("mail is off")?;
    let client = SmtpClient::new(server, &config.public_url(), 1).map_err(sentence)?;
    let shown = client.name();
    match timeout(COMMAND_TIMEOUT, client.test()).await {
        Ok(Ok(true)) => Ok(format!("{shown} accepts mail")),
        Ok(Ok(false)) => Err(format!("{shown} closed the connection")),
        Ok(Err(failure)) => Err(format!("{shown}: {}", failure.reason)),
        Err(_) => Err(format!("{shown} took too long")),
    }
}

/// Plain text is sent unencoded, so that a link stays on one line in the source: a line may have 998 characters.
fn part(kind: ContentType, text: String) -> SinglePart {
    let builder = SinglePart::builder().header(kind);
    if text.is_ascii() && text.lines().all(|line| line.len() <= LONGEST_LINE) {
        let bytes = text.replace('\n', "\r\n").into_bytes();
        builder.body(Body::dangerous_pre_encoded(bytes, ContentTransferEncoding::SevenBit))
    } else {
        builder.body(text)
    }
}
