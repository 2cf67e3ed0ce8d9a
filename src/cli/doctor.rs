//! `shelfwise doctor`
mod files;
mod services;
mod setup;

use std::io::Write as _;
use std::path::Path;

use clap::Args;
use serde::Serialize;

use super::database::{missing, open, write};
use super::exit::{Exit, Outcome};
use super::output::{print_json, print_table};
use super::settings::Settings;
use crate::admin::health;
use crate::backups::schedule::Schedule;
use crate::config::Effective;
use crate::kit::disk::shared_file_system;
use crate::kit::health::{free_bytes, wanted_bytes};
use crate::library::books::store::works;

pub use setup::address_warning;

/// Check the settings, the files and the database
#[derive(Args)]
#[command(after_help = "Example:\n  shelfwise doctor --data-dir /var/lib/shelfwise\n\n\
    Changes nothing without --repair, also beside a running server, and sends nothing without --send-mail. Exit status 1 with a finding or \
    without a database; a warning alone \
    is exit status 0.")]
pub struct Doctor {
    /// Send a test e-mail to this address
    #[arg(long, value_name = "EMAIL")]
    send_mail: Option<String>,
    /// Repair a part of the database: `works` makes the reads of each book agree about its series, tags and original year
    #[arg(long, value_name = "PART")]
    repair: Option<Repair>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A part of the database that can be repaired.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Repair {
    /// The reads of each book.
    Works,
}

/// The result of one check.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    /// Whether the server works. It does with a warning.
    ok: bool,
    level: Level,
    detail: String,
}

/// The severity of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Level {
    /// No problem.
    Ok,
    /// It works and may be intended, but an operator should know.
    Warning,
    /// It stops the server or a part of it, or opens it to others.
    Finding,
}

impl Check {
    fn of(name: &'static str, found: Result<String, String>) -> Self {
        let (level, detail) = match found {
            Ok(detail) => (Level::Ok, detail),
            Err(finding) => (Level::Finding, finding),
        };
        Self { name, ok: level != Level::Finding, level, detail }
    }

    fn warning(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, ok: true, level: Level::Warning, detail: detail.into() }
    }
}

impl Doctor {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let settings = settings.load()?;
        if let Some(Repair::Works) = self.repair {
            let repaired = write(&mut open(&settings)?, works::repair)?;
            let reads = if repaired == 1 { "1 read".to_owned() } else { format!("{repaired} reads") };
            let _ = writeln!(std::io::stderr(), "shelfwise: {reads} repaired");
        }
        let file =
            settings.file.as_ref().map_or_else(|| "no config file".to_owned(), |file| file.display().to_string());
        let mut checks = vec![Check::of("settings", Ok(file))];
        checks.extend(look(&settings));
        checks.extend(self.send_mail.map(|to| Check::of("test e-mail", services::send_mail(&settings.config, to))));
        if self.json {
            print_json(&checks)?;
        } else {
            let row = |check: &Check| {
                let verdict = match check.level {
                    Level::Ok => "ok",
                    Level::Warning => "WARNING",
                    Level::Finding => "FINDING",
                };
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

fn look(settings: &Effective) -> Vec<Check> {
    let (config, file) = (&settings.config, settings.file.as_deref());
    let database = config.database();
    let mut checks = setup::checks(config, file);
    checks.push(Check::of("data directory", files::folder(&config.data_dir)));
    checks.extend(shared_file_system(&config.data_dir).map(|warning| Check::warning("file system", warning)));
    if config.mail.is_on() {
        checks.push(Check::of("mail", services::mail(config)));
    }
    if !database.exists() {
        checks.push(Check::of("database", Err(missing(settings))));
    } else {
        checks.push(Check::of("permissions", files::permissions(&config.data_dir, &database)));
        checks.push(Check::of("database", files::whole(&database)));
        checks.extend(files::works(&database));
        checks.extend(files::documents(&database));
        checks.extend(files::operators(config));
    }
    checks.extend(setup::lookup(&config.lookup));
    checks.extend(files::catalogue(&config.catalogue()));
    checks.push(Check::of("disk space", health::disk(free_bytes(&database), wanted_bytes(&database))));
    if config.stripe.is_on() {
        checks.push(Check::of("payments", services::payments(config)));
    }
    checks.extend(services::providers(config));
    if let Some(schedule) = Schedule::of(&config.backup) {
        checks.push(Check::of("backup folder", files::backup_folder(schedule.folder())));
        checks.push(Check::of("backups", services::backups(&schedule)));
    } else {
        checks.push(services::backups_elsewhere(Path::new(services::TIMERS_FOLDER)));
    }
    checks
}
