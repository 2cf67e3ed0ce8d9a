//! The error type of the whole program: every failure, from any layer, becomes a response `{"error", "code"}` with the right
//! status.
use std::collections::BTreeMap;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Map, Value, json};

use crate::config::PublicUrl;
use crate::kit::db::fault::StorageRefusal;
use crate::kit::error_code::ErrorCode;
use crate::kit::http::refusal_counts::{self, RefusalReason};

/// `Retry-After` in seconds for requests that are refused because the server is busy.
const RETRY_SOON: u64 = 2;

/// The result of any call in this program that can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// Everything that can go wrong. The text of each is the sentence that a person reads; [`Error::code`] is the word for programs,
/// which decides the status.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A refusal with a code of its own and a sentence.
    #[error("{}", .0.message)]
    Refused(Box<Refusal>),
    /// The request can't be read (malformed JSON, an invalid header).
    #[error("{0}")]
    Unreadable(String),
    /// Nobody is signed in.
    #[error("Please log in first.")]
    Unauthorized,
    /// At sign-in: the address or the password is wrong; the response does not say which.
    #[error("Invalid email or password")]
    WrongCredentials,
    /// Does not exist, or belongs to another account.
    #[error("There is nothing at this address.")]
    NotFound,
    /// The path exists, but does not support the method.
    #[error("This address does not support this method.")]
    MethodNotAllowed,
    /// Receiving or answering the request took too long.
    #[error("The request took too long.")]
    TimedOut,
    /// The body, or a part of it, is too large.
    #[error("{0}")]
    TooLarge(String),
    /// The content type is not supported.
    #[error("{0}")]
    UnsupportedType(String),
    /// Fields are not valid.
    #[error("{}", .0.first().unwrap_or("Please check the form."))]
    Invalid(FieldErrors),
    /// Too many attempts; holds the whole seconds until the next one is allowed.
    #[error("Too many attempts. Please try again in {0} seconds.")]
    TooMany(u64),
    /// Too many sign-ups from one address; holds the whole seconds until the next one is allowed.
    #[error("Too many accounts were created from your address. Please try again in {0} seconds.")]
    TooManySignUps(u64),
    /// The caller has too many requests in progress.
    #[error("You have too many requests running at once. Please try again in a moment.")]
    TooManyAtOnce,
    /// The server is too busy, or the request takes too long.
    #[error("The server is busy. Please try again in a moment.")]
    Busy,
    /// The disk is full; nothing was written.
    #[error("The server's disk is full. Nothing was saved.")]
    DiskFull,
    /// A defect of the program. The cause is logged and never sent.
    #[error("Something went wrong on the server.")]
    Internal(#[source] anyhow::Error),
}

/// The body of every error. Some errors have further keys.
#[derive(Debug, utoipa::ToSchema)]
#[schema(as = Error, rename_all = "camelCase")]
#[expect(dead_code, reason = "describes what Error::body writes")]
pub struct ErrorBody {
    /// A sentence for a person.
    error: String,
    code: ErrorCode,
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
    /// The value of `code`.
    pub code: ErrorCode,
    /// The sentence in `error`.
    pub message: String,
    /// Keys besides `error` and `code`.
    pub details: Map<String, Value>,
}

/// Sentences by field name (camelCase, as in the payload). Each field keeps its first sentence.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct FieldErrors(Vec<(String, String)>);

impl FieldErrors {
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

    /// The same sentences, with those of the field `from` for the field `to`.
    #[must_use]
    pub fn renamed(mut self, from: &str, to: &str) -> Self {
        self.0.iter_mut().filter(|(field, _)| field == from).for_each(|(field, _)| to.clone_into(field));
        self
    }

    /// Adds the errors of a checked value, or returns the value if there are none at all. A value that could not be read leaves its
    /// field empty, so the first sentence of a field, about reading, stays.
    pub fn and<T>(mut self, checked: std::result::Result<T, Self>) -> std::result::Result<T, Self> {
        match checked {
            Ok(value) if self.is_empty() => Ok(value),
            Ok(_) => Err(self),
            Err(more) => {
                more.iter().for_each(|(field, sentence)| self.add(field, sentence));
                Err(self)
            }
        }
    }

    fn first(&self) -> Option<&str> {
        self.0.first().map(|(_, sentence)| sentence.as_str())
    }

    /// `Ok` when the list is empty.
    pub fn into_result(self) -> Result<()> {
        if self.is_empty() { Ok(()) } else { Err(self.into()) }
    }
}

impl From<FieldErrors> for Error {
    fn from(fields: FieldErrors) -> Self {
        Self::Invalid(fields)
    }
}

impl Error {
    /// 400 with a sentence.
    pub fn unreadable(message: impl Into<String>) -> Self {
        Self::Unreadable(message.into())
    }

    /// A refusal with a sentence; its status is the code's.
    pub fn refused(code: ErrorCode, message: impl Into<String>) -> Self {
        Self::Refused(Box::new(Refusal { code, message: message.into(), details: Map::new() }))
    }

    /// 422 for one field.
    pub fn invalid_field(field: impl Into<String>, message: impl Into<String>) -> Self {
        let mut fields = FieldErrors::new();
        fields.add(field, message);
        fields.into()
    }

    /// 421 for a host name that is not this server's. `public` is the address that people use, if it is set; `opened` is the one
    /// of this request.
    pub fn misdirected(public: Option<&PublicUrl>, opened: &str) -> Self {
        let message = match public {
            Some(public) => format!("This server's address is {public}. Please use that address."),
            None => format!(
                "This server does not know the name in {opened} yet. Open it by the machine's address instead, such as \
                 http://192.168.1.20:8080, or make the name known there: shelfwise settings set public_url {opened}"
            ),
        };
        Self::refused(ErrorCode::Misdirected, message)
    }

    /// A defect of the program, with its cause for the log.
    pub fn internal(reason: impl Into<String>) -> Self {
        Self::Internal(anyhow::anyhow!(reason.into()))
    }

    /// Adds a key to the response, if this kind of error supports it.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        if let Self::Refused(refusal) = &mut self {
            refusal.details.insert(key.to_owned(), value.into());
        }
        self
    }

    /// The code for programs, which has the status.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Refused(refusal) => refusal.code,
            Self::Unreadable(_) => ErrorCode::Unreadable,
            Self::Unauthorized => ErrorCode::NotSignedIn,
            Self::WrongCredentials => ErrorCode::WrongCredentials,
            Self::NotFound => ErrorCode::NotFound,
            Self::MethodNotAllowed => ErrorCode::MethodNotAllowed,
            Self::TimedOut => ErrorCode::TimedOut,
            Self::TooLarge(_) => ErrorCode::TooLarge,
            Self::UnsupportedType(_) => ErrorCode::UnsupportedType,
            Self::Invalid(_) => ErrorCode::Invalid,
            Self::TooMany(_) | Self::TooManySignUps(_) => ErrorCode::TooManyAttempts,
            Self::TooManyAtOnce => ErrorCode::TooManyAtOnce,
            Self::Busy => ErrorCode::Busy,
            Self::DiskFull => ErrorCode::DiskFull,
            Self::Internal(_) => ErrorCode::Internal,
        }
    }

    /// The HTTP status of this error.
    pub fn status(&self) -> StatusCode {
        self.code().status()
    }

    /// Which limit refuses the request, if this error is such a refusal.
    fn refusal_counts(&self) -> Option<RefusalReason> {
        match self {
            Self::TooMany(_) => Some(RefusalReason::LoginThrottle),
            Self::TooManySignUps(_) => Some(RefusalReason::SignUps),
            Self::TooManyAtOnce => Some(RefusalReason::TooManyAtOnce),
            Self::Busy => Some(RefusalReason::Busy),
            Self::Refused(refusal) if refusal.code == ErrorCode::QuotaReached => Some(RefusalReason::Quota),
            _ => None,
        }
    }

    /// An account stores as much as it may. `what` is `books`, `list` or `texts`.
    pub fn quota_reached(what: &'static str, limit: i64, sentence: impl Into<String>) -> Self {
        Self::refused(ErrorCode::QuotaReached, sentence).with("what", what).with("limit", limit)
    }

    /// The body of the response.
    pub fn body(&self) -> Value {
        let mut body = Map::new();
        body.insert("error".into(), self.to_string().into());
        body.insert("code".into(), self.code().word().into());
        match self {
            Self::Invalid(fields) => {
                let fields: BTreeMap<_, _> = fields.iter().collect();
                body.insert("fields".into(), json!(fields));
            }
            Self::Refused(refusal) => body.extend(refusal.details.clone()),
            _ => {}
        }
        Value::Object(body)
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
        if let Some(why) = self.refusal_counts() {
            refusal_counts::count(why);
        }
        if let Self::Internal(cause) = self {
            response.extensions_mut().insert(Cause(format!("{cause:#}")));
        }
        response
    }
}

impl From<anyhow::Error> for Error {
    fn from(cause: anyhow::Error) -> Self {
        Self::Internal(cause)
    }
}

impl From<serde_json::Error> for Error {
    fn from(cause: serde_json::Error) -> Self {
        Self::Internal(cause.into())
    }
}

impl From<StorageRefusal> for Error {
    fn from(refusal: StorageRefusal) -> Self {
        let (code, sentence) = match refusal {
            StorageRefusal::Stopping => (ErrorCode::Stopping, "The server is stopping. Please try again in a moment."),
            StorageRefusal::NoConnection => {
                (ErrorCode::StorageUnavailable, "The server is very busy. Please try again.")
            }
            StorageRefusal::NotSaved => {
                (ErrorCode::StorageUnavailable, "The server could not save this. Please try again.")
            }
            StorageRefusal::Unreachable => {
                (ErrorCode::StorageUnavailable, "The server can't reach its database right now. Please try again.")
            }
        };
        Self::refused(code, sentence)
    }
}

impl From<rusqlite::Error> for Error {
    /// A full or failing disk is the operator's concern and has its own status; everything else is a defect of the program.
    fn from(cause: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode as Sqlite;
        match cause.sqlite_error_code() {
            Some(Sqlite::DiskFull) => Self::DiskFull,
            Some(Sqlite::OperationInterrupted) => Self::Busy,
            Some(Sqlite::SystemIoFailure | Sqlite::CannotOpen | Sqlite::ReadOnly | Sqlite::DatabaseBusy) => {
                tracing::error!(cause = %cause, "the database can't be reached");
                StorageRefusal::Unreachable.into()
            }
            _ => Self::Internal(anyhow::Error::new(cause).context("database")),
        }
    }
}
