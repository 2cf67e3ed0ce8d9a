//! The streak that an account wants, in the key of a cached answer.
use crate::access::StreakUnit;

/// The name of a question whose answer depends on the streak, which is not stored with the library.
pub fn cache_query(raw: &str, unit: Option<StreakUnit>) -> String {
    format!("{}&{raw}", unit.map_or("off", StreakUnit::name))
}
