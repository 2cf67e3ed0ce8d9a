#![no_main]
//! Cookies, and the secrets of API tokens.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    shelfwise::kit::fuzz_checks::cookies(data);
});
