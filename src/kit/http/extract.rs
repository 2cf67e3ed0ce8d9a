//! Extractors with this program's own errors: JSON bodies, ids in paths, idempotency keys, the caller's address.
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequest, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use http_body_util::BodyExt as _;
use serde::de::DeserializeOwned;

use super::budgets::HeldBytes;
use crate::kit::App;
use crate::kit::error::{Error, FieldErrors};
use crate::kit::error_code::ErrorCode;
use crate::kit::http::listener::Peer;
use crate::kit::http::request_identity::RequestIdentity;

/// The largest JSON body of most calls, in bytes: several times what their fields may contain.
pub const JSON_LIMIT: usize = 16 * 1024;
/// The largest JSON body of calls that send books and their texts, in bytes.
pub const LARGE_JSON_LIMIT: usize = 2 * 1024 * 1024;
/// How many bytes beyond the limit are still read and discarded, so that the client gets the response instead of a broken
/// connection.
const STILL_READ: usize = 4 * 1024 * 1024;
/// JSON up to this many bytes is parsed without using the memory budget: the number of connections limits how much there is.
const FREE_JSON: usize = 64 * 1024;
/// About how many bytes of memory one byte of JSON takes while it is parsed.
const PARSED: usize = 8;

/// A JSON object as the body: 415 for another content type, 413 above `LIMIT` bytes, 400 for malformed JSON, 422 for a wrong
/// type, 503 when the server's memory for bodies is used up. Without a session it first waits for a permit of the caller's
/// address.
#[derive(Debug, Clone, Copy)]
pub struct Json<T, const LIMIT: usize = JSON_LIMIT>(pub T);

/// [`Json`] of up to 2 MiB.
pub type LargeJson<T> = Json<T, LARGE_JSON_LIMIT>;

impl<T: DeserializeOwned, S: Send + Sync, const LIMIT: usize> FromRequest<S> for Json<T, LIMIT> {
    type Rejection = Error;

    async fn from_request(request: Request, _state: &S) -> Result<Self, Error> {
        // Syntax first (400), then types (422): a value of the wrong type is readable.
        let value = read_object(request, LIMIT).await?;
        let mut track = serde_path_to_error::Track::new();
        let shaped = T::deserialize(serde_path_to_error::Deserializer::new(value, &mut track));
        shaped.map(Json).map_err(|cause| shape_error(&track.path().to_string(), &cause.to_string()))
    }
}

/// The JSON object in a body of at most `limit` bytes.
async fn read_object(request: Request, limit: usize) -> Result<serde_json::Value, Error> {
    if !is_json(request.headers()) {
        return Err(Error::UnsupportedType("Please send JSON with the content type application/json.".into()));
    }
    let visit = request.extensions().get::<RequestIdentity>().cloned().unwrap_or_default();
    visit.acquire_for_address().await?;
    let mut memory = visit.budgets().map(|budgets| budgets.requests().part(FREE_JSON * PARSED));
    let body = visit.read_body(read_body(request.into_body(), limit, memory.as_mut())).await?;
    let value: serde_json::Value =
        serde_json::from_slice(&body).map_err(|_| Error::unreadable("This is not valid JSON."))?;
    if value.is_object() {
        Ok(value)
    } else {
        Err(Error::refused(ErrorCode::Invalid, "The request must be a JSON object."))
    }
}

/// An optional body: a request without a content type or with an empty body has none.
impl<T: DeserializeOwned, S: Send + Sync> OptionalFromRequest<S> for Json<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Option<Self>, Error> {
        let headers = request.headers();
        let is_empty = headers.get(header::CONTENT_LENGTH).is_some_and(|length| length.as_bytes() == b"0");
        if is_empty || !headers.contains_key(header::CONTENT_TYPE) {
            return Ok(None);
        }
        <Self as FromRequest<S>>::from_request(request, state).await.map(Some)
    }
}

/// A body of any kind and at most `limit` bytes. Without a session it first waits for a permit of the caller's address.
///
/// # Errors
/// 413 above `limit` bytes, 400 for a body that breaks off, 503 when the server's memory for bodies is used up.
pub async fn bytes(request: Request, limit: usize) -> Result<Vec<u8>, Error> {
    let visit = request.extensions().get::<RequestIdentity>().cloned().unwrap_or_default();
    visit.acquire_for_address().await?;
    let mut memory = visit.budgets().map(|budgets| budgets.requests().part(0));
    visit.read_body(read_body(request.into_body(), limit, memory.as_mut())).await
}

/// Reads a body of at most `limit` bytes. Memory is taken from the budget as bytes arrive, not for the announced length.
async fn read_body(mut body: Body, limit: usize, mut memory: Option<&mut HeldBytes>) -> Result<Vec<u8>, Error> {
    let (mut read, mut length) = (Vec::new(), 0);
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Error::unreadable("The request's body could not be read."))?;
        let Ok(data) = frame.into_data() else { continue };
        length += data.len();
        if length <= limit {
            if let Some(memory) = &mut memory {
                memory.grow_to(length * PARSED)?;
            }
            read.extend_from_slice(&data);
        } else if length > STILL_READ {
            break;
        } else {
            read = Vec::new();
        }
    }
    if length <= limit { Ok(read) } else { Err(too_large(limit)) }
}

fn too_large(limit: usize) -> Error {
    let limit = if limit >= 1024 * 1024 { format!("{} MiB", limit >> 20) } else { format!("{} KiB", limit >> 10) };
    Error::TooLarge(format!("The request body is larger than {limit}."))
}

/// 422 for a value that is not of its field's type. `reason` is serde's, or a sentence of our own.
pub(super) fn shape_error(path: &str, reason: &str) -> Error {
    let field = path.split(['.', '[']).next().unwrap_or_default();
    let mut fields = FieldErrors::new();
    let missing = reason.strip_prefix("missing field `").and_then(|rest| rest.strip_suffix('`'));
    if let (Some(name), true) = (missing, field.is_empty() || field == ".") {
        fields.add(name, "This value is required.");
        return fields.into();
    }
    fields.add(field, shape_sentence(reason));
    fields.into()
}

/// A sentence for a person about a value that has another type than its field.
fn shape_sentence(reason: &str) -> String {
    if reason.ends_with('.') {
        return reason.to_owned();
    }
    let named = |start: &str| reason.strip_prefix(start)?.split('`').next();
    if let Some(name) = named("missing field `") {
        return format!("This value needs \"{name}\".");
    }
    if let Some(name) = named("unknown field `") {
        return format!("This value can't have \"{name}\".");
    }
    // What the standard library and serde_html_form say of a value in a query.
    match reason {
        "invalid digit found in string" => return "This must be a whole number.".into(),
        _ if reason.starts_with("number too ") => return "This number is too small or too large.".into(),
        "unsupported value" => return "This can be given only once.".into(),
        _ => {}
    }
    let expected = reason.rsplit_once("expected ").map_or("", |(_, expected)| expected);
    match expected {
        "a string" => "This must be text.".into(),
        "a boolean" | "\"true\", \"on\" or \"false\"" => "This is either true or false.".into(),
        "f32" | "f64" => "This must be a number.".into(),
        "i8" | "i16" | "i32" | "i64" | "u8" | "u16" | "u32" | "u64" | "usize" => {
            let is_integer = reason.starts_with("invalid value");
            if is_integer { "This number is too small or too large." } else { "This must be a whole number." }.into()
        }
        _ if expected == "a map" || expected.starts_with("struct ") => "This must be an object.".into(),
        _ if expected.starts_with("a sequence") || expected.starts_with("tuple ") => "This must be a list.".into(),
        _ => {
            let names: Vec<_> = expected.split('`').skip(1).step_by(2).collect();
            match names.split_last() {
                Some((last, [])) => format!("This must be {last}."),
                Some((last, others)) => format!("This must be {} or {last}.", others.join(", ")),
                None => "This value can't be used here.".into(),
            }
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(kind) = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()) else { return false };
    let essence = kind.split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
        || (essence.len() > 16 && essence[..12].eq_ignore_ascii_case("application/") && essence.ends_with("+json"))
}

/// A value in the path. A value that does not parse (an id that is not a number) is a 404.
#[derive(Debug, Clone, Copy)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        match axum::extract::Path::<T>::from_request_parts(parts, state).await {
            Ok(axum::extract::Path(value)) => Ok(Self(value)),
            Err(PathRejection::FailedToDeserializePathParams(_)) => Err(Error::NotFound),
            Err(other) => Err(Error::internal(other.to_string())),
        }
    }
}

/// The header of [`IdempotencyKey`].
pub const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// The `Idempotency-Key` header: 1 to 255 visible characters, otherwise 400.
#[derive(Debug, Clone, Default, PartialEq, Eq, utoipa::IntoParams)]
#[into_params(names("Idempotency-Key"), parameter_in = Header)]
pub struct IdempotencyKey(
    /// A key chosen by the client for this request. The same key within one day returns the first response again and does
    /// nothing.
    #[param(pattern = "^[!-~]{1,255}$", value_type = String, required = false)]
    pub Option<String>,
);

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Error> {
        let Some(value) = parts.headers.get(IDEMPOTENCY_KEY) else { return Ok(Self(None)) };
        match value.to_str() {
            Ok(key) if (1..=255).contains(&key.len()) && key.bytes().all(|byte| byte.is_ascii_graphic()) => {
                Ok(Self(Some(key.to_owned())))
            }
            _ => Err(Error::unreadable("An Idempotency-Key must have 1 to 255 visible ASCII characters.")),
        }
    }
}

/// The client's address: the connection's, or the one that trusted proxies give in `X-Forwarded-For`, read from the right. A
/// process on this machine that names no client is 127.0.0.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientIp(pub IpAddr);

impl FromRequestParts<App> for ClientIp {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Error> {
        let peer = parts.extensions.get::<Peer>().copied();
        let peer = peer.ok_or_else(|| Error::internal("the request has no peer"))?;
        let client = client_of(peer, &parts.headers, |ip| app.config.trusts(ip));
        Ok(Self(client.unwrap_or(Ipv4Addr::LOCALHOST.into())))
    }
}

/// Walks `X-Forwarded-For` from the right while each hop is a trusted proxy, as the process behind a Unix socket is; `None` when that names
/// no client.
pub fn client_of(peer: Peer, headers: &HeaderMap, trusted: impl Fn(IpAddr) -> bool) -> Option<IpAddr> {
    let mut client = match peer {
        Peer::Address(ip) => Some(ip.to_canonical()),
        Peer::Socket => None,
    };
    // Hops are read as bytes: what a client has sent ahead of them may be no text, and must not hide them.
    let values = headers.get_all("x-forwarded-for").iter();
    let forwarded: Vec<_> = values.flat_map(|value| value.as_bytes().split(|byte| *byte == b',')).collect();
    for hop in forwarded.iter().rev() {
        if client.is_some_and(|ip| !trusted(ip)) {
            break;
        }
        let Some(ip) = str::from_utf8(hop).ok().and_then(forwarded_address) else { break };
        client = Some(ip.to_canonical());
    }
    client
}

/// An address as proxies write it: plain, in brackets, with a port, in quotes.
fn forwarded_address(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim().trim_matches('"');
    let bare = hop.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(hop);
    bare.parse().ok().or_else(|| hop.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;
    use serde_json::json;

    use super::*;
    use crate::kit::time_zone::Hemisphere;

    fn forwarded(value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", value.parse().unwrap());
        headers
    }

    #[test]
    fn a_value_of_another_type_is_refused_in_plain_words() {
        #[derive(Deserialize, Debug)]
        #[serde(rename_all = "camelCase")]
        #[expect(dead_code, reason = "only its shape matters")]
        struct Form {
            text: Option<String>,
            flag: Option<bool>,
            count: Option<u32>,
            share: Option<f64>,
            names: Option<Vec<Hemisphere>>,
            inner: Option<Inner>,
            word_count: Option<i64>,
        }
        #[derive(Deserialize, Debug)]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "only its shape matters")]
        struct Inner {
            name: String,
        }
        let refused = |value: serde_json::Value| {
            let mut track = serde_path_to_error::Track::new();
            let shaped = Form::deserialize(serde_path_to_error::Deserializer::new(value, &mut track));
            let Error::Invalid(fields) = shape_error(&track.path().to_string(), &shaped.unwrap_err().to_string())
            else {
                panic!()
            };
            let (field, sentence) = fields.iter().next().unwrap();
            format!("{field}: {sentence}")
        };
        for (value, sentence) in [
            (json!({"text": 1}), "text: This must be text."),
            (json!({"flag": "yes"}), "flag: This is either true or false."),
            (json!({"count": "a, expected b"}), "count: This must be a whole number."),
            (json!({"count": 1.5}), "count: This must be a whole number."),
            (json!({"count": -1}), "count: This number is too small or too large."),
            (json!({"wordCount": []}), "wordCount: This must be a whole number."),
            (json!({"share": "half"}), "share: This must be a number."),
            (json!({"names": "north"}), "names: This must be a list."),
            (json!({"names": ["up"]}), "names: This must be north or south."),
            (json!({"names": [1]}), "names: This value can't be used here."),
            (json!({"inner": []}), "inner: This must be an object."),
            (json!({"inner": 1}), "inner: This must be an object."),
            (json!({"inner": {}}), "inner: This value needs \"name\"."),
            (json!({"inner": {"name": "a", "other": 1}}), "inner: This value can't have \"other\"."),
        ] {
            assert_eq!(refused(value.clone()), sentence, "{value}");
        }
    }

    #[test]
    fn a_forwarded_address_counts_only_from_a_trusted_proxy() {
        let peer: IpAddr = "10.0.0.1".parse().unwrap();
        let headers = forwarded("1.2.3.4, 5.6.7.8");
        assert_eq!(client_of(peer.into(), &headers, |_| false), Some(peer));
        let proxy = |ip: IpAddr| ip == peer;
        assert_eq!(client_of(peer.into(), &headers, proxy), "5.6.7.8".parse().ok());
        assert_eq!(client_of(peer.into(), &forwarded("1.2.3.4, rubbish"), proxy), Some(peer));
    }

    #[test]
    fn the_process_behind_a_unix_socket_is_a_proxy_and_the_next_one_only_if_it_is_trusted() {
        let of = |sent: &str, proxies: &[&str]| {
            client_of(Peer::Socket, &forwarded(sent), |ip| proxies.contains(&ip.to_string().as_str()))
                .map(|ip| ip.to_string())
        };
        assert_eq!(of("1.2.3.4, 5.6.7.8", &[]).as_deref(), Some("5.6.7.8"));
        assert_eq!(of("1.2.3.4, 5.6.7.8", &["5.6.7.8"]).as_deref(), Some("1.2.3.4"));
        assert_eq!(of("1.2.3.4, 127.0.0.1", &[]).as_deref(), Some("127.0.0.1"));
        assert_eq!(of("rubbish", &[]), None);
    }

    #[test]
    fn bytes_that_a_client_sends_ahead_do_not_hide_the_address_that_the_proxy_adds() {
        let peer: IpAddr = "10.0.0.1".parse().unwrap();
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", axum::http::HeaderValue::from_bytes(b"\xe9, 5.6.7.8").unwrap());
        assert_eq!(client_of(peer.into(), &headers, |ip| ip == peer), "5.6.7.8".parse().ok());
        headers.append("x-forwarded-for", axum::http::HeaderValue::from_bytes(b"\xff").unwrap());
        assert_eq!(client_of(peer.into(), &headers, |ip| ip == peer), Some(peer));
    }

    #[test]
    fn a_forwarded_address_may_have_a_port_brackets_or_quotes() {
        let peer: IpAddr = "10.0.0.1".parse().unwrap();
        for (sent, client) in [
            ("5.6.7.8:41234", "5.6.7.8"),
            ("[2001:db8::7]:41234", "2001:db8::7"),
            ("[2001:db8::7]", "2001:db8::7"),
            ("\"[2001:db8::7]:41234\"", "2001:db8::7"),
            ("1.2.3.4, ::ffff:5.6.7.8", "5.6.7.8"),
            ("5.6.7.8:", "10.0.0.1"),
            ("5.6.7.8:x", "10.0.0.1"),
            ("5.6.7.8:99999", "10.0.0.1"),
            ("[5.6.7.8", "10.0.0.1"),
            ("unknown", "10.0.0.1"),
        ] {
            let found = client_of(peer.into(), &forwarded(sent), |ip| ip == peer);
            assert_eq!(found, client.parse().ok(), "{sent}");
        }
    }

    proptest! {
        #[test]
        fn only_a_trusted_proxy_names_the_client_and_only_by_an_address_that_was_sent(hops in proptest::collection::vec("[0-9a-f:.]{0,12}|[!-~é]{0,8}|203\\.0\\.113\\.7|\\[2001:db8::1\\]:80", 0..5)) {
            let peer = IpAddr::from([192, 0, 2, 1]);
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", axum::http::HeaderValue::from_bytes(hops.join(",").as_bytes()).unwrap());
            prop_assert_eq!(client_of(peer.into(), &headers, |_| false), Some(peer));
            let client = client_of(peer.into(), &headers, |ip| ip == peer);
            let last = hops.join(",").rsplit(',').next().and_then(forwarded_address).map(|ip| ip.to_canonical());
            prop_assert_eq!(client, last.or(Some(peer)));
        }
    }
}
