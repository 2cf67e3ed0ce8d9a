//! Authenticates requests with one query: the account with its plan, its current day and the preferences that many calls need.
use axum::extract::FromRequestParts;
use axum::extract::MatchedPath;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use rusqlite::{Connection, OptionalExtension as _, Row, ToSql, params};

use super::plan::{Feature, Limits, Plan};
use super::plan_source::{PlanSource, PlanSources};
use super::streak::StreakUnit;
use super::token::TokenAccess;
use crate::config::Config;
use crate::kit::App;
use crate::kit::db::pool::instant;
use crate::kit::error::{Error, Result};
use crate::kit::error_code::ErrorCode;
use crate::kit::http::request_identity::{RequestIdentity, Visitor};
use crate::kit::http::session::store::{end_former, is_lost};
use crate::kit::http::session::{Browser, CONFIRMED, TokenHash, bearer, is_valid, secret_hash};
use crate::kit::id::{SessionId, UserId};
use crate::kit::named::named;
use crate::kit::time_zone::{Hemisphere, Zone};
use crate::kit::timestamp::Timestamp;

/// The header in which a page names the id of the account that a request is meant for.
const ACCOUNT: &str = "shelfwise-account";

/// The last use of a session or a token is written at most once in this time, not with every request.
const SEEN_AGAIN: TimeDelta = TimeDelta::minutes(5);

named! {
    /// The role of an account.
    Role {
        /// A reader.
        User = "user",
        /// An operator of the server.
        Admin = "admin",
    }
}

/// A signed-in account.
#[derive(Debug, Clone)]
pub struct Viewer {
    /// The account's id.
    pub user_id: UserId,
    /// The session of the request; `None` for an API token.
    pub session_id: Option<SessionId>,
    /// When the person last signed in or repeated the password in this session.
    pub confirmed_at: Option<DateTime<Utc>>,
    /// Reader or operator.
    pub role: Role,
    /// The plan in force.
    pub plan: Plan,
    /// Where that plan comes from.
    pub plan_source: PlanSource,
    /// The current day in the account's time zone.
    pub today: NaiveDate,
    /// The months of the seasons that the account's owner types.
    pub hemisphere: Hemisphere,
    /// Whether a title that was finished before counts as a reread; false when the plan does not include the preference.
    pub auto_detect_reread: bool,
    /// What the account's streak counts; `None` while it is switched off.
    pub streak: Option<StreakUnit>,
    reader_books: u32,
}

impl Viewer {
    /// Whether the plan has a feature.
    pub fn can(&self, feature: Feature) -> bool {
        self.plan.has(feature)
    }

    /// Refuses accounts that are not operators.
    pub fn operates(&self) -> Result<()> {
        match self.role {
            Role::Admin => Ok(()),
            Role::User => Err(Error::refused(ErrorCode::OperatorsOnly, "This is for the operators of this server.")),
        }
    }

    /// Whether the person has signed in or repeated the password within the last ten minutes.
    pub fn is_confirmed(&self, now: DateTime<Utc>) -> bool {
        self.confirmed_at.is_some_and(|at| now - at <= CONFIRMED)
    }

    /// Refuses a session that was not confirmed by a sign-in or the password within the last ten minutes.
    pub fn require_confirmation(&self, now: DateTime<Utc>) -> Result<()> {
        if self.is_confirmed(now) {
            return Ok(());
        }
        Err(Error::refused(
            ErrorCode::ConfirmYourself,
            "Please enter your password again, or log in again, to do this.",
        ))
    }

    /// The plan's limits today.
    pub fn limits(&self) -> Limits {
        self.plan.limits(self.reader_books, self.today)
    }

    /// The first visible completion date; `None` means that everything is visible.
    pub fn visible_from(&self) -> Option<NaiveDate> {
        self.limits().visible_from(self.today)
    }
}

/// The credential of a request.
#[derive(Debug, Clone, Copy)]
enum Credential {
    /// The cookie of a session.
    Session(TokenHash),
    /// The secret of an API token, which takes precedence over a cookie.
    Secret(TokenHash),
}

impl Credential {
    fn of(headers: &HeaderMap, browser: Option<&Browser>) -> Option<Self> {
        match bearer(headers) {
            Some(secret) => Some(Self::Secret(secret_hash(secret))),
            None => browser?.shown().map(Self::Session),
        }
    }

    fn hash(self) -> TokenHash {
        match self {
            Self::Session(hash) | Self::Secret(hash) => hash,
        }
    }
}

/// The row of a session or a token, joined with its account's.
struct SessionRow {
    /// The id of the session or the token.
    id: i64,
    /// The token's access; `None` for a session.
    token: Option<TokenAccess>,
    user_id: UserId,
    created: DateTime<Utc>,
    last_seen: Option<DateTime<Utc>>,
    /// When the person last signed in or repeated the password in this session.
    confirmed: Option<DateTime<Utc>>,
    /// When an API token expires.
    expires: Option<DateTime<Utc>>,
    /// Whether the session needs a new id.
    renew: bool,
    /// Whether the former id of the session was shown.
    by_former: bool,
    /// When the present id took the place of the former one.
    renewed: Option<DateTime<Utc>>,
    /// Until when the former one counts; `None` until the present one has come back.
    former_until: Option<DateTime<Utc>>,
    role: Role,
    granted: Option<Plan>,
    /// The paid plan, and until when it is in force.
    paid: Option<(Plan, DateTime<Utc>)>,
    /// Until when the account's team is paid for.
    team_until: Option<DateTime<Utc>>,
    zone: Zone,
    hemisphere: Hemisphere,
    detects: bool,
    streak: Option<StreakUnit>,
}

impl SessionRow {
    fn session_id(&self) -> Option<SessionId> {
        self.token.is_none().then_some(SessionId(self.id))
    }

    fn is_valid(&self, now: DateTime<Utc>) -> bool {
        match self.token {
            Some(_) => self.expires.is_none_or(|end| end > now),
            None if self.by_former && self.former_until.is_some_and(|end| end <= now) => false,
            None => is_valid(self.created, self.last_seen.unwrap_or(self.created), now),
        }
    }

    fn needs_new_id(&self, now: DateTime<Utc>) -> bool {
        let was_lost = || self.former_until.is_none() && self.renewed.is_some_and(|at| is_lost(at, now));
        if self.by_former { was_lost() } else { self.renew }
    }

    /// Whether the present id has come back for the first time.
    fn has_come_back(&self) -> bool {
        !self.by_former && self.renewed.is_some() && self.former_until.is_none()
    }

    fn viewer(&self, policy: Policy, now: DateTime<Utc>) -> Viewer {
        let means = PlanSources {
            default: policy.default_plan,
            paid: self.paid.map(|(plan, _)| plan),
            granted: self.granted,
            in_paid_team: self.team_until.is_some(),
        };
        let (plan, plan_source) = match policy.is_private {
            true => (policy.default_plan, PlanSource::Default),
            false => means.effective(),
        };
        Viewer {
            user_id: self.user_id,
            session_id: self.session_id(),
            confirmed_at: self.confirmed,
            role: self.role,
            plan,
            plan_source,
            today: self.zone.day_at(now),
            hemisphere: self.hemisphere,
            auto_detect_reread: self.detects && plan.has(Feature::CustomDefaults),
            streak: self.streak,
            reader_books: policy.reader_books,
        }
    }
}

impl FromRequestParts<App> for Viewer {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        Guest::from_request_parts(parts, app).await?.0.ok_or(Error::Unauthorized)
    }
}

/// An operator of the server; 403 for other accounts.
#[derive(Debug, Clone)]
pub struct Operator(pub Viewer);

impl FromRequestParts<App> for Operator {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let viewer = Viewer::from_request_parts(parts, app).await?;
        viewer.operates()?;
        Ok(Self(viewer))
    }
}

/// An account with a sign-in or a confirmation within the last ten minutes; 403 `confirm_yourself` for other sessions.
#[derive(Debug, Clone)]
pub struct Confirmed(pub Viewer);

impl FromRequestParts<App> for Confirmed {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let viewer = Viewer::from_request_parts(parts, app).await?;
        viewer.require_confirmation(app.now())?;
        Ok(Self(viewer))
    }
}

/// Anybody: the viewer if signed in.
#[derive(Debug, Clone)]
pub struct Guest(pub Option<Viewer>);

impl FromRequestParts<App> for Guest {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let browser = parts.extensions.get::<Browser>();
        let Some(shown) = Credential::of(&parts.headers, browser) else { return Ok(Self(None)) };
        if app.ended.contains(&shown.hash()) {
            return Ok(Self(None));
        }
        let (policy, now) = (Policy::of(&app.current.get())?, app.now());
        let visit = parts.extensions.get::<RequestIdentity>();
        let by_header = app.config.trusted_header.is_on();
        let found = app.db.read(move |conn| find(conn, shown, by_header)).await?;
        let Some(known) = found.filter(|known| known.is_valid(now)) else {
            if let Some(visit) = visit {
                visit.acquire_for_address().await?;
            }
            return Ok(Self(None));
        };
        if let Some(visit) = visit {
            visit.acquire_for_account(known.user_id).await?;
        }
        is_meant_for(&parts.headers, known.user_id)?;
        if let Some(access) = known.token {
            let route = parts.extensions.get::<MatchedPath>().map_or(parts.uri.path(), MatchedPath::as_str);
            access.admit(&parts.method, route)?;
        }
        if let Some(visit) = visit {
            visit.set_visitor(Visitor { user_id: known.user_id, session_id: known.session_id() });
        }
        if let Some(browser) = browser.filter(|_| known.needs_new_id(now)) {
            browser.renew_later(SessionId(known.id));
        }
        if known.has_come_back() {
            let id = SessionId(known.id);
            // Otherwise the next call says so.
            let _ = app.db.write(move |tx| end_former(tx, id)).await;
        }
        note_seen(app, &known, now);
        Ok(Self(Some(known.viewer(policy, now))))
    }
}

/// Refuses a request that names another account: its page was opened before somebody else signed in with the same browser.
fn is_meant_for(headers: &HeaderMap, user_id: UserId) -> Result<()> {
    let names_other = |named: &HeaderValue| named.as_bytes() != user_id.to_string().as_bytes();
    if headers.get(ACCOUNT).is_some_and(names_other) {
        let sentence = "Another account has logged in with this browser since this page was opened.";
        return Err(Error::refused(ErrorCode::OtherAccount, sentence));
    }
    Ok(())
}

/// Records the last use of a session or a token, unless that was done recently. Nobody waits for it: reading works on a full disk
/// and while the writer is busy.
fn note_seen(app: &App, known: &SessionRow, now: DateTime<Utc>) {
    if known.last_seen.is_some_and(|seen| now - seen < SEEN_AGAIN) {
        return;
    }
    let (id, stamp) = (known.id, instant(now));
    let sql = match known.token {
        Some(_) => "UPDATE api_tokens SET last_used_at = ?2 WHERE id = ?1",
        None => "UPDATE sessions SET last_seen = ?2 WHERE id = ?1",
    };
    app.db.write_later("the last use of a session", move |tx| {
        tx.prepare_cached(sql)?.execute((id, stamp))?;
        Ok(())
    });
}

/// The account whose library a secret link shows to people without a session.
#[derive(Debug, Clone)]
pub struct Owner {
    /// What the account itself sees today, without a session.
    pub viewer: Viewer,
    /// The account's time zone.
    pub zone: Zone,
    /// The name in the interface.
    pub display_name: String,
}

impl Owner {
    /// The owner with this id; `None` for an account that is disabled or does not exist.
    pub async fn find(app: &App, user_id: UserId) -> Result<Option<Self>> {
        let (config, now) = (app.current.get(), app.now());
        app.db.read(move |conn| Self::read(conn, &config, user_id, now)).await
    }

    /// As [`Owner::find`], for commands.
    pub fn read(conn: &Connection, config: &Config, user_id: UserId, now: DateTime<Utc>) -> Result<Option<Self>> {
        // As a token that can only read, so that nothing takes it for a session.
        let by = "(SELECT id, id AS user_id, created_at, NULL AS last_seen, 'read' AS access, 0 AS renew, NULL AS confirmed_at,
            NULL AS expires_at, id AS hash, NULL AS header_user, 0 AS by_former, NULL AS renewed_at, NULL AS former_until
            FROM users)";
        let Some(row) = row_of(conn, by, &user_id, false)? else { return Ok(None) };
        let mut named = conn.prepare_cached("SELECT display_name FROM users WHERE id = ?1")?;
        let (zone, display_name) = (row.zone.clone(), named.query_row([user_id], |row| row.get(0))?);
        Ok(Some(Self { viewer: row.viewer(Policy::of(config)?, now), zone, display_name }))
    }
}

/// The operator's settings about plans.
#[derive(Debug, Clone, Copy)]
struct Policy {
    default_plan: Plan,
    reader_books: u32,
    /// Every reader has every feature.
    is_private: bool,
}

impl Policy {
    fn of(config: &Config) -> Result<Self> {
        Ok(Self {
            default_plan: Plan::server_default(config)?,
            reader_books: config.book_limit,
            is_private: config.is_private(),
        })
    }
}

/// Finds a session or a token. A session that a trusted proxy began counts only while the settings name its header (`by_header`).
fn find(conn: &Connection, shown: Credential, by_header: bool) -> Result<Option<SessionRow>> {
    let by = match shown {
        Credential::Session(_) => {
            "(SELECT id, user_id, created_at, last_seen, NULL AS access, renew, confirmed_at, NULL AS expires_at,
                ?1 AS hash, header_user, token_hash <> ?1 AS by_former, renewed_at, former_until
                FROM sessions WHERE token_hash = ?1 OR former_hash = ?1)"
        }
        Credential::Secret(_) => {
            "(SELECT id, user_id, created_at, last_used_at AS last_seen, access, 0 AS renew, NULL AS confirmed_at, expires_at,
                secret_hash AS hash, NULL AS header_user, 0 AS by_former, NULL AS renewed_at, NULL AS former_until
                FROM api_tokens)"
        }
    };
    row_of(conn, by, &shown.hash(), by_header)
}

/// The row of a subquery `by` with this hash, joined with its account's.
fn row_of(conn: &Connection, by: &str, hash: &dyn ToSql, by_header: bool) -> Result<Option<SessionRow>> {
    let found = conn
        .prepare_cached(&format!(
            "SELECT s.id, s.user_id, s.created_at, s.last_seen, u.role, u.granted_plan, p.timezone, p.auto_detect_reread,
                paid.plan AS paid_plan, paid.counts_until, s.access, s.renew, s.by_former, s.renewed_at, s.former_until,
                s.confirmed_at, s.expires_at, p.hemisphere, p.streak, p.day_starts_at,
                (SELECT t.paid_until FROM members m JOIN paid_teams t ON t.team_id = m.team_id WHERE m.user_id = u.id) AS team_until
             FROM {by} s JOIN users u ON u.id = s.user_id LEFT JOIN preferences p ON p.user_id = s.user_id
             LEFT JOIN paid_plans paid ON paid.user_id = u.id
             WHERE s.hash = ?1 AND u.disabled = 0 AND (s.header_user IS NULL OR ?2)"
        ))?
        .query_row(params![hash, by_header], session_row)
        .optional()?;
    Ok(found)
}

fn session_row(row: &Row<'_>) -> rusqlite::Result<SessionRow> {
    let zone = Zone::or_utc(row.get::<_, Option<String>>("timezone")?.as_deref())
        .starting_at(row.get::<_, Option<u8>>("day_starts_at")?.unwrap_or(0));
    let time = |column: &str| row.get::<_, Option<Timestamp>>(column).map(|time| time.map(Timestamp::utc));
    Ok(SessionRow {
        id: row.get("id")?,
        token: row.get("access")?,
        user_id: row.get("user_id")?,
        created: row.get::<_, Timestamp>("created_at")?.utc(),
        last_seen: time("last_seen")?,
        confirmed: time("confirmed_at")?,
        expires: time("expires_at")?,
        renew: row.get("renew")?,
        by_former: row.get("by_former")?,
        renewed: time("renewed_at")?,
        former_until: time("former_until")?,
        role: row.get("role")?,
        granted: row.get("granted_plan")?,
        paid: row.get::<_, Option<Plan>>("paid_plan")?.zip(time("counts_until")?),
        team_until: time("team_until")?,
        hemisphere: row.get::<_, Option<Hemisphere>>("hemisphere")?.unwrap_or_else(|| zone.hemisphere()),
        zone,
        detects: row.get::<_, Option<bool>>("auto_detect_reread")?.unwrap_or(false),
        streak: row.get_ref("streak")?.as_str_or_null()?.and_then(StreakUnit::from_name),
    })
}
