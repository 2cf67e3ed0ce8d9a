//! Languages: Open Library has the codes of MARC, a book a tag of BCP 47.

/// The codes of MARC, and the tag. A language without a short code keeps its long one.
const TAGS: &[(&str, &str)] = &[
    ("afr", "af"),
    ("alb", "sq"),
    ("ara", "ar"),
    ("arm", "hy"),
    ("aze", "az"),
    ("baq", "eu"),
    ("bel", "be"),
    ("ben", "bn"),
    ("bos", "bs"),
    ("bre", "br"),
    ("bul", "bg"),
    ("bur", "my"),
    ("cat", "ca"),
    ("chi", "zh"),
    ("cze", "cs"),
    ("dan", "da"),
    ("dut", "nl"),
    ("eng", "en"),
    ("epo", "eo"),
    ("est", "et"),
    ("fin", "fi"),
    ("fre", "fr"),
    ("geo", "ka"),
    ("ger", "de"),
    ("gle", "ga"),
    ("glg", "gl"),
    ("gre", "el"),
    ("guj", "gu"),
    ("heb", "he"),
    ("hin", "hi"),
    ("hrv", "hr"),
    ("hun", "hu"),
    ("ice", "is"),
    ("ind", "id"),
    ("ita", "it"),
    ("jpn", "ja"),
    ("kan", "kn"),
    ("kaz", "kk"),
    ("kor", "ko"),
    ("lat", "la"),
    ("lav", "lv"),
    ("lit", "lt"),
    ("mac", "mk"),
    ("mal", "ml"),
    ("mar", "mr"),
    ("may", "ms"),
    ("nob", "nb"),
    ("nno", "nn"),
    ("nor", "no"),
    ("pan", "pa"),
    ("per", "fa"),
    ("pol", "pl"),
    ("por", "pt"),
    ("rum", "ro"),
    ("rus", "ru"),
    ("san", "sa"),
    ("scr", "hr"),
    ("slo", "sk"),
    ("slv", "sl"),
    ("spa", "es"),
    ("srp", "sr"),
    ("swe", "sv"),
    ("tam", "ta"),
    ("tel", "te"),
    ("tha", "th"),
    ("tur", "tr"),
    ("ukr", "uk"),
    ("urd", "ur"),
    ("vie", "vi"),
    ("wel", "cy"),
    ("yid", "yi"),
];

/// The other long codes of some languages (ISO 639-2/T).
const ALIASES: &[(&str, &str)] = &[
    ("ces", "cs"),
    ("cym", "cy"),
    ("deu", "de"),
    ("ell", "el"),
    ("eus", "eu"),
    ("fas", "fa"),
    ("fra", "fr"),
    ("hye", "hy"),
    ("isl", "is"),
    ("kat", "ka"),
    ("mkd", "mk"),
    ("msa", "ms"),
    ("mya", "my"),
    ("nld", "nl"),
    ("ron", "ro"),
    ("slk", "sk"),
    ("sqi", "sq"),
    ("zho", "zh"),
];

/// The tag of a language key (`/languages/eng`) or code (`eng`, `en`); `None` for what is not a language, and for "several" and
/// "unknown".
pub fn tag(key: &str) -> Option<String> {
    let code = key.rsplit('/').next().unwrap_or(key).trim().to_ascii_lowercase();
    if !matches!(code.len(), 2 | 3) || !code.bytes().all(|byte| byte.is_ascii_lowercase()) {
        return None;
    }
    if matches!(code.as_str(), "mul" | "und" | "zxx" | "mis") {
        return None;
    }
    let known = TAGS.iter().chain(ALIASES).find(|(marc, _)| *marc == code);
    Some(known.map_or(code, |(_, tag)| (*tag).to_owned()))
}

/// The tag of a language that somebody names; `None` for a code that Open Library does not use for a language.
pub fn named(code: &str) -> Option<String> {
    let is_known = |tag: &String| TAGS.iter().any(|(_, known)| known == tag);
    tag(code).filter(|tag| tag.len() == 3 || is_known(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_letters_become_a_tag() {
        for (key, expected) in [
            ("/languages/eng", Some("en")),
            ("/languages/ger", Some("de")),
            ("deu", Some("de")),
            ("de", Some("de")),
            ("/languages/gsw", Some("gsw")),
            ("/languages/mul", None),
            ("/languages/english", None),
            ("", None),
        ] {
            assert_eq!(tag(key).as_deref(), expected, "{key}");
        }
        assert_eq!(named("xx"), None);
        assert_eq!(named("GER").as_deref(), Some("de"));
    }
}
