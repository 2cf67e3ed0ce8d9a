//! The user interface inside the binary: compressed with gzip at build time, as every browser accepts it over http and https.
use std::borrow::Cow;
use std::io::Read as _;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use flate2::read::GzDecoder;
use rust_embed::RustEmbed;

use crate::kit::error::{Error, Result};
use crate::kit::random;

#[derive(RustEmbed)]
#[folder = "$OUT_DIR/ui"]
struct Files;

/// The service worker, which requests files and API responses on behalf of the page.
const WORKER: &str = "sw.js";
/// The policy of the service worker, which is that of its own response, not the page's.
const WORKER_POLICY: &str = "default-src 'none'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The manifest, by which browsers install the interface.
const MANIFEST: &str = "manifest.webmanifest";
/// The placeholder in `index.html` for the nonce of each response.
const NONCE: &str = "__CSP_NONCE__";
/// The title that replaces the one of `index.html` on pages that don't exist.
const NOT_FOUND_TITLE: &str = "404 Page Not Found";

/// Which page is sent for an address of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Page<'a> {
    /// The landing page as rendered by the build, for visitors: it assumes that nobody is signed in, and that anybody can sign up.
    Landing,
    /// The page without content. It finds out who is signed in and draws the page of the address.
    Shell,
    /// The same page for a browser with a session, with the path of its address. The pages that readers open first have links to
    /// their code and begin their calls.
    Reader(&'a str),
    /// The same page with status 404, for an address without a page.
    Missing,
}

/// A file of the interface, which is below `base`. Names with a hash are cached for one year, others are revalidated each time.
pub fn file(path: &str, base: &str, headers: &HeaderMap) -> Option<Response> {
    if path.ends_with(".gz") || path.ends_with(".html") {
        return None;
    }
    if path == MANIFEST && !base.is_empty() {
        return manifest(base);
    }
    let zipped = Files::get(&format!("{path}.gz"));
    let any = zipped.clone().or_else(|| Files::get(path))?;
    let tag = format!("\"{}\"", hex::encode(&any.metadata.sha256_hash()[..12]));
    let mut answer = if super::etag::holds(headers, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else if let Some(zipped) = zipped {
        negotiated(headers, zipped.data)
    } else {
        Response::new(Body::from(any.data))
    };
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let set = answer.headers_mut();
    let kind = if kind.type_() == "text" || kind.subtype() == "javascript" {
        format!("{kind}; charset=utf-8")
    } else {
        kind.to_string()
    };
    set.insert(
        header::CONTENT_TYPE,
        HeaderValue::try_from(kind).unwrap_or(HeaderValue::from_static("application/octet-stream")),
    );
    set.insert(header::ETAG, HeaderValue::try_from(tag).unwrap_or(HeaderValue::from_static("\"\"")));
    set.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    let age = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "public, no-cache" };
    set.insert(header::CACHE_CONTROL, HeaderValue::from_static(age));
    if path == WORKER {
        set.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(WORKER_POLICY));
    }
    Some(answer)
}

/// A compressed file, or what is in it for a client that does not accept gzip. The binary holds only one form.
fn negotiated(headers: &HeaderMap, zipped: Cow<'static, [u8]>) -> Response {
    if !accepts(headers, "gzip") {
        return unzipped(&zipped).map_or_else(IntoResponse::into_response, |bytes| Response::new(Body::from(bytes)));
    }
    let mut answer = Response::new(Body::from(zipped));
    answer.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    answer
}

/// Whether `Accept-Encoding` contains an encoding with a weight above zero.
fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|one| {
            let mut parts = one.split(';').map(str::trim);
            let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
            let refused = parts.any(|weight| {
                weight.strip_prefix("q=").is_some_and(|q| q.trim().parse::<f32>().is_ok_and(|q| q <= 0.0))
            });
            named && !refused
        })
}

fn unzipped(zipped: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    GzDecoder::new(zipped).read_to_end(&mut bytes).map_err(anyhow::Error::from)?;
    Ok(bytes)
}

/// What is in a file of the interface.
pub fn bytes(path: &str) -> Result<Vec<u8>> {
    match Files::get(&format!("{path}.gz")) {
        Some(zipped) => unzipped(&zipped.data),
        None => Files::get(path).map(|file| file.data.into_owned()).ok_or(Error::NotFound),
    }
}

/// The manifest of an interface below `base`. Browsers read its `id` from the origin alone, and it must differ between two servers there.
fn manifest(base: &str) -> Option<Response> {
    let mut manifest: serde_json::Value = serde_json::from_slice(&bytes(MANIFEST).ok()?).ok()?;
    manifest["id"] = format!("{base}/").into();
    let kind = [(header::CONTENT_TYPE, "application/manifest+json"), (header::CACHE_CONTROL, "public, no-cache")];
    Some((kind, manifest.to_string()).into_response())
}

/// The path of the hashed file of the interface whose name begins so; `None` in a build without the interface.
pub fn path_of_asset(name: &str) -> Option<String> {
    let prefix = format!("assets/{name}");
    Files::iter().find(|path| path.starts_with(&prefix)).map(Cow::into_owned)
}

/// A page with its own nonce, for the style tags that parts of the interface add, and with its addresses below `base`.
///
/// # Errors
/// The interface is missing from the binary, or the system provides no random bytes.
pub fn page(page: Page<'_>, base: &str) -> Result<Response> {
    let own = match page {
        Page::Landing => Files::get("landing.html"),
        Page::Reader(path) => Files::get(&format!("first-{}.html", path.split('/').nth(1).unwrap_or_default())),
        Page::Shell | Page::Missing => None,
    };
    let file = own.or_else(|| Files::get("index.html")).ok_or_else(|| Error::internal("index.html is not embedded"))?;
    let text = std::str::from_utf8(&file.data).map_err(anyhow::Error::from)?;
    let nonce = STANDARD_NO_PAD.encode(random::bytes::<16>()?);
    let mut html = match base {
        "" => text.to_owned(),
        _ => text.replace("=\"/", &format!("=\"{base}/")).replacen("<html", &format!("<html data-base=\"{base}\""), 1),
    };
    html = html.replace(NONCE, &nonce);
    if page == Page::Missing
        && let (Some(start), Some(end)) = (html.find("<title>"), html.find("</title>"))
    {
        html.replace_range(start + 7..end, NOT_FOUND_TITLE);
    }
    let status = if page == Page::Missing { StatusCode::NOT_FOUND } else { StatusCode::OK };
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data: blob:; connect-src 'self'; \
         font-src 'self'; manifest-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types shelfwise"
    );
    let policy = HeaderValue::try_from(policy).map_err(anyhow::Error::from)?;
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::CONTENT_SECURITY_POLICY, policy),
    ];
    Ok((status, headers, html).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_with_a_weight_of_zero_is_refused() {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, "gzip;q=0.5, br;q=0".parse().unwrap());
        assert!(accepts(&headers, "gzip") && !accepts(&headers, "br") && !accepts(&headers, "zstd"));
    }
}
