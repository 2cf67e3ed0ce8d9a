//! The StoryGraph: the current format and that of 2021, including files of which a spreadsheet kept only the first columns.
use crate::library::import::columns::Field;
use crate::library::import::formats::format::Format;
use crate::library::import::row::{Cells, Read, ReadRow};
use crate::library::import::values::{self, DateOrder};

/// A file named by a long hash.
pub static STORYGRAPH: Format = Format {
    name: "storygraph",
    recognises: |header| header.has_all(&["title", "readstatus"]) && (header.has("authors") || header.has("author")),
    fields: &[
        ("title", Field::Title),
        ("authors", Field::Author),
        ("author", Field::Author),
        ("isbn/uid", Field::Isbn),
        ("isbn", Field::Isbn),
        ("format", Field::Format),
        ("readstatus", Field::Status),
        ("lastdateread", Field::DateCompleted),
        ("readcount", Field::ReadCount),
        ("starrating", Field::Rating5),
        ("review", Field::Impressions),
        ("tags", Field::Genres),
    ],
    refined: &[("datesread", Field::DateCompleted)],
    foreign: true,
    has_places: true,
    escaped: false,
    refine,
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, order: DateOrder) {
    let cell = cells.get("datesread");
    for part in values::list(cell, ';').flat_map(|part| values::list(part, ',')) {
        match span(part, order) {
            Some(read) => row.add_read(read),
            None => row.refuse(
                "dateCompleted",
                format!(
                    "\u{201c}{}\u{201d} is not a date or a span of dates.",
                    crate::library::import::row::short(part)
                ),
            ),
        }
    }
    row.reads_listed |= !cell.is_empty();
}

/// `start-finish` or only a finish date. Dates may contain hyphens themselves.
fn span(text: &str, order: DateOrder) -> Option<Read> {
    if let Some(finish) = values::date(text, order) {
        return Some(Read { start: None, finish: Some(finish) });
    }
    text.match_indices(['-', '–']).find_map(|(at, dash)| {
        let (start, finish) = (text[..at].trim(), text[at + dash.len()..].trim());
        let read = Read { start: values::date(start, order), finish: values::date(finish, order) };
        let whole = (start.is_empty() || read.start.is_some()) && (finish.is_empty() || read.finish.is_some());
        (whole && read != Read::default()).then_some(read)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_read_however_their_dates_are_written() {
        let read = |text| {
            span(text, DateOrder::MonthFirst)
                .map(|read| (read.start.map(|d| d.to_string()), read.finish.map(|d| d.to_string())))
        };
        let whole = Some((Some("2025-05-26".to_owned()), Some("2025-06-11".to_owned())));
        for text in ["2025/05/26-2025/06/11", "2025-05-26-2025-06-11", "5/26/2025 - 6/11/2025"] {
            assert_eq!(read(text), whole, "{text}");
        }
        assert_eq!(read("2021/07/13"), Some((None, Some("2021-07-13".to_owned()))));
        assert_eq!(read("2021/07/13-"), Some((Some("2021-07-13".to_owned()), None)));
        assert_eq!(read("-2021/07/13"), Some((None, Some("2021-07-13".to_owned()))));
        assert_eq!(read("last summer"), None);
        assert_eq!(read("-"), None);
    }
}
