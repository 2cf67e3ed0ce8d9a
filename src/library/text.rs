//! Reads texts and dates, and measures them in Unicode scalar values.
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
