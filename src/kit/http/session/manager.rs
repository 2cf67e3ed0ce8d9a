//! A new session for a browser, by tower-sessions: [`SessionManagerLayer`] stands around the calls that sign somebody in, and writes
//! the cookie of the session that the call has opened.
use std::fmt;

use async_trait::async_trait;
use axum::Router;
use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use chrono::{DateTime, Utc};
use cookie::SameSite;
use cookie::time::{Duration, OffsetDateTime};
use serde_json::Value;
use tower::ServiceBuilder;
use tower_sessions::session::Record;
use tower_sessions::session_store::{Error as StoreError, Result as StoreResult};
use tower_sessions::{Expiry, Session, SessionManagerLayer, SessionStore};

use super::{Cookies, IDLE, Id, LONGEST, id_hash, is_valid, store};
use crate::config::Config;
use crate::kit::db::pool::Db;
use crate::kit::error::{Error, Result};
use crate::kit::http::request_identity::{RequestIdentity, Visitor};
use crate::kit::id::UserId;

/// The key under which a call leaves the id of the session that its transaction has opened.
const OPENED: &str = "opened";

/// Puts calls that sign somebody in behind tower-sessions.
///
/// The layer does not see the cookies that the browser came with, so that no session that somebody has put there goes on: each of
/// these calls starts with an empty session.
pub fn sign_ins<S: Clone + Send + Sync + 'static>(calls: Router<S>, db: Db, config: &Config) -> Router<S> {
    let cookies = Cookies::of(config);
    let manager = SessionManagerLayer::new(SessionRows { db })
        .with_name(cookies.session_name())
        .with_path("/")
        .with_http_only(true)
        .with_same_site(SameSite::Lax)
        .with_secure(cookies.are_secure())
        .with_expiry(Expiry::OnInactivity(Duration::seconds(LONGEST.num_seconds())));
    calls.route_layer(ServiceBuilder::new().map_request(hide_cookies).layer(manager).map_request(show_cookies))
}

/// The browser that calls one of [`sign_ins`], and what it gets with the answer.
#[derive(Debug, Clone)]
pub struct Browser {
    session: Session,
    identity: RequestIdentity,
}

impl Browser {
    /// Has the answer set the cookies of a session that a transaction has opened, and of the known device.
    ///
    /// # Errors
    /// When the session cannot be noted; nothing of this is known to happen.
    pub async fn admit(&self, user_id: UserId, id: Id, device: HeaderValue) -> Result<()> {
        self.identity.set_visitor(Visitor { user_id, session_id: None });
        self.identity.set_device_cookie(device);
        give(&self.session, id).await
    }
}

async fn give(session: &Session, id: Id) -> Result<()> {
    session.insert(OPENED, id.to_string()).await.map_err(|cause| Error::internal(cause.to_string()))
}

impl<S: Send + Sync> FromRequestParts<S> for Browser {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let Ok(identity) = RequestIdentity::from_request_parts(parts, state).await;
        let session = Session::from_request_parts(parts, state).await;
        Ok(Self { session: session.map_err(|(_, cause)| Error::internal(cause))?, identity })
    }
}

/// The `Cookie` headers of a request, while they are hidden.
#[derive(Clone)]
struct Hidden(Vec<HeaderValue>);

fn hide_cookies(mut request: Request) -> Request {
    let cookies = request.headers().get_all(header::COOKIE).iter().cloned().collect();
    request.headers_mut().remove(header::COOKIE);
    request.extensions_mut().insert(Hidden(cookies));
    request
}

fn show_cookies(mut request: Request) -> Request {
    let hidden = request.extensions_mut().remove::<Hidden>();
    for cookie in hidden.into_iter().flat_map(|hidden| hidden.0) {
        request.headers_mut().append(header::COOKIE, cookie);
    }
    request
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
    /// Takes over the id of the row that the call has written, in one commit with whatever else signing in writes.
    async fn create(&self, record: &mut Record) -> StoreResult<()> {
        let opened = record.data.get(OPENED).and_then(Value::as_str).and_then(|text| text.parse().ok());
        record.id = opened.ok_or_else(|| StoreError::Backend("no transaction has opened this session".into()))?;
        Ok(())
    }

    /// Saves nothing: a call that changes a row does so in its own transaction.
    async fn save(&self, record: &Record) -> StoreResult<()> {
        match self.load(&record.id).await? {
            Some(_) => Ok(()),
            None => Err(StoreError::Backend("the session has ended".into())),
        }
    }

    async fn load(&self, id: &Id) -> StoreResult<Option<Record>> {
        let hash = id_hash(*id);
        let found = self.db.read(move |conn| store::times(conn, hash)).await.map_err(backend)?;
        let valid = found.map(|(created, last_seen)| (created.utc(), last_seen.utc()));
        let valid = valid.filter(|(created, last_seen)| is_valid(*created, *last_seen, self.db.now()));
        Ok(valid.map(|(created, last_seen)| Record { id: *id, data: [].into(), expiry_date: end(created, last_seen) }))
    }

    async fn delete(&self, id: &Id) -> StoreResult<()> {
        let hash = id_hash(*id);
        self.db.write(move |tx| store::close(tx, hash)).await.map(drop).map_err(backend)
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
    use std::sync::Arc;

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
        give(&session, id).await.unwrap();
        session.save().await.unwrap();
        assert_eq!(session.id(), Some(id));

        let record = rows.load(&id).await.unwrap().unwrap();
        let days = (record.expiry_date.unix_timestamp() - crate::kit::clock::Clock::default().now().timestamp()) as f64
            / 86_400.0;
        assert!(record.data.is_empty() && (29.9..=30.0).contains(&days), "{days}");
        let known = Session::new(Some(id), rows.clone(), None);
        known.save().await.unwrap();
        known.flush().await.unwrap();
        assert!(rows.load(&id).await.unwrap().is_none());
        assert!(session.save().await.is_err(), "a session that has ended is saved");
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
