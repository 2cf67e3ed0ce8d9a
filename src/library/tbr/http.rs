//! The API calls of the to-be-read list.
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::model::{TbrItem, TbrItemFields};
use super::store;
use crate::access::Viewer;
use crate::config::Quotas;
use crate::kit::db::pool::{Db, Tx};
use crate::kit::http::extract::{IdempotencyKey, Json, LargeJson, Path};
use crate::kit::http::idempotency::{self, IdempotentResponse};
use crate::kit::http::patch_field::PatchField;
use crate::kit::http::query::Query;
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, Result};
use crate::library::books::add::{Rules, start as start_book};
use crate::library::books::model::{Book, BookId};
use crate::library::http::{ListBody, answer};
use crate::library::tbr::model::TbrId;
use crate::library::{books, counters, import};

/// The routes of this module.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(items, create))
        .routes(routes!(reorder))
        .routes(routes!(pick))
        .routes(routes!(change, remove))
        .routes(routes!(start))
}

/// An item that was added or changed.
#[derive(Serialize, ToSchema)]
struct TbrItemResponse {
    item: TbrItem<'static>,
}

/// The book created from a started item.
#[derive(Serialize, ToSchema)]
struct StartedBook {
    book: Book<'static>,
}

/// The to-be-read list.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what ListBody writes")]
struct TbrList {
    /// In the reader's order.
    data: Vec<TbrItem<'static>>,
    pile: TbrPile,
}

/// How much there is to read.
#[derive(Serialize, ToSchema)]
struct TbrPile {
    /// The words of the items that say them.
    words: i64,
    /// How many items don't.
    unknown: i64,
    /// The months that the words take at the pace of the last 365 days; null where nothing was read in them.
    #[schema(required)]
    months: Option<i64>,
}

/// How long a picked book may be.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct PickQuery {
    /// Only an item of at most so many words.
    max_words: Option<i64>,
}

/// The picked item.
#[derive(Serialize, ToSchema)]
struct TbrPick {
    /// Null where no item fits.
    #[schema(required)]
    item: Option<TbrItem<'static>>,
}

/// The new order of the list.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TbrOrder {
    /// The ids of all items, each exactly once, in reading order.
    #[serde(default)]
    #[schema(required, value_type = Vec<i64>)]
    book_ids: PatchField<Vec<TbrId>>,
}

/// Lists the items in the reader's order.
#[utoipa::path(get, path = "/api/tbr", operation_id = "listTbrItems", tag = "tbr", responses((status = 200, body = TbrList), (status = 304), (status = 401)))]
async fn items(State(app): State<App>, viewer: Viewer, headers: HeaderMap) -> Result<Response> {
    let made = answer(&app, viewer, headers, ("tbr", String::new()), |conn, viewer, body| {
        let mut body = ListBody::begin(body)?;
        let mut pile = TbrPile { words: 0, unknown: 0, months: None };
        store::each(conn, viewer.user_id, &mut |item| {
            match item.word_count {
                Some(words) => pile.words += words,
                None => pile.unknown += 1,
            }
            body.push(item)
        })?;
        let a_year = books::store::words_of_last_year(conn, viewer.user_id, viewer.today)?;
        pile.months = (a_year > 0).then(|| (pile.words * 12 + a_year / 2) / a_year);
        body.finish(&json!({ "pile": pile }))
    });
    made.await
}

/// Picks an item of your list at random.
#[utoipa::path(get, path = "/api/tbr/pick", operation_id = "pickTbrItem", tag = "tbr", params(PickQuery),
    responses((status = 200, body = TbrPick), (status = 401), (status = 422)))]
async fn pick(
    State(db): State<Db>,
    viewer: Viewer,
    Query(PickQuery { max_words }): Query<PickQuery>,
) -> Result<axum::Json<TbrPick>> {
    let item = db.read(move |conn| {
        let mut fitting = Vec::new();
        store::each(conn, viewer.user_id, &mut |item| {
            if max_words.is_none_or(|most| item.word_count.is_some_and(|words| words <= most)) {
                fitting.push(item.id);
            }
            Ok(())
        })?;
        fastrand::choice(fitting).map(|id| store::get(conn, viewer.user_id, id)).transpose()
    });
    Ok(axum::Json(TbrPick { item: item.await? }))
}

/// Adds an item at the end of the list.
#[utoipa::path(post, path = "/api/tbr", operation_id = "createTbrItem", tag = "tbr", params(IdempotencyKey), request_body = TbrItemFields,
    responses((status = 201, body = TbrItemResponse), (status = 401), (status = 409), (status = 422)))]
async fn create(
    State(db): State<Db>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    key: IdempotencyKey,
    Json(new): LargeJson<TbrItemFields>,
) -> Result<IdempotentResponse> {
    let owner = viewer.user_id;
    let draft = new.into_new();
    db.write(move |tx| {
        let make = |tx: &Tx<'_>| {
            let draft = draft?;
            let id = counters::within_quotas(tx, owner, quotas, || store::append(tx, owner, &[draft]))?;
            Ok(IdempotentResponse::created(json!({ "item": store::get(tx, owner, id)? })))
        };
        let again = |id| Ok(serde_json::to_value(store::get(tx, owner, TbrId(id))?)?);
        idempotency::once_made(tx, owner, &key, "POST /api/tbr", make, again)
    })
    .await
}

/// Changes an item. Absent fields stay unchanged, null clears a field.
#[utoipa::path(patch, path = "/api/tbr/{id}", operation_id = "updateTbrItem", tag = "tbr", params(("id" = i64, Path)), request_body = TbrItemFields,
    responses((status = 200, body = TbrItemResponse), (status = 401), (status = 404), (status = 409), (status = 422)))]
async fn change(
    State(db): State<Db>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    Path(id): Path<TbrId>,
    Json(payload): LargeJson<TbrItemFields>,
) -> Result<axum::Json<TbrItemResponse>> {
    let owner = viewer.user_id;
    let item = db.write(move |tx| {
        let item = store::get(tx, owner, id)?;
        let draft = payload.into_changed(&item)?;
        if draft == item.draft() {
            return Ok(item);
        }
        counters::within_quotas(tx, owner, quotas, || store::update(tx, owner, id, &draft))?;
        store::get(tx, owner, id)
    });
    Ok(axum::Json(TbrItemResponse { item: item.await? }))
}

/// Deletes an item.
#[utoipa::path(delete, path = "/api/tbr/{id}", operation_id = "deleteTbrItem", tag = "tbr", params(("id" = i64, Path)),
    responses((status = 204), (status = 401), (status = 404)))]
async fn remove(State(db): State<Db>, viewer: Viewer, Path(id): Path<TbrId>) -> Result<StatusCode> {
    db.write(move |tx| store::delete(tx, viewer.user_id, id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Changes the order of the list.
#[utoipa::path(post, path = "/api/tbr/reorder", operation_id = "reorderTbr", tag = "tbr", request_body = TbrOrder,
    responses((status = 204), (status = 401), (status = 404), (status = 422)))]
async fn reorder(State(db): State<Db>, viewer: Viewer, Json(order): LargeJson<TbrOrder>) -> Result<StatusCode> {
    let PatchField::Value(ids) = order.book_ids else {
        return Err(Error::invalid_field("bookIds", "The order must be a list of ids."));
    };
    let (ids, owner) = (Arc::new(ids), viewer.user_id);
    let looked_at = ids.clone();
    db.read(move |conn| store::check_order(conn, owner, &looked_at)).await?;
    db.write(move |tx| store::reorder(tx, owner, &ids)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Starts reading an item: in one transaction it leaves the list and becomes a book in progress, started today.
#[utoipa::path(post, path = "/api/tbr/{id}/start", operation_id = "startTbrItem", tag = "tbr", params(("id" = i64, Path), IdempotencyKey),
    responses((status = 201, body = StartedBook), (status = 401), (status = 403), (status = 404), (status = 409), (status = 422)))]
async fn start(
    State(db): State<Db>,
    State(quotas): State<Quotas>,
    viewer: Viewer,
    key: IdempotencyKey,
    Path(id): Path<TbrId>,
) -> Result<IdempotentResponse> {
    let (owner, today, rules) = (viewer.user_id, viewer.today, Rules::of(&viewer, quotas));
    db.write(move |tx| {
        let make = |tx: &Tx<'_>| {
            let item = store::get(tx, owner, id)?;
            let book = start_book(tx, owner, rules, item.started(today))?;
            import::item_became_book(tx, id, book.id)?;
            store::delete(tx, owner, id)?;
            Ok(IdempotentResponse::created(json!(StartedBook { book })))
        };
        let make = |tx: &Tx<'_>| counters::within_quotas(tx, owner, quotas, || make(tx));
        let again = |id| Ok(serde_json::to_value(books::store::get(tx, owner, BookId(id))?)?);
        idempotency::once_made(tx, owner, &key, &format!("POST /api/tbr/{id}/start"), make, again)
    })
    .await
}
