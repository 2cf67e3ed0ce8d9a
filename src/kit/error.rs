//! The one error funnel: every failure, from any layer, becomes `{"error", "code"}` with the right status.
use std::collections::BTreeMap;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use crate::kit::http::throttled::{self, Why};

/// After how many seconds a call may be tried again that was refused because much was going on.
const RETRY_SOON: u64 = 2;
/// The code of [`Error::quota_reached`].
const QUOTA_REACHED: &str = "quota_reached";

/// What a call of the kit or a room answers.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can go wrong, in the words of `docs/api.md`. The text in each is the sentence a person reads.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// 400: the request can't be read (broken JSON, a bad header).
    #[error("{0}")]
    Unreadable(String),
    /// 401: nobody is signed in.
    #[error("Please sign in first.")]
    Unauthorized,
    /// 401 at the login form: the address or the password is wrong, and nobody learns which.
    #[error("Invalid email or password")]
    WrongCredentials,
    /// 403: known, and not allowed.
    #[error("{}", .0.message)]
    Forbidden(Refusal),
    /// 404: not there, or somebody else's.
    #[error("Nothing is here.")]
    NotFound,
    /// 405: the path exists, the method doesn't.
    #[error("This address does not take that method.")]
    MethodNotAllowed,
    /// 408: the request took too long to arrive or to answer.
    #[error("The request took too long.")]
    TimedOut,
    /// 409: in conflict with the present state.
    #[error("{}", .0.message)]
    Conflict(Refusal),
    /// 410: was there once.
    #[error("{}", .0.message)]
    Gone(Refusal),
    /// 413: too large.
    #[error("{0}")]
    TooLarge(String),
    /// 415: a content type that is not taken here.
    #[error("{0}")]
    UnsupportedType(String),
    /// 421: the request came by a host name that is not this server's.
    #[error("{}", .0.message)]
    Misdirected(Refusal),
    /// 422: readable, but not valid.
    #[error("{}", .0.message())]
    Invalid(Invalid),
    /// 429: too many attempts; try again after that many whole seconds.
    #[error("Too many attempts. Please try again in {0} seconds.")]
    TooMany(u64),
    /// 429: too many sign-ups from one address; try again after that many whole seconds.
    #[error("Too many accounts were made from your address. Please try again in {0} seconds.")]
    TooManySignUps(u64),
    /// 429: the caller has too many calls at work at once.
    #[error("You have too many requests running at once. Please try again in a moment.")]
    TooManyAtOnce,
    /// 503: the server has too much to do for this call, or the call takes too long.
    #[error("The server is busy. Please try again in a moment.")]
    Busy,
    /// 503: a part that is down or that the operator has not configured.
    #[error("{}", .0.message)]
    Unavailable(Refusal),
    /// 507: the disk is full; nothing was written.
    #[error("The server's disk is full. Nothing was saved.")]
    DiskFull,
    /// 500: a fault of the program. Its inside is logged, never answered.
    #[error("Something went wrong on the server.")]
    Internal(#[source] anyhow::Error),
}

/// The body of every error, for the description; some have further keys of their own.
#[derive(Debug, utoipa::ToSchema)]
#[schema(as = Error, rename_all = "camelCase")]
#[expect(dead_code, reason = "describes what Error::body writes")]
pub struct ErrorBody {
    /// A sentence for a person.
    error: String,
    /// A snake_case word for a program.
    code: String,
    /// On validation errors: a sentence for each field that is wrong.
    #[schema(required = false)]
    fields: BTreeMap<String, String>,
    /// On faults of the server: what its log calls the request.
    #[schema(required = false)]
    request_id: String,
}

/// A refusal with a word for programs, a sentence for people, and further keys of the answer.
#[derive(Debug)]
pub struct Refusal {
    /// The snake_case word that stands under `code`.
    pub code: &'static str,
    /// The sentence that stands under `error`.
    pub message: String,
    /// Keys beside `error` and `code`.
    pub details: Map<String, Value>,
}

/// What makes a readable request invalid.
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

/// Sentences by field name (camelCase, as in the payload). The first sentence of a field stays.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct FieldErrors(Vec<(String, String)>);

impl FieldErrors {
    /// No complaint so far.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a sentence for a field that has none yet.
    pub fn add(&mut self, field: impl Into<String>, sentence: impl Into<String>) {
        let field = field.into();
        if !self.0.iter().any(|(known, _)| *known == field) {
            self.0.push((field, sentence.into()));
        }
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sentence of a field.
    pub fn get(&self, field: &str) -> Option<&str> {
        self.iter().find(|(known, _)| *known == field).map(|(_, sentence)| sentence)
    }

    /// Field and sentence, in the order of finding.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(field, sentence)| (field.as_str(), sentence.as_str()))
    }

    fn first(&self) -> Option<&str> {
        self.0.first().map(|(_, sentence)| sentence.as_str())
    }

    /// Ok when nothing was found.
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

    /// 403 with a word and a sentence.
    pub fn forbidden(code: &'static str, message: impl Into<String>) -> Self {
        Self::Forbidden(Refusal::new(code, message))
    }

    /// 409 with a word and a sentence.
    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::Conflict(Refusal::new(code, message))
    }

    /// 410 with a word and a sentence.
    pub fn gone(code: &'static str, message: impl Into<String>) -> Self {
        Self::Gone(Refusal::new(code, message))
    }

    /// 503 with a word and a sentence.
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

    /// A request by a host name that is not this server's; `public` is the address that people use, where it is set.
    pub fn misdirected(public: Option<&str>) -> Self {
        let message = match public {
            Some(public) => format!("This server's address is {public}. Please use that address."),
            None => {
                "This server does not know the host name of this request. Its operator sets it as public_url.".into()
            }
        };
        Self::Misdirected(Refusal::new("misdirected", message))
    }

    /// A fault of the program, with its reason for the log.
    pub fn internal(reason: impl Into<String>) -> Self {
        Self::Internal(anyhow::anyhow!(reason.into()))
    }

    /// The same error with one more key in the answer, where the kind takes any.
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

    /// The status that this error answers with.
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

    /// The snake_case word for programs.
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

    /// Why a limit refuses, where this error is such a refusal.
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

    /// 409 `quota_reached`: an account stores as much as it may. `what` is `books`, `list` or `texts`.
    pub fn quota_reached(what: &'static str, limit: i64, sentence: impl Into<String>) -> Self {
        Self::conflict(QUOTA_REACHED, sentence).with("what", what).with("limit", limit)
    }

    /// The answer's body.
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

/// The cause of a 500, carried beside the answer to the layer that logs it once, with the request's id.
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
        // What an answer may take in memory is used up.
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
    /// A full disk and a failing one are the operator's matters with a status of their own; the rest is our fault.
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
