//! Finds rows of the last files that differ from a row of the new file only in columns that the importer does not read, such as the
//! average rating of all readers, which changes with every file. Such rows have the same readings and are not read again.
use std::collections::HashMap;

use csv::{ReaderBuilder, StringRecord};

use super::rows::{KnownRows, OpenRow};
use crate::library::import::columns::folded;
use crate::library::import::formats;
use crate::library::import::kept::store::StoredImport;
use crate::library::import::plan::Plan;
use crate::library::import::row::key_of;

type Key = [u8; 16];

/// Adds rows of the last files to [`KnownRows::alike`]. `free` are the rows of the new file that equal no row of a last file in all cells.
pub fn find(new: &Plan, free: &[usize], files: &[(StoredImport, Vec<OpenRow>)], known: &mut KnownRows) {
    let mut rows: Option<HashMap<Key, Vec<usize>>> = None;
    for (file, open) in files {
        // Rows without a link are only compared by title and author with what their books were.
        let open: Vec<&OpenRow> = open.iter().filter(|row| row.has_entries && !known.has(row.stored.id)).collect();
        if open.is_empty() || file.header != new.header {
            continue;
        }
        let names: Vec<String> = new.header.iter().map(|name| folded(name)).collect();
        let is_read: Vec<(&str, bool)> =
            names.iter().map(String::as_str).zip(new.columns_read.iter().copied()).collect();
        let quoting = formats::quotes(&file.format);
        let rows = rows.get_or_insert_with(|| {
            let texts = free.iter().map(|row| &new.text[new.rows[*row].raw.clone()]);
            let mut rows: HashMap<Key, Vec<usize>> = HashMap::with_capacity(free.len());
            for (row, key) in free.iter().zip(keys(texts, new.delimiter, quoting, &is_read)).rev() {
                key.into_iter().for_each(|key| rows.entry(key).or_default().push(*row));
            }
            rows
        });
        let found = keys(open.iter().map(|row| row.stored.raw.as_str()), file.delimiter, quoting, &is_read);
        for (row, key) in open.iter().zip(found) {
            if let Some(alike) = key.and_then(|key| rows.get_mut(&key)?.pop()) {
                known.alike.insert(row.stored.id, alike);
            }
        }
    }
}

/// For each row the hash of the cells that are read; `None` for a row that is not a row by itself.
fn keys<'r>(
    rows: impl ExactSizeIterator<Item = &'r str>,
    delimiter: u8,
    quoting: bool,
    is_read: &[(&str, bool)],
) -> Vec<Option<Key>> {
    let (mut text, mut ranges) = (String::new(), Vec::with_capacity(rows.len()));
    for row in rows {
        let start = text.len() as u64;
        text.push_str(row);
        text.push('\n');
        ranges.push((start, text.len() as u64));
    }
    let mut keys = vec![None; ranges.len()];
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .quoting(quoting)
        .from_reader(text.as_bytes());
    let (mut at, mut cells) = (0, StringRecord::new());
    while matches!(reader.read_record(&mut cells), Ok(true)) {
        let start = cells.position().map_or(0, csv::Position::byte);
        while ranges.get(at).is_some_and(|range| range.0 < start) {
            at += 1;
        }
        if ranges.get(at) == Some(&(start, reader.position().byte())) {
            let read = is_read.iter().zip(&cells).filter(|((_, is_read), _)| *is_read);
            keys[at] = Some(key_of(read.map(|((name, _), cell)| (*name, cell))));
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_the_same_key_where_the_cells_that_are_read_are_the_same() {
        let is_read = [("title", true), ("averagerating", false), ("rating", true)];
        let keys = |rows: &[&str]| keys(rows.iter().copied(), b',', true, &is_read);
        let [one, other, changed, moved] = keys(&["Dune,3.9,4", "\"Dune\",4.1,4", "Dune,3.9,5", "Dune,,,4"])[..] else {
            panic!("four rows")
        };
        assert!(one.is_some() && one == other && one != changed && one != moved);
    }

    #[test]
    fn a_row_that_swallows_the_next_one_has_no_key() {
        let is_read = [("title", true), ("averagerating", false)];
        let keys = keys(["\"Dune,3", "Emma,4", "Momo\",5", "Ulysses,3"].into_iter(), b',', true, &is_read);
        assert_eq!(keys.iter().map(Option::is_some).collect::<Vec<_>>(), [false, false, false, true]);
    }
}
