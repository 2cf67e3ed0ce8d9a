//! The shelf on a shared page, drawn as the interface draws it: its numbers are those of `ui/src/statistics/shelf/layout.ts` and
//! `ui/src/kit/spine/`. Without a browser the widths of texts are estimated.
use std::fmt::Write as _;

use super::model::SharedBook;
use crate::library::books::model::BookFormat;

/// The boards of the two drawings, in pixels: one for pages from 720 pixels on, one for narrower ones.
pub const WIDE: f64 = 1216.0;
pub const THIN: f64 = 358.0;

/// A board shorter than this is narrow.
const NARROW_BELOW: f64 = 560.0;
const BOARD: f64 = 4.0;
const RULER: f64 = 24.0;
/// The room above the tallest spine, for ribbons.
const HEAD: f64 = 12.0;
const SHELF_GAP: f64 = 16.0;
const THINNEST: f64 = 3.0;
/// The thickest spine, as a share of the board.
const THICKEST: f64 = 0.4;
/// Pixels between two books, and between those of a crowded shelf.
const GAPS: (f64, f64) = (2.0, 1.0);
/// A shelf with less room for each book is crowded.
const CROWDED_BELOW: f64 = 14.0;
/// Pixels for a thousand words on a shelf with room to spare.
const MAX_SCALE: f64 = 0.46;
/// The share of the boards that the first attempt fills; the scale then shrinks by a factor, at most so many times.
const FILL: f64 = 0.985;
const SHRINK: (f64, u32) = (0.988, 90);
/// Pixels of the board for each book on five and more shelves.
const ROOM_PER_BOOK: f64 = 7.5;
const MARKS_PER_STEP: i64 = 5;
/// The last book leans to the left by so many degrees when it is thinner than the second number and has the third beside it.
const LEAN: (f64, f64, f64) = (5.5, 64.0, 90.0);

struct Spine<'a> {
    book: &'a SharedBook,
    x: f64,
    width: f64,
    height: f64,
    leans: bool,
}

/// The number of books on one to four shelves, and the heights of the tallest spine on as many and on more.
fn limits(board: f64) -> ([usize; 4], [f64; 5]) {
    if board < NARROW_BELOW {
        ([6, 16, 36, 64], [150.0, 150.0, 140.0, 128.0, 96.0])
    } else {
        ([14, 64, 150, 280], [172.0, 172.0, 148.0, 124.0, 104.0])
    }
}

fn words_of(book: &SharedBook) -> f64 {
    book.words as f64
}

/// A spine's share of the tallest: by rating where ratings are shown, otherwise by format.
pub fn relative_height(book: &SharedBook, by_rating: bool) -> f64 {
    match (by_rating, book.rating, book.format) {
        (true, Some(rating), _) => 0.5 + 0.005 * rating.tenths() as f64,
        (true, None, _) => 0.72,
        (false, _, BookFormat::Print) => 1.0,
        (false, _, BookFormat::EBook) => 0.84,
        (false, _, BookFormat::Audio) => 0.7,
    }
}

/// The books side by side on as many boards as they need, and where the last one ends.
fn packed(books: &[SharedBook], scale: f64, gap: f64, board: f64) -> (Vec<Vec<Spine<'_>>>, f64) {
    let (mut rows, mut x) = (vec![Vec::new()], 0.0);
    for book in books {
        let width = (words_of(book) / 1000.0 * scale).max(THINNEST).min(board * THICKEST);
        if x + width > board && x > 0.0 {
            rows.push(Vec::new());
            x = 0.0;
        }
        if let Some(row) = rows.last_mut() {
            row.push(Spine { book, x, width, height: 0.0, leans: false });
        }
        x += width + gap;
    }
    (rows, x)
}

/// Lets the last book lean on its neighbour when there is room for it.
fn lean(row: &mut [Spine<'_>], board: f64) {
    let (angle, below, room) = LEAN;
    if let [_, .., before, last] = row
        && last.width < below
        && board - (last.x + last.width) > room
    {
        let touch = last.height.min(before.height / angle.to_radians().cos());
        last.x += touch * angle.to_radians().sin();
        last.leans = true;
    }
}

/// Draws books as a shelf of the class `class`. Screen readers find the books in the list, not here.
pub fn draw(
    html: &mut String,
    class: &str,
    board: f64,
    books: &[SharedBook],
    by_rating: bool,
    own: fn(&str) -> String,
) {
    let (most, tallest) = limits(board);
    let count = books.len() as f64;
    let few = most.iter().position(|most| books.len() <= *most);
    let aim = few.map_or_else(|| (count * ROOM_PER_BOOK / board).ceil().max(5.0), |place| (place + 1) as f64);
    let gap = if aim * board / count < CROWDED_BELOW { GAPS.1 } else { GAPS.0 };
    let total: f64 = books.iter().map(words_of).sum();
    let mut scale = ((aim * board * FILL - count * gap) / (total / 1000.0).max(1.0)).clamp(0.0, MAX_SCALE);
    let (mut rows, mut end) = packed(books, scale, gap, board);
    for _ in 0..SHRINK.1 {
        if (rows.len() as f64) < aim || (rows.len() as f64 == aim && end <= board) {
            break;
        }
        scale *= SHRINK.0;
        (rows, end) = packed(books, scale, gap, board);
    }
    let tallest = tallest[rows.len().clamp(1, 5) - 1];
    let pitch = HEAD + tallest + BOARD + RULER + SHELF_GAP;
    let height = rows.len() as f64 * pitch - SHELF_GAP;
    let _ = write!(
        html,
        "<svg class=\"{class}\" viewBox=\"0 0 {board} {height}\" width=\"{board}\" height=\"{height}\" aria-hidden=\"true\">"
    );
    let (mut words, last) = (0.0, rows.len() - 1);
    for (place, row) in rows.iter_mut().enumerate() {
        row.iter_mut().for_each(|spine| spine.height = tallest * relative_height(spine.book, by_rating));
        if place == last {
            lean(row, board);
        }
        let base = place as f64 * pitch + HEAD + tallest;
        row.iter().for_each(|spine| draw_spine(html, spine, base, own));
        draw_ruler(html, row, words, scale, base, board, place == last);
        words += row.iter().map(|spine| words_of(spine.book)).sum::<f64>();
    }
    html.push_str("</svg>");
}

/// The board with its ruler of words. The marks are interpolated in each spine, so that they are true across gaps; on the last shelf they
/// go on behind the books.
fn draw_ruler(html: &mut String, row: &[Spine<'_>], from: f64, scale: f64, base: f64, board: f64, goes_on: bool) {
    let room = if board < NARROW_BELOW { 64.0 } else { 84.0 };
    // The words between two numbers: the first of 10K, 20K, 50K, 100K … that is wide enough.
    let mut steps = (4..16).flat_map(|power| [1.0, 2.0, 5.0].map(|first| first * 10_f64.powi(power)));
    let Some(step) = steps.find(|words| words / 1000.0 * scale >= room) else { return draw_board(html, base, board) };
    let minor = step / MARKS_PER_STEP as f64;
    let (mut marks, mut numbers) = (String::new(), String::new());
    let mut mark = (from / minor).ceil() as i64;
    // Returns whether there is still room on the board.
    let mut put = |mark: i64, x: f64| {
        if x > board - 1.0 {
            return false;
        }
        let is_major = mark % MARKS_PER_STEP == 0;
        let _ = write!(marks, "M{:.1} {:.1}v{}", x + 0.5, base + BOARD, if is_major { 7 } else { 4 });
        if is_major && (mark == 0 || (x > 14.0 && x < board - 16.0)) {
            let anchor = if mark == 0 { "" } else { " text-anchor=\"middle\"" };
            let words = short(mark as f64 * minor);
            let _ =
                write!(numbers, "<text class=\"number\" x=\"{x:.1}\" y=\"{:.1}\"{anchor}>{words}</text>", base + 22.0);
        }
        true
    };
    let mut words = from;
    'row: for Spine { book, x, width, .. } in row {
        let end = words + words_of(book);
        while mark as f64 * minor <= end {
            let share = if words_of(book) == 0.0 { 0.0 } else { (mark as f64 * minor - words) / words_of(book) };
            if !put(mark, x + share * width) {
                break 'row;
            }
            mark += 1;
        }
        words = end;
    }
    if goes_on && scale > 0.0 {
        let start = row.last().map_or(0.0, |spine| spine.x + spine.width);
        while put(mark, start + (mark as f64 * minor - words) / 1000.0 * scale) {
            mark += 1;
        }
    }
    draw_board(html, base, board);
    let _ = write!(html, "<path class=\"tick\" d=\"{marks}\"/>{numbers}");
}

fn draw_board(html: &mut String, base: f64, board: f64) {
    let _ = write!(html, "<rect class=\"board\" y=\"{base:.1}\" width=\"{board}\" height=\"{BOARD}\"/>");
}

/// A number of the ruler: 0, 500K, 1.5M.
fn short(words: f64) -> String {
    match words {
        _ if words >= 1e6 && words % 1e6 == 0.0 => format!("{}M", words / 1e6),
        _ if words >= 1e6 => format!("{:.1}M", words / 1e6),
        0.0 => "0".to_owned(),
        _ => format!("{}K", words / 1e3),
    }
}

fn draw_spine(html: &mut String, spine: &Spine<'_>, base: f64, own: fn(&str) -> String) {
    let Spine { book, x, width, height, leans } = spine;
    let (blue, y) = (book.blue, base - height);
    html.push_str("<g");
    if *leans {
        let _ = write!(html, " transform=\"rotate(-{} {x:.1} {base:.1})\"", LEAN.0);
    }
    html.push('>');
    if book.reread && *width >= 5.0 {
        let (left, broad) = (x + (width - (width * 0.45).min(9.0)).max(1.0), (width * 0.4).min(5.0));
        let _ = write!(html, "<path class=\"ribbon\" d=\"M{left:.1} {:.1}h{broad:.1}v10h-{broad:.1}z\"/>", y - 5.0);
    }
    let _ = write!(
        html,
        "<rect class=\"d{blue}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{}\"/>",
        if *width < 5.0 { 0.5 } else { 1.5 }
    );
    draw_binding(html, spine, y);
    if let Some(text) = lettering(book, *width, *height) {
        let head = head_room(book.format);
        for (line, right) in &text.lines {
            draw_text(html, ("title", blue, text.size, ""), line, (x + right, y + head), own);
        }
        if let Some((name, size)) = &text.surname {
            let at = (x + width / 2.0, y + height - FOOT);
            draw_text(html, ("who", blue, *size, " text-anchor=\"end\""), name, at, own);
        }
    }
    html.push_str("</g>");
}

/// Two pairs of lines for print, one line for an eBook, three dots for audio.
fn draw_binding(html: &mut String, Spine { book, x, width, height, .. }: &Spine<'_>, y: f64) {
    if *width < 9.0 {
        return;
    }
    let from = if *width < 16.0 { 2.0 } else { 3.0 };
    let line = |down: f64| format!("M{:.1} {:.1}H{:.1}", x + from, y + down, x + width - from);
    let (class, path) = match book.format {
        BookFormat::Print => ("line", [7.0, 9.5, height - 9.5, height - 7.0].map(line).concat()),
        BookFormat::EBook => ("line", line(height - 8.0)),
        BookFormat::Audio => {
            let step = if *width < 14.0 { 2.8 } else { 4.0 };
            let dot = |right: f64| format!("M{:.1} {:.1}h0", x + width / 2.0 + right, y + height - 8.0);
            ("dots", [-step, 0.0, step].map(dot).concat())
        }
    };
    let _ = write!(html, "<path class=\"{class} o{}\" d=\"{path}\"/>", book.blue);
}

/// A line from top to bottom. One with characters of East Asia is written in that direction, others are turned.
fn draw_text(
    html: &mut String,
    (class, blue, size, anchor): (&str, u8, f64, &str),
    line: &str,
    (x, y): (f64, f64),
    own: fn(&str) -> String,
) {
    let (class_more, turn) = if line.contains(is_wide) { (" upright", "") } else { ("", " rotate(90)\" dy=\".34em") };
    let _ = write!(
        html,
        "<text class=\"{class}{class_more} f{blue}\" font-size=\"{size:.1}\"{anchor} transform=\"translate({x:.1} {y:.1}){turn}\">{}</text>",
        own(line)
    );
}

/// A spine from this thickness on has lettering.
const LETTERED_FROM: f64 = 14.5;
/// From a spine's foot to the surname.
const FOOT: f64 = 17.0;
/// The line height, as a multiple of the font size.
const LEADING: f64 = 1.16;
/// The smallest size of a title.
const SMALLEST: f64 = 10.0;

/// The lettering of a spine: the lines of the title, each with its middle from the spine's left, and the author's surname where it fits.
struct Lettering {
    lines: Vec<(String, f64)>,
    size: f64,
    surname: Option<(String, f64)>,
}

/// From a spine's head to the title. The double lines of print need more.
fn head_room(format: BookFormat) -> f64 {
    if format == BookFormat::Print { 16.0 } else { 12.0 }
}

fn lettering(book: &SharedBook, width: f64, height: f64) -> Option<Lettering> {
    let room = height - head_room(book.format) - FOOT;
    let (texts, size) = title_lines(&book.title, width, room).filter(|_| width >= LETTERED_FROM)?;
    let name = surname(&book.author);
    let name_size = ((width * 0.42).clamp(SMALLEST, 14.0) * 0.78).max(9.5);
    let longest = texts.iter().map(|text| measured(text) * size).fold(0.0, f64::max);
    let fits = !name.is_empty() && width >= 19.0 && longest + measured(&name) * name_size + 12.0 <= room;
    // The first line is the right one, as the head of a turned line is at the right.
    let middle = |place: usize| width / 2.0 + ((texts.len() - 1) as f64 / 2.0 - place as f64) * size * LEADING;
    let lines = texts.iter().enumerate().map(|(place, text)| (text.clone(), middle(place))).collect();
    Some(Lettering { lines, size, surname: fits.then_some((name, name_size)) })
}

/// One line that shrinks; otherwise up to three on a thick spine; otherwise a cut line on a high one.
fn title_lines(title: &str, width: f64, room: f64) -> Option<(Vec<String>, f64)> {
    let largest = (width * 0.42).clamp(SMALLEST, 14.0);
    let sizes =
        |from: f64| std::iter::successors(Some(from), |size| Some(size - 0.5)).take_while(|size| *size >= SMALLEST);
    let whole = measured(title);
    if let Some(size) = sizes(largest).find(|size| whole * size <= room) {
        return Some((vec![title.to_owned()], size));
    }
    if width >= 28.0 {
        for size in sizes(largest.min(13.0)) {
            let most = ((width - 5.0) / (size * LEADING)).floor().min(3.0);
            if let Some(lines) = wrapped(title, size, room).filter(|lines| lines.len() as f64 <= most) {
                return Some((lines, size));
            }
        }
    }
    let size = largest.min(11.5);
    cut(title, size, room).filter(|_| room >= 92.0).map(|text| (vec![text], size))
}

/// The lines of a title, each at most `room` wide; `None` where a single piece is wider, or more than three lines are needed.
fn wrapped(title: &str, size: f64, room: f64) -> Option<Vec<String>> {
    let mut lines = Vec::<String>::new();
    for piece in pieces(title) {
        let fits = |line: &str| measured(line.trim_end()) * size <= room;
        let has_room = lines.len() < 3;
        match lines.last_mut() {
            Some(line) if fits(&format!("{line}{piece}")) => line.push_str(piece),
            _ if fits(piece) && has_room => lines.push(piece.to_owned()),
            _ => return None,
        }
    }
    lines.iter_mut().for_each(|line| line.truncate(line.trim_end().len()));
    Some(lines)
}

/// The title up to where an ellipsis still fits; `None` when fewer than five characters are left.
fn cut(title: &str, size: f64, room: f64) -> Option<String> {
    let mut width = width_of('…') * size;
    let fitting = title.chars().take_while(|c| {
        width += width_of(*c) * size;
        width <= room
    });
    let kept: String = fitting.collect();
    let kept = kept.trim_end_matches(|c: char| c.is_whitespace() || ",;:&-".contains(c));
    (kept.chars().count() >= 5).then(|| format!("{kept}…"))
}

/// Whether a character is one of the wide ones of East Asia, between which a line may end.
fn is_wide(c: char) -> bool {
    c >= '\u{2E80}'
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

/// The width of a character of the serif in a font of one pixel, slightly too wide.
fn width_of(c: char) -> f64 {
    match c {
        _ if is_wide(c) => 1.0,
        'i' | 'j' | 'l' | 'I' | '1' | '.' | ',' | ':' | ';' | '\'' | '’' | '!' | '|' => 0.3,
        'f' | 'r' | 't' | ' ' | '(' | ')' | '-' => 0.4,
        'm' | 'w' | 'M' | 'W' | '@' | '&' | '—' | '…' => 0.9,
        'A'..='Z' => 0.7,
        _ => 0.56,
    }
}

/// The width of a text in a font of one pixel.
pub fn measured(text: &str) -> f64 {
    text.chars().map(width_of).sum()
}

/// The last word of the first author's name with the particles before it: "Le Guin" for "Ursula K. Le Guin".
fn surname(authors: &str) -> String {
    const PARTICLES: [&str; 18] = [
        "le", "la", "de", "du", "da", "di", "del", "der", "den", "van", "von", "ter", "al", "el", "bin", "ibn", "mac",
        "st.",
    ];
    const SUFFIXES: [&str; 10] = ["jr", "sr", "ii", "iii", "iv", "phd", "ph.d", "md", "m.d", "esq"];
    let is_suffix = |word: &str| SUFFIXES.contains(&word.trim_end_matches('.').to_lowercase().as_str());
    let name = authors.split(',').next().unwrap_or_default();
    let mut words: Vec<&str> = name.split_whitespace().collect();
    if let [first, _, ..] = words[..]
        && first.starts_with(is_wide)
    {
        // Names in these scripts begin with the surname.
        return first.to_owned();
    }
    while words.len() > 1 && words.last().is_some_and(|word| is_suffix(word)) {
        words.pop();
    }
    let mut start = words.len().saturating_sub(1);
    while start > 1 && PARTICLES.contains(&words[start - 1].to_lowercase().as_str()) {
        start -= 1;
    }
    words[start..].join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn book(words: i64) -> SharedBook {
        let title = "A title that is longer than any spine is tall, and goes on";
        SharedBook { words, reread: true, ..SharedBook::named(title, "Somebody Else") }
    }

    #[test]
    fn every_spine_stands_within_its_shelf_however_long_the_book() {
        let books: Vec<_> =
            [0, 1, 90_000, i64::MAX, 600_000].iter().cycle().take(300).map(|words| book(*words)).collect();
        for board in [WIDE, THIN] {
            for scale in [0.0, 0.1, MAX_SCALE] {
                let (rows, _) = packed(&books, scale, GAPS.0, board);
                assert!(rows.iter().flatten().all(|spine| spine.width >= THINNEST && spine.x + spine.width <= board));
            }
            for books in [&books[..0], &books[..1], &books[1..3], &books] {
                let mut html = String::new();
                draw(&mut html, "wide", board, books, true, str::to_owned);
                assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
                assert_eq!(html.matches("<rect class=\"d").count(), books.len());
            }
        }
    }

    #[test]
    fn a_title_is_on_one_line_on_several_or_cut() {
        let lines = |title: &str, width: f64, room: f64| title_lines(title, width, room).map(|(lines, _)| lines);
        assert_eq!(lines("Emma", 60.0, 140.0).unwrap(), ["Emma"]);
        assert_eq!(lines("The Murder of Roger Ackroyd", 60.0, 130.0).unwrap(), ["The Murder of", "Roger Ackroyd"]);
        assert_eq!(lines("And Then There Were None", 20.0, 116.0).unwrap(), ["And Then There Were…"]);
        assert_eq!(lines("Donaudampfschifffahrtselektrizitäten", 20.0, 80.0), None);
        assert_eq!(lines("海辺のカフカ（上）", 46.0, 84.0).unwrap(), ["海辺のカフカ", "（上）"]);
        for (title, width) in [("字".repeat(500), 80.0), ("no ".repeat(166), 200.0), ("- ".repeat(250), 15.0)] {
            for room in 60..150 {
                let Some((lines, size)) = title_lines(&title, width, f64::from(room)) else { continue };
                assert!(lines.len() <= 3 && lines.iter().all(|line| measured(line) * size <= f64::from(room) + 0.01));
            }
        }
    }

    #[test]
    fn the_surname_has_its_particles_and_no_suffix() {
        for (name, expected) in [
            ("Ursula K. Le Guin", "Le Guin"),
            ("Le Guin", "Guin"),
            ("Homer", "Homer"),
            ("Kurt Vonnegut Jr.", "Vonnegut"),
            ("Terry Pratchett, Neil Gaiman", "Pratchett"),
            ("村上 春樹", "村上"),
            ("", ""),
        ] {
            assert_eq!(surname(name), expected);
        }
    }

    #[test]
    fn numbers_of_the_ruler_are_short() {
        assert_eq!([0.0, 50e3, 500e3, 1e6, 1.2e6, 20e6].map(short), ["0", "50K", "500K", "1M", "1.2M", "20M"]);
    }
}
