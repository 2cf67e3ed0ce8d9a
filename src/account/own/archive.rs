//! The complete export of an account as a zip file: tables as CSV and JSON, imports with their raw rows and the server's records
//! as JSON.
use std::io::{self, Seek, Write};

use rusqlite::Connection;
use serde::Serialize;
use serde_json::Value;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::store::records;
use crate::account::{social, store};
use crate::kit::db::pool::owned;
use crate::kit::http::download;
use crate::kit::id::UserId;
use crate::kit::{Error, Result};
use crate::library::books::model::{Book, BookDetail};
use crate::library::rough_date::RoughDate;
use crate::library::{books, clippings, covers, export, import, operations, tags, tbr, views};
use crate::preferences;
use crate::reading::goals;

/// Writes the archive of an account. The CSV files of books and the to-be-read list can be imported again.
///
/// # Errors
/// 507 when the disk is full.
pub fn archive(conn: &Connection, user_id: UserId, out: impl Write + Seek) -> Result<()> {
    let mut zip = Archive(ZipWriter::new(out));
    zip.begin("books.csv")?;
    export::write_books(conn, user_id, &mut zip.0)?;
    zip.begin("books.json")?;
    let mut list = List::new(&mut zip);
    books::store::each(conn, user_id, |book| match rough_date(&book) {
        None => list.add(&BookDetail::from(book)),
        Some(typed) => {
            let mut book = serde_json::to_value(BookDetail::from(book))?;
            book["dateCompleted"] = Value::String(typed);
            list.add(&book)
        }
    })?;
    list.end()?;
    covers(conn, user_id, &mut zip)?;
    zip.begin("days.csv")?;
    export::write_days(conn, user_id, &mut zip.0)?;
    zip.begin("tbr.csv")?;
    export::write_items(conn, user_id, &mut zip.0)?;
    zip.begin("tbr.json")?;
    let mut list = List::new(&mut zip);
    tbr::store::each(conn, user_id, &mut |item| list.add(item))?;
    list.end()?;
    zip.file("goals.json", &serde_json::to_vec_pretty(&goals::store::all(conn, user_id, None)?)?)?;
    zip.file("tags.json", &serde_json::to_vec_pretty(&tags::store::list(conn, user_id)?)?)?;
    zip.file("views.json", &serde_json::to_vec_pretty(&views::store::list(conn, user_id)?)?)?;
    let done = operations::store::list(conn, user_id, None, usize::MAX)?;
    zip.file("operations.json", &serde_json::to_vec_pretty(&done)?)?;
    zip.single("preferences", &preferences::store::find(conn, user_id)?)?;
    zip.single("profile", &store::find(conn, user_id)?)?;
    let identities = social::store::all(conn, user_id)?;
    if !identities.is_empty() {
        zip.file("identities.json", &serde_json::to_vec_pretty(&identities)?)?;
    }
    let quotes = clippings::store::remembered(conn, user_id)?;
    if !quotes.is_empty() {
        zip.file("imported-quotes.json", &serde_json::to_vec_pretty(&quotes)?)?;
    }
    zip.begin("imports.json")?;
    import::write_all(conn, user_id, &mut zip.0)?;
    for (name, record) in records::all(conn, user_id)? {
        zip.file(&format!("{name}.json"), &serde_json::to_vec_pretty(&record)?)?;
    }
    zip.0.finish().map_err(failed)?;
    Ok(())
}

/// A rough completion date as `books.csv` has it; `None` for an exact one. As a day alone it would look like an exact date.
fn rough_date(book: &Book<'_>) -> Option<String> {
    let to = book.date_completed?;
    book.completed_from.map(|from| RoughDate { from: Some(from), to }.exported())
}

/// Writes the covers, if there are any, and the table that says which row of `books.csv` has which, from 1 on.
fn covers<W: Write + Seek>(conn: &Connection, user_id: UserId, zip: &mut Archive<W>) -> Result<()> {
    let mut has_covers = false;
    let mut table = csv::Writer::from_writer(Vec::new());
    covers::store::each(conn, user_id, |cover, rows| {
        let name = format!("covers/{}.{}", cover.id.0 - owned(user_id).0, cover.kind.extension());
        if !has_covers {
            table.write_record(["Book Row", "File"]).map_err(failed)?;
        }
        has_covers = true;
        for row in rows {
            table.write_record([&row.to_string(), &name]).map_err(failed)?;
        }
        zip.stored(&name, &cover.bytes)
    })?;
    let table = table.into_inner().map_err(|cause| Error::internal(cause.to_string()))?;
    if has_covers { zip.file("covers.csv", &table) } else { Ok(()) }
}

struct Archive<W: Write + Seek>(ZipWriter<W>);

impl<W: Write + Seek> Archive<W> {
    fn begin(&mut self, name: &str) -> Result<()> {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        self.0.start_file(name, options).map_err(failed)
    }

    fn file(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.begin(name)?;
        self.write(bytes)
    }

    /// Writes a file that is compressed already.
    fn stored(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        self.0.start_file(name, options).map_err(failed)?;
        self.write(bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.write_all(bytes).map_err(failed)
    }

    /// Writes one object as JSON and as a table with one row.
    fn single(&mut self, name: &str, thing: &impl Serialize) -> Result<()> {
        let value = serde_json::to_value(thing)?;
        self.file(&format!("{name}.json"), &serde_json::to_vec_pretty(&value)?)?;
        let mut csv = csv::Writer::from_writer(Vec::new());
        if let Value::Object(fields) = value {
            csv.write_record(fields.keys()).map_err(failed)?;
            let cells = fields.values().map(|value| match value {
                Value::Null => String::new(),
                Value::String(text) => import::escaped(text).into_owned(),
                other => other.to_string(),
            });
            csv.write_record(cells).map_err(failed)?;
        }
        let csv = csv.into_inner().map_err(|cause| Error::internal(cause.to_string()))?;
        self.file(&format!("{name}.csv"), &csv)
    }
}

/// A JSON list that is written entry by entry.
struct List<'a, W: Write + Seek> {
    zip: &'a mut Archive<W>,
    between: &'static str,
}

impl<'a, W: Write + Seek> List<'a, W> {
    fn new(zip: &'a mut Archive<W>) -> Self {
        Self { zip, between: "[\n" }
    }

    fn add(&mut self, entry: &impl Serialize) -> Result<()> {
        self.zip.write(self.between.as_bytes())?;
        self.between = ",\n";
        self.zip.write(&serde_json::to_vec(entry)?)
    }

    fn end(self) -> Result<()> {
        self.zip.write(if self.between == "[\n" { b"[]\n" } else { b"\n]\n" })
    }
}

fn failed(cause: impl Into<io::Error>) -> Error {
    download::failed(cause.into())
}
