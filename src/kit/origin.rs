//! Where a request comes from: mutations sent by another site's page are refused, and pages are told what they may load.
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};

use super::error::Error;
use super::session::bearer;

/// Calls that other sites' servers or pages make on purpose; each has its own proof.
const EXEMPT: &[&str] = &["/api/stripe/webhook"];

/// Why a request is refused: it is a mutation from another site's page (docs/api.md). `own` is the public address's origin.
pub fn refusal(request: &Request, own: Option<&str>) -> Option<Error> {
    let passes = is_safe(request.method()) || is_exempt(request) || is_from_here(request.headers(), own);
    (!passes).then(|| Error::forbidden("cross_site", "This request came from another site's page and was refused."))
}

/// Whether a method only reads.
pub fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

fn is_exempt(request: &Request) -> bool {
    let path = request.uri().path();
    // Where there is a bearer's secret, cookies do not count: no page of another site has one.
    comes_from_elsewhere(path) || bearer(request.headers()).is_some()
}

/// Whether other sites' servers or pages send this call on purpose.
pub fn comes_from_elsewhere(path: &str) -> bool {
    EXEMPT.contains(&path) || is_oauth_return(path)
}

/// `/api/auth/oauth/{provider}/callback`: some providers post their answer. It is believed by the state that it brings back.
fn is_oauth_return(path: &str) -> bool {
    let provider = path.strip_prefix("/api/auth/oauth/").and_then(|rest| rest.strip_suffix("/callback"));
    provider.is_some_and(|provider| !provider.is_empty() && !provider.contains('/'))
}

/// Whether a page of this server, or a person, sent a request. `Sec-Fetch-Site` decides where it is sent, else `Origin`; a request
/// with neither (a script) passes.
pub fn is_from_here(headers: &HeaderMap, public: Option<&str>) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if let Some(site) = text(HeaderName::from_static("sec-fetch-site")) {
        return matches!(site, "same-origin" | "none");
    }
    let Some(origin) = text(header::ORIGIN) else { return true };
    let origin = origin.to_ascii_lowercase();
    match public {
        Some(public) => origin == public,
        None => text(header::HOST).is_some_and(|host| {
            let host = host.to_ascii_lowercase();
            origin == format!("http://{host}") || origin == format!("https://{host}")
        }),
    }
}

/// What every answer says, unless it says otherwise itself.
static EVERY: [(HeaderName, HeaderValue); 7] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), geolocation=(), microphone=(), browsing-topics=()"),
    ),
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
    ),
];
/// What an answer of the API says besides.
static API: [(HeaderName, HeaderValue); 2] = [
    (header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache")),
    (header::VARY, HeaderValue::from_static("Cookie, Authorization")),
];

/// Adds the headers that every answer has, and those of the API's.
pub fn secure(headers: &mut HeaderMap, api: bool) {
    // One growth instead of several: the id, a length and a date follow.
    headers.reserve(EVERY.len() + API.len() + 3);
    for (name, value) in EVERY.iter().chain(API.iter().filter(|_| api)) {
        headers.entry(name).or_insert_with(|| value.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(pairs: &[(&'static str, &'static str)], public: Option<&str>) -> bool {
        let headers =
            pairs.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        is_from_here(&headers.collect(), public)
    }

    #[test]
    fn sec_fetch_site_decides_where_it_is_sent() {
        assert!(own(&[("sec-fetch-site", "same-origin"), ("origin", "https://evil.test")], None));
        assert!(own(&[("sec-fetch-site", "none")], None));
        assert!(!own(&[("sec-fetch-site", "same-site"), ("origin", "http://h"), ("host", "h")], None));
        assert!(!own(&[("sec-fetch-site", "cross-site")], None));
    }

    #[test]
    fn an_oauth_return_is_known_by_its_whole_path() {
        assert!(is_oauth_return("/api/auth/oauth/apple/callback"));
        for other in [
            "/api/auth/oauth/apple",
            "/api/auth/oauth//callback",
            "/api/auth/oauth/callback",
            "/api/auth/oauth/apple/x/callback",
            "/api/auth/oauth/apple/callback/",
            "/api/account/callback",
        ] {
            assert!(!is_oauth_return(other), "{other}");
        }
    }

    #[test]
    fn else_the_origin_must_be_the_public_address_or_the_host() {
        assert!(own(&[("origin", "http://h:1"), ("host", "h:1")], None));
        assert!(!own(&[("origin", "http://h:2"), ("host", "h:1")], None));
        assert!(!own(&[("origin", "null"), ("host", "h:1")], None));
        assert!(own(&[("origin", "https://books.test"), ("host", "inner")], Some("https://books.test")));
        assert!(!own(&[("origin", "http://inner"), ("host", "inner")], Some("https://books.test")));
        assert!(own(&[("host", "h")], None));
    }
}
