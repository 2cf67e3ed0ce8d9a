//! Builds the user interface into the binary.
fn main() {}
