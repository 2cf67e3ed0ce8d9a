//! The API calls of goals.
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use chrono::NaiveDate;
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::model::{Goal, GoalFields, GoalMetric, GoalProgress, MOST, TooMany};
use super::store;
use crate::access::Viewer;
use crate::kit::db::pool::Db;
use crate::kit::http::extract::{Json, Path};
use crate::kit::http::query::Query;
use crate::kit::http::routes::routes;
use crate::kit::id::UserId;
use crate::kit::{App, Error, ErrorCode, Result};
use crate::library::books::model::Book;
use crate::library::books::store as books;
use crate::library::counters;
use crate::library::http::{ListBody, answer, put_json};
use crate::reading::period::{Period, UnknownPeriod};

/// The routes of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(goals)).routes(routes!(set_goal, delete_goal)).routes(routes!(goal_books))
}

impl From<TooMany> for Error {
    fn from(_: TooMany) -> Self {
        Self::refused(ErrorCode::TooManyGoals, format!("An account can have at most {MOST} goals."))
    }
}

impl From<UnknownPeriod> for Error {
    fn from(unknown: UnknownPeriod) -> Self {
        Self::invalid_field("period", unknown.to_string())
    }
}

/// The goal that an address names.
fn named(period: &str, metric: &str) -> Result<(Period, GoalMetric)> {
    let unknown = || Error::invalid_field("metric", "The metric must be books, words, pages or minutes.");
    Ok((period.parse()?, GoalMetric::from_name(metric).ok_or_else(unknown)?))
}

/// The goals of an account.
#[derive(Serialize, ToSchema)]
struct GoalList {
    /// Newest period first.
    data: Vec<GoalProgress>,
}

/// The goal as it is now.
#[derive(Serialize, ToSchema)]
struct GoalResponse {
    goal: GoalProgress,
}

/// The books that count for a goal.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what is written piece by piece")]
struct GoalBookList {
    /// By their day of completion.
    data: Vec<Book<'static>>,
    /// How many more count that the plan hides.
    hidden: usize,
}

/// The goals of one period alone.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct GoalParams {
    /// A year or a month; absent means all periods.
    #[param(required = false, value_type = Option<String>, pattern = r"^(19\d{2}|20\d{2}|2100)(-(0[1-9]|1[0-2]))?$")]
    period: Option<Period>,
}

/// Lists your goals and how far you have come, newest period first.
#[utoipa::path(get, path = "/api/goals", operation_id = "listGoals", tag = "reading", params(GoalParams),
    responses((status = 200, body = GoalList), (status = 304), (status = 401), (status = 422)))]
async fn goals(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    Query(GoalParams { period }): Query<GoalParams>,
    RawQuery(raw): RawQuery,
) -> Result<Response> {
    let raw = raw.unwrap_or_default();
    let made = answer(&app, viewer, headers, ("goals", raw), move |conn, viewer, body| {
        let goals = store::all(conn, viewer.user_id, period)?;
        put_json(body, &GoalList { data: store::progress_of(conn, viewer.user_id, goals, viewer.today)? })
    });
    made.await
}

/// Sets a goal of books, words, pages or minutes for a year or a month.
#[utoipa::path(put, path = "/api/goals/{period}/{metric}", operation_id = "putGoal", tag = "reading",
    params(("period" = String, Path, pattern = r"^(19\d{2}|20\d{2}|2100)(-(0[1-9]|1[0-2]))?$"), ("metric" = GoalMetric, Path)), request_body = GoalFields,
    responses((status = 200, body = GoalResponse), (status = 401), (status = 409), (status = 422)))]
async fn set_goal(
    State(db): State<Db>,
    viewer: Viewer,
    Path((period, metric)): Path<(String, String)>,
    Json(form): Json<GoalFields>,
) -> Result<axum::Json<GoalResponse>> {
    let (owner, today) = (viewer.user_id, viewer.today);
    let (period, metric) = named(&period, &metric)?;
    let set = db.write(move |tx| {
        let goal = form.checked(period, metric, store::find(tx, owner, period, metric)?)?;
        store::put(tx, owner, goal)?;
        counters::changed(tx, owner)?;
        progress(tx, owner, goal, today)
    });
    Ok(axum::Json(GoalResponse { goal: set.await? }))
}

fn progress(conn: &Connection, owner: UserId, goal: Goal, today: NaiveDate) -> Result<GoalProgress> {
    store::progress_of(conn, owner, vec![goal], today)?.pop().ok_or(Error::NotFound)
}

/// Removes a goal. No books change.
#[utoipa::path(delete, path = "/api/goals/{period}/{metric}", operation_id = "deleteGoal", tag = "reading",
    params(("period" = String, Path, pattern = r"^(19\d{2}|20\d{2}|2100)(-(0[1-9]|1[0-2]))?$"), ("metric" = GoalMetric, Path)),
    responses((status = 204), (status = 401), (status = 404), (status = 422)))]
async fn delete_goal(
    State(db): State<Db>,
    viewer: Viewer,
    Path((period, metric)): Path<(String, String)>,
) -> Result<StatusCode> {
    let (period, metric) = named(&period, &metric)?;
    let deleted = db.write(move |tx| {
        store::delete(tx, viewer.user_id, period, metric)?;
        counters::changed(tx, viewer.user_id)
    });
    deleted.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Lists the visible books that count for a goal, by their day of completion.
#[utoipa::path(get, path = "/api/goals/{period}/{metric}/books", operation_id = "listGoalBooks", tag = "reading",
    params(("period" = String, Path, pattern = r"^(19\d{2}|20\d{2}|2100)(-(0[1-9]|1[0-2]))?$"), ("metric" = GoalMetric, Path)),
    responses((status = 200, body = GoalBookList), (status = 304), (status = 401), (status = 404), (status = 422)))]
async fn goal_books(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    Path((period, metric)): Path<(String, String)>,
) -> Result<Response> {
    let (period, metric) = named(&period, &metric)?;
    let query = format!("{period}/{}", metric.name());
    let made = answer(&app, viewer, headers, ("goal-books", query), move |conn, viewer, body| {
        let goal = store::find(conn, viewer.user_id, period, metric)?.ok_or(Error::NotFound)?;
        let (counted, hidden) = store::books(conn, viewer.user_id, goal, viewer.visible_from())?;
        let mut list = ListBody::begin(body)?;
        // One by one, because the texts of a year's books may have hundreds of megabytes.
        for id in counted {
            list.push(&books::get(conn, viewer.user_id, id)?)?;
        }
        list.finish(&json!({ "hidden": hidden }))
    });
    made.await
}
