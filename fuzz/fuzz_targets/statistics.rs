#![no_main]
//! Files with reading in them: any bytes are read or refused, and what was read is packed, merged and counted.
use shelfwise::devices::coverage::told;
use shelfwise::devices::files::{Options, read};
use shelfwise::devices::rows;
use shelfwise::kit::time_zone::Zone;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    std::fs::write(&path, data).expect("a file");
    let options = Options { zone: Zone::or_utc(None), today: chrono::NaiveDate::MAX, columns: Default::default() };
    let Ok(file) = read(&path, &options) else { return };
    let is_short = |text: &str, most: usize| text.chars().count() <= most;
    for passage in file.content.passages.into_iter().map(|marked| marked.passage) {
        assert!(is_short(&passage.text, 5_000) && passage.note.is_none_or(|note| is_short(&note, 2_000)));
    }
    for book in file.content.books {
        let merged = rows::merge(&[], &book.rows, 1).unwrap_or_default();
        assert_eq!(rows::unpack(&rows::pack(&merged).expect("packed")).expect("unpacked"), merged);
        let day = |second| chrono::DateTime::from_timestamp(second, 0).unwrap_or_default().date_naive();
        let mut told = told(merged, &[], chrono::DateTime::UNIX_EPOCH, day);
        assert!(told.days.values().filter_map(|day| day.covered).sum::<i64>() <= 10_000);
        told.note(book.days);
        assert!(told.days.values().all(|day| day.minutes.is_none_or(|minutes| (0..=1_440).contains(&minutes))));
    }
});
