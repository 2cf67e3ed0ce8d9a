//! Hardcover: one reading per row, authors in one list with their roles.
use crate::library::books::model;
use crate::library::import::columns::Field;
use crate::library::import::formats::format::Format;
use crate::library::import::row::{Cells, ReadRow};
use crate::library::import::values::{self, DateOrder};

/// The file of "Settings", "Export".
pub static HARDCOVER: Format = Format {
    name: "hardcover",
    recognises: |header| {
        header.has("title") && (header.has("hardcoverbookid") || header.has_all(&["status", "privacy", "datefinished"]))
    },
    fields: &[
        ("title", Field::Title),
        ("isbn13", Field::Isbn),
        ("isbn10", Field::Isbn),
        ("pages", Field::Pages),
        ("status", Field::Status),
        ("datestarted", Field::StartDate),
        ("datefinished", Field::DateCompleted),
        ("rating", Field::Rating5),
        ("review", Field::Impressions),
        ("privatenotes", Field::Notes),
    ],
    refined: &[
        ("author", Field::Author),
        ("binding", Field::Format),
        ("media", Field::Format),
        ("genres", Field::Genres),
        ("tags", Field::Genres),
    ],
    foreign: true,
    has_places: true,
    escaped: false,
    refine,
};

fn refine(row: &mut ReadRow, cells: &Cells<'_>, _: DateOrder) {
    if row.author.is_empty() {
        row.author = authors(cells.get("author"));
    }
    // The binding is more specific than the medium, which calls every electronic file a book.
    let (binding, media) = (values::medium(cells.get("binding")), values::medium(cells.get("media")));
    if row.format == model::Format::Print {
        row.format = if binding == model::Format::Print { media } else { binding };
    }
    for name in ["genres", "tags"] {
        genres(row, cells.get(name));
    }
}

/// The names without a role, in order; all names if all have a role.
fn authors(cell: &str) -> String {
    let names: Vec<&str> = values::list(cell, ',').collect();
    let writes = |name: &&&str| !name.ends_with(')') || name.to_lowercase().ends_with("(author)");
    let plain =
        |name: &str| name.rsplit_once(" (").filter(|_| name.ends_with(')')).map_or(name, |(name, _)| name).to_owned();
    let writers: Vec<String> = names.iter().filter(writes).map(|name| plain(name)).collect();
    if writers.is_empty() {
        names.iter().map(|name| plain(name)).collect::<Vec<_>>().join(", ")
    } else {
        writers.join(", ")
    }
}

/// A list separated by commas, or a JSON list.
fn genres(row: &mut ReadRow, cell: &str) {
    match serde_json::from_str::<Vec<String>>(cell) {
        Ok(names) => {
            row.add_genres(names.iter().map(|name| name.trim()).filter(|name| !name.is_empty() && !name.contains(',')))
        }
        Err(_) => row.add_genres(values::list(cell, ',')),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_author_is_who_has_no_other_role() {
        assert_eq!(authors("Helena Fraga (Translator), Kenneth Haigh (Narrator), Dan Simmons"), "Dan Simmons");
        assert_eq!(authors("Neil One, Terry Two"), "Neil One, Terry Two");
        assert_eq!(authors("Only Editor (Editor)"), "Only Editor");
        assert_eq!(authors(""), "");
    }
}
