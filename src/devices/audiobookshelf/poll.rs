//! Asks media servers: one reader after the other, every 15 minutes each, and less often after failures.
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use tokio::time::{sleep, timeout};

use super::client::{Metadata, Progress, Server, Session, SourceError};
use super::whose;
use crate::access::Owner;
use crate::config::Secret;
use crate::devices::statistics::{authors, cut};
use crate::devices::store::days::Reader;
use crate::devices::store::documents::Named;
use crate::devices::store::listening::{self, Report, Sitting};
use crate::devices::store::sources::{self, Outcome, Turn};
use crate::kit::db::pool::blocking;
use crate::kit::sealing::SealingKey;
use crate::kit::{App, Error, Result};
use crate::library::books::authors::AUTHOR_SEPARATOR;
use crate::library::books::log::WHOLE;
use crate::library::counters;

/// How often an account is asked.
const EVERY: TimeDelta = TimeDelta::minutes(15);
/// The longest wait after failures, each of which doubles it.
const LONGEST_WAIT: TimeDelta = TimeDelta::hours(12);
/// How often it is looked whose turn it is, so that a new key is used at once.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// The time limit of one account.
const LIMIT: Duration = Duration::from_secs(300);
/// The most pages of sessions that are read at a time: the newest 5,000 sessions.
const MOST_PAGES: usize = 50;
/// The most books whose names are asked for at a time. The next turn asks for further ones.
const MOST_NAMES: usize = 50;
/// The books that are written in one transaction.
const AT_ONCE: usize = 50;
/// A phone without a network sends what it played later, but not later than this: what is older is of a former listening.
const LATE: f64 = 14.0 * 24.0 * 3_600_000.0;
/// The most seconds of a sitting.
const LONGEST_SITTING: f64 = 86_400.0;
/// The longest id of a book or a session in bytes.
const ID_LENGTH: usize = 100;

/// Asks a media server of the settings until it is dropped.
pub async fn keep_polling(app: App, name: String) {
    loop {
        sleep(LOOK_EVERY).await;
        if let Err(cause) = poll_due(&app, &name).await {
            tracing::warn!(%cause, source = name, "asking a media server failed");
        }
    }
}

/// Asks a media server for every reader whose turn it is, one after the other.
pub async fn poll_due(app: &App, name: &str) -> Result<()> {
    let Some(settings) = app.config.sources.get(name) else { return Ok(()) };
    let (section, now) = (name.to_owned(), app.now());
    let due = app.db.read(move |conn| sources::due(conn, &section, now)).await?;
    if due.is_empty() {
        return Ok(());
    }
    let server = Server::of(settings).inspect_err(|cause| {
        tracing::warn!(cause = format!("{cause:#}"), source = name, "a media server can't be asked");
    });
    let mut is_down = server.is_err();
    for turn in due {
        let outcome = match &server {
            Ok(server) if !is_down => {
                let asked = timeout(LIMIT, poll(app, server, name, &turn)).await;
                asked.unwrap_or(Err(Failure::Source(SourceError::Unreachable)))
            }
            _ => Err(Failure::Source(SourceError::Unreachable)),
        };
        let (error, known) = match outcome {
            Ok(known) => (None, known),
            Err(failure) => (Some(failure.noted(name)), (turn.sessions_until, turn.progress_until)),
        };
        // The others' turns would wait as long, for nothing.
        is_down |= error == Some(SourceError::Unreachable);
        let failures = error.map_or(0, |_| turn.failures + 1);
        let (sessions_until, progress_until) = known;
        let (title, next) = (settings.title(name).to_owned(), app.now() + wait_after(failures));
        let outcome = Outcome { title, error, sessions_until, progress_until, next };
        let section = name.to_owned();
        app.db.write(move |tx| sources::polled(tx, &section, &turn, &outcome)).await?;
    }
    Ok(())
}

/// The wait after so many failures in a row.
fn wait_after(failures: u32) -> TimeDelta {
    (EVERY * 2_i32.saturating_pow(failures.min(10))).min(LONGEST_WAIT)
}

/// Why an account was not asked.
enum Failure {
    Source(SourceError),
    Ours(Error),
}

impl Failure {
    /// What its reader sees. A fault of ours, which other accounts must not wait for, is logged.
    fn noted(self, name: &str) -> SourceError {
        match self {
            Self::Source(error) => error,
            Self::Ours(cause) => {
                tracing::warn!(%cause, source = name, "what a media server reports could not be stored");
                SourceError::NotStored
            }
        }
    }
}

impl From<SourceError> for Failure {
    fn from(error: SourceError) -> Self {
        Self::Source(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Ours(error)
    }
}

/// Up to when sessions and places are known, in milliseconds.
type Known = (i64, i64);

/// Asks for one reader, and stores what is new.
async fn poll(app: &App, server: &Server, name: &str, turn: &Turn) -> std::result::Result<Known, Failure> {
    let Some(owner) = Owner::find(app, turn.owner).await? else {
        return Ok((turn.sessions_until, turn.progress_until));
    };
    let (folder, sealed, whose) = (app.config.data_dir.clone(), turn.sealed_key.clone(), whose(turn.owner, name));
    let opened = blocking(move || Ok(SealingKey::of(&folder)?.open(&sealed, &whose))).await?;
    let key = Secret::from(opened.ok_or(SourceError::KeyLost)?);

    let now = millis(app.now());
    // A session has a place, so the places are asked for after it.
    let (sessions, sessions_until) = new_sessions(server, &key, turn.sessions_until, now).await?;
    let places = server.progress(&key).await?;
    let mut news = News::of(places, sessions, turn.progress_until, now);
    let (reader, section) = (turn.owner, name.to_owned());
    let named = app.db.read(move |conn| listening::known(conn, reader, &section)).await?;
    news.ask_names(server, &key, name, &named, now).await?;
    let known = (sessions_until, news.progress_until);

    let quotas = app.current.get().limits.quotas();
    for reports in news.reports(name, now).chunks(AT_ONCE) {
        let (reports, turn, section, zone) = (reports.to_vec(), turn.clone(), name.to_owned(), owner.zone.clone());
        let written = app.db.write_alone(move |tx| {
            sources::still(tx, &section, &turn)?;
            let reader = Reader::new(tx, turn.owner, zone, tx.now())?;
            counters::within_quotas(tx, turn.owner, quotas, || listening::hear(tx, &reader, &section, &reports))
        });
        written.await?;
    }
    Ok(known)
}

fn millis(time: DateTime<Utc>) -> i64 {
    time.timestamp_millis()
}

/// The sessions that have changed since, and when the newest has.
async fn new_sessions(
    server: &Server,
    key: &Secret,
    until: i64,
    now: i64,
) -> std::result::Result<(Vec<Session>, i64), SourceError> {
    let (mut found, mut newest) = (Vec::new(), until);
    for page in 0..MOST_PAGES {
        let (sessions, pages) = server.sessions(key, page).await?;
        let count = sessions.len();
        let new: Vec<_> = sessions.into_iter().filter(|session| whole(session.updated_at) >= until).collect();
        // One from the future would hide those that come until then.
        newest = new.iter().map(|session| whole(session.updated_at).min(now)).fold(newest, i64::max);
        let is_last = new.len() < count || count == 0 || page + 1 >= pages;
        found.extend(new);
        if is_last {
            break;
        }
    }
    Ok((found, newest))
}

/// A number of JSON; 0 for what is none.
#[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
fn whole(number: f64) -> i64 {
    number as i64
}

/// What is new of each book, by its id.
struct News {
    books: BTreeMap<String, BookNews>,
    progress_until: i64,
}

#[derive(Default)]
struct BookNews {
    progress: Progress,
    /// Whether the place may be another one.
    has_moved: bool,
    sessions: Vec<Session>,
    metadata: Option<Metadata>,
}

impl News {
    /// Podcasts are left out, and so are sessions of what has no place any more.
    fn of(places: Vec<Progress>, sessions: Vec<Session>, progress_until: i64, now: i64) -> Self {
        let is_id =
            |id: &String| !id.is_empty() && id.len() <= ID_LENGTH && !id.contains(['\0', AUTHOR_SEPARATOR, ':']);
        let mut books = BTreeMap::new();
        for progress in places.into_iter().filter(|one| one.episode_id.is_none()) {
            let Some(id) = progress.library_item_id.clone().filter(is_id) else { continue };
            let has_moved = whole(progress.last_update) > progress_until;
            books.insert(id, BookNews { progress, has_moved, ..BookNews::default() });
        }
        for session in sessions.into_iter().filter(|one| one.episode_id.is_none() && is_id(&one.id)) {
            let Some(book) = session.library_item_id.as_ref().and_then(|id| books.get_mut(id)) else { continue };
            if session.updated_at >= book.progress.started_at - LATE {
                book.sessions.push(session);
            }
        }
        books.retain(|_, book| book.has_moved || !book.sessions.is_empty());
        let newest = books.values().map(|book| whole(book.progress.last_update).min(now));
        Self { progress_until: newest.fold(progress_until, i64::max), books }
    }

    /// Asks for the names of new books that no session names: of so many as may be, the oldest change first, so that the others' turn comes.
    async fn ask_names(
        &mut self,
        server: &Server,
        key: &Secret,
        name: &str,
        named: &BTreeSet<String>,
        now: i64,
    ) -> std::result::Result<(), SourceError> {
        let is_nameless = |(id, book): &(&String, &BookNews)| {
            let is_new = |report: &Report| !report.is_empty() && !named.contains(&report.named.digest);
            book.sessions.is_empty() && book.reports(&digest(name, id), now).iter().any(is_new)
        };
        let nameless = self.books.iter().filter(is_nameless);
        let mut nameless: Vec<_> = nameless.map(|(id, book)| (whole(book.progress.last_update), id.clone())).collect();
        nameless.sort();
        for (_, id) in nameless.iter().take(MOST_NAMES) {
            let item = server.item(key, id).await?;
            match (item, self.books.get_mut(id)) {
                (Some(item), Some(book)) => book.metadata = Some(item.media.metadata),
                _ => drop(self.books.remove(id)),
            }
        }
        if let Some((next, _)) = nameless.get(MOST_NAMES) {
            // What changed from here on comes at the next turn.
            self.progress_until = (next - 1).min(now);
            let waits: BTreeSet<_> = nameless[MOST_NAMES..].iter().map(|(_, id)| id.clone()).collect();
            self.books.retain(|id, _| !waits.contains(id));
        }
        Ok(())
    }

    fn reports(&self, name: &str, now: i64) -> Vec<Report> {
        self.books.iter().flat_map(|(id, book)| book.reports(&digest(name, id), now)).collect()
    }
}

/// What a book of a media server is called among documents. No device can send a digest with a colon.
fn digest(name: &str, id: &str) -> String {
    format!("{name}:{id}")
}

impl BookNews {
    /// The audiobook, and its text where that is read, too.
    fn reports(&self, digest: &str, now: i64) -> Vec<Report> {
        let Self { progress, .. } = self;
        let length =
            progress.duration.or_else(|| self.sessions.first()?.duration).map(whole).filter(|length| *length > 0);
        let changed = whole(progress.last_update).min(now) / 1000;
        let place = |at: i64| (self.has_moved && at > 0).then_some((at, changed));
        let finished_at = progress.finished_at.filter(|_| progress.is_finished).map(|at| whole(at).min(now) / 1000);
        let heard = length.map(|length| match progress.is_finished {
            true => WHOLE,
            false => part(progress.current_time.unwrap_or_default() / length as f64),
        });
        let read = progress.ebook_progress.map(part).filter(|at| *at > 0);
        let named = |digest: String| Named { digest, ..self.named() };
        let mut reports = Vec::new();
        if let Some(at) = read {
            let finished_at = finished_at.filter(|_| length.is_none());
            let named = named(format!("{digest}/ebook"));
            reports.push(Report { named, length: None, sittings: Vec::new(), place: place(at), finished_at });
        }
        if length.is_some() || read.is_none() {
            let sittings = self.sessions.iter().filter_map(|session| sitting(session, now)).collect();
            let place = heard.or(finished_at.map(|_| WHOLE)).and_then(place);
            reports.push(Report { named: named(digest.to_owned()), length, sittings, place, finished_at });
        }
        reports
    }

    fn named(&self) -> Named {
        let newest = self.sessions.iter().max_by(|one, other| one.updated_at.total_cmp(&other.updated_at));
        let metadata = self.metadata.as_ref().or(newest.and_then(|session| session.media_metadata.as_ref()));
        let title = metadata.and_then(|metadata| metadata.title.clone());
        let title = title.or_else(|| newest?.display_title.clone()).unwrap_or_default();
        let names = metadata.map(|metadata| metadata.authors.iter().map(|author| author.name.clone()).collect());
        let names: Vec<_> = names.unwrap_or_default();
        Named { digest: String::new(), title: cut(&title), authors: authors(&names.join("\n")) }
    }
}

/// A part of a book from 0 to 1, in hundredths of a percent.
fn part(of: f64) -> i64 {
    if of.is_finite() { whole(of.clamp(0.0, 1.0) * WHOLE as f64 + 1e-6) } else { 0 }
}

/// A session as it is stored; `None` for one without listening, or from the future.
fn sitting(session: &Session, now: i64) -> Option<Sitting> {
    let seconds = whole(session.time_listening?.min(LONGEST_SITTING));
    let started_at = whole(session.started_at);
    let place = |seconds: f64| whole(seconds.clamp(0.0, f64::from(u32::MAX)));
    (seconds > 0 && (1..=now + 86_400_000).contains(&started_at)).then(|| Sitting {
        id: session.id.clone(),
        started_at: started_at / 1000,
        seconds,
        from: place(session.start_time),
        to: place(session.current_time),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_failure_doubles_the_wait_up_to_twelve_hours() {
        let waits: Vec<_> = (0..8).map(|failures| wait_after(failures).num_minutes()).collect();
        assert_eq!(waits, [15, 30, 60, 120, 240, 480, 720, 720]);
        assert_eq!(wait_after(u32::MAX), LONGEST_WAIT);
    }

    #[test]
    fn hostile_numbers_become_nothing_worse() {
        assert_eq!([f64::NAN, f64::INFINITY, -1.0, 2.0, 0.4249].map(part), [0, 0, 0, 10_000, 4_249]);
        let session =
            Session { id: "s".into(), time_listening: Some(f64::MAX), started_at: 1e12, ..Session::default() };
        let session = Session { start_time: f64::NAN, current_time: f64::MAX, ..session };
        let kept = sitting(&session, 2_000_000_000_000).unwrap();
        assert_eq!((kept.seconds, kept.from, kept.to), (86_400, 0, i64::from(u32::MAX)));
        for started_at in [f64::NAN, -5.0, 1e300] {
            assert!(sitting(&Session { started_at, ..session.clone() }, 2_000_000_000_000).is_none());
        }
    }
}
