//! Mail: one mailer for all letters. Each has plain text and the same as HTML.
//!
//! Nobody who asks for something waits for mail, or learns from an answer whether one was sent: letters are made and handed over
//! off the request's path. They wait in memory alone, bounded in number, because the links in them are secrets that the database
//! must not know; what could not be handed over when the server stops is lost, and the log says so. It never names an address.
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use lettre::Address;
use lettre::address::Envelope;
use lettre::message::header::{self, ContentTransferEncoding, ContentType};
use lettre::message::{Body, Mailbox, Message, MultiPart, SinglePart};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};

use super::email;
use super::error::Result;
use super::letter::Letter;
use super::session::Token;
use super::smtp::{COMMAND_TIMEOUT, Failure, SmtpClient};
use crate::config::Config;

/// Letters that may wait at once; further ones are dropped.
const WAITING: u32 = 1000;
/// Letters that are handed over at once.
const AT_ONCE: usize = 4;
/// How long one attempt may take, from the connection to the server's last word.
const ATTEMPT: Duration = Duration::from_secs(60);
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
    server: SmtpClient,
    from: Mailbox,
    /// The address that people use, for the letters' foot.
    public_url: String,
    room: Arc<Semaphore>,
    desks: Semaphore,
    stopping: watch::Sender<bool>,
    sent: Mutex<Sent>,
}

/// Letters of a kind to an address since a moment.
type Sent = HashMap<(&'static str, String), (Instant, u32)>;

impl Mailer {
    /// The mailer of these settings; it belongs to the runtime that it is started in.
    ///
    /// # Errors
    /// A sentence about the setting that can't be used.
    pub fn start(config: &Config) -> anyhow::Result<Self> {
        Ok(Self(Office::of(config)?.map(Arc::new)))
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
            return;
        };
        tokio::spawn(async move {
            match making.await {
                Ok(Some(letter)) => office.deliver(letter, place).await,
                Ok(None) => {}
                Err(cause) => tracing::error!(kind, %cause, "a letter could not be made"),
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
        let Some((server, from)) = config.mail.delivery()? else { return Ok(None) };
        Ok(Some(Self {
            server: SmtpClient::new(server, &config.public_url(), AT_ONCE as u32)?,
            from,
            public_url: config.public_url(),
            room: Arc::new(Semaphore::new(WAITING as usize)),
            desks: Semaphore::new(AT_ONCE),
            stopping: watch::Sender::new(false),
            sent: Mutex::default(),
        }))
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
            return;
        };
        let mut pauses = PAUSES.iter();
        loop {
            let Err(failure) = self.attempt(&envelope, &bytes).await else {
                tracing::info!(kind, "a letter was sent");
                return;
            };
            let pause = pauses.next().filter(|_| failure.passes && !*stopping.borrow());
            let Some(pause) = pause else {
                tracing::warn!(kind, reason = failure.reason, "a letter was not sent");
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
        let id = format!("<{}@{}>", Token::new().ok()?.text(), self.from.email.domain());
        let message = Message::builder()
            .from(self.from.clone())
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
        match timeout(ATTEMPT, self.server.send(envelope, bytes)).await {
            Ok(sent) => sent,
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
    let client = SmtpClient::new(server, &config.public_url(), 1).map_err(sentence)?;
    let shown = client.name();
    match timeout(COMMAND_TIMEOUT, client.test()).await {
        Ok(Ok(true)) => Ok(format!("{shown} takes mail")),
        Ok(Ok(false)) => Err(format!("{shown} closed the connection")),
        Ok(Err(failure)) => Err(format!("{shown}: {}", failure.reason)),
        Err(_) => Err(format!("{shown} took too long")),
    }
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
