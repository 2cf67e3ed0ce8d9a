//! `shelfwise import`
use std::borrow::Cow;
use std::io::Write as _;
use std::path::PathBuf;

use clap::Args;

use super::database::open;
use super::exit::{Exit, Outcome};
use super::output::{is_nameless, print_json, read};
use super::settings::Settings;
use super::user::find;
use crate::access::Feature;
use crate::kit::clock::Clock;
use crate::kit::db::pool::Db;
use crate::kit::time_zone::Zone;
use crate::library::books::add::Rules;
use crate::library::import::{LARGEST_FILE, Reader, Report, import_file};
use crate::preferences;

/// Import books into an account from another tracker's file
#[derive(Args)]
#[command(
    after_help = "Example:\n  shelfwise import ada@example.org goodreads_library_export.csv --dry-run\n  zcat books.csv.gz | shelfwise import ada@example.org - --strict"
)]
pub struct Import {
    /// The account's address
    email: String,
    /// The file, up to 20 MB, or - for standard input
    file: PathBuf,
    /// Only show what would be imported
    #[arg(long)]
    dry_run: bool,
    /// Exit with 1 when rows were refused; the others are still imported
    #[arg(long)]
    strict: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Import {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let settings = settings.load()?;
        let config = &settings.config;
        let conn = open(&settings)?;
        let account = find(&conn, config, &self.email)?;
        let preferences = preferences::store::find(&conn, account.id).map_err(Exit::failed)?;
        let detects = preferences.auto_detect_reread;
        let zone = Zone::or_utc(Some(&preferences.timezone));
        let reader = Reader {
            owner: account.id,
            hemisphere: preferences.hemisphere.unwrap_or_else(|| zone.hemisphere()),
            today: zone.day_at(Clock::default().now()),
        };
        drop(conn);
        let rules = Rules {
            book_limit: account.plan.limits(config.book_limit, Clock::default().now().date_naive()).book_limit,
            detect_rereads: detects && account.plan.has(Feature::CustomDefaults),
            quotas: config.limits.quotas(),
        };
        let unreadable = |cause| Exit::failed(format!("{} can't be read: {cause}", self.file.display()));
        let bytes = read(&self.file, LARGEST_FILE).map_err(unreadable)?;
        let name = match is_nameless(&self.file) {
            true => Cow::Borrowed("standard-input.csv"),
            false => self.file.file_name().unwrap_or_default().to_string_lossy(),
        };
        let db = Db::open(&config.database())?;
        let report = import_file(&db, reader, rules, &name, &bytes, self.dry_run).map_err(Exit::failed);
        db.close();
        let report = report?;
        if self.json {
            print_json(&report)?;
        } else {
            print_report(&report, self.dry_run)?;
        }
        let refused = match report.errors {
            0 => return Ok(()),
            1 => "1 row was refused".to_owned(),
            rows => format!("{rows} rows were refused"),
        };
        if self.strict {
            return Err(Exit::failed(refused));
        }
        let _ = writeln!(std::io::stderr(), "shelfwise: {refused}");
        Ok(())
    }
}

fn print_report(report: &Report, dry_run: bool) -> Outcome<()> {
    let mut out = std::io::stdout().lock();
    let done = if dry_run { "Would import" } else { "Imported" };
    let Report { imported, imported_tbr, skipped, beyond_limit, format, .. } = report;
    let errors = report.errors - beyond_limit;
    writeln!(
        out,
        "{done} {imported} books and {imported_tbr} to-be-read items from a {format} file; {skipped} rows skipped, {errors} with errors."
    )
    .map_err(Exit::output)?;
    if *beyond_limit > 0 {
        let books = if *beyond_limit == 1 { "1 book does".to_owned() } else { format!("{beyond_limit} books do") };
        writeln!(out, "{books} not fit the Reader plan.").map_err(Exit::output)?;
    }
    for detail in &report.details {
        writeln!(out, "line {}: {}", detail.row, detail.message).map_err(Exit::output)?;
    }
    Ok(())
}
