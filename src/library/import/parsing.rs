//! The permit to parse a file, and how long that may take.
use std::time::Duration;

use tokio::sync::Semaphore;

/// Only one file is parsed at a time, because parsing briefly takes several times the file's size in memory. An account has one call
/// in this queue at a time ([`HeavyPermit`](crate::kit::http::budgets::HeavyPermit)), so that accounts take turns.
pub static PARSING: Semaphore = Semaphore::const_new(1);
/// The longest that a call reads and compares files, from its turn on.
pub const LONGEST: Duration = Duration::from_secs(60);
