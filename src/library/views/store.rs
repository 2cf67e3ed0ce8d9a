//! The table of views.
use rusqlite::{Connection, OptionalExtension as _, Row};

use super::model::{MOST, View, ViewRefusal};
use crate::kit::db::pool::Tx;
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::library::text::fold_case;

fn view(row: &Row<'_>) -> rusqlite::Result<View> {
    Ok(View { name: row.get("name")?, query: row.get("query")?, position: row.get("position")? })
}

/// The views of an account: pinned ones in their order, then the others by name.
pub fn list(conn: &Connection, owner: UserId) -> Result<Vec<View>> {
    let sql =
        "SELECT name, query, position FROM views WHERE user_id = ?1 ORDER BY position IS NULL, position, name_key";
    let mut query = conn.prepare_cached(sql)?;
    let views = query.query_map([owner], view)?;
    Ok(views.collect::<rusqlite::Result<_>>()?)
}

/// The view of a name, in any case.
pub fn find(conn: &Connection, owner: UserId, name: &str) -> Result<Option<View>> {
    let sql = "SELECT name, query, position FROM views WHERE user_id = ?1 AND name_key = ?2";
    Ok(conn.prepare_cached(sql)?.query_row((owner, fold_case(name.trim())), view).optional()?)
}

/// Adds a view.
///
/// # Errors
/// [`ViewRefusal`]; the database's.
pub fn add(tx: &Tx<'_>, owner: UserId, new: &View) -> Result<()> {
    if find(tx, owner, &new.name)?.is_some() {
        return Err(ViewRefusal::SameName.into());
    }
    if list(tx, owner)?.len() >= MOST {
        return Err(ViewRefusal::TooMany.into());
    }
    let sql =
        "INSERT INTO views (user_id, name_key, name, query, position, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let key = fold_case(&new.name);
    tx.prepare_cached(sql)?.execute((owner, key, &new.name, &new.query, new.position, tx.stamp()))?;
    Ok(())
}

/// Changes the view of a name.
///
/// # Errors
/// [`ViewRefusal::SameName`]; the database's.
pub fn change(tx: &Tx<'_>, owner: UserId, name: &str, new: &View) -> Result<()> {
    let (before, after) = (fold_case(name.trim()), fold_case(&new.name));
    if before != after && find(tx, owner, &new.name)?.is_some() {
        return Err(ViewRefusal::SameName.into());
    }
    let sql =
        "UPDATE views SET name_key = ?3, name = ?4, query = ?5, position = ?6 WHERE user_id = ?1 AND name_key = ?2";
    tx.prepare_cached(sql)?.execute((owner, before, after, &new.name, &new.query, new.position))?;
    Ok(())
}

pub fn delete(tx: &Tx<'_>, owner: UserId, name: &str) -> Result<()> {
    let sql = "DELETE FROM views WHERE user_id = ?1 AND name_key = ?2";
    match tx.prepare_cached(sql)?.execute((owner, fold_case(name.trim())))? {
        0 => Err(Error::NotFound),
        _ => Ok(()),
    }
}

/// Deletes every view of an account.
pub fn delete_all(tx: &Tx<'_>, owner: UserId) -> Result<()> {
    tx.prepare_cached("DELETE FROM views WHERE user_id = ?1")?.execute([owner])?;
    Ok(())
}
