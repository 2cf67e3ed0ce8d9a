#![no_main]
//! Requests about reads, typed dates, and logs of our own files.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    shelfwise::library::books::fuzz_checks::reads(data);
});
