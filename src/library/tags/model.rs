//! A tag as its reader sees it, and what renaming one does to the tags of a book.
use serde::Serialize;
use utoipa::ToSchema;

use crate::library::books::facts::{each_tag, has_key};

/// The most characters of an icon's name.
pub const ICON_LENGTH: usize = 40;

/// The most tags of a library that are shown as a shelf or with an icon.
pub const MOST_SHOWN: i64 = 1_000;

/// The library has as many tags with a style as it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyShown;

/// A tag of the library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Tag {
    /// The tag, as it was first written.
    pub name: String,
    /// How many different books have it.
    pub books: usize,
    /// Whether it is shown as a shelf of its own.
    pub shelf: bool,
    /// The name of its icon.
    #[schema(required)]
    pub icon: Option<String>,
}

/// How a tag is shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether it is shown as a shelf of its own.
    pub shelf: bool,
    /// The name of its icon.
    pub icon: Option<String>,
    /// The place among the shelves.
    pub position: i64,
}

/// The name of a tag and its key.
#[derive(Debug, Clone, Copy)]
pub struct NamedTag<'t> {
    /// The tag as it is written.
    pub name: &'t str,
    /// The form in which it is compared.
    pub key: &'t str,
}

/// A book's tags, joined by commas, with `new` in the place of the tag with the key `old`; without that tag if `new` is `None`. Returns
/// `None` if nothing changes.
pub fn replaced(joined: &str, old: &str, new: Option<NamedTag<'_>>) -> Option<String> {
    if !each_tag(joined).any(|tag| has_key(tag, old)) {
        return None;
    }
    let mut tags: Vec<&str> = Vec::new();
    let mut has_new = false;
    for tag in each_tag(joined) {
        let is_old = has_key(tag, old);
        if is_old || new.is_some_and(|new| has_key(tag, new.key)) {
            if let Some(new) = new.filter(|_| !has_new) {
                tags.push(if is_old { new.name } else { tag });
                has_new = true;
            }
        } else {
            tags.push(tag);
        }
    }
    Some(tags.join(",")).filter(|changed| changed != joined)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::books::facts::tag_key;

    /// [`super::replaced`] with the key of the new name.
    fn replaced(joined: &str, old: &str, new: Option<&str>) -> Option<String> {
        let key = new.map(tag_key).unwrap_or_default();
        super::replaced(joined, old, new.map(|name| NamedTag { name, key: &key }))
    }

    #[test]
    fn a_tag_has_the_key_that_would_be_made_of_it() {
        let tags = [
            "sf", "SF", "Sf", "Stra\u{df}e", "STRASSE", "stra\u{1e9e}e", "\u{fb03}x", "ffix", "\u{130}", "i\u{307}",
            "\u{1f4da}a", "",
        ];
        for tag in tags {
            for other in tags {
                let key = tag_key(other);
                assert_eq!(has_key(tag, &key), tag_key(tag) == key, "{tag} {other}");
            }
        }
    }

    #[test]
    fn a_renamed_tag_keeps_its_place_and_stands_once() {
        assert_eq!(
            replaced("owned,SF,lent", "sf", Some("science fiction")).as_deref(),
            Some("owned,science fiction,lent")
        );
        assert_eq!(replaced("cosy,owned,Comfort", "cosy", Some("comfort")).as_deref(), Some("comfort,owned"));
        assert_eq!(replaced("Comfort,cosy", "cosy", Some("comfort")).as_deref(), Some("Comfort"));
        assert_eq!(replaced("SF", "sf", Some("sf")).as_deref(), Some("sf"));
        assert_eq!(replaced("sf", "sf", Some("sf")), None);
        assert_eq!(replaced("owned", "sf", Some("x")), None);
        assert_eq!(replaced("owned,sf", "sf", None).as_deref(), Some("owned"));
        assert_eq!(replaced("sf", "sf", None).as_deref(), Some(""));
    }
}
