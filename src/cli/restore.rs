//! `shelfwise restore`
use std::path::PathBuf;

use clap::Args;

use super::database::confirm;
use super::exit::{Exit, Outcome};
use super::output::say;
use super::serve::make_data_dir;
use super::settings::Settings;
use crate::backups::{restore::restore, verify};
use crate::kit::clock::Clock;
use crate::kit::db::data_dir;

/// Replace the database by a backup
#[derive(Args)]
#[command(after_help = "Example:\n  shelfwise restore /var/backups/shelfwise/shelfwise-20260102T030405Z.db\n\n\
    The server must be stopped. The former database stays beside the new one, with a checksum, and can be restored in turn. \
    Everyone has to sign in again.")]
pub struct Restore {
    /// The backup, with its .sha256 beside it
    file: PathBuf,
    /// Don't ask for confirmation
    #[arg(long)]
    yes: bool,
}

impl Restore {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let config = settings.load_to_start(Vec::new(), true)?.config;
        let refused = |cause: anyhow::Error| Exit::failed(format!("{cause:#}"));
        let database = config.database();
        // Nothing is created, not even a folder, for a file that is refused.
        verify(&self.file).map_err(refused)?;
        make_data_dir(&config.data_dir)?;
        let _held = data_dir::hold(&config.data_dir)?;
        if database.exists() {
            confirm(&format!("This restores {} over {}.", self.file.display(), database.display()), self.yes)?;
        }
        let former = restore(&self.file, &database, Clock::default().now()).map_err(refused)?;
        let kept = former.map(|file| format!(" The former one is {}.", file.display())).unwrap_or_default();
        say(&format!("{} is {} now.{kept}", database.display(), self.file.display()))
    }
}
