//! The authors of a book: a list, stored as one text with a separator that no name contains (docs/rules.md, "Books").
use std::borrow::Cow;

use foldhash::HashSet;
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};

use crate::kit::FieldErrors;
use crate::library::text;

/// Separates the authors of a book where several stand in one text.
pub const AUTHOR_SEPARATOR: char = '\u{1f}';
/// The most characters of a title, of an author, and of all authors of a book with commas between them.
pub const NAME_LENGTH: usize = 500;
/// The most authors of a book.
pub const MOST_AUTHORS: usize = 20;

/// Authors in the form of the database: one text, separated by [`AUTHOR_SEPARATOR`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Authors<'a>(pub Cow<'a, str>);

impl Authors<'_> {
    /// The names in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        each_author(&self.0)
    }
}

impl Serialize for Authors<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for name in self.iter() {
            list.serialize_element(name)?;
        }
        list.end()
    }
}

/// The names of a stored text.
pub fn each_author(stored: &str) -> impl Iterator<Item = &str> {
    stored.split(AUTHOR_SEPARATOR)
}

/// The names of a stored text with their keys, as [`text::name_key`] makes them. `key` is that of the joined text.
pub fn each_author_with_key<'a>(stored: &'a str, key: &'a str) -> impl Iterator<Item = (&'a str, Cow<'a, str>)> {
    let is_one = !stored.contains(AUTHOR_SEPARATOR);
    each_author(stored).map(move |name| (name, if is_one { Cow::Borrowed(key) } else { text::name_key(name).into() }))
}

/// The names of a stored text with commas between them, as a reader sees them.
pub fn joined(stored: &str) -> Cow<'_, str> {
    if stored.contains(AUTHOR_SEPARATOR) { stored.replace(AUTHOR_SEPARATOR, ", ").into() } else { stored.into() }
}

/// Checks the authors of a book, and converts them to the stored form: trimmed, without empty and repeated names.
pub fn check(errors: &mut FieldErrors, authors: &mut Vec<String>) {
    let mut seen = HashSet::default();
    authors.retain_mut(|name| {
        let trimmed = name.trim();
        if trimmed.len() < name.len() {
            *name = trimmed.to_owned();
        }
        !name.is_empty() && seen.insert(text::name_key(name))
    });
    if authors.is_empty() {
        errors.add("author", "The author is required.");
    }
    if authors.len() > MOST_AUTHORS {
        errors.add("author", format!("A book can have at most {MOST_AUTHORS} authors."));
    }
    for name in authors.iter() {
        check_name(errors, "author", "The author", name);
    }
    if authors.len() > 1 {
        text::check(errors, "author", "The names of all authors", &authors.join(", "), NAME_LENGTH);
    }
}

/// Checks a trimmed title or author: 1 to 500 characters, without the character that separates authors.
pub fn check_name(errors: &mut FieldErrors, field: &str, name: &str, value: &str) {
    if value.is_empty() {
        errors.add(field, format!("{name} is required."));
    }
    check_separator(errors, field, name, value);
    text::check(errors, field, name, value, NAME_LENGTH);
}

/// Reports a name with the character that separates authors.
pub fn check_separator(errors: &mut FieldErrors, field: &str, name: &str, value: &str) {
    if value.contains(AUTHOR_SEPARATOR) {
        errors.add(field, format!("{name} can't contain the control character U+001F."));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(names: &[&str]) -> Result<Vec<String>, FieldErrors> {
        let (mut errors, mut authors) = (FieldErrors::new(), names.iter().map(|name| (*name).to_owned()).collect());
        check(&mut errors, &mut authors);
        if errors.is_empty() { Ok(authors) } else { Err(errors) }
    }

    #[test]
    fn authors_are_trimmed_and_named_once() {
        assert_eq!(
            checked(&[" Neil Gaiman ", "", "Terry Pratchett", "NEIL GAIMAN"]),
            Ok(vec!["Neil Gaiman".to_owned(), "Terry Pratchett".to_owned()])
        );
        assert!(checked(&[" ", ""]).is_err());
        let many: Vec<_> = (0..=MOST_AUTHORS).map(|at| format!("A{at}")).collect();
        let many: Vec<_> = many.iter().map(String::as_str).collect();
        assert!(checked(&many[1..]).is_ok() && checked(&many).is_err());
        let half = "x".repeat(249);
        assert!(checked(&[&half, &half.replace('x', "y")]).is_ok());
        assert!(checked(&[&half, &"y".repeat(250)]).is_err());
        assert!(checked(&["Neil\u{1f}Terry"]).is_err());
    }

    #[test]
    fn a_stored_text_is_a_list_and_a_text() {
        let stored = "Neil Gaiman\u{1f}Terry Pratchett";
        assert_eq!(joined(stored), "Neil Gaiman, Terry Pratchett");
        assert_eq!(serde_json::to_string(&Authors(stored.into())).unwrap(), r#"["Neil Gaiman","Terry Pratchett"]"#);
        let keys: Vec<_> = each_author_with_key(stored, "neil gaiman terry pratchett").map(|(_, key)| key).collect();
        assert_eq!(keys, ["neil gaiman", "terry pratchett"]);
        let one: Vec<_> = each_author_with_key("Gaiman, Neil", "gaiman neil").collect();
        assert_eq!(one, [("Gaiman, Neil", "gaiman neil".into())]);
    }
}
