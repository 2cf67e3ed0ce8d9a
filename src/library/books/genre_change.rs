//! Adds and removes genres of many books at once (docs/rules.md, "Books").
use super::model::{GENRE_LENGTH, MOST_GENRES, each_genre};
use crate::kit::FieldErrors;
use crate::library::text;

/// The genres that books get and lose.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GenreChange {
    /// Trimmed, without repetitions.
    add: Vec<String>,
    /// As genres are compared.
    remove: Vec<String>,
}

impl GenreChange {
    /// Checks the genres as a client sends them.
    ///
    /// # Errors
    /// One sentence for `addGenres` or `removeGenres`: nothing to do, too many genres, or a genre that a book can't have.
    pub fn checked(add: &[String], remove: &[String]) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::new();
        let mut change = Self::default();
        for (field, names) in [("addGenres", add), ("removeGenres", remove)] {
            if names.len() > MOST_GENRES {
                errors.add(field, format!("A book can have at most {MOST_GENRES} genres."));
                // Each name is compared with all before it.
                return Err(errors);
            }
            for name in names.iter().map(|name| name.trim()).filter(|name| !name.is_empty()) {
                if name.contains(',') {
                    errors.add(field, "A genre can't contain a comma.");
                }
                text::check(&mut errors, field, "A genre", name, GENRE_LENGTH);
                if field == "removeGenres" {
                    change.remove.push(text::genre_key(name));
                } else if !contains(&change.add, name) {
                    change.add.push(name.to_owned());
                }
            }
        }
        if change == Self::default() {
            errors.add("addGenres", "Name a genre to add or to remove.");
        }
        if errors.is_empty() { Ok(change) } else { Err(errors) }
    }

    /// The genres of a book after the change, joined by commas; `None` when nothing changes. New genres take the place of the
    /// first removed one, so that renaming the first genre renames the first genre.
    ///
    /// # Errors
    /// One sentence for `addGenres` when the book would have too many genres.
    pub fn apply(&self, joined: &str) -> Result<Option<String>, FieldErrors> {
        let is_removed = |genre: &str| self.remove.contains(&text::genre_key(genre));
        let place = each_genre(joined).position(is_removed);
        let mut genres: Vec<String> =
            each_genre(joined).filter(|genre| !is_removed(genre)).map(str::to_owned).collect();
        let added: Vec<String> = self.add.iter().filter(|genre| !contains(&genres, genre)).cloned().collect();
        let place = place.unwrap_or(genres.len());
        genres.splice(place..place, added);
        if genres.len() > MOST_GENRES {
            let mut errors = FieldErrors::new();
            errors.add("addGenres", format!("A book can have at most {MOST_GENRES} genres."));
            return Err(errors);
        }
        Ok(Some(genres.join(",")).filter(|changed| changed != joined))
    }
}

fn contains(genres: &[String], name: &str) -> bool {
    let folded = text::genre_key(name);
    genres.iter().any(|genre| text::genre_key(genre) == folded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(add: &[&str], remove: &[&str]) -> GenreChange {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        GenreChange::checked(&owned(add), &owned(remove)).unwrap()
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
            let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
            let errors = GenreChange::checked(&owned(add), &owned(remove)).unwrap_err();
            errors.iter().map(|(field, _)| field.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(fields(&[], &[]), ["addGenres"]);
        assert_eq!(fields(&[" "], &["a,b"]), ["removeGenres"]);
        assert_eq!(fields(&[&"x".repeat(101)], &[]), ["addGenres"]);
        let full = (0..50).map(|at| format!("g{at}")).collect::<Vec<_>>().join(",");
        assert!(change(&["One more"], &[]).apply(&full).is_err());
    }
}
