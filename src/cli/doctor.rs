//! `shelfwise doctor`
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use chrono::{TimeDelta, Utc};
use clap::Args;
use rusqlite::Connection;
use rustix::fs::{Access, access, statvfs};
use serde::Serialize;

use super::database::missing;
use super::exit::{Exit, Outcome};
use super::output::{print_json, print_table};
use super::settings::{Settings, withheld};
use crate::backups::schedule::Schedule;
use crate::backups::{list::newest, verify};
use crate::billing::check;
use crate::config::sources::Source;
use crate::config::{Config, Effective};
use crate::kit::mail::reach;
use crate::kit::open::{inspect_open, known_schema, open_reader};

/// Less free space than this is a finding, and less than twice the database: a restore and a migration need a second copy.
const LEAST_FREE: u64 = 64 * 1024 * 1024;

/// Check the settings, the files and the database
#[derive(Args)]
#[command(after_help = "Example:\n  shelfwise doctor --data-dir /var/lib/shelfwise\n\n\
    Changes nothing, also beside a running server. Exit status 1 with a finding or without a database.")]
pub struct Doctor {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    ok: bool,
    detail: String,
}

impl Check {
    fn of(name: &'static str, found: Result<String, String>) -> Self {
        let ok = found.is_ok();
        Self { name, ok, detail: found.unwrap_or_else(|finding| finding) }
    }
}

impl Doctor {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let settings = settings.load()?;
        let mut checks = vec![Check::of("settings", Ok(origin(&settings)))];
        checks.extend(look(&settings));
        if self.json {
            print_json(&checks)?;
        } else {
            let row = |check: &Check| {
                let verdict = if check.ok { "ok" } else { "FINDING" };
                vec![verdict.to_owned(), check.name.to_owned(), check.detail.clone()]
            };
            print_table(&checks.iter().map(row).collect::<Vec<_>>())?;
        }
        match checks.iter().filter(|check| !check.ok).count() {
            0 => Ok(()),
            1 => Err(Exit::failed("1 finding")),
            findings => Err(Exit::failed(format!("{findings} findings"))),
        }
    }
}

/// Which settings were looked at.
fn origin(settings: &Effective) -> String {
    let file = settings.file.as_ref().map_or_else(|| "no config file".to_owned(), |file| file.display().to_string());
    let noted = settings.shown().iter().any(|shown| matches!(shown.source, Source::Database(_)));
    let noted = if noted { ", and what the server noted of its environment at its last start" } else { "" };
    format!("{file}{noted}")
}

/// What is said of a part that the server has and a command can't look at.
fn unseen(settings: &Effective, key: &str, what: &str) -> Option<Result<String, String>> {
    withheld(settings, key, what).map(|reason| Ok(format!("not checked: {reason}")))
}

fn look(settings: &Effective) -> Vec<Check> {
    let config = &settings.config;
    let database = config.database();
    let mut checks = vec![Check::of("data directory", folder(&config.data_dir))];
    if config.mail.is_on() {
        checks.push(Check::of("mail", mail(config)));
    } else if let Some(said) = unseen(settings, "mail.url", "the mail server's address") {
        checks.push(Check::of("mail", said));
    }
    if !database.exists() {
        checks.push(Check::of("database", Err(missing(settings))));
    } else {
        checks.push(Check::of("permissions", permissions(&config.data_dir, &database)));
        checks.push(Check::of("database", whole(&database)));
    }
    checks.push(Check::of("disk space", space(&config.data_dir, &database)));
    if config.stripe.is_on() {
        checks.push(Check::of("payments", payments(config)));
    } else if let Some(said) = unseen(settings, "stripe.secret_key", "the Stripe key") {
        checks.push(Check::of("payments", said));
    }
    if let Some(schedule) = Schedule::of(&config.backup) {
        checks.push(Check::of("backups", backups(&schedule, config.backup.every.duration())));
    }
    checks
}

fn folder(path: &Path) -> Result<String, String> {
    let shown = path.display();
    let found = fs::metadata(path).map_err(|cause| format!("{shown} can't be read: {cause}"))?;
    if !found.is_dir() {
        return Err(format!("{shown} is no folder"));
    }
    access(path, Access::READ_OK | Access::WRITE_OK | Access::EXEC_OK)
        .map_err(|cause| format!("{shown} can't be written to: {cause}"))?;
    private(path, found.mode())?;
    Ok(shown.to_string())
}

/// Reading the folder or the database is reading everybody's library: that is its owner's alone.
fn private(path: &Path, mode: u32) -> Result<(), String> {
    if mode & 0o077 == 0 {
        return Ok(());
    }
    Err(format!("{} is open to others (mode {:o}); chmod go= closes it", path.display(), mode & 0o777))
}

fn permissions(data_dir: &Path, database: &Path) -> Result<String, String> {
    let owner = fs::metadata(data_dir).map_err(|cause| cause.to_string())?.uid();
    for ending in ["", "-wal", "-shm"] {
        let mut name = database.as_os_str().to_owned();
        name.push(ending);
        let path = PathBuf::from(name);
        let Ok(found) = fs::metadata(&path) else { continue };
        private(&path, found.mode())?;
        if found.uid() != owner {
            return Err(format!("{} does not belong to the owner of its folder", path.display()));
        }
    }
    Ok("for their owner alone".into())
}

fn whole(database: &Path) -> Result<String, String> {
    let conn = open_reader(database).map_err(|cause| cause.to_string())?;
    let schema = inspect_open(&conn, database).map_err(|cause| cause.to_string())?;
    let orphans = orphans(&conn).map_err(|cause| cause.to_string())?;
    if orphans > 0 {
        return Err(format!("{orphans} rows belong to nothing"));
    }
    match known_schema() {
        known if known == schema => Ok(format!("whole, schema {schema}")),
        known => Ok(format!("whole, schema {schema}; the next start backs it up and migrates it to {known}")),
    }
}

fn orphans(conn: &Connection) -> rusqlite::Result<usize> {
    let mut query = conn.prepare("PRAGMA foreign_key_check")?;
    let rows = query.query_map([], |_| Ok(()))?;
    Ok(rows.count())
}

fn space(data_dir: &Path, database: &Path) -> Result<String, String> {
    let found = statvfs(data_dir).map_err(|cause| cause.to_string())?;
    let (free, all) = (found.f_bavail.saturating_mul(found.f_frsize), found.f_blocks.saturating_mul(found.f_frsize));
    let needed = fs::metadata(database).map_or(0, |file| file.len()).saturating_mul(2).max(LEAST_FREE);
    let said = format!("{} MiB of {} MiB are free", free >> 20, all >> 20);
    if free < needed { Err(format!("{said}; {} MiB should be", needed >> 20)) } else { Ok(said) }
}

/// The mail server answers and takes the password; nothing is sent.
fn mail(config: &Config) -> Result<String, String> {
    config.check_serving().map_err(|cause| cause.to_string())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|cause| cause.to_string())?.block_on(reach(config))
}

fn payments(config: &Config) -> Result<String, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|cause| cause.to_string())?.block_on(check::check(config))
}

/// The newest backup is whole and not older than two rounds: one may be in the making.
fn backups(schedule: &Schedule, every: std::time::Duration) -> Result<String, String> {
    let (folder, sentence) = (schedule.folder(), |cause: anyhow::Error| format!("{cause:#}"));
    let Some(at) = newest(folder).map_err(sentence)? else {
        return Err(format!("there is none in {}", folder.display()));
    };
    let age = Utc::now() - at;
    if age > TimeDelta::from_std(every).unwrap_or(TimeDelta::MAX).checked_mul(2).unwrap_or(TimeDelta::MAX) {
        return Err(format!("the newest in {} is {} hours old", folder.display(), age.num_hours()));
    }
    let file = folder.join(crate::kit::snapshot::name(at));
    verify(&file).map_err(sentence)?;
    Ok(format!("{} is whole", file.display()))
}
