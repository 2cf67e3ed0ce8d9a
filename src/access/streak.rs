//! What a streak of reading counts. The names are those of the preference, which is `off` without a streak.
use crate::kit::named::named;

named! {
    /// What a streak counts.
    StreakUnit {
        /// Days.
        Days = "days",
        /// Weeks from Monday to Sunday.
        Weeks = "weeks",
    }
}
