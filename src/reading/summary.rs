//! A few numbers for widgets and scripts.
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::goals::model::GoalMetric;
use super::open::open_and_goals;
use super::period::Period;
use crate::access::Viewer;
use crate::kit::http::routes::routes;
use crate::kit::{App, Result};
use crate::library::books::filter::Filter;
use crate::library::books::store::{self as books, Audience};
use crate::library::counters;
use crate::library::http::{answer, put_json};
use crate::statistics::store as statistics;

/// The route of this part.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(summary))
}

/// The numbers of the dashboard, what is being read, and how long the list is, without private books. Null is what nobody knows or has.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Summary {
    /// Finished books.
    books_read: i64,
    /// Books completed in the current year.
    books_ytd: i64,
    /// Words of books completed in the current year.
    words_ytd: i64,
    /// Words of books completed in the last 30 days.
    words_last30_days: i64,
    /// Average over the rated finished books, with one decimal.
    #[schema(required)]
    average_rating: Option<f64>,
    /// The title of the open book that was noted last and is not paused.
    #[schema(required)]
    reading: Option<String>,
    /// How far it has come, 0 to 100.
    #[schema(required)]
    reading_percent: Option<i64>,
    /// The goal of the current year in books.
    #[schema(required)]
    goal_target: Option<i64>,
    /// How many of them are finished.
    #[schema(required)]
    goal_value: Option<i64>,
    /// Items of the to-be-read list.
    tbr: i64,
}

/// Returns a few numbers for widgets and scripts, in one flat object.
#[utoipa::path(get, path = "/api/summary", operation_id = "getSummary", tag = "reading",
    responses((status = 200, body = Summary), (status = 304), (status = 401)))]
async fn summary(State(app): State<App>, viewer: Viewer, headers: HeaderMap) -> Result<Response> {
    let made = answer(&app, viewer, headers, ("summary", String::new()), |conn, viewer, body| {
        let (owner, today) = (viewer.user_id, viewer.today);
        let kpis = statistics::scan(conn, owner, Audience::Others, &Filter::default(), today, viewer.visible_from())?
            .found
            .kpis;
        let (open, goals) = open_and_goals(conn, owner, Audience::Others, today)?;
        let first = open.into_iter().find(|read| !read.is_paused);
        let goal = goals.iter().find(|goal| goal.metric == GoalMetric::Books && goal.period == Period::year_of(today));
        let summary = Summary {
            books_read: kpis.books_read,
            books_ytd: kpis.books_ytd,
            words_ytd: kpis.words_ytd,
            words_last30_days: kpis.words_last30_days,
            average_rating: kpis.average_rating,
            reading_percent: first.as_ref().and_then(|read| Some(read.progress?.at / 100)),
            reading: match first {
                Some(read) => Some(books::get_at(conn, owner, read.id, None)?.title.into_owned()),
                None => None,
            },
            goal_target: goal.map(|goal| goal.target),
            goal_value: goal.map(|goal| goal.value),
            tbr: counters::usage(conn, owner)?.list_items,
        };
        put_json(body, &summary)
    });
    made.await
}
