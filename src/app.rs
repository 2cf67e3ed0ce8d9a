//! The complete server: every module's routes, the pages, and the middleware around them.
mod description;
mod health;
mod housekeeping;
mod middleware;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{Method, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use serde::Serialize;
use utoipa_axum::router::OpenApiRouter;

use crate::account::Social;
use crate::account::store::has_operator;
use crate::admin::Activity;
use crate::config::{Config, Instance, SignupMode};
use crate::kit::app::Demo;
use crate::kit::current::CurrentConfig;
use crate::kit::http::assets;
use crate::kit::http::assets::Page;
use crate::kit::http::base_path;
use crate::kit::http::routes::routes;
use crate::kit::http::session::Cookies;
use crate::kit::http::session::browser::with_sessions;
use crate::kit::{App, Error};
use crate::lookup::Lookup;
pub use description::DESCRIPTION;
use health::{__path_healthz, healthz};
pub use housekeeping::{compact_at_night, keep_house, read_former_imports, tidy_up};
pub use middleware::layered;

/// The paths of the interface's pages. A `{token}` at the end stands for one non-empty segment. Any other path that is not a file
/// is a page titled "404 Page Not Found".
pub const PAGES: &[&str] = &[
    "/", "/login", "/signup", "/forgot-password", "/reset-password/{token}", "/invite/{token}", "/dashboard",
    "/reading", "/years/{period}", "/add-book", "/book/{id}", "/search",
    // The quotes, a tab of the search.
    "/quotes", "/series", "/series/{name}", "/tags", "/tags/{name}", "/tbr", "/import", "/import/history",
    // Two former pages, which lead to the history.
    "/import/changes", "/import/fill-in", "/account", "/account/export",
    // A former page, which leads to the exports.
    "/account/elsewhere", "/devices", "/team", "/admin", "/pricing", "/privacy", "/terms",
];

/// The paths of the first run's page, which exists until there is an operator, on a server that accepts passwords.
pub const SETUP_PAGES: &[&str] = &["/setup", "/setup/{token}"];

/// Every call.
fn calls(activity: &Activity, social: &Social, lookup: &Lookup) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(healthz))
        .routes(routes!(openapi))
        .routes(routes!(site))
        .merge(crate::account::routes(social))
        .merge(crate::preferences::routes())
        .merge(crate::billing::routes())
        .merge(crate::library::books::routes(crate::catalogue::pages::find_pages))
        .merge(crate::library::tbr::routes())
        .merge(crate::library::quotes::routes())
        .merge(crate::library::search::routes())
        .merge(crate::library::views::routes())
        .merge(crate::library::import::routes(crate::account::PARTS))
        .merge(crate::library::operations::routes(crate::account::PARTS))
        .merge(crate::library::series::routes())
        .merge(crate::library::tags::routes())
        .merge(crate::library::export::routes())
        .merge(crate::library::covers::routes())
        .merge(crate::lookup::routes(lookup))
        .merge(crate::teams::routes())
        .merge(crate::statistics::routes())
        .merge(crate::reading::routes())
        .merge(crate::devices::routes())
        .merge(crate::sharing::routes())
        .merge(crate::admin::routes(activity))
}

/// The server's routes with their middleware.
pub fn router(app: App, activity: Activity) -> Router {
    let social = Social::of(&app.config);
    let (calls, _) = calls(&activity, &social, &Lookup::default()).split_for_parts();
    let calls = crate::account::trusted_header::guard(calls, &app);
    let calls = with_sessions(calls, app.db.clone(), &app.config);
    // Devices take part in no session.
    let devices = crate::devices::protocols();
    let calls =
        crate::devices::PROTOCOL_PATHS.into_iter().fold(calls, |calls, path| calls.route(path, devices.clone()));
    // Where a password manager sends people to change their password.
    let calls = calls.route("/.well-known/change-password", get(async || Redirect::to("/account")));
    let calls = calls.fallback(page_or_file).method_not_allowed_fallback(async || Error::MethodNotAllowed);
    base_path::below(app.current.clone(), layered(calls, app, activity))
}

/// Whether a path is that of the first run's page, before there is an operator. The first run makes an account with a password.
async fn is_setup_page(app: &App, path: &str) -> bool {
    is_one_of(SETUP_PAGES, path) && app.config.password_login && !app.db.read(has_operator).await.unwrap_or(true)
}

fn is_page(path: &str) -> bool {
    is_one_of(PAGES, path)
}

fn is_one_of(pages: &[&str], path: &str) -> bool {
    pages.iter().any(|page| match page.split_once('{') {
        Some((start, _)) => path.strip_prefix(start).is_some_and(|last| !last.is_empty() && !last.contains('/')),
        None => *page == path,
    })
}

async fn page_or_file(
    State(app): State<App>,
    State(config): State<Arc<Config>>,
    State(current): State<CurrentConfig>,
    request: Request,
) -> Response {
    let path = request.uri().path();
    if path == "/api" || path.starts_with("/api/") {
        return Error::NotFound.into_response();
    }
    let now = current.get();
    let is_private = now.is_private();
    let page = (is_page(path) && !(path == "/pricing" && is_private)) || is_setup_page(&app, path).await;
    let base = now.base_path();
    let file = || assets::file(path.trim_start_matches('/'), base, request.headers());
    let drawn = |page| assets::page(page, base).into_response();
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let has_session = || Cookies::of(&config).session(request.headers()).is_some();
    // The rendered page leads to the sign-up page. Where nobody can sign up, and on a private server, the shell draws what is at `/`.
    let has_landing = || !is_private && config.offers_sign_up(now.signup);
    match (page, reads) {
        (true, false) => Error::MethodNotAllowed.into_response(),
        // Nobody is signed in without the cookie.
        (true, true) if path == "/" && has_landing() && !has_session() => drawn(Page::Landing),
        (true, true) if has_session() => drawn(Page::Reader(path)),
        (true, true) => drawn(Page::Shell),
        (false, _) => file().unwrap_or_else(|| drawn(Page::Missing)),
    }
}

/// Returns this API description.
#[utoipa::path(get, path = "/api/openapi.json", operation_id = "getApiDescription", tag = "server", responses((status = 200, body = serde_json::Value)))]
async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DESCRIPTION)
}

/// The data of this server for the public pages.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct Site {
    instance: Instance,
    /// What the server is called; null is Shelfwise.
    #[schema(required)]
    name: Option<String>,
    signup: SignupMode,
    /// The providers through which a new person gets an account, by their ids.
    signup_providers: Vec<String>,
    /// Whether people sign in with a password.
    password_login: bool,
    /// Whether a proxy in front of this server signs people in.
    proxy_login: bool,
    /// The provider that the log-in page goes to at once, by its id.
    #[schema(required)]
    login_redirect: Option<String>,
    /// Whether the server sends e-mail.
    mail: bool,
    /// Whether the server takes payments.
    billing: bool,
    /// Whether it is a demo with sample data.
    demo: bool,
    /// Whether operators may switch their own plan.
    plan_switcher: bool,
    /// Whether readers can make secret links.
    shares: bool,
    /// The catalogues that the look-up asks, by the names that readers see; an empty list when it is switched off.
    lookup: Vec<&'static str>,
    /// Whether this server has an offline catalogue, which answers while a reader types.
    offline_catalogue: bool,
    /// The operator's name for the legal pages; null when it is not set.
    #[schema(required)]
    operator: Option<String>,
    /// The operator's address for the legal pages; null when it is not set.
    #[schema(required)]
    contact: Option<String>,
    /// The law that the terms name; null when it is not set.
    #[schema(required)]
    governing_law: Option<String>,
}

/// Returns the data of this server for the public pages.
#[utoipa::path(get, path = "/api/site", operation_id = "getSite", tag = "server", responses((status = 200, body = Site)))]
async fn site(
    State(config): State<Arc<Config>>,
    State(current): State<CurrentConfig>,
    State(demo): State<Demo>,
    State(app): State<App>,
) -> axum::Json<Site> {
    let now = current.get();
    let legal = now.legal.clone();
    axum::Json(Site {
        instance: now.instance,
        name: now.name.clone(),
        signup: now.signup,
        signup_providers: config.signup_providers(now.signup),
        password_login: config.password_login,
        proxy_login: config.trusted_header.is_on(),
        login_redirect: config.login_redirect().map(str::to_owned),
        mail: config.mail.is_on(),
        billing: config.stripe.is_on(),
        demo: demo.0,
        plan_switcher: config.plan_switcher,
        shares: config.shares,
        lookup: crate::lookup::hosts(&now),
        offline_catalogue: app.catalogue.is_there(),
        operator: legal.operator,
        contact: legal.contact,
        governing_law: legal.governing_law,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{DESCRIPTION, PAGES, SETUP_PAGES, is_page};
    use crate::config::OWN_FIRST_PARTS;
    use crate::devices::PROTOCOL_PATHS;

    #[test]
    fn the_server_knows_the_pages_of_the_interface_and_no_others() {
        let routes = include_str!("../ui/src/app/Routes.tsx");
        let paths = routes.lines().filter_map(|line| line.trim().split_once("page(\"/")?.1.split_once('"'));
        let drawn: BTreeSet<String> = paths
            .flat_map(|(path, _)| match path.split_once("/:") {
                Some((start, name)) if name.ends_with('?') => vec![format!("/{start}"), format!("/{start}/{{}}")],
                Some((start, _)) => vec![format!("/{start}/{{}}")],
                None => vec![format!("/{path}")],
            })
            .collect();
        let known = PAGES.iter().chain(SETUP_PAGES).map(|path| match path.split_once('{') {
            Some((start, _)) => format!("{start}{{}}"),
            None => (*path).to_owned(),
        });
        assert_eq!(drawn, known.collect());
    }

    #[test]
    fn the_path_of_a_public_address_begins_with_no_path_of_the_server() {
        let calls: serde_json::Value = serde_json::from_str(DESCRIPTION).unwrap();
        let calls = calls["paths"].as_object().unwrap().keys().map(String::as_str);
        let paths = calls.chain(PAGES.iter().copied()).chain(SETUP_PAGES.iter().copied()).chain(PROTOCOL_PATHS);
        let firsts: BTreeSet<&str> =
            paths.filter_map(|path| path.split('/').nth(1)).filter(|part| !part.is_empty()).collect();
        let missing: Vec<_> = firsts.into_iter().filter(|part| !OWN_FIRST_PARTS.contains(part)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn a_page_is_found_by_its_whole_path() {
        assert!(is_page("/"));
        assert!(is_page("/admin"));
        assert!(!is_page("/admin/"));
        assert!(!is_page("/adminer"));
    }

    #[test]
    fn a_page_with_a_token_takes_one_segment_of_any_text() {
        assert!(is_page("/reset-password/0a-_Z"));
        assert!(!is_page("/reset-password"));
        assert!(!is_page("/reset-password/"));
        assert!(!is_page("/reset-password/token/more"));
    }
}
