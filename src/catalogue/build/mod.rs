//! Makes the catalogue from Open Library's dumps, in memory that does not grow with them.
//!
//! The dumps are read once each into a temporary database ([`scratch`]), which ranks the works and sorts everything by rank; then the
//! catalogue is written in that order (`docs/decisions/0059-offline-catalogue.md`).
mod dump;
mod records;
mod scratch;
mod write;

use std::fs::{self, File, TryLockError};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use chrono::{DateTime, Utc};

use super::model::About;
use super::store::{self, writer::Writer};
use crate::kit::db::backup_file::sync_folder;
use crate::kit::db::data_dir::{give_to_owner_of, make as make_folder};
use dump::Tally;
use records::Batch;
use scratch::Scratch;

/// What a catalogue is made from.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The dump of editions.
    pub editions: PathBuf,
    /// The dump of works.
    pub works: PathBuf,
    /// The dump of authors.
    pub authors: PathBuf,
    /// The dump of the reading log, which counts for popularity; `None` leaves it out.
    pub reading_log: Option<PathBuf>,
    /// The dump of ratings, which counts for popularity; `None` leaves it out.
    pub ratings: Option<PathBuf>,
    /// The tags of the languages to keep, the preferred one first; none keeps all.
    pub languages: Vec<String>,
    /// The catalogue.
    pub to: PathBuf,
}

/// How far a build is.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    /// What is being done.
    pub what: &'static str,
    /// The rows of this step so far.
    pub rows: u64,
    /// The share of this step that is done, 0 to 1, where it is known.
    pub share: Option<f64>,
}

/// A finished catalogue.
#[derive(Debug)]
pub struct Built {
    /// What it has.
    pub about: About,
    pub broken: Vec<BrokenLines>,
}

/// The lines of a dump that are no records.
#[derive(Debug)]
pub struct BrokenLines {
    pub file: String,
    pub count: u64,
    /// The number of the first one, from 1 on.
    pub first: u64,
}

/// Why there is no catalogue. Each is a sentence for the operator.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// A dump can't be read.
    #[error("{path} can't be read: {cause}")]
    Unreadable {
        /// The dump.
        path: String,
        /// The system's message.
        cause: io::Error,
    },
    /// A packed dump is not whole.
    #[error("{0} ends in the middle: please download it again")]
    Cut(String),
    /// A packed dump is damaged.
    #[error("{0} is damaged: please download it again")]
    Damaged(String),
    /// A file without the wanted records.
    #[error("{path} is not Open Library's dump of {what}: none of its {lines} lines is such a record")]
    NotADump {
        path: String,
        /// The wanted records.
        what: &'static str,
        /// The lines that were read.
        lines: u64,
    },
    /// Another build makes the same file.
    #[error("another build is writing {0}")]
    Busy(String),
    /// There is no room.
    #[error(
        "the disk of {0} is full; the catalogue needs about as much room as the packed dumps, and the same again while it is made"
    )]
    Full(String),
    /// The catalogue can't be written.
    #[error("{path} can't be written: {cause}")]
    Unwritable {
        /// The file or folder.
        path: String,
        /// The message of the system or of SQLite.
        cause: String,
    },
    /// The finished file is not sound.
    #[error("the new catalogue is damaged, so the former one was kept: {0}")]
    Unsound(String),
}

impl BuildError {
    fn unreadable(path: &Path, cause: io::Error) -> Self {
        let path = path.display().to_string();
        match cause.kind() {
            io::ErrorKind::UnexpectedEof => Self::Cut(path),
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => Self::Damaged(path),
            _ => Self::Unreadable { path, cause },
        }
    }

    fn unwritable(path: &Path, cause: &io::Error) -> Self {
        let shown = path.display().to_string();
        match cause.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full(shown),
            _ => Self::Unwritable { path: shown, cause: cause.to_string() },
        }
    }

    fn of_sqlite(path: &Path, cause: &rusqlite::Error) -> Self {
        let shown = path.display().to_string();
        match cause.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Self::Full(shown),
            _ => Self::Unwritable { path: shown, cause: cause.to_string() },
        }
    }
}

/// Makes a catalogue under another name beside its place, and moves it there when it is complete. The former one stays until then.
/// `watch` is called with the progress some times a second.
///
/// # Errors
/// [`BuildError`]; no file is left behind.
pub fn build(request: &Request, now: DateTime<Utc>, watch: &mut dyn FnMut(Step)) -> Result<Built, BuildError> {
    let inputs = [
        Some(&request.editions),
        Some(&request.works),
        Some(&request.authors),
        request.reading_log.as_ref(),
        request.ratings.as_ref(),
    ];
    for path in inputs.into_iter().flatten() {
        let found = fs::metadata(path).map_err(|cause| BuildError::unreadable(path, cause))?;
        if found.is_dir() {
            return Err(BuildError::unreadable(path, io::Error::from(io::ErrorKind::IsADirectory)));
        }
    }
    let folder = folder_of(&request.to);
    make_folder(folder).map_err(|cause| BuildError::unwritable(folder, &cause))?;
    // The folder may be reached by a link, the file may not be one.
    let whole = fs::canonicalize(folder).map_err(|cause| BuildError::unwritable(folder, &cause))?;
    let unfinished = Unfinished::beside(&whole.join(request.to.file_name().unwrap_or_default()))?;
    let made = make(request, now, &unfinished.path, watch)?;
    unfinished.finish(&request.to)?;
    Ok(made)
}

fn make(request: &Request, now: DateTime<Utc>, path: &Path, watch: &mut dyn FnMut(Step)) -> Result<Built, BuildError> {
    let of_sqlite = |cause: rusqlite::Error| BuildError::of_sqlite(path, &cause);
    let mut scratch = Scratch::create(folder_of(path), request.languages.is_empty()).map_err(of_sqlite)?;
    let (broken, changed) = read_dumps(request, &mut scratch, path, watch)?;
    let mut writer = Writer::create(path).map_err(of_sqlite)?;
    write::write(&scratch, &mut writer, watch).map_err(of_sqlite)?;
    watch(Step { what: "checking", rows: 0, share: None });
    let about = writer.finish(now, &changed, &request.languages).map_err(of_sqlite)?;
    store::check(path).map_err(|cause| BuildError::Unsound(cause.to_string()))?;
    Ok(Built { about, broken })
}

/// Reads all dumps. Returns the broken lines, and the day of the latest change or nothing.
fn read_dumps(
    request: &Request,
    scratch: &mut Scratch,
    to: &Path,
    watch: &mut dyn FnMut(Step),
) -> Result<(Vec<BrokenLines>, String), BuildError> {
    let of_sqlite = |cause: rusqlite::Error| BuildError::of_sqlite(to, &cause);
    let (mut broken, mut changed) = (Vec::new(), String::new());
    let mut note = |path: &Path, Tally { broken: count, first_broken: first, .. }: Tally| {
        broken.extend((count > 0).then(|| BrokenLines { file: path.display().to_string(), count, first }));
    };
    let later = |changed: &mut String, batch: &mut Batch| {
        if batch.changed > *changed {
            *changed = std::mem::take(&mut batch.changed);
        }
    };
    let tally = dump::read(&request.authors, "authors", watch, records::author, |batch: Batch| {
        scratch.add_authors(batch).map_err(of_sqlite)
    })?;
    note(&request.authors, tally);
    let tally = dump::read(&request.works, "works", watch, records::work, |mut batch: Batch| {
        later(&mut changed, &mut batch);
        scratch.add_works(batch).map_err(of_sqlite)
    })?;
    note(&request.works, tally);
    let parse = |line: &[u8], batch: &mut Batch| records::edition(line, &request.languages, batch);
    let tally = dump::read(&request.editions, "editions", watch, parse, |mut batch: Batch| {
        later(&mut changed, &mut batch);
        scratch.add_editions(batch).map_err(of_sqlite)
    })?;
    note(&request.editions, tally);
    let mentions = [(&request.reading_log, "reading log"), (&request.ratings, "ratings")];
    for (path, what) in mentions.into_iter().filter_map(|(path, what)| Some((path.as_ref()?, what))) {
        let tally = dump::read(path, what, watch, records::mention, |batch: Batch| {
            scratch.add_mentions(&batch).map_err(of_sqlite)
        })?;
        note(path, tally);
    }
    Ok((broken, changed))
}

/// The folder of a file.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The file of a build, which is removed unless it is finished.
struct Unfinished {
    path: PathBuf,
    file: File,
}

impl Unfinished {
    /// Takes the name beside the catalogue's, for this build alone.
    fn beside(to: &Path) -> Result<Self, BuildError> {
        let mut name = to.as_os_str().to_owned();
        name.push(".tmp");
        let path = PathBuf::from(name);
        if to.is_dir() {
            return Err(BuildError::unwritable(to, &io::Error::from(io::ErrorKind::IsADirectory)));
        }
        let failed = |cause: io::Error| BuildError::unwritable(&path, &cause);
        let mut options = File::options();
        options.create(true).truncate(false).write(true).mode(0o600);
        options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
        let file = options.open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(BuildError::Busy(path.display().to_string())),
            Err(TryLockError::Error(cause)) => return Err(failed(cause)),
        }
        let made = Self { path, file };
        made.file.set_len(0).map_err(|cause| BuildError::unwritable(&made.path, &cause))?;
        Ok(made)
    }

    /// Moves the finished file to its place, on the disk.
    fn finish(self, to: &Path) -> Result<(), BuildError> {
        let folder = folder_of(to);
        let done = give_to_owner_of(folder, &self.file).and_then(|()| self.file.sync_all());
        let done = done.and_then(|()| fs::rename(&self.path, to)).and_then(|()| sync_folder(folder));
        done.map_err(|cause| BuildError::unwritable(to, &cause))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // After a success there is no file of this name.
        let _ = fs::remove_file(&self.path);
    }
}
