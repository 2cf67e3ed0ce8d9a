//! Splits a file into rows of cells, for files of any program.
use std::borrow::Cow;
use std::ops::Range;

use csv::{ReaderBuilder, StringRecord};

use super::columns::folded;
use super::encoding::{decoded, decoded_once};
use crate::kit::deadline::Deadline;
use crate::library::clippings::read::program;
use crate::library::import::formats::own;

/// The largest file that is read, in bytes.
pub const LARGEST_FILE: usize = 20 * 1024 * 1024;
/// The most rows of a file, without the header.
pub const MOST_ROWS: usize = 100_000;
/// The most columns of a file. The rows that are given back have a cell for each.
pub const MOST_COLUMNS: usize = 500;
/// How much may be read again after rows whose quotes have swallowed others: a multiple of the file's size, and at least this
/// many bytes.
const READ_AGAIN: (usize, usize) = (20, 1024 * 1024);

/// After so many rows long work looks at its deadline.
pub const ROWS_BETWEEN_LOOKS: usize = 500;

/// Why a file is not read at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// Over [`LARGEST_FILE`].
    #[error("This file is larger than 20 MB. Split it into smaller ones. Nothing was imported.")]
    TooLarge,
    /// A file over [`LARGEST_FILE`] in a form. The command line reads complete exports of up to [`super::complete::LARGEST_ARCHIVE`].
    #[error(
        "This file is larger than 20 MB. Split it into smaller ones, or import the tables of an archive one by one. A complete export of up to 256 MB can be imported by the person who runs this server (shelfwise import). Nothing was imported."
    )]
    UploadTooLarge,
    /// Over [`MOST_ROWS`].
    #[error("This file has more than 100,000 rows. Split it into smaller ones. Nothing was imported.")]
    TooManyRows,
    /// Over [`MOST_COLUMNS`].
    #[error("This file has more than 500 columns. Remove those that have no data. Nothing was imported.")]
    TooManyColumns,
    /// The name has another extension than those of tables, and of archives with one.
    #[error(
        "Only .csv files can be imported, .tsv, .txt or .json as some trackers write them, and a .zip with one of these in it. Nothing was imported."
    )]
    OtherEnding,
    /// The name is that of a spreadsheet.
    #[error(
        "Only .csv files can be imported, and this is a spreadsheet. Save it as CSV first: in Excel with File, Save As, CSV UTF-8; in LibreOffice with File, Save As, Text CSV; in Google Sheets with File, Download, Comma-separated values. Nothing was imported."
    )]
    Spreadsheet,
    /// The file has no rows.
    #[error("This file is empty. Nothing was imported.")]
    Empty,
    /// A workbook with another file extension.
    #[error(
        "This is a spreadsheet file with another ending, not a CSV. Save it as CSV first: in Excel with File, Save As, CSV UTF-8; in LibreOffice with File, Save As, Text CSV. Nothing was imported."
    )]
    Workbook,
    /// An archive without a table.
    #[error("This archive has no CSV file in it. Nothing was imported.")]
    NoTable,
    /// An archive with these tables.
    #[error("This archive has several tables: {0}. Unpack it and import one of them. Nothing was imported.")]
    SeveralTables(String),
    /// An archive that is damaged, or that needs a password.
    #[error("This archive can't be opened. Unpack it and import the CSV file in it. Nothing was imported.")]
    ClosedArchive,
    /// A file of a complete export that has another form than the program writes.
    #[error("{0} in this archive can't be read. Nothing was imported.")]
    Part(String),
    /// Reading took too long, or nobody waits for it any more.
    #[error("Reading this file took too long. Nothing was imported.")]
    TookTooLong,
    /// JSON of another program.
    #[error(
        "Of JSON files only LibraryThing's and Libby's can be imported, and this is neither. Nothing was imported."
    )]
    OtherJson,
    /// LibraryThing's JSON with something behind its books.
    #[error(
        "This file is damaged: there is something behind LibraryThing's books. Export it again. Nothing was imported."
    )]
    DamagedJson,
    /// The marks of a merge in a version control.
    #[error("This file has the marks of a merge conflict in it. Export it again. Nothing was imported.")]
    MergeConflict,
    /// Passages that a reader marked, which are no books.
    #[error(
        "These are highlights, not books. They belong in the quotes of the books they come from. Nothing was imported."
    )]
    Highlights,
    /// Neither text nor a known binary format.
    #[error("This file is not text, so it cannot be a CSV. Nothing was imported.")]
    NotText,
}

/// Refuses names with extensions other than those of tables, and of archives with one. A missing name is accepted, because scripts may
/// send none.
pub fn check_name(name: Option<&str>) -> Result<(), Unreadable> {
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return Ok(());
    };
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("csv" | "tsv" | "txt" | "json" | "zip") => Ok(()),
        Some("xlsx" | "xls" | "xlsm" | "ods" | "numbers") => Err(Unreadable::Spreadsheet),
        _ => Err(Unreadable::OtherEnding),
    }
}

/// A row: its cells, its position in the file, and its raw text.
#[derive(Clone, Debug, Default)]
pub struct SheetRow {
    /// The line on which the row begins; the first line of the file is 1.
    pub line: u64,
    /// The cells in the order of the file.
    pub cells: StringRecord,
    /// The range of the row's text in [`Sheet::text`], without the line break after it.
    pub raw: Range<usize>,
    /// Whether the cells can be separated.
    pub quotes: Quotes,
}

/// The state of the quotes in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quotes {
    /// They mark the beginning and end of cells.
    #[default]
    Sound,
    /// A quote opens in this row and never closes.
    Open,
    /// A quote is misplaced and has moved other cells to other columns.
    Stray,
}

/// A decoded file, ready to be read row by row.
#[derive(Debug)]
pub struct Sheet<'a> {
    /// The whole file as text, without a byte order mark.
    pub text: Cow<'a, str>,
    /// Whether the text was decoded twice, which is undone.
    pub is_mended: bool,
    /// The separator of cells.
    pub delimiter: u8,
    quoting: bool,
    start: usize,
    /// Where the last row ends, without the line breaks behind it.
    end: usize,
    first_line: u64,
}

impl<'a> Sheet<'a> {
    /// Decodes a file and detects the separator of its cells.
    pub fn open(bytes: &'a [u8]) -> Result<Self, Unreadable> {
        if bytes.len() > LARGEST_FILE {
            return Err(Unreadable::TooLarge);
        }
        if [&b"PK\x03\x04"[..], b"\xd0\xcf\x11\xe0", b"{\\rtf"].iter().any(|magic| bytes.starts_with(magic)) {
            return Err(Unreadable::Workbook);
        }
        let mut text = decoded(bytes);
        let mended = if text.starts_with(own::OPENING) { None } else { decoded_once(&text) };
        let is_mended = mended.is_some();
        text = mended.map_or(text, Cow::Owned);
        if (is_binary(&text) && !text.starts_with(own::OPENING)) || bytes.starts_with(b"%PDF-") {
            return Err(Unreadable::NotText);
        }
        let lead = text.len() - text.trim_start_matches(['\n', '\r', ' ', '\u{feff}']).len();
        let (first_line, end) = (1 + breaks(&text[..lead]), text.trim_end_matches(['\n', '\r']).len());
        let mut sheet = Sheet { is_mended, delimiter: b',', quoting: true, start: lead, end, first_line, text };
        if sheet.text[lead..].is_empty() {
            return Err(Unreadable::Empty);
        }
        if sheet.text[lead..].starts_with("<<<<<<< ") {
            return Err(Unreadable::MergeConflict);
        }
        if program(&sheet.text[lead..]).is_some() {
            return Err(Unreadable::Highlights);
        }
        sheet.separate();
        Ok(sheet)
    }

    /// Determines separator and quoting from the first line.
    fn separate(&mut self) {
        let first = &self.text[self.start..];
        let line_end = first.find(['\n', '\r']).unwrap_or(first.len());
        // Spreadsheets name an unusual separator on a line of its own.
        if let Some([delimiter @ (b',' | b';' | b'\t')]) =
            first[..line_end].trim_matches('"').strip_prefix("sep=").map(str::as_bytes)
        {
            self.delimiter = *delimiter;
            let rest = &first[line_end..];
            let skipped = rest.len() - rest.trim_start_matches(['\n', '\r']).len();
            self.first_line += breaks(&rest[..skipped]);
            self.start += line_end + skipped;
            return;
        }
        let counts = count_outside_quotes(first);
        self.delimiter = [(counts[2], b'\t'), (counts[1], b';'), (counts[0], b',')]
            .into_iter()
            .max_by_key(|(count, _)| *count)
            .map_or(b',', |(_, byte)| byte);
        // LibraryThing writes quotes literally and never around a cell.
        self.quoting =
            self.delimiter != b'\t' || !first[..line_end].split('\t').any(|name| folded(name) == "primaryauthor");
    }

    /// Calls `each` with every row, including the header, until it returns false.
    pub fn rows(&self, deadline: &Deadline, mut each: impl FnMut(&SheetRow) -> bool) -> Result<(), Unreadable> {
        let (mut row, mut count) = (SheetRow::default(), 0_usize);
        let mut is_late = false;
        let mut each = |row: &SheetRow| {
            count += 1;
            is_late = count.is_multiple_of(ROWS_BETWEEN_LOOKS) && deadline.has_passed();
            !is_late && each(row)
        };
        let (mut from, mut line, mut width) = (self.start, self.first_line, None);
        let mut again = (READ_AGAIN.0 * self.text.len()).max(READ_AGAIN.1);
        while from < self.text.len() {
            let (quotes, end) = match self.run((from, line), &mut width, &mut row, &mut each) {
                Ended::AtTheEnd | Ended::Stopped => break,
                Ended::Swallowing(quotes) => (quotes, row.raw.end),
            };
            // The row has swallowed others: report only its first line and continue after it.
            let rest = &self.text[row.raw.start..];
            let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
            let cost = end - row.raw.start;
            row.raw.end = row.raw.start + length;
            row.quotes = quotes;
            row.cells = StringRecord::from(vec![&rest[..length]]);
            if !each(&row) || cost > again {
                break;
            }
            again -= cost;
            row.quotes = Quotes::Sound;
            let breaks_end = length + rest[length..].len() - rest[length..].trim_start_matches(['\n', '\r']).len();
            line = row.line + breaks(&rest[length..breaks_end]);
            from = row.raw.start + breaks_end;
        }
        if is_late { Err(Unreadable::TookTooLong) } else { Ok(()) }
    }

    /// Reads on from a position in the text and its line. `width` is the number of cells in the file's first row.
    fn run(
        &self,
        (from, first_line): (usize, u64),
        width: &mut Option<usize>,
        row: &mut SheetRow,
        each: &mut impl FnMut(&SheetRow) -> bool,
    ) -> Ended {
        let text = &self.text[from..];
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(self.delimiter)
            .quoting(self.quoting)
            .from_reader(text.as_bytes());
        let (mut counted, mut line) = (0, first_line);
        let mut next = StringRecord::new();
        // The text is valid UTF-8, so a record can't fail; the loop ends with the file.
        while matches!(reader.read_record(&mut next), Ok(true)) {
            let begin = next.position().map_or(0, |position| usize::try_from(position.byte()).unwrap_or(0));
            let begin = begin + text[begin..].len() - text[begin..].trim_start_matches(['\n', '\r']).len();
            let end = usize::try_from(reader.position().byte()).unwrap_or(text.len()).min(text.len());
            let end = begin + text[begin..end.max(begin)].trim_end_matches(['\n', '\r']).len();
            line += breaks(&text[counted..begin]);
            counted = begin;
            std::mem::swap(&mut row.cells, &mut next);
            row.line = line;
            row.raw = from + begin..from + end;
            if self.quoting && from + end >= self.end && ends_inside_quotes(&text[begin..], self.delimiter) {
                return Ended::Swallowing(Quotes::Open);
            }
            let stray = self.quoting
                && width.is_some_and(|width| is_suspect(&row.cells, width))
                && has_stray_quote(&text[begin..end], self.delimiter, *width == Some(row.cells.len()));
            if stray && text[begin..end].contains(['\n', '\r']) {
                return Ended::Swallowing(Quotes::Stray);
            }
            row.quotes = if stray { Quotes::Stray } else { Quotes::Sound };
            if !row.cells.iter().all(|cell| cell.trim().is_empty()) {
                width.get_or_insert(row.cells.len());
                if !each(row) {
                    return Ended::Stopped;
                }
            }
        }
        Ended::AtTheEnd
    }
}

enum Ended {
    AtTheEnd,
    Stopped,
    /// At a row whose quotes have swallowed the rows after it.
    Swallowing(Quotes),
}

/// The number of line breaks in `text`: LF, CRLF and CR each count as one.
fn breaks(text: &str) -> u64 {
    let bytes = text.as_bytes();
    // A LF right after a CR was counted with it.
    let is_break = |at: &usize| bytes[*at] == b'\r' || *at == 0 || bytes[*at - 1] != b'\r';
    memchr::memchr2_iter(b'\r', b'\n', bytes).filter(is_break).count() as u64
}

/// The numbers of commas, semicolons and tabs in the first row, outside of quotes.
fn count_outside_quotes(text: &str) -> [usize; 3] {
    let mut counts = [0; 3];
    let mut quoted = false;
    for b in text.bytes() {
        match b {
            b'"' => quoted = !quoted,
            b'\n' | b'\r' if !quoted => break,
            b',' if !quoted => counts[0] += 1,
            b';' if !quoted => counts[1] += 1,
            b'\t' if !quoted => counts[2] += 1,
            _ => {}
        }
    }
    counts
}

/// Whether the last cell of `row` has an opening quote without a closing one, by the rules of the CSV reader.
fn ends_inside_quotes(row: &str, delimiter: u8) -> bool {
    let (mut quoted, mut cell_start, mut bytes) = (false, true, row.bytes().peekable());
    while let Some(b) = bytes.next() {
        if quoted {
            if b == b'"' && bytes.next_if_eq(&b'"').is_none() {
                quoted = false;
            }
        } else if b == b'"' && cell_start {
            quoted = true;
            cell_start = false;
        } else {
            cell_start = b == delimiter || b == b'\n' || b == b'\r';
        }
    }
    quoted
}

/// Whether the quotes of a row need to be checked.
fn is_suspect(cells: &StringRecord, width: usize) -> bool {
    cells.len() != width || cells.as_slice().contains('"')
}

/// Whether a misplaced quote opened a cell and so swallowed a separator. Text after a closing quote alone only shows quotes
/// inside quotes, which are read as intended. It is an error when the number of cells differs from the header's, or when a later
/// cell contains a quote that opens nothing.
fn has_stray_quote(row: &str, delimiter: u8, is_whole: bool) -> bool {
    let bytes = row.as_bytes();
    let (mut at, mut goes_on, mut bare) = (0, false, false);
    while at < bytes.len() {
        let start = at;
        if bytes[at] == b'"' {
            at = closing_quote(bytes, at + 1) + 1;
        }
        let rest = at.min(bytes.len());
        at = rest + bytes[rest..].iter().position(|b| *b == delimiter).unwrap_or(bytes.len() - rest);
        let text = row[rest..at].trim();
        if start < rest {
            goes_on |= !text.is_empty();
        } else {
            // Trackers write numbers in this form without quotes around them: ="0441013597"
            bare |= text.contains('"') && !text.starts_with('=');
        }
        at += 1;
    }
    goes_on && (bare || !is_whole)
}

/// The position of the quote that closes a cell, ignoring doubled quotes; the text's length if there is none.
fn closing_quote(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'"', Some(b'"')) => at += 2,
            (b'"', _) => return at,
            _ => at += 1,
        }
    }
    at
}

/// Whether a text has more control characters than any text file.
fn is_binary(text: &str) -> bool {
    let start: Vec<char> = text.chars().take(4_000).collect();
    let strange =
        start.iter().filter(|c| (c.is_control() && !matches!(c, '\n' | '\r' | '\t')) || **c == '\u{fffd}').count();
    strange * 10 > start.len()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::library::import::complete::LARGEST_ARCHIVE;
    use proptest::prelude::*;

    fn read(bytes: &[u8]) -> Vec<(u64, Vec<String>)> {
        let mut rows = Vec::new();
        Sheet::open(bytes)
            .unwrap()
            .rows(&Deadline::default(), |row| {
                rows.push((row.line, row.cells.iter().map(str::to_owned).collect()));
                true
            })
            .unwrap();
        rows
    }

    fn cells(bytes: &[u8]) -> Vec<Vec<String>> {
        read(bytes).into_iter().map(|(_, cells)| cells).collect()
    }

    #[test]
    fn every_encoding_of_the_contract_reads_alike() {
        let text = "Title,Author\nÉmile Zola’s Œuvre – “1”,Zoë\n";
        let wanted =
            vec![vec!["Title".to_owned(), "Author".into()], vec!["Émile Zola’s Œuvre – “1”".into(), "Zoë".into()]];
        let utf16 = |unit: fn(u16) -> [u8; 2], mark: bool| -> Vec<u8> {
            let mark = if mark { "\u{feff}" } else { "" };
            format!("{mark}{text}").encode_utf16().flat_map(unit).collect()
        };
        for bytes in [
            text.as_bytes().to_vec(),
            format!("\u{feff}{text}").into_bytes(),
            utf16(u16::to_le_bytes, true),
            utf16(u16::to_be_bytes, true),
            encoding_rs::WINDOWS_1252.encode(text).0.into_owned(),
        ] {
            assert_eq!(cells(&bytes), wanted);
        }
        let plain = "Title,Author\nDune,Herbert\n";
        let unmarked: Vec<u8> = plain.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(cells(&unmarked)[1], ["Dune", "Herbert"]);
    }

    #[test]
    fn a_file_of_an_old_mac_keeps_its_accents() {
        let rows = cells(b"Title,Author\rCaf\x8e,Zo\x91 M\x9fller\r");
        assert_eq!(rows[1], ["Café", "Zoë Müller"]);
    }

    #[test]
    fn files_of_east_asia_keep_their_characters() {
        let japanese = "Title,Author\n吾輩は猫である,夏目漱石\n銀河鉄道の夜,宮沢賢治\n海辺のカフカ,村上春樹\n";
        let chinese = "Title,Author\n红楼梦,曹雪芹\n三国演义,罗贯中\n骆驼祥子,老舍\n平凡的世界,路遥\n";
        let korean = "Title,Author\n채식주의자,한강\n엄마를 부탁해,신경숙\n소년이 온다,한강\n";
        for (text, encoding) in [
            (japanese, encoding_rs::SHIFT_JIS),
            (japanese, encoding_rs::EUC_JP),
            (chinese, encoding_rs::GB18030),
            (korean, encoding_rs::EUC_KR),
        ] {
            assert_eq!(cells(&encoding.encode(text).0), cells(text.as_bytes()), "{}", encoding.name());
        }
    }

    #[test]
    fn utf8_with_stray_bytes_stays_utf8() {
        let mut bytes = "Title\tPrimary Author\tSubjects\nRayuela é\tCortázar, Julio\tCort".as_bytes().to_vec();
        bytes.extend(b"\xe2azar|V\xe5atsy\xe5ayana\n");
        let rows = cells(&bytes);
        assert_eq!(rows[1][1], "Cortázar, Julio");
        assert!(rows[1][2].starts_with("Cort\u{fffd}"));
    }

    #[test]
    fn delimiters_and_line_ends_are_found_out() {
        for text in ["A,B\nx,y", "A;B\r\nx;y\r\n", "A\tB\rx\ty\r", "sep=;\nA;B\nx;y\n", "\n\nA,B\n\nx,y\n\n"] {
            let rows = cells(text.as_bytes());
            assert_eq!(rows, [["A", "B"], ["x", "y"]], "{text:?}");
        }
    }

    #[test]
    fn a_row_is_named_by_the_line_on_which_it_begins() {
        let lines = |text: &str| read(text.as_bytes()).into_iter().map(|(line, _)| line).collect::<Vec<_>>();
        assert_eq!(lines("A,B\n1,\"two\nlines\"\n2,x\n\n3,y"), [1, 2, 4, 6]);
        assert_eq!(lines("A,B\r\n1,\"two\r\nlines\"\r\n2,x\r\n"), [1, 2, 4]);
        assert_eq!(lines("A,B\r1,\"two\rlines\"\r2,x"), [1, 2, 4]);
        assert_eq!(lines("sep=,\r\nA,B\r\n1,x"), [2, 3]);
    }

    #[test]
    fn bare_spreadsheet_quotes_and_nul_stay_in_their_cell() {
        assert_eq!(
            cells(b"A,B\n=\"0765312182\",x\n\"=\"\"0441013597\"\"\",y\0z\n")[1..],
            [["=\"0765312182\"", "x"], ["=\"0441013597\"", "y\0z"]]
        );
    }

    #[test]
    fn quotes_mean_nothing_in_a_librarything_file() {
        let rows = cells(b"Title\tPrimary Author\n\"Q\" is for\tGrafton, Sue\n\"open\tNobody\nNext\tOne\n");
        assert_eq!(rows[1], ["\"Q\" is for", "Grafton, Sue"]);
        assert_eq!(rows.len(), 4);
    }

    /// The line of each row, the state of its quotes, and its first cell.
    fn quotes(text: &str) -> Vec<(u64, Quotes, String)> {
        let mut rows = Vec::new();
        Sheet::open(text.as_bytes())
            .unwrap()
            .rows(&Deadline::default(), |row| {
                rows.push((row.line, row.quotes, row.cells.get(0).unwrap_or_default().to_owned()));
                true
            })
            .unwrap();
        rows
    }

    #[test]
    fn a_quote_that_never_closes_costs_one_row() {
        let rows = quotes("A,B\n1,\"open\n2,x\n3,\"y\"\n4,\"also\n5,z");
        let broken: Vec<u64> = rows.iter().filter(|row| row.1 != Quotes::Sound).map(|row| row.0).collect();
        assert_eq!(broken, [5], "{rows:?}");
        assert_eq!(rows.last().map(|row| row.2.as_str()), Some("5"));
        let many = "\"a\n".repeat(101);
        assert_eq!(quotes(&format!("A,B\n{many}1,x")).len(), 103, "however many there are in a small file");
    }

    #[test]
    fn a_stray_quote_that_moves_cells_is_reported_and_costs_one_row() {
        let read_row = |row: &str| quotes(&format!("Id,Title,Author,ISBN\n{row}\n9,Next,\"Author, Ada\",x\n"));
        // Before the first cell: as many cells as there should be, fewer, and none of them in its place.
        for row in [
            "\"1,\"Sand World (Desert, #1)\",Ada,x",
            "\"1,Sand World,\"Author, Ada\",x",
            "\"1,Sand World,Ada,=\"0441013597\"",
            "1,\"Sand World,Ada,=\"0441013597\"",
            "\"1,Sand World,Ada,x",
        ] {
            let rows = read_row(row);
            let lines: Vec<_> = rows.iter().map(|row| (row.0, row.1)).collect();
            assert_eq!(lines, [(1, Quotes::Sound), (2, Quotes::Stray), (3, Quotes::Sound)], "{row}: {rows:?}");
            assert_eq!(rows[2].2, "9");
        }
    }

    #[test]
    fn quotes_inside_quotes_are_read_as_they_were_meant() {
        for (row, title) in [
            ("1,\"She said \"no\" to it\",Ada,=\"0441013597\"", "She said no\" to it\""),
            ("1,\"Two\nlines and \"one\" more\",Ada,x", "Two\nlines and one\" more\""),
            ("1,\"A \"\"quoted\"\" word, and more\",Ada,x", "A \"quoted\" word, and more"),
            ("1,5\" floppy,\"Author, Ada\",x", "5\" floppy"),
            ("1,\"Spaced\" ,Ada", "Spaced "),
        ] {
            let text = format!("Id,Title,Author,ISBN\n{row}\n9,Next,Ada,x\n");
            assert!(quotes(&text).iter().all(|row| row.1 == Quotes::Sound), "{row}: {:?}", quotes(&text));
            assert_eq!(cells(text.as_bytes())[1][1], title);
        }
    }

    #[test]
    fn what_is_no_table_is_refused_in_words() {
        assert_eq!(Sheet::open(b"").unwrap_err(), Unreadable::Empty);
        assert_eq!(Sheet::open(b"\xef\xbb\xbf\r\n").unwrap_err(), Unreadable::Empty);
        assert_eq!(Sheet::open(b"PK\x03\x04rest").unwrap_err(), Unreadable::Workbook);
        assert_eq!(Sheet::open(&[0, 1, 2, 3, 255, 254, 0, 7, 0, 0, 5]).unwrap_err(), Unreadable::NotText);
        assert!(check_name(Some("books.XLSX")).is_err());
        assert!(check_name(Some("csv")).is_err());
        for name in [Some("a.csv"), Some("A.TSV"), Some("b.c.txt"), None] {
            assert!(check_name(name).is_ok());
        }
    }

    proptest! {
        #[test]
        fn no_soup_of_bytes_panics(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            if let Ok(sheet) = Sheet::open(&bytes) {
                sheet.rows(&Deadline::default(), |row| { let _ = &sheet.text[row.raw.clone()]; true }).unwrap();
            }
        }

        #[test]
        fn no_soup_of_separators_panics_and_lines_only_rise(text in "[a,;\t\"\r\n =]{0,60}") {
            if let Ok(sheet) = Sheet::open(text.as_bytes()) {
                let mut last = 0;
                sheet.rows(&Deadline::default(), |row| { let _ = &sheet.text[row.raw.clone()]; assert!(row.line > last); last = row.line; true }).unwrap();
            }
        }

        #[test]
        fn what_a_csv_writer_wrote_is_read_back(rows in proptest::collection::vec(proptest::collection::vec("[a-zé,;\"\r\n=']{1,8}", 3), 1..8)) {
            let mut writer = csv::Writer::from_writer(Vec::new());
            writer.write_record(["h1", "h2", "h3"]).unwrap();
            for row in &rows { writer.write_record(row).unwrap(); }
            let read = cells(&writer.into_inner().unwrap());
            let wanted: Vec<_> = rows.into_iter().filter(|row| !row.iter().all(|cell| cell.trim().is_empty())).collect();
            prop_assert_eq!(&read[1..], &wanted[..]);
        }
    }

    /// The processor's time for reading a file of a header, rows, and a run of one character, both so many times as long.
    fn cost(run: &str, times: usize) -> Duration {
        let rows: String = (0..8 * times).map(|row| format!("T{row},A,undated\n")).collect();
        let text = format!("Title,Author,Status\n{rows}{}", run.repeat(2_000 * times));
        let now = || Duration::try_from(rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime)).unwrap();
        let begun = now();
        if let Ok(sheet) = Sheet::open(text.as_bytes()) {
            sheet.rows(&Deadline::default(), |_| true).unwrap();
        }
        now() - begun
    }

    #[test]
    fn the_time_to_read_a_file_grows_as_its_bytes_do() {
        for run in ["\n", "\r", "\r\n", " ", "\"", ",", ";", "\t", "a", "\"\n", "\"a\n", ",\n", "é", "="] {
            let least = |times| (0..2).map(|_| cost(run, times)).min().unwrap();
            let (short, long) = (least(1), least(12));
            assert!(long < short * 48, "{run:?}: {short:?}, 12 times as long {long:?}");
        }
    }

    #[test]
    fn reading_ends_at_its_deadline_and_with_its_caller() {
        let text = "A,B\n".repeat(2_000);
        let read = |deadline: &Deadline| {
            let mut rows = 0;
            let read = Sheet::open(text.as_bytes()).unwrap().rows(deadline, |_| {
                rows += 1;
                true
            });
            (read, rows < ROWS_BETWEEN_LOOKS)
        };
        let (deadline, caller) = Deadline::within(Duration::from_secs(600));
        assert_eq!(read(&deadline), (Ok(()), false));
        drop(caller);
        assert_eq!(read(&deadline), (Err(Unreadable::TookTooLong), true));
        assert_eq!(read(&Deadline::within(Duration::ZERO).0), (Err(Unreadable::TookTooLong), true));
    }

    #[test]
    fn sentences_of_program_and_interface_name_the_limits_that_are_checked() {
        let size = format!("{} MB", LARGEST_FILE / 1024 / 1024);
        let rows = format!("{} rows", crate::library::text::grouped(u64::try_from(MOST_ROWS).unwrap()));
        let archive = format!("{} MB", LARGEST_ARCHIVE / 1024 / 1024);
        assert!(Unreadable::TooLarge.to_string().contains(&size), "{size}");
        assert!(Unreadable::UploadTooLarge.to_string().contains(&size), "{size}");
        assert!(Unreadable::UploadTooLarge.to_string().contains(&archive), "{archive}");
        assert!(Unreadable::TooManyRows.to_string().contains(&rows), "{rows}");
        let interface = concat!(env!("CARGO_MANIFEST_DIR"), "/ui/src/library/import/");
        let stated = |file: &str| std::fs::read_to_string(format!("{interface}{file}")).unwrap();
        assert!(stated("FilePicker.tsx").contains(&format!("up to {size} and {rows}")));
        let model = stated("model.ts");
        assert_eq!(model.matches(&format!("larger than {size}.")).count(), 2);
        assert!(model.contains(&format!("LARGEST_FILE = {} * 1024 * 1024;", LARGEST_FILE / 1024 / 1024)));
    }
}
