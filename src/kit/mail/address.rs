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
    fn a_masked_address_shows_how_it_begins_and_ends_and_no_short_name_whole() {
        assert_eq!(masked("greta@example.org"), "g…a@example.org");
        assert_eq!(masked("éva@example.org"), "é…a@example.org");
        assert_eq!(masked("ab@example.org"), "a…@example.org");
        assert_eq!(masked("a@example.org"), "a…@example.org");
    }
}
