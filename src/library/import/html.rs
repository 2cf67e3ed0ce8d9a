//! Converts reviews in HTML to plain text.

/// Tags that begin a new line where they open or close.
const BLOCKS: [&str; 12] = ["p", "div", "blockquote", "li", "ul", "ol", "h1", "h2", "h3", "h4", "hr", "tr"];
/// Tags that are removed without replacement. Any other `<word` stays, because reviews also compare numbers.
const INLINE: [&str; 24] = [
    "a", "b", "i", "u", "s", "em", "strong", "small", "big", "sub", "sup", "span", "font", "img", "center", "code",
    "pre", "strike", "del", "ins", "cite", "table", "td", "tbody",
];

/// A `<` whose `>` is farther away does not begin a tag. This keeps the time for hostile text linear.
const LONGEST_TAG: usize = 1_000;
/// Longer reviews are later refused for their length, so they are not converted.
const LONGEST_REVIEW: usize = 200_000;

/// Converts a review to plain text: `<br/>` is a line break, `<spoiler>` stays as a mark in the text, other known tags are
/// removed, scripts and styles are removed with their content, entities become characters. The result is always shown as text, so
/// nothing in it can run.
pub fn text_of(review: &str) -> String {
    if review.len() > LONGEST_REVIEW || !review.contains(['<', '&']) {
        return review.to_owned();
    }
    let mut out = String::with_capacity(review.len());
    let mut rest = review;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match tag(rest) {
            Some((name, closing, after)) => {
                rest = place(&name, closing, after, &mut out);
            }
            None => {
                out.push('<');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    let decoded = html_escape::decode_html_entities(&out).replace('\u{a0}', " ");
    tidied(&decoded)
}

/// Writes the replacement of a tag. Returns the text after it.
fn place<'a>(name: &str, closing: bool, after: &'a str, out: &mut String) -> &'a str {
    match name {
        "br" => out.push('\n'),
        "spoiler" => out.push_str(if closing { "</spoiler>" } else { "<spoiler>" }),
        "script" | "style" if !closing => return after_closing(name, after),
        _ if BLOCKS.contains(&name) && !out.is_empty() && !out.ends_with('\n') => out.push('\n'),
        _ => {}
    }
    after
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

/// The tag at the start of `text`: its name, whether it closes, and the text after it. `None` if it is not a known tag.
fn tag(text: &str) -> Option<(String, bool, &str)> {
    if let Some(comment) = text.strip_prefix("<!--") {
        let after = comment.find("-->").map_or("", |end| &comment[end + 3..]);
        return Some(("!".to_owned(), false, after));
    }
    let inner = text.strip_prefix('<')?;
    let (closing, inner) = inner.strip_prefix('/').map_or((false, inner), |inner| (true, inner));
    let length = inner.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(inner.len());
    let name = inner[..length].to_ascii_lowercase();
    let known = matches!(name.as_str(), "br" | "spoiler" | "script" | "style")
        || BLOCKS.contains(&name.as_str())
        || INLINE.contains(&name.as_str());
    let end = tag_end(&inner[length..])?;
    known.then(|| (name, closing, &inner[length + end..]))
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
            "Great.\n\nReally & truly here.\nI <3 it"
        );
        assert_eq!(text_of("<p>One</p><p>Two</p><blockquote>Three</blockquote>end"), "One\nTwo\nThree\nend");
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
