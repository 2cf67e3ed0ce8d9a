//! Enums whose variants have one name each: the word of the API, of our CSV files and of the database.
//!
//! [`named!`] writes the name once. JSON, the API description and SQLite all use it, and reading a word that the enum does not know is an
//! error everywhere: a payload with one is refused, and a row with one is not read as something else.

/// A word that no variant of an enum has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{word}\" is not a known {kind}; known are {known}")]
pub struct UnknownName {
    pub kind: &'static str,
    /// The word that was read.
    pub word: String,
    /// The words that the enum knows.
    pub known: String,
}

/// Defines an enum whose variants have one name each. It can be stored and read with `rusqlite` as that name.
macro_rules! named {
    ($(#[$meta:meta])* $kind:ident { $($(#[$variant_meta:meta])* $variant:ident = $name:tt),+ $(,)? }) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, utoipa::ToSchema)]
        $(#[$meta])*
        pub enum $kind { $($(#[$variant_meta])* #[serde(rename = $name)] $variant),+ }

        impl $kind {
            /// Every variant, in the order of the definition.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The name in the API, in CSV files and in the database.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            /// The variant of a name, in exactly that spelling.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$variant),)+ _ => None }
            }
        }

        impl rusqlite::types::FromSql for $kind {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<Self> {
                let word = value.as_str()?;
                Self::from_name(word).ok_or_else(|| {
                    let known = Self::ALL.map(Self::name).join(", ");
                    let word = word.to_owned();
                    let unknown = $crate::kit::named::UnknownName { kind: stringify!($kind), word, known };
                    rusqlite::types::FromSqlError::Other(Box::new(unknown))
                })
            }
        }

        impl rusqlite::types::ToSql for $kind {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(rusqlite::types::ToSqlOutput::from(self.name()))
            }
        }
    };
}
pub(crate) use named;

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    named! {
        /// A colour.
        Colour {
            /// Like the sky.
            Blue = "blue",
            /// Like a sea with reeds in it.
            BlueGreen = "blue-green",
        }
    }

    #[test]
    fn one_name_serves_json_and_the_database() {
        let conn = Connection::open_in_memory().unwrap();
        for colour in Colour::ALL {
            assert_eq!(serde_json::to_value(colour).unwrap(), colour.name());
            assert_eq!(serde_json::from_value::<Colour>(colour.name().into()).unwrap(), colour);
            let stored: (String, Colour) =
                conn.query_row("SELECT ?1, ?1", [colour], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
            assert_eq!(stored, (colour.name().to_owned(), colour));
        }
    }

    #[test]
    fn an_unknown_word_is_an_error_that_says_the_word() {
        let conn = Connection::open_in_memory().unwrap();
        for (word, complaint) in [
            ("'red'", "\"red\" is not a known Colour; known are blue, blue-green"),
            ("'Blue'", "\"Blue\" is not a known Colour"),
            ("''", "\"\" is not a known Colour"),
            ("7", "Invalid column type Integer at index: 0"),
            ("NULL", "Invalid column type Null at index: 0"),
        ] {
            let read = conn.query_row(&format!("SELECT {word}"), [], |row| row.get::<_, Colour>(0));
            let said = read.unwrap_err().to_string();
            assert!(said.contains(complaint), "{word}: {said}");
        }
        assert_eq!(conn.query_row("SELECT NULL", [], |row| row.get::<_, Option<Colour>>(0)), Ok(None));
        assert!(serde_json::from_str::<Colour>("\"red\"").is_err());
    }
}
