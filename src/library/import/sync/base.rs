//! The rows of the last files of a tracker, with the books and items of the library that are linked to them.
use std::collections::BTreeSet;
use std::ops::Range;

use rusqlite::Connection;

use super::alike::{self, OpenRow, OpenRows, Texts};
use super::rows::{KnownRows, Rows};
use super::rows_by_key::RowsByKey;
use super::store::{self, Link};
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;
use crate::library::import::formats::UNKNOWN;
use crate::library::import::kept::as_file;
use crate::library::import::kept::store::{StoredImport, StoredRow, imports};
use crate::library::import::plan::{Options, Plan, plan};
use crate::library::import::shelves::shelf_key;
use crate::library::import::taken_off;

/// A row of one of the last files.
#[derive(Debug, Clone)]
pub struct LastRow {
    /// The key in `import_rows`.
    pub id: i64,
    /// The row of the new file with the same cells in all columns that are read.
    pub same: Option<usize>,
    /// The links to it: a range of [`Base::links`].
    links: Range<usize>,
    /// Whether its item has become a book by another import.
    pub is_read: bool,
}

/// The rows of the last files.
#[derive(Debug, Default)]
pub struct Base {
    pub rows: Vec<LastRow>,
    /// When the newest of the files was imported.
    pub last_import: Option<Timestamp>,
    /// The links of the owner's books and items, in the order of the rows.
    links: Vec<Link>,
}

impl Base {
    /// Loads the rows of all files of the plan's tracker. Rows that differ in the new file are read into `known`, unless
    /// they are there already. `None` for a tracker of which this library has no file.
    pub fn load(
        conn: &Connection,
        owner: UserId,
        new: &Plan,
        options: &Options,
        known: &mut KnownRows,
    ) -> Result<Option<Self>> {
        let files: Vec<StoredImport> =
            imports(conn, owner)?.into_iter().filter(|import| import.format == new.format).collect();
        let mut links = store::links(conn, owner)?;
        links.sort_by_key(|link| link.row);
        let last_import = files.iter().filter(|file| !file.is_undone).map(|file| file.created_at).max();
        let mut base = Self { last_import, links, ..Self::default() };
        let is_known = files.iter().any(|file| !file.is_undone);
        let read_elsewhere: BTreeSet<i64> =
            taken_off::store::sources(conn, owner)?.into_iter().map(|(row, ..)| row).collect();
        let mut keys = RowsByKey::of(new.rows.iter().enumerate().map(|(row, kept)| (kept.key, row)), new.rows.len());
        let mut is_free = vec![true; new.rows.len()];
        let mut open = Vec::with_capacity(files.len());
        for file in files {
            options.deadline.check()?;
            let (mut rows, mut texts) = (Vec::new(), Texts::default());
            store::each_row_that_made(conn, file.id, |id, raw| {
                let links = base.links_to(id);
                let same = base.links[links.clone()].first().and_then(|link| keys.take(&link.key));
                match same {
                    Some(row) => is_free[row] = false,
                    None => {
                        rows.push(OpenRow { at: base.rows.len(), id, has_entries: !links.is_empty() });
                        texts.push(raw);
                    }
                }
                base.rows.push(LastRow { id, same, links, is_read: read_elsewhere.contains(&id) });
            })?;
            open.push(OpenRows { file, rows, texts });
        }
        let free: Vec<usize> = (0..new.rows.len()).filter(|row| is_free[*row]).collect();
        alike::find(new, &free, &open, known);
        for OpenRows { file, rows, texts } in open {
            let mut unread = Vec::new();
            for (at, row) in rows.iter().enumerate() {
                match known.alike.get(&row.id) {
                    Some(alike) if is_free[*alike] => {
                        is_free[*alike] = false;
                        base.rows[row.at].same = Some(*alike);
                    }
                    _ if known.get(row.id).is_some() => {}
                    _ => unread.push(StoredRow { id: row.id, raw: texts.get(at).to_owned() }),
                }
            }
            read(&file, unread, new, options, known)?;
        }
        Ok((is_known || !base.rows.is_empty()).then_some(base))
    }

    /// The books and items that are linked to a row, and which of its readings each of them is.
    pub fn links(&self, row: &LastRow) -> &[Link] {
        &self.links[row.links.clone()]
    }

    fn links_to(&self, id: i64) -> Range<usize> {
        let start = self.links.partition_point(|link| link.row < id);
        start..start + self.links[start..].iter().take_while(|link| link.row == id).count()
    }
}

/// Reads rows of one file as this version imports them, with the new file's choices about shelves and, where the rows don't show it, its
/// order of dates.
fn read(file: &StoredImport, rows: Vec<StoredRow>, new: &Plan, options: &Options, known: &mut KnownRows) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut options = Options { kind: file.kind, ..options.clone() };
    for shelf in &new.shelves {
        options.shelves.entry(shelf_key(&shelf.name)).or_insert(shelf.guess);
    }
    if file.format != UNKNOWN.name {
        options.columns.clear();
    }
    let (text, starts) = as_file(file, &rows)?;
    let mut last = plan(text.as_bytes(), &options);
    if last.as_ref().is_ok_and(|last| last.ambiguous_dates.is_some()) && options.date_order.is_none() {
        options.date_order = Some(new.date_order);
        last = plan(text.as_bytes(), &options);
    }
    options.deadline.check()?;
    let Ok(last) = last else { return Ok(()) };
    let read = Rows::of(&last);
    for (at, row) in last.rows.iter().enumerate() {
        if let Some(index) = starts.get(&row.raw.start) {
            known.rows.insert(rows[*index].id, read.get(at));
        }
    }
    Ok(())
}
