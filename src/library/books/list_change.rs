//! Adds and removes genres or tags of many books at once (docs/rules.md, "Books").
use super::facts::{MOST_TAGS, check_tag, tag_key};
use super::model::{GENRE_LENGTH, MOST_GENRES};
use crate::kit::FieldErrors;
use crate::library::text;

/// Which list of a book changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum List {
    Genres,
    Tags,
}

impl List {
    /// The fields of the API that add to it and remove from it.
    fn fields(self) -> [&'static str; 2] {
        match self {
            Self::Genres => ["addGenres", "removeGenres"],
            Self::Tags => ["addTags", "removeTags"],
        }
    }

    /// The form in which its words are compared.
    fn key(self, word: &str) -> String {
        match self {
            Self::Genres => text::genre_key(word),
            Self::Tags => tag_key(word),
        }
    }

    fn has(self, words: &[String], word: &str) -> bool {
        let key = self.key(word);
        words.iter().any(|other| self.key(other) == key)
    }

    /// Why a value that is no list is refused.
    pub fn must_be(self) -> &'static str {
        match self {
            Self::Genres => "Genres must be a list of texts.",
            Self::Tags => "Tags must be a list of texts.",
        }
    }

    fn too_many(self) -> String {
        match self {
            Self::Genres => format!("A book can have at most {MOST_GENRES} genres."),
            Self::Tags => format!("A book can have at most {MOST_TAGS} tags."),
        }
    }

    fn most(self) -> usize {
        match self {
            Self::Genres => MOST_GENRES,
            Self::Tags => MOST_TAGS,
        }
    }

    fn check(self, errors: &mut FieldErrors, field: &str, word: &str) {
        match self {
            Self::Genres => {
                if word.contains(',') {
                    errors.add(field, "A genre can't contain a comma.");
                }
                text::check(errors, field, "A genre", word, GENRE_LENGTH);
            }
            Self::Tags => check_tag(errors, field, word),
        }
    }
}

/// The genres or tags that books get and lose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListChange {
    list: List,
    /// Trimmed, without repetitions.
    add: Vec<String>,
    /// As they are compared.
    remove: Vec<String>,
}

impl ListChange {
    /// Checks the words as a client sends them; `None` where there is nothing to do.
    ///
    /// # Errors
    /// One sentence for each of the two fields: too many words, or one that a book can't have.
    pub fn checked(list: List, add: &[String], remove: &[String]) -> Result<Option<Self>, FieldErrors> {
        let mut errors = FieldErrors::new();
        let mut change = Self { list, add: Vec::new(), remove: Vec::new() };
        let [adds, removes] = list.fields();
        for (field, words, is_added) in [(adds, add, true), (removes, remove, false)] {
            if words.len() > list.most() {
                errors.add(field, list.too_many());
                // Each word is compared with all before it.
                return Err(errors);
            }
            for word in words.iter().map(|word| word.trim()).filter(|word| !word.is_empty()) {
                list.check(&mut errors, field, word);
                if !is_added {
                    change.remove.push(list.key(word));
                } else if !list.has(&change.add, word) {
                    change.add.push(word.to_owned());
                }
            }
        }
        let is_empty = change.add.is_empty() && change.remove.is_empty();
        if errors.is_empty() { Ok(Some(change).filter(|_| !is_empty)) } else { Err(errors) }
    }

    /// The words of a book after the change, joined by commas; `None` when nothing changes. New words take the place of the first
    /// removed one, so that renaming the first genre renames the first genre.
    ///
    /// # Errors
    /// One sentence for the field that adds when the book would have too many.
    pub fn apply(&self, joined: &str) -> Result<Option<String>, FieldErrors> {
        let each = || joined.split(',').filter(|word| !word.is_empty());
        let is_removed = |word: &str| self.remove.contains(&self.list.key(word));
        let place = each().position(is_removed);
        let mut words: Vec<String> = each().filter(|word| !is_removed(word)).map(str::to_owned).collect();
        let added: Vec<String> = self.add.iter().filter(|word| !self.list.has(&words, word)).cloned().collect();
        let place = place.unwrap_or(words.len());
        words.splice(place..place, added);
        if words.len() > self.list.most() {
            let mut errors = FieldErrors::new();
            errors.add(self.list.fields()[0], self.list.too_many());
            return Err(errors);
        }
        Ok(Some(words.join(",")).filter(|changed| changed != joined))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(list: List, add: &[&str], remove: &[&str]) -> Result<Option<ListChange>, FieldErrors> {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        ListChange::checked(list, &owned(add), &owned(remove))
    }

    fn change(add: &[&str], remove: &[&str]) -> ListChange {
        checked(List::Genres, add, remove).unwrap().unwrap()
    }

    #[test]
    fn tags_are_compared_without_case_alone() {
        let tags = |add: &[&str], remove: &[&str]| checked(List::Tags, add, remove).unwrap().unwrap();
        assert_eq!(tags(&["Sci-Fi"], &["SF"]).apply("owned,sf").unwrap().as_deref(), Some("owned,Sci-Fi"));
        assert_eq!(
            tags(&["SciFi", "OWNED"], &[]).apply("Sci-Fi,owned").unwrap().as_deref(),
            Some("Sci-Fi,owned,SciFi")
        );
        let full = (0..50).map(|at| format!("t{at}")).collect::<Vec<_>>().join(",");
        assert!(tags(&["One more"], &[]).apply(&full).unwrap_err().get("addTags").is_some());
    }

    #[test]
    fn genres_are_added_once_and_removed_however_they_are_written() {
        assert_eq!(change(&["Classics"], &[]).apply("Crime").unwrap().as_deref(), Some("Crime,Classics"));
        assert_eq!(change(&["CRIME", " crime "], &[]).apply("Crime").unwrap(), None);
        assert_eq!(change(&[], &["OWNED"]).apply("Crime,owned").unwrap().as_deref(), Some("Crime"));
        assert_eq!(change(&[], &["owned"]).apply("").unwrap(), None);
    }

    #[test]
    fn a_renamed_genre_keeps_its_place() {
        let renamed = change(&["Science Fiction"], &["sci-fi"]);
        assert_eq!(renamed.apply("Sci-Fi,Crime").unwrap().as_deref(), Some("Science Fiction,Crime"));
        assert_eq!(renamed.apply("Science Fiction,sci-fi").unwrap().as_deref(), Some("Science Fiction"));
        let spelled = change(&["Fantasy"], &["fantasy"]);
        assert_eq!(spelled.apply("FANTASY,Crime").unwrap().as_deref(), Some("Fantasy,Crime"));
    }

    #[test]
    fn wrong_genres_are_named() {
        let fields = |add: &[&str], remove: &[&str]| {
            let errors = checked(List::Genres, add, remove).unwrap_err();
            errors.iter().map(|(field, _)| field.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(checked(List::Genres, &[" "], &[]).unwrap(), None);
        assert_eq!(fields(&[" "], &["a,b"]), ["removeGenres"]);
        assert_eq!(fields(&[&"x".repeat(101)], &[]), ["addGenres"]);
        let full = (0..50).map(|at| format!("g{at}")).collect::<Vec<_>>().join(",");
        assert!(change(&["One more"], &[]).apply(&full).is_err());
    }
}
