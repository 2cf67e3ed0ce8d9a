//! The complete export as a file to import: one archive with books, list, covers and shelves, and with files of other modules.
//!
//! Books and list become one table, which is read like any other. [`Complete::restore`] restores the other files in the same transaction,
//! and the undo of the import takes them back.
use std::collections::{HashMap, HashSet};
use std::io::Cursor;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use zip::ZipArchive;

use super::columns::folded;
use super::reader::{LARGEST_FILE, MOST_COLUMNS, Unreadable};
use super::unpacking::{file_names, opened, read_file};
use crate::kit::db::pool::Tx;
use crate::kit::error::{Error, Result};
use crate::kit::id::UserId;
use crate::library::books::facts::tag_key;
use crate::library::books::model::BookId;
use crate::library::clippings;
use crate::library::covers::model::{CoverSource, MOST_BYTES};
use crate::library::covers::picture::Picture;
use crate::library::covers::store::{self as covers, CoverQuota};
use crate::library::import::dedupe::EntryId;
use crate::library::import::history::model::{FormerImport, ImportId};
use crate::library::import::history::store::{self as history, RestoredEntries};
use crate::library::operations::model::OperationId;
use crate::library::operations::store as operations;
use crate::library::tags::model::ICON_LENGTH;
use crate::library::tags::store::{self as tags, Shown};
use crate::library::tbr::model::TbrId;

const BOOKS: &str = "books.csv";
const LIST: &str = "tbr.csv";
const COVERS: &str = "covers.csv";
const TAGS: &str = "tags.json";
const IMPORTS: &str = "imports.json";
const IMPORTED_QUOTES: &str = "imported-quotes.json";
/// The largest archive that the command imports, in bytes: books, list and the covers of a usual quota. A form takes less.
pub const LARGEST_ARCHIVE: usize = 256 << 20;
/// The largest of the other files, in bytes.
const LARGEST_PART: usize = 4 << 20;

/// What other modules keep and the complete export contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartKind {
    /// What a reader wants to read.
    Goals,
    /// Filters of the dashboard under names.
    Views,
    /// The choices of an account, which are restored only on request.
    Preferences,
}

/// A file of the complete export that another module reads.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    /// Its name.
    pub file: &'static str,
    /// How it is restored; `None` for what the complete export does not have, and an import of another kind notes for its undo.
    pub restore: Option<Restore>,
    /// Takes that back, as far as it was not changed since.
    pub undo: fn(&Tx<'_>, UserId, Value) -> Result<()>,
}

/// What a file has, and how that is restored as far as the account does not have it. Returns how many entries, and what the undo needs. The
/// error for a file of another form is a sentence for its reader.
pub type Restore = (PartKind, fn(&Tx<'_>, UserId, Value) -> Result<(usize, Value)>);

/// Every such file.
pub type Parts = &'static [Part];

/// How the files beside the table are restored.
#[derive(Debug, Clone, Copy)]
pub struct Restoring {
    /// The files of other modules.
    pub parts: Parts,
    /// The room for covers.
    pub covers: CoverQuota,
    /// Whether the reader wants the preferences of the archive.
    pub preferences: bool,
}

/// What a complete export restores beside books and list. In a preview it is what the file has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RestoredParts {
    /// The number of covers.
    pub covers: usize,
    /// The number of covers that are damaged, or for which the account has no room.
    pub covers_left_out: usize,
    /// The number of tags that are shown as shelves, or that have an icon.
    pub tag_shelves: usize,
    /// The number of goals.
    pub goals: usize,
    /// The number of views.
    pub views: usize,
    /// 1 where the preferences are restored.
    pub preferences: usize,
}

impl RestoredParts {
    fn count(&mut self, kind: PartKind) -> &mut usize {
        match kind {
            PartKind::Goals => &mut self.goals,
            PartKind::Views => &mut self.views,
            PartKind::Preferences => &mut self.preferences,
        }
    }
}

/// A row of one of both tables, with its number from 1 on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TableRow {
    Book(usize),
    Item(usize),
}

/// The books and items that rows of [`Complete::table`] stand for, each with the place at which its row begins.
#[derive(Debug, Default)]
pub struct RowEntries {
    /// The new books.
    pub books: Vec<(BookId, usize)>,
    /// The books and items that were here.
    pub known: Vec<(EntryId, usize)>,
    /// The new items.
    pub items: Vec<(TbrId, usize)>,
}

/// A complete export.
#[derive(Debug)]
pub struct Complete {
    archive: Vec<u8>,
    /// Books and list in one table.
    pub table: Vec<u8>,
    /// The files of covers by the numbers of the rows of their books.
    covers: HashMap<usize, String>,
    /// The rows of books and list by the places in `table` at which they begin.
    rows: HashMap<usize, TableRow>,
    restoring: Restoring,
}

/// A tag as it stands in the archive.
#[derive(Deserialize)]
struct StoredTag {
    name: String,
    #[serde(default)]
    shelf: bool,
    #[serde(default)]
    icon: Option<String>,
}

impl Complete {
    /// Opens a complete export, with its books or only with its list; `None` for any other file, which stays as it is.
    pub fn open(bytes: &[u8], with_books: bool, restoring: Restoring) -> std::result::Result<Option<Self>, Unreadable> {
        let Some(mut archive) = opened(bytes)? else { return Ok(None) };
        let names = file_names(&archive)?;
        if ![BOOKS, LIST].iter().all(|name| names.iter().any(|known| known == name)) {
            return Ok(None);
        }
        let mut table = |name: &str| Ok(read_file(&mut archive, name, LARGEST_FILE)?.unwrap_or_default());
        let books = if with_books { table(BOOKS)? } else { Vec::new() };
        let (list, covers) = (table(LIST)?, table(COVERS)?);
        let (table, rows) = combined(&books, &list)?;
        let mut covers = covers_by_row(&covers);
        covers.retain(|number, _| rows.values().any(|row| *row == TableRow::Book(*number)));
        Ok(Some(Self { archive: bytes.to_vec(), table, covers, rows, restoring }))
    }

    /// What the file has beside books and list.
    pub fn contents(&self) -> Result<RestoredParts> {
        let mut archive = self.archive()?;
        let mut found = RestoredParts { covers: self.covers.len(), ..RestoredParts::default() };
        found.tag_shelves = tag_shelves(&mut archive)?.len();
        for (file, (kind, _)) in self.wanted() {
            *found.count(kind) = match json::<Value>(&mut archive, file, LARGEST_PART)? {
                Some(Value::Array(list)) => list.len(),
                found => usize::from(found.is_some()),
            };
        }
        Ok(found)
    }

    /// The former imports that can be restored.
    fn imports(&self, archive: &mut ZipArchive<Cursor<&[u8]>>) -> Result<Vec<FormerImport>> {
        let mut imports: Vec<FormerImport> = json(archive, IMPORTS, LARGEST_ARCHIVE)?.unwrap_or_default();
        imports.retain(|import| import.kind.is_some());
        Ok(imports)
    }

    /// Restores what stands beside books and list.
    ///
    /// # Errors
    /// 422 `unreadable_file` for a part of another form; the database's.
    pub fn restore(
        &self,
        tx: &Tx<'_>,
        owner: UserId,
        import: ImportId,
        operation: OperationId,
        entries: &RowEntries,
    ) -> Result<RestoredParts> {
        let mut archive = self.archive()?;
        let mut restored = RestoredParts::default();
        let imports = self.imports(&mut archive)?;
        history::restore(tx, owner, import, imports, &self.entries_by_row(entries))?;
        let quotes: HashMap<usize, Vec<i64>> =
            json(&mut archive, IMPORTED_QUOTES, LARGEST_ARCHIVE)?.unwrap_or_default();
        for (id, place) in &entries.books {
            if let Some(TableRow::Book(row)) = self.rows.get(place)
                && let Some(hashes) = quotes.get(row)
            {
                clippings::store::restore(tx, *id, hashes)?;
            }
        }
        // Pictures hardly shrink in an archive, so that those of a real one are not larger than the largest archive.
        let mut left = LARGEST_ARCHIVE;
        for (file, books) in self.books_by_cover(&entries.books) {
            let room = self.restoring.covers;
            let read = if left > 0 { read_file(&mut archive, file, MOST_BYTES) } else { Ok(None) };
            let unpacked = read.as_ref().map_or(MOST_BYTES, |file| file.as_ref().map_or(0, Vec::len));
            left = left.saturating_sub(unpacked);
            let picture = read.ok().flatten();
            let fits = match picture.and_then(|file| Picture::read(&file).ok()) {
                Some(picture) => covers::restore(tx, owner, &books, &picture, CoverSource::default(), room)?,
                None => false,
            };
            *(if fits { &mut restored.covers } else { &mut restored.covers_left_out }) += books.len();
        }
        restored.tag_shelves = show_tags(tx, owner, operation, tag_shelves(&mut archive)?)?;
        for (file, (kind, restore)) in self.wanted() {
            let Some(content) = json(&mut archive, file, LARGEST_PART)? else { continue };
            let (count, made) = restore(tx, owner, content)?;
            *restored.count(kind) = count;
            if count > 0 {
                operations::note_part(tx, owner, operation, file, made)?;
            }
        }
        Ok(restored)
    }

    fn wanted(&self) -> impl Iterator<Item = (&'static str, Restore)> {
        let Restoring { parts, preferences, .. } = self.restoring;
        let restored = parts.iter().filter_map(|part| Some((part.file, part.restore?)));
        restored.filter(move |(_, (kind, _))| preferences || *kind != PartKind::Preferences)
    }

    fn archive(&self) -> Result<ZipArchive<Cursor<&[u8]>>> {
        opened(&self.archive)?.ok_or_else(|| Unreadable::ClosedArchive.into())
    }

    /// The new books of each cover, in the order of the first.
    fn books_by_cover(&self, books: &[(BookId, usize)]) -> Vec<(&str, Vec<BookId>)> {
        let (mut places, mut found) = (HashMap::new(), Vec::<(&str, Vec<BookId>)>::new());
        for (id, place) in books {
            let Some(TableRow::Book(row)) = self.rows.get(place) else { continue };
            let Some(file) = self.covers.get(row) else { continue };
            let place = *places.entry(file).or_insert(found.len());
            match found.get_mut(place) {
                Some((_, books)) => books.push(*id),
                None => found.push((file, vec![*id])),
            }
        }
        found
    }

    /// The books and items by the numbers of their rows in both tables.
    fn entries_by_row(&self, entries: &RowEntries) -> RestoredEntries {
        let books = entries.books.iter().map(|(id, place)| (EntryId::Book(*id), *place));
        let items = entries.items.iter().map(|(id, place)| (EntryId::Item(*id), *place));
        let mut by_row = RestoredEntries::default();
        for (entry, place) in books.chain(items).chain(entries.known.iter().copied()) {
            match (self.rows.get(&place), entry) {
                (Some(TableRow::Book(row)), EntryId::Book(id)) => drop(by_row.books.insert(*row, id)),
                (Some(TableRow::Item(row)), EntryId::Item(id)) => drop(by_row.items.insert(*row, id)),
                _ => {}
            }
        }
        by_row
    }
}

/// The sentence about a file of the archive that can't be read.
pub fn unreadable(file: &str) -> Error {
    Unreadable::Part(file.to_owned()).into()
}

fn json<T: for<'de> Deserialize<'de>>(
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    file: &str,
    most: usize,
) -> Result<Option<T>> {
    let found = read_file(archive, file, most).map_err(|_| unreadable(file))?;
    let Some(bytes) = found else { return Ok(None) };
    serde_json::from_slice(&bytes).map(Some).map_err(|_| unreadable(file))
}

/// The tags that are shown as a shelf or with an icon.
fn tag_shelves(archive: &mut ZipArchive<Cursor<&[u8]>>) -> Result<Vec<StoredTag>> {
    let mut tags: Vec<StoredTag> = json(archive, TAGS, LARGEST_PART)?.unwrap_or_default();
    tags.retain(|tag| tag.shelf || tag.icon.is_some());
    Ok(tags)
}

/// Shows tags of the library as the archive says, unless they are shown as a shelf or with an icon already. Returns how many.
fn show_tags(tx: &Tx<'_>, owner: UserId, operation: OperationId, stored: Vec<StoredTag>) -> Result<usize> {
    let is_plain = |tag: &crate::library::tags::model::Tag| !tag.shelf && tag.icon.is_none();
    let mut known: HashSet<String> =
        tags::list(tx, owner)?.iter().filter(|tag| is_plain(tag)).map(|tag| tag_key(&tag.name)).collect();
    let shown: Vec<_> = stored.into_iter().filter(|tag| known.remove(&tag_key(&tag.name))).collect();
    let keys: Vec<_> = shown.iter().map(|tag| tag_key(&tag.name)).collect();
    if keys.is_empty() {
        return Ok(0);
    }
    let icon = |icon: &&str| icon.chars().count() <= ICON_LENGTH && !icon.contains('\0');
    let shown = shown.iter().map(|tag| {
        let icon = tag.icon.as_deref().filter(icon);
        Shown { name: &tag.name, shelf: tag.shelf, icon }
    });
    let shown: Vec<_> = shown.collect();
    operations::with_noted_styles(tx, owner, operation, keys, || tags::show_new(tx, owner, &shown))
}

/// The file of each book's cover by the book's row, from 1 on.
fn covers_by_row(table: &[u8]) -> HashMap<usize, String> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(table);
    let cover = |row: csv::StringRecord| Some((row.get(0)?.parse().ok()?, row.get(1)?.to_owned()));
    reader.records().filter_map(|row| cover(row.ok()?)).filter(|(_, file)| file.starts_with("covers/")).collect()
}

/// The rows of both tables in one: the columns of the books, followed by those of the list that books do not have. An item of the list
/// has the status "to-read". Also returns the rows by the places at which they begin.
///
/// # Errors
/// [`Unreadable`] for tables that can't be read, and for those that are too large together: a row of one table gets a cell for each
/// column of the other.
fn combined(books: &[u8], list: &[u8]) -> std::result::Result<(Vec<u8>, HashMap<usize, TableRow>), Unreadable> {
    let closed = |_| Unreadable::ClosedArchive;
    let reader = |table| csv::ReaderBuilder::new().flexible(true).from_reader(table);
    let (mut books, mut list) = (reader(books), reader(list));
    let book_columns = books.byte_headers().map_err(closed)?.clone();
    let item_columns = list.byte_headers().map_err(closed)?.clone();
    if book_columns.len() + item_columns.len() > MOST_COLUMNS {
        return Err(Unreadable::TooManyColumns);
    }
    let name = |column: &[u8]| folded(&String::from_utf8_lossy(column));
    let known: HashMap<String, usize> =
        book_columns.iter().enumerate().map(|(place, column)| (name(column), place)).collect();
    let mut header = book_columns.clone();
    let mut places = Vec::new();
    for column in &item_columns {
        let place = known.get(&name(column)).copied().unwrap_or(header.len());
        if place == header.len() {
            header.push_field(column);
        }
        places.push(place);
    }
    let status = known.get("status").copied().unwrap_or(header.len());
    if status == header.len() {
        header.push_field(b"Status");
    }
    let mut table = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    table.write_byte_record(&header).map_err(closed)?;
    let mut rows = HashMap::new();
    for (number, row) in (1..).zip(books.byte_records()) {
        let row = row.map_err(closed)?;
        rows.insert(written(&mut table)?, TableRow::Book(number));
        // The columns of the list are empty. Cells beyond the header of the books come last, where they are reported as too many.
        let gap = std::iter::repeat_n(&b""[..], header.len() - row.len().min(book_columns.len()));
        let cells = row.iter().take(book_columns.len()).chain(gap).chain(row.iter().skip(book_columns.len()));
        table.write_record(cells).map_err(closed)?;
    }
    for (number, row) in (1..).zip(list.byte_records()) {
        let row = row.map_err(closed)?;
        rows.insert(written(&mut table)?, TableRow::Item(number));
        let mut cells: Vec<&[u8]> = vec![b""; header.len()];
        cells[status] = b"to-read";
        for (place, cell) in places.iter().zip(&row) {
            cells[*place] = cell;
        }
        table.write_record(cells.into_iter().chain(row.iter().skip(places.len()))).map_err(closed)?;
    }
    written(&mut table)?;
    let table = table.into_inner().map_err(|_| Unreadable::ClosedArchive)?;
    Ok((table, rows))
}

/// How many bytes a table has so far.
///
/// # Errors
/// [`Unreadable::TooLarge`] beyond the largest file.
fn written(table: &mut csv::Writer<Vec<u8>>) -> std::result::Result<usize, Unreadable> {
    table.flush().map_err(|_| Unreadable::ClosedArchive)?;
    let length = table.get_ref().len();
    if length > LARGEST_FILE { Err(Unreadable::TooLarge) } else { Ok(length) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn books_and_list_become_one_table_and_covers_keep_their_rows() {
        let books = b"Title,Author,Word Count,Pages\nOne,A,1,2\n\"Two\nlines\",B,3,\nWide,C,1,2,beyond\n";
        let list = b"Title,Author,Word Count,Notes,Pages\nLater,D,,\"a,b\",7\n";
        let covers = covers_by_row(b"Book Row,File\n2,covers/1.png\n3,../x\nx,covers/2.png\n");
        let (table, rows) = combined(books, list).unwrap();
        let text = String::from_utf8(table).unwrap();
        assert_eq!(
            text,
            "Title,Author,Word Count,Pages,Notes,Status\nOne,A,1,2,,\n\"Two\nlines\",B,3,,,\nWide,C,1,2,,,beyond\n\
             Later,D,,7,\"a,b\",to-read\n"
        );
        let begins = |row: TableRow, with: &str| {
            let (place, _) = rows.iter().find(|(_, known)| **known == row).unwrap();
            text[*place..].starts_with(with)
        };
        assert!(begins(TableRow::Book(2), "\"Two") && begins(TableRow::Item(1), "Later") && rows.len() == 4);
        assert_eq!((covers.len(), covers[&2].as_str()), (1, "covers/1.png"));
    }

    #[test]
    fn tables_that_are_small_apart_and_large_together_are_refused_before_they_are_written() {
        let books = format!("Title,Author{}\n", ",x".repeat(400));
        // Whole, the table would have two gigabytes.
        let list = format!("Title,Author\n{}", "a,b\n".repeat(5_000_000));
        let made = combined(books.as_bytes(), list.as_bytes());
        assert_eq!(made.unwrap_err(), Unreadable::TooLarge);
        let wide = ",x".repeat(MOST_COLUMNS);
        assert_eq!(combined(wide.as_bytes(), b"a\n").unwrap_err(), Unreadable::TooManyColumns);
    }
}
