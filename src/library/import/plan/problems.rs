//! The sentences about cells that are left empty and rows that are rejected.
use crate::kit::FieldErrors;
use crate::library::import::row::Problem;

/// The fields of the API that a row's problem can name.
const FIELDS: [&str; 22] = [
    "title",
    "author",
    "wordCount",
    "pages",
    "startDate",
    "dateCompleted",
    "rating",
    "genres",
    "impressions",
    "notes",
    "quotes",
    "isbn",
    "wordDistribution",
    "stoppedDate",
    "pausedSince",
    "contributors",
    "series",
    "tags",
    "publisher",
    "published",
    "originalYear",
    "language",
];

/// The note about a cell that is left empty.
pub(super) fn left_empty(problem: &Problem) -> Problem {
    // Sentences about dates do not name their column.
    let name = match problem.field {
        Some("startDate") => "Start date: ",
        Some("stoppedDate") => "Stopped date: ",
        Some("dateCompleted") => "Date completed: ",
        _ => "",
    };
    Problem { field: problem.field, message: format!("{name}{} The cell is left empty.", problem.message) }
}

/// The API's field and the sentence of the first error.
pub(super) fn first_of(errors: &FieldErrors) -> Problem {
    let Some((field, message)) = errors.iter().next() else {
        return Problem { field: None, message: "This row can't be imported.".to_owned() };
    };
    Problem { field: FIELDS.iter().find(|name| **name == field).copied(), message: message.to_owned() }
}
