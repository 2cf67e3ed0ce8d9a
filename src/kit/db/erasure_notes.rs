//! What the file itself says about erased data: whether some has still to leave it, and whether all of it was swept once. The notes
//! are bits of `user_version`, so that they change with the transaction that erases.
use rusqlite::Connection;

/// A bit of `user_version`: erased data may still be in the file or its WAL.
const DUE: i64 = 1;
/// A bit of `user_version`: no page holds residue except those in the WAL, because the whole file was swept once and every later
/// checkpoint was preceded by a sweep.
const SWEPT: i64 = 2;

/// Marks in the current transaction that data was erased and has to leave the file.
pub fn mark_due(conn: &Connection) -> rusqlite::Result<()> {
    set(conn, flags(conn)? | DUE)
}

/// Whether erased data has still to leave the file.
pub fn is_due(conn: &Connection) -> rusqlite::Result<bool> {
    flags(conn).map(|flags| flags & DUE != 0)
}

/// Removes the mark of [`mark_due`].
pub fn mark_done(conn: &Connection) -> rusqlite::Result<()> {
    set(conn, flags(conn)? & !DUE)
}

/// Whether the whole file was swept, so that sweeping the WAL is enough from then on.
pub fn is_swept(conn: &Connection) -> rusqlite::Result<bool> {
    flags(conn).map(|flags| flags & SWEPT != 0)
}

/// Marks the file as swept: its whole length was swept, or it is new.
pub fn note_swept(conn: &Connection) -> rusqlite::Result<()> {
    let flags = flags(conn)?;
    if flags & SWEPT == 0 { set(conn, flags | SWEPT) } else { Ok(()) }
}

/// Marks the file as unswept: any page may hold residue. For copies of the database, which may be made between two sweeps.
pub fn note_unswept(conn: &Connection) -> rusqlite::Result<()> {
    set(conn, flags(conn)? & !SWEPT)
}

fn flags(conn: &Connection) -> rusqlite::Result<i64> {
    conn.pragma_query_value(None, "user_version", |row| row.get(0))
}

fn set(conn: &Connection, flags: i64) -> rusqlite::Result<()> {
    conn.pragma_update(None, "user_version", flags)
}
