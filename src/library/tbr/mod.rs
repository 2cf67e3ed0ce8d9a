//! The to-be-read list, in the order its reader gave it.
pub mod model;
