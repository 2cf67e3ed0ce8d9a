//! Delays against guessing. No account is ever locked and no request is held open: the response says how long to wait.
//!
//! There are three counts (docs/rules.md, "Guessing"): for each account and address, with a delay that doubles from the fifth
//! failure; for each account from all addresses, at most 100 failures a day, which does not apply to a known device; for each
//! address, 60 an hour over all accounts. An address is one IPv4 address or one IPv6 /64; an IPv6 /48 has ten times as many.
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest as _, Sha256};

use crate::kit::error::{Error, Result};

/// Failures of one account and address before delays begin.
const FREE_FAILURES: u32 = 5;
/// The longest delay between two attempts.
const LONGEST_DELAY: TimeDelta = TimeDelta::minutes(15);
/// Counted failures of an account per day, from all addresses.
const ACCOUNT_FAILURES_A_DAY: u32 = 100;
/// Failures of an address per hour, over all accounts.
const ADDRESS_FAILURES_AN_HOUR: u32 = 60;
/// The same for an IPv6 /48, which one customer of a provider may have: it contains 65,536 /64s.
const SITE_FAILURES_AN_HOUR: u32 = 10 * ADDRESS_FAILURES_AN_HOUR;
/// Expired counts are removed when there are more than this many, then again when the number has doubled.
const TIDY_AT: usize = 10_000;

/// The address that attempts count for: an IPv4 address or an IPv6 /64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AddressKey(u64, bool);

impl AddressKey {
    /// The IPv6 /48 of an address, which one customer of a provider may have.
    fn site(ip: IpAddr) -> Option<Self> {
        match ip.to_canonical() {
            IpAddr::V4(_) => None,
            IpAddr::V6(v6) => Some(Self((v6.to_bits() >> 80) as u64, true)),
        }
    }
}

impl From<IpAddr> for AddressKey {
    fn from(ip: IpAddr) -> Self {
        match ip.to_canonical() {
            IpAddr::V4(v4) => Self(u64::from(v4.to_bits()), false),
            IpAddr::V6(v6) => Self((v6.to_bits() >> 64) as u64, true),
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Count {
    failures: u32,
    first: DateTime<Utc>,
    last: DateTime<Utc>,
}

/// Failed attempts, in memory only; a restart clears them.
#[derive(Debug, Default)]
pub struct LoginThrottle {
    counts: Mutex<Counts>,
    login_failures: AtomicU64,
}

#[derive(Debug, Default)]
struct Counts {
    pairs: HashMap<(AccountKey, AddressKey), Count>,
    accounts: HashMap<AccountKey, Count>,
    addresses: HashMap<AddressKey, Count>,
    sites: HashMap<AddressKey, Count>,
    tidy_at: usize,
}

impl LoginThrottle {
    /// Checks whether an attempt is allowed now. It is counted as a failure at once, so that parallel guesses don't all pass;
    /// [`LoginThrottle::succeeded`] removes it again.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub fn begin(&self, account: &str, ip: IpAddr, known_device: bool, now: DateTime<Utc>) -> Result<()> {
        let Ok(mut counts) = self.counts.lock() else {
            return Err(Error::internal("the lock of the attempts is poisoned"));
        };
        counts.tidy(now);
        let account = key(account);
        let pair = (account, AddressKey::from(ip));
        let waits = [
            counts.pairs.get(&pair).map(|count| count.delayed_until(now)),
            counts.address_full_until(ip, now),
            counts
                .accounts
                .get(&account)
                .filter(|_| !known_device)
                .map(|count| count.full_until(ACCOUNT_FAILURES_A_DAY, TimeDelta::days(1), now)),
        ];
        if let Some(until) = waits.into_iter().flatten().filter(|until| *until > now).max() {
            return Err(Error::TooMany(whole_seconds(until - now)));
        }
        count(&mut counts.pairs, pair, TimeDelta::days(1), now);
        counts.count_address(ip, now);
        if !known_device {
            count(&mut counts.accounts, account, TimeDelta::days(1), now);
        }
        Ok(())
    }

    /// Counts a wrong password, for the metrics.
    pub fn login_failed(&self) {
        self.login_failures.fetch_add(1, Ordering::Relaxed);
    }

    /// The number of wrong passwords since the start.
    pub fn login_failures(&self) -> u64 {
        self.login_failures.load(Ordering::Relaxed)
    }

    /// Checks whether an address may try a secret link now. The attempt is counted as a failure at once;
    /// [`LoginThrottle::knew_secret`] removes it again.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub fn begin_secret(&self, ip: IpAddr, now: DateTime<Utc>) -> Result<()> {
        let Ok(mut counts) = self.counts.lock() else {
            return Err(Error::internal("the lock of the attempts is poisoned"));
        };
        counts.tidy(now);
        if let Some(until) = counts.address_full_until(ip, now).filter(|until| *until > now) {
            return Err(Error::TooMany(whole_seconds(until - now)));
        }
        counts.count_address(ip, now);
        Ok(())
    }

    /// Removes what [`LoginThrottle::begin_secret`] counted.
    pub fn knew_secret(&self, ip: IpAddr) {
        if let Ok(mut counts) = self.counts.lock() {
            counts.take_back_address(ip);
        }
    }

    /// Removes what [`LoginThrottle::begin`] counted, and clears the pair's earlier failures.
    pub fn succeeded(&self, account: &str, ip: IpAddr, known_device: bool) {
        let account = key(account);
        let Ok(mut counts) = self.counts.lock() else { return };
        counts.pairs.remove(&(account, AddressKey::from(ip)));
        counts.take_back(account, ip, known_device);
    }

    /// Removes what [`LoginThrottle::begin`] counted, for an attempt that was not evaluated.
    pub fn not_evaluated(&self, account: &str, ip: IpAddr, known_device: bool) {
        let account = key(account);
        let Ok(mut counts) = self.counts.lock() else { return };
        if let Some(count) = counts.pairs.get_mut(&(account, AddressKey::from(ip))) {
            count.failures = count.failures.saturating_sub(1);
        }
        counts.take_back(account, ip, known_device);
    }
}

/// How often each address may do something in a window of time, in memory only; a restart clears it.
#[derive(Debug)]
pub struct AddressLimit {
    most: u32,
    window: TimeDelta,
    counts: Mutex<HashMap<LimitKey, Count>>,
}

/// An address and whether it is a /48: an IPv6 /48 may do something ten times as often as a /64.
type LimitKey = (AddressKey, bool);

impl AddressLimit {
    /// At most `most` times in a window; 0 means unlimited.
    pub fn new(most: u32, window: TimeDelta) -> Self {
        Self { most, window, counts: Mutex::default() }
    }

    /// Counts an address.
    ///
    /// # Errors
    /// The seconds to wait, when the address or its network has been counted too often.
    pub fn begin(&self, ip: IpAddr, now: DateTime<Utc>) -> std::result::Result<(), u64> {
        if self.most == 0 {
            return Ok(());
        }
        let keys = [
            Some((AddressKey::from(ip), false, self.most)),
            AddressKey::site(ip).map(|site| (site, true, self.most.saturating_mul(10))),
        ];
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.len() > TIDY_AT {
            counts.retain(|_, count| now - count.first < self.window);
        }
        let full = keys.iter().flatten().filter_map(|(address, site, most)| {
            let count = counts.get(&(*address, *site))?;
            Some(count.full_until(*most, self.window, now)).filter(|until| *until > now)
        });
        if let Some(until) = full.max() {
            return Err(whole_seconds(until - now));
        }
        for (address, site, _) in keys.into_iter().flatten() {
            count(&mut counts, (address, site), self.window, now);
        }
        Ok(())
    }
}

/// The key of an account's counts: short, however long the submitted address is.
type AccountKey = [u8; 16];

fn key(account: &str) -> AccountKey {
    let mut key = AccountKey::default();
    key.copy_from_slice(&Sha256::digest(account)[..16]);
    key
}

/// Rounded up, so that waiting this long is always enough.
fn whole_seconds(wait: TimeDelta) -> u64 {
    let wait = wait.to_std().unwrap_or(Duration::ZERO);
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

fn count<K: Hash + Eq>(counts: &mut HashMap<K, Count>, key: K, window: TimeDelta, now: DateTime<Utc>) {
    let entry = counts.entry(key).or_insert(Count { failures: 0, first: now, last: now });
    if now - entry.first >= window {
        *entry = Count { failures: 0, first: now, last: now };
    }
    entry.failures += 1;
    entry.last = now;
}

impl Count {
    fn delayed_until(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        if self.failures < FREE_FAILURES {
            return now;
        }
        let doublings = (self.failures - FREE_FAILURES).min(20);
        self.last + TimeDelta::seconds(1 << doublings).min(LONGEST_DELAY)
    }

    fn full_until(&self, most: u32, window: TimeDelta, now: DateTime<Utc>) -> DateTime<Utc> {
        if self.failures < most { now } else { self.first + window }
    }
}

impl Counts {
    /// When an address may try again that has too many failures, or whose /48 has; `None` without any failure.
    fn address_full_until(&self, ip: IpAddr, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let full_until = |count: Option<&Count>, most| Some(count?.full_until(most, TimeDelta::hours(1), now));
        let address = full_until(self.addresses.get(&AddressKey::from(ip)), ADDRESS_FAILURES_AN_HOUR);
        let site = AddressKey::site(ip).and_then(|site| full_until(self.sites.get(&site), SITE_FAILURES_AN_HOUR));
        address.max(site)
    }

    fn count_address(&mut self, ip: IpAddr, now: DateTime<Utc>) {
        count(&mut self.addresses, AddressKey::from(ip), TimeDelta::hours(1), now);
        if let Some(site) = AddressKey::site(ip) {
            count(&mut self.sites, site, TimeDelta::hours(1), now);
        }
    }

    /// Removes an attempt from the counts of its address and its account.
    fn take_back(&mut self, account: AccountKey, ip: IpAddr, known_device: bool) {
        self.take_back_address(ip);
        if let Some(count) = self.accounts.get_mut(&account).filter(|_| !known_device) {
            count.failures = count.failures.saturating_sub(1);
        }
    }

    fn take_back_address(&mut self, ip: IpAddr) {
        let site = AddressKey::site(ip).and_then(|site| self.sites.get_mut(&site));
        for count in self.addresses.get_mut(&AddressKey::from(ip)).into_iter().chain(site) {
            count.failures = count.failures.saturating_sub(1);
        }
    }

    fn tidy(&mut self, now: DateTime<Utc>) {
        if self.len() > self.tidy_at.max(TIDY_AT) {
            self.pairs.retain(|_, count| now - count.last < TimeDelta::days(1));
            self.accounts.retain(|_, count| now - count.first < TimeDelta::days(1));
            self.addresses.retain(|_, count| now - count.first < TimeDelta::hours(1));
            self.sites.retain(|_, count| now - count.first < TimeDelta::hours(1));
            self.tidy_at = 2 * self.len();
        }
    }

    fn len(&self) -> usize {
        self.pairs.len() + self.accounts.len() + self.addresses.len() + self.sites.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_750_000_000 + seconds, 0).unwrap()
    }

    fn ip(number: u32) -> IpAddr {
        IpAddr::V4(number.into())
    }

    #[test]
    fn delays_double_from_the_fifth_failure_and_end_with_a_success() {
        let attempts = LoginThrottle::default();
        for _ in 0..5 {
            attempts.begin("ada", ip(1), false, at(0)).unwrap();
        }
        assert!(matches!(attempts.begin("ada", ip(1), false, at(0)), Err(Error::TooMany(1))));
        attempts.begin("ada", ip(1), false, at(1)).unwrap();
        assert!(matches!(attempts.begin("ada", ip(1), false, at(1)), Err(Error::TooMany(2))));
        attempts.begin("ada", ip(2), false, at(1)).unwrap();
        attempts.begin("ada", ip(1), false, at(3)).unwrap();
        attempts.succeeded("ada", ip(1), false);
        attempts.begin("ada", ip(1), false, at(3)).unwrap();
    }

    #[test]
    fn an_account_takes_a_hundred_failures_a_day_from_anywhere_but_a_known_device_passes() {
        let attempts = LoginThrottle::default();
        let evaluated = (0..500).filter(|n| attempts.begin("ada", ip(*n), false, at(0)).is_ok()).count();
        assert_eq!(evaluated, 100);
        attempts.begin("ada", ip(1000), true, at(0)).unwrap();
        attempts.succeeded("ada", ip(1000), true);
        assert!(attempts.begin("ada", ip(1001), false, at(0)).is_err(), "a known device makes no room for guesses");
        attempts.begin("ada", ip(1001), false, at(86_400)).unwrap();
    }

    #[test]
    fn what_is_over_does_not_fill_the_memory() {
        let attempts = LoginThrottle::default();
        for n in 0..40_000 {
            let day = i64::from(n / 20_000);
            attempts.begin(&n.to_string(), ip(n), false, at(day * 86_400)).unwrap();
        }
        assert_eq!(attempts.counts.lock().unwrap().len(), 3 * 20_000);
    }

    #[test]
    fn an_address_signs_up_so_many_an_hour_and_an_ipv6_site_ten_times_as_many() {
        let sign_ups = AddressLimit::new(3, TimeDelta::hours(1));
        let made = |ips: &mut dyn Iterator<Item = IpAddr>, seconds| {
            ips.filter(|ip| sign_ups.begin(*ip, at(seconds)).is_ok()).count()
        };
        assert_eq!(made(&mut std::iter::repeat_n(ip(1), 10), 0), 3);
        assert!(matches!(sign_ups.begin(ip(1), at(60)), Err(3_540)));
        assert_eq!(made(&mut std::iter::repeat_n(ip(1), 10), 3_600), 3);
        let site = |network: u32| format!("2001:db8:0:{network:x}::1").parse::<IpAddr>().unwrap();
        assert_eq!(made(&mut std::iter::repeat_n(site(0), 10), 0), 3);
        assert_eq!(made(&mut (1..100).map(site), 0), 27);
        assert_eq!(
            (0..50).filter(|_| AddressLimit::new(0, TimeDelta::hours(1)).begin(ip(1), at(0)).is_ok()).count(),
            50
        );
    }

    #[test]
    fn an_address_takes_sixty_failures_an_hour_and_an_ipv6_network_is_one_address() {
        let attempts = LoginThrottle::default();
        let evaluated = |n: u32| {
            let ip: IpAddr = format!("2001:db8::{n:x}").parse().unwrap();
            attempts.begin(&n.to_string(), ip, false, at(0)).is_ok()
        };
        assert_eq!((0..100).filter(|n| evaluated(*n)).count(), 60);
        attempts.begin("ada", "2001:db8:0:1::1".parse().unwrap(), false, at(0)).unwrap();
    }

    #[test]
    fn all_networks_of_an_ipv6_site_together_take_ten_times_as_many_failures() {
        let attempts = LoginThrottle::default();
        let network = |n: u32| format!("2001:db8:0:{n:x}::1").parse::<IpAddr>().unwrap();
        attempts.begin("ada", network(0), false, at(0)).unwrap();
        attempts.succeeded("ada", network(0), false);
        let evaluated = (1..1_000).filter(|n| attempts.begin(&n.to_string(), network(*n), false, at(0)).is_ok());
        assert_eq!(evaluated.count(), 600);
        assert!(attempts.begin_secret(network(2_000), at(0)).is_err());
        attempts.begin_secret("2001:db8:1::1".parse().unwrap(), at(0)).unwrap();
        attempts.begin_secret(network(2_000), at(3_600)).unwrap();
    }
}
