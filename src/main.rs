//! The `shelfwise` program.
fn main() {}
