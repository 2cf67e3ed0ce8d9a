//! `shelfwise refill`
use clap::Args;

use super::exit::{Exit, Outcome};
use super::library_owner::LibraryOwner;
use super::output::{books, print_json};
use super::settings::Settings;
use crate::kit::db::pool::Db;
use crate::kit::deadline::Deadline;
use crate::library::import::refill::model::{RefillField, RefillReport};
use crate::library::import::refill::{Request, refill};

/// Fill in what an earlier version did not read from the files that an account imported
#[derive(Args)]
#[command(
    after_help = "Example:\n  shelfwise refill ada@example.org --dry-run\n  shelfwise refill ada@example.org --field series --field tags"
)]
pub struct Refill {
    /// The account's address
    email: String,
    /// Only show what would be filled in
    #[arg(long)]
    dry_run: bool,
    /// A field to fill in; may repeat [default: all but authors and copiedRatings, which change what is not empty]
    #[arg(long, value_name = "FIELD", value_parser = field)]
    field: Vec<RefillField>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn field(word: &str) -> Result<RefillField, String> {
    RefillField::from_name(word)
        .ok_or_else(|| format!("choose one of {}", RefillField::ALL.map(RefillField::name).join(", ")))
}

impl Refill {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let settings = settings.load()?;
        let config = &settings.config;
        let LibraryOwner { account, hemisphere, today, .. } = LibraryOwner::find(&settings, &self.email)?;
        let request = Request {
            owner: account.id,
            hemisphere,
            today,
            fields: Some(self.field.iter().copied().collect()).filter(|_| !self.field.is_empty()),
            deadline: Deadline::default(),
        };
        let db = Db::open(&config.database())?;
        let report = refill(&db, &request, config.limits.quotas(), self.dry_run).map_err(Exit::failed);
        db.close();
        let report = report?;
        if self.json { print_json(&report) } else { print_report(&report, self.dry_run) }
    }
}

fn print_report(report: &RefillReport, dry_run: bool) -> Outcome<()> {
    use std::io::Write as _;
    let mut out = std::io::stdout().lock();
    if report.books == 0 {
        writeln!(out, "Nothing to fill in: what the files said is all here.").map_err(Exit::output)?;
    } else {
        let done = if dry_run { "Would fill in" } else { "Filled in" };
        writeln!(out, "{done} {} from {} imported rows.", books(report.books), report.rows).map_err(Exit::output)?;
        for field in report.fields.iter().filter(|field| field.chosen && field.books > 0) {
            writeln!(out, "  {}: {}", field.field.name(), books(field.books)).map_err(Exit::output)?;
        }
    }
    for field in report.fields.iter().filter(|field| !field.chosen && field.books > 0) {
        let name = field.field.name();
        writeln!(out, "{} more could get {name}: --field {name}", field.books).map_err(Exit::output)?;
    }
    Ok(())
}
