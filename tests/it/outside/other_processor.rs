//! The static binary for another processor, under an emulator.
use std::env;
use std::path::Path;
use std::process::Command;

use crate::support::actors::{PASSWORD, Visitor};
use crate::support::program::{self, Program};

/// A command of the binary that `OTHER_PROCESSOR` names, in the emulator of its processor. `None` without the variable.
fn emulated() -> Option<impl Fn(&str) -> Command> {
    let Some(binary) = env::var_os("OTHER_PROCESSOR") else {
        println!("not tested: a binary for another processor: OTHER_PROCESSOR names none (scripts/dist amd64 arm64)");
        return None;
    };
    let processor = if Path::new(&binary).to_string_lossy().ends_with("arm64") { "aarch64" } else { "x86_64" };
    Some(move |line: &str| {
        let mut command = Command::new(format!("qemu-{processor}-static"));
        command.arg(&binary).args(line.split_whitespace()).env("RUST_LOG", "warn");
        command
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn the_binary_for_another_processor_serves_and_makes_backups() {
    let Some(command) = emulated() else { return };
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().display();
    let version = program::run(command("--version"), "");
    let package = format!("shelfwise {}", env!("CARGO_PKG_VERSION"));
    assert!(version.out.starts_with(&package), "{}{}", version.out, version.err);
    let made =
        program::run(command(&format!("user create ada@example.org --name Ada --data-dir {place}/data")), PASSWORD);
    assert_eq!(made.status, 0, "{}", made.err);
    let mut server = Program::start(command(&format!("serve --listen 127.0.0.1:0 --data-dir {place}/data")));
    let visitor = Visitor::at(server.address());
    visitor.get("/healthz").await.expect(200);
    let page = visitor.get("/").await;
    assert_eq!(page.status, 200);
    let healthy = program::run(command(&format!("health --url {} --data-dir {place}/data", server.address())), "");
    assert_eq!(healthy.status, 0, "{}", healthy.err);
    let reader = visitor.sign_up_as("bob@example.org", "Bob").await;
    let book = serde_json::json!({"title": "Dune", "author": "Frank Herbert", "status": "undated"});
    reader.post("/api/books", book).await.expect(201);
    let backup = program::run(command(&format!("backup create --to {place}/backups --data-dir {place}/data")), "");
    assert_eq!(backup.status, 0, "{}", backup.err);
    assert_eq!(server.stop(), Some(0));
}
