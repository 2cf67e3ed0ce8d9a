#![no_main]
//! Archives, and complete exports.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    shelfwise::library::import::fuzz_checks::archives(data);
});
