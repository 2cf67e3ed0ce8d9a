//! Escapes cells that a spreadsheet would execute as a formula, and restores them.
//!
//! Where a spreadsheet separates cells by semicolons or tabs instead of commas, as in many countries, a formula may also begin inside a
//! cell, behind such a separator, or behind a line break, which the quotes around the cell then don't hold together.
use std::borrow::Cow;

use csv::StringRecord;

/// Characters that begin a formula in spreadsheets, in half and full width.
const RUNS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
const SEPARATORS: [char; 4] = [';', '\t', '\n', '\r'];

/// Whether a cell would be executed, or looks like an escaped one.
fn runs(cell: &str) -> bool {
    cell.trim_start_matches('\'').starts_with(RUNS)
}

/// The same for what is behind a separator inside a cell; quotes may stand before it. A smiley, `;-)`, is no formula, and a line of a list,
/// `- the end`, or a rule of hyphens neither.
fn runs_inside(separator: char, rest: &str) -> bool {
    let is_line = matches!(separator, '\n' | '\r');
    let mut rest = rest.trim_start_matches(['\'', '"']).chars();
    match rest.next() {
        Some('+' | '-' | '＋' | '－') => rest
            .next()
            .is_some_and(|operand| operand != ')' && !(is_line && matches!(operand, ' ' | '-' | '\n' | '\r'))),
        Some('=' | '@' | '＝' | '＠') => true,
        _ => false,
    }
}

/// Escapes a cell with an apostrophe where a spreadsheet would execute it, or where it has an apostrophe already.
pub fn escaped(cell: &str) -> Cow<'_, str> {
    let begins = runs(cell);
    if !begins && pieces(cell).all(|(separator, rest)| !runs_inside(separator, rest)) {
        return cell.into();
    }
    let start = if begins { "'" } else { "" };
    let inside = pieces(cell).map(|(separator, rest)| {
        let escape = if runs_inside(separator, rest) { "'" } else { "" };
        [escape, piece(rest)].concat()
    });
    [start, piece(cell)].into_iter().map(str::to_owned).chain(inside).collect::<String>().into()
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
    let is_escape =
        |(separator, rest): (char, &str)| rest.strip_prefix('\'').is_some_and(|rest| runs_inside(separator, rest));
    if !pieces(cell).any(is_escape) {
        return None;
    }
    let inside =
        pieces(cell).map(|(separator, rest)| piece(if is_escape((separator, rest)) { &rest[1..] } else { rest }));
    Some(std::iter::once(piece(cell)).chain(inside).collect())
}

/// Each separator inside a cell, and what is left of the cell behind it.
fn pieces(cell: &str) -> impl Iterator<Item = (char, &str)> {
    cell.char_indices()
        .filter(|(_, sign)| SEPARATORS.contains(sign))
        .map(|(at, sign)| (sign, &cell[at + sign.len_utf8()..]))
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
            ("l;\n=1+1;y", "l;\n'=1+1;y"),
            ("l\r\n+1", "l\r\n'+1"),
            ("good:\n- the end\n+ the start\n---\n", "good:\n- the end\n+ the start\n---\n"),
        ] {
            assert_eq!(escaped(cell), safe);
            assert_eq!(restored(safe), cell);
        }
        assert_eq!(restored("'Tis; 'tis;'tis"), "'Tis; 'tis;'tis");
    }

    proptest! {
        #[test]
        fn what_was_escaped_is_restored(text in "['\"=+@\t\n\ra; )-]{0,9}") {
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
