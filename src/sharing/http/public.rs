//! What a secret link shows: a page without script, and the same as JSON. Nobody has to be signed in, and no cookie is read.
use std::net::IpAddr;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use utoipa_axum::router::OpenApiRouter;

use super::require_shares;
use crate::access::Owner;
use crate::kit::http::extract::{ClientIp, Path};
use crate::kit::http::request_identity::RequestIdentity;
use crate::kit::http::routes::routes;
use crate::kit::http::throttle::AddressLimit;
use crate::kit::http::{csrf, download, etag};
use crate::kit::{App, Error, ErrorCode, Result};
use crate::library::covers;
use crate::library::covers::model::CoverId;
use crate::reading::period::Period;
use crate::reading::review::store::{self as reviews, Asked};
use crate::sharing::model::{Part, Share, ShareToken, SharedReview};
use crate::sharing::{page, store};
use crate::statistics::store as statistics;

/// The routes of what links show.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show)).routes(routes!(review)).routes(routes!(cover))
}

/// The form in which a link's content is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Page,
    Json,
}

/// A person or a program that opens a link.
struct Caller {
    ip: IpAddr,
    identity: RequestIdentity,
    headers: HeaderMap,
    /// Whether a wrong token counts as a guess: not when any page on the web can make this browser ask, by a picture.
    may_guess: bool,
}

impl Caller {
    fn new(ip: IpAddr, identity: RequestIdentity, headers: HeaderMap) -> Self {
        Self { ip, identity, may_guess: !csrf::is_part_of_page(&headers), headers }
    }
}

/// Shows what a secret link shows, as a page.
#[utoipa::path(get, path = "/s/{token}", operation_id = "showShare", tag = "shares", params(("token" = String, Path)), security(()),
    responses((status = 200, body = String, content_type = "text/html"), (status = 304),
        (status = 404, body = String, content_type = "text/html"), (status = 410, body = String, content_type = "text/html"),
        (status = 429, body = String, content_type = "text/html")))]
async fn show(
    State(app): State<App>,
    ClientIp(ip): ClientIp,
    identity: RequestIdentity,
    headers: HeaderMap,
    Path(token): Path<String>,
) -> Response {
    let caller = Caller::new(ip, identity, headers);
    respond(&app, caller, &token, Form::Page).await
}

/// Returns what the secret link of a review shows.
#[utoipa::path(get, path = "/s/{token}/review.json", operation_id = "getSharedReview", tag = "shares", params(("token" = String, Path)),
    security(()),
    responses((status = 200, body = SharedReview), (status = 304), (status = 404), (status = 410), (status = 429), (status = 503)))]
async fn review(
    State(app): State<App>,
    ClientIp(ip): ClientIp,
    identity: RequestIdentity,
    headers: HeaderMap,
    Path(token): Path<String>,
) -> Response {
    let caller = Caller::new(ip, identity, headers);
    respond(&app, caller, &token, Form::Json).await
}

/// Returns a cover that a link shows. Only a link that shows covers has any, and only those of its books.
#[utoipa::path(get, path = "/s/{token}/covers/{id}", operation_id = "getSharedCover", tag = "shares",
    params(("token" = String, Path), ("id" = i64, Path)), security(()),
    responses((status = 200, body = inline(download::File), content_type = "image/*"), (status = 404), (status = 410), (status = 429)))]
async fn cover(
    State(app): State<App>,
    ClientIp(ip): ClientIp,
    identity: RequestIdentity,
    headers: HeaderMap,
    Path((token, id)): Path<(String, CoverId)>,
) -> Response {
    let caller = Caller::new(ip, identity, headers);
    let mut response = open_cover(&app, &caller, &token, id).await.unwrap_or_else(IntoResponse::into_response);
    keep_secret(&mut response, "no-store");
    response
}

async fn open_cover(app: &App, caller: &Caller, token: &str, id: CoverId) -> Result<Response> {
    let (share, period, owner) = find(app, caller, token, &app.shared_covers).await?;
    require_running(&share, &owner, app.now())?;
    if !share.parts.has(Part::Covers) {
        return Err(unknown());
    }
    let (owner, from) = (owner.viewer.user_id, owner.viewer.visible_from());
    let found = app.db.read(move |conn| match store::is_on_shelf(conn, owner, id, period, from)? {
        true => covers::store::get(conn, owner, id),
        false => Err(unknown()),
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
    let name = app.current.get().name.clone();
    let name = name.as_deref().unwrap_or("Shelfwise");
    let mut response = match open(app, caller, token, form, name).await {
        Ok(response) => response,
        Err(error) if form == Form::Page && !error.status().is_server_error() => {
            let sentence = error.to_string();
            let mut response = error.into_response();
            let html = page::message(name, &sentence, advice(response.status()));
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

async fn open(app: &App, caller: Caller, token: &str, form: Form, name: &str) -> Result<Response> {
    let (share, period, owner) = find(app, &caller, token, &app.shared_views).await?;
    let now = app.now();
    require_running(&share, &owner, now)?;
    if store::is_seen_again(share.last_seen, now) {
        app.db.write_later("the last opening of a link", move |tx| store::note_seen(tx, share.id));
    }
    let Owner { viewer, display_name, .. } = owner;
    let has_covers = share.parts.has(Part::Covers);
    let (path, server) = (format!("/s/{token}"), name.to_owned());
    let _reader = app.budgets.reader(viewer.user_id).await?;
    let made = app.db.read(move |conn| {
        let asked = Asked {
            owner: viewer.user_id,
            today: viewer.today,
            from: viewer.visible_from(),
            limited_to_months: None,
            streak: None,
        };
        let review = reviews::review(conn, period, asked)?;
        let genres = statistics::options(conn, viewer.user_id, viewer.visible_from())?.genres;
        let details_of = |book| store::details_of(conn, viewer.user_id, book, &share.parts, &path);
        let shown = SharedReview::of(review, &share.parts, viewer.today, display_name, &genres, details_of)?;
        Ok(match form {
            Form::Page => ("text/html; charset=utf-8", page::review(&server, &shown)),
            Form::Json => ("application/json", serde_json::to_string(&shown)?),
        })
    });
    let (kind, content) = made.await?;
    // A tag of the revision would tell strangers how often the library changes.
    let mut response = etag::of_content(&caller.headers, kind, content)?;
    if has_covers && form == Form::Page {
        let policy = HeaderValue::from_static(page::POLICY_WITH_COVERS.as_str());
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}

/// Refuses a link after its end.
fn require_running(share: &Share, owner: &Owner, now: DateTime<Utc>) -> Result<()> {
    let Some(end) = share.expires_at.filter(|end| end.utc() <= now) else { return Ok(()) };
    let day = page::written(owner.zone.day_at(end.utc()));
    Err(Error::refused(ErrorCode::ShareEnded, format!("This link ended on {day}.")))
}

/// The link with this token and its owner. A wrong token counts as a guess, and `limit` counts every call.
///
/// # Errors
/// 404 also for the link of a disabled account; 429 after too many guesses or calls.
async fn find(app: &App, caller: &Caller, token: &str, limit: &AddressLimit) -> Result<(Share, Period, Owner)> {
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
    let period = share.period.ok_or_else(unknown)?;
    Ok((share, period, owner))
}
