//! `shelfwise import`
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::Settings;
use super::database::{open, print_json};
use super::exit::{Exit, Outcome};
use super::user::find;
use crate::access::Feature;
use crate::kit::db::Db;
use crate::library::books::add::Rules;
use crate::library::import::{Report, import_file};
use crate::preferences;

/// Import somebody's books from another tracker's file
#[derive(Args)]
#[command(after_help = "Example:\n  shelfwise import ada@example.org goodreads_library_export.csv --dry-run")]
pub struct Import {
    /// The account's address
    email: String,
    /// The file, up to 20 MB
    file: PathBuf,
    /// Only tell what would be done
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Import {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let config = settings.load()?;
        let conn = open(&config)?;
        let account = find(&conn, &config, &self.email)?;
        let detects = preferences::store::find(&conn, account.id).map_err(Exit::failed)?.auto_detect_reread;
        drop(conn);
        let rules = Rules {
            book_limit: account.plan.limits(config.book_limit, chrono::Utc::now().date_naive()).book_limit,
            detect_rereads: detects && account.plan.has(Feature::CustomDefaults),
            quotas: config.limits.quotas(),
        };
        let unreadable = |cause| Exit::failed(format!("{} can't be read: {cause}", self.file.display()));
        let bytes = fs::read(&self.file).map_err(unreadable)?;
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        let db = Db::open(&config.database())?;
        let report = import_file(&db, account.id, rules, &name, &bytes, self.dry_run).map_err(Exit::failed);
        db.close();
        let report = report?;
        if self.json { print_json(&report) } else { tell(&report, self.dry_run) }
    }
}

fn tell(report: &Report, dry_run: bool) -> Outcome<()> {
    let mut out = std::io::stdout().lock();
    let done = if dry_run { "Would import" } else { "Imported" };
    let Report { imported, imported_tbr, skipped, errors, format, .. } = report;
    writeln!(
        out,
        "{done} {imported} books and {imported_tbr} to-be-read items from a {format} file; {skipped} rows skipped, {errors} with errors."
    )
    .map_err(Exit::failed)?;
    for detail in &report.details {
        writeln!(out, "line {}: {}", detail.row, detail.message).map_err(Exit::failed)?;
    }
    Ok(())
}
