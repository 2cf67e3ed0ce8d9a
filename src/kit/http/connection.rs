//! The time limits of one connection, and limits on the number of connections.
//!
//! hyper limits the time for the headers of a request from their first byte on, and neither silence nor slow reading. So the stream
//! itself ends a connection that sends no first request, is idle for too long, or whose client reads a response too
//! slowly.
use std::collections::{HashMap, VecDeque};
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use ipnet::IpNet;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::time::{Instant, Sleep, sleep_until};

use super::refusal_counts::{self, RefusalReason};
use crate::kit::http::listener::Peer;
use crate::kit::http::throttle::AddressKey;

/// Time limits for clients.
#[derive(Debug, Clone, Copy)]
pub struct Timeouts {
    /// The headers of a request must have arrived within this time, counted from the start of the connection or the first byte of
    /// the headers.
    pub headers: Duration,
    /// The longest pause within a request's body.
    pub body: Duration,
    /// The longest pause while a client reads a response.
    pub answer: Duration,
    /// An idle connection is closed after this time.
    pub idle: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { headers: seconds(15), body: seconds(30), answer: seconds(30), idle: seconds(75) }
    }
}

/// In each such period in which the server waits for the client, the client must read at [`LEAST_RATE`].
const WINDOW: Duration = Duration::from_secs(60);
/// In bytes per second.
const LEAST_RATE: u64 = 16 * 1024;

/// What a connection's stream and its requests know about each other.
#[derive(Debug, Default)]
pub struct Requests {
    begun: AtomicU32,
    running: AtomicU32,
    closing: Notify,
}

/// A request in progress, until it is dropped.
pub struct Running(Arc<Requests>);

impl Requests {
    /// Counts a request whose headers have arrived.
    pub fn begin(self: &Arc<Self>) -> Running {
        self.begun.fetch_add(1, Ordering::Relaxed);
        self.running.fetch_add(1, Ordering::Relaxed);
        Running(self.clone())
    }

    /// Waits until the connection has to make room for a newer one.
    pub async fn closing(&self) {
        self.closing.notified().await;
    }

    fn begun(&self) -> u32 {
        self.begun.load(Ordering::Relaxed)
    }

    fn is_idle(&self) -> bool {
        self.running.load(Ordering::Relaxed) == 0
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A stream that ends when its client is silent or slow for too long.
pub struct TimedStream<S> {
    stream: S,
    timeouts: Timeouts,
    requests: Arc<Requests>,
    /// The last activity: bytes of a request or a response.
    active: Instant,
    /// A request whose headers are incomplete: since when, and the number of requests before it.
    headers: Option<(Instant, u32)>,
    /// Since when the client has read nothing.
    blocked: Option<Instant>,
    /// How long the server waited for the client in the current window, and how much the client read.
    waited: Duration,
    taken: u64,
    window: Duration,
    timer: Pin<Box<Sleep>>,
}

impl<S> TimedStream<S> {
    /// Wraps a new connection. Its first request must arrive within `timeouts.headers`.
    pub fn new(stream: S, timeouts: Timeouts, requests: Arc<Requests>) -> Self {
        let now = Instant::now();
        Self {
            stream,
            timeouts,
            requests,
            active: now,
            headers: Some((now, 0)),
            blocked: None,
            waited: Duration::ZERO,
            taken: 0,
            window: WINDOW,
            timer: Box::pin(sleep_until(now + timeouts.headers)),
        }
    }

    /// Until when the client may stay silent; `None` while a request is in progress, whose body has its own limit.
    fn silent_until(&mut self) -> Option<Instant> {
        if let Some((since, before)) = self.headers {
            if self.requests.begun() == before {
                return Some(since + self.timeouts.headers);
            }
            self.headers = None;
            self.active = Instant::now();
        }
        self.requests.is_idle().then(|| self.active + self.timeouts.idle)
    }

    /// Records that the client sent bytes.
    fn received(&mut self) {
        let now = Instant::now();
        self.active = now;
        if self.headers.is_none() && self.requests.is_idle() {
            self.headers = Some((now, self.requests.begun()));
        }
    }

    /// Whether a time has passed. If not, the task is woken at that time.
    fn is_past(&mut self, moment: Instant, context: &mut Context<'_>) -> bool {
        if self.timer.deadline() != moment {
            self.timer.as_mut().reset(moment);
        }
        self.timer.as_mut().poll(context).is_ready()
    }

    /// Records that the client read bytes.
    fn took(&mut self, length: usize) {
        self.active = Instant::now();
        if let Some(since) = self.blocked.take() {
            self.waited += since.elapsed();
        }
        self.taken += length as u64;
        if self.waited >= self.window && self.taken >= self.least_taken() {
            (self.waited, self.taken) = (Duration::ZERO, 0);
        }
    }

    /// The bytes that a client must read in a window.
    fn least_taken(&self) -> u64 {
        LEAST_RATE * u64::try_from(self.window.as_millis()).unwrap_or(u64::MAX) / 1_000
    }

    /// Whether a client that reads nothing at the moment has kept the server waiting for too long.
    fn is_too_slow(&mut self, context: &mut Context<'_>) -> bool {
        let since = *self.blocked.get_or_insert_with(Instant::now);
        let enough = self.taken >= self.least_taken();
        let window = if enough { self.window } else { self.window.saturating_sub(self.waited) };
        let slow = self.is_past(since + window.min(self.timeouts.answer), context);
        if slow {
            refusal_counts::count(RefusalReason::Slow);
        }
        slow
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        if let Poll::Ready(read) = Pin::new(&mut self.stream).poll_read(context, buffer) {
            if buffer.filled().len() > before {
                self.received();
            }
            return Poll::Ready(read);
        }
        // While the client reads nothing, the timer belongs to the response.
        if self.blocked.is_some() {
            return Poll::Pending;
        }
        match self.silent_until() {
            Some(until) if self.is_past(until, context) => {
                refusal_counts::count(RefusalReason::Slow);
                // As if the client had closed the connection.
                Poll::Ready(Ok(()))
            }
            _ => Poll::Pending,
        }
    }
}

impl<S: AsyncWrite + Unpin> TimedStream<S> {
    fn written(&mut self, context: &mut Context<'_>, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match written {
            Poll::Ready(Ok(length)) => {
                self.took(length);
                Poll::Ready(Ok(length))
            }
            Poll::Ready(failed) => Poll::Ready(failed),
            Poll::Pending if self.is_too_slow(context) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for TimedStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.written(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.written(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(ready!(Pin::new(&mut self.stream).poll_flush(context)))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(ready!(Pin::new(&mut self.stream).poll_shutdown(context)))
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
            if let Some(oldest) = oldest.upgrade().filter(|requests| requests.begun() == 0) {
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
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, duplex};

    use super::*;

    /// The idle time is long enough that a busy machine does not confuse the limits.
    fn timeouts() -> Timeouts {
        let part = Duration::from_millis;
        Timeouts { headers: part(200), body: part(60_000), answer: part(60_000), idle: part(5_000) }
    }

    #[test]
    fn an_address_has_so_many_connections_and_a_trusted_proxy_as_many_as_there_are() {
        let limits = ConnectionLimits::new(5, 2, vec!["10.0.0.0/8".parse().unwrap()]);
        let asking = Arc::<Requests>::default();
        let _running = asking.begin();
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
        let _running = requests[0].begin();
        let of = |client: usize| limits.admit(Peer::Address(([192, 0, 2, client as u8]).into()), &requests[client]);
        let _open = [of(0).unwrap(), of(1).unwrap(), of(2).unwrap(), of(3).unwrap()];
        requests[1].closing().await;
        let closes = |client: usize| requests[client].closing().now_or_never().is_some();
        assert_eq!([0, 2, 3].map(closes), [false; 3]);
        let _later = [requests[2].begin(), requests[3].begin()];
        assert!(of(4).is_none(), "all are asking");
    }

    /// Sends bytes at once and then one byte now and then until the server ends the connection. Returns how long that took.
    async fn ended_after(
        opening: &[u8],
        then: &'static [u8],
        timeouts: Timeouts,
        requests: &Arc<Requests>,
    ) -> Duration {
        let (mut client, server) = duplex(1024);
        let mut server = TimedStream::new(server, timeouts, requests.clone());
        let began = Instant::now();
        client.write_all(opening).await.unwrap();
        let talking = tokio::spawn(async move {
            while client.write_all(then).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        });
        while server.read(&mut [0; 1024]).await.is_ok_and(|length| length > 0) {}
        talking.abort();
        began.elapsed()
    }

    #[tokio::test]
    async fn a_connection_without_a_whole_request_ends_in_the_time_for_headers_whatever_it_says() {
        for (opening, then) in [(&b""[..], &b""[..]), (b"P", b""), (b"GET / HTTP/1.1\r\nx: ", b"y")] {
            let took = ended_after(opening, then, timeouts(), &Arc::default()).await;
            assert!(took >= timeouts().headers && took < timeouts().idle, "{opening:?}: {took:?}");
        }
    }

    #[tokio::test]
    async fn an_idle_connection_ends_in_its_own_time() {
        let timeouts = Timeouts { idle: Duration::from_millis(600), ..timeouts() };
        let requests = Arc::<Requests>::default();
        drop(requests.begin());
        let took = ended_after(b"", b"", timeouts, &requests).await;
        assert!(took >= timeouts.idle, "{took:?}");
    }

    #[tokio::test]
    async fn a_later_request_has_no_more_time_for_its_headers_and_one_at_work_is_not_idle() {
        let requests = Arc::<Requests>::default();
        drop(requests.begin());
        let took = ended_after(b"GET / HT", b"T", timeouts(), &requests).await;
        // The beginning of the second request is read together with the end of the first.
        assert!(took >= timeouts().headers, "{took:?}");
        let _running = requests.begin();
        let timeouts = Timeouts { idle: Duration::from_millis(50), headers: Duration::from_millis(50), ..timeouts() };
        let waited = tokio::time::timeout(Duration::from_millis(500), ended_after(b"body", b"", timeouts, &requests));
        assert!(waited.await.is_err());
    }

    #[tokio::test]
    async fn an_answer_is_taken_at_a_least_rate_and_without_a_long_pause() {
        // At least 8 KiB in each window of half a second.
        for (bytes, pause, answer, served) in
            [(1024, 100, 60_000, false), (0, 100, 300, false), (256 * 1024, 20, 60_000, true)]
        {
            let (mut client, server) = duplex(1024);
            let timeouts = Timeouts { answer: Duration::from_millis(answer), ..timeouts() };
            let mut server = TimedStream::new(server, timeouts, Arc::default());
            server.window = Duration::from_millis(500);
            let taking = tokio::spawn(async move {
                let mut piece = vec![0; bytes];
                loop {
                    tokio::time::sleep(Duration::from_millis(pause)).await;
                    if client.read_exact(&mut piece).await.is_err() {
                        return;
                    }
                }
            });
            let answer = vec![0; 1024 * 1024];
            let sent = tokio::time::timeout(Duration::from_secs(30), server.write_all(&answer)).await;
            let sent = sent.unwrap_or_else(|_| panic!("{bytes} bytes: neither taken nor ended"));
            assert_eq!(sent.is_ok(), served, "{bytes} bytes");
            taking.abort();
        }
    }
}
