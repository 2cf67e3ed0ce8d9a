//! What requests are counted as until the next batch is written.
use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use crate::account::device::Device;
use crate::kit::id::{SessionId, UserId};
use crate::kit::net::geoip::Place;

/// A session used within this time counts as active.
pub const ACTIVE: TimeDelta = TimeDelta::minutes(15);

/// Counts that are not written yet, by account and UTC day.
pub type Pending = HashMap<(UserId, NaiveDate), Day>;

/// One day of one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// Requests on that day.
    pub requests: i64,
    /// The time of the last request.
    pub last_at: DateTime<Utc>,
    pub devices: HashMap<Device, i64>,
    /// Requests by place, if it is known.
    pub places: HashMap<Place, i64>,
}

impl Day {
    /// A day whose first request is made at a moment, and not yet counted.
    pub fn new(at: DateTime<Utc>) -> Self {
        Self { requests: 0, last_at: at, devices: HashMap::new(), places: HashMap::new() }
    }

    /// Adds the counts of the same day from elsewhere.
    pub fn add(&mut self, other: Self) {
        self.requests += other.requests;
        self.last_at = self.last_at.max(other.last_at);
        for (device, requests) in other.devices {
            *self.devices.entry(device).or_default() += requests;
        }
        for (place, requests) in other.places {
            *self.places.entry(place).or_default() += requests;
        }
    }
}

/// The counts in memory, which a report adds to the stored ones.
#[derive(Debug, Clone)]
pub struct Unwritten {
    /// Counts by account and day.
    pub pending: Pending,
    /// Sessions used within [`ACTIVE`].
    pub sessions: Vec<SessionId>,
}
