//! Reads texts and dates, and measures them in Unicode scalar values.
use std::cmp::Ordering;

use caseless::Caseless as _;
use chrono::NaiveDate;

use crate::kit::FieldErrors;
pub use crate::kit::keys::{TitleSearch, fold, genre_key, name_key, title_key};

/// Case-folded, with accents.
pub fn fold_case(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars().default_case_fold().collect()
}

/// Whether [`fold_case`] of a text is this.
pub fn folds_case_to(text: &str, folded: &str) -> bool {
    text.chars().default_case_fold().eq(folded.chars())
}

/// Compares texts as people sort them: digits that stand together count as one number, so `Series 2` comes before `Series 10`.
pub fn natural_order(one: &str, other: &str) -> Ordering {
    let (mut a, mut b) = (one.as_bytes(), other.as_bytes());
    loop {
        match (a, b) {
            ([x, ..], [y, ..]) if x.is_ascii_digit() && y.is_ascii_digit() => {
                let ((number, rest), (other_number, other_rest)) = (leading_number(a), leading_number(b));
                // Without leading zeros the longer number is the larger one.
                let order = number.len().cmp(&other_number.len()).then_with(|| number.cmp(other_number));
                if order.is_ne() {
                    return order;
                }
                (a, b) = (rest, other_rest);
            }
            ([x, rest @ ..], [y, other_rest @ ..]) if x == y => (a, b) = (rest, other_rest),
            _ => return a.cmp(b).then_with(|| one.cmp(other)),
        }
    }
}

/// The digits at the beginning of a text without leading zeros, and what follows them.
fn leading_number(text: &[u8]) -> (&[u8], &[u8]) {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let zeros = text[..digits].iter().take_while(|digit| **digit == b'0').count();
    (&text[zeros..digits], &text[digits..])
}

/// A calendar date in the form `yyyy-MM-dd` only.
pub fn date(text: &str) -> Option<NaiveDate> {
    let bytes: &[u8; 10] = text.as_bytes().try_into().ok()?;
    let number = |digits: &[u8]| {
        digits.iter().try_fold(0_u32, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + u32::from(digit - b'0')))
    };
    if bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let year = i32::try_from(number(&bytes[..4])?).ok()?;
    NaiveDate::from_ymd_opt(year, number(&bytes[5..7])?, number(&bytes[8..])?)
}

/// Reports a text with more than `longest` characters or with a NUL character. `name` begins the sentence.
pub fn check(errors: &mut FieldErrors, field: &str, name: &str, text: &str, longest: usize) {
    if text.contains('\0') {
        errors.add(field, format!("{name} can't contain a NUL character."));
    }
    // A text with few bytes can't have many characters, so most texts are not counted.
    if text.len() > longest && text.chars().count() > longest {
        errors.add(field, format!("{name} can have at most {} characters.", grouped(longest as u64)));
    }
}

/// A number with commas between thousands, for sentences.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_case_a_second_time_changes_nothing() {
        for character in '\0'..=char::MAX {
            let folded = fold_case(&character.to_string());
            assert!(folds_case_to(&folded, &folded), "{character}");
        }
    }

    #[test]
    fn digits_that_stand_together_sort_as_one_number() {
        let mut texts =
            ["series 10", "series 2", "series", "series 02", "a 10 b 9", "a 10 b 10", "2001", "é", "series x"];
        texts.sort_by(|one, other| natural_order(one, other));
        let expected =
            ["2001", "a 10 b 9", "a 10 b 10", "series", "series 02", "series 2", "series 10", "series x", "é"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_date_has_one_form() {
        assert_eq!(date("2024-02-29"), NaiveDate::from_ymd_opt(2024, 2, 29));
        for wrong in
            ["2023-02-29", "2024-2-29", "24-02-2900", "+024-02-29", "2024/02/29", "2024-02-29 ", "", "２024-02-2"]
        {
            assert_eq!(date(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn length_counts_characters_and_not_bytes() {
        let mut errors = FieldErrors::new();
        check(&mut errors, "title", "The title", &"語".repeat(500), 500);
        assert!(errors.is_empty());
        check(&mut errors, "title", "The title", &"語".repeat(501), 500);
        assert_eq!(errors.get("title"), Some("The title can have at most 500 characters."));
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([1, 999, 1_000, 100_000_000].map(grouped), ["1", "999", "1,000", "100,000,000"]);
    }
}
