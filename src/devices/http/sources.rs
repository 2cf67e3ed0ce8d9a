//! The API calls of media servers.
use axum::Json as Answer;
use axum::extract::State;
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::access::Viewer;
use crate::config::Secret;
use crate::devices::audiobookshelf::client::{Server, SourceError};
use crate::devices::audiobookshelf::{KEY_LENGTH, whose};
use crate::devices::store::sources;
use crate::kit::db::pool::blocking;
use crate::kit::http::extract::{Json, Path};
use crate::kit::http::routes::routes;
use crate::kit::sealing::SealingKey;
use crate::kit::timestamp::Timestamp;
use crate::kit::{App, Error, ErrorCode, Result};

/// The routes of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list)).routes(routes!(connect, disconnect))
}

/// A media server of the settings.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MediaServer {
    /// Its name in addresses.
    name: String,
    /// Its name for people.
    title: String,
    /// Whether your key is stored.
    connected: bool,
    /// When it last reported: RFC 3339, UTC; null until then.
    #[schema(required, value_type = Option<String>)]
    last_polled_at: Option<Timestamp>,
    /// Why it did not report the last time, in a sentence; null where it did.
    #[schema(required)]
    error: Option<&'static str>,
}

/// The media servers.
#[derive(Serialize, ToSchema)]
struct MediaServerList {
    /// By name.
    data: Vec<MediaServer>,
}

/// A media server.
#[derive(Serialize, ToSchema)]
struct MediaServerResponse {
    source: MediaServer,
}

/// What connects an account there.
#[derive(Deserialize, ToSchema)]
struct MediaServerKey {
    /// An API key of the media server, 1 to 4,000 characters.
    #[schema(value_type = String, min_length = 1, max_length = 4_000)]
    key: Secret,
}

async fn sources_of(app: &App, viewer: &Viewer) -> Result<Vec<MediaServer>> {
    let owner = viewer.user_id;
    let connected = app.db.read(move |conn| sources::all(conn, owner)).await?;
    let listed = app.config.sources.iter().map(|(name, server)| {
        let connected = connected.iter().find(|one| one.name == *name);
        MediaServer {
            name: name.clone(),
            title: server.title(name).to_owned(),
            connected: connected.is_some(),
            last_polled_at: connected.and_then(|one| one.last_polled_at),
            error: connected.and_then(|one| one.error).map(SourceError::sentence),
        }
    });
    Ok(listed.collect())
}

/// Lists the media servers whose listening you can take over; the operator names them in the settings.
#[utoipa::path(get, path = "/api/sources", operation_id = "listSources", tag = "devices",
    responses((status = 200, body = MediaServerList), (status = 401), (status = 403)))]
async fn list(State(app): State<App>, viewer: Viewer) -> Result<Answer<MediaServerList>> {
    Ok(Answer(MediaServerList { data: sources_of(&app, &viewer).await? }))
}

/// Connects your account at a media server with a key, which is checked there once and stored encrypted. It then reports every 15 minutes.
#[utoipa::path(put, path = "/api/sources/{name}", operation_id = "connectSource", tag = "devices", params(("name" = String, Path)),
    request_body = MediaServerKey,
    responses((status = 200, body = MediaServerResponse), (status = 401), (status = 403), (status = 404), (status = 422), (status = 503)))]
async fn connect(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
    Json(form): Json<MediaServerKey>,
) -> Result<Answer<MediaServerResponse>> {
    let settings = app.config.sources.get(&name).ok_or(Error::NotFound)?;
    let key = Secret::from(form.key.expose().trim().to_owned());
    let length = key.expose().len();
    if length == 0 || length > KEY_LENGTH || !key.expose().bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::invalid_field("key", "Please paste an API key of Audiobookshelf."));
    }
    let _turn = app.user_locks.of(viewer.user_id).await;
    let server = Server::of(settings).map_err(|cause| Error::internal(format!("sources.{name}: {cause:#}")))?;
    match server.check(&key).await {
        Ok(()) => {}
        Err(error @ SourceError::KeyRefused) => return Err(Error::invalid_field("key", error.sentence())),
        Err(error) => return Err(Error::refused(ErrorCode::SourceUnavailable, error.sentence())),
    }
    let (owner, title) = (viewer.user_id, settings.title(&name).to_owned());
    let (folder, whose) = (app.config.data_dir.clone(), whose(owner, &name));
    let sealed = blocking(move || SealingKey::of(&folder)?.seal(key.expose(), &whose)).await?;
    let section = name.clone();
    app.db.write(move |tx| sources::connect(tx, owner, &section, &title, &sealed)).await?;
    let source = sources_of(&app, &viewer).await?.into_iter().find(|source| source.name == name);
    Ok(Answer(MediaServerResponse { source: source.ok_or(Error::NotFound)? }))
}

/// Deletes your key for a media server. What it has reported stays.
#[utoipa::path(delete, path = "/api/sources/{name}", operation_id = "disconnectSource", tag = "devices", params(("name" = String, Path)),
    responses((status = 204), (status = 401), (status = 403), (status = 404)))]
async fn disconnect(State(app): State<App>, viewer: Viewer, Path(name): Path<String>) -> Result<StatusCode> {
    app.db.write(move |tx| sources::delete(tx, viewer.user_id, &name)).await?;
    Ok(StatusCode::NO_CONTENT)
}
