//! Where a request comes from: mutations sent by another site's page are refused, and pages are told what they may load.
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::App;
use super::error::Error;
use super::session::bearer;

/// Calls that other sites' servers or pages make on purpose; each has its own proof.
const EXEMPT: &[&str] = &["/api/stripe/webhook"];

/// Refuses mutations from another site's page (decisions §1).
pub async fn refuse_cross_site(State(app): State<App>, request: Request, next: Next) -> Response {
    if is_safe(request.method()) || is_exempt(&request) || is_own(request.headers(), app.config.own_origin()) {
        return next.run(request).await;
    }
    Error::forbidden("cross_site", "This request came from another site's page and was refused.").into_response()
}

/// Whether a method only reads.
pub fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

fn is_exempt(request: &Request) -> bool {
    // Where there is a bearer's secret, cookies do not count: no page of another site has one.
    EXEMPT.contains(&request.uri().path()) || bearer(request.headers()).is_some()
}

/// `Sec-Fetch-Site` decides where it is sent, else `Origin`; a request with neither (a script) passes.
fn is_own(headers: &HeaderMap, public: Option<&str>) -> bool {
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

/// The headers of every answer.
pub async fn security_headers(request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let mut set = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(header::REFERRER_POLICY, "same-origin");
    set(header::X_FRAME_OPTIONS, "DENY");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=(), browsing-topics=()");
    set(
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    if api {
        set(header::CACHE_CONTROL, "private, no-cache");
        set(header::VARY, "Cookie, Authorization");
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(pairs: &[(&'static str, &'static str)], public: Option<&str>) -> bool {
        let headers =
            pairs.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        is_own(&headers.collect(), public)
    }

    #[test]
    fn sec_fetch_site_decides_where_it_is_sent() {
        assert!(own(&[("sec-fetch-site", "same-origin"), ("origin", "https://evil.test")], None));
        assert!(own(&[("sec-fetch-site", "none")], None));
        assert!(!own(&[("sec-fetch-site", "same-site"), ("origin", "http://h"), ("host", "h")], None));
        assert!(!own(&[("sec-fetch-site", "cross-site")], None));
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
