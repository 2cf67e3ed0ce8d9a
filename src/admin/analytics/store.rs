//! The tables of activity: adding batches, and reading them together with unwritten counts.
use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use super::model::{DeviceUsage, LocationUsage, NewUserCounts, Retention, UserAnalytics};
use crate::admin::counts::{ACTIVE, Pending};
use crate::kit::Result;
use crate::kit::db::pool::{Tx, instant};
use crate::kit::id::SessionId;

/// The period of the statistics of devices and places.
const DAYS: TimeDelta = TimeDelta::days(30);
/// Cities with fewer users are included in their country.
const FEWEST_IN_A_CITY: i64 = 5;
/// The most entries in a list.
const MOST: i64 = 20;

/// Adds a batch, for accounts that still exist.
pub fn add(tx: &Tx<'_>, batch: &Pending) -> Result<()> {
    let mut known = tx.prepare_cached("SELECT EXISTS (SELECT 1 FROM users WHERE id = ?1)")?;
    let mut day = tx.prepare_cached(
        "INSERT INTO activity_days (user_id, day, requests, last_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO UPDATE
         SET requests = requests + excluded.requests, last_at = max(last_at, excluded.last_at)",
    )?;
    let mut device = tx.prepare_cached(
        "INSERT INTO activity_devices (user_id, day, device_type, browser, os, requests) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
         ON CONFLICT DO UPDATE SET requests = requests + excluded.requests",
    )?;
    let mut place = tx.prepare_cached(
        "INSERT INTO activity_places (user_id, day, country, city, requests) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT DO UPDATE SET requests = requests + excluded.requests",
    )?;
    for ((user_id, date), counts) in batch {
        if !known.query_row([user_id], |row| row.get(0))? {
            continue;
        }
        let date = date.to_string();
        day.execute(params![user_id, date, counts.requests, instant(counts.last_at)])?;
        for (kind, requests) in &counts.devices {
            device.execute(params![user_id, date, kind.device_type, kind.browser, kind.os, requests])?;
        }
        for (found, requests) in &counts.places {
            let city = found.city.as_deref().unwrap_or_default();
            place.execute(params![user_id, date, found.country, city, requests])?;
        }
    }
    Ok(())
}

/// Deletes counts that no statistic needs. Returns how many rows were deleted. The last day of each account stays, because it
/// shows when the account became inactive.
pub fn forget_old(tx: &Tx<'_>) -> Result<usize> {
    let first = first_day(tx.now());
    let devices = tx.execute("DELETE FROM activity_devices WHERE day < ?1", [&first])?;
    let places = tx.execute("DELETE FROM activity_places WHERE day < ?1", [&first])?;
    let days = tx.execute(
        "DELETE FROM activity_days WHERE day < ?1
         AND day < (SELECT max(day) FROM activity_days later WHERE later.user_id = activity_days.user_id)",
        [&first],
    )?;
    Ok(devices + places + days)
}

fn first_day(now: DateTime<Utc>) -> String {
    (now - DAYS + TimeDelta::days(1)).date_naive().to_string()
}

/// The last activity of every active account: `seen (user_id, at)`. `?1` is [`last_seen`] of the unwritten counts. Without the
/// cast its numbers have no type, and SQLite would then read the whole table for each account.
const SEEN: &str = "seen AS (
    SELECT user_id, max(at) AS at FROM (
        SELECT user_id, last_at AS at FROM activity_days
        UNION ALL SELECT user_id, last_seen FROM sessions
        UNION ALL SELECT CAST(value ->> 0 AS INTEGER), value ->> 1 FROM json_each(?1))
    GROUP BY user_id)";

/// `?2` is midnight; `?3`, `?4` and `?5` are 7 days, 30 days and a day ago.
const USERS: &str = "SELECT count(*), total(u.created_at >= ?2), total(u.created_at >= ?3), total(u.created_at >= ?4),
        total(seen.at > ?5), total(seen.at > ?3), total(seen.at <= ?3),
        total(u.created_at >= ?4
            AND NOT EXISTS (SELECT 1 FROM books b WHERE b.id BETWEEN u.id << 24 AND (u.id << 24 | 0xffffff))
            AND NOT EXISTS (SELECT 1 FROM tbr t WHERE t.id BETWEEN u.id << 24 AND (u.id << 24 | 0xffffff)))
    FROM users u LEFT JOIN seen ON seen.user_id = u.id";

/// The places of the last 30 days: the total of each country, and its cities with enough accounts. `?1` are the unwritten counts,
/// `?2` is the first day, `?3` the least number of accounts, `?4` the most places.
const LOCATIONS: &str = "WITH came AS (
        SELECT user_id, country, city, requests FROM (
            SELECT user_id, day, country, city, requests FROM activity_places
            UNION ALL SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?1))
        WHERE day >= ?2 AND user_id IN (SELECT id FROM users)),
     cities AS (SELECT country, city FROM came WHERE city <> '' GROUP BY 1, 2 HAVING count(DISTINCT user_id) >= ?3)
     SELECT cities.city, came.country, count(DISTINCT came.user_id), sum(came.requests)
     FROM came LEFT JOIN cities ON cities.country = came.country AND cities.city = came.city
     GROUP BY 1, 2 ORDER BY 3 DESC, 4 DESC, 2, 1 LIMIT ?4";

/// Account and time of the unwritten counts, as JSON.
pub fn last_seen(pending: &Pending) -> Value {
    pending.iter().map(|((user_id, _), day)| json!([user_id, instant(day.last_at)])).collect()
}

/// The number of accounts and their retention.
pub fn users(conn: &Connection, pending: &Pending, now: DateTime<Utc>) -> Result<UserAnalytics> {
    let ago = |days| instant(now - TimeDelta::days(days));
    let midnight = instant(now.date_naive().and_time(NaiveTime::MIN).and_utc());
    let mut query = conn.prepare_cached(&format!("WITH {SEEN} {USERS}"))?;
    let bound = params![last_seen(pending).to_string(), midnight, ago(7), ago(30), ago(1)];
    Ok(query.query_row(bound, |row| {
        let total = row.get(0)?;
        // `total` is never null, and is a whole number here.
        #[expect(clippy::cast_possible_truncation, reason = "a count of rows")]
        let count = |column| row.get::<_, f64>(column).map(|number| number as i64);
        Ok(UserAnalytics {
            total_users: total,
            new_users: NewUserCounts { day: count(1)?, week: count(2)?, month: count(3)? },
            retention: Retention { total, active_1d: count(4)?, active_7d: count(5)? },
            became_inactive: count(6)?,
            inactive_new_users: count(7)?,
        })
    })?)
}

/// The devices that people use.
pub fn devices(conn: &Connection, pending: &Pending, now: DateTime<Utc>) -> Result<Vec<DeviceUsage>> {
    let unwritten: Value = pending
        .iter()
        .flat_map(|((user_id, day), counts)| {
            counts.devices.iter().map(move |(kind, requests)| {
                json!([user_id, day.to_string(), kind.device_type, kind.browser, kind.os, requests])
            })
        })
        .collect();
    let mut query = conn.prepare_cached(
        "SELECT device_type, browser, os, sum(requests) AS count, count(DISTINCT user_id) AS unique_users FROM (
            SELECT user_id, day, device_type, browser, os, requests FROM activity_devices
            UNION ALL SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?1))
         WHERE day >= ?2 AND user_id IN (SELECT id FROM users)
         GROUP BY 1, 2, 3 ORDER BY 5 DESC, 4 DESC, 1, 2, 3 LIMIT ?3",
    )?;
    let rows = query.query_map(params![unwritten.to_string(), first_day(now), MOST], |row| {
        Ok(DeviceUsage {
            device_type: row.get("device_type")?,
            browser: row.get("browser")?,
            os: row.get("os")?,
            count: row.get("count")?,
            unique_users: row.get("unique_users")?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The places that people use the server from.
pub fn locations(conn: &Connection, pending: &Pending, now: DateTime<Utc>) -> Result<Vec<LocationUsage>> {
    let unwritten: Value = pending
        .iter()
        .flat_map(|((user_id, day), counts)| {
            counts.places.iter().map(move |(place, requests)| {
                json!([user_id, day.to_string(), place.country, place.city.as_deref().unwrap_or_default(), requests])
            })
        })
        .collect();
    let mut query = conn.prepare_cached(LOCATIONS)?;
    let bound = params![unwritten.to_string(), first_day(now), FEWEST_IN_A_CITY, MOST];
    let rows = query.query_map(bound, |row| {
        Ok(LocationUsage { city: row.get(0)?, country: row.get(1)?, unique_users: row.get(2)?, count: row.get(3)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The number of active sessions: by their rows, which are accurate to some minutes, or by this run's counts.
pub fn active_sessions(conn: &Connection, seen: &[SessionId], now: DateTime<Utc>) -> Result<i64> {
    let mut query = conn.prepare_cached(
        "SELECT count(*) FROM sessions s JOIN users u ON u.id = s.user_id
         WHERE u.disabled = 0 AND (s.last_seen > ?1 OR s.id IN (SELECT value FROM json_each(?2)))",
    )?;
    Ok(query.query_row(params![instant(now - ACTIVE), json!(seen).to_string()], |row| row.get(0))?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::db::pool::open_writer;

    /// SQLite's query plan, one line per step.
    fn plan(conn: &Connection, sql: &str) -> Vec<String> {
        let mut query = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let values = vec![rusqlite::types::Null; query.parameter_count()];
        let steps = query.query_map(rusqlite::params_from_iter(values), |row| row.get(3)).unwrap();
        steps.collect::<rusqlite::Result<_>>().unwrap()
    }

    #[test]
    fn no_report_reads_all_of_something_for_each_of_something_else() {
        let folder = tempfile::tempdir().unwrap();
        let conn = open_writer(&folder.path().join("a.db")).unwrap();
        for (sql, joined) in [(format!("WITH {SEEN} {USERS}"), "seen"), (LOCATIONS.to_owned(), "cities")] {
            let plan = plan(&conn, &sql);
            let search = format!("SEARCH {joined} USING AUTOMATIC");
            assert!(plan.iter().any(|step| step.starts_with(&search)), "{plan:#?}");
        }
    }
}
