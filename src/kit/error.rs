//! The error type of the whole program: every failure, from any layer, becomes a response `{"error", "code"}` with the right
//! status.
use std::collections::BTreeMap;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use crate::kit::http::throttled::{self, Why};

/// `Retry-After` in seconds for requests that are refused because the server is busy.
const RETRY_SOON: u64 = 2;
/// The code of [`Error::quota_reached`].
const QUOTA_REACHED: &str = "quota_reached";

/// The result of any call in this program that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// Every kind of error, as `docs/api.md` describes them. The text in each is the sentence that a person reads.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// 400: the request can't be read (malformed JSON, an invalid header).
    #[error("{0}")]
    Unreadable(String),
    /// 401: nobody is signed in.
    #[error("Please sign in first.")]
    Unauthorized,
    /// 401 at sign-in: the address or the password is wrong; the response does not say which.
    #[error("Invalid email or password")]
    WrongCredentials,
    /// 403: signed in, but not allowed.
    #[error("{}", .0.message)]
    Forbidden(Refusal),
    /// 404: does not exist, or belongs to another account.
    #[error("There is nothing at this address.")]
    NotFound,
    /// 405: the path exists, but does not support the method.
    #[error("This address does not support this method.")]
    MethodNotAllowed,
    /// 408: receiving or answering the request took too long.
    #[error("The request took too long.")]
    TimedOut,
    /// 409: conflicts with the current state.
    #[error("{}", .0.message)]
    Conflict(Refusal),
    /// 410: existed once.
    #[error("{}", .0.message)]
    Gone(Refusal),
    /// 413: too large.
    #[error("{0}")]
    TooLarge(String),
    /// 415: the content type is not supported.
    #[error("{0}")]
    UnsupportedType(String),
    /// 421: the request's host name is not one of this server's.
    #[error("{}", .0.message)]
    Misdirected(Refusal),
    /// 422: readable, but not valid.
    #[error("{}", .0.message())]
    Invalid(Invalid),
    /// 429: too many attempts; holds the whole seconds until the next one is allowed.
    #[error("Too many attempts. Please try again in {0} seconds.")]
    TooMany(u64),
    /// 429: too many sign-ups from one address; holds the whole seconds until the next one is allowed.
    #[error("Too many accounts were created from your address. Please try again in {0} seconds.")]
    TooManySignUps(u64),
    /// 429: the caller has too many requests in progress.
    #[error("You have too many requests running at once. Please try again in a moment.")]
    TooManyAtOnce,
    /// 503: the server is too busy, or the request takes too long.
    #[error("The server is busy. Please try again in a moment.")]
    Busy,
    /// 503: a service that is down or not configured.
    #[error("{}", .0.message)]
    Unavailable(Refusal),
    /// 507: the disk is full; nothing was written.
    #[error("The server's disk is full. Nothing was saved.")]
    DiskFull,
    /// 500: a defect of the program. The cause is logged and never sent.
    #[error("Something went wrong on the server.")]
    Internal(#[source] anyhow::Error),
}

/// The body of every error, for the API description. Some errors have further keys.
#[derive(Debug, utoipa::ToSchema)]
#[schema(as = Error, rename_all = "camelCase")]
#[expect(dead_code, reason = "describes what Error::body writes")]
pub struct ErrorBody {
    /// A sentence for a person.
    error: String,
    /// A word in snake case for programs.
    code: String,
    /// For validation errors: one sentence for each invalid field.
    #[schema(required = false)]
    fields: BTreeMap<String, String>,
    /// For server errors: the request's id in the log.
    #[schema(required = false)]
    request_id: String,
}

/// A refusal: a code for programs, a sentence for people, and further keys of the response.
#[derive(Debug)]
pub struct Refusal {
    /// The value of `code`, in snake case.
    pub code: &'static str,
    /// The sentence in `error`.
    pub message: String,
    /// Keys besides `error` and `code`.
    pub details: Map<String, Value>,
}

/// Why a readable request is invalid.
#[derive(Debug)]
pub enum Invalid {
    /// One sentence for each field.
    Fields(FieldErrors),
    /// A reason that belongs to no single field.
    Reason(Refusal),
}

impl Invalid {
    fn message(&self) -> &str {
        match self {
            Self::Fields(fields) => fields.first().unwrap_or("Please check the form."),
            Self::Reason(refusal) => &refusal.message,
        }
    }
}

/// Sentences by field name (camelCase, as in the payload). Each field keeps its first sentence.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct FieldErrors(Vec<(String, String)>);

impl FieldErrors {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a sentence, unless the field has one already.
    pub fn add(&mut self, field: impl Into<String>, sentence: impl Into<String>) {
        let field = field.into();
        if !self.0.iter().any(|(known, _)| *known == field) {
            self.0.push((field, sentence.into()));
        }
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sentence of a field.
    pub fn get(&self, field: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == field).map(|(_, sentence)| sentence)
    }

    /// Fields with their sentences, in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(field, sentence)| (field.as_str(), sentence.as_str()))
    }

    fn first(&self) -> Option<&str> {
        self.0.first().map(|(_, sentence)| sentence.as_str())
    }

    /// `Ok` when the list is empty.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every field.
    pub fn into_result(self) -> Result<()> {
        if self.is_empty() { Ok(()) } else { Err(self.into()) }
    }
}

impl From<FieldErrors> for Error {
    fn from(fields: FieldErrors) -> Self {
        Self::Invalid(Invalid::Fields(fields))
    }
}

impl Error {
    /// 400 with a sentence.
    pub fn unreadable(message: impl Into<String>) -> Self {
        Self::Unreadable(message.into())
    }

    /// 403 with a code and a sentence.
    pub fn forbidden(code: &'static str, message: impl Into<String>) -> Self {
        Self::Forbidden(Refusal::new(code, message))
    }

    /// 409 with a code and a sentence.
    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::Conflict(Refusal::new(code, message))
    }

    /// 410 with a code and a sentence.
    pub fn gone(code: &'static str, message: impl Into<String>) -> Self {
        Self::Gone(Refusal::new(code, message))
    }

    /// 503 with a code and a sentence.
    pub fn unavailable(code: &'static str, message: impl Into<String>) -> Self {
        Self::Unavailable(Refusal::new(code, message))
    }

    /// 422 for a reason that belongs to no field.
    pub fn invalid(code: &'static str, message: impl Into<String>) -> Self {
        Self::Invalid(Invalid::Reason(Refusal::new(code, message)))
    }

    /// 422 for one field.
    pub fn invalid_field(field: impl Into<String>, message: impl Into<String>) -> Self {
        let mut fields = FieldErrors::new();
        fields.add(field, message);
        fields.into()
    }

    /// 421 for a host name that is not this server's. `public` is the address that people use, if it is set.
    pub fn misdirected(public: Option<&str>) -> Self {
        let message = match public {
            Some(public) => format!("This server's address is {public}. Please use that address."),
            None => {
                "This server does not know the host name of this request. Its operator sets it as public_url.".into()
            }
        };
        Self::Misdirected(Refusal::new("misdirected", message))
    }

    /// A defect of the program, with its cause for the log.
    pub fn internal(reason: impl Into<String>) -> Self {
        Self::Internal(anyhow::anyhow!(reason.into()))
    }

    /// Adds a key to the response, if this kind of error supports it.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        if let Self::Forbidden(refusal)
        | Self::Conflict(refusal)
        | Self::Gone(refusal)
        | Self::Unavailable(refusal)
        | Self::Invalid(Invalid::Reason(refusal)) = &mut self
        {
            refusal.details.insert(key.to_owned(), value.into());
        }
        self
    }

    /// The HTTP status of this error.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Unreadable(_) => StatusCode::BAD_REQUEST,
            Self::Unauthorized | Self::WrongCredentials => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::TimedOut => StatusCode::REQUEST_TIMEOUT,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::Gone(_) => StatusCode::GONE,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedType(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::Misdirected(_) => StatusCode::MISDIRECTED_REQUEST,
            Self::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooMany(_) | Self::TooManySignUps(_) | Self::TooManyAtOnce => StatusCode::TOO_MANY_REQUESTS,
            Self::Busy | Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::DiskFull => StatusCode::INSUFFICIENT_STORAGE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The code for programs, in snake case.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "unreadable",
            Self::Unauthorized => "not_signed_in",
            Self::WrongCredentials => "wrong_credentials",
            Self::Forbidden(refusal)
            | Self::Conflict(refusal)
            | Self::Gone(refusal)
            | Self::Misdirected(refusal)
            | Self::Unavailable(refusal)
            | Self::Invalid(Invalid::Reason(refusal)) => refusal.code,
            Self::NotFound => "not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::TimedOut => "timed_out",
            Self::TooLarge(_) => "too_large",
            Self::UnsupportedType(_) => "unsupported_type",
            Self::Invalid(Invalid::Fields(_)) => "invalid",
            Self::TooMany(_) | Self::TooManySignUps(_) => "too_many_attempts",
            Self::TooManyAtOnce => "too_many_at_once",
            Self::Busy => "busy",
            Self::DiskFull => "disk_full",
            Self::Internal(_) => "internal",
        }
    }

    /// Which limit refuses the request, if this error is such a refusal.
    fn throttled(&self) -> Option<Why> {
        match self {
            Self::TooMany(_) => Some(Why::LoginThrottle),
            Self::TooManySignUps(_) => Some(Why::SignUps),
            Self::TooManyAtOnce => Some(Why::TooManyAtOnce),
            Self::Busy => Some(Why::Busy),
            Self::Conflict(refusal) if refusal.code == QUOTA_REACHED => Some(Why::Quota),
            _ => None,
        }
    }

    /// 409 `quota_reached`: the account has reached its storage limit. `what` is `books`, `list` or `texts`.
    pub fn quota_reached(what: &'static str, limit: i64, sentence: impl Into<String>) -> Self {
        Self::conflict(QUOTA_REACHED, sentence).with("what", what).with("limit", limit)
    }

    /// The body of the response.
    pub fn body(&self) -> Value {
        let mut body = Map::new();
        body.insert("error".into(), self.to_string().into());
        body.insert("code".into(), self.code().into());
        match self {
            Self::Invalid(Invalid::Fields(fields)) => {
                let fields: BTreeMap<_, _> = fields.iter().collect();
                body.insert("fields".into(), json!(fields));
            }
            Self::Forbidden(refusal)
            | Self::Conflict(refusal)
            | Self::Gone(refusal)
            | Self::Unavailable(refusal)
            | Self::Invalid(Invalid::Reason(refusal)) => body.extend(refusal.details.clone()),
            _ => {}
        }
        Value::Object(body)
    }
}

impl Refusal {
    fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: Map::new() }
    }
}

/// The cause of a 500. It travels with the response to the layer that logs it once, with the request's id.
#[derive(Clone, Debug)]
pub struct Cause(pub String);

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let mut response = (self.status(), Json(self.body())).into_response();
        let retry_after = match &self {
            Self::TooMany(seconds) | Self::TooManySignUps(seconds) => Some(*seconds),
            Self::TooManyAtOnce | Self::Busy => Some(RETRY_SOON),
            _ => None,
        };
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if let Some(why) = self.throttled() {
            throttled::count(why);
        }
        if let Self::Internal(cause) = self {
            response.extensions_mut().insert(Cause(format!("{cause:#}")));
        }
        response
    }
}

impl From<anyhow::Error> for Error {
    fn from(cause: anyhow::Error) -> Self {
        // The memory budget for responses is used up.
        let no_memory = |cause: &std::io::Error| cause.kind() == std::io::ErrorKind::OutOfMemory;
        if cause.downcast_ref().is_some_and(no_memory) {
            return Self::Busy;
        }
        Self::Internal(cause)
    }
}

impl From<serde_json::Error> for Error {
    fn from(cause: serde_json::Error) -> Self {
        Self::Internal(cause.into())
    }
}

impl From<rusqlite::Error> for Error {
    /// A full or failing disk is the operator's concern and has its own status; everything else is a defect of the program.
    fn from(cause: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        match cause.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::DiskFull,
            Some(ErrorCode::OperationInterrupted) => Self::Busy,
            Some(
                ErrorCode::SystemIoFailure | ErrorCode::CannotOpen | ErrorCode::ReadOnly | ErrorCode::DatabaseBusy,
            ) => {
                tracing::error!(cause = %cause, "the database can't be reached");
                Self::unavailable(
                    "storage_unavailable",
                    "The server can't reach its database right now. Please try again.",
                )
            }
            _ => Self::Internal(anyhow::Error::new(cause).context("database")),
        }
    }
}
