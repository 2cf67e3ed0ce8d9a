//! E-mail addresses: validation, and when two are the same.
use crate::kit::error::FieldErrors;

/// The longest e-mail address, in characters.
pub const LONGEST: usize = 254;

/// Reports errors of a trimmed address.
pub fn check(email: &str, errors: &mut FieldErrors) {
    if email.is_empty() {
        errors.add("email", "Please enter your email address.");
    } else if email.chars().count() > LONGEST {
        errors.add("email", format!("An email address can have at most {LONGEST} characters."));
    } else if !looks_like_one(email) {
        errors.add("email", "Please enter a valid email address.");
    }
}

/// One `@` with text without spaces on both sides, as browsers' e-mail fields require.
fn looks_like_one(email: &str) -> bool {
    let plain = !email.chars().any(|c| c.is_whitespace() || c.is_control());
    let parts = email.split_once('@');
    plain
        && parts.is_some_and(|(local, domain)| {
            let labels =
                domain.split('.').all(|label| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-'));
            !local.is_empty() && labels && !domain.contains(['@', ',', ';', '<', '>', '(', ')'])
        })
}

/// The address in lower case, which identifies an account.
pub fn key(email: &str) -> String {
    email.trim().to_lowercase()
}

/// Whether two addresses are surely one mailbox: they differ at most in the case of Latin characters. [`key`] also unites
/// characters that are different to mail servers, for example `k` and the Kelvin sign, which is right for "taken" and wrong for a proof.
pub fn is_same_mailbox(one: &str, other: &str) -> bool {
    one.trim().eq_ignore_ascii_case(other.trim())
}

/// The address as people who don't own it may see it: the beginning and end of its name, and its domain.
pub fn masked(email: &str) -> String {
    let (local, domain) = email.split_once('@').unwrap_or((email, ""));
    let mut characters = local.chars();
    let first = characters.next().map(String::from).unwrap_or_default();
    let last = characters.nth(1).and_then(|_| local.chars().next_back()).map(String::from).unwrap_or_default();
    format!("{first}…{last}@{domain}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_only_look_alike_are_two_mailboxes_with_one_key() {
        assert!(is_same_mailbox("Kate@Example.org ", "kate@example.org"));
        assert!(is_same_mailbox("éva@example.org", "éva@EXAMPLE.org"));
        let kelvin = "\u{212A}ate@example.org";
        assert_eq!(key(kelvin), key("kate@example.org"));
        assert!(!is_same_mailbox(kelvin, "kate@example.org") && !is_same_mailbox("Éva@example.org", "éva@example.org"));
    }

    #[test]
    fn a_masked_address_shows_how_it_begins_and_ends_and_no_short_name_whole() {
        assert_eq!(masked("greta@example.org"), "g…a@example.org");
        assert_eq!(masked("éva@example.org"), "é…a@example.org");
        assert_eq!(masked("ab@example.org"), "a…@example.org");
        assert_eq!(masked("a@example.org"), "a…@example.org");
    }
}
