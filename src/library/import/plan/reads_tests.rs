//! Which reads the rows of other programs become: their dates, and where the one rating and the one review go.
use chrono::NaiveDate;

use super::*;
use crate::kit::time_zone::Hemisphere;
use crate::library::rough_date::RoughDate;
use crate::library::text::date;

/// The reads of a file in short form: status, start, completion, day of stopping or pausing, rating, impressions.
fn reads(text: &str) -> Vec<String> {
    reads_with(text, &Options { today: date("2026-11-22"), ..Options::default() })
}

fn reads_with(text: &str, options: &Options) -> Vec<String> {
    let plan = plan(text.as_bytes(), options).unwrap();
    assert!(plan.rejected.is_empty(), "{:?}", plan.rejected);
    let of = |draft: &BookDraft| {
        let day = |day: Option<NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
        let completed = draft.date_completed.map(|to| RoughDate { from: draft.completed_from, to }.exported());
        let parts = [
            draft.status.name().to_owned(),
            day(draft.start_date),
            completed.unwrap_or_default(),
            day(draft.stopped_date.or(draft.paused_since)),
            draft.rating.map(|rating| rating.to_string()).unwrap_or_default(),
            draft.impressions.clone().unwrap_or_default(),
        ];
        parts.join(" | ")
    };
    plan.books.iter().map(|book| of(&book.draft)).collect()
}

const GOODREADS: &str = "Title,Author,My Rating,Date Started,Date Read,Exclusive Shelf,My Review\n";

#[test]
fn years_and_months_become_rough_dates_and_never_starts() {
    for (cells, read) in [
        ("4,,2019,read,Good", "completed |  | 2019 |  | 8 | Good"),
        ("4,2018,2019/03,read,", "completed |  | 2019-03 |  | 8 | "),
        ("4,2019/03/05,2019,read,", "completed |  | 2019 |  | 8 | "),
        ("4,2019,2019/03/05,read,", "completed |  | 2019-03-05 |  | 8 | "),
        ("0,,spring 2020,read,", "completed |  | 2020-03/2020-05 |  |  | "),
        ("0,2019,,currently-reading,", "in-progress |  |  |  |  | "),
    ] {
        assert_eq!(reads(&format!("{GOODREADS}T,A,{cells}\n")), [read], "{cells}");
    }
    let south = Options { hemisphere: Hemisphere::South, ..Options::default() };
    let read = reads_with(&format!("{GOODREADS}T,A,0,,spring 2020,read,\n"), &south);
    assert_eq!(read, ["completed |  | 2020-09/2020-11 |  |  | "]);
}

#[test]
fn books_that_were_given_up_or_are_paused_have_their_days() {
    for (cells, read) in [
        ("2,2020/01/02,2020/02/03,did-not-finish,Dull", "did-not-finish | 2020-01-02 |  | 2020-02-03 | 4 | Dull"),
        ("0,,2020,dnf,", "did-not-finish |  |  |  |  | "),
        ("0,2020/01/02,,abandoned,", "did-not-finish | 2020-01-02 |  |  |  | "),
        ("0,2020/01/02,,on-hold,", "in-progress | 2020-01-02 |  | 2026-11-22 |  | "),
    ] {
        assert_eq!(reads(&format!("{GOODREADS}T,A,{cells}\n")), [read], "{cells}");
    }
    let bookwyrm =
        "title,author_text,start_date,finish_date,stopped_date,shelf\nT,A,2024-01-01,,2024-02-02,stopped-reading\n";
    assert_eq!(reads(bookwyrm), ["did-not-finish | 2024-01-01 |  | 2024-02-02 |  | "]);
    let jelu = "title,author,date read,shelves,read_dates,tags,dropped_dates,currently_reading\nT,A,2019/05/05,,\"2020/01/01,2021/01/01\",,2022/02/02,\n";
    assert_eq!(
        reads(jelu),
        [
            "completed |  | 2020-01-01 |  |  | ",
            "completed |  | 2021-01-01 |  |  | ",
            "did-not-finish |  |  | 2022-02-02 |  | "
        ]
    );
    let only_read_at =
        "title,author,date read,shelves,read_dates,tags,dropped_dates,currently_reading\nT,A,2019/05/05,to-read,,,,\n";
    assert_eq!(reads(only_read_at), Vec::<String>::new(), "a file with read_dates never uses Date Read");
}

#[test]
fn rating_and_texts_belong_to_the_newest_read_that_is_over() {
    let storygraph = "Title,Authors,Read Status,Dates Read,Read Count,Star Rating,Review\n";
    let thrice = format!("{storygraph}T,A,read,\"2020/01/01-2020/01/05, 2023/01/05, 2021\",3,3.75,Fine\n");
    assert_eq!(
        reads(&thrice),
        [
            "completed | 2020-01-01 | 2020-01-05 |  |  | ",
            "completed |  | 2021 |  |  | ",
            "completed |  | 2023-01-05 |  | 7.5 | Fine"
        ]
    );
    let again = format!("{storygraph}T,A,currently-reading,\"2020/01/05, 2023/01/05-\",1,5,Fine\n");
    assert_eq!(reads(&again), ["completed |  | 2020-01-05 |  | 10 | Fine", "in-progress | 2023-01-05 |  |  |  | "]);
    let left = format!("{storygraph}T,A,did-not-finish,\"2020/01/05, 2023/01/05-2023/02/02\",1,1,Dull\n");
    assert_eq!(
        reads(&left),
        ["completed |  | 2020-01-05 |  |  | ", "did-not-finish | 2023-01-05 |  | 2023-02-02 | 2 | Dull"]
    );
}

#[test]
fn lists_of_days_from_hardcover_are_several_reads() {
    let read = |status: &str, started: &str, finished: &str| {
        let header = "Title,Author,Status,Privacy,Hardcover Book ID,Date Started,Date Finished,Rating,Review\n";
        reads(&format!("{header}T,A,{status},,1,\"{started}\",\"{finished}\",4.5,Fine\n"))
    };
    assert_eq!(
        read("Read", "2020-01-01, 2023-03-01", "2020-01-09, 2023-03-05"),
        ["completed | 2020-01-01 | 2020-01-09 |  |  | ", "completed | 2023-03-01 | 2023-03-05 |  | 9 | Fine"]
    );
    assert_eq!(
        read("Read", "2023-03-01", "2023-03-05,2020-01-09"),
        ["completed |  | 2020-01-09 |  |  | ", "completed | 2023-03-01 | 2023-03-05 |  | 9 | Fine"]
    );
    assert_eq!(
        read("Currently Reading", "2020-01-01,2024-05-06", "2020-01-09"),
        ["completed | 2020-01-01 | 2020-01-09 |  | 9 | Fine", "in-progress | 2024-05-06 |  |  |  | "]
    );
    assert_eq!(
        read("Read", "", "2019,2021-02"),
        ["completed |  | 2019 |  |  | ", "completed |  | 2021-02 |  | 9 | Fine"]
    );
    assert_eq!(
        read("Did Not Finish", "2020-01-01", "2020-01-09"),
        ["did-not-finish | 2020-01-01 |  | 2020-01-09 | 9 | Fine"]
    );
    assert_eq!(read("Paused", "2020-01-01", ""), ["in-progress | 2020-01-01 |  | 2026-11-22 |  | Fine"]);
}

#[test]
fn a_small_file_does_not_make_millions_of_books() {
    let rejected = |text: &str, earlier_reads| {
        let plan = plan(text.as_bytes(), &Options { earlier_reads, ..Options::default() }).unwrap();
        (plan.books.len(), plan.rejected.len(), plan.rejected.first().and_then(|row| row.problem.field))
    };
    let jelu = |count: usize| {
        let first = date("2019-03-05").unwrap();
        let days: String = first.iter_days().take(count).map(|day| format!("{day},")).collect();
        format!("title,authors,read_dates,owned,dropped_dates\nT,A,\"{days}\",,\n")
    };
    assert_eq!(rejected(&jelu(200), false), (200, 0, None));
    assert_eq!(rejected(&jelu(201), false), (0, 1, Some("dateCompleted")));
    let unreadable = format!("title,authors,read_dates,owned,dropped_dates\nT,A,\"{}\",,\n", "x,".repeat(100_000));
    assert_eq!(rejected(&unreadable, true), (0, 1, Some("dateCompleted")));
    // Rows that count a hundred readings each: the file has room for those of two hundred rows.
    let rows: String = (0..300).map(|row| format!("{row},A,0,,,read,,100\n")).collect();
    let counted = format!("{}{rows}", GOODREADS.replace("My Review", "My Review,Read Count"));
    assert_eq!(rejected(&counted, false).1, 0, "readings that are not wanted take no room");
    let (books, rejected, field) = rejected(&counted, true);
    assert_eq!((books, rejected, field), (20_200, 98, Some("dateCompleted")));
}

#[test]
fn further_reads_are_counted_through_the_whole_file() {
    let reads: Vec<String> = (0..81).map(|day| format!("20{:02}/01/{:02}", day % 20, day / 20 + 1)).collect();
    let rows = (0..253).map(|number| format!("Book {number},A,read,\"{}\"\n", reads.join(", ")));
    let file = rows.fold("Title,Authors,Read Status,Dates Read\n".to_owned(), |file, row| file + &row);
    assert_eq!((reads.len() - 1) * 250, super::problems::MOST_FURTHER);
    let plan = plan(file.as_bytes(), &Options::default()).unwrap();
    assert_eq!(plan.rejected.iter().map(|row| row.line).collect::<Vec<_>>(), [252, 253, 254]);
}
