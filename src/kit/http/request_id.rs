//! The id of a request, under which the log has it: the client's or proxy's own, or a random one.
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use tower_http::request_id::{MakeRequestId, RequestId};

/// The longest request id accepted from a client, in bytes.
const LONGEST: usize = 64;

static HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// Removes an id that is not safe to log: blanks and equals signs could forge fields.
pub fn without_strange_id(mut request: Request) -> Request {
    if request.headers().get(&HEADER).is_some_and(|id| !is_plain(id)) {
        request.headers_mut().remove(&HEADER);
    }
    request
}

fn is_plain(id: &HeaderValue) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    (1..=LONGEST).contains(&id.len()) && id.as_bytes().iter().all(plain)
}

/// 64 random bits in hexadecimal digits. They distinguish log lines and are not secret.
#[derive(Clone, Copy)]
pub struct RandomId;

impl MakeRequestId for RandomId {
    fn make_request_id<B>(&mut self, _: &axum::http::Request<B>) -> Option<RequestId> {
        HeaderValue::try_from(format!("{:016x}", fastrand::u64(..))).ok().map(RequestId::new)
    }
}

/// The id of a request as text.
pub fn of(request: &Request) -> String {
    let id = request.extensions().get::<RequestId>().and_then(|id| id.header_value().to_str().ok());
    id.unwrap_or("-").to_owned()
}
