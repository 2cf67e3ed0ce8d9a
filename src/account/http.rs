//! The calls of accounts.
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{AppendHeaders, IntoResponse};
use chrono::Utc;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;

use super::model::{Signup, User, email_key};
use super::password::{self, Verdict};
use super::social::Social;
use super::store;
use crate::access::{Guest, Viewer};
use crate::config::{self, Config};
use crate::kit::calls::routes;
use crate::kit::db::{Db, Tx};
use crate::kit::extract::{ClientIp, Json};
use crate::kit::session::{self, Cookies, From, Token, TokenHash};
use crate::kit::visit::{Visit, Visitor};
use crate::kit::{App, Error, Result};
use crate::preferences::model::Theme;
use crate::teams;

/// The calls of this room.
pub fn routes(social: &Social) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(signup))
        .routes(routes!(login))
        .routes(routes!(logout))
        .routes(routes!(me))
        .merge(super::own::routes())
        .merge(super::reset::routes())
        .merge(super::tokens::routes())
        .merge(super::social::routes(social))
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = CurrentUser)]
struct Me {
    user: User,
}

/// Who signed in, and the theme they chose.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = SignInResponse)]
struct SignedIn {
    user: User,
    #[schema(required)]
    theme: Option<Theme>,
}

/// Signs up, and in.
#[utoipa::path(post, path = "/api/auth/signup", operation_id = "signUp", tag = "accounts", request_body = Signup,
    responses((status = 201, body = SignedIn), (status = 403), (status = 409), (status = 422)))]
async fn signup(
    State(app): State<App>,
    Guest(guest): Guest,
    visit: Visit,
    ClientIp(ip): ClientIp,
    headers: HeaderMap,
    Json(form): Json<Signup>,
) -> Result<impl IntoResponse> {
    may_sign_up(&app, &form, ip).await?;
    let account = form.checked()?;
    if guest.is_some() {
        return Err(Error::conflict("already_signed_in", "You are signed in already."));
    }
    let hash = password::hash(&app.hashing, account.password.clone()).await?;
    let entry = Entry::new(&app.config, &headers, ip)?;
    let cookies = entry.cookies(&app.config);
    let user = app
        .db
        .write(move |tx| {
            let user = store::create(tx, &account, Some(&hash))?;
            entry.open(tx, user.id)?;
            Ok(user)
        })
        .await?;
    visit.note(Visitor { user_id: user.id, session_id: None });
    Ok((StatusCode::CREATED, AppendHeaders(cookies), axum::Json(SignedIn { user, theme: None })))
}

/// Refuses accounts that this server does not take: where it takes only the invited, a token that does not invite this address.
async fn may_sign_up(app: &App, form: &Signup, ip: std::net::IpAddr) -> Result<()> {
    let token = form.invite_token.as_deref().and_then(Token::parse);
    let (now, email) = (Utc::now(), form.email.clone());
    let invited = match (app.config.signup, token) {
        (config::Signup::Open, _) => true,
        (config::Signup::Invite, Some(token)) => {
            app.attempts.begin_secret(ip, now)?;
            app.db.read(move |conn| teams::invitations::store::invites(conn, token.hash(), &email, now)).await?
        }
        (config::Signup::Invite, None) | (config::Signup::Closed, _) => false,
    };
    if !invited {
        return Err(Error::forbidden("signup_closed", "This server does not take new accounts without an invitation."));
    }
    if app.config.signup == config::Signup::Invite {
        app.attempts.knew_secret(ip);
    }
    Ok(())
}

#[derive(Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
#[schema(as = LogInRequest)]
struct Login {
    email: String,
    password: String,
}

/// Signs in.
#[utoipa::path(post, path = "/api/auth/login", operation_id = "logIn", tag = "accounts", request_body = Login,
    responses((status = 200, body = SignedIn), (status = 401), (status = 429)))]
async fn login(
    State(app): State<App>,
    visit: Visit,
    ClientIp(ip): ClientIp,
    headers: HeaderMap,
    Json(form): Json<Login>,
) -> Result<impl IntoResponse> {
    let entry = Entry::new(&app.config, &headers, ip)?;
    let (email, device) = (form.email.clone(), entry.former_device);
    let found = app.db.read(move |conn| store::credentials(conn, &email, device)).await?;
    let account = email_key(&form.email);
    let known_device = found.as_ref().is_some_and(|known| known.known_device);
    app.attempts.begin(&account, ip, known_device, Utc::now())?;
    let (user_id, stored) = found.map_or((0, None), |found| (found.user_id, found.password_hash));
    let renewed = match password::verify(&app.hashing, form.password, stored).await? {
        Verdict::Wrong => return Err(Error::WrongCredentials),
        Verdict::Right => None,
        Verdict::RightRenewed(hash) => Some(hash),
    };
    app.attempts.succeeded(&account, ip, known_device);
    let cookies = entry.cookies(&app.config);
    let signed_in = app
        .db
        .write(move |tx| {
            if let Some(hash) = renewed {
                store::set_password_hash(tx, user_id, &hash)?;
            }
            entry.open(tx, user_id)?;
            Ok(SignedIn { user: store::find(tx, user_id)?, theme: crate::preferences::store::find(tx, user_id)?.theme })
        })
        .await?;
    visit.note(Visitor { user_id, session_id: None });
    Ok((AppendHeaders(cookies), axum::Json(signed_in)))
}

/// Signs out; it is no error to be out already.
#[utoipa::path(post, path = "/api/auth/logout", operation_id = "logOut", tag = "accounts", responses((status = 204)))]
async fn logout(
    State(db): State<Db>,
    State(config): State<Arc<Config>>,
    headers: HeaderMap,
) -> Result<impl IntoResponse> {
    let cookies = Cookies::of(&config);
    if let Some(token) = cookies.session(&headers) {
        db.write(move |tx| session::close(tx, token.hash())).await?;
    }
    Ok((StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookies.clear_session())]))
}

/// Who is signed in.
#[utoipa::path(get, path = "/api/auth/me", operation_id = "getCurrentUser", tag = "accounts", responses((status = 200, body = Me), (status = 401)))]
async fn me(State(db): State<Db>, viewer: Viewer) -> Result<axum::Json<Me>> {
    let user = db.read(move |conn| store::find(conn, viewer.user_id)).await?;
    Ok(axum::Json(Me { user }))
}

/// One way in: a new session for a browser that may have had another one, and that is known from now on. Neither cookie that the
/// browser came with counts afterwards: somebody else may have put it there.
pub(super) struct Entry {
    session: Token,
    device: Token,
    former: Option<TokenHash>,
    former_device: Option<TokenHash>,
    from: From,
}

impl Entry {
    pub(super) fn new(config: &Config, headers: &HeaderMap, ip: std::net::IpAddr) -> Result<Self> {
        let cookies = Cookies::of(config);
        Ok(Self {
            session: Token::new()?,
            device: Token::new()?,
            former: cookies.session(headers).map(|token| token.hash()),
            former_device: cookies.device(headers).map(|token| token.hash()),
            from: From::new(ip, headers),
        })
    }

    pub(super) fn cookies(&self, config: &Config) -> [(header::HeaderName, HeaderValue); 2] {
        let cookies = Cookies::of(config);
        [
            (header::SET_COOKIE, cookies.set_session(&self.session)),
            (header::SET_COOKIE, cookies.set_device(&self.device)),
        ]
    }

    pub(super) fn open(&self, tx: &Tx<'_>, user_id: i64) -> Result<()> {
        if let Some(former) = self.former {
            session::close(tx, former)?;
        }
        session::open(tx, user_id, self.session.hash(), &self.from)?;
        session::remember_device(tx, user_id, self.device.hash(), self.former_device)
    }
}
