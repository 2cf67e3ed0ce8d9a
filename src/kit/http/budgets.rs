//! Limits that protect callers from each other: simultaneous requests, and memory for bodies.
//! `docs/decisions/0014-budgets.md` has the reasons.
//!
//! A request counts for its account once that is known, otherwise for its address. It waits briefly for a permit and is then
//! refused. The permits travel with the request ([`RequestIdentity`](crate::kit::http::request_identity)) and are returned when
//! the response is made or the client has gone.
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use super::concurrency::KeyedLimit;
use super::writing_time::WritingTime;
use crate::config::LimitSettings;
use crate::kit::db::pool::{Db, Tx};
use crate::kit::error::{Error, Result};
use crate::kit::http::throttle::AddressKey;
use crate::kit::id::UserId;

/// How long a request waits for a permit before it is refused.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a request waits for one that works, in all.
const TURN_TIMEOUT: Duration = Duration::from_secs(60);
/// How many reading connections ([`crate::kit::db::pool`]) the requests of one account may use; the others are left to other
/// accounts.
const READERS_PER_ACCOUNT: u32 = 2;
/// Whole libraries that are listed at once, at most one of each account.
const WHOLE_LIBRARIES: usize = 2;
/// An IPv6 /48, which one customer of a provider may have, makes as many requests at once as this many addresses.
const ADDRESSES_OF_A_SITE: u32 = 10;
/// Bytes per permit of a [`ByteBudget`].
const UNIT: usize = 16 * 1024;

/// The limits of a server; clones share them.
#[derive(Debug, Clone)]
pub struct Budgets(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    accounts: KeyedLimit<UserId>,
    heavy: KeyedLimit<UserId>,
    working: KeyedLimit<UserId>,
    writing: WritingTime,
    reading: KeyedLimit<UserId>,
    own_library: KeyedLimit<UserId>,
    whole_libraries: Arc<Semaphore>,
    addresses: KeyedLimit<AddressKey>,
    sites: KeyedLimit<AddressKey>,
    calls: Arc<Semaphore>,
    requests: ByteBudget,
}

/// The caller that a request counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// An account, by session or API token.
    Account(UserId),
    /// An address without a session.
    Address(AddressKey),
    /// A trusted proxy itself: the request counts only for the whole server.
    Proxy,
}

/// The permit of an expensive request. One of an account works at a time, so that accounts take turns where such work waits in a queue;
/// others of it may be sending their answers.
#[derive(Debug, Clone)]
pub struct HeavyPermit {
    call: Arc<OwnedSemaphorePermit>,
    _working: Arc<OwnedSemaphorePermit>,
    user_id: UserId,
    limits: Arc<Shared>,
}

impl HeavyPermit {
    /// The permit while the answer is sent: the work is done.
    pub fn sending(self) -> Arc<OwnedSemaphorePermit> {
        self.call
    }

    /// Changes many rows as [`Db::write_alone`], and counts the time in which nobody else can write. The permit is kept until then, even if the
    /// caller has gone.
    pub async fn write<T, F>(&self, db: &Db, call: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Tx<'_>) -> Result<T> + Send + 'static,
    {
        let permit = self.clone();
        let counted = move |tx: &Tx<'_>| {
            let begun = Instant::now();
            let outcome = call(tx);
            permit.limits.writing.count(permit.user_id, begun.elapsed(), Instant::now());
            outcome
        };
        db.write_alone(counted).await
    }
}

/// The permit to list a whole library.
#[derive(Debug)]
pub struct WholeLibraryPermit {
    _own: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

/// The permits of a request, returned when it is dropped.
#[derive(Debug)]
pub struct RequestPermits {
    _caller: Vec<OwnedSemaphorePermit>,
    server: Mutex<Option<OwnedSemaphorePermit>>,
}

impl RequestPermits {
    fn set_server(&self, permit: Option<OwnedSemaphorePermit>) {
        *self.server.lock().unwrap_or_else(PoisonError::into_inner) = permit;
    }
}

impl Budgets {
    /// The limits in the settings.
    pub fn new(limits: &LimitSettings) -> Self {
        Self(Arc::new(Shared {
            accounts: KeyedLimit::new(limits.calls_per_account),
            heavy: KeyedLimit::new(limits.heavy_calls_per_account),
            working: KeyedLimit::new(1),
            writing: WritingTime::default(),
            reading: KeyedLimit::new(READERS_PER_ACCOUNT),
            own_library: KeyedLimit::new(1),
            whole_libraries: Arc::new(Semaphore::new(WHOLE_LIBRARIES)),
            addresses: KeyedLimit::new(limits.calls_per_address),
            sites: KeyedLimit::new(limits.calls_per_address.saturating_mul(ADDRESSES_OF_A_SITE)),
            calls: Arc::new(Semaphore::new(limits.calls as usize)),
            requests: ByteBudget::new(limits.request_bytes()),
        }))
    }

    /// Waits for the permits of a request.
    ///
    /// # Errors
    /// 429 `too_many_at_once` when the caller has too many requests in progress for 2 seconds; 503 `busy` when the whole server
    /// has.
    pub async fn acquire(&self, caller: Caller) -> Result<RequestPermits> {
        let taken = |permit: Option<_>| permit.ok_or(Error::TooManyAtOnce);
        let permits = match caller {
            Caller::Account(user_id) => vec![taken(self.0.accounts.acquire(user_id, QUEUE_TIMEOUT).await)?],
            Caller::Address(address) => {
                let mut permits = vec![taken(self.0.addresses.acquire(address, QUEUE_TIMEOUT).await)?];
                if let Some(site) = address.site() {
                    permits.push(taken(self.0.sites.acquire(site, QUEUE_TIMEOUT).await)?);
                }
                permits
            }
            Caller::Proxy => Vec::new(),
        };
        Ok(RequestPermits { _caller: permits, server: Mutex::new(Some(self.server_permit().await?)) })
    }

    async fn server_permit(&self) -> Result<OwnedSemaphorePermit> {
        match timeout(QUEUE_TIMEOUT, self.0.calls.clone().acquire_owned()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(Error::Busy),
        }
    }

    /// Reads the body of a request without the server's permit, because a body may arrive slowly: otherwise some hundred senders would
    /// keep all permits.
    ///
    /// # Errors
    /// Those of reading; 503 `busy` when the whole server has too many requests in progress afterwards.
    pub async fn read_body<T>(&self, permits: &RequestPermits, body: impl Future<Output = Result<T>>) -> Result<T> {
        permits.set_server(None);
        let read = body.await?;
        permits.set_server(Some(self.server_permit().await?));
        Ok(read)
    }

    /// Waits for the permit for an expensive request of an account (an export, an import), in addition to [`Budgets::acquire`].
    ///
    /// # Errors
    /// 429 `too_many_at_once`, as for [`Budgets::acquire`]; 503 `busy` when another one of the account works for longer than a minute.
    pub async fn heavy(&self, user_id: UserId) -> Result<HeavyPermit> {
        let call = self.0.heavy.acquire(user_id, QUEUE_TIMEOUT).await.ok_or(Error::TooManyAtOnce)?;
        let working = self.0.working.acquire(user_id, TURN_TIMEOUT).await.ok_or(Error::Busy)?;
        Ok(HeavyPermit { call: Arc::new(call), _working: Arc::new(working), user_id, limits: self.0.clone() })
    }

    /// As [`Budgets::heavy`], for a request that changes many rows ([`HeavyPermit::write`]): waits also until the time in which the account's
    /// former ones kept others from writing is made up for.
    pub async fn heavy_change(&self, user_id: UserId) -> Result<HeavyPermit> {
        let permit = self.heavy(user_id).await?;
        sleep(self.0.writing.wait(user_id, Instant::now())).await;
        Ok(permit)
    }

    /// Waits until an account may use one more reading connection. The request already has its other permits.
    ///
    /// # Errors
    /// 503 `busy` when that takes longer than the time limit of a request.
    pub async fn reader(&self, user_id: UserId) -> Result<OwnedSemaphorePermit> {
        self.0.reading.acquire(user_id, TURN_TIMEOUT).await.ok_or(Error::Busy)
    }

    /// Waits for the permit to list a whole library.
    ///
    /// # Errors
    /// 503 `busy` when that takes longer than the time limit of a request.
    pub async fn whole_library(&self, user_id: UserId) -> Result<WholeLibraryPermit> {
        let own = self.0.own_library.acquire(user_id, TURN_TIMEOUT).await.ok_or(Error::Busy)?;
        match timeout(TURN_TIMEOUT, self.0.whole_libraries.clone().acquire_owned()).await {
            Ok(Ok(of_all)) => Ok(WholeLibraryPermit { _own: own, _of_all: of_all }),
            _ => Err(Error::Busy),
        }
    }

    /// The memory budget for request bodies.
    pub fn requests(&self) -> &ByteBudget {
        &self.0.requests
    }
}

impl Default for Budgets {
    fn default() -> Self {
        Self::new(&LimitSettings::default())
    }
}

impl Caller {
    /// The caller at an address, as far as it is known; `trusted` says whether an address is a proxy's.
    pub fn at(ip: Option<IpAddr>, trusted: impl Fn(IpAddr) -> bool) -> Self {
        match ip {
            Some(ip) if !trusted(ip) => Self::Address(ip.into()),
            _ => Self::Proxy,
        }
    }
}

/// The bytes that all callers together may hold; clones share them.
#[derive(Debug, Clone)]
pub struct ByteBudget {
    units: Arc<Semaphore>,
    total: usize,
}

impl ByteBudget {
    /// A budget of `bytes`, rounded up to a whole permit.
    pub fn new(bytes: usize) -> Self {
        let total = bytes.div_ceil(UNIT).clamp(1, u32::MAX as usize);
        Self { units: Arc::new(Semaphore::new(total)), total }
    }

    /// A part of the budget, empty at first. Its first `free` bytes are not counted.
    pub fn part(&self, free: usize) -> HeldBytes {
        HeldBytes { budget: self.clone(), free, held: 0, permit: None }
    }

    /// The bytes that are left.
    pub fn left(&self) -> usize {
        self.units.available_permits() * UNIT
    }
}

/// A part of a [`ByteBudget`], returned when it is dropped.
#[derive(Debug)]
pub struct HeldBytes {
    budget: ByteBudget,
    free: usize,
    held: usize,
    permit: Option<OwnedSemaphorePermit>,
}

impl HeldBytes {
    /// Enlarges the part to `bytes` in all. A request for more than the whole budget gets all of it, and is then alone.
    ///
    /// # Errors
    /// 503 `busy` when other requests hold the memory that this would need.
    pub fn grow_to(&mut self, bytes: usize) -> Result<()> {
        let wanted = bytes.saturating_sub(self.free).div_ceil(UNIT).min(self.budget.total);
        if wanted <= self.held {
            return Ok(());
        }
        let more = u32::try_from(wanted - self.held).unwrap_or(u32::MAX);
        let permit = self.budget.units.clone().try_acquire_many_owned(more).map_err(|_| Error::Busy)?;
        match &mut self.permit {
            Some(held) => held.merge(permit),
            none => *none = Some(permit),
        }
        self.held = wanted;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_while_they_are_held_and_not_below_what_is_free() {
        let budget = ByteBudget::new(10 * UNIT);
        let mut small = budget.part(UNIT);
        small.grow_to(UNIT).unwrap();
        assert_eq!(budget.left(), 10 * UNIT);
        let mut one = budget.part(0);
        one.grow_to(4 * UNIT).unwrap();
        one.grow_to(6 * UNIT).unwrap();
        assert_eq!(budget.left(), 4 * UNIT);
        let mut other = budget.part(0);
        assert!(matches!(other.grow_to(5 * UNIT), Err(Error::Busy)));
        drop(one);
        other.grow_to(5 * UNIT).unwrap();
        drop(other);
        assert_eq!(budget.left(), 10 * UNIT);
    }

    #[test]
    fn what_is_larger_than_the_budget_is_made_alone() {
        let budget = ByteBudget::new(10 * UNIT);
        let mut large = budget.part(0);
        large.grow_to(100 * UNIT).unwrap();
        large.grow_to(200 * UNIT).unwrap();
        assert_eq!(budget.left(), 0);
        assert!(budget.part(0).grow_to(1).is_err());
    }

    #[tokio::test]
    async fn expensive_calls_of_an_account_work_one_after_the_other_and_beside_those_of_others() {
        let budgets = Budgets::default();
        let working = budgets.heavy(UserId(1)).await.unwrap();
        let mut next = Box::pin(budgets.heavy(UserId(1)));
        assert!(timeout(Duration::from_millis(20), &mut next).await.is_err());
        budgets.heavy(UserId(2)).await.unwrap();
        let sending = working.sending();
        let _next = next.await.unwrap();
        assert!(matches!(budgets.heavy(UserId(1)).await, Err(Error::TooManyAtOnce)));
        drop(sending);
    }

    #[tokio::test]
    async fn an_account_waits_when_its_changes_took_long_and_others_write_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::open(&folder.path().join("shelfwise.db")).unwrap();
        let (budgets, [greedy, modest]) = (Budgets::default(), [UserId(1), UserId(2)]);
        let writing = &budgets.0.writing;
        for (user_id, seconds) in [(greedy, 6), (modest, 4)] {
            writing.count(user_id, Duration::from_secs(seconds), Instant::now());
        }
        assert!(timeout(Duration::from_millis(20), budgets.heavy_change(greedy)).await.is_err());
        budgets.heavy(greedy).await.unwrap();
        let former = writing.made_up(modest);
        let permit = budgets.heavy_change(modest).await.unwrap();
        let slow = permit.write(&db, |_| {
            std::thread::sleep(Duration::from_millis(5));
            Ok(())
        });
        slow.await.unwrap();
        assert!(writing.made_up(modest) > former, "it was counted");
        db.close();
    }

    #[tokio::test]
    async fn a_body_that_arrives_holds_a_permit_of_its_caller_and_none_of_the_server() {
        let budgets = Budgets::new(&LimitSettings { calls_per_account: 1, calls: 1, ..LimitSettings::default() });
        let permits = budgets.acquire(Caller::Account(UserId(1))).await.unwrap();
        let (arrived, body) = tokio::sync::oneshot::channel::<()>();
        let mut slow = Box::pin(budgets.read_body(&permits, async { Ok(body.await.is_ok()) }));
        assert!(timeout(Duration::from_millis(20), &mut slow).await.is_err());
        let other = budgets.acquire(Caller::Account(UserId(2))).await.unwrap();
        assert!(matches!(budgets.acquire(Caller::Account(UserId(1))).await, Err(Error::TooManyAtOnce)));
        drop(other);
        arrived.send(()).unwrap();
        assert!(slow.await.unwrap());
        assert!(matches!(budgets.acquire(Caller::Account(UserId(2))).await, Err(Error::Busy)));
    }

    #[tokio::test]
    async fn an_ipv6_site_makes_as_many_calls_as_ten_addresses() {
        let budgets = Budgets::new(&LimitSettings { calls_per_address: 1, ..LimitSettings::default() });
        let from = |network: u32| {
            let ip: IpAddr = format!("2001:db8:7:{network:x}::1").parse().unwrap();
            budgets.acquire(Caller::Address(ip.into()))
        };
        let mut held = Vec::new();
        for network in 0..10 {
            held.push(from(network).await.unwrap());
        }
        assert!(matches!(from(10).await, Err(Error::TooManyAtOnce)));
        held.pop();
        from(10).await.unwrap();
    }

    #[tokio::test]
    async fn the_calls_of_one_account_leave_room_for_others_until_the_server_is_full() {
        let limits = LimitSettings { calls_per_account: 2, calls: 3, ..LimitSettings::default() };
        let budgets = Budgets::new(&limits);
        let greedy = (
            budgets.acquire(Caller::Account(UserId(1))).await.unwrap(),
            budgets.acquire(Caller::Account(UserId(1))).await.unwrap(),
        );
        assert!(matches!(budgets.acquire(Caller::Account(UserId(1))).await, Err(Error::TooManyAtOnce)));
        let modest = budgets.acquire(Caller::Account(UserId(2))).await.unwrap();
        assert!(matches!(budgets.acquire(Caller::Account(UserId(3))).await, Err(Error::Busy)));
        drop((greedy, modest));
        budgets.acquire(Caller::Proxy).await.unwrap();
    }
}
