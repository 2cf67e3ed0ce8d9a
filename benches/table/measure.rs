//! Alternating measurements, and the table.
use std::time::{Duration, Instant};

/// The goal of a row.
#[derive(Clone, Copy)]
pub enum Goal {
    AtMost(f64),
    AtLeast(f64),
}

/// The table as it is printed, row by row.
pub struct Table {
    only: Option<Vec<u32>>,
    started: Instant,
    missed: u32,
    rows: u32,
}

impl Table {
    /// Prints the head.
    pub fn start() -> Self {
        let only = std::env::var("ROWS").ok().map(|rows| rows.split(',').filter_map(|row| row.parse().ok()).collect());
        println!("| row | what | measured | goal | |\n|--:|---|--:|--:|---|");
        Self { only, started: Instant::now(), missed: 0, rows: 0 }
    }

    /// Whether a row is requested.
    pub fn wants(&self, row: u32) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(&row))
    }

    /// Prints a row. `unit` follows both numbers.
    pub fn row(&mut self, row: u32, what: &str, measured: f64, unit: &str, goal: Goal) {
        let (word, bound, met) = match goal {
            Goal::AtMost(most) => ("≤", most, measured <= most),
            Goal::AtLeast(least) => ("≥", least, measured >= least),
        };
        self.rows += 1;
        self.missed += u32::from(!met);
        let verdict = if met { "ok" } else { "miss" };
        println!("| {row} | {what} | {}{unit} | {word} {}{unit} | {verdict} |", short(measured), short(bound));
    }

    /// Prints a note below the last row of the table.
    pub fn note(&self, what: &str) {
        println!("| | {what} | | | |");
    }

    /// Prints the end.
    pub fn finish(self) {
        let seconds = self.started.elapsed().as_secs();
        println!("\n{} of {} rows meet their goal; measured in {seconds} s.", self.rows - self.missed, self.rows);
    }
}

/// A number with three significant digits.
fn short(number: f64) -> String {
    match number.abs() {
        n if n >= 100.0 => format!("{number:.0}"),
        n if n >= 10.0 => format!("{number:.1}"),
        _ => format!("{number:.2}"),
    }
}

/// The median.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The median of a ÷ b over several rounds. Each round measures both, in alternating order, so that a busy moment of the machine
/// affects both or counts as one outlier.
pub fn ratio(rounds: u32, mut a: impl FnMut() -> f64, mut b: impl FnMut() -> f64) -> f64 {
    let of = |round: u32| {
        let (first, second);
        if round.is_multiple_of(2) {
            first = a();
            second = b();
        } else {
            second = b();
            first = a();
        }
        first / second
    };
    median((0..rounds).map(of).collect())
}

/// Milliseconds of a call: the median of several.
pub fn ms(times: u32, mut call: impl FnMut()) -> f64 {
    let one = |_| {
        let started = Instant::now();
        call();
        millis(started.elapsed())
    };
    median((0..times).map(one).collect())
}

/// A duration in milliseconds.
pub fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
