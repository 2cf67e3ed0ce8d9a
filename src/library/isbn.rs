//! ISBNs: an ISBN-10 or ISBN-13 with a correct check digit, stored as 13 digits.

/// The 13 digits of an ISBN-10 or ISBN-13; hyphens, dashes and spaces are ignored. `None` when it is not valid.
pub fn parse(text: &str) -> Option<String> {
    let mut digits = String::with_capacity(13);
    for character in text.chars().filter(|character| !is_separator(*character)) {
        // The longest has 13 digits, and only the last position of a ten-digit one can be an X.
        let last_of_ten = digits.len() == 9 && matches!(character, 'x' | 'X');
        if digits.len() == 13 || !(character.is_ascii_digit() || last_of_ten) {
            return None;
        }
        digits.push(character.to_ascii_uppercase());
    }
    match digits.len() {
        10 if ten_is_right(&digits) => Some(thirteen_of(&digits[..9])),
        13 if digits.starts_with("978") || digits.starts_with("979") => {
            (digits.ends_with(check_digit(&digits[..12]))).then_some(digits)
        }
        _ => None,
    }
}

fn is_separator(character: char) -> bool {
    character.is_whitespace() || matches!(character, '-' | '\u{ad}' | '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// Whether the sum of the digits, weighted from 10 down to 1, is a multiple of 11; X counts as ten.
fn ten_is_right(digits: &str) -> bool {
    let sum: u32 =
        digits.chars().zip((1..=10).rev()).map(|(digit, weight)| weight * digit.to_digit(10).unwrap_or(10)).sum();
    sum.is_multiple_of(11)
}

fn thirteen_of(nine: &str) -> String {
    let mut digits = format!("978{nine}");
    digits.push(check_digit(&digits));
    digits
}

/// The last digit of an ISBN-13: with weights 1 and 3 in turn, it fills the sum up to a multiple of ten.
fn check_digit(twelve: &str) -> char {
    let weights = [1, 3].into_iter().cycle();
    let sum: u32 =
        twelve.chars().filter_map(|digit| digit.to_digit(10)).zip(weights).map(|(digit, weight)| digit * weight).sum();
    char::from_digit((10 - sum % 10) % 10, 10).unwrap_or('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_lengths_become_thirteen_digits() {
        for (typed, kept) in [
            ("0-306-40615-2", "9780306406157"),
            ("978-0-306-40615-7", "9780306406157"),
            ("080442957x", "9780804429573"),
            (" 979 10 90636 07 1 ", "9791090636071"),
            ("978\u{2011}0\u{2011}306\u{2011}40615\u{2011}7", "9780306406157"),
        ] {
            assert_eq!(parse(typed).as_deref(), Some(kept), "{typed}");
        }
    }

    #[test]
    fn a_wrong_digit_length_or_letter_is_not_an_isbn() {
        for wrong in [
            "0306406153", "9780306406158", "1230306406157", "X306406152", "978030640615", "abc", "", "97803064061570",
            "٠306406152",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
