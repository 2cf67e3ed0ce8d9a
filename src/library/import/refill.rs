//! Fills in what an earlier version of the importer did not read, from the rows that imports kept: series, publishers, quarters of stars.
//!
//! Only empty fields are filled, and ratings and dates only in books that their reader has not changed. One fill-in is one operation,
//! whose undo restores every value. [`model`] decides about each field, [`store`] looks at the library and writes.
pub mod http;
pub mod model;
pub mod store;

use std::collections::BTreeSet;

use chrono::NaiveDate;

use self::model::{Field, RefillReport};
use crate::config::Quotas;
use crate::kit::db::pool::{Db, Tx};
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::kit::time_zone::Hemisphere;
use crate::library::counters;

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
    pub fields: Option<BTreeSet<Field>>,
}

impl Request {
    /// Whether a field is to be filled.
    pub fn wants(&self, field: Field) -> bool {
        self.fields.as_ref().map_or_else(|| field.is_preset(), |fields| fields.contains(&field))
    }
}

/// Fills in, and records the operation.
///
/// # Errors
/// [`LibraryRefusal`](crate::library::counters::LibraryRefusal) when the texts are beyond the account's quota; the database's.
pub fn execute(tx: &Tx<'_>, request: &Request, quotas: Quotas, plan: Option<store::Plan>) -> Result<RefillReport> {
    let plan = match plan {
        // Nothing has changed since it was made.
        Some(plan) if plan.revision == counters::revision(tx, request.owner)? => plan,
        _ => store::plan(tx, request)?,
    };
    counters::within_quotas(tx, request.owner, quotas, || store::write(tx, request.owner, plan))
}

/// Fills in, or only says what would be filled in: for the command line.
///
/// # Errors
/// As [`execute`].
pub fn refill(db: &Db, request: Request, quotas: Quotas, dry_run: bool) -> Result<RefillReport> {
    db.write_blocking(move |tx| {
        if dry_run {
            return Ok(store::plan(tx, &request)?.report);
        }
        execute(tx, &request, quotas, None)
    })
}
