//! Protection against cross-site requests: requests of another site's page are refused when they change data or call the API, and
//! requests with a foreign host name are refused.
use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::session::bearer;
use crate::config::PublicUrl;
use crate::kit::App;
use crate::kit::error::Error;
use crate::kit::error_code::ErrorCode;

/// Paths that other sites call on purpose; each has its own proof.
const EXEMPT: &[&str] = &["/api/stripe/webhook"];
/// The first parts of paths that devices call.
const DEVICES: [&str; 4] = ["kosync", "dav", "users", "syncs"];
/// Endings of names that nobody can register in the public DNS, so that no page of another site can point such a name here.
const PRIVATE_ENDINGS: [&str; 8] =
    [".localhost", ".local", ".lan", ".home", ".internal", ".home.arpa", ".localdomain", ".corp"];
/// The longest origin in the log, in bytes.
const LONGEST_SHOWN: usize = 300;

/// Refuses changes from other sites, and calls by a name that is not this server's.
pub async fn refuse(State(app): State<App>, request: Request, next: Next) -> Response {
    let current = app.current.get();
    let Some(refusal) = refusal(&request, current.public_url.as_ref()) else { return next.run(request).await };
    if let Some(address) = opened_at(&request, current.own_origin()) {
        app.health.opened_at(address);
    }
    refusal.into_response()
}

/// Why a request is refused: two host names (400), a foreign one (421), or a change or a call that another site's page sent (403). `public` is the
/// public address. The log says what was expected, because the operator can't see it elsewhere.
pub fn refusal(request: &Request, public: Option<&PublicUrl>) -> Option<Error> {
    let own = public.map(PublicUrl::origin);
    if request.headers().get_all(header::HOST).iter().nth(1).is_some() {
        return Some(Error::unreadable("A request names one host."));
    }
    if let Some(host) = foreign_host(request, own) {
        let expected = own.unwrap_or("an IP address or localhost; set public_url for a name");
        tracing::warn!(host = shown(host), expected, "refused a request with a foreign host name");
        let scheme =
            request.headers().get("x-forwarded-proto").filter(|scheme| *scheme == "https").map_or("http", |_| "https");
        return Some(Error::misdirected(public, &format!("{scheme}://{}", shown(host))));
    }
    let passes = match is_safe(request.method()) {
        true => {
            !is_api(request.uri().path())
                || is_exempt(request)
                || is_sign_in(request)
                || !is_foreign_read(request.headers())
        }
        false => is_exempt(request) || is_from_here(request.headers(), own),
    };
    if passes {
        return None;
    }
    let header = |name: HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
    let expected = own.map_or_else(|| format!("http(s)://{}", header(header::HOST).map_or("-", shown)), str::to_owned);
    let origin = header(header::ORIGIN).map_or("-", shown);
    let site = header(HeaderName::from_static("sec-fetch-site")).map_or("-", shown);
    tracing::warn!(expected, origin, site, "refused a request from another site's page");
    let sentence = match (public, own_page(request.headers())) {
        (Some(public), Some(opened)) => {
            format!(
                "This page was opened at {}, but this server's address is {public}. Please use that address.",
                shown(&opened)
            )
        }
        _ => "This request came from another site's page and was refused.".to_owned(),
    };
    Some(Error::refused(ErrorCode::CrossSite, sentence))
}

/// The address other than the public one at which somebody opened this server's pages, for a request that was refused; `None` when
/// another site sent it.
pub fn opened_at(request: &Request, own: Option<&str>) -> Option<String> {
    let opened = foreign_host(request, own).map(str::to_owned).or_else(|| own_page(request.headers()))?;
    Some(shown(&opened).to_owned())
}

/// The origin of a page of this server itself, by whatever address: it is that of the `Host`.
fn own_page(headers: &HeaderMap) -> Option<String> {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_ascii_lowercase);
    let (origin, host) = (text(header::ORIGIN)?, text(header::HOST)?);
    let site = text(HeaderName::from_static("sec-fetch-site"));
    let is_same = site.is_none_or(|site| site == "same-origin")
        && (origin == format!("http://{host}") || origin == format!("https://{host}"));
    is_same.then_some(origin)
}

/// A header value as the log may show it: in full only when it is clearly a host or an origin.
fn shown(text: &str) -> &str {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:/[]".contains(&byte);
    if text.len() <= LONGEST_SHOWN && text.bytes().all(plain) { text } else { "(not an origin)" }
}

/// The foreign host name of a request, if it has one. A page of another site can point its own name at this server (DNS
/// rebinding), and the browser then treats both as one site. IP addresses, `localhost` and names that nobody
/// can register in the public DNS are allowed, because health checks use them. Requests with a token or another proof are allowed by
/// any host name.
fn foreign_host<'r>(request: &'r Request, own: Option<&str>) -> Option<&'r str> {
    let path = request.uri().path();
    let reads_no_data = is_safe(request.method()) && !is_api(path);
    if reads_no_data || is_exempt(request) {
        return None;
    }
    // An absolute address in the request line counts before the header (RFC 9112, 3.2.2).
    let named = request.uri().authority().map(|authority| authority.as_str());
    let named = named.or_else(|| Some(request.headers().get(header::HOST)?.to_str().unwrap_or("?")))?;
    let host = host_of(named);
    let public = own.map(|own| host_of(own.split_once("://").map_or(own, |(_, authority)| authority)));
    let passes = public.is_some_and(|public| public.eq_ignore_ascii_case(host)) || is_own_by_nature(host);
    (!passes).then_some(named)
}

/// The host of `host`, `host:port` or `[v6]:port`, without brackets and without a trailing dot.
fn host_of(authority: &str) -> &str {
    match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((address, _)) => address,
        None => authority.rsplit_once(':').map_or(authority, |(host, _)| host).trim_end_matches('.'),
    }
}

/// Whether a host can only mean this server: an IP address, a single word, or a name of a private network.
fn is_own_by_nature(host: &str) -> bool {
    let private = |ending: &&str| {
        let start = host.len().checked_sub(ending.len());
        start.is_some_and(|start| host.as_bytes()[start..].eq_ignore_ascii_case(ending.as_bytes()))
    };
    host.parse::<IpAddr>().is_ok() || !host.contains('.') || PRIVATE_ENDINGS.iter().any(private)
}

fn is_api(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

/// Whether a sign-in by a provider begins, which looks itself at where it was started, and has a page to say so.
fn is_sign_in(request: &Request) -> bool {
    request.uri().path().starts_with("/api/auth/oauth/")
}

/// Whether another site's page reads behind the person's back, as a picture or by script. Following a link is not that: it opens the
/// answer in a tab, where the person sees it.
fn is_foreign_read(headers: &HeaderMap) -> bool {
    let is = |name: &'static str, value: &str| headers.get(name).is_some_and(|sent| sent == value);
    is("sec-fetch-site", "cross-site") && !(is("sec-fetch-mode", "navigate") && is("sec-fetch-dest", "document"))
}

/// Whether a page loads this as a part of it (a picture, a script, a frame) and no person or program has opened it.
pub fn is_part_of_page(headers: &HeaderMap) -> bool {
    let destination = headers.get("sec-fetch-dest").map(HeaderValue::as_bytes);
    destination.is_some_and(|destination| !matches!(destination, b"document" | b"empty"))
}

/// Whether a method only reads.
pub fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

fn is_exempt(request: &Request) -> bool {
    let path = request.uri().path();
    // Cookies don't count beside a bearer token: no page of another site has one.
    may_come_from_other_sites(path) || bearer(request.headers()).is_some()
}

/// Whether other sites' servers or pages send this request on purpose.
pub fn may_come_from_other_sites(path: &str) -> bool {
    EXEMPT.contains(&path) || is_oauth_return(path) || is_of_a_device(path)
}

/// Whether devices call this path. They send their secret with each request, and no cookie counts there.
fn is_of_a_device(path: &str) -> bool {
    let first = path.trim_start_matches('/').split('/').next();
    first.is_some_and(|first| DEVICES.contains(&first))
}

/// `/api/auth/oauth/{provider}/callback`, which some providers call by POST. Its `state` parameter is the proof.
fn is_oauth_return(path: &str) -> bool {
    let provider = path.strip_prefix("/api/auth/oauth/").and_then(|rest| rest.strip_suffix("/callback"));
    provider.is_some_and(|provider| !provider.is_empty() && !provider.contains('/'))
}

/// Whether a page of this server, or a person, sent a request. `Sec-Fetch-Site` decides when it is sent, unless the `Origin`
/// contradicts it; otherwise `Origin` alone decides; a request with neither (a script) is accepted.
pub fn is_from_here(headers: &HeaderMap, public: Option<&str>) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let by_host = |origin: &str| {
        text(header::HOST).is_some_and(|host| {
            let host = host.to_ascii_lowercase();
            origin == format!("http://{host}") || origin == format!("https://{host}")
        })
    };
    let origin = text(header::ORIGIN).map(str::to_ascii_lowercase);
    if let Some(site) = text(HeaderName::from_static("sec-fetch-site")) {
        // The address that the browser used is accepted besides the public address: people also use the server's address in their
        // network.
        let own = origin.is_none_or(|origin| public == Some(origin.as_str()) || by_host(&origin));
        return own && matches!(site, "same-origin" | "none");
    }
    let Some(origin) = origin else { return true };
    match public {
        Some(public) => origin == public,
        None => by_host(&origin),
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
    fn sec_fetch_site_decides_where_it_is_sent_unless_the_origin_contradicts_it() {
        let same = ("sec-fetch-site", "same-origin");
        let home = Some("https://books.test");
        for (origin, host, public, passes) in [
            ("https://books.test", "books.test", home, true),
            // A proxy that sends the program's own address as the host.
            ("https://books.test", "127.0.0.1:8080", home, true),
            // A person in the same network.
            ("http://192.168.1.5:8080", "192.168.1.5:8080", home, true),
            ("http://h:1", "h:1", None, true),
            ("https://evil.test", "books.test", home, false),
            ("https://evil.test", "h", None, false),
            ("null", "h", None, false),
        ] {
            assert_eq!(own(&[same, ("origin", origin), ("host", host)], public), passes, "{origin} {host} {public:?}");
        }
        assert!(own(&[same], home) && own(&[same], None));
        assert!(!own(&[same, ("origin", "https://evil.test")], None));
        assert!(own(&[("sec-fetch-site", "none")], None));
        assert!(!own(&[("sec-fetch-site", "same-site"), ("origin", "http://h"), ("host", "h")], None));
        assert!(!own(&[("sec-fetch-site", "cross-site")], None));
    }

    fn set(public: Option<&str>) -> Option<PublicUrl> {
        public.map(|url| url.to_owned().try_into().unwrap())
    }

    fn refused(method: &str, path: &str, host: Option<&str>, public: Option<&str>, more: &[(&str, &str)]) -> bool {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in host.map(|host| ("host", host)).iter().chain(more) {
            request = request.header(*name, *value);
        }
        let refused = refusal(&request.body(axum::body::Body::empty()).unwrap(), set(public).as_ref());
        refused.is_some_and(|refusal| refusal.code() == ErrorCode::Misdirected)
    }

    #[test]
    fn a_call_by_a_foreign_name_is_refused_and_by_an_address_or_a_private_name_it_is_not() {
        for public in [None, Some("https://books.test:8443")] {
            for host in [
                "127.0.0.1:8080", "[::1]:8080", "[2001:db8::1]", "192.168.1.5", "localhost:8080", "shelfwise:8080",
                "nas.local", "nas.home.lan:8080", "books.internal.",
            ] {
                assert!(!refused("POST", "/api/auth/signup", Some(host), public, &[]), "{host}");
            }
            for host in ["evil.test", "evil.test:8080", "127.0.0.1.evil.test", "books.test.evil.test", "a.b c", ""] {
                let foreign = !host.is_empty();
                assert_eq!(refused("POST", "/api/auth/signup", Some(host), public, &[]), foreign, "{host}");
                assert_eq!(refused("GET", "/api/site", Some(host), public, &[]), foreign, "{host}");
            }
            assert!(!refused("POST", "/api/auth/signup", None, public, &[]), "HTTP/1.0 names no host");
            for (method, path) in [("GET", "/healthz"), ("GET", "/"), ("POST", "/api/stripe/webhook")] {
                assert!(!refused(method, path, Some("evil.test"), public, &[]), "{path}");
            }
            assert!(refused("GET", "http://evil.test/api/site", Some("localhost"), public, &[]));
            let two = Request::builder().uri("/").header("host", "localhost").header("host", "localhost");
            let two = refusal(&two.body(axum::body::Body::empty()).unwrap(), set(public).as_ref());
            assert_eq!(two.map(|refusal| refusal.status().as_u16()), Some(400));
            let token = [("authorization", "Bearer secret")];
            assert!(!refused("POST", "/api/books", Some("shelf.apps.svc.cluster.test"), public, &token));
        }
        let public = Some("https://books.test:8443");
        for host in ["books.test", "BOOKS.test:443", "books.test.", "books.test:9"] {
            assert!(!refused("POST", "/api/auth/signup", Some(host), public, &[]), "{host}");
        }
        assert!(refused("POST", "/api/auth/signup", Some("books.test"), None, &[]));
    }

    #[test]
    fn a_page_that_was_opened_at_another_address_is_distinguished_from_another_sites() {
        let own = set(Some("https://books.test/shelf"));
        let sent = |host: &str, origin: &str, site: Option<&str>| {
            let mut request = Request::builder().method("POST").uri("/api/books").header("host", host);
            request = request.header("origin", origin);
            if let Some(site) = site {
                request = request.header("sec-fetch-site", site);
            }
            let request = request.body(axum::body::Body::empty()).unwrap();
            let sentence = refusal(&request, own.as_ref()).map(|refusal| refusal.to_string()).unwrap_or_default();
            (opened_at(&request, own.as_ref().map(PublicUrl::origin)), sentence)
        };
        let (address, sentence) = sent("192.168.1.5:8080", "http://192.168.1.5:8080", None);
        assert_eq!(address.as_deref(), Some("http://192.168.1.5:8080"));
        assert!(
            sentence.contains("opened at http://192.168.1.5:8080") && sentence.contains("https://books.test/shelf")
        );
        for (host, origin, site) in [
            ("192.168.1.5:8080", "https://evil.test", None),
            ("books.test", "https://evil.test", None),
            ("192.168.1.5:8080", "http://192.168.1.5:8080", Some("cross-site")),
        ] {
            let (address, sentence) = sent(host, origin, site);
            assert_eq!(address, None, "{host} {origin}");
            assert!(sentence.contains("another site"), "{sentence}");
        }
        let (address, sentence) = sent("books.other.test", "https://books.other.test", None);
        assert_eq!(address.as_deref(), Some("books.other.test"));
        assert!(sentence.contains("https://books.test/shelf"));
    }

    #[test]
    fn the_log_shows_hosts_and_origins_and_nothing_that_could_forge_a_line() {
        assert_eq!(shown("https://evil.test:8443"), "https://evil.test:8443");
        for text in ["a b", "x\ny", "a=b", "\"x\"", &"a".repeat(301)] {
            assert_eq!(shown(text), "(not an origin)");
        }
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
