//! The queries of the operator's list of accounts, and changes of an account.
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::model::{AdminUser, AdminUserUpdate, Filter, PAGE};
use crate::access::Plan;
use crate::access::plan_source::PlanSources;
use crate::account::events::model::{EventKind, EventSource, NewEvent};
use crate::account::events::store::record;
use crate::account::model::email_key;
use crate::account::own::store as own;
use crate::account::user_list;
use crate::admin::analytics::store::last_seen;
use crate::admin::counts::Pending;
use crate::kit::db::pool::Tx;
use crate::kit::id::UserId;
use crate::kit::{Error, Result};
use crate::library::counters;

/// A page of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserPage {
    /// The page's accounts, newest first.
    pub entries: Vec<AdminUser>,
    /// The number of all accounts.
    pub total: usize,
    /// The number of accounts that match the filter, on all pages.
    pub matching: usize,
    /// The cursor of the next page; `None` on the last page.
    pub next: Option<UserId>,
}

const COLUMNS: &str =
    "id, display_name, email, role, (SELECT role FROM members m WHERE m.user_id = users.id) AS team_role, disabled, created_at,
    (SELECT plan FROM paid_plans p WHERE p.user_id = users.id) AS paid_plan, granted_plan,
    EXISTS (SELECT 1 FROM members m JOIN paid_teams t ON t.team_id = m.team_id WHERE m.user_id = users.id) AS in_paid_team";

fn entry(row: &Row<'_>, default: Plan) -> rusqlite::Result<AdminUser> {
    let means = PlanSources {
        default,
        paid: row.get("paid_plan")?,
        granted: row.get("granted_plan")?,
        in_paid_team: row.get("in_paid_team")?,
    };
    Ok(AdminUser {
        id: row.get("id")?,
        display_name: row.get("display_name")?,
        email: row.get("email")?,
        role: row.get("role")?,
        plan: means.effective().0,
        team_role: row.get("team_role")?,
        disabled: row.get("disabled")?,
        created_at: row.get("created_at")?,
        last_active: None,
    })
}

impl Filter {
    fn holds(&self, entry: &AdminUser) -> bool {
        let says = |text: &str| email_key(text).contains(&self.search);
        (self.search.is_empty() || says(&entry.display_name) || says(&entry.email))
            && self.plan.is_none_or(|plan| plan == entry.plan)
            && self.role.is_none_or(|role| role == entry.role)
            && self.disabled.is_none_or(|disabled| disabled == entry.disabled)
    }
}

/// The storage that an account uses.
pub fn usage(conn: &Connection, id: UserId) -> Result<counters::Usage> {
    crate::account::store::find(conn, id)?;
    counters::usage(conn, id)
}

/// A page of accounts. It reads all accounts, because SQLite can't ignore case beyond ASCII.
pub fn page(conn: &Connection, default: Plan, filter: &Filter, pending: &Pending) -> Result<UserPage> {
    let mut query = conn.prepare_cached(&format!("SELECT {COLUMNS} FROM users ORDER BY id DESC"))?;
    let mut page = UserPage { entries: Vec::new(), total: 0, matching: 0, next: None };
    for entry in query.query_map([], |row| entry(row, default))? {
        let entry = entry?;
        page.total += 1;
        if !filter.holds(&entry) {
            continue;
        }
        page.matching += 1;
        if filter.cursor.is_some_and(|last| entry.id >= last) {
            continue;
        }
        if page.entries.len() < PAGE {
            page.entries.push(entry);
        } else {
            page.next = page.entries.last().map(|last| last.id);
        }
    }
    last_active(conn, &mut page.entries, pending)?;
    Ok(page)
}

fn last_active(conn: &Connection, entries: &mut [AdminUser], pending: &Pending) -> Result<()> {
    let unwritten = last_seen(pending).to_string();
    let mut query = conn.prepare_cached(
        "SELECT max(at) FROM (
            SELECT last_at AS at FROM activity_days WHERE user_id = ?1
            UNION ALL SELECT last_seen FROM sessions WHERE user_id = ?1
            UNION ALL SELECT value ->> 1 FROM json_each(?2) WHERE value ->> 0 = ?1)",
    )?;
    for entry in entries {
        entry.last_active = query.query_row(params![entry.id, unwritten], |row| row.get(0))?;
    }
    Ok(())
}

pub fn one(conn: &Connection, user_id: UserId, default: Plan, pending: &Pending) -> Result<AdminUser> {
    let mut found = [find(conn, user_id, default)?];
    last_active(conn, &mut found, pending)?;
    let [found] = found;
    Ok(found)
}

/// Changes an account on behalf of an operator, and records the change. An account that is demoted or disabled is signed out.
///
/// # Errors
/// [`Error::NotFound`] when there is none; [`Error::Invalid`] for a wrong value; the refusals of the last operator, and of the team plan
/// for a member of another's team.
pub fn change(
    tx: &Tx<'_>,
    user_id: UserId,
    default: Plan,
    form: AdminUserUpdate,
    operator: UserId,
    source: &EventSource,
) -> Result<()> {
    let note = |kind| record(tx, &NewEvent::operator(kind, operator, user_id, source));
    let former = find(tx, user_id, default)?;
    let change = form.checked()?;
    if let Some(role) = change.role.filter(|role| *role != former.role) {
        own::set_role(tx, user_id, role)?;
        note(EventKind::RoleChanged)?;
    }
    if let Some(disabled) = change.disabled.filter(|disabled| *disabled != former.disabled) {
        own::set_disabled(tx, user_id, disabled)?;
        note(if disabled { EventKind::AccountDisabled } else { EventKind::AccountEnabled })?;
    }
    if let Some(plan) = change.plan {
        user_list::grant(tx, user_id, plan)?;
        note(EventKind::PlanChanged)?;
    }
    Ok(())
}

fn find(conn: &Connection, user_id: UserId, default: Plan) -> Result<AdminUser> {
    let mut query = conn.prepare_cached(&format!("SELECT {COLUMNS} FROM users WHERE id = ?1"))?;
    query.query_row([user_id], |row| entry(row, default)).optional()?.ok_or(Error::NotFound)
}
