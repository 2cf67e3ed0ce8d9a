//! The picture of a link, 1200 pixels wide: what is being read, or a year, above its shelf. Nothing is loaded with it, not even a font.
use std::fmt::Write as _;
use std::sync::LazyLock;

use super::model::{SharedBook, SharedReview};
use super::page::{MARK, NOTHING_YET, PALETTE, counted, escaped, in_words, isolated, numeral, only_style, written};
use super::shelf::{measured, relative_height};

/// The left margin, and the room between it and the right one.
const LEFT: f64 = 80.0;
const ROOM: f64 = 1040.0;
/// Where the shelf's board begins.
const BOARD: f64 = 512.0;
const TALLEST: f64 = 190.0;
/// The thickness of the open book.
const OPEN: f64 = 46.0;
/// Pixels between two books.
const GAP: f64 = 3.0;
/// The most pixels for a thousand words.
const MAX_SCALE: f64 = 0.46;
/// The most spines: the newest.
const MOST: usize = 100;
/// The largest and the smallest size of the title.
const SIZES: (f64, f64) = (74.0, 40.0);

static STYLE: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{PALETTE}text {{ fill: var(--ink); font-family: var(--serif); }} .paper {{ fill: var(--paper); }} \
         .ghost {{ stroke-width: 2; stroke-dasharray: 6 5; }}"
    )
});

/// The policy of the picture: its own style alone.
pub static POLICY: LazyLock<String> = LazyLock::new(|| only_style(&STYLE));

/// A line of text at a height, as large as its room allows. One that is still too long is cut.
fn line(svg: &mut String, y: f64, (largest, smallest): (f64, f64), more: &str, text: &str) {
    let size = (ROOM / measured(text).max(1.0)).clamp(smallest, largest);
    let (mut shown, mut width) = (String::new(), 0.0);
    for sign in text.chars() {
        width += measured(sign.encode_utf8(&mut [0; 4])) * size;
        if width > ROOM {
            shown.push('…');
            break;
        }
        shown.push(sign);
    }
    let _ = write!(svg, "<text x=\"{LEFT}\" y=\"{y}\" font-size=\"{size:.0}\"{more}>{}</text>", isolated(&shown));
}

/// Draws the picture. `open` is the first of the books that are being read, and `review` has the finished ones.
pub fn draw(server: &str, open: Option<&SharedBook>, review: &SharedReview) -> String {
    let name = review.name.as_deref();
    let (lead, title, says) = match open {
        Some(book) => {
            let place = book.place.map(|place| format!("{place}%"));
            let says = [Some(book.author.clone()).filter(|author| !author.is_empty()), place];
            let lead = name.map_or_else(|| "Reading now".to_owned(), |name| format!("{name} is reading"));
            (lead, book.title.clone(), says.into_iter().flatten().collect::<Vec<_>>().join(", "))
        }
        None if review.shelf.is_empty() => {
            let lead = name.map_or_else(String::new, |name| format!("{name}’s shelf"));
            (lead, NOTHING_YET.to_owned(), String::new())
        }
        None => {
            let period = numeral(review.period);
            let lead = name.map_or_else(|| period.clone(), |name| format!("{name}’s {period}"));
            (lead, counted(review.books), in_words(review.words))
        }
    };
    let told: Vec<_> = [&lead, &title, &says].into_iter().filter(|text| !text.is_empty()).map(String::as_str).collect();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1200\" height=\"630\" viewBox=\"0 0 1200 630\" role=\"img\" \
         aria-label=\"{}\"><style>{}</style><rect class=\"paper\" width=\"1200\" height=\"630\"/>",
        escaped(&told.join(" · ")),
        STYLE.as_str()
    );
    line(&mut svg, 108.0, (30.0, 24.0), " font-style=\"italic\"", &lead);
    line(&mut svg, 192.0, SIZES, " font-weight=\"500\"", &title);
    line(&mut svg, 244.0, (34.0, 26.0), "", &says);
    let end = draw_shelf(&mut svg, &review.shelf, review.has_ratings, open.is_some());
    if let Some(book) = open {
        let (height, full) = (0.9 * TALLEST, 0.009 * TALLEST * book.place.unwrap_or(0) as f64);
        let _ = write!(
            svg,
            "<rect class=\"ghost\" x=\"{end:.1}\" y=\"{:.1}\" width=\"{OPEN}\" height=\"{height:.1}\" rx=\"2\"/>\
             <rect class=\"d1\" x=\"{end:.1}\" y=\"{:.1}\" width=\"{OPEN}\" height=\"{full:.1}\" rx=\"2\"/>",
            BOARD - height,
            BOARD - full
        );
    }
    if review.shelf.is_empty() && open.is_none() {
        svg.push_str("<path class=\"ghost\" d=\"M80 372h40v140h-40zM128 352h30v160h-30zM166 392h54v120h-54zM228 342h22v170h-22zM258 380h44v132h-44z\"/>");
    }
    let mut ticks = String::new();
    for tick in 0..=20 {
        let x = LEFT + 0.75 + 51.9 * f64::from(tick);
        let _ = write!(ticks, "M{x:.1} {:.0}v{}", BOARD + 6.0, if tick % 5 == 0 { 11 } else { 6 });
    }
    let _ = write!(
        svg,
        "<rect class=\"board\" x=\"{LEFT}\" y=\"{BOARD}\" width=\"{ROOM}\" height=\"6\"/><path class=\"tick\" stroke-width=\"1.5\" d=\"{ticks}\"/>\
         <g transform=\"translate(80 556) scale(1.35)\">{MARK}</g>\
         <text x=\"126\" y=\"585\" font-size=\"26\" font-weight=\"560\">{}</text>\
         <text x=\"1120\" y=\"585\" font-size=\"22\" font-style=\"italic\" text-anchor=\"end\">{}</text></svg>",
        isolated(server),
        written(review.today)
    );
    svg
}

/// Draws the newest books side by side, and returns where the last one ends.
fn draw_shelf(svg: &mut String, books: &[SharedBook], by_rating: bool, has_open: bool) -> f64 {
    let books = &books[books.len().saturating_sub(MOST)..];
    let room = ROOM - if has_open { OPEN } else { 0.0 } - GAP * books.len() as f64;
    let total: f64 = books.iter().map(|book| book.words as f64 / 1000.0).sum();
    let scale = (room / total.max(1.0)).min(MAX_SCALE);
    // Books without words are thin, which the others have to make room for.
    let thinnest = (room / 2.0 / books.len().max(1) as f64).min(3.0);
    let widths = books.iter().map(|book| (book.words as f64 / 1000.0 * scale).max(thinnest));
    let shrink = (room / widths.clone().sum::<f64>().max(1.0)).min(1.0);
    let mut x = LEFT;
    for (book, width) in books.iter().zip(widths) {
        let (width, height) = (width * shrink, TALLEST * relative_height(book, by_rating));
        let _ = write!(
            svg,
            "<rect class=\"d{}\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"2\"/>",
            book.blue,
            BOARD - height
        );
        x += width + GAP;
    }
    x
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::*;
    use crate::reading::period::Period;

    #[test]
    fn every_spine_stands_on_the_board_and_every_line_within_its_room() {
        for words in [0, 90_000, i64::MAX / 1_000] {
            for count in [0, 1, 30, 500] {
                let title = "A title that is longer than any picture is wide, and goes on, ".repeat(9);
                let mut shelf = vec![SharedBook { words, ..SharedBook::named(&title, "") }; count];
                shelf.extend((count == 30).then(|| SharedBook::named("No words", "")));
                for has_open in [false, true] {
                    let end = draw_shelf(&mut String::new(), &shelf, true, has_open);
                    let room = ROOM - if has_open { OPEN } else { 0.0 };
                    assert!((LEFT..=LEFT + room + 0.1).contains(&end), "{end}: {count} books of {words} words");
                }
                let review = SharedReview {
                    period: Period::Year(2026),
                    complete: false,
                    today: NaiveDate::MIN,
                    has_covers: false,
                    has_ratings: false,
                    name: Some(title.clone()),
                    books: 7,
                    words,
                    average_rating: None,
                    shelf: shelf.clone(),
                };
                let svg = draw("Shelfwise", shelf.first(), &review);
                assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("=\"-"), "{svg}");
                assert!(count == 0 || svg.contains("…"), "{svg}");
            }
        }
    }
}
