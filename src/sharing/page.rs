//! The pages behind secret links, as HTML that needs no script and no cookie. They load the product's fonts, and covers where these are
//! shown, from this server.
use std::fmt::Write as _;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::NaiveDate;
use sha2::{Digest as _, Sha256};

use super::feed::Feed;
use super::model::{Form, ShareKind, SharePart, SharedBook, SharedReview, plain};
use super::shelf;
use crate::kit::http::assets;
use crate::library::books::facts::Cover;
use crate::library::rough_date::RoughDate;
use crate::library::text::grouped;
use crate::reading::period::Period;

/// The colours, and those of drawings.
pub const PALETTE: &str = include_str!("palette.css");

/// The fonts: the first characters of the files' names, family, slope and weights.
const FONTS: [(&str, &str, &str, &str); 3] = [
    ("literata-latin-wght-normal", "Literata", "normal", "400 600"),
    ("literata-latin-400-italic", "Literata", "italic", "400"),
    ("hanken-grotesk-latin-wght-normal", "Hanken Grotesk", "normal", "400 600"),
];

/// The style, with the product's fonts where the binary has them.
static STYLE: LazyLock<String> = LazyLock::new(|| {
    let face = |(file, family, slope, weights): (&str, &str, &str, &str)| {
        assets::path_of_asset(file).map(|path| {
            format!(
                "@font-face {{ font-family: \"{family}\"; font-style: {slope}; font-weight: {weights}; font-display: swap; \
                 src: url(\"../{path}\") format(\"woff2\"); }}\n"
            )
        })
    };
    FONTS.into_iter().filter_map(face).chain([PALETTE, include_str!("page.css")].map(str::to_owned)).collect()
});

/// The policy of a document that loads nothing and has this style.
pub fn only_style(style: &str) -> String {
    let hash = STANDARD.encode(Sha256::digest(style));
    format!(
        "default-src 'none'; style-src 'sha256-{hash}'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}

/// The policy of these pages: their own style, and this server's fonts.
pub static POLICY: LazyLock<String> = LazyLock::new(|| format!("{}; font-src 'self'", only_style(&STYLE)));
/// The policy of pages with covers.
pub static POLICY_WITH_COVERS: LazyLock<String> = LazyLock::new(|| format!("{}; img-src 'self'", *POLICY));

/// The files of the interface that pages can load.
pub fn assets() -> impl Iterator<Item = String> {
    let fonts = FONTS.iter().filter_map(|(file, ..)| assets::path_of_asset(file));
    fonts.chain(std::iter::once(ICON_FILE.to_owned()))
}

pub const ICON_FILE: &str = "favicon.svg";

/// Whether a path is that of a font, of this or of another version.
pub fn is_font(path: &str) -> bool {
    path.strip_prefix("assets/").is_some_and(|file| FONTS.iter().any(|(name, ..)| file.starts_with(name)))
}

/// Where pictures are allowed, a browser looks for an icon.
const ICON: &str = "<link rel=\"icon\" href=\"../favicon.svg\" type=\"image/svg+xml\">";

/// The mark beside the name of the server.
pub const MARK: &str = "<svg viewBox=\"0 0 26 26\" width=\"26\" height=\"26\" aria-hidden=\"true\">\
    <rect class=\"d1\" x=\"2\" y=\"5\" width=\"5\" height=\"16\" rx=\"1\"/><rect class=\"d2\" x=\"8.5\" y=\"9\" width=\"3\" height=\"12\" rx=\"1\"/>\
    <rect class=\"d3\" x=\"13\" y=\"3\" width=\"6\" height=\"18\" rx=\"1\"/><rect class=\"d6\" x=\"20.5\" y=\"7.5\" width=\"3.5\" height=\"13.5\" rx=\"1\"/>\
    <rect class=\"board\" y=\"21\" width=\"26\" height=\"2.25\"/></svg>";

/// An empty shelf.
const GHOSTS: &str = "<svg class=\"ghosts\" width=\"200\" height=\"72\" viewBox=\"0 0 200 72\" aria-hidden=\"true\">\
    <path class=\"ghost\" d=\"M10.5 16h16v52h-16zM30.5 24h26v44h-26zM60.5 10h12v58h-12zM76.5 20h32v48h-32zM112.5 14h20v54h-20zM136.5 28h14v40h-14z\"/>\
    <rect class=\"board\" y=\"68\" width=\"200\" height=\"3\"/></svg>";

/// What stands below every page.
pub const FOOTER: &str = "Shared from a private reading log kept with Shelfwise.";

pub const NOTHING_YET: &str = "Nothing to see here yet.";

/// A day as people read it: Nov 18, 2026.
pub fn written(day: NaiveDate) -> String {
    day.format("%b %-d, %Y").to_string()
}

/// Text that HTML shows as it is, in an element or in an attribute with quotes.
pub fn escaped(text: &str) -> String {
    html_escape::encode_quoted_attribute(&plain(text)).into_owned()
}

/// Text with a direction of its own, so that it can't turn around what stands beside it.
fn own(text: &str) -> String {
    format!("<bdi>{}</bdi>", escaped(text))
}

/// Text in a drawing, which has no elements for directions.
pub fn isolated(text: &str) -> String {
    format!("\u{2068}{}\u{2069}", escaped(text))
}

/// A number of words: 900 words, 45,000 words, 3.9 million words.
pub fn in_words(words: i64) -> String {
    match words {
        1 => "1 word".to_owned(),
        1_000_000.. => format!("{} million words", tenths(words)),
        _ => format!("{} words", grouped(words.cast_unsigned())),
    }
}

/// A number of books: 1 book, 32 books.
pub fn counted(books: i64) -> String {
    if books == 1 { "1 book".to_owned() } else { format!("{} books", grouped(books.cast_unsigned())) }
}

/// What stands above a review: 2026, November 2026.
pub fn numeral(period: Period) -> String {
    match period {
        Period::Year(year) => year.to_string(),
        Period::Month(..) => period.first().format("%B %Y").to_string(),
    }
}

/// Millions with one decimal, which is left out when it is 0.
fn tenths(words: i64) -> String {
    let millions = format!("{:.1}", words as f64 / 1e6);
    millions.strip_suffix(".0").map_or(millions.clone(), str::to_owned)
}

/// One sentence about the period: "32 books and 3.9 million words, a book every ten days."
fn sentence(review: &SharedReview) -> String {
    const NUMBERS: [&str; 13] =
        ["", "", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let days = if review.complete { review.period.days() } else { review.period.days_begun(review.today) };
    let books = counted(review.books);
    let pace = match (days as f64 / review.books as f64).round() as usize {
        _ if review.books < 2 => String::new(),
        // Slower is no pace that one would tell.
        0 | 60.. => String::new(),
        1 => ", a book a day".to_owned(),
        every => {
            format!(", a book every {} days", NUMBERS.get(every).map_or(every.to_string(), |word| (*word).to_owned()))
        }
    };
    format!("{books} and {}{pace}.", in_words(review.words))
}

/// A page of this server with a title, more of its head, and content in HTML.
fn page(server: &str, title: &str, head: &str, main: &str) -> String {
    let (server, title, style) = (escaped(server), escaped(title), STYLE.as_str());
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"robots\" content=\"noindex, nofollow\"><meta name=\"referrer\" content=\"no-referrer\">\
         <title>{title}</title>{head}<style>{style}</style></head><body>\
         <header><p class=\"brand\">{MARK}<span>{server}</span></p></header>{main}\
         <footer><p>{FOOTER}</p></footer></body></html>\n"
    )
}

/// A page with one sentence, and another one below it.
pub fn message(server: &str, sentence: &str, advice: &str) -> String {
    let main = format!("<main class=\"gone\">{GHOSTS}<h1>{}</h1><p>{}</p></main>", escaped(sentence), escaped(advice));
    page(server, sentence, "", &main)
}

/// The elements by which programs find the feeds of a page.
fn alternates(feed: &Feed<'_>) -> String {
    let title = escaped(&feed.title());
    let link = |(kind, address): (&str, String)| {
        format!("<link rel=\"alternate\" type=\"{kind}\" title=\"{title}\" href=\"{}\">", escaped(&address))
    };
    // Feed readers compare the type as a whole, so it has no parameters here.
    let kind = |form: Form| form.media_type().split(';').next().unwrap_or_default();
    feed.addresses().map(|(form, _, address)| link((kind(form), address))).collect()
}

/// The page of a feed or a calendar: what it is, and its addresses.
pub fn addresses(feed: &Feed<'_>) -> String {
    let says = match feed.share.kind {
        ShareKind::Calendar => {
            "This is a calendar of finished books. Add its address to a calendar to subscribe to it."
        }
        _ => "This is a feed of finished books. Add its address to a feed reader to follow it.",
    };
    let mut main = format!("<main class=\"gone\"><h1>{}</h1><p>{says}</p><ul>", own(&feed.title()));
    for (_, name, address) in feed.addresses() {
        let address = escaped(&address);
        let _ = write!(main, "<li>{name}: <a href=\"{address}\">{address}</a></li>");
    }
    main.push_str("</ul></main>");
    page(feed.server.name(), &feed.title(), &alternates(feed), &main)
}

/// The page of a review.
pub fn review(server: &str, review: &SharedReview) -> String {
    if review.shelf.is_empty() {
        return message(server, NOTHING_YET, "When a book is finished, it stands here.");
    }
    let class = if matches!(review.period, Period::Month(..)) { " class=\"month\"" } else { "" };
    let numeral = numeral(review.period);
    let mut main = format!("<main><h1{class}>{numeral}</h1><p class=\"by\">in books");
    if let Some(name) = &review.name {
        let _ = write!(main, ", by {}", own(name));
    }
    if !review.complete {
        let _ = write!(main, ", up to {}", review.today.format("%B %-d"));
    }
    let _ = write!(main, "</p><p class=\"says\">{}</p>", sentence(review));
    drawn_shelf(&mut main, review);
    main.push_str("<dl>");
    let words = match review.words {
        1_000_000.. => format!("{}<small>M</small>", tenths(review.words)),
        words => grouped(words.cast_unsigned()),
    };
    let rating = review.average_rating.map(|average| ("Average rating", format!("{average:.1}")));
    for (name, value) in [("Books", grouped(review.books.cast_unsigned())), ("Words", words)].into_iter().chain(rating)
    {
        let _ = write!(main, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    main.push_str("</dl><section><h2>The books</h2>");
    finished(&mut main, review);
    main.push_str("</section></main>");
    page(server, &format!("{numeral}, in books"), if review.has_covers { ICON } else { "" }, &main)
}

/// The shelf of a review, for wide and for narrow pages.
fn drawn_shelf(main: &mut String, review: &SharedReview) {
    main.push_str("<div class=\"shelf\">");
    shelf::draw(main, "wide", shelf::WIDE, &review.shelf, review.has_ratings, isolated);
    shelf::draw(main, "thin", shelf::THIN, &review.shelf, review.has_ratings, isolated);
    main.push_str("</div>");
}

/// The books of a review.
fn finished(main: &mut String, review: &SharedReview) {
    if i64::try_from(review.shelf.len()).is_ok_and(|shown| shown < review.books) {
        let _ = write!(main, "<p class=\"by\">The newest {} of them.</p>", review.shelf.len());
    }
    // The newest is the first, where days are shown; otherwise the books are in the order of their titles.
    let is_dated = review.shelf.iter().any(|book| book.completed.is_some());
    main.push_str("<ol>");
    let books: Vec<_> = if is_dated { review.shelf.iter().rev().collect() } else { review.shelf.iter().collect() };
    books.into_iter().for_each(|book| entry(main, book, completion));
    main.push_str("</ol>");
}

/// How many open books the public page shows: an import can bring a hundred.
const MOST_READING: usize = 12;

/// The public page: what is being read, and what was finished this year.
pub fn public(feed: &Feed<'_>, review: &SharedReview) -> String {
    if feed.books.is_empty() && review.shelf.is_empty() {
        return message(feed.server.name(), NOTHING_YET, "When a book is started or finished, it stands here.");
    }
    let title = feed.name.map_or_else(|| "Reading".to_owned(), |name| format!("{name}, reading"));
    let today = written(review.today);
    let mut main = format!("<main><h1 class=\"plain\">{}</h1><p class=\"by\">On {today}</p>", own(&title));
    if !feed.books.is_empty() {
        main.push_str("<section><h2>Reading now</h2><ul class=\"now\">");
        feed.books.iter().take(MOST_READING).for_each(|book| reading(&mut main, book));
        main.push_str("</ul>");
        if let more @ 1.. = feed.books.len().saturating_sub(MOST_READING) {
            let _ = write!(main, "<p>and {more} more</p>");
        }
        main.push_str("</section>");
    }
    if !review.shelf.is_empty() {
        let _ = write!(main, "<section><h2>Finished this year</h2><p>{}</p>", counted(review.books));
        drawn_shelf(&mut main, review);
        finished(&mut main, review);
        main.push_str("</section>");
    }
    main.push_str("</main>");
    let icon = if review.has_covers { ICON } else { "" };
    page(feed.server.name(), &title, &format!("{icon}{}", alternates(feed)), &main)
}

/// A book that is being read, as thick as it is long where it has no cover.
fn reading(main: &mut String, book: &SharedBook) {
    main.push_str("<li>");
    if book.cover.is_some() {
        picture(main, book);
    } else {
        let width = (book.words as f64 / 15_000.0).clamp(3.0, 19.0);
        let _ = write!(
            main,
            "<svg class=\"spine\" viewBox=\"0 0 20 56\" width=\"20\" height=\"56\" aria-hidden=\"true\">\
             <rect class=\"ghost\" x=\".5\" y=\"5.5\" width=\"{width:.1}\" height=\"50\" rx=\"1\"/></svg>"
        );
    }
    let _ = write!(
        main,
        "<div class=\"book\"><p class=\"name\">{}</p><p class=\"author\">{}</p>",
        own(&book.title),
        own(&book.author)
    );
    series(main, book);
    if let Some(place) = book.place {
        let _ = write!(
            main,
            "<svg class=\"at\" viewBox=\"0 0 100 6\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
             <rect class=\"track\" y=\"2\" width=\"100\" height=\"2\"/><rect class=\"d1\" y=\"1\" width=\"{place}\" height=\"4\"/></svg>\
             </div><p class=\"place\">{place}%</p></li>"
        );
    } else {
        main.push_str("</div></li>");
    }
}

/// The page of a list or a tag: its books.
pub fn books(feed: &Feed<'_>) -> String {
    if feed.books.is_empty() {
        return message(feed.server.name(), NOTHING_YET, "When there is a book, it stands here.");
    }
    let list = || feed.name.map_or_else(|| "What to give me".to_owned(), |name| format!("What to give {name}"));
    let (title, by) = match (feed.share.kind, &feed.share.tag) {
        (ShareKind::Tag, Some(tag)) => (tag.clone(), feed.name),
        _ => (list(), None),
    };
    let mut main = format!("<main><h1 class=\"plain\">{}</h1>", own(&title));
    if let Some(name) = by {
        let _ = write!(main, "<p class=\"by\">by {}</p>", own(name));
    }
    main.push_str("<section><ol>");
    let day_of = |from: Option<NaiveDate>, to| from.map_or_else(|| written(to), |_| RoughDate { from, to }.exported());
    feed.books.iter().for_each(|book| entry(&mut main, book, day_of));
    main.push_str("</ol></section></main>");
    page(feed.server.name(), &title, if feed.share.parts.has(SharePart::Covers) { ICON } else { "" }, &main)
}

/// The cover of a book. The title beside it says what it shows.
fn picture(main: &mut String, book: &SharedBook) {
    if let Some(Cover { url, width, height }) = &book.cover {
        let url = escaped(url);
        let _ = write!(main, "<img src=\"{url}\" width=\"{width}\" height=\"{height}\" alt=\"\" loading=\"lazy\">");
    }
}

/// The series of a book with its number.
fn series(main: &mut String, book: &SharedBook) {
    if let Some(series) = &book.series {
        let _ = write!(main, "<p class=\"series\">{}{}</p>", own(series), escaped(&book.number_in_series()));
    }
}

/// A book in a list. `day_of` writes its day.
fn entry(main: &mut String, book: &SharedBook, day_of: fn(Option<NaiveDate>, NaiveDate) -> String) {
    main.push_str("<li>");
    picture(main, book);
    let _ = write!(
        main,
        "<p class=\"leader\"><span class=\"of\"><span class=\"name\">{}</span> {}</span>",
        own(&book.title),
        own(&book.author)
    );
    if book.completed.is_some() || book.rating.is_some() {
        main.push_str("<span class=\"dots\"></span><span class=\"value\">");
        if let Some(day) = book.completed {
            main.push_str(&day_of(book.completed_from, day));
        }
        if let Some(rating) = book.rating {
            let _ = write!(main, " <span class=\"rating\">{rating}<span> out of 10</span></span>");
        }
        main.push_str("</span>");
    }
    main.push_str("</p>");
    series(main, book);
    if let Some(impressions) = &book.impressions {
        let _ = write!(main, "<p class=\"said\" dir=\"auto\">{}</p>", escaped(impressions));
    }
    main.push_str("</li>");
}

/// A completion date as people read it, without its year, which the page says.
fn completion(from: Option<NaiveDate>, to: NaiveDate) -> String {
    let day = |day: NaiveDate| day.format("%b %-d").to_string();
    let Some(first) = from else { return day(to) };
    let exported = RoughDate { from, to }.exported();
    match exported.len() {
        4 => exported,
        7 if !exported.contains('/') => to.format("%B").to_string(),
        _ => format!("{} – {}", day(first), day(to)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::books::rating::Rating;

    fn book(title: &str) -> SharedBook {
        SharedBook { words: 160_000, blue: 1, ..SharedBook::named(title, "Jane Austen") }
    }

    fn year(shelf: Vec<SharedBook>) -> SharedReview {
        SharedReview {
            period: Period::Year(2026),
            complete: false,
            today: NaiveDate::from_ymd_opt(2026, 11, 18).unwrap(),
            has_covers: false,
            has_ratings: false,
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
    fn a_page_has_no_script_and_loads_nothing_from_elsewhere() {
        let html = review("Shelfwise", &year(vec![book("Emma")]));
        for word in ["<script", "src=", "href=", "url(\"http", "@import", "style=\"", " on"] {
            let found = html.match_indices(word).find(|(at, _)| word != " on" || html[at + 3..].starts_with("click"));
            assert!(found.is_none(), "{word}");
        }
        assert!(html.contains("2026, in books") && html.contains("up to November 18") && html.contains("160,000"));
    }

    #[test]
    fn only_what_is_there_stands_in_an_entry() {
        let mut html = String::new();
        entry(&mut html, &book("Emma"), completion);
        assert!(!html.contains("value") && !html.contains("series"), "{html}");
        let day = |text: &str| text.parse::<NaiveDate>().unwrap();
        let all = SharedBook {
            completed: Some(day("2026-05-31")),
            completed_from: Some(day("2026-03-01")),
            rating: Some(Rating::of_tenths(75)),
            series: Some("Novels".to_owned()),
            series_number: Some("4".to_owned()),
            ..book("Emma")
        };
        entry(&mut html, &all, completion);
        assert!(html.contains("<bdi>Novels</bdi> #4<") && html.contains("Mar 1 – May 31 "), "{html}");
        assert!(html.contains(">7.5<span> out of 10<"), "{html}");
        assert_eq!(completion(Some(day("2026-01-01")), day("2026-12-31")), "2026");
        assert_eq!(completion(Some(day("2026-03-01")), day("2026-03-31")), "March");
        assert_eq!(completion(None, day("2026-03-31")), "Mar 31");
    }

    #[test]
    fn an_empty_period_says_so() {
        assert!(review("Shelfwise", &year(Vec::new())).contains("Nothing to see here yet."));
    }

    #[test]
    fn the_sentence_says_how_many_and_how_often() {
        let of = |books: i64, words: i64| sentence(&SharedReview { books, words, ..year(Vec::new()) });
        assert_eq!(of(32, 3_861_361), "32 books and 3.9 million words, a book every ten days.");
        assert_eq!(of(1, 160_000), "1 book and 160,000 words.");
        assert_eq!(of(322, 4_000_000), "322 books and 4 million words, a book a day.");
        assert_eq!(of(9, 1), "9 books and 1 word, a book every 36 days.");
        assert_eq!(of(2000, 0), "2,000 books and 0 words.");
    }
}
