//! Languages: catalogues write codes of MARC or ISO 639, trackers write names, and a book has a tag of BCP 47.
use super::books::facts::language_tag;

/// The codes of three characters (ISO 639-2 in both forms, and MARC) in the order of the alphabet, each with its code of two. A language
/// without one keeps its code of three.
const CODES: &[u8] = b"\
    afr af,alb sq,ara ar,arm hy,aze az,baq eu,bel be,ben bn,bos bs,bre br,bul bg,bur my,cat ca,ces cs,chi zh,cym cy,cze cs,dan da,\
    deu de,dut nl,ell el,eng en,epo eo,est et,eus eu,fas fa,fin fi,fra fr,fre fr,geo ka,ger de,gle ga,glg gl,gre el,guj gu,heb he,\
    hin hi,hrv hr,hun hu,hye hy,ice is,ind id,isl is,ita it,jpn ja,kan kn,kat ka,kaz kk,kor ko,lat la,lav lv,lit lt,mac mk,mal ml,\
    mar mr,may ms,mkd mk,msa ms,mya my,nld nl,nno nn,nob nb,nor no,pan pa,per fa,pol pl,por pt,ron ro,rum ro,rus ru,san sa,scr hr,\
    slk sk,slo sk,slv sl,spa es,sqi sq,srp sr,swa sw,swe sv,tam ta,tel te,tha th,tur tr,ukr uk,urd ur,vie vi,wel cy,yid yi,zho zh,";

/// Languages by their names.
const NAMES: [(&str, &[&str]); 24] = [
    ("en", &["english", "englisch", "anglais", "inglés"]),
    ("de", &["german", "deutsch", "allemand", "alemán"]),
    ("fr", &["french", "français", "französisch", "francés"]),
    ("es", &["spanish", "español", "spanisch", "espagnol", "castellano"]),
    ("it", &["italian", "italiano", "italienisch"]),
    ("pt", &["portuguese", "português", "portugiesisch"]),
    ("nl", &["dutch", "nederlands", "niederländisch"]),
    ("sv", &["swedish", "svenska", "schwedisch"]),
    ("da", &["danish", "dansk"]),
    ("no", &["norwegian", "norsk"]),
    ("fi", &["finnish", "suomi"]),
    ("pl", &["polish", "polski", "polnisch"]),
    ("cs", &["czech", "čeština"]),
    ("ru", &["russian", "русский", "russisch"]),
    ("uk", &["ukrainian", "українська"]),
    ("ja", &["japanese", "日本語", "japanisch"]),
    ("zh", &["chinese", "中文"]),
    ("ko", &["korean", "한국어"]),
    ("ar", &["arabic", "العربية"]),
    ("he", &["hebrew", "עברית"]),
    ("tr", &["turkish", "türkçe"]),
    ("el", &["greek", "ελληνικά"]),
    ("hu", &["hungarian", "magyar"]),
    ("la", &["latin"]),
];

/// The entries of [`CODES`]: a code of three characters and one of two.
fn codes() -> impl Iterator<Item = (&'static [u8], &'static [u8])> {
    CODES.chunks_exact(7).map(|entry| (&entry[..3], &entry[4..6]))
}

/// The tag of a code (`eng`, `ger`, `deu`, `en`), of a key of Open Library (`/languages/eng`), or of a longer tag (`pt-br`). `None` for
/// what is not a language, and for "several", "unknown", "no language" and "another language".
pub fn of_code(code: &str) -> Option<String> {
    let code = code.rsplit('/').next().unwrap_or(code).trim();
    let primary = code.split('-').next().unwrap_or_default();
    let says_nothing = ["mul", "und", "zxx", "mis"].iter().any(|none| primary.eq_ignore_ascii_case(none));
    if !matches!(primary.len(), 2 | 3) || says_nothing {
        return None;
    }
    let lower = code.to_ascii_lowercase();
    let (entries, _) = CODES.as_chunks::<7>();
    match entries.binary_search_by(|entry| entry[..3].cmp(lower.as_bytes())) {
        Ok(place) => Some(String::from_utf8_lossy(&entries[place][4..6]).into_owned()),
        Err(_) => language_tag(code),
    }
}

/// The tag of a language that a person names by its code; `None` for a code of two characters that no language of [`CODES`] has.
pub fn of_known_code(code: &str) -> Option<String> {
    of_code(code).filter(|tag| tag.len() == 3 || codes().any(|(_, short)| short == tag.as_bytes()))
}

/// The tag of the first language in a list of names or codes: `English, French` is `en`.
pub fn of_list(cell: &str) -> Option<String> {
    let name = cell.split([',', ';', '|']).next().unwrap_or_default().trim().to_lowercase();
    let known = NAMES.iter().find(|(_, names)| names.contains(&name.as_str()));
    known.map(|(tag, _)| (*tag).to_owned()).or_else(|| of_code(&name.replace('_', "-")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_becomes_the_shortest_tag() {
        for (code, tag) in [
            ("eng", Some("en")),
            ("GER", Some("de")),
            ("/languages/ger", Some("de")),
            ("deu", Some("de")),
            ("de", Some("de")),
            ("zho", Some("zh")),
            ("pt-br", Some("pt-BR")),
            ("haw", Some("haw")),
            ("/languages/gsw", Some("gsw")),
            ("und", None),
            ("/languages/mul", None),
            ("/languages/english", None),
            ("English", None),
            ("e", None),
            ("é!", None),
            ("", None),
        ] {
            assert_eq!(of_code(code).as_deref(), tag, "{code}");
        }
        assert!(codes().all(|(long, short)| [long, short].concat().iter().all(u8::is_ascii_lowercase)));
        assert!(codes().any(|(long, _)| long == b"zho"), "the last entry is whole");
        assert!(codes().is_sorted(), "they are searched for in halves");
        assert_eq!((of_known_code("xx"), of_known_code("pt-br")), (None, None));
        assert_eq!(of_known_code("GER").as_deref(), Some("de"));
    }

    #[test]
    fn the_first_language_of_a_list_counts_by_name_or_code() {
        for (cell, tag) in [
            ("English, French", Some("en")),
            ("deu", Some("de")),
            ("pt_br", Some("pt-BR")),
            ("日本語", Some("ja")),
            ("Klingon", None),
            ("", None),
        ] {
            assert_eq!(of_list(cell).as_deref(), tag, "{cell}");
        }
    }
}
