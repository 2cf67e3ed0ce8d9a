//! The person that a proxy names in its headers.
use crate::account::social::model::{Person, SignInFailure, TRUSTED_HEADER};
use crate::config::TrustedHeader;
use crate::kit::FieldErrors;
use crate::kit::mail::address;

/// Reads the person from headers; `get` returns the values of a header, in order. `None` when the proxy names nobody.
///
/// # Errors
/// [`SignInFailure::Refused`] when a header stands there twice (a client may have added one), is not UTF-8, or is not a name.
pub fn person<'h>(names: &TrustedHeader, get: impl Fn(&str) -> Vec<&'h [u8]>) -> Result<Option<Person>, SignInFailure> {
    let one = |name: &Option<String>| -> Result<Option<&'h str>, SignInFailure> {
        let Some(name) = name else { return Ok(None) };
        let values = get(name);
        let [value] = values[..] else {
            return if values.is_empty() { Ok(None) } else { Err(SignInFailure::Refused("a header is repeated")) };
        };
        let text = str::from_utf8(value).map_err(|_| SignInFailure::Refused("a header is not UTF-8"))?.trim();
        Ok(Some(text).filter(|text| !text.is_empty()))
    };
    let (user, email, name) = (one(&names.user)?, one(&names.email)?, one(&names.name)?);
    let Some(user) = user else { return Ok(None) };
    let email = email.or(Some(user).filter(|user| names.email.is_none() && is_address(user)));
    // The proxy answers for the address.
    let person = Person::new(TRUSTED_HEADER.into(), user.to_owned(), email.map(str::to_owned), true)?;
    Ok(Some(person.called(name)))
}

fn is_address(text: &str) -> bool {
    let mut errors = FieldErrors::new();
    address::check(text, &mut errors);
    errors.is_empty()
}

/// The sentence for a person who is named and not signed in.
pub fn sentence(failure: SignInFailure) -> &'static str {
    match failure {
        SignInFailure::Disabled => "This account has been disabled. Ask the person who runs this server.",
        SignInFailure::SignupClosed => {
            "You have no account on this server, and it takes no new ones. Ask the person who runs it."
        }
        SignInFailure::EmailTaken => {
            "An account with your email address exists, but your name at the proxy is not connected to it. Ask the person who runs this server."
        }
        SignInFailure::EmailMissing => {
            "A new account needs your email address, which the proxy in front of this server does not send."
        }
        _ => "The proxy in front of this server does not name you properly. Ask the person who runs this server.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(config: &str, headers: &[(&str, &[u8])]) -> Result<Option<Person>, SignInFailure> {
        let names: TrustedHeader = toml::from_str(config).unwrap();
        let values = |name: &str| headers.iter().filter(|(known, _)| *known == name).map(|(_, value)| *value).collect();
        person(&names, values)
    }

    const ALL: &str = "user = \"u\"\nemail = \"e\"\nname = \"n\"";

    #[test]
    fn a_person_has_a_name_at_the_proxy_and_perhaps_an_address_and_a_display_name() {
        let nora = read(ALL, &[("u", b" nora "), ("e", b"nora@example.org"), ("n", "Nora Lindqvist ö".as_bytes())]);
        let nora = nora.unwrap().unwrap();
        assert_eq!((nora.issuer.as_str(), nora.subject.as_str()), (TRUSTED_HEADER, "nora"));
        assert_eq!(nora.newcomer(), Some(("nora@example.org", "Nora Lindqvist ö")));
        let by_address = read("user = \"u\"", &[("u", b"nora@example.org")]).unwrap().unwrap();
        assert_eq!(by_address.newcomer(), Some(("nora@example.org", "nora")));
        assert_eq!(read("user = \"u\"", &[("u", b"nora")]).unwrap().unwrap().newcomer(), None);
        assert_eq!(read(ALL, &[("u", b"nora@example.org")]).unwrap().unwrap().newcomer(), None);
        for nobody in [&[][..], &[("u", &b""[..])], &[("u", &b"  "[..])], &[("e", &b"nora@example.org"[..])]] {
            assert_eq!(read(ALL, nobody), Ok(None));
        }
    }

    #[test]
    fn headers_that_a_client_may_have_changed_name_nobody() {
        let long = "s".repeat(256);
        for headers in [
            &[("u", &b"nora"[..]), ("u", &b"rosa"[..])][..],
            &[("u", b"nora"), ("u", b"nora")],
            &[("u", b"nora"), ("e", b"a@example.org"), ("e", b"b@example.org")],
            &[("u", b"n\xff")],
            &[("u", b"no\x7fra")],
            &[("u", long.as_bytes())],
        ] {
            assert!(matches!(read(ALL, headers), Err(SignInFailure::Refused(_))), "{headers:?}");
        }
    }
}
