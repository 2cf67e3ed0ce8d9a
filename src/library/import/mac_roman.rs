//! Recognises files of old Macs, whose accents are other bytes than those of Windows.

/// Bytes that are common small characters of words on a Mac (é è ê ë ç á à â ä í ì î ï ñ ó ò ô ö ú ù û ü ß). On Windows they
/// are capital characters, signs or nothing, which do not follow a small character.
const MAC_SMALL: [u8; 21] = [
    0x87, 0x88, 0x89, 0x8a, 0x8b, 0x8d, 0x8e, 0x8f, 0x90, 0x91, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0x9c, 0x9d,
    0x9f, 0xa7,
];

/// The bytes of [`MAC_SMALL`] that never follow a small character in a text of Windows.
const PLAIN_SIGNS: [u8; 9] = [0x87, 0x88, 0x8a, 0x8d, 0x8e, 0x8f, 0x90, 0x9d, 0xa7];

/// Whether a text that is not UTF-8 was probably written on an old Mac: within its words are bytes that are accented characters on a Mac,
/// and hardly any that are accented characters on Windows.
pub fn is_mac_roman(bytes: &[u8]) -> bool {
    let (mut mac, mut telling, mut windows, mut pairs, mut high) = (0, 0, 0, 0, 0);
    for (at, byte) in bytes.iter().enumerate().filter(|(_, byte)| !byte.is_ascii()) {
        high += 1;
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        let after = bytes.get(at + 1);
        pairs += usize::from(after.is_some_and(|byte| !byte.is_ascii()));
        let follows = before.is_some_and(u8::is_ascii_lowercase);
        let ends = after.is_none_or(|byte| !byte.is_ascii_alphanumeric());
        // After a capital a small character has to follow.
        let is_inside = before.is_some_and(u8::is_ascii_alphabetic) && after.is_some_and(u8::is_ascii_lowercase);
        let within = is_inside || (follows && ends);
        mac += usize::from(within && MAC_SMALL.contains(byte));
        telling += usize::from(within && PLAIN_SIGNS.contains(byte));
        // Within words, Windows has its accented characters from 0xC0 on; Macs have capitals, dashes and quotes there.
        // `à` as a word of its own, and `É` before a small character: on Windows both are signs that stand in no text.
        let is_alone = [before, after].iter().all(|near| near.is_none_or(|byte| b" ,\"\r\n\t".contains(byte)));
        let begins =
            before.is_none_or(|byte| !byte.is_ascii_alphanumeric()) && after.is_some_and(u8::is_ascii_lowercase);
        let is_word = (is_alone && *byte == 0x88) || (begins && *byte == 0x83);
        mac += usize::from(is_word);
        telling += usize::from(is_word);
        windows += usize::from(*byte >= 0xc0 && follows && after.is_some_and(u8::is_ascii_lowercase) && *byte != 0xd5);
    }
    // Scripts other than the Latin one have few single characters outside of ASCII.
    telling > 0 && mac > windows * 4 && pairs * 3 <= high
}

#[cfg(test)]
mod tests {
    use encoding_rs::{MACINTOSH, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252};

    use super::*;

    const TEXTS: [&str; 5] = [
        "Title,Author\nUlysse à Ithaque,Éditions du Seuil\n",
        "Title,Author\nCafé,Zoë Müller\n",
        "Title,Author\n\"L’Étranger – \"\"été\"\"\",Albert Camus\nDon’t,Jürgen Groß\n",
        "Title,Author\nCien años de soledad,Gabriel García Márquez\n",
        "Title,Author\nÀ la recherche,Proust\nLes Misérables,Hugo\n",
    ];

    #[test]
    fn texts_of_macs_are_recognised() {
        for text in TEXTS {
            assert!(is_mac_roman(&MACINTOSH.encode(text).0), "{text}");
        }
    }

    #[test]
    fn texts_of_windows_are_not() {
        let others = ["Title,Author\nPůlnoc v Žižkově,Karel Čapek\nŁódź,Ż\n", "Название,Автор\nДетство,Толстой\n"];
        for text in TEXTS.into_iter().chain(["Title\nŒuvre “complète” – cœur… naïve\nStraße § 5\n"]) {
            assert!(!is_mac_roman(&WINDOWS_1252.encode(text).0), "{text}");
        }
        assert!(!is_mac_roman(&WINDOWS_1250.encode(others[0]).0));
        assert!(!is_mac_roman(&WINDOWS_1251.encode(others[1]).0));
        assert!(!is_mac_roman(b"Title,Author\nA,B\n"));
    }
}
