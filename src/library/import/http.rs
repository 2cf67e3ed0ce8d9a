//! The API calls of imports.
mod form;

use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Extension, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::ImportRefusal;
use super::attempts::MOST_ATTEMPTS;
use super::complete::{Parts, Restoring};
use super::formats::named;
use super::parsing::{LONGEST, PARSING};
use super::plan::{Kind, Options, plan};
use super::preview::Outlook;
use super::progress::{ImportPhase, ImportProgress, Running};
use super::reader::Unreadable;
use super::refill;
use super::rejected;
use super::report::{ImportReport, Work, check_mapped, execute, preview_import};
use super::store::{self, Choices};
use super::sync::{self, Newer};
use crate::access::Viewer;
use crate::kit::db::pool::{Db, Tx, blocking};
use crate::kit::deadline::Deadline;
use crate::kit::http::budgets::HeavyPermit;
use crate::kit::http::extract::{IdempotencyKey, Path};
use crate::kit::http::idempotency::{self, IdempotentResponse};
use crate::kit::http::query::{self, DryRun, Query};
use crate::kit::http::request_identity::RequestIdentity;
use crate::kit::http::routes::routes;
use crate::kit::id::UserId;
use crate::kit::named::named;
use crate::kit::{App, Error, ErrorCode, Result};
use crate::library::books::add::Rules;
use crate::library::covers::store::CoverQuota;
use crate::library::import::history::model::ImportId;
use crate::library::import::history::model::{ImportSummary, ImportUndo};
use crate::library::import::history::store as history;
use crate::library::operations::store::undo::undo_import;
use form::{ImportFields, ImportForm};

/// The routes of this module. `parts` restore what a complete export has of other modules.
pub fn routes(parts: Parts) -> OpenApiRouter<App> {
    // The form is read piece by piece, within its own limit.
    let files = OpenApiRouter::new()
        .routes(routes!(import_books))
        .routes(routes!(import_tbr))
        .layer(DefaultBodyLimit::disable());
    OpenApiRouter::new()
        .routes(routes!(imports))
        .routes(routes!(import_progress, undo))
        .routes(routes!(rejected_rows))
        .routes(routes!(left_out_rows))
        .merge(files)
        .merge(refill::http::routes())
        .layer(Extension(parts))
        .layer(Extension(Running::default()))
}

impl From<Unreadable> for Error {
    fn from(cause: Unreadable) -> Self {
        let sentence = cause.to_string();
        match cause {
            Unreadable::TooLarge
            | Unreadable::UploadTooLarge
            | Unreadable::TooManyRows
            | Unreadable::TooManyColumns => Self::TooLarge(sentence),
            Unreadable::TookTooLong => Self::Busy,
            Unreadable::OtherEnding | Unreadable::Spreadsheet => Self::UnsupportedType(sentence),
            Unreadable::Empty
            | Unreadable::Workbook
            | Unreadable::NotText
            | Unreadable::NoTable
            | Unreadable::SeveralTables(_)
            | Unreadable::ClosedArchive
            | Unreadable::Part(_)
            | Unreadable::DamagedJson
            | Unreadable::MergeConflict
            | Unreadable::Highlights
            | Unreadable::OtherJson => Self::refused(ErrorCode::UnreadableFile, sentence),
        }
    }
}

impl From<ImportRefusal> for Error {
    fn from(refusal: ImportRefusal) -> Self {
        match refusal {
            ImportRefusal::UnknownColumns(kind) => {
                let needed = if kind == Kind::Tbr { "the title" } else { "the title and which the author" };
                let sentence = format!("This is not a known format. Please choose which column is {needed}.");
                Self::refused(ErrorCode::UnknownColumns, sentence)
            }
            ImportRefusal::NeverImported(format) => {
                let name = named(format).title;
                let sentence = format!("This library has never seen a file from {name}. Import it first.");
                Self::refused(ErrorCode::NeverImported, sentence)
            }
            ImportRefusal::LibraryChanged => Self::refused(
                ErrorCode::LibraryChanged,
                "Your library was changed meanwhile, so nothing was done. Please try again.",
            ),
            ImportRefusal::AlreadyUndone => Self::refused(ErrorCode::AlreadyUndone, "This import was undone before."),
        }
    }
}

named! {
    /// What becomes of books that the library has.
    #[derive(Default)]
    ImportMode {
        /// They stay as they are.
        #[default]
        Add = "add",
        /// They take over what has changed in the tracker since its last file.
        Sync = "sync",
    }
}

/// The options of an import.
#[derive(Default, Deserialize, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct ImportParams {
    /// Only returns a preview, without importing.
    #[serde(deserialize_with = "query::flag")]
    #[param(value_type = Option<bool>)]
    dry_run: bool,
    /// `sync` compares a newer file of a tracker with its last one: books take over what has changed there, and what was changed here stays.
    /// Nothing is deleted, and no status moves back. `add` (the default) only adds what is new.
    #[param(inline, value_type = Option<ImportMode>)]
    mode: ImportMode,
}

/// The imports of an account.
#[derive(Serialize, ToSchema)]
struct ImportList {
    /// Newest first.
    data: Vec<ImportSummary>,
}

/// Imports books, and items from a to-read shelf, from a CSV file, in one transaction.
#[utoipa::path(post, path = "/api/books/import", operation_id = "importBooks", tag = "imports", params(ImportParams, IdempotencyKey),
    request_body(content = ImportFields, content_type = "multipart/form-data"),
    responses((status = 200, body = ImportReport), (status = 401), (status = 409), (status = 413), (status = 415), (status = 422)))]
async fn import_books(
    State(app): State<App>,
    Extension(parts): Extension<Parts>,
    viewer: Viewer,
    key: IdempotencyKey,
    Query(params): Query<ImportParams>,
    request: Request,
) -> Result<IdempotentResponse> {
    import(Kind::Books, app, parts, viewer, key, params, request).await
}

/// Imports items of the to-be-read list from a CSV file: the rows of its to-read shelf, or every row if the file has no statuses.
#[utoipa::path(post, path = "/api/tbr/import", operation_id = "importTbr", tag = "imports", params(DryRun, IdempotencyKey),
    request_body(content = ImportFields, content_type = "multipart/form-data"),
    responses((status = 200, body = ImportReport), (status = 401), (status = 409), (status = 413), (status = 415), (status = 422)))]
async fn import_tbr(
    State(app): State<App>,
    Extension(parts): Extension<Parts>,
    viewer: Viewer,
    key: IdempotencyKey,
    Query(DryRun { dry_run }): Query<DryRun>,
    request: Request,
) -> Result<IdempotentResponse> {
    import(Kind::Tbr, app, parts, viewer, key, ImportParams { dry_run, mode: ImportMode::Add }, request).await
}

async fn import(
    kind: Kind,
    app: App,
    parts: Parts,
    viewer: Viewer,
    key: IdempotencyKey,
    ImportParams { dry_run, mode }: ImportParams,
    request: Request,
) -> Result<IdempotentResponse> {
    let (owner, rules) = (viewer.user_id, Rules::of(&viewer, app.current.get().limits.quotas()));
    let running = request.extensions().get::<Running>().cloned().unwrap_or_default();
    let (progress, _entry) = running.begin(owner, key.0.clone());
    let permit = app.budgets.heavy_change(owner).await?;
    let identity = request.extensions().get::<RequestIdentity>().cloned().unwrap_or_default();
    let mut form = identity.read_body(ImportForm::read(request, app.budgets.requests())).await?;
    let memory = form.take_memory();
    let former = move |conn: &Connection| Ok((store::choices(conn, owner)?, store::former_places(conn, owner)?));
    let (remembered, former_places) = app.db.read(former).await?;
    let outlook = Outlook { today: viewer.today, visible_from: viewer.visible_from() };
    let turn = PARSING.acquire().await.map_err(|_| Error::internal("imports are closed"))?;
    // Work on other threads ends with this call, whether it is answered or given up.
    let (deadline, _given_up) = Deadline::within(LONGEST);
    let hemisphere = viewer.hemisphere;
    progress.begin(ImportPhase::Reading, None);
    let options =
        Options { hemisphere, former_places, deadline, progress, ..form.options(kind, &remembered, viewer.today) };
    let held = Arc::new((permit.clone(), memory, turn));
    let call = ImportCall { db: app.db.clone(), kind, owner, rules, key, dry_run, outlook, permit, held };
    if mode == ImportMode::Sync {
        return call.sync(form, options).await;
    }
    let covers = CoverQuota(app.current.get().lookup.cover_quota);
    let restoring = Restoring { parts, covers, preferences: form.preferences };
    call.add(form, options, restoring, remembered).await
}

/// A call that imports a file, when its form has been read.
struct ImportCall {
    db: Db,
    kind: Kind,
    owner: UserId,
    rules: Rules,
    key: IdempotencyKey,
    dry_run: bool,
    outlook: Outlook,
    permit: HeavyPermit,
    /// Permits and memory, held until all work is done, even if the client has gone.
    held: Arc<dyn Send + Sync>,
}

impl ImportCall {
    /// Adds what is new in the file.
    async fn add(
        self,
        form: ImportForm,
        options: Options,
        restoring: Restoring,
        remembered: Choices,
    ) -> Result<IdempotentResponse> {
        let Self { db, kind, owner, rules, key, dry_run, outlook, permit, held } = self;
        let parsing = held.clone();
        let work = blocking(move || {
            let _held = parsing;
            Ok(Work::read(kind, form.file_name, &form.bytes, form.chosen, &options, restoring)?)
        });
        let work = work.await?;
        if dry_run {
            let report = db.read_long(move |conn| {
                let _held = held;
                preview_import(conn, owner, rules, &work, &remembered, outlook)
            });
            return report_as_response(report.await?);
        }
        check_mapped(kind, &work.plan)?;
        let scope = if kind == Kind::Tbr { "POST /api/tbr/import" } else { "POST /api/books/import" };
        let write = permit.write(&db, move |tx| {
            let import = |tx: &Tx<'_>| report_as_response(execute(tx, owner, rules, &work)?);
            let response = idempotency::once(tx, owner, &key, scope, import)?;
            work.progress.check()?;
            Ok((response, (work, held)))
        });
        let (response, done) = write.await?;
        // Neither other writers nor the answer wait until the memory of a large file is free.
        tokio::task::spawn_blocking(move || drop(done));
        Ok(response)
    }

    /// Takes over what a newer file of a tracker changes.
    async fn sync(self, form: ImportForm, options: Options) -> Result<IdempotentResponse> {
        let Self { db, kind, owner, rules, key, dry_run, outlook, permit, held } = self;
        let parsing = held.clone();
        let newer = blocking(move || {
            let _held = parsing;
            let plan = plan(&form.bytes, &options)?;
            let ImportForm { file_name, chosen, choice, .. } = form;
            Ok(Newer { file_name, plan, options, chosen, choice })
        });
        let newer = newer.await?;
        newer.options.progress.begin(ImportPhase::Comparing, None);
        if dry_run {
            let report = db.read_long(move |conn| {
                let _held = held;
                sync::preview(conn, owner, rules, newer, outlook)
            });
            return report_as_response(report.await?);
        }
        check_mapped(kind, &newer.plan)?;
        let mut newer = newer;
        for _ in 0..MOST_ATTEMPTS {
            let ahead = db.read_long(move |conn| sync::look_ahead(conn, owner, &newer).map(|ahead| (newer, ahead)));
            let (looked, ahead) = ahead.await?;
            let (held, key, progress) = (held.clone(), key.clone(), looked.options.progress.clone());
            let write = permit.write(&db, move |tx| {
                let _held = held;
                if !ahead.is_current(tx, owner)? {
                    return Ok(Err(looked));
                }
                let sync = |tx: &Tx<'_>| report_as_response(sync::execute(tx, owner, rules, looked, ahead)?);
                let response = idempotency::once(tx, owner, &key, "POST /api/books/import?mode=sync", sync)?;
                progress.check()?;
                Ok(Ok(response))
            });
            match write.await? {
                Ok(response) => return Ok(response),
                Err(again) => newer = again,
            }
        }
        Err(ImportRefusal::LibraryChanged.into())
    }
}

fn report_as_response(report: ImportReport) -> Result<IdempotentResponse> {
    Ok(IdempotentResponse::ok(serde_json::to_value(report)?))
}

/// Which imports are listed.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// `books` or `tbr`: only imports into that list, because the numbers of an import count books in one and items in the other.
    #[param(inline)]
    kind: Option<Kind>,
}

/// Lists your imports, newest first.
#[utoipa::path(get, path = "/api/imports", operation_id = "listImports", tag = "imports", params(ListParams),
    responses((status = 200, body = ImportList), (status = 401), (status = 422)))]
async fn imports(
    State(db): State<Db>,
    viewer: Viewer,
    Query(ListParams { kind }): Query<ListParams>,
) -> Result<axum::Json<ImportList>> {
    let data = db.read(move |conn| history::list(conn, viewer.user_id, kind)).await?;
    Ok(axum::Json(ImportList { data }))
}

/// Says how far an import or its preview is, while it runs: `id` is the `Idempotency-Key` that it was sent with. 404 when none with this key
/// runs. An import whose client hangs up stores nothing.
#[utoipa::path(get, path = "/api/imports/{id}", operation_id = "getImportProgress", tag = "imports",
    params(("id" = String, Path, description = "The `Idempotency-Key` of the call.")),
    responses((status = 200, body = ImportProgress), (status = 401), (status = 404)))]
async fn import_progress(
    Extension(running): Extension<Running>,
    viewer: Viewer,
    Path(key): Path<String>,
) -> Result<axum::Json<ImportProgress>> {
    running.find(viewer.user_id, &key).map(axum::Json).ok_or(Error::NotFound)
}

/// Undoes an import. Books and items that were changed since stay and are named in the response.
#[utoipa::path(delete, path = "/api/imports/{id}", operation_id = "undoImport", tag = "imports", params(("id" = i64, Path)),
    responses((status = 200, body = ImportUndo), (status = 401), (status = 404), (status = 409)))]
async fn undo(
    State(app): State<App>,
    Extension(parts): Extension<Parts>,
    viewer: Viewer,
    Path(id): Path<ImportId>,
) -> Result<axum::Json<ImportUndo>> {
    let permit = app.budgets.heavy_change(viewer.user_id).await?;
    let undone = permit.write(&app.db, move |tx| undo_import(tx, viewer.user_id, id, parts));
    Ok(axum::Json(undone.await?))
}

/// Downloads the rejected rows of an import as a CSV file, with their lines and reasons.
#[utoipa::path(get, path = "/api/imports/{id}/rejected", operation_id = "downloadRejectedRows", tag = "imports", params(("id" = i64, Path)),
    responses((status = 200, body = String, content_type = "text/csv"), (status = 401), (status = 404)))]
async fn rejected_rows(State(db): State<Db>, viewer: Viewer, Path(id): Path<ImportId>) -> Result<Response> {
    let csv = db.read(move |conn| rejected::csv(&history::refused(conn, viewer.user_id, id)?)).await?;
    Ok(rows_file(&format!("rejected-rows-{id}"), csv))
}

/// Downloads the rows of an import that were left out on purpose as a CSV file, as far as the account had room for them.
#[utoipa::path(get, path = "/api/imports/{id}/left-out", operation_id = "downloadLeftOutRows", tag = "imports", params(("id" = i64, Path)),
    responses((status = 200, body = String, content_type = "text/csv"), (status = 401), (status = 404)))]
async fn left_out_rows(State(db): State<Db>, viewer: Viewer, Path(id): Path<ImportId>) -> Result<Response> {
    let csv = db.read(move |conn| rejected::csv(&history::left_out(conn, viewer.user_id, id)?)).await?;
    Ok(rows_file(&format!("left-out-rows-{id}"), csv))
}

fn rows_file(name: &str, csv: Vec<u8>) -> Response {
    let disposition = format!("attachment; filename=\"{name}.csv\"");
    ([(header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, disposition)], csv)
        .into_response()
}
