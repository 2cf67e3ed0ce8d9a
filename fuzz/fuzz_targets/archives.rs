#![no_main]
//! Archives, and complete exports: files are separated by zero bytes, and a file's first line is its name.
use std::io::{Cursor, Write as _};

use shelfwise::library::covers::store::CoverQuota;
use shelfwise::library::import::complete::{Complete, Restoring};
use shelfwise::library::import::plan::{Options, plan};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const RESTORING: Restoring = Restoring { parts: &[], covers: CoverQuota(1 << 20), preferences: true };

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for file in data.split(|byte| *byte == 0) {
        let end = file.iter().position(|byte| *byte == b'\n').unwrap_or(file.len());
        if writer.start_file(&*String::from_utf8_lossy(&file[..end]), SimpleFileOptions::default()).is_ok() {
            let _ = writer.write_all(file.get(end + 1..).unwrap_or_default());
        }
    }
    let made = writer.finish().map(Cursor::into_inner).unwrap_or_default();
    for bytes in [data, &made] {
        let _ = plan(bytes, &Options::default());
        if let Ok(Some(complete)) = Complete::open(bytes, true, RESTORING) {
            let _ = complete.contents();
        }
    }
});
