//! The health checks for operators: each has a sentence, without a path or an address.
use std::net::IpAddr;

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;

use crate::backups::list;
use crate::backups::schedule::Schedule;
use crate::catalogue::model::About;
use crate::catalogue::store::about;
use crate::config::Compact;
use crate::kit::db::erasure::is_compaction_due;
use crate::kit::db::fault::Fault;
use crate::kit::db::pool::{blocking, instant, known_schema};
use crate::kit::health::{Elsewhere, Health, Record, free_bytes, unlisted_proxy, wal_bytes, wanted_bytes};
use crate::kit::timestamp::Timestamp;
use crate::kit::{App, VERSION};

/// A WAL above this many bytes is reported: a reader that never ends prevents its truncation.
const LONG_WAL: u64 = 256 * 1024 * 1024;

/// A compaction that has been due for this long is reported: every night makes one.
const LATE_COMPACTION: TimeDelta = TimeDelta::hours(36);

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct HealthCheck {
    /// `database`, `disk`, `log`, `erasure`, `backups`, `mail`, `payments`, `address`, or `catalogue` where there is one.
    pub name: &'static str,
    /// Whether the check has passed.
    pub ok: bool,
    /// The result, as a sentence for a person.
    pub sentence: String,
    /// Since when `ok` has its current value, as far as it is known.
    #[schema(value_type = String)]
    pub since: Timestamp,
}

/// The server's condition.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServerHealth {
    /// All checks, in a fixed order.
    checks: Vec<HealthCheck>,
    /// The program's version.
    version: &'static str,
    /// The database's schema.
    schema: i32,
    /// When the server was started.
    #[schema(value_type = String)]
    started_at: Timestamp,
}

/// What the checks look at.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Why the database can't be read or written.
    pub fault: Option<Fault>,
    /// Free bytes of the disk, where the system says.
    pub free: Option<u64>,
    /// Bytes that should be free.
    pub wanted: u64,
    /// The size of the WAL in bytes.
    pub wal: u64,
    /// Whether the last attempt to shorten the WAL was prevented or failed.
    pub wal_stays: bool,
    /// Since when the file has been waiting for the compaction that follows an erasure, if it is.
    pub compaction_due: Option<DateTime<Utc>>,
    /// Whether the server compacts the file at night.
    pub compacts: bool,
    /// The schedule of backups, where there is one.
    pub schedule: Option<Schedule>,
    pub backups: Record,
    /// The number of backups dated in the future.
    pub wrongly_dated: usize,
    /// The outcomes of e-mails; `None` when mail is off.
    pub mail: Option<Record>,
    /// The outcomes of webhooks; `None` when payments are off.
    pub payments: Option<Record>,
    /// The offline catalogue: `None` without one, an error when it can't be read.
    pub catalogue: Option<Result<About, ()>>,
    /// The address that people use.
    pub public_url: String,
    /// Refused requests of pages that were opened at another address.
    pub elsewhere: Option<Elsewhere>,
    /// Proxies that are not in `trusted_proxies`.
    pub unlisted_proxies: Vec<IpAddr>,
}

impl Facts {
    /// Collects the facts of a server.
    pub async fn of(app: &App, now: DateTime<Utc>) -> Self {
        let (database, config) = (app.db.path().to_owned(), app.current.get());
        let schedule = Schedule::of(&config.backup);
        let fault = app.health.fault(&app.db).await;
        // A database that can't be read is a finding of its own.
        let is_due = app.db.read(|conn| Ok(is_compaction_due(conn)?)).await.unwrap_or(false);
        let (due_since, _) = app.health.note("compaction", !is_due);
        let folder = schedule.as_ref().map(|schedule| schedule.folder().to_owned());
        let file = app.catalogue.clone();
        let looked = blocking(move || {
            let wrongly_dated =
                folder.and_then(|folder| list::dated_after(&folder, now).ok()).map_or(0, |names| names.len());
            let catalogue = file.read(about).map_err(drop).transpose();
            let bytes = (free_bytes(&database), wanted_bytes(&database), wal_bytes(&database));
            Ok((bytes, wrongly_dated, catalogue))
        });
        let ((free, wanted, wal), wrongly_dated, catalogue) = looked.await.unwrap_or_default();
        Self {
            fault,
            free,
            wanted,
            wal,
            wal_stays: app.db.truncation_failed(),
            compaction_due: is_due.then_some(due_since),
            compacts: config.compact == Compact::Nightly,
            schedule,
            backups: app.health.backups.record(),
            wrongly_dated,
            mail: app.mail.record(),
            payments: config.stripe.is_on().then(|| app.health.webhooks.record()),
            catalogue,
            public_url: config.public_url(),
            elsewhere: app.health.elsewhere(),
            unlisted_proxies: app.health.unlisted_proxies(),
        }
    }

    /// The results of all checks, each with its name and its sentence.
    fn verdicts(&self, now: DateTime<Utc>) -> Vec<(&'static str, Result<String, String>)> {
        let mut verdicts = vec![
            ("database", self.database()),
            ("disk", self.disk()),
            ("log", self.wal()),
            ("erasure", self.erasure(now)),
            ("backups", self.backups(now)),
            ("mail", self.mail()),
            ("payments", self.payments()),
            ("address", Ok(self.address())),
        ];
        verdicts.extend(self.catalogue.as_ref().map(|catalogue| ("catalogue", sentence(catalogue))));
        verdicts
    }

    /// All checks. One whose result has changed is logged: as a warning when it fails, as information when it passes again.
    pub fn checks(&self, health: &Health, now: DateTime<Utc>) -> Vec<HealthCheck> {
        let check = |(name, verdict): (&'static str, Result<String, String>)| {
            let ok = verdict.is_ok();
            let (noted, is_news) = health.note(name, ok);
            let (Ok(sentence) | Err(sentence)) = verdict;
            match is_news {
                true if ok => tracing::info!(check = name, "{sentence}"),
                true => tracing::warn!(check = name, "{sentence}"),
                false => {}
            }
            let record = match name {
                "backups" => Some(&self.backups),
                "mail" => self.mail.as_ref(),
                "payments" => self.payments.as_ref(),
                _ => None,
            };
            let known = record.filter(|record| record.ok == Some(ok)).and_then(|record| record.since);
            HealthCheck { name, ok, sentence, since: instant(known.unwrap_or(noted)) }
        };
        self.verdicts(now).into_iter().map(check).collect()
    }

    fn database(&self) -> Result<String, String> {
        match self.fault {
            None => Ok("The database can be read and written.".into()),
            Some(fault) => Err(fault.to_string()),
        }
    }

    /// Whether the disk has enough room.
    pub fn disk(&self) -> Result<String, String> {
        disk(self.free, self.wanted)
    }

    fn wal(&self) -> Result<String, String> {
        let sentence = format!("The write-ahead log has {}.", size(self.wal));
        match (self.wal > LONG_WAL, self.wal_stays) {
            (true, true) => Err(format!(
                "{sentence} Something that reads the database without a pause keeps it from being shortened; other failures are in the log."
            )),
            (true, false) => Ok(format!(
                "{sentence} It became long by one large change, for example an upgrade, and the server is shortening it."
            )),
            (false, _) => Ok(sentence),
        }
    }

    fn erasure(&self, now: DateTime<Utc>) -> Result<String, String> {
        match self.compaction_due {
            None => Ok("The file has no trace of erased data.".into()),
            Some(_) if !self.compacts => {
                Ok("Unused bytes of the file may have erased data until `shelfwise compact` runs.".into())
            }
            Some(since) if now - since < LATE_COMPACTION => {
                Ok("Unused bytes of the file may have erased data until it is compacted at night.".into())
            }
            Some(since) => Err(format!(
                "The file should have been compacted since {}: unused bytes of it may have erased data. The log has the reason.",
                instant(since)
            )),
        }
    }

    /// Whether the scheduled backups succeed and are recent.
    pub fn backups(&self, now: DateTime<Utc>) -> Result<String, String> {
        let Some(schedule) = &self.schedule else {
            return Ok("The server makes no scheduled backups: backup.to is not set.".into());
        };
        let last = match self.backups.last_success {
            Some(at) => format!("The last backup was made at {}.", instant(at)),
            None => "There is no backup yet.".to_owned(),
        };
        if let (Some(false), Some((at, reason))) = (self.backups.ok, &self.backups.last_failure) {
            return Err(format!("The backup at {} failed: {reason}. {last}", instant(*at)));
        }
        if self.backups.last_success.is_some_and(|at| schedule.is_late(at, now)) {
            return Err(format!("{last} The next one is late."));
        }
        match self.wrongly_dated {
            0 => Ok(last),
            1 => Err(format!("{last} One backup is dated in the future and is never deleted; check the clock.")),
            more => {
                Err(format!("{last} {more} backups are dated in the future and are never deleted; check the clock."))
            }
        }
    }

    fn mail(&self) -> Result<String, String> {
        let Some(record) = &self.mail else { return Ok("Mail is not set up.".into()) };
        outcome(record, "e-mail", "sent")
    }

    /// The address that people use, the one at which somebody tried, and proxies whose word is not taken. It never fails: anybody can
    /// send what is wrong.
    fn address(&self) -> String {
        let expected = &self.public_url;
        let proxies: String =
            self.unlisted_proxies.iter().map(|proxy| format!(" {}", unlisted_proxy(*proxy))).collect();
        let address = match &self.elsewhere {
            None => format!("People use {expected}."),
            Some(Elsewhere { address, at, count }) => format!(
                "People use {expected}. Requests at another address were refused, {count} since the start, the last one at {}, sent to \
                 {address}. Open {expected} instead, or change public_url.",
                instant(*at)
            ),
        };
        address + &proxies
    }

    fn payments(&self) -> Result<String, String> {
        let Some(record) = &self.payments else { return Ok("Payments are not set up.".into()) };
        outcome(record, "message of the payment provider", "processed")
    }
}

/// Whether enough bytes are free on the disk; `free` is `None` where the system does not say.
pub fn disk(free: Option<u64>, wanted: u64) -> Result<String, String> {
    match free {
        None => Ok("The system does not say how much room the disk has.".into()),
        Some(free) if free < wanted => Err(format!("{} are free on the disk; {} should be.", size(free), size(wanted))),
        Some(free) => Ok(format!("{} are free on the disk.", size(free))),
    }
}

/// What the offline catalogue has.
fn sentence(catalogue: &Result<About, ()>) -> Result<String, String> {
    match catalogue {
        Ok(about) => Ok(format!("The offline catalogue is {}.", about.summary())),
        Err(()) => Err("The offline catalogue can't be read; `shelfwise doctor` says why.".into()),
    }
}

fn outcome(record: &Record, what: &str, done: &str) -> Result<String, String> {
    match (record.ok, &record.last_failure) {
        (None, _) => Ok(format!("No {what} was {done} since the start.")),
        (Some(false), Some((at, reason))) => Err(format!(
            "The last {what} could not be {done}, at {}: {reason}. Failures since the start: {}.",
            instant(*at),
            record.failures
        )),
        _ => Ok(format!("The last {what} was {done}. Failures since the start: {}.", record.failures)),
    }
}

/// A number of bytes with a unit.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes / 1000),
        1_000_000..1_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

/// The condition of a server.
pub async fn condition(app: &App, now: DateTime<Utc>) -> ServerHealth {
    let facts = Facts::of(app, now).await;
    ServerHealth {
        checks: facts.checks(&app.health, now),
        version: VERSION,
        schema: known_schema(),
        started_at: instant(app.health.started_at),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::config;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn backed_up() -> Facts {
        let every = config::Every::try_from("1d".to_owned()).unwrap();
        let schedule = Schedule::of(&config::Backup { to: Some("/backups".into()), keep: 3, every, ping: None });
        assert_eq!(every.duration(), Duration::from_secs(86_400));
        let backups = Record { last_success: Some(at("2026-01-02T03:00:00Z")), ok: Some(true), ..Record::default() };
        Facts { schedule, backups, free: Some(5_000_000_000), wanted: 1_000_000_000, ..Facts::default() }
    }

    #[test]
    fn backups_are_a_finding_when_one_fails_is_late_or_is_dated_in_the_future() {
        let now = at("2026-01-02T12:00:00Z");
        let mut facts = backed_up();
        assert!(facts.backups(now).is_ok());
        assert!(facts.backups(at("2026-01-04T04:00:00Z")).unwrap_err().contains("late"));
        facts.wrongly_dated = 2;
        assert!(facts.backups(now).unwrap_err().contains("2 backups are dated in the future"));
        facts.backups.ok = Some(false);
        facts.backups.last_failure = Some((now, "Permission denied (os error 13)".into()));
        let finding = facts.backups(now).unwrap_err();
        assert!(finding.contains("Permission denied") && finding.contains("2026-01-02T03:00:00Z"), "{finding}");
    }

    #[test]
    fn a_compaction_is_a_finding_when_two_nights_made_none() {
        let facts = |since: &str, compacts| Facts { compaction_due: Some(at(since)), compacts, ..backed_up() };
        let now = at("2026-01-03T12:00:00Z");
        assert!(backed_up().erasure(now).unwrap().contains("no trace"));
        assert!(facts("2026-01-02T11:59:00Z", true).erasure(now).unwrap().contains("at night"));
        assert!(facts("2025-01-02T11:59:00Z", false).erasure(now).unwrap().contains("shelfwise compact"));
        let finding = facts("2026-01-01T11:50:00Z", true).erasure(now).unwrap_err();
        assert!(finding.contains("since 2026-01-01T11:50:00Z"), "{finding}");
    }

    #[test]
    fn little_room_a_long_wal_and_lost_mail_are_findings() {
        let now = at("2026-01-02T12:00:00Z");
        let sound = backed_up();
        assert!(sound.verdicts(now).iter().all(|(_, verdict)| verdict.is_ok()), "{:?}", sound.verdicts(now));
        let lost = Record {
            ok: Some(false),
            failures: 3,
            last_failure: Some((now, "refused with 535".into())),
            ..Record::default()
        };
        let facts = Facts {
            free: Some(900),
            wal: LONG_WAL + 1,
            wal_stays: true,
            mail: Some(lost),
            fault: Some(Fault::DiskFull),
            ..sound
        };
        let failing: Vec<_> =
            facts.verdicts(now).into_iter().filter(|(_, verdict)| verdict.is_err()).map(|(name, _)| name).collect();
        assert_eq!(failing, ["database", "disk", "log", "mail"]);
        assert!(facts.mail().unwrap_err().contains("535"));
        let sentence =
            Facts { wal_stays: false, ..facts }.wal().expect("a WAL that is being shortened is not a finding");
        assert!(sentence.contains("is shortening it"), "{sentence}");
        let elsewhere = Elsewhere { address: "http://nas.lan".into(), at: now, count: 2 };
        let facts = Facts { public_url: "https://books.test".into(), elsewhere: Some(elsewhere), ..backed_up() };
        let sentence = facts.address();
        assert!(sentence.contains("https://books.test") && sentence.contains("http://nas.lan"), "{sentence}");
    }
}
