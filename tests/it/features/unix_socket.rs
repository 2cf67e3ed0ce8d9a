//! A server at a Unix socket, and at sockets that a service manager has opened for it.
use std::fs;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use reqwest::Method;
use rustix::process::Signal;
use serde_json::json;

use crate::support::actors::{Visitor, local_browser};
use crate::support::program::{self, Program, shelfwise};

fn serve(folder: &Path, socket: &Path) -> Command {
    let mut command = shelfwise();
    command.args(["serve", "--listen", &format!("unix:{}", socket.display()), "--data-dir"]);
    command.arg(folder.join("data")).stderr(Stdio::null());
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_at_a_unix_socket_takes_the_clients_address_from_the_proxy_behind_it() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("http.sock");
    let mut command = serve(folder.path(), &socket);
    command.env("SHELFWISE_SOCKET_MODE", "666");
    let mut server = Program::start(command);
    assert_eq!(server.address(), "http://localhost");
    assert!(server.printed.iter().any(|line| line.contains(&format!("listens on unix:{}", socket.display()))));
    assert_eq!(fs::metadata(&socket).unwrap().permissions().mode() & 0o777, 0o666);
    let visitor = Visitor::with(local_browser(&socket), "http://localhost");
    let form = json!({"email": "nora@example.org", "password": "a quite new passphrase", "displayName": "Nora"});
    let request = visitor.request(Method::POST, "/api/auth/signup").json(&form);
    // The proxy adds the last address; the first is what its client has made up.
    let answer = visitor.send(request.header("x-forwarded-for", "198.51.100.1, 203.0.113.77")).await;
    let nora = visitor.signed_up("nora@example.org", answer);
    let events = nora.get("/api/auth/events").await.expect(200);
    assert_eq!(events["data"][0]["address"], "203.0.113.0/24", "{events}");
    // Somebody without a session, as behind a proxy that names nobody.
    Visitor::with(local_browser(&socket), "http://localhost").get("/api/site").await.expect(200);

    let mut health = shelfwise();
    health.args(["health", "--data-dir"]).arg(folder.path().join("data"));
    health.env("SHELFWISE_LISTEN", format!("unix:{}", socket.display()));
    let well = tokio::task::spawn_blocking(move || program::run(health, "")).await.unwrap();
    assert_eq!((well.status, well.out), (0, format!("unix:{} works\n", socket.display())), "{}", well.err);
    assert_eq!(server.stop(), Some(0));
    assert!(!socket.exists());
}

#[test]
fn a_killed_servers_socket_does_not_stop_the_next_start_and_a_running_servers_does() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("http.sock");
    Program::start(serve(folder.path(), &socket)).kill();
    assert!(socket.exists());
    let mut server = Program::start(serve(folder.path(), &socket));
    let mut second = serve(&folder.path().join("second"), &socket);
    second.stderr(Stdio::piped());
    let refused = program::run(second, "");
    assert_eq!(refused.status, 1);
    assert!(refused.err.contains("another program listens there"), "{}", refused.err);
    assert!(!folder.path().join("second/data").exists(), "no database is made for a server that can't listen");
    assert_eq!(server.stop(), Some(0));
}

/// A server whose socket its parent has opened, as systemd does; it is killed when dropped.
struct Activated(Child);

impl Activated {
    fn start(folder: &Path, socket: OwnedFd) -> Self {
        Self::start_with(folder, socket, None, &[])
    }

    /// The same with a second socket, which is put in the place of the output, and with settings.
    fn start_with(folder: &Path, socket: OwnedFd, second: Option<OwnedFd>, settings: &[(&str, &str)]) -> Self {
        let mut command = Command::new("/bin/sh");
        // The shell's own number becomes the program's.
        let number = 1 + usize::from(second.is_some());
        let script = format!(
            "exec 3<&0 4>&1 </dev/null >/dev/null; export LISTEN_FDS={number} LISTEN_PID=$$; exec \"$0\" serve --data-dir \"$1\""
        );
        let output = second.map_or_else(Stdio::null, Stdio::from);
        command.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_shelfwise")).arg(folder.join("data"));
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SHELFWISE_")) {
            command.env_remove(name);
        }
        command.env("RUST_LOG", "warn").envs(settings.iter().copied());
        command.stdin(Stdio::from(socket)).stdout(output).stderr(Stdio::null());
        Self(command.spawn().unwrap())
    }

    fn stop(&mut self) -> Option<i32> {
        program::signal(&self.0, Signal::TERM);
        self.0.wait().unwrap().code()
    }
}

impl Drop for Activated {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_socket_of_the_service_manager_takes_the_place_of_the_setting_and_outlives_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut server = Activated::start(folder.path(), listener.try_clone().unwrap().into());
    // The first request waits in the socket until the server is ready.
    Visitor::at(format!("http://{address}")).get("/healthz").await.expect(200);
    let mut health = shelfwise();
    health.args(["health", "--url", &format!("http://{address}")]);
    let well = tokio::task::spawn_blocking(move || program::run(health, "")).await.unwrap();
    assert_eq!(well.out, format!("http://{address} works\n"));
    assert_eq!(server.stop(), Some(0));
    let mut again = Activated::start(folder.path(), listener.into());
    Visitor::at(format!("http://{address}")).get("/healthz").await.expect(200);
    assert_eq!(again.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_unix_socket_of_the_service_manager_is_left_in_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("http.sock");
    let listener = UnixListener::bind(&socket).unwrap();
    let mut server = Activated::start(folder.path(), listener.into());
    Visitor::with(local_browser(&socket), "http://localhost").get("/healthz").await.expect(200);
    assert_eq!(server.stop(), Some(0));
    assert!(socket.exists());
}

const HEADER: (&str, &str) = ("SHELFWISE_TRUSTED_HEADER_USER", "Remote-User");

/// The status of `GET /api/auth/me` with a name in the header, and with what a client adds so that it seems to be the proxy.
async fn named(visitor: &Visitor) -> u16 {
    let request = visitor.request(Method::GET, "/api/auth/me").header("remote-user", "nora@example.org");
    visitor.send(request.header("x-forwarded-for", "127.0.0.1").header("forwarded", "for=127.0.0.1")).await.status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_process_at_the_unix_socket_names_a_person_only_where_the_operator_trusts_it() {
    for (proxies, by_port, by_socket) in [("127.0.0.1", 200, 401), ("unix", 401, 200), ("127.0.0.1,unix", 200, 200)] {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("http.sock");
        let (port, unix) = (TcpListener::bind("127.0.0.1:0").unwrap(), UnixListener::bind(&socket).unwrap());
        let address = format!("http://{}", port.local_addr().unwrap());
        let settings = [HEADER, ("SHELFWISE_TRUSTED_PROXIES", proxies)];
        let mut server = Activated::start_with(folder.path(), port.into(), Some(unix.into()), &settings);
        let local = Visitor::with(local_browser(&socket), "http://localhost");
        assert_eq!((named(&Visitor::at(address)).await, named(&local).await), (by_port, by_socket), "{proxies}");
        assert_eq!(server.stop(), Some(0));
    }
}

#[test]
fn a_header_that_would_count_from_nobody_stops_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = serve(folder.path(), &folder.path().join("http.sock"));
    command.envs([HEADER, ("SHELFWISE_TRUSTED_PROXIES", "127.0.0.1")]).stderr(Stdio::piped());
    let refused = program::run(command, "");
    assert!(refused.status == 78 && refused.err.contains("\"unix\""), "{} {}", refused.status, refused.err);
    // So does a socket of the service manager, which the settings do not name.
    let unix = UnixListener::bind(folder.path().join("activated.sock")).unwrap();
    let settings = [HEADER, ("SHELFWISE_TRUSTED_PROXIES", "127.0.0.1")];
    let mut server = Activated::start_with(folder.path(), unix.into(), None, &settings);
    assert_eq!(server.0.wait().unwrap().code(), Some(78));
}
