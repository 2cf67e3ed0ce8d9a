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

/// The width of a character in a font of one pixel, estimated.
fn width_of(c: char) -> f64 {
    if c >= '\u{2E80}' { 1.0 } else { 0.53 }
}

/// A title that fits on a spine, and its size. It is cut where even the smallest size is too wide.
fn fitted(title: &str, thickness: f64, room: f64) -> (String, f64) {
    let width: f64 = title.chars().map(width_of).sum();
    let size = (room / width.max(1.0)).min(thickness * 0.62).clamp(9.5, 14.0);
    // With room for rounding.
    if width * size <= room + 0.01 {
        return (title.to_owned(), size);
    }
    let (mut left, mut cut) = (room / size - 1.0, String::new());
    for c in title.chars() {
        left -= width_of(c);
        if left < 0.0 {
            break;
        }
        cut.push(c);
    }
    (format!("{}…", cut.trim_end()), size)
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
        if *thickness >= TITLED {
            let (title, size) = fitted(&book.title, *thickness, tall - 24.0);
            let _ = write!(
                html,
                "<text class=\"f{blue}\" font-size=\"{size:.1}\" transform=\"translate({:.1} 12) rotate(90)\" dy=\".34em\">{}</text>",
                thickness / 2.0,
                escaped(&title)
            );
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
    fn a_long_title_is_cut_and_a_short_one_is_not() {
        assert_eq!(fitted("Emma", 60.0, 140.0), ("Emma".to_owned(), 14.0));
        for room in 112..150 {
            assert_eq!(fitted("Wuthering Heights", 60.0, f64::from(room)).0, "Wuthering Heights");
        }
        let (cut, size) = fitted(&book(0).title, 60.0, 140.0);
        assert!(cut.ends_with('…') && size < 10.0, "{cut} {size}");
        assert!(fitted("字".repeat(30).as_str(), 60.0, 140.0).0.chars().count() < 16);
    }
}
