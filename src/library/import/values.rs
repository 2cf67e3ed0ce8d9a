//! Reads single cells: dates, numbers, ratings, yes and no, ISBNs and formats in the notations of other programs.
use chrono::{NaiveDate, Weekday};
use serde::Serialize;
use utoipa::ToSchema;

use crate::kit::named::named;
use crate::kit::time_zone::Hemisphere;
use crate::library::books::length;
use crate::library::books::model::{BookFormat, FIRST_DAY, LAST_DAY, LONGEST_MINUTES};
use crate::library::books::rating::Rating;
use crate::library::isbn;
use crate::library::rough_date::{Refusal, RoughDate};

named! {
    /// Whether `03/04/2020` is the fourth of March or the third of April, for a whole file.
    #[derive(Default)]
    DateOrder {
        /// `MM/dd/yyyy`, also if nothing in the file says otherwise.
        #[default]
        MonthFirst = "mdy",
        /// `dd/MM/yyyy`.
        DayFirst = "dmy",
        /// `yyyy/MM/dd`, with two or four digits of the year. A date that ends with four digits is `MM/dd/yyyy`.
        YearFirst = "ymd",
    }
}

/// How the dates of a file are read.
#[derive(Clone, Copy, Debug)]
pub struct Notation {
    /// The order of slashed dates.
    pub order: DateOrder,
    /// The months of seasons.
    pub hemisphere: Hemisphere,
}

/// Dates that can be read in two orders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PreviewDates {
    /// How many there are.
    pub count: usize,
    /// The first of them, as in the file.
    pub sample: String,
}

/// Counts what the slashed dates of a file say about their order.
#[derive(Debug, Default)]
pub struct DateEvidence {
    day_first: usize,
    month_first: usize,
    /// Dates that do not begin with a year of four digits.
    short: usize,
    ambiguous: Option<PreviewDates>,
}

impl DateEvidence {
    /// Looks at one cell, which may contain any number of dates.
    pub fn look(&mut self, cell: &str) {
        if !cell.contains('/') {
            return;
        }
        for part in cell.split([',', ';', ' ', '-', '–', '|']) {
            let Some([first, second, year]) = three_numbers(part, '/') else {
                continue;
            };
            if year < 32 && first > 31 {
                continue; // yyyy/MM/dd
            }
            self.short += 1;
            self.day_first += usize::from(first > 12 && first <= 31 && second <= 12);
            self.month_first += usize::from(second > 12 && second <= 31 && first <= 12);
            if first <= 12 && second <= 12 && first != second {
                let none = || PreviewDates { count: 0, sample: part.to_owned() };
                self.ambiguous.get_or_insert_with(none).count += 1;
            }
        }
    }

    /// The order of most unambiguous dates; `MM/dd` if there are none.
    pub fn verdict(&self) -> DateOrder {
        if self.day_first > self.month_first { DateOrder::DayFirst } else { DateOrder::MonthFirst }
    }

    /// The order of the file's dates for its reader: year first unless a slashed date begins with a day or a month.
    pub fn order(&self) -> DateOrder {
        if self.short == 0 { DateOrder::YearFirst } else { self.verdict() }
    }

    /// The dates that are read in either order; `None` for a file without them.
    pub fn ambiguous(self) -> Option<PreviewDates> {
        self.ambiguous
    }
}

fn three_numbers(text: &str, separator: char) -> Option<[u32; 3]> {
    let mut parts = text.split(separator).map(|part| {
        let plain = !part.is_empty() && part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit());
        plain.then(|| part.parse().ok()).flatten()
    });
    let found = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(found)
}

/// A calendar date in a cell: `yyyy-MM-dd`, `yyyy/MM/dd`, `yyyyMMdd`, `dd.MM.yyyy`, `yyyy年M月d日`, a date with the name of its month, perhaps behind an English weekday, slashed
/// dates in the file's order, a spreadsheet's number of a day, and the date part of a date-time as written, without conversion of time zones. Surrounding
/// brackets are ignored. `None` for everything else, and for years outside 1900 to 2100.
pub fn date(cell: &str, order: DateOrder) -> Option<NaiveDate> {
    let text = without_time(cell.trim().trim_start_matches('[').trim_end_matches(']').trim());
    let found = numeric_date(text, order)
        .or_else(|| named_month(text))
        .or_else(|| compact_date(text))
        .or_else(|| east_asian_date(text))
        .or_else(|| serial_number(text))?;
    (FIRST_DAY..=LAST_DAY).contains(&found).then_some(found)
}

/// A date in a cell that may be rough: a [`date`], or whatever [`RoughDate::parse`] reads.
pub fn rough_date(cell: &str, notation: Notation) -> Option<RoughDate> {
    let exact = date(cell, notation.order).map(|day| RoughDate { from: None, to: day });
    let text = without_time(cell.trim().trim_matches(['[', ']']));
    exact.or_else(|| RoughDate::parse(text, notation.hemisphere).ok())
}

/// The question that a season in two years with only one year leaves open: `winter 2020` in the north.
pub fn season_of_two_years(cell: &str, notation: Notation) -> Option<String> {
    let refusal = RoughDate::parse(cell.trim(), notation.hemisphere).err()?;
    matches!(refusal, Refusal::OneYear { .. }).then(|| refusal.to_string())
}

/// A date without the time of day behind it.
fn without_time(text: &str) -> &str {
    let mut ends = text.match_indices(['T', ' ', ',']).filter(|(at, _)| is_time_of_day(text[at + 1..].trim_start()));
    ends.next().map_or(text, |(at, _)| text[..at].trim_end_matches([',', ' ']).trim_end_matches(" at"))
}

/// Whether a date has nothing but zeros, as some programs write for none.
pub fn is_zero_date(cell: &str) -> bool {
    let digits = cell.bytes().filter(u8::is_ascii_digit).count();
    digits >= 6 && cell.bytes().all(|byte| matches!(byte, b'0' | b'-' | b'/' | b'.' | b' ' | b':' | b'T'))
}

/// `20200314`
fn compact_date(text: &str) -> Option<NaiveDate> {
    let is_compact = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
    if is_compact { NaiveDate::parse_from_str(text, "%Y%m%d").ok() } else { None }
}

/// `2023年1月7日`, also `2023년 1월 7일`
fn east_asian_date(text: &str) -> Option<NaiveDate> {
    let parts: Vec<&str> = text.split(['年', '月', '日', '년', '월', '일']).map(str::trim).collect();
    let [year, month, day, ""] = parts[..] else { return None };
    NaiveDate::from_ymd_opt(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?)
}

fn numeric_date(day: &str, order: DateOrder) -> Option<NaiveDate> {
    // `7. 1. 2023` and `2023. 1. 7.`
    let day = &*day.replace(". ", ".");
    let day = day.strip_suffix('.').unwrap_or(day);
    if day.contains(['T', ' ']) {
        return None;
    }
    for separator in ['-', '/', '.'] {
        let Some([a, b, c]) = three_numbers(day, separator) else {
            continue;
        };
        let year_first = day.find(separator) == Some(4);
        let (year, month, day) = match (year_first, separator, order) {
            (true, ..) => (a, b, c),
            (false, _, DateOrder::YearFirst) if c < 32 => (full_year(a), b, c),
            (false, '/', DateOrder::MonthFirst | DateOrder::YearFirst) => (full_year(c), a, b),
            (false, ..) => (full_year(c), b, a),
        };
        return NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day);
    }
    None
}

fn is_time_of_day(text: &str) -> bool {
    let hour = text.split_once(':').map_or("", |(hour, _)| hour);
    text.len() >= 4
        && matches!(hour.len(), 1 | 2)
        && hour.bytes().all(|byte| byte.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || " :.+-ZAPMapmUTCG".contains(c))
}

/// Expands a year shortened by a spreadsheet: `17` is 2017 and `85` is 1985.
fn full_year(year: u32) -> u32 {
    match year {
        0..=69 => 2000 + year,
        70..=99 => 1900 + year,
        _ => year,
    }
}

/// The beginnings of the names of months in English, German, French, Spanish, Italian, Portuguese and Dutch.
const MONTHS: [&[&str]; 12] = [
    &["jan", "ene", "gen"],
    &["feb", "fev", "fév"],
    &["mar", "mär", "mrz", "maa"],
    &["apr", "avr", "abr"],
    &["may", "mai", "mag", "mei"],
    &["jun", "juin", "giu"],
    &["jul", "juil", "lug"],
    &["aug", "aou", "aoû", "ago"],
    &["sep", "set"],
    &["oct", "okt", "ott", "out"],
    &["nov"],
    &["dec", "déc", "dez", "dic"],
];

/// `Mar 4, 2020`, `March 4th 2020`, `4 March 2020`, `14-Mar-20`, `14. März 2025`, `14 de marzo de 2025`.
fn named_month(text: &str) -> Option<NaiveDate> {
    let mut words = text
        .split([' ', ',', '.', '-'])
        .filter(|word| !matches!(*word, "" | "de" | "of"))
        .skip_while(|word| word.parse::<Weekday>().is_ok());
    let (first, second, year) = (words.next()?, words.next()?, words.next()?);
    if words.next().is_some() {
        return None;
    }
    let year: u32 = match (year.len(), text.contains('-')) {
        (4, _) => year.parse().ok()?,
        // Spreadsheets shorten the year only between hyphens.
        (2, true) => full_year(year.parse().ok()?),
        _ => return None,
    };
    let (month, day) = if first.starts_with(|c: char| c.is_ascii_digit()) { (second, first) } else { (first, second) };
    let month = month.to_lowercase();
    let number = MONTHS.iter().position(|names| names.iter().any(|name| month.starts_with(name)))?;
    let day = day.trim_end_matches(|c: char| c.is_ascii_lowercase());
    NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, u32::try_from(number).ok()? + 1, day.parse().ok()?)
}

/// A day as a spreadsheet counts it, from the end of 1899: 43894 is 2020-03-04. Days before 1927 have fewer digits and are not read.
fn serial_number(text: &str) -> Option<NaiveDate> {
    let (days, time) = text.split_once('.').unwrap_or((text, ""));
    let is_number = days.len() == 5 && days.bytes().chain(time.bytes()).all(|b| b.is_ascii_digit());
    let days = days.parse().ok().filter(|days| is_number && *days >= 10_000)?;
    NaiveDate::from_ymd_opt(1899, 12, 30)?.checked_add_days(chrono::Days::new(days))
}

/// Whether a cell is how a program for tables writes an empty one.
pub fn is_missing(cell: &str) -> bool {
    matches!(cell.trim(), "" | "nan" | "NaN" | "NaT" | "<NA>")
}

/// Why a number was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadNumber {
    /// Not a number at all.
    NotANumber,
    /// A number, but negative, too large or not whole.
    OutOfRange,
}

/// A decimal number: `4.5`, `4,5`, `1999.0`, `100,000`, `1.234.567`, with spaces of any width between thousands.
pub fn decimal(cell: &str) -> Option<f64> {
    if let Ok(number) = cell.trim().parse::<u32>() {
        return Some(number.into());
    }
    let mut text: String = cell.chars().filter(|c| !c.is_whitespace() && !matches!(c, '\'' | '’')).collect();
    match (text.matches(',').count(), text.matches('.').count()) {
        (0, 0 | 1) => {}
        // With a single separator, three digits after it are thousands, anything else is a fraction.
        (1, 0) if is_thousands(&text, ',') => text = text.replace(',', ""),
        (1, 0) => text = text.replace(',', "."),
        (_, 0) if is_thousands(&text, ',') => text = text.replace(',', ""),
        (0, _) if is_thousands(&text, '.') => text = text.replace('.', ""),
        (_, 1) if text.rfind(',') < text.find('.') => text = text.replace(',', ""),
        (1, _) if text.rfind('.') < text.find(',') => text = text.replace('.', "").replace(',', "."),
        _ => return None,
    }
    let plain = text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+'));
    plain.then(|| text.parse::<f64>().ok()).flatten().filter(|number| number.is_finite())
}

fn is_thousands(text: &str, separator: char) -> bool {
    let mut groups = text.split(separator);
    let first = groups.next().unwrap_or_default();
    (1..=3).contains(&first.len()) && first != "0" && groups.all(|group| group.len() == 3)
}

/// A length in minutes: a whole number, or a time written h:mm or h:mm:ss. A blank cell and a length of 0 are `None`.
pub fn minutes(cell: &str) -> Result<Option<i64>, BadNumber> {
    let text = cell.trim();
    let (time, seconds) = match text.rsplit_once(':') {
        Some((time, seconds)) if time.contains(':') => (time, seconds),
        _ => (text, "00"),
    };
    let found =
        match length::minutes(time).filter(|_| seconds.len() == 2 && seconds.bytes().all(|c| c.is_ascii_digit())) {
            Some(minutes) if minutes > LONGEST_MINUTES => return Err(BadNumber::OutOfRange),
            Some(minutes) => Some(minutes),
            None => whole(text, LONGEST_MINUTES)?,
        };
    Ok(found.filter(|minutes| *minutes > 0))
}

/// A whole number from 0 to `largest`. A blank cell is `None`; `1999.0` is whole.
pub fn whole(cell: &str, largest: i64) -> Result<Option<i64>, BadNumber> {
    let text = cell.trim();
    if text.is_empty() {
        return Ok(None);
    }
    if let Ok(number) = text.parse::<i64>() {
        return if (0..=largest).contains(&number) { Ok(Some(number)) } else { Err(BadNumber::OutOfRange) };
    }
    // `1.234` is a German thousand and never a fraction, because counts have no fractions.
    let number = if is_thousands(text, '.') { decimal(&text.replace('.', "")) } else { decimal(text) };
    let number = number.ok_or(BadNumber::NotANumber)?;
    if number.fract() != 0.0 || number < 0.0 || number > largest as f64 {
        return Err(BadNumber::OutOfRange);
    }
    #[expect(clippy::cast_possible_truncation, reason = "whole and within bounds by the check above")]
    let number = number as i64;
    Ok(Some(number))
}

/// Converts a rating in stars from 0 to 5 to points: doubled, in tenths; 0 stars mean no rating.
pub fn five_stars(cell: &str) -> Result<Option<Rating>, BadNumber> {
    if cell.trim().is_empty() {
        return Ok(None);
    }
    let stars = decimal(cell).ok_or(BadNumber::NotANumber)?;
    if !(0.0..=5.0).contains(&stars) {
        return Err(BadNumber::OutOfRange);
    }
    Ok(Some(in_tenths(stars * 2.0)).filter(|_| stars > 0.0))
}

/// Converts a rating from 0 to 10 with decimals to tenths.
pub fn ten_points(cell: &str) -> Result<Option<Rating>, BadNumber> {
    if cell.trim().is_empty() {
        return Ok(None);
    }
    let points = decimal(cell).ok_or(BadNumber::NotANumber)?;
    if !(0.0..=10.0).contains(&points) {
        return Err(BadNumber::OutOfRange);
    }
    Ok(Some(in_tenths(points)))
}

/// A rating from 0 to 10 with at most one decimal.
pub fn exact_points(cell: &str) -> Result<Option<Rating>, BadNumber> {
    if cell.trim().is_empty() {
        return Ok(None);
    }
    let points = decimal(cell).ok_or(BadNumber::NotANumber)?;
    let rating = Rating::from_points(points).filter(|rating| rating.is_valid());
    rating.map(Some).ok_or(BadNumber::OutOfRange)
}

/// Tenths of a point, halves rounded away from zero.
#[expect(clippy::cast_possible_truncation, reason = "callers pass 0 to 10")]
fn in_tenths(points: f64) -> Rating {
    Rating::of_tenths((points * 10.0).round() as i64)
}

/// Yes and no in the words of spreadsheets; `None` for anything else.
pub fn yes_no(cell: &str) -> Option<bool> {
    match cell.trim().to_lowercase().as_str() {
        "yes" | "y" | "true" | "1" | "1.0" | "x" | "ja" | "oui" | "si" | "sí" | "sim" | "wahr" | "vrai" | "✓" => {
            Some(true)
        }
        "no" | "n" | "false" | "0" | "0.0" | "nein" | "non" | "não" | "falsch" | "faux" => Some(false),
        _ => None,
    }
}

/// An ISBN-13 from an ISBN with 10 or 13 characters. Surrounding brackets and spreadsheet marks are ignored; zeros that a
/// spreadsheet removed are restored if the check digit then matches. `None` for anything else (`9.78006E+12`, an ASIN).
pub fn isbn(cell: &str) -> Option<String> {
    let bare = cell.trim().trim_matches(['[', ']', '"', '=', '\'']);
    let bare = bare.strip_suffix(".0").unwrap_or(bare);
    if bare.is_empty() || bare.bytes().all(|b| b == b'0') {
        return None;
    }
    let shortened = (7..10).contains(&bare.len()) && bare.is_ascii();
    isbn::parse(bare).or_else(|| shortened.then(|| isbn::parse(&format!("{bare:0>10}"))).flatten())
}

/// Whether a cell without a valid ISBN was meant as one: a number of any length, as spreadsheets and typing errors leave it, and not
/// another program's key or a list.
pub fn is_damaged_isbn(cell: &str) -> bool {
    let bare = cell.trim().trim_matches(['[', ']', '"', '=', '\'']);
    bare.starts_with(|first: char| first.is_ascii_digit())
        && !bare.bytes().all(|b| b == b'0')
        && bare.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | ' ' | '.' | 'x' | 'X' | 'e' | 'E' | '+'))
}

const HEARD: [&str; 25] = [
    "audi", "hörbuch", "hoerbuch", "hörspiel", "mp3", "cassette", "kassette", "playaway", "luisterboek", "lydbok",
    "lydbog", "ljudbok", "äänikirja", "аудио", "аудіо", "オーディオ", "有声", "有聲", "오디오", "sesli",
    "compact disc", "ηχητικ", "hangosk", "słuch", "podcast",
];
const ELECTRONIC: [&str; 20] = [
    "ebook", "e-book", "e book", "kindle", "digital", "epub", "nook", "kobo", "electr", "elektr", "eletr", "éléctr",
    "elettr", "électr", "numérique", "numerique", "e-bok", "e-kirja", "電子", "электрон",
];

/// The format of a binding or medium in any common language: audio, electronic, otherwise print.
pub fn medium(cell: &str) -> BookFormat {
    if let Some(format) = BookFormat::from_name(cell) {
        return format;
    }
    let text = cell.trim().to_lowercase();
    let names = |words: &[&str]| words.iter().any(|word| text.contains(word));
    // These must be separate words, because bindings have names in every language.
    let says = |short: &[&str]| text.split(|c: char| !c.is_alphanumeric()).any(|word| short.contains(&word));
    if text.is_empty() {
        BookFormat::Print
    } else if names(&HEARD) || says(&["cd", "cds"]) {
        BookFormat::Audio
    } else if names(&ELECTRONIC) || says(&["e", "pdf"]) {
        BookFormat::EBook
    } else {
        BookFormat::Print
    }
}

/// Removes what a spreadsheet writes around numbers to keep their zeros: `="0441013597"` is `0441013597`.
pub fn unwrapped(cell: &str) -> &str {
    let text = cell.trim();
    text.strip_prefix("=\"").and_then(|inner| inner.strip_suffix('"')).unwrap_or(cell)
}

/// The parts of a list cell, trimmed and without empty ones.
pub fn list(cell: &str, separator: char) -> impl Iterator<Item = &str> {
    cell.split(separator).map(str::trim).filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> Option<String> {
        date(text, DateOrder::MonthFirst).map(|found| found.to_string())
    }

    #[test]
    fn every_date_of_the_contract_is_read() {
        for text in [
            "2020-03-04",
            "2020/03/04",
            "04.03.2020",
            "4.3.2020",
            "Mar 4, 2020",
            "March 4, 2020",
            "4 March 2020",
            "03/04/2020",
            "3/4/2020",
            "3/4/20",
            "[2020-03-04]",
            "2020-03-04T23:59:59.987Z",
            "2020-03-04T00:00:00.000",
            "2020-03-04 00:00:00",
            "3/4/2020 0:00",
            " 2020-03-04 ",
            "4-Mar-20",
            "04-MAR-2020",
            "4. März 2020",
            "4. Mrz. 2020",
            "4 mars 2020",
            "4 de marzo de 2020",
            "March 4th, 2020",
            "43894",
            "43894.75",
            "20200304",
            "2020年3月4日",
            "2020년 3월 4일",
            "March 04, 2020 17:29",
            "4-Mar-2020 17:29",
            "4. März 2020, 5:29 PM",
            "20200304 17:29",
            "04.03.2020 17:29:01",
            "4. 3. 2020",
            "2020. 3. 4.",
            "Mar. 4, 2020 at 5:29 PM",
            "Wednesday, March 4, 2020",
            "Wed, 04 Mar 2020 17:29:00 GMT",
        ] {
            assert_eq!(day(text).as_deref(), Some("2020-03-04"), "{text}");
        }
        assert_eq!(date("03/04/2020", DateOrder::DayFirst).map(|d| d.to_string()).as_deref(), Some("2020-04-03"));
    }

    #[test]
    fn what_is_no_calendar_date_is_none() {
        for text in [
            "", "2020", "2020-13-01", "2020-02-30", "soon", "1899-12-31", "2101-01-01", "2020-03-04 or so",
            "4. 3. 2020. 1", "at 5:29 PM", "Wednesday", "1/2/3/4", "--", "Mar 2020", "14-Foo-20", "Mar 4 20", "9999",
            "99999", "438940", "20201304", "2020年13月4日", "٢٠٢٠-٠٣-٠٤",
        ] {
            assert_eq!(day(text), None, "{text}");
        }
    }

    #[test]
    fn one_telling_date_decides_for_the_file() {
        let order = |cells: &[&str]| {
            let mut evidence = DateEvidence::default();
            cells.iter().for_each(|cell| evidence.look(cell));
            evidence.verdict()
        };
        assert_eq!(order(&["03/04/2020", "05/06/2021"]), DateOrder::MonthFirst);
        assert_eq!(order(&["03/04/2020", "25/06/2021"]), DateOrder::DayFirst);
        assert_eq!(order(&["6/20/2017 0:00", "03/04/2020"]), DateOrder::MonthFirst);
        assert_eq!(order(&["2020/13/01", "2020/05/25"]), DateOrder::MonthFirst);
        assert_eq!(order(&["03/04/2020-25/06/2021"]), DateOrder::DayFirst, "a span is two dates");
    }

    #[test]
    fn a_file_says_its_order_and_which_dates_leave_a_choice() {
        let seen = |cells: &[&str]| {
            let mut evidence = DateEvidence::default();
            cells.iter().for_each(|cell| evidence.look(cell));
            (evidence.order().name(), evidence.ambiguous().map(|dates| (dates.count, dates.sample)))
        };
        assert_eq!(seen(&["2020/05/06", "2020-05-06", "1.2.2020"]), ("ymd", None));
        assert_eq!(seen(&["05/05/2020", "25/06/2021"]), ("dmy", None));
        assert_eq!(seen(&["3/4/2020", "5/6/2021 0:00"]), ("mdy", Some((2, "3/4/2020".to_owned()))));
    }

    #[test]
    fn a_chosen_order_reads_short_years_first_and_long_years_where_they_are() {
        let read = |text| date(text, DateOrder::YearFirst).map(|day| day.to_string());
        for text in ["20/03/04", "20-03-04", "2020/03/04", "03/04/2020", "4.3.2020"] {
            assert_eq!(read(text).as_deref(), Some("2020-03-04"), "{text}");
        }
    }

    #[test]
    fn numbers_survive_spreadsheets() {
        assert_eq!(whole("1999.0", 9999), Ok(Some(1999)));
        assert_eq!(whole("100,000", 999_999), Ok(Some(100_000)));
        assert_eq!(whole("1.234", 99_999), Ok(Some(1234)));
        assert_eq!(whole("1 234 567", 9_999_999), Ok(Some(1_234_567)));
        assert_eq!(whole("", 1), Ok(None));
        assert_eq!(whole("-2000", 9), Err(BadNumber::OutOfRange));
        assert_eq!(whole("12.5", 99), Err(BadNumber::OutOfRange));
        assert_eq!(whole("many", 99), Err(BadNumber::NotANumber));
        assert_eq!(whole("1e3", 9999), Err(BadNumber::NotANumber));
        assert_eq!(whole("inf", 9999), Err(BadNumber::NotANumber));
    }

    #[test]
    fn stars_are_doubled_and_keep_quarters_and_tenths() {
        for (cell, tenths) in [
            ("3.75", Some(75)),
            ("4.25", Some(85)),
            ("4,5", Some(90)),
            ("5", Some(100)),
            ("0.25", Some(5)),
            ("3.33", Some(67)),
            ("0", None),
            ("", None),
        ] {
            assert_eq!(five_stars(cell), Ok(tenths.map(Rating::of_tenths)), "{cell}");
        }
        assert_eq!(five_stars("6"), Err(BadNumber::OutOfRange));
        assert_eq!(ten_points("0"), Ok(Some(Rating::points(0))));
        assert_eq!(ten_points("8.5"), Ok(Some(Rating::of_tenths(85))));
        assert_eq!(ten_points("8.46"), Ok(Some(Rating::of_tenths(85))));
        assert_eq!(exact_points("7.5"), Ok(Some(Rating::of_tenths(75))));
        for wrong in ["7.55", "11", "-1"] {
            assert_eq!(exact_points(wrong), Err(BadNumber::OutOfRange), "{wrong}");
        }
    }

    #[test]
    fn an_isbn_is_kept_only_with_a_fitting_check_digit() {
        assert_eq!(isbn("0441013597").as_deref(), Some("9780441013593"));
        assert_eq!(isbn("441013597").as_deref(), Some("9780441013593"));
        assert_eq!(isbn("978-0-441-01359-3").as_deref(), Some("9780441013593"));
        assert_eq!(isbn("9780441013593.0").as_deref(), Some("9780441013593"));
        assert_eq!(isbn("080442957x").as_deref(), Some("9780804429573"));
        for damaged in ["9.78006E+12", "9780441013590", "B0084FWN26", "", "0000000000", "123", "9"] {
            assert_eq!(isbn(damaged), None, "{damaged}");
        }
        for meant in ["9.78006E+12", "9780441013590", "[044101359X]", "=\"123\""] {
            assert!(is_damaged_isbn(meant), "{meant}");
        }
        for other in ["B0084FWN26", "", "=\"\"", "0000000000", "0441013590, 9780441013590", "4f9c-22"] {
            assert!(!is_damaged_isbn(other), "{other}");
        }
    }

    #[test]
    fn bindings_of_every_language_fall_into_three_formats() {
        for heard in [
            "Audiobook",
            "Audible Audio",
            "Audio CD",
            "MP3 CD",
            "Audio Cassette",
            "audio",
            "Hörbuch",
            "Audiolivro",
            "Preloaded Digital Audio Player",
            "オーディオブック",
        ] {
            assert_eq!(medium(heard), BookFormat::Audio, "{heard}");
        }
        for electronic in [
            "Kindle Edition", "ebook", "eBook", "digital", "Nook", "Libro electrónico", "E-Book", "Livre numérique",
            "電子書籍",
        ] {
            assert_eq!(medium(electronic), BookFormat::EBook, "{electronic}");
        }
        for printed in [
            "Paperback", "Tapa blanda", "Gebundene Ausgabe", "コミック", "文庫", "Mass Market Paperback",
            "Unknown Binding", "", "Taschenbuch",
        ] {
            assert_eq!(medium(printed), BookFormat::Print, "{printed}");
        }
    }

    #[test]
    fn a_number_wrapped_for_a_spreadsheet_is_unwrapped() {
        assert_eq!(unwrapped("=\"0441013597\""), "0441013597");
        assert_eq!(unwrapped("=\"\""), "");
        assert_eq!(unwrapped("=\""), "=\"");
        assert_eq!(unwrapped(" spaced "), " spaced ");
    }
}
