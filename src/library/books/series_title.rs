//! The series behind a title, as Goodreads writes it: "Tiamat's Wrath (The Expanse, #8)".
use std::borrow::Cow;

use super::authors::NAME_LENGTH;
use super::facts::{SERIES_LENGTH, SERIES_NUMBER_LENGTH, Series};
use crate::library::text::title_key;

/// A title without the series behind it, and the series: `Tiamat's Wrath (The Expanse, #8)`, `One (Knight Watch #1)`. Of several series
/// the first is taken. `None` for a title without one.
pub fn series_of(title: &str) -> Option<(&str, Series)> {
    let inner = title.trim_end().strip_suffix(')')?;
    let mut depth = 0_usize;
    let open = inner.char_indices().rev().find_map(|(at, sign)| match sign {
        ')' => {
            depth += 1;
            None
        }
        '(' if depth == 0 => Some(at),
        '(' => {
            depth -= 1;
            None
        }
        _ => None,
    })?;
    let (before, inside) = (title[..open].trim_end(), &inner[open + 1..]);
    let first = inside.split(';').next().unwrap_or_default();
    let (name, number) = first.rsplit_once('#')?;
    let name = name.trim().trim_end_matches([',', ':']).trim_end();
    let number = number.trim();
    let fits = !before.is_empty()
        && !name.is_empty()
        && name.chars().count() <= SERIES_LENGTH
        && number.starts_with(|sign: char| sign.is_ascii_digit())
        && number.chars().count() <= SERIES_NUMBER_LENGTH;
    fits.then(|| (before, Series { name: name.to_owned(), number: Some(number.to_owned()) }))
}

/// The key of a title without the series behind it, by the key of the whole title.
pub fn key_without_series<'k>(title: &str, key: &'k str) -> Cow<'k, str> {
    series_of(title).map_or(Cow::Borrowed(key), |(before, _)| title_key(before).into())
}

/// The key of a whole title, by its key without the series behind it.
pub fn key_with_series<'k>(title: &str, key: &'k str) -> Cow<'k, str> {
    series_of(title).map_or(Cow::Borrowed(key), |_| title_key(title).into())
}

/// A title without the series behind it.
pub fn without_series(title: &str) -> &str {
    series_of(title).map_or(title, |(before, _)| before)
}

/// A title with the series behind it; without it where that would be too long, or could not be read back.
pub fn with_series(title: &str, series: &Series) -> String {
    let number = series.number.as_deref().unwrap_or_default();
    let both = format!("{title} ({}, #{number})", series.name);
    let is_read_back = series_of(&both).is_some_and(|(before, found)| before == title && found == *series);
    if is_read_back && both.chars().count() <= NAME_LENGTH { both } else { title.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_behind_a_title_is_found_in_every_spelling() {
        for (title, before, name, number) in [
            ("Tiamat's Wrath (The Expanse, #8)", "Tiamat's Wrath", "The Expanse", "8"),
            ("One (Knight Watch #1)", "One", "Knight Watch", "1"),
            ("Prequel (Saga, #0.8)", "Prequel", "Saga", "0.8"),
            ("All of it (Saga, #1-3)", "All of it", "Saga", "1-3"),
            ("Guards! (Discworld, #8; City Watch, #1)", "Guards!", "Discworld", "8"),
            ("Deep (The Bar (Baz), #2)", "Deep", "The Bar (Baz)", "2"),
        ] {
            let (found, series) = series_of(title).unwrap();
            assert_eq!(
                (found, series.name.as_str(), series.number.as_deref()),
                (before, name, Some(number)),
                "{title}"
            );
            assert_eq!(without_series(title), before);
        }
        for title in ["Emma (Penguin Classics)", "(Saga, #1)", "C (#1)", "Emma", "A (b, #x)", "Unclosed (Saga, #1", ")"]
        {
            assert_eq!(series_of(title), None, "{title}");
        }
    }
}
