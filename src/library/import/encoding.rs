//! Finds the encoding of a file, and decodes it.
use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, MACINTOSH, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

use crate::library::import::mac_roman::is_mac_roman;

/// Decodes bytes as UTF-8 or UTF-16, with or without a byte order mark, or otherwise as Windows-1252, Mac Roman or a
/// similar encoding.
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[mark..]).0;
    }
    if let Some(encoding) = unmarked_utf16(bytes) {
        return encoding.decode_without_bom_handling(bytes).0;
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) if is_mostly_utf8(bytes) => UTF_8.decode_without_bom_handling(bytes).0,
        Err(_) => legacy(bytes).decode_without_bom_handling(bytes).0,
    }
}

/// Undoes a second decoding: a spreadsheet has read UTF-8 as Windows-1252 and stored what it saw, so that `años` has become `aÃ±os`. `None`
/// unless every character beyond ASCII is a part of one in UTF-8 then.
pub fn decoded_once(text: &str) -> Option<String> {
    // Hardly any other text begins its characters beyond ASCII with one of these.
    text.chars().find(|sign| !sign.is_ascii()).filter(|first| ('\u{c2}'..='\u{f4}').contains(first))?;
    let (bytes, _, has_others) = WINDOWS_1252.encode(text);
    if has_others { None } else { String::from_utf8(bytes.into_owned()).ok() }
}

/// UTF-16 of Latin headers has a zero in every second byte.
fn unmarked_utf16(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = &bytes[..bytes.len().min(200) & !1];
    let pairs = start.len() / 2;
    let zeros = |offset: usize| start.iter().skip(offset).step_by(2).filter(|b| **b == 0).count();
    let (even, odd) = (zeros(0), zeros(1));
    match () {
        () if pairs < 4 => None,
        () if odd * 10 >= pairs * 9 && even == 0 => Some(UTF_16LE),
        () if even * 10 >= pairs * 9 && odd == 0 => Some(UTF_16BE),
        () => None,
    }
}

/// LibraryThing's files are UTF-8 with some bytes of older catalogues. In such a file most characters beyond ASCII are decodable; in the
/// encodings of East Asia every fourth or fifth pair of bytes looks like a character of UTF-8, in those of Europe hardly any.
fn is_mostly_utf8(bytes: &[u8]) -> bool {
    let (mut good, mut bad) = (0_usize, 0_usize);
    for chunk in bytes.utf8_chunks() {
        good += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    good >= bad || bytes.windows(NAMED_BY.len()).take(1_000).any(|start| start == NAMED_BY)
}

/// A column that only LibraryThing has.
const NAMED_BY: &[u8] = b"Primary Author";

fn legacy(bytes: &[u8]) -> &'static Encoding {
    // A few accents are not enough evidence: then it is the encoding of western European spreadsheets.
    let is_mac = is_mac_roman(bytes);
    if bytes.iter().filter(|b| !b.is_ascii()).take(16).count() < 16 {
        return if is_mac { MACINTOSH } else { WINDOWS_1252 };
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    let guess = detector.guess(None, Utf8Detection::Deny);
    // The detector does not know Mac Roman, and reports another single-byte encoding for it.
    if is_mac && guess.is_single_byte() { MACINTOSH } else { guess }
}
