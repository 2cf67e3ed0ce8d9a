//! Reads what people typed into a catalogue's fields: years, pages, titles, formats.
use std::borrow::Cow;
use std::sync::LazyLock;

use super::marks::Marks;

/// The years that count as years.
const YEARS: std::ops::RangeInclusive<u16> = 1400..=2100;
/// The most pages that are plausible, as the fields of a book have it.
const MOST_PAGES: i64 = 20_000;
/// The longest title, publisher or name, in characters.
pub const LONGEST: usize = 500;

/// The title of several books in one box has one of these.
static SETS: LazyLock<Marks> = LazyLock::new(|| {
    Marks::new([
        "box set", "boxed set", "boxset", "books set", "book set", "collection set", "books collection", "volume set",
        "vol set", "slipcase",
    ])
});
/// What is heard, and what is read on a screen.
const AUDIO: [&str; 8] =
    ["audio", "mp3", "cassette", "sound rec", "h\u{f6}rbuch", "h\u{d6}rbuch", "compact disc", "playaway"];
const EBOOK: [&str; 7] = ["ebook", "e-book", "electronic", "kindle", "epub", "pdf", "digital"];
static FORMATS: LazyLock<Marks> = LazyLock::new(|| Marks::new(AUDIO.into_iter().chain(EBOOK)));

/// The year of a date in any spelling: the first four digits in a row that can be a year, or the first four of eight.
pub fn year(text: &str) -> Option<u16> {
    let runs = text.split(|sign: char| !sign.is_ascii_digit()).filter(|run| matches!(run.len(), 4 | 8));
    runs.filter_map(|run| run.get(..4)?.parse().ok()).find(|year| YEARS.contains(year))
}

/// The pages of an edition: the number where it is plausible, else the largest number of the pagination that counts pages
/// ("xii, 184 p.").
pub fn pages(number: Option<i64>, pagination: Option<&str>) -> Option<u32> {
    let plausible = |pages: &i64| (1..=MOST_PAGES).contains(pages);
    // "26 v." makes 26 pages of 26 volumes in many records.
    let volumes = pagination.and_then(|text| text.trim().split_once(" v")).and_then(|(count, _)| count.parse().ok());
    let is_pages = |pages: &i64| plausible(pages) && Some(*pages) != volumes;
    let pages = number.filter(is_pages).or_else(|| pagination.and_then(counted).filter(plausible))?;
    u32::try_from(pages).ok()
}

/// The largest number up to the first one that a word for pages follows, or the number alone.
fn counted(pagination: &str) -> Option<i64> {
    let mut largest: Option<i64> = None;
    let mut rest = pagination;
    while let Some(start) = rest.find(|sign: char| sign.is_ascii_digit()) {
        let (_, from) = rest.split_at(start);
        let length = from.find(|sign: char| !sign.is_ascii_digit()).unwrap_or(from.len());
        let (digits, behind) = from.split_at(length);
        largest = largest.max(digits.parse().ok());
        let unit = behind.trim_start_matches([' ', ']', '+']).to_lowercase();
        if ["p", "s.", "seiten", "blz", "\u{9801}", "\u{441}"].iter().any(|word| unit.starts_with(word)) {
            return largest;
        }
        rest = behind;
    }
    pagination.trim().parse().ok()
}

/// A text without NUL and other control characters, without blanks at the ends, and of a bounded length. `None` when nothing is left.
pub fn text(raw: &str) -> Option<Cow<'_, str>> {
    let is_clean = match raw.is_ascii() {
        true => !raw.bytes().any(|byte| byte.is_ascii_control()),
        false => !raw.chars().any(char::is_control),
    };
    let kept = if is_clean { Cow::Borrowed(raw) } else { Cow::Owned(raw.replace(char::is_control, " ")) };
    let trimmed = match kept {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
        Cow::Owned(text) => Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" ")),
    };
    // A text with few bytes can't have many characters, so most texts are not counted.
    let end = (trimmed.len() > LONGEST).then(|| trimmed.char_indices().nth(LONGEST)).flatten();
    let cut = match end {
        Some((end, _)) => Cow::Owned(trimmed[..end].trim_end().to_owned()),
        None => trimmed,
    };
    (!cut.is_empty()).then_some(cut)
}

/// A title as a reader would write it: one in capitals is written small.
pub fn title(raw: &str) -> Option<Cow<'_, str>> {
    let title = text(raw.trim().trim_end_matches(['/', ':', ';', '=']))?;
    Some(if is_shouted(&title) { Cow::Owned(calm(&title)) } else { title })
}

/// Whether a title is in capitals: two words or six characters at least, none of them small.
fn is_shouted(title: &str) -> bool {
    // Most titles have a small character at their beginning.
    if title.chars().any(char::is_lowercase) || !title.chars().any(char::is_uppercase) {
        return false;
    }
    let capitals = title.chars().filter(|sign| sign.is_alphabetic()).count();
    capitals >= 6 || (capitals >= 4 && title.trim().contains(' '))
}

/// The words with one capital each; Roman numbers stay.
fn calm(title: &str) -> String {
    let word = |word: &str| {
        if word.len() > 1 && word.chars().all(|sign| "IVXLC".contains(sign)) {
            return word.to_owned();
        }
        let mut calm = String::with_capacity(word.len());
        let mut inside = false;
        for sign in word.chars() {
            if inside {
                calm.extend(sign.to_lowercase());
            } else {
                calm.push(sign);
            }
            inside = sign.is_alphanumeric() || (inside && matches!(sign, '\'' | '\u{2019}'));
        }
        calm
    };
    title.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Whether a title is that of several books in one box.
pub fn is_set(title: &str) -> bool {
    SETS.first_in(title).is_some()
}

/// The format of a book that a physical format stands for: 1 print, 2 eBook, 3 audio; 0 where nothing is said.
pub fn format(text: &str) -> u8 {
    match FORMATS.first_in(text) {
        Some(mark) if mark < AUDIO.len() => 3,
        Some(_) => 2,
        None if text.trim().is_empty() => 0,
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_year_is_read_in_any_spelling() {
        for (text, expected) in [
            ("1961", Some(1961)),
            ("March 1961", Some(1961)),
            ("c1984", Some(1984)),
            ("[1999?]", Some(1999)),
            ("20010503", Some(2001)),
            ("2001-05-03", Some(2001)),
            ("12/05/97", None),
            ("1998-2003", Some(1998)),
            ("0000", None),
            ("99999", None),
            ("MCMLXI", None),
        ] {
            assert_eq!(year(text), expected, "{text}");
        }
    }

    #[test]
    fn pages_are_the_number_or_the_pagination() {
        for (number, pagination, expected) in [
            (Some(184), Some("999 p."), Some(184)),
            (Some(0), Some("xii, 184 p. ;"), Some(184)),
            (None, Some("[4], 320, [2] p. : ill. ; 24 cm"), Some(320)),
            (None, Some("412 Seiten"), Some(412)),
            (None, Some("2 v."), None),
            (Some(26), Some("26 v."), None),
            (Some(4_000_000), None, None),
            (Some(-3), Some("96"), Some(96)),
            (None, Some("99999999999999999999 p."), None),
        ] {
            assert_eq!(pages(number, pagination), expected, "{pagination:?}");
        }
    }

    #[test]
    fn a_title_in_capitals_is_written_small() {
        for (raw, expected) in [
            ("THE LORD OF THE RINGS", Some("The Lord Of The Rings")),
            ("HENRY IV", Some("Henry IV")),
            ("IT", Some("IT")),
            ("SPQR", Some("SPQR")),
            ("DON'T PANIC", Some("Don't Panic")),
            ("Dune /", Some("Dune")),
            ("A\u{0}B", Some("A B")),
            (" \u{0} ", None),
        ] {
            assert_eq!(title(raw).as_deref(), expected, "{raw}");
        }
        assert_eq!(title(&"x".repeat(2000)).unwrap().len(), LONGEST);
    }

    #[test]
    fn boxes_and_formats_are_recognised() {
        assert!(is_set("Harry Potter Boxed Set") && is_set("Dune 3 Books Collection Set") && !is_set("Settlers"));
        for (text, expected) in [
            ("Hardcover", 1),
            ("Audio CD", 3),
            ("Kindle Edition", 2),
            (" ", 0),
            ("[electronic resource]", 2),
            ("EBook with audio", 3),
            ("H\u{d6}RBUCH", 3),
        ] {
            assert_eq!(format(text), expected, "{text}");
        }
    }
}
