//! `shelfwise openapi`
use std::io::Write as _;

use super::exit::{Exit, Outcome};

/// Prints the API description.
pub fn run() -> Outcome<()> {
    let text = crate::app::description().map_err(Exit::failed)?;
    std::io::stdout().write_all(text.as_bytes()).map_err(Exit::output)
}
