//! The parts of the complete export that the server keeps for its operation: sessions, tokens, activity, team, subscription and
//! so on. They contain no secrets and no hashes of secrets.
use rusqlite::{Connection, OptionalExtension as _};
use serde_json::{Value, json};

use crate::account::{events, tokens};
use crate::devices::store::overview;
use crate::kit::Result;
use crate::kit::id::UserId;
use crate::{preferences, sharing};

const SESSIONS: &str =
    "SELECT json_object('id', id, 'createdAt', created_at, 'lastSeen', last_seen, 'confirmedAt', confirmed_at,
        'ipAddress', ip_address, 'userAgent', user_agent)
    FROM sessions WHERE user_id = ?1 ORDER BY id";
const KNOWN_DEVICES: &str =
    "SELECT json_object('createdAt', created_at) FROM known_devices WHERE user_id = ?1 ORDER BY created_at";
const DAYS: &str = "SELECT json_object('day', day, 'requests', requests, 'lastAt', last_at)
    FROM activity_days WHERE user_id = ?1 ORDER BY day";
const DEVICES: &str =
    "SELECT json_object('day', day, 'deviceType', device_type, 'browser', browser, 'os', os, 'requests', requests)
    FROM activity_devices WHERE user_id = ?1 ORDER BY day, device_type, browser, os";
const PLACES: &str = "SELECT json_object('day', day, 'country', country, 'city', city, 'requests', requests)
    FROM activity_places WHERE user_id = ?1 ORDER BY day, country, city";
const SOURCES: &str =
    "SELECT json_object('name', name, 'title', title, 'connectedAt', connected_at, 'lastPolledAt', last_polled_at)
    FROM sources WHERE user_id = ?1 ORDER BY name";
const TEAM: &str = "SELECT json_object('id', t.id, 'name', t.name, 'role', m.role, 'joinedAt', m.joined_at)
    FROM members m JOIN teams t ON t.id = m.team_id WHERE m.user_id = ?1";
const INVITATIONS: &str =
    "SELECT json_object('email', coalesce(email, masked_email), 'createdAt', created_at, 'expiresAt', expires_at)
    FROM invitations WHERE inviter_id = ?1 ORDER BY id";
const GRANTED: &str = "SELECT json_object('plan', granted_plan) FROM users WHERE id = ?1";
const SUBSCRIPTIONS: &str =
    "SELECT json_object('id', stripe_id, 'plan', plan, 'billingInterval', billing_interval, 'status', status,
        'addonSeats', addon_seats, 'startedAt', started_at, 'periodEnd', period_end, 'endsAt', ends_at)
    FROM subscriptions WHERE user_id = ?1 ORDER BY started_at, stripe_id";
const ORDERS: &str = "SELECT json_object('plan', plan, 'billingInterval', billing_interval, 'teamName', team_name, 'createdAt', created_at)
    FROM orders WHERE user_id = ?1";
const IMPORT_CHOICES: &str = "SELECT json_object('kind', kind, 'name', name, 'choice', choice)
    FROM import_choices WHERE user_id = ?1 ORDER BY kind, name";

/// The files of an account's records: each name without `.json`, and the content.
pub fn all(conn: &Connection, user_id: UserId) -> Result<[(&'static str, Value); 11]> {
    let list = |sql: &str| list(conn, sql, user_id);
    let activity = json!({"days": list(DAYS)?, "devices": list(DEVICES)?, "places": list(PLACES)?});
    let team = json!({"team": one(conn, TEAM, user_id)?, "invitations": list(INVITATIONS)?});
    let granted = one(conn, GRANTED, user_id)?.get("plan").cloned().unwrap_or_default();
    let subscription =
        json!({"grantedPlan": granted, "subscriptions": list(SUBSCRIPTIONS)?, "checkout": one(conn, ORDERS, user_id)?});
    Ok([
        ("sessions", list(SESSIONS)?),
        ("tokens", serde_json::to_value(tokens::store::all(conn, user_id)?)?),
        ("shares", serde_json::to_value(sharing::store::all(conn, user_id)?)?),
        (
            "devices",
            serde_json::to_value(overview::devices(conn, user_id, &preferences::store::find(conn, user_id)?.zone())?)?,
        ),
        ("sources", list(SOURCES)?),
        ("activity", activity),
        ("team", team),
        ("subscription", subscription),
        ("importChoices", list(IMPORT_CHOICES)?),
        ("knownDevices", list(KNOWN_DEVICES)?),
        ("events", serde_json::to_value(events::store::whole(conn, user_id)?)?),
    ])
}

/// Rows that SQLite has formatted as JSON objects, as a list.
fn list(conn: &Connection, sql: &str, user_id: UserId) -> Result<Value> {
    let mut query = conn.prepare(sql)?;
    let rows = query.query_map([user_id], |row| row.get::<_, String>(0))?;
    let mut found = Vec::new();
    for row in rows {
        found.push(serde_json::from_str(&row?)?);
    }
    Ok(Value::Array(found))
}

/// The only row of a query, or null.
fn one(conn: &Connection, sql: &str, user_id: UserId) -> Result<Value> {
    let found: Option<String> = conn.prepare(sql)?.query_row([user_id], |row| row.get(0)).optional()?;
    Ok(found.map(|text| serde_json::from_str(&text)).transpose()?.unwrap_or_default())
}
