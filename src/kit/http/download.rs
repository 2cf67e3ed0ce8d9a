//! Files for downloads, and long lists. They are written to the disk, so that a slow client holds neither a database connection nor
//! memory.
use std::io::{self, Read as _, Seek as _};
use std::path::PathBuf;

use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use futures_util::{StreamExt as _, stream};
use rusqlite::Connection;
use tempfile::{SpooledData, SpooledTempFile};

use crate::kit::App;
use crate::kit::db::pool::{Db, blocking};
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;

/// A smaller file stays in memory, in bytes.
const IN_MEMORY: usize = 1024 * 1024;
/// How much of a file is read at once, in bytes.
const PIECE: usize = 256 * 1024;

/// The bytes of a file.
#[derive(utoipa::ToSchema)]
#[schema(value_type = String, format = Binary)]
pub struct File(pub Vec<u8>);

/// A file without a name, in memory while it is small, and otherwise beside the database until it is dropped.
pub fn unnamed(db: &Db) -> SpooledTempFile {
    tempfile::spooled_tempfile_in(IN_MEMORY, folder(db))
}

/// The folder of files that live as long as a call: that of the database.
pub fn folder(db: &Db) -> PathBuf {
    db.path().parent().map_or_else(std::env::temp_dir, ToOwned::to_owned)
}

/// The length of a file that was just written, and a body with its content, which keeps `held` until it is sent or its client has gone.
///
/// # Errors
/// 507 when the disk is full.
pub fn body<T: Send + 'static>(mut file: SpooledTempFile, held: T) -> Result<(u64, Body)> {
    let length = file.stream_position().map_err(failed)?;
    file.rewind().map_err(failed)?;
    let file = match file.into_inner() {
        SpooledData::InMemory(bytes) => return Ok((length, bytes.into_inner().into())),
        SpooledData::OnDisk(file) => file,
    };
    let pieces = stream::unfold(Some((file, held)), |sending| async move {
        let (mut file, held) = sending?;
        let read = blocking(move || {
            let mut piece = Vec::with_capacity(PIECE);
            file.by_ref().take(PIECE as u64).read_to_end(&mut piece).map_err(failed)?;
            Ok((file, piece))
        });
        match read.await {
            Ok((_, piece)) if piece.is_empty() => None,
            Ok((file, piece)) => Some((Ok(Bytes::from(piece)), Some((file, held)))),
            Err(cause) => Some((Err(cause), None)),
        }
    });
    // It may be polled again after its end.
    Ok((length, Body::from_stream(pieces.fuse())))
}

/// Writes a file from one snapshot of the database and sends it as a download. The number of simultaneous downloads of an account is
/// limited.
///
/// # Errors
/// 429 `too_many_at_once`; 503 `busy` when writing takes longer than one minute; 507 when the disk is full.
pub async fn made<F>(app: &App, owner: UserId, kind: &str, name: &str, write: F) -> Result<Response>
where
    F: FnOnce(&Connection, &mut SpooledTempFile) -> Result<()> + Send + 'static,
{
    let permit = app.budgets.heavy(owner).await?;
    let mut file = unnamed(&app.db);
    let made = app.db.read_long(move |conn| {
        write(conn, &mut file)?;
        body(file, permit.sending())
    });
    let (length, body) = made.await?;
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
        (header::CONTENT_LENGTH, length.to_string()),
    ];
    Ok((headers, body).into_response())
}

/// The error for a file that can't be written.
pub fn failed(cause: io::Error) -> Error {
    match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Error::DiskFull,
        _ => Error::internal(format!("writing a file beside the database failed: {cause}")),
    }
}
