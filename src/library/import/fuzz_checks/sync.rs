//! Properties of bringing a library up to date.
#![expect(clippy::expect_used, reason = "a check fails by a panic")]
use std::collections::BTreeSet;

use super::is_refused;
use super::library::{OWNER, TODAY, in_library, rules, snapshot};
use crate::kit::db::pool::Tx;
use crate::kit::error::Result;
use crate::library::books::model::{BookId, Status};
use crate::library::books::store as books;
use crate::library::covers::store::CoverQuota;
use crate::library::import::complete::Restoring;
use crate::library::import::plan::{Kind, Options, plan};
use crate::library::import::report::{ImportReport, Work, execute};
use crate::library::import::store::Choices;
use crate::library::import::sync::{self, Newer};
use crate::library::operations::store::undo::undo_import;

const NOTHING: Restoring = Restoring { parts: &[], covers: CoverQuota(0), preferences: false };

/// Two files of a tracker, separated by a zero byte: the library has the first one, and is brought up to date with the second one.
pub fn syncs(data: &[u8]) {
    let at = data.iter().position(|byte| *byte == 0).unwrap_or(data.len());
    let (last, newer) = (&data[..at], data.get(at + 1..).unwrap_or_default());
    in_library(|tx| {
        let options = Options { genres_only: true, today: Some(TODAY), ..Options::default() };
        let work = match Work::read(Kind::Books, "last.csv".to_owned(), last, Choices::default(), &options, NOTHING) {
            Ok(work) if work.plan.mapped => work,
            Ok(_) => return,
            Err(cause) => return is_refused(cause.into()),
        };
        if let Err(cause) = execute(tx, OWNER, rules(), &work) {
            return is_refused(cause);
        }
        let before = (snapshot(tx), finished(tx));
        match taken_over(tx, newer) {
            None => {}
            Some(Err(cause)) => is_refused(cause),
            Some(Ok(report)) => followed(tx, newer, &before, &report),
        }
    });
}

/// A finished read stays finished, the same file again changes nothing, and the undo gives back the library.
fn followed(tx: &Tx<'_>, newer: &[u8], before: &(Vec<u8>, BTreeSet<BookId>), report: &ImportReport) {
    let (library, done) = before;
    assert!(finished(tx).is_superset(done), "a finished read stays finished");
    let after = snapshot(tx);
    if let Some(Ok(again)) = taken_over(tx, newer) {
        assert!(snapshot(tx) == after, "a file that was taken over changes nothing: {again:?}");
    }
    match report.import_id {
        None => assert!(&after == library, "a sync without an import changes nothing"),
        Some(import) => {
            undo_import(tx, OWNER, import, &[]).expect("a sync can be undone");
            assert!(&snapshot(tx) == library, "an undone sync leaves what there was");
        }
    }
}

/// Brings the library up to date; `None` for a file without known columns, or that can't be read.
fn taken_over(tx: &Tx<'_>, bytes: &[u8]) -> Option<Result<ImportReport>> {
    let options = Options { genres_only: true, waiting_books: true, today: Some(TODAY), ..Options::default() };
    let plan = plan(bytes, &options).ok().filter(|plan| plan.mapped)?;
    let newer = Newer { file_name: "newer.csv".to_owned(), plan, options, ..Newer::default() };
    let ahead = sync::look_ahead(tx, OWNER, &newer);
    Some(ahead.and_then(|ahead| sync::execute(tx, OWNER, rules(), newer, ahead)))
}

fn finished(tx: &Tx<'_>) -> BTreeSet<BookId> {
    let mut finished = BTreeSet::new();
    let visited = books::each(tx, OWNER, |book| {
        if matches!(book.status, Status::Completed | Status::Undated) {
            finished.insert(book.id);
        }
        Ok(())
    });
    visited.expect("books are listed");
    finished
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::fuzz_checks::broken;

    #[test]
    fn a_sync_keeps_what_is_finished_and_can_be_repeated_and_undone() {
        broken("fuzz/seeds/sync", 250, syncs);
    }
}
