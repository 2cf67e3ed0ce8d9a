//! `shelfwise openapi`
use std::io::Write as _;

use super::exit::{Exit, Outcome};

/// Prints the API's description.
pub fn run() -> Outcome<()> {
    let text = crate::app::description().to_pretty_json().map_err(Exit::failed)?;
    writeln!(std::io::stdout(), "{text}").map_err(Exit::failed)
}
