//! The API description (OpenAPI).
//!
//! `description/openapi.json` is made from the `#[utoipa::path]` attributes of the handlers. A test compares the two, and `make
//! types` updates the file. The program contains the file and not the code that makes it, which is a megabyte and would run at
//! every start.
use std::io::{self, Read as _};

use flate2::bufread::GzDecoder;

#[cfg(test)]
mod made;
#[cfg(test)]
mod parameters;

/// The description of every call, as JSON.
///
/// # Errors
/// The data packed by the build can't be unpacked.
pub fn description() -> io::Result<String> {
    let packed = include_bytes!(concat!(env!("OUT_DIR"), "/openapi.json.gz"));
    let mut text = String::new();
    GzDecoder::new(packed.as_slice()).read_to_string(&mut text)?;
    Ok(text)
}
