//! Small queries that show whether the database can be read.
use rusqlite::Connection;

/// A query that reads no page of the file.
pub fn answers(conn: &Connection) -> rusqlite::Result<()> {
    conn.query_row("SELECT 1", [], |_| Ok(()))
}

/// A query that reads a small table.
pub fn reads(conn: &Connection) -> rusqlite::Result<()> {
    conn.query_row("SELECT count(*) FROM refinery_schema_history", [], |_| Ok(()))
}
