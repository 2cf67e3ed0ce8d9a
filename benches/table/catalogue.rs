//! Row 22: the offline catalogue.
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use shelfwise::catalogue::build::parse_record;
use shelfwise::catalogue::store::{search, side_file};

use crate::dump::{self, Dump};
use crate::measure::Goal::{AtLeast, AtMost};
use crate::measure::{Table, millis, ratio};
use crate::program::binary;

/// The editions of the dump, unless `EDITIONS` says another number.
const EDITIONS: u64 = 1_000_000;
const ROUNDS: u32 = 3;
/// How often each word is searched.
const TIMES: usize = 5;

/// Measures the row.
pub fn rows(table: &mut Table) {
    if !table.wants(22) {
        return;
    }
    let editions = std::env::var("EDITIONS").ok().and_then(|number| number.parse().ok()).unwrap_or(EDITIONS);
    let folder = tempfile::tempdir().unwrap();
    let dump = dump::large(folder.path(), editions);
    let mut most = 0.0_f64;
    let built = || build(folder.path(), &dump, &mut most);
    let measured = ratio(ROUNDS, || read_alone(&dump), built);
    let what = "building a catalogue of made-up editions against reading and parsing their lines alone, in their speed";
    table.row(22, what, measured * 100.0, " %", AtLeast(40.0));
    table.row(22, "the memory of the build", most, " MiB", AtMost(512.0));
    table.row(22, "a search, p99 over 100 words with the commonest", slowest(folder.path()), " ms", AtMost(5.0));
}

/// Milliseconds of reading every line of the dump and parsing its JSON, in one thread.
fn read_alone(dump: &Dump) -> f64 {
    let started = Instant::now();
    for path in [&dump.editions, &dump.works, &dump.authors] {
        let mut file = BufReader::with_capacity(1 << 20, File::open(path).unwrap());
        let (mut line, mut records) = (Vec::new(), 0);
        while file.read_until(b'\n', &mut line).unwrap() > 0 {
            records += u64::from(parse_record(&line));
            line.clear();
        }
        assert!(records > 0);
    }
    millis(started.elapsed())
}

/// Milliseconds of the whole command. `most` becomes the largest memory that was seen.
fn build(folder: &Path, dump: &Dump, most: &mut f64) -> f64 {
    let mut command = Command::new(binary());
    command.args(["catalogue", "build", "--data-dir"]).arg(folder).arg("--editions").arg(&dump.editions);
    command.arg("--works").arg(&dump.works).arg("--authors").arg(&dump.authors);
    command.arg("--reading-log").arg(&dump.reading_log).stdout(Stdio::null()).stderr(Stdio::null());
    let started = Instant::now();
    let mut child = command.spawn().unwrap();
    let id = child.id();
    let watching = thread::spawn(move || {
        let mut most = 0.0_f64;
        loop {
            let status = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
            let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            match peak.and_then(|text| text.trim().trim_end_matches(" kB").parse::<f64>().ok()) {
                Some(kib) => most = most.max(kib / 1024.0),
                None => return most,
            }
            thread::sleep(Duration::from_millis(20));
        }
    });
    assert!(child.wait().unwrap().success());
    let took = millis(started.elapsed());
    *most = most.max(watching.join().unwrap());
    took
}

/// The 99th of a hundred searches in milliseconds: fifty of the commonest words, alone and in pairs, and fifty of all others.
fn slowest(folder: &Path) -> f64 {
    let file = side_file(&folder.join("catalogue.db"));
    let common = (0..25).map(dump::word);
    let pairs = (0..25).map(|place| format!("{} {}", dump::word(place), dump::word(place + 1)));
    let others = (0..50).map(|place| dump::word(25 + place * place * 20));
    let words: Vec<String> = common.chain(pairs).chain(others).collect();
    let mut times = Vec::new();
    for _ in 0..TIMES {
        for word in &words {
            let started = Instant::now();
            file.read(|conn| search(conn, word)).unwrap().unwrap();
            times.push(millis(started.elapsed()));
        }
    }
    times.sort_by(f64::total_cmp);
    times[times.len() * 99 / 100]
}
