//! The shelf on a shared page: one spine for each book, as thick as the book has words.
use std::fmt::Write as _;

use super::model::SharedBook;

/// The measures of a drawing, in pixels.
#[derive(Debug, Clone, Copy)]
pub struct Measures {
    width: f64,
    /// The thickness of a thousand words.
    thousand: f64,
}

/// For pages from 720 pixels on.
pub const WIDE: Measures = Measures { width: 1180.0, thousand: 0.45 };
/// For narrower pages.
pub const THIN: Measures = Measures { width: 358.0, thousand: 0.3 };

/// The height of a row with its board, and of the space above the next one.
const ROW: f64 = 180.0;
const GAP: f64 = 26.0;
const TALLEST: f64 = 172.0;
const THINNEST: f64 = 7.0;
/// A thinner spine has no title.
const TITLED: f64 = 14.0;

/// Where a spine stands: its row, the distance from the left and the thickness.
type Spine = (u32, f64, f64);

/// The spines of books, in rows from left to right.
fn arrange(measures: Measures, books: &[SharedBook]) -> Vec<Spine> {
    let (mut row, mut x) = (0, 0.0);
    let mut spines = Vec::with_capacity(books.len());
    for book in books {
        let thousands = f64::from(i32::try_from(book.words / 1000).unwrap_or(i32::MAX));
        let thickness = (thousands * measures.thousand).clamp(THINNEST, measures.width / 4.0);
        if x > 0.0 && x + thickness > measures.width {
            (row, x) = (row + 1, 0.0);
        }
        spines.push((row, x, thickness));
        x += thickness + 2.0;
    }
    spines
}

/// A number that is always the same for a text.
fn number_of(text: &str) -> u32 {
    text.bytes().fold(2_166_136_261, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619))
}

/// Whether a character is one of the wide ones of East Asia, between which a line may end.
fn is_wide(c: char) -> bool {
    c >= '\u{2E80}'
}

/// The width of a character in a font of one pixel, estimated.
fn width_of(c: char) -> f64 {
    if is_wide(c) { 1.0 } else { 0.53 }
}

/// The line height, as a multiple of the font size.
const LEADING: f64 = 1.15;
const SMALLEST: f64 = 9.5;
const LARGEST: f64 = 14.0;
/// Steps between the largest size and the smallest one.
const STEPS: u32 = 9;
const MOST_LINES: u8 = 3;

/// The estimated width of a text in a font of one pixel.
fn measured(text: &str) -> f64 {
    text.chars().map(width_of).sum()
}

/// The lines of a title on a spine and their size, as large as it fits; `None` where not even the first words fit. A title that is too long
/// ends with an ellipsis after a whole word.
fn fitted(title: &str, thickness: f64, room: f64) -> Option<(Vec<String>, f64)> {
    let sizes = (0..=STEPS).map(|step| LARGEST - f64::from(step) * (LARGEST - SMALLEST) / f64::from(STEPS));
    let mut kept = pieces(title);
    let mut fitting = 0;
    for size in sizes {
        match wrapped(&kept, thickness, room, size) {
            Ok(lines) => return Some((lines, size)),
            Err(pieces) => fitting = pieces,
        }
    }
    // With one piece more than fits, nothing of what follows it fits either.
    kept.truncate(fitting + 2);
    while kept.pop().is_some() {
        let text = kept.concat();
        let text = text.trim_end_matches(|c: char| c.is_whitespace() || c.is_ascii_punctuation());
        // Less says nothing.
        if text.chars().count() < 5 {
            break;
        }
        if let Ok(lines) = wrapped(&pieces(&format!("{text}…")), thickness, room, SMALLEST) {
            return Some((lines, SMALLEST));
        }
    }
    None
}

/// Whether a line may end between two characters: not before a mark that ends something, and not after a bracket that opens.
fn may_part(one: char, next: char) -> bool {
    is_wide(one)
        && is_wide(next)
        && !"、。，．・：；？！ー）］｝」』】〉》〕ゃゅょっャュョッェィァォゥ".contains(next)
        && !"（［｛「『【〈《〔".contains(one)
}

/// The parts of a title between which a line may end: after a space, and between the characters of scripts without spaces.
fn pieces(title: &str) -> Vec<&str> {
    let mut ends: Vec<_> = title
        .char_indices()
        .zip(title.char_indices().skip(1))
        .filter(|((_, one), (_, next))| one.is_whitespace() || may_part(*one, *next))
        .map(|(_, (at, _))| at)
        .collect();
    ends.push(title.len());
    let mut from = 0;
    ends.into_iter().map(|end| &title[std::mem::replace(&mut from, end)..end]).collect()
}

/// The pieces in as few lines as hold them; otherwise how many of the first pieces fit, because the next one is too long, or needs too
/// many lines for the spine.
fn wrapped(pieces: &[&str], thickness: f64, room: f64, size: f64) -> Result<Vec<String>, usize> {
    let most = (1..=MOST_LINES).rev().find(|lines| f64::from(*lines) * size * LEADING <= thickness);
    let mut lines = Vec::<String>::new();
    for (fitting, piece) in pieces.iter().enumerate() {
        // With room for rounding.
        let fits = |line: &str| measured(line.trim_end()) * size <= room + 0.01;
        let has_room = most.is_some_and(|most| lines.len() < usize::from(most));
        match lines.last_mut() {
            Some(line) if fits(&format!("{line}{piece}")) => line.push_str(piece),
            _ if has_room && fits(piece) => lines.push((*piece).to_owned()),
            _ => return Err(fitting),
        }
    }
    lines.iter_mut().for_each(|line| line.truncate(line.trim_end().len()));
    Ok(lines)
}

/// Draws books as a shelf of the class `class`. Screen readers find the books in the list, not here.
pub fn draw(html: &mut String, class: &str, measures: Measures, books: &[SharedBook], escaped: fn(&str) -> String) {
    let spines = arrange(measures, books);
    let rows = spines.last().map_or(0, |(row, ..)| row + 1);
    let (width, height) = (measures.width, f64::from(rows) * (ROW + GAP) - GAP);
    let _ = write!(
        html,
        "<svg class=\"{class}\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" aria-hidden=\"true\">"
    );
    for (book, (row, x, thickness)) in books.iter().zip(&spines) {
        let tall = TALLEST - f64::from(number_of(&book.title) % 6) * 7.0;
        let y = f64::from(*row) * (ROW + GAP) + TALLEST - tall;
        let blue = number_of(&book.author) % 6 + 1;
        let _ = write!(
            html,
            "<g transform=\"translate({x:.1} {y:.0})\"><rect class=\"d{blue}\" width=\"{thickness:.1}\" height=\"{tall}\" rx=\"1.5\"/>"
        );
        let lettering = if *thickness >= TITLED { fitted(&book.title, *thickness, tall - 24.0) } else { None };
        if let Some((lines, size)) = lettering {
            // The first line is the right one, as the head of a turned line is at the right.
            let mut middle = thickness / 2.0
                + f64::from(u32::try_from(lines.len()).unwrap_or(0).saturating_sub(1)) / 2.0 * size * LEADING;
            for line in lines {
                let _ = write!(
                    html,
                    "<text class=\"f{blue}\" font-size=\"{size:.1}\" transform=\"translate({middle:.1} 12) rotate(90)\" dy=\".34em\">{}</text>",
                    escaped(&line)
                );
                middle -= size * LEADING;
            }
        }
        html.push_str("</g>");
    }
    for row in 0..rows {
        let y = f64::from(row) * (ROW + GAP) + TALLEST;
        let _ = write!(html, "<rect class=\"board\" y=\"{y}\" width=\"{width}\" height=\"4\"/>");
    }
    html.push_str("</svg>");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(words: i64) -> SharedBook {
        SharedBook {
            title: "A title that is longer than any spine is tall, and goes on".to_owned(),
            author: String::new(),
            words,
            completed: None,
            completed_from: None,
            rating: None,
            series: None,
            series_number: None,
            impressions: None,
            cover: None,
        }
    }

    #[test]
    fn every_spine_stands_within_its_shelf_however_long_the_book() {
        let books: Vec<_> =
            [0, 1, 90_000, i64::MAX, 600_000].iter().cycle().take(300).map(|words| book(*words)).collect();
        for measures in [WIDE, THIN] {
            let spines = arrange(measures, &books);
            assert!(spines.iter().all(|(_, x, thickness)| *thickness >= THINNEST && x + thickness <= measures.width));
            assert!(spines.is_sorted_by_key(|(row, ..)| *row) && spines.last().unwrap().0 > 3);
        }
    }

    #[test]
    fn of_a_long_title_only_the_pieces_that_fit_are_measured() {
        for (title, most) in [("字".repeat(500), 3 * 15), ("no ".repeat(166), 3 * 10), ("- ".repeat(250), 3 * 15)] {
            let fitting = wrapped(&pieces(&title), 60.0, 148.0, SMALLEST).unwrap_err();
            assert!((1..=most).contains(&fitting), "{fitting} of {title}");
            // One character less or more behind the end of the spine changes nothing.
            let (cut, whole) = (&title[..title.len() / 2], fitted(&title, 60.0, 148.0));
            assert!(whole == fitted(cut.trim_end(), 60.0, 148.0), "{whole:?}");
        }
    }

    #[test]
    fn a_title_has_whole_words_on_one_to_three_lines() {
        let one = |title: &str| Some((vec![title.to_owned()], LARGEST));
        assert_eq!(fitted("Emma", 60.0, 140.0), one("Emma"));
        assert_eq!(fitted("Wuthering Heights", 60.0, 140.0), one("Wuthering Heights"));
        let (lines, size) = fitted("The Murder of Roger Ackroyd", 60.0, 140.0).unwrap();
        assert_eq!((lines, size), (vec!["The Murder of".to_owned(), "Roger Ackroyd".to_owned()], LARGEST));
        let long = book(0).title;
        for thickness in 14..80 {
            for room in 60..150 {
                let Some((lines, size)) = fitted(&long, f64::from(thickness), f64::from(room)) else { continue };
                let words = lines.join(" ");
                let whole = words.trim_end_matches('…');
                assert!(
                    long.starts_with(whole) && (whole == long || long[whole.len()..].starts_with([' ', ','])),
                    "{words}"
                );
                assert!(lines.iter().all(|line| measured(line) * size <= f64::from(room) + 0.02), "{lines:?}");
                assert!(f64::from(u32::try_from(lines.len()).unwrap()) * size <= f64::from(thickness));
            }
        }
        assert_eq!(fitted("Donaudampfschifffahrtselektrizitäten", 14.0, 100.0), None);
        assert_eq!(fitted("海辺のカフカ（上）", 46.0, 116.0).unwrap().0, ["海辺のカフカ", "（上）"]);
        assert_eq!(fitted(&"字".repeat(16), 40.0, 140.0).unwrap().0, ["字".repeat(10), "字".repeat(6)]);
    }
}
