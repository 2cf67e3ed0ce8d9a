//! Finds rows of the last files that differ from a row of the new file only in columns that the importer does not read, such as the
//! average rating of all readers, which changes with every file. Such rows have the same readings and are not read again.
use std::ops::Range;

use csv::{ByteRecord, ReaderBuilder};

use super::rows::KnownRows;
use super::rows_by_key::RowsByKey;
use crate::library::import::formats;
use crate::library::import::kept::store::StoredImport;
use crate::library::import::plan::Plan;

/// The rows of a last file that differ from every row of the new file.
#[derive(Debug)]
pub struct OpenRows {
    pub file: StoredImport,
    pub rows: Vec<OpenRow>,
    /// Their texts, in the same order.
    pub texts: Texts,
}

/// A row of a last file that differs from every row of the new file.
#[derive(Debug, Clone, Copy)]
pub struct OpenRow {
    /// Its index in [`Base::rows`](super::base::Base::rows).
    pub at: usize,
    /// Its key in `import_rows`.
    pub id: i64,
    /// Whether a book or an item is linked to it.
    pub has_entries: bool,
}

/// Adds rows of the last files to [`KnownRows::alike`]. `free` are the rows of the new file that equal no row of a last file in all cells.
pub fn find(new: &Plan, free: &[usize], files: &[OpenRows], known: &mut KnownRows) {
    // Rows without a link are only compared by title and author with what their books were.
    let is_asked = |row: &OpenRow, known: &KnownRows| row.has_entries && !known.has(row.id);
    let has_asked = |file: &&OpenRows| file.rows.iter().any(|row| is_asked(row, known));
    let files: Vec<&OpenRows> = files.iter().filter(|file| file.file.header == new.header).filter(has_asked).collect();
    if files.is_empty() {
        return;
    }
    let columns: Vec<usize> = (0..new.columns_read.len()).filter(|column| new.columns_read[*column]).collect();
    let mut texts = Texts::default();
    free.iter().for_each(|row| texts.push(&new.text[new.rows[*row].raw.clone()]));
    let keys = texts.keys(new.delimiter, formats::quotes(new.format), &columns);
    let of_new = free.iter().enumerate().filter_map(|(at, row)| Some((keys.get(at)?, *row)));
    let mut rows = RowsByKey::of(of_new, new.rows.len());
    for OpenRows { file, rows: open, texts } in files {
        let keys = texts.keys(file.delimiter, formats::quotes(&file.format), &columns);
        for (at, row) in open.iter().enumerate() {
            let key = keys.get(at).filter(|_| is_asked(row, known));
            if let Some(alike) = key.and_then(|key| rows.take(key)) {
                known.alike.insert(row.id, alike);
            }
        }
    }
}

/// The texts of rows, one after the other as in a file.
#[derive(Debug, Default)]
pub struct Texts {
    text: String,
    ends: Vec<usize>,
}

impl Texts {
    /// Adds a row.
    pub fn push(&mut self, row: &str) {
        self.text.push_str(row);
        self.text.push('\n');
        self.ends.push(self.text.len());
    }

    /// The text of a row.
    pub fn get(&self, at: usize) -> &str {
        let Range { start, end } = self.range(at);
        &self.text[start..end - 1]
    }

    /// The place of a row and its line break.
    fn range(&self, at: usize) -> Range<usize> {
        at.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[at]
    }

    /// The keys of the rows. `columns` are those that are read.
    fn keys(&self, delimiter: u8, quoting: bool, columns: &[usize]) -> Keys {
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter)
            .quoting(quoting)
            .from_reader(self.text.as_bytes());
        let mut keys = Keys { bytes: Vec::with_capacity(self.text.len()), ranges: vec![None; self.ends.len()] };
        let (mut at, mut cells) = (0, ByteRecord::new());
        while matches!(reader.read_byte_record(&mut cells), Ok(true)) {
            let start = cells.position().map_or(0, csv::Position::byte);
            let range = start as usize..reader.position().byte() as usize;
            while self.ends.get(at).is_some_and(|end| *end <= range.start) {
                at += 1;
            }
            if at < self.ends.len() && self.range(at) == range {
                keys.add(at, columns.iter().map(|column| cells.get(*column).unwrap_or_default()));
            }
        }
        keys
    }
}

/// For each row the cells that are read, one after the other. A row that is not a row by itself has none.
#[derive(Debug)]
struct Keys {
    bytes: Vec<u8>,
    ranges: Vec<Option<Range<usize>>>,
}

impl Keys {
    fn add<'c>(&mut self, at: usize, cells: impl Iterator<Item = &'c [u8]>) {
        let start = self.bytes.len();
        for cell in cells {
            self.bytes.extend_from_slice(cell);
            // No text contains this byte.
            self.bytes.push(0xff);
        }
        self.ranges[at] = Some(start..self.bytes.len());
    }

    fn get(&self, at: usize) -> Option<&[u8]> {
        self.ranges[at].clone().map(|range| &self.bytes[range])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(rows: &[&str], columns: &[usize]) -> Keys {
        let mut texts = Texts::default();
        rows.iter().for_each(|row| texts.push(row));
        assert!(rows.iter().enumerate().all(|(at, row)| texts.get(at) == *row));
        texts.keys(b',', true, columns)
    }

    #[test]
    fn rows_have_the_same_key_where_the_cells_that_are_read_are_the_same() {
        let keys = keys(&["Dune,3.9,4", "\"Dune\",4.1,4", "Dune,3.9,5", "Dune,,,4"], &[0, 2]);
        let [one, other, changed, moved] = [0, 1, 2, 3].map(|at| keys.get(at).unwrap());
        assert!(one == other && one != changed && one != moved);
    }

    #[test]
    fn an_empty_cell_at_the_end_equals_a_missing_one_and_cells_do_not_run_together() {
        let keys = keys(&["Dune,4", "Dune,4,", "Dun,e4,", "Dune,,4"], &[0, 1, 2]);
        let [one, other, moved, later] = [0, 1, 2, 3].map(|at| keys.get(at).unwrap());
        assert!(one == other && one != moved && one != later);
    }

    #[test]
    fn a_row_that_swallows_the_next_one_has_no_key() {
        let keys = keys(&["\"Dune,3", "Emma,4", "Momo\",5", "Ulysses,3"], &[0]);
        assert_eq!([0, 1, 2, 3].map(|at| keys.get(at).is_some()), [false, false, false, true]);
    }
}
