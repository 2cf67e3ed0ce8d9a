//! The key of a cached answer that contains the streak.
use crate::access::StreakUnit;

/// The query for the key of an answer that contains the streak. The preference is not a part of the library, so a change of it does not
/// raise the revision.
pub fn cache_query(raw: &str, unit: Option<StreakUnit>) -> String {
    format!("{}&{raw}", unit.map_or("off", StreakUnit::name))
}
