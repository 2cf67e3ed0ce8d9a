//! tower-sessions around the API: its layer reads the cookie of a call's session, and sets the one that the call gives its browser.
//!
//! Rows are opened, renewed and ended by the transactions of the calls, together with whatever belongs to them; the layer, which saves
//! after the call and outside of its transaction, takes over the ids that these have stored.
use std::fmt;
use std::sync::{Arc, OnceLock};

use async_trait::async_trait;
use axum::Router;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use chrono::{DateTime, Utc};
use cookie::SameSite;
use cookie::time::{Duration, OffsetDateTime};
use serde_json::Value;
use tower::ServiceBuilder;
use tower_sessions::session::Record;
use tower_sessions::session_store::{Error as StoreError, Result as StoreResult};
use tower_sessions::{Expiry, Session, SessionManagerLayer, SessionStore};

use super::{Cookies, IDLE, Id, LONGEST, TokenHash, id_hash, is_valid, store};
use crate::config::Config;
use crate::kit::db::pool::Db;
use crate::kit::error::{Error, Result};
use crate::kit::http::request_identity::{RequestIdentity, Visitor};
use crate::kit::id::{SessionId, UserId};

/// The key under which a call leaves the id that its transaction has stored.
const STORED: &str = "stored";

/// Puts calls behind tower-sessions.
pub fn with_sessions<S: Clone + Send + Sync + 'static>(calls: Router<S>, db: Db, config: &Config) -> Router<S> {
    let cookies = Cookies::of(config);
    let manager = SessionManagerLayer::new(SessionRows { db: db.clone() })
        .with_name(cookies.session_name())
        .with_path(cookies.path().to_owned())
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_secure(cookies.are_secure())
        .with_expiry(Expiry::OnInactivity(Duration::seconds(LONGEST.num_seconds())));
    let known = cookies.clone();
    let layers = ServiceBuilder::new()
        .map_request(move |request| hide_cookies(&known, request))
        .layer(manager)
        .layer(from_fn_with_state((db, cookies), with_browser));
    calls.route_layer(layers)
}

/// The `Cookie` headers of a request, while they are hidden.
#[derive(Clone)]
struct Hidden(Vec<HeaderValue>);

/// Shows the layer the session's id alone. It decodes the names of cookies, so that it would take one that another site of the domain
/// may set (`%5F%5FHost-…`) for the session's, and it removes a session's cookie of another form.
fn hide_cookies(cookies: &Cookies, mut request: Request) -> Request {
    let id = cookies.session_id(request.headers());
    let hidden = request.headers().get_all(header::COOKIE).iter().cloned().collect();
    request.extensions_mut().insert(Hidden(hidden));
    request.headers_mut().remove(header::COOKIE);
    if let Some(pair) = id.and_then(|id| HeaderValue::try_from(format!("{}={id}", cookies.session_name())).ok()) {
        request.headers_mut().insert(header::COOKIE, pair);
    }
    request
}

/// Adds the [`Browser`] to a request, and gives its session a new id with the answer where that is due.
async fn with_browser(State((db, cookies)): State<(Db, Cookies)>, mut request: Request, next: Next) -> Response {
    let hidden = request.extensions_mut().remove::<Hidden>();
    request.headers_mut().remove(header::COOKIE);
    for cookie in hidden.into_iter().flat_map(|hidden| hidden.0) {
        request.headers_mut().append(header::COOKIE, cookie);
    }
    let Some(session) = request.extensions().get::<Session>().cloned() else { return next.run(request).await };
    let identity = request.extensions().get().cloned().unwrap_or_default();
    let browser = Browser { session, identity, shown: cookies.session(request.headers()), renewed: Arc::default() };
    request.extensions_mut().insert(browser.clone());
    let answer = next.run(request).await;
    // The layer sets no cookie with a server error. Where the caller has gone, nothing has changed.
    if !answer.status().is_server_error()
        && let Err(cause) = browser.renew(&db).await
    {
        tracing::warn!(%cause, "a session keeps its id until the next call");
    }
    answer
}

/// The browser of a call: the session that it shows, and the one that it gets with the answer.
#[derive(Debug, Clone)]
pub struct Browser {
    session: Session,
    identity: RequestIdentity,
    shown: Option<TokenHash>,
    renewed: Arc<OnceLock<SessionId>>,
}

impl Browser {
    /// What the database knows of the session that the browser shows.
    pub fn shown(&self) -> Option<TokenHash> {
        self.shown
    }

    /// The same browser, if it showed another session, or none.
    #[must_use]
    pub fn showing(&self, shown: Option<TokenHash>) -> Self {
        Self { shown, renewed: Arc::default(), ..self.clone() }
    }

    /// Has the answer bring a new id for the session that the browser shows.
    pub fn renew_later(&self, session_id: SessionId) {
        let _ = self.renewed.set(session_id);
    }

    async fn renew(&self, db: &Db) -> Result<()> {
        let (Some(session_id), Some(shown)) = (self.renewed.get().copied(), self.shown) else { return Ok(()) };
        let id = Id::default();
        match db.write(move |tx| store::renew(tx, session_id, shown, id_hash(id))).await? {
            true => self.carry(id).await,
            false => Ok(()),
        }
    }

    /// Says whose account the call has signed in to.
    pub fn belongs_to(&self, user_id: UserId) {
        self.identity.set_visitor(Visitor { user_id, session_id: None });
    }

    /// Has the answer set the cookies of a session that a transaction has opened, and of the known device.
    pub async fn admit(&self, id: Id, device: HeaderValue) -> Result<()> {
        self.identity.set_device_cookie(device);
        self.carry(id).await
    }

    /// Has the answer set the cookie of a session that a transaction has stored. The one that the browser came with ends.
    async fn carry(&self, id: Id) -> Result<()> {
        let failed = |cause: tower_sessions::session::Error| Error::internal(cause.to_string());
        self.session.cycle_id().await.map_err(failed)?;
        self.session.insert(STORED, id.to_string()).await.map_err(failed)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Browser {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self> {
        parts.extensions.get().cloned().ok_or_else(|| Error::internal("this call is not behind the sessions"))
    }
}

/// Sessions as rows of the database, of which each has its own columns and no data besides.
#[derive(Clone)]
struct SessionRows {
    db: Db,
}

impl fmt::Debug for SessionRows {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("SessionRows").finish_non_exhaustive()
    }
}

#[async_trait]
impl SessionStore for SessionRows {
    /// Takes over the id that the call's transaction has stored.
    async fn create(&self, record: &mut Record) -> StoreResult<()> {
        let stored = record.data.get(STORED).and_then(Value::as_str).and_then(|text| text.parse().ok());
        record.id = stored.ok_or_else(|| StoreError::Backend("no transaction has stored this session".into()))?;
        Ok(())
    }

    /// A call that changes a row does so in its own transaction.
    async fn save(&self, _record: &Record) -> StoreResult<()> {
        Ok(())
    }

    async fn load(&self, id: &Id) -> StoreResult<Option<Record>> {
        let hash = id_hash(*id);
        let found = self.db.read(move |conn| store::find(conn, hash)).await.map_err(backend)?;
        let valid = found.filter(|found| is_valid(found.created, found.last_seen, self.db.now()));
        Ok(valid.map(|found| Record { id: *id, data: [].into(), expiry_date: end(found.created, found.last_seen) }))
    }

    /// A former id ends by itself.
    async fn delete(&self, id: &Id) -> StoreResult<()> {
        let hash = id_hash(*id);
        self.db.write(move |tx| store::delete(tx, hash)).await.map_err(backend)
    }
}

fn backend(cause: Error) -> StoreError {
    StoreError::Backend(cause.to_string())
}

/// When a session ends that nobody uses any more.
fn end(created: DateTime<Utc>, last_seen: DateTime<Utc>) -> OffsetDateTime {
    let end = (last_seen + IDLE).min(created + LONGEST);
    OffsetDateTime::from_unix_timestamp(end.timestamp()).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::super::From;
    use super::*;

    #[tokio::test]
    async fn a_session_takes_over_the_row_of_its_transaction_and_ends_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&folder.path().join("shelfwise.db")).unwrap();
        let (id, rows) = (Id::default(), Arc::new(SessionRows { db: db.clone() }));
        let opened = db.write(move |tx| {
            let sql = "INSERT INTO users (email, email_key, display_name, created_at) VALUES ('n@e.org', 'n@e.org', 'Nora', ?1)";
            tx.execute(sql, [tx.stamp()])?;
            let from = From {
                ip: "192.0.2.1".into(),
                user_agent: "test".into(),
                provider: None,
                header_user: None,
            };
            store::open(tx, UserId(tx.last_insert_rowid()), id_hash(id), &from)
        });
        opened.await.unwrap();
        let session = Session::new(None, rows.clone(), None);
        let browser = Browser {
            session: session.clone(),
            identity: RequestIdentity::default(),
            shown: None,
            renewed: Arc::default(),
        };
        browser.carry(id).await.unwrap();
        session.save().await.unwrap();
        assert_eq!(session.id(), Some(id));

        let record = rows.load(&id).await.unwrap().unwrap();
        let days = (record.expiry_date.unix_timestamp() - crate::kit::clock::Clock::default().now().timestamp()) as f64
            / 86_400.0;
        assert!(record.data.is_empty() && (29.9..=30.0).contains(&days), "{days}");
        Session::new(Some(id), rows.clone(), None).flush().await.unwrap();
        assert!(rows.load(&id).await.unwrap().is_none());
    }

    #[tokio::test]
    async fn a_session_that_no_transaction_opened_is_not_created() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&folder.path().join("shelfwise.db")).unwrap();
        let session = Session::new(Some(Id::default()), Arc::new(SessionRows { db }), None);
        session.insert("user", 1).await.unwrap();
        assert!(session.save().await.is_err() && session.id().is_none());
    }
}
