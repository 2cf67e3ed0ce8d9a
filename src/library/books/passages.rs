//! Quotes: texts from a book, each with its place, a note and its day where they are known.
use chrono::NaiveDate;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use crate::kit::FieldErrors;
use crate::library::text;

/// The most quotes of a book.
pub const MOST_QUOTES: usize = 200;
/// The most characters of a quote.
pub const QUOTE_LENGTH: usize = 5_000;
/// The most characters of the place of a quote.
pub const PLACE_LENGTH: usize = 50;
/// The most characters of the note to a quote.
pub const NOTE_LENGTH: usize = 2_000;
/// What is said about wrong `passages`.
pub const PASSAGES: &str =
    "Passages must be a list of texts, each perhaps with a place, a note and a day written yyyy-MM-dd.";

/// A quote of a book. Where there is nothing but a note, the text is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Passage {
    /// At most 5,000 characters; empty for a note that belongs to no text.
    #[serde(default)]
    #[schema(required, max_length = 5_000)]
    pub text: String,
    /// Where it stands, in the reader's words: `p. 212`, `ch. 4`, `38%`; at most 50 characters.
    #[serde(default)]
    #[schema(required, max_length = 50)]
    pub place: Option<String>,
    /// The reader's note, at most 2,000 characters.
    #[serde(default)]
    #[schema(required, max_length = 2_000)]
    pub note: Option<String>,
    /// The day on which it was marked.
    #[serde(default, deserialize_with = "strict_day", serialize_with = "crate::library::day_text::day_or_null")]
    #[schema(required)]
    pub day: Option<NaiveDate>,
}

fn strict_day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NaiveDate>, D::Error> {
    let day = Option::<String>::deserialize(deserializer)?;
    day.map(|day| text::date(&day).ok_or_else(|| serde::de::Error::custom("not a day"))).transpose()
}

impl From<&str> for Passage {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<String> for Passage {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl Passage {
    fn is_plain(&self) -> bool {
        self.place.is_none() && self.note.is_none() && self.day.is_none()
    }

    /// Takes over what another one of the same text says and this one does not.
    pub fn complete(&mut self, other: Self) {
        self.place = self.place.take().or(other.place);
        self.note = self.note.take().or(other.note);
        self.day = self.day.or(other.day);
    }

    fn trim(&mut self) {
        for part in [&mut self.place, &mut self.note] {
            *part = part.take().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        }
        if self.text.trim().is_empty() {
            self.text.clear();
        }
    }
}

/// The quotes of a book in the form of the database and of exports: a plain one is its text alone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Quotes(pub Vec<Passage>);

#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Text(String),
    Passage(Passage),
}

impl Serialize for Quotes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        #[serde(untagged)]
        enum Stored<'a> {
            Text(&'a str),
            Passage(&'a Passage),
        }
        serializer.collect_seq(
            self.0.iter().map(
                |passage| {
                    if passage.is_plain() { Stored::Text(&passage.text) } else { Stored::Passage(passage) }
                },
            ),
        )
    }
}

impl<'de> Deserialize<'de> for Quotes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries = Vec::<Entry>::deserialize(deserializer)?;
        Ok(Self(
            entries
                .into_iter()
                .map(|entry| match entry {
                    Entry::Text(text) => text.into(),
                    Entry::Passage(passage) => passage,
                })
                .collect(),
        ))
    }
}

impl<T: Into<Passage>> FromIterator<T> for Quotes {
    fn from_iter<I: IntoIterator<Item = T>>(passages: I) -> Self {
        Self(passages.into_iter().map(Into::into).collect())
    }
}

impl Quotes {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The texts, without notes that belong to none.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|passage| passage.text.as_str()).filter(|text| !text.is_empty())
    }

    /// Replaces the texts. A text that was there keeps its place, note and day, and notes without a text stay.
    pub fn set_texts(&mut self, texts: Vec<String>) {
        let mut before = std::mem::take(&mut self.0);
        for text in texts {
            let known = before.iter().position(|passage| !text.is_empty() && passage.text == text);
            self.0.push(known.map_or_else(|| text.into(), |at| before.remove(at)));
        }
        before.retain(|passage| passage.text.is_empty());
        self.0.append(&mut before);
    }

    /// Adds a passage behind the others. One whose text is there already only completes that one.
    pub fn add(&mut self, passage: Passage) {
        let is_same = |known: &&mut Passage| {
            known.text == passage.text && (!passage.text.is_empty() || known.note == passage.note)
        };
        match self.0.iter_mut().find(is_same) {
            Some(known) => known.complete(passage),
            None => self.0.push(passage),
        }
    }

    /// Trims places and notes, removes blank passages, and checks the limits.
    pub fn check(&mut self, errors: &mut FieldErrors) {
        self.0.iter_mut().for_each(Passage::trim);
        self.0.retain(|passage| !passage.text.is_empty() || passage.note.is_some());
        if self.0.len() > MOST_QUOTES {
            errors.add("quotes", format!("A book can have at most {MOST_QUOTES} quotes."));
        }
        for Passage { text, place, note, .. } in &self.0 {
            text::check(errors, "quotes", "A quote", text, QUOTE_LENGTH);
            text::check(errors, "quotes", "The place of a quote", place.as_deref().unwrap_or(""), PLACE_LENGTH);
            text::check(errors, "quotes", "The note to a quote", note.as_deref().unwrap_or(""), NOTE_LENGTH);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(json: &str) -> Quotes {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn a_plain_quote_is_stored_as_its_text() {
        let both = r#"["Fear.",{"text":"Spice.","place":"p. 212","note":null,"day":"2026-02-01"}]"#;
        assert_eq!(serde_json::to_string(&of(both)).unwrap(), both);
        assert_eq!(serde_json::to_string(&of(r#"[{"text":"Fear."}]"#)).unwrap(), r#"["Fear."]"#);
        for wrong in
            [r#"[1]"#, r#"[{"text":"a","day":"2026-2-1"}]"#, r#"[{"text":null}]"#, r#"[{"text":"a","place":3}]"#]
        {
            assert!(serde_json::from_str::<Quotes>(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn texts_alone_keep_the_places_of_equal_texts() {
        let mut quotes = of(r#"[{"text":"a","place":"1"},{"text":"a","place":"2"},"b",{"note":"alone"}]"#);
        quotes.set_texts(vec!["c".into(), "a".into(), "a".into(), "a".into()]);
        assert_eq!(quotes, of(r#"["c",{"text":"a","place":"1"},{"text":"a","place":"2"},"a",{"note":"alone"}]"#));
        assert_eq!(quotes.texts().collect::<Vec<_>>(), ["c", "a", "a", "a"]);
    }

    #[test]
    fn an_equal_text_completes_the_one_that_is_there() {
        let mut quotes = of(r#"[{"text":"a","place":"1"},{"note":"x"}]"#);
        quotes.add(Passage { note: Some("n".into()), place: Some("2".into()), ..Passage::from("a") });
        quotes.add(Passage { note: Some("x".into()), ..Passage::default() });
        quotes.add(Passage { note: Some("y".into()), ..Passage::default() });
        assert_eq!(quotes, of(r#"[{"text":"a","place":"1","note":"n"},{"note":"x"},{"note":"y"}]"#));
    }

    #[test]
    fn blank_passages_go_and_each_part_has_its_limit() {
        let check = |mut quotes: Quotes| {
            let mut errors = FieldErrors::new();
            quotes.check(&mut errors);
            errors.get("quotes").map(str::to_owned).ok_or(quotes)
        };
        let kept =
            check(of(r#"[" \n",{"text":" ","place":"3"},{"text":" ","note":" n "},{"text":" q ","place":" "}]"#));
        assert_eq!(kept, Err(of(r#"[{"note":"n"}," q "]"#)));
        let long = |text: usize, place: usize, note: usize| {
            let letters = |count: usize| "é".repeat(count);
            check(Quotes(vec![Passage {
                text: letters(text),
                place: Some(letters(place)),
                note: Some(letters(note)),
                day: None,
            }]))
        };
        assert!(long(5_000, 50, 2_000).is_err());
        for (sentence, quotes) in [
            ("A quote can have at most 5,000 characters.", long(5_001, 1, 1)),
            ("The place of a quote can have at most 50 characters.", long(1, 51, 1)),
            ("The note to a quote can have at most 2,000 characters.", long(1, 1, 2_001)),
        ] {
            assert_eq!(quotes.as_deref(), Ok(sentence));
        }
    }
}
