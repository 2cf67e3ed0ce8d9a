//! `shelfwise openapi`
use std::io::Write as _;

use super::exit::{Exit, Outcome};

/// Prints the API description.
pub fn run() -> Outcome<()> {
    std::io::stdout().write_all(crate::app::DESCRIPTION.as_bytes()).map_err(Exit::output)
}
