//! What a team is made of, and who may change what in it (docs/rules.md, "Teams").
use serde::{Deserialize, Serialize};

use crate::access::{Interval, Plan};
use crate::kit::FieldErrors;

/// Longest name of a team and of what it sets itself, in characters.
pub const LONGEST_NAME: usize = 100;
/// Seats that the plan brings when it is paid by the month.
pub const BASE_SEATS_MONTHLY: u32 = 6;
/// Seats that the plan brings otherwise.
pub const BASE_SEATS: u32 = 10;
/// The most seats beyond those of the plan.
pub const MOST_ADDON_SEATS: u32 = 1000;

/// What somebody is in a team; this opens nobody's library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TeamRole {
    /// One a team, always.
    Owner,
    /// Invites, and removes members.
    Admin,
    /// Reads along.
    Member,
}

impl TeamRole {
    /// Every role, the highest first.
    pub const ALL: [Self; 3] = [Self::Owner, Self::Admin, Self::Member];

    /// The contract name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Admin => "admin",
            Self::Member => "member",
        }
    }

    /// The role of a contract name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// Whether it invites, names the team and sets its challenges.
    pub fn manages(self) -> bool {
        self != Self::Member
    }
}

/// Somebody's place in a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Membership {
    /// Which team.
    pub team_id: i64,
    /// Who.
    pub user_id: i64,
    /// As what.
    pub role: TeamRole,
}

/// Why somebody may not do something to a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// Their role does not reach that far.
    Role,
    /// A team is never without its owner.
    Owner,
}

/// Whether one member may take another, or oneself, out of the team.
///
/// # Errors
/// [`Refused::Role`] for members, and for admins who remove anybody but a member; [`Refused::Owner`] for an owner who leaves.
pub fn may_remove(actor: &Membership, target: &Membership) -> Result<(), Refused> {
    let oneself = actor.user_id == target.user_id;
    match (actor.role, target.role) {
        (TeamRole::Owner, TeamRole::Owner) => Err(Refused::Owner),
        (TeamRole::Owner, _) | (TeamRole::Admin, TeamRole::Member) => Ok(()),
        _ if oneself => Ok(()),
        _ => Err(Refused::Role),
    }
}

/// Whether a member may give another a new role.
///
/// # Errors
/// [`Refused::Role`] for anybody but the owner; [`Refused::Owner`] for the owner's own role, which changes only when another
/// member becomes the owner.
pub fn may_change_role(actor: &Membership, target: &Membership) -> Result<(), Refused> {
    match (actor.role, target.role) {
        (TeamRole::Owner, TeamRole::Owner) => Err(Refused::Owner),
        (TeamRole::Owner, _) => Ok(()),
        _ => Err(Refused::Role),
    }
}

/// A checked name of up to 100 characters; `field` is where its sentence belongs.
///
/// # Errors
/// It is blank, too long or holds a NUL character.
pub fn checked_name(name: &str, field: &str) -> Result<String, FieldErrors> {
    let (name, mut errors) = (name.trim(), FieldErrors::new());
    if name.is_empty() {
        errors.add(field, "Please enter a name.");
    } else if name.chars().count() > LONGEST_NAME {
        errors.add(field, format!("This has at most {LONGEST_NAME} characters."));
    } else if name.contains('\0') {
        errors.add(field, "This can't contain a NUL character.");
    }
    if errors.is_empty() { Ok(name.to_owned()) } else { Err(errors) }
}

/// What a team is called before anybody names it.
pub fn first_name(owner: &str) -> String {
    const BEHIND: &str = "'s Team";
    let room = LONGEST_NAME - BEHIND.chars().count();
    owner.chars().take(room).chain(BEHIND.chars()).collect()
}

/// How many seats there are, and who holds them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeatUsage {
    /// Who is in the team.
    pub current_members: u32,
    /// Invitations that still stand: each holds a seat.
    pub pending_invitations: u32,
    /// Base and add-on seats together.
    pub seat_limit: u32,
    /// What is left.
    pub available_seats: u32,
    /// Seats beyond those of the plan.
    pub addon_seats: u32,
    /// Seats that the plan brings.
    pub base_seats: u32,
}

impl SeatUsage {
    /// The seats of a team on which so many are taken, and whose plan is paid so often.
    pub fn of(interval: Option<Interval>, current_members: u32, pending_invitations: u32, addon_seats: u32) -> Self {
        let base_seats = if interval == Some(Interval::Monthly) { BASE_SEATS_MONTHLY } else { BASE_SEATS };
        let seat_limit = base_seats + addon_seats;
        let available_seats = seat_limit.saturating_sub(current_members + pending_invitations);
        Self { current_members, pending_invitations, seat_limit, available_seats, addon_seats, base_seats }
    }

    /// The add-on seats that the members sit on where the plan is paid so often; who is only invited may come too late.
    pub fn needed_beyond(&self, interval: Interval) -> u32 {
        self.current_members.saturating_sub(Self::of(Some(interval), 0, 0, 0).base_seats)
    }

    /// Members and pending invitations.
    pub fn used(&self) -> u32 {
        self.current_members + self.pending_invitations
    }
}

/// Who somebody of the team is, as the others see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamPerson {
    /// How the product calls this person.
    pub display_name: String,
    /// As typed.
    pub email: String,
}

/// Somebody in a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamMember {
    /// The membership's number.
    pub id: i64,
    /// The account's number.
    pub user_id: i64,
    /// Owner, admin or member.
    pub role: TeamRole,
    /// RFC 3339, UTC.
    pub joined_at: String,
    /// Name and address.
    pub user: TeamPerson,
}

/// An invitation that still stands, as owner and admins see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamInvitation {
    /// The invitation's number.
    pub id: i64,
    /// As typed.
    pub email: String,
    /// RFC 3339, UTC; of the latest renewal.
    pub created_at: String,
    /// RFC 3339, UTC.
    pub expires_at: String,
    /// The link to send, absolute; only where the invitation was just made, as nobody can read it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = String)]
    pub invite_url: Option<String>,
}

/// What the team lives on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamSubscription {
    /// `active`, the payment provider's word, or `ended` when nobody pays any more.
    pub status: String,
    /// Null for a plan that was not bought.
    #[schema(required)]
    pub billing_interval: Option<Interval>,
    /// The plan that the team gives its members.
    pub plan: Plan,
}

impl TeamSubscription {
    /// What is left of one that nobody pays any more.
    pub fn ended() -> Self {
        Self { status: "ended".into(), billing_interval: None, plan: Plan::Reader }
    }

    /// The subscription of a team that is paid for.
    pub fn paid(status: String, billing_interval: Option<Interval>) -> Self {
        Self { status, billing_interval, plan: Plan::ShelfwiseTeam }
    }
}

/// A team as one of its members sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Team {
    /// The team's number.
    pub id: i64,
    /// 1 to 100 characters.
    pub name: String,
    /// One's own.
    pub role: TeamRole,
    /// Who owns it.
    pub owner: TeamPerson,
    /// What it lives on.
    pub subscription: TeamSubscription,
    /// The owner first, then as they joined.
    pub members: Vec<TeamMember>,
    /// Those that still stand; empty for members.
    pub invitations: Vec<TeamInvitation>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_team_without_a_name_is_its_owners_however_long_they_are_called() {
        assert_eq!(first_name("Nora"), "Nora's Team");
        let long = first_name(&"é".repeat(100));
        assert!(long.ends_with("é's Team") && checked_name(&long, "name").is_ok());
        assert_eq!(long.chars().count(), LONGEST_NAME);
    }

    #[test]
    fn seats_in_use_beyond_the_limit_leave_none() {
        let full = SeatUsage::of(None, 9, 3, 1);
        assert_eq!((full.seat_limit, full.used(), full.available_seats), (11, 12, 0));
        assert_eq!(SeatUsage::of(Some(Interval::Annual), 9, 0, 1).available_seats, 2);
        assert_eq!(SeatUsage::of(Some(Interval::Monthly), 5, 0, 0).available_seats, 1);
    }
}
