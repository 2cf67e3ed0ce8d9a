//! What a file is before it is a table: an archive with one table in it, a spreadsheet, JSON of LibraryThing or Libby.
use std::borrow::Cow;
use std::io::{Cursor, Read as _};

use serde::Deserialize;
use serde::de::IgnoredAny;
use zip::ZipArchive;
use zip::result::ZipError;

use super::reader::{LARGEST_FILE, Unreadable};
use super::{libby_timeline, librarything_json};

/// What zip files begin with.
const ARCHIVE: &[u8] = b"PK\x03\x04";
/// What each entry of an archive's directory begins with.
const ENTRY: &[u8] = b"PK\x01\x02";
/// The most files of an archive.
const MOST_FILES: usize = 50_000;
/// How many tables of an archive are named.
const NAMED: usize = 5;

/// What the JSON files of some programs have at their top.
#[derive(Deserialize)]
struct Top {
    /// Libby's events.
    timeline: Option<IgnoredAny>,
    /// KOReader's highlights of one book.
    entries: Option<IgnoredAny>,
    /// Those of several.
    documents: Option<IgnoredAny>,
}

/// The table in a file: the file itself, the only table of an archive, or the books of LibraryThing's JSON or of Libby's timeline as a table.
///
/// # Errors
/// [`Unreadable`] for a spreadsheet, for an archive without a table or with several, for highlights, and for other JSON.
pub fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Unreadable> {
    if bytes.len() > LARGEST_FILE {
        return Err(Unreadable::TooLarge);
    }
    let table = if bytes.starts_with(ARCHIVE) { Cow::Owned(only_table(bytes)?) } else { Cow::Borrowed(bytes) };
    let json = table.trim_ascii_start();
    let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json).trim_ascii_start();
    if json.starts_with(b"{\\rtf") || !json.starts_with(b"{") {
        return Ok(libby_timeline::of_csv(&table)?.map_or(table, Cow::Owned));
    }
    let table = match serde_json::from_slice(json) {
        Ok(Top { entries: Some(_), .. } | Top { documents: Some(_), .. }) => Err(Unreadable::Highlights),
        Ok(Top { timeline: Some(_), .. }) => libby_timeline::of_json(json),
        _ => librarything_json::as_table(json),
    };
    table.map(Cow::Owned)
}

/// The only table of an archive.
fn only_table(bytes: &[u8]) -> Result<Vec<u8>, Unreadable> {
    let mut archive = opened(bytes)?.ok_or(Unreadable::Workbook)?;
    let mut names = file_names(&archive)?;
    if names.iter().any(|name| is_of_workbook(name)) {
        return Err(Unreadable::Workbook);
    }
    names.retain(|name| is_table(name));
    names.sort_unstable();
    let [name] = &names[..] else {
        return Err(if names.is_empty() { Unreadable::NoTable } else { Unreadable::SeveralTables(listed(&names)) });
    };
    read_file(&mut archive, name, LARGEST_FILE)?.ok_or(Unreadable::ClosedArchive)
}

/// Opens an archive; `None` for any other file.
///
/// # Errors
/// [`Unreadable`] for one that is damaged, or has too many files.
pub fn opened(bytes: &[u8]) -> Result<Option<ZipArchive<Cursor<&[u8]>>>, Unreadable> {
    if !bytes.starts_with(ARCHIVE) {
        return Ok(None);
    }
    // The directory is read as a whole, and takes several times its bytes in memory.
    if bytes.windows(ENTRY.len()).filter(|window| *window == ENTRY).nth(MOST_FILES).is_some() {
        return Err(Unreadable::ClosedArchive);
    }
    ZipArchive::new(Cursor::new(bytes)).map(Some).map_err(|_| damaged(bytes))
}

/// What an archive without a readable directory is, by the name of its first file: half a workbook, or half of any other archive.
fn damaged(bytes: &[u8]) -> Unreadable {
    let length = bytes.get(26..28).map_or(0, |length| usize::from(u16::from_le_bytes([length[0], length[1]])));
    let name = bytes.get(30..30 + length).and_then(|name| std::str::from_utf8(name).ok());
    if name.is_some_and(is_of_workbook) { Unreadable::Workbook } else { Unreadable::ClosedArchive }
}

/// The names of an archive's files.
///
/// # Errors
/// [`Unreadable::ClosedArchive`] for names that are not text.
pub fn file_names(archive: &ZipArchive<Cursor<&[u8]>>) -> Result<Vec<String>, Unreadable> {
    archive
        .file_names()
        .map(|name| name.map(String::from))
        .collect::<Result<_, _>>()
        .map_err(|_| Unreadable::ClosedArchive)
}

/// A file of an archive, if it is there. The size that an archive names is not trusted.
pub fn read_file(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    name: &str,
    most: usize,
) -> Result<Option<Vec<u8>>, Unreadable> {
    let file = match archive.by_name(name) {
        Ok(file) => file,
        Err(ZipError::FileNotFound) => return Ok(None),
        Err(_) => return Err(Unreadable::ClosedArchive),
    };
    let mut bytes = Vec::new();
    file.take(most as u64 + 1).read_to_end(&mut bytes).map_err(|_| Unreadable::ClosedArchive)?;
    if bytes.len() > most { Err(Unreadable::TooLarge) } else { Ok(Some(bytes)) }
}

/// Whether an entry of an archive shows that it is a workbook of Excel, LibreOffice or Numbers.
fn is_of_workbook(name: &str) -> bool {
    matches!(name, "[Content_Types].xml" | "content.xml" | "mimetype") || name.starts_with("Index/")
}

fn is_table(name: &str) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    let ending = file.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    // Macs add files about files.
    !name.starts_with("__MACOSX/")
        && !file.starts_with('.')
        && matches!(ending.as_deref(), Some("csv" | "tsv" | "txt" | "json"))
}

fn listed(names: &[String]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let named = names[..names.len() - more].join(", ");
    if more == 0 { named } else { format!("{named} and {more} more") }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use proptest::prelude::*;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            writer.start_file(*name, SimpleFileOptions::default()).unwrap();
            writer.write_all(bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    #[test]
    fn an_archive_with_one_table_is_opened() {
        let table = b"Title,Author\nDune,Frank Herbert\n";
        let packed = archive(&[("notes.pdf", b"%PDF"), ("__MACOSX/._a.csv", b"x"), ("export/a.csv", table)]);
        assert_eq!(unpacked(&packed).unwrap().as_ref(), table);
        assert_eq!(unpacked(table).unwrap().as_ref(), table);
    }

    #[test]
    fn other_archives_are_refused_with_what_to_do() {
        let two = archive(&[("b.csv", b"Title\n"), ("a.csv", b"Title\n")]);
        assert_eq!(unpacked(&two).unwrap_err(), Unreadable::SeveralTables("a.csv, b.csv".to_owned()));
        assert_eq!(unpacked(&archive(&[("cover.jpg", b"x")])).unwrap_err(), Unreadable::NoTable);
        let workbook = archive(&[("[Content_Types].xml", b"<Types/>"), ("xl/workbook.xml", b"x")]);
        assert_eq!(unpacked(&workbook).unwrap_err(), Unreadable::Workbook);
    }

    #[test]
    fn half_a_workbook_is_a_workbook_and_half_an_archive_is_damaged() {
        let half = |files: &[(&str, &[u8])]| {
            let whole = archive(files);
            unpacked(&whole[..whole.len() - 30]).unwrap_err()
        };
        assert_eq!(half(&[("[Content_Types].xml", b"<Types/>"), ("xl/workbook.xml", b"x")]), Unreadable::Workbook);
        assert_eq!(half(&[("a.csv", b"Title,Author\n")]), Unreadable::ClosedArchive);
        assert_eq!(unpacked(b"PK\x03\x04rest").unwrap_err(), Unreadable::ClosedArchive);
    }

    #[test]
    fn a_table_that_grows_past_the_limit_is_not_unpacked() {
        let packed = archive(&[("a.csv", &vec![b'a'; LARGEST_FILE + 1])]);
        assert!(packed.len() < LARGEST_FILE / 100);
        assert_eq!(unpacked(&packed).unwrap_err(), Unreadable::TooLarge);
    }

    proptest! {
        #[test]
        fn an_archive_is_one_of_its_tables_or_refused_also_when_it_is_damaged(
            files in proptest::collection::btree_map("[ab/._]{1,5}(\\.csv|\\.tsv|\\.xml)?", "[a-z,\n]{0,40}", 1..4),
            damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        ) {
            let all: Vec<_> = files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
            let mut packed = archive(&all);
            if let Ok(table) = unpacked(&packed) {
                prop_assert!(all.iter().any(|(_, text)| *text == &*table));
            }
            for (place, byte) in damage {
                let place = place.index(packed.len());
                packed[place] = byte;
            }
            let _ = unpacked(&packed);
        }
    }
}
