//! The body of a large response. It holds its part of the memory budget until the client has read it or has gone.
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};

use super::budgets::HeldBytes;

/// How much is sent at once, in bytes. The connection takes the next piece when it has room for it. A body in one piece would be
/// taken at once, and its memory would count as free while the connection still holds it.
const PIECE: usize = 64 * 1024;

struct HeldBody {
    body: Body,
    /// The rest of the body's current piece.
    rest: Bytes,
    _held: Arc<HeldBytes>,
}

impl HttpBody for HeldBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        if self.rest.is_empty() {
            match ready!(Pin::new(&mut self.body).poll_frame(context)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => self.rest = data,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                end => return Poll::Ready(end),
            }
        }
        let length = self.rest.len().min(PIECE);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (body, rest) = (self.body.size_hint(), self.rest.len() as u64);
        let mut hint = SizeHint::new();
        if let Some(upper) = body.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(body.lower() + rest);
        hint
    }
}

/// Attaches the memory of a response to it; [`hold`] ties that to the body.
pub fn attach(response: &mut Response, memory: HeldBytes) {
    response.extensions_mut().insert(Arc::new(memory));
}

/// Returns a response's memory to the budget when its body is dropped.
pub fn hold(mut response: Response) -> Response {
    match response.extensions_mut().remove::<Arc<HeldBytes>>() {
        Some(held) => response.map(|body| Body::new(HeldBody { body, rest: Bytes::new(), _held: held })),
        None => response,
    }
}
