//! The API call that fills in what was imported.
use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::model::{RefillField, RefillReport};
use super::{Request, execute, store};
use crate::access::Viewer;
use crate::kit::deadline::Deadline;
use crate::kit::http::extract::Json;
use crate::kit::http::query::{self, Query};
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, Result};
use crate::library::import::attempts::Attempts;
use crate::library::import::parsing::{LONGEST, PARSING};

/// The routes of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(refill))
}

/// Which fields are filled in.
#[derive(Debug, Default, Deserialize, ToSchema)]
struct RefillPayload {
    /// The fields; by default all but `authors`, `audioPages` and `copiedRatings`, which change what is not empty.
    #[serde(default)]
    fields: Option<Vec<RefillField>>,
}

/// How it is filled in.
#[derive(Default, Deserialize, IntoParams)]
#[serde(default, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct RefillParams {
    /// Only returns what would be filled in.
    #[serde(deserialize_with = "query::flag")]
    #[param(value_type = Option<bool>)]
    dry_run: bool,
}

/// Fills in empty fields of imported books from the rows that their imports kept, in one step that can be undone. What you changed
/// yourself stays.
#[utoipa::path(post, path = "/api/refill", operation_id = "fillIn", tag = "imports", params(RefillParams),
    request_body = RefillPayload,
    responses((status = 200, body = RefillReport), (status = 401), (status = 409), (status = 422)))]
async fn refill(
    State(app): State<App>,
    viewer: Viewer,
    Query(RefillParams { dry_run }): Query<RefillParams>,
    sent: Option<Json<RefillPayload>>,
) -> Result<axum::Json<RefillReport>> {
    let fields = sent.and_then(|Json(payload)| payload.fields).map(|fields| fields.into_iter().collect());
    let quotas = app.current.get().limits.quotas();
    let permit = app.budgets.heavy_change(viewer.user_id).await?;
    let turn = PARSING.acquire().await.map_err(|_| Error::internal("imports are closed"))?;
    // Work on other threads ends with this call, whether it is answered or given up.
    let (deadline, _given_up) = Deadline::within(LONGEST);
    let Viewer { user_id: owner, hemisphere, today, .. } = viewer;
    let request = Request { owner, hemisphere, today, fields, deadline };
    // Held until all work is done, even if the client has gone.
    let held = Arc::new((permit, turn));
    let mut attempts = Attempts::default();
    loop {
        let (asked, reading) = (request.clone(), held.clone());
        let plan = app.db.read_long(move |conn| {
            let _held = reading;
            store::plan(conn, &asked)
        });
        let plan = plan.await?;
        if dry_run {
            return Ok(axum::Json(plan.report));
        }
        let writing = held.clone();
        let filled = held.0.write(&app.db, move |tx| {
            let _held = writing;
            execute(tx, owner, quotas, plan)
        });
        let filled = filled.await;
        if !attempts.again(&filled) {
            return Ok(axum::Json(filled?));
        }
    }
}
