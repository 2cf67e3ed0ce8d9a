//! A team as one of its members sees it: members, plan and pending invitations.
use chrono::{DateTime, Utc};
use rusqlite::Connection;

use super::model::{Membership, Team, TeamRole};
use super::{invitations, store};
use crate::kit::{Error, Result};

/// The team of a member at a given time. Only owner and admins see its invitations.
pub fn team(conn: &Connection, own: &Membership, now: DateTime<Utc>) -> Result<Team> {
    let members = store::members(conn, own.team_id)?;
    let owner = members.iter().find(|one| one.role == TeamRole::Owner).map(|one| one.user.clone());
    let invitations =
        if own.role.manages() { invitations::store::pending(conn, own.team_id, now)? } else { Vec::new() };
    Ok(Team {
        id: own.team_id,
        name: store::name(conn, own.team_id)?,
        role: own.role,
        owner: owner.ok_or_else(|| Error::internal("a team without an owner"))?,
        subscription: store::subscription(conn, own.team_id)?,
        members,
        invitations,
    })
}
