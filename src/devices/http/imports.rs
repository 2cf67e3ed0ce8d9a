//! The API call that imports files with reading in them.
use std::io::Write as _;
use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Request, State};
use serde_json::Value;
use tempfile::NamedTempFile;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::zone_of;
use crate::access::Viewer;
use crate::config::Quotas;
use crate::devices::files::{self, ColumnMap, DayField, Options, ReadingFile};
use crate::devices::model::ReadingReport;
use crate::devices::statistics::{FileRefusal, LARGEST};
use crate::devices::store::days::Reader;
use crate::devices::store::imports;
use crate::kit::db::pool::{Tx, blocking};
use crate::kit::http::budgets::HeavyPermit;
use crate::kit::http::download;
use crate::kit::http::extract::IdempotencyKey;
use crate::kit::http::idempotency::{self, IdempotentResponse};
use crate::kit::http::query::{DryRun, Query};
use crate::kit::http::request_identity::RequestIdentity;
use crate::kit::http::routes::routes;
use crate::kit::http::upload::{self, LONGEST_TEXT, Upload, UploadLimits};
use crate::kit::time_zone::Zone;
use crate::kit::{App, Error, ErrorCode, Result};
use crate::library::counters;
use crate::library::import::folded;
use crate::library::import::parsing::PARSING;

/// The route of this part. The form is read piece by piece, within its own limit.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(import_reading)).layer(DefaultBodyLimit::disable())
}

impl From<FileRefusal> for Error {
    fn from(refusal: FileRefusal) -> Self {
        match refusal {
            FileRefusal::Table(cause) => cause.into(),
            FileRefusal::TooMany | FileRefusal::TooManyBooks | FileRefusal::TooManyPassages => {
                Self::TooLarge(refusal.to_string())
            }
            FileRefusal::TooSlow => Self::Busy,
            _ => Self::refused(ErrorCode::UnreadableFile, refusal.to_string()),
        }
    }
}

/// A file with reading in it.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes what Form::read reads")]
struct ReadingImportForm {
    /// KOReader's `statistics.sqlite3`, `KoboReader.sqlite`, Calibre's `metadata.db`, Amazon's .zip of Kindle data, a table of days
    /// (.csv, .tsv), or what was marked (`My Clippings.txt`, Readwise's CSV, KOReader's JSON); at most 64 MiB, a text 20 MB and 100,000 rows.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// The fields of a table's columns, as JSON: `{"Datum": "day", "Ort": null}`. Fields are `day`, `title`, `author`, `page`, `percent` and
    /// `minutes`; without it the names of the columns decide.
    #[schema(required = false)]
    column_map: String,
}

/// A form that was read.
pub(super) struct Form {
    pub file: NamedTempFile,
    pub name: String,
    columns: ColumnMap,
    /// The field `books`, as it was sent.
    pub books: String,
}

impl Form {
    async fn read(upload: &mut Upload, mut file: NamedTempFile, limits: UploadLimits, largest: usize) -> Result<Self> {
        let (mut name, mut columns, mut books) = (None, ColumnMap::new(), String::new());
        while let Some(mut part) = upload.next_part().await? {
            match part.name().unwrap_or_default() {
                "file" if name.is_none() => {
                    name = Some(part.file_name().unwrap_or_default().chars().take(255).collect());
                    let write = |piece: &[u8]| file.write_all(piece).map_err(download::failed);
                    if upload::pieces(&mut part, limits, largest, write).await? > largest {
                        return Err((limits.too_large)());
                    }
                }
                "columnMap" => columns = column_map(&upload::text(&mut part, limits).await?)?,
                "books" => books = upload::text(&mut part, limits).await?,
                _ => drop(upload::bytes(&mut part, limits, 0).await?),
            }
        }
        let name = name.ok_or_else(|| Error::invalid_field("file", "Please select a file"))?;
        Ok(Self { file, name, columns, books })
    }
}

/// A form whose file it is now the turn to read.
pub(super) struct Received {
    pub form: Form,
    pub zone: Zone,
    pub permit: HeavyPermit,
    /// Permits, held until all work is done, even if the client has gone.
    pub held: Arc<dyn Send + Sync>,
}

/// Reads the form of a call with a file, of at most `largest` bytes, which goes to the disk, and waits for its turn.
pub(super) async fn receive(
    app: &App,
    viewer: &Viewer,
    request: Request,
    largest: usize,
    too_large: fn() -> Error,
) -> Result<Received> {
    let limits =
        UploadLimits { largest: largest + 3 * LONGEST_TEXT, still_read: 2 * largest, in_memory: false, too_large };
    let zone = zone_of(app, viewer).await?;
    let permit = app.budgets.heavy_change(viewer.user_id).await?;
    let identity = request.extensions().get::<RequestIdentity>().cloned().unwrap_or_default();
    let file = NamedTempFile::new_in(download::folder(&app.db)).map_err(download::failed)?;
    let form = identity.read_body(async {
        let mut upload = Upload::begin(request, app.budgets.requests(), limits).await?;
        let form = Form::read(&mut upload, file, limits, largest).await;
        upload.memory()?;
        form
    });
    let form = form.await?;
    let turn = PARSING.acquire().await.map_err(|_| Error::internal("imports are closed"))?;
    Ok(Received { form, zone, held: Arc::new((permit.clone(), turn)), permit })
}

/// Reads a file that was received.
pub(super) async fn read(held: Arc<dyn Send + Sync>, file: NamedTempFile, options: Options) -> Result<ReadingFile> {
    let read = blocking(move || {
        let _held = held;
        Ok(files::read(file.path(), &options)?)
    });
    read.await
}

/// What columns are, as JSON.
fn column_map(text: &str) -> Result<ColumnMap> {
    let refused = |sentence: String| Error::invalid_field("columnMap", sentence);
    let text = if text.trim().is_empty() { "{}" } else { text };
    let Ok(Value::Object(map)) = serde_json::from_str(text) else {
        return Err(refused("This must be a JSON object with names as keys and fields as values.".into()));
    };
    let choose = |(name, choice): (String, Value)| {
        let field = match choice.as_str() {
            None if choice.is_null() => None,
            Some("") => None,
            word => {
                let field = word.and_then(DayField::from_name);
                Some(field.ok_or_else(|| {
                    refused(format!("{name}: choose day, title, author, page, percent, minutes or null."))
                })?)
            }
        };
        Ok((folded(&name), field))
    };
    map.into_iter().map(choose).collect()
}

/// Imports a file with reading in it: its books become documents, its days those of the reads that they are linked to, and its passages
/// quotes of the books that have their title and author. Undone at
/// `DELETE /api/imports/{id}`.
#[utoipa::path(post, path = "/api/reading/import", operation_id = "importReading", tag = "devices", params(DryRun, IdempotencyKey),
    request_body(content = ReadingImportForm, content_type = "multipart/form-data"),
    responses((status = 200, body = ReadingReport), (status = 401), (status = 403), (status = 409), (status = 413), (status = 415),
        (status = 422)))]
async fn import_reading(
    State(app): State<App>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    key: IdempotencyKey,
    Query(DryRun { dry_run }): Query<DryRun>,
    request: Request,
) -> Result<IdempotentResponse> {
    let owner = viewer.user_id;
    let too_large = || Error::TooLarge("The file is larger than 64 MiB. Nothing was imported.".into());
    let Received { form, zone, permit, held } = receive(&app, &viewer, request, LARGEST, too_large).await?;
    let Form { file, name, columns, .. } = form;
    let read = read(held.clone(), file, Options { zone: zone.clone(), today: viewer.today, columns }).await?;
    if !read.is_mapped {
        let report = ReadingReport { columns: read.columns, ..ReadingReport::of(read.format) };
        return if dry_run { answer(&report) } else { Err(unmapped()) };
    }
    let stored = permit.write(&app.db, move |tx| {
        let _held = held;
        let reader = Reader::new(tx, owner, zone, tx.now())?;
        let import = |tx: &Tx<'_>| {
            let import = || imports::import(tx, &reader, &name, read, dry_run);
            answer(&counters::within_quotas(tx, owner, quotas, import)?)
        };
        if dry_run { import(tx) } else { idempotency::once(tx, owner, &key, "POST /api/reading/import", import) }
    });
    stored.await
}

/// The refusal of a table whose columns are unknown.
pub fn unmapped() -> Error {
    let sentence = "This is not a known format. Please choose which column is the day, which the title, and which the page, the \
        percentage or the minutes.";
    Error::refused(ErrorCode::UnknownColumns, sentence)
}

fn answer(report: &ReadingReport) -> Result<IdempotentResponse> {
    Ok(IdempotentResponse::ok(serde_json::to_value(report)?))
}
