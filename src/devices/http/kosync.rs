//! kosync, the protocol of KOReader's progress sync. Its answers have the exact content type `application/json`, its errors are `{code,
//! message}`, and a device's route never redirects.
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use percent_encoding::percent_decode_str;
use serde::Deserialize;
use serde_json::{Value, json};

use super::Call;
use super::sign_in::SignedIn;
use crate::devices::model::digest;
use crate::devices::statistics::{authors, cut};
use crate::devices::store::days::Reader;
use crate::devices::store::documents::{self, Named, Pushed};
use crate::kit::Error;
use crate::kit::http::assets::{self, Page};
use crate::kit::http::extract;
use crate::library::books::log::WHOLE;
use crate::library::counters;

/// The header with the user name.
const USER: &str = "x-auth-user";
/// The header with the MD5 of the password.
const KEY: &str = "x-auth-key";
/// The most bytes of each field of a place.
const LONGEST: usize = 1_000;
/// The most bytes of a body.
const LARGEST: usize = 16 << 10;

/// A failure in the protocol's own words: status, code and message; and what failed here, for the log and `Retry-After`.
struct Refusal(StatusCode, u32, String, Option<Error>);

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error {
            Error::Unauthorized => Self(StatusCode::UNAUTHORIZED, 2001, "Unauthorized".into(), None),
            error => Self(error.code().status(), 2000, error.to_string(), Some(error)),
        }
    }
}

impl Refusal {
    fn invalid(code: u32) -> Self {
        let message = if code == 2004 { "Field 'document' not provided." } else { "Invalid request" };
        Self(StatusCode::FORBIDDEN, code, message.into(), None)
    }

    fn answer(self) -> Response {
        let Self(status, code, message, error) = self;
        let words = axum::Json(json!({"code": code, "message": message}));
        let Some(error) = error else { return (status, words).into_response() };
        let mut answer = error.into_response();
        *answer.body_mut() = words.into_response().into_body();
        answer
    }
}

/// Answers below `/kosync` with any number of slashes, and at the root to those who show a user name; to everybody else that is no page.
pub async fn answer(call: &Call, path: &str, request: Request) -> Response {
    match path.strip_prefix("/kosync") {
        None if !request.headers().contains_key(USER) => {
            assets::page(Page::Missing, call.app.current.get().base_path()).into_response()
        }
        below => call.answer(below.unwrap_or(path), request).await,
    }
}

/// A place, as it is pushed.
#[derive(Deserialize)]
struct Progress {
    document: Option<Value>,
    progress: Option<Value>,
    percentage: Option<Value>,
    device: Option<Value>,
    device_id: Option<Value>,
    #[serde(default)]
    metadata: Option<Metadata>,
}

/// What a document is called; sent where its reader has switched that on.
#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    authors: Option<String>,
}

impl Call {
    async fn answer(&self, path: &str, request: Request) -> Response {
        let method = match *request.method() {
            Method::HEAD => Method::GET,
            ref method => method.clone(),
        };
        let parts: Vec<_> = path.split('/').filter(|part| !part.is_empty()).collect();
        let (allowed, answered) = match (parts.as_slice(), &method) {
            (["healthcheck"], &Method::GET) => ("GET", Some(Ok(json!({"state": "OK"})))),
            (["users", "auth"], &Method::GET) => {
                ("GET", Some(self.sign_in(request.headers()).await.map(|_| json!({"authorized": "OK"}))))
            }
            (["users", "create"], &Method::POST) => {
                let sentence = "Make a login for this device in Shelfwise, under Devices, and log in with it.";
                ("POST", Some(Err(Refusal(StatusCode::PAYMENT_REQUIRED, 2005, sentence.into(), None))))
            }
            (["syncs", "progress"], &Method::PUT) => ("PUT", Some(self.push(request).await)),
            (["syncs", "progress", document], &Method::GET) => {
                ("GET", Some(self.pull(document, request.headers()).await))
            }
            (["healthcheck"] | ["users", "auth"] | ["syncs", "progress", _], _) => ("GET, HEAD", None),
            (["users", "create"], _) => ("POST", None),
            (["syncs", "progress"], _) => ("PUT", None),
            _ => {
                return Refusal(StatusCode::NOT_FOUND, 2000, "There is nothing at this address.".into(), None).answer();
            }
        };
        match answered {
            Some(Ok(answer)) => axum::Json(answer).into_response(),
            Some(Err(refusal)) => refusal.answer(),
            None => {
                let sentence = "This address does not support this method.";
                let mut answer = Refusal(StatusCode::METHOD_NOT_ALLOWED, 2000, sentence.into(), None).answer();
                answer.headers_mut().insert(header::ALLOW, HeaderValue::from_static(allowed));
                answer
            }
        }
    }

    async fn sign_in(&self, headers: &HeaderMap) -> Result<SignedIn, Refusal> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let (Some(login), Some(key)) = (text(USER), text(KEY)) else { return Err(Error::Unauthorized.into()) };
        Ok(self.sign_ins.sign_in(&self.app, self.ip, &self.identity, login, key.to_owned()).await?)
    }

    async fn push(&self, request: Request) -> Result<Value, Refusal> {
        let device = self.sign_in(request.headers()).await?;
        let body = extract::bytes(request, LARGEST).await?;
        let sent: Progress = serde_json::from_slice(&body).map_err(|_| Refusal::invalid(2003))?;
        let document = sent.document.as_ref().and_then(Value::as_str).and_then(digest);
        let document = document.ok_or_else(|| Refusal::invalid(2004))?;
        let percentage = sent.percentage.as_ref().and_then(Value::as_f64).filter(|part| part.is_finite());
        let (Some(percentage), Some(progress), Some(name)) = (percentage, sent.progress, sent.device) else {
            return Err(Refusal::invalid(2003));
        };
        let fits = |value: &Value| match value {
            Value::String(text) => text.len() <= LONGEST,
            Value::Number(_) | Value::Null => true,
            _ => false,
        };
        if ![&progress, &name].into_iter().chain(&sent.device_id).all(fits) {
            return Err(Refusal::invalid(2003));
        }
        #[expect(clippy::cast_possible_truncation, reason = "within bounds by the clamp")]
        let at = (percentage.clamp(0.0, 1.0) * WHOLE as f64 + 1e-6).floor() as i64;
        let metadata = sent.metadata.unwrap_or_default();
        let mut kept =
            json!({"document": document, "percentage": sent.percentage, "progress": progress, "device": name});
        if let Some(id) = sent.device_id {
            kept["device_id"] = id;
        }
        let pushed = Pushed {
            named: Named {
                digest: document.clone(),
                title: cut(&metadata.title.unwrap_or_default()),
                authors: authors(&metadata.authors.unwrap_or_default()),
            },
            at,
            progress: kept.to_string(),
        };
        let (owner, zone, quotas) = (device.owner.viewer.user_id, device.owner.zone, self.quotas);
        let stored = self.app.db.write(move |tx| {
            let reader = Reader::new(tx, owner, zone, tx.now())?;
            counters::within_quotas(tx, owner, quotas, || documents::push(tx, &reader, device.id, &pushed))?;
            Ok(tx.now().timestamp())
        });
        Ok(json!({"document": document, "timestamp": stored.await?}))
    }

    async fn pull(&self, document: &str, headers: &HeaderMap) -> Result<Value, Refusal> {
        let owner = self.sign_in(headers).await?.owner.viewer.user_id;
        let document = percent_decode_str(document).decode_utf8_lossy().into_owned();
        let found = self.app.db.read(move |conn| documents::progress(conn, owner, &document)).await?;
        // An unknown document has an empty answer: a client takes 404 for a failure of the network.
        let Some((progress, pushed_at)) = found else { return Ok(json!({})) };
        let mut answer: Value = serde_json::from_str(&progress).map_err(Error::from)?;
        answer["timestamp"] = pushed_at.into();
        Ok(answer)
    }
}
