//! `shelfwise import`
use std::borrow::Cow;
use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;

use super::exit::{Exit, Outcome};
use super::library_owner::LibraryOwner;
use super::output::{is_nameless, print_json, read};
use super::settings::Settings;
use crate::access::Feature;
use crate::account::PARTS;
use crate::config::Effective;
use crate::devices::model::ReadingReport;
use crate::devices::store::imports;
use crate::devices::{self, files};
use crate::kit::db::pool::Db;
use crate::library::books::add::Rules;
use crate::library::books::model::BookFormat;
use crate::library::counters;
use crate::library::covers::store::CoverQuota;
use crate::library::import::complete::{LARGEST_ARCHIVE, RestoredParts, Restoring};
use crate::library::import::{
    AudioPages, DateOrder, ImportQuestion, ImportReport, January1970, JanuaryFirsts, LARGEST_FILE, LocalFile, Options,
    Reader, StatusAnswer, SyncOutcome, import_file,
};

/// Import books into an account from another tracker's file, or days of reading and quotes from a device's
#[derive(Args)]
#[command(
    after_help = "Example:\n  shelfwise import ada@example.org goodreads_library_export.csv --dry-run\n  shelfwise import ada@example.org goodreads_library_export.csv --sync\n  zcat books.csv.gz | shelfwise import ada@example.org - --strict\n  shelfwise import ada@example.org statistics.sqlite3\n  shelfwise import ada@example.org \"My Clippings.txt\""
)]
pub struct Import {
    /// The account's address
    email: String,
    /// The file, up to 20 MB (a complete export up to 256 MB, a device's up to 64 MiB), or - for standard input
    file: PathBuf,
    /// Bring the library up to date with a newer file of a tracker: books take over what has changed there since its last file
    #[arg(long)]
    sync: bool,
    /// The file is a table of days, not of books. Files of devices are known by themselves
    #[arg(long, conflicts_with = "sync")]
    reading: bool,
    /// Only show what would be imported
    #[arg(long)]
    dry_run: bool,
    /// The order of dates such as 03/04/2020: ymd, dmy or mdy [default: the file decides]
    #[arg(long, value_name = "ORDER", value_parser = date_order)]
    date_order: Option<DateOrder>,
    /// Books finished on a January 1: days, or years to keep only the year
    #[arg(long, value_name = "CHOICE", value_parser = january_firsts, default_value = "days")]
    january_firsts: JanuaryFirsts,
    /// Reads of a Jelu file in January 1970: days, or undated
    #[arg(long = "january-1970", value_name = "CHOICE", value_parser = january_1970, default_value = "days")]
    january_1970: January1970,
    /// Page counts of audiobooks that can only be hours or discs: open, or hours to take them as their length
    #[arg(long, value_name = "CHOICE", value_parser = audio_pages, default_value = "open")]
    audio_pages: AudioPages,
    /// What the books are of a file that says neither whether nor when they were read: undated, completed, tbr or in-progress
    #[arg(long, value_name = "STATUS", value_parser = status)]
    status: Option<StatusAnswer>,
    /// The format of books that say none: Print, eBook or Audio
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    format: Option<BookFormat>,
    /// Also take over the preferences of a complete export
    #[arg(long)]
    preferences: bool,
    /// Exit with 1 when rows were refused; the others are still imported
    #[arg(long)]
    strict: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn date_order(word: &str) -> Result<DateOrder, String> {
    DateOrder::from_name(word).ok_or_else(|| "choose ymd, dmy or mdy".to_owned())
}

fn january_firsts(word: &str) -> Result<JanuaryFirsts, String> {
    JanuaryFirsts::from_name(word).ok_or_else(|| "choose days or years".to_owned())
}

fn january_1970(word: &str) -> Result<January1970, String> {
    January1970::from_name(word).ok_or_else(|| "choose days or undated".to_owned())
}

fn audio_pages(word: &str) -> Result<AudioPages, String> {
    AudioPages::from_name(word).ok_or_else(|| "choose open or hours".to_owned())
}

fn status(word: &str) -> Result<StatusAnswer, String> {
    StatusAnswer::from_name(word).ok_or_else(|| "choose undated, completed, tbr or in-progress".to_owned())
}

fn format(word: &str) -> Result<BookFormat, String> {
    BookFormat::from_name(word).ok_or_else(|| "choose Print, eBook or Audio".to_owned())
}

impl Import {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let settings = settings.load()?;
        if self.reading || files::is_of_device(&self.file) {
            return self.import_reading(&settings);
        }
        let config = &settings.config;
        let LibraryOwner { account, preferences, hemisphere, today } = LibraryOwner::find(&settings, &self.email)?;
        let limits = account.plan.limits(config.book_limit, today);
        let reader = Reader { owner: account.id, hemisphere, today, visible_from: limits.visible_from(today) };
        let rules = Rules {
            book_limit: limits.book_limit,
            detect_rereads: preferences.auto_detect_reread && account.plan.has(Feature::CustomDefaults),
            quotas: config.limits.quotas(),
        };
        let is_archive = self.file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("zip"));
        let most = if is_archive { LARGEST_ARCHIVE } else { LARGEST_FILE };
        let bytes = read(&self.file, most).map_err(|cause| self.unreadable(&cause))?;
        let name = match is_nameless(&self.file) {
            true => Cow::Borrowed("standard-input.csv"),
            false => self.file.file_name().unwrap_or_default().to_string_lossy(),
        };
        let db = Db::open(&config.database())?;
        let options = Options {
            date_order: self.date_order,
            january_firsts: self.january_firsts,
            january_1970: self.january_1970,
            audio_pages: self.audio_pages,
            status: self.status,
            format: self.format,
            ..Options::default()
        };
        let file = LocalFile { name: &name, bytes: &bytes, options, sync: self.sync };
        let covers = CoverQuota(config.lookup.cover_quota);
        let restoring = Restoring { parts: PARTS, covers, preferences: self.preferences };
        let report = import_file(&db, reader, rules, file, restoring, self.dry_run).map_err(Exit::failed);
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
        let _ = writeln!(io::stderr(), "shelfwise: {refused}");
        Ok(())
    }
}

impl Import {
    fn unreadable(&self, cause: &io::Error) -> Exit {
        Exit::failed(format!("{} can't be read: {cause}", self.file.display()))
    }

    /// Imports a file with reading in it.
    fn import_reading(self, settings: &Effective) -> Outcome<()> {
        let LibraryOwner { account, preferences, today, .. } = LibraryOwner::find(settings, &self.email)?;
        let zone = preferences.zone();
        let options = files::Options { zone: zone.clone(), today, columns: files::ColumnMap::new() };
        if is_nameless(&self.file) {
            return Err(Exit::failed("a file with reading in it can't come from a pipe"));
        }
        std::fs::metadata(&self.file).map_err(|cause| self.unreadable(&cause))?;
        let file = files::read(&self.file, &options).map_err(Exit::failed)?;
        if !file.is_mapped {
            return Err(Exit::failed(devices::unmapped()));
        }
        let name = self.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let (owner, quotas, dry_run) = (account.id, settings.config.limits.quotas(), self.dry_run);
        let db = Db::open(&settings.config.database())?;
        let report = db.write_blocking(move |tx| {
            let reader = devices::store::days::Reader::new(tx, owner, zone, tx.now())?;
            counters::within_quotas(tx, owner, quotas, || imports::import(tx, &reader, &name, file, dry_run))
        });
        db.close();
        let report = report.map_err(Exit::failed)?;
        if self.json {
            print_json(&report)?;
        } else {
            let done = if dry_run { "Would take" } else { "Took" };
            let ReadingReport { documents, days, minutes, quotes, finished, rejected, .. } = report;
            let mut out = io::stdout().lock();
            writeln!(
                out,
                "{done} from {}: days {days}, minutes {minutes}, books {documents}, of them perhaps finished {finished}, quotes {quotes}; rows that can't be read: {rejected}.",
                report.format.title()
            )
            .map_err(Exit::output)?;
        }
        if self.strict && report.rejected > 0 {
            return Err(Exit::failed("rows were refused"));
        }
        Ok(())
    }
}

/// What the reader of a previewed file can choose, a sentence each.
fn choices(report: &ImportReport) -> Vec<String> {
    let Some(preview) = &report.preview else { return Vec::new() };
    let mut lines = Vec::new();
    if preview.former_imports.is_some() {
        lines.push(
            "A file of this program was imported before: --sync brings the library up to date with this one."
                .to_owned(),
        );
    }
    for ImportQuestion { field, choices, .. } in &preview.asks {
        let asked = match *field {
            "status" => "The file doesn't say which of its books are read",
            "format" => "Some books say no format",
            // Only of files whose columns the command can't map.
            _ => continue,
        };
        lines.push(format!("{asked}: see --{field} ({}).", choices.join(", ")));
    }
    if let Some(dates) = &preview.ambiguous_dates {
        let (order, count, sample) = (preview.date_order, dates.count, &dates.sample);
        let dates = if count == 1 { "1 date can".to_owned() } else { format!("{count} dates can") };
        let order = order.name();
        lines.push(format!("{dates} be read in two orders, for example {sample}: read as {order}; see --date-order."));
    }
    let books = |count: usize| if count == 1 { "1 book was".to_owned() } else { format!("{count} books were") };
    match preview.january_firsts {
        0 => {}
        count => {
            lines.push(format!("{} finished on a January 1: --january-firsts years keeps only the year.", books(count)))
        }
    }
    match report.audio_pages {
        0 => {}
        1 => lines.push(
            "1 audiobook has a page count that looks like hours, and no length: --audio-pages hours takes it as hours.".to_owned(),
        ),
        count => lines.push(format!(
            "{count} audiobooks have a page count that looks like hours, and no length: --audio-pages hours takes it as hours."
        )),
    }
    match preview.hidden_books {
        0 => {}
        1 => lines.push("1 book was finished before the history that the Reader plan shows.".to_owned()),
        count => lines.push(format!("{count} books were finished before the history that the Reader plan shows.")),
    }
    match preview.without_words {
        0 => {}
        1 => lines.push("1 book has neither words nor pages and counts with 0 words.".to_owned()),
        count => lines.push(format!("{count} books have neither words nor pages and count with 0 words.")),
    }
    match preview.january_1970 {
        0 => {}
        count => lines.push(format!(
            "{} finished in January 1970, as Jelu writes for unknown dates: --january-1970 undated removes the dates.",
            books(count)
        )),
    }
    lines
}

/// The sentence about a sync.
fn brought_up_to_date(report: &ImportReport, outcome: &SyncOutcome, dry_run: bool) -> String {
    let new = report.imported + report.imported_tbr;
    let SyncOutcome { moved, changed, in_conflict, gone, deleted_here, .. } = outcome;
    if [new, *moved, *changed, *in_conflict] == [0; 4] {
        return "Your library knows all of this.".to_owned();
    }
    let done = if dry_run { "Would bring the library up to date" } else { "Brought the library up to date" };
    format!(
        "{done}: {new} new, {moved} moved on, {changed} changed, {in_conflict} in conflict, {gone} gone there and kept here, {deleted_here} deleted here."
    )
}

fn print_outcome(
    out: &mut impl std::io::Write,
    report: &ImportReport,
    outcome: &SyncOutcome,
    dry_run: bool,
) -> std::io::Result<()> {
    writeln!(out, "{}", brought_up_to_date(report, outcome, dry_run))?;
    for conflict in &outcome.conflicts {
        writeln!(out, "{} Yours stays.", conflict.sentence())?;
    }
    Ok(())
}

fn print_report(report: &ImportReport, dry_run: bool) -> Outcome<()> {
    let mut out = io::stdout().lock();
    let ImportReport { imported, imported_tbr, skipped, beyond_limit, format, .. } = report;
    if let Some(outcome) = &report.sync {
        print_outcome(&mut out, report, outcome, dry_run).map_err(Exit::output)?;
    } else {
        let done = if dry_run { "Would import" } else { "Imported" };
        let errors = report.errors - beyond_limit;
        let count = |number: usize, one: &str| format!("{number} {one}{}", if number == 1 { "" } else { "s" });
        let (books, items) = (count(*imported, "book"), count(*imported_tbr, "to-be-read item"));
        let rows = count(*skipped, "row");
        writeln!(out, "{done} {books} and {items} from a {format} file; {rows} skipped, {errors} with errors.")
            .map_err(Exit::output)?;
    }
    if *beyond_limit > 0 {
        let books = if *beyond_limit == 1 { "1 book does".to_owned() } else { format!("{beyond_limit} books do") };
        writeln!(out, "{books} not fit the Reader plan.").map_err(Exit::output)?;
    }
    match report.taken_off_tbr {
        0 => {}
        1 => writeln!(out, "1 item was read and leaves the to-be-read list.").map_err(Exit::output)?,
        items => writeln!(out, "{items} items were read and leave the to-be-read list.").map_err(Exit::output)?,
    }
    if let Some(restored) = report.restored {
        let RestoredParts { covers, covers_left_out, tag_shelves, goals, views, preferences } = restored;
        let parts =
            format!("covers {covers}, shelves {tag_shelves}, goals {goals}, views {views}, preferences {preferences}");
        writeln!(out, "Restored as well: {parts}.").map_err(Exit::output)?;
        if covers_left_out > 0 {
            writeln!(out, "Covers left out, because they are damaged or have no room: {covers_left_out}.")
                .map_err(Exit::output)?;
        }
    }
    for line in choices(report) {
        writeln!(out, "{line}").map_err(Exit::output)?;
    }
    for detail in report.details.iter().chain(&report.notes) {
        writeln!(out, "line {}: {}", detail.row, detail.message).map_err(Exit::output)?;
    }
    Ok(())
}
