//! Word counts for many books without one, at once.
use chrono::NaiveDate;
use rusqlite::{Connection, OptionalExtension as _};

use super::{days, get, matching, words};
use crate::kit::db::pool::Tx;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::library::books::authors::each_author;
use crate::library::books::filter::Filter;
use crate::library::books::model::{BookFormat, BookId, WordCountSource, WordDistribution, estimated_words};
use crate::library::books::page_counts::UncountedBook;
use crate::library::counters;

/// Where books without a word count get one from: first from their pages, then the same for all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GivenWords {
    /// From their pages or their length, as far as these are known.
    pub from_pages: bool,
    /// The word count of the others.
    pub words: Option<i64>,
}

/// The visible books of a filter that have neither a word count nor pages nor a length, the newest first. `from` is the first visible
/// completion date.
pub fn uncounted(
    conn: &Connection,
    owner: UserId,
    filter: &Filter,
    from: Option<NaiveDate>,
) -> Result<Vec<UncountedBook>> {
    let mut query = conn
        .prepare_cached("SELECT isbn, title, author FROM books WHERE id = ?1 AND pages IS NULL AND minutes IS NULL")?;
    let (mut wordless, mut books) = (Vec::new(), Vec::new());
    matching(conn, owner, filter, from, |book| wordless.extend((book.word_count == 0).then_some(book.id)))?;
    for id in wordless.into_iter().rev() {
        let book = query.query_row([id], |row| {
            let authors = each_author(words(row, 2)?).map(str::to_owned).collect();
            Ok(UncountedBook { id, isbn: row.get(0)?, title: row.get(1)?, authors })
        });
        books.extend(book.optional()?);
    }
    Ok(books)
}

/// Gives books that have neither pages nor a word count their pages. Returns those that got them; the places in their logs stay.
pub fn give_pages<'p>(
    tx: &Tx<'_>,
    owner: UserId,
    pages: impl IntoIterator<Item = &'p (BookId, i64)>,
) -> Result<Vec<BookId>> {
    let sql = "UPDATE books SET pages = ?3 WHERE user_id = ?1 AND id = ?2 AND word_count = 0 AND pages IS NULL";
    let mut update = tx.prepare_cached(sql)?;
    let mut given = Vec::new();
    for (id, pages) in pages {
        if update.execute((owner, id, pages))? > 0 {
            given.push(*id);
        }
    }
    Ok(given)
}

/// Gives a read in progress the words that a program has counted in its edition, in the place of an estimate by its pages.
pub fn replace_estimate(tx: &Tx<'_>, owner: UserId, id: BookId, words: i64) -> Result<()> {
    let sql = "UPDATE books SET updated_at = ?3, changes = changes + 1, word_count = ?4, word_count_source = ?5
        WHERE user_id = ?1 AND id = ?2 AND status = 'in-progress' AND (word_count = 0 OR word_count_source = ?6)";
    let (counted, estimated) = (WordCountSource::Epub, WordCountSource::Pages);
    if tx.prepare_cached(sql)?.execute((owner, id, tx.stamp(), words, counted, estimated))? > 0 {
        counters::changed(tx, owner)?;
    }
    Ok(())
}

/// Gives books without a word count one. Returns how many got one. This is a fill-in and not a change by the reader, so that undoing an
/// import removes its books all the same.
pub fn give_words(tx: &Tx<'_>, owner: UserId, books: &[BookId], given: GivenWords) -> Result<usize> {
    let mut uncounted = tx.prepare_cached(
        "SELECT format, pages, minutes, word_distribution FROM books WHERE user_id = ?1 AND id = ?2 AND word_count = 0",
    )?;
    let mut update =
        tx.prepare_cached("UPDATE books SET updated_at = ?2, word_count = ?3, word_count_source = ?4 WHERE id = ?1")?;
    let mut count = 0;
    for id in books {
        let found = uncounted.query_row((owner, id), |row| {
            Ok((row.get::<_, BookFormat>(0)?, row.get(1)?, row.get(2)?, row.get::<_, WordDistribution>(3)?))
        });
        let Some((format, pages, minutes, distribution)) = found.optional()? else { continue };
        let estimated = estimated_words(format, pages, minutes).filter(|_| given.from_pages);
        let words = estimated.or(given.words.map(|words| (words, WordCountSource::Entered)));
        let Some((words, source)) = words else { continue };
        update.execute((id, tx.stamp(), words, source))?;
        count += 1;
        if distribution == WordDistribution::Logged {
            days::settle_months(tx, &get(tx, owner, *id)?)?;
        }
    }
    if count > 0 {
        counters::changed(tx, owner)?;
    }
    Ok(count)
}
