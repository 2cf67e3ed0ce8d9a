//! `shelfwise health` beside a server that works, fails, has stopped, or is another program.
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;

use crate::support::program::{self, Ended, Program, free_port, shelfwise};

fn health(folder: &Path, words: &[&str]) -> Ended {
    health_at(folder, words, "")
}

/// Asks with the environment of a server that listens there.
fn health_at(folder: &Path, words: &[&str], listen: &str) -> Ended {
    let mut command = shelfwise();
    command.arg("health").args(words).current_dir(folder);
    if !listen.is_empty() {
        command.env("SHELFWISE_LISTEN", listen);
    }
    program::run(command, "")
}

#[test]
fn the_health_of_a_server_is_an_exit_status_and_a_failure_has_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let (data, listen) = (folder.path().join("data"), format!("127.0.0.1:{}", free_port()));
    let (data_dir, url) = (data.to_str().unwrap(), format!("http://{listen}"));
    let mut serve = shelfwise();
    serve.args(["serve", "--listen", &listen, "--data-dir", data_dir]).stderr(std::process::Stdio::null());
    let mut server = Program::start(serve);
    // With the server's environment a command knows where it listens.
    for words in [&["--data-dir", data_dir][..], &["--url", &url], &["--url", &format!("{url}/healthz")]] {
        let well = health_at(folder.path(), words, &listen);
        assert_eq!((well.status, well.out.trim(), well.err.as_str()), (0, &*format!("{url} works"), ""), "{words:?}");
    }
    let page = health(folder.path(), &["--url", &format!("{url}/login")]);
    assert!(page.status == 1 && page.err.contains("not an answer of Shelfwise"), "{}", page.err);
    let moved = folder.path().join("elsewhere.db");
    std::fs::rename(data.join("shelfwise.db"), &moved).unwrap();
    let failing = health(folder.path(), &["--url", &url]);
    assert_eq!(failing.status, 1, "{}", failing.out);
    assert!(failing.err.contains("does not work: The database file was moved or deleted."), "{}", failing.err);
    std::fs::rename(&moved, data.join("shelfwise.db")).unwrap();
    assert_eq!(server.stop(), Some(0));
    let stopped = health_at(folder.path(), &["--data-dir", data_dir], &listen);
    assert!(stopped.status == 1 && stopped.err.contains(&format!("{url} can't be reached")), "{}", stopped.err);
}

#[test]
fn another_program_at_the_address_is_not_a_healthy_server() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let other = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 1024]);
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok").unwrap();
    });
    let folder = tempfile::tempdir().unwrap();
    // A proxy of the environment is not asked for a server on this machine.
    let mut command = shelfwise();
    command.args(["health", "--url", &url]).current_dir(folder.path()).env("http_proxy", "http://127.0.0.1:1");
    let found = program::run(command, "");
    other.join().unwrap();
    assert!(found.status == 1 && found.err.contains("answers with 200, which is not"), "{}", found.err);
}
