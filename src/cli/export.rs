//! `shelfwise export`
use std::io;
use std::path::PathBuf;

use clap::Args;

use super::database::open_to_read;
use super::exit::{Exit, Outcome};
use super::output::{Target, say};
use super::settings::Settings;
use super::user::find;
use crate::library::export::books_csv;

/// Export an account's books with every field; an import reads them back without loss
#[derive(Args)]
#[command(
    after_help = "Example:\n  shelfwise export ada@example.org --output books.csv\n  shelfwise export ada@example.org --output - | gzip > books.csv.gz"
)]
pub struct Export {
    /// The account's address
    email: String,
    /// The CSV file to write, or - for standard output; an existing file is replaced
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

impl Export {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let settings = settings.load()?;
        let conn = open_to_read(&settings)?;
        let account = find(&conn, &settings.config, &self.email)?;
        let csv = books_csv(&conn, account.id).map_err(Exit::failed)?;
        let failed = |cause: io::Error| Exit::failed(format!("{} can't be written: {cause}", self.output.display()));
        let target = Target::of(&self.output).map_err(failed)?;
        match target.write(&csv) {
            Ok(()) => {}
            Err(cause) if matches!(target, Target::StandardOutput) => return Err(Exit::output(cause)),
            Err(cause) => return Err(failed(cause)),
        }
        match target {
            Target::StandardOutput => Ok(()),
            _ => say(&format!("Exported {} books to {}.", account.books, self.output.display())),
        }
    }
}
