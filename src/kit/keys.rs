//! The forms in which texts are compared: without case and accents in any script, and for titles, names and genres also without
//! differences in how they are punctuated.
use caseless::Caseless as _;
use foldhash::HashMap as FastMap;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, is_nfc_quick};

/// The longest folded text, in bytes. The longest title has 500 characters of at most four bytes; a few characters expand to 18
/// when folded, and the stored form is cut here.
const LONGEST_FOLDED: usize = 4_000;

/// A text without case and accents.
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

/// The form in which titles and the names of series are compared, searched and sorted: folded, without quotes, dots, `!` and `?`, with
/// one blank for hyphens, slashes, colons, commas, brackets and blanks, and `and` for `&`. A title of such characters alone stays as
/// it is. The page has the same rules (`ui/src/kit/fold.ts`).
pub fn title_key(title: &str) -> String {
    let key = stripped(title, InKey::Dropped);
    if key.is_empty() { fold(title) } else { key }
}

/// The form in which names of people are compared and sorted. As [`title_key`], but a dot is a blank, and initials are one word:
/// `J.R.R. Tolkien`, `J. R. R. Tolkien` and `JRR Tolkien` are equal.
pub fn name_key(name: &str) -> String {
    let key = stripped(name, InKey::Blank);
    if key.is_empty() {
        return fold(name);
    }
    let mut joined = String::with_capacity(key.len());
    let mut after_letter = false;
    for word in key.split(' ') {
        let mut characters = word.chars();
        let is_letter = characters.next().is_some_and(char::is_alphabetic) && characters.next().is_none();
        if !(joined.is_empty() || after_letter && is_letter) {
            joined.push(' ');
        }
        joined.push_str(word);
        after_letter = is_letter;
    }
    joined
}

/// A function that makes the key of a text.
pub type Key = fn(&str) -> String;

/// What becomes of a character in a key.
#[derive(Clone, Copy)]
enum InKey {
    Kept,
    Blank,
    Dropped,
    And,
}

impl InKey {
    fn of(character: char) -> Self {
        match character {
            'a'..='z' | '0'..='9' => Self::Kept,
            ' ' => Self::Blank,
            '&' => Self::And,
            // Quotes, apostrophes, primes; exclamation and question marks; the soft hyphen.
            '\''
            | '"'
            | '`'
            | '!'
            | '?'
            | '¡'
            | '¿'
            | '«'
            | '»'
            | '‹'
            | '›'
            | '\u{2018}'..='\u{201f}'
            | '\u{2032}'..='\u{2037}'
            | '\u{2b9}'..='\u{2bd}'
            | '\u{5f3}'
            | '\u{5f4}'
            | '\u{300c}'..='\u{300f}'
            | '\u{301d}'..='\u{301f}'
            | '\u{ad}' => Self::Dropped,
            // Hyphens and dashes, beside the marks and brackets of ASCII.
            '-'
            | '/'
            | ':'
            | ';'
            | ','
            | '_'
            | '('
            | ')'
            | '['
            | ']'
            | '{'
            | '}'
            | '\u{2010}'..='\u{2015}'
            | '\u{2212}'
            | '\u{58a}'
            | '\u{5be}'
            | '\u{1806}'
            | '\u{2e3a}'
            | '\u{2e3b}'
            | '\u{301c}'
            | '\u{3030}'
            | '\u{30a0}' => Self::Blank,
            // Brackets of other scripts.
            '\u{2329}'
            | '\u{232a}'
            | '\u{27e8}'..='\u{27eb}'
            | '\u{3008}'..='\u{300b}'
            | '\u{3010}'
            | '\u{3011}'
            | '\u{3014}'..='\u{301b}' => Self::Blank,
            _ if character.is_whitespace() => Self::Blank,
            _ => Self::Kept,
        }
    }
}

/// A folded text without what keys leave out; empty where nothing is left.
fn stripped(text: &str, dot: InKey) -> String {
    // An acute accent in the place of an apostrophe would be folded to a blank.
    let folded = if text.contains('´') { fold(&text.replace('´', "")) } else { fold(text) };
    let mut key = String::with_capacity(folded.len());
    folded.chars().for_each(|character| push(&mut key, character, dot));
    key.truncate(key.trim_end().len());
    key
}

/// Adds to a key what becomes of a folded character.
fn push(key: &mut String, character: char, dot: InKey) {
    let blank = |key: &mut String| {
        if !key.is_empty() && !key.ends_with(' ') {
            key.push(' ');
        }
    };
    match if matches!(character, '.' | '·') { dot } else { InKey::of(character) } {
        InKey::Kept => key.push(character),
        InKey::Blank => blank(key),
        InKey::Dropped => {}
        InKey::And => {
            blank(key);
            key.push_str("and ");
        }
    }
}

/// Makes keys of texts of any length as [`title_key`] makes those of titles, and finds in the text what was found in its key. What single
/// characters become is remembered: folding one asks several tables.
#[derive(Debug, Default)]
pub struct LongKeys {
    known: FastMap<char, Box<str>>,
}

impl LongKeys {
    /// Writes the key of a text behind `key`, which is empty, and calls `piece` with the lengths of the key and of the text before each
    /// piece that is folded as one: a character with its marks.
    pub fn write(&mut self, text: &str, key: &mut String, mut piece: impl FnMut(usize, usize)) {
        let bytes = text.as_bytes();
        key.reserve(text.len());
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            piece(key.len(), at);
            if byte.is_ascii() && bytes.get(at + 1).is_none_or(u8::is_ascii) {
                push(key, byte.to_ascii_lowercase().into(), InKey::Dropped);
                at += 1;
                continue;
            }
            let mut characters = text[at..].chars();
            let Some(first) = characters.next() else { break };
            let marks: usize = characters.take_while(|next| joins(*next)).map(char::len_utf8).sum();
            let end = at + first.len_utf8() + marks;
            if marks > 0 {
                fold(&text[at..end]).chars().for_each(|folded| push(key, folded, InKey::Dropped));
            } else if first != '´' {
                let folded = self.known.entry(first).or_insert_with(|| fold(first.encode_utf8(&mut [0; 4])).into());
                folded.chars().for_each(|folded| push(key, folded, InKey::Dropped));
            }
            at = end;
        }
    }
}

/// Whether a character may become one with that before it: an accent, a vowel sign, a final consonant of a syllable.
fn joins(character: char) -> bool {
    let never =
        matches!(character, ..'\u{300}' | '\u{370}'..'\u{483}' | '\u{4e00}'..'\u{a000}' | '\u{ac00}'..'\u{d7a4}');
    let half_width_voicing = matches!(character, '\u{ff9e}' | '\u{ff9f}');
    !never
        && (half_width_voicing
            || canonical_combining_class(character) > 0
            || is_nfc_quick(std::iter::once(character)) == IsNormalized::Maybe)
}

/// What a reader types to find titles.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(from = "String")]
pub struct TitleSearch {
    pub key: String,
    /// The key without blanks; empty below three characters.
    pub joined: String,
    /// What was typed, where its key has nothing of it left.
    typed: String,
}

impl From<String> for TitleSearch {
    fn from(typed: String) -> Self {
        Self::new(&typed)
    }
}

impl TitleSearch {
    pub fn new(typed: &str) -> Self {
        let key = stripped(typed, InKey::Dropped);
        if key.is_empty() {
            return Self { typed: typed.trim().to_owned(), ..Self::default() };
        }
        let joined: String = key.chars().filter(|character| *character != ' ').collect();
        let is_long = joined.chars().nth(2).is_some();
        Self { key, joined: if is_long { joined } else { String::new() }, typed: String::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.key.is_empty() && self.typed.is_empty()
    }

    /// Whether a title is found; `key` is its [`title_key`]. Without blanks, what was typed must begin where a word begins.
    pub fn finds(&self, title: &str, key: &str) -> bool {
        if !self.typed.is_empty() {
            return title.contains(&self.typed);
        }
        key.contains(&self.key) || (!self.joined.is_empty() && self.finds_joined(key))
    }

    fn finds_joined(&self, key: &str) -> bool {
        let begins = |from: &str| {
            let mut characters = from.chars().filter(|character| *character != ' ');
            self.joined.chars().all(|wanted| characters.next() == Some(wanted))
        };
        begins(key) || key.match_indices(' ').any(|(at, _)| begins(&key[at + 1..]))
    }
}

/// The form in which genres are compared (docs/rules.md, "Books"): folded, without blanks, hyphens, underscores and apostrophes. A
/// genre of such characters alone keeps them. The page compares genres in the same way (`ui/src/kit/fold.ts`).
pub fn genre_key(genre: &str) -> String {
    let folded = fold(genre);
    let key: String = folded.chars().filter(|character| !joins_words(*character)).collect();
    if key.is_empty() { folded } else { key }
}

/// Whether a character is a space or joins words: a hyphen or dash of any kind, an underscore, an apostrophe.
fn joins_words(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            '-' | '_' | '\'' | '\u{2019}' | '\u{2010}'..='\u{2015}' | '\u{58a}' | '\u{5be}' | '\u{301c}' | '\u{30a0}'
        )
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of texts that are compared, and titles that are searched; the page's tests have the same.
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Cases {
        titles: Pairs,
        names: Pairs,
        genres: Pairs,
        found: Vec<(String, String)>,
        not_found: Vec<(String, String)>,
    }

    #[derive(serde::Deserialize)]
    struct Pairs {
        same: Vec<(String, String)>,
        different: Vec<(String, String)>,
    }

    #[test]
    fn titles_names_and_genres_are_compared_as_the_page_compares_them() {
        let cases: Cases = serde_json::from_str(include_str!("../../tests/fixtures/comparison-keys.json")).unwrap();
        let keys: [(Pairs, Key); 3] = [(cases.titles, title_key), (cases.names, name_key), (cases.genres, genre_key)];
        for (pairs, key) in keys {
            for (one, other) in &pairs.same {
                assert_eq!(key(one), key(other), "{one} and {other}");
            }
            for (one, other) in &pairs.different {
                assert_ne!(key(one), key(other), "{one} and {other}");
            }
            for text in pairs.same.iter().chain(&pairs.different).flat_map(|(one, other)| [one, other]) {
                assert_eq!(key(&key(text)), key(text), "{text}");
                assert!(!key(text).is_empty(), "{text}");
            }
        }
        for (typed, title) in &cases.found {
            assert!(TitleSearch::new(typed).finds(title, &title_key(title)), "{typed} finds {title}");
        }
        for (typed, title) in &cases.not_found {
            assert!(!TitleSearch::new(typed).finds(title, &title_key(title)), "{typed} does not find {title}");
        }
    }

    #[test]
    fn the_key_of_a_long_text_is_that_of_a_title_and_leads_back_to_the_text() {
        let cases: Cases = serde_json::from_str(include_str!("../../tests/fixtures/comparison-keys.json")).unwrap();
        let pairs = cases.titles.same.iter().chain(&cases.titles.different);
        let texts = pairs.flat_map(|(one, other)| [one.as_str(), other]).chain([
            "Crime&Punishment",
            "STRASSE straße",
            "Преступле\u{301}ние",
            "שָׁלוֹם",
            "كِتَاب",
            "İstanbul ısı",
            "ﬁnal",
            "Nguyễn",
            "ｶﾞｰﾙ ガール か\u{3099}",
            "\u{1112}\u{1161}\u{11ab}국",
            "कि की क\u{93c}",
            "ที่",
            "l\u{b4}été",
            "Æsop, Łem.",
            "\u{9c7}\u{9be} \u{9cb}",
            "",
        ]);
        let mut keys = LongKeys::default();
        for text in texts {
            let (mut key, mut pieces) = (String::new(), Vec::new());
            keys.write(text, &mut key, |of_key, of_text| pieces.push((of_key, of_text)));
            assert_eq!(key.trim_end(), stripped(text, InKey::Dropped), "{text}");
            assert!(
                pieces.is_sorted()
                    && pieces
                        .iter()
                        .all(|(of_key, of_text)| key.is_char_boundary(*of_key) && text.is_char_boundary(*of_text))
            );
        }
        let long = "é ".repeat(30_000);
        let mut key = String::new();
        keys.write(&long, &mut key, |_, _| {});
        assert_eq!(key.len(), 60_000);
    }

    #[test]
    fn a_key_has_one_blank_between_words() {
        assert_eq!(title_key(" The  World\u{2019}s: (Worst)\u{a0}Children! "), "the worlds worst children");
        assert_eq!(title_key("Crime&Punishment"), "crime and punishment");
        assert_eq!(name_key("J.\u{a0}R.R. Tolkien"), "jrr tolkien");
        assert_eq!(title_key("?!"), "?!");
        assert!(TitleSearch::new(" ").is_empty() && !TitleSearch::new("?").is_empty());
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
}
