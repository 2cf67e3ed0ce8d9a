//! The words around what was found in a text.
use serde::Serialize;
use utoipa::ToSchema;

use crate::kit::keys::{LongKeys, TitleSearch};

/// How many characters of a long text are shown before the first hit, and from it on.
const BEFORE: usize = 80;
const BEHIND: usize = 200;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Part {
    /// Its text.
    pub text: String,
    /// Whether this is what was found.
    pub hit: bool,
}

/// Cuts a text into parts. Of a long one only the surroundings of the first hit are kept, with `…` where it was cut.
pub fn parts(text: &str, needle: &TitleSearch) -> Vec<Part> {
    let hits = hits(text, needle);
    let (from, to) = window(text, hits.first().copied().unwrap_or((0, 0)));
    let mut parts = Vec::new();
    let mut add = |piece: &str, hit| {
        if !piece.is_empty() {
            parts.push(Part { text: piece.to_owned(), hit });
        }
    };
    let mut at = from;
    for (begin, end) in hits {
        // A hit may end within a character of which the next one begins: `ß` is two letters of the key.
        if begin < at || end > to {
            continue;
        }
        add(&text[at..begin], false);
        add(&text[begin..end], true);
        at = end;
    }
    add(&text[at..to], false);
    if let Some(first) = parts.first_mut().filter(|_| from > 0) {
        first.text.insert(0, '…');
    }
    if let Some(last) = parts.last_mut().filter(|_| to < text.len()) {
        last.text.push('…');
    }
    parts
}

/// Where the text is cut: at blanks, if there are any near.
fn window(text: &str, (begin, end): (usize, usize)) -> (usize, usize) {
    let from = text[..begin].char_indices().rev().take(BEFORE).last().map_or(begin, |(at, _)| at);
    let from = match text[from..begin].find(char::is_whitespace) {
        Some(blank) if from > 0 => from + blank,
        _ => from,
    };
    let to = text[end..].char_indices().nth(BEHIND).map_or(text.len(), |(at, _)| end + at);
    let to = match text[end..to].rfind(char::is_whitespace) {
        Some(blank) if to < text.len() => end + blank,
        _ => to,
    };
    (from, to)
}

/// The bytes of each hit.
fn hits(text: &str, needle: &TitleSearch) -> Vec<(usize, usize)> {
    let (mut key, mut pieces) = (String::new(), Vec::new());
    LongKeys::default().write(text, &mut key, |of_key, of_text| pieces.push((of_key, of_text)));
    let in_text = |(from, to): (usize, usize)| {
        let begin = pieces.partition_point(|(of_key, _)| *of_key <= from).checked_sub(1).map_or(0, |at| pieces[at].1);
        let end = pieces.get(pieces.partition_point(|(of_key, _)| *of_key < to)).map_or(text.len(), |(_, at)| *at);
        (begin, end)
    };
    if needle.key.is_empty() {
        return Vec::new();
    }
    let found: Vec<_> = key.match_indices(&needle.key).map(|(at, found)| in_text((at, at + found.len()))).collect();
    if !found.is_empty() || needle.joined.is_empty() {
        return found;
    }
    // Without blanks what was typed begins where a word begins.
    let mut places = key.char_indices().filter(|(_, character)| *character != ' ');
    let bare: String = places.clone().map(|(_, character)| character).collect();
    let starts: Vec<_> = bare.char_indices().map(|(at, _)| at).zip(places.by_ref().map(|(at, _)| at)).collect();
    let of_key = |at: usize| starts.binary_search_by_key(&at, |(of_bare, _)| *of_bare).ok().map(|at| starts[at].1);
    let begins_word = |at: usize| at == 0 || key[..at].ends_with(' ');
    bare.match_indices(&needle.joined)
        .filter_map(|(at, found)| Some((of_key(at)?, of_key(at + found.len()).unwrap_or(key.len()))))
        .filter(|(from, _)| begins_word(*from))
        .map(|(from, to)| in_text((from, key[..to].trim_end().len())))
        .take(1)
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The text with brackets around the hits.
    fn marked(text: &str, typed: &str) -> String {
        let bracketed = |part: Part| if part.hit { format!("[{}]", part.text) } else { part.text };
        parts(text, &TitleSearch::new(typed)).into_iter().map(bracketed).collect()
    }

    #[test]
    fn hits_are_marked_as_they_stand_in_the_text() {
        for (text, typed, expected) in [
            ("Les Misérables", "MISERABLES", "Les [Misérables]"),
            ("ßßß sßs", "sss", "[ßß]ß [sß]s"),
            ("Die Straße, die STRASSE", "strasse", "Die [Straße], die [STRASSE]"),
            ("\u{201c}Fear\u{2014}is\u{201d} the", "fear is", "\u{201c}[Fear\u{2014}is]\u{201d} the"),
            ("吾輩は猫である。名前は", "猫である", "吾輩は[猫である]。名前は"),
            ("كِتَاب جديد", "كتاب", "[كِتَاب] جديد"),
            ("Преступле\u{301}ние", "преступление", "[Преступле\u{301}ние]"),
            ("J. R. R. Tolkien", "jrr tolkien", "[J. R. R. Tolkien]"),
            ("The Hail Mary", "hailmary", "The [Hail Mary]"),
            ("Nothing", "zzz", "Nothing"),
        ] {
            assert_eq!(marked(text, typed), expected);
        }
    }

    proptest! {
        #[test]
        fn no_character_is_lost_or_twice(text in "[ßßﬀaAﷺéİıs\u{301}\u{345} '\\-&猫]{0,40}", typed in "[ßsfaiéı \\-&猫]{1,6}") {
            let whole: String = parts(&text, &TitleSearch::new(&typed)).into_iter().map(|part| part.text).collect();
            prop_assert_eq!(whole, text);
        }
    }

    #[test]
    fn of_a_long_text_the_words_around_the_first_hit_are_shown() {
        let text = format!("{}the sandworm comes{}", "before ".repeat(40), " behind".repeat(60));
        let shown = marked(&text, "sandworm");
        assert!(shown.starts_with("… before before") && shown.ends_with("behind…"), "{shown}");
        assert!(shown.contains("the [sandworm] comes behind") && shown.chars().count() < 320, "{shown}");
        let unbroken = format!("{}針{}", "山".repeat(500), "川".repeat(500));
        assert_eq!(marked(&unbroken, "山針").chars().count(), BEFORE + BEHIND + 6);
    }
}
