//! The resources that the process uses, as reported by Linux.
use std::fs;

use rustix::process::{Resource, getrlimit};
use rustix::time::{ClockId, clock_gettime};

/// Memory, processor time and files of this process. Values that the system does not report are `None`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Process {
    /// Processor time of all threads since the start, in seconds.
    pub cpu_seconds: f64,
    /// Resident memory in bytes.
    pub resident_bytes: Option<u64>,
    /// Mapped memory in bytes.
    pub virtual_bytes: Option<u64>,
    /// Open files, including connections.
    pub open_files: Option<u64>,
    /// The limit of open files.
    pub most_files: Option<u64>,
    pub threads: Option<u64>,
}

impl Process {
    pub fn now() -> Self {
        let cpu = clock_gettime(ClockId::ProcessCPUTime);
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        Self {
            cpu_seconds: cpu.tv_sec as f64 + cpu.tv_nsec as f64 / 1e9,
            resident_bytes: number(&status, "VmRSS:").map(|kib| kib * 1024),
            virtual_bytes: number(&status, "VmSize:").map(|kib| kib * 1024),
            // The folder itself is open while it is read.
            open_files: fs::read_dir("/proc/self/fd").ok().map(|files| (files.count() as u64).saturating_sub(1)),
            most_files: getrlimit(Resource::Nofile).current,
            threads: number(&status, "Threads:"),
        }
    }
}

/// The number after a name, on its own line.
fn number(status: &str, name: &str) -> Option<u64> {
    status.lines().find_map(|line| line.strip_prefix(name))?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_reports_what_the_process_uses() {
        let process = Process::now();
        assert!(process.cpu_seconds > 0.0, "{process:?}");
        let (resident, mapped) = (process.resident_bytes.unwrap(), process.virtual_bytes.unwrap());
        assert!(resident > 100_000 && mapped >= resident, "{process:?}");
        let file = fs::File::open("/proc/self/status").unwrap();
        assert!(Process::now().open_files.unwrap() >= 3 && process.threads.unwrap() >= 1);
        drop(file);
    }

    #[test]
    fn numbers_are_read_by_their_names() {
        let status = "VmPeak:\t  1000 kB\nVmSize:\t   900 kB\nVmRSS:\t    80 kB\nThreads:\t7\n";
        assert_eq!(
            (number(status, "VmRSS:"), number(status, "Threads:"), number(status, "Nothing:")),
            (Some(80), Some(7), None)
        );
    }
}
