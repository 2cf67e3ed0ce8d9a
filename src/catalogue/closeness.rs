//! How close a title is to what was asked: works are found by popularity, and the closest of the most popular stand first.
use super::parse::is_set;
use super::words::words;

/// A query, to compare titles with.
pub struct TitleQuery {
    words: Vec<String>,
    wants_set: bool,
}

impl TitleQuery {
    /// The words of a query. The last may be the beginning of a word.
    pub fn new(query: &str) -> Self {
        let words = words(query);
        let wants_set = words.iter().any(|word| matches!(word.as_str(), "set" | "box" | "boxed" | "collection"));
        Self { words, wants_set }
    }

    /// How close a title is: 4 if it has these words and no others, 3 if those of them that it has are its first words, 2 if it has all,
    /// otherwise 1. Several books in one box have -1 to 0, behind single books, unless the query names a box.
    pub fn closeness(&self, title: &str) -> i32 {
        let title_words = words(title);
        let is_asked = |word: &String| match self.words.split_last() {
            Some((last, before)) => before.contains(word) || word.starts_with(last.as_str()),
            None => false,
        };
        let found = title_words.iter().filter(|word| is_asked(word)).count();
        let begins = title_words.iter().take_while(|word| is_asked(word)).count();
        let close = match () {
            () if found == 0 => 1,
            () if found == title_words.len() => 4,
            () if begins == found => 3,
            () if found >= self.words.len() => 2,
            () => 1,
        };
        if !self.wants_set && is_set(title) { (close - 4).min(0) } else { close }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_that_is_asked_for_is_the_closest() {
        let of = |query, title| TitleQuery::new(query).closeness(title);
        assert_eq!(of("dune", "Dune"), 4);
        assert_eq!(of("dune herbert", "Dune"), 4);
        assert_eq!(of("dune", "Dune Messiah"), 3);
        assert_eq!(of("dune", "The road to Dune"), 2);
        assert_eq!(of("frank herbert", "Dune"), 1);
        assert_eq!(of("dun", "Dune"), 4);
        assert_eq!(of("dune", "Dune Boxed Set"), -1);
        assert_eq!(of("dune boxed set", "Dune Boxed Set"), 4);
    }
}
