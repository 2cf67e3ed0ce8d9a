#![no_main]
//! What is believed for its signature alone: payment events, identity tokens, sign-ins under way.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    shelfwise::billing::hostile::signatures(data);
    shelfwise::account::social::hostile::signatures(data);
});
