//! The write-ahead log (WAL): which pages are in it, and its checkpoints.
//!
//! The format is SQLite's published one (<https://sqlite.org/fileformat2.html#the_write_ahead_log>).
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::time::Duration;

use rusqlite::Connection;

use super::inspect::BUSY;

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;
/// The two salts of the WAL header, which change whenever the WAL restarts.
type Salts = [u8; 8];

/// How long a checkpoint waits for readers while other work waits for the checkpoint.
const BUSY_TIMEOUT: Duration = Duration::from_millis(100);

/// The length of the WAL.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Length {
    /// Committed frames; each holds one page.
    pub frames: u32,
    /// How many of them a checkpoint has copied into the database.
    pub checkpointed: u32,
}

impl Length {
    /// Frames that the next checkpoint has to copy.
    pub fn outstanding(self) -> u32 {
        self.frames.saturating_sub(self.checkpointed)
    }
}

/// Reads which pages were written to the WAL since the last call.
#[derive(Debug)]
pub struct WalReader {
    path: Option<PathBuf>,
    file: Option<File>,
    salts: Salts,
    /// The first frame that has not been read.
    next: u32,
}

impl WalReader {
    /// Reads the WAL of a connection's database from its first frame.
    pub fn of(conn: &Connection) -> Self {
        let path = conn.path().filter(|path| !path.is_empty()).map(|path| PathBuf::from(format!("{path}-wal")));
        Self { path, file: None, salts: Salts::default(), next: 0 }
    }

    /// The length of the WAL in bytes.
    pub fn bytes(&self) -> u64 {
        self.path.as_ref().and_then(|path| path.metadata().ok()).map_or(0, |file| file.len())
    }

    /// Calls `visit` with the number of every page committed since the last call. Must be called outside of a transaction.
    ///
    /// # Errors
    /// After an error the next call visits the frames that were not visited.
    pub fn read(&mut self, conn: &Connection, mut visit: impl FnMut(u32)) -> anyhow::Result<Length> {
        let length = checkpoint(conn, "NOOP")?.1;
        if length.frames == 0 {
            return Ok(length);
        }
        let mut header = [0; HEADER];
        if !self.fill(0, &mut header)? {
            return Ok(length);
        }
        let page = match u32::from_be_bytes([header[8], header[9], header[10], header[11]]) {
            1 => 65_536,
            bytes => u64::from(bytes),
        };
        if header[16..24] != self.salts {
            self.salts.copy_from_slice(&header[16..24]);
            self.next = 0;
        }
        while self.next < length.frames {
            let mut frame = [0; FRAME_HEADER];
            let at = HEADER as u64 + u64::from(self.next) * (FRAME_HEADER as u64 + page);
            // Another process has restarted the WAL; its pages are visited by the next call.
            if !self.fill(at, &mut frame)? || frame[8..16] != self.salts {
                break;
            }
            visit(u32::from_be_bytes([frame[0], frame[1], frame[2], frame[3]]));
            self.next += 1;
        }
        Ok(length)
    }

    /// Reads bytes of the WAL. Returns whether there are that many.
    fn fill(&mut self, at: u64, bytes: &mut [u8]) -> io::Result<bool> {
        if self.file.is_none() {
            self.file = self.path.as_ref().map(File::open).transpose()?;
        }
        match self.file.as_ref().map_or(Ok(()), |file| file.read_exact_at(bytes, at)) {
            Err(cause) if cause.kind() == ErrorKind::UnexpectedEof => Ok(false),
            read => read.map(|()| self.file.is_some()),
        }
    }
}

/// Checkpoints the WAL as far as readers allow, without waiting.
pub fn checkpoint_passively(conn: &Connection) -> rusqlite::Result<()> {
    checkpoint(conn, "PASSIVE").map(drop)
}

/// Checkpoints the WAL completely and truncates it. Waits for readers up to the busy timeout. Returns whether no reader prevented
/// it.
pub fn truncate(conn: &Connection) -> rusqlite::Result<bool> {
    checkpoint(conn, "TRUNCATE").map(|(complete, _)| complete)
}

fn checkpoint(conn: &Connection, mode: &str) -> rusqlite::Result<(bool, Length)> {
    let mut statement = conn.prepare_cached(&format!("PRAGMA wal_checkpoint({mode})"))?;
    statement.query_row([], |row| {
        // Both are -1 when there is no WAL.
        let count = |column| row.get::<_, i64>(column).map(|count| u32::try_from(count).unwrap_or(0));
        Ok((!row.get::<_, bool>(0)?, Length { frames: count(1)?, checkpointed: count(2)? }))
    })
}

/// Runs a call with a short busy timeout, so that it waits for readers only briefly.
pub fn briefly<T>(conn: &Connection, call: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    conn.busy_timeout(BUSY_TIMEOUT)?;
    let outcome = call(conn);
    conn.busy_timeout(BUSY)?;
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::db::open::open_writer;

    fn pages(reader: &mut WalReader, conn: &Connection) -> Vec<u32> {
        let mut pages = Vec::new();
        reader.read(conn, |page| pages.push(page)).unwrap();
        pages
    }

    #[test]
    fn every_committed_page_is_visited_once_also_after_a_wal_restart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let conn = open_writer(&path).unwrap();
        conn.execute_batch("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)").unwrap();
        let root: u32 =
            conn.query_row("SELECT rootpage FROM sqlite_schema WHERE name = 'notes'", [], |row| row.get(0)).unwrap();
        let mut reader = WalReader::of(&conn);
        let first = pages(&mut reader, &conn);
        assert!(first.contains(&1) && first.contains(&root));
        assert!(pages(&mut reader, &conn).is_empty());
        conn.execute("INSERT INTO notes (text) VALUES ('a')", []).unwrap();
        // Another process commits a change and rolls another one back.
        let other = Connection::open(&path).unwrap();
        other.execute_batch("INSERT INTO notes (text) VALUES ('b'); BEGIN; DELETE FROM notes; ROLLBACK").unwrap();
        assert_eq!(pages(&mut reader, &conn), [root, root]);
        checkpoint_passively(&conn).unwrap();
        conn.execute("INSERT INTO notes (text) VALUES ('c')", []).unwrap();
        assert_eq!(pages(&mut reader, &conn), [root], "the WAL restarted at its first frame");
        assert!(truncate(&conn).unwrap());
        assert_eq!((pages(&mut reader, &conn), reader.bytes()), (vec![], 0));
        conn.execute("INSERT INTO notes (text) VALUES ('d')", []).unwrap();
        assert_eq!(pages(&mut reader, &conn), [root]);
    }

    #[test]
    fn pages_of_a_transaction_that_spilled_and_was_undone_hide_no_later_ones() {
        let folder = tempfile::tempdir().unwrap();
        let conn = open_writer(&folder.path().join("a.db")).unwrap();
        conn.execute_batch("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT); PRAGMA cache_size = 10").unwrap();
        let mut reader = WalReader::of(&conn);
        pages(&mut reader, &conn);
        let undone =
            "BEGIN; INSERT INTO notes WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
            SELECT i, zeroblob(3000) FROM n; ROLLBACK";
        conn.execute_batch(undone).unwrap();
        assert!(reader.bytes() > 500_000, "no page was spilled");
        assert!(pages(&mut reader, &conn).is_empty());
        conn.execute("INSERT INTO notes (text) VALUES ('a')", []).unwrap();
        assert_eq!(pages(&mut reader, &conn).len(), 1);
    }
}
