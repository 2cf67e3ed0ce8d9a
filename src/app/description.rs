//! The API's description.
//!
//! `description/openapi.json` is made from the code: from what `#[utoipa::path]` says above each handler. A test holds it to that,
//! and `make types` writes it anew. The program holds the file: what makes it is a megabyte, which every start would run.
use std::io::{self, Read as _};

use flate2::bufread::GzDecoder;

#[cfg(test)]
mod made;

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
