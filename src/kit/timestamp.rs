//! A moment as the database and the API write it.
use std::fmt;

use chrono::{DateTime, SubsecRound as _, Utc};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Serialize, Serializer};

/// A moment in UTC, exact to a second. Its text, in the database and in JSON, is RFC 3339: `2026-01-02T03:04:05Z`. Texts sort as
/// the moments do. Reading a text of another form is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(DateTime<Utc>);

impl Timestamp {
    /// The moment, to calculate with.
    pub fn utc(self) -> DateTime<Utc> {
        self.0
    }
}

impl From<DateTime<Utc>> for Timestamp {
    fn from(at: DateTime<Utc>) -> Self {
        Self(at.trunc_subsecs(0))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.format("%Y-%m-%dT%H:%M:%SZ").fmt(f)
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromSql for Timestamp {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let at = DateTime::parse_from_rfc3339(value.as_str()?).map_err(|cause| FromSqlError::Other(Box::new(cause)))?;
        Ok(at.to_utc().into())
    }
}

impl ToSql for Timestamp {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::from(self.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    #[test]
    fn a_moment_is_stored_and_written_to_the_second_and_read_again() {
        let conn = Connection::open_in_memory().unwrap();
        let at = Timestamp::from("2026-01-02T03:04:05.678Z".parse::<DateTime<Utc>>().unwrap());
        assert_eq!(serde_json::to_value(at).unwrap(), "2026-01-02T03:04:05Z");
        let stored: (String, Timestamp) =
            conn.query_row("SELECT ?1, ?1", [at], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        assert_eq!(stored, ("2026-01-02T03:04:05Z".to_owned(), at));
    }

    #[test]
    fn another_text_is_an_error_and_no_other_moment() {
        let conn = Connection::open_in_memory().unwrap();
        for wrong in [
            "'yesterday'", "''", "'2026-01-02'", "'2026-01-02 03:04:05'", "'2026-13-02T03:04:05Z'", "1767323045",
            "NULL",
        ] {
            let read = conn.query_row(&format!("SELECT {wrong}"), [], |row| row.get::<_, Timestamp>(0));
            assert!(read.is_err(), "{wrong}");
        }
        assert_eq!(conn.query_row("SELECT NULL", [], |row| row.get::<_, Option<Timestamp>>(0)), Ok(None));
    }
}
