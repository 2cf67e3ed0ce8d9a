//! Imports a file on this machine without a form: for the command line.
use chrono::NaiveDate;
use rusqlite::Connection;

use super::complete::Restoring;
use super::plan::{Kind, Options, plan};
use super::preview::Outlook;
use super::reader::check_name;
use super::report::{ImportReport, Work, check_mapped, execute, preview_import};
use super::store::{self, Choices};
use super::sync::{self, Newer};
use crate::kit::db::pool::Db;
use crate::kit::error::Result;
use crate::kit::id::UserId;
use crate::kit::time_zone::Hemisphere;
use crate::library::books::add::Rules;

/// The account that a file is imported into.
#[derive(Debug, Clone, Copy)]
pub struct Reader {
    /// Its id.
    pub owner: UserId,
    /// The months of its seasons.
    pub hemisphere: Hemisphere,
    /// Its current day.
    pub today: NaiveDate,
    /// The first completion date that its plan shows; `None` where it shows all.
    pub visible_from: Option<NaiveDate>,
}

/// A file on this machine.
#[derive(Debug)]
pub struct LocalFile<'f> {
    /// Its name.
    pub name: &'f str,
    /// Its content.
    pub bytes: &'f [u8],
    /// How it is read.
    pub options: Options,
    /// Whether books take over what has changed since the last file of the tracker.
    pub sync: bool,
}

/// Imports the books of a file without a form, or only previews the import: for the command line.
///
/// # Errors
/// The file is unreadable or its columns are unknown.
pub fn import_file(
    db: &Db,
    reader: Reader,
    rules: Rules,
    file: LocalFile<'_>,
    restoring: Restoring,
    dry_run: bool,
) -> Result<ImportReport> {
    let Reader { owner, hemisphere, today, visible_from } = reader;
    let LocalFile { name, bytes, options, sync } = file;
    check_name(Some(name))?;
    let former = |conn: &Connection| Ok((store::choices(conn, owner)?, store::former_places(conn, owner)?));
    let (remembered, former_places) = db.read_blocking(former)?;
    let options = Options {
        shelves: remembered.shelves.clone(),
        genres_only: true,
        written_genres: true,
        hemisphere,
        today: Some(today),
        former_places,
        ..options
    };
    let outlook = Outlook { today, visible_from };
    if sync {
        let plan = plan(bytes, &options)?;
        if !dry_run {
            check_mapped(Kind::Books, &plan)?;
        }
        let newer = Newer { file_name: name.to_owned(), plan, options, ..Newer::default() };
        if dry_run {
            return db.read_blocking(|conn| sync::preview(conn, owner, rules, newer, outlook));
        }
        let ahead = db.read_blocking(|conn| sync::look_ahead(conn, owner, &newer))?;
        return db.write_blocking(move |tx| sync::execute(tx, owner, rules, newer, ahead));
    }
    let work = Work::read(Kind::Books, name.to_owned(), bytes, Choices::default(), &options, restoring)?;
    if dry_run {
        return db.read_blocking(|conn| preview_import(conn, owner, rules, &work, &remembered, outlook));
    }
    check_mapped(Kind::Books, &work.plan)?;
    db.write_blocking(move |tx| execute(tx, owner, rules, &work))
}
