//! `shelfwise backup`
use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::database::there;
use super::exit::{Exit, Outcome};
use super::output::{print_json, print_table, say};
use super::settings::Settings;
use crate::backups::{self, list::list};
use crate::config::{Effective, SecretUrl};
use crate::kit::clock::Clock;
use crate::kit::db::backup_file::taken_at;
use crate::kit::db::inspect::open_reader;
use crate::kit::db::pool::instant;
use crate::kit::net::ping::ping;

#[derive(Subcommand)]
pub enum Backup {
    /// Back up the database into a folder, also while a server runs
    #[command(after_help = "Example:\n  shelfwise backup create --to /var/backups/shelfwise --keep 14\n\n\
        Makes shelfwise-<UTC>.db with its SHA-256 beside it, checks it, and prints its path. Exit status 0 means that it is \
        on the disk.")]
    Create {
        /// The folder; created if it is missing
        #[arg(long, value_name = "FOLDER")]
        to: PathBuf,
        /// Keep this many of the newest backups there and delete older ones
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        keep: Option<u32>,
        /// Report the outcome to a monitor: a GET of this address after a success, and of /fail below it after a failure
        #[arg(long, value_name = "URL", value_parser = SecretUrl::parse)]
        ping: Option<SecretUrl>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List the backups of a folder, newest first, and whether each matches its checksum
    #[command(after_help = "Example:\n  shelfwise backup list /var/backups/shelfwise --json")]
    List {
        /// The folder
        folder: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Check a backup: its checksum, and that this program can restore it
    #[command(after_help = "Example:\n  shelfwise backup verify /var/backups/shelfwise/shelfwise-20260102T030405Z.db")]
    Verify {
        /// The backup
        file: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

impl Backup {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        match self {
            Self::Create { to, keep, ping, json } => {
                let made = settings.load().and_then(|settings| create(&settings, &to, keep, json));
                if let Some(url) = ping {
                    report(&url, made.is_ok());
                }
                made
            }
            Self::List { folder, json } => show(&folder, json),
            Self::Verify { file, json } => check(&file, json),
        }
    }
}

fn create(settings: &Effective, folder: &Path, keep: Option<u32>, json: bool) -> Outcome<()> {
    if folder == Path::new("-") {
        return Err(Exit::usage(
            "--to must be a folder: a backup is a file with a checksum beside it and can't be streamed",
        ));
    }
    let database = there(settings)?;
    // A database that can't be read is a problem of its own, with its own exit status.
    drop(open_reader(&database)?);
    let made = backups::create(&database, folder, keep, Clock::default().now()).map_err(refused)?;
    if let Some(finding) = backups::wrongly_dated(folder, &made) {
        eprintln!("shelfwise: {finding}");
    }
    if !json {
        return say(&made.display().to_string());
    }
    let bytes = std::fs::metadata(&made).map_err(Exit::failed)?.len();
    let name = made.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let created_at = taken_at(&name).map(instant);
    print_json(
        &serde_json::json!({"path": made, "name": name, "createdAt": created_at, "bytes": bytes, "verified": true}),
    )
}

/// Reports the outcome to a monitor. A monitor that can't be reached changes nothing about the backup.
fn report(url: &SecretUrl, succeeded: bool) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let reported =
        runtime.map_err(|cause| cause.to_string()).and_then(|runtime| runtime.block_on(ping(url, succeeded)));
    if let Err(reason) = reported {
        eprintln!("shelfwise: reporting the backup to the monitor failed: {reason}");
    }
}

fn check(file: &Path, json: bool) -> Outcome<()> {
    let checked = backups::verify(file).map(drop).map_err(refused);
    if json {
        let reason = checked.as_ref().err().map(ToString::to_string);
        print_json(&serde_json::json!({"path": file, "verified": checked.is_ok(), "reason": reason}))?;
        return checked;
    }
    checked?;
    say(&format!("{} is intact", file.display()))
}

fn show(folder: &Path, json: bool) -> Outcome<()> {
    if !folder.is_dir() {
        return Err(Exit::failed(format!("{} is not a folder", folder.display())));
    }
    let found = list(folder).map_err(refused)?;
    if json {
        return print_json(&found);
    }
    let head = ["NAME", "TAKEN", "BYTES", "CHECKSUM"].map(str::to_owned).to_vec();
    let rows = found.into_iter().map(|backup| {
        let checksum = if backup.verified { "holds" } else { "does not hold" };
        vec![backup.name, backup.created_at.to_string(), backup.bytes.to_string(), checksum.to_owned()]
    });
    print_table(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
}

fn refused(cause: anyhow::Error) -> Exit {
    Exit::failed(format!("{cause:#}"))
}
