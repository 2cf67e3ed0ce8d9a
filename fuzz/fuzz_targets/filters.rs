#![no_main]
//! Query strings of the book list and the dashboard.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    shelfwise::library::books::fuzz_checks::filters(data);
});
