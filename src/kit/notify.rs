//! Notifies the service manager (systemd's `Type=notify`) that the server is ready, reloads its settings, stops, or is still
//! responding. Without such a manager these functions do nothing.
//!
//! The protocol is one datagram per message (`sd_notify(3)`), sent with the standard library to sockets in the file system and to
//! abstract ones.
use std::env;
use std::ffi::OsStr;
use std::io;
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

/// Notifies that the server is ready; `status` is what `systemctl status` shows.
pub fn ready(status: &str) {
    notify(&format!("READY=1\nMAINPID={}\nSTATUS={status}", std::process::id()));
}

/// Notifies that the server reloads its settings; [`ready`] ends that.
pub fn reloading() {
    // The manager compares times of the monotonic clock.
    let now = rustix::time::clock_gettime(rustix::time::ClockId::Monotonic);
    notify(&format!(
        "RELOADING=1\nMONOTONIC_USEC={}",
        i128::from(now.tv_sec) * 1_000_000 + i128::from(now.tv_nsec) / 1_000
    ));
}

/// Notifies that the server stops.
pub fn stopping() {
    notify("STOPPING=1\nSTATUS=Finishing the requests in flight");
}

/// Says what the server does while it starts; `systemctl status` shows it.
pub fn starting(status: &str) {
    notify(&format!("STATUS={status}"));
}

/// Notifies that the server is still responding.
pub fn alive() {
    notify("WATCHDOG=1");
}

/// How long the manager waits for [`alive`] before it kills the server; `None` when it has no watchdog.
pub fn watchdog() -> Option<Duration> {
    let set = |name: &str| env::var(name).ok();
    watchdog_of(set("WATCHDOG_USEC").as_deref(), set("WATCHDOG_PID").as_deref(), std::process::id())
}

fn watchdog_of(micros: Option<&str>, pid: Option<&str>, own: u32) -> Option<Duration> {
    if pid.is_some_and(|pid| pid.parse() != Ok(own)) {
        return None;
    }
    micros?.parse().ok().filter(|micros| *micros > 0).map(Duration::from_micros)
}

fn notify(message: &str) {
    let Some(socket) = env::var_os("NOTIFY_SOCKET").filter(|socket| !socket.is_empty()) else { return };
    if let Err(cause) = send(&socket, message) {
        tracing::warn!(%cause, "notifying the service manager failed");
    }
}

fn send(socket: &OsStr, message: &str) -> io::Result<()> {
    let address = match socket.as_bytes() {
        [b'@', name @ ..] => SocketAddr::from_abstract_name(name)?,
        [b'/', ..] => SocketAddr::from_pathname(socket)?,
        _ => return Err(io::Error::new(io::ErrorKind::Unsupported, "NOTIFY_SOCKET is neither a path nor abstract")),
    };
    UnixDatagram::unbound()?.send_to_addr(message.as_bytes(), &address).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_reach_sockets_of_both_kinds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let name = format!("shelfwise-notify-{}", std::process::id());
        let abstracted = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
        for (receiver, socket) in [
            (UnixDatagram::bind(&path).unwrap(), path.clone().into_os_string()),
            (abstracted, format!("@{name}").into()),
        ] {
            send(&socket, "READY=1").unwrap();
            let mut bytes = [0; 64];
            let length = receiver.recv(&mut bytes).unwrap();
            assert_eq!(&bytes[..length], b"READY=1");
        }
        assert!(send(OsStr::new("vsock:2:1"), "READY=1").is_err());
    }

    #[test]
    fn the_watchdog_is_for_the_process_that_it_names() {
        assert_eq!(watchdog_of(Some("30000000"), None, 7), Some(Duration::from_secs(30)));
        assert_eq!(watchdog_of(Some("30000000"), Some("7"), 7), Some(Duration::from_secs(30)));
        for (micros, pid) in [(Some("30000000"), Some("8")), (None, None), (Some("0"), None), (Some("soon"), None)] {
            assert_eq!(watchdog_of(micros, pid, 7), None);
        }
    }
}
