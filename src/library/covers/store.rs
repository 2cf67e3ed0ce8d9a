//! The table of covers. A cover belongs to the reads that refer to it, and its triggers delete it with the last of them.
use rusqlite::{Connection, OptionalExtension as _, Row};

use super::model::{CoverId, CoverSource, Kind};
use super::picture::Picture;
use crate::kit::db::pool::{Tx, owned};
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::library::books::model::BookId;
use crate::library::counters::{self, LibraryRefusal};

/// A cover as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    pub id: CoverId,
    /// The kind of the file.
    pub kind: Kind,
    pub bytes: Vec<u8>,
}

/// Why a library does not take a cover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CoverRefusal {
    /// The account's covers would have more than so many MiB.
    QuotaReached(u32),
}

/// The covers that an account may store, in MiB; 0 means unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoverQuota(pub u32);

impl CoverQuota {
    /// The quota in bytes.
    fn bytes(self) -> i64 {
        if self.0 == 0 { i64::MAX } else { i64::from(self.0) << 20 }
    }
}

pub fn get(conn: &Connection, owner: UserId, id: CoverId) -> Result<Cover> {
    let mut query = conn.prepare_cached("SELECT id, kind, bytes FROM covers WHERE user_id = ?1 AND id = ?2")?;
    query.query_row((owner, id), cover).optional()?.ok_or(Error::NotFound)
}

/// Visits every cover of an owner, in the order of ids, with the numbers of the rows that have it: 1 is the first book of
/// [`books::store::each`](crate::library::books::store::each).
pub fn each(conn: &Connection, owner: UserId, mut visit: impl FnMut(Cover, &[i64]) -> Result<()>) -> Result<()> {
    let (first, last) = owned(owner);
    let sql = "SELECT row, cover FROM
            (SELECT row_number() OVER (ORDER BY id) AS row, cover FROM books WHERE id BETWEEN ?1 AND ?2)
        WHERE cover IS NOT NULL ORDER BY cover, row";
    let mut query = conn.prepare_cached(sql)?;
    let uses = query.query_map([first, last], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let uses = uses.collect::<rusqlite::Result<Vec<(i64, CoverId)>>>()?;
    for same in uses.chunk_by(|one, next| one.1 == next.1) {
        let rows: Vec<_> = same.iter().map(|(row, _)| *row).collect();
        if let Some((_, id)) = same.first() {
            visit(get(conn, owner, *id)?, &rows)?;
        }
    }
    Ok(())
}

fn cover(row: &Row<'_>) -> rusqlite::Result<Cover> {
    Ok(Cover { id: row.get(0)?, kind: row.get(1)?, bytes: row.get(2)? })
}

/// Gives a read a cover. The reads of the same work with the same former cover, or without one if this read had none, get it, too.
///
/// # Errors
/// [`Error::NotFound`] when there is no such read; [`CoverRefusal::QuotaReached`]; [`LibraryRefusal::Full`] when the owner's numbers for
/// covers are used up; the database's.
pub fn put(
    tx: &Tx<'_>,
    owner: UserId,
    book: BookId,
    picture: &Picture,
    source: CoverSource,
    quota: CoverQuota,
) -> Result<()> {
    let id = add(tx, owner, picture, source)?;
    replace(tx, owner, book, Some(id))?;
    // Checked after the former cover is deleted, so that a full library still accepts a smaller picture.
    if stored_bytes(tx, owner)? > quota.bytes() {
        return Err(CoverRefusal::QuotaReached(quota.0).into());
    }
    Ok(())
}

/// Gives reads the cover that they have in a file of the program. They count as unchanged. Returns whether there is room for it.
///
/// # Errors
/// [`LibraryRefusal::Full`]; the database's.
pub fn restore(
    tx: &Tx<'_>,
    owner: UserId,
    books: &[BookId],
    picture: &Picture,
    source: CoverSource,
    quota: CoverQuota,
) -> Result<bool> {
    let length = i64::try_from(picture.bytes.len()).unwrap_or(i64::MAX);
    if stored_bytes(tx, owner)?.saturating_add(length) > quota.bytes() {
        return Ok(false);
    }
    let id = add(tx, owner, picture, source)?;
    let mut update = tx.prepare_cached("UPDATE books SET cover = ?3 WHERE user_id = ?1 AND id = ?2")?;
    for book in books {
        update.execute((owner, book, id))?;
    }
    Ok(true)
}

/// Takes the cover from a read, and from the reads of the same work that have the same one.
pub fn remove(tx: &Tx<'_>, owner: UserId, book: BookId) -> Result<()> {
    replace(tx, owner, book, None)
}

/// The bytes of an owner's covers.
fn stored_bytes(conn: &Connection, owner: UserId) -> Result<i64> {
    let mut query = conn.prepare_cached("SELECT cover_bytes FROM libraries WHERE user_id = ?1")?;
    Ok(query.query_row([owner], |row| row.get(0))?)
}

/// Writes a cover that no read has yet.
fn add(tx: &Tx<'_>, owner: UserId, picture: &Picture, source: CoverSource) -> Result<CoverId> {
    counters::changed(tx, owner)?;
    let sql = "UPDATE libraries SET last_cover = last_cover + 1 WHERE user_id = ?1 RETURNING last_cover";
    let number: i64 = tx.prepare_cached(sql)?.query_row([owner], |row| row.get(0))?;
    let (first, last) = owned(owner);
    let id = CoverId(first + number);
    if id.0 > last {
        return Err(LibraryRefusal::Full.into());
    }
    let sql = "INSERT INTO covers (id, user_id, kind, width, height, source, created_at, bytes)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let Picture { kind, size, bytes } = picture;
    tx.prepare_cached(sql)?.execute((id, owner, kind, size.width, size.height, source, tx.stamp(), bytes))?;
    Ok(id)
}

/// Writes the cover of a read and of the reads of its work that had the same one.
fn replace(tx: &Tx<'_>, owner: UserId, book: BookId, cover: Option<CoverId>) -> Result<()> {
    let sql = "SELECT work, cover FROM books WHERE user_id = ?1 AND id = ?2";
    let found = tx.prepare_cached(sql)?.query_row((owner, book), |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let (work, former): (BookId, Option<CoverId>) = found.ok_or(Error::NotFound)?;
    if former == cover {
        return Ok(());
    }
    let (first, last) = owned(owner);
    let sql = "UPDATE books SET cover = ?5, changes = changes + 1, updated_at = ?6
        WHERE id BETWEEN ?1 AND ?2 AND work = ?3 AND cover IS ?4";
    tx.prepare_cached(sql)?.execute((first, last, work, former, cover, tx.stamp()))?;
    counters::changed(tx, owner)
}
