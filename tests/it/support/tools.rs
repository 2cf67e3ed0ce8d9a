//! Programs that some tests need and that not every machine has: a proxy, a tracer, a mail server.
//!
//! A test whose program is missing prints "not tested" and passes. Where `REQUIRED_TOOLS` names the program it fails
//! instead: the variable is `1` for all of them, or their names separated by commas. CONTRIBUTING.md lists the names and the
//! packages that bring them.
use std::process::{Command, Stdio};

const REQUIRED: &str = "REQUIRED_TOOLS";

/// Every name that [`skip`] takes, and what brings the program.
pub const TOOLS: &[(&str, &str)] = &[
    ("cadaver", "the package cadaver"),
    ("caddy", "the package caddy"),
    ("cargo-deb", "cargo install --locked cargo-deb, and the package dpkg"),
    ("cc", "the package gcc"),
    ("ip", "the package iproute2"),
    ("koreader", "a checkout of koreader/koreader, which KOREADER names"),
    ("kosync-conformance", "a checkout of pid1/kosync-conformance, which KOSYNC_CONFORMANCE names"),
    ("litestream", "Litestream 0.5"),
    ("litmus", "the package litmus"),
    ("localstripe", "pip install localstripe; LOCALSTRIPE_PYTHON names the Python that has it"),
    ("loop-device", "root, a loop device, and the packages e2fsprogs and xfsprogs"),
    ("luajit", "the packages luajit and lua-socket"),
    ("nginx", "the package nginx"),
    ("openssl", "the package openssl"),
    ("podman", "root, and the packages podman, runc, netavark and iptables"),
    ("podman-compose", "pip install podman-compose"),
    ("port-53", "root, and nothing else that listens at port 53"),
    ("promtool", "the package prometheus"),
    ("rclone", "the package rclone"),
    ("root", "root, to enter another root and to make devices"),
    ("script", "the package bsdutils"),
    ("small-disk", "root, to mount a tmpfs"),
    ("smtp-server", "scripts/smtp-server"),
    ("soffice", "the package libreoffice-calc"),
    ("strace", "the package strace, and a system that allows tracing"),
    ("stripe-client", "npm --prefix ui ci"),
    ("systemd-analyze", "the package systemd"),
    ("systemd-nspawn", "root, and the package systemd-container"),
];

/// A command of the program where it is installed; otherwise as [`skip`].
///
/// `try_with` is an argument with which the program ends at once, such as `--version`.
#[track_caller]
pub fn program(name: &str, try_with: &str, what: &str) -> Option<Command> {
    let tried =
        Command::new(name).arg(try_with).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if tried.is_ok() {
        return Some(Command::new(name));
    }
    skip(name, what);
    None
}

/// Prints that `what` is not tested because the tool is missing. Panics where the tool is required.
#[track_caller]
pub fn skip(tool: &str, what: &str) {
    let Some((_, brought_by)) = TOOLS.iter().find(|(name, _)| *name == tool) else {
        panic!("{tool} is missing in the list of tools in tests/it/support/tools.rs");
    };
    let required = std::env::var(REQUIRED).unwrap_or_default();
    assert!(
        !requires(&required, tool),
        "{what} can't be tested: {tool} is missing, and {REQUIRED} asks for it ({brought_by})"
    );
    println!("not tested: {what}: {tool} is missing ({brought_by})");
}

/// Whether the variable's value requires the tool. Panics for a name that is not in [`TOOLS`], so that a typing error is seen.
fn requires(value: &str, tool: &str) -> bool {
    if value == "1" {
        return true;
    }
    let mut names = value.split(',').map(str::trim).filter(|name| !name.is_empty());
    if let Some(unknown) = names.clone().find(|name| TOOLS.iter().all(|(known, _)| known != name)) {
        panic!("{REQUIRED} names {unknown}, which is not a tool of tests/it/support/tools.rs");
    }
    names.any(|name| name == tool)
}

#[test]
fn a_tool_is_required_by_its_name_or_with_all_others() {
    assert!(requires("1", "nginx"));
    assert!(requires("smtp-server, nginx", "nginx"));
    assert!(!requires("smtp-server,stripe-client", "nginx"));
    assert!(!requires("", "nginx"));
}

#[test]
#[should_panic(expected = "names ngnix")]
fn an_unknown_name_among_the_required_tools_is_an_error() {
    requires("ngnix", "nginx");
}

#[test]
fn every_tool_stands_in_the_contributors_guide() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let guide = std::fs::read_to_string(root.join("CONTRIBUTING.md")).unwrap();
    for (name, _) in TOOLS {
        assert!(guide.contains(&format!("| `{name}` |")), "CONTRIBUTING.md does not list {name}");
    }
}
