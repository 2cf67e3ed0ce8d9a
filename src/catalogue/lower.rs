//! A text in small letters, in which many words are looked for.

/// A text in small letters.
pub struct LowerText {
    text: String,
    /// A bit for each pair of neighbouring bytes, of which five bits count: most words are not in a text, and most of those begin
    /// with a pair that it does not have.
    pairs: [u64; 16],
}

/// The bit of a pair, and the number of its word.
fn bit_of([first, second]: [u8; 2]) -> (usize, u64) {
    (usize::from(first & 15), 1 << ((first & 16) << 1 | second & 31))
}

impl LowerText {
    /// The small letters of a text.
    pub fn of(text: &str) -> Self {
        let text = text.to_lowercase();
        let mut pairs = [0; 16];
        for pair in text.as_bytes().array_windows() {
            let (word, bit) = bit_of(*pair);
            pairs[word] |= bit;
        }
        Self { text, pairs }
    }

    /// Whether it has a word or a part of one, written in small letters.
    pub fn has(&self, part: &str) -> bool {
        let may_have = part.as_bytes().first_chunk().is_none_or(|pair| {
            let (word, bit) = bit_of(*pair);
            self.pairs[word] & bit != 0
        });
        may_have && self.text.contains(part)
    }

    /// Whether it has any of these.
    pub fn has_any(&self, parts: &[&str]) -> bool {
        parts.iter().any(|part| self.has(part))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_has_what_its_small_letters_contain(text in "[a-eA-E \u{e4}\u{c4}]{0,12}", part in "[a-e \u{e4}]{0,3}") {
            prop_assert_eq!(LowerText::of(&text).has(&part), text.to_lowercase().contains(&part));
        }
    }
}
