//! The JSON of one record, whatever its fields hold: a field of another type than expected is left out, and the record stays.
use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// The most members of a list that count.
const LONGEST_LIST: usize = 64;

/// A value of any type: the text, the number, or the list that it is, or that an object with `author`, `key` or `value` has.
#[derive(Debug, Default, Clone, PartialEq)]
pub enum Loose<'a> {
    /// Anything else.
    #[default]
    Nothing,
    Text(Cow<'a, str>),
    /// A number; a fraction is cut.
    Number(i64),
    /// A list of at most 64 members.
    List(Vec<Loose<'a>>),
}

impl<'a> Loose<'a> {
    /// The text of a text.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The number of a number, or of a text that is one.
    pub fn number(&self) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    /// The members of a list; a single value is a list of one.
    pub fn members(&self) -> &[Loose<'a>] {
        match self {
            Self::Nothing => &[],
            Self::List(members) => members,
            one => std::slice::from_ref(one),
        }
    }

    /// The texts of a list.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.members().iter().filter_map(Loose::text)
    }

    /// The first text.
    pub fn first(&self) -> Option<&str> {
        self.texts().next()
    }

    /// The numbers of the records that a list names.
    pub fn ids(&self) -> impl Iterator<Item = u32> {
        self.texts().filter_map(id)
    }

    /// The first cover: a number above 0 that is not a mark for none.
    pub fn cover(&self) -> Option<u32> {
        self.members().iter().filter_map(Loose::number).find_map(|id| u32::try_from(id).ok().filter(|id| *id > 0))
    }
}

/// The number of a key: 45804 of `/works/OL45804W`.
pub fn id(key: &str) -> Option<u32> {
    let name = key.rsplit('/').next()?.strip_prefix("OL")?;
    name.get(..name.len().checked_sub(1)?)?.parse().ok().filter(|id| *id > 0)
}

impl<'de> Deserialize<'de> for Loose<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Anything)
    }
}

/// The name of a field, borrowed from the line where it has no escapes.
#[derive(serde::Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

struct Anything;

impl<'de> Visitor<'de> for Anything {
    type Value = Loose<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
        Ok(Loose::Nothing)
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Loose::Nothing)
    }

    fn visit_i64<E>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Loose::Number(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Self::Value, E> {
        Ok(i64::try_from(number).map_or(Loose::Nothing, Loose::Number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Loose::Number(number as i64))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Loose::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Loose::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while members.len() < LONGEST_LIST {
            match list.next_element()? {
                Some(member) => members.push(member),
                None => return Ok(Loose::List(members)),
            }
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Loose::List(members))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
        let mut found = Loose::Nothing;
        while let Some(name) = object.next_key::<Name<'de>>()? {
            match name.0.as_ref() {
                "author" | "key" | "value" => found = object.next_value()?,
                _ => drop(object.next_value::<IgnoredAny>()?),
            }
        }
        Ok(found)
    }
}

/// Makes a record of which each field is there or not, of any type, and once or several times: the last counts.
macro_rules! record {
    ($(#[$about:meta])* $name:ident { $($field:ident),* }) => {
        $(#[$about])*
        #[derive(Debug, Default)]
        pub struct $name<'a> {
            $(
                #[doc = "The field of the dump."]
                pub $field: Loose<'a>,
            )*
        }

        impl<'de> Deserialize<'de> for $name<'de> {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                struct Fields;
                impl<'de> Visitor<'de> for Fields {
                    type Value = $name<'de>;

                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str("a record")
                    }

                    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self::Value, A::Error> {
                        let mut record = $name::default();
                        while let Some(name) = object.next_key::<Name<'de>>()? {
                            match name.0.as_ref() {
                                $(stringify!($field) => record.$field = object.next_value()?,)*
                                _ => drop(object.next_value::<IgnoredAny>()?),
                            }
                        }
                        Ok(record)
                    }
                }
                from.deserialize_map(Fields)
            }
        }
    };
}

record!(Edition {
    title,
    title_prefix,
    subtitle,
    works,
    authors,
    isbn_13,
    isbn_10,
    isbn,
    number_of_pages,
    pagination,
    publish_date,
    languages,
    covers,
    physical_format,
    publishers,
    by_statement
});
record!(Work { title, subtitle, authors, covers, subjects, first_publish_date });
record!(Author { name, personal_name });
record!(
    /// A record that has moved.
    Redirect { location }
);

#[cfg(test)]
mod tests {
    use super::*;

    fn work(json: &str) -> Work<'_> {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn authors_are_found_in_every_form() {
        for authors in [
            r#"[{"author":{"key":"/authors/OL7A"},"type":{"key":"/type/author_role"}}]"#,
            r#"[{"type":"/type/author_role","author":"/authors/OL7A"}]"#,
            r#"[{"key":"/authors/OL7A"}]"#,
            r#""/authors/OL7A""#,
        ] {
            let json = format!(r#"{{"authors":{authors},"title":"T"}}"#);
            assert_eq!(work(&json).authors.ids().collect::<Vec<_>>(), [7], "{authors}");
        }
    }

    #[test]
    fn a_field_of_another_type_is_left_out_and_the_record_stays() {
        let read = work(
            r#"{"title":{"type":"/type/text","value":"T"},"covers":[-1,null,"x",12],"authors":true,"subjects":3,"title":"U"}"#,
        );
        assert_eq!(read.title.text(), Some("U"));
        assert_eq!(read.covers.cover(), Some(12));
        assert_eq!(read.authors.ids().count() + read.subjects.texts().count(), 0);
        assert!(serde_json::from_str::<Work<'_>>("[1]").is_err());
        let long = format!(r#"{{"subjects":[{}"x"]}}"#, "\"y\",".repeat(1000));
        assert_eq!(work(&long).subjects.members().len(), LONGEST_LIST);
    }

    #[test]
    fn a_key_has_a_number() {
        for (key, expected) in [
            ("/works/OL45804W", Some(45_804)),
            ("OL1A", Some(1)),
            ("/works/OL99999999999W", None),
            ("/works/W", None),
            ("", None),
            ("OL\u{e4}", None),
        ] {
            assert_eq!(id(key), expected, "{key}");
        }
    }
}
