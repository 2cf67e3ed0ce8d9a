#![no_main]
//! Data that is trusted because of its signature: webhooks, identity tokens, sign-ins in progress.

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    shelfwise::billing::fuzz_checks::signatures(data);
    shelfwise::account::social::fuzz_checks::signatures(data);
});
