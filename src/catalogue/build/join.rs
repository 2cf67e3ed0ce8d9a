//! Brings works, their editions and the names of their authors together, in the order of popularity, and writes them.
use std::borrow::Cow;
use std::io;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use super::super::store::writer::{EditionRow, Rows, WorkRow, Writer};
use super::super::words::{WordList, joined_words};
use super::collect::{Collected, Moved};
use super::pack::{Packed, PackedEdition, PackedWork, put_u64};
use super::sorter::{Sorted, Sorter};
use super::{BuildError, Step};

/// The first place of the authors of an edition, behind those of its work.
const OF_EDITION: usize = 100;
/// The most editions of a work that are sorted together. A work with more has several sorted parts.
const MOST_TOGETHER: usize = 4096;
/// The titles of a work under which it is found.
const MOST_TITLES: usize = 16;
/// The authors of a book, and their length together in characters.
const MOST_AUTHORS: (usize, usize) = (20, 500);
/// The ISBNs of a batch.
const BATCH: usize = 256;
/// The bytes of a batch of words.
const WORDS: usize = 64 << 10;
/// The batches that wait for the index: 16 MiB. With as many the rows are finished first, and the ISBNs are written beside the index.
const WAITING: usize = 256;

/// Works, names and editions, each in the order of the works' numbers.
pub struct Joined {
    works: Sorted,
    names: Sorted,
    editions: Sorted,
}

impl Joined {
    /// Numbers the works and sorts everything by these numbers. With `all`, works without an edition stay.
    ///
    /// # Errors
    /// The folder of the catalogue can't be written.
    pub fn of(collected: Collected, all: bool, folder: &Path) -> io::Result<Self> {
        let Collected { mut popularity, editions, works, names, moved_works, moved_authors, .. } = collected;
        popularity.number(all);
        let (counted, mut unused) = (&popularity, popularity.first_unused()..);
        let (moved_works, moved_authors) = (&moved_works, &moved_authors);
        let (by_work, by_edition) = thread::scope(|scope| {
            let by_edition = scope.spawn(move || {
                let (mut sorted, mut links) = (Sorter::new(folder), Sorter::new(folder));
                editions.drain(|record| {
                    let Some(edition) = PackedEdition::take(record) else { return Ok(()) };
                    let work = moved_works.now(edition.work);
                    let Some(number) = counted.number_of(work).or_else(|| unused.next()) else { return Ok(()) };
                    if !counted.has_authors(work) {
                        link(&mut links, number, OF_EDITION, &edition.authors, moved_authors)?;
                    }
                    sorted.push(u64::from(number) << 8 | u64::from(u8::MAX - edition.quality), record)
                })?;
                Ok((sorted.sorted()?, links.sorted()?))
            });
            let (mut sorted, mut links) = (Sorter::new(folder), Sorter::new(folder));
            let by_work = works.drain(|record| {
                let found = PackedWork::take(record).and_then(|work| Some((counted.number_of(work.id)?, work)));
                let Some((number, work)) = found else { return Ok(()) };
                link(&mut links, number, 0, &work.authors, moved_authors)?;
                sorted.push(number.into(), record)
            });
            let by_work = by_work.and_then(|()| Ok((sorted.sorted()?, links.sorted()?)));
            let by_edition: io::Result<_> = by_edition.join().unwrap_or_else(|cause| resume_unwind(cause));
            Ok::<_, io::Error>((by_work?, by_edition?))
        })?;
        drop(popularity);
        let names = named(names.sorted()?, [by_work.1, by_edition.1], folder)?.sorted()?;
        Ok(Self { works: by_work.0, names, editions: by_edition.0 })
    }

    /// The next number, the record of its work, which is empty when there is none, and the names of its authors with U+001F between
    /// them. `None` after the last.
    fn next_work(&mut self) -> io::Result<Option<(u64, Vec<u8>, String)>> {
        let numbers = [self.works.key()?, self.editions.key()?.map(|key| key >> 8)];
        let Some(number) = numbers.into_iter().flatten().min() else { return Ok(None) };
        let work = self.works.next_if(|key| key == number)?.unwrap_or_default().to_vec();
        while self.works.next_if(|key| key == number)?.is_some() {}
        Ok(Some((number, work, authors_of(&mut self.names, number)?)))
    }

    /// The next editions of a number, at most [`MOST_TOGETHER`].
    fn next_editions(&mut self, number: u64) -> io::Result<Vec<Vec<u8>>> {
        let mut together = Vec::new();
        while together.len() < MOST_TOGETHER {
            match self.editions.next_if(|key| key >> 8 == number)? {
                Some(edition) => together.push(edition.to_vec()),
                None => break,
            }
        }
        Ok(together)
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
fn named(mut names: Sorted, mut links: [Sorted; 2], folder: &Path) -> io::Result<Sorter> {
    let mut found = Sorter::new(folder);
    loop {
        let [first, second] = &mut links;
        let Some(author) = [first.key()?, second.key()?].into_iter().flatten().min() else { return Ok(found) };
        while names.next_if(|key| key < author)?.is_some() {}
        let name = names.next_if(|key| key == author)?;
        for links in &mut links {
            while let Some(record) = links.next_if(|key| key == author)? {
                if let (Some(name), Some(place)) = (name, Packed(record).u64()) {
                    found.push(place, name)?;
                }
            }
        }
    }
}

/// Writes everything: one thread writes the words into the index and finishes it, and this one does the rest.
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
    let of_sqlite = |cause: rusqlite::Error| BuildError::of_sqlite(path, &cause);
    let Writer { mut index, mut rows } = writer;
    thread::scope(|scope| {
        let (words, batches) = sync_channel::<Vec<(i64, String)>>(WAITING);
        let indexing = scope.spawn(move || {
            batches.iter().try_for_each(|batch| index.add(&batch))?;
            index.finish()
        });
        let isbns = write_works(joined, &mut rows, words, folder, path, watch)?;
        watch(Step { what: "writing ISBNs", rows: 0, share: None });
        write_isbns(isbns, &mut rows, folder, path)?;
        indexing.join().unwrap_or_else(|cause| resume_unwind(cause)).map_err(of_sqlite)?;
        Ok(rows)
    })
}

/// Writes works and editions, and sends the words of each work. Returns the ISBNs with the numbers of their editions.
fn write_works(
    mut joined: Joined,
    rows: &mut Rows,
    words: SyncSender<Vec<(i64, String)>>,
    folder: &Path,
    path: &Path,
    watch: &mut dyn FnMut(Step),
) -> Result<Sorter, BuildError> {
    let failed = |cause: io::Error| BuildError::unwritable(folder, &cause);
    let of_sqlite = |cause: rusqlite::Error| BuildError::of_sqlite(path, &cause);
    let mut isbns = Sorter::new(folder);
    let mut inserts = rows.inserts().map_err(of_sqlite)?;
    let (mut batch, mut bytes, mut done) = (Vec::new(), 0, 0);
    while let Some((number, work, authors)) = joined.next_work().map_err(failed)? {
        let id = number.cast_signed();
        let mut together = joined.next_editions(number).map_err(failed)?;
        let work = PackedWork::take(&work).unwrap_or_default();
        // A work that the dump of works does not have takes the title of its best edition.
        let best = together.first().filter(|_| work.title.is_empty()).and_then(|best| PackedEdition::take(best));
        let title = best.map_or(work.title, |best| Cow::Owned(best.title.into_owned()));
        if title.is_empty() {
            continue;
        }
        let mut titles = Titles::of(&title, &work.subtitle, &authors);
        loop {
            let found = together.iter().filter_map(|record| PackedEdition::take(record)).collect();
            for (is_own, edition) in titles.in_order(found) {
                let PackedEdition { format, pages, year, cover, title, language, publisher, .. } = &edition;
                let title = (!is_own).then_some(&**title);
                let isbn = edition.isbns.first().map_or(0, |isbn| isbn.cast_signed());
                let (pages, year, format, cover) = (*pages, *year, *format, *cover);
                let row = EditionRow { title, isbn, pages, year, language, format, cover, publisher };
                let place = inserts.edition(id, &row).map_err(of_sqlite)?;
                for isbn in edition.isbns {
                    isbns.push(isbn, &place.to_le_bytes()).map_err(failed)?;
                }
            }
            if together.len() < MOST_TOGETHER {
                break;
            }
            together = joined.next_editions(number).map_err(failed)?;
        }
        let PackedWork { year, cover, genres, .. } = work;
        let row = WorkRow { id, year, cover, genres, authors: &authors, title: &title };
        inserts.work(&row).map_err(of_sqlite)?;
        bytes += size_of::<(i64, String)>() + titles.words.joined.len();
        batch.push((id, titles.words.joined));
        done += 1;
        if bytes >= WORDS {
            bytes = 0;
            watch(Step { what: "writing works", rows: done, share: None });
            if words.send(std::mem::take(&mut batch)).is_err() {
                break;
            }
        }
    }
    // An index that has ended has a failure of its own.
    let _ = words.send(batch);
    Ok(isbns)
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
        batch.push((isbn.cast_signed(), Packed(record).u64().unwrap_or(0).cast_signed()));
        if batch.len() == BATCH {
            rows.add_isbns(&batch).map_err(of_sqlite)?;
            batch.clear();
        }
    }
    rows.add_isbns(&batch).map_err(of_sqlite)
}

/// The names of a work's authors, once each.
fn authors_of(names: &mut Sorted, number: u64) -> io::Result<String> {
    while names.next_if(|key| key >> 8 < number)?.is_some() {}
    let (mut authors, mut count, mut length) = (String::new(), 0, 0);
    while let Some(name) = names.next_if(|key| key >> 8 == number)? {
        // Every name was a text when it was put.
        let Ok(name) = std::str::from_utf8(name) else { continue };
        let longer = length + name.chars().count() + 2;
        let is_new = !authors.split('\u{1f}').any(|known| known == name);
        if is_new && count < MOST_AUTHORS.0 && longer <= MOST_AUTHORS.1 {
            if count > 0 {
                authors.push('\u{1f}');
            }
            authors.push_str(name);
            (count, length) = (count + 1, longer);
        }
    }
    Ok(authors)
}

/// The titles and words under which a work is found.
struct Titles {
    /// The words of the work's title.
    own: String,
    /// All words.
    words: WordList,
    /// How many titles of editions are among them.
    count: usize,
}

impl Titles {
    fn of(title: &str, subtitle: &str, authors: &str) -> Self {
        let (own, mut words) = (joined_words(title), WordList::default());
        words.add(&own);
        [subtitle].into_iter().chain(authors.split('\u{1f}')).for_each(|text| words.add(&joined_words(text)));
        Self { own, words, count: 0 }
    }

    /// Adds the titles of editions, and returns the editions in the order in which they are stored: first the best of each title, then
    /// the others. The flag says whether the title is the work's.
    fn in_order<'a>(&mut self, found: Vec<PackedEdition<'a>>) -> Vec<(bool, PackedEdition<'a>)> {
        let mut titles: Vec<(String, Cow<'a, str>)> = Vec::new();
        let (mut first, mut others) = (Vec::with_capacity(found.len()), Vec::new());
        for edition in found {
            let title = joined_words(&edition.title);
            let is_own = title == self.own;
            let is_known = titles.iter().any(|(known, language)| *known == title && *language == edition.language);
            if is_known || self.count + titles.len() == MOST_TITLES {
                others.push((is_own, edition));
                continue;
            }
            if !is_own {
                self.words.add(&title);
            }
            self.words.add(&joined_words(&edition.subtitle));
            titles.push((title, edition.language.clone()));
            first.push((is_own, edition));
        }
        self.count += titles.len();
        first.append(&mut others);
        first
    }
}
