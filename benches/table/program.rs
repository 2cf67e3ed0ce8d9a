//! The real program, serving a database file.
use std::io::{BufRead as _, BufReader};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

/// The program of this build, or the one that `BINARY` names.
pub fn binary() -> PathBuf {
    std::env::var_os("BINARY").map_or_else(|| env!("CARGO_BIN_EXE_shelfwise").into(), PathBuf::from)
}

/// A process that printed a line when it was ready. It is killed when dropped.
pub struct Server {
    child: Child,
    /// The line.
    pub said: String,
    _stdout: BufReader<ChildStdout>,
}

impl Server {
    /// Starts a command and waits for its line. Its log is written and discarded.
    pub fn start(command: &mut Command) -> Self {
        let silent = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = silent.spawn().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut said = String::new();
        // The program prints its settings, and on a new file the address of the first run, before it is ready.
        while stdout.read_line(&mut said).unwrap() > 0 && address_in(&said).is_none() {
            said.clear();
        }
        Self { child, said: said.trim().to_owned(), _stdout: stdout }
    }

    /// `shelfwise serve` with a data directory, where everybody has a paid plan.
    pub fn serve(data_dir: &Path) -> Self {
        Self::serve_with(data_dir, &[])
    }

    /// The same with more settings.
    pub fn serve_with(data_dir: &Path, settings: &[(&str, &str)]) -> Self {
        let mut command = Command::new(binary());
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("SHELFWISE_") || name == "RUST_LOG") {
            command.env_remove(name);
        }
        command.env("SHELFWISE_DEFAULT_PLAN", "shelfwise_plus").envs(settings.iter().copied());
        Self::start(command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(data_dir))
    }

    /// The address that `shelfwise serve` listens on.
    pub fn address(&self) -> SocketAddr {
        address_in(&self.said).unwrap_or_else(|| panic!("not ready: {}", self.said))
    }

    /// The processor time that the process has used so far, in milliseconds.
    pub fn processor_ms(&self) -> f64 {
        const MS_PER_TICK: f64 = 10.0;
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
        // User and system time are the 14th and 15th field; two stand before the bracket's end.
        fields.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() * MS_PER_TICK
    }

    /// The resident memory in MiB.
    pub fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kib = resident.and_then(|text| text.trim().trim_end_matches(" kB").parse::<f64>().ok());
        kib.unwrap_or(f64::NAN) / 1024.0
    }
}

/// The address that a line ends with: "Shelfwise is ready at http://127.0.0.1:8080", or several in a row.
fn address_in(line: &str) -> Option<SocketAddr> {
    line.trim().rsplit(['/', ' ']).next()?.parse().ok()
}

/// An address of this machine on which nothing listens.
pub fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
