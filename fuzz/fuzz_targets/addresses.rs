#![no_main]
//! Where a request comes from, and where somebody asks to go.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    shelfwise::kit::hostile::addresses(data);
    shelfwise::account::social::hostile::redirects(data);
    shelfwise::billing::hostile::returns(data);
});
