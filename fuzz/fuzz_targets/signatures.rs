#![no_main]
//! What is believed for its signature alone: payment events, identity tokens, sign-ins under way.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    shelfwise::billing::fuzz_checks::signatures(data);
    shelfwise::account::social::fuzz_checks::signatures(data);
});
