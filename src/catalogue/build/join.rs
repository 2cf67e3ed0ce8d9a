//! Brings works, their editions and the names of their authors together, in the order of popularity, and writes them.
use std::io;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;

use super::super::store::writer::{EditionRow, Rows, WorkRow, Writer};
use super::super::words::{add_words, joined_words};
use super::collect::{Collected, Moved};
use super::pack::{Packed, PackedEdition, PackedWork, put_u64};
use super::sorter::{Groups, Sorter};
use super::{BuildError, Step};

/// The first place of the authors of an edition, behind those of its work.
const OF_EDITION: usize = 100;
/// The most editions of a work that are sorted together. A work with more has several sorted parts.
const MOST_TOGETHER: usize = 4096;
/// The titles of a work under which it is found.
const MOST_TITLES: usize = 16;
/// The authors of a book, and their length together in characters.
const MOST_AUTHORS: (usize, usize) = (20, 500);
/// The works, or the ISBNs, of a batch.
const BATCH: usize = 256;
/// The batches that wait between two threads.
const WAITING: usize = 8;

/// Works, names and editions, each by the number of the work.
pub struct Joined {
    works: Sorter,
    names: Sorter,
    editions: Sorter,
}

impl Joined {
    /// Numbers the works and sorts everything by these numbers. With `all`, works without an edition stay.
    ///
    /// # Errors
    /// The folder of the catalogue can't be written.
    pub fn of(collected: Collected, all: bool, folder: &Path) -> io::Result<Self> {
        let Collected { mut popularity, editions, works, names, moved_works, moved_authors, .. } = collected;
        popularity.number(all);
        let (mut by_number, mut links) = (Sorter::new(folder), Sorter::new(folder));
        works.drain(|record| {
            let found = PackedWork::take(record).and_then(|work| Some((popularity.number_of(work.id)?, work)));
            let Some((number, work)) = found else { return Ok(()) };
            link(&mut links, number, 0, &work.authors, &moved_authors)?;
            by_number.push(number.into(), record)
        })?;
        let mut of_editions = Sorter::new(folder);
        editions.drain(|record| {
            let Some(edition) = PackedEdition::take(record) else { return Ok(()) };
            let work = moved_works.now(edition.work);
            let number = popularity.number_of(work).unwrap_or_else(|| popularity.one_more());
            if !popularity.has_authors(work) {
                link(&mut links, number, OF_EDITION, &edition.authors, &moved_authors)?;
            }
            of_editions.push(u64::from(number) << 8 | u64::from(u8::MAX - edition.quality), record)
        })?;
        drop(popularity);
        Ok(Self { works: by_number, names: named(names, links, folder)?, editions: of_editions })
    }
}

/// Notes the authors of a work, by their numbers.
fn link(links: &mut Sorter, work: u32, first: usize, authors: &[u32], moved: &Moved) -> io::Result<()> {
    for (place, author) in (first..).zip(authors) {
        let mut record = Vec::with_capacity(8);
        put_u64(&mut record, u64::from(work) << 8 | u64::try_from(place).unwrap_or(u64::MAX).min(255));
        links.push(moved.now(*author).into(), &record)?;
    }
    Ok(())
}

/// The names of the linked authors, by the number of the work and their place in it.
fn named(names: Sorter, links: Sorter, folder: &Path) -> io::Result<Sorter> {
    let (mut names, mut links) = (names.sorted()?.peekable(), links.sorted()?);
    let mut found = Sorter::new(folder);
    let mut current: Option<(u64, Vec<u8>)> = None;
    while let Some((author, record)) = links.next()? {
        while names.next_if(|key| key < author)?.is_some() {}
        if current.as_ref().is_none_or(|(key, _)| *key != author) {
            current = names.next_if(|key| key == author)?.map(|name| (author, name));
        }
        if let (Some((_, name)), Some(place)) = (&current, Packed(&record).u64()) {
            found.push(place, name)?;
        }
    }
    Ok(found)
}

/// Writes everything: one thread makes the rows, one writes the words into the index and finishes it, and this one stores the rows.
/// Returns the stored rows, whose file is finished with [`Rows::finish`].
///
/// # Errors
/// [`BuildError`]
pub fn write(
    joined: Joined,
    writer: Writer,
    folder: &Path,
    path: &Path,
    watch: &mut dyn FnMut(Step),
) -> Result<Rows, BuildError> {
    let failed = |cause: io::Error| BuildError::unwritable(folder, &cause);
    let of_sqlite = |cause: rusqlite::Error| BuildError::of_sqlite(path, &cause);
    let (Writer { mut index, mut rows }, mut isbns) = (writer, Sorter::new(folder));
    thread::scope(|scope| {
        let (send_rows, batches) = sync_channel::<io::Result<Vec<WorkRow>>>(WAITING);
        let (send_words, words) = sync_channel::<Vec<(i64, String)>>(WAITING);
        // A thread ends when its receiver has ended, which has its own failure.
        scope.spawn(move || {
            let send = |mut rows: Vec<WorkRow>| {
                let words = rows.iter_mut().map(|row| (row.id, std::mem::take(&mut row.words))).collect();
                send_words.send(words).is_ok() && send_rows.send(Ok(rows)).is_ok()
            };
            let mut rows = Vec::with_capacity(BATCH);
            let made = make_rows(joined, &mut |row| {
                rows.push(row);
                rows.len() < BATCH || send(std::mem::replace(&mut rows, Vec::with_capacity(BATCH)))
            });
            match made {
                Ok(()) => _ = send(rows),
                Err(cause) => _ = send_rows.send(Err(cause)),
            }
        });
        let indexing = scope.spawn(move || {
            words.iter().try_for_each(|batch| index.add(&batch))?;
            index.finish()
        });
        let mut done = 0;
        for batch in batches {
            let batch = batch.map_err(failed)?;
            done += batch.len() as u64;
            for (isbn, edition) in rows.add(&batch).map_err(of_sqlite)? {
                isbns.push(isbn.cast_unsigned(), &edition.to_le_bytes()).map_err(failed)?;
            }
            watch(Step { what: "writing works", rows: done, share: None });
        }
        watch(Step { what: "writing ISBNs", rows: 0, share: None });
        write_isbns(isbns, &mut rows, folder, path)?;
        indexing.join().unwrap_or_else(|cause| resume_unwind(cause)).map_err(of_sqlite)?;
        Ok(rows)
    })
}

/// Writes the ISBNs. Of the editions of one ISBN, that of the most popular work counts.
fn write_isbns(isbns: Sorter, rows: &mut Rows, folder: &Path, path: &Path) -> Result<(), BuildError> {
    let failed = |cause: io::Error| BuildError::unwritable(folder, &cause);
    let of_sqlite = |cause: rusqlite::Error| BuildError::of_sqlite(path, &cause);
    let mut isbns = isbns.sorted().map_err(failed)?;
    let (mut last, mut batch) = (None, Vec::with_capacity(BATCH));
    while let Some((isbn, record)) = isbns.next().map_err(failed)? {
        if last.replace(isbn) == Some(isbn) {
            continue;
        }
        batch.push((isbn.cast_signed(), Packed(&record).u64().unwrap_or(0).cast_signed()));
        if batch.len() == BATCH {
            rows.add_isbns(&batch).map_err(of_sqlite)?;
            batch.clear();
        }
    }
    rows.add_isbns(&batch).map_err(of_sqlite)
}

/// Makes the rows in the order of the numbers. Ends early when a row is not wanted any more.
fn make_rows(joined: Joined, send: &mut dyn FnMut(WorkRow) -> bool) -> io::Result<()> {
    let mut works = joined.works.sorted()?.peekable();
    let mut names = joined.names.sorted()?.peekable();
    let mut editions = joined.editions.sorted()?.peekable();
    loop {
        let number = [works.key()?, editions.key()?.map(|key| key >> 8)].into_iter().flatten().min();
        let Some(number) = number else { return Ok(()) };
        let work = works.next_if(|key| key == number)?;
        while works.next_if(|key| key == number)?.is_some() {}
        let authors = authors_of(&mut names, number)?;
        let mut row: Option<WorkRow> = None;
        loop {
            let mut together = Vec::new();
            while together.len() < MOST_TOGETHER {
                match editions.next_if(|key| key >> 8 == number)? {
                    Some(edition) => together.push(edition),
                    None => break,
                }
            }
            let is_last = together.len() < MOST_TOGETHER;
            let mut found: Vec<PackedEdition<'_>> =
                together.iter().filter_map(|record| PackedEdition::take(record)).collect();
            let row = row.get_or_insert_with(|| begun(number, work.as_deref(), &authors, &found));
            add_editions(row, &mut found);
            if is_last {
                break;
            }
        }
        if let Some(row) = row.filter(|row| !row.title.is_empty())
            && !send(row)
        {
            return Ok(());
        }
    }
}

/// The names of a work's authors, once each.
fn authors_of(names: &mut Groups, number: u64) -> io::Result<Vec<String>> {
    while names.next_if(|key| key >> 8 < number)?.is_some() {}
    let (mut authors, mut length): (Vec<String>, usize) = (Vec::new(), 0);
    while let Some(name) = names.next_if(|key| key >> 8 == number)? {
        let name = String::from_utf8_lossy(&name).into_owned();
        let longer = length + name.chars().count() + 2;
        if authors.len() < MOST_AUTHORS.0 && longer <= MOST_AUTHORS.1 && !authors.contains(&name) {
            length = longer;
            authors.push(name);
        }
    }
    Ok(authors)
}

/// A work without its editions. A work that the dump of works does not have takes the title of its best edition.
fn begun(number: u64, work: Option<&[u8]>, authors: &[String], editions: &[PackedEdition<'_>]) -> WorkRow {
    let work = work.and_then(PackedWork::take).unwrap_or_default();
    let title = match (&*work.title, editions.first()) {
        ("", Some(best)) => best.title.clone(),
        _ => work.title,
    };
    let mut found_by = joined_words(&title);
    add_words(&mut found_by, &work.subtitle);
    authors.iter().for_each(|author| add_words(&mut found_by, author));
    WorkRow {
        id: number.cast_signed(),
        year: work.year,
        cover: work.cover,
        genres: work.genres,
        authors: authors.join("\u{1f}"),
        words: found_by,
        titles: 0,
        title: title.into_owned(),
        editions: Vec::new(),
    }
}

/// Adds editions to their work: first the best of each title, then the others.
fn add_editions(row: &mut WorkRow, found: &mut Vec<PackedEdition<'_>>) {
    let own = joined_words(&row.title);
    let mut titles: Vec<(String, String)> = Vec::new();
    let (mut first, mut others) = (Vec::new(), Vec::new());
    for edition in found.drain(..) {
        let title = joined_words(&edition.title);
        let is_own = title == own;
        let key = (title, edition.language.to_string());
        let is_new = row.titles + titles.len() < MOST_TITLES && !titles.contains(&key);
        let PackedEdition { format, pages, year, cover, isbns, title, subtitle, language, publisher, .. } = edition;
        if is_new {
            if !is_own {
                add_words(&mut row.words, &title);
            }
            add_words(&mut row.words, &subtitle);
            titles.push(key);
        }
        let title = (!is_own).then(|| title.into_owned());
        let (language, publisher) = (language.into_owned(), publisher.into_owned());
        let isbns = isbns.into_iter().map(u64::cast_signed).collect();
        let edition = EditionRow { title, isbns, pages, year, language, format, cover, publisher };
        if is_new { first.push(edition) } else { others.push(edition) }
    }
    row.titles += titles.len();
    row.editions.append(&mut first);
    row.editions.append(&mut others);
}
