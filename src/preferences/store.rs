//! The table of preferences.
use rusqlite::{Connection, OptionalExtension as _, params};

use super::model::{Preferences, RatingStep};
use crate::kit::Result;
use crate::kit::db::pool::Tx;
use crate::kit::id::UserId;

const COLUMNS: &str = "theme, brightness, contrast, sepia, grayscale, default_stats_view, default_format, auto_detect_reread, \
    beta_features_enabled, share_with_team, timezone, hemisphere, rating_step, streak, goal_pace, day_starts_at, finish_by_itself";

/// Creates the row of a new account.
pub fn create(tx: &Tx<'_>, user_id: UserId, timezone: &str) -> Result<()> {
    tx.prepare_cached("INSERT INTO preferences (user_id, timezone) VALUES (?1, ?2)")?
        .execute(params![user_id, timezone])?;
    Ok(())
}

/// The stored preferences of an account, regardless of its plan.
pub fn find(conn: &Connection, user_id: UserId) -> Result<Preferences> {
    let mut query = conn.prepare_cached(&format!("SELECT {COLUMNS} FROM preferences WHERE user_id = ?1"))?;
    let found = query.query_row([user_id], |row| {
        Ok(Preferences {
            theme: row.get("theme")?,
            brightness: row.get("brightness")?,
            contrast: row.get("contrast")?,
            sepia: row.get("sepia")?,
            grayscale: row.get("grayscale")?,
            default_stats_view: row.get("default_stats_view")?,
            default_format: row.get("default_format")?,
            auto_detect_reread: row.get("auto_detect_reread")?,
            beta_features_enabled: row.get("beta_features_enabled")?,
            share_with_team: row.get("share_with_team")?,
            timezone: row.get("timezone")?,
            hemisphere: row.get("hemisphere")?,
            rating_step: if row.get::<_, i64>("rating_step")? == RatingStep::Half.tenths() {
                RatingStep::Half
            } else {
                RatingStep::Whole
            },
            streak: row.get("streak")?,
            goal_pace: row.get("goal_pace")?,
            day_starts_at: row.get("day_starts_at")?,
            finish_by_itself: row.get("finish_by_itself")?,
        })
    });
    Ok(found.optional()?.unwrap_or_default())
}

/// Replaces the stored preferences of an account.
pub fn save(tx: &Tx<'_>, user_id: UserId, new: &Preferences) -> Result<()> {
    tx.prepare_cached(&format!(
        "INSERT OR REPLACE INTO preferences (user_id, {COLUMNS}) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)"
    ))?
    .execute(params![
        user_id,
        new.theme,
        new.brightness,
        new.contrast,
        new.sepia,
        new.grayscale,
        new.default_stats_view,
        new.default_format,
        new.auto_detect_reread,
        new.beta_features_enabled,
        new.share_with_team,
        new.timezone,
        new.hemisphere,
        new.rating_step.tenths(),
        new.streak,
        new.goal_pace,
        new.day_starts_at,
        new.finish_by_itself
    ])?;
    Ok(())
}
