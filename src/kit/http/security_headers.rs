//! The headers that every response gets: what a page may load, how a browser may store an answer, and that it is this program's.
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::kit::{App, VERSION};

/// Headers of every response that does not set them itself.
static EVERY: [(HeaderName, HeaderValue); 8] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(self), geolocation=(), microphone=(), browsing-topics=()"),
    ),
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
    ),
    // Without it the interface takes an answer for that of a proxy that cannot reach this server.
    (HeaderName::from_static("shelfwise-version"), HeaderValue::from_static(VERSION)),
];
/// Path prefixes whose responses no browser may store: accounts, devices, teams, secret links, payments, the first run and the operators' pages.
const NEVER_STORED: [&str; 10] = [
    "/api/account", "/api/admin", "/api/auth", "/api/devices", "/api/invitations", "/api/setup", "/api/shares",
    "/api/sources", "/api/subscriptions", "/api/teams",
];

/// How a browser may store a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CachePolicy {
    /// As the response itself says: pages and files.
    Own,
    /// Stored and revalidated before every use: the library, which a browser shows while it is offline. Over plain http it is not
    /// stored, because a browser ignores there what empties its cache when somebody signs out.
    Revalidated,
    /// Never stored.
    Never,
}

impl CachePolicy {
    /// The rule for a path.
    pub fn of(path: &str) -> Self {
        let within = |area: &str| path.strip_prefix(area).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        match within("/api") {
            false => Self::Own,
            true if NEVER_STORED.into_iter().any(within) => Self::Never,
            true => Self::Revalidated,
        }
    }
}

/// Makes the browser delete stored responses of this site: for responses after which somebody is signed out.
pub static CLEAR_CACHE: (HeaderName, HeaderValue) =
    (HeaderName::from_static("clear-site-data"), HeaderValue::from_static("\"cache\""));

/// Adds the headers of every response.
pub async fn add(State(app): State<App>, request: Request, next: Next) -> Response {
    let cache_policy = CachePolicy::of(request.uri().path());
    let mut response = next.run(request).await;
    let has_own_host = app.config.base_path().is_empty();
    add_security_headers(response.headers_mut(), cache_policy, app.config.is_https(), has_own_host);
    response
}

/// Adds the headers of every response, those of the API, and those of a server with an https address. Headers that the response sets
/// itself stay.
fn add_security_headers(own: &mut HeaderMap, cache_policy: CachePolicy, https: bool, has_own_host: bool) {
    let mut headers = HeaderMap::from_iter(EVERY.clone());
    let cache_control = match cache_policy {
        CachePolicy::Own => None,
        CachePolicy::Revalidated if https => Some("private, no-cache"),
        CachePolicy::Revalidated | CachePolicy::Never => Some("no-store"),
    };
    if let Some(cache_control) = cache_control {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
        headers.insert(header::VARY, HeaderValue::from_static("Cookie, Authorization"));
    }
    // What else is on a host decides together with Shelfwise whether browsers use only https there.
    if https && has_own_host {
        // For one year.
        let one_year = HeaderValue::from_static("max-age=31536000; includeSubDomains");
        headers.insert(header::STRICT_TRANSPORT_SECURITY, one_year);
    }
    headers.extend(std::mem::take(own));
    *own = headers;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_response_keeps_its_own_headers_and_gets_the_others() {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'self'"));
        for cookie in ["a=1", "b=2"] {
            headers.append(header::SET_COOKIE, HeaderValue::from_static(cookie));
        }
        add_security_headers(&mut headers, CachePolicy::Never, true, true);
        let all = |name| headers.get_all(name).iter().map(|value| value.to_str().unwrap()).collect::<Vec<_>>();
        assert_eq!(all(header::CONTENT_SECURITY_POLICY), ["default-src 'self'"]);
        assert_eq!(all(header::SET_COOKIE), ["a=1", "b=2"]);
        assert_eq!(all(header::CACHE_CONTROL), ["no-store"]);
        assert_eq!(all(header::VARY), ["Cookie, Authorization"]);
        assert_eq!(all(header::STRICT_TRANSPORT_SECURITY).len(), 1);
        for (https, kept) in [(true, "private, no-cache"), (false, "no-store")] {
            let mut library = HeaderMap::new();
            add_security_headers(&mut library, CachePolicy::Revalidated, https, true);
            assert_eq!(library[header::CACHE_CONTROL], kept);
        }
        let mut page = HeaderMap::new();
        add_security_headers(&mut page, CachePolicy::Own, true, false);
        assert_eq!(page.len(), EVERY.len());
    }

    #[test]
    fn answers_about_accounts_and_teams_are_never_stored_and_the_library_is_kept() {
        for (path, policy) in [
            ("/", CachePolicy::Own),
            ("/apiary", CachePolicy::Own),
            ("/api/books", CachePolicy::Revalidated),
            ("/api/stats", CachePolicy::Revalidated),
            ("/api/accounts", CachePolicy::Revalidated),
            ("/api/account/export", CachePolicy::Never),
            ("/api/auth/sessions", CachePolicy::Never),
            ("/api/teams/current", CachePolicy::Never),
            ("/api/admin/users", CachePolicy::Never),
            ("/api/setup/code", CachePolicy::Never),
            ("/api/subscriptions/current", CachePolicy::Never),
        ] {
            assert_eq!(CachePolicy::of(path), policy, "{path}");
        }
    }
}
