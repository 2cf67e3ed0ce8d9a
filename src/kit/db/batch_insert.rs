//! Inserts many rows of a table with few statements.
use rusqlite::types::Value;
use rusqlite::{CachedStatement, ToSql};

use super::tx::Tx;
use crate::kit::error::Result;

/// How many rows one statement inserts.
pub const BATCH: usize = 100;

/// Inserts rows of a table: [`BATCH`] with each statement, and the rest one by one.
///
/// While a statement runs, SQLite keeps the former content of each page that it changes, if a trigger could make it fail halfway. With
/// one row a statement, the same page is copied for each row.
pub struct BatchInsert<'t> {
    tx: &'t Tx<'t>,
    table: &'static str,
    constants: Vec<(&'static str, Value)>,
    columns: Vec<&'static str>,
    one: Option<CachedStatement<'t>>,
    many: Option<CachedStatement<'t>>,
}

impl<'t> BatchInsert<'t> {
    /// Writes nothing yet.
    pub fn new(tx: &'t Tx<'t>, table: &'static str, columns: Vec<&'static str>) -> Self {
        Self { tx, table, constants: Vec::new(), columns, one: None, many: None }
    }

    /// With further columns that have the same value in each row.
    pub fn with_constants(self, constants: Vec<(&'static str, Value)>) -> Self {
        Self { constants, ..self }
    }

    /// Inserts rows. `add_values` adds the values of a row, one for each column, in their order.
    ///
    /// # Errors
    /// The database's, and those of `add_values`. Rows before the one that failed may have been inserted.
    pub fn insert<R>(
        &mut self,
        rows: impl IntoIterator<Item = R, IntoIter: ExactSizeIterator>,
        mut add_values: impl FnMut(R, &mut Values<'_, 't>) -> Result<()>,
    ) -> Result<()> {
        let mut rows = rows.into_iter();
        while rows.len() > 0 {
            let count = if rows.len() < BATCH { 1 } else { BATCH };
            let mut values = Values { added: self.constants.len(), statement: self.statement(count)? };
            for row in rows.by_ref().take(count) {
                add_values(row, &mut values)?;
            }
            values.statement.raw_execute()?;
        }
        Ok(())
    }

    /// The statement for one row or for [`BATCH`] rows.
    fn statement(&mut self, rows: usize) -> Result<&mut CachedStatement<'t>> {
        let statement = if rows == 1 { &mut self.one } else { &mut self.many };
        match statement {
            Some(statement) => Ok(statement),
            none => {
                let names: Vec<_> = self.constants.iter().map(|(name, _)| *name).chain(self.columns.clone()).collect();
                // A question mark alone stands for the number after the last one.
                let constants = (1..=self.constants.len()).map(|number| format!("?{number}"));
                let row: Vec<_> = constants.chain(self.columns.iter().map(|_| "?".to_owned())).collect();
                let (names, rows) = (names.join(", "), vec![format!("({})", row.join(", ")); rows].join(", "));
                let sql = format!("INSERT INTO {} ({names}) VALUES {rows}", self.table);
                let mut statement = self.tx.prepare_cached(&sql)?;
                for (number, (_, value)) in (1..).zip(&self.constants) {
                    statement.raw_bind_parameter(number, value)?;
                }
                Ok(none.insert(statement))
            }
        }
    }
}

/// The values of a statement, in the order of its parameters.
pub struct Values<'s, 't> {
    statement: &'s mut CachedStatement<'t>,
    added: usize,
}

impl<'s, 't> Values<'s, 't> {
    /// No values yet.
    pub fn new(statement: &'s mut CachedStatement<'t>) -> Self {
        Self { statement, added: 0 }
    }

    /// Adds the next value.
    pub fn add(&mut self, value: impl ToSql) -> Result<()> {
        self.added += 1;
        Ok(self.statement.raw_bind_parameter(self.added, value)?)
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use rusqlite::Connection;

    use super::*;

    #[test]
    fn rows_are_inserted_in_their_order_whatever_their_number() {
        let conn = Connection::open_in_memory().unwrap();
        conn.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, by TEXT)").unwrap();
        let tx = Tx::new(&conn, DateTime::UNIX_EPOCH);
        let mut insert =
            BatchInsert::new(&tx, "t", vec!["id", "name"]).with_constants(vec![("by", "an import".to_owned().into())]);
        let name = |id: u32| (!id.is_multiple_of(3)).then(|| format!("row {id}"));
        let mut write = |rows: Vec<u32>| {
            insert.insert(rows, |id, values| {
                values.add(id)?;
                values.add(name(id))
            })
        };
        let all: Vec<u32> = (0..).take(5 * BATCH).collect();
        let ends = [0, 1, BATCH, 2 * BATCH + 1, 5 * BATCH];
        for (from, to) in ends.iter().zip(&ends[1..]) {
            write(all[*from..*to].to_vec()).unwrap();
        }
        let mut query = conn.prepare("SELECT id, name FROM t WHERE by = 'an import' ORDER BY id").unwrap();
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let rows: Vec<(u32, Option<String>)> = rows.map(rusqlite::Result::unwrap).collect();
        assert_eq!(rows, all.iter().map(|id| (*id, name(*id))).collect::<Vec<_>>());
        assert!(write(all[..BATCH].to_vec()).is_err(), "the keys are taken");
    }
}
