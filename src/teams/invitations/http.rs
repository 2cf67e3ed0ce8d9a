//! The API calls of invitations.
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;

use super::store::{self, InvitationRefusal};
use super::to_server;
use crate::access::Viewer;
use crate::kit::current::CurrentConfig;
use crate::kit::db::pool::Db;
use crate::kit::http::extract::{ClientIp, Json, Path};
use crate::kit::http::patch_field::PatchField;
use crate::kit::http::routes::routes;
use crate::kit::http::session::{Token, TokenHash};
use crate::kit::http::throttle::LoginThrottle;
use crate::kit::mail::address;
use crate::kit::mail::mailer::Mailer;
use crate::kit::timestamp::Timestamp;
use crate::kit::{App, Error, ErrorCode, FieldErrors, Result};
use crate::teams::http::{TeamResponse, require_manager};
use crate::teams::invitations::email;
use crate::teams::member_view;
use crate::teams::model::TeamInvitation;
use crate::teams::store as teams;

/// The routes of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(invite))
        .routes(routes!(take_back))
        .routes(routes!(look))
        .routes(routes!(accept))
        .routes(routes!(decline))
}

impl From<InvitationRefusal> for Error {
    fn from(refused: InvitationRefusal) -> Self {
        match refused {
            InvitationRefusal::Unknown => Self::NotFound,
            InvitationRefusal::Over { team, inviter, masked_email } => {
                let sentence = "This invitation was used or has expired. Please ask for a new one.";
                let over =
                    Self::refused(ErrorCode::InvitationOver, sentence).with("team", team).with("inviter", inviter);
                match masked_email {
                    Some(email) => over.with("email", email),
                    None => over,
                }
            }
            InvitationRefusal::OtherAddress { masked_email } => {
                let sentence = format!("This invitation is for {masked_email}. Log in with that address.");
                Self::refused(ErrorCode::OtherAddress, sentence).with("email", masked_email)
            }
            InvitationRefusal::AlreadyMember => {
                Self::refused(ErrorCode::AlreadyMember, "Someone with this email address is in the team already.")
            }
            InvitationRefusal::NoSeats => {
                Self::refused(ErrorCode::NoSeats, "No seats are available. Add seats, or revoke an invitation.")
            }
            InvitationRefusal::TeamFull => {
                Self::refused(ErrorCode::NoSeats, "The team has no free seat any more. Ask the person who invited you.")
            }
            InvitationRefusal::TooManyToday { limit } => {
                let sentence = format!("At most {limit} people can be invited per day. Please continue tomorrow.");
                Self::refused(ErrorCode::TooManyInvitations, sentence)
            }
        }
    }
}

/// Who is invited to the team.
#[derive(Default, Deserialize, utoipa::ToSchema)]
struct TeamInvitationCreate {
    /// At most 254 characters.
    #[schema(required, value_type = String, min_length = 3, max_length = 254)]
    #[serde(default)]
    email: PatchField<String>,
}

/// The invitation that was made or renewed.
#[derive(Serialize, utoipa::ToSchema)]
struct TeamInvitationResponse {
    invitation: TeamInvitation,
}

/// Invites an address for seven days, or renews its invitation. Only the owner and admins can do this. The link is shown only
/// once, and is sent by e-mail when mail is configured.
#[utoipa::path(post, path = "/api/teams/invite", operation_id = "inviteMember", tag = "teams", request_body = TeamInvitationCreate,
    responses((status = 201, body = TeamInvitationResponse), (status = 401), (status = 403), (status = 404), (status = 409), (status = 422)))]
async fn invite(
    State(db): State<Db>,
    State(current): State<CurrentConfig>,
    State(mail): State<Mailer>,
    viewer: Viewer,
    Json(form): Json<TeamInvitationCreate>,
) -> Result<impl IntoResponse> {
    let token = Token::new()?;
    let hash = token.hash();
    let made = db.write(move |tx| {
        let own = teams::member_of(tx, viewer.user_id)?;
        require_manager(&own)?;
        let (address, mut errors) = (form.email.value().unwrap_or_default(), FieldErrors::new());
        let address = address.trim();
        address::check(address, &mut errors);
        errors.into_result()?;
        Ok((store::invite(tx, &own, address, hash)?, store::find_valid(tx, hash, tx.now())?))
    });
    let (mut invitation, valid) = made.await?;
    let server = current.get().identity();
    let url = format!("{}/invite/{}", server.url, token.text());
    mail.post(email::invitation(valid.email, &valid.inviter, &valid.team, &server, url.clone()));
    invitation.invite_url = Some(url);
    Ok((StatusCode::CREATED, axum::Json(TeamInvitationResponse { invitation })))
}

/// Revokes an invitation. Only the owner and admins can do this.
#[utoipa::path(delete, path = "/api/teams/invitations/{id}", operation_id = "deleteInvitation", tag = "teams", params(("id" = i64, Path)),
    responses((status = 204), (status = 401), (status = 403), (status = 404)))]
async fn take_back(State(db): State<Db>, viewer: Viewer, Path(id): Path<i64>) -> Result<StatusCode> {
    let taken = db.write(move |tx| {
        let own = teams::member_of(tx, viewer.user_id)?;
        store::require(tx, own.team_id, id)?;
        require_manager(&own)?;
        store::close(tx, id)
    });
    taken.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// An invitation as everybody with the link sees it.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct InvitationDetails {
    /// The team's name; null for an invitation to the server without a team.
    #[schema(required)]
    team: Option<String>,
    /// The name of the person who invites; null for an operator whose account is deleted.
    #[schema(required)]
    inviter: Option<String>,
    /// The address that it is for, masked because another person may have found the link; null when anybody with the link may
    /// sign up.
    #[schema(required)]
    email: Option<String>,
    /// RFC 3339, UTC.
    #[schema(value_type = String)]
    expires_at: Timestamp,
}

impl From<store::ValidInvitation> for InvitationDetails {
    fn from(found: store::ValidInvitation) -> Self {
        let email = Some(address::masked(&found.email));
        Self { team: Some(found.team), inviter: Some(found.inviter), email, expires_at: found.expires_at }
    }
}

impl From<to_server::store::OpenInvitation> for InvitationDetails {
    fn from(found: to_server::store::OpenInvitation) -> Self {
        let email = found.email.as_deref().map(address::masked);
        Self { team: None, inviter: found.inviter, email, expires_at: found.expires_at }
    }
}

/// The invitation of a link.
#[derive(Serialize, utoipa::ToSchema)]
struct InvitationResponse {
    invitation: InvitationDetails,
}

/// Returns the invitation of a link. Needs no session.
#[utoipa::path(get, path = "/api/invitations/{token}", operation_id = "getInvitation", tag = "teams", params(("token" = String, Path)),
    responses((status = 200, body = InvitationResponse), (status = 404), (status = 410), (status = 429)))]
async fn look(
    State(app): State<App>,
    ClientIp(ip): ClientIp,
    Path(token): Path<String>,
) -> Result<axum::Json<InvitationResponse>> {
    let now = app.now();
    app.attempts.begin_secret(ip, now)?;
    let hash = hash(&token)?;
    let found = app.db.read(move |conn| match store::find_valid(conn, hash, now) {
        Err(Error::NotFound) => to_server::store::find(conn, hash, now).map(InvitationDetails::from),
        found => found.map(InvitationDetails::from),
    });
    let invitation = known(&app.attempts, ip, found.await)?;
    Ok(axum::Json(InvitationResponse { invitation }))
}

/// The choices of a person who joins a team.
#[derive(Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
struct Acceptance {
    /// Whether the team sees what this account has read; false when absent.
    share_with_team: bool,
}

/// Joins the team. The body is optional.
#[utoipa::path(post, path = "/api/invitations/{token}/accept", operation_id = "acceptInvitation", tag = "teams", params(("token" = String, Path)),
    request_body = Option<Acceptance>,
    responses((status = 200, body = TeamResponse), (status = 401), (status = 403), (status = 404), (status = 409), (status = 410), (status = 429)))]
async fn accept(
    State(app): State<App>,
    viewer: Viewer,
    ClientIp(ip): ClientIp,
    Path(token): Path<String>,
    form: Option<Json<Acceptance>>,
) -> Result<axum::Json<TeamResponse>> {
    let shares = form.is_some_and(|Json(form)| form.share_with_team);
    app.attempts.begin_secret(ip, app.now())?;
    let hash = hash(&token)?;
    let joined = app.db.write(move |tx| {
        let own = store::accept(tx, viewer.user_id, hash, shares)?;
        member_view::team(tx, &own, tx.now())
    });
    let team = known(&app.attempts, ip, joined.await)?;
    Ok(axum::Json(TeamResponse { team }))
}

/// Declines the invitation, which frees its seat.
#[utoipa::path(post, path = "/api/invitations/{token}/decline", operation_id = "declineInvitation", tag = "teams", params(("token" = String, Path)),
    responses((status = 204), (status = 401), (status = 403), (status = 404), (status = 410), (status = 429)))]
async fn decline(
    State(app): State<App>,
    viewer: Viewer,
    ClientIp(ip): ClientIp,
    Path(token): Path<String>,
) -> Result<StatusCode> {
    app.attempts.begin_secret(ip, app.now())?;
    let hash = hash(&token)?;
    let declined = app.db.write(move |tx| store::decline(tx, viewer.user_id, hash)).await;
    known(&app.attempts, ip, declined)?;
    Ok(StatusCode::NO_CONTENT)
}

/// The hash of a token, as the database stores it. A malformed token is unknown.
fn hash(token: &str) -> Result<TokenHash> {
    Token::parse(token).map(|token| token.hash()).ok_or(Error::NotFound)
}

/// Removes the counted attempt unless the token was a guess.
fn known<T>(attempts: &LoginThrottle, ip: std::net::IpAddr, answer: Result<T>) -> Result<T> {
    if !matches!(answer, Err(Error::NotFound)) {
        attempts.knew_secret(ip);
    }
    answer
}
