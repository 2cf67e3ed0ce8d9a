//! Columns of a result by their names.
//!
//! A mapper of many columns reads them by name, so that a change of the `SELECT` can't swap two of them unseen. Mappers of a few columns,
//! and those of scans over a whole library, read by number in the order of the list beside them.
use rusqlite::{Result, Row};

/// Finds the columns of a row: `let at = columns(row)`, then `row.get(at("title")?)`. Expressions have names by `AS`.
pub fn columns<'r>(row: &'r Row<'_>) -> impl Fn(&str) -> Result<usize> + 'r {
    |name| row.as_ref().column_index(name)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::columns;

    #[test]
    fn a_column_is_found_wherever_it_is_and_a_missing_one_is_an_error() {
        let conn = Connection::open_in_memory().unwrap();
        for sql in ["SELECT 1 AS pages, 2 AS words", "SELECT 2 AS words, 1 AS pages"] {
            conn.query_row(sql, [], |row| {
                let at = columns(row);
                assert_eq!((row.get::<_, i64>(at("pages")?)?, row.get::<_, i64>(at("words")?)?), (1, 2));
                assert!(at("minutes").is_err());
                Ok(())
            })
            .unwrap();
        }
    }
}
