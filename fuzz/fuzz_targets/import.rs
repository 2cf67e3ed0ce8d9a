#![no_main]
//! Imported files, in any format and encoding.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    shelfwise::library::import::fuzz_checks::import(data);
});
