//! The operator's figures.
use serde::Serialize;

use crate::admin::load::{LoadStatus, Reading};

/// Accounts and how many of them come back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = UserAnalytics)]
pub struct UserInsights {
    /// All accounts.
    pub total_users: i64,
    /// Accounts made lately.
    pub new_users: NewUsers,
    /// Accounts with activity lately.
    pub retention: Retention,
    /// Accounts of the last 30 days without a book or an item of the to-be-read list.
    pub inactive_new_users: i64,
    /// Accounts whose last activity is 7 or more days ago.
    pub became_inactive: i64,
}

/// Accounts made lately.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = NewUserCounts)]
pub struct NewUsers {
    /// Since midnight UTC.
    pub day: i64,
    /// In 7 days.
    pub week: i64,
    /// In 30 days.
    pub month: i64,
}

/// Accounts with activity lately.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Retention {
    /// All accounts.
    pub total: i64,
    /// In 24 hours.
    pub active_1d: i64,
    /// In 7 days.
    pub active_7d: i64,
}

/// Devices of the last 30 days, most users first, 20 at most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = DeviceAnalytics)]
pub struct Devices {
    /// Each kind of device.
    pub devices: Vec<DeviceUse>,
}

/// One kind of device with its browser and system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = DeviceUsage)]
pub struct DeviceUse {
    /// `desktop`, `mobile`, `tablet`, `e-reader`, `bot` or `other`.
    pub device_type: String,
    /// The browser, or `other`.
    pub browser: String,
    /// The system, or `other`.
    pub os: String,
    /// Requests.
    pub count: i64,
    /// Accounts.
    pub unique_users: i64,
}

/// Places of the last 30 days, most users first, 20 at most.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = LocationAnalytics)]
pub struct Locations {
    /// Whether there is a GeoIP database: without one no place is known.
    pub available: bool,
    /// Each place.
    pub locations: Vec<LocationUse>,
}

/// A city, or a country without those of its cities that are listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = LocationUsage)]
pub struct LocationUse {
    /// Null for the rest of the country: cities of fewer than 5 users are not told apart.
    #[schema(required)]
    pub city: Option<String>,
    /// Its name.
    pub country: String,
    /// Accounts.
    pub unique_users: i64,
    /// Requests.
    pub count: i64,
}

/// How loaded the server is.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SystemAnalytics)]
pub struct SystemLoad {
    /// Green, orange or red.
    pub load_status: LoadStatus,
    /// Requests a minute.
    pub load_indicator: LoadIndicator,
    /// Sessions seen in the last 15 minutes.
    pub active_sessions: i64,
    /// Requests.
    pub request_volume: RequestVolume,
}

/// Requests a minute.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
pub struct LoadIndicator {
    /// Over the last 5 minutes.
    pub current: f64,
    /// Over the last 24 hours; over the time since the start where that is less, but over 5 minutes at least.
    pub average: f64,
}

/// Requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct RequestVolume {
    /// Since the start.
    pub total: u64,
    /// In 60 minutes.
    pub last_hour: u64,
    /// In 24 hours.
    pub last_day: u64,
}

impl SystemLoad {
    /// The figures of a reading.
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
