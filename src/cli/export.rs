//! `shelfwise export`
use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::Args;
use clap::builder::TypedValueParser as _;

use super::database::open_to_read;
use super::exit::{Exit, Outcome};
use super::output::{Target, books, say};
use super::settings::Settings;
use super::user::find;
use crate::library::export::trackers::losses::{self, ExportFormatReport};
use crate::library::export::trackers::{self, Answers, ExportFormat, Quotes, RoughDates, Rounding};

/// Export an account's books with every field, or in the form that another program reads
#[derive(Args)]
#[command(
    after_help = "Example:\n  shelfwise export ada@example.org --output books.csv\n  shelfwise export ada@example.org --output - | gzip > books.csv.gz\n  shelfwise export ada@example.org --format goodreads --losses\n  shelfwise export ada@example.org --format goodreads --rough none --losses --output goodreads.csv"
)]
pub struct Export {
    /// The account's address
    email: String,
    /// The CSV file to write, or - for standard output; an existing file is replaced
    #[arg(long, value_name = "FILE", required_unless_present = "losses")]
    output: Option<PathBuf>,
    /// The program that will read the file; an import into Shelfwise reads its own without loss
    #[arg(long, default_value = "shelfwise", value_parser = names!(ExportFormat))]
    format: ExportFormat,
    /// A rough date becomes its last possible day, or none
    #[arg(long, default_value = "last", value_parser = names!(RoughDates))]
    rough: RoughDates,
    /// A rating between two steps is rounded in this direction; otherwise to the nearest step
    #[arg(long, value_parser = names!(Rounding))]
    ratings: Option<Rounding>,
    /// Quotes are left out, or follow the review or the notes
    #[arg(long, default_value = "leave", value_parser = names!(Quotes))]
    quotes: Quotes,
    /// Say what the program can't hold; without --output no file is written
    #[arg(long)]
    losses: bool,
}

impl Export {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let settings = settings.load()?;
        let conn = open_to_read(&settings)?;
        let account = find(&conn, &settings.config, &self.email)?;
        let answers = Answers { rough_dates: self.rough, ratings: self.ratings, quotes: self.quotes };
        let losses = match self.losses {
            true => {
                let reports = losses::report(&conn, account.id).map_err(Exit::failed)?;
                let reports = reports.iter().filter(|report| report.format == self.format);
                reports.map(|report| text_of(report, &answers)).collect()
            }
            false => String::new(),
        };
        let Some(output) = self.output else { return print(&losses) };
        let mut csv = Vec::new();
        trackers::write(&conn, account.id, self.format, &answers, &mut csv).map_err(Exit::failed)?;
        let failed = |cause: io::Error| Exit::failed(format!("{} can't be written: {cause}", output.display()));
        let target = Target::of(&output).map_err(failed)?;
        match target.write(&csv) {
            Ok(()) => {}
            Err(cause) if matches!(target, Target::StandardOutput) => return Err(Exit::output(cause)),
            Err(cause) => return Err(failed(cause)),
        }
        match target {
            // The file is on standard output.
            Target::StandardOutput => {
                eprint!("{losses}");
                Ok(())
            }
            _ => {
                say(&format!("Exported {} to {}.", books(account.books), output.display()))?;
                print(&losses)
            }
        }
    }
}

/// What a program can't hold, with the first books of each loss.
fn text_of(report: &ExportFormatReport, answers: &Answers) -> String {
    let mut lines = vec![report.sentence(answers)];
    for loss in &report.losses {
        lines.push(format!("\n{} ({}): {}", loss.what.name(), loss.count, loss.sentence));
        // A title may have line breaks, and a line is one book.
        lines.extend(loss.books.iter().map(|book| format!("  {}", book.title.replace(char::is_control, " "))));
        if loss.count > loss.books.len() {
            lines.push(format!("  and {} more", loss.count - loss.books.len()));
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

fn print(text: &str) -> Outcome<()> {
    io::stdout().write_all(text.as_bytes()).map_err(Exit::output)
}
