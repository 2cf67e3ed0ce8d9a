//! `make bench`: one table of speeds, each with its goal.
//!
//! Where possible a row is a ratio of two things measured alternately in this run, so that it holds on any machine, also a busy
//! one. `docs/benchmarks.md` shows the last table and how to read it.
//!
//! `ROWS=1,7` measures only those rows. `FULL=1` adds three million rows of other readers (row 5) and upgrades three million books (row 24)
//! instead of three hundred thousand.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a bench that can't measure ends with the reason")]
#![expect(clippy::disallowed_methods, reason = "a bench runs beside the C library that it was built with")]
mod catalogue;
mod client;
mod crowd;
#[expect(dead_code, reason = "the tests use the small dump")]
#[path = "../../tests/it/support/dump.rs"]
mod dump;
mod exports;
mod imports;
mod library;
mod limits;
mod measure;
mod program;
mod reading;
mod reads;
mod sizes;
mod upgrade;
mod writes;

use measure::Table;

fn main() {
    if std::env::var_os(limits::ROLE).is_some() {
        limits::serve();
        return;
    }
    let mut table = Table::start();
    reads::rows(&mut table);
    reading::rows(&mut table);
    imports::rows(&mut table);
    exports::rows(&mut table);
    catalogue::rows(&mut table);
    writes::rows(&mut table);
    crowd::rows(&mut table);
    upgrade::rows(&mut table);
    sizes::rows(&mut table);
    sizes::browser(&mut table);
    table.finish();
}
