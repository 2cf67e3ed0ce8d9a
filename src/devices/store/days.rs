//! Writes what devices say into the log of a read.
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use chrono::{DateTime, NaiveDate, Utc};
use rusqlite::{Connection, params};

use super::{devices, documents};
use crate::devices::coverage::{self, Day, FinishReason, NotedDay, PageRow, Span, Told, merged};
use crate::kit::Result;
use crate::kit::db::pool::{Tx, owned};
use crate::kit::http::patch_field::PatchField;
use crate::kit::id::UserId;
use crate::kit::time_zone::Zone;
use crate::library::books::change::change;
use crate::library::books::log::{ReadingDay, ReadingDaySource, place_of};
use crate::library::books::model::{Book, BookId, BookStatus, LONGEST_MINUTES, WordDistribution};
use crate::library::books::payload::BookFields;
use crate::library::books::reads::MOST_DAYS;
use crate::library::books::store::{self as books, days as logs, known_day, stored};
use crate::library::counters;
use crate::preferences;

/// A finish is proposed again when the place has moved by so much since "Not yet", in hundredths of a percent.
const MOVED: i64 = 100;

/// Whose days they are, and how their devices' clocks run.
pub struct Reader {
    pub owner: UserId,
    zone: Zone,
    now: DateTime<Utc>,
    /// The minutes that a device's clock is ahead.
    clocks: HashMap<i64, i64>,
}

impl Reader {
    /// A reader with the clocks of their devices.
    pub fn new(conn: &Connection, owner: UserId, zone: Zone, now: DateTime<Utc>) -> Result<Self> {
        Ok(Self { owner, zone, now, clocks: devices::clocks(conn, owner)? })
    }

    /// The time of the call.
    pub fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// Whether a device has a login of this account.
    pub fn has_login(&self, device: i64) -> bool {
        self.clocks.contains_key(&device)
    }

    /// The reader's day of a second.
    pub fn day_of(&self, second: i64) -> NaiveDate {
        day_of(&self.zone, second)
    }

    /// The rows of documents by right clocks, without what their reader forgets.
    fn rows(&self, documents: &[documents::Stored]) -> impl Iterator<Item = PageRow> {
        documents.iter().flat_map(move |document| {
            let right = move |row: &PageRow| row.by_right_clock(self.clocks.get(&row.device).copied().unwrap_or(0));
            let counts = move |row: &PageRow| document.ignore_before.is_none_or(|from| self.day_of(row.start) >= from);
            document.rows.iter().map(right).filter(counts)
        })
    }

    /// What was read and heard of a document, without what its reader forgets.
    fn spans(&self, document: &documents::Stored) -> impl Iterator<Item = Span> {
        let counts = move |span: &Span| document.ignore_before.is_none_or(|from| self.day_of(span.start) >= from);
        let heard = document.heard.iter().copied().filter(counts);
        self.rows(std::slice::from_ref(document)).map(Span::from).chain(heard)
    }

    /// What documents say together, whichever read it is about.
    pub fn told_of(&self, documents: &[documents::Stored]) -> Told {
        self.told_within(documents, None, |_, _| true)
    }

    /// `pages` are those of the read, in which tables of days may count.
    fn told_within(
        &self,
        documents: &[documents::Stored],
        pages: Option<i64>,
        within: impl Fn(&documents::Stored, NaiveDate) -> bool,
    ) -> Told {
        let (mut spans, mut pushes, mut noted, mut finished) = (Vec::new(), Vec::new(), Vec::new(), None);
        let (mut heard, mut by_device) = (BTreeSet::new(), BTreeSet::new());
        for document in documents {
            let counts =
                |day: NaiveDate| document.ignore_before.is_none_or(|from| day >= from) && within(document, day);
            let days = if document.source.is_some() { &mut heard } else { &mut by_device };
            for span in self.spans(document).filter(|span| counts(self.day_of(span.start))) {
                days.insert(self.day_of(span.start));
                spans.push(span);
            }
            for push in document.pushes.iter().filter(|push| counts(push.day)) {
                days.insert(push.day);
                pushes.push(*push);
            }
            for one in document.noted.iter().filter(|one| counts(one.day)) {
                let of_page = one.page.zip(pages).map(|(page, pages)| place_of(page, pages));
                noted.push(NotedDay { at: one.at.or(of_page), ..*one });
            }
            finished = finished.max(document.finished_at.map(|at| self.day_of(at)).filter(|day| counts(*day)));
        }
        let mut told = coverage::told(spans, &pushes, self.now, |second| self.day_of(second));
        told.note(noted);
        for day in heard.difference(&by_device) {
            told.comes_from(*day, ReadingDaySource::Audiobookshelf);
        }
        if let Some(day) = finished {
            told.finished_on(day);
        }
        told
    }

    /// What documents say of a read: the days that are its own.
    pub fn told(&self, conn: &Connection, book: &Book<'_>, documents: &[documents::Stored]) -> Result<Told> {
        let own = OwnDays::of(conn, self.owner, book)?;
        // A start that is here stands against what was listened to before.
        let is_after_start = |day| book.start_date.is_none_or(|start| day >= start);
        Ok(self.told_within(documents, book.pages, |document, day| {
            own.has(day) && (document.source.is_none() || is_after_start(day))
        }))
    }

    /// The first day of a new reading after the end of a finished read, if there is one.
    pub fn again(&self, book: &Book<'_>, documents: &[documents::Stored]) -> Option<NaiveDate> {
        let end = end_of(book)?;
        let spans = documents.iter().flat_map(|document| self.spans(document));
        let later = spans.filter(|span| self.day_of(span.start) > end).collect();
        coverage::again::<Span>(later, |second| self.day_of(second))
    }

    /// The days that a device no longer has any row of.
    pub fn removed_there(&self, document: &documents::Stored) -> usize {
        let (mut gone, mut there) = (HashSet::new(), HashSet::new());
        for row in self.rows(std::slice::from_ref(document)) {
            if row.gone {
                gone.insert(self.day_of(row.start))
            } else {
                there.insert(self.day_of(row.start))
            };
        }
        gone.difference(&there).count()
    }
}

/// The day of a second since 1970 in a zone.
pub fn day_of(zone: &Zone, second: i64) -> NaiveDate {
    zone.day_at(DateTime::from_timestamp(second, 0).unwrap_or_default())
}

fn end_of(book: &Book<'_>) -> Option<NaiveDate> {
    match book.status {
        BookStatus::Completed => book.date_completed,
        BookStatus::DidNotFinish => book.stopped_date,
        BookStatus::InProgress | BookStatus::Undated => None,
    }
}

/// The days that a read may have: after the end of the reads before it, and up to its own.
struct OwnDays {
    after: Option<NaiveDate>,
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
    is_empty: bool,
}

impl OwnDays {
    fn of(conn: &Connection, owner: UserId, book: &Book<'_>) -> Result<Self> {
        let (first, last) = owned(owner);
        let end = end_of(book);
        let sql = "SELECT max(coalesce(date_completed, stopped_date)) FROM books
            WHERE id BETWEEN ?1 AND ?2 AND work = ?3 AND id <> ?4 AND coalesce(date_completed, stopped_date) < coalesce(?5, '9999')";
        let mut query = conn.prepare_cached(sql)?;
        let after =
            query.query_row(params![first, last, book.work, book.id, end.map(stored)], |row| books::day(row, 0))?;
        let is_finished = book.status != BookStatus::InProgress;
        Ok(Self {
            after,
            from: book.start_date.filter(|_| is_finished),
            to: end,
            is_empty: is_finished && end.is_none(),
        })
    }

    fn has(&self, day: NaiveDate) -> bool {
        !self.is_empty
            && self.after.is_none_or(|after| day > after)
            && self.from.is_none_or(|from| day >= from)
            && self.to.is_none_or(|to| day <= to)
    }
}

/// Writes what the documents of a read say into its log. What its reader wrote wins field by field, and a day that they removed stays removed.
/// A finished read takes days of the documents alone that were linked while it was open, loses none, and changes in nothing else.
pub fn settle(tx: &Tx<'_>, reader: &Reader, id: BookId) -> Result<()> {
    settle_without(tx, reader, id, None)
}

/// Does what [`settle`] does after days were taken back, which a finished read loses, too. Start and number of changes stay.
pub fn settle_without(
    tx: &Tx<'_>,
    reader: &Reader,
    id: BookId,
    taken_back: Option<&BTreeSet<NaiveDate>>,
) -> Result<()> {
    let book = books::get(tx, reader.owner, id)?;
    let is_open = book.status == BookStatus::InProgress;
    if is_open {
        tx.prepare_cached("UPDATE documents SET linked_open = 1 WHERE book_id = ?1 AND NOT linked_open")?
            .execute([id])?;
    }
    let mut documents = documents::of_book(tx, reader.owner, id)?;
    documents.retain(|document| document.linked_open);
    if let (true, None, Some(length)) = (is_open, book.minutes, documents.iter().find_map(|document| document.length)) {
        fill_length(tx, reader, &book, length)?;
    }
    let told_all = reader.told(tx, &book, &documents)?;
    let told = &told_all.days;
    let asks = is_open && taken_back.is_none() && !is_refused(&told_all, &documents);
    let end = told_all.finish(reader.now()).filter(|_| asks);
    let before = said(tx, id)?;
    let mut log: BTreeMap<_, _> = logs::of(tx, id)?.into_iter().map(|logged| (logged.day, logged)).collect();
    let mut has_changed = false;
    let days: BTreeSet<_> = told.keys().chain(before.keys()).copied().collect();
    for day in days {
        let (former, now) = (before.get(&day), told.get(&day).copied());
        let is_taken_back = taken_back.is_some_and(|days| days.contains(&day));
        if now.is_none() && !is_open && !is_taken_back {
            continue;
        }
        if former.is_some() && !log.contains_key(&day) {
            // Removed by hand.
            if let Some(now) = now {
                say(tx, id, day, Some(now))?;
            }
            continue;
        }
        let logged = log.get(&day);
        let settled = settled((day, told_all.source(day)), logged, former, now);
        if settled.as_ref() != logged {
            match &settled {
                Some(new) if logged.is_some() || log.len() < MOST_DAYS => logs::put_within_limit(tx, id, new)?,
                Some(_) => continue,
                None => logs::delete(tx, id, day)?,
            }
            has_changed = true;
            match settled {
                Some(new) => drop(log.insert(day, new)),
                None => drop(log.remove(&day)),
            }
        }
        if former.copied() != now.map(without_covered) {
            say(tx, id, day, now)?;
        }
    }
    if has_changed && taken_back.is_some() {
        counters::changed(tx, reader.owner)?;
        logs::settle_months(tx, &book)?;
    } else if has_changed {
        let is_heard = |day: &NaiveDate| told_all.source(*day) == ReadingDaySource::Audiobookshelf;
        let first = told.keys().find(|day| log.contains_key(day) && !is_heard(day));
        if let (true, Some(start), Some(first)) = (is_open, book.start_date, first)
            && *first < start
        {
            logs::move_start(tx, id, *first)?;
        }
        // Nobody has said when it began: with the first listening.
        let first = told.iter().find(|(day, said)| is_heard(day) && said.minutes.is_some()).map(|(day, _)| day);
        if let (true, None, Some(first)) = (is_open, book.start_date, first) {
            logs::move_start(tx, id, *log.keys().next().unwrap_or(first).min(first))?;
        }
        logs::touch(tx, &book)?;
        counters::changed(tx, reader.owner)?;
        logs::settle_months(tx, &books::get(tx, reader.owner, id)?)?;
    }
    let asks_first = |(_, because)| because == FinishReason::Resting;
    match end.filter(|end| !asks_first(*end)) {
        // A read whose start its reader has set later can't be finished on that day, and stays a question.
        Some((day, _))
            if preferences::store::find(tx, reader.owner)?.finish_by_itself
                && books::get(tx, reader.owner, id)?.start_date.is_none_or(|start| day >= start) =>
        {
            finish(tx, reader, id, day)?;
            // Where its reader takes that back, it is not done again at this place.
            refuse(tx, id, told_all.place())
        }
        _ => Ok(()),
    }
}

/// Notes the place at which a read is not finished.
pub fn refuse(tx: &Tx<'_>, id: BookId, place: Option<i64>) -> Result<()> {
    let sql = "UPDATE documents SET not_yet = ?2, finish_refused = finished_at WHERE book_id = ?1";
    tx.prepare_cached(sql)?.execute(params![id, place])?;
    Ok(())
}

/// Whether the reader has said "Not yet" at this place, or near it.
pub fn is_refused(told: &Told, documents: &[documents::Stored]) -> bool {
    let refused = documents.iter().find_map(|document| document.not_yet);
    refused.zip(told.place()).is_some_and(|(refused, place)| (place - refused).abs() < MOVED)
}

/// Finishes a read on a day. Its words count by its log where that has two places.
///
/// # Errors
/// [`Error::NotFound`](crate::kit::Error::NotFound); a sentence for a day that the read can't be finished on.
pub fn finish(tx: &Tx<'_>, reader: &Reader, id: BookId, day: NaiveDate) -> Result<Book<'static>> {
    let book = books::get(tx, reader.owner, id)?;
    let places = logs::of(tx, id)?.into_iter().filter(|logged| logged.at.is_some()).count();
    let distribution = if places >= 2 { PatchField::Value(WordDistribution::Logged) } else { PatchField::Absent };
    let (draft, _) = BookFields::finish(day, distribution).into_changed(&book)?;
    change(tx, reader.owner, &book, &draft, reader.day_of(reader.now().timestamp()))
}

/// Days of a document that were removed from the log of one read stay removed in that of another.
pub fn take_dismissed_along(
    tx: &Tx<'_>,
    reader: &Reader,
    document: documents::Stored,
    from: BookId,
    to: BookId,
) -> Result<()> {
    let told = reader.told_of(&[document]).days;
    for logged in logs::with_dismissed(tx, from)?.into_iter().filter(|logged| logged.dismissed) {
        if let Some(said) = told.get(&logged.day)
            && logs::on(tx, to, logged.day)?.is_none()
        {
            say(tx, to, logged.day, Some(*said))?;
        }
    }
    Ok(())
}

fn without_covered(day: Day) -> Day {
    Day { covered: None, ..day }
}

/// Fills in the length of a book that has none.
fn fill_length(tx: &Tx<'_>, reader: &Reader, book: &Book<'_>, seconds: i64) -> Result<()> {
    let mut draft = book.draft();
    draft.minutes = Some(((seconds + 30) / 60).clamp(1, LONGEST_MINUTES));
    draft.estimate_words();
    change(tx, reader.owner, book, &draft.checked()?, reader.day_of(reader.now.timestamp()))?;
    counters::changed(tx, reader.owner)
}

/// A day of a log after what devices said before has become what they say now; `None` where nothing is left of it.
fn settled(
    (day, source): (NaiveDate, ReadingDaySource),
    logged: Option<&ReadingDay>,
    before: Option<&Day>,
    now: Option<Day>,
) -> Option<ReadingDay> {
    let Some(logged) = logged else {
        let now = now?;
        let by_device = ReadingDay { source, ..ReadingDay::of(day) };
        return Some(ReadingDay { at: now.at, minutes: now.minutes, covered: now.covered, ..by_device });
    };
    let (former, now) = (before.copied().unwrap_or_default(), now.unwrap_or_default());
    // A page or a time was typed.
    let is_typed = logged.page.is_some() || logged.time.is_some();
    let at = if is_typed { logged.at } else { merged(logged.at, former.at, now.at) };
    let minutes = merged(logged.minutes, former.minutes, now.minutes);
    let is_empty = at.is_none() && minutes.is_none() && logged.note.is_none() && now == Day::default();
    let was_by_device = before.is_some() && logged.source != ReadingDaySource::Hand;
    (!(is_empty && was_by_device)).then(|| ReadingDay { at, minutes, covered: now.covered, ..logged.clone() })
}

/// What devices said of the days of a read.
fn said(conn: &Connection, id: BookId) -> Result<BTreeMap<NaiveDate, Day>> {
    let mut query = conn.prepare_cached("SELECT day, at, minutes FROM device_days WHERE book_id = ?1")?;
    let rows = query.query_map([id], |row| {
        Ok((known_day(row, 0)?, Day { at: row.get(1)?, minutes: row.get(2)?, covered: None }))
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn say(tx: &Tx<'_>, id: BookId, day: NaiveDate, now: Option<Day>) -> Result<()> {
    match now {
        Some(now) => tx
            .prepare_cached("INSERT OR REPLACE INTO device_days (book_id, day, at, minutes) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![id, stored(day), now.at, now.minutes])?,
        None => {
            tx.prepare_cached("DELETE FROM device_days WHERE book_id = ?1 AND day = ?2")?.execute((id, stored(day)))?
        }
    };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day() -> (NaiveDate, ReadingDaySource) {
        (NaiveDate::from_ymd_opt(2026, 11, 10).unwrap(), ReadingDaySource::KoReader)
    }

    fn says(at: i64, minutes: i64) -> Day {
        Day { at: Some(at), minutes: Some(minutes), covered: Some(300) }
    }

    #[test]
    fn what_a_hand_wrote_wins_field_by_field() {
        let device = settled(day(), None, None, Some(says(500, 20))).unwrap();
        assert_eq!((device.at, device.minutes, device.source), (Some(500), Some(20), ReadingDaySource::KoReader));
        // A note by hand: the device goes on with place and minutes.
        let noted = ReadingDay { note: Some("Slow.".into()), source: ReadingDaySource::Hand, ..device.clone() };
        let on = settled(day(), Some(&noted), Some(&says(500, 20)), Some(says(900, 40))).unwrap();
        assert_eq!((on.at, on.minutes, on.note.as_deref()), (Some(900), Some(40), Some("Slow.")));
        // Minutes by hand stay, the place goes on.
        let typed = ReadingDay { minutes: Some(55), source: ReadingDaySource::Hand, ..device.clone() };
        let on = settled(day(), Some(&typed), Some(&says(500, 20)), Some(says(900, 40))).unwrap();
        assert_eq!((on.at, on.minutes), (Some(900), Some(55)));
        // A page that was typed stays, also at the place that the device said.
        let page = ReadingDay { page: Some(21), ..device.clone() };
        assert_eq!(settled(day(), Some(&page), Some(&says(500, 20)), Some(says(900, 40))).unwrap().at, Some(500));
    }

    #[test]
    fn what_a_device_takes_back_goes_and_what_a_hand_wrote_does_not() {
        let device = settled(day(), None, None, Some(says(500, 20))).unwrap();
        assert_eq!(settled(day(), Some(&device), Some(&says(500, 20)), None), None);
        let noted = ReadingDay { note: Some("Slow.".into()), source: ReadingDaySource::Hand, ..device };
        let left = settled(day(), Some(&noted), Some(&says(500, 20)), None).unwrap();
        assert_eq!((left.at, left.minutes, left.covered, left.note.as_deref()), (None, None, None, Some("Slow.")));
    }
}
