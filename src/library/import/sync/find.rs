//! Decides what a newer file changes in a library, without changing it.
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use rusqlite::Connection;
use serde_json::Value;

use super::answer::SyncConflict;
use super::base::{Base, LastRow, NO_ROW};
use super::changes::{BookChange, Changes, ItemChange, NewRead, NewTie, changed_values};
use super::fields::{SyncField, are_equal, fit_status, has_estimated_words, is_empty, set, value};
use super::groups::{Group, group};
use super::merge::{Merged, Mine, Rank, Said, changed_days, merge, merge_fields, rank_of};
use super::pairs::{Pairs, pair};
use super::unsaid::complete;
use super::{Newer, items, store};
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::facts::BookFacts;
use crate::library::books::log::Length;
use crate::library::books::model::{BookDraft, BookId, BookStatus};
use crate::library::books::reads::WorkState;
use crate::library::books::store as books;
use crate::library::books::store::works::Works;
use crate::library::books::store::{common, days};
use crate::library::import::dedupe::{EntryId, is_same_read, item_name};
use crate::library::import::edition::without_series;
use crate::library::import::formats::own::EXPORT;
use crate::library::import::reader::ROWS_BETWEEN_LOOKS;
use crate::library::import::said::store::Tie;
use crate::library::import::said::{RowReading, Rows, STARTED_ITEM, SaidRow, as_book};
use crate::library::tbr::model::{TbrDraft, TbrId};
use crate::library::tbr::store as tbr;

/// The most pairs of readings of one book that are compared: those of the last files with those of the new one.
const MOST_PAIRS: usize = 1_000_000;

/// What the reader chose for a sync.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// The fields in which what the new file says is taken, by the id of a book, or `tbr-` and the id of an item.
    pub take: HashMap<String, BTreeSet<SyncField>>,
    /// The lines of rows that are not taken over.
    pub leave: BTreeSet<u64>,
}

/// Compares a newer file with the last ones and with the library.
pub fn find(conn: &Connection, owner: UserId, rows: &Rows<'_>, base: &Base, newer: &Newer) -> Result<Changes> {
    let (groups, gone) = group(rows, base);
    let is_decided = vec![false; rows.plan().rows.len()];
    let changes = Changes { is_decided, ..Changes::default() };
    let mut finder = Finder { conn, owner, rows, base, choice: &newer.choice, works: None, changes };
    for (at, group) in groups.iter().enumerate() {
        if at.is_multiple_of(ROWS_BETWEEN_LOOKS) {
            newer.options.deadline.check()?;
        }
        finder.decide_group(group)?;
    }
    Ok(Changes { gone, ..finder.changes })
}

/// A reading of a file, and its row.
struct Placed<'r> {
    row: &'r SaidRow,
    reading: Cow<'r, RowReading>,
    /// The tie of a book or an item to the last file's reading.
    tie: Option<Tie>,
    /// How often its reader has changed that book or item; `None` where it is gone. Known where the readings differ.
    changes: Option<i64>,
    /// The row of the new file: an index of the plan's rows.
    plan_row: usize,
    /// The row of the last file: a key in `import_rows`.
    id: i64,
}

impl Placed<'_> {
    /// The book or item of the last file's reading.
    fn entry(&self) -> Option<EntryId> {
        self.tie.map(|tie| tie.entry)
    }

    /// Whether the last file made that book or item.
    fn is_made(&self) -> bool {
        self.tie.is_none_or(|tie| tie.made)
    }
}

struct Finder<'a> {
    conn: &'a Connection,
    owner: UserId,
    rows: &'a Rows<'a>,
    base: &'a Base,
    choice: &'a Choice,
    works: Option<Works<'static>>,
    changes: Changes,
}

/// What happened to the readings of a book.
#[derive(Default)]
struct Tally {
    moved: bool,
    changed: bool,
    disputed: bool,
    made: bool,
}

impl<'a> Finder<'a> {
    fn decide_group(&mut self, group: &Group) -> Result<()> {
        let plan = self.rows.plan();
        let is_left = group.new.iter().any(|row| self.choice.leave.contains(&plan.rows[*row].line));
        if group.last.is_empty() && !is_left {
            return Ok(());
        }
        for row in &group.new {
            self.changes.is_decided[*row] = true;
        }
        if is_left {
            return Ok(());
        }
        let last = || group.last.iter().map(|at| &self.base.rows[*at]);
        if last().all(|row| self.base.ties(row).is_empty()) {
            if last().any(|row| row.is_read) {
                self.changes.unchanged += 1;
            } else {
                self.changes.deleted_here += 1;
            }
            return Ok(());
        }
        let rows = self.without_same_reads(group);
        if last().all(|row| row.same.is_some()) && rows.len() == group.last.len() {
            self.changes.unchanged += 1;
            return Ok(());
        }
        let new: Vec<SaidRow> = rows.iter().map(|row| self.rows.get(*row)).collect();
        let former: Vec<_> = last()
            .map(|row| {
                let ties = self.base.ties(row);
                let key = ties.first().map(|tie| tie.key).unwrap_or_default();
                let said = row.same.map_or_else(|| row.said.clone(), |same| self.rows.get(same));
                let said = SaidRow { key, ..said };
                (row.id, ties, said)
            })
            .collect();
        let mut before = Vec::new();
        for (id, ties, row) in &former {
            for reading in &row.readings {
                let tie = ties.iter().find(|tie| tie.nth == reading.nth).copied();
                before.push(Placed { row, reading: Cow::Borrowed(reading), tie, changes: None, plan_row: 0, id: *id });
            }
        }
        let mut after = Vec::new();
        for (plan_row, row) in rows.iter().zip(&new) {
            for reading in &row.readings {
                let reading = Cow::Borrowed(reading);
                after.push(Placed { row, reading, tie: None, changes: None, plan_row: *plan_row, id: 0 });
            }
        }
        // A tracker with one row for each book counts the reads in that row: the newest former row has the last count.
        let last_count = match &new[..] {
            [_] => former.iter().max_by_key(|(id, ..)| *id).map_or(0, |(.., row)| row.count),
            _ => former.iter().map(|(.., row)| row.count).sum(),
        };
        let more = new.iter().map(|row| row.count).sum::<usize>().saturating_sub(last_count);
        self.compare_readings(&mut before, &mut after, more)
    }

    /// The rows of a group in the new file, without those that list the same reads as another one. Rows that the last files had stay.
    fn without_same_reads<'g>(&mut self, group: &'g Group) -> Cow<'g, [usize]> {
        let plan = self.rows.plan();
        if group.new.len() < 2 || plan.format == EXPORT.name {
            return Cow::Borrowed(&group.new);
        }
        let is_known = |row: &usize| group.last.iter().any(|at| self.base.rows[*at].same == Some(*row));
        let (mut kept, others): (Vec<usize>, Vec<usize>) = group.new.iter().partition(|row| is_known(row));
        let mut listed: Vec<_> = kept.iter().flat_map(|row| self.rows.get(*row).readings).collect();
        for row in others {
            let readings = self.rows.get(row).readings;
            let is_listed = |one: &RowReading| listed.iter().any(|other| is_same_read(&one.draft, &other.draft));
            if !readings.is_empty() && readings.iter().all(is_listed) {
                self.changes.same_read += 1;
                if !plan.keeps_same_reads {
                    continue;
                }
            }
            kept.push(row);
            listed.extend(readings);
        }
        kept.sort_unstable();
        Cow::Owned(kept)
    }

    fn compare_readings(&mut self, before: &mut [Placed<'_>], after: &mut [Placed<'_>], more: usize) -> Result<()> {
        if before.len().saturating_mul(after.len()) > MOST_PAIRS {
            // More readings than a book can have stay as they are.
            self.changes.unchanged += 1;
            return Ok(());
        }
        let readings = |placed: &[Placed<'_>]| -> Vec<_> {
            placed.iter().map(|one| one.reading.reading(one.row.key, one.id, one.tie.is_some())).collect()
        };
        let Pairs { same, fresh, again, moved_on } = pair(&readings(before), &readings(after), more);
        self.changes.former.extend(superseded(before, &same, &moved_on));
        self.complete(before, after, &same);
        let over = over(before, after, &same);
        let is_equal = |(one, other): &(usize, usize)| before[*one].reading.says_the_same(&after[*other].reading);
        if fresh.is_empty() && again.is_empty() && over.is_empty() && same.iter().all(is_equal) {
            self.changes.unchanged += 1;
            return Ok(());
        }
        let after = &*after;
        let mut work = None;
        for one in before.iter_mut() {
            let stored = one.entry().map_or(Ok(None), |entry| store::changes(self.conn, entry))?;
            one.changes = stored.map(|(changes, _)| changes);
            work = work.or(stored.and_then(|(_, work)| work));
        }
        let before = &*before;
        let mut tally = Tally::default();
        let (known_changes, known_reads) = (self.changes.books.len(), self.changes.fresh.len());
        let (mut compared, mut compared_books) = (BTreeSet::new(), BTreeSet::new());
        compared_books.extend(before.iter().filter_map(Placed::entry));
        for (one, other) in same {
            if let Some(EntryId::Book(_)) = before[one].entry() {
                compared.insert(after[other].plan_row);
            }
            if let Some(EntryId::Book(id)) = before[one].entry().filter(|_| !fresh.is_empty()) {
                self.changes.settled.push(id);
            }
            self.compare_reading(before, &before[one], &after[other], work, &mut tally)?;
        }
        for (one, other) in again {
            self.ask_about_open_reading(&before[one], &after[other], work, &mut tally)?;
        }
        for (one, other) in over {
            self.end(&before[one], &after[other], &mut tally)?;
        }
        let finished = fresh.iter().copied().filter(|at| after[*at].reading.rank >= Rank::GivenUp);
        let newest = finished.max_by_key(|at| (after[*at].reading.draft.date_completed, *at));
        for at in fresh {
            if Some(at) == newest && self.finish_own(&compared_books, &after[at], work, &mut tally)? {
                continue;
            }
            self.add_read(&after[at], work)?;
            tally.made = true;
        }
        let changed = self.changes.books[known_changes..].iter().rfind(|book| Some(book.work) == work);
        let facts = changed.map(|book| book.draft.facts.clone());
        self.share_facts(before, &compared, known_reads, facts)?;
        match tally {
            Tally { moved: true, .. } => self.changes.moved += 1,
            Tally { changed: true, .. } => self.changes.changed += 1,
            Tally { disputed: false, made: false, .. } => self.changes.unchanged += 1,
            _ => {}
        }
        Ok(())
    }

    /// Compares one reading that both files have.
    fn compare_reading(
        &mut self,
        before: &[Placed<'_>],
        last: &Placed<'_>,
        new: &Placed<'_>,
        work: Option<BookId>,
        tally: &mut Tally,
    ) -> Result<()> {
        let is_replaced = last.row.key != new.row.key;
        match (last.entry(), new.reading.rank) {
            (None, _) => return Ok(()),
            (Some(EntryId::Item(id)), Rank::Waiting) => self.compare_item(id, last, new, tally)?,
            (Some(EntryId::Item(id)), _) => {
                self.start_item(id, last, new, tally)?;
                self.changes.former.insert(last.id);
                tally.made = true;
                return Ok(());
            }
            (Some(EntryId::Book(id)), _) => {
                let newest = newest(before, last);
                if !self.compare_book(id, last, newest, new, work, tally)? {
                    self.changes.kept.insert(new.plan_row);
                    return Ok(());
                }
            }
        }
        if is_replaced {
            self.retie(last, new.plan_row, new.reading.nth);
        }
        Ok(())
    }

    /// Ties the book or item of a reading to a row of the new file.
    fn retie(&mut self, last: &Placed<'_>, row: usize, nth: i64) {
        if let Some(Tie { entry, origin, .. }) = last.tie {
            let origin = Some(origin).filter(|origin| *origin != NO_ROW);
            self.changes.ties.push(NewTie { entry, origin, row, nth });
            self.changes.former.extend(origin.map(|_| last.id));
        }
    }

    /// Completes readings of rows that lack columns, and notes what their rows say then.
    fn complete(&mut self, before: &[Placed<'_>], after: &mut [Placed<'_>], same: &[(usize, usize)]) {
        let unsaid = &self.rows.plan().unsaid;
        if unsaid.is_empty() {
            return;
        }
        for (one, other) in same {
            complete(after[*other].reading.to_mut(), &before[*one].reading, unsaid);
        }
        let own_key = before.iter().rev().find_map(|last| last.row.own_key.as_ref());
        for placed in &*after {
            let completed = self.changes.completed.entry(placed.plan_row).or_insert_with(|| placed.row.clone());
            completed.own_key = completed.own_key.take().or_else(|| own_key.cloned());
            if let Some(reading) = completed.readings.iter_mut().find(|one| one.nth == placed.reading.nth) {
                *reading = placed.reading.clone().into_owned();
            }
        }
    }

    /// Ends what a row waited for, or was being read beside a finished read, when the row says that it is finished and no other read: an
    /// item leaves the list, a read that its reader did not touch goes, and another one is finished without a date.
    fn end(&mut self, last: &Placed<'_>, new: &Placed<'_>, tally: &mut Tally) -> Result<()> {
        let Some(Tie { entry, .. }) = last.tie.filter(|_| last.changes.is_some()) else { return Ok(()) };
        tally.moved = true;
        match entry {
            EntryId::Item(id) => {
                self.changes.leaving.push(id);
                self.changes.former.insert(last.id);
            }
            EntryId::Book(id) => {
                let mine = books::get_at(self.conn, self.owner, id, None)?;
                let is_over = rank_of(mine.status) > Rank::Open;
                self.retie(last, new.plan_row, new.reading.nth);
                if is_over {
                    tally.moved = false;
                } else if last.changes == Some(0) && days::of(self.conn, id)? == last.reading.log {
                    self.changes.ended.push(id);
                } else {
                    let before = mine.draft();
                    let draft = BookDraft { status: BookStatus::Undated, ..before.clone() };
                    self.finish(id, mine.work, new.row.line, before, draft);
                }
            }
        }
        Ok(())
    }

    /// Finishes the read in progress that the reader began here, if the new file has one finished read more. `known` are the books that
    /// are tied to rows. Returns whether there is one.
    fn finish_own(
        &mut self,
        known: &BTreeSet<EntryId>,
        new: &Placed<'_>,
        work: Option<BookId>,
        tally: &mut Tally,
    ) -> Result<bool> {
        let Some(id) = self.state_of(work)?.and_then(|state| state.open) else { return Ok(false) };
        let theirs = &new.reading.draft;
        let mine = books::get_at(self.conn, self.owner, id, None)?;
        let end = theirs.date_completed.or(theirs.stopped_date);
        let is_later = mine.start_date.zip(end).is_some_and(|(start, end)| start > end);
        let entry = EntryId::Book(id);
        let is_of = |row: &LastRow| self.base.ties(row).iter().any(|tie| tie.entry == entry);
        if known.contains(&entry)
            || self.base.rows.iter().any(is_of)
            || mine.status != BookStatus::InProgress
            || is_later
        {
            return Ok(false);
        }
        let before = mine.draft();
        let mut draft = before.clone();
        draft.status = theirs.status;
        (draft.date_completed, draft.completed_from) = (theirs.date_completed, theirs.completed_from);
        (draft.stopped_date, draft.paused_since) = (theirs.stopped_date, None);
        draft.start_date = draft.start_date.or(theirs.start_date);
        for field in [SyncField::Rating, SyncField::Impressions, SyncField::Quotes] {
            if is_empty(field, &draft) {
                set(field, &mut draft, theirs);
            }
        }
        fit_status(&mut draft);
        let Ok(draft) = draft.checked() else { return Ok(false) };
        self.finish(id, mine.work, new.row.line, before, draft);
        let nth = new.reading.nth;
        self.changes.ties.push(NewTie { entry, origin: None, row: new.plan_row, nth });
        tally.moved = true;
        Ok(true)
    }

    /// Notes that a read is finished.
    fn finish(&mut self, id: BookId, work: BookId, row: u64, before: BookDraft, mut draft: BookDraft) {
        fit_status(&mut draft);
        let is_changed = |field: &SyncField| *field != SyncField::Status && !are_equal(*field, &before, &draft);
        let fields = [SyncField::Status]
            .into_iter()
            .chain(SyncField::ALL.into_iter().filter(|field| *field != SyncField::Notes).filter(is_changed))
            .collect();
        self.changes.settled.push(id);
        self.changes.books.push(BookChange { id, row, work, before, draft, fields, is_moved: true });
    }

    /// Compares a book. Returns whether it is to be linked to the reading of the new file.
    fn compare_book(
        &mut self,
        id: BookId,
        last: &Placed<'_>,
        newest: &BookDraft,
        new: &Placed<'_>,
        work: Option<BookId>,
        tally: &mut Tally,
    ) -> Result<bool> {
        let Some(changes) = last.changes else { return Ok(true) };
        let book = books::get_at(self.conn, self.owner, id, None)?;
        let draft = book.draft();
        let mut take = Cow::Borrowed(self.taken(EntryId::Book(id)));
        let opens = draft.status == BookStatus::DidNotFinish && new.reading.rank == Rank::Open;
        // A book has one read in progress, and a private one stands on no list, which others may see.
        let stays = draft.facts.private && new.reading.rank == Rank::Waiting;
        if take.contains(&SyncField::Status) && (stays || opens && self.has_open_read(Some(book.work))?) {
            take.to_mut().remove(&SyncField::Status);
        }
        let (base, theirs) = (said(last), said(new));
        let is_made = last.is_made();
        let is_untouched = is_made && changes == 0 && !self.base.edited.contains(&id);
        let mine = Mine { draft: &draft, is_untouched, is_made, newest: Some(newest), take: &take };
        let mut merged = merge(base, mine, theirs);
        if merged.draft.clone().checked().is_err() {
            // Values that a book can't have together become conflicts, about which the reader decides.
            let Merged { changed, conflicts, .. } = std::mem::take(&mut merged);
            merged = Merged { draft: draft.clone(), conflicts: [conflicts, changed].concat(), ..Merged::default() };
        }
        self.note_conflicts(id, &draft, &merged.conflicts, last, new);
        tally.disputed |= !merged.conflicts.is_empty();
        if rank_of(draft.status) <= Rank::GivenUp {
            let length = Length { pages: merged.draft.pages, minutes: merged.draft.minutes };
            let days = changed_days(&last.reading.log, &days::of(self.conn, id)?, &new.reading.log, length);
            tally.changed |= !days.is_empty();
            self.changes.days.extend(days.into_iter().map(|day| (id, day)));
        }
        if opens && merged.draft.status == BookStatus::InProgress {
            self.works.iter_mut().for_each(|works| works.open(book.work, id));
        }
        if merged.starts_again && new.reading.rank == Rank::Waiting && !draft.status.is_finished() {
            self.changes.returned.push(id);
            self.retie(last, new.plan_row, STARTED_ITEM);
            tally.moved = true;
            return Ok(true);
        }
        if !merged.changed.is_empty() {
            tally.moved |= merged.is_moved;
            tally.changed = true;
            self.changes.books.push(BookChange {
                id,
                row: new.row.line,
                work: book.work,
                fields: merged.changed,
                draft: merged.draft,
                before: draft,
                is_moved: merged.is_moved,
            });
        }
        if merged.starts_again {
            self.start_again(new, work, tally)?;
        }
        let is_disputed = merged.conflicts.contains(&SyncField::Status);
        Ok(!merged.starts_again && !is_disputed)
    }

    /// Notes the fields of a book about which the reader decides.
    fn note_conflicts(
        &mut self,
        id: BookId,
        here: &BookDraft,
        fields: &[SyncField],
        last: &Placed<'_>,
        new: &Placed<'_>,
    ) {
        let in_file = |field, placed: &Placed<'_>| shown(field, &placed.reading.draft, Some(placed.reading.rank));
        self.changes.conflicts.extend(fields.iter().map(|field| SyncConflict {
            id: id.0,
            list: false,
            row: new.row.line,
            title: here.title.clone(),
            author: here.author(),
            field: *field,
            mine: shown(*field, here, None),
            theirs: in_file(*field, new),
            before: in_file(*field, last),
        }));
    }

    /// Asks about an open reading beside a finished one.
    fn ask_about_open_reading(
        &mut self,
        last: &Placed<'_>,
        new: &Placed<'_>,
        work: Option<BookId>,
        tally: &mut Tally,
    ) -> Result<()> {
        let Some(EntryId::Book(id)) = last.entry() else { return Ok(()) };
        self.changes.kept.insert(new.plan_row);
        if self.taken(EntryId::Book(id)).contains(&SyncField::Status) {
            return self.start_again(new, work, tally);
        }
        if self.has_open_read(work)? {
            return Ok(());
        }
        tally.disputed = true;
        let here = books::get(self.conn, self.owner, id)?.draft();
        self.note_conflicts(id, &here, &[SyncField::Status], last, new);
        Ok(())
    }

    /// Adds a further read of a book, or an item of the list, as the reader chose.
    fn start_again(&mut self, new: &Placed<'_>, work: Option<BookId>, tally: &mut Tally) -> Result<()> {
        if new.reading.rank == Rank::Waiting {
            self.changes.fresh_items.push(new.reading.at);
        } else if !self.has_open_read(work)? {
            self.add_read(new, work)?;
        }
        tally.made = true;
        Ok(())
    }

    fn has_open_read(&mut self, work: Option<BookId>) -> Result<bool> {
        Ok(self.state_of(work)?.is_some_and(|state| state.open.is_some()))
    }

    /// The state of a work. All works are read once.
    fn state_of(&mut self, work: Option<BookId>) -> Result<Option<WorkState>> {
        let Some(work) = work else { return Ok(None) };
        if self.works.is_none() {
            self.works = Some(Works::of(self.conn, self.owner, |_, _| false)?);
        }
        Ok(self.works.as_ref().and_then(|works| works.state(work)))
    }

    /// Adds a read that the new file has: a book, or a further read of a work.
    fn add_read(&mut self, new: &Placed<'_>, work: Option<BookId>) -> Result<()> {
        let is_reread = self.state_of(work)?.is_some_and(|state| state.finished);
        let draft = new.reading.draft.clone();
        let draft = BookDraft { reread: draft.reread || is_reread, ..draft };
        self.changes.fresh.push(NewRead { at: new.reading.at, draft, work, item: None });
        Ok(())
    }

    /// Gives the further reads of a work, those from `first` on, what is equal in all reads of it: `facts`, otherwise what the library has. A row
    /// that was `compared` with a read adds nothing to it; another one adds what no row of the last files said.
    fn share_facts(
        &mut self,
        before: &[Placed<'_>],
        compared: &BTreeSet<usize>,
        first: usize,
        mut facts: Option<BookFacts>,
    ) -> Result<()> {
        for fresh in &mut self.changes.fresh[first..] {
            let Some(work) = fresh.work else { continue };
            let mut known = match facts.take() {
                Some(facts) => facts,
                None => common::facts_of(self.conn, work)?,
            };
            if !compared.contains(&self.rows.plan().books[fresh.at].row) {
                known.add_of_work(&fresh.draft.facts, before.iter().map(|one| &one.reading.draft.facts));
            }
            fresh.draft.facts.set_of_work(&known);
            facts = Some(known);
        }
        Ok(())
    }

    /// Makes a book of an item, with what its reader changed in the item. Where the file has another value now, too, the reader decides.
    fn start_item(&mut self, id: TbrId, last: &Placed<'_>, new: &Placed<'_>, tally: &mut Tally) -> Result<()> {
        let item = tbr::get(self.conn, self.owner, id)?.draft();
        let (was, theirs) = (&last.reading.draft, &new.reading.draft);
        let mut draft = theirs.clone();
        let is_made = last.is_made();
        let is_touched = !is_made || last.changes.is_some_and(|changes| changes > 0);
        if let (true, Some(base)) = (is_touched, &last.reading.item) {
            let (base, now) = (as_book(base), as_book(&item));
            // The book that the item was in the file, with what is otherwise in the item. Words that are computed are not in the file.
            let mut here = was.clone();
            let is_computed = |field| field == SyncField::WordCount && has_estimated_words(&now);
            let differs = |field: &SyncField| !are_equal(*field, &base, &now) && !is_computed(*field);
            let touched: Vec<SyncField> = items::FIELDS.into_iter().filter(differs).collect();
            touched.iter().for_each(|field| set(*field, &mut here, &now));
            let mine =
                Mine { draft: &here, is_untouched: false, is_made, newest: None, take: self.taken(EntryId::Item(id)) };
            let merged = merge_fields(&touched, was, mine, theirs);
            let stays = |field: &&SyncField| !merged.changed.contains(field);
            touched.iter().filter(stays).for_each(|field| set(*field, &mut draft, &here));
            tally.disputed |= !merged.conflicts.is_empty();
            self.note_item_conflicts(id, &item, new.row.line, &merged.conflicts, [&here, theirs, was]);
            if draft.title != theirs.title {
                draft.title = without_series(&draft.title).to_owned();
            }
            draft = draft.checked().unwrap_or_else(|_| theirs.clone());
        }
        self.changes.fresh.push(NewRead { at: new.reading.at, draft, work: None, item: Some(id) });
        Ok(())
    }

    /// Compares an item of the list.
    fn compare_item(&mut self, id: TbrId, last: &Placed<'_>, new: &Placed<'_>, tally: &mut Tally) -> Result<()> {
        let Some(changes) = last.changes else { return Ok(()) };
        let (Some(base), Some(theirs)) = (&last.reading.item, &new.reading.item) else { return Ok(()) };
        let item = tbr::get(self.conn, self.owner, id)?.draft();
        let (was, here, there) = (as_book(base), as_book(&item), as_book(theirs));
        let (is_made, take) = (last.is_made(), self.taken(EntryId::Item(id)));
        let mine = Mine { draft: &here, is_untouched: is_made && changes == 0, is_made, newest: None, take };
        let merged = merge_fields(&items::FIELDS, &was, mine, &there);
        let mut draft = item.clone();
        let differs = |field: &SyncField| !are_equal(*field, &here, &merged.draft);
        items::FIELDS.into_iter().filter(differs).for_each(|field| items::set(field, &mut draft, theirs));
        let Ok(draft) = draft.checked() else { return Ok(()) };
        self.note_item_conflicts(id, &item, new.row.line, &merged.conflicts, [&here, &there, &was]);
        tally.disputed |= !merged.conflicts.is_empty();
        if !merged.changed.is_empty() {
            tally.changed = true;
            let now = as_book(&draft);
            let fields = changed_values(&merged.changed, &here, &now);
            self.changes.listed.push(item_name(&item));
            self.changes.items.push(ItemChange { id, row: new.row.line, draft, fields });
        }
        Ok(())
    }

    /// The fields in which the reader takes what the new file says.
    fn taken(&self, entry: EntryId) -> &'a BTreeSet<SyncField> {
        static NONE: BTreeSet<SyncField> = BTreeSet::new();
        let key = match entry {
            EntryId::Book(id) => id.to_string(),
            EntryId::Item(id) => format!("tbr-{id}"),
        };
        self.choice.take.get(&key).unwrap_or(&NONE)
    }

    /// Notes the fields of an item about which the reader decides. `values` are here, in the new file and in the last one.
    fn note_item_conflicts(
        &mut self,
        id: TbrId,
        item: &TbrDraft,
        row: u64,
        fields: &[SyncField],
        values: [&BookDraft; 3],
    ) {
        self.changes.conflicts.extend(fields.iter().map(|field| {
            let [mine, theirs, before] = values.map(|draft| value(*field, draft));
            let (title, author) = (item.title.clone(), item.author.clone().unwrap_or_default());
            SyncConflict { id: id.0, list: true, row, title, author, field: *field, mine, theirs, before }
        }));
    }
}

/// What a file says of a reading.
fn said<'p>(placed: &'p Placed<'_>) -> Said<'p> {
    let Placed { row, reading, .. } = placed;
    Said { rank: reading.rank, draft: &reading.draft, has_texts: row.is_about(reading) }
}

/// The readings of the last files that waited or were open beside a finished one of the same row, where the new file has the finished one
/// alone: pairs of both.
fn over(before: &[Placed<'_>], after: &[Placed<'_>], same: &[(usize, usize)]) -> Vec<(usize, usize)> {
    if after.iter().any(|new| new.reading.rank <= Rank::Open) {
        return Vec::new();
    }
    let paired: BTreeSet<usize> = same.iter().map(|(one, _)| *one).collect();
    let left = before
        .iter()
        .enumerate()
        .filter(|(at, one)| !paired.contains(at) && one.tie.is_some() && one.reading.rank <= Rank::Open);
    let finished =
        |id: i64| same.iter().find(|(one, _)| before[*one].id == id && before[*one].reading.rank >= Rank::GivenUp);
    left.filter_map(|(at, one)| Some((at, finished(one.id)?.1))).collect()
}

/// The rows of the last files to which nothing is tied and that the new file has otherwise: what waited or was open there, and what has moved
/// on. A later file would find them moved forward once more.
fn superseded(before: &[Placed<'_>], same: &[(usize, usize)], moved_on: &[usize]) -> BTreeSet<i64> {
    let listed: BTreeSet<i64> = same.iter().map(|(one, _)| before[*one].id).collect();
    let left =
        before.iter().filter(|one| one.tie.is_none() && one.reading.rank <= Rank::Open && !listed.contains(&one.id));
    left.chain(moved_on.iter().map(|one| &before[*one])).map(|one| one.id).collect()
}

/// The newest finished reading of the same row.
fn newest<'p>(before: &'p [Placed<'_>], one: &'p Placed<'_>) -> &'p BookDraft {
    let of_row = before.iter().filter(|other| other.id == one.id && other.reading.rank == Rank::Finished);
    of_row
        .max_by_key(|other| other.reading.draft.date_completed)
        .map_or(&one.reading.draft, |other| &other.reading.draft)
}

/// A value as the API shows it. The status of an item of the list is `to-read`.
fn shown(field: SyncField, draft: &BookDraft, rank: Option<Rank>) -> Value {
    match (field, rank) {
        (SyncField::Status, Some(Rank::Waiting)) => Value::from("to-read"),
        _ => value(field, draft),
    }
}
