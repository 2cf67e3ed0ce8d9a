//! Files for other programs, read by the rules of their importers, which are written here once more and share nothing with ours.
use csv::{ReaderBuilder, StringRecord};

use super::columns::FORMS;
use super::entry::ExportEntry;
use super::{Answers, ExportFormat, File, Quotes, RoughDates, Rounding};
use crate::library::books::facts::{BookFacts, Contributor, ContributorRole, Series};
use crate::library::books::model::{Book, BookDraft, BookFormat, BookId, BookStatus, ReadingProgress};
use crate::library::books::rating::Rating;
use crate::library::export::stored;
use crate::library::tbr::model::{TbrId, TbrItem};
use crate::library::text::date;

fn book(id: i64, work: i64, draft: BookDraft) -> Book<'static> {
    Book { id: BookId(id), work: BookId(work), ..stored(&draft.checked().unwrap()) }
}

/// Two reads of Emma, Momo on an unknown day, Dune in progress, Ulysses given up, Persuasion in a spring, and an item of the list.
fn written(program: ExportFormat, answers: &Answers) -> String {
    let emma = |start: &str, end: &str, tenths: i64, text: &str| BookDraft {
        title: "Emma".to_owned(),
        authors: vec!["Jane Austen".to_owned()],
        isbn: Some("9780441013593".to_owned()),
        pages: Some(412),
        status: BookStatus::Completed,
        start_date: date(start),
        date_completed: date(end),
        rating: Some(Rating::of_tenths(tenths)),
        impressions: Some(text.to_owned()),
        quotes: ["Badly done"].into_iter().collect(),
        genres: vec!["Classics".to_owned()],
        facts: BookFacts {
            series: Some(Series { name: "Austen".to_owned(), number: Some("4".to_owned()) }),
            tags: vec!["owned".to_owned(), "slow".to_owned()],
            contributors: vec![Contributor { name: "Ann Lee".to_owned(), role: ContributorRole::Translator }],
            publisher: Some("Ace".to_owned()),
            published: Some("2011-06".to_owned()),
            original_year: Some(1815),
            language: Some("en".to_owned()),
            private: false,
        },
        ..BookDraft::default()
    };
    let plain = |title: &str, status: BookStatus| BookDraft {
        title: title.to_owned(),
        authors: vec!["A B".to_owned()],
        status,
        ..BookDraft::default()
    };
    let dune = BookDraft {
        start_date: date("2024-06-01"),
        paused_since: date("2024-06-09"),
        pages: Some(500),
        ..plain("Dune", BookStatus::InProgress)
    };
    let ulysses = BookDraft {
        stopped_date: date("2024-03-04"),
        start_date: date("2024-02-01"),
        ..plain("Ulysses", BookStatus::DidNotFinish)
    };
    let persuasion = BookDraft {
        completed_from: date("2020-03-01"),
        date_completed: date("2020-05-31"),
        format: BookFormat::Audio,
        ..plain("Persuasion", BookStatus::Completed)
    };
    let works = [
        vec![
            book(1, 1, emma("2019-12-20", "2020-01-02", 75, "First")),
            book(2, 1, emma("2024-05-01", "2024-05-06", 90, "One\r\nTwo \"three\"")),
        ],
        vec![book(3, 3, plain("Momo", BookStatus::Undated))],
        vec![Book {
            progress: Some(ReadingProgress { at: 2_400, page: None, day: date("2024-06-08").unwrap() }),
            ..book(4, 4, dune)
        }],
        vec![book(5, 5, ulysses)],
        vec![book(6, 6, persuasion)],
    ];
    let item = TbrItem {
        id: TbrId(1),
        title: "=Kim".into(),
        author: Some("Rudyard Kipling".into()),
        word_count: None,
        notes: Some("Later".into()),
        pages: None,
        isbn: Some("9783522202589".into()),
        format: None,
        tags: Vec::new(),
        word_count_source: None,
        position: 1,
        created_at: "2025-01-03T10:00:00Z".into(),
    };
    let form = &FORMS.iter().find(|(known, _)| *known == program).unwrap().1;
    let mut csv = Vec::new();
    let mut file = File::new(form, answers, &mut csv).unwrap();
    for reads in &works {
        file.add(&ExportEntry::Reads(reads)).unwrap();
    }
    file.add(&ExportEntry::Item(&item, 1)).unwrap();
    file.0.flush().unwrap();
    drop(file);
    String::from_utf8(csv).unwrap()
}

fn records(text: &str) -> Vec<StringRecord> {
    ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes()).records().map(Result::unwrap).collect()
}

/// The cells of the named columns, row by row.
fn cells(text: &str, names: &[&str]) -> Vec<String> {
    let all = records(text);
    let at = |name: &&str| all[0].iter().position(|column| column == *name).unwrap_or_else(|| panic!("no {name}"));
    let row = |row: &StringRecord| names.iter().map(|name| &row[at(name)]).collect::<Vec<_>>().join(" | ");
    all[1..].iter().map(row).collect()
}

#[test]
fn goodreads_columns_are_those_of_its_own_file_with_its_habits() {
    let text = written(ExportFormat::Goodreads, &Answers::default());
    let head = "Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,\
        Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,\
        Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies\n";
    assert!(text.starts_with(head), "{text}");
    assert!(text.contains(",\"=\"\"9780441013593\"\"\","), "{text}");
    assert_eq!(
        cells(&text, &["Title", "My Rating", "Date Read", "Exclusive Shelf", "Read Count"]),
        [
            "Emma (Austen, #4) | 5 | 2024/05/06 | read | 2",
            "Momo | 0 |  | read | 1",
            "Dune | 0 |  | currently-reading | 0",
            "Ulysses | 0 |  | did-not-finish | 0",
            "Persuasion | 0 | 2020/05/31 | read | 1",
            "'=Kim | 0 |  | to-read | 0",
        ]
    );
    let emma = &cells(&text, &["Bookshelves", "My Review", "Owned Copies", "Author l-f", "Additional Authors"])[0];
    assert_eq!(emma, "classics, slow | One<br/>Two \"three\" | 1 | Austen, Jane | Ann Lee");
    assert_eq!(cells(&text, &["Bookshelves with positions", "Private Notes"])[5], "to-read (#1) | Later");
    for same in [ExportFormat::StoryGraph, ExportFormat::LibraryThing] {
        assert_eq!(written(same, &Answers::default()), text, "they read Goodreads' form");
    }
}

#[test]
fn the_three_questions_are_heard() {
    let rounded = |ratings| {
        let text = written(ExportFormat::Goodreads, &Answers { ratings, ..Answers::default() });
        cells(&text, &["My Rating"])[0].clone()
    };
    // Nine points are four stars and a half.
    assert_eq!([rounded(None), rounded(Some(Rounding::Up)), rounded(Some(Rounding::Down))], ["5", "5", "4"]);
    let asked = Answers { rough_dates: RoughDates::None, quotes: Quotes::Append, ..Answers::default() };
    let text = written(ExportFormat::Goodreads, &asked);
    assert_eq!(cells(&text, &["Date Read"])[4], "");
    assert_eq!(cells(&text, &["My Review"])[0], "One<br/>Two \"three\"<br/><br/>\u{201c}Badly done\u{201d}");
    assert_eq!(cells(&written(ExportFormat::Openreads, &asked), &["notes"])[0], "\u{201c}Badly done\u{201d}");
}

#[test]
fn hardcover_has_every_read_in_lists_and_its_own_words() {
    let text = written(ExportFormat::Hardcover, &Answers::default());
    assert_eq!(records(&text)[0].len(), 37);
    assert_eq!(
        cells(&text, &["Title", "Status", "Date Started", "Date Finished", "Rating"]),
        [
            "Emma | Read | 2019-12-20, 2024-05-01 | 2020-01-02, 2024-05-06 | 4.5",
            "Momo | Read |  |  | ",
            "Dune | Currently Reading | 2024-06-01 |  | ",
            "Ulysses | Did Not Finish | 2024-02-01 | 2024-03-04 | ",
            "Persuasion | Read |  | 2020-05-31 | ",
            "'=Kim | Want to Read |  |  | ",
        ]
    );
    let emma = &cells(&text, &["Author", "Series", "Owned", "Media", "Publish Date", "Language Code", "Tags"])[0];
    assert_eq!(emma, "Jane Austen, Ann Lee (Translator) | Austen (#4) | true | Book | 2011-06 | en | slow");
}

/// What BookWyrm makes of a file: columns by name, one shelf for a book, a reading for each row with an end or a start, a start only
/// before its end.
#[test]
fn bookwyrm_shelves_each_book_once_and_takes_every_reading() {
    let text = written(ExportFormat::BookWyrm, &Answers::default());
    assert!(text.contains("\r\n") && records(&text)[0].len() == 30);
    let shelf_of = |shelf: &str| match shelf {
        "to-read" | "read" | "reading" => shelf.to_owned(),
        other => format!("own {other}"),
    };
    let rows = cells(&text, &["title", "shelf", "start_date", "finish_date", "rating", "shelf_date"]);
    let mut shelved: Vec<(String, String)> = Vec::new();
    let mut readings = Vec::new();
    for row in &rows {
        let [title, shelf, start, finish, rating, shelf_date] = &row.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{row}")
        };
        assert_eq!(*shelf_date, "", "it would become a start");
        if !shelved.iter().any(|(known, _)| known == title) {
            shelved.push(((*title).to_owned(), shelf_of(shelf)));
        }
        let start = if finish.is_empty() || start < finish { start } else { "" };
        if !start.is_empty() || !finish.is_empty() {
            readings.push(format!("{title} {start} {finish} {rating}").trim_end().to_owned());
        }
    }
    let shelves: Vec<String> = shelved.into_iter().map(|(title, shelf)| format!("{title}: {shelf}")).collect();
    assert_eq!(
        shelves,
        [
            "Emma: read", "Momo: read", "Dune: reading", "Ulysses: own stopped-reading", "Persuasion: read",
            "'=Kim: to-read"
        ]
    );
    assert_eq!(
        readings,
        [
            "Emma 2024-05-01 2024-05-06 4.50",
            "Emma 2019-12-20 2020-01-02 3.75",
            "Dune 2024-06-01",
            "Ulysses 2024-02-01",
            "Persuasion  2020-05-31"
        ]
    );
}

/// What Openreads makes of a file: CRLF between rows, a rating that is a number, readings of exactly three parts, the newest first.
#[test]
fn openreads_reads_every_part_of_a_reading() {
    let text = written(ExportFormat::Openreads, &Answers::default());
    assert!(text.lines().next().unwrap().starts_with("\"title\",\"subtitle\",") && text.contains("\"\r\n\""));
    assert_eq!(records(&text)[0].len(), 19);
    let rows = cells(&text, &["title", "status", "rating", "tags", "book_format", "deleted"]);
    assert_eq!(
        rows,
        [
            "Emma | finished | 4.5 | Classics|||||slow|||||owned | paperback | false",
            "Momo | finished |  |  | paperback | false",
            "Dune | in_progress |  |  | paperback | false",
            "Ulysses | abandoned |  |  | paperback | false",
            "Persuasion | finished |  |  | audiobook | false",
            "'=Kim | planned |  |  |  | false",
        ]
    );
    let readings: Vec<Vec<String>> = cells(&text, &["readings"])
        .iter()
        .map(|cell| {
            let readings = cell.split(';').filter(|reading| !reading.is_empty());
            readings
                .map(|reading| {
                    let parts: Vec<&str> = reading.split('|').collect();
                    assert_eq!(parts.len(), 3, "{reading}");
                    for moment in &parts[..2] {
                        assert!(moment.is_empty() || moment.ends_with("T00:00:00.000"), "{moment}");
                    }
                    format!("{} {}", parts[0].get(..10).unwrap_or("-"), parts[1].get(..10).unwrap_or("-"))
                })
                .collect()
        })
        .collect();
    assert_eq!(
        readings[0],
        ["2024-05-01 2024-05-06", "2019-12-20 2020-01-02"],
        "one that takes only one takes the newest"
    );
    assert_eq!((&readings[2][0][..], &readings[3][0][..]), ("2024-06-01 -", "2024-02-01 2024-03-04"));
    assert!(readings[1].is_empty() && readings[5].is_empty());
}

/// What Jelu makes of a file: cells by position, only books with an ISBN in a spreadsheet's quotes, days between semicolons, shelves and
/// names between commas.
#[test]
fn jelu_takes_every_day_and_only_books_with_an_isbn() {
    let text = written(ExportFormat::Jelu, &Answers::default());
    let (head, rest) = text.split_once("\r\n").unwrap();
    assert_eq!(head.split(',').count(), 25, "with more columns it looks for owned copies elsewhere");
    assert_eq!(cells(&text, &["read_dates"])[..2], [",2020-01-02;,2024-05-06", ""]);
    let isbn = |cell: &str| {
        cell.strip_prefix("=\"").map(|cell| cell[..cell.len() - 1].to_owned()).filter(|isbn| isbn.len() >= 10)
    };
    let taken: Vec<String> = records(rest)
        .iter()
        .filter_map(|row| {
            let isbn = isbn(&row[5]).or_else(|| isbn(&row[6]))?;
            let mut names: Vec<&str> = vec![row[2].trim()];
            names.extend(row[4].split(',').filter(|name| !name.is_empty()));
            let mut shelves: Vec<&str> = row[16].split(',').filter(|shelf| !shelf.is_empty()).collect();
            shelves.push(&row[18]);
            let days: Vec<&str> = row[14].split(';').collect();
            assert!(
                days.iter().all(|day| day.is_empty() || chrono::NaiveDate::parse_from_str(day, "%Y/%m/%d").is_ok())
            );
            let owned = row[23].parse::<u8>().unwrap() > 0;
            Some(format!("{} {isbn} {names:?} {shelves:?} {days:?} {} {} {owned}", &row[1], &row[7], &row[22]))
        })
        .collect();
    assert_eq!(
        taken,
        [
            "Emma (Austen, #4) 9780441013593 [\"Jane Austen\", \"Ann Lee\"] [\"Classics\", \"slow\", \"read\"] \
             [\"2020/01/02\", \"2024/05/06\"] 5 2 true",
            "'=Kim 9783522202589 [\"Rudyard Kipling\"] [\"to-read\"] [\"\"] 0 0 false",
        ]
    );
}

/// What Yamtrack makes of a file: it splits it at every line break before it reads the cells, and checks each value against its form.
#[test]
fn yamtrack_reads_a_line_for_each_read() {
    let text = written(ExportFormat::Yamtrack, &Answers::default());
    let breaks = ['\n', '\u{b}', '\u{c}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{85}', '\u{2028}', '\u{2029}'];
    let lines: Vec<&str> = text.trim_end().split(|sign| breaks.contains(&sign)).collect();
    assert_eq!(lines.len(), 8, "a head and seven reads");
    let rows: Vec<StringRecord> = lines.iter().flat_map(|line| records(line)).collect();
    assert!(rows.iter().all(|row| row.len() == 14));
    let shown: Vec<String> = rows[1..]
        .iter()
        .map(|row| {
            assert_eq!((&row[1], &row[2], &row[4]), ("manual", "book", ""), "it looks nothing up for these");
            assert!(row[7].is_empty() || row[7].parse::<f64>().is_ok_and(|score| (0.0..=10.0).contains(&score)));
            assert!(["Completed", "In progress", "Planning", "Paused", "Dropped"].contains(&&row[9]));
            [0, 3, 7, 8, 9, 10, 11, 13].map(|at| &row[at]).join(" | ")
        })
        .collect();
    assert_eq!(
        shown,
        [
            "1 | Emma | 9 | 412 | Completed | 2024-05-01 | 2024-05-06 | ",
            "1 | Emma | 7.5 | 412 | Completed | 2019-12-20 | 2020-01-02 | ",
            "3 | Momo |  |  | Completed |  |  | ",
            "4 | Dune |  | 120 | Paused | 2024-06-01 |  | 2024-06-08T00:00:00+00:00",
            "5 | Ulysses |  |  | Dropped | 2024-02-01 | 2024-03-04 | ",
            "6 | Persuasion |  |  | Completed |  | 2020-05-31 | ",
            "list-1 | '=Kim |  |  | Planning |  |  | ",
        ]
    );
    assert_eq!(&rows[1][12], "One  Two \"three\"");
}

#[test]
fn one_rough_date_is_singular_in_the_sentence_of_losses() {
    use super::losses::{ExportFormatReport, ExportLoss};
    use super::table::What;

    let said = |count| {
        let loss = ExportLoss { what: What::RoughDates, count, sentence: "", books: Vec::new() };
        let report = ExportFormatReport {
            format: ExportFormat::Openreads,
            name: "Openreads",
            losses: vec![loss],
            questions: Vec::new(),
        };
        report.sentence(&Answers::default())
    };
    assert_eq!(said(1), "Nothing is lost on the way to Openreads but: 1 rough date (written as its last day).");
    assert_eq!(said(2), "Nothing is lost on the way to Openreads but: 2 rough dates (written as their last day).");
}
