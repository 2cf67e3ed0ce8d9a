//! The tables of billing: subscriptions in their last known state, orders in progress, processed events.
use chrono::{DateTime, TimeDelta, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::order::Order;
use crate::access::{BillingInterval, Plan};
use crate::billing::subscription_state::SubscriptionState;
use crate::kit::db::pool::{Tx, instant};
use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;
use crate::kit::{Error, Result};
use crate::teams::model::TeamRole;
use crate::teams::store as teams;

/// How long an order can be paid here; it is one hour longer at the provider.
pub const ORDER_VALID_FOR: TimeDelta = TimeDelta::hours(23);
/// How long an attempt without an answer is repeated under the same key. Later it gets a new key, because the provider repeats
/// its errors, too.
const ATTEMPT_VALID_FOR: TimeDelta = TimeDelta::hours(1);
/// The provider repeats an event for some days; after this time it can be forgotten.
const EVENTS_KEPT: TimeDelta = TimeDelta::days(35);

/// Removes the plan that an operator granted.
pub fn end_granted_plan(tx: &Tx<'_>, user_id: UserId) -> Result<()> {
    tx.prepare_cached("UPDATE users SET granted_plan = NULL WHERE id = ?1")?.execute([user_id])?;
    Ok(())
}

/// The payer's data that the provider needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buyer {
    /// The address for receipts.
    pub email: String,
    /// RFC 3339, UTC.
    pub created_at: Timestamp,
    /// The provider's customer id, if there is one.
    pub customer: Option<String>,
}

/// The data of a payer.
pub fn buyer(conn: &Connection, user_id: UserId) -> Result<Buyer> {
    let mut query = conn.prepare_cached("SELECT email, created_at, stripe_customer_id FROM users WHERE id = ?1")?;
    let found = query.query_row([user_id], |row| {
        Ok(Buyer {
            email: row.get("email")?,
            created_at: row.get("created_at")?,
            customer: row.get("stripe_customer_id")?,
        })
    });
    found.optional()?.ok_or(Error::NotFound)
}

/// Stores the provider's customer id of a user, or removes it.
pub fn set_customer(tx: &Tx<'_>, user_id: UserId, customer: Option<&str>) -> Result<()> {
    tx.prepare_cached("UPDATE users SET stripe_customer_id = ?2 WHERE id = ?1")?.execute(params![user_id, customer])?;
    Ok(())
}

/// The user with this customer id.
pub fn user_of_customer(conn: &Connection, customer: &str) -> Result<Option<UserId>> {
    let mut query = conn.prepare_cached("SELECT id FROM users WHERE stripe_customer_id = ?1")?;
    Ok(query.query_row([customer], |row| row.get(0)).optional()?)
}

/// The subscription of a plan in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActiveSubscription {
    /// The provider's id of the subscription.
    pub stripe_id: String,
    pub plan: Plan,
    pub interval: BillingInterval,
    /// The provider's status.
    pub status: String,
    /// RFC 3339, UTC.
    pub period_end: Timestamp,
    /// The end of a cancelled subscription (RFC 3339, UTC).
    pub ends_at: Option<Timestamp>,
    /// When the provider was last asked about it.
    pub asked_at: Timestamp,
}

fn running_row(row: &Row<'_>) -> rusqlite::Result<ActiveSubscription> {
    Ok(ActiveSubscription {
        stripe_id: row.get("stripe_id")?,
        plan: row.get("plan")?,
        interval: row.get("billing_interval")?,
        status: row.get("status")?,
        period_end: row.get("period_end")?,
        ends_at: row.get("ends_at")?,
        asked_at: row.get("asked_at")?,
    })
}

/// The subscription of a user's plan in force.
pub fn running(conn: &Connection, user_id: UserId) -> Result<Option<ActiveSubscription>> {
    let mut query = conn.prepare_cached(
        "SELECT stripe_id, plan, billing_interval, status, period_end, ends_at, asked_at FROM paid_plans WHERE user_id = ?1",
    )?;
    Ok(query.query_row([user_id], running_row).optional()?)
}

/// Stores the state of a subscription, replacing any earlier state.
pub fn save(tx: &Tx<'_>, user_id: UserId, state: &SubscriptionState) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO subscriptions (stripe_id, user_id, plan, billing_interval, status, addon_seats, started_at, period_end,
            ends_at, counts_until, ended, asked_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
         ON CONFLICT (stripe_id) DO UPDATE SET plan = ?3, billing_interval = ?4, status = ?5, addon_seats = ?6,
            started_at = ?7, period_end = ?8, ends_at = ?9, counts_until = ?10, ended = ?11, asked_at = ?12",
    )?
    .execute(params![
        state.stripe_id,
        user_id,
        state.plan,
        state.interval,
        state.status,
        state.addon_seats,
        instant(state.started_at),
        instant(state.period_end),
        state.ends_at.map(instant),
        state.counts_until().map(instant),
        state.has_ended(),
        tx.stamp(),
    ])?;
    Ok(())
}

/// Records that the provider does not know a subscription. It is still asked about: if the wrong account's key was used, the
/// right one finds it again.
pub fn mark_missing(tx: &Tx<'_>, stripe_id: &str) -> Result<()> {
    tx.prepare_cached(
        "UPDATE subscriptions SET counts_until = NULL, replaced = 0, asked_at = ?2 WHERE stripe_id = ?1",
    )?
    .execute(params![stripe_id, tx.stamp()])?;
    Ok(())
}

/// Records that the provider was asked about a subscription that is no longer one of our plans.
pub fn mark_unknown(tx: &Tx<'_>, stripe_id: &str) -> Result<()> {
    tx.prepare_cached("UPDATE subscriptions SET counts_until = NULL, asked_at = ?2 WHERE stripe_id = ?1")?
        .execute(params![stripe_id, tx.stamp()])?;
    Ok(())
}

/// Applies a payment beyond the plan itself: creates or revives the team, sets its seats, and marks the subscriptions that this
/// one replaces.
pub fn apply_payment(tx: &Tx<'_>, user_id: UserId, state: &SubscriptionState) -> Result<()> {
    if state.counts_until().is_none_or(|until| until <= tx.now()) {
        return Ok(());
    }
    if state.plan == Plan::ShelfwiseTeam {
        apply_team_payment(tx, user_id, state)?;
    }
    // If two open pages were both paid, the newer subscription stays.
    tx.prepare_cached(
        "UPDATE subscriptions SET replaced = 1 WHERE user_id = ?1 AND ended = 0 AND stripe_id <> (
            SELECT stripe_id FROM subscriptions WHERE user_id = ?1 AND counts_until > ?2
            ORDER BY started_at DESC, stripe_id DESC LIMIT 1)",
    )?
    .execute(params![user_id, tx.stamp()])?;
    forget_order(tx, user_id)
}

fn apply_team_payment(tx: &Tx<'_>, user_id: UserId, state: &SubscriptionState) -> Result<()> {
    let own = teams::membership(tx, user_id)?;
    let elsewhere = own.is_some_and(|own| own.role != TeamRole::Owner);
    let pays = teams::paid_by(tx, user_id)?;
    let begun = order_since(tx, user_id, tx.now() - ORDER_VALID_FOR * 2)?;
    let settled = pays.is_some()
        && match own {
            Some(own) => elsewhere || pays == Some(own.team_id),
            // A former owner who left the team pays for it until the new owner does; a new purchase is for the former owner's own
            // use.
            None => begun.as_ref().is_none_or(|begun| begun.session.is_none()),
        };
    if !settled {
        if elsewhere {
            tracing::warn!(
                user_id = user_id.0,
                reason = "the payer is a member of another team",
                retry = "when the payer leaves that team",
                "a paid team plan makes no team"
            );
            return Ok(());
        }
        let name = begun.and_then(|begun| begun.order.team_name);
        if let Some(former) = teams::subscribe(tx, user_id, name.as_deref())? {
            replace_team_plan(tx, former)?;
        }
    }
    match teams::paid_by(tx, user_id)? {
        Some(team_id) => teams::put_addon_seats(tx, team_id, state.addon_seats),
        None => Ok(()),
    }
}

/// Marks the former payer's subscription of a team as replaced: nothing may be charged for a team with another plan.
pub fn replace_team_plan(tx: &Tx<'_>, former: UserId) -> Result<()> {
    tx.prepare_cached(
        "UPDATE subscriptions SET replaced = 1 WHERE user_id = ?1 AND plan = 'shelfwise_team' AND ended = 0",
    )?
    .execute([former])?;
    Ok(())
}

/// What connects an account to the provider.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaymentLinks {
    /// Subscriptions that can still cost something.
    pub alive: Vec<String>,
    /// A checkout page where something can still be bought.
    pub session: Option<String>,
    /// Whether one of the subscriptions is in force.
    pub counts: bool,
}

/// What connects a user to the provider.
pub fn payment_links(conn: &Connection, user_id: UserId, now: DateTime<Utc>) -> Result<PaymentLinks> {
    let mut query = conn
        .prepare_cached("SELECT stripe_id FROM subscriptions WHERE user_id = ?1 AND ended = 0 ORDER BY started_at")?;
    let alive = query.query_map([user_id], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
    let session = order_since(conn, user_id, now - ORDER_VALID_FOR * 2)?.and_then(|kept| kept.session);
    Ok(PaymentLinks { alive, session, counts: running(conn, user_id)?.is_some() })
}

/// Replaced subscriptions that still have to be ended.
pub fn replaced(conn: &Connection) -> Result<Vec<(UserId, String)>> {
    let mut query = conn.prepare_cached(
        "SELECT user_id, stripe_id FROM subscriptions WHERE replaced = 1 AND ended = 0 ORDER BY stripe_id",
    )?;
    let found = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

/// Subscriptions to ask the provider about: those whose period or end has passed since they were last asked about, and every
/// running one once a day.
pub fn due(conn: &Connection, now: DateTime<Utc>) -> Result<Vec<(UserId, String)>> {
    let mut query = conn.prepare_cached(
        "SELECT user_id, stripe_id FROM subscriptions
         WHERE ended = 0 AND (asked_at < ?2 OR (min(period_end, coalesce(ends_at, period_end)) <= ?1 AND asked_at < ?3))
         ORDER BY asked_at",
    )?;
    let (day_ago, hour_ago) = (instant(now - TimeDelta::days(1)), instant(now - TimeDelta::minutes(50)));
    let found = query.query_map(params![instant(now), day_ago, hour_ago], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

/// An order in progress.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingCheckout {
    /// Its key at the provider.
    pub key: String,
    pub order: Order,
    /// The provider's checkout session, once there is one.
    pub session: Option<String>,
    /// RFC 3339, UTC.
    pub created_at: Timestamp,
    /// When the provider was last asked about it.
    pub asked_at: Timestamp,
}

/// The order that a user has started and can still pay.
pub fn order(conn: &Connection, user_id: UserId, now: DateTime<Utc>) -> Result<Option<PendingCheckout>> {
    order_since(conn, user_id, now - ORDER_VALID_FOR)
}

/// The order that a user has started after a given time.
pub fn order_since(conn: &Connection, user_id: UserId, since: DateTime<Utc>) -> Result<Option<PendingCheckout>> {
    let mut query = conn.prepare_cached(
        "SELECT key, plan, billing_interval, team_name, success_url, cancel_url, session_id, created_at, asked_at
         FROM orders WHERE user_id = ?1 AND created_at > ?2",
    )?;
    Ok(query.query_row(params![user_id, instant(since)], kept).optional()?)
}

fn kept(row: &Row<'_>) -> rusqlite::Result<PendingCheckout> {
    let order = Order {
        plan: row.get("plan")?,
        interval: row.get("billing_interval")?,
        team_name: row.get("team_name")?,
        success_url: row.get("success_url")?,
        cancel_url: row.get("cancel_url")?,
    };
    Ok(PendingCheckout {
        key: row.get("key")?,
        order,
        session: row.get("session_id")?,
        created_at: row.get("created_at")?,
        asked_at: row.get("asked_at")?,
    })
}

/// Starts an order under a key, or continues the same order. Returns the key in use.
pub fn begin_order(tx: &Tx<'_>, user_id: UserId, order_wanted: &Order, key: String) -> Result<String> {
    let begun = order_since(tx, user_id, tx.now() - ATTEMPT_VALID_FOR)?;
    if let Some(begun) = begun.filter(|begun| begun.order == *order_wanted && begun.session.is_none()) {
        return Ok(begun.key);
    }
    tx.prepare_cached(
        "INSERT OR REPLACE INTO orders (user_id, key, plan, billing_interval, team_name, success_url, cancel_url, created_at, asked_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)",
    )?
    .execute(params![
        user_id,
        key,
        order_wanted.plan,
        order_wanted.interval,
        order_wanted.team_name,
        order_wanted.success_url,
        order_wanted.cancel_url,
        tx.stamp(),
    ])?;
    Ok(key)
}

/// Stores the checkout session of an order.
pub fn set_session(tx: &Tx<'_>, user_id: UserId, session: &str) -> Result<()> {
    tx.prepare_cached("UPDATE orders SET session_id = ?2 WHERE user_id = ?1")?.execute(params![user_id, session])?;
    Ok(())
}

/// Records that the provider was asked about an order.
pub fn asked_for_order(tx: &Tx<'_>, user_id: UserId) -> Result<()> {
    tx.prepare_cached("UPDATE orders SET asked_at = ?2 WHERE user_id = ?1")?.execute(params![user_id, tx.stamp()])?;
    Ok(())
}

/// Deletes a user's order: it is paid or can no longer be paid.
pub fn forget_order(tx: &Tx<'_>, user_id: UserId) -> Result<()> {
    tx.prepare_cached("DELETE FROM orders WHERE user_id = ?1")?.execute([user_id])?;
    Ok(())
}

/// Every user with an open checkout session.
pub fn ordering(conn: &Connection) -> Result<Vec<UserId>> {
    let mut query = conn.prepare_cached("SELECT user_id FROM orders WHERE session_id IS NOT NULL ORDER BY asked_at")?;
    let found = query.query_map([], |row| row.get(0))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

/// Records an event. Returns whether it is new.
pub fn note_event(tx: &Tx<'_>, id: &str) -> Result<bool> {
    let made = tx
        .prepare_cached("INSERT INTO stripe_events (id, received_at) VALUES (?1, ?2) ON CONFLICT (id) DO NOTHING")?
        .execute(params![id, tx.stamp()])?;
    Ok(made > 0)
}

/// Whether an event was processed before.
pub fn knows_event(conn: &Connection, id: &str) -> Result<bool> {
    let mut query = conn.prepare_cached("SELECT EXISTS (SELECT 1 FROM stripe_events WHERE id = ?1)")?;
    Ok(query.query_row([id], |row| row.get(0))?)
}

/// Deletes events that will not be repeated, and orders that can no longer be paid.
pub fn forget_old(tx: &Tx<'_>) -> Result<()> {
    let (events, orders) = (instant(tx.now() - EVENTS_KEPT), instant(tx.now() - ORDER_VALID_FOR * 2));
    tx.prepare_cached("DELETE FROM stripe_events WHERE received_at < ?1")?.execute([events])?;
    tx.prepare_cached("DELETE FROM orders WHERE created_at < ?1")?.execute([orders])?;
    Ok(())
}
