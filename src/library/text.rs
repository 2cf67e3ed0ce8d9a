//! Compares texts regardless of case and accents in any script, and measures them in Unicode scalar values.
use caseless::Caseless as _;
use chrono::NaiveDate;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;

use crate::kit::FieldErrors;

/// The longest folded text, in bytes. The longest title has 500 characters of at most four bytes; a few characters expand to 18
/// when folded, and the stored form is cut here.
const LONGEST_FOLDED: usize = 4_000;

/// The form of a text in which titles and authors are searched, sorted and compared.
///
/// Case is folded fully (`ß` is `ss`), accents and vowel points are removed, compatible forms become equal (`ﬁ` is `fi`), and a
/// few Latin characters that do not decompose are replaced by similar ones. Marks that make a different character stay: a
/// Japanese voicing mark, a Devanagari vowel or nukta, a Thai vowel. Syllables are not decomposed, so that `하` is not found in
/// `한`. The result is cut after 4,000 bytes.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text[..text.len().min(LONGEST_FOLDED)].to_ascii_lowercase();
    }
    let characters =
        text.nfkd().filter(|character| !is_accent(*character)).default_case_fold().flat_map(plain_latin).nfc();
    let mut folded = String::with_capacity(text.len().min(LONGEST_FOLDED));
    for character in characters {
        if folded.len() + character.len_utf8() > LONGEST_FOLDED {
            break;
        }
        folded.push(character);
    }
    folded
}

/// The form in which genres are compared (docs/rules.md, "Books"): folded, without spaces, hyphens, underscores and apostrophes, and
/// in the singular. A genre of such characters alone keeps them. The page compares genres in the same way (`ui/src/kit/fold.ts`).
pub fn genre_key(genre: &str) -> String {
    let folded = fold(genre);
    let mut key: String = folded.chars().filter(|character| !joins_words(*character)).collect();
    if key.is_empty() {
        key = folded;
    }
    let mut from_end = key.chars().rev();
    let is_plural = from_end.next() == Some('s')
        && from_end.next().is_some_and(|before| before.is_ascii_lowercase() && before != 's')
        && from_end.nth(1).is_some();
    if is_plural {
        key.pop();
    }
    // "Mysteries" is left as "mysterie", and "Movies" as "movie".
    if key.ends_with("ie") && key.chars().nth(3).is_some() {
        key.truncate(key.len() - 2);
        key.push('y');
    }
    key
}

/// Whether a character is a space or joins words: a hyphen or dash of any kind, an underscore, an apostrophe.
fn joins_words(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            '-' | '_' | '\'' | '\u{2019}' | '\u{2010}'..='\u{2015}' | '\u{58a}' | '\u{5be}' | '\u{301c}' | '\u{30a0}'
        )
}

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

/// Whether a character is a point or an accent, by its canonical combining class: 10 to 36 are vowel points of Hebrew, Arabic and
/// Syriac, 200 to 240 are marks that do not change the character. Classes below (nukta, voicing, virama) and between (Thai, Lao,
/// Tibetan) make a different character.
fn is_accent(character: char) -> bool {
    matches!(canonical_combining_class(character), 10..=36 | 200..=240)
}

/// Replaces Latin characters with a stroke and ligatures, which have no decomposition.
fn plain_latin(character: char) -> impl Iterator<Item = char> {
    let (first, second) = match character {
        'ø' => ('o', None),
        'ł' => ('l', None),
        'đ' | 'ð' => ('d', None),
        'ħ' => ('h', None),
        'ŧ' => ('t', None),
        'ı' => ('i', None),
        'æ' => ('a', Some('e')),
        'œ' => ('o', Some('e')),
        'þ' => ('t', Some('h')),
        other => (other, None),
    };
    std::iter::once(first).chain(second)
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
    fn genres_that_differ_by_case_accents_hyphens_spaces_or_the_plural_are_one() {
        // The same pairs as in ui/src/kit/fold.test.ts: page and server must agree.
        for (one, other) in [
            ("Sci-Fi", "sci fi"),
            ("SciFi", "sci\u{2011}fi"),
            ("Non-Fiction", "Nonfiction"),
            ("Épopée", "epopee"),
            ("Children's", "Childrens"),
            ("Young_Adult", "young adult"),
            ("Classics", "Classic"),
            ("Mysteries", "Mystery"),
            ("Biographies", "Biography"),
            ("Movies", "Movie"),
            ("Short Stories", "short story"),
        ] {
            assert_eq!(genre_key(one), genre_key(other), "{one}");
        }
        for (one, other) in [
            ("Sci-Fi", "Science Fiction"),
            ("Business", "Busines"),
            ("C++", "C#"),
            ("-", "--"),
            ("Ass", "As"),
            ("Fantasy", "Fantastic"),
            ("がく", "かく"),
        ] {
            assert_ne!(genre_key(one), genre_key(other), "{one}");
        }
    }

    #[test]
    fn case_and_accents_do_not_matter_in_any_script() {
        for (one, other) in [
            ("Les Misérables", "les miserables"),
            ("STRASSE", "straße"),
            ("Søren Kierkegaard", "soren kierkegaard"),
            ("Stanisław Łem", "stanislaw lem"),
            ("ΌΜΗΡΟΣ", "ομηρος"),
            ("ΟΔΟΣ", "οδος"),
            ("Преступле\u{301}ние", "преступление"),
            ("שָׁלוֹם", "שלום"),
            ("كِتَاب", "كتاب"),
            ("İstanbul", "istanbul"),
            ("ﬁnal", "final"),
            ("Nguyễn", "nguyen"),
            ("ｆｕｌｌ", "full"),
            ("Æsop", "aesop"),
        ] {
            assert_eq!(fold(one), fold(other), "{one} and {other}");
        }
    }

    #[test]
    fn marks_that_make_another_letter_stay() {
        for (one, other) in [("か", "が"), ("ハ", "パ"), ("कि", "की"), ("ที่", "ท"), ("한", "하")]
        {
            assert_ne!(fold(one), fold(other), "{one} and {other}");
            assert!(!fold(other).is_empty());
        }
        assert!(!fold("한국").contains(&fold("하")));
    }

    #[test]
    fn folding_twice_changes_nothing_more() {
        for text in ["Les Misérables", "İÇÖŞ ǅ ﬃ", "が한कि", "Ǆ ẞ ŉ ΐ ᾳ"] {
            assert_eq!(fold(&fold(text)), fold(text), "{text}");
        }
    }

    #[test]
    fn what_unfolds_to_many_letters_is_cut() {
        let sign = "\u{fdfa}";
        assert!(fold(&sign.repeat(500)).len() <= LONGEST_FOLDED && fold(&sign.repeat(3)).len() > 3 * sign.len());
        assert_eq!(fold(&"語".repeat(500)).len(), 1_500);
        assert_eq!(fold(&"x".repeat(70_000)).len(), LONGEST_FOLDED);
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
