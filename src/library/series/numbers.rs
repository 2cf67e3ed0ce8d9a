//! The whole numbers that a number in a series stands for (docs/rules.md, "Series and tags"). The page reads them in the same way
//! (`ui/src/library/books/seriesNumber.ts`); the tests of both read `tests/fixtures/series-numbers.json`.
use std::ops::RangeInclusive;

use crate::library::books::facts::series_sort;

/// Words that may stand before a number.
const BEFORE: [&str; 8] = ["book", "books", "no", "nos", "vol", "vols", "volume", "volumes"];

/// The numbers that a text names, in thousandths: `4` of `#4`, `Book 4`, `Vol. 4` and `4 of 7`, and several in `1-3`, `1, 2, 3` and
/// `1 & 2`, also with words between. Empty for a text of another form.
pub fn spans(text: &str) -> Vec<RangeInclusive<i64>> {
    let text = text.trim().to_lowercase().replace(" and ", "&").replace(" to ", "-");
    let text =
        text.split_once(" of ").filter(|(_, all)| series_sort(all.trim()).is_some()).map_or(&*text, |(at, _)| at);
    let digits = text.trim_start_matches(char::is_alphabetic);
    let word = &text[..text.len() - digits.len()];
    if !word.is_empty() && !BEFORE.contains(&word) {
        return Vec::new();
    }
    digits.trim_start_matches('.').split([',', ';', '&', '+']).map(span).collect::<Option<_>>().unwrap_or_default()
}

/// `3`, `#3` or `1-3`.
fn span(text: &str) -> Option<RangeInclusive<i64>> {
    let number = |text: &str| series_sort(text.trim().trim_start_matches('#'));
    let (first, last) = text
        .split_once(['-', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2212}'])
        .unwrap_or((text, text));
    Some(number(first)?..=number(last)?).filter(|span| !span.is_empty())
}

/// The whole numbers within such a span, from the first to the last; none within `1.5`.
pub fn whole_numbers(thousandths: &RangeInclusive<i64>) -> Option<RangeInclusive<i64>> {
    let whole = (thousandths.start() + 999) / 1_000..=thousandths.end() / 1_000;
    Some(whole).filter(|whole| !whole.is_empty())
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Case {
        number: String,
        whole: Vec<i64>,
    }

    #[test]
    fn a_number_stands_for_the_whole_numbers_that_a_reader_sees_in_it() {
        let cases: Vec<Case> =
            serde_json::from_str(include_str!("../../../tests/fixtures/series-numbers.json")).unwrap();
        for Case { number, whole } in cases {
            let found: Vec<i64> = spans(&number).iter().filter_map(whole_numbers).flatten().collect();
            assert_eq!(found, whole, "{number}");
        }
    }
}
