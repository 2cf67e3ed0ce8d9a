//! The table of secret links.
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::model::{Details, MOST, NewShare, Parts, Share, ShareId, SharePart, Shown, UNKNOWN_TAG};
use crate::kit::db::pool::Tx;
use crate::kit::http::session::TokenHash;
use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;
use crate::kit::{Error, Result};
use crate::library::books::facts::{Cover, has_key, tag_key};
use crate::library::books::model::BookId;
use crate::library::books::store::stored;
use crate::library::covers::model::{CoverId, Kind};
use crate::library::{tags, tbr};
use crate::reading::period::Period;

/// An account has as many links as it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany;

/// The last opening of a link is written at most once in this time.
const SEEN_AGAIN: TimeDelta = TimeDelta::hours(1);

const COLUMNS: &str = "id, kind, parts, period, tag, created_at, expires_at, last_seen";

fn share(row: &Row<'_>) -> rusqlite::Result<Share> {
    let period = row.get::<_, Option<String>>("period")?.map(|text| text.parse::<Period>()).transpose();
    Ok(Share {
        id: row.get("id")?,
        kind: row.get("kind")?,
        parts: Parts::from_stored(row.get_ref("parts")?.as_str()?),
        period: period.map_err(|cause| rusqlite::Error::FromSqlConversionFailure(3, Type::Text, Box::new(cause)))?,
        tag: row.get("tag")?,
        created_at: row.get("created_at")?,
        expires_at: row.get("expires_at")?,
        last_seen: row.get("last_seen")?,
    })
}

/// The links of an account, newest first.
pub fn all(conn: &Connection, user_id: UserId) -> Result<Vec<Share>> {
    let mut query =
        conn.prepare_cached(&format!("SELECT {COLUMNS} FROM shares WHERE user_id = ?1 ORDER BY id DESC"))?;
    let shares = query.query_map([user_id], share)?;
    Ok(shares.collect::<rusqlite::Result<_>>()?)
}

pub fn find(conn: &Connection, user_id: UserId, id: ShareId) -> Result<Share> {
    let sql = format!("SELECT {COLUMNS} FROM shares WHERE id = ?2 AND user_id = ?1");
    conn.prepare_cached(&sql)?.query_row((user_id, id), share).optional()?.ok_or(Error::NotFound)
}

/// The link with this token, and the account that it belongs to.
pub fn find_by_token(conn: &Connection, token: TokenHash) -> Result<Option<(Share, UserId)>> {
    let sql = format!("SELECT {COLUMNS}, user_id FROM shares WHERE token_hash = ?1");
    Ok(conn.prepare_cached(&sql)?.query_row([token], |row| Ok((share(row)?, row.get("user_id")?))).optional()?)
}

/// Stores a new link of an account.
///
/// # Errors
/// [`TooMany`] at the fifty-first; [`Error::Invalid`] for a tag that nothing has.
pub fn add(tx: &Tx<'_>, user_id: UserId, new: &NewShare, token: TokenHash) -> Result<Share> {
    let had: i64 =
        tx.prepare_cached("SELECT count(*) FROM shares WHERE user_id = ?1")?.query_row([user_id], |row| row.get(0))?;
    if had >= MOST {
        return Err(TooMany.into());
    }
    let tag = match &new.tag {
        Some(tag) => Some(known_tag(tx, user_id, tag)?.ok_or_else(|| Error::invalid_field("tag", UNKNOWN_TAG))?),
        None => None,
    };
    let mut insert = tx.prepare_cached(&format!(
        "INSERT INTO shares (user_id, kind, parts, period, tag, token_hash, created_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) RETURNING {COLUMNS}"
    ))?;
    let (parts, period) = (new.parts.stored(), new.period.map(|period| period.to_string()));
    let row = params![user_id, new.kind, parts, period, tag, token, tx.stamp(), new.expires_at];
    Ok(insert.query_row(row, share)?)
}

/// A tag of the books or the list, as it is written there.
fn known_tag(conn: &Connection, owner: UserId, name: &str) -> Result<Option<String>> {
    match tags::store::get(conn, owner, name) {
        Ok(tag) => return Ok(Some(tag.name)),
        Err(Error::NotFound) => {}
        Err(error) => return Err(error),
    }
    let (key, mut found) = (tag_key(name), None);
    tbr::store::each(conn, owner, &mut |item| {
        found = found.take().or_else(|| item.tags.iter().find(|tag| has_key(tag, &key)).cloned());
        Ok(())
    })?;
    Ok(found)
}

/// Changes what a link shows, and until when.
pub fn change(tx: &Tx<'_>, user_id: UserId, id: ShareId, new: &Shown) -> Result<Share> {
    tx.prepare_cached("UPDATE shares SET parts = ?3, expires_at = ?4 WHERE id = ?2 AND user_id = ?1")?
        .execute(params![user_id, id, new.parts.stored(), new.expires_at])?;
    find(tx, user_id, id)
}

/// Gives a link another token. The former one opens nothing from now on.
pub fn renew(tx: &Tx<'_>, user_id: UserId, id: ShareId, token: TokenHash) -> Result<Share> {
    tx.prepare_cached("UPDATE shares SET token_hash = ?3, last_seen = NULL WHERE id = ?2 AND user_id = ?1")?
        .execute(params![user_id, id, token])?;
    find(tx, user_id, id)
}

pub fn delete(tx: &Tx<'_>, user_id: UserId, id: ShareId) -> Result<()> {
    let deleted = tx.prepare_cached("DELETE FROM shares WHERE id = ?2 AND user_id = ?1")?.execute((user_id, id))?;
    if deleted == 0 { Err(Error::NotFound) } else { Ok(()) }
}

/// Deletes every link of an account. Returns how many.
pub fn delete_all(tx: &Tx<'_>, user_id: UserId) -> Result<usize> {
    Ok(tx.prepare_cached("DELETE FROM shares WHERE user_id = ?1")?.execute([user_id])?)
}

/// Whether the last opening of a link is long enough ago to write another one.
pub fn is_seen_again(last_seen: Option<Timestamp>, now: DateTime<Utc>) -> bool {
    last_seen.is_none_or(|seen| now - seen.utc() >= SEEN_AGAIN)
}

/// Stores that a link was opened.
pub fn note_seen(tx: &Tx<'_>, id: ShareId) -> Result<()> {
    tx.prepare_cached("UPDATE shares SET last_seen = ?2 WHERE id = ?1")?.execute(params![id, tx.stamp()])?;
    Ok(())
}

/// What `parts` show of a book besides the figures of its review. `address_of` says where a cover is.
pub fn details_of(
    conn: &Connection,
    owner: UserId,
    book: BookId,
    parts: &Parts,
    address_of: impl Fn(CoverId, Kind) -> String,
) -> Result<Details> {
    let mut details = Details::default();
    if parts.has(SharePart::Series) {
        let mut query = conn.prepare_cached("SELECT series, series_number FROM books WHERE id = ?1")?;
        (details.series, details.series_number) = query.query_row([book], |row| Ok((row.get(0)?, row.get(1)?)))?;
    }
    if parts.has(SharePart::Impressions) {
        let mut query = conn.prepare_cached("SELECT impressions FROM book_texts WHERE book_id = ?1")?;
        details.impressions = query.query_row([book], |row| row.get(0)).optional()?.flatten();
    }
    if parts.has(SharePart::Covers) {
        let sql = "SELECT covers.id, kind, width, height FROM books JOIN covers ON covers.id = books.cover
            WHERE books.id = ?1 AND covers.user_id = ?2";
        let mut query = conn.prepare_cached(sql)?;
        let cover = query.query_row((book, owner), |row| {
            let url = address_of(row.get("id")?, row.get("kind")?);
            Ok(Cover { url, width: row.get("width")?, height: row.get("height")? })
        });
        details.cover = cover.optional()?;
    }
    Ok(details)
}

/// The books with a cover that others see.
pub fn books_with_cover(conn: &Connection, owner: UserId, cover: CoverId) -> Result<Vec<BookId>> {
    let mut query = conn.prepare_cached("SELECT id FROM books WHERE user_id = ?1 AND private = 0 AND cover = ?2")?;
    let books = query.query_map((owner, cover), |row| row.get(0))?;
    Ok(books.collect::<rusqlite::Result<_>>()?)
}

/// Whether a cover is that of a book which others see, was finished in a period and is visible from a day on.
pub fn is_on_shelf(
    conn: &Connection,
    owner: UserId,
    cover: CoverId,
    period: Period,
    visible_from: Option<NaiveDate>,
) -> Result<bool> {
    let first = visible_from.map_or(period.first(), |from| from.max(period.first()));
    let sql = "SELECT EXISTS (SELECT 1 FROM books WHERE user_id = ?1 AND date_completed BETWEEN ?2 AND ?3
        AND status = 'completed' AND private = 0 AND cover = ?5 AND (completed_from IS NULL OR completed_from >= ?4))";
    let (period_first, last) = (stored(period.first()), stored(period.last()));
    Ok(conn.prepare_cached(sql)?.query_row((owner, stored(first), last, period_first, cover), |row| row.get(0))?)
}
