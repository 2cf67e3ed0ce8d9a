//! One row a reader: the library's revision, how many books it has, and which keys are given.
use rusqlite::{Connection, OptionalExtension as _};

use crate::kit::db::{Tx, owned};
use crate::kit::error::{Error, Result};

/// The highest number within an owner's range of keys.
const LAST_NUMBER: i64 = 0xff_ffff;

/// A number that every change raises. Two answers made of the same revision, question, day and plan are the same.
///
/// It is never below the second of the change: a library that was restored from an older copy and changed again gets numbers
/// that no browser has seen with other contents.
///
/// # Errors
/// The database's.
pub fn revision(conn: &Connection, owner: i64) -> Result<i64> {
    let mut query = conn.prepare_cached("SELECT revision FROM libraries WHERE user_id = ?1")?;
    Ok(query.query_row([owner], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// Books of every status, hidden ones included.
///
/// # Errors
/// The database's.
pub fn book_count(conn: &Connection, owner: i64) -> Result<i64> {
    let mut query = conn.prepare_cached("SELECT books FROM libraries WHERE user_id = ?1")?;
    Ok(query.query_row([owner], |row| row.get(0)).optional()?.unwrap_or(0))
}

/// Notes that something changed; every transaction that writes to a library calls this or one of the functions below.
///
/// # Errors
/// The database's.
pub fn changed(tx: &Tx<'_>, owner: i64) -> Result<()> {
    let sql = "INSERT INTO libraries (user_id, revision) VALUES (?1, ?2)
        ON CONFLICT (user_id) DO UPDATE SET revision = max(revision + 1, ?2)";
    tx.prepare_cached(sql)?.execute([owner, seconds(tx)])?;
    Ok(())
}

/// Counts `count` new books, and answers the key of the first; the others follow it.
///
/// # Errors
/// 409 when the owner's range is used up (after 16,777,215 books); the database's.
pub fn add_books(tx: &Tx<'_>, owner: i64, count: i64) -> Result<i64> {
    let sql = "INSERT INTO libraries (user_id, revision, books, last_book) VALUES (?1, ?3, ?2, ?2)
        ON CONFLICT (user_id) DO UPDATE SET revision = max(revision + 1, ?3), books = books + ?2, last_book = last_book + ?2
        RETURNING last_book";
    let last: i64 = tx.prepare_cached(sql)?.query_row([owner, count, seconds(tx)], |row| row.get(0))?;
    first_key(owner, last, count)
}

/// Gives keys to `count` new items of the to-be-read list, and answers the first.
///
/// # Errors
/// As [`add_books`].
pub fn add_items(tx: &Tx<'_>, owner: i64, count: i64) -> Result<i64> {
    let sql = "INSERT INTO libraries (user_id, revision, last_item) VALUES (?1, ?3, ?2)
        ON CONFLICT (user_id) DO UPDATE SET revision = max(revision + 1, ?3), last_item = last_item + ?2
        RETURNING last_item";
    let last: i64 = tx.prepare_cached(sql)?.query_row([owner, count, seconds(tx)], |row| row.get(0))?;
    first_key(owner, last, count)
}

/// Counts `count` books as gone.
///
/// # Errors
/// The database's.
pub fn remove_books(tx: &Tx<'_>, owner: i64, count: i64) -> Result<()> {
    let sql = "UPDATE libraries SET revision = max(revision + 1, ?3), books = books - ?2 WHERE user_id = ?1";
    tx.prepare_cached(sql)?.execute([owner, count, seconds(tx)])?;
    Ok(())
}

/// The second of the change.
fn seconds(tx: &Tx<'_>) -> i64 {
    tx.now().timestamp()
}

fn first_key(owner: i64, last: i64, count: i64) -> Result<i64> {
    if last > LAST_NUMBER {
        return Err(Error::conflict("library_full", "This library can't take any more entries."));
    }
    // Numbers begin with 1: the owner's range is open at 0.
    Ok(owned(owner).0 + last - count + 1)
}
