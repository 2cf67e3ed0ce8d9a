//! What a secret link shows: a page without script, and the same for programs. Nobody has to be signed in, and no cookie is read.
use std::net::IpAddr;

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;

use super::require_shares;
use crate::access::Owner;
use crate::config::ServerIdentity;
use crate::kit::http::extract::{ClientIp, Path};
use crate::kit::http::request_identity::RequestIdentity;
use crate::kit::http::routes::routes;
use crate::kit::http::throttle::AddressLimit;
use crate::kit::http::{csrf, download, etag};
use crate::kit::{App, Error, ErrorCode, Result};
use crate::library::covers;
use crate::library::covers::model::CoverId;
use crate::sharing::content::Content;
use crate::sharing::model::{Form, Share, SharePart, ShareToken, SharedReview};
use crate::sharing::rendering::{Opened, Place};
use crate::sharing::{card, page, store};

/// The routes of what links show.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(show))
        .routes(routes!(review))
        .routes(routes!(atom))
        .routes(routes!(json_feed))
        .routes(routes!(calendar))
        .routes(routes!(picture))
        .routes(routes!(cover))
}

/// A person or a program that opens a link.
struct Caller {
    ip: IpAddr,
    identity: RequestIdentity,
    headers: HeaderMap,
    /// Whether a wrong token counts as a guess: not when any page on the web can make this browser ask, by a picture.
    may_guess: bool,
}

impl FromRequestParts<App> for Caller {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let ClientIp(ip) = ClientIp::from_request_parts(parts, app).await?;
        let Ok(identity) = RequestIdentity::from_request_parts(parts, app).await;
        Ok(Self { ip, identity, may_guess: !csrf::is_part_of_page(&parts.headers), headers: parts.headers.clone() })
    }
}

/// Shows what a secret link shows, as a page.
#[utoipa::path(get, path = "/s/{token}", operation_id = "showShare", tag = "shares", params(("token" = String, Path)), security(()),
    responses((status = 200, body = String, content_type = "text/html"), (status = 304),
        (status = 404, body = String, content_type = "text/html"), (status = 410, body = String, content_type = "text/html"),
        (status = 429, body = String, content_type = "text/html")))]
async fn show(State(app): State<App>, caller: Caller, Path(token): Path<String>) -> Response {
    respond(&app, caller, &token, Form::Page).await
}

/// Returns what the secret link of a review shows.
#[utoipa::path(get, path = "/s/{token}/review.json", operation_id = "getSharedReview", tag = "shares", params(("token" = String, Path)),
    security(()),
    responses((status = 200, body = SharedReview), (status = 304), (status = 404), (status = 410), (status = 429), (status = 503)))]
async fn review(State(app): State<App>, caller: Caller, Path(token): Path<String>) -> Response {
    respond(&app, caller, &token, Form::Review).await
}

/// Returns the newest finished books of a feed's or a public page's secret link as Atom.
#[utoipa::path(get, path = "/s/{token}/feed.atom", operation_id = "getSharedAtom", tag = "shares", params(("token" = String, Path)),
    security(()), responses((status = 200, body = String, content_type = "application/atom+xml"), (status = 304), (status = 404),
        (status = 410), (status = 429), (status = 503)))]
async fn atom(State(app): State<App>, caller: Caller, Path(token): Path<String>) -> Response {
    respond(&app, caller, &token, Form::Atom).await
}

/// Returns the newest finished books of a feed's or a public page's secret link as JSON Feed.
#[utoipa::path(get, path = "/s/{token}/feed.json", operation_id = "getSharedJsonFeed", tag = "shares", params(("token" = String, Path)),
    security(()), responses((status = 200, body = serde_json::Value, content_type = "application/feed+json"), (status = 304),
        (status = 404), (status = 410), (status = 429), (status = 503)))]
async fn json_feed(State(app): State<App>, caller: Caller, Path(token): Path<String>) -> Response {
    respond(&app, caller, &token, Form::JsonFeed).await
}

/// Returns the days of the finished books of a calendar's secret link as iCalendar.
#[utoipa::path(get, path = "/s/{token}/calendar.ics", operation_id = "getSharedCalendar", tag = "shares",
    params(("token" = String, Path)), security(()),
    responses((status = 200, body = String, content_type = "text/calendar"), (status = 304), (status = 404), (status = 410),
        (status = 429), (status = 503)))]
async fn calendar(State(app): State<App>, caller: Caller, Path(token): Path<String>) -> Response {
    respond(&app, caller, &token, Form::Calendar).await
}

/// Returns the picture of a public page's or a review's secret link.
#[utoipa::path(get, path = "/s/{token}/card.svg", operation_id = "getSharedCard", tag = "shares", params(("token" = String, Path)),
    security(()), responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 304), (status = 404), (status = 410),
        (status = 429), (status = 503)))]
async fn picture(State(app): State<App>, caller: Caller, Path(token): Path<String>) -> Response {
    respond(&app, caller, &token, Form::Card).await
}

/// Returns a cover that a link shows. Only a link that shows covers has any, and only those of its books.
#[utoipa::path(get, path = "/s/{token}/covers/{id}", operation_id = "getSharedCover", tag = "shares",
    params(("token" = String, Path), ("id" = i64, Path)), security(()),
    responses((status = 200, body = inline(download::File), content_type = "image/*"), (status = 404), (status = 410), (status = 429)))]
async fn cover(State(app): State<App>, caller: Caller, Path((token, id)): Path<(String, CoverId)>) -> Response {
    let mut response = open_cover(&app, &caller, &token, id).await.unwrap_or_else(IntoResponse::into_response);
    keep_secret(&mut response, "no-store");
    response
}

async fn open_cover(app: &App, caller: &Caller, token: &str, id: CoverId) -> Result<Response> {
    let (share, owner) = find(app, caller, token, &app.shared_covers).await?;
    share.require_running(&owner.zone, app.now())?;
    if !share.parts.has(SharePart::Covers) {
        return Err(unknown());
    }
    let _reader = app.budgets.reader(owner.viewer.user_id).await?;
    let found = app.db.read(move |conn| {
        let content = Content { conn, share: &share, owner: &owner.viewer, path: "", is_folder: false };
        if content.shows_cover(id)? { covers::store::get(conn, owner.viewer.user_id, id) } else { Err(unknown()) }
    });
    Ok(covers::http::picture(found.await?).into_response())
}

/// Keeps an answer behind a link from search engines, and its address from other sites.
fn keep_secret(response: &mut Response, cache: &'static str) {
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static("x-robots-tag"), HeaderValue::from_static("noindex, nofollow"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
}

/// Answers with what a link shows, or says why it shows nothing. Search engines keep none of it, and no other site learns the address.
async fn respond(app: &App, caller: Caller, token: &str, form: Form) -> Response {
    let server = app.current.get().identity();
    let mut response = match open(app, caller, token, form, server.clone()).await {
        Ok(response) => response,
        Err(error) if form == Form::Page && !error.status().is_server_error() => {
            let sentence = error.to_string();
            let mut response = error.into_response();
            let html = page::message(server.name(), &sentence, advice(response.status()));
            *response.body_mut() = html.into();
            response.headers_mut().remove(header::CONTENT_LENGTH);
            response
        }
        Err(error) => error.into_response(),
    };
    let is_answer = form == Form::Page && !response.status().is_server_error();
    keep_secret(&mut response, "private, no-cache");
    if is_answer {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
        let policy = headers.entry(header::CONTENT_SECURITY_POLICY);
        policy.or_insert(HeaderValue::from_static(page::POLICY.as_str()));
    }
    response
}

fn advice(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => "It was taken back, or mistyped. Ask the person who sent it to you for a new one.",
        StatusCode::GONE => "Ask the person who sent it to you for a new one.",
        _ => "",
    }
}

fn unknown() -> Error {
    Error::refused(ErrorCode::NotFound, "This link is not valid any more.")
}

async fn open(app: &App, caller: Caller, token: &str, form: Form, server: ServerIdentity) -> Result<Response> {
    let (share, owner) = find(app, &caller, token, &app.shared_views).await?;
    let now = app.now();
    share.require_running(&owner.zone, now)?;
    if !share.forms().contains(&form) {
        return Err(unknown());
    }
    if store::is_seen_again(share.last_seen, now) {
        app.db.write_later("the last opening of a link", move |tx| store::note_seen(tx, share.id));
    }
    let has_covers = share.parts.has(SharePart::Covers);
    // Programs get the path as the API has it.
    let config = app.current.get();
    let base = if form == Form::Page { config.base_path() } else { "" };
    let (path, url) = (format!("{base}/s/{token}"), super::address(app, token));
    let _reader = app.budgets.reader(owner.viewer.user_id).await?;
    let made = app.db.read(move |conn| {
        let link = Opened { conn, share: &share, owner: &owner, server: &server };
        link.render(form, Place { path: &path, url: &url, is_folder: false })
    });
    // A tag of the revision would tell strangers how often the library changes.
    let mut response = etag::of_content(&caller.headers, form.media_type(), made.await?)?;
    let headers = response.headers_mut();
    match form {
        Form::Page if has_covers => {
            headers
                .insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(page::POLICY_WITH_COVERS.as_str()));
        }
        Form::Card => {
            headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(card::POLICY.as_str()));
            // Its owner may show the picture on a page elsewhere.
            headers.insert("cross-origin-resource-policy", HeaderValue::from_static("cross-origin"));
        }
        _ => {}
    }
    Ok(response)
}

/// The link with this token and its owner. A wrong token counts as a guess, and `limit` counts every call.
///
/// # Errors
/// 404 also for the link of a disabled account; 429 after too many guesses or calls.
async fn find(app: &App, caller: &Caller, token: &str, limit: &AddressLimit) -> Result<(Share, Owner)> {
    require_shares(app).map_err(|_| unknown())?;
    caller.identity.acquire_for_address().await?;
    let now = app.now();
    limit.begin(caller.ip, now).map_err(Error::TooMany)?;
    if caller.may_guess {
        app.attempts.begin_secret(caller.ip, now)?;
    }
    let hash = ShareToken::parse(token).ok_or_else(unknown)?.hash();
    let found = app.db.read(move |conn| store::find_by_token(conn, hash)).await?;
    let (share, user_id) = found.ok_or_else(unknown)?;
    if caller.may_guess {
        app.attempts.knew_secret(caller.ip);
    }
    let owner = Owner::find(app, user_id).await?.ok_or_else(unknown)?;
    Ok((share, owner))
}
