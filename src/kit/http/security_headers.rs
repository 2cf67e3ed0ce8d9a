//! The headers that every response gets: what a page may load, and how a browser may store an answer.
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// Headers of every response that does not set them itself.
static EVERY: [(HeaderName, HeaderValue); 7] = [
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
];
/// Further headers of API responses.
static API: [(HeaderName, HeaderValue); 2] = [
    (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
    (header::VARY, HeaderValue::from_static("Cookie, Authorization")),
];

/// Path prefixes whose responses no browser may store: accounts, teams, secret links, payments, the first run and the operators' pages.
const NEVER_STORED: [&str; 8] = [
    "/api/account",
    "/api/admin",
    "/api/auth",
    "/api/invitations",
    "/api/setup",
    "/api/shares",
    "/api/subscriptions",
    "/api/teams",
];

/// How a browser may store a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CachePolicy {
    /// As the response itself says: pages and files.
    Own,
    /// Stored and revalidated before every use: the library, which a browser shows while it is offline.
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

/// A further header of servers with an https address: browsers then use only https, for one year.
static HTTPS: [(HeaderName, HeaderValue); 1] =
    [(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000; includeSubDomains"))];

/// Adds the headers of every response, those of the API, and those of a server with an https address.
pub fn add_security_headers(headers: &mut HeaderMap, cache_policy: CachePolicy, https: bool) {
    let api = cache_policy != CachePolicy::Own;
    if cache_policy == CachePolicy::Never {
        headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    // Grow once instead of several times: the id, a length and a date follow.
    headers.reserve(EVERY.len() + API.len() + HTTPS.len() + 3);
    let by_kind = API.iter().filter(|_| api).chain(HTTPS.iter().filter(|_| https));
    for (name, value) in EVERY.iter().chain(by_kind) {
        headers.entry(name).or_insert_with(|| value.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
