//! What the last files of a tracker said, with the books and items of the library that are tied to their rows.
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;

use foldhash::HashMap;
use rusqlite::Connection;

use super::merge::{Rank, rank_of};
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;
use crate::library::books::model::BookId;
use crate::library::books::store as books;
use crate::library::import::dedupe::{EntryId, dedupe, duplicate_key, item_name};
use crate::library::import::history::store::imports;
use crate::library::import::plan::{Options, Plan};
use crate::library::import::reader::ROWS_BETWEEN_LOOKS;
use crate::library::import::said::former::{said, tied_readings};
use crate::library::import::said::store::{Tie, ties};
use crate::library::import::said::{RowReading, Rows, SaidRow};
use crate::library::import::shelves::shelf_key;
use crate::library::import::store::known;
use crate::library::import::taken_off;

/// The key of a row that no file has.
pub const NO_ROW: i64 = -1;

/// A row of one of the last files.
#[derive(Debug, Clone)]
pub struct LastRow {
    /// The key in `import_rows`.
    pub id: i64,
    /// The row of the new file that says the same: an index of the plan's rows.
    pub same: Option<usize>,
    /// What it says, if no row of the new file says the same.
    pub said: SaidRow,
    /// The ties to it: a range of [`Base::ties`].
    ties: Range<usize>,
    /// Whether its item has become a book by another import.
    pub is_read: bool,
}

/// The rows of the last files.
#[derive(Debug, Default)]
pub struct Base {
    pub rows: Vec<LastRow>,
    /// When the newest of the files was imported.
    pub last_import: Option<Timestamp>,
    /// The ties of the owner's books and items, in the order of the rows.
    ties: Vec<Tie>,
    /// The books that were made of items which their reader had edited.
    pub edited: HashSet<BookId>,
}

impl Base {
    /// Loads the rows of all files of the plan's tracker. `None` for a tracker of which this library has no file.
    pub fn load(conn: &Connection, owner: UserId, new: &Rows<'_>, options: &Options) -> Result<Option<Self>> {
        let mut files = imports(conn, owner)?;
        files.retain(|whole| whole.import.format == new.plan().format);
        let mut ties = ties(conn, owner)?;
        ties.sort_by_key(|tie| tie.row);
        let standing = files.iter().map(|file| &file.import).filter(|import| import.undone.is_none());
        let tied = tied_readings(&ties);
        let last_import = standing.map(|import| import.created_at).max();
        let mut base = Self { last_import, ties, ..Self::default() };
        let taken_off = taken_off::store::sources(conn, owner)?;
        let read_elsewhere: BTreeSet<i64> = taken_off.iter().map(|source| source.row).collect();
        base.edited = taken_off.iter().filter(|source| source.was_edited).map(|source| source.book).collect();
        let mut former = Options { earlier_reads: true, ..options.clone() };
        for shelf in &new.plan().shelves {
            former.shelves.entry(shelf_key(&shelf.name)).or_insert(shelf.guess);
        }
        let mut same = RowsBySaying::default();
        for row in (0..new.plan().rows.len()).rev() {
            if row.is_multiple_of(ROWS_BETWEEN_LOOKS) {
                options.deadline.check()?;
            }
            same.entry(new.get(row).stored()?).or_default().push(row);
        }
        for file in &files {
            options.deadline.check()?;
            for (id, said) in said(conn, file, &former, &tied)? {
                let ties = base.ties_to(id);
                let same = if ties.is_empty() { None } else { same.get_mut(&said).and_then(Vec::pop) };
                let said = if same.is_some() { SaidRow::default() } else { SaidRow::parse(&said)? };
                base.rows.push(LastRow { id, same, said, ties, is_read: read_elsewhere.contains(&id) });
            }
        }
        Ok((last_import.is_some() || !base.rows.is_empty()).then_some(base))
    }

    /// Adds the books that equal a read of one of our own files and are tied to none: what the library has now is what was said then.
    pub fn add_library(&mut self, conn: &Connection, owner: UserId, plan: &Plan) -> Result<()> {
        let keys: Vec<_> = plan.books.iter().map(|book| duplicate_key(&book.draft)).collect();
        let names: Vec<_> = plan.items.iter().map(|item| item_name(&item.draft)).collect();
        let known = known(conn, owner, plan, &keys)?;
        let tied = known.tied.clone();
        let matched: BTreeMap<usize, BookId> =
            dedupe(plan, &keys, &names, known, None, false).matched.into_iter().collect();
        for (index, id) in matched {
            if tied.contains(&EntryId::Book(id)) {
                continue;
            }
            let (book, nth) = (&plan.books[index], i64::from(plan.books[index].nth));
            let draft = books::get_at(conn, owner, id, None)?.draft();
            let (rank, log) = (rank_of(draft.status), book.log.clone());
            let reading = RowReading { nth, rank, draft, item: None, log, at: 0 };
            let said =
                SaidRow { count: usize::from(rank == Rank::Finished), readings: vec![reading], ..SaidRow::default() };
            let at = self.ties.len();
            let tie = Tie { entry: EntryId::Book(id), origin: NO_ROW, row: NO_ROW, nth, key: [0; 16], made: false };
            self.ties.push(tie);
            self.rows.push(LastRow { id: NO_ROW, same: None, said, ties: at..at + 1, is_read: false });
        }
        Ok(())
    }

    /// The books and items that are tied to a row, and which of its readings each of them is.
    pub fn ties(&self, row: &LastRow) -> &[Tie] {
        &self.ties[row.ties.clone()]
    }

    fn ties_to(&self, id: i64) -> Range<usize> {
        let start = self.ties.partition_point(|tie| tie.row < id);
        start..start + self.ties[start..].iter().take_while(|tie| tie.row == id).count()
    }
}

/// The rows of the new file by what they say, those of equal rows last first.
type RowsBySaying = HashMap<String, Vec<usize>>;
