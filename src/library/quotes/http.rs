//! The calls of quotes.
use std::io::Write as _;

use axum::extract::{RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use serde_json::json;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::list::{self, Position, Quote, Wanted};
use crate::access::Viewer;
use crate::kit::http::download;
use crate::kit::http::query::{self, Query};
use crate::kit::http::routes::routes;
use crate::kit::{App, Error, Result};
use crate::library::books::authors::joined;
use crate::library::books::model::BookId;
use crate::library::http::{ListBody, answer};

/// The routes of this module.
pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(quotes))
}

/// The most characters of a seed.
const SEED_LENGTH: usize = 200;

#[derive(Deserialize, IntoParams)]
#[serde(default)]
#[derive(Default)]
#[into_params(parameter_in = Query)]
struct QuoteQuery {
    /// Only of books with this tag.
    tag: Option<String>,
    /// Only of books by this author.
    author: Option<String>,
    /// Only of this book and its other reads.
    #[param(value_type = Option<i64>)]
    book: Option<BookId>,
    /// In a random order.
    #[serde(deserialize_with = "query::flag")]
    random: bool,
    /// Any text, at most 200 characters; equal seeds give equal orders. The day by default.
    seed: Option<String>,
    /// `md` answers all of them as a file in Markdown.
    #[param(inline)]
    format: Option<TextFormat>,
    /// The `nextCursor` of the previous page.
    cursor: Option<String>,
    /// The quotes of a page: 1 to 200, 50 by default.
    #[serde(deserialize_with = "query::limit::<_, 200>")]
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200)]
    limit: Option<usize>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum TextFormat {
    Md,
}

/// Quotes in their order.
#[derive(ToSchema)]
#[schema(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes what ListBody writes")]
struct QuoteList {
    /// Newest reads first, or in the order of the seed.
    data: Vec<Quote>,
    /// The cursor of the next page, null at the end.
    #[schema(required)]
    next_cursor: Option<String>,
    /// The number of all quotes that match.
    matching: i64,
}

/// Lists the quotes of your visible books, those of the newest book first, or in a random order.
#[utoipa::path(get, path = "/api/quotes", operation_id = "listQuotes", tag = "quotes", params(QuoteQuery),
    responses((status = 200, content((QuoteList = "application/json"), (String = "text/markdown"))), (status = 304), (status = 401),
        (status = 422)))]
async fn quotes(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    RawQuery(raw): RawQuery,
    Query(sent): Query<QuoteQuery>,
) -> Result<Response> {
    if sent.seed.as_ref().is_some_and(|seed| seed.chars().count() > SEED_LENGTH) {
        return Err(Error::invalid_field("seed", format!("The seed can have at most {SEED_LENGTH} characters.")));
    }
    let seed = sent.random.then(|| sent.seed.unwrap_or_else(|| viewer.today.to_string()));
    let wanted = Wanted { tag: sent.tag, author: sent.author, book: sent.book, seed };
    if matches!(sent.format, Some(TextFormat::Md)) {
        return markdown(&app, &viewer, wanted).await;
    }
    let after = sent.cursor.map(|cursor| position(&cursor).ok_or_else(query::wrong_cursor)).transpose()?;
    let limit = sent.limit.unwrap_or(50);
    answer(&app, viewer, headers, ("quotes", raw.unwrap_or_default()), move |conn, viewer, body| {
        let (page, next, matching) = list::page(conn, viewer.user_id, viewer.visible_from(), &wanted, after, limit)?;
        let mut body = ListBody::begin(body)?;
        page.iter().try_for_each(|quote| body.push(quote))?;
        let next = next.map(|(first, second)| format!("{first}.{second}"));
        body.finish(&json!({"nextCursor": next, "matching": matching}))
    })
    .await
}

fn position(cursor: &str) -> Option<Position> {
    let (first, second) = cursor.split_once('.')?;
    Some((first.parse().ok()?, second.parse().ok()?))
}

async fn markdown(app: &App, viewer: &Viewer, wanted: Wanted) -> Result<Response> {
    let (owner, from) = (viewer.user_id, viewer.visible_from());
    let wanted = Wanted { seed: None, ..wanted };
    download::made(app, owner, "text/markdown; charset=utf-8", "quotes.md", move |conn, file| {
        list::each(conn, owner, from, &wanted, |book, quotes| {
            let mut text = format!("## {}\n\n{}\n", book.title, joined(book.author));
            for quote in quotes {
                let place = quote.place.clone().into_iter().chain(quote.day.map(|day| day.to_string()));
                let place = place.collect::<Vec<_>>().join(", ");
                text += &quote.text.lines().map(|line| format!("\n> {line}")).collect::<String>();
                for behind in
                    quote.note.as_deref().into_iter().chain(Some(place.as_str()).filter(|place| !place.is_empty()))
                {
                    text += &format!("\n\n{behind}");
                }
                text.push('\n');
            }
            text.push('\n');
            file.write_all(text.as_bytes()).map_err(download::failed)
        })
    })
    .await
}
