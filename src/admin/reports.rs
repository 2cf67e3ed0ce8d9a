//! The operator's statistics, for the pages and for Prometheus.
use chrono::{DateTime, Utc};

use super::activity::Activity;
use super::analytics::model::{DeviceAnalytics, LocationUsage, UserAnalytics};
use super::analytics::store;
use crate::kit::Result;
use crate::kit::db::pool::Db;

/// The number of accounts and their retention.
pub async fn users(activity: &Activity, db: &Db, now: DateTime<Utc>) -> Result<UserAnalytics> {
    activity
        .cached_reports()
        .users
        .or(activity.read(db, now, move |conn, unwritten| store::users(conn, &unwritten.pending, now)))
        .await
}

/// The devices that people use.
pub async fn devices(activity: &Activity, db: &Db, now: DateTime<Utc>) -> Result<DeviceAnalytics> {
    let report = activity.read(db, now, move |conn, unwritten| {
        Ok(DeviceAnalytics { devices: store::devices(conn, &unwritten.pending, now)? })
    });
    activity.cached_reports().devices.or(report).await
}

/// The places that people use the server from.
pub async fn locations(activity: &Activity, db: &Db, now: DateTime<Utc>) -> Result<Vec<LocationUsage>> {
    let report = activity.read(db, now, move |conn, unwritten| store::locations(conn, &unwritten.pending, now));
    activity.cached_reports().locations.or(report).await
}

/// The number of active sessions.
pub async fn sessions(activity: &Activity, db: &Db, now: DateTime<Utc>) -> Result<i64> {
    let report = activity.read(db, now, move |conn, unwritten| store::active_sessions(conn, &unwritten.sessions, now));
    activity.cached_reports().sessions.or(report).await
}
