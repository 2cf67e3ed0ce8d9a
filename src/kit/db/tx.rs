//! The view of a transaction that writing calls get, and the keys and times that they store.
use std::cell::RefCell;
use std::ops::Deref;

use chrono::{DateTime, Utc};
use rusqlite::Connection;

use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;

/// A transaction of the writer: a connection and the time that applies to everything in it.
pub struct Tx<'c> {
    conn: &'c Connection,
    now: DateTime<Utc>,
    then: RefCell<Vec<Box<dyn FnOnce()>>>,
}

impl<'c> Tx<'c> {
    /// Wraps a connection whose transaction the caller manages (command line, tests).
    pub fn new(conn: &'c Connection, now: DateTime<Utc>) -> Self {
        Self { conn, now, then: RefCell::default() }
    }

    /// The time of the transaction in whole seconds. It is the same from its first statement to its last.
    pub fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// Calls this once the transaction is committed: nothing is said about a change that was not stored.
    pub fn after_commit(&self, then: impl FnOnce() + 'static) {
        self.then.borrow_mut().push(Box::new(then));
    }

    /// How many calls wait for the commit.
    pub(super) fn waiting(&self) -> usize {
        self.then.borrow().len()
    }

    /// Forgets the later calls, whose changes were undone.
    pub(super) fn forget_after(&self, count: usize) {
        self.then.borrow_mut().truncate(count);
    }

    /// What is to be called once the transaction is committed.
    pub fn then(self) -> impl FnOnce() + use<> {
        let calls = self.then.into_inner();
        move || calls.into_iter().for_each(|call| call())
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
