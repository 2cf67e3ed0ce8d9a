//! What a complete export has of goals, views and preferences, restored by an import ([`archive`](super::archive) writes it).
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::devices;
use crate::kit::Result;
use crate::kit::db::pool::Tx;
use crate::kit::http::patch_field::PatchField;
use crate::kit::id::UserId;
use crate::library::clippings;
use crate::library::import::complete::{Part, PartKind, Parts, unreadable};
use crate::library::views::model::{MOST as MOST_VIEWS, View, ViewFields};
use crate::library::views::store as views;
use crate::preferences;
use crate::preferences::model::PreferencesUpdate;
use crate::reading::goals::model::{GoalFields, GoalMetric, MOST};
use crate::reading::goals::store as goals;

const GOALS: &str = "goals.json";
const VIEWS: &str = "views.json";
const PREFERENCES: &str = "preferences.json";

/// The files of the complete export that other modules than the library restore, and what else their imports note for the undo.
pub const PARTS: Parts = &[
    Part { file: GOALS, restore: Some((PartKind::Goals, restore_goals)), undo: remove_goals },
    Part { file: VIEWS, restore: Some((PartKind::Views, restore_views)), undo: remove_views },
    Part { file: PREFERENCES, restore: Some((PartKind::Preferences, restore_preferences)), undo: former_preferences },
    devices::store::imports::PART,
    clippings::store::PART,
];

/// A goal as it stands in the archive.
#[derive(Debug, Serialize, Deserialize)]
struct StoredGoal {
    period: String,
    metric: GoalMetric,
    target: i64,
    rereads: bool,
}

/// Sets the goals for periods that have none in the same unit.
fn restore_goals(tx: &Tx<'_>, owner: UserId, file: Value) -> Result<(usize, Value)> {
    let stored: Vec<StoredGoal> = serde_json::from_value(file).map_err(|_| unreadable(GOALS))?;
    let mut made = Vec::new();
    let room = usize::try_from(MOST).unwrap_or(0).saturating_sub(goals::all(tx, owner, None)?.len());
    for goal in stored {
        let period = goal.period.parse().map_err(|_| unreadable(GOALS))?;
        if made.len() == room || goals::find(tx, owner, period, goal.metric)?.is_some() {
            continue;
        }
        let form = GoalFields { target: PatchField::Value(goal.target), rereads: PatchField::Value(goal.rereads) };
        goals::put(tx, owner, form.checked(period, goal.metric, None).map_err(|_| unreadable(GOALS))?)?;
        made.push(goal);
    }
    Ok((made.len(), serde_json::to_value(made)?))
}

/// Removes the goals that an import set and that were not changed since.
fn remove_goals(tx: &Tx<'_>, owner: UserId, made: Value) -> Result<()> {
    for goal in serde_json::from_value::<Vec<StoredGoal>>(made)? {
        let period = goal.period.parse().map_err(|_| unreadable(GOALS))?;
        let now = goals::find(tx, owner, period, goal.metric)?;
        if now.is_some_and(|now| (now.target, now.rereads) == (goal.target, goal.rereads)) {
            goals::delete(tx, owner, period, goal.metric)?;
        }
    }
    Ok(())
}

/// Adds the views whose names the account does not have.
fn restore_views(tx: &Tx<'_>, owner: UserId, file: Value) -> Result<(usize, Value)> {
    let stored: Vec<ViewFields> = serde_json::from_value(file).map_err(|_| unreadable(VIEWS))?;
    let mut made = Vec::new();
    let room = MOST_VIEWS.saturating_sub(views::list(tx, owner)?.len());
    for view in stored {
        let view = view.onto(None).map_err(|_| unreadable(VIEWS))?;
        if made.len() < room && views::find(tx, owner, &view.name)?.is_none() {
            views::add(tx, owner, &view)?;
            made.push(view);
        }
    }
    Ok((made.len(), serde_json::to_value(made)?))
}

/// Removes the views that an import added and that were not changed since.
fn remove_views(tx: &Tx<'_>, owner: UserId, made: Value) -> Result<()> {
    for view in serde_json::from_value::<Vec<View>>(made)? {
        if views::find(tx, owner, &view.name)?.is_some_and(|now| now == view) {
            views::delete(tx, owner, &view.name)?;
        }
    }
    Ok(())
}

/// The preferences before and after an import.
#[derive(Debug, Serialize, Deserialize)]
struct Replaced {
    before: Value,
    after: Value,
}

/// The preferences of the archive. What a person shares with a team is decided in that team.
fn restore_preferences(tx: &Tx<'_>, owner: UserId, file: Value) -> Result<(usize, Value)> {
    let before = preferences::store::find(tx, owner)?;
    let after = update(file)?.applied_to(before.clone()).map_err(|_| unreadable(PREFERENCES))?;
    preferences::store::save(tx, owner, &after)?;
    let made = Replaced { before: serde_json::to_value(&before)?, after: serde_json::to_value(&after)? };
    Ok((usize::from(before != after), serde_json::to_value(made)?))
}

/// Gives an account its former preferences, as far as they were not changed since.
fn former_preferences(tx: &Tx<'_>, owner: UserId, made: Value) -> Result<()> {
    let Replaced { mut before, after } = serde_json::from_value(made)?;
    let now = preferences::store::find(tx, owner)?;
    let is_changed = |key: &String, now: &Value| after.get(key) != Some(now);
    if let (Value::Object(before), Value::Object(now)) = (&mut before, serde_json::to_value(&now)?) {
        before.extend(now.into_iter().filter(|(key, value)| is_changed(key, value)));
    }
    let former = update(before)?.applied_to(now).map_err(|_| unreadable(PREFERENCES))?;
    preferences::store::save(tx, owner, &former)
}

fn update(file: Value) -> Result<PreferencesUpdate> {
    let update: PreferencesUpdate = serde_json::from_value(file).map_err(|_| unreadable(PREFERENCES))?;
    Ok(PreferencesUpdate { share_with_team: PatchField::Absent, ..update })
}
