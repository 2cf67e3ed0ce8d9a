//! The API calls of your team.
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;

use super::model::{
    Membership, SeatUsage, Team, TeamMember, TeamRefusal, TeamRole, checked_name, may_change_role, may_remove,
};
use super::{member_view, store};
use crate::access::Viewer;
use crate::kit::db::pool::Db;
use crate::kit::http::extract::{Json, Path};
use crate::kit::http::patch_field::PatchField;
use crate::kit::http::routes::routes;
use crate::kit::id::UserId;
use crate::kit::{App, Error, ErrorCode, Result};

/// The routes of this file.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(current, rename))
        .routes(routes!(found))
        .routes(routes!(seat_usage))
        .routes(routes!(remove))
        .routes(routes!(change_role))
}

impl From<TeamRefusal> for Error {
    fn from(refused: TeamRefusal) -> Self {
        let (code, sentence) = match refused {
            TeamRefusal::Role => return needs_role("Your role in the team does not allow this."),
            TeamRefusal::Owner => {
                (ErrorCode::OwnerStays, "A team needs an owner. Make another member the owner first.")
            }
            TeamRefusal::Unpaid => {
                (ErrorCode::TeamUnpaid, "The team's subscription has ended. It goes on when it is paid for again.")
            }
            TeamRefusal::InATeam => (ErrorCode::InATeam, "You are in a team already. Leave it first."),
            TeamRefusal::InAnothersTeam => (ErrorCode::InATeam, "This account is a member of another person's team."),
            TeamRefusal::SeatsInUse => (ErrorCode::SeatsInUse, "More seats than that are in use."),
            TeamRefusal::HasMembers => {
                (ErrorCode::TeamHasMembers, "Please hand your team over to one of its members first.")
            }
        };
        Self::refused(code, sentence)
    }
}

/// 403: the person's role in the team does not allow this.
pub fn needs_role(sentence: &str) -> Error {
    Error::refused(ErrorCode::TeamRole, sentence)
}

/// Refuses members who are neither owner nor admin.
pub fn require_manager(own: &Membership) -> Result<()> {
    if own.role.manages() { Ok(()) } else { Err(needs_role("Only the team's owner and admins can do this.")) }
}

/// Your team; null without one.
#[derive(Serialize, utoipa::ToSchema)]
struct CurrentTeam {
    /// Null without a team.
    #[schema(required)]
    team: Option<Team>,
}

/// Returns your team.
#[utoipa::path(get, path = "/api/teams/current", operation_id = "getCurrentTeam", tag = "teams", responses((status = 200, body = CurrentTeam), (status = 401)))]
async fn current(State(db): State<Db>, viewer: Viewer) -> Result<axum::Json<CurrentTeam>> {
    let now = db.now();
    let found = db.read(move |conn| {
        let own = store::membership(conn, viewer.user_id)?;
        own.map(|own| member_view::team(conn, &own, now)).transpose()
    });
    Ok(axum::Json(CurrentTeam { team: found.await? }))
}

/// A team after joining or changing it.
#[derive(Serialize, utoipa::ToSchema)]
pub struct TeamResponse {
    /// The team as you see it now.
    pub team: Team,
}

/// The name of a team.
#[derive(Default, Deserialize, utoipa::ToSchema)]
struct TeamRename {
    /// 1 to 100 characters.
    #[schema(required, value_type = String, min_length = 1, max_length = 100)]
    #[serde(default)]
    name: PatchField<String>,
}

/// Creates a team on a private server, where teams are free. A reader can be in one team only.
#[utoipa::path(post, path = "/api/teams", operation_id = "createTeam", tag = "teams", request_body = TeamRename,
    responses((status = 201, body = TeamResponse), (status = 401), (status = 404),
        (status = 409), (status = 422)))]
async fn found(State(app): State<App>, viewer: Viewer, Json(form): Json<TeamRename>) -> Result<impl IntoResponse> {
    if !app.current.get().is_private() {
        return Err(Error::NotFound);
    }
    let name = checked_name(&form.name.value().unwrap_or_default(), "name")?;
    let made = app.db.write(move |tx| {
        let own = store::found(tx, viewer.user_id, &name)?;
        member_view::team(tx, &own, tx.now())
    });
    Ok((StatusCode::CREATED, axum::Json(TeamResponse { team: made.await? })))
}

/// Renames the team. Only the owner and admins can do this.
#[utoipa::path(patch, path = "/api/teams/current", operation_id = "renameTeam", tag = "teams", request_body = TeamRename,
    responses((status = 200, body = TeamResponse), (status = 401), (status = 403), (status = 404), (status = 422)))]
async fn rename(
    State(db): State<Db>,
    viewer: Viewer,
    Json(form): Json<TeamRename>,
) -> Result<axum::Json<TeamResponse>> {
    let renamed = db.write(move |tx| {
        let own = store::member_of(tx, viewer.user_id)?;
        require_manager(&own)?;
        store::rename(tx, own.team_id, &checked_name(&form.name.value().unwrap_or_default(), "name")?)?;
        member_view::team(tx, &own, tx.now())
    });
    Ok(axum::Json(TeamResponse { team: renamed.await? }))
}

/// The seats of your team; null without one.
#[derive(Serialize, utoipa::ToSchema)]
struct CurrentSeatUsage {
    /// How many seats there are, and how many are in use; null without a team.
    #[schema(required)]
    usage: Option<SeatUsage>,
}

/// Returns the seats of your team.
#[utoipa::path(get, path = "/api/teams/seat-usage", operation_id = "getSeatUsage", tag = "teams", responses((status = 200, body = CurrentSeatUsage), (status = 401)))]
async fn seat_usage(State(db): State<Db>, viewer: Viewer) -> Result<axum::Json<CurrentSeatUsage>> {
    let now = db.now();
    let found = db.read(move |conn| {
        let own = store::membership(conn, viewer.user_id)?;
        own.map(|own| store::seats(conn, own.team_id, now)).transpose()
    });
    Ok(axum::Json(CurrentSeatUsage { usage: found.await? }))
}

/// What was done.
#[derive(Serialize, utoipa::ToSchema)]
struct MemberRemovalResponse {
    /// A sentence for a person.
    message: &'static str,
}

/// Removes a member, or leaves the team. Only the owner and admins can remove others. No books change.
#[utoipa::path(delete, path = "/api/teams/members/{userId}", operation_id = "removeMember", tag = "teams", params(("userId" = i64, Path)),
    responses((status = 200, body = MemberRemovalResponse), (status = 401), (status = 403), (status = 404), (status = 409)))]
async fn remove(
    State(db): State<Db>,
    viewer: Viewer,
    Path(user_id): Path<UserId>,
) -> Result<axum::Json<MemberRemovalResponse>> {
    let left = user_id == viewer.user_id;
    let removed = db.write(move |tx| {
        let own = store::member_of(tx, viewer.user_id)?;
        let target = store::find_teammate(tx, &own, user_id)?;
        may_remove(&own, &target)?;
        store::remove(tx, &target)
    });
    removed.await?;
    Ok(axum::Json(MemberRemovalResponse {
        message: if left { "You have left the team." } else { "The member was removed." },
    }))
}

/// The new role of a member.
#[derive(Default, Deserialize, utoipa::ToSchema)]
struct MemberRoleUpdate {
    /// `owner`, `admin` or `member`.
    #[schema(required, value_type = TeamRole)]
    #[serde(default)]
    role: PatchField<TeamRole>,
}

/// The member after the change.
#[derive(Serialize, utoipa::ToSchema)]
struct TeamMemberResponse {
    member: TeamMember,
}

/// Changes a member's role. Only the owner can do this. `owner` hands the team over and makes the former owner an admin.
#[utoipa::path(patch, path = "/api/teams/members/{userId}/role", operation_id = "changeMemberRole", tag = "teams", params(("userId" = i64, Path)), request_body = MemberRoleUpdate,
    responses((status = 200, body = TeamMemberResponse), (status = 401), (status = 403), (status = 404), (status = 409), (status = 422)))]
async fn change_role(
    State(db): State<Db>,
    viewer: Viewer,
    Path(user_id): Path<UserId>,
    Json(form): Json<MemberRoleUpdate>,
) -> Result<axum::Json<TeamMemberResponse>> {
    let changed = db.write(move |tx| {
        let own = store::member_of(tx, viewer.user_id)?;
        let target = store::find_teammate(tx, &own, user_id)?;
        let allowed = may_change_role(&own, &target);
        if allowed == Err(TeamRefusal::Role) {
            return Err(TeamRefusal::Role.into());
        }
        let role = form
            .role
            .value()
            .ok_or_else(|| Error::invalid_field("role", "The role must be owner, admin or member."))?;
        allowed?;
        store::set_role(tx, &target, role)?;
        store::one(tx, &target)
    });
    Ok(axum::Json(TeamMemberResponse { member: changed.await? }))
}
