//! The calls with which an operator adds people: accounts, and invitations to the server.
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::model::{AdminUser, AdminUserCreate, ServerInvitationCreate};
use super::store;
use crate::access::{Operator, Plan, Role, Viewer};
use crate::account::events::model::{EventKind, EventSource, NewEvent};
use crate::account::events::store::record;
use crate::account::model::require_password_login;
use crate::account::reset::store::LinkDelivery;
use crate::account::{emails, password, reset, store as accounts};
use crate::admin::activity::Activity;
use crate::kit::db::pool::Db;
use crate::kit::http::extract::{Json, Path};
use crate::kit::http::routes::routes;
use crate::kit::http::session::Token;
use crate::kit::{App, Result};
use crate::teams::invitations::email::invitation_to_server;
use crate::teams::invitations::to_server::{self, ServerInvitation};

/// The routes of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(add)).routes(routes!(invitations, invite)).routes(routes!(revoke))
}

/// A new account, and the link that sets its password; null when the operator has set one.
#[derive(Serialize, utoipa::ToSchema)]
struct AdminUserMade {
    user: AdminUser,
    /// The link that sets the password; null when the operator has set one.
    #[schema(required)]
    url: Option<String>,
}

/// Adds an account. Without a password, `url` is a link that sets one within seven days; it is shown only once, and sent by e-mail when
/// mail is configured. Adding an operator requires a sign-in or a confirmation within the last ten minutes (403 `confirm_yourself`).
#[utoipa::path(post, path = "/api/admin/users", operation_id = "addUser", tag = "operators", request_body = AdminUserCreate,
    responses((status = 201, body = AdminUserMade), (status = 401), (status = 403), (status = 409), (status = 422), (status = 503)))]
async fn add(
    State(app): State<App>,
    Extension(activity): Extension<Activity>,
    viewer: Viewer,
    source: EventSource,
    Json(form): Json<AdminUserCreate>,
) -> Result<impl IntoResponse> {
    viewer.operates()?;
    require_password_login(&app.config)?;
    let (server, plan) = (app.current.get().identity(), Plan::server_default(&app.current.get())?);
    let (account, has_password) = form.checked(server.host())?;
    if account.role == Role::Admin {
        viewer.require_confirmation(app.now())?;
    }
    let email = account.email.clone();
    app.db.read(move |conn| accounts::check_email_is_free(conn, &email)).await?;
    let hash = match has_password {
        true => Some(password::hash(&app.hashing, account.password.clone()).await?),
        false => None,
    };
    let token = Token::new()?;
    let link = token.hash();
    let made = app.db.write(move |tx| {
        let user = accounts::create(tx, &account, hash.as_deref())?;
        if !has_password {
            reset::store::issue(tx, user.id, link, LinkDelivery::Operator)?;
        }
        record(tx, &NewEvent::operator(EventKind::AccountCreated, viewer.user_id, user.id, &source))?;
        Ok((user, accounts::find(tx, viewer.user_id)?.display_name))
    });
    let (user, operator) = made.await?;
    let url = (!has_password).then(|| format!("{}/reset-password/{}", server.url, token.text()));
    if let Some(url) = &url {
        app.mail.post(emails::account_made(user.email, &server, &operator, url.clone()));
    }
    let id = user.id;
    let listed =
        activity.read(&app.db, app.now(), move |conn, unwritten| store::one(conn, id, plan, &unwritten.pending));
    Ok((StatusCode::CREATED, axum::Json(AdminUserMade { user: listed.await?, url })))
}

/// The invitations to this server that can be used now.
#[derive(Serialize, utoipa::ToSchema)]
struct ServerInvitationList {
    /// Newest first.
    data: Vec<ServerInvitation>,
}

/// Lists the invitations to this server that can be used, newest first, without their links.
#[utoipa::path(get, path = "/api/admin/invitations", operation_id = "listServerInvitations", tag = "operators",
    responses((status = 200, body = ServerInvitationList), (status = 401), (status = 403)))]
async fn invitations(State(db): State<Db>, _operator: Operator) -> Result<axum::Json<ServerInvitationList>> {
    let now = db.now();
    Ok(axum::Json(ServerInvitationList { data: db.read(move |conn| to_server::store::open(conn, now)).await? }))
}

/// An invitation to the server with its link, which is shown only once.
#[derive(Serialize, utoipa::ToSchema)]
struct ServerInvitationMade {
    invitation: ServerInvitation,
    /// The link to send. It can't be read again.
    url: String,
}

/// Invites an address to this server, or anybody with the link, for seven days. The link works once, where sign-up is `open` or
/// `invite`. It is sent by e-mail when it is for an address and mail is configured.
#[utoipa::path(post, path = "/api/admin/invitations", operation_id = "inviteToServer", tag = "operators", request_body = ServerInvitationCreate,
    responses((status = 201, body = ServerInvitationMade), (status = 401), (status = 403), (status = 409), (status = 422)))]
async fn invite(
    State(app): State<App>,
    viewer: Viewer,
    source: EventSource,
    Json(form): Json<ServerInvitationCreate>,
) -> Result<impl IntoResponse> {
    viewer.operates()?;
    let address = form.checked()?;
    let to = address.clone();
    let token = Token::new()?;
    let link = token.hash();
    let made = app.db.write(move |tx| {
        if let Some(address) = &address {
            accounts::check_email_is_free(tx, address)?;
        }
        let invitation = to_server::store::invite(tx, viewer.user_id, address.as_deref(), link)?;
        record(tx, &NewEvent::of_server(EventKind::InvitationCreated, viewer.user_id, &source))?;
        Ok((invitation, accounts::find(tx, viewer.user_id)?.display_name))
    });
    let (invitation, operator) = made.await?;
    let server = app.current.get().identity();
    let url = format!("{}/invite/{}", server.url, token.text());
    if let Some(to) = to {
        app.mail.post(invitation_to_server(to, &operator, &server, url.clone()));
    }
    Ok((StatusCode::CREATED, axum::Json(ServerInvitationMade { invitation, url })))
}

/// Revokes an invitation to this server; its link stops working.
#[utoipa::path(delete, path = "/api/admin/invitations/{id}", operation_id = "revokeServerInvitation", tag = "operators",
    params(("id" = i64, Path)), responses((status = 204), (status = 401), (status = 403), (status = 404)))]
async fn revoke(
    State(db): State<Db>,
    Operator(operator): Operator,
    source: EventSource,
    Path(id): Path<i64>,
) -> Result<StatusCode> {
    let revoked = db.write(move |tx| {
        to_server::store::revoke(tx, id)?;
        record(tx, &NewEvent::of_server(EventKind::InvitationRevoked, operator.user_id, &source))
    });
    revoked.await?;
    Ok(StatusCode::NO_CONTENT)
}
