//! The operator's statistics.
use serde::Serialize;

use crate::admin::load::{LoadStatus, Reading};

/// Accounts and their retention.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserAnalytics {
    /// All accounts.
    pub total_users: i64,
    /// Recently created accounts.
    pub new_users: NewUserCounts,
    /// Recently active accounts.
    pub retention: Retention,
    /// Accounts of the last 30 days without books and without items on the to-be-read list.
    pub inactive_new_users: i64,
    /// Accounts whose last activity is at least 7 days ago.
    pub became_inactive: i64,
}

/// Recently created accounts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct NewUserCounts {
    /// Since midnight UTC.
    pub day: i64,
    /// In the last 7 days.
    pub week: i64,
    /// In the last 30 days.
    pub month: i64,
}

/// Recently active accounts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Retention {
    /// All accounts.
    pub total: i64,
    /// In the last 24 hours.
    pub active_1d: i64,
    /// In the last 7 days.
    pub active_7d: i64,
}

/// Devices of the last 30 days, most users first, at most 20.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct DeviceAnalytics {
    /// At most 20, those of most accounts first.
    pub devices: Vec<DeviceUsage>,
}

/// A kind of device with its browser and system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct DeviceUsage {
    /// `desktop`, `mobile`, `tablet`, `e-reader`, `bot` or `other`.
    pub device_type: String,
    /// The browser, or `other`.
    pub browser: String,
    /// The system, or `other`.
    pub os: String,
    /// The number of requests.
    pub count: i64,
    /// The number of accounts.
    pub unique_users: i64,
}

/// Places of the last 30 days, most users first, at most 20.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct LocationAnalytics {
    /// Whether a GeoIP database is configured; without one no place is known.
    pub available: bool,
    /// At most 20, those of most accounts first.
    pub locations: Vec<LocationUsage>,
}

/// A city, or a country without its listed cities.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct LocationUsage {
    /// The city's name; null for the rest of the country, including cities with fewer than 5 users.
    #[schema(required)]
    pub city: Option<String>,
    /// The country's name.
    pub country: String,
    /// The number of accounts.
    pub unique_users: i64,
    /// The number of requests.
    pub count: i64,
}

/// The load of the server.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SystemAnalytics {
    /// The traffic light of the load.
    pub load_status: LoadStatus,
    /// Requests per minute.
    pub load_indicator: LoadIndicator,
    /// Sessions used in the last 15 minutes.
    pub active_sessions: i64,
    /// Request counts.
    pub request_volume: RequestVolume,
}

/// Requests per minute.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct LoadIndicator {
    /// Over the last 5 minutes.
    pub current: f64,
    /// Over the last 24 hours, or since the start if that is shorter, but over at least 5 minutes.
    pub average: f64,
}

/// Request counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct RequestVolume {
    /// Since the start.
    pub total: u64,
    /// In the last 60 minutes.
    pub last_hour: u64,
    /// In the last 24 hours.
    pub last_day: u64,
}

impl SystemAnalytics {
    /// The load of a reading.
    pub fn new(reading: &Reading, active_sessions: i64) -> Self {
        Self {
            load_status: reading.status(),
            load_indicator: LoadIndicator { current: reading.current, average: reading.average },
            active_sessions,
            request_volume: RequestVolume {
                total: reading.total,
                last_hour: reading.last_hour,
                last_day: reading.last_day,
            },
        }
    }
}
