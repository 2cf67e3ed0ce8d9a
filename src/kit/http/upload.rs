//! Forms with a file, whose body is counted while it is read.
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use axum::body::{Body, Bytes};
use axum::extract::multipart::{Field as Part, MultipartError};
use axum::extract::{FromRequest as _, Multipart, Request};
use axum::http::header;
use futures_util::{Stream, StreamExt as _, stream};

use super::budgets::{ByteBudget, HeldBytes};
use crate::kit::error::{Error, Result};

/// The longest text field, in bytes.
pub const LONGEST_TEXT: usize = 1024 * 1024;
/// The most bytes between the end of a part and the content of the next. A form has a few hundred there, but one read from the connection
/// may bring the beginning of a file with them.
const LONGEST_HEAD: usize = 1024 * 1024;

/// What a form may have.
#[derive(Debug, Clone, Copy)]
pub struct UploadLimits {
    /// The largest form, in bytes.
    pub largest: usize,
    /// How much of a form that is refused is still read, so that the client gets the response instead of a broken connection.
    pub still_read: usize,
    /// Whether the form is kept in memory, which is then taken from the budget.
    pub in_memory: bool,
    /// The refusal of a larger one.
    pub too_large: fn() -> Error,
}

/// A form whose body is counted while it is read. multer keeps the text before a boundary and the headers of parts in memory, so
/// the limits and the budget apply to them, too.
pub struct Upload {
    form: Multipart,
    received: Arc<Mutex<Received>>,
    limits: UploadLimits,
}

/// What has arrived of a form.
struct Received {
    /// All bytes.
    length: usize,
    /// The bytes since the last part ended; `None` in a part.
    head: Option<usize>,
    /// The memory that the form has taken, or why it gets no more.
    memory: Result<HeldBytes>,
}

impl Received {
    fn count(&mut self, length: usize, limits: UploadLimits) {
        self.length += length;
        self.head = self.head.map(|head| head + length);
        let Ok(memory) = &mut self.memory else { return };
        if self.length > limits.largest {
            self.memory = Err((limits.too_large)());
        } else if self.head.is_some_and(|head| head > LONGEST_HEAD) {
            self.memory = Err(damaged());
        } else if limits.in_memory
            && let Err(busy) = memory.grow_to(self.length)
        {
            self.memory = Err(busy);
        }
    }
}

impl Upload {
    /// Begins to read a form.
    ///
    /// # Errors
    /// 413 for one that says that it is too large, 415 for what is no form.
    pub async fn begin(request: Request, memory: &ByteBudget, limits: UploadLimits) -> Result<Self> {
        let announced =
            request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if announced.is_some_and(|length: usize| length > limits.largest) {
            // A client that waits for "100 Continue" has sent nothing yet and gets the answer at once.
            if !request.headers().contains_key(header::EXPECT) {
                drain(request.into_body(), limits.still_read).await;
            }
            return Err((limits.too_large)());
        }
        let received = Received { length: 0, head: Some(0), memory: Ok(memory.part(0)) };
        let received = Arc::new(Mutex::new(received));
        let counting = received.clone();
        let count = move |piece: std::result::Result<Bytes, axum::Error>| {
            let piece = piece.map_err(io::Error::other)?;
            let mut received = locked(&counting);
            received.count(piece.len(), limits);
            match &received.memory {
                Ok(_) => Ok(piece),
                // Read on without keeping anything, as `drain` does.
                Err(_) if received.length <= limits.still_read => Ok(Bytes::new()),
                Err(_) => Err(io::Error::from(io::ErrorKind::FileTooLarge)),
            }
        };
        let request = request.map(|body| Body::from_stream(one_at_a_time(body.into_data_stream().map(count))));
        let form = Multipart::from_request(request, &()).await;
        let form = form.map_err(|_| Error::UnsupportedType("Send the file as a form (multipart/form-data).".into()))?;
        Ok(Self { form, received, limits })
    }

    /// The next part, when its head has arrived. The part before it must have been read.
    ///
    /// # Errors
    /// 400 for a form that is damaged.
    pub async fn next_part(&mut self) -> Result<Option<Part<'_>>> {
        locked(&self.received).head = Some(0);
        let limits = self.limits;
        let part = self.form.next_field().await.map_err(|cause| broken(&cause, limits))?;
        locked(&self.received).head = None;
        Ok(part)
    }

    /// The memory that the form has taken, to be held until its work is done.
    ///
    /// # Errors
    /// Why the form was not read to its end, which the form itself doesn't know.
    pub fn memory(&self) -> Result<HeldBytes> {
        std::mem::replace(&mut locked(&self.received).memory, Err(Error::Busy))
    }
}

fn locked(received: &Mutex<Received>) -> MutexGuard<'_, Received> {
    received.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The same stream, but pending for one poll after each item. multer takes all that is ready before it passes a part's bytes on, so a
/// form that arrives fast would be in its memory as a whole.
fn one_at_a_time<S: Stream + Unpin>(mut items: S) -> impl Stream<Item = S::Item> {
    let mut passed = false;
    stream::poll_fn(move |context| {
        if std::mem::take(&mut passed) {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let next = items.poll_next_unpin(context);
        passed = next.is_ready();
        next
    })
}

/// Reads on without keeping anything, so that the client of a form that is too large gets the response instead of a broken
/// connection.
async fn drain(body: Body, most: usize) {
    let (mut pieces, mut length) = (body.into_data_stream(), 0);
    while let Some(Ok(piece)) = pieces.next().await {
        length += piece.len();
        if length > most {
            break;
        }
    }
}

/// Passes a part on piece by piece. Returns its length; what is beyond `limits` is not passed on.
///
/// # Errors
/// 400 for a form that is damaged; those of `each`.
pub async fn pieces(
    part: &mut Part<'_>,
    limits: UploadLimits,
    most: usize,
    mut each: impl FnMut(&[u8]) -> Result<()>,
) -> Result<usize> {
    let mut length = 0;
    while let Some(chunk) = part.chunk().await.map_err(|cause| broken(&cause, limits))? {
        length += chunk.len();
        if length <= most {
            each(&chunk)?;
        }
        if length > limits.still_read {
            break;
        }
    }
    Ok(length)
}

/// A complete part, or `None` if it is longer than `most`.
///
/// # Errors
/// 400 for a form that is damaged.
pub async fn bytes(part: &mut Part<'_>, limits: UploadLimits, most: usize) -> Result<Option<Vec<u8>>> {
    let mut read = Vec::new();
    let keep = |piece: &[u8]| {
        read.extend_from_slice(piece);
        Ok(())
    };
    let length = pieces(part, limits, most, keep).await?;
    Ok((length <= most).then_some(read))
}

/// A text field.
///
/// # Errors
/// 413 for one that is too long, 400 for what is no text.
pub async fn text(part: &mut Part<'_>, limits: UploadLimits) -> Result<String> {
    let bytes = bytes(part, limits, LONGEST_TEXT).await?;
    let bytes = bytes.ok_or_else(|| Error::TooLarge("A field of this form is too large.".into()))?;
    String::from_utf8(bytes).map_err(|_| Error::unreadable("A field of this form is not text."))
}

fn broken(cause: &MultipartError, limits: UploadLimits) -> Error {
    if cause.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE {
        return (limits.too_large)();
    }
    damaged()
}

fn damaged() -> Error {
    Error::unreadable("This form is incomplete or damaged. Nothing was imported.")
}
