//! The demo: a reader with six years of books, an operator of a busy server, and the owner of a team of three, each with a
//! password generated for this run. Everything is stored through the modules' own rules, so that it contains nothing that a
//! person could not have entered.
mod cover;
mod device;
mod shelf;
mod visits;
mod years;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use chrono::{Days, Months, NaiveDate};

use crate::access::{Plan, Role};
use crate::account::model::NewAccount;
use crate::account::{self, PARTS, password};
use crate::config::LimitSettings;
use crate::kit::db::pool::{Db, Tx};
use crate::kit::id::UserId;
use crate::kit::time_zone::Hemisphere;
use crate::kit::{Error, Result, random};
use crate::library::books::add::Rules;
use crate::library::books::model::{BookDraft, BookId};
use crate::library::books::store::works::Works;
use crate::library::books::store::{BookInsert, NewBook};
use crate::library::covers::model::CoverSource;
use crate::library::covers::store::CoverQuota;
use crate::library::import::complete::Restoring;
use crate::library::import::{LocalFile, Options, Reader, import_file};
use crate::library::tags::store::Shown;
use crate::library::{books, counters, covers, tags, tbr};
use crate::preferences;
use crate::preferences::model::{Preferences, StreakChoice};
use crate::reading::goals;
use crate::reading::period::Period;
use crate::sharing;
use crate::sharing::model::{NewShare, Parts, ShareKind, SharePart, ShareToken};
use crate::statistics::challenges;
use crate::statistics::challenges::model::{ChallengeDraft, ChallengeMetric};
use crate::teams;
use crate::teams::model::{Membership, TeamRole};

/// The characters of passwords, without `l` and `o`, which look like digits.
const PASSWORD_CHARACTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// How many years of books the demo reader and the team's readers have.
const READER_YEARS: u32 = 6;
const TEAM_YEARS: u32 = 2;
/// Each of the team's readers has read every so-many-th book.
const TEAM_SHARE: usize = 4;

/// How many of the reader's newest books have a cover.
const COVERS: usize = 45;
/// More room than they need.
const COVER_ROOM: CoverQuota = CoverQuota(10);

/// What an account of the demo shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A full library on Shelfwise Plus.
    Reader,
    /// The operator's pages.
    Operator,
    /// The owner of a team, with a smaller library.
    Team,
}

impl Part {
    fn plan(self) -> Option<Plan> {
        match self {
            Self::Reader => Some(Plan::ShelfwisePlus),
            Self::Operator => None,
            Self::Team => Some(Plan::ShelfwiseTeam),
        }
    }

    fn role(self) -> Role {
        if self == Self::Operator { Role::Admin } else { Role::User }
    }
}

/// An account of the demo. It is displayed as the line that a visitor signs in with: part, address, password.
#[derive(Debug, Clone)]
pub struct Person {
    part: Part,
    account: NewAccount,
    password_hash: String,
}

impl Person {
    fn new(part: Part, email: &str, name: &str) -> Result<Self> {
        let account = NewAccount::checked(email, name, new_password()?, None, part.role(), "")?;
        let password_hash = password::hash_here(&account.password)?;
        Ok(Self { part, account, password_hash })
    }
}

impl fmt::Display for Person {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = match self.part {
            Part::Reader => "reader",
            Part::Operator => "operator",
            Part::Team => "team",
        };
        write!(f, "{part:<9} {:<21} {}", self.account.email, self.account.password)
    }
}

/// The accounts of the demo, with new passwords.
pub fn people() -> Result<Vec<Person>> {
    Ok(vec![
        Person::new(Part::Reader, "demo@example.org", "Nora Lindqvist")?,
        Person::new(Part::Operator, "operator@example.org", "Ada Okafor")?,
        Person::new(Part::Team, "team@example.org", "Tomás Rivera")?,
    ])
}

/// Three groups of four characters, 60 bits: the demo may be reachable from a network, and its operator has real rights.
fn new_password() -> Result<String> {
    let bytes = random::bytes::<12>()?;
    let characters = bytes.map(|byte| char::from(PASSWORD_CHARACTERS[usize::from(byte) % PASSWORD_CHARACTERS.len()]));
    Ok(characters.chunks(4).map(String::from_iter).collect::<Vec<_>>().join("-"))
}

/// Stores the accounts and their libraries, which end yesterday.
pub fn fill(db: &Db, people: Vec<Person>) -> Result<()> {
    let reader = db.write_blocking(move |tx| add_people(tx, &people))?;
    import_former_books(db, reader)
}

/// Stores the accounts. Returns the demo reader.
fn add_people(tx: &Tx<'_>, people: &[Person]) -> Result<UserId> {
    let mut reader = None;
    for person in people {
        let user_id = account::store::create(tx, &person.account, Some(&person.password_hash))?.id;
        if let Some(plan) = person.part.plan() {
            account::user_list::grant(tx, user_id, plan)?;
        }
        match person.part {
            Part::Reader => {
                furnish_reader(tx, user_id)?;
                reader = Some(user_id);
            }
            Part::Operator => visits::furnish(tx)?,
            Part::Team => furnish_team(tx, user_id)?,
        }
    }
    reader.ok_or_else(|| Error::internal("the demo has no reader"))
}

/// Imports the books of another program, which the reader used before.
fn import_former_books(db: &Db, owner: UserId) -> Result<()> {
    let today = db.now().date_naive();
    let reader = Reader { owner, hemisphere: Hemisphere::default(), today, visible_from: None };
    let rules = Rules { book_limit: None, detect_rereads: true, quotas: LimitSettings::default().quotas() };
    let file = LocalFile {
        name: "goodreads_library_export.csv",
        bytes: include_bytes!("goodreads.csv"),
        options: Options::default(),
        sync: false,
    };
    let restoring = Restoring { parts: PARTS, covers: COVER_ROOM, preferences: false };
    import_file(db, reader, rules, file, restoring, false).map(drop)
}

fn furnish_reader(tx: &Tx<'_>, user_id: UserId) -> Result<()> {
    let mut drafts = read_until_yesterday(tx, &shelf::entries()?, READER_YEARS);
    shelf::Notes::read()?.add_to(&mut drafts);
    shelf::add_facts(&mut drafts)?;
    let reported = drafts.iter().position(|draft| draft.title == device::BOOK).and_then(|at| i64::try_from(at).ok());
    let first = add_books(tx, user_id, drafts)?;
    if let Some(at) = reported {
        device::furnish(tx, user_id, BookId(first.start + at), yesterday(tx))?;
    }
    for number in 0..COVERS {
        // The newest books are the last.
        let book = BookId(first.end - 1 - i64::try_from(number).unwrap_or(0));
        covers::store::put(tx, user_id, book, &cover::cover(number)?, CoverSource::Upload, COVER_ROOM)?;
    }
    let shown = shelf::TAGS.map(|(name, icon)| Shown { name, shelf: true, icon: Some(icon) });
    tags::store::show_new(tx, user_id, &shown)?;
    let wishes = shelf::wishes()?.into_iter().map(|wish| Ok(wish.checked()?)).collect::<Result<Vec<_>>>()?;
    tbr::store::append(tx, user_id, &wishes)?;
    let today = tx.now().date_naive();
    for (period, metric, target) in [
        (Period::year_of(today), goals::model::GoalMetric::Books, 80),
        (Period::month_of(today), goals::model::GoalMetric::Words, 900_000),
    ] {
        goals::store::put(tx, user_id, goals::model::Goal { period, metric, target, rereads: true })?;
    }
    let last_year = today.checked_sub_months(Months::new(12)).unwrap_or(today);
    let parts = Parts::of(&[SharePart::Ratings, SharePart::Covers, SharePart::Name]);
    let period = Some(Period::year_of(last_year));
    let new = NewShare { kind: ShareKind::Review, period, tag: None, parts, expires_at: None };
    sharing::store::add(tx, user_id, &new, ShareToken::new()?.hash())?;
    let found = preferences::store::find(tx, user_id)?;
    preferences::store::save(
        tx,
        user_id,
        &Preferences { auto_detect_reread: true, streak: StreakChoice::Weeks, ..found },
    )
}

/// The owner, and two members without a password, so that no one can sign in as them.
fn furnish_team(tx: &Tx<'_>, user_id: UserId) -> Result<()> {
    furnish_member(tx, user_id, 0)?;
    let own = teams::store::member_of(tx, user_id)?;
    for (email, name, first) in [("imani@example.org", "Imani Okafor", 1), ("aiko@example.org", "Aiko Tanabe", 2)] {
        let account = NewAccount::checked(email, name, new_password()?, None, Role::User, "")?;
        let user_id = account::store::create(tx, &account, None)?.id;
        teams::store::join(tx, &Membership { user_id, role: TeamRole::Member, ..own })?;
        furnish_member(tx, user_id, first)?;
    }
    let today = tx.now().date_naive();
    let past = |months| today.checked_sub_months(Months::new(months)).unwrap_or(today);
    let coming = today.checked_add_months(Months::new(1)).unwrap_or(today);
    // Two that the team has almost completed, and one that it has completed.
    for (title, metric, target, start_date, end_date) in [
        ("Five million words", ChallengeMetric::Words, 5_000_000, past(2), coming),
        ("Forty books", ChallengeMetric::Books, 40, past(2), coming),
        ("Forty books in three months", ChallengeMetric::Books, 40, past(6), past(3)),
    ] {
        let draft = ChallengeDraft { title: title.into(), metric, target, start_date, end_date };
        challenges::store::add(tx, own.team_id, draft)?;
    }
    Ok(())
}

/// Each member of the team has read other books, and shares them.
fn furnish_member(tx: &Tx<'_>, user_id: UserId, first: usize) -> Result<()> {
    let entries: Vec<_> = shelf::entries()?.into_iter().skip(first).step_by(TEAM_SHARE).collect();
    add_books(tx, user_id, read_until_yesterday(tx, &entries, TEAM_YEARS))?;
    let found = preferences::store::find(tx, user_id)?;
    preferences::store::save(tx, user_id, &Preferences { share_with_team: true, ..found })
}

/// Yesterday is over in every time zone, or is today in the last ones, so that no date is in the future.
fn yesterday(tx: &Tx<'_>) -> NaiveDate {
    let today = tx.now().date_naive();
    today.checked_sub_days(Days::new(1)).unwrap_or(today)
}

fn read_until_yesterday(tx: &Tx<'_>, entries: &[shelf::Entry], for_years: u32) -> Vec<BookDraft> {
    let last = yesterday(tx);
    let first = last.checked_sub_months(Months::new(12 * for_years)).unwrap_or(last);
    years::library(entries, first, last)
}

/// Adds books. Returns their ids.
fn add_books(tx: &Tx<'_>, user_id: UserId, drafts: Vec<BookDraft>) -> Result<Range<i64>> {
    let count = i64::try_from(drafts.len()).unwrap_or(i64::MAX);
    let first_id = counters::add_books(tx, user_id, count)?;
    let (mut works, mut bytes) = (Works::default(), 0);
    let (yesterday, mut insert) = (yesterday(tx), BookInsert::new(tx, user_id));
    for (id, draft) in (first_id..).map(BookId).zip(drafts) {
        let draft = draft.checked()?;
        let folded = books::store::folded(&draft);
        let name = (Cow::from(folded.0.to_string()), Cow::from(folded.1.to_string()));
        let work = works.add_by_name(id, draft.status, name);
        let new = NewBook { id, draft: &draft, reread: draft.reread, folded, work };
        bytes += insert.insert(&[new])?;
        for day in years::log(&draft, yesterday) {
            books::store::days::put(tx, id, &day)?;
        }
    }
    counters::add_texts(tx, user_id, bytes)?;
    Ok(first_id..first_id + count)
}
