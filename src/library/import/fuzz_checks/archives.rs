//! Properties of archives and of complete exports.
#![expect(clippy::expect_used, reason = "a check fails by a panic")]
use std::io::{Cursor, Write as _};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::library::{OWNER, TODAY, in_library, rules, snapshot};
use super::{is_refused, read};
use crate::library::covers::store::CoverQuota;
use crate::library::import::complete::{Complete, Restoring};
use crate::library::import::plan::{Kind, Options};
use crate::library::import::reader::LARGEST_FILE;
use crate::library::import::report::{Work, execute};
use crate::library::import::store::Choices;
use crate::library::import::unpacking::unpacked;
use crate::library::operations::store::undo::undo_import;

/// The form that asks for what stands beside books and list. Files of other modules are theirs to check.
const RESTORING: Restoring = Restoring { parts: &[], covers: CoverQuota(1 << 20), preferences: true };

/// Reads bytes as an archive, and an archive made of them: files are separated by zero bytes, and a file's first line is its name.
pub fn archives(data: &[u8]) {
    opened(data);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let mut contents = Vec::new();
    for file in data.split(|byte| *byte == 0) {
        let end = file.iter().position(|byte| *byte == b'\n').unwrap_or(file.len());
        let (name, content) = (String::from_utf8_lossy(&file[..end]), file.get(end + 1..).unwrap_or_default());
        if writer.start_file(&*name, SimpleFileOptions::default()).is_ok() && writer.write_all(content).is_ok() {
            contents.push(content);
        }
    }
    let Ok(made) = writer.finish().map(Cursor::into_inner) else { return };
    if let Ok(table) = unpacked(&made) {
        let is_json = |content: &[u8]| content.contains(&b'{');
        assert!(
            contents.iter().any(|content| is_json(content) || *content == &*table),
            "the table is one of the files"
        );
    }
    opened(&made);
    restored(&made);
}

/// An archive is one table or refused with a sentence, and both are limited.
fn opened(bytes: &[u8]) {
    match unpacked(bytes) {
        Ok(table) => assert!(table.len() <= LARGEST_FILE),
        Err(cause) => is_refused(cause.into()),
    }
    for with_books in [true, false] {
        match Complete::open(bytes, with_books, RESTORING) {
            Ok(Some(complete)) => {
                assert!(complete.table.len() <= LARGEST_FILE);
                if let Err(cause) = complete.contents() {
                    is_refused(cause);
                }
                read(&complete.table, &Options::default());
            }
            Ok(None) => {}
            Err(cause) => is_refused(cause.into()),
        }
    }
}

/// An import of an archive is refused or done, and its undo leaves nothing.
fn restored(bytes: &[u8]) {
    in_library(|tx| {
        let options = Options { today: Some(TODAY), ..Options::default() };
        let work = Work::read(Kind::Books, "a.zip".to_owned(), bytes, Choices::default(), &options, RESTORING);
        let work = match work {
            Ok(work) if work.plan.mapped => work,
            Ok(_) => return,
            Err(cause) => return is_refused(cause.into()),
        };
        let nothing = snapshot(tx);
        match execute(tx, OWNER, rules(), &work) {
            Err(cause) => is_refused(cause),
            Ok(report) => {
                if let Some(import) = report.import_id {
                    undo_import(tx, OWNER, import, &[]).expect("an import can be undone");
                }
                assert!(snapshot(tx) == nothing, "an undone import leaves nothing");
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::fuzz_checks::broken;

    #[test]
    fn every_archive_is_one_table_or_refused() {
        broken("fuzz/seeds/archives", 400, archives);
    }
}
