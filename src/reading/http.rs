//! The API calls of the page of open books and of the calendar.
use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use chrono::{Datelike as _, NaiveDate};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::calendar::{CalendarDay, CalendarFinish, ReadingStreak, days, streak};
use super::forecast::Forecast;
use super::goals;
use super::goals::model::GoalProgress;
use super::open::{OpenPlace, open_and_goals};
use super::period::Period;
use super::streak_cache_key::cache_query;
use super::{review, store, summary};
use crate::access::Viewer;
use crate::kit::http::query::Query;
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, Result};
use crate::library::books::model::Book;
use crate::library::books::store as books;
use crate::library::http::{ListBody, answer, put_json};
use crate::library::rough_date::{FIRST_DAY, LAST_DAY};

/// The routes of this module.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(reading))
        .routes(routes!(calendar))
        .merge(goals::routes())
        .merge(review::routes())
        .merge(summary::routes())
}

/// An open book and when it will be finished.
#[derive(Serialize, ToSchema)]
struct OpenBook {
    book: Book<'static>,
    /// Null while it is paused, with fewer than two places, and beyond 365 days.
    #[schema(required)]
    forecast: Option<Forecast>,
}

/// What is being read.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what is written piece by piece")]
struct ReadingResponse {
    /// The book that was noted last comes first, paused books come last.
    open: Vec<OpenBook>,
    /// The goals of the running year and month.
    goals: Vec<GoalProgress>,
    /// Null while it is switched off.
    #[schema(required)]
    streak: Option<ReadingStreak>,
    /// Today in the account's time zone.
    today: NaiveDate,
}

/// Returns the books that are being read with their forecasts, the goals of the running year and month, and the streak.
#[utoipa::path(get, path = "/api/reading", operation_id = "getReading", tag = "reading",
    responses((status = 200, body = ReadingResponse), (status = 304), (status = 401)))]
async fn reading(State(app): State<App>, viewer: Viewer, headers: HeaderMap) -> Result<Response> {
    let unit = viewer.streak;
    let made = answer(&app, viewer, headers, ("reading", cache_query("", unit)), move |conn, viewer, body| {
        let (owner, today) = (viewer.user_id, viewer.today);
        let days = if unit.is_some() { store::days(conn, owner, books::Audience::Owner)? } else { Vec::new() };
        let (open, goals) = open_and_goals(conn, owner, books::Audience::Owner, today)?;
        let mut list = ListBody::named(body, "open")?;
        // One by one, because the texts of all open books may have hundreds of megabytes.
        for OpenPlace { id, progress, forecast, .. } in open {
            list.push(&OpenBook { book: books::get_at(conn, owner, id, progress)?, forecast })?;
        }
        let streak = unit.map(|unit| streak(unit, days.into_iter(), today));
        list.finish(&json!({ "goals": goals, "streak": streak, "today": today }))
    });
    made.await
}

/// A year of reading.
#[derive(Serialize, ToSchema)]
struct CalendarResponse {
    /// The calendar year of these days.
    year: i32,
    /// The days that have a note, oldest first.
    days: Vec<CalendarDay>,
    /// The books that were finished on an exact day, by that day.
    finished: Vec<CalendarFinish>,
    /// Null while it is switched off.
    #[schema(required)]
    streak: Option<ReadingStreak>,
}

/// The year of a calendar.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct CalendarParams {
    /// 1900 to 2100; absent means the running year.
    #[param(required = false, minimum = 1900, maximum = 2100)]
    year: Option<i32>,
}

/// Returns the days of a year on which something was read, with words, pages and minutes, and the books that were finished.
#[utoipa::path(get, path = "/api/calendar", operation_id = "getCalendar", tag = "reading", params(CalendarParams),
    responses((status = 200, body = CalendarResponse), (status = 304), (status = 401), (status = 422)))]
async fn calendar(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    Query(CalendarParams { year }): Query<CalendarParams>,
    RawQuery(raw): RawQuery,
) -> Result<Response> {
    let raw = raw.unwrap_or_default();
    let period = match year {
        None => Period::year_of(viewer.today),
        Some(year) if (FIRST_DAY.year()..=LAST_DAY.year()).contains(&year) => Period::Year(year),
        Some(_) => {
            return Err(Error::invalid_field("year", "The year must be a whole number from 1900 to 2100."));
        }
    };
    let unit = viewer.streak;
    let made = answer(&app, viewer, headers, ("calendar", cache_query(&raw, unit)), move |conn, viewer, body| {
        let from = viewer.visible_from();
        let shows = |day: NaiveDate| from.is_none_or(|from| from <= day);
        let logs = store::logs(conn, viewer.user_id)?;
        let noted = logs.iter().flat_map(|read| &read.days).map(|entry| entry.day);
        let mut finished = store::finishes(conn, viewer.user_id, period.first(), period.last())?;
        finished.retain(|finish| shows(finish.day));
        let calendar = CalendarResponse {
            year: period.first().year(),
            days: days(&logs, |day| (period.first()..=period.last()).contains(&day) && shows(day)),
            finished,
            streak: unit.map(|unit| streak(unit, noted, viewer.today)),
        };
        put_json(body, &calendar)
    });
    made.await
}
