//! A change of many books is prepared outside of the writer, and prepared again when the library was changed meanwhile.
use crate::kit::error::{Error, Result};
use crate::kit::error_code::ErrorCode;

/// How often a change is prepared.
pub const MOST_ATTEMPTS: usize = 3;

/// Counts how often a change was prepared.
#[derive(Debug, Default)]
pub struct Attempts(usize);

impl Attempts {
    /// Whether the change has to be prepared once more, after a write with this outcome.
    pub fn again<T>(&mut self, outcome: &Result<T>) -> bool {
        self.0 += 1;
        let has_changed = matches!(outcome, Err(Error::Refused(refusal)) if refusal.code == ErrorCode::LibraryChanged);
        has_changed && self.0 < MOST_ATTEMPTS
    }
}
