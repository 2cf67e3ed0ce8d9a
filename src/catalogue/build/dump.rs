//! Reads a dump, plain or packed, in threads beside the caller's: one unpacks, the others read the records.
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read, Seek as _};
use std::num::NonZero;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;

use flate2::bufread::MultiGzDecoder;

use super::{BuildError, Step};

/// The bytes that are read at once.
const BATCH: usize = 1 << 20;
/// The longest line that is read; longer ones are counted as broken.
const LONGEST_LINE: usize = 16 << 20;
/// The batches that wait between two threads.
const WAITING: usize = 3;
/// The most threads that read records.
const MOST_PARSERS: usize = 4;
/// A file without a wanted record in so many lines is refused: it is another dump.
const TRIED: u64 = 100_000;

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// A record of the wanted kind, used or not.
    Read,
    /// Another kind of record.
    Other,
    /// Not a record.
    Broken,
}

/// How many lines a file has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// All lines.
    pub lines: u64,
    /// Those with a record of the wanted kind.
    pub read: u64,
    /// Those that are not records.
    pub broken: u64,
    /// The first of those, counted from 1.
    pub first_broken: u64,
}

impl Tally {
    fn count(&mut self, fate: Fate) {
        self.lines += 1;
        match fate {
            Fate::Read => self.read += 1,
            Fate::Other => {}
            Fate::Broken => {
                self.broken += 1;
                if self.broken == 1 {
                    self.first_broken = self.lines;
                }
            }
        }
    }
}

/// The five columns of a record: type, key, revision, day of the last change, JSON. A JSON may hold further tabs.
pub struct Columns<'a> {
    /// Such as `/type/edition`.
    pub kind: &'a [u8],
    /// Such as `/books/OL1M`.
    pub key: &'a str,
    /// When it was changed: `2024-05-01T…`.
    pub changed: &'a str,
    /// The record.
    pub json: &'a [u8],
}

/// The columns of a line; `None` when there are fewer than five.
pub fn columns(line: &[u8]) -> Option<Columns<'_>> {
    let mut parts = line.splitn(5, |byte| *byte == b'\t');
    let (kind, key) = (parts.next()?, parts.next()?);
    let (_, changed) = (parts.next()?, parts.next()?);
    let text = |bytes| std::str::from_utf8(bytes).ok();
    Some(Columns { kind, key: text(key)?, changed: text(changed)?, json: parts.next()? })
}

/// Whole lines of a file, a batch after the other.
struct Batches {
    from: Box<dyn Read + Send>,
    rest: Vec<u8>,
    is_skipping: bool,
}

impl Batches {
    fn of(file: File) -> io::Result<Self> {
        let mut file = BufReader::with_capacity(BATCH / 4, file);
        let is_packed = file.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let from: Box<dyn Read + Send> = if is_packed { Box::new(MultiGzDecoder::new(file)) } else { Box::new(file) };
        Ok(Self { from, rest: Vec::new(), is_skipping: false })
    }

    fn next(&mut self) -> io::Result<Option<Vec<u8>>> {
        let mut batch = std::mem::take(&mut self.rest);
        batch.reserve(BATCH);
        loop {
            let before = batch.len();
            if self.from.by_ref().take(BATCH as u64).read_to_end(&mut batch)? == 0 {
                return Ok((!batch.is_empty()).then_some(batch));
            }
            if self.is_skipping {
                let Some(end) = batch.iter().position(|byte| *byte == b'\n') else {
                    batch.clear();
                    continue;
                };
                // The end of the line stays, so that the line is counted.
                batch.drain(..end);
                self.is_skipping = false;
            }
            let before = before.min(batch.len());
            if let Some(end) = batch[before..].iter().rposition(|byte| *byte == b'\n') {
                self.rest = batch.split_off(before + end + 1);
                return Ok(Some(batch));
            }
            if batch.len() > LONGEST_LINE {
                batch = Vec::with_capacity(BATCH);
                self.is_skipping = true;
            }
        }
    }
}

/// Reads every line of a file. `parse` puts what a line says into a batch, in other threads; `apply` gets the batches in their
/// order. An empty line counts as broken.
///
/// # Errors
/// The file can't be read, or has no record of the wanted kind.
pub fn read<B: Default + Send>(
    path: &Path,
    what: &'static str,
    watch: &mut dyn FnMut(Step),
    parse: impl Fn(&[u8], &mut B) -> Fate + Sync,
    mut apply: impl FnMut(B) -> Result<(), BuildError>,
) -> Result<Tally, BuildError> {
    let unreadable = |cause| BuildError::unreadable(path, cause);
    let file = File::open(path).map_err(unreadable)?;
    let bytes = file.metadata().map_err(unreadable)?.len();
    // Both handles are at the same place of the file.
    let mut place = file.try_clone().map_err(unreadable)?;
    let mut batches = Batches::of(file).map_err(unreadable)?;
    let mut tally = Tally::default();
    let wrong = |tally: &Tally| BuildError::NotADump { path: path.display().to_string(), what, lines: tally.lines };
    thread::scope(|scope| {
        let parse = &parse;
        // Each parser gets a batch in its turn, and its records are received in the same turn. A thread ends when its receiver has
        // ended, which happens after a failure.
        let (to_parsers, from_parsers): (Vec<_>, Vec<_>) = (0..parsers())
            .map(|_| {
                let (send_lines, lines) = sync_channel::<io::Result<Vec<u8>>>(WAITING);
                let (send_records, records) = sync_channel(WAITING);
                scope.spawn(move || {
                    for batch in lines {
                        if send_records.send(batch.map(|batch| records_of(&batch, parse))).is_err() {
                            return;
                        }
                    }
                });
                (send_lines, records)
            })
            .unzip();
        scope.spawn(move || {
            for parser in to_parsers.iter().cycle() {
                let Some(batch) = batches.next().transpose() else { return };
                let is_last = batch.is_err();
                if parser.send(batch).is_err() || is_last {
                    return;
                }
            }
        });
        for parsed in from_parsers.iter().cycle().map_while(|parser| parser.recv().ok()) {
            let (records, fates) = parsed.map_err(unreadable)?;
            fates.into_iter().for_each(|fate| tally.count(fate));
            if tally.read == 0 && tally.lines > TRIED {
                return Err(wrong(&tally));
            }
            apply(records)?;
            let share = place.stream_position().ok().filter(|_| bytes > 0).map(|done| done as f64 / bytes as f64);
            watch(Step { what, rows: tally.lines, share });
        }
        match tally.read {
            0 => Err(wrong(&tally)),
            _ => Ok(tally),
        }
    })
}

/// As many threads as there are cores, within bounds.
fn parsers() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get).min(MOST_PARSERS)
}

/// The lines of a batch without their ends. (Splitting a slice looks at one byte at a time.)
fn lines_of(mut batch: &[u8]) -> impl Iterator<Item = &[u8]> {
    std::iter::from_fn(move || {
        let mut rest = batch;
        // A slice is read without errors, and nothing is left only at the end.
        let length = rest.skip_until(b'\n').ok().filter(|length| *length > 0)?;
        let line = &batch[..length];
        batch = rest;
        Some(line.strip_suffix(b"\n").unwrap_or(line))
    })
}

/// The records of a batch, and what became of each line.
fn records_of<B: Default>(batch: &[u8], parse: &impl Fn(&[u8], &mut B) -> Fate) -> (B, Vec<Fate>) {
    let mut records = B::default();
    let fates = lines_of(batch).map(|line| parse(line.strip_suffix(b"\r").unwrap_or(line), &mut records)).collect();
    (records, fates)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn lines(content: &[u8]) -> Result<(Vec<String>, Tally), BuildError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), content).unwrap();
        let mut found = Vec::new();
        let parse = |line: &[u8], batch: &mut Vec<String>| match line {
            b"" => Fate::Broken,
            b"other" => Fate::Other,
            line => {
                batch.push(format!("{}:{}", line.len(), line[0]));
                Fate::Read
            }
        };
        let tally = read(file.path(), "lines", &mut |_| {}, parse, |batch: Vec<String>| {
            found.extend(batch);
            Ok(())
        })?;
        Ok((found, tally))
    }

    fn packed(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn lines_are_read_plain_and_packed_in_several_members() {
        let content = b"ab\r\n\nother\nc";
        let expected = vec!["2:97".to_owned(), "1:99".to_owned()];
        let tally = Tally { lines: 4, read: 2, broken: 1, first_broken: 2 };
        assert_eq!(lines(content).unwrap(), (expected.clone(), tally));
        let both = [packed(&content[..3]), packed(&content[3..])].concat();
        assert_eq!(lines(&both).unwrap(), (expected, tally));
    }

    #[test]
    fn batches_keep_their_order_whichever_thread_reads_them() {
        let longer = |number: usize| vec![b'a' + u8::try_from(number % 26).unwrap(); BATCH / 5 + number];
        let content: Vec<u8> = (0..60).flat_map(|number| [longer(number), b"\n".to_vec()].concat()).collect();
        let expected: Vec<String> =
            (0..60).map(|number| format!("{}:{}", BATCH / 5 + number, b'a' as usize + number % 26)).collect();
        assert_eq!(lines(&content).unwrap().0, expected);
    }

    #[test]
    fn a_line_without_an_end_is_not_kept_in_memory() {
        let mut content = vec![b'x'; LONGEST_LINE + 3 * BATCH];
        content.extend_from_slice(b"\nab\n");
        let (found, tally) = lines(&content).unwrap();
        assert_eq!((found, tally.lines, tally.broken), (vec!["2:97".to_owned()], 2, 1));
    }

    #[test]
    fn a_cut_file_and_one_without_records_are_refused() {
        let whole = packed(&b"a line\n".repeat(1000));
        let cut = lines(&whole[..whole.len() - 20]).unwrap_err().to_string();
        assert!(cut.contains("ends in the middle"), "{cut}");
        for content in [b"".as_slice(), b"other\nother\n"] {
            assert!(matches!(lines(content), Err(BuildError::NotADump { .. })));
        }
    }

    #[test]
    fn only_the_first_four_tabs_part_columns() {
        let found = columns(b"/type/work\t/works/OL1W\t3\t2024-05-01T00:00:00\t{\"a\":\"\t\"}").unwrap();
        assert_eq!(
            (found.key, found.changed, found.json),
            ("/works/OL1W", "2024-05-01T00:00:00", b"{\"a\":\"\t\"}".as_slice())
        );
        assert!(columns(b"/type/work\t/works/OL1W\t3").is_none());
    }
}
