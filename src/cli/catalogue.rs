//! `shelfwise catalogue`
use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, Subcommand};

use super::exit::{Exit, Outcome};
use super::output::{print_json, print_table, say};
use super::settings::Settings;
use crate::catalogue::build::{BrokenLines, BuildError, Request, Step, build};
use crate::catalogue::model::Hit;
use crate::catalogue::store::{about, by_isbn, search, side_file, verify};
use crate::kit::clock::Clock;
use crate::kit::db::side_file::SideFileError;
use crate::library::isbn;
use crate::library::languages::of_known_code;
use crate::library::text::grouped;

/// The time between two lines of progress: at a terminal, and in a file.
const PAUSE: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(30));

#[derive(Subcommand)]
pub enum Catalogue {
    Build(Build),
    /// Print the date, the size and the counts of the catalogue
    #[command(after_help = "Example:\n  shelfwise catalogue status --data-dir /var/lib/shelfwise")]
    Status {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Check the whole catalogue, which takes as long as reading it
    #[command(after_help = "Example:\n  shelfwise catalogue verify --data-dir /var/lib/shelfwise")]
    Verify {
        /// The catalogue [default: catalogue.db of the data directory]
        file: Option<PathBuf>,
    },
    /// Search the catalogue for the words of titles and authors, or for an ISBN
    #[command(
        after_help = "Example:\n  shelfwise catalogue search \"left hand of darkness\" --data-dir /var/lib/shelfwise"
    )]
    Search {
        /// The words or the ISBN
        query: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// Make the catalogue from Open Library's dumps
#[derive(Args)]
#[command(after_help = "Example:\n  shelfwise catalogue build --editions ol_dump_editions_latest.txt.gz \\\n    \
    --works ol_dump_works_latest.txt.gz --authors ol_dump_authors_latest.txt.gz \\\n    \
    --reading-log ol_dump_reading-log_latest.txt.gz --languages eng,ger\n\n\
    The dumps are at https://openlibrary.org/developers/dumps, plain or packed. A server that runs uses the new catalogue from its next \
    look-up on. A build needs at most 512 MiB of memory.")]
pub struct Build {
    /// The dump of editions
    #[arg(long, value_name = "FILE")]
    editions: PathBuf,
    /// The dump of works
    #[arg(long, value_name = "FILE")]
    works: PathBuf,
    /// The dump of authors
    #[arg(long, value_name = "FILE")]
    authors: PathBuf,
    /// The dump of the reading log: works that many people read are found first
    #[arg(long, value_name = "FILE")]
    reading_log: Option<PathBuf>,
    /// The dump of ratings: works that many people rated are found first
    #[arg(long, value_name = "FILE")]
    ratings: Option<PathBuf>,
    /// Keep only editions in these languages, the preferred one first; codes as `eng` or `en` [default: all languages]
    #[arg(long, value_name = "CODES", value_delimiter = ',')]
    languages: Vec<String>,
    /// The catalogue [default: catalogue.db of the data directory]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
}

impl Catalogue {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        match self {
            Self::Build(build) => build.run(settings),
            Self::Status { json } => status(&settings.load()?.config.catalogue(), json),
            Self::Verify { file: Some(file) } => check(&file),
            Self::Verify { file: None } => check(&settings.load()?.config.catalogue()),
            Self::Search { query, json } => find(&settings.load()?.config.catalogue(), &query, json),
        }
    }
}

impl Build {
    fn run(self, settings: &Settings) -> Outcome<()> {
        let unknown =
            |code: &String| Exit::usage(format!("\"{code}\" is not the code of a language, such as eng or ger"));
        let languages = self.languages.iter().map(|code| of_known_code(code).ok_or_else(|| unknown(code)));
        let languages = languages.collect::<Outcome<Vec<_>>>()?;
        let to = match self.to {
            Some(to) => to,
            None => settings.load()?.config.catalogue(),
        };
        let Self { editions, works, authors, reading_log, ratings, .. } = self;
        let request = Request { editions, works, authors, reading_log, ratings, languages, to };
        let mut progress = Progress::new();
        let built = build(&request, Clock::default().now(), &mut |step| progress.show(step));
        progress.end();
        let built = built.map_err(|cause| match cause {
            BuildError::NotADump { .. } => {
                Exit::failed(format!("{cause}; https://openlibrary.org/developers/dumps has the dumps"))
            }
            cause => Exit::failed(cause),
        })?;
        for BrokenLines { file, count, first } in built.broken {
            let lines = if count == 1 { "1 line".to_owned() } else { format!("{} lines", grouped(count)) };
            let _ = writeln!(
                std::io::stderr(),
                "shelfwise: {lines} of {file} are not records and were left out, the first is line {first}"
            );
        }
        say(&format!("{}, {}", request.to.display(), built.about.summary()))
    }
}

/// Lines of progress on standard error.
struct Progress {
    is_terminal: bool,
    what: &'static str,
    began: Instant,
    shown: Option<Instant>,
    is_line_open: bool,
}

impl Progress {
    fn new() -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        Self { is_terminal, what: "", began: Instant::now(), shown: None, is_line_open: false }
    }

    fn show(&mut self, step: Step) {
        let now = Instant::now();
        if self.what != step.what {
            (self.what, self.began, self.shown) = (step.what, now, None);
            self.end();
        }
        let pause = if self.is_terminal { PAUSE.0 } else { PAUSE.1 };
        if self.shown.is_some_and(|shown| now - shown < pause) {
            return;
        }
        self.shown = Some(now);
        let line = line(step, now - self.began);
        // Standard error may be closed.
        let _ = if self.is_terminal {
            self.is_line_open = true;
            write!(std::io::stderr(), "\r\x1b[K{line}")
        } else {
            writeln!(std::io::stderr(), "{line}")
        };
    }

    fn end(&mut self) {
        if std::mem::take(&mut self.is_line_open) {
            let _ = writeln!(std::io::stderr());
        }
    }
}

/// "editions: 1,200,000 rows, 310,000 a second, 42%, about 3 minutes left".
fn line(step: Step, time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let mut line = step.what.to_owned();
    if step.rows > 0 {
        line += &format!(": {} rows", grouped(step.rows));
        if seconds >= 1.0 {
            line += &format!(", {} a second", grouped((step.rows as f64 / seconds) as u64));
        }
    }
    if let Some(share) = step.share.filter(|share| (0.001..1.0).contains(share)) {
        line += &format!(", {:.0}%", share * 100.0);
        if seconds >= 1.0 {
            let left = seconds * (1.0 - share) / share;
            line += &match (left / 60.0).ceil() as u64 {
                0 | 1 => ", less than a minute left".to_owned(),
                minutes => format!(", about {} minutes left", grouped(minutes)),
            };
        }
    }
    line
}

fn unreadable(cause: SideFileError) -> Exit {
    Exit::config(cause)
}

/// The sentence of a missing catalogue.
fn missing(path: &Path) -> Exit {
    Exit::failed(format!("there is no catalogue at {}; `shelfwise catalogue build` makes one", path.display()))
}

fn status(path: &Path, json: bool) -> Outcome<()> {
    let about = side_file(path).read(about).map_err(unreadable)?.ok_or_else(|| missing(path))?;
    if json {
        return print_json(&about);
    }
    let languages = if about.languages.is_empty() { "all".to_owned() } else { about.languages.join(", ") };
    let row = |name: &str, value: String| vec![name.to_owned(), value];
    print_table(&[
        row("file", path.display().to_string()),
        row("dumps of", about.changed.clone().unwrap_or_else(|| "an unknown day".to_owned())),
        row("made at", about.built_at.clone()),
        row("languages", languages),
        row("works", grouped(about.works)),
        row("editions", grouped(about.editions)),
        row("ISBNs", grouped(about.isbns)),
        row("size", format!("{} bytes", grouped(about.bytes))),
    ])
}

fn check(path: &Path) -> Outcome<()> {
    if !path.exists() {
        return Err(missing(path));
    }
    verify(path).map_err(unreadable)?;
    say(&format!("{} is intact", path.display()))
}

fn find(path: &Path, query: &str, json: bool) -> Outcome<()> {
    if query.trim().is_empty() {
        return Err(Exit::usage("the query is empty; it must have words of a title or an author, or an ISBN"));
    }
    let hits = side_file(path).read(|conn| match isbn::parse(query) {
        Some(isbn) => by_isbn(conn, &isbn).map(|hit| hit.into_iter().collect()),
        None => search(conn, query),
    });
    let hits: Vec<Hit> = hits.map_err(unreadable)?.ok_or_else(|| missing(path))?;
    if json {
        return print_json(&hits);
    }
    if hits.is_empty() {
        return Err(Exit::failed(format!("nothing found for \"{}\"", query.trim())));
    }
    let row = |hit: Hit| {
        let year = hit.published.or(hit.original_year.map(|year| year.to_string()));
        let pages = hit.pages.map(|pages| format!("{pages} pages"));
        vec![
            hit.title,
            hit.authors.join(", "),
            year.unwrap_or_default(),
            pages.unwrap_or_default(),
            hit.isbn.unwrap_or_default(),
        ]
    };
    print_table(&hits.into_iter().map(row).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_has_rows_rate_and_the_time_left() {
        let step = Step { what: "editions", rows: 3_000_000, share: Some(0.25) };
        assert_eq!(
            line(step, Duration::from_secs(60)),
            "editions: 3,000,000 rows, 50,000 a second, 25%, about 3 minutes left"
        );
        assert_eq!(line(Step { share: None, rows: 0, ..step }, Duration::ZERO), "editions");
        let end = Step { share: Some(0.99), ..step };
        assert!(line(end, Duration::from_secs(60)).ends_with("99%, less than a minute left"));
    }
}
