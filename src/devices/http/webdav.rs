//! A WebDAV folder that takes KOReader's statistics and never gives them back: KOReader deletes on the device what the file of its server
//! lacks. So reading is always 404, every upload is merged, and no file is stored.
use std::io::Write as _;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http_body_util::BodyExt as _;
use tempfile::NamedTempFile;

use super::Call;
use super::sign_in::SignedIn;
use crate::devices::model::key_of;
use crate::devices::statistics;
use crate::devices::store::days::Reader;
use crate::devices::store::documents;
use crate::kit::db::pool::blocking;
use crate::kit::http::download;
use crate::kit::{Error, Result};
use crate::library::counters;

/// The folder: older versions of KOReader can't choose the root.
const FOLDER: &str = "statistics";
/// The file that KOReader sends.
const FILE: &str = "statistics.sqlite3";
const METHODS: &str = "OPTIONS, PROPFIND, MKCOL, PUT, GET, HEAD";

/// What a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Folder,
    File,
    Unknown,
}

impl Place {
    fn of(path: &str) -> Self {
        let parts: Vec<_> = path.split('/').filter(|part| !part.is_empty()).collect();
        match parts.as_slice() {
            [] => Self::Root,
            [FOLDER] => Self::Folder,
            [FILE] | [FOLDER, FILE] => Self::File,
            _ => Self::Unknown,
        }
    }
}

/// Answers below `/dav`.
pub async fn answer(call: &Call, path: &str, request: Request) -> Response {
    let place = Place::of(path);
    if request.method() == "OPTIONS" {
        return (StatusCode::OK, [("dav", "1"), ("allow", METHODS)]).into_response();
    }
    let device = match sign_in(call, request.headers()).await {
        Ok(device) => device,
        Err(refusal) => return refused(refusal),
    };
    match (request.method().as_str(), place) {
        (_, Place::Unknown) => said(StatusCode::FORBIDDEN, "Only KOReader's statistics are taken here."),
        ("GET" | "HEAD", _) | ("PROPFIND", Place::File) => {
            said(StatusCode::NOT_FOUND, "Statistics are taken here, and never given back.")
        }
        ("PROPFIND", _) => listed(place, call.app.current.get().base_path(), request.headers()),
        ("PUT", Place::File) => put(call, device, request).await.unwrap_or_else(refused),
        ("MKCOL", Place::File) => said(StatusCode::FORBIDDEN, "There is one folder here."),
        _ => (StatusCode::METHOD_NOT_ALLOWED, [("allow", METHODS)]).into_response(),
    }
}

fn said(status: StatusCode, sentence: &str) -> Response {
    (status, [(header::CONTENT_TYPE, "text/plain; charset=utf-8")], format!("{sentence}\n")).into_response()
}

fn refused(error: Error) -> Response {
    let (status, sentence) = (error.code().status(), error.to_string());
    if status == StatusCode::INTERNAL_SERVER_ERROR {
        return error.into_response();
    }
    let mut answer = said(status, &sentence);
    if let Error::Unauthorized = error {
        let ask = header::HeaderValue::from_static("Basic realm=\"Shelfwise device\", charset=\"UTF-8\"");
        answer.headers_mut().insert(header::WWW_AUTHENTICATE, ask);
    }
    if let Error::TooMany(seconds) = error {
        answer.headers_mut().insert(header::RETRY_AFTER, seconds.into());
    }
    answer
}

async fn sign_in(call: &Call, headers: &HeaderMap) -> Result<SignedIn> {
    let (login, password) = basic(headers).ok_or(Error::Unauthorized)?;
    call.sign_ins.sign_in(&call.app, call.ip, &call.identity, &login, key_of(&password)).await
}

/// User name and password of a request.
fn basic(headers: &HeaderMap) -> Option<(String, String)> {
    let (scheme, sent) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    let sent = STANDARD.decode(sent.trim()).ok().filter(|_| scheme.eq_ignore_ascii_case("Basic"))?;
    let (login, password) = std::str::from_utf8(&sent).ok()?.split_once(':')?;
    Some((login.to_owned(), password.to_owned()))
}

/// The list of a folder of the server below `base`. KOReader's patterns need a prefix before each name.
fn listed(place: Place, base: &str, headers: &HeaderMap) -> Response {
    let folder = |path: &str, name: &str| {
        format!(
            "<d:response><d:href>{base}{path}</d:href><d:propstat><d:prop><d:displayname>{name}</d:displayname>\
             <d:resourcetype><d:collection/></d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
        )
    };
    let own = format!("/dav/{FOLDER}/");
    let has_depth = headers.get("depth").is_none_or(|depth| depth != "0");
    let rows = match place {
        Place::Folder => folder(&own, FOLDER),
        _ if has_depth => folder("/dav/", "dav") + &folder(&own, FOLDER),
        _ => folder("/dav/", "dav"),
    };
    let body =
        format!("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<d:multistatus xmlns:d=\"DAV:\">{rows}</d:multistatus>\n");
    let kind = [(header::CONTENT_TYPE, "application/xml; charset=utf-8")];
    (StatusCode::MULTI_STATUS, kind, body).into_response()
}

/// Takes a file over: 201 the first time, then 204, and 422 for what is none.
async fn put(call: &Call, device: SignedIn, request: Request) -> Result<Response> {
    let (app, quotas) = (&call.app, call.quotas);
    let SignedIn { id, owner } = device;
    let (user_id, zone) = (owner.viewer.user_id, owner.zone);
    let permit = app.budgets.heavy_change(user_id).await?;
    let file = NamedTempFile::new_in(download::folder(&app.db)).map_err(download::failed)?;
    let file = call.identity.read_body(received(request.into_body(), file)).await?;
    let content = match blocking(move || Ok(statistics::read(file.path()))).await? {
        Ok(content) => content,
        Err(refusal) => return Ok(said(StatusCode::UNPROCESSABLE_ENTITY, &refusal.to_string())),
    };
    let taken = permit.write(&app.db, move |tx| {
        let reader = Reader::new(tx, user_id, zone, tx.now())?;
        let is_first = documents::came(tx, id, &content.books)?;
        counters::within_quotas(tx, user_id, quotas, || documents::take(tx, &reader, id, content.books))?;
        Ok(is_first)
    });
    let status = if taken.await? { StatusCode::CREATED } else { StatusCode::NO_CONTENT };
    Ok(status.into_response())
}

/// Writes a body to a file.
async fn received(mut body: Body, mut file: NamedTempFile) -> Result<NamedTempFile> {
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Error::unreadable("The request's body could not be read."))?;
        let Ok(data) = frame.into_data() else { continue };
        length += data.len();
        if length > statistics::LARGEST {
            return Err(Error::TooLarge("The file is larger than 64 MiB.".into()));
        }
        file.write_all(&data).map_err(download::failed)?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_the_root_the_folder_the_file_or_nothing_of_ours() {
        for (path, place) in [
            ("", Place::Root),
            ("/", Place::Root),
            ("//statistics/", Place::Folder),
            ("/statistics.sqlite3", Place::File),
            ("/statistics//statistics.sqlite3", Place::File),
            ("/other", Place::Unknown),
            ("/statistics/../statistics.sqlite3", Place::Unknown),
        ] {
            assert_eq!(Place::of(path), place, "{path}");
        }
    }
}
