//! A library for one check: a database in a temporary folder, in which every change is taken back afterwards.
#![expect(clippy::expect_used, reason = "a check fails by a panic")]
use std::cell::RefCell;

use chrono::{DateTime, NaiveDate, Utc};
use rusqlite::Connection;
use tempfile::TempDir;

use crate::kit::db::pool::{Tx, open_writer};
use crate::kit::id::UserId;
use crate::library::books::add::Rules;
use crate::library::export;

/// Whose library it is. It has no account, so foreign keys are checked only at the commit that never comes.
pub const OWNER: UserId = UserId(1);
/// The day of the check.
pub const TODAY: NaiveDate = NaiveDate::from_ymd_opt(2026, 11, 23).unwrap();

thread_local! {
    static DATABASE: RefCell<Option<(TempDir, Connection)>> = const { RefCell::new(None) };
}

/// No plan limits the library.
pub fn rules() -> Rules {
    Rules { book_limit: None, detect_rereads: false, quotas: Default::default() }
}

/// Runs a check in an empty library, and takes back what it wrote.
pub fn in_library(check: impl FnOnce(&Tx<'_>)) {
    DATABASE.with_borrow_mut(|database| {
        let (_, conn) = database.get_or_insert_with(|| {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let conn = open_writer(&folder.path().join("fuzz.db")).expect("a new database");
            (folder, conn)
        });
        let whole = conn.transaction().expect("a transaction");
        whole.pragma_update(None, "defer_foreign_keys", true).expect("foreign keys are deferred");
        check(&Tx::new(&whole, DateTime::<Utc>::UNIX_EPOCH));
    });
}

/// Books, list and logs, as they are exported.
pub fn snapshot(conn: &Connection) -> Vec<u8> {
    let mut all = export::books_csv(conn, OWNER).expect("books are exported");
    export::write_items(conn, OWNER, &mut all).expect("the list is exported");
    export::write_days(conn, OWNER, &mut all).expect("logs are exported");
    all
}
