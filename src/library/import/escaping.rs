//! Escapes cells that a spreadsheet would execute as a formula, and restores them.

/// Characters that begin a formula in spreadsheets, in half and full width.
const RUNS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// Whether a cell would be executed, or looks like an escaped one.
fn runs(cell: &str) -> bool {
    cell.trim_start_matches('\'').starts_with(RUNS)
}

/// Escapes a cell with an apostrophe, if a spreadsheet would execute it or if it has an apostrophe already.
pub fn escaped(cell: &str) -> std::borrow::Cow<'_, str> {
    if runs(cell) { format!("'{cell}").into() } else { cell.into() }
}

/// Reverses [`escaped`].
pub fn restored(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|rest| runs(rest)).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn formulas_are_kept_from_running_and_apostrophes_are_left_alone() {
        assert_eq!(escaped("=1+1"), "'=1+1");
        assert_eq!(escaped("'=1+1"), "''=1+1");
        assert_eq!(escaped("'Tis"), "'Tis");
        assert_eq!(restored("'Tis"), "'Tis");
    }

    proptest! {
        #[test]
        fn what_was_escaped_is_restored(text in "['=+@\ta-]{0,6}") {
            let safe = escaped(&text);
            prop_assert!(!safe.starts_with(RUNS));
            prop_assert_eq!(restored(&safe), text.as_str());
        }
    }
}
