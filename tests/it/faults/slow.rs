//! Slow clients that hold connections: with headers, with a body, or while reading a response. They are disconnected in time, and
//! delay nobody.
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use shelfwise::kit::http::connection::Timeouts;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, Interest};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;

use crate::support::actors::{Reader, Visitor};
use crate::support::fault_table::{row, times};
use crate::support::harness::TestServer;
use crate::support::program::{Program, shelfwise};

/// A client that is still connected after this long is never let go.
const STUCK: Duration = Duration::from_secs(60);

/// How a client is slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slowness {
    /// It never ends its headers.
    Headers,
    /// It never ends its body.
    Body,
    /// It asks for much and takes nothing.
    Reading,
    /// It says nothing at all.
    Silent,
    /// It says one byte.
    OneByte,
    /// It says half of what an HTTP/2 connection begins with, which the server does not speak.
    HalfPreface,
    /// It speaks HTTP/2, asks for nothing and sends pings.
    Pings,
}

impl Slowness {
    const ALL: [Self; 7] =
        [Self::Headers, Self::Body, Self::Reading, Self::Silent, Self::OneByte, Self::HalfPreface, Self::Pings];

    fn limit(self, timeouts: Timeouts) -> Duration {
        match self {
            Self::Headers | Self::Silent | Self::OneByte | Self::HalfPreface | Self::Pings => timeouts.headers,
            Self::Body => timeouts.body,
            Self::Reading => timeouts.answer,
        }
    }

    /// What it sends at once: a beginning, or far more requests than anybody reads ahead.
    fn opening(self) -> String {
        match self {
            Self::Headers => "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ".to_owned(),
            Self::Body => "POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                Content-Length: 1000\r\n\r\n{"
                .to_owned(),
            Self::Silent => String::new(),
            Self::OneByte => "P".to_owned(),
            Self::HalfPreface => "PRI * HTTP/2.0\r\n".to_owned(),
            // The preface and empty settings.
            Self::Pings => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0".to_owned(),
            // A page: calls of the API would wait for each other, since an address has only so many at once.
            Self::Reading => {
                format!("GET / HTTP/1.1\r\nHost: x\r\nX-Long: {}\r\n\r\n", "x".repeat(1_000)).repeat(4_000)
            }
        }
    }

    /// Is slow until the server has had enough; how long that took after the last byte.
    async fn dawdle(self, address: String) -> Duration {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4096).unwrap();
        let mut stream = socket.connect(address.parse().unwrap()).await.unwrap();
        match self {
            Self::Reading => self.take_nothing(stream).await,
            Self::Silent | Self::OneByte | Self::HalfPreface => {
                stream.write_all(self.opening().as_bytes()).await.unwrap();
                let last = Instant::now();
                ended(&mut stream).await;
                last.elapsed()
            }
            Self::Pings => {
                stream.write_all(self.opening().as_bytes()).await.unwrap();
                let begun = Instant::now();
                let ping = [0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
                while tokio::time::timeout(Duration::from_millis(200), ended(&mut stream)).await.is_err() {
                    if stream.write_all(&ping).await.is_err() {
                        break;
                    }
                }
                begun.elapsed()
            }
            Self::Headers | Self::Body => {
                stream.write_all(self.opening().as_bytes()).await.unwrap();
                let mut last = Instant::now();
                // A byte now and then shows that it is still there, and buys it nothing for its headers.
                for _ in 0..3 {
                    match tokio::time::timeout(Duration::from_millis(200), ended(&mut stream)).await {
                        Ok(()) => return last.elapsed(),
                        Err(_) if stream.write_all(b" ").await.is_err() => return last.elapsed(),
                        Err(_) => last = Instant::now(),
                    }
                }
                ended(&mut stream).await;
                last.elapsed()
            }
        }
    }

    async fn take_nothing(self, mut stream: TcpStream) -> Duration {
        let asked = self.opening();
        let (mut reading, mut writing) = stream.split();
        let some = async { reading.read(&mut [0; 100]).await };
        let (took, _) =
            tokio::join!(some, tokio::time::timeout(Duration::from_secs(1), writing.write_all(asked.as_bytes())));
        assert!(took.is_ok_and(|length| length > 0), "an answer begins");
        let last = Instant::now();
        // What was not read is refused when the connection is let go.
        let _ = stream.ready(Interest::ERROR).await;
        last.elapsed()
    }
}

/// Waits until the other side has closed, whatever it says before.
async fn ended(stream: &mut TcpStream) {
    let mut said = [0; 1024];
    while stream.read(&mut said).await.is_ok_and(|length| length > 0) {}
}

/// So many slow clients at once, each kind's longest stay, and how long somebody else waited for each answer meanwhile.
async fn besiege(
    address: String,
    kinds: &[Slowness],
    count: usize,
    somebody: Reader,
) -> (Vec<(Slowness, Duration)>, Vec<Duration>) {
    let over = Arc::new(AtomicBool::new(false));
    let waiting = tokio::spawn({
        let over = over.clone();
        async move {
            let (mut waits, mut tick) = (Vec::new(), tokio::time::interval(Duration::from_millis(10)));
            while !over.load(Ordering::SeqCst) {
                tick.tick().await;
                let asked = Instant::now();
                // A client with an open connection, and one with a new connection.
                somebody.get("/api/books").await.expect(200);
                Visitor::at(somebody.base.clone()).get("/healthz").await.expect(200);
                waits.push(asked.elapsed());
            }
            waits
        }
    });
    let mut slow = JoinSet::new();
    for number in 0..count {
        let (kind, address) = (kinds[number % kinds.len()], address.clone());
        slow.spawn(async move { (kind, kind.dawdle(address).await) });
    }
    let stays = slow.join_all().await;
    over.store(true, Ordering::SeqCst);
    let longest = kinds.iter().map(|kind| {
        let stays = stays.iter().filter(|(of, _)| of == kind).map(|(_, stay)| *stay);
        (*kind, stays.max().unwrap())
    });
    (longest.collect(), waiting.await.unwrap())
}

/// The wait that one of a hundred is longer than.
fn p99(mut waits: Vec<Duration>) -> Duration {
    waits.sort_unstable();
    waits[waits.len() * 99 / 100]
}

#[tokio::test]
async fn slow_clients_are_let_go_by_the_time_limit_that_is_theirs() {
    use Slowness::{Body, HalfPreface, Headers, OneByte, Pings, Reading, Silent};
    // Only one limit is short: a client that another one holds would stay for hours.
    let (short, hours) = (Duration::from_secs(1), Duration::from_secs(10_000));
    let others = Timeouts { headers: hours, body: hours, answer: hours, idle: hours };
    for (timeouts, kinds) in [
        (Timeouts { headers: short, ..others }, &[Headers, Silent, OneByte, HalfPreface, Pings][..]),
        (Timeouts { body: short, ..others }, &[Body]),
        (Timeouts { answer: short, ..others }, &[Reading]),
    ] {
        let server = TestServer::with_services(|_| {}, |around| around.timeouts = timeouts).await;
        let somebody = server.reader().await;
        let besieged = besiege(server.address.to_string(), kinds, 2 * kinds.len(), somebody);
        let (_, waits) = tokio::time::timeout(STUCK, besieged).await.expect("a slow client is never let go");
        assert!(!waits.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_slow_connections_are_closed_in_time_and_delay_nobody() {
    let count = times("SLOW", 0);
    if count == 0 {
        return;
    }
    shelfwise::kit::http::server::raise_open_file_limit();
    let folder = tempfile::tempdir().unwrap();
    // As most systems start a program: with 1,024 open files.
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -Sn 1024; exec \"$0\" \"$@\""]).arg(shelfwise().get_program());
    command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(folder.path());
    command.env("RUST_LOG", "warn");
    let server = Program::start(command);
    let somebody = Visitor::at(server.address()).sign_up().await;
    let address = server.address().trim_start_matches("http://").to_owned();
    let (stays, waits) = besiege(address, &Slowness::ALL, count, somebody).await;
    let (asked, p99) = (waits.len(), p99(waits));
    for (kind, stay) in &stays {
        let limit = kind.limit(Timeouts::default());
        assert!(*stay < limit + Duration::from_secs(3), "{kind:?}: {stay:?}");
    }
    assert!(p99 < Duration::from_secs(1), "{p99:?}");
    let said = stays.iter().map(|(kind, stay)| format!("{kind:?} {:.1} s", stay.as_secs_f64()).to_lowercase());
    let found =
        format!("closed after: {}; p99 of {asked} others {} ms", said.collect::<Vec<_>>().join(", "), p99.as_millis());
    row("slow connections", count, &found, "≤ 15 s, 30 s, 30 s after the last byte; p99 < 1 s");
}
