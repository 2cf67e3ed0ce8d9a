//! The call of the further charts.
use std::ops::RangeInclusive;

use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use crate::access::Viewer;
use crate::kit::http::query::Query;
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, Result};
use crate::library::books::filter::Filter;
use crate::library::http::{answer, put_json};
use crate::statistics::charts::{ChartsOfPeriod, ReadingCharts, charts};

/// The routes of this part.
pub(super) fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(reading))
}

#[derive(Default, Deserialize, IntoParams)]
#[serde(default)]
#[into_params(parameter_in = Query)]
struct Comparison {
    /// Two years, `2024..2025`: the charts of each.
    compare: Option<String>,
}

/// The further charts, or those of two periods.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
enum ReadingStats {
    Charts(ReadingCharts),
    Compared {
        /// In the order in which they were named.
        periods: Vec<ChartsOfPeriod>,
    },
}

/// Returns pace, lengths, years of publication, languages, ratings, outcomes and tags of the visible books that match a filter, of all or
/// of two years beside each other.
#[utoipa::path(get, path = "/api/stats/reading", operation_id = "getReadingStats", tag = "statistics", params(Filter, Comparison),
    responses((status = 200, body = ReadingStats), (status = 304), (status = 401), (status = 422)))]
async fn reading(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    Query(filter): Query<Filter>,
    Query(Comparison { compare }): Query<Comparison>,
    RawQuery(raw): RawQuery,
) -> Result<Response> {
    let wrong = || Error::invalid_field("compare", "This must be two years, like 2024..2025.");
    let years = compare.map(|sent| years(&sent).ok_or_else(wrong)).transpose()?;
    answer(&app, viewer, headers, ("reading stats", raw.unwrap_or_default()), move |conn, viewer, body| {
        let periods = years.as_ref().map_or_else(|| vec![None], |years| years.iter().cloned().map(Some).collect());
        let found = charts(conn, viewer.user_id, &filter, viewer.visible_from(), periods)?;
        let stats = match years {
            None => ReadingStats::Charts(found.into_iter().next().unwrap_or_default()),
            Some(years) => {
                let of = |(days, charts): (RangeInclusive<NaiveDate>, ReadingCharts)| {
                    let (from, to) = days.into_inner();
                    ChartsOfPeriod { from, to, charts }
                };
                ReadingStats::Compared { periods: years.into_iter().zip(found).map(of).collect() }
            }
        };
        put_json(body, &stats)
    })
    .await
}

/// The days of two years.
fn years(compared: &str) -> Option<[RangeInclusive<NaiveDate>; 2]> {
    let (one, other) = compared.split_once("..")?;
    let year = |text: &str| {
        let year = text.parse().ok().filter(|year| text.len() == 4 && (1_000..=9_999).contains(year))?;
        Some(NaiveDate::from_ymd_opt(year, 1, 1)?..=NaiveDate::from_ymd_opt(year, 12, 31)?)
    };
    Some([year(one)?, year(other)?])
}
