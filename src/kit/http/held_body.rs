//! The body of a large response. It holds its part of the memory budget until the client has read it or has gone.
//!
//! Lists count their memory while they are written ([`attach`]). Every other response is counted when it is made ([`count`]), before it
//! is compressed, because its bytes stay in memory until then.
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes, HttpBody};
use axum::response::{IntoResponse as _, Response};
use hyper::body::{Frame, SizeHint};

use super::budgets::{ByteBudget, HeldBytes};
use super::request_identity::RequestIdentity;
use crate::kit::Error;

/// A body up to this length is not counted, in bytes: the number of connections limits how many there are.
pub const FREE: usize = 1024 * 1024;

/// How much is sent at once, in bytes. The connection takes the next piece when it has room for it. A body in one piece would be
/// taken at once, and its memory would count as free while the connection still holds it.
const PIECE: usize = 64 * 1024;

struct HeldBody {
    body: Body,
    /// The rest of the body's current piece.
    rest: Bytes,
    _kept: Kept,
}

/// What a body keeps until it is dropped.
enum Kept {
    Memory(#[expect(dead_code, reason = "held until it is dropped")] Arc<HeldBytes>),
    Permits(#[expect(dead_code, reason = "held until it is dropped")] RequestIdentity),
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

/// Marks a response for which the budget had no room.
#[derive(Clone, Copy)]
struct OverBudget;

/// Attaches memory to a response whose body is in memory and longer than [`FREE`], unless it has some already.
pub fn count(mut response: Response, budget: &ByteBudget) -> Response {
    let length = response.body().size_hint().exact().and_then(|length| usize::try_from(length).ok());
    let Some(length) = length.filter(|length| *length > FREE) else { return response };
    if response.extensions().get::<Arc<HeldBytes>>().is_none() {
        let mut memory = budget.part(FREE);
        match memory.grow_to(length) {
            Ok(()) => attach(&mut response, memory),
            Err(_) => _ = response.extensions_mut().insert(OverBudget),
        }
    }
    response
}

/// Ties the memory of a response to its body, which returns it to the budget when it is dropped. Where the budget has no room, a read is
/// refused. A change has been made and is answered all the same; its body then keeps the permits of the request, of which an account has
/// few.
pub fn hold(mut response: Response, is_read: bool, visit: &RequestIdentity) -> Response {
    let extensions = response.extensions_mut();
    let kept = match (extensions.remove::<Arc<HeldBytes>>(), extensions.remove::<OverBudget>()) {
        (Some(memory), _) => Kept::Memory(memory),
        (None, Some(_)) if is_read => return Error::Busy.into_response(),
        (None, Some(_)) => Kept::Permits(visit.clone()),
        (None, None) => return response,
    };
    response.map(|body| Body::new(HeldBody { body, rest: Bytes::new(), _kept: kept }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::LimitSettings;
    use crate::kit::http::budgets::{Budgets, Caller};
    use crate::kit::id::UserId;

    const LENGTH: usize = 5 * FREE;

    fn response() -> Response {
        vec![b'x'; LENGTH].into_response()
    }

    #[tokio::test]
    async fn a_long_body_holds_memory_until_it_is_dropped_and_a_read_without_room_is_refused() {
        let (budget, visit) = (ByteBudget::new(6 * FREE), RequestIdentity::default());
        let held = hold(count(response(), &budget), true, &visit);
        assert_eq!(budget.left(), 2 * FREE);
        assert_eq!(hold(count(response(), &budget), true, &visit).status(), 503);
        let small = hold(count(vec![0; FREE].into_response(), &budget), true, &visit);
        assert_eq!((small.status().as_u16(), budget.left()), (200, 2 * FREE));
        let whole = axum::body::to_bytes(held.into_body(), usize::MAX).await.unwrap();
        assert_eq!((whole.len(), budget.left()), (LENGTH, 6 * FREE));
    }

    #[tokio::test]
    async fn the_answer_to_a_change_without_room_keeps_the_permits_of_its_request() {
        let limits = LimitSettings { calls_per_account: 1, ..LimitSettings::default() };
        let (budgets, budget) = (Budgets::new(&limits), ByteBudget::new(FREE));
        let visit = RequestIdentity::new(budgets.clone(), Caller::Proxy);
        visit.acquire_for_account(UserId(1)).await.unwrap();
        let mut full = budget.part(0);
        full.grow_to(FREE).unwrap();
        let held = hold(count(response(), &budget), false, &visit);
        drop(visit);
        assert_eq!(held.status(), 200);
        let next = || budgets.acquire(Caller::Account(UserId(1)));
        assert!(next().await.is_err());
        drop(held);
        assert!(next().await.is_ok());
    }
}
