//! The sentences about cells that are left empty and rows that are rejected.
use crate::kit::FieldErrors;
use crate::library::books::reads::MOST_READS;
use crate::library::import::row::{Problem, ReadRow};
use crate::library::text::grouped;

/// The most readings of a file besides the first of each row. Each is a book with all that its row says, so that a small file could
/// otherwise make millions of large books.
pub(super) const MOST_FURTHER: usize = 20_000;

/// The fields of the API that a row's problem can name.
const FIELDS: [&str; 23] = [
    "title", "author", "wordCount", "pages", "startDate", "dateCompleted", "rating", "genres", "impressions", "notes",
    "quotes", "isbn", "wordDistribution", "stoppedDate", "pausedSince", "contributors", "series", "tags", "publisher",
    "published", "originalYear", "language", "private",
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

/// The problem of a row with more readings than a book can have, or for which the file has no room. `further` are the readings so far
/// besides the first of each row; `counted` says whether readings that only have a count become books.
pub(super) fn too_many_reads(row: &ReadRow, counted: bool, further: &mut usize) -> Option<Problem> {
    let all = row.reads.len().max(usize::try_from(row.read_count).unwrap_or(usize::MAX));
    *further += if counted { all } else { row.reads.len() }.saturating_sub(1);
    let message = if all > MOST_READS {
        format!("A book can have at most {MOST_READS} reads, and this row has {}.", grouped(all as u64))
    } else if *further > MOST_FURTHER {
        format!(
            "Further reads of books are {} in this file, and this row would add more. Split it.",
            grouped(MOST_FURTHER as u64)
        )
    } else {
        return None;
    };
    Some(Problem { field: Some("dateCompleted"), message })
}

/// The API's field and the sentence of the first error.
pub(super) fn first_of(errors: &FieldErrors) -> Problem {
    let Some((field, message)) = errors.iter().next() else {
        return Problem { field: None, message: "This row can't be imported.".to_owned() };
    };
    Problem { field: FIELDS.iter().find(|name| **name == field).copied(), message: message.to_owned() }
}
