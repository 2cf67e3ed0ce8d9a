//! Books: what has been read, is being read, or was read once upon a time.
pub mod model;
pub mod payload;
