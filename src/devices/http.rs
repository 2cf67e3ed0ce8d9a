//! The API calls of devices and documents, and the protocols that devices speak.
mod documents;
mod imports;
mod kosync;
mod quotes;
mod sign_in;
mod sources;
mod webdav;

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, any};
use axum::{Extension, Json as Answer};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::model::{
    Device, DeviceAddresses, DeviceCreate, DeviceId, DeviceRefusal, DeviceUpdate, MOST_DEVICES, MOST_DOCUMENTS,
    credentials, key_of, password,
};
use super::store::{devices, documents as stored_documents, overview};
use crate::access::{Owner, Viewer};
use crate::config::Quotas;
use crate::kit::http::csrf;
use crate::kit::http::extract::{ClientIp, Json, Path};
use crate::kit::http::request_identity::RequestIdentity;
use crate::kit::http::routes::routes;
use crate::kit::time_zone::Zone;
use crate::kit::{App, Error, ErrorCode, Result};
pub use imports::unmapped;
use sign_in::SignIns;
pub use sign_in::hash_here;

/// The described routes of this module.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list, create))
        .routes(routes!(change, take_back))
        .merge(documents::routes())
        .merge(imports::routes())
        .merge(quotes::routes())
        .merge(sources::routes())
}

/// Where devices speak their own protocols, which no description of this API has: kosync with any number of slashes, also at the root, and
/// the methods of WebDAV.
pub const PROTOCOL_PATHS: [&str; 12] = [
    "/kosync", "/kosync/", "/kosync/{*path}", "/users/{call}", "/syncs/progress", "/syncs/progress/{document}",
    "//users/{call}", "//syncs/progress", "//syncs/progress/{document}", "/dav", "/dav/", "/dav/{*path}",
];

/// Answers devices at [`PROTOCOL_PATHS`]. They sign in with each request, and no cookie counts.
pub fn protocols() -> MethodRouter<App> {
    any(speak).layer(Extension(SignIns::default()))
}

/// Who calls, and what an answer needs.
struct Call {
    app: App,
    quotas: Quotas,
    sign_ins: SignIns,
    ip: IpAddr,
    identity: RequestIdentity,
}

async fn speak(
    State(app): State<App>,
    State(quotas): State<Quotas>,
    Extension(sign_ins): Extension<SignIns>,
    ClientIp(ip): ClientIp,
    identity: RequestIdentity,
    request: Request,
) -> Response {
    // A picture on any page can name a user and a password in its address, and each wrong one counts.
    if csrf::is_part_of_page(request.headers()) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let call = Call { app, quotas, sign_ins, ip, identity };
    let path = request.uri().path().to_owned();
    match path.strip_prefix("/dav") {
        Some(below) => webdav::answer(&call, below, request).await,
        None => kosync::answer(&call, &path, request).await,
    }
}

impl From<DeviceRefusal> for Error {
    fn from(refusal: DeviceRefusal) -> Self {
        match refusal {
            DeviceRefusal::TooMany => {
                Self::refused(ErrorCode::TooManyDevices, format!("An account can have at most {MOST_DEVICES} devices."))
            }
            DeviceRefusal::TooManyDocuments => Self::refused(
                ErrorCode::TooManyDevices,
                format!("Devices can name at most {MOST_DOCUMENTS} documents."),
            ),
            DeviceRefusal::TooManyRows => Self::refused(
                ErrorCode::TooManyDevices,
                "Devices can report at most 2,000,000 page turns in all.".to_owned(),
            ),
        }
    }
}

/// The time zone of an account.
async fn zone_of(app: &App, viewer: &Viewer) -> Result<Zone> {
    Ok(Owner::find(app, viewer.user_id).await?.ok_or(Error::Unauthorized)?.zone)
}

/// The devices of an account.
#[derive(Serialize, ToSchema)]
struct DeviceList {
    /// Newest first.
    data: Vec<Device>,
}

/// A device with its password, which is shown only now.
#[derive(Serialize, ToSchema)]
struct DeviceCreated {
    device: Device,
    /// The user name.
    login: String,
    /// Ten letters in two groups. It can't be read again.
    password: String,
    urls: DeviceAddresses,
}

/// A device.
#[derive(Serialize, ToSchema)]
struct DeviceResponse {
    device: Device,
    /// The new password, if one was asked for. It can't be read again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    password: Option<String>,
    urls: DeviceAddresses,
}

fn addresses(app: &App) -> DeviceAddresses {
    DeviceAddresses::below(&app.current.get().identity().url)
}

/// Lists your devices, newest first, without their passwords.
#[utoipa::path(get, path = "/api/devices", operation_id = "listDevices", tag = "devices",
    responses((status = 200, body = DeviceList), (status = 401), (status = 403)))]
async fn list(State(app): State<App>, viewer: Viewer) -> Result<Answer<DeviceList>> {
    let zone = zone_of(&app, &viewer).await?;
    let read = app.db.read(move |conn| overview::devices(conn, viewer.user_id, &zone));
    Ok(Answer(DeviceList { data: read.await? }))
}

/// Creates a login for a device, good for nothing but reporting what is read.
#[utoipa::path(post, path = "/api/devices", operation_id = "createDevice", tag = "devices", request_body = DeviceCreate,
    responses((status = 201, body = DeviceCreated), (status = 401), (status = 403), (status = 409), (status = 422)))]
async fn create(State(app): State<App>, viewer: Viewer, Json(form): Json<DeviceCreate>) -> Result<Response> {
    let (name, kind) = form.checked()?;
    let (login, password) = credentials()?;
    let secret = sign_in::hash(&app, key_of(&password)).await?;
    let user_name = login.clone();
    let added = app.db.write(move |tx| devices::add(tx, viewer.user_id, &name, kind, &user_name, secret));
    let made = DeviceCreated { device: added.await?, login, password, urls: addresses(&app) };
    Ok((StatusCode::CREATED, [(header::CACHE_CONTROL, "no-store")], Answer(made)).into_response())
}

/// Renames a device, sets its clock right, or gives it another password.
#[utoipa::path(patch, path = "/api/devices/{id}", operation_id = "updateDevice", tag = "devices", params(("id" = i64, Path)),
    request_body = DeviceUpdate,
    responses((status = 200, body = DeviceResponse), (status = 401), (status = 403), (status = 404), (status = 422)))]
async fn change(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<DeviceId>,
    Json(form): Json<DeviceUpdate>,
) -> Result<Response> {
    let change = form.checked()?;
    let (owner, zone) = (viewer.user_id, zone_of(&app, &viewer).await?);
    let password = if change.new_password { Some(password()?) } else { None };
    let secret = match &password {
        Some(password) => Some(sign_in::hash(&app, key_of(password)).await?),
        None => None,
    };
    let here = zone.clone();
    let changed = app.db.write_alone(move |tx| {
        devices::change(tx, owner, id, &change, secret)?;
        match change.clock_offset {
            Some(_) => stored_documents::settle_device(tx, owner, here, id),
            None => Ok(()),
        }
    });
    changed.await?;
    let listed = app.db.read(move |conn| overview::devices(conn, owner, &zone)).await?;
    let device = listed.into_iter().find(|device| device.id == id).ok_or(Error::NotFound)?;
    let one = DeviceResponse { device, password, urls: addresses(&app) };
    Ok(([(header::CACHE_CONTROL, "no-store")], Answer(one)).into_response())
}

/// Takes a login back. What the device has reported stays.
#[utoipa::path(delete, path = "/api/devices/{id}", operation_id = "deleteDevice", tag = "devices", params(("id" = i64, Path)),
    responses((status = 204), (status = 401), (status = 403), (status = 404)))]
async fn take_back(State(app): State<App>, viewer: Viewer, Path(id): Path<DeviceId>) -> Result<StatusCode> {
    app.db.write(move |tx| devices::delete(tx, viewer.user_id, id)).await?;
    Ok(StatusCode::NO_CONTENT)
}
