//! The fields of teams, and the permissions in them (docs/rules.md, "Teams").
use serde::Serialize;

use crate::access::{BillingInterval, Plan};
use crate::kit::FieldErrors;
use crate::kit::id::{UserId, id};
use crate::kit::named::named;
use crate::kit::timestamp::Timestamp;

/// The longest name of a team or a challenge, in characters.
pub const LONGEST_NAME: usize = 100;
/// Seats included in the plan with monthly billing.
pub const BASE_SEATS_MONTHLY: u32 = 6;
/// Seats included in the plan otherwise.
pub const BASE_SEATS: u32 = 10;
/// The most seats beyond those of the plan.
pub const MOST_ADDON_SEATS: u32 = 1000;
/// Seats of a team on a private server.
pub const PRIVATE_SEATS: u32 = 50;

id! {
    /// The number of a team.
    TeamId
}

named! {
    /// A person's role in a team. No role gives access to another person's library.
    TeamRole {
        /// Every team has exactly one.
        Owner = "owner",
        /// Invites people and removes members.
        Admin = "admin",
        /// Has no further rights.
        Member = "member",
    }
}

impl TeamRole {
    /// Whether the role may invite people, rename the team and set its challenges.
    pub fn manages(self) -> bool {
        self != Self::Member
    }
}

/// A person's membership in a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Membership {
    pub team_id: TeamId,
    pub user_id: UserId,
    pub role: TeamRole,
}

/// Why a change of a team or of its members is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TeamRefusal {
    /// The person's role does not allow it.
    Role,
    /// A team always has an owner.
    Owner,
    /// Nobody pays for the team.
    Unpaid,
    /// Somebody who is in a team can't join one.
    InATeam,
    /// A member of another person's team can't own a team.
    InAnothersTeam,
    /// More seats are taken than would be left.
    SeatsInUse,
    /// The owner of a team with other members can't go.
    HasMembers,
}

/// Whether a member may remove another member, or leave.
///
/// # Errors
/// [`TeamRefusal::Role`] for members, and for admins who remove anybody but a member; [`TeamRefusal::Owner`] for an owner who
/// leaves.
pub fn may_remove(actor: &Membership, target: &Membership) -> Result<(), TeamRefusal> {
    let oneself = actor.user_id == target.user_id;
    match (actor.role, target.role) {
        (TeamRole::Owner, TeamRole::Owner) => Err(TeamRefusal::Owner),
        (TeamRole::Owner, _) | (TeamRole::Admin, TeamRole::Member) => Ok(()),
        _ if oneself => Ok(()),
        _ => Err(TeamRefusal::Role),
    }
}

/// Whether a member may change another's role.
///
/// # Errors
/// [`TeamRefusal::Role`] for anybody but the owner; [`TeamRefusal::Owner`] for the owner's own role, which changes only when another
/// member becomes the owner.
pub fn may_change_role(actor: &Membership, target: &Membership) -> Result<(), TeamRefusal> {
    match (actor.role, target.role) {
        (TeamRole::Owner, TeamRole::Owner) => Err(TeamRefusal::Owner),
        (TeamRole::Owner, _) => Ok(()),
        _ => Err(TeamRefusal::Role),
    }
}

/// Validates a name of up to 100 characters; `field` is the field of the error.
///
/// # Errors
/// It is blank, too long or holds a NUL character.
pub fn checked_name(name: &str, field: &str) -> Result<String, FieldErrors> {
    let (name, mut errors) = (name.trim(), FieldErrors::new());
    if name.is_empty() {
        errors.add(field, "Please enter a name.");
    } else if name.chars().count() > LONGEST_NAME {
        errors.add(field, format!("This can have at most {LONGEST_NAME} characters."));
    } else if name.contains('\0') {
        errors.add(field, "This can't contain a NUL character.");
    }
    if errors.is_empty() { Ok(name.to_owned()) } else { Err(errors) }
}

/// The default name of a team.
pub fn first_name(owner: &str) -> String {
    const BEHIND: &str = "'s Team";
    let room = LONGEST_NAME - BEHIND.chars().count();
    owner.chars().take(room).chain(BEHIND.chars()).collect()
}

/// The seats of a team, and how many are in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SeatUsage {
    /// The number of members.
    pub current_members: u32,
    /// Valid invitations, each of which holds a seat.
    pub pending_invitations: u32,
    /// Base and add-on seats together.
    pub seat_limit: u32,
    /// The number of free seats.
    pub available_seats: u32,
    /// Seats beyond those of the plan.
    pub addon_seats: u32,
    /// Seats included in the plan.
    pub base_seats: u32,
}

impl SeatUsage {
    /// The seats of a team. `interval` is the billing interval of its plan.
    pub fn of(
        interval: Option<BillingInterval>,
        current_members: u32,
        pending_invitations: u32,
        addon_seats: u32,
    ) -> Self {
        let base_seats = if interval == Some(BillingInterval::Monthly) { BASE_SEATS_MONTHLY } else { BASE_SEATS };
        let seat_limit = base_seats + addon_seats;
        let available_seats = seat_limit.saturating_sub(current_members + pending_invitations);
        Self { current_members, pending_invitations, seat_limit, available_seats, addon_seats, base_seats }
    }

    /// The seats of a team on a private server.
    pub fn private(current_members: u32, pending_invitations: u32) -> Self {
        let available_seats = PRIVATE_SEATS.saturating_sub(current_members + pending_invitations);
        Self {
            current_members,
            pending_invitations,
            seat_limit: PRIVATE_SEATS,
            available_seats,
            addon_seats: 0,
            base_seats: PRIVATE_SEATS,
        }
    }

    /// The add-on seats that the members need with a billing interval. Pending invitations are not counted.
    pub fn needed_beyond(&self, interval: BillingInterval) -> u32 {
        self.current_members.saturating_sub(Self::of(Some(interval), 0, 0, 0).base_seats)
    }

    /// Members and pending invitations.
    pub fn used(&self) -> u32 {
        self.current_members + self.pending_invitations
    }
}

/// Name and address of a person in the team, as the others see them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamPerson {
    /// The display name.
    pub display_name: String,
    /// The e-mail address as its owner entered it.
    pub email: String,
}

/// A member of a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamMember {
    /// The membership's id.
    pub id: i64,
    /// The account's id.
    #[schema(value_type = i64)]
    pub user_id: UserId,
    /// Owner, admin or member.
    pub role: TeamRole,
    /// RFC 3339, UTC.
    #[schema(value_type = String)]
    pub joined_at: Timestamp,
    /// Name and address.
    pub user: TeamPerson,
}

/// A valid invitation, as owner and admins see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamInvitation {
    /// The invitation's id.
    pub id: i64,
    /// The invited e-mail address as it was entered.
    pub email: String,
    /// RFC 3339, UTC; the time of the latest renewal.
    #[schema(value_type = String)]
    pub created_at: Timestamp,
    /// RFC 3339, UTC.
    #[schema(value_type = String)]
    pub expires_at: Timestamp,
    /// The absolute link to send; only present when the invitation was just created, because it can't be read again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false, value_type = String)]
    pub invite_url: Option<String>,
}

/// The subscription that pays for the team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamSubscription {
    /// `active`, the payment provider's status, or `ended` when nobody pays any more.
    pub status: String,
    /// Null for a plan that was not bought.
    #[schema(required)]
    pub billing_interval: Option<BillingInterval>,
    /// The plan of the team's members.
    pub plan: Plan,
}

impl TeamSubscription {
    /// A subscription that has ended.
    pub fn ended() -> Self {
        Self { status: "ended".into(), billing_interval: None, plan: Plan::Reader }
    }

    /// A running subscription.
    pub fn paid(status: String, billing_interval: Option<BillingInterval>) -> Self {
        Self { status, billing_interval, plan: Plan::ShelfwiseTeam }
    }
}

/// A team as one of its members sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Team {
    /// The team's id.
    #[schema(value_type = i64)]
    pub id: TeamId,
    /// 1 to 100 characters.
    pub name: String,
    /// The viewer's own role.
    pub role: TeamRole,
    /// The person who owns the team.
    pub owner: TeamPerson,
    /// The subscription that pays for it.
    pub subscription: TeamSubscription,
    /// The owner first, then in the order of joining.
    pub members: Vec<TeamMember>,
    /// Valid invitations; empty for members without the right to invite.
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
        assert_eq!(SeatUsage::of(Some(BillingInterval::Annual), 9, 0, 1).available_seats, 2);
        assert_eq!(SeatUsage::of(Some(BillingInterval::Monthly), 5, 0, 0).available_seats, 1);
    }
}
