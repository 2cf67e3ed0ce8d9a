//! A server below a path of its host. A proxy may leave that path in a request or take it away; redirects need it in any case.
use axum::Router;
use axum::extract::{Request, State};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderValue, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use tower::Layer as _;

use crate::kit::current::CurrentConfig;

/// Puts a server below the path of its public address. This must happen before routes are found.
pub fn below(current: CurrentConfig, server: Router) -> Router {
    Router::new().fallback_service(from_fn_with_state(current, translate).layer(server))
}

async fn translate(State(current): State<CurrentConfig>, mut request: Request, next: Next) -> Response {
    let config = current.get();
    let base = config.base_path();
    if base.is_empty() {
        return next.run(request).await;
    }
    if let Some(uri) = without(base, request.uri()) {
        *request.uri_mut() = uri;
    }
    let mut response = next.run(request).await;
    let within = |place: &&str| place.starts_with('/') && !place.starts_with("//");
    let place = response.headers().get(header::LOCATION).and_then(|place| place.to_str().ok()).filter(within);
    if let Some(place) = place.and_then(|place| HeaderValue::try_from(format!("{base}{place}")).ok()) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    response
}

/// An address without the base; `None` where it does not begin with it.
fn without(base: &str, uri: &Uri) -> Option<Uri> {
    let rest = uri.path_and_query()?.as_str().strip_prefix(base)?;
    let rest = match rest.as_bytes().first() {
        Some(b'/') => rest.to_owned(),
        None | Some(b'?') => format!("/{rest}"),
        Some(_) => return None,
    };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = Some(PathAndQuery::try_from(rest).ok()?);
    Uri::from_parts(parts).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_is_taken_from_addresses_that_begin_with_it_as_a_whole() {
        for (sent, stripped) in [
            ("/books", Some("/")),
            ("/books/", Some("/")),
            ("/books?a=b", Some("/?a=b")),
            ("/books/login?next=/books", Some("/login?next=/books")),
            ("/books//kosync/users/auth", Some("//kosync/users/auth")),
            ("http://home.test/books/api/site", Some("http://home.test/api/site")),
            ("/login", None),
            ("/bookshelf", None),
            ("/Books/login", None),
            ("*", None),
        ] {
            let uri = without("/books", &sent.parse().unwrap()).map(|uri| uri.to_string());
            assert_eq!(uri.as_deref(), stripped, "{sent}");
        }
    }
}
