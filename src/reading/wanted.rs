//! The streak that an account wants, for the calls whose answer has one.
use crate::kit::id::UserId;
use crate::kit::{App, Result};
use crate::preferences;
use crate::preferences::model::StreakUnit;

/// The streak that an account wants. It is not stored with the library, so the key of a cached answer has it.
pub async fn wanted_streak(app: &App, owner: UserId) -> Result<Option<StreakUnit>> {
    let preferences = app.db.read(move |conn| preferences::store::find(conn, owner)).await?;
    Ok(preferences.streak.unit())
}

/// The name of a question whose answer depends on the streak.
pub fn cache_query(raw: &str, unit: Option<StreakUnit>) -> String {
    format!("{}&{raw}", unit.map_or("off", StreakUnit::name))
}
