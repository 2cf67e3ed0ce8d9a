//! The view of a transaction that writing calls get, and the keys and times that they store.
use std::ops::Deref;

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;

/// A transaction of the writer: a connection and the time that applies to everything in it.
pub struct Tx<'c> {
    conn: &'c Connection,
    now: DateTime<Utc>,
}

impl<'c> Tx<'c> {
    /// Wraps a connection whose transaction the caller manages (command line, tests).
    pub fn new(conn: &'c Connection, now: DateTime<Utc>) -> Self {
        Self { conn, now }
    }

    /// The time of the transaction in whole seconds. It is the same from its first statement to its last.
    pub fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// The transaction's time in the format of the database.
    pub fn stamp(&self) -> Timestamp {
        instant(self.now)
    }
}

impl Deref for Tx<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.conn
    }
}

/// A time as the database and the API write it: RFC 3339, UTC, whole seconds.
pub fn instant(at: DateTime<Utc>) -> Timestamp {
    at.into()
}

/// The first and the last key of an owner's rows in a table that is clustered by owner.
pub fn owned(user_id: UserId) -> (i64, i64) {
    (user_id.0 << 24, (user_id.0 << 24) | 0xff_ffff)
}

/// The owner of the range that contains a key.
pub fn owner_of(id: i64) -> UserId {
    UserId(id >> 24)
}
