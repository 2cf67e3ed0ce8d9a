//! Sorts any number of records by a number in a bounded amount of memory: what does not fit waits, sorted, in a file without a name.
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

/// The bytes that one sorter keeps in memory before it writes a run.
const MOST_BYTES: usize = 32 << 20;
/// The bytes of a run that are read at once.
const WINDOW: usize = 64 << 10;
/// The bytes before each record of a run: its key and its length.
const HEAD: usize = 12;

/// Collects records.
pub struct Sorter {
    folder: std::path::PathBuf,
    most: usize,
    bytes: Vec<u8>,
    places: Vec<(u64, u32, u32)>,
    file: Option<File>,
    /// Where each run begins and ends.
    runs: Vec<(u64, u64)>,
}

impl Sorter {
    /// An empty sorter, whose runs go to files of a folder.
    pub fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            most: MOST_BYTES,
            bytes: Vec::new(),
            places: Vec::new(),
            file: None,
            runs: Vec::new(),
        }
    }

    /// Adds a record. Records of one key keep their order.
    ///
    /// # Errors
    /// A run can't be written.
    pub fn push(&mut self, key: u64, record: &[u8]) -> io::Result<()> {
        let used = self.bytes.len() + self.places.len() * size_of::<(u64, u32, u32)>();
        if used + record.len() > self.most && !self.places.is_empty() {
            self.write_run()?;
        }
        let (start, length) = (length_of(self.bytes.len())?, length_of(record.len())?);
        self.bytes.extend_from_slice(record);
        self.places.push((key, start, length));
        Ok(())
    }

    fn sort(&mut self) {
        self.places.sort_unstable_by_key(|(key, start, length)| (*key, *start, *length));
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.sort();
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile_in(&self.folder)?);
        }
        let Some(file) = &self.file else { return Ok(()) };
        let from = self.runs.last().map_or(0, |(_, end)| *end);
        let mut end = from;
        let mut writer = BufWriter::with_capacity(1 << 20, file);
        for (key, start, length) in self.places.drain(..) {
            writer.write_all(&key.to_le_bytes())?;
            writer.write_all(&length.to_le_bytes())?;
            writer.write_all(&self.bytes[start as usize..start as usize + length as usize])?;
            end += HEAD as u64 + u64::from(length);
        }
        writer.flush()?;
        self.bytes.clear();
        self.runs.push((from, end));
        Ok(())
    }

    /// The records in the order of their keys.
    ///
    /// # Errors
    /// A run can't be written or read.
    pub fn sorted(mut self) -> io::Result<Sorted> {
        if self.file.is_none() {
            self.sort();
            return Ok(Sorted {
                bytes: self.bytes,
                places: self.places.into_iter(),
                file: None,
                runs: Vec::new(),
                heap: BinaryHeap::new(),
                last: None,
            });
        }
        if !self.places.is_empty() {
            self.write_run()?;
        }
        let runs: Vec<Run> = self
            .runs
            .iter()
            .map(|(at, end)| Run { at: *at, end: *end, window: Vec::new(), used: 0, length: 0 })
            .collect();
        let mut sorted = Sorted {
            bytes: Vec::new(),
            places: Vec::new().into_iter(),
            file: self.file,
            runs,
            heap: BinaryHeap::new(),
            last: None,
        };
        for run in 0..sorted.runs.len() {
            sorted.advance(run)?;
        }
        Ok(sorted)
    }
}

fn length_of(bytes: usize) -> io::Result<u32> {
    u32::try_from(bytes).map_err(|_| io::Error::other("a record is too long"))
}

/// One run of a file, read through a window.
struct Run {
    at: u64,
    end: u64,
    window: Vec<u8>,
    used: usize,
    /// The length of the current record, which is the last of what is used.
    length: usize,
}

impl Run {
    /// The next bytes of the run, or `None` at its end.
    fn bytes(&mut self, file: &File, length: usize) -> io::Result<Option<&[u8]>> {
        if self.window.len() - self.used < length {
            self.window.drain(..self.used);
            self.used = 0;
            let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
            let more = left.min(WINDOW.max(length) - self.window.len());
            let old = self.window.len();
            self.window.resize(old + more, 0);
            file.read_exact_at(&mut self.window[old..], self.at)?;
            self.at += more as u64;
        }
        let from = self.used;
        match self.window.get(from..from + length) {
            Some(_) => {
                self.used += length;
                Ok(self.window.get(from..from + length))
            }
            None => Ok(None),
        }
    }

    /// Goes to the next record and returns its key; `None` at the end of the run.
    fn advance(&mut self, file: &File) -> io::Result<Option<u64>> {
        let Some(head) = self.bytes(file, HEAD)? else { return Ok(None) };
        let (key, length) = head.split_at(8);
        let key = u64::from_le_bytes(key.try_into().unwrap_or_default());
        self.length = u32::from_le_bytes(length.try_into().unwrap_or_default()) as usize;
        self.bytes(file, self.length)?;
        Ok(Some(key))
    }

    fn record(&self) -> &[u8] {
        &self.window[self.used - self.length..self.used]
    }
}

/// Sorted records, read one after the other.
pub struct Sorted {
    bytes: Vec<u8>,
    places: std::vec::IntoIter<(u64, u32, u32)>,
    file: Option<File>,
    runs: Vec<Run>,
    heap: BinaryHeap<Reverse<(u64, usize)>>,
    /// The run of the record that was returned last.
    last: Option<usize>,
}

impl Sorted {
    fn advance(&mut self, run: usize) -> io::Result<()> {
        let (Some(file), Some(from)) = (&self.file, self.runs.get_mut(run)) else { return Ok(()) };
        let key = from.advance(file)?;
        self.heap.extend(key.map(|key| Reverse((key, run))));
        Ok(())
    }

    /// The key of the next record; `None` after the last.
    ///
    /// # Errors
    /// A run can't be read.
    pub fn key(&mut self) -> io::Result<Option<u64>> {
        if let Some(run) = self.last.take() {
            self.advance(run)?;
        }
        let in_memory = self.places.as_slice().first().map(|(key, ..)| *key);
        Ok(in_memory.or_else(|| self.heap.peek().map(|Reverse((key, _))| *key)))
    }

    /// The next record with its key; `None` after the last.
    ///
    /// # Errors
    /// A run can't be read.
    pub fn next(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        let Some(key) = self.key()? else { return Ok(None) };
        if let Some((_, start, length)) = self.places.next() {
            return Ok(self.bytes.get(start as usize..start as usize + length as usize).map(|record| (key, record)));
        }
        self.last = self.heap.pop().map(|Reverse((_, run))| run);
        Ok(self.last.and_then(|run| self.runs.get(run)).map(|run| (key, run.record())))
    }

    /// The next record if its key fits.
    ///
    /// # Errors
    /// A run can't be read.
    pub fn next_if(&mut self, fits: impl Fn(u64) -> bool) -> io::Result<Option<&[u8]>> {
        match self.key()? {
            Some(key) if fits(key) => Ok(self.next()?.map(|(_, record)| record)),
            _ => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records in any order, with keys that occur several times.
    fn records() -> Vec<(u64, Vec<u8>)> {
        (0..5000_u64)
            .map(|n| ((n * 7919) % 1000, format!("{n}-{}", "x".repeat((n % 50) as usize)).into_bytes()))
            .collect()
    }

    fn sort(most: usize) -> Vec<(u64, Vec<u8>)> {
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter { most, ..Sorter::new(folder.path()) };
        for (key, record) in records() {
            sorter.push(key, &record).unwrap();
        }
        let mut sorted = sorter.sorted().unwrap();
        std::iter::from_fn(|| sorted.next().unwrap().map(|(key, record)| (key, record.to_vec()))).collect()
    }

    #[test]
    fn runs_on_the_disk_give_the_same_order_as_memory() {
        let mut expected = records();
        expected.sort_by_key(|(key, _)| *key);
        assert!(sort(MOST_BYTES) == expected);
        for most in [1, 1000, 20_000] {
            assert!(sort(most) == expected, "{most} bytes");
        }
        let long = vec![7_u8; WINDOW * 3];
        let folder = tempfile::tempdir().unwrap();
        let mut sorter = Sorter { most: 10, ..Sorter::new(folder.path()) };
        for key in [2, 1] {
            sorter.push(key, &long).unwrap();
        }
        let mut sorted = sorter.sorted().unwrap();
        assert_eq!(sorted.next_if(|key| key == 1).unwrap(), Some(long.as_slice()));
        assert_eq!(sorted.next_if(|key| key == 1).unwrap(), None);
        assert_eq!(sorted.next_if(|key| key == 2).unwrap(), Some(long.as_slice()));
        assert_eq!(sorted.key().unwrap(), None);
    }
}
