//! The body of a large answer: it holds its part of the memory budget until its client has taken it, or has gone.
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::Response;
use hyper::body::{Frame, SizeHint};

use super::budgets::HeldBytes;

struct HeldBody {
    body: Body,
    _held: Arc<HeldBytes>,
}

impl HttpBody for HeldBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Notes the memory that an answer takes; [`hold`] ties it to the body.
pub fn note(response: &mut Response, memory: HeldBytes) {
    response.extensions_mut().insert(Arc::new(memory));
}

/// Gives the memory that was noted for an answer back when its body is dropped.
pub fn hold(mut response: Response) -> Response {
    match response.extensions_mut().remove::<Arc<HeldBytes>>() {
        Some(held) => response.map(|body| Body::new(HeldBody { body, _held: held })),
        None => response,
    }
}
