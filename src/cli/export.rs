//! `shelfwise export`
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::Settings;
use super::database::open;
use super::exit::{Exit, Outcome};
use super::user::find;
use crate::kit::snapshot::sync_folder;
use crate::library::export::books_csv;

/// Export somebody's books: every field of every book, which an import reads back without loss
#[derive(Args)]
#[command(after_help = "Example:\n  shelfwise export ada@example.org --output books.csv")]
pub struct Export {
    /// The account's address
    email: String,
    /// The CSV file to write; one that is there is replaced
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
}

impl Export {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let config = settings.load()?;
        let conn = open(&config)?;
        let account = find(&conn, &config, &self.email)?;
        let csv = books_csv(&conn, account.id).map_err(Exit::failed)?;
        write_whole(&self.output, &csv)
            .map_err(|cause| Exit::failed(format!("{} can't be written: {cause}", self.output.display())))?;
        writeln!(std::io::stdout(), "Exported {} books to {}.", account.books, self.output.display())
            .map_err(Exit::failed)
    }
}

/// Writes a file that is there whole or not at all, readable for its owner alone.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".shelfwise-").suffix(".tmp").tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|failed| failed.error)?;
    sync_folder(folder)
}
