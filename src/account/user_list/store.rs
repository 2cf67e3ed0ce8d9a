//! The rows behind the list of accounts.
use rusqlite::{Connection, Row, params};

use super::ListedUser;
use crate::access::Plan;
use crate::access::plan_source::PlanSources;
use crate::account::model::email_key;
use crate::billing;
use crate::config::Config;
use crate::kit::Result;
use crate::kit::db::pool::Tx;
use crate::kit::id::UserId;
use crate::teams;

const SELECT: &str = "SELECT id, email, display_name, role, disabled,
    (SELECT count(*) FROM sessions s WHERE s.user_id = users.id) AS sessions,
    coalesce((SELECT books FROM libraries l WHERE l.user_id = users.id), 0) AS books, created_at,
    (SELECT max(last_seen) FROM sessions s WHERE s.user_id = users.id) AS last_seen,
    (SELECT plan FROM paid_plans p WHERE p.user_id = users.id) AS paid_plan, granted_plan,
    EXISTS (SELECT 1 FROM members m JOIN paid_teams t ON t.team_id = m.team_id WHERE m.user_id = users.id) AS in_paid_team
    FROM users";

fn entry(row: &Row<'_>, default: Plan) -> rusqlite::Result<ListedUser> {
    let means = PlanSources {
        default,
        paid: row.get("paid_plan")?,
        granted: row.get("granted_plan")?,
        in_paid_team: row.get("in_paid_team")?,
    };
    let (plan, plan_source) = means.effective();
    Ok(ListedUser {
        id: row.get("id")?,
        email: row.get("email")?,
        display_name: row.get("display_name")?,
        role: row.get("role")?,
        disabled: row.get("disabled")?,
        plan,
        plan_source,
        sessions: row.get("sessions")?,
        books: row.get("books")?,
        created_at: row.get("created_at")?,
        last_seen: row.get("last_seen")?,
    })
}

/// Every account, oldest first.
pub fn all(conn: &Connection, config: &Config) -> Result<Vec<ListedUser>> {
    let default = Plan::server_default(config)?;
    let mut query = conn.prepare_cached(&format!("{SELECT} ORDER BY id"))?;
    let rows = query.query_map([], |row| entry(row, default))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The account with an address, regardless of case.
pub fn find(conn: &Connection, config: &Config, email: &str) -> Result<Option<ListedUser>> {
    let default = Plan::server_default(config)?;
    let mut query = conn.prepare_cached(&format!("{SELECT} WHERE email_key = ?1"))?;
    let mut rows = query.query_map([email_key(email)], |row| entry(row, default))?;
    Ok(rows.next().transpose()?)
}

/// Sets the plan that an operator grants; the free plan removes it. The team plan creates a team, which a former owner then no
/// longer pays for.
///
/// # Errors
/// [`teams::model::TeamRefusal::InAnothersTeam`] when the team plan is given to a member of another person's team.
pub fn grant(tx: &Tx<'_>, user_id: UserId, plan: Plan) -> Result<()> {
    if plan == Plan::ShelfwiseTeam
        && let Some(former) = teams::store::subscribe(tx, user_id, None)?
    {
        billing::store::replace_team_plan(tx, former)?;
    }
    let granted = (plan != Plan::Reader).then_some(plan);
    tx.prepare_cached("UPDATE users SET granted_plan = ?2 WHERE id = ?1")?.execute(params![user_id, granted])?;
    Ok(())
}
