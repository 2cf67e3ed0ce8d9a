//! Makes catalogues' texts fit the fields of a book. A value that does not fit is left out.
use serde_json::Value;

use crate::library::books::authors::{MOST_AUTHORS, NAME_LENGTH};
use crate::library::books::facts::{FIRST_YEAR, LAST_YEAR, PUBLISHER_LENGTH, SERIES_LENGTH, SERIES_NUMBER_LENGTH};
use crate::library::books::model::{LONGEST_MINUTES, MOST_PAGES};
use crate::library::isbn;

/// A text in one line of at most so many characters; `None` when nothing is left.
fn line(text: &str, longest: usize) -> Option<String> {
    let spaced: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let text = spaced.split_whitespace().collect::<Vec<_>>().join(" ");
    let text: String = text.chars().take(longest).collect();
    let text = text.trim_end().to_owned();
    (!text.is_empty()).then_some(text)
}

pub fn title(value: &Value) -> Option<String> {
    line(value.as_str()?, NAME_LENGTH)
}

pub fn publisher(value: &Value) -> Option<String> {
    line(value.as_str()?, PUBLISHER_LENGTH)
}

/// The name of a series.
pub fn series_name(value: &Value) -> Option<String> {
    line(value.as_str()?, SERIES_LENGTH)
}

/// A number in a series, written as text or number.
pub fn series_number(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => line(text, SERIES_NUMBER_LENGTH),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Names without repetitions: at most 20, with at most 500 characters together.
pub fn authors<'v>(names: impl Iterator<Item = &'v str>) -> Vec<String> {
    let (mut kept, mut length): (Vec<String>, usize) = (Vec::new(), 0);
    for name in names.filter_map(|name| line(name, NAME_LENGTH)) {
        let more = name.chars().count() + 2;
        if kept.len() == MOST_AUTHORS || length + more > NAME_LENGTH + 2 {
            break;
        }
        if !kept.contains(&name) {
            length += more;
            kept.push(name);
        }
    }
    kept
}

pub fn pages(value: &Value) -> Option<i64> {
    let pages = match value {
        Value::String(text) => leading_number(text)?,
        _ => value.as_i64()?,
    };
    (1..=MOST_PAGES).contains(&pages).then_some(pages)
}

/// A length in seconds, as minutes.
pub fn minutes(seconds: &Value) -> Option<i64> {
    let minutes = seconds.as_i64()?.saturating_add(30) / 60;
    (1..=LONGEST_MINUTES).contains(&minutes).then_some(minutes)
}

/// The first number of a text such as `xii, 412 p.`, without Roman ones.
fn leading_number(text: &str) -> Option<i64> {
    let digits = text.split(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty())?;
    digits.parse().ok()
}

/// The first valid ISBN, those of 13 digits before those of 10.
pub fn isbn<'v>(texts: impl Iterator<Item = &'v str> + Clone) -> Option<String> {
    let is_long = |text: &&str| text.chars().filter(char::is_ascii_digit).count() == 13;
    let long = texts.clone().filter(is_long).find_map(isbn::parse);
    long.or_else(|| texts.into_iter().find_map(isbn::parse))
}

/// Whether a record is about an ISBN: it names that one among others, or none.
pub fn is_about<'v>(isbn: &str, texts: impl Iterator<Item = &'v str>) -> bool {
    let mut named = texts.filter_map(isbn::parse).peekable();
    named.peek().is_none() || named.any(|one| one == isbn)
}

pub fn year(value: &Value) -> Option<i32> {
    value.as_i64().filter(|year| (FIRST_YEAR..=LAST_YEAR).contains(year)).and_then(|year| i32::try_from(year).ok())
}

/// A year, month or day of free text: `1965`, `1965-06`, `June 1, 1965`, `c1965`.
pub fn published(text: &str) -> Option<String> {
    let parts: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).collect();
    let number = |part: &&str| part.parse::<u32>().ok();
    if let [year, rest @ ..] = parts.as_slice()
        && year.len() == 4
        && let Some(year) = number(year).filter(|year| (1000..=2100).contains(year))
        && rest.len() <= 2
        && rest.iter().all(|part| part.len() == 2 && number(part).is_some())
    {
        let rest: Vec<u32> = rest.iter().filter_map(number).collect();
        return Some(dated(year, rest.first().copied(), rest.get(1).copied()));
    }
    let year = parts.iter().find_map(|part| {
        let digits: String = part.chars().skip_while(|c| !c.is_ascii_digit()).collect();
        let year = digits.parse::<u32>().ok().filter(|_| digits.len() == 4);
        year.filter(|year| (1000..=2100).contains(year))
    })?;
    let month = parts.iter().find_map(|part| month(part));
    let day = month.and_then(|_| parts.iter().filter(|part| part.len() <= 4).find_map(|part| day(part)));
    Some(dated(year, month, day))
}

fn dated(year: u32, month: Option<u32>, day: Option<u32>) -> String {
    let date = |month, day| chrono::NaiveDate::from_ymd_opt(i32::try_from(year).unwrap_or(0), month, day);
    match (month, day) {
        (Some(month), Some(day)) if date(month, day).is_some() => format!("{year}-{month:02}-{day:02}"),
        (Some(month), _) if date(month, 1).is_some() => format!("{year}-{month:02}"),
        _ => year.to_string(),
    }
}

fn month(word: &str) -> Option<u32> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let word = word.to_ascii_lowercase();
    let at = MONTHS.iter().position(|month| word.len() >= 3 && word.starts_with(month))?;
    u32::try_from(at + 1).ok()
}

/// `1`, `01`, `1st`.
fn day(word: &str) -> Option<u32> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    digits.parse().ok().filter(|day| (1..=31).contains(day))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn dates_of_any_spelling_become_a_year_a_month_or_a_day() {
        for (written, meant) in [
            ("1965", Some("1965")),
            ("June 1, 1965", Some("1965-06-01")),
            ("1st Sept. 1990", Some("1990-09-01")),
            ("Jun 1965", Some("1965-06")),
            ("1965-06", Some("1965-06")),
            ("1965-06-31", Some("1965-06")),
            ("1965/06/01", Some("1965-06-01")),
            ("c1965.", Some("1965")),
            ("[1965?]", Some("1965")),
            ("19--", None),
            ("", None),
            ("0000", None),
        ] {
            assert_eq!(published(written).as_deref(), meant, "{written}");
        }
    }

    #[test]
    fn values_that_do_not_fit_are_left_out() {
        assert_eq!(
            (pages(&json!(0)), pages(&json!(412)), pages(&json!("412 Seiten")), pages(&json!([1]))),
            (None, Some(412), Some(412), None)
        );
        assert_eq!(pages(&json!(5_000_000)), None);
        assert_eq!(title(&json!("  A\u{1f}B\n")), Some("A B".into()));
        assert_eq!((title(&json!(7)), title(&json!(" "))), (None, None));
        assert_eq!(authors(["A", "A", "B"].into_iter()), ["A", "B"]);
        assert_eq!(
            authors(std::iter::repeat_n("x".repeat(300).as_str(), 1).chain(["y".repeat(300).as_str()])).len(),
            1
        );
        assert_eq!(isbn(["0441013597", "9780441013593"].into_iter()), Some("9780441013593".into()));
        assert_eq!(isbn(["12"].into_iter()), None);
    }
}
