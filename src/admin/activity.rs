//! Counts requests by account, day, device and place, in memory until the next batch is written.
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, Utc};
use rusqlite::Connection;
use tokio::sync::RwLock;

use super::cached::CachedReports;
use super::counts::{ACTIVE, Day, Pending, Unwritten};
use super::load::Load;
use super::metrics::Requests;
use crate::account::device::device;
use crate::kit::Result;
use crate::kit::db::pool::Db;
use crate::kit::http::request_identity::Visitor;
use crate::kit::id::SessionId;
use crate::kit::net::geoip::Place;

/// The counts of this run; clones share them.
#[derive(Clone, Default)]
pub struct Activity(Arc<Counters>);

#[derive(Default)]
struct Counters {
    pending: Mutex<Pending>,
    sessions: Mutex<HashMap<SessionId, DateTime<Utc>>>,
    load: Mutex<Load>,
    requests: Requests,
    reports: CachedReports,
    /// Held exclusively while a batch is written, and shared by reports, so that a report sees each count once.
    moving: RwLock<()>,
}

impl Activity {
    /// Counts a request of a signed-in person.
    pub fn visited(&self, visitor: Visitor, at: DateTime<Utc>, user_agent: &[u8], place: Option<Place>) {
        let device = device(&String::from_utf8_lossy(user_agent));
        if let Some(session_id) = visitor.session_id {
            unpoisoned(&self.0.sessions).insert(session_id, at);
        }
        let mut pending = unpoisoned(&self.0.pending);
        let day = pending.entry((visitor.user_id, at.date_naive())).or_insert_with(|| Day::new(at));
        day.requests += 1;
        day.last_at = day.last_at.max(at);
        *day.devices.entry(device).or_default() += 1;
        if let Some(place) = place {
            *day.places.entry(place).or_default() += 1;
        }
    }

    /// Writes the counts since the last time. Counts that can't be written are kept for the next time.
    pub async fn write(&self, db: &Db, now: DateTime<Utc>) -> Result<()> {
        let _moving = self.0.moving.write().await;
        unpoisoned(&self.0.sessions).retain(|_, seen| now - *seen < ACTIVE);
        let batch = Arc::new(std::mem::take(&mut *unpoisoned(&self.0.pending)));
        if batch.is_empty() {
            return Ok(());
        }
        let writing = batch.clone();
        let written = db.write(move |tx| super::analytics::store::add(tx, &writing)).await;
        if written.is_err() {
            let mut pending = unpoisoned(&self.0.pending);
            for (key, day) in Arc::unwrap_or_clone(batch) {
                pending.entry(key).or_insert_with(|| Day::new(day.last_at)).add(day);
            }
        }
        written
    }

    /// Reads stored and unwritten counts together. No batch is written meanwhile, so that each count is included once.
    pub async fn read<T, F>(&self, db: &Db, now: DateTime<Utc>, call: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Connection, &Unwritten) -> Result<T> + Send + 'static,
    {
        let _still = self.0.moving.read().await;
        let unwritten = self.unwritten(now);
        db.read(move |conn| call(conn, &unwritten)).await
    }

    fn unwritten(&self, now: DateTime<Utc>) -> Unwritten {
        let sessions = unpoisoned(&self.0.sessions);
        let active = sessions.iter().filter(|(_, seen)| now - **seen < ACTIVE).map(|(id, _)| *id);
        Unwritten { pending: unpoisoned(&self.0.pending).clone(), sessions: active.collect() }
    }

    /// Cached slow reports.
    pub fn cached_reports(&self) -> &CachedReports {
        &self.0.reports
    }

    /// Requests by second and minute.
    pub fn load(&self) -> MutexGuard<'_, Load> {
        unpoisoned(&self.0.load)
    }

    /// Requests by route.
    pub fn requests(&self) -> &Requests {
        &self.0.requests
    }
}

/// A panic makes a count wrong by one at most.
fn unpoisoned<T>(counts: &Mutex<T>) -> MutexGuard<'_, T> {
    counts.lock().unwrap_or_else(PoisonError::into_inner)
}
