//! The `shelfwise` program.
use std::process::ExitCode;

fn main() -> ExitCode {
    shelfwise::cli::run()
}
