//! Reads the dumps: counts the works, and keeps editions and works in files until every work is counted.
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use super::dump::{self, Tally};
use super::pack::PackedWork;
use super::popularity::Popularity;
use super::records::{self, Batch};
use super::sorter::Sorter;
use super::{BuildError, Request, Step};

/// The most redirects that are followed, of works and of authors each.
const MOST_MOVED: usize = 1 << 20;
/// The most redirects from one to the next.
const MOST_HOPS: usize = 8;

/// What the dumps say.
pub struct Collected {
    /// The counts of all works.
    pub popularity: Popularity,
    /// The editions that are kept, in the order of the dump.
    pub editions: RecordFile,
    /// The works.
    pub works: RecordFile,
    /// The names of authors, by their numbers.
    pub names: Sorter,
    /// Works that moved.
    pub moved_works: Moved,
    /// Authors that moved.
    pub moved_authors: Moved,
    /// The lines of each file.
    pub tallies: Vec<(PathBuf, Tally)>,
    /// The day of the latest change, or nothing.
    pub changed: String,
}

/// Records that moved to other numbers.
#[derive(Default)]
pub struct Moved(HashMap<u32, u32>);

impl Moved {
    fn add(&mut self, moved: Vec<(u32, u32)>) {
        for (from, to) in moved {
            if self.0.len() < MOST_MOVED {
                self.0.insert(from, to);
            }
        }
    }

    /// Where a record is now.
    pub fn now(&self, id: u32) -> u32 {
        let hops = std::iter::successors(Some(id), |id| self.0.get(id).copied());
        hops.take(MOST_HOPS + 1).last().unwrap_or(id)
    }
}

/// Records in a file without a name.
pub struct RecordFile(BufWriter<File>);

impl RecordFile {
    fn new(folder: &Path) -> io::Result<Self> {
        Ok(Self(BufWriter::with_capacity(1 << 20, tempfile::tempfile_in(folder)?)))
    }

    /// Gives each record to `take`, in their order, and frees the file.
    ///
    /// # Errors
    /// The file can't be written or read, or `take` fails.
    pub fn drain(self, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let mut file = self.0.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        let mut from = BufReader::with_capacity(1 << 20, file);
        let (mut head, mut record) = ([0; 4], Vec::new());
        loop {
            match from.read_exact(&mut head) {
                Err(cause) if cause.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
                read => read?,
            }
            record.resize(u32::from_le_bytes(head) as usize, 0);
            from.read_exact(&mut record)?;
            take(&record)?;
        }
    }
}

/// Reads all dumps.
///
/// # Errors
/// A dump can't be read, or the folder of the catalogue can't be written.
pub fn collect(request: &Request, folder: &Path, watch: &mut dyn FnMut(Step)) -> Result<Collected, BuildError> {
    let failed = |cause: io::Error| BuildError::unwritable(folder, &cause);
    let mut popularity = Popularity::new();
    let (mut tallies, mut changed) = (Vec::new(), String::new());
    let mentions = [(&request.reading_log, "reading log"), (&request.ratings, "ratings")];
    for (path, what) in mentions.into_iter().filter_map(|(path, what)| Some((path.as_ref()?, what))) {
        let tally = dump::read(path, what, watch, records::mention, |batch: Batch| {
            for (work, _) in batch.seen {
                popularity.add(work, 1);
            }
            Ok(())
        })?;
        tallies.push((path.clone(), tally));
    }
    let later = |changed: &mut String, day: String| {
        if day > *changed {
            *changed = day;
        }
    };

    let mut editions = RecordFile::new(folder).map_err(failed)?;
    let parse = |line: &[u8], batch: &mut Batch| records::edition(line, &request.languages, batch);
    let tally = dump::read(&request.editions, "editions", watch, parse, |batch: Batch| {
        for (work, is_kept) in batch.seen {
            popularity.add(work, 1);
            if is_kept {
                popularity.keep(work);
            }
        }
        later(&mut changed, batch.changed);
        editions.0.write_all(&batch.packed).map_err(failed)
    })?;
    tallies.push((request.editions.clone(), tally));

    let (mut works, mut moved_works) = (RecordFile::new(folder).map_err(failed)?, Moved::default());
    let tally = dump::read(&request.works, "works", watch, records::work, |batch: Batch| {
        moved_works.add(batch.moved);
        later(&mut changed, batch.changed);
        works.keep_new(&batch.packed, &mut popularity).map_err(failed)
    })?;
    tallies.push((request.works.clone(), tally));

    let (mut names, mut moved_authors) = (Sorter::new(folder), Moved::default());
    let tally = dump::read(&request.authors, "authors", watch, records::author, |batch: Batch| {
        moved_authors.add(batch.moved);
        batch.names.iter().try_for_each(|(id, name)| names.push((*id).into(), name.as_bytes())).map_err(failed)
    })?;
    tallies.push((request.authors.clone(), tally));

    for from in moved_works.0.keys() {
        popularity.redirect(*from, moved_works.now(*from));
    }
    Ok(Collected { popularity, editions, works, names, moved_works, moved_authors, tallies, changed })
}

impl RecordFile {
    /// Adds the works of a batch that are not there yet.
    fn keep_new(&mut self, packed: &[u8], popularity: &mut Popularity) -> io::Result<()> {
        let mut rest = packed;
        while let Some((head, behind)) = rest.split_first_chunk::<4>() {
            let Some((record, next)) = behind.split_at_checked(u32::from_le_bytes(*head) as usize) else { break };
            let is_new =
                PackedWork::take(record).is_some_and(|work| popularity.know(work.id, !work.authors.is_empty()));
            if is_new {
                self.0.write_all(head)?;
                self.0.write_all(record)?;
            }
            rest = next;
        }
        Ok(())
    }
}
