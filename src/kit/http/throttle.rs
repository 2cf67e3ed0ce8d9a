//! Delays against guessing. No account is ever locked and no request is held open: the response says how long to wait.
//!
//! Passwords have three counts (docs/rules.md, "Guessing"): for each account and address, with a delay that doubles from the fifth
//! failure; for each account from all addresses, at most 100 failures a day, which does not apply to a known device; for each
//! address, 60 an hour over all accounts. Secrets in addresses have a count of their own, 60 wrong ones a minute for each address:
//! nobody guesses 128 random bits, so whoever opens dead links can still sign in. An address is one IPv4 address or one IPv6 /64;
//! an IPv6 /48 has ten times as many.
use std::net::IpAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest as _, Sha256};

use super::window::{Count, Window};
use crate::kit::error::{Error, Result};

/// Failures of one account and address before delays begin.
const FREE_FAILURES: u32 = 5;
/// The longest delay between two attempts.
const LONGEST_DELAY: TimeDelta = TimeDelta::minutes(15);
/// Counted failures of an account per day, from all addresses.
const ACCOUNT_FAILURES_A_DAY: u32 = 100;
/// Failures of an address per hour, over all accounts.
const ADDRESS_FAILURES_AN_HOUR: u32 = 60;
/// Wrong secrets of an address per minute.
const WRONG_SECRETS_A_MINUTE: u32 = 60;

/// The address that attempts count for: an IPv4 address or an IPv6 /64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AddressKey(u64, bool);

impl AddressKey {
    /// The IPv6 /48 of an address, which one customer of a provider may have.
    pub fn site(self) -> Option<Self> {
        self.1.then_some(Self(self.0 >> 16, true))
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

/// Failed attempts, in memory only; a restart clears them.
#[derive(Debug)]
pub struct LoginThrottle {
    failures: Mutex<Failures>,
    addresses: AddressLimit,
    secrets: AddressLimit,
    login_failures: AtomicU64,
}

#[derive(Debug)]
struct Failures {
    pairs: Window<(AccountKey, AddressKey)>,
    accounts: Window<AccountKey>,
}

impl Default for LoginThrottle {
    fn default() -> Self {
        let day = TimeDelta::days(1);
        Self {
            failures: Mutex::new(Failures { pairs: Window::new(day), accounts: Window::new(day) }),
            addresses: AddressLimit::new(ADDRESS_FAILURES_AN_HOUR, TimeDelta::hours(1)),
            secrets: AddressLimit::new(WRONG_SECRETS_A_MINUTE, TimeDelta::minutes(1)),
            login_failures: AtomicU64::new(0),
        }
    }
}

impl LoginThrottle {
    /// Checks whether an attempt is allowed now. It is counted as a failure at once, so that parallel guesses don't all pass;
    /// [`LoginThrottle::succeeded`] removes it again.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub fn begin(&self, account: &str, ip: IpAddr, known_device: bool, now: DateTime<Utc>) -> Result<()> {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let account = key(account);
        let pair = (account, AddressKey::from(ip));
        let by_account = match known_device {
            true => None,
            false => failures.accounts.full_until(&account, ACCOUNT_FAILURES_A_DAY, now),
        };
        let waits = [failures.pairs.get(&pair).and_then(delayed_until), self.addresses.full_until(ip, now), by_account];
        if let Some(until) = waits.into_iter().flatten().filter(|until| *until > now).max() {
            return Err(Error::TooMany(whole_seconds(until - now)));
        }
        failures.pairs.count(pair, now);
        self.addresses.count(ip, now);
        if !known_device {
            failures.accounts.count(account, now);
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

    /// Checks whether an address may try a secret link now. The attempt is counted as a wrong secret at once;
    /// [`LoginThrottle::knew_secret`] removes it again.
    ///
    /// # Errors
    /// 429 with the seconds to wait.
    pub fn begin_secret(&self, ip: IpAddr, now: DateTime<Utc>) -> Result<()> {
        self.secrets.begin(ip, now).map_err(Error::TooMany)
    }

    /// Removes what [`LoginThrottle::begin_secret`] counted.
    pub fn knew_secret(&self, ip: IpAddr) {
        self.secrets.take_back(ip);
    }

    /// Removes what [`LoginThrottle::begin`] counted, and clears the pair's earlier failures.
    pub fn succeeded(&self, account: &str, ip: IpAddr, known_device: bool) {
        self.take_back(account, ip, known_device, |pairs, pair| pairs.forget(pair));
    }

    /// Removes what [`LoginThrottle::begin`] counted, for an attempt that was not evaluated.
    pub fn not_evaluated(&self, account: &str, ip: IpAddr, known_device: bool) {
        self.take_back(account, ip, known_device, Window::take_back);
    }

    fn take_back(
        &self,
        account: &str,
        ip: IpAddr,
        known_device: bool,
        change: impl FnOnce(&mut Window<(AccountKey, AddressKey)>, &(AccountKey, AddressKey)),
    ) {
        let account = key(account);
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut failures.pairs, &(account, AddressKey::from(ip)));
        if !known_device {
            failures.accounts.take_back(&account);
        }
        self.addresses.take_back(ip);
    }
}

/// How often each address may do something in a window of time, in memory only; a restart clears it. An IPv6 /48, which one customer
/// of a provider may have, contains 65,536 /64s; all of them together may do it ten times as often as one.
#[derive(Debug)]
pub struct AddressLimit {
    most: u32,
    counts: Mutex<Window<(AddressKey, IsSite)>>,
}

type IsSite = bool;

impl AddressLimit {
    /// At most `most` times in a window; 0 means unlimited.
    pub fn new(most: u32, window: TimeDelta) -> Self {
        Self { most, counts: Mutex::new(Window::new(window)) }
    }

    /// Counts an address.
    ///
    /// # Errors
    /// The seconds to wait, when the address or its network has been counted too often.
    pub fn begin(&self, ip: IpAddr, now: DateTime<Utc>) -> std::result::Result<(), u64> {
        if self.most == 0 {
            return Ok(());
        }
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(until) = self.full(&counts, ip, now) {
            return Err(whole_seconds(until - now));
        }
        keys(ip).for_each(|key| {
            counts.count(key, now);
        });
        Ok(())
    }

    fn full_until(&self, ip: IpAddr, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        self.full(&self.counts.lock().unwrap_or_else(PoisonError::into_inner), ip, now)
    }

    fn full(&self, counts: &Window<(AddressKey, IsSite)>, ip: IpAddr, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let most = |is_site| if is_site { self.most.saturating_mul(10) } else { self.most };
        keys(ip).filter_map(|key| counts.full_until(&key, most(key.1), now)).max()
    }

    fn count(&self, ip: IpAddr, now: DateTime<Utc>) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        keys(ip).for_each(|key| {
            counts.count(key, now);
        });
    }

    fn take_back(&self, ip: IpAddr) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        keys(ip).for_each(|key| counts.take_back(&key));
    }
}

/// The address and its /48, where it has one.
fn keys(ip: IpAddr) -> impl Iterator<Item = (AddressKey, IsSite)> {
    let address = AddressKey::from(ip);
    let site = address.site().map(|site| (site, true));
    [Some((address, false)), site].into_iter().flatten()
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

fn delayed_until(count: Count) -> Option<DateTime<Utc>> {
    let doublings = count.times.checked_sub(FREE_FAILURES)?.min(20);
    Some(count.last + TimeDelta::seconds(1 << doublings).min(LONGEST_DELAY))
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
        assert!(attempts.begin("grace", network(2_000), false, at(0)).is_err());
        attempts.begin("grace", "2001:db8:1::1".parse().unwrap(), false, at(0)).unwrap();
        attempts.begin("grace", network(2_000), false, at(3_600)).unwrap();
    }

    #[test]
    fn dead_links_are_counted_by_the_minute_and_leave_passwords_alone() {
        let attempts = LoginThrottle::default();
        assert_eq!((0..100).filter(|_| attempts.begin_secret(ip(1), at(0)).is_ok()).count(), 60);
        assert!(matches!(attempts.begin_secret(ip(1), at(20)), Err(Error::TooMany(40))));
        attempts.begin("ada", ip(1), false, at(20)).unwrap();
        attempts.begin_secret(ip(1), at(60)).unwrap();
        for _ in 0..100 {
            attempts.begin_secret(ip(2), at(0)).unwrap();
            attempts.knew_secret(ip(2));
        }
    }
}
