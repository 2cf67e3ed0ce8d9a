//! The real program, run as an operator runs it.
use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rustix::process::{Pid, Signal, kill_process};

/// A command of the program with an environment of its own: none of the settings of who runs the tests.
pub fn shelfwise() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shelfwise"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SHELFWISE_") || name == "RUST_LOG") {
        command.env_remove(name);
    }
    command.env("RUST_LOG", "warn");
    command
}

/// A command of the program on a data directory.
pub fn command(data: &Path, words: &[&str]) -> Command {
    let mut command = shelfwise();
    command.args(words).arg("--data-dir").arg(data);
    command
}

/// The titles of all books in a database, after SQLite's integrity check.
pub fn titles(database: &Path) -> BTreeSet<String> {
    let conn = Connection::open(database).unwrap();
    let verdict: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(verdict, "ok", "{}", database.display());
    let mut query = conn.prepare("SELECT title FROM books").unwrap();
    query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
}

/// How a command ended.
#[derive(Debug)]
pub struct Ended {
    pub status: i32,
    pub out: String,
    pub err: String,
}

/// Runs a command to its end, with an input.
pub fn run(mut command: Command, input: &str) -> Ended {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // What refuses at once does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Ended { status: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
}

/// Sends a signal to a process that a test has started.
pub fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// A serving program; it is killed when dropped.
pub struct Program {
    child: Child,
    /// What it printed before it was ready, and the line that says so.
    pub printed: Vec<String>,
    /// How long the start took.
    pub started_in: Duration,
    _stdout: BufReader<ChildStdout>,
}

impl Program {
    /// Starts a command that serves, and waits for the line that says so.
    pub fn start(command: Command) -> Self {
        Self::begin(command).unwrap_or_else(|printed| panic!("the program ended: {printed:?}"))
    }

    /// The same, of a program that may end before it is ready.
    pub fn try_start(command: Command) -> Option<Self> {
        Self::begin(command).ok()
    }

    fn begin(mut command: Command) -> Result<Self, Vec<String>> {
        let started = Instant::now();
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut printed = Vec::new();
        while !printed.last().is_some_and(|line: &String| line.contains("Shelfwise is ready at ")) {
            let mut line = String::new();
            if stdout.read_line(&mut line).unwrap() == 0 {
                let _ = child.wait();
                return Err(printed);
            }
            printed.push(line.trim_end().to_owned());
        }
        Ok(Self { child, printed, started_in: started.elapsed(), _stdout: stdout })
    }

    /// The address that it printed.
    pub fn address(&self) -> String {
        self.printed.last().and_then(|line| line.split_whitespace().last()).unwrap().to_owned()
    }

    /// Its process number.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends it a signal.
    pub fn signal(&self, which: Signal) {
        signal(&self.child, which);
    }

    /// Ends it at once, as a power cut would.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Asks it to stop, and answers its exit status.
    pub fn stop(&mut self) -> Option<i32> {
        signal(&self.child, Signal::TERM);
        self.child.wait().unwrap().code()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A port that nobody listens at just now.
pub fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
