//! The counts and the table of `make torture`: tests that run a few rounds normally run hundreds there.
use std::fmt::Display;
use std::process::Command;

/// How often: the number in an environment variable, or a few times in every run of the tests.
pub fn times(variable: &str, usual: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Says a row of the table, which `scripts/torture` collects: what was done how often, what came of it, and what should.
/// Only a check that found everything right prints it.
pub fn row(what: &str, count: impl Display, found: &str, goal: &str) {
    println!("| {what} | {count} | {found} | {goal} | ok |");
}

/// The calls by which a program changes files; not every machine has all of them.
pub const CHANGES: [&str; 14] = [
    "pwrite64", "write", "fsync", "fdatasync", "ftruncate", "rename", "renameat2", "link", "linkat", "unlink",
    "unlinkat", "mkdir", "mkdirat", "rmdir",
];
/// The calls by which SQLite changes its files: not those by which a server also talks.
pub const WRITES: &str = "pwrite64,fsync,fdatasync,ftruncate";

/// The same command under strace, which does something to chosen calls (`signal=KILL:when=7`, `error=EIO:when=30+20`; each
/// thread and each kind of call is counted by itself). `None` when there is no strace, the system forbids it, or the machine
/// has no such call.
pub fn interfere(command: &Command, calls: &str, with: &str) -> Option<Command> {
    let trace = format!("trace={calls}");
    let possible = Command::new("strace").args(["-D", "-f", "-qq", "-o", "/dev/null", "-e", &trace, "true"]).output();
    if !possible.is_ok_and(|tried| tried.status.success()) {
        return None;
    }
    let mut traced = Command::new("strace");
    // The program stays our own child, to be killed and waited for. (The faster way, --seccomp-bpf, misses some calls.)
    traced.args(["-D", "-f", "-qq", "-o", "/dev/null"]);
    traced.arg("-e").arg(trace).arg("-e").arg(format!("inject={calls}:{with}"));
    traced.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => traced.env(name, value),
            None => traced.env_remove(name),
        };
    }
    Some(traced)
}
