//! `shelfwise backup`
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::Settings;
use super::database::{print_json, print_table, there};
use super::exit::{Exit, Outcome};
use crate::backups::{self, list::list};
use crate::config::Config;
use crate::kit::open::open_reader;

#[derive(Subcommand)]
pub enum Backup {
    /// Back up the database into a folder, also while a server runs
    #[command(after_help = "Example:\n  shelfwise backup create --to /var/backups/shelfwise --keep 14\n\n\
        Makes shelfwise-<UTC>.db with its SHA-256 beside it, checks it, and prints its path. Exit status 0 means that it is \
        on the disk.")]
    Create {
        /// The folder; made where it is missing
        #[arg(long, value_name = "FOLDER")]
        to: PathBuf,
        /// Keep this many of the newest backups there and delete older ones
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
        keep: Option<u32>,
    },
    /// List the backups of a folder, the newest first, and whether each equals its checksum
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
    },
}

impl Backup {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let config = settings.load()?;
        match self {
            Self::Create { to, keep } => create(&config, &to, keep),
            Self::List { folder, json } => show(&folder, json),
            Self::Verify { file } => {
                backups::verify(&file).map_err(refused)?;
                say(&format!("{} is whole", file.display()))
            }
        }
    }
}

fn create(config: &Config, folder: &Path, keep: Option<u32>) -> Outcome<()> {
    let database = there(config)?;
    // A database that can't be read is the operator's other problem, with a status of its own.
    drop(open_reader(&database)?);
    let made = backups::create(&database, folder, keep, chrono::Utc::now()).map_err(refused)?;
    if let Some(finding) = backups::wrongly_dated(folder, &made) {
        eprintln!("shelfwise: {finding}");
    }
    say(&made.display().to_string())
}

fn show(folder: &Path, json: bool) -> Outcome<()> {
    if !folder.is_dir() {
        return Err(Exit::failed(format!("{} is no folder", folder.display())));
    }
    let found = list(folder).map_err(refused)?;
    if json {
        return print_json(&found);
    }
    let head = ["NAME", "TAKEN", "BYTES", "CHECKSUM"].map(str::to_owned).to_vec();
    let rows = found.into_iter().map(|backup| {
        let checksum = if backup.verified { "holds" } else { "does not hold" };
        vec![backup.name, backup.created_at, backup.bytes.to_string(), checksum.to_owned()]
    });
    print_table(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
}

fn refused(cause: anyhow::Error) -> Exit {
    Exit::failed(format!("{cause:#}"))
}

fn say(sentence: &str) -> Outcome<()> {
    writeln!(std::io::stdout(), "{sentence}").map_err(Exit::failed)
}
