//! The API calls of accounts.
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;

use super::events::model::{EventKind, EventSource, NewEvent};
use super::events::store::{record, write_nothing};
use super::model::{AccountRefusal, SignUpRequest, User, email_key, require_password_login};
use super::password::{self, Verdict};
use super::social::model::TRUSTED_HEADER;
use super::store;
use crate::access::{Guest, Viewer};
use crate::account::emails;
use crate::config::{self, Config};
use crate::kit::db::pool::{Db, Tx};
use crate::kit::hashing::Purpose;
use crate::kit::http::extract::{ClientIp, Json};
use crate::kit::http::routes::routes;
use crate::kit::http::session::{self, Browser, Cookies, From, Id, Token, TokenHash, id_hash};
use crate::kit::id::UserId;
use crate::kit::{App, Error, ErrorCode, Result};
use crate::preferences::model::Theme;
use crate::teams::invitations::{self, to_server};

impl std::convert::From<AccountRefusal> for Error {
    fn from(refused: AccountRefusal) -> Self {
        let (code, sentence) = match refused {
            AccountRefusal::EmailTaken => (ErrorCode::EmailTaken, "An account with this email address exists already."),
            AccountRefusal::LastOperator => {
                (ErrorCode::LastOperator, "This is the server's last operator. Make someone else an operator first.")
            }
            AccountRefusal::LastWayIn => {
                (ErrorCode::LastWayIn, "This is your only way in. Set a password before you disconnect it.")
            }
            AccountRefusal::TooManyTokens => {
                (ErrorCode::TooManyTokens, "You have 100 API tokens. Please revoke one first.")
            }
            AccountRefusal::DeadLink => {
                (ErrorCode::Unreadable, "This link does not work any more. Please ask for a new one.")
            }
            AccountRefusal::HeaderUserTaken => {
                (ErrorCode::LinkedElsewhere, "This name at the proxy is connected to another account.")
            }
            AccountRefusal::HeaderUserInvalid => {
                (ErrorCode::Invalid, "A name at the proxy has 1 to 255 characters, without control characters.")
            }
            AccountRefusal::PasswordLoginOff => (
                ErrorCode::PasswordLoginOff,
                "This server accepts no passwords. Please log in with one of the providers on the log-in page.",
            ),
        };
        Self::refused(code, sentence)
    }
}

/// Signing up and in, and the current user.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(signup)).routes(routes!(login)).routes(routes!(me))
}

/// The signed-in account.
#[derive(Serialize, utoipa::ToSchema)]
struct CurrentUser {
    user: User,
}

/// The signed-in account and its theme.
#[derive(Serialize, utoipa::ToSchema)]
struct SignInResponse {
    user: User,
    /// The theme that the account has chosen; null until then.
    #[schema(required)]
    theme: Option<Theme>,
}

/// Creates an account and signs in to it.
#[utoipa::path(post, path = "/api/auth/signup", operation_id = "signUp", tag = "accounts", request_body = SignUpRequest,
    responses((status = 201, body = SignInResponse), (status = 403), (status = 409), (status = 422), (status = 429), (status = 503)))]
async fn signup(
    State(app): State<App>,
    Guest(guest): Guest,
    browser: Browser,
    ClientIp(ip): ClientIp,
    source: EventSource,
    headers: HeaderMap,
    Json(form): Json<SignUpRequest>,
) -> Result<impl IntoResponse> {
    require_password_login(&app.config)?;
    let invitation = may_sign_up(&app, &form, ip).await?;
    let account = form.checked(app.current.get().identity().host())?;
    if guest.is_some() {
        return Err(Error::refused(ErrorCode::AlreadySignedIn, "You are logged in already."));
    }
    app.sign_ups.begin(ip, app.now()).map_err(Error::TooManySignUps)?;
    // Checked before the expensive hash and again when the permit arrives: of many simultaneous sign-ups for one address only a
    // few are hashed.
    check_email_is_free(&app, &account.email).await?;
    let permit = app.hashing.permit(Purpose::NewPassword).await?;
    check_email_is_free(&app, &account.email).await?;
    let hash = password::hash_with(permit, account.password.clone()).await?;
    let session = NewSession::new(&app.config, &browser, &headers, ip)?;
    let admission = session.admission(&app.config);
    let user = app
        .db
        .write(move |tx| {
            // An invitation to the server works once, also when two people use its link at the same time.
            if let Some(token) = invitation
                && !to_server::store::redeem(tx, token, &account.email)?
            {
                return Err(signup_closed());
            }
            let user = store::create(tx, &account, Some(&hash))?;
            session.open(tx, user.id)?;
            record(tx, &NewEvent::own(EventKind::SignedUp, user.id, &source))?;
            Ok(user)
        })
        .await?;
    admission.give(&browser, user.id).await?;
    Ok((StatusCode::CREATED, axum::Json(SignInResponse { user, theme: None })))
}

async fn check_email_is_free(app: &App, email: &str) -> Result<()> {
    let email = email.to_owned();
    app.db.read(move |conn| store::check_email_is_free(conn, &email)).await
}

/// Refuses sign-ups that this server does not accept: without an invitation of this address when invitations are required. Returns
/// the invitation to the server that the sign-up uses up, if it came with one.
async fn may_sign_up(app: &App, form: &SignUpRequest, ip: std::net::IpAddr) -> Result<Option<TokenHash>> {
    let token = form.invite_token.as_deref().and_then(Token::parse).map(|token| token.hash());
    let (now, email, signup) = (app.now(), form.email.trim().to_owned(), app.current.get().signup);
    let Some(token) = token.filter(|_| signup != config::SignupMode::Closed) else {
        return if signup == config::SignupMode::Open { Ok(None) } else { Err(signup_closed()) };
    };
    app.attempts.begin_secret(ip, now)?;
    let found = app.db.read(move |conn| {
        let to_server = to_server::store::invites(conn, token, &email, now)?;
        Ok((to_server, to_server || invitations::store::invites(conn, token, &email, now)?))
    });
    let (to_server, invited) = found.await?;
    if !invited && signup == config::SignupMode::Invite {
        return Err(signup_closed());
    }
    app.attempts.knew_secret(ip);
    Ok(to_server.then_some(token))
}

fn signup_closed() -> Error {
    Error::refused(ErrorCode::SignupClosed, "This server does not accept new accounts without an invitation.")
}

/// An e-mail address and its password, to sign in.
#[derive(Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
struct LogInRequest {
    /// The address of the account.
    email: String,
    /// Its password.
    password: String,
}

/// Signs in with an e-mail address and a password.
#[utoipa::path(post, path = "/api/auth/login", operation_id = "logIn", tag = "accounts", request_body = LogInRequest,
    responses((status = 200, body = SignInResponse), (status = 401), (status = 403), (status = 429)))]
async fn login(
    State(app): State<App>,
    browser: Browser,
    ClientIp(ip): ClientIp,
    source: EventSource,
    headers: HeaderMap,
    Json(form): Json<LogInRequest>,
) -> Result<impl IntoResponse> {
    require_password_login(&app.config)?;
    let session = NewSession::new(&app.config, &browser, &headers, ip)?;
    let (email, device) = (form.email.clone(), session.former_device);
    let found = app.db.read(move |conn| store::credentials(conn, &email, device)).await?;
    let account = email_key(&form.email);
    let known_device = found.as_ref().is_some_and(|known| known.known_device);
    let (user_id, stored) = found.map_or((None, None), |found| (Some(found.user_id), found.password_hash));
    let verdict = password::attempt(&app, &account, ip, known_device, form.password, stored.clone()).await?;
    let (user_id, renewed) = match (user_id, verdict) {
        (Some(user_id), Verdict::Right) => (user_id, None),
        (Some(user_id), Verdict::RightRenewed(hash)) => (user_id, Some(hash)),
        (user_id, _) => {
            note_failed_login(&app, user_id, source);
            return Err(Error::WrongCredentials);
        }
    };
    app.attempts.succeeded(&account, ip, known_device);
    let admission = session.admission(&app.config);
    let device = source.device.clone();
    let (signed_in, is_new_device) = app
        .db
        .write(move |tx| {
            if !store::has_password_hash(tx, user_id, stored.as_deref())? {
                return Err(Error::WrongCredentials);
            }
            if let Some(hash) = renewed {
                store::set_password_hash(tx, user_id, &hash)?;
            }
            let is_new_device = session.open(tx, user_id)?;
            let theme = crate::preferences::store::find(tx, user_id)?.theme;
            record(tx, &NewEvent::own(EventKind::LoggedIn, user_id, &source))?;
            Ok((SignInResponse { user: store::find(tx, user_id)?, theme }, is_new_device))
        })
        .await?;
    if is_new_device {
        notify_of_new_device(&app, signed_in.user.email.clone(), device.as_deref());
    }
    admission.give(&browser, user_id).await?;
    Ok(axum::Json(signed_in))
}

/// Records a wrong password, without waiting. A wrong password for an address without an account takes a commit, too, so that the
/// duration of the next request does not reveal whether there is an account.
pub(super) fn note_failed_login(app: &App, user_id: Option<UserId>, source: EventSource) {
    app.attempts.login_failed();
    app.db.write_later("a failed sign-in", move |tx| match user_id {
        Some(user_id) => record(tx, &NewEvent::unknown(EventKind::LoginFailed, user_id, &source)),
        None => write_nothing(tx, &source),
    });
}

/// Reports to an account's owner by e-mail that an unknown device signed in.
pub(super) fn notify_of_new_device(app: &App, to: String, device: Option<&str>) {
    let device = device.unwrap_or_default();
    app.mail.post(emails::new_device(to, &app.current.get().identity(), device, app.now()));
}

/// Returns the signed-in account.
#[utoipa::path(get, path = "/api/auth/me", operation_id = "getCurrentUser", tag = "accounts", responses((status = 200, body = CurrentUser), (status = 401)))]
async fn me(State(db): State<Db>, viewer: Viewer) -> Result<axum::Json<CurrentUser>> {
    let user = db.read(move |conn| store::find(conn, viewer.user_id)).await?;
    Ok(axum::Json(CurrentUser { user }))
}

/// A sign-in: a new session for a browser, which becomes a known device. Both cookies that the browser sent are replaced, because
/// another person may have planted them.
pub(super) struct NewSession {
    session: Id,
    device: Token,
    former: Option<TokenHash>,
    former_device: Option<TokenHash>,
    from: From,
}

impl NewSession {
    pub(super) fn new(config: &Config, browser: &Browser, headers: &HeaderMap, ip: std::net::IpAddr) -> Result<Self> {
        Ok(Self {
            session: Id::default(),
            device: Token::new()?,
            former: browser.shown(),
            former_device: Cookies::of(config).device(headers).map(|token| token.hash()),
            from: From::new(ip, headers),
        })
    }

    /// The same sign-in, by a provider.
    pub(super) fn through(mut self, provider: &str) -> Self {
        self.from.provider = Some(provider.to_owned());
        self
    }

    /// The same sign-in, by the trusted proxy, which names the person.
    pub(super) fn by_header(mut self, header_user: &str) -> Self {
        self.from.provider = Some(TRUSTED_HEADER.to_owned());
        self.from.header_user = Some(header_user.to_owned());
        self
    }

    /// The same for a session that takes the place of the browser's former one: it began in the same way, so that it ends at the
    /// provider and with the proxy's word as the former would have.
    pub(super) fn in_place(mut self, tx: &Tx<'_>) -> Result<Self> {
        if let Some(former) = self.former
            && let Some(former) = session::store::find(tx, former)?
        {
            (self.from.provider, self.from.header_user) = (former.provider, former.header_user);
        }
        Ok(self)
    }

    /// Whether the proxy has just signed in the same browser for another call. A page begins several calls at once, and each of them
    /// comes with the cookies that the first one has replaced.
    pub(super) fn has_just_begun(&self, tx: &Tx<'_>, user_id: UserId) -> Result<bool> {
        Ok(self.former_device.is_some() && session::store::has_just_begun(tx, user_id, &self.from)?)
    }

    /// The cookies for the browser, once the session is stored.
    pub(super) fn admission(&self, config: &Config) -> Admission {
        Admission { session: self.session, device: Cookies::of(config).set_device(&self.device) }
    }

    /// Stores the session. Returns whether the device is new to an account that knows other devices.
    pub(super) fn open(&self, tx: &Tx<'_>, user_id: UserId) -> Result<bool> {
        if let Some(former) = self.former {
            session::store::close(tx, former)?;
        }
        session::store::open(tx, user_id, id_hash(self.session), &self.from)?;
        session::store::remember_device(tx, user_id, self.device.hash(), self.former_device)
    }
}

/// The cookies of a sign-in.
pub(super) struct Admission {
    session: Id,
    device: HeaderValue,
}

impl Admission {
    /// Sets both cookies for the answer of a call that goes on in the new session.
    pub(super) async fn put(self, browser: &Browser) -> Result<Browser> {
        let id = self.session;
        browser.admit(id, self.device).await?;
        Ok(browser.showing(Some(id_hash(id))))
    }

    /// Sets both cookies for the answer of a call that has signed somebody in.
    pub(super) async fn give(self, browser: &Browser, user_id: UserId) -> Result<()> {
        browser.belongs_to(user_id);
        browser.admit(self.session, self.device).await
    }
}
