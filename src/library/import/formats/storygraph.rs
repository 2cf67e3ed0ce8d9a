//! The StoryGraph: the current format and that of 2021, including files of which a spreadsheet kept only the first columns.
use crate::library::books::facts::ContributorRole;
use crate::library::import::columns::Field;
use crate::library::import::edition;
use crate::library::import::formats::format::{Format, TRACKER};
use crate::library::import::row::{Cells, Read, ReadRow};
use crate::library::import::values::{self, Notation};
use crate::library::rough_date::RoughDate;

/// A file named by a long hash.
pub static STORYGRAPH: Format = Format {
    name: "storygraph",
    title: "StoryGraph",
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
    refined: &[("datesread", Field::DateCompleted), ("contributors", Field::Contributors), ("owned?", Field::Tags)],
    key: &["isbn/uid"],
    refine,
    ..TRACKER
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, notation: Notation) {
    let cell = cells.get("datesread");
    for part in values::list(cell, ';').flat_map(|part| values::list(part, ',')) {
        match span(part, notation) {
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
    let authors = [cells.get("authors"), cells.get("author")].into_iter().find(|cell| !cell.is_empty());
    row.set_authors(edition::names(authors.unwrap_or_default()));
    row.facts.contributors.extend(edition::contributors(cells.get("contributors"), ContributorRole::Other));
    row.add_tags(values::list(cells.get("tags"), ','));
    row.tag_as_owned(values::yes_no(cells.get("owned?")) == Some(true));
}

/// `start-finish` or only a finish date. Dates may contain hyphens themselves, and may be rough.
fn span(text: &str, notation: Notation) -> Option<Read> {
    let alone = |finish| Read { start: None, finish: Some(finish) };
    if let Some(day) = values::date(text, notation.order) {
        return Some(alone(RoughDate { from: None, to: day }));
    }
    let span = text.match_indices(['-', '–']).find_map(|(at, dash)| {
        let (start, finish) = (text[..at].trim(), text[at + dash.len()..].trim());
        let (started, finish_date) = (values::rough_date(start, notation), values::rough_date(finish, notation));
        let whole = (start.is_empty() || started.is_some()) && (finish.is_empty() || finish_date.is_some());
        // A read that began on an unknown day has no start.
        let read = Read { start: started.filter(|date| date.from.is_none()).map(|date| date.to), finish: finish_date };
        (whole && (started.is_some() || finish_date.is_some())).then_some(read)
    });
    span.or_else(|| values::rough_date(text, notation).map(alone))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::time_zone::Hemisphere;
    use crate::library::import::values::DateOrder;

    #[test]
    fn spans_are_read_however_their_dates_are_written() {
        let read = |text| {
            let notation = Notation { order: DateOrder::MonthFirst, hemisphere: Hemisphere::North };
            span(text, notation).map(|read| (read.start.map(|d| d.to_string()), read.finish.map(RoughDate::exported)))
        };
        let whole = Some((Some("2025-05-26".to_owned()), Some("2025-06-11".to_owned())));
        for text in ["2025/05/26-2025/06/11", "2025-05-26-2025-06-11", "5/26/2025 - 6/11/2025"] {
            assert_eq!(read(text), whole, "{text}");
        }
        assert_eq!(read("2021/07/13"), Some((None, Some("2021-07-13".to_owned()))));
        assert_eq!(read("2021/07/13-"), Some((Some("2021-07-13".to_owned()), None)));
        assert_eq!(read("-2021/07/13"), Some((None, Some("2021-07-13".to_owned()))));
        for (text, finish) in
            [("2019", "2019"), ("2019/03", "2019-03"), ("2019-03", "2019-03"), ("2019/03-2019/04", "2019-04")]
        {
            assert_eq!(read(text), Some((None, Some(finish.to_owned()))), "{text}");
        }
        assert_eq!(read("last summer"), None);
        assert_eq!(read("-"), None);
    }
}
