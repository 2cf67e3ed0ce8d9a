//! Escapes cells that a spreadsheet would execute as a formula, and restores them.
//!
//! Where a spreadsheet separates cells by semicolons or tabs instead of commas, as in many countries, a formula may also begin inside a
//! cell, behind such a separator.
use std::borrow::Cow;

use csv::StringRecord;

/// Characters that begin a formula in spreadsheets, in half and full width.
const RUNS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
const SEPARATORS: [char; 2] = [';', '\t'];

/// Whether a cell would be executed, or looks like an escaped one.
fn runs(cell: &str) -> bool {
    cell.trim_start_matches('\'').starts_with(RUNS)
}

/// The same for what is behind a separator inside a cell; quotes may stand before it. A smiley, `;-)`, is no formula.
fn runs_inside(rest: &str) -> bool {
    let mut rest = rest.trim_start_matches(['\'', '"']).chars();
    match rest.next() {
        Some('+' | '-' | '＋' | '－') => rest.next().is_some_and(|operand| operand != ')'),
        Some('=' | '@' | '＝' | '＠') => true,
        _ => false,
    }
}

/// Escapes a cell with an apostrophe where a spreadsheet would execute it, or where it has an apostrophe already.
pub fn escaped(cell: &str) -> Cow<'_, str> {
    let begins = runs(cell);
    if !begins && pieces(cell).skip(1).all(|piece| !runs_inside(piece)) {
        return cell.into();
    }
    let start = if begins { "'" } else { "" };
    let inside = pieces(cell).enumerate().map(|(at, rest)| {
        let escape = if at > 0 && runs_inside(rest) { "'" } else { "" };
        [escape, piece(rest)].concat()
    });
    std::iter::once(start.to_owned()).chain(inside).collect::<String>().into()
}

/// Reverses [`escaped`].
pub fn restored(cell: &str) -> Cow<'_, str> {
    match restored_inside(cell) {
        Some(cell) => restored_start(&cell).to_owned().into(),
        None => restored_start(cell).into(),
    }
}

/// Reverses [`escaped`] at the start of a cell.
pub fn restored_start(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| runs(rest)).unwrap_or(cell)
}

/// Reverses [`escaped`] inside the cells of a row.
pub fn restored_row(row: &StringRecord) -> Cow<'_, StringRecord> {
    if row.iter().all(|cell| restored_inside(cell).is_none()) {
        return Cow::Borrowed(row);
    }
    Cow::Owned(row.iter().map(|cell| restored_inside(cell).map_or(Cow::Borrowed(cell), Cow::Owned)).collect())
}

/// The cell without the escapes inside; `None` when there is none.
fn restored_inside(cell: &str) -> Option<String> {
    let is_escape = |rest: &str| rest.strip_prefix('\'').is_some_and(runs_inside);
    if !pieces(cell).skip(1).any(is_escape) {
        return None;
    }
    let inside =
        pieces(cell).enumerate().map(|(at, rest)| piece(if at > 0 && is_escape(rest) { &rest[1..] } else { rest }));
    Some(inside.collect())
}

/// The cell, and what is left of it behind each separator.
fn pieces(cell: &str) -> impl Iterator<Item = &str> {
    std::iter::once(cell).chain(cell.match_indices(SEPARATORS).map(|(at, separator)| &cell[at + separator.len()..]))
}

/// What is left of a cell up to its next separator, and that separator.
fn piece(rest: &str) -> &str {
    rest.find(SEPARATORS).map_or(rest, |at| &rest[..=at])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn formulas_are_kept_from_running_and_apostrophes_are_left_alone() {
        for (cell, safe) in [
            ("=1+1", "'=1+1"),
            ("'=1+1", "''=1+1"),
            ("'Tis", "'Tis"),
            ("x;=1+1;y", "x;'=1+1;y"),
            ("x\t=1+1", "x\t'=1+1"),
            ("x;\"=1+1\"", "x;'\"=1+1\""),
            ("=1;-cmd", "'=1;'-cmd"),
            ("so good ;-) or ;'-)", "so good ;-) or ;'-)"),
            ("a; b;c", "a; b;c"),
        ] {
            assert_eq!(escaped(cell), safe);
            assert_eq!(restored(safe), cell);
        }
        assert_eq!(restored("'Tis; 'tis;'tis"), "'Tis; 'tis;'tis");
    }

    proptest! {
        #[test]
        fn what_was_escaped_is_restored(text in "['\"=+@\ta;)-]{0,9}") {
            let safe = escaped(&text);
            prop_assert!(!safe.starts_with(RUNS));
            for inside in safe.split(SEPARATORS).skip(1) {
                prop_assert!(!inside.trim_start_matches('"').starts_with(['=', '@']));
            }
            prop_assert_eq!(restored(&safe), text.as_str());
            let row = StringRecord::from(vec![safe.as_ref(), "b"]);
            let row = restored_row(&row);
            prop_assert_eq!(restored_start(&row[0]), text.as_str());
        }
    }
}
