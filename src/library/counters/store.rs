//! The table `libraries`.
use rusqlite::{Connection, OptionalExtension as _};

use super::{LibraryRefusal, Quota, Usage};
use crate::config::Quotas;
use crate::kit::Result;
use crate::kit::db::pool::{Tx, owned};
use crate::kit::id::UserId;

/// The highest number within an owner's range of ids.
const LAST_NUMBER: i64 = 0xff_ffff;

/// A number that every change increases. Two responses of the same revision, query, day and plan are equal.
///
/// It is at least the Unix time of the change in seconds, so that a library that was restored from an older backup and changed
/// again gets revisions that no browser has seen with other contents.
pub fn revision(conn: &Connection, owner: UserId) -> Result<i64> {
    let mut query = conn.prepare_cached("SELECT revision FROM libraries WHERE user_id = ?1")?;
    Ok(query.query_row([owner], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// The number of books, of every status and including hidden ones.
pub fn book_count(conn: &Connection, owner: UserId) -> Result<i64> {
    let mut query = conn.prepare_cached("SELECT books FROM libraries WHERE user_id = ?1")?;
    Ok(query.query_row([owner], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// The storage that an account uses.
pub fn usage(conn: &Connection, owner: UserId) -> Result<Usage> {
    let mut query = conn.prepare_cached("SELECT books, items, text_bytes FROM libraries WHERE user_id = ?1")?;
    let found = query
        .query_row([owner], |row| Ok(Usage { books: row.get(0)?, list_items: row.get(1)?, text_bytes: row.get(2)? }));
    Ok(found.optional()?.unwrap_or_default())
}

/// Runs a write, and refuses it if it adds to something that exceeds a quota. Writes that reduce the usage are always allowed.
///
/// # Errors
/// [`LibraryRefusal::QuotaReached`]; the writer's; the database's.
pub fn within_quotas<T>(tx: &Tx<'_>, owner: UserId, quotas: Quotas, write: impl FnOnce() -> Result<T>) -> Result<T> {
    let before = usage(tx, owner)?;
    let answer = write()?;
    let after = usage(tx, owner)?;
    for (quota, before, after) in [
        (Quota::Books, before.books, after.books),
        (Quota::List, before.list_items, after.list_items),
        (Quota::Texts, before.text_bytes, after.text_bytes),
    ] {
        if after > before && after > quota.limit(quotas) {
            return Err(LibraryRefusal::QuotaReached { quota, quotas }.into());
        }
    }
    Ok(answer)
}

/// Counts bytes of new texts. The tables' triggers count changes and deletions.
pub fn add_texts(tx: &Tx<'_>, owner: UserId, bytes: i64) -> Result<()> {
    let sql = "INSERT INTO libraries (user_id, text_bytes) VALUES (?1, ?2)
        ON CONFLICT (user_id) DO UPDATE SET text_bytes = text_bytes + ?2";
    tx.prepare_cached(sql)?.execute((owner, bytes))?;
    Ok(())
}

/// Increases the revision. Every transaction that writes to a library calls this or one of the functions below.
pub fn changed(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    let sql = "INSERT INTO libraries (user_id, revision) VALUES (?1, ?2)
        ON CONFLICT (user_id) DO UPDATE SET revision = max(revision + 1, ?2)";
    tx.prepare_cached(sql)?.execute((owner, seconds(tx)))?;
    Ok(())
}

/// Counts `count` new books. Returns the id of the first; the others follow it.
///
/// # Errors
/// [`LibraryRefusal::Full`] when the owner's range is used up (after 16,777,215 books); the database's.
pub fn add_books(tx: &Tx<'_>, owner: UserId, count: i64) -> Result<i64> {
    let sql = "INSERT INTO libraries (user_id, revision, books, last_book) VALUES (?1, ?3, ?2, ?2)
        ON CONFLICT (user_id) DO UPDATE SET revision = max(revision + 1, ?3), books = books + ?2, last_book = last_book + ?2
        RETURNING last_book";
    let last: i64 = tx.prepare_cached(sql)?.query_row((owner, count, seconds(tx)), |row| row.get(0))?;
    first_key(owner, last, count)
}

/// Counts `count` new items of the to-be-read list. Returns the id of the first; the others follow it.
pub fn add_items(tx: &Tx<'_>, owner: UserId, count: i64) -> Result<i64> {
    let sql = "INSERT INTO libraries (user_id, revision, items, last_item) VALUES (?1, ?3, ?2, ?2)
        ON CONFLICT (user_id) DO UPDATE SET revision = max(revision + 1, ?3), items = items + ?2, last_item = last_item + ?2
        RETURNING last_item";
    let last: i64 = tx.prepare_cached(sql)?.query_row((owner, count, seconds(tx)), |row| row.get(0))?;
    first_key(owner, last, count)
}

/// The id of a new operation.
pub fn add_operation(tx: &Tx<'_>, owner: UserId) -> Result<i64> {
    let sql = "INSERT INTO libraries (user_id, revision, last_operation) VALUES (?1, ?2, 1)
        ON CONFLICT (user_id) DO UPDATE SET revision = max(revision + 1, ?2), last_operation = last_operation + 1
        RETURNING last_operation";
    let last: i64 = tx.prepare_cached(sql)?.query_row((owner, seconds(tx)), |row| row.get(0))?;
    first_key(owner, last, 1)
}

/// Counts `count` books as deleted.
pub fn remove_books(tx: &Tx<'_>, owner: UserId, count: i64) -> Result<()> {
    let sql = "UPDATE libraries SET revision = max(revision + 1, ?3), books = books - ?2 WHERE user_id = ?1";
    tx.prepare_cached(sql)?.execute((owner, count, seconds(tx)))?;
    Ok(())
}

/// Counts `count` books that are back with their former ids.
pub fn restore_books(tx: &Tx<'_>, owner: UserId, count: i64) -> Result<()> {
    remove_books(tx, owner, -count)
}

/// The time of the change in Unix seconds.
fn seconds(tx: &Tx<'_>) -> i64 {
    tx.now().timestamp()
}

fn first_key(owner: UserId, last: i64, count: i64) -> Result<i64> {
    if last > LAST_NUMBER {
        return Err(LibraryRefusal::Full.into());
    }
    // Numbers begin with 1: the owner's range excludes 0.
    Ok(owned(owner).0 + last - count + 1)
}
