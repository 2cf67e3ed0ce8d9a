//! `shelfwise compact`
use clap::Args;

use super::database::open;
use super::exit::{Exit, Outcome};
use super::output::say;
use super::settings::Settings;
use crate::kit::db::erasure;

/// Remove what was erased from every byte of the database, and make its file smaller
#[derive(Args)]
#[command(after_help = "Example:\n  shelfwise compact --data-dir /var/lib/shelfwise\n\n\
    A running server goes on answering, and its writes wait meanwhile. The folder for temporary files (TMPDIR) needs as much room as the \
    database.")]
pub struct Compact {}

impl Compact {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let settings = settings.load()?;
        let conn = open(&settings)?;
        let bytes = || std::fs::metadata(settings.config.database()).map_or(0, |file| file.len());
        let before = bytes();
        erasure::compact(&conn).map_err(|cause| Exit::failed(format!("the database can't be compacted: {cause}")))?;
        say(&format!("The database has {} KB now, and had {} KB.", bytes().div_ceil(1000), before.div_ceil(1000)))
    }
}
