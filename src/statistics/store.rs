//! One pass over a reader's or a team's books for the whole dashboard.
use std::cmp::Reverse;
use std::collections::BTreeMap;

use chrono::NaiveDate;
use rusqlite::Connection;
use serde::Serialize;
use utoipa::ToSchema;

use super::model::{Found, NameSums, Sum, Tally, WordsByFormat, WordsByName, ranked_formats};
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::authors::each_author;
use crate::library::books::filter::{BookRow, Filter, is_visible};
use crate::library::books::model::each_genre;
use crate::library::books::store::{self, Audience};
use crate::teams::store::Sharing;

/// The result of one pass over a reader's library.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scanned {
    /// The statistics of the filter.
    pub found: Found,
    /// The number of books, of every status.
    pub total: i64,
    /// The number of visible books, regardless of the filter.
    pub visible: i64,
}

/// Scans what an audience sees of a library once. `from` is the first visible completion date.
pub fn scan(
    conn: &Connection,
    owner: UserId,
    audience: Audience,
    filter: &Filter,
    today: NaiveDate,
    from: Option<NaiveDate>,
) -> Result<Scanned> {
    let mut tally = Tally::new(today);
    let (mut total, mut visible) = (0, 0);
    let reads = store::works::Members::of(conn, owner, filter)?;
    let lengths = store::lengths(conn, owner)?;
    store::scan(conn, owner, audience, |book| {
        total += 1;
        if is_visible(book.date_completed, from) {
            visible += 1;
            if reads.has(book.id) && filter.matches(book) {
                tally.add(book);
                add_minutes(&mut tally, &lengths, book);
            } else {
                tally.pass_over(book);
            }
        }
    })?;
    add_logged(conn, owner, &mut tally)?;
    Ok(Scanned { found: tally.finish(), total, visible })
}

fn add_minutes(tally: &mut Tally, lengths: &store::Lengths, book: &BookRow<'_>) {
    if let Some(minutes) = lengths.get(&book.id) {
        tally.add_minutes(book, *minutes);
    }
}

/// Adds the months of the books that are counted by their log. Both stand in the order of ids; a library without such books is not
/// read again.
fn add_logged(conn: &Connection, owner: UserId, tally: &mut Tally) -> Result<()> {
    let logged = tally.take_logged();
    if logged.is_empty() {
        return Ok(());
    }
    store::days::each_month(conn, owner, |id, month, words| {
        if logged.binary_search(&id).is_ok() {
            tally.add_logged(month, words);
        }
    })
}

/// One member's part of a team's statistics.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberContribution {
    /// The account's id.
    #[schema(value_type = i64)]
    pub user_id: UserId,
    /// The person's display name.
    pub display_name: String,
    /// Words of the finished books that match the filter.
    pub words: i64,
    /// Finished books that match the filter.
    pub books: i64,
}

/// Scans the finished books of the members who share with their team, each library once. Returns the members, too, most words
/// first.
pub fn scan_team(
    conn: &Connection,
    sharing: Vec<Sharing>,
    filter: &Filter,
    today: NaiveDate,
    from: Option<NaiveDate>,
) -> Result<(Scanned, Vec<MemberContribution>)> {
    let mut tally = Tally::of_team(today);
    let filter = &filter.without_facts();
    let (mut total, mut visible, mut members) = (0, 0, Vec::new());
    for Sharing { user_id, display_name } in sharing {
        let mut sum = Sum::default();
        let reads = store::works::Members::of(conn, user_id, filter)?;
        let lengths = store::lengths(conn, user_id)?;
        store::scan(conn, user_id, Audience::Others, |book| {
            if !book.status.is_finished() {
                return;
            }
            total += 1;
            if is_visible(book.date_completed, from) {
                visible += 1;
                if reads.has(book.id) && filter.matches(book) {
                    tally.add(book);
                    add_minutes(&mut tally, &lengths, book);
                    sum.add_if(book.word_count, true);
                } else {
                    tally.pass_over(book);
                }
            }
        })?;
        add_logged(conn, user_id, &mut tally)?;
        members.push(MemberContribution { user_id, display_name, words: sum.words, books: sum.books });
    }
    members.sort_by_key(|member| Reverse(member.words));
    Ok((Scanned { found: tally.finish(), total, visible }, members))
}

/// The options of the filter controls: over all visible books, with words and books of the finished ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Most words first.
    pub genres: Vec<WordsByName>,
    /// Most words first.
    pub authors: Vec<WordsByName>,
    /// Most words first.
    pub formats: Vec<WordsByFormat>,
}

/// Scans a library once for the options of the filter.
pub fn options(conn: &Connection, owner: UserId, audience: Audience, from: Option<NaiveDate>) -> Result<Options> {
    options_of(conn, &[owner], audience, |book| is_visible(book.date_completed, from))
}

/// The same for the finished books of the members who share.
pub fn team_options(conn: &Connection, sharing: &[Sharing], from: Option<NaiveDate>) -> Result<Options> {
    let owners: Vec<_> = sharing.iter().map(|member| member.user_id).collect();
    options_of(conn, &owners, Audience::Others, |book| {
        book.status.is_finished() && is_visible(book.date_completed, from)
    })
}

fn options_of(
    conn: &Connection,
    owners: &[UserId],
    audience: Audience,
    shows: impl Fn(&BookRow<'_>) -> bool,
) -> Result<Options> {
    let (mut genres, mut authors) = (NameSums::genres(), NameSums::authors());
    let mut formats = BTreeMap::<_, Sum>::new();
    for owner in owners {
        store::scan(conn, *owner, audience, |book| {
            if shows(book) {
                let (words, finished) = (book.word_count, book.status.is_finished());
                authors.add(each_author(book.author), words, finished);
                genres.add(each_genre(book.genres), words, finished);
                formats.entry(book.format).or_default().add_if(words, finished);
            }
        })?;
    }
    Ok(Options {
        genres: genres.ranked(),
        authors: authors.ranked(),
        formats: ranked_formats(&formats, &BTreeMap::new()),
    })
}
