#![no_main]
//! Client addresses, and the pages that a sign-in leads to.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    shelfwise::kit::fuzz_checks::addresses(data);
    shelfwise::account::social::fuzz_checks::redirects(data);
    shelfwise::billing::fuzz_checks::returns(data);
});
