//! A cheap HTTP client: it writes a request, reads the whole response, and keeps the connection.
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The `Accept` headers of browsers.
pub const PACKED: &str = "gzip, deflate, br, zstd";

/// A GET request that can be repeated.
#[derive(Clone)]
pub struct Get {
    path: String,
    headers: String,
    fresh: bool,
}

impl Get {
    /// A request for a path with a session cookie.
    pub fn new(path: &str, cookie: &str) -> Self {
        Self { path: path.into(), headers: format!("Host: bench\r\nCookie: {cookie}\r\n"), fresh: false }
    }

    /// A different query each time, so that no response is cached.
    pub fn first_sight(mut self) -> Self {
        self.fresh = true;
        self
    }

    /// Adds a header.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers += &format!("{name}: {value}\r\n");
        self
    }

    /// The bytes of the request.
    pub fn bytes(&self) -> Vec<u8> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let Self { path, headers, .. } = self;
        if !self.fresh {
            return format!("GET {path} HTTP/1.1\r\n{headers}\r\n").into_bytes();
        }
        let joint = if path.contains('?') { '&' } else { '?' };
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        format!("GET {path}{joint}n={number} HTTP/1.1\r\n{headers}\r\n").into_bytes()
    }
}

/// A response.
#[derive(Default)]
pub struct Answer {
    pub status: u16,
    pub etag: String,
    pub body: Vec<u8>,
}

/// A connection.
pub struct Client {
    stream: BufReader<TcpStream>,
    line: String,
}

impl Client {
    pub fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream: BufReader::with_capacity(64 * 1024, stream), line: String::new() }
    }

    /// Sends a GET request and reads its response.
    pub fn get(&mut self, get: &Get) -> Answer {
        self.send(&get.bytes())
    }

    /// Sends a request and reads its response.
    pub fn send(&mut self, request: &[u8]) -> Answer {
        self.stream.get_mut().write_all(request).unwrap();
        let line = self.line();
        assert!(line.len() > 12, "the connection ended before the answer");
        let mut answer = Answer { status: line[9..12].parse().unwrap(), ..Answer::default() };
        let (mut length, mut chunked) = (0, false);
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(": ") else { break };
            // Compared without a copy: the cost of this client must not grow with the number of headers.
            if name.eq_ignore_ascii_case("content-length") {
                length = value.parse().unwrap();
            } else if name.eq_ignore_ascii_case("transfer-encoding") {
                chunked = true;
            } else if name.eq_ignore_ascii_case("etag") {
                answer.etag = value.to_owned();
            }
        }
        while chunked {
            length = usize::from_str_radix(self.line(), 16).unwrap();
            self.take(length, &mut answer.body);
            self.line();
            chunked = length > 0;
        }
        if answer.body.is_empty() {
            self.take(length, &mut answer.body);
        }
        answer
    }

    fn take(&mut self, length: usize, body: &mut Vec<u8>) {
        let start = body.len();
        body.resize(start + length, 0);
        self.stream.read_exact(&mut body[start..]).unwrap();
    }

    fn line(&mut self) -> &str {
        self.line.clear();
        self.stream.read_line(&mut self.line).unwrap();
        self.line.trim_end()
    }
}

/// Requests per second with this many clients, each of which sends the next request when it has the response.
pub fn load(address: SocketAddr, clients: usize, get: &Get, status: u16) -> f64 {
    counted(address, clients, get, status).0
}

/// The same, and how many requests were sent in all.
pub fn counted(address: SocketAddr, clients: usize, get: &Get, status: u16) -> (f64, u32) {
    const LONG: Duration = Duration::from_millis(400);
    let one = || {
        let mut client = Client::connect(address);
        client.get(get);
        let (started, mut count) = (Instant::now(), 0_u32);
        while started.elapsed() < LONG {
            let answer = client.get(get);
            assert_eq!(answer.status, status);
            count += 1;
        }
        (f64::from(count) / started.elapsed().as_secs_f64(), count + 1)
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..clients).map(|_| scope.spawn(one)).collect();
        let results = threads.into_iter().map(|thread| thread.join().unwrap());
        results.fold((0.0, 0), |(rate, requests), (more, count)| (rate + more, requests + count))
    })
}
