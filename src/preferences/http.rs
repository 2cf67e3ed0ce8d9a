//! The API calls of preferences.
use axum::extract::State;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use super::model::{Preferences, PreferencesUpdate};
use super::store;
use crate::access::{Viewer, token};
use crate::kit::db::pool::Db;
use crate::kit::http::extract::Json;
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, ErrorCode, Result};

/// The routes of this module.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(read, change))
}

/// Preferences as they apply under the current plan.
#[derive(Serialize, utoipa::ToSchema)]
struct PreferencesResponse {
    preferences: Preferences,
}

/// Returns your preferences, as they apply under your current plan.
#[utoipa::path(get, path = "/api/preferences", operation_id = "getPreferences", tag = "preferences", responses((status = 200, body = PreferencesResponse), (status = 401)))]
async fn read(State(db): State<Db>, viewer: Viewer) -> Result<axum::Json<PreferencesResponse>> {
    let stored = db.read(move |conn| store::find(conn, viewer.user_id)).await?;
    Ok(axum::Json(PreferencesResponse { preferences: stored.under(viewer.plan) }))
}

/// Changes some preferences. A premium preference that the plan does not include refuses the whole change. An API token can't begin to
/// share with the team.
#[utoipa::path(patch, path = "/api/preferences", operation_id = "updatePreferences", tag = "preferences", request_body = PreferencesUpdate,
    responses((status = 200, body = PreferencesResponse), (status = 401), (status = 403), (status = 422)))]
async fn change(
    State(db): State<Db>,
    viewer: Viewer,
    Json(change): Json<PreferencesUpdate>,
) -> Result<axum::Json<PreferencesResponse>> {
    if change.needs().any(|feature| !viewer.can(feature)) {
        return Err(Error::refused(ErrorCode::PremiumRequired, "This is a premium preference. Upgrade to change it."));
    }
    let (user_id, plan, is_token) = (viewer.user_id, viewer.plan, viewer.session_id.is_none());
    let saved = db
        .write(move |tx| {
            let former = store::find(tx, user_id)?;
            let shared = former.share_with_team;
            let new = change.applied_to(former)?;
            // The team would go on seeing the library after the token is revoked.
            if is_token && new.share_with_team && !shared {
                return Err(token::session_required());
            }
            store::save(tx, user_id, &new)?;
            Ok(new)
        })
        .await?;
    Ok(axum::Json(PreferencesResponse { preferences: saved.under(plan) }))
}
