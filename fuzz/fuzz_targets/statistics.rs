#![no_main]
//! KOReader's statistics: any bytes are read or refused, and what was read is packed, merged and counted.
use shelfwise::devices::coverage::told;
use shelfwise::devices::{rows, statistics};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("statistics.sqlite3");
    std::fs::write(&path, data).expect("a file");
    for book in statistics::read(&path).unwrap_or_default() {
        let merged = rows::merge(&[], &book.rows, 1).unwrap_or_default();
        assert_eq!(rows::unpack(&rows::pack(&merged).expect("packed")).expect("unpacked"), merged);
        let day = |second| chrono::DateTime::from_timestamp(second, 0).unwrap_or_default().date_naive();
        let days = told(merged, &[], chrono::DateTime::UNIX_EPOCH, day).days;
        assert!(days.values().filter_map(|day| day.covered).sum::<i64>() <= 10_000);
    }
});
