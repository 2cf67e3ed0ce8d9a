#![no_main]
//! Two files of a tracker, one after the other.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    shelfwise::library::import::fuzz_checks::syncs(data);
});
