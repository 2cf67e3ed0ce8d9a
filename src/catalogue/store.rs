//! The queries of the catalogue's file; [`writer`] makes it.
pub mod writer;

use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

use rusqlite::{CachedStatement, Connection, OptionalExtension as _, Row, params};

use super::closeness::TitleQuery;
use super::model::{About, FoundEdition, FoundWork, Hit};
use super::words::{match_query, words};
use crate::kit::db::side_file::{CATALOGUE, SideFile, SideFileError, open_side_file};
use crate::library::books::model::MOST_PAGES;

/// How many of the most popular works that match are compared.
const COMPARED: usize = 50;
/// The most hits of a search.
const MOST_HITS: usize = 20;
/// How many editions of a work are compared.
const EDITIONS: i64 = 16;

/// The catalogue of a path, as the server and the commands read it.
pub fn side_file(path: &Path) -> SideFile {
    SideFile::new(path, CATALOGUE)
}

/// Checks the structure of the tables of a finished catalogue.
pub fn check(path: &Path) -> Result<(), SideFileError> {
    thread::scope(|scope| {
        let checks = ["works", "editions", "isbns"].map(|table| {
            let sql = format!("PRAGMA quick_check('{table}')");
            scope.spawn(move || verdict(&open_side_file(path, CATALOGUE)?, path, &sql))
        });
        checks.into_iter().try_for_each(|check| check.join().unwrap_or_else(|cause| resume_unwind(cause)))
    })
}

/// Checks everything, the index included.
pub fn verify(path: &Path) -> Result<(), SideFileError> {
    let conn = open_side_file(path, CATALOGUE)?;
    verdict(&conn, path, "PRAGMA integrity_check(1)")
}

fn verdict(conn: &Connection, path: &Path, sql: &str) -> Result<(), SideFileError> {
    let answer = conn.query_row(sql, [], |row| row.get::<_, String>(0));
    match answer.map_err(|cause| SideFileError::damaged(path, &cause))?.as_str() {
        "ok" => Ok(()),
        fault => Err(SideFileError::damaged(path, &fault)),
    }
}

/// What the catalogue says of itself; its size is that of its pages.
pub fn about(conn: &Connection) -> rusqlite::Result<About> {
    let mut about = About::default();
    let mut query = conn.prepare("SELECT name, value FROM about")?;
    let mut rows = query.query([])?;
    while let Some(row) = rows.next()? {
        let (name, value): (String, String) = (row.get(0)?, row.get(1)?);
        let count = value.parse().unwrap_or(0);
        match name.as_str() {
            "built_at" => about.built_at = value,
            "changed" => about.changed = Some(value).filter(|day| !day.is_empty()),
            "languages" => {
                about.languages = value.split(',').filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
            }
            "works" => about.works = count,
            "editions" => about.editions = count,
            "isbns" => about.isbns = count,
            _ => {}
        }
    }
    let pages: i64 = conn.query_row("PRAGMA page_count", [], |row| row.get(0))?;
    let page: i64 = conn.query_row("PRAGMA page_size", [], |row| row.get(0))?;
    about.bytes = u64::try_from(pages * page).unwrap_or(0);
    Ok(about)
}

/// The edition with an ISBN of 13 digits.
pub fn by_isbn(conn: &Connection, isbn: &str) -> rusqlite::Result<Option<Hit>> {
    let Ok(number) = isbn.parse::<i64>() else { return Ok(None) };
    let mut edition = conn.prepare_cached(
        "SELECT e.title, e.isbn, e.pages, e.year, e.language, e.format, e.cover, e.publisher, e.work
         FROM isbns i JOIN editions e ON e.id = i.edition WHERE i.isbn = ?1",
    )?;
    let found = edition.query_row([number], |row| Ok((edition_of(row)?, row.get::<_, i64>(8)?))).optional()?;
    let Some((edition, work)) = found else { return Ok(None) };
    let work = work_query(conn)?.query_row([work], work_of).optional()?;
    Ok(work.map(|work| Hit::of(&work, Some(FoundEdition { isbn: Some(number), ..edition }))))
}

/// The books that a query means, the best first, at most 20: of the most popular works that have all its words in their titles
/// or authors, those that are closest. The last word may be the beginning of one.
pub fn search(conn: &Connection, asked: &str) -> rusqlite::Result<Vec<Hit>> {
    let Some((exact, wider)) = match_query(asked) else { return Ok(Vec::new()) };
    let mut works = matches(conn, &exact)?;
    // A beginning is asked for only where whole words do not find enough: that of a frequent word takes far longer.
    if let Some(wider) = wider.filter(|_| works.len() < COMPARED) {
        for id in matches(conn, &wider)? {
            if works.len() < COMPARED && !works.contains(&id) {
                works.push(id);
            }
        }
    }
    let asked = TitleQuery::new(asked);
    let mut titles = conn.prepare_cached("SELECT id, title FROM editions WHERE id >= ?1 AND id < min(?2, ?1 + ?3)")?;
    let mut read_work = work_query(conn)?;
    let mut found = Vec::with_capacity(works.len());
    for id in works {
        let Some(work) = read_work.query_row([id], work_of).optional()? else { continue };
        let (own, mut closest, mut best) = (asked.closeness(&work.title), i32::MIN, work.editions.0);
        let mut rows = titles.query(params![work.editions.0, work.editions.1, EDITIONS])?;
        while let Some(row) = rows.next()? {
            let close = match row.get_ref(1)?.as_str_or_null()? {
                Some(title) => asked.closeness(title),
                None => own,
            };
            if close > closest {
                (closest, best) = (close, row.get(0)?);
            }
        }
        found.push((if closest == i32::MIN { own } else { closest }, best, work));
    }
    // Equally close works stay in the order of popularity.
    found.sort_by_key(|(close, ..)| -close);
    found.truncate(MOST_HITS);
    let mut edition = conn.prepare_cached(
        "SELECT title, isbn, pages, year, language, format, cover, publisher FROM editions WHERE id = ?1",
    )?;
    found
        .into_iter()
        .map(|(_, best, work)| {
            let is_there = work.editions.0 < work.editions.1;
            let edition = if is_there { edition.query_row([best], edition_of).optional()? } else { None };
            Ok(Hit::of(&work, edition))
        })
        .collect()
}

/// The pages of the edition with an ISBN of 13 digits, if they are known and a book can have as many.
pub fn pages_of_isbn(conn: &Connection, isbn: &str) -> rusqlite::Result<Option<i64>> {
    let Ok(number) = isbn.parse::<i64>() else { return Ok(None) };
    let sql = "SELECT e.pages FROM isbns i JOIN editions e ON e.id = i.edition
        WHERE i.isbn = ?1 AND e.pages BETWEEN 1 AND ?2";
    conn.prepare_cached(sql)?.query_row((number, MOST_PAGES), |row| row.get(0)).optional()
}

/// The pages of the best edition with the same title, in the most popular work with such an edition and one of these authors. Titles and
/// names are equal when they have the same words; the words of a name may be in any order.
pub fn pages_of_title(conn: &Connection, title: &str, authors: &[String]) -> rusqlite::Result<Option<i64>> {
    let (title_words, names) = (words(title), authors.iter().map(|name| name_words(name)).collect::<Vec<_>>());
    let asked = format!("{title} {}", authors.first().map_or("", String::as_str));
    let Some((exact, _)) = match_query(&asked).filter(|_| !title_words.is_empty()) else { return Ok(None) };
    let mut read_work = work_query(conn)?;
    let mut titles =
        conn.prepare_cached("SELECT title, pages FROM editions WHERE id >= ?1 AND id < min(?2, ?1 + ?3)")?;
    for id in matches(conn, &exact)? {
        let Some(work) = read_work.query_row([id], work_of).optional()? else { continue };
        if !work.authors.iter().any(|name| names.contains(&name_words(name))) {
            continue;
        }
        let mut rows = titles.query(params![work.editions.0, work.editions.1, EDITIONS])?;
        while let Some(row) = rows.next()? {
            let edition = row.get_ref(0)?.as_str_or_null()?;
            let pages: Option<i64> = row.get(1)?;
            let pages = pages.filter(|pages| (1..=MOST_PAGES).contains(pages));
            if pages.is_some() && words(edition.unwrap_or(&work.title)) == title_words {
                return Ok(pages);
            }
        }
    }
    Ok(None)
}

/// The words of a name in the order of the alphabet, because some catalogues put the family name first.
fn name_words(name: &str) -> Vec<String> {
    let mut words = words(name);
    words.sort_unstable();
    words
}

/// The numbers of the most popular works that match.
fn matches(conn: &Connection, match_query: &str) -> rusqlite::Result<Vec<i64>> {
    let mut query = conn.prepare_cached("SELECT rowid FROM search WHERE search MATCH ?1 ORDER BY rowid LIMIT ?2")?;
    query.query_map(params![match_query, COMPARED as i64], |row| row.get(0))?.collect()
}

fn work_query(conn: &Connection) -> rusqlite::Result<CachedStatement<'_>> {
    conn.prepare_cached("SELECT title, authors, year, cover, genres, first_edition, editions FROM works WHERE id = ?1")
}

fn work_of(row: &Row<'_>) -> rusqlite::Result<FoundWork> {
    let authors: String = row.get("authors")?;
    let first: i64 = row.get("first_edition")?;
    let count: i64 = row.get("editions")?;
    Ok(FoundWork {
        title: row.get("title")?,
        authors: authors.split('\u{1f}').filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        year: row.get("year")?,
        cover: row.get("cover")?,
        genres: row.get("genres")?,
        editions: (first, first.saturating_add(count)),
    })
}

fn edition_of(row: &Row<'_>) -> rusqlite::Result<FoundEdition> {
    Ok(FoundEdition {
        title: row.get("title")?,
        isbn: row.get("isbn")?,
        pages: row.get("pages")?,
        year: row.get("year")?,
        language: row.get("language")?,
        format: row.get("format")?,
        cover: row.get("cover")?,
        publisher: row.get("publisher")?,
    })
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use proptest::prelude::*;

    use super::writer::{EditionRow, WorkRow, Writer};
    use super::*;

    /// A catalogue with one work in two editions.
    fn dune(folder: &Path) -> Connection {
        let path = folder.join("catalogue.db");
        let mut writer = Writer::create(&path).unwrap();
        let isbns = [
            EditionRow { isbn: 9_780_441_013_593, pages: 4_000_000_000, ..EditionRow::default() },
            EditionRow {
                title: Some("Der W\u{fc}stenplanet"),
                isbn: 9_783_453_186_835,
                pages: 877,
                ..EditionRow::default()
            },
        ]
        .map(|edition| (edition.isbn, writer.add_edition(1, &edition).unwrap()));
        let authors = "Frank Herbert\u{1f}Somebody Else";
        let work = WorkRow { id: 1, title: "Dune", authors, ..WorkRow::default() };
        writer.add_work(&work, "dune der wustenplanet frank herbert somebody else").unwrap();
        isbns.into_iter().for_each(|(isbn, edition)| writer.add_isbn(isbn, edition).unwrap());
        writer.finish(DateTime::default(), "", &[]).unwrap();
        open_side_file(&path, CATALOGUE).unwrap()
    }

    #[test]
    fn pages_are_those_of_the_edition_with_the_title_and_of_an_author() {
        let folder = tempfile::tempdir().unwrap();
        let conn = dune(folder.path());
        let of = |title: &str, author: &str| pages_of_title(&conn, title, &[author.to_owned()]).unwrap();
        assert_eq!(of("der wustenplanet", "HERBERT, Frank"), Some(877));
        assert_eq!(of("Der W\u{fc}stenplanet", "Somebody Else"), Some(877));
        // Another author, a part of the title, and pages that no book has.
        for (title, author) in
            [("Der W\u{fc}stenplanet", "Frank"), ("W\u{fc}stenplanet", "Frank Herbert"), ("Dune", "Frank Herbert")]
        {
            assert_eq!(of(title, author), None, "{title} by {author}");
        }
        assert_eq!(pages_of_title(&conn, "Der W\u{fc}stenplanet", &[]).unwrap(), None);
        let isbn = |isbn| pages_of_isbn(&conn, isbn).unwrap();
        assert_eq!(
            ["9783453186835", "9780441013593", "9780000000002", "", "x"].map(isbn),
            [Some(877), None, None, None, None]
        );
    }

    #[test]
    fn a_word_of_one_character_at_the_end_is_searched_for_and_may_be_a_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("catalogue.db");
        let titled = |id, title| WorkRow { id, title, ..WorkRow::default() };
        let mut works: Vec<_> = (1..=60).map(|id| titled(id, "Malcolm")).collect();
        works.extend([titled(61, "Malcolm X"), titled(62, "The Great Gatsby")]);
        let mut writer = Writer::create(&path).unwrap();
        works.iter().for_each(|work| writer.add_work(work, &work.title.to_lowercase()).unwrap());
        writer.finish(DateTime::default(), "", &[]).unwrap();
        let conn = open_side_file(&path, CATALOGUE).unwrap();
        let found = |asked: &str| search(&conn, asked).unwrap().into_iter().map(|hit| hit.title).collect::<Vec<_>>();
        let of_malcolm = found("malcolm x");
        assert!(of_malcolm.contains(&"Malcolm X".to_owned()) && of_malcolm.len() == MOST_HITS, "{of_malcolm:?}");
        assert_eq!(found("the great g"), ["The Great Gatsby"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn any_words_are_searched_without_an_error(
            asked in prop_oneof![any::<String>(), "[\"*^:(){}+ -]{0,12}(dune|OR|AND|NOT|NEAR|words)[\"*^:(){}+ -]{0,12}[a-z]{0,3}"],
            author in any::<String>(),
        ) {
            thread_local!(static FILE: (tempfile::TempDir, Connection) = {
                let folder = tempfile::tempdir().unwrap();
                let conn = dune(folder.path());
                (folder, conn)
            });
            FILE.with(|(_, conn)| {
                prop_assert!(search(conn, &asked).is_ok());
                prop_assert!(by_isbn(conn, &asked).is_ok());
                prop_assert!(pages_of_isbn(conn, &asked).is_ok());
                prop_assert!(pages_of_title(conn, &asked, std::slice::from_ref(&author)).is_ok());
                Ok(())
            })?;
        }
    }
}
