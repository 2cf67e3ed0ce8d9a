//! Limits on the number of connections, and the time limits of each.
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use ipnet::IpNet;
use tokio::sync::Notify;
use tokio::time::sleep;

use crate::kit::http::listener::Peer;
use crate::kit::http::throttle::AddressKey;

/// Time limits for clients.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// The headers of a connection's first request must have arrived within this time.
    pub headers: Duration,
    /// The longest pause within a request's body.
    pub body: Duration,
    /// The longest pause while a client reads a response.
    pub answer: Duration,
    /// The headers of a further request must have arrived within this time after the response before it. Longer than proxies keep an idle
    /// connection: one that is closed while they send a request on it is an error for their client.
    pub idle: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { headers: seconds(15), body: seconds(30), answer: seconds(30), idle: seconds(75) }
    }
}

/// What is known of a connection's requests.
#[derive(Debug, Default)]
pub struct Requests {
    has_begun: AtomicBool,
    closing: Notify,
}

impl Requests {
    /// Notes a request whose headers have arrived.
    pub fn begin(&self) {
        self.has_begun.store(true, Ordering::Relaxed);
    }

    /// Waits until the connection has to make room for a newer one.
    pub async fn closing(&self) {
        self.closing.notified().await;
    }

    /// Returns after this time if there was no request; otherwise never.
    pub async fn none_within(&self, limit: Duration) {
        sleep(limit).await;
        if self.has_begun() {
            std::future::pending().await
        }
    }

    fn has_begun(&self) -> bool {
        self.has_begun.load(Ordering::Relaxed)
    }
}

/// Limits the number of connections; clones share the count.
#[derive(Debug, Clone)]
pub struct ConnectionLimits(Arc<Counts>);

#[derive(Debug)]
struct Counts {
    most: usize,
    most_of_address: u32,
    trusted: Vec<IpNet>,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    all: usize,
    by_address: HashMap<AddressKey, u32>,
    /// Connections that have sent no request yet, oldest first, among others that have or are closed.
    silent: VecDeque<Weak<Requests>>,
}

impl Open {
    /// The oldest connection that has sent no request yet.
    fn oldest_silent(&mut self) -> Option<Arc<Requests>> {
        while let Some(oldest) = self.silent.pop_front() {
            if let Some(oldest) = oldest.upgrade().filter(|requests| !requests.has_begun()) {
                return Some(oldest);
            }
        }
        None
    }
}

/// A connection's place in the count, free again when it is dropped.
pub struct ConnectionPermit {
    limits: ConnectionLimits,
    address: Option<AddressKey>,
}

impl ConnectionLimits {
    /// At most `most` connections, and `most_of_address` for an address that is neither in `trusted` nor of this machine: an
    /// unnamed proxy often runs beside the server, and all people come through it.
    pub fn new(most: usize, most_of_address: u32, trusted: Vec<IpNet>) -> Self {
        Self(Arc::new(Counts { most, most_of_address, trusted, open: Mutex::default() }))
    }

    /// A limit that leaves half of the process's file descriptors to other uses.
    pub fn of_process(most_of_address: u32, trusted: Vec<IpNet>) -> Self {
        let files = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let half = files.map_or(usize::MAX, |files| usize::try_from(files / 2).unwrap_or(usize::MAX));
        Self::new(half.max(1), most_of_address, trusted)
    }

    /// A place for one more connection of a peer. When all are taken, the oldest connection that has sent no request yet makes room:
    /// silent clients must not keep out those that have something to ask.
    pub fn admit(&self, peer: Peer, requests: &Arc<Requests>) -> Option<ConnectionPermit> {
        let address = match peer {
            Peer::Socket => None,
            Peer::Address(ip) => {
                let ip = ip.to_canonical();
                let counted = !ip.is_loopback() && !self.0.trusted.iter().any(|network| network.contains(&ip));
                counted.then(|| AddressKey::from(ip))
            }
        };
        let mut open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(address) = &address
            && open.by_address.get(address).is_some_and(|count| *count >= self.0.most_of_address)
        {
            return None;
        }
        if let Some(oldest) = open.oldest_silent() {
            if open.all >= self.0.most {
                oldest.closing.notify_one();
            } else {
                open.silent.push_front(Arc::downgrade(&oldest));
            }
        } else if open.all >= self.0.most {
            return None;
        }
        if let Some(address) = address {
            *open.by_address.entry(address).or_default() += 1;
        }
        open.silent.push_back(Arc::downgrade(requests));
        open.all += 1;
        drop(open);
        Some(ConnectionPermit { limits: self.clone(), address })
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        let mut open = self.limits.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.all -= 1;
        let Some(address) = self.address else { return };
        if let Some(count) = open.by_address.get_mut(&address) {
            *count -= 1;
            if *count == 0 {
                open.by_address.remove(&address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn an_address_has_so_many_connections_and_a_trusted_proxy_as_many_as_there_are() {
        let limits = ConnectionLimits::new(5, 2, vec!["10.0.0.0/8".parse().unwrap()]);
        let asking = Arc::<Requests>::default();
        asking.begin();
        let of = |ip: &str| limits.admit(Peer::Address(ip.parse().unwrap()), &asking);
        let greedy = [of("192.0.2.1").unwrap(), of("192.0.2.1").unwrap()];
        assert!(of("192.0.2.1").is_none() && of("::ffff:192.0.2.1").is_none());
        let proxy = [of("10.0.0.1").unwrap(), of("10.0.0.1").unwrap(), of("10.0.0.1").unwrap()];
        assert!(of("192.0.2.2").is_none(), "all are taken");
        drop((greedy, proxy));
        let local = [(); 3].map(|()| limits.admit(Peer::Socket, &asking).unwrap());
        assert!(of("192.0.2.1").is_some());
        drop(local);
    }

    #[tokio::test]
    async fn the_oldest_connection_without_a_request_makes_room_for_a_new_one() {
        let limits = ConnectionLimits::new(3, 2, Vec::new());
        let requests: [Arc<Requests>; 5] = Default::default();
        requests[0].begin();
        let of = |client: usize| limits.admit(Peer::Address(([192, 0, 2, client as u8]).into()), &requests[client]);
        let _open = [of(0).unwrap(), of(1).unwrap(), of(2).unwrap(), of(3).unwrap()];
        requests[1].closing().await;
        let closes = |client: usize| requests[client].closing().now_or_never().is_some();
        assert_eq!([0, 2, 3].map(closes), [false; 3]);
        requests[2].begin();
        requests[3].begin();
        assert!(of(4).is_none(), "all are asking");
    }

    #[tokio::test]
    async fn only_a_connection_without_a_request_is_too_silent() {
        let (silent, asking) = (Requests::default(), Requests::default());
        asking.begin();
        let limit = Duration::from_millis(20);
        silent.none_within(limit).await;
        assert!(tokio::time::timeout(5 * limit, asking.none_within(limit)).await.is_err());
    }
}
