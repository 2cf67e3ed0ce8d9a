//! Imports of the past: the list, taking one back, its refused rows, and all of it for the complete export.
pub mod model;
pub mod store;
