//! The operator's list of all accounts with their plans.
use rusqlite::{Connection, Row, params};
use serde::Serialize;

use super::model::email_key;
use crate::access::viewer::{PlanSource, PlanSources};
use crate::access::{Plan, Role};
use crate::billing;
use crate::config::Config;
use crate::kit::Result;
use crate::kit::db::pool::Tx;
use crate::kit::timestamp::Timestamp;
use crate::teams;

/// An account as its operator sees it, without anything that it reads.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The account's id.
    pub id: i64,
    /// As entered, trimmed.
    pub email: String,
    /// 1 to 100 characters.
    pub display_name: String,
    /// Reader or operator.
    pub role: Role,
    /// Whether sign-in is disabled.
    pub disabled: bool,
    /// The plan in force.
    pub plan: Plan,
    /// Where the plan comes from.
    pub plan_source: PlanSource,
    /// The number of stored sessions.
    pub sessions: i64,
    /// The number of books, of every status.
    pub books: i64,
    /// RFC 3339, UTC.
    pub created_at: Timestamp,
    /// RFC 3339, UTC; null without a session.
    pub last_seen: Option<Timestamp>,
}

impl Entry {
    /// Where the plan comes from, in words.
    pub fn source(&self) -> &'static str {
        match self.plan_source {
            PlanSource::None => "the free plan",
            PlanSource::Stripe => "paid",
            PlanSource::Operator => "set by hand",
            PlanSource::Team => "the team's",
            PlanSource::Default => "the server's default",
        }
    }
}

const SELECT: &str = "SELECT id, email, display_name, role, disabled,
    (SELECT count(*) FROM sessions s WHERE s.user_id = users.id),
    coalesce((SELECT books FROM libraries l WHERE l.user_id = users.id), 0), created_at,
    (SELECT max(last_seen) FROM sessions s WHERE s.user_id = users.id),
    (SELECT plan FROM paid_plans p WHERE p.user_id = users.id), granted_plan,
    EXISTS (SELECT 1 FROM members m JOIN paid_teams t ON t.team_id = m.team_id WHERE m.user_id = users.id) FROM users";

fn entry(row: &Row<'_>, default: Plan) -> rusqlite::Result<Entry> {
    let means = PlanSources { default, paid: row.get(9)?, granted: row.get(10)?, in_paid_team: row.get(11)? };
    let (plan, plan_source) = means.effective();
    Ok(Entry {
        id: row.get(0)?,
        email: row.get(1)?,
        display_name: row.get(2)?,
        role: row.get(3)?,
        disabled: row.get(4)?,
        plan,
        plan_source,
        sessions: row.get(5)?,
        books: row.get(6)?,
        created_at: row.get(7)?,
        last_seen: row.get(8)?,
    })
}

/// Every account, oldest first.
pub fn all(conn: &Connection, config: &Config) -> Result<Vec<Entry>> {
    let default = Plan::server_default(config)?;
    let mut query = conn.prepare_cached(&format!("{SELECT} ORDER BY id"))?;
    let rows = query.query_map([], |row| entry(row, default))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The account with an address, regardless of case.
pub fn find(conn: &Connection, config: &Config, email: &str) -> Result<Option<Entry>> {
    let default = Plan::server_default(config)?;
    let mut query = conn.prepare_cached(&format!("{SELECT} WHERE email_key = ?1"))?;
    let mut rows = query.query_map([email_key(email)], |row| entry(row, default))?;
    Ok(rows.next().transpose()?)
}

/// Sets the plan that an operator grants; the free plan removes it. The team plan creates a team, which a former owner then no
/// longer pays for.
///
/// # Errors
/// 409 `in_a_team` when the team plan is given to a member of another person's team.
pub fn grant(tx: &Tx<'_>, user_id: i64, plan: Plan) -> Result<()> {
    if plan == Plan::ShelfwiseTeam
        && let Some(former) = teams::store::subscribe(tx, user_id, None)?
    {
        billing::store::replace_team_plan(tx, former)?;
    }
    let granted = (plan != Plan::Reader).then_some(plan);
    tx.prepare_cached("UPDATE users SET granted_plan = ?2 WHERE id = ?1")?.execute(params![user_id, granted])?;
    Ok(())
}
