//! Converts reviews in HTML to plain text.
use std::borrow::Cow;

/// Tags that begin a new line where they open or close.
const BLOCKS: [&str; 13] = ["p", "div", "quote", "blockquote", "li", "ul", "ol", "h1", "h2", "h3", "h4", "hr", "tr"];
/// Tags that are removed without replacement. Any other `<word` stays, because reviews also compare numbers.
const INLINE: [&str; 24] = [
    "a", "b", "i", "u", "s", "em", "strong", "small", "big", "sub", "sup", "span", "font", "img", "center", "code",
    "pre", "strike", "del", "ins", "cite", "table", "td", "tbody",
];

/// A `<` whose `>` is farther away does not begin a tag. This keeps the time for hostile text linear.
const LONGEST_TAG: usize = 1_000;
/// No more of a review is converted, in bytes. A book keeps far less.
const LONGEST_REVIEW: usize = 200_000;
/// What Goodreads names in brackets: `[book:Emma|6969]`.
const NAMED: [&str; 5] = ["[book:", "[author:", "[series:", "[character:", "[place:"];

/// A short text with characters in place of HTML's entities: `&amp;` is `&`.
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.contains('&') { html_escape::decode_html_entities(text) } else { Cow::Borrowed(text) }
}

/// Whether a text would lose something as a review in HTML.
pub fn has_markup(text: &str) -> bool {
    text.contains(['<', '&', '[']) && text_of(text.trim()) != text.trim()
}

/// Converts a review to plain text: `<br/>` is a line break, `<spoiler>` stays as a mark in the text, a link is followed by its
/// address, other known tags are removed, scripts and styles are removed with their content, entities become characters, and of
/// `[book:Emma|6969]` the name stays. The result is always shown as text, so nothing in it can run.
pub fn text_of(review: &str) -> String {
    if !review.contains(['<', '&', '[']) {
        return review.to_owned();
    }
    let review = &review[..review.floor_char_boundary(LONGEST_REVIEW)];
    let mut out = String::with_capacity(review.len());
    let (mut rest, mut link) = (review, None);
    while let Some(at) = rest.find(['<', '[']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((name, after)) = named(rest) {
            out.push_str(name);
            rest = after;
        } else if let Some(tag) = tag(rest) {
            rest = place(&tag, &mut link, &mut out);
        } else {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    let decoded = html_escape::decode_html_entities(&out).replace('\u{a0}', " ");
    tidied(&decoded)
}

/// What brackets at the start of `text` name, and the text after them.
fn named(text: &str) -> Option<(&str, &str)> {
    let inner = NAMED.iter().find_map(|start| text.strip_prefix(start))?;
    let end = inner.find([']', '\n', '[']).filter(|end| inner[*end..].starts_with(']'))?;
    let (name, number) = inner[..end].rsplit_once('|')?;
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    is_number.then_some((name, &inner[end + 1..]))
}

/// A link that is open: where its text begins in the output, and its address.
type Link<'a> = Option<(usize, &'a str)>;

/// Writes the replacement of a tag. Returns the text after it.
fn place<'a>(tag: &Tag<'a>, link: &mut Link<'a>, out: &mut String) -> &'a str {
    match tag.name.as_str() {
        "br" => out.push('\n'),
        "spoiler" => out.push_str(if tag.closing { "</spoiler>" } else { "<spoiler>" }),
        "script" | "style" if !tag.closing => return after_closing(&tag.name, tag.after),
        "a" if tag.closing => {
            if let Some((start, address)) = link.take()
                && out.get(start..).is_some_and(|text| !text.contains(address))
            {
                out.push_str(&format!(" ({address})"));
            }
        }
        "a" => *link = address(tag.attributes).map(|address| (out.len(), address)),
        name if BLOCKS.contains(&name) && !out.is_empty() && !out.ends_with('\n') => out.push('\n'),
        _ => {}
    }
    tag.after
}

/// The address of a link to another site.
fn address(attributes: &str) -> Option<&str> {
    let value = attributes.split_once("href=")?.1;
    let quote = value.chars().next().filter(|sign| matches!(sign, '"' | '\''));
    let value = match quote {
        Some(quote) => value[1..].split(quote).next()?,
        None => value.split([' ', '>']).next()?,
    };
    let is_absolute = value.starts_with("https://") || value.starts_with("http://");
    is_absolute.then(|| value.trim())
}

/// The text after the closing tag, or nothing.
fn after_closing<'a>(name: &str, text: &'a str) -> &'a str {
    let mut rest = text;
    while let Some(at) = rest.find("</") {
        rest = &rest[at..];
        if rest.get(2..2 + name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name)) {
            return rest;
        }
        rest = &rest[2..];
    }
    ""
}

/// A known tag at the start of a text.
struct Tag<'a> {
    name: String,
    closing: bool,
    attributes: &'a str,
    /// The text after it.
    after: &'a str,
}

/// The tag at the start of `text`; `None` if it is not a known one.
fn tag(text: &str) -> Option<Tag<'_>> {
    if let Some(comment) = text.strip_prefix("<!--") {
        let after = comment.find("-->").map_or("", |end| &comment[end + 3..]);
        return Some(Tag { name: "!".to_owned(), closing: false, attributes: "", after });
    }
    let inner = text.strip_prefix('<')?;
    let (closing, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner));
    let length = inner.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inner.len());
    let name = inner[..length].to_ascii_lowercase();
    let known = matches!(name.as_str(), "br" | "spoiler" | "script" | "style")
        || BLOCKS.contains(&name.as_str())
        || INLINE.contains(&name.as_str());
    let end = tag_end(&inner[length..])?;
    let (attributes, after) = inner[length..].split_at(end);
    known.then_some(Tag { name, closing, attributes, after })
}

/// The position after the `>` that ends a tag, ignoring quoted attributes.
fn tag_end(attributes: &str) -> Option<usize> {
    let mut quote = None;
    for (at, b) in attributes.bytes().take(LONGEST_TAG).enumerate() {
        match (quote, b) {
            (None, b'>') => return Some(at + 1),
            (None, b'<') => return None,
            (None, b'"' | b'\'') => quote = Some(b),
            (Some(open), _) if open == b => quote = None,
            _ => {}
        }
    }
    // An apostrophe may look like a quote that never ends.
    attributes.bytes().take(LONGEST_TAG).position(|b| b == b'>').map(|at| at + 1)
}

/// Removes repeated empty lines and the spaces at both ends.
fn tidied(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = 0;
    for line in text.trim().lines() {
        let line = line.trim_end();
        empty = if line.is_empty() { empty + 1 } else { 0 };
        if empty < 2 {
            out.push_str(line);
            out.push('\n');
        }
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_review_in_html_becomes_readable_text() {
        assert_eq!(
            text_of(
                "Great.<br/><br/><b>Really</b> &amp; truly <a href=\"http://x.test/?a>b\">here</a>.<br />I &lt;3 it"
            ),
            "Great.\n\nReally & truly here (http://x.test/?a>b).\nI <3 it"
        );
        assert_eq!(text_of("<p>One</p><p>Two</p><blockquote>Three</blockquote>end"), "One\nTwo\nThree\nend");
    }

    #[test]
    fn a_link_keeps_its_address_and_a_named_book_its_name() {
        assert_eq!(
            text_of(
                "See <a href='https://x.test/1' rel=\"nofollow\">this</a> and <a href=\"https://x.test/2\">https://x.test/2</a>."
            ),
            "See this (https://x.test/1) and https://x.test/2."
        );
        assert_eq!(
            text_of("<a href=\"/review/1\">mine</a> [book:Emma|6969] by [author:Jane Austen|1265]"),
            "mine Emma by Jane Austen"
        );
        assert_eq!(text_of("[book:Emma] [1] [book:Emma|x]"), "[book:Emma] [1] [book:Emma|x]");
        assert_eq!(text_of("He said<quote>Go</quote>and went"), "He said\nGo\nand went");
        assert_eq!(plain("Salt &amp; Sand"), "Salt & Sand");
    }

    #[test]
    fn a_spoiler_stays_marked() {
        assert_eq!(text_of("<spoiler>He dies.</spoiler>"), "<spoiler>He dies.</spoiler>");
    }

    #[test]
    fn scripts_go_with_what_is_in_them() {
        assert_eq!(text_of("a<script>alert(1)</script>b<style>p{}</style>c"), "abc");
    }

    #[test]
    fn what_is_no_tag_stays() {
        for text in ["1 < 2 and 3 > 2", "<3", "a <dragon> came", "x<", "<", "</"] {
            assert_eq!(text_of(text), text, "{text}");
        }
    }
}
