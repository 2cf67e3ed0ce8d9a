//! The open reads of a library, and how far the running goals have come.
use chrono::NaiveDate;
use rusqlite::Connection;

use super::forecast::Forecast;
use super::goals;
use super::goals::model::GoalProgress;
use super::goals::store::OpenRead;
use crate::kit::Result;
use crate::kit::id::UserId;
use crate::library::books::log::ReadingDay;
use crate::library::books::model::{BookId, ReadingProgress};
use crate::library::books::store::{self as books, Audience};

/// How far an open read has come.
pub struct OpenPlace {
    pub id: BookId,
    pub progress: Option<ReadingProgress>,
    /// Null while it is paused, with fewer than two places, and beyond 365 days.
    pub forecast: Option<Forecast>,
    pub is_paused: bool,
    /// Reads with a greater one come first.
    rank: (bool, Option<NaiveDate>, String, BookId),
}

/// The open reads in their order, and how far the goals of the running year and month have come, as an audience sees them, from one pass
/// over the library.
pub fn open_and_goals(
    conn: &Connection,
    owner: UserId,
    audience: Audience,
    today: NaiveDate,
) -> Result<(Vec<OpenPlace>, Vec<GoalProgress>)> {
    let goals = goals::store::running(conn, owner, today)?;
    let (mut tally, reads) = goals::store::count(conn, owner, audience, &goals)?;
    let mut open = Vec::with_capacity(reads.len());
    for OpenRead { id, counted, start, is_paused, updated_at } in reads {
        let log = books::days::of(conn, id)?;
        let place = |entry: &ReadingDay| Some(ReadingProgress { at: entry.at?, page: entry.page, day: entry.day });
        let progress = log.iter().rev().find_map(place);
        if let Some(place) = progress {
            tally.hold(counted, place);
        }
        let places: Vec<_> = log.iter().filter_map(|entry| Some((entry.day, entry.at?))).collect();
        let forecast = if is_paused { None } else { Forecast::of(start, &places, today) };
        let noted = log.last().map(|entry| entry.day).or(start);
        open.push(OpenPlace { id, progress, forecast, is_paused, rank: (!is_paused, noted, updated_at, id) });
    }
    open.sort_unstable_by(|one, other| other.rank.cmp(&one.rank));
    let goals = goals.into_iter().map(|goal| tally.progress(goal, today)).collect();
    Ok((open, goals))
}
