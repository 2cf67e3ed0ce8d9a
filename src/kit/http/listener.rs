//! The sockets that a server accepts connections from: TCP, Unix, and those that a service manager has opened for it (systemd's
//! socket activation).
use std::fs::{self, Permissions};
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::task::{Context, Poll};

use listenfd::ListenFd;
use tokio::net::{TcpListener, TcpSocket, TcpStream, UnixListener, UnixSocket, UnixStream};
use tokio_util::either::Either;

use crate::config::listen::{Listen, SocketMode};

/// How many connections may wait to be accepted; the system may allow fewer. With the default of 128, further clients would be
/// refused or would retry after a second.
const BACKLOG: u32 = 4096;

/// The other end of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Peer {
    /// A client or proxy at an address.
    Address(IpAddr),
    /// A process on this machine that may open the server's Unix socket. Its `X-Forwarded-For` counts.
    Socket,
}

impl From<IpAddr> for Peer {
    fn from(ip: IpAddr) -> Self {
        Self::Address(ip)
    }
}

/// An accepted connection.
pub type Stream = Either<TcpStream, UnixStream>;

/// The sockets of one server.
#[derive(Debug)]
pub struct Listeners {
    sockets: Vec<Socket>,
    /// The socket that is asked first, so that many connections at one do not delay those at another.
    first: usize,
}

#[derive(Debug)]
enum Socket {
    Tcp(TcpListener),
    Unix(UnixListener, #[expect(dead_code, reason = "removes the file when it is dropped")] Option<SocketFile>),
}

/// Sockets that the service manager has opened for this process.
#[derive(Debug, Default)]
pub struct Inherited(Vec<Either<std::net::TcpListener, std::os::unix::net::UnixListener>>);

impl Inherited {
    /// Takes the sockets that `LISTEN_FDS` and `LISTEN_PID` announce, none without these variables, and removes the variables. To be
    /// called before the process has further threads, because it changes the environment.
    ///
    /// # Errors
    /// One of them does not accept streams of TCP or of a Unix socket.
    pub fn take() -> io::Result<Self> {
        let mut found = ListenFd::from_env();
        let mut sockets = Vec::new();
        for index in 0..found.len() {
            match found.take_tcp_listener(index) {
                Ok(socket) => sockets.extend(socket.map(Either::Left)),
                Err(_) => sockets.extend(found.take_unix_listener(index)?.map(Either::Right)),
            }
        }
        Ok(Self(sockets))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Listeners {
    /// Opens a listening socket. A Unix socket gets the permissions of `mode` before anybody can connect; a file that a killed server
    /// left in its place is removed, and so is the new one when the listeners are dropped.
    ///
    /// # Errors
    /// The system's, for example when the port is in use; another program listens at the Unix socket, or a file of another kind is
    /// in its place.
    pub async fn bind(listen: &Listen, mode: SocketMode) -> io::Result<Self> {
        let socket = match listen {
            Listen::Tcp(address) => Socket::Tcp(bind_tcp(*address)?),
            Listen::Unix(path) => {
                make_room(path).await?;
                let (listener, file) = bind_unix(path, mode)?;
                Socket::Unix(listener, Some(file))
            }
        };
        Ok(Self { sockets: vec![socket], first: 0 })
    }

    /// Uses sockets of the service manager, inside a runtime.
    pub fn of(inherited: Inherited) -> io::Result<Self> {
        let socket = |socket| {
            Ok(match socket {
                Either::Left(socket) => {
                    std::net::TcpListener::set_nonblocking(&socket, true)?;
                    Socket::Tcp(TcpListener::from_std(socket)?)
                }
                Either::Right(socket) => {
                    std::os::unix::net::UnixListener::set_nonblocking(&socket, true)?;
                    Socket::Unix(UnixListener::from_std(socket)?, None)
                }
            })
        };
        Ok(Self { sockets: inherited.0.into_iter().map(socket).collect::<io::Result<_>>()?, first: 0 })
    }

    /// Where they listen, with the ports that the system chose. A Unix socket without a name is left out.
    pub fn addresses(&self) -> io::Result<Vec<Listen>> {
        let address = |socket: &Socket| match socket {
            Socket::Tcp(socket) => socket.local_addr().map(|address| Some(Listen::Tcp(address))),
            Socket::Unix(socket, _) => {
                socket.local_addr().map(|address| Some(Listen::Unix(address.as_pathname()?.to_owned())))
            }
        };
        self.sockets.iter().filter_map(|socket| address(socket).transpose()).collect()
    }

    /// Waits for the next connection.
    ///
    /// # Errors
    /// The system's, for example when the process may not open more files.
    pub async fn accept(&mut self) -> io::Result<(Stream, Peer)> {
        std::future::poll_fn(|context| self.poll_accept(context)).await
    }

    fn poll_accept(&mut self, context: &mut Context<'_>) -> Poll<io::Result<(Stream, Peer)>> {
        let count = self.sockets.len();
        for index in (self.first..count).chain(0..self.first) {
            let accepted = match &self.sockets[index] {
                Socket::Tcp(socket) => socket.poll_accept(context).map_ok(|(stream, peer)| {
                    let _ = stream.set_nodelay(true);
                    (Either::Left(stream), Peer::Address(peer.ip()))
                }),
                Socket::Unix(socket, _) => {
                    socket.poll_accept(context).map_ok(|(stream, _)| (Either::Right(stream), Peer::Socket))
                }
            };
            if accepted.is_ready() {
                self.first = (index + 1) % count;
                return accepted;
            }
        }
        Poll::Pending
    }
}

impl From<TcpListener> for Listeners {
    fn from(socket: TcpListener) -> Self {
        Self { sockets: vec![Socket::Tcp(socket)], first: 0 }
    }
}

fn bind_tcp(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

fn bind_unix(path: &Path, mode: SocketMode) -> io::Result<(UnixListener, SocketFile)> {
    let socket = UnixSocket::new_stream()?;
    socket.bind(path)?;
    let file = SocketFile::of(path)?;
    // Nobody can connect before `listen`.
    fs::set_permissions(path, Permissions::from_mode(mode.bits()))?;
    Ok((socket.listen(BACKLOG)?, file))
}

/// Removes a socket that nobody listens at.
async fn make_room(path: &Path) -> io::Result<()> {
    let found = match fs::symlink_metadata(path) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(()),
        found => found?,
    };
    if !found.file_type().is_socket() {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, "a file that is not a socket is in its place"));
    }
    match UnixStream::connect(path).await {
        Err(cause) if cause.kind() == io::ErrorKind::ConnectionRefused => fs::remove_file(path),
        // A socket whose queue is full has a listener, too.
        Err(cause) if cause.kind() != io::ErrorKind::WouldBlock => Err(cause),
        _ => Err(io::Error::new(io::ErrorKind::AddrInUse, "another program listens there")),
    }
}

/// The file of a Unix socket. It is removed when this is dropped, unless another one has taken its place.
#[derive(Debug)]
struct SocketFile {
    path: PathBuf,
    id: (u64, u64),
}

impl SocketFile {
    fn of(path: &Path) -> io::Result<Self> {
        Ok(Self { id: Self::id(path)?, path: path.to_owned() })
    }

    fn id(path: &Path) -> io::Result<(u64, u64)> {
        fs::symlink_metadata(path).map(|found| (found.dev(), found.ino()))
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        if Self::id(&self.path).is_ok_and(|id| id == self.id) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unix(path: &Path) -> Listen {
        Listen::Unix(path.to_owned())
    }

    #[tokio::test]
    async fn a_socket_has_its_mode_and_goes_with_its_server() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("http.sock");
        for mode in ["600", "666"] {
            let listeners =
                Listeners::bind(&unix(&path), SocketMode::try_from(mode.to_owned()).unwrap()).await.unwrap();
            let found = fs::metadata(&path).unwrap();
            assert_eq!(format!("{:o}", found.mode() & 0o777), mode);
            assert_eq!(listeners.addresses().unwrap(), [unix(&path)]);
            drop(listeners);
            assert!(!path.exists());
        }
    }

    #[tokio::test]
    async fn a_socket_that_a_killed_server_left_is_replaced_and_anything_else_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("http.sock");
        let mode = SocketMode::default();
        drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
        let mut first = Listeners::bind(&unix(&path), mode).await.unwrap();
        let refused = Listeners::bind(&unix(&path), mode).await.unwrap_err();
        assert_eq!(refused.to_string(), "another program listens there");
        let (accepted, connected) = tokio::join!(first.accept(), UnixStream::connect(&path));
        assert!(connected.is_ok() && accepted.is_ok_and(|(_, peer)| peer == Peer::Socket));
        // A later server's socket is not removed with the first server.
        fs::remove_file(&path).unwrap();
        let later = Listeners::bind(&unix(&path), mode).await.unwrap();
        drop(first);
        assert!(path.exists());
        drop(later);
        fs::write(&path, "kept").unwrap();
        let refused = Listeners::bind(&unix(&path), mode).await.unwrap_err();
        assert!(refused.to_string().contains("not a socket"), "{refused}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "kept");
    }

    #[tokio::test]
    async fn connections_at_one_socket_do_not_keep_those_at_another_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("http.sock");
        let mut both = Listeners::bind(&Listen::Tcp(([127, 0, 0, 1], 0).into()), SocketMode::default()).await.unwrap();
        both.sockets.extend(Listeners::bind(&unix(&path), SocketMode::default()).await.unwrap().sockets);
        let [Listen::Tcp(address), _] = both.addresses().unwrap()[..] else { panic!("two addresses") };
        let mut clients = Vec::new();
        for _ in 0..3 {
            clients.push(std::net::TcpStream::connect_timeout(&address, std::time::Duration::from_secs(60)).unwrap());
        }
        let _local = std::os::unix::net::UnixStream::connect(&path).unwrap();
        let mut peers = Vec::new();
        for _ in 0..2 {
            peers.push(both.accept().await.unwrap().1);
        }
        assert!(peers.contains(&Peer::Socket), "{peers:?}");
    }
}
