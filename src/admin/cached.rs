//! A cache for slow reports.
//!
//! The operator's pages and Prometheus request reports over all accounts and all their days. With a few thousand accounts that
//! takes milliseconds, and reports are always fresh. With hundreds of thousands it takes seconds of a database connection and a
//! core; then the cache limits the share of time spent on reports.
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::analytics::model::{DeviceAnalytics, LocationUsage, UserAnalytics};
use crate::kit::Result;

/// Faster reports are not cached.
const LONG: Duration = Duration::from_secs(1);
/// A slow report is kept for this multiple of the time it took.
const REST: u32 = 20;

/// The last report of a kind. Concurrent callers wait for one report.
#[derive(Debug)]
pub struct Cached<T>(Mutex<Option<(T, Instant)>>);

/// The last reports that took long.
#[derive(Debug, Default)]
pub struct CachedReports {
    /// How many accounts there are, and how many come back.
    pub users: Cached<UserAnalytics>,
    /// What people come by.
    pub devices: Cached<DeviceAnalytics>,
    /// Where people come from.
    pub locations: Cached<Vec<LocationUsage>>,
    /// Sessions seen lately.
    pub sessions: Cached<i64>,
}

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<T: Clone> Cached<T> {
    /// The cached report, or a new one.
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
    async fn slow_reports_are_cached_and_fast_ones_are_not() {
        let (slow, quick) = (Cached::default(), Cached::default());
        let slowly = async |report| {
            let started = Instant::now();
            while started.elapsed() < Duration::from_millis(200) {
                tokio::task::yield_now().await;
            }
            Ok(report)
        };
        for (report, expected) in [(1, 1), (2, 1)] {
            assert_eq!(slow.or_kept(Duration::from_millis(200), slowly(report)).await.unwrap(), expected);
        }
        for report in [1, 2] {
            assert_eq!(quick.or_kept(Duration::from_secs(60), async { Ok(report) }).await.unwrap(), report);
        }
    }
}
