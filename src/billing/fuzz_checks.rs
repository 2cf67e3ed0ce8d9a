//! Properties of signatures and return addresses that must hold for any input; see [`crate::kit::fuzz_checks`].
use chrono::DateTime;
use ring::hmac;

use super::order::checked_return;
use super::webhook::{Event, is_signed};

const SECRET: &str = "whsec_test_secret";
const AT: i64 = 1_700_000_000;

/// A signature header in the first line and the body after it: accepted only with the correct signature of its time.
pub fn signatures(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (header, body) = text.split_once('\n').unwrap_or((&text, ""));
    let Some(now) = DateTime::from_timestamp(AT, 0) else { return };
    let key = hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes());
    let right = |at: &str| hex::encode(hmac::sign(&key, format!("{at}.{body}").as_bytes()));
    let at = AT.to_string();
    assert!(
        is_signed(&format!("t={at},{header},v1={}", right(&at)), body.as_bytes(), SECRET, now),
        "other signatures beside it"
    );
    if is_signed(header, body.as_bytes(), SECRET, now) {
        let held = header.split(',').filter_map(|part| part.split_once('=')).any(|(_, at)| {
            let near = at.trim().parse().is_ok_and(|at: i64| AT - at <= 300);
            near && header.to_lowercase().contains(&right(at.trim()))
        });
        assert!(held, "{header:?}");
    }
    if let Ok(event) = serde_json::from_str::<Event>(body) {
        let _ = event.about();
    }
}

/// Return addresses, one per line: an accepted one begins with our own address and can't name another host.
pub fn returns(data: &[u8]) {
    const OWN: &str = "https://books.example.org";
    for address in String::from_utf8_lossy(data).lines() {
        for address in [address.to_owned(), format!("{OWN}{address}")] {
            if checked_return(&address, OWN).is_ok() {
                let rest = &address[OWN.len()..];
                // An empty port means the default port.
                let rest = rest.strip_prefix(":443").or_else(|| rest.strip_prefix(':')).unwrap_or(rest);
                assert!(address.to_ascii_lowercase().starts_with(OWN), "{address:?}");
                assert!(rest.is_empty() || rest.starts_with(['/', '?', '#']), "{address:?} is another site");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::fuzz_checks::broken;

    #[test]
    fn nothing_is_believed_but_what_the_provider_signed() {
        broken("fuzz/seeds/signatures", 300, signatures);
    }

    #[test]
    fn nobody_comes_back_to_another_site() {
        broken("fuzz/seeds/addresses", 500, returns);
    }
}
