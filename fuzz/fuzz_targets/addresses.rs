#![no_main]
//! Where a request comes from, and where somebody asks to go.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    shelfwise::kit::fuzz_checks::addresses(data);
    shelfwise::account::social::fuzz_checks::redirects(data);
    shelfwise::billing::fuzz_checks::returns(data);
});
