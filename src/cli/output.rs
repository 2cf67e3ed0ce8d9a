//! The output of commands: lines on standard output, and files.
use std::fmt::Display;
use std::fs::{self, File, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::exit::{Exit, Outcome};
use crate::kit::db::backup_file::sync_folder;

/// How many links are followed one after the other.
const MOST_LINKS: usize = 40;

/// Where the content of a file goes.
pub enum Target {
    /// To standard output.
    StandardOutput,
    /// Into an existing device or pipe.
    Stream(PathBuf),
    /// Into a new file that replaces a regular file, if there is one.
    File(PathBuf),
}

impl Target {
    /// The target of a path: `-` is standard output, links are followed.
    pub fn of(path: &Path) -> io::Result<Self> {
        if ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == Path::new(name)) {
            return Ok(Self::StandardOutput);
        }
        match fs::metadata(path) {
            Ok(found) if found.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
            // The target of an open file descriptor belongs to the process that opened it, even a regular file.
            Ok(found) if !found.is_file() || is_descriptor(path) => Ok(Self::Stream(path.to_owned())),
            Ok(_) => fs::canonicalize(path).map(Self::File),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => followed(path).map(Self::File),
            Err(cause) => Err(cause),
        }
    }

    /// Writes everything. A regular file is complete or not there at all, and only its owner can read it.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::StandardOutput => {
                let mut out = io::stdout().lock();
                out.write_all(bytes).and_then(|()| out.flush())
            }
            Self::Stream(path) => File::options().append(true).open(path)?.write_all(bytes),
            Self::File(path) => replace(path, bytes, 0o600),
        }
    }
}

/// The target of a link to a missing file.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = folder_of(&path).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links lead from one to the next"))
}

/// Whether a path refers to a file that the process has already opened.
fn is_descriptor(path: &Path) -> bool {
    let in_proc = path.starts_with("/proc") && path.parent().is_some_and(|folder| folder.ends_with("fd"));
    let standard = ["/dev/stdin", "/dev/stdout", "/dev/stderr"].iter().any(|name| path == Path::new(name));
    in_proc || standard || path.starts_with("/dev/fd")
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a file, which is complete or not there at all. `mode` says who can read it.
pub fn replace(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    let folder = folder_of(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".shelfwise-").suffix(".tmp").permissions(Permissions::from_mode(mode));
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|failed| failed.error)?;
    sync_folder(folder)
}

/// Reads a file, or standard input for `-`, up to one byte more than `most`, so that the caller can detect a file that is too
/// large.
pub fn read(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let most = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    } else {
        File::open(path)?.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// Whether a path has no meaningful file name: standard input, a pipe, an open descriptor.
pub fn is_nameless(path: &Path) -> bool {
    let is_special = || fs::metadata(path).is_ok_and(|found| !found.is_file());
    path == Path::new("-") || is_descriptor(path) || is_special()
}

/// A number of books in words: "1 book", "2 books".
pub fn books<N: Display + PartialEq + From<u8>>(count: N) -> String {
    if count == N::from(1) { "1 book".to_owned() } else { format!("{count} books") }
}

/// Prints a line on standard output.
pub fn say(sentence: &str) -> Outcome<()> {
    writeln!(io::stdout(), "{sentence}").map_err(Exit::output)
}

/// Prints a value as JSON.
pub fn print_json(value: &impl serde::Serialize) -> Outcome<()> {
    let text = serde_json::to_string_pretty(value).map_err(Exit::failed)?;
    say(&text)
}

/// Prints a table: columns as wide as their longest cell, with two spaces between them.
pub fn print_table(rows: &[Vec<String>]) -> Outcome<()> {
    let columns = rows.first().map_or(0, Vec::len);
    let wide = |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| wide(column).unwrap_or(0)).collect();
    let mut out = io::stdout().lock();
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end()).map_err(Exit::output)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_is_followed_a_pipe_is_written_into_and_only_a_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let inside = |name: &str| folder.path().join(name);
        fs::create_dir(inside("elsewhere")).unwrap();
        fs::write(inside("elsewhere/kept.csv"), "old").unwrap();
        for (link, to) in [("link", "elsewhere/kept.csv"), ("links", "link"), ("dangling", "elsewhere/new.csv")] {
            symlink(to, inside(link)).unwrap();
            Target::of(&inside(link)).unwrap().write(link.as_bytes()).unwrap();
            assert!(fs::symlink_metadata(inside(link)).unwrap().is_symlink(), "{link} was replaced");
        }
        assert_eq!(fs::read_to_string(inside("elsewhere/kept.csv")).unwrap(), "links");
        assert_eq!(fs::read_to_string(inside("elsewhere/new.csv")).unwrap(), "dangling");
        symlink("round", inside("round")).unwrap();
        assert!(Target::of(&inside("round")).is_err());
        assert!(Target::of(folder.path()).is_err());
        for device in ["/dev/null", "/dev/stderr"] {
            assert!(matches!(Target::of(Path::new(device)).unwrap(), Target::Stream(_)), "{device}");
        }
        for name in ["-", "/dev/stdout"] {
            assert!(matches!(Target::of(Path::new(name)).unwrap(), Target::StandardOutput), "{name}");
        }
    }
}
