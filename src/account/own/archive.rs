//! Everything of one account in a zip: tables as CSV and JSON, imports with their raw rows and the server's records as JSON.
use std::io::{Cursor, Write as _};

use rusqlite::Connection;
use serde::Serialize;
use serde_json::Value;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::records;
use crate::account::{social, store};
use crate::kit::{Error, Result};
use crate::library::{books, export, import, tbr};
use crate::preferences;

/// The archive of an account. The CSV files of books and the to-be-read list are those that the imports read back.
///
/// # Errors
/// The database's.
pub fn archive(conn: &Connection, user_id: i64) -> Result<Vec<u8>> {
    let mut zip = Archive(ZipWriter::new(Cursor::new(Vec::new())));
    zip.file("books.csv", &export::books_csv(conn, user_id)?)?;
    zip.begin("books.json")?;
    let mut list = List::new(&mut zip);
    books::store::each(conn, user_id, |book| list.add(&book))?;
    list.end()?;
    zip.file("tbr.csv", &export::tbr_csv(conn, user_id)?)?;
    zip.begin("tbr.json")?;
    let mut list = List::new(&mut zip);
    tbr::store::each(conn, user_id, &mut |item| list.add(item))?;
    list.end()?;
    zip.single("preferences", &preferences::store::find(conn, user_id)?)?;
    zip.single("profile", &store::find(conn, user_id)?)?;
    let identities = social::store::all(conn, user_id)?;
    if !identities.is_empty() {
        zip.file("identities.json", &serde_json::to_vec_pretty(&identities)?)?;
    }
    zip.file("imports.json", &serde_json::to_vec_pretty(&import::whole(conn, user_id)?)?)?;
    for (name, record) in records::all(conn, user_id)? {
        zip.file(&format!("{name}.json"), &serde_json::to_vec_pretty(&record)?)?;
    }
    Ok(zip.0.finish().map_err(failed)?.into_inner())
}

struct Archive(ZipWriter<Cursor<Vec<u8>>>);

impl Archive {
    fn begin(&mut self, name: &str) -> Result<()> {
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
        self.0.start_file(name, options).map_err(failed)
    }

    fn file(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        self.begin(name)?;
        self.write(bytes)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.0.write_all(bytes).map_err(failed)
    }

    /// One thing as JSON and as a table of one row.
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
        self.file(&format!("{name}.csv"), &csv.into_inner().map_err(failed)?)
    }
}

/// A JSON list that is written entry by entry.
struct List<'a> {
    zip: &'a mut Archive,
    between: &'static str,
}

impl<'a> List<'a> {
    fn new(zip: &'a mut Archive) -> Self {
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

/// A writer into memory does not fail.
fn failed(cause: impl std::fmt::Display) -> Error {
    Error::internal(cause.to_string())
}
