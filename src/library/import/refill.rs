//! Fills in what an earlier version of the importer did not read, from the rows that imports kept: series, publishers, quarters of stars.
//!
//! Only empty fields are filled, and ratings and dates only in books that their reader has not changed. One fill-in is one operation,
//! whose undo restores every value. [`model`] decides about each field, [`store`] looks at the library and writes.
pub mod http;
pub mod model;
pub mod store;

use std::collections::BTreeSet;

use chrono::NaiveDate;

use self::model::{RefillField, RefillReport};
use crate::config::Quotas;
use crate::kit::db::pool::{Db, Tx};
use crate::kit::deadline::Deadline;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::kit::time_zone::Hemisphere;
use crate::library::counters;
use crate::library::import::ImportRefusal;
use crate::library::import::attempts::Attempts;

/// The library to be filled in, and how.
#[derive(Clone, Debug)]
pub struct Request {
    /// Its owner.
    pub owner: UserId,
    /// The months of the owner's seasons.
    pub hemisphere: Hemisphere,
    /// The owner's current day.
    pub today: NaiveDate,
    /// The fields to be filled; without a choice all but those that change what is not empty.
    pub fields: Option<BTreeSet<RefillField>>,
    /// When planning gives up.
    pub deadline: Deadline,
}

impl Request {
    /// Whether a field is to be filled.
    pub fn wants(&self, field: RefillField) -> bool {
        self.fields.as_ref().map_or_else(|| field.is_preset(), |fields| fields.contains(&field))
    }
}

/// Fills in what a plan says, and records the operation.
///
/// # Errors
/// [`ImportRefusal::LibraryChanged`] when the library was changed since the plan was made: planning takes seconds in a large library, in
/// which nobody could write. [`LibraryRefusal`](crate::library::counters::LibraryRefusal) when the texts are beyond the account's quota;
/// the database's.
pub fn execute(tx: &Tx<'_>, owner: UserId, quotas: Quotas, plan: store::Plan) -> Result<RefillReport> {
    if plan.revision != counters::revision(tx, owner)? {
        return Err(ImportRefusal::LibraryChanged.into());
    }
    counters::within_quotas(tx, owner, quotas, || store::write(tx, owner, plan))
}

/// Fills in, or only says what would be filled in: for the command line.
pub fn refill(db: &Db, request: &Request, quotas: Quotas, dry_run: bool) -> Result<RefillReport> {
    let owner = request.owner;
    let mut attempts = Attempts::default();
    loop {
        let plan = db.read_blocking(|conn| store::plan(conn, request))?;
        if dry_run {
            return Ok(plan.report);
        }
        let filled = db.write_blocking(move |tx| execute(tx, owner, quotas, plan));
        if !attempts.again(&filled) {
            return filled;
        }
    }
}
