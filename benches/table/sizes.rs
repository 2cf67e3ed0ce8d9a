//! Rows 13 to 16: the sizes of what is shipped and sent, and the browser's measurements.
use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use serde_json::Value;

use crate::client::{Client, Get, PACKED};
use crate::library;
use crate::measure::Goal::{AtLeast, AtMost};
use crate::measure::Table;
use crate::program::{Server, binary as program};

const KIB: f64 = 1024.0;

/// Rows 13 and 15.
pub fn rows(table: &mut Table) {
    if table.wants(13) {
        let binary = std::fs::read(program()).unwrap();
        table.row(13, "the binary, interface inside", kib(binary.len()) / KIB, " MiB", AtMost(20.0));
        let alone = f64::from(u8::from(stands_alone(&binary)));
        table.row(13, "it is position-independent and needs no other file (1 is yes)", alone, "", AtLeast(1.0));
    }
    if table.wants(15) {
        answers(table);
    }
}

fn kib(bytes: usize) -> f64 {
    f64::from(u32::try_from(bytes).unwrap()) / KIB
}

/// Whether a 64-bit ELF file is a static-pie: type DYN, and no interpreter among its program headers.
fn stands_alone(elf: &[u8]) -> bool {
    const DYN: u16 = 3;
    const INTERP: u32 = 3;
    let half = |at: usize| u16::from_le_bytes([elf[at], elf[at + 1]]);
    let word = |at: usize| u32::from_le_bytes([elf[at], elf[at + 1], elf[at + 2], elf[at + 3]]);
    let (headers, size, count) = (word(0x20) as usize, usize::from(half(0x36)), usize::from(half(0x38)));
    elf.starts_with(b"\x7fELF") && half(0x10) == DYN && (0..count).all(|n| word(headers + n * size) != INTERP)
}

fn answers(table: &mut Table) {
    let folder = tempfile::tempdir().unwrap();
    let conn = library::file(folder.path());
    let (small, middle) = (library::reader(&conn, 150), library::reader(&conn, 10_000));
    let server = Server::serve(folder.path());
    let mut client = Client::connect(server.address());
    let mut stats: Value = serde_json::from_slice(&client.get(&Get::new("/api/stats", &middle.cookie)).body).unwrap();
    for large in ["shelf", "monthlyWords"] {
        stats.as_object_mut().unwrap().remove(large).unwrap();
    }
    let rest = kib(stats.to_string().len());
    table.row(15, "/api/stats of 10,000 books without shelf and months", rest, " KiB", AtMost(8.0));
    for (reader, books, goal) in [(&small, "150", 12.0), (&middle, "10,000", 600.0)] {
        let get = Get::new("/api/books", &reader.cookie).with("Accept-Encoding", PACKED);
        let size = kib(client.get(&get).body.len());
        table.row(15, &format!("the list of {books} books, compressed"), size, " KiB", AtMost(goal));
    }
}

/// One line of the browser's measurements.
#[derive(Deserialize)]
struct Line {
    row: u32,
    what: String,
    measured: f64,
    unit: String,
    goal: f64,
}

/// Rows 14 and 16, if `CHROMIUM` names a browser.
pub fn browser(table: &mut Table) {
    if !table.wants(14) && !table.wants(16) {
        return;
    }
    if std::env::var_os("CHROMIUM").is_none() {
        table.note("CHROMIUM names no browser: rows 14 and 16 are not measured");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let conn = library::file(folder.path());
    let (small, middle) = (library::reader(&conn, 150), library::reader(&conn, 10_000));
    let server = Server::serve(folder.path());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/e2e/speed.bench.mjs");
    let said = Command::new("node")
        .arg(script)
        .args([&format!("http://{}", server.address()), &small.cookie, &middle.cookie])
        .stderr(std::process::Stdio::inherit())
        .output()
        .unwrap();
    for line in said.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let line: Line = serde_json::from_slice(line).unwrap();
        if table.wants(line.row) {
            table.row(line.row, &line.what, line.measured, &line.unit, AtMost(line.goal));
        }
    }
    assert!(said.status.success(), "the browser's measurements ended early");
}
