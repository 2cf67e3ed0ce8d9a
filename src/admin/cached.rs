//! Reports that take long are given again for a while.
//!
//! What an operator looks at, or Prometheus every few seconds, is made of all accounts and of all their days. Among a few thousand
//! that takes milliseconds and is always new. Among hundreds of thousands it takes seconds, of a reader's connection and of a core:
//! then it may have a small part of them and no more.
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use crate::kit::Result;

/// A report that was made faster is not kept.
const LONG: Duration = Duration::from_secs(1);
/// One that took longer is kept for so many times as long.
const REST: u32 = 20;

/// The last report of a kind. Who asks while it is being made waits for it.
#[derive(Debug)]
pub struct Cached<T>(Mutex<Option<(T, Instant)>>);

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T: Clone> Cached<T> {
    /// The kept report, or a new one.
    pub async fn or(&self, making: impl Future<Output = Result<T>>) -> Result<T> {
        self.or_kept(LONG, making).await
    }

    async fn or_kept(&self, long: Duration, making: impl Future<Output = Result<T>>) -> Result<T> {
        let mut kept = self.0.lock().await;
        if let Some((report, until)) = kept.as_ref()
            && Instant::now() < *until
        {
            return Ok(report.clone());
        }
        let started = Instant::now();
        let report = making.await?;
        let took = started.elapsed();
        *kept = (took >= long).then(|| (report.clone(), Instant::now() + took * REST));
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_took_long_is_given_again_and_what_did_not_is_made_anew() {
        let (slow, quick) = (Cached::default(), Cached::default());
        let slowly = async |report| {
            let started = Instant::now();
            while started.elapsed() < Duration::from_millis(200) {
                tokio::task::yield_now().await;
            }
            Ok(report)
        };
        for (report, told) in [(1, 1), (2, 1)] {
            assert_eq!(slow.or_kept(Duration::from_millis(200), slowly(report)).await.unwrap(), told);
        }
        for report in [1, 2] {
            assert_eq!(quick.or_kept(Duration::from_secs(60), async { Ok(report) }).await.unwrap(), report);
        }
    }
}
