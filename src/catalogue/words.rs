//! The words by which the catalogue finds a work: folded as titles are, split at everything that is not alphanumeric.
use crate::library::text::fold;

/// The most words of one query that count.
const MOST_ASKED: usize = 10;

/// The folded words of a text, in their order, with a blank between them. Apostrophes join: "Ender's" is one word.
pub fn joined_words(text: &str) -> String {
    let folded = fold(text);
    let mut words = String::with_capacity(folded.len());
    let mut is_behind_word = false;
    for sign in folded.chars().filter(|sign| !matches!(sign, '\'' | '\u{2019}' | '\u{2bc}' | '`')) {
        if sign.is_alphanumeric() {
            if std::mem::take(&mut is_behind_word) && !words.is_empty() {
                words.push(' ');
            }
            words.push(sign);
        } else {
            is_behind_word = true;
        }
    }
    words
}

/// The same words one by one.
pub fn words(text: &str) -> Vec<String> {
    joined_words(text).split_terminator(' ').map(str::to_owned).collect()
}

/// A query in the search's own syntax, twice: with the last word as it is, and as the beginning of a word. Every word is quoted,
/// so that none of them is an operator. `None` for a query without a word. A beginning of one character would match nearly everything:
/// the second query is then that of the words before it, and `None` without any.
pub fn match_query(typed: &str) -> Option<(String, Option<String>)> {
    let mut all = words(typed);
    all.truncate(MOST_ASKED);
    let last = all.pop()?;
    let mut before: Vec<String> = Vec::new();
    for word in all.into_iter().filter(|word| *word != last) {
        if !before.contains(&word) {
            before.push(word);
        }
    }
    let quoted = |words: &[String]| words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>();
    let with = |ending: &str| {
        let mut parts = quoted(&before);
        parts.push(format!("\"{last}\"{ending}"));
        parts.join(" AND ")
    };
    let wider = match last.is_ascii() && last.len() < 2 {
        false => Some(with("*")),
        true if before.is_empty() => None,
        true => Some(quoted(&before).join(" AND ")),
    };
    Some((with(""), wider))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_folded_and_split_at_punctuation() {
        assert_eq!(words("The Öko-Krise: Ender's «1984»"), ["the", "oko", "krise", "enders", "1984"]);
        assert_eq!(words("吾輩は猫である"), ["吾輩は猫である"]);
        assert_eq!(words(" ('o') - x "), ["o", "x"]);
        assert!(words(" -- \" ").is_empty());
    }

    #[test]
    fn a_question_has_no_operators_and_ends_in_a_beginning() {
        let typed = |text| match_query(text).unwrap();
        assert_eq!(
            typed("Dune OR hat\""),
            ("\"dune\" AND \"or\" AND \"hat\"".into(), Some("\"dune\" AND \"or\" AND \"hat\"*".into()))
        );
        let great = ("\"the\" AND \"great\" AND \"g\"".into(), Some("\"the\" AND \"great\"".into()));
        assert_eq!(typed("the great g"), great);
        assert_eq!(typed("g"), ("\"g\"".into(), None));
        assert_eq!(typed("new new york new"), ("\"york\" AND \"new\"".into(), Some("\"york\" AND \"new\"*".into())));
        assert_eq!(match_query("?!"), None);
        let long =
            vec!["word"; 1].into_iter().map(str::to_owned).chain((0..40).map(|n| format!("w{n}"))).collect::<Vec<_>>();
        assert_eq!(typed(&long.join(" ")).0.matches("AND").count(), MOST_ASKED - 1);
    }
}
