//! What a file leaves open, and the reader's answers.
use super::options::{ImportQuestion, NameOrder, StatusAnswer};
use super::{Kind, PlanBuilder};
use crate::library::books::model::BookFormat;
use crate::library::import::edition::turned;
use crate::library::import::row::{Destination, Read, ReadRow, Shelf};

/// The longest names of a file's columns for which an answer is kept, in bytes.
const LONGEST_COLUMNS: usize = 1_000;

/// The answers for one file.
#[derive(Default)]
pub(super) struct Answers {
    /// What the books are: of all rows, or of those with an end that is only proposed.
    status: Option<StatusAnswer>,
    /// Whether names are turned around.
    turns_names: bool,
    /// The format of the first book that says none.
    first_silent: Option<BookFormat>,
}

impl PlanBuilder<'_> {
    /// Asks what the whole file leaves open. What its books are is kept with the import as the place of a shelf is, for files with the same
    /// columns.
    pub(super) fn ask(&mut self) {
        let (inspect, options) = (self.inspect, self.options);
        if options.kind != Kind::Books {
            return;
        }
        if inspect.asks_status {
            let columns = inspect.header.folded.join(",");
            let places = options.former_places.get(self.plan.format);
            let former = places.and_then(|places| places.get(&columns)).copied();
            let proposed = Some(StatusAnswer::Completed).filter(|_| inspect.format.proposes_ends);
            let is_former = |answer: &StatusAnswer| Some(answer.place()) == former;
            let preset = proposed.filter(|answer| former.is_none() || is_former(answer));
            let preset = preset.or_else(|| StatusAnswer::ALL.into_iter().find(is_former));
            let answer = options.status.or(preset).unwrap_or(StatusAnswer::Undated);
            self.answers.status = Some(answer);
            if columns.len() <= LONGEST_COLUMNS {
                self.plan.places.insert(columns, answer.place());
            }
            self.question("status", &StatusAnswer::ALL.map(StatusAnswer::name), preset.map(StatusAnswer::name));
        }
        if inspect.has_turned_names {
            self.answers.turns_names = options.names != Some(NameOrder::Keep);
            self.question("names", &NameOrder::ALL.map(NameOrder::name), Some(NameOrder::Turn.name()));
        }
    }

    /// Asks about the format when all rows are read.
    pub(super) fn ask_format(&mut self) {
        if let Some(preset) = self.answers.first_silent {
            self.question("format", &BookFormat::ALL.map(BookFormat::name), Some(preset.name()));
        }
    }

    fn question(&mut self, field: &'static str, choices: &[&'static str], preset: Option<&'static str>) {
        self.plan.asks.push(ImportQuestion { field, choices: choices.to_vec(), preset });
    }

    /// Gives a row the reader's answers.
    pub(super) fn answer(&mut self, read: &mut ReadRow) {
        self.answer_status(read);
        if self.answers.turns_names {
            let authors = if read.authors.is_empty() { vec![read.author.clone()] } else { read.authors.clone() };
            let people = read.facts.contributors.iter_mut();
            people.for_each(|person| person.name = turned(&person.name));
            read.authors = authors.iter().map(|name| turned(name)).collect();
            read.author = read.authors.join(", ");
        }
        if self.inspect.lacks_format && !read.has_format && self.options.kind == Kind::Books {
            self.answers.first_silent.get_or_insert(read.format);
            if let Some(format) = self.options.format {
                (read.format, read.has_format) = (format, true);
            }
        }
    }

    fn answer_status(&self, read: &mut ReadRow) {
        let Some(answer) = self.answers.status else { return };
        if self.inspect.format.proposes_ends {
            if answer == StatusAnswer::Completed || read.shelf != Shelf::Known(Destination::Read) {
                return;
            }
            let open = read.reads.pop().filter(|_| answer == StatusAnswer::InProgress);
            read.reads = open.map(|last| Read { finish: None, ..last }).into_iter().collect();
        }
        read.shelf = Shelf::Known(answer.place());
    }
}
