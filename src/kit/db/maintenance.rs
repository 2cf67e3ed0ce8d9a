//! The writer's checkpoints and erasures, which run between its batches.
//!
//! SQLite's automatic checkpoints are off, so that every page of the WAL is swept ([`super::page_sweep`]) before it is copied
//! into the database. SQLite restarts the WAL only when no connection reads from it. With many concurrent readers that moment may
//! not come, and the WAL grows. So above a certain length the writer waits for such a moment, for a short time at each attempt.
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::page_sweep::{self, PageSweep, WalState};
use super::secure_erase;
use crate::kit::db::wal::{self, Length};

/// A checkpoint starts at this many frames (4 MB).
const CHECKPOINT_FRAMES: u32 = 1000;
/// From this many times the frames of a checkpoint on (16 MB) a sweep of the WAL is not cut into parts: a change of a whole library writes
/// more at once than short sweeps between the changes keep up with, and the WAL would grow without a checkpoint.
const CHECKPOINTS_BEHIND: u32 = 4;
/// Frames that must be written before the next attempt when readers prevented a checkpoint.
const FRAMES_AFTER_READERS: u32 = 250;
/// The WAL's length in bytes from which the writer waits for readers, in order to truncate it.
const LONG: u64 = 32 * 1024 * 1024;
/// The time for one sweep of the WAL. Other writers wait at most that long.
const WAL_SLICE: Duration = Duration::from_millis(20);
/// The same for a long WAL.
const LONG_WAL_SLICE: Duration = Duration::from_secs(10);
/// The time for sweeping one part of the whole file, and the pause after it as a multiple of that time: sweeping a file of an earlier
/// version takes a tenth of the writer's time, and half of it while an erasure waits.
const WHOLE_SLICE: Duration = Duration::from_millis(10);
const WHOLE_REST: u32 = 9;
/// The pause after readers prevented an erasure; it doubles with each further attempt. A program that follows the WAL
/// (Litestream) is a permanent reader, and the writer must not wait for it every time.
const ERASE_AGAIN: Duration = Duration::from_millis(200);
/// The same pause for truncating a long WAL: a backup may read for minutes.
const TRUNCATE_AGAIN: Duration = Duration::from_secs(1);
const AGAIN_AT_MOST: Duration = Duration::from_secs(60);
/// The pause after a failure, for example of a full disk.
const AFTER_FAILURE: Duration = Duration::from_secs(30);
/// After an erasure the writer does other work for this multiple of the erasure's time, so that creating and deleting accounts
/// can't keep it busy. A rewritten file is large, so the pause after a rewrite is longer.
const ERASE_REST: u32 = 4;
const REWRITE_REST: u32 = 100;
/// How long a shutdown waits for sweeps and erasures before leaving them to the next start.
const AT_STOP: Duration = Duration::from_secs(2);

/// The writer's work besides its batches.
#[derive(Debug)]
pub struct Maintenance {
    sweep: PageSweep,
    wal: Length,
    /// The WAL's length in frames when readers last prevented a checkpoint.
    tried: u32,
    erasing: bool,
    /// Whether the file, which is too large for sweeps, was rewritten for the pending erasure.
    rewritten: bool,
    /// [`CHECKPOINT_FRAMES`] and [`LONG`], smaller in tests.
    frames: u32,
    longest: u64,
    sweep_at: Instant,
    sweep_failed: bool,
    truncate_at: Instant,
    /// The last pause because of readers; zero after a successful truncation.
    waited: Duration,
    /// Whether the last attempt to truncate the WAL was prevented or failed, for the health check.
    truncation_failed: Arc<AtomicBool>,
}

impl Maintenance {
    /// Finds the work that an earlier process left in the database of a connection.
    pub fn of(conn: &Connection) -> rusqlite::Result<Self> {
        let now = Instant::now();
        let mut made = Self {
            sweep: PageSweep::of(conn)?,
            wal: Length::default(),
            tried: 0,
            erasing: secure_erase::is_due(conn)?,
            rewritten: false,
            frames: CHECKPOINT_FRAMES,
            longest: LONG,
            sweep_at: now,
            sweep_failed: false,
            truncate_at: now,
            waited: Duration::ZERO,
            truncation_failed: Arc::default(),
        };
        made.look(conn);
        Ok(made)
    }

    /// Whether the last attempt to truncate the WAL was prevented by readers or failed. False while a long WAL is swept before the first
    /// attempt.
    pub fn truncation_failed(&self) -> Arc<AtomicBool> {
        self.truncation_failed.clone()
    }

    /// Records the committed pages and whether an erasure is due. Called after every batch.
    pub fn look(&mut self, conn: &Connection) {
        match self.sweep.look(conn) {
            Ok(look) => self.note(conn, look),
            Err(cause) => {
                tracing::warn!(%cause, "reading the WAL failed; the whole database file will be swept")
            }
        }
    }

    fn note(&mut self, conn: &Connection, look: WalState) {
        self.wal = look.length;
        self.tried = self.tried.min(look.length.frames);
        if look.first_page && !self.erasing {
            // If this read fails, the next start finds the erasure.
            self.erasing = secure_erase::is_due(conn).unwrap_or(false);
        }
    }

    /// How long the writer may wait for other work; `None` means without limit.
    pub fn wait(&self) -> Option<Duration> {
        let unswept = self.sweep.is_whole_pending() || (self.is_checkpoint_due() && !self.sweep.is_wal_swept());
        let at = match (unswept, self.erasing) {
            (false, false) => return None,
            (false, true) => self.sweep_at.max(self.truncate_at),
            (true, _) => self.sweep_at,
        };
        Some(at.saturating_duration_since(Instant::now()))
    }

    fn is_checkpoint_due(&self) -> bool {
        self.wal.outstanding() >= self.frames
            && (self.tried == 0 || self.wal.frames >= self.tried + FRAMES_AFTER_READERS)
    }

    /// Does a part of the pending work, for some tens of milliseconds, unless a pause is in force.
    pub fn advance(&mut self, conn: &Connection) {
        if self.is_checkpoint_due() {
            self.checkpoint(conn);
        }
        if self.sweep.is_whole_pending() && Instant::now() >= self.sweep_at {
            self.sweep_whole(conn);
        }
        let truncates = (self.erasing && !self.sweep.is_whole_pending()) || self.sweep.wal_bytes() > self.longest;
        if truncates && Instant::now() >= self.truncate_at.max(self.sweep_at) {
            self.truncate(conn);
        }
    }

    /// Checkpoints the WAL once it is swept. A WAL that can't be swept is checkpointed too, because it would grow without limit;
    /// its pages are swept later.
    fn checkpoint(&mut self, conn: &Connection) {
        if (self.sweep_wal(conn) || self.sweep_failed) && self.is_checkpoint_due() {
            if let Err(cause) = wal::checkpoint_passively(conn) {
                tracing::warn!(%cause, "WAL checkpoint failed");
            }
            self.look(conn);
            self.tried = if self.wal.outstanding() == 0 { 0 } else { self.wal.frames };
        }
    }

    /// Sweeps pages of the WAL unless a pause is in force. Returns whether all are swept.
    fn sweep_wal(&mut self, conn: &Connection) -> bool {
        let is_behind = self.wal.outstanding() > CHECKPOINTS_BEHIND * self.frames && !self.sweep_failed;
        if self.sweep.is_wal_swept() || (Instant::now() < self.sweep_at && !is_behind) {
            return self.sweep.is_wal_swept();
        }
        match self.sweep.sweep_wal_within(conn, if is_behind { LONG_WAL_SLICE } else { WAL_SLICE }) {
            Ok((swept, look)) => {
                self.note(conn, look);
                self.sweep_failed = false;
                self.sweep_at = Instant::now() + if swept { Duration::ZERO } else { WAL_SLICE };
                swept
            }
            Err(cause) => {
                self.sweep_fails(&cause);
                false
            }
        }
    }

    fn sweep_whole(&mut self, conn: &Connection) {
        let started = Instant::now();
        match self.sweep.sweep_whole(conn, WHOLE_SLICE) {
            Ok(()) => {
                self.sweep_failed = false;
                let rest = started.elapsed() * if self.erasing { 1 } else { WHOLE_REST };
                self.sweep_at = Instant::now() + if self.sweep.is_whole_pending() { rest } else { Duration::ZERO };
                self.look(conn);
            }
            Err(cause) => self.sweep_fails(&cause.into()),
        }
    }

    fn sweep_fails(&mut self, cause: &anyhow::Error) {
        tracing::warn!(%cause, "sweeping erased data from the database failed");
        self.sweep_failed = true;
        self.truncation_failed.store(true, Ordering::Relaxed);
        self.sweep_at = Instant::now() + AFTER_FAILURE;
    }

    fn truncate(&mut self, conn: &Connection) {
        if !self.sweep_wal(conn) {
            return;
        }
        let started = Instant::now();
        let truncated = if self.erasing { self.erase(conn) } else { wal::briefly(conn, wal::truncate) };
        self.truncation_failed.store(!matches!(truncated, Ok(true)), Ordering::Relaxed);
        let pause = match truncated {
            Ok(true) => {
                let rest = if self.rewritten { REWRITE_REST } else { ERASE_REST };
                self.waited = Duration::ZERO;
                self.rewritten = false;
                started.elapsed() * rest
            }
            Ok(false) => {
                let again = if self.erasing { ERASE_AGAIN } else { TRUNCATE_AGAIN };
                self.waited = (self.waited * 2).clamp(again, AGAIN_AT_MOST);
                self.waited
            }
            Err(cause) => {
                tracing::warn!(%cause, "WAL truncation failed");
                AFTER_FAILURE
            }
        };
        self.truncate_at = Instant::now() + pause;
        self.look(conn);
    }

    /// Completes an erasure whose WAL is swept. Returns whether no reader prevented it.
    fn erase(&mut self, conn: &Connection) -> rusqlite::Result<bool> {
        if !self.rewritten && page_sweep::is_too_large(conn)? {
            secure_erase::rewrite(conn)?;
            self.rewritten = true;
        }
        let truncated = wal::briefly(conn, wal::truncate)?;
        if truncated {
            secure_erase::mark_done(conn)?;
            self.erasing = false;
        }
        Ok(truncated)
    }

    /// Does the pending work regardless of pauses, within a bounded time, because the writer stops. Returns whether the WAL is
    /// swept and may be checkpointed.
    pub fn finish(&mut self, conn: &Connection) -> bool {
        self.finish_within(conn, AT_STOP)
    }

    fn finish_within(&mut self, conn: &Connection, time: Duration) -> bool {
        let until = Instant::now() + time;
        while self.erasing && self.sweep.is_whole_pending() && Instant::now() < until {
            if self.sweep.sweep_whole(conn, WHOLE_SLICE).is_err() {
                break;
            }
        }
        let swept = self.sweep.sweep_wal_within(conn, until.saturating_duration_since(Instant::now()));
        let swept = swept.unwrap_or_else(|cause| {
            tracing::warn!(%cause, retry = "next start", "sweeping the WAL failed");
            (false, WalState { length: self.wal, first_page: true })
        });
        self.note(conn, swept.1);
        if swept.0 && self.erasing && !self.sweep.is_whole_pending() && !page_sweep::is_too_large(conn).unwrap_or(true)
        {
            match self.erase(conn) {
                Ok(true) => {}
                Ok(false) => {
                    tracing::info!(
                        reason = "another connection is reading",
                        retry = "next start",
                        "erased data remains in the WAL"
                    )
                }
                Err(cause) => tracing::warn!(%cause, "removing erased data from the database failed"),
            }
        }
        swept.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::db::churn::{Churn, assert_whole, is_anywhere};

    /// Does all pending work, regardless of pauses.
    fn advance(maintenance: &mut Maintenance, conn: &Connection) {
        maintenance.sweep_at = Instant::now();
        maintenance.truncate_at = Instant::now();
        maintenance.look(conn);
        maintenance.advance(conn);
    }

    /// Repeats until no work is pending.
    fn settle(maintenance: &mut Maintenance, conn: &Connection) {
        for _ in 0..10_000 {
            advance(maintenance, conn);
            if maintenance.wait().is_none() {
                return;
            }
        }
        panic!("the work never ends: {maintenance:?}");
    }

    #[test]
    fn the_file_holds_nothing_erased_after_any_number_of_checkpoints_and_restarts() {
        let folder = tempfile::tempdir().unwrap();
        for seed in 0..6 {
            let path = folder.path().join(format!("{seed}.db"));
            let mut churn = Churn::new(&path, seed);
            let mut maintenance = Maintenance::of(&churn.conn).unwrap();
            maintenance.frames = 40;
            let mut checkpoints = 0;
            for round in 0..60 {
                churn.steps(8);
                settle(&mut maintenance, &churn.conn);
                checkpoints += u32::from(maintenance.wal.outstanding() == 0);
                if round % 9 == 8 {
                    // As after a crash: only the file and the WAL are known.
                    maintenance = Maintenance::of(&churn.conn).unwrap();
                    maintenance.frames = 40;
                }
            }
            assert!(checkpoints > 10, "{checkpoints} checkpoints");
            churn.delete(3);
            secure_erase::mark_due(&churn.conn).unwrap();
            let others = churn.rows_without(3);
            settle(&mut maintenance, &churn.conn);
            assert!(!maintenance.erasing);
            assert!(!is_anywhere(&path, 3) && is_anywhere(&path, 2), "seed {seed}");
            assert!(churn.rows_without(3) == others && !secure_erase::is_due(&churn.conn).unwrap());
            assert_whole(&churn.conn);
        }
    }

    #[test]
    fn a_file_of_an_earlier_version_is_swept_in_parts_and_the_erasure_waits_for_that() {
        let folder = tempfile::tempdir().unwrap();
        let mut copies = 0;
        for seed in 0..8 {
            let path = folder.path().join(format!("{seed}.db"));
            let (mut churn, is_left) = Churn::unswept(&path, seed, 3, |_| {});
            copies += u32::from(is_left);
            churn.conn.pragma_update(None, "user_version", 0).unwrap();
            secure_erase::mark_due(&churn.conn).unwrap();
            let mut maintenance = Maintenance::of(&churn.conn).unwrap();
            assert!(maintenance.erasing && maintenance.wait() == Some(Duration::ZERO));
            // A shutdown leaves it to the next start.
            assert!(!maintenance.finish_within(&churn.conn, Duration::ZERO));
            assert!(secure_erase::is_due(&churn.conn).unwrap());
            let mut maintenance = Maintenance::of(&churn.conn).unwrap();
            for _ in 0..20 {
                churn.steps(1);
                advance(&mut maintenance, &churn.conn);
            }
            settle(&mut maintenance, &churn.conn);
            churn.delete(3);
            assert!(!secure_erase::is_due(&churn.conn).unwrap() && secure_erase::is_swept(&churn.conn).unwrap());
            secure_erase::mark_due(&churn.conn).unwrap();
            settle(&mut maintenance, &churn.conn);
            assert!(!is_anywhere(&path, 3));
        }
        assert!(copies > 0, "balancing has left no copy anywhere, so this tests nothing");
    }

    #[test]
    fn a_reader_of_the_past_delays_the_truncation_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut churn = Churn::new(&path, 1);
        churn.steps(200);
        let reader = Connection::open(&path).unwrap();
        reader.execute_batch("BEGIN; SELECT count(*) FROM notes").unwrap();
        let mut maintenance = Maintenance::of(&churn.conn).unwrap();
        churn.delete(3);
        secure_erase::mark_due(&churn.conn).unwrap();
        while maintenance.waited == Duration::ZERO {
            advance(&mut maintenance, &churn.conn);
        }
        assert!(
            maintenance.erasing && maintenance.truncate_at > Instant::now(),
            "it must not try again without a pause"
        );
        churn.delete(4);
        reader.execute_batch("COMMIT").unwrap();
        assert!(maintenance.finish(&churn.conn));
        assert!(maintenance.wait().is_none() && !is_anywhere(&path, 3) && !is_anywhere(&path, 4));
    }

    #[test]
    fn an_erasure_by_another_process_is_ended_here_when_it_could_not_end_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut churn = Churn::new(&path, 2);
        churn.steps(200);
        let mut maintenance = Maintenance::of(&churn.conn).unwrap();
        let command = crate::kit::db::open::open_writer(&path).unwrap();
        command.execute_batch("DELETE FROM notes WHERE owner = 3; DELETE FROM words WHERE owner = 3").unwrap();
        secure_erase::mark_due(&command).unwrap();
        drop(command);
        churn.conn.execute("INSERT INTO words VALUES (1, 'qqqq', 0)", []).unwrap();
        settle(&mut maintenance, &churn.conn);
        assert!(!secure_erase::is_due(&churn.conn).unwrap() && !is_anywhere(&path, 3));
    }

    #[test]
    fn a_log_that_grows_faster_than_short_sweeps_is_swept_without_a_pause() {
        let folder = tempfile::tempdir().unwrap();
        let mut churn = Churn::new(&folder.path().join("a.db"), 1);
        let mut maintenance = Maintenance::of(&churn.conn).unwrap();
        maintenance.frames = 40;
        let mut advance_in_a_pause = |churn: &Churn| {
            maintenance.look(&churn.conn);
            let before = maintenance.wal.outstanding();
            maintenance.sweep_at = Instant::now() + Duration::from_secs(600);
            maintenance.advance(&churn.conn);
            (before, maintenance.wal.outstanding())
        };
        churn.steps(5);
        let (before, after) = advance_in_a_pause(&churn);
        assert!(before < 160 && after == before, "{before}, {after}");
        churn.steps(300);
        let (before, after) = advance_in_a_pause(&churn);
        assert!(before > 160 && after == 0, "{before}, {after}");
    }

    #[test]
    fn a_long_log_is_truncated_as_soon_as_no_reader_of_the_past_is_in_the_way() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut churn = Churn::new(&path, 1);
        let reader = Connection::open(&path).unwrap();
        reader.execute_batch("BEGIN; SELECT count(*) FROM users").unwrap();
        churn.steps(300);
        let mut maintenance = Maintenance::of(&churn.conn).unwrap();
        let length = || std::fs::metadata(folder.path().join("a.db-wal")).unwrap().len();
        maintenance.advance(&churn.conn);
        assert!(length() > 300_000 && maintenance.waited == Duration::ZERO, "the WAL is not long yet");
        while !maintenance.sweep_wal(&churn.conn) {
            maintenance.sweep_at = Instant::now();
        }
        maintenance.longest = 200_000;
        maintenance.advance(&churn.conn);
        assert!(length() > 300_000 && maintenance.waited == TRUNCATE_AGAIN, "a reader needs it");
        let failed = maintenance.truncation_failed();
        assert!(failed.load(Ordering::Relaxed));
        reader.execute_batch("COMMIT").unwrap();
        maintenance.advance(&churn.conn);
        assert!(length() > 300_000, "the writer does other work first");
        maintenance.truncate_at = Instant::now();
        maintenance.advance(&churn.conn);
        assert_eq!((length(), maintenance.waited), (0, Duration::ZERO));
        assert!(!failed.load(Ordering::Relaxed));
    }
}
