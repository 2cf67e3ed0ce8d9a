//! The tables of teams and their members.
use chrono::{DateTime, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, params};

use super::model::{
    MOST_ADDON_SEATS, Membership, SeatUsage, TeamId, TeamMember, TeamPerson, TeamRefusal, TeamRole, TeamSubscription,
    first_name,
};
use crate::kit::db::pool::{Tx, instant};
use crate::kit::id::UserId;
use crate::kit::{Error, Result};

/// Members with the shown fields of their accounts; the caller appends a `WHERE`.
const MEMBERS: &str = "SELECT m.id, m.user_id, m.role, m.joined_at, u.display_name, u.email
    FROM members m JOIN users u ON u.id = m.user_id";

fn member(row: &Row<'_>) -> rusqlite::Result<TeamMember> {
    Ok(TeamMember {
        id: row.get("id")?,
        user_id: row.get("user_id")?,
        role: row.get("role")?,
        joined_at: row.get("joined_at")?,
        user: TeamPerson { display_name: row.get("display_name")?, email: row.get("email")? },
    })
}

/// The membership of a user.
pub fn membership(conn: &Connection, user_id: UserId) -> Result<Option<Membership>> {
    let mut query = conn.prepare_cached("SELECT team_id, role FROM members WHERE user_id = ?1")?;
    let found = query.query_row([user_id], |row| Ok(Membership { team_id: row.get(0)?, user_id, role: row.get(1)? }));
    Ok(found.optional()?)
}

/// Like [`membership`], for calls that exist only for teams.
///
/// # Errors
/// [`Error::NotFound`] outside a team.
pub fn member_of(conn: &Connection, user_id: UserId) -> Result<Membership> {
    membership(conn, user_id)?.ok_or(Error::NotFound)
}

/// A user's membership in the same team.
pub fn find_teammate(conn: &Connection, own: &Membership, user_id: UserId) -> Result<Membership> {
    membership(conn, user_id)?.filter(|other| other.team_id == own.team_id).ok_or(Error::NotFound)
}

/// Whether a team is paid for.
pub fn is_paid(conn: &Connection, team_id: TeamId) -> Result<bool> {
    let mut query = conn.prepare_cached("SELECT EXISTS (SELECT 1 FROM paid_teams WHERE team_id = ?1)")?;
    Ok(query.query_row([team_id], |row| row.get(0))?)
}

/// The current subscription of a team.
pub fn subscription(conn: &Connection, team_id: TeamId) -> Result<TeamSubscription> {
    let mut query = conn.prepare_cached("SELECT status, billing_interval FROM paid_teams WHERE team_id = ?1")?;
    let found = query.query_row([team_id], |row| Ok(TeamSubscription::paid(row.get(0)?, row.get(1)?)));
    Ok(found.optional()?.unwrap_or_else(TeamSubscription::ended))
}

/// Refuses actions that only a paid team may do.
pub fn require_paid(conn: &Connection, team_id: TeamId) -> Result<()> {
    if is_paid(conn, team_id)? {
        return Ok(());
    }
    Err(TeamRefusal::Unpaid.into())
}

/// The name of a team.
pub fn name(conn: &Connection, team_id: TeamId) -> Result<String> {
    let mut query = conn.prepare_cached("SELECT name FROM teams WHERE id = ?1")?;
    Ok(query.query_row([team_id], |row| row.get(0))?)
}

/// The members of a team: the owner first, then in the order of joining.
pub fn members(conn: &Connection, team_id: TeamId) -> Result<Vec<TeamMember>> {
    let mut query =
        conn.prepare_cached(&format!("{MEMBERS} WHERE m.team_id = ?1 ORDER BY m.role = 'owner' DESC, m.id"))?;
    let found = query.query_map([team_id], member)?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

/// One member with all fields.
pub fn one(conn: &Connection, of: &Membership) -> Result<TeamMember> {
    let mut query = conn.prepare_cached(&format!("{MEMBERS} WHERE m.team_id = ?1 AND m.user_id = ?2"))?;
    query.query_row((of.team_id, of.user_id), member).optional()?.ok_or(Error::NotFound)
}

/// A member who shares with the team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sharing {
    pub user_id: UserId,
    pub display_name: String,
}

/// The members who share their finished books, in the order of joining.
pub fn sharing(conn: &Connection, team_id: TeamId) -> Result<Vec<Sharing>> {
    let mut query = conn.prepare_cached(
        "SELECT m.user_id, u.display_name FROM members m JOIN users u ON u.id = m.user_id
         JOIN preferences p ON p.user_id = m.user_id AND p.share_with_team = 1 WHERE m.team_id = ?1 ORDER BY m.id",
    )?;
    let found = query.query_map([team_id], |row| Ok(Sharing { user_id: row.get(0)?, display_name: row.get(1)? }))?;
    Ok(found.collect::<rusqlite::Result<_>>()?)
}

/// The seats of a team at a given time.
pub fn seats(conn: &Connection, team_id: TeamId, now: DateTime<Utc>) -> Result<SeatUsage> {
    let mut query = conn.prepare_cached(
        "SELECT (SELECT count(*) FROM members m WHERE m.team_id = t.id) AS members,
            (SELECT count(*) FROM invitations i WHERE i.team_id = t.id AND i.email IS NOT NULL AND i.expires_at > ?2) AS invited,
            addon_seats, (SELECT billing_interval FROM paid_teams p WHERE p.team_id = t.id) AS billing_interval,
            (SELECT private FROM server_instance) AS private FROM teams t WHERE id = ?1",
    )?;
    let usage = query.query_row(params![team_id, instant(now)], |row| {
        let members = row.get("members")?;
        let invited = row.get("invited")?;
        Ok(match row.get("private")? {
            true => SeatUsage::private(members, invited),
            false => SeatUsage::of(row.get("billing_interval")?, members, invited, row.get("addon_seats")?),
        })
    });
    Ok(usage?)
}

/// Makes a user's plan pay for a team: the team that the user owns, which it revives, or a new one with that name. Returns the
/// former payer.
///
/// # Errors
/// [`TeamRefusal::InAnothersTeam`]; the database's.
pub fn subscribe(tx: &Tx<'_>, user_id: UserId, name: Option<&str>) -> Result<Option<UserId>> {
    let own = membership(tx, user_id)?;
    if own.is_some_and(|own| own.role != TeamRole::Owner) {
        return Err(TeamRefusal::InAnothersTeam.into());
    }
    let team_id = match own {
        Some(own) => own.team_id,
        None => make(tx, user_id, name)?,
    };
    let former = payer(tx, team_id)?.filter(|payer| *payer != user_id);
    tx.prepare_cached("UPDATE teams SET payer_id = NULL WHERE payer_id = ?1")?.execute([user_id])?;
    tx.prepare_cached("UPDATE teams SET payer_id = ?2 WHERE id = ?1")?.execute((team_id, user_id))?;
    Ok(former)
}

/// The account whose plan pays for a team.
pub fn payer(conn: &Connection, team_id: TeamId) -> Result<Option<UserId>> {
    let mut query = conn.prepare_cached("SELECT payer_id FROM teams WHERE id = ?1")?;
    Ok(query.query_row([team_id], |row| row.get(0)).optional()?.flatten())
}

/// The team that a user's plan pays for.
pub fn paid_by(conn: &Connection, user_id: UserId) -> Result<Option<TeamId>> {
    let mut query = conn.prepare_cached("SELECT id FROM teams WHERE payer_id = ?1")?;
    Ok(query.query_row([user_id], |row| row.get(0)).optional()?)
}

/// Creates a team on a private server.
///
/// # Errors
/// [`TeamRefusal::InATeam`] for a member of a team.
pub fn found(tx: &Tx<'_>, user_id: UserId, name: &str) -> Result<Membership> {
    if membership(tx, user_id)?.is_some() {
        return Err(TeamRefusal::InATeam.into());
    }
    let team_id = make(tx, user_id, Some(name))?;
    Ok(Membership { team_id, user_id, role: TeamRole::Owner })
}

fn make(tx: &Tx<'_>, user_id: UserId, name: Option<&str>) -> Result<TeamId> {
    let owner: String = tx
        .prepare_cached("SELECT display_name FROM users WHERE id = ?1")?
        .query_row([user_id], |row| row.get(0))
        .optional()?
        .ok_or(Error::NotFound)?;
    let name = name.map_or_else(|| first_name(&owner), str::to_owned);
    tx.prepare_cached("INSERT INTO teams (name, created_at) VALUES (?1, ?2)")?.execute(params![name, tx.stamp()])?;
    let team_id = TeamId(tx.last_insert_rowid());
    join(tx, &Membership { team_id, user_id, role: TeamRole::Owner })?;
    Ok(team_id)
}

/// Adds a member to a team.
///
/// # Errors
/// [`TeamRefusal::InATeam`] for somebody who is in one already.
pub fn join(tx: &Tx<'_>, new: &Membership) -> Result<()> {
    let made = tx
        .prepare_cached(
            "INSERT INTO members (team_id, user_id, role, joined_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (user_id) DO NOTHING",
        )?
        .execute(params![new.team_id, new.user_id, new.role, tx.stamp()])?;
    if made == 0 { Err(TeamRefusal::InATeam.into()) } else { Ok(()) }
}

/// Sets whether a user shares finished books with the team.
pub fn set_sharing(tx: &Tx<'_>, user_id: UserId, shares: bool) -> Result<()> {
    tx.prepare_cached("UPDATE preferences SET share_with_team = ?2 WHERE user_id = ?1")?
        .execute(params![user_id, shares])?;
    Ok(())
}

/// Removes a member from a team. The books remain the member's, and are no longer shared.
pub fn remove(tx: &Tx<'_>, gone: &Membership) -> Result<()> {
    tx.prepare_cached("DELETE FROM members WHERE team_id = ?1 AND user_id = ?2 AND role <> 'owner'")?
        .execute((gone.team_id, gone.user_id))?;
    set_sharing(tx, gone.user_id, false)
}

/// Changes a member's role. A new owner makes the former one an admin, in the same transaction.
pub fn set_role(tx: &Tx<'_>, of: &Membership, new: TeamRole) -> Result<()> {
    if new == TeamRole::Owner {
        tx.prepare_cached("UPDATE members SET role = 'admin' WHERE team_id = ?1 AND role = 'owner'")?
            .execute([of.team_id])?;
    }
    tx.prepare_cached("UPDATE members SET role = ?3 WHERE team_id = ?1 AND user_id = ?2")?
        .execute(params![of.team_id, of.user_id, new])?;
    Ok(())
}

pub fn rename(tx: &Tx<'_>, team_id: TeamId, name: &str) -> Result<()> {
    tx.prepare_cached("UPDATE teams SET name = ?2 WHERE id = ?1")?.execute(params![team_id, name])?;
    Ok(())
}

/// Stores the number of paid add-on seats, regardless of the seats in use, up to the maximum.
pub fn put_addon_seats(tx: &Tx<'_>, team_id: TeamId, seats: u32) -> Result<()> {
    tx.prepare_cached("UPDATE teams SET addon_seats = ?2 WHERE id = ?1")?
        .execute(params![team_id, seats.min(MOST_ADDON_SEATS)])?;
    Ok(())
}

/// Sets the number of add-on seats of a team.
///
/// # Errors
/// [`TeamRefusal::SeatsInUse`] below what is taken.
pub fn set_addon_seats(tx: &Tx<'_>, team_id: TeamId, seats_wanted: u32) -> Result<SeatUsage> {
    put_addon_seats(tx, team_id, seats_wanted)?;
    let usage = seats(tx, team_id, tx.now())?;
    if usage.used() > usage.seat_limit {
        return Err(TeamRefusal::SeatsInUse.into());
    }
    Ok(usage)
}

/// Refuses to delete the owner of a team that has other members.
pub fn check_deletable(conn: &Connection, user_id: UserId) -> Result<()> {
    match membership(conn, user_id)?.filter(|own| own.role == TeamRole::Owner) {
        Some(own) if members(conn, own.team_id)?.len() > 1 => Err(TeamRefusal::HasMembers.into()),
        _ => Ok(()),
    }
}

/// A team without a name of its own is named after its creator. When the creator's account is deleted, it gets the owner's name.
fn name_after_its_owner(tx: &Tx<'_>, going: &Membership) -> Result<()> {
    let name = |role: &str| {
        let sql = format!(
            "SELECT u.display_name FROM members m JOIN users u ON u.id = m.user_id WHERE m.team_id = ?1 AND {role}"
        );
        tx.prepare_cached(&sql)?.query_row(params![going.team_id, going.user_id], |row| row.get::<_, String>(0))
    };
    let (former, owner) = (name("m.user_id = ?2")?, name("m.role = 'owner' AND ?2 > 0")?);
    tx.prepare_cached("UPDATE teams SET name = ?2 WHERE id = ?1 AND name = ?3")?.execute(params![
        going.team_id,
        first_name(&owner),
        first_name(&former)
    ])?;
    Ok(())
}

/// Deletes what an account has in teams: a team without other members, and invitations to its address.
pub fn delete_team_data(tx: &Tx<'_>, user_id: UserId) -> Result<()> {
    check_deletable(tx, user_id)?;
    match membership(tx, user_id)? {
        Some(own) if own.role == TeamRole::Owner => {
            tx.prepare_cached("DELETE FROM teams WHERE id = ?1")?.execute([own.team_id])?;
        }
        Some(own) => name_after_its_owner(tx, &own)?,
        None => {}
    }
    for sql in [
        "DELETE FROM invitations WHERE email_key = (SELECT email_key FROM users WHERE id = ?1)",
        "DELETE FROM server_invitations WHERE email_key = (SELECT email_key FROM users WHERE id = ?1)",
    ] {
        tx.prepare_cached(sql)?.execute([user_id])?;
    }
    Ok(())
}
