//! The rows of the last files of a tracker, with the books and items of the library that are linked to them.
use std::collections::{BTreeSet, HashMap, HashSet};

use rusqlite::Connection;

use super::alike;
use super::rows::{KnownRows, OpenRow, Rows};
use super::store;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;
use crate::library::import::dedupe::EntryId;
use crate::library::import::formats::UNKNOWN;
use crate::library::import::kept::as_file;
use crate::library::import::kept::store::{Fate, StoredImport, StoredRow, imports};
use crate::library::import::plan::{Options, Plan, plan};
use crate::library::import::shelves::shelf_key;
use crate::library::import::taken_off;

/// A row of one of the last files.
#[derive(Debug, Clone)]
pub struct LastRow {
    /// The key in `import_rows`.
    pub id: i64,
    /// The hash of its cells, if something is linked to it.
    pub key: [u8; 16],
    /// The row of the new file with the same cells in all columns that are read.
    pub same: Option<usize>,
    /// The books and items that are linked to it, and which of its readings each of them is.
    pub entries: Vec<(EntryId, i64)>,
    /// Whether its item has become a book by another import.
    pub is_read: bool,
}

/// The rows of the last files.
#[derive(Debug, Default)]
pub struct Base {
    pub rows: Vec<LastRow>,
    /// When the newest of the files was imported.
    pub last_import: Option<Timestamp>,
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
            imports(conn, owner, None)?.into_iter().filter(|import| import.format == new.format).collect();
        let mut links: HashMap<i64, Vec<store::Link>> = HashMap::new();
        for link in store::links(conn, owner)? {
            links.entry(link.row).or_default().push(link);
        }
        let read_elsewhere: BTreeSet<i64> =
            taken_off::store::sources(conn, owner)?.into_iter().map(|(row, ..)| row).collect();
        let mut keys: HashMap<[u8; 16], Vec<usize>> = HashMap::with_capacity(new.rows.len());
        for (row, kept) in new.rows.iter().enumerate().rev() {
            keys.entry(kept.key).or_default().push(row);
        }
        let last_import = files.iter().filter(|file| !file.is_undone).map(|file| file.created_at).max();
        let mut base = Self { last_import, ..Self::default() };
        let is_known = files.iter().any(|file| !file.is_undone);
        let mut unread = Vec::with_capacity(files.len());
        for file in files {
            let mut open = Vec::new();
            store::each_row_that_made(conn, file.id, |id, raw| {
                let entries = links.remove(&id).unwrap_or_default();
                let key = entries.first().map(|link| link.key);
                let same = key.and_then(|key| keys.get_mut(&key)?.pop());
                if same.is_none() {
                    let stored = StoredRow { id, raw: raw.to_owned(), fate: Fate::Made };
                    open.push(OpenRow { at: base.rows.len(), stored, has_entries: !entries.is_empty() });
                }
                let (key, is_read) = (key.unwrap_or_default(), read_elsewhere.contains(&id));
                let entries = entries.into_iter().map(|link| (link.entry, link.nth)).collect();
                base.rows.push(LastRow { id, key, same, entries, is_read });
            })?;
            unread.push((file, open));
        }
        let mut free: Vec<usize> = keys.into_values().flatten().collect();
        free.sort_unstable();
        alike::find(new, &free, &unread, known);
        let mut free: HashSet<usize> = free.into_iter().collect();
        for (file, mut open) in unread {
            open.retain(|row| {
                let alike = known.alike.get(&row.stored.id).copied().filter(|alike| free.remove(alike));
                base.rows[row.at].same = alike;
                alike.is_none() && known.get(row.stored.id).is_none()
            });
            read(&file, open.into_iter().map(|row| row.stored).collect(), new, options, known)?;
        }
        Ok((is_known || !base.rows.is_empty()).then_some(base))
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
    let Ok(mut last) = plan(text.as_bytes(), &options) else { return Ok(()) };
    if last.ambiguous_dates.is_some() && options.date_order.is_none() {
        options.date_order = Some(new.date_order);
        let Ok(again) = plan(text.as_bytes(), &options) else { return Ok(()) };
        last = again;
    }
    let read = Rows::of(&last);
    for (at, row) in last.rows.iter().enumerate() {
        if let Some(index) = starts.get(&row.raw.start) {
            known.rows.insert(rows[*index].id, read.get(at));
        }
    }
    Ok(())
}
