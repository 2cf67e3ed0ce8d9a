//! The content of an e-mail, as plain text and as HTML.
use html_escape::{encode_double_quoted_attribute, encode_text};

use crate::config::ServerIdentity;

/// An e-mail to one address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmailMessage {
    /// The kind of e-mail, for the log.
    pub kind: &'static str,
    pub to: String,
    pub subject: String,
    /// The paragraphs before the link.
    pub opening: Vec<String>,
    /// The button's words and the link's URL.
    pub link: Option<(&'static str, String)>,
    /// The paragraphs after the link.
    pub closing: Vec<String>,
    /// The server that sends it, for the last line.
    pub server: ServerIdentity,
}

impl EmailMessage {
    /// The subject on one line, whatever names it contains.
    pub fn subject(&self) -> String {
        one_line(&self.subject)
    }

    /// The e-mail as plain text.
    pub fn text(&self) -> String {
        let link = self.link.iter().map(|(words, url)| format!("{words}:\n{url}"));
        let foot = format!("-- \n{}, {}", self.server.name(), self.server.url);
        let parts = self.opening.iter().cloned().chain(link).chain(self.closing.iter().cloned()).chain([foot]);
        parts.collect::<Vec<_>>().join("\n\n") + "\n"
    }

    /// The e-mail as HTML that loads nothing from the network.
    pub fn html(&self) -> String {
        let paragraph = |text: &String| format!("<p style=\"margin:0 0 16px\">{}</p>\n", encode_text(text));
        let link = self.link.iter().map(|(words, url)| {
            let url = encode_double_quoted_attribute(url);
            format!(
                "<p style=\"margin:24px 0\"><a href=\"{url}\" style=\"display:inline-block;padding:12px 20px;background:#192334;\
                 color:#fffdf8;text-decoration:none;font-weight:600\">{words}</a></p>\n\
                 <p style=\"margin:0 0 16px;word-break:break-all\"><a href=\"{url}\" style=\"color:#192334\">{url}</a></p>\n"
            )
        });
        let opening = self.opening.iter().map(paragraph);
        let parts: String = opening.chain(link).chain(self.closing.iter().map(paragraph)).collect();
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title></head>\n\
             <body style=\"margin:0;padding:32px 16px;background:#faf7f1\">\n\
             <div style=\"max-width:34rem;margin:0 auto;font:16px/1.5 system-ui,sans-serif;color:#192334\">\n{parts}\
             <p style=\"margin:32px 0 0;padding-top:16px;border-top:1px solid #d8d3c8;font-size:14px\">{}, {}</p>\n\
             </div></body></html>\n",
            encode_text(&self.subject()),
            encode_text(self.server.name()),
            encode_text(&self.server.url),
        )
    }
}

/// The longest name in an e-mail, in characters.
const LONGEST_NAME: usize = 40;

/// A name that a person chose, for an e-mail to somebody else: in quotes, on one line, without invisible characters, at most 40
/// characters. Returns `otherwise` when the name is empty or contains text that a mail program would turn into a link.
pub fn name(chosen: &str, otherwise: &str) -> String {
    let visible: String = chosen.chars().filter(|c| !is_invisible(*c)).collect();
    let plain = one_line(&visible).replace(['“', '”', '"'], "'");
    if plain.is_empty() || holds_a_link(&plain) {
        return otherwise.to_owned();
    }
    let end = plain.char_indices().nth(LONGEST_NAME).map(|(end, _)| end);
    end.map_or_else(|| format!("“{plain}”"), |end| format!("“{}…”", plain[..end].trim_end()))
}

/// Whether a character takes no room: one that joins or separates others, or turns the direction of a line.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Whether a text contains a web address: a slash, or a dot between an alphanumeric character and two alphabetic ones ("books.com").
fn holds_a_link(text: &str) -> bool {
    let characters: Vec<char> = text.chars().collect();
    let is_dot = |c: char| matches!(c, '.' | '\u{2024}' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}');
    let is_domain = |window: &[char]| match window {
        [before, dot, first, second] => {
            before.is_alphanumeric() && is_dot(*dot) && first.is_alphabetic() && second.is_alphabetic()
        }
        _ => false,
    };
    text.contains('/') || characters.windows(4).any(is_domain)
}

/// The text without line breaks and other control characters.
fn one_line(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn email() -> EmailMessage {
        EmailMessage {
            kind: "test",
            to: "nora@example.org".into(),
            subject: "Ink &\r\nBcc: everybody@example.org".into(),
            opening: vec!["<b>Hello</b>".into()],
            link: Some(("Set it", "https://books.test/reset-password/abc?a=\"b\"&c".into())),
            closing: vec!["Good bye.".into()],
            server: ServerIdentity { name: None, url: "https://books.test".to_owned() },
        }
    }

    #[test]
    fn an_email_says_the_same_in_plain_text_and_in_html_and_nothing_in_it_is_markup() {
        let (text, html) = (email().text(), email().html());
        assert_eq!(
            text,
            "<b>Hello</b>\n\nSet it:\nhttps://books.test/reset-password/abc?a=\"b\"&c\n\nGood bye.\n\n-- \nShelfwise, https://books.test\n"
        );
        assert!(
            html.contains("&lt;b&gt;Hello&lt;/b&gt;")
                && html.contains("a=&quot;b&quot;&amp;c")
                && html.contains("Good bye.")
        );
        assert!(
            !html.contains("<b>") && !html.contains("<img") && !html.contains("<link") && !html.contains("@import")
        );
        assert_eq!(email().subject(), "Ink & Bcc: everybody@example.org");
        let mut named = email();
        named.server.name = Some("Ink & Paper".to_owned());
        assert!(named.text().ends_with("-- \nInk & Paper, https://books.test\n"), "{}", named.text());
        assert!(named.html().contains("Ink &amp; Paper, https://books.test"), "{}", named.html());
    }

    #[test]
    fn a_name_stays_on_its_line_and_leads_nowhere() {
        assert_eq!(name(" Ada\n\tLovelace ", "Somebody"), "“Ada Lovelace”");
        assert_eq!(name("J. R. R. \"Ronald\" Tolkien", "Somebody"), "“J. R. R. 'Ronald' Tolkien”");
        assert_eq!(name("A.B.", "Somebody"), "“A.B.”");
        assert_eq!(name("\u{202e}Ada\u{200f}", "Somebody"), "“Ada”");
        assert_eq!(name(&"ü".repeat(41), "Somebody"), format!("“{}…”", "ü".repeat(40)));
        for hostile in [
            "",
            "\u{7}",
            "https://evil.test",
            "see WWW.evil.test",
            "evil.test/win",
            "Your account was suspended: sign in at secure-books.com",
            "paypal。com",
            "bücher.example",
            "secure-books\u{2024}com",
            "secure-books\u{200b}.\u{2060}com",
        ] {
            assert_eq!(name(hostile, "Somebody"), "Somebody", "{hostile:?}");
        }
    }
}
