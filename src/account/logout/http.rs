//! The API call that signs out.
use std::time::Duration;

use axum::Extension;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::sync::oneshot;
use utoipa_axum::router::OpenApiRouter;

use crate::account::events::model::{EventKind, EventSource, NewEvent};
use crate::account::events::store::record;
use crate::account::social::Social;
use crate::account::social::model::TRUSTED_HEADER;
use crate::kit::http::routes::routes;
use crate::kit::http::security_headers::CLEAR_CACHE;
use crate::kit::http::session::{self, Browser, Cookies, TokenHash};
use crate::kit::{App, Error, ErrorCode, Result};

/// The pause before a failed sign-out is retried.
const RETRY_LOGOUT: Duration = Duration::from_secs(5);
/// The page that a provider returns to after a log-out: the log-in page, which does not go to the provider again.
const AFTERWARDS: &str = "/login?stay=true";

/// The route of this part.
pub fn routes(social: &Social) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(logout)).layer(Extension(social.clone()))
}

/// Where the browser goes after signing out here.
#[derive(Serialize, utoipa::ToSchema)]
struct LogOutResponse {
    /// The address that ends the session at the sign-in provider or the proxy.
    url: String,
}

/// Signs out. Succeeds without a session, too. The cookie is cleared even if the database can't be written (503, 507): the
/// session is refused from then on, and its deletion is retried until it is stored.
///
/// Where the session came from a sign-in provider or a proxy that can end its own session, the answer is 200 with the address for
/// that.
#[utoipa::path(post, path = "/api/auth/logout", operation_id = "logOut", tag = "accounts",
    responses((status = 200, body = LogOutResponse), (status = 204), (status = 503), (status = 507)))]
async fn logout(
    State(app): State<App>,
    Extension(social): Extension<Social>,
    browser: Browser,
    source: EventSource,
) -> Response {
    let ended = match browser.shown() {
        Some(hash) => leave(&app, &social, hash, source).await,
        None => Ok(None),
    };
    let mut response = match ended {
        Ok(Some(url)) => axum::Json(LogOutResponse { url }).into_response(),
        Ok(None) => StatusCode::NO_CONTENT.into_response(),
        Err(failure) => failure.into_response(),
    };
    let (name, value) = CLEAR_CACHE.clone();
    response.headers_mut().insert(name, value);
    // The layer's own removal lacks `Secure`, without which browsers keep a cookie that is bound to the host.
    response.headers_mut().append(header::SET_COOKIE, Cookies::of(&app.config).clear_session());
    response
}

/// Ends a session. Returns the address that ends the session at the provider that it came from, if there is one.
async fn leave(app: &App, social: &Social, hash: TokenHash, source: EventSource) -> Result<Option<String>> {
    let provider = match app.db.read(move |conn| session::store::find(conn, hash)).await {
        Ok(Some(found)) => found.provider,
        Ok(None) => return Ok(None),
        // A session that can't be read is ended, too.
        Err(_) => None,
    };
    end_session(app, hash, source).await?;
    let Some(provider) = provider else { return Ok(None) };
    if provider == TRUSTED_HEADER {
        return Ok(app.config.trusted_header.logout_url.clone());
    }
    let back = format!("{}{AFTERWARDS}", app.config.public_url());
    Ok(social.end_session_url(&provider, &back, app.now()).await)
}

/// Ends a session in memory at once and then in the database, even if the client has gone.
async fn end_session(app: &App, hash: TokenHash, source: EventSource) -> Result<()> {
    if !app.ended.add(hash) {
        return Err(Error::refused(ErrorCode::StorageUnavailable, "The server is very busy. Please try again."));
    }
    let (first, outcome) = oneshot::channel();
    tokio::spawn(delete_session(app.clone(), hash, source, first));
    outcome.await.map_err(|_| Error::internal("the deletion of a session ended without an outcome"))?
}

/// Deletes a session, retrying until it is deleted. `first` receives the outcome of the first attempt.
async fn delete_session(app: App, hash: TokenHash, source: EventSource, first: oneshot::Sender<Result<()>>) {
    let mut first = Some(first);
    loop {
        let source = source.clone();
        let written = app.db.write(move |tx| match session::store::close(tx, hash)? {
            Some(user_id) => record(tx, &NewEvent::own(EventKind::LoggedOut, user_id, &source)),
            None => Ok(()),
        });
        let outcome = written.await;
        let deleted = outcome.is_ok();
        if deleted {
            app.ended.remove(&hash);
        }
        if let Some(first) = first.take() {
            // The client may have gone meanwhile.
            let _ = first.send(outcome);
        }
        if deleted {
            return;
        }
        tokio::time::sleep(RETRY_LOGOUT).await;
    }
}
