//! The pages behind secret links, as HTML that needs no script, no cookie and no other file.
use std::fmt::Write as _;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::NaiveDate;
use sha2::{Digest as _, Sha256};

use super::model::{SharedBook, SharedReview};
use super::shelf;
use crate::library::books::facts::Cover;
use crate::library::rough_date::RoughDate;
use crate::reading::period::Period;

const STYLE: &str = include_str!("page.css");

/// The policy of these pages: their own style and nothing else.
pub static POLICY: LazyLock<String> = LazyLock::new(|| {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
});
/// The policy of pages with covers.
pub static POLICY_WITH_COVERS: LazyLock<String> = LazyLock::new(|| format!("{}; img-src 'self'", *POLICY));

/// Where pictures are allowed, a browser looks for an icon.
const ICON: &str = "<link rel=\"icon\" href=\"/favicon.svg\" type=\"image/svg+xml\">";

/// The mark beside the name of the server.
const MARK: &str = "<svg viewBox=\"0 0 26 26\" width=\"26\" height=\"26\" aria-hidden=\"true\">\
    <rect class=\"d1\" x=\"2\" y=\"5\" width=\"5\" height=\"16\" rx=\"1\"/><rect class=\"d2\" x=\"8.5\" y=\"9\" width=\"3\" height=\"12\" rx=\"1\"/>\
    <rect class=\"d3\" x=\"13\" y=\"3\" width=\"6\" height=\"18\" rx=\"1\"/><rect class=\"d6\" x=\"20.5\" y=\"7.5\" width=\"3.5\" height=\"13.5\" rx=\"1\"/>\
    <rect class=\"board\" y=\"21\" width=\"26\" height=\"2.25\"/></svg>";

/// An empty shelf.
const GHOSTS: &str = "<svg class=\"ghosts\" width=\"200\" height=\"72\" viewBox=\"0 0 200 72\" aria-hidden=\"true\">\
    <path class=\"ghost\" d=\"M10.5 16h16v52h-16zM30.5 24h26v44h-26zM60.5 10h12v58h-12zM76.5 20h32v48h-32zM112.5 14h20v54h-20zM136.5 28h14v40h-14z\"/>\
    <rect class=\"board\" y=\"68\" width=\"200\" height=\"3\"/></svg>";

/// A day as people read it: Nov 18, 2026.
pub fn written(day: NaiveDate) -> String {
    day.format("%b %-d, %Y").to_string()
}

/// Text that HTML shows as it is, in an element or in an attribute with quotes.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            // Not allowed in HTML.
            c if c.is_control() && !c.is_whitespace() => html.push('\u{FFFD}'),
            c => html.push(c),
        }
    }
    html
}

/// Text with a direction of its own, so that it can't turn around what stands beside it.
fn own(text: &str) -> String {
    format!("<bdi>{}</bdi>", escaped(text))
}

/// A whole number with commas: 3,861,361.
fn grouped(number: i64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A page of this server with a title, more of its head, and content in HTML.
fn page(server: &str, title: &str, head: &str, main: &str) -> String {
    let (server, title) = (escaped(server), escaped(title));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex, nofollow\"><meta name=\"referrer\" content=\"no-referrer\">\
         <title>{title}</title>{head}<style>{STYLE}</style></head><body>\
         <header><p class=\"brand\">{MARK}<span>{server}</span></p></header>{main}\
         <footer><p>Shared from a private reading log kept with Shelfwise.</p></footer></body></html>\n"
    )
}

/// A page with one sentence, and another one below it.
pub fn message(server: &str, sentence: &str, advice: &str) -> String {
    let main = format!("<main class=\"gone\">{GHOSTS}<h1>{}</h1><p>{}</p></main>", escaped(sentence), escaped(advice));
    page(server, sentence, "", &main)
}

/// The page of a review.
pub fn review(server: &str, review: &SharedReview) -> String {
    if review.shelf.is_empty() {
        return message(server, "Nothing to see here yet.", "When a book is finished, it stands here.");
    }
    let (title, of) = match review.period {
        Period::Year(year) => (format!("{year}, in books"), "year"),
        Period::Month(..) => (format!("{}, in books", review.period.first().format("%B %Y")), "month"),
    };
    let mut main = format!("<main><h1>{title}</h1>");
    let until = (!review.complete).then(|| format!("up to {}", written(review.today)));
    let below: Vec<_> = review.name.as_deref().map(own).into_iter().chain(until).collect();
    if !below.is_empty() {
        let _ = write!(main, "<p class=\"below\">{}</p>", below.join(", "));
    }
    let mut figures = vec![("Books", grouped(review.books)), ("Words", grouped(review.words))];
    if let Some(average) = review.average_rating {
        figures.push(("Average rating", format!("{average:.1}")));
    }
    main.push_str("<dl>");
    for (name, value) in figures {
        let _ = write!(main, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    let _ = write!(main, "</dl><section><h2>The {of}’s shelf</h2>");
    shelf::draw(&mut main, "wide", shelf::WIDE, &review.shelf, escaped);
    shelf::draw(&mut main, "thin", shelf::THIN, &review.shelf, escaped);
    main.push_str("</section><section><h2>Books</h2>");
    if i64::try_from(review.shelf.len()).is_ok_and(|shown| shown < review.books) {
        let _ = write!(main, "<p class=\"below\">The newest {} of them.</p>", review.shelf.len());
    }
    main.push_str("<ul>");
    for book in &review.shelf {
        entry(&mut main, book);
    }
    main.push_str("</ul></section></main>");
    page(server, &title, if review.has_covers { ICON } else { "" }, &main)
}

fn entry(main: &mut String, book: &SharedBook) {
    main.push_str("<li>");
    if let Some(Cover { url, width, height }) = &book.cover {
        // The title beside it says what it shows.
        let url = escaped(url);
        let _ = write!(main, "<img src=\"{url}\" width=\"{width}\" height=\"{height}\" alt=\"\" loading=\"lazy\">");
    }
    let _ = write!(main, "<p class=\"title\">{}</p><p>{}</p>", own(&book.title), own(&book.author));
    let series = book.series.as_deref().map(|name| match &book.series_number {
        Some(number) if number.starts_with(|sign: char| sign.is_ascii_digit()) => {
            format!("{} #{}", own(name), escaped(number))
        }
        Some(number) => format!("{} {}", own(name), escaped(number)),
        None => own(name),
    });
    let completed = book.completed.map(|day| completion(book.completed_from, day));
    let rating = book.rating.map(|rating| format!("Rated {rating} of 10"));
    let more: Vec<_> = series.into_iter().chain(completed).chain(rating).collect();
    if !more.is_empty() {
        let _ = write!(main, "<p class=\"more\">{}</p>", more.join(" · "));
    }
    if let Some(impressions) = &book.impressions {
        let _ = write!(main, "<p class=\"said\" dir=\"auto\">{}</p>", escaped(impressions));
    }
    main.push_str("</li>");
}

/// A completion date as people read it.
fn completion(from: Option<NaiveDate>, to: NaiveDate) -> String {
    let Some(first) = from else { return written(to) };
    let exported = RoughDate { from, to }.exported();
    match exported.len() {
        4 => exported,
        7 if !exported.contains('/') => to.format("%B %Y").to_string(),
        _ => format!("{} – {}", written(first), written(to)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::books::rating::Rating;

    fn book(title: &str) -> SharedBook {
        SharedBook {
            title: title.to_owned(),
            author: "Jane Austen".to_owned(),
            words: 160_000,
            completed: None,
            completed_from: None,
            rating: None,
            series: None,
            series_number: None,
            impressions: None,
            cover: None,
        }
    }

    fn year(shelf: Vec<SharedBook>) -> SharedReview {
        SharedReview {
            period: Period::Year(2026),
            complete: false,
            today: NaiveDate::from_ymd_opt(2026, 11, 18).unwrap(),
            has_covers: false,
            name: None,
            books: i64::try_from(shelf.len()).unwrap(),
            words: 160_000,
            average_rating: None,
            shelf,
        }
    }

    #[test]
    fn what_a_reader_typed_stays_text() {
        let evil = "</style><script>alert(1)</script><img src=x onerror=alert(2)> \" ' &amp; \u{7}";
        let mut evil_book = book(evil);
        evil_book.author = evil.to_owned();
        evil_book.series = Some(evil.to_owned());
        evil_book.series_number = Some(evil.to_owned());
        let html = review(evil, &SharedReview { name: Some(evil.to_owned()), ..year(vec![evil_book]) });
        assert!(!html.contains("<script") && !html.contains("<img") && !html.contains('\u{7}'), "{html}");
        assert_eq!(html.matches("</style>").count(), 1);
        assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && html.contains("&amp;amp;"));
        assert!(!message(evil, evil, evil).contains("<script"));
    }

    #[test]
    fn a_page_has_no_script_and_loads_nothing() {
        let html = review("Shelfwise", &year(vec![book("Emma")]));
        for word in ["<script", "src=", "href=", "url(", "@import", "style=\"", " on"] {
            let found = html.match_indices(word).find(|(at, _)| word != " on" || html[at + 3..].starts_with("click"));
            assert!(found.is_none(), "{word}");
        }
        assert!(html.contains("2026, in books") && html.contains("up to Nov 18, 2026") && html.contains("160,000"));
    }

    #[test]
    fn only_what_is_there_stands_in_an_entry() {
        let mut html = String::new();
        entry(&mut html, &book("Emma"));
        assert!(!html.contains("more"), "{html}");
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let all = SharedBook {
            completed: Some(day("2026-05-31")),
            completed_from: Some(day("2026-03-01")),
            rating: Some(Rating::of_tenths(75)),
            series: Some("Novels".to_owned()),
            series_number: Some("4".to_owned()),
            ..book("Emma")
        };
        entry(&mut html, &all);
        assert!(html.contains("<bdi>Novels</bdi> #4 · Mar 1, 2026 – May 31, 2026 · Rated 7.5 of 10"), "{html}");
        assert_eq!(completion(Some(day("2026-01-01")), day("2026-12-31")), "2026");
        assert_eq!(completion(Some(day("2026-03-01")), day("2026-03-31")), "March 2026");
        assert_eq!(completion(None, day("2026-03-31")), "Mar 31, 2026");
    }

    #[test]
    fn an_empty_period_says_so() {
        assert!(review("Shelfwise", &year(Vec::new())).contains("Nothing to see here yet."));
    }

    #[test]
    fn thousands_have_commas() {
        assert_eq!([0, 999, 1_000, 3_861_361].map(grouped), ["0", "999", "1,000", "3,861,361"]);
    }
}
