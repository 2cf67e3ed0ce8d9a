//! Limits how many passwords are hashed at once and how many callers wait: each hash takes 19 MiB and a core for a moment.
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::{Error, Result};

/// Permits for hashing passwords; clones share them.
#[derive(Debug, Clone)]
pub struct Hashing(Arc<Queue>);

#[derive(Debug)]
struct Queue {
    /// By purpose, so that many sign-ups don't block sign-ins. With one core both purposes share one permit.
    permits: [Arc<Semaphore>; 2],
    /// Waiting callers, by purpose.
    waiting: [AtomicUsize; 2],
    most_waiting: usize,
}

/// Why a password is hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To compare it with a stored hash.
    Login,
    /// To store it.
    NewPassword,
}

/// The right to hash one password now.
#[derive(Debug)]
pub struct HashPermit {
    _permit: OwnedSemaphorePermit,
}

/// Counts a caller as waiting until it is dropped.
struct Waiting<'q>(&'q AtomicUsize);

impl Hashing {
    /// Permits for a machine with this many cores: half of them for sign-ins, a quarter for new passwords, at least one of each,
    /// and at most `most_waiting` waiting callers for each purpose.
    pub fn new(cores: usize, most_waiting: usize) -> Self {
        let logins = Arc::new(Semaphore::new((cores / 2).max(1)));
        let others = if cores >= 2 { Arc::new(Semaphore::new((cores / 4).max(1))) } else { logins.clone() };
        Self(Arc::new(Queue { permits: [logins, others], waiting: [const { AtomicUsize::new(0) }; 2], most_waiting }))
    }

    /// Waits for a permit.
    ///
    /// # Errors
    /// 503 `busy` when too many callers are already waiting.
    pub async fn permit(&self, purpose: Purpose) -> Result<HashPermit> {
        let (queue, purpose) = (&*self.0, purpose as usize);
        let permits = queue.permits[purpose].clone();
        if let Ok(permit) = permits.clone().try_acquire_owned() {
            return Ok(HashPermit { _permit: permit });
        }
        let _waiting = Waiting::among(&queue.waiting[purpose], queue.most_waiting)?;
        let permit = permits.acquire_owned().await.map_err(|_| Error::internal("hashing is closed"))?;
        Ok(HashPermit { _permit: permit })
    }
}

impl<'q> Waiting<'q> {
    fn among(others: &'q AtomicUsize, most: usize) -> Result<Self> {
        let waiting = Waiting(others);
        if others.fetch_add(1, Ordering::Relaxed) >= most { Err(Error::Busy) } else { Ok(waiting) }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn a_queue_of_sign_ups_is_bounded_and_keeps_no_login_waiting() {
        let hashing = Hashing::new(2, 3);
        let at_work = hashing.permit(Purpose::NewPassword).await.unwrap();
        let mut queue: Vec<_> = (0..3).map(|_| Box::pin(hashing.permit(Purpose::NewPassword))).collect();
        assert!(queue.iter_mut().all(|waiting| waiting.now_or_never().is_none()));
        assert!(matches!(hashing.permit(Purpose::NewPassword).await, Err(Error::Busy)));
        drop(queue.pop());
        let login = hashing.permit(Purpose::Login).now_or_never().expect("a login does not wait").unwrap();
        drop(at_work);
        assert!(queue.remove(0).now_or_never().is_some());
        drop(login);
    }

    #[tokio::test]
    async fn one_core_hashes_one_password_at_a_time() {
        let hashing = Hashing::new(1, 3);
        let held = hashing.permit(Purpose::Login).await.unwrap();
        assert!(hashing.permit(Purpose::Login).now_or_never().is_none());
        drop(held);
    }
}
