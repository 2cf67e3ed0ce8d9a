#![no_main]
//! Imported tables, in any format and encoding.
use shelfwise::library::import::plan::{Kind, Options, plan};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    for kind in [Kind::Books, Kind::Tbr] {
        let options = Options { kind, earlier_reads: true, waiting_books: true, ..Options::default() };
        let Ok(plan) = plan(data, &options) else { return };
        for book in plan.books {
            assert_eq!(book.draft.clone().checked(), Ok(book.draft), "a book is as it is stored");
        }
    }
});
