//! Properties of callbacks that must hold for any input; see [`crate::kit::fuzz_checks`].
use chrono::DateTime;
use oauth2::url::Url;
use serde_json::json;

use super::flow::{Flow, Flows};
use super::model::{Person, destination};
use super::token::{Expected, KeySet, Unchecked};
use crate::account::social::identity::OAuthCallback;
use crate::kit::http::extract::Query;

const AT: i64 = 1_700_000_000;

/// Identity tokens, signed cookies and callbacks, one per line: accepted only if this server or the provider signed them.
pub fn signatures(data: &[u8]) {
    let Some(now) = DateTime::from_timestamp(AT, 0) else { return };
    // The public key of RFC 7515, appendix A.3, whose example is among the seeds; it has another issuer and time.
    let published = json!({"keys": [{"kty": "EC", "crv": "P-256", "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]});
    let published = serde_json::from_value(published).unwrap_or_default();
    let flows = Flows::default();
    let sealed = Flow::begin("github", "verifier".into(), None, now).and_then(|flow| Ok((flows.seal(&flow)?, flow)));
    let Ok((sealed, flow)) = sealed else { return };
    let text = String::from_utf8_lossy(data);
    let mut keys: KeySet = published;
    for line in text.lines() {
        let answer = OAuthCallback::read(&Query::parse(line));
        assert_eq!(flows.take(line, "github", &flow.state, now), None, "{line:?} was not sealed here");
        assert_eq!(flows.take(&sealed, "github", &answer.state, now), None, "{line:?} has not the state");
        if let Ok(theirs) = serde_json::from_str(line) {
            // A key's publisher can sign with it: the rest of the input only has to be read safely.
            keys = theirs;
        }
        let expected = Expected { issuer: "https://id.example.org", client_id: "shelfwise", nonce: &flow.nonce, now };
        let checked = Unchecked::parse(line).and_then(|token| token.checked(&keys, expected));
        assert!(checked.is_err(), "{line:?} has not this sign-in's nonce");
        if let Ok(person) = Person::new("https://id.example.org".into(), line.to_owned(), Some(line.to_owned()), true) {
            let person = person.called(Some(line));
            let newcomer = person.newcomer().is_none_or(|(email, name)| {
                email.contains('@')
                    && !name.is_empty()
                    && name.chars().count() <= 100
                    && !name.contains(['\n', '\r', '\0'])
            });
            assert!(newcomer, "{person:?}");
        }
    }
    assert_eq!(flows.take(&sealed, "github", &flow.state, now), Some(flow), "what was sealed is taken once");
}

/// Requested pages, one per line: never on another site, and on our site only invitations.
pub fn redirects(data: &[u8]) {
    let Ok(own) = Url::parse("https://books.example.org/api/auth/oauth/github/callback") else { return };
    for line in String::from_utf8_lossy(data).lines() {
        let next = Query::parse(line);
        for next in [Some(line), next.get("next")] {
            let to = destination(next);
            let landed = own.join(&to).ok();
            assert!(landed.as_ref().is_some_and(|url| url.origin() == own.origin()), "{next:?} leads to {to:?}");
            let page = landed.as_ref().map(Url::path).unwrap_or_default();
            let invited = page.strip_prefix("/invite/").is_some_and(|token| !token.is_empty() && !token.contains('/'));
            assert!((page == "/dashboard" || invited) && page == to, "{next:?} leads to {to:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::fuzz_checks::broken;

    #[test]
    fn a_person_without_a_providers_signature_is_refused() {
        broken("fuzz/seeds/signatures", 300, signatures);
    }

    #[test]
    fn a_sign_in_never_ends_on_another_site() {
        broken("fuzz/seeds/addresses", 1_000, redirects);
    }
}
