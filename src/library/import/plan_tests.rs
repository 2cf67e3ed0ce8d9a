use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::library::books::model::{BookFormat, BookStatus, WordCountSource, WordDistribution};
use crate::library::books::rating::Rating;
use crate::library::export;

fn file(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/fixtures/import/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn read(name: &str) -> Plan {
    read_with(name, &Options::default())
}

fn read_with(name: &str, options: &Options) -> Plan {
    plan(&file(name), options).unwrap()
}

fn tbr() -> Options {
    Options { kind: Kind::Tbr, ..Options::default() }
}

fn books<'p>(plan: &'p Plan, title: &str) -> Vec<&'p BookDraft> {
    plan.books.iter().map(|book| &book.draft).filter(|book| book.title == title).collect()
}

fn book<'p>(plan: &'p Plan, title: &str) -> &'p BookDraft {
    let found = books(plan, title);
    assert_eq!(found.len(), 1, "{title} in {:?}", plan.rejected);
    found[0]
}

fn items(plan: &Plan) -> Vec<&str> {
    plan.items.iter().map(|item| item.draft.title.as_str()).collect()
}

fn finished(book: &BookDraft) -> Option<String> {
    book.date_completed.map(|day| day.to_string())
}

#[test]
fn goodreads_files_of_every_year_read_alike() {
    for name in [
        "goodreads-31.csv", "goodreads-24.csv", "goodreads-23.csv", "goodreads-headerless.csv",
        "goodreads-headerless-23.csv", "goodreads-underscores.csv", "goodreads-utf16.csv", "goodreads-2014.csv",
    ] {
        let plan = read(name);
        assert_eq!(
            (plan.format, plan.books.len(), plan.left_out.len(), plan.rejected.len()),
            ("goodreads", 6, 0, 1),
            "{name}: {:?}",
            plan.rejected
        );
        assert_eq!(items(&plan), ["First in the list", "Second in the list", "Wanted"], "{name}");
        let sand = book(&plan, "Sand World");
        assert_eq!((sand.author().as_str(), sand.isbn.as_deref()), ("Frank Herald", Some("9780441013593")), "{name}");
        assert_eq!(
            (sand.rating, sand.format, sand.pages, sand.word_count),
            (Some(Rating::points(10)), BookFormat::EBook, Some(600), 165_000),
            "{name}"
        );
        assert_eq!(
            (sand.word_count_source, finished(sand).as_deref()),
            (WordCountSource::Pages, Some("2020-03-04")),
            "{name}"
        );
        assert_eq!(sand.genres, ["science-fiction", "favorites"], "{name}");
        assert_eq!(
            sand.impressions.as_deref(),
            Some("Great.\n\nA wonder & more <spoiler>the worm wins</spoiler>\n\nLent to Imani"),
            "{name}"
        );
        let undated = book(&plan, "Undated and \"Rated\"");
        assert_eq!((undated.status, undated.rating), (BookStatus::Undated, Some(Rating::points(8))), "{name}");
        let unrated = book(&plan, "Dated and unrated");
        assert_eq!((unrated.rating, unrated.format, unrated.word_count), (None, BookFormat::Audio, 0), "{name}");
        let half = book(&plan, "Half way");
        assert_eq!((half.status, half.rating, half.reread), (BookStatus::InProgress, None, false), "{name}");
        let first_line = if name.contains("headerless") { 1 } else { 2 };
        assert_eq!((plan.rejected[0].line, plan.rejected[0].problem.field), (first_line + 9, Some("author")), "{name}");
        assert_eq!(plan.items[0].draft.notes.as_deref(), Some("from Ben"), "{name}");
    }
}

#[test]
fn a_read_count_above_the_dates_is_a_reread_and_more_only_when_asked_for() {
    let plan = read("goodreads-24.csv");
    assert!(book(&plan, "Thrice").reread);
    assert_eq!(plan.earlier_reads, 2);
    let plan = read_with("goodreads-24.csv", &Options { earlier_reads: true, ..Options::default() });
    let thrice = books(&plan, "Thrice");
    let found: Vec<_> = thrice.iter().map(|book| (book.status, book.reread, book.rating)).collect();
    assert_eq!(
        found,
        [
            (BookStatus::Completed, true, Some(Rating::points(6))),
            (BookStatus::Undated, false, None),
            (BookStatus::Undated, true, None)
        ]
    );
}

#[test]
fn every_reading_with_a_day_of_its_own_becomes_a_book() {
    let plan = read("goodreads-27.csv");
    let twice: Vec<_> = books(&plan, "Read twice")
        .iter()
        .map(|book| (book.start_date.map(|d| d.to_string()), finished(book), book.reread))
        .collect();
    assert_eq!(
        twice,
        [
            (None, Some("2006-01-01".to_owned()), false),
            (Some("2024-06-17".to_owned()), Some("2024-06-18".to_owned()), true)
        ]
    );
    assert_eq!(books(&plan, "Read twice")[0].genres, ["Fantasy", "Litrpg"]);
    let again: Vec<_> = books(&plan, "Under way again")
        .iter()
        .map(|book| (book.status, book.start_date.map(|d| d.to_string()), book.reread))
        .collect();
    assert_eq!(
        again,
        [
            (BookStatus::Completed, Some("2010-01-01".to_owned()), false),
            (BookStatus::InProgress, Some("2024-07-01".to_owned()), true)
        ]
    );
}

#[test]
fn what_a_spreadsheet_did_to_an_export_is_undone_or_dropped() {
    let plan = read("goodreads-excel.csv");
    let first = book(&plan, "Spreadsheet A");
    assert_eq!((first.isbn.as_deref(), finished(first).as_deref()), (Some("9780441013593"), Some("2017-06-20")));
    assert_eq!(
        (first.start_date.map(|d| d.to_string()).as_deref(), first.rating),
        (Some("2017-06-01"), Some(Rating::points(8)))
    );
    let second = book(&plan, "Spreadsheet B");
    assert_eq!((second.isbn.as_deref(), finished(second).as_deref()), (None, Some("2017-03-04")));
}

#[test]
fn shelves_of_ones_own_go_where_their_reader_sends_them() {
    let plan = read("goodreads-24.csv");
    let shelves: Vec<_> = plan.shelves.iter().map(|shelf| (shelf.name.as_str(), shelf.rows, shelf.guess)).collect();
    assert_eq!(shelves, [("abandoned", 1, Destination::DidNotFinish), ("wishlist", 1, Destination::ToRead)]);
    let shelves =
        HashMap::from([("abandoned".to_owned(), Destination::Read), ("wishlist".to_owned(), Destination::Skip)]);
    let plan = read_with("goodreads-24.csv", &Options { shelves, ..Options::default() });
    assert_eq!(book(&plan, "Given up").status, BookStatus::Undated);
    assert_eq!(plan.left_out.len(), 1);
}

#[test]
fn storygraph_files_of_both_forms_read_alike() {
    for name in ["storygraph.csv", "storygraph-2021.csv"] {
        let plan = read(name);
        assert_eq!((plan.format, plan.rejected.len()), ("storygraph", 0), "{name} {:?}", plan.rejected);
        let quarter = book(&plan, "Quarter Star");
        assert_eq!(
            (quarter.rating, quarter.format, quarter.impressions.as_deref()),
            (Some(Rating::of_tenths(85)), BookFormat::EBook, Some("Good"))
        );
        assert_eq!(
            (quarter.start_date.map(|d| d.to_string()).as_deref(), finished(quarter).as_deref()),
            (Some("2025-05-26"), Some("2025-06-11"))
        );
        assert_eq!(
            (quarter.word_distribution, quarter.author().as_str()),
            (WordDistribution::Final, "Ana One, Ben Two")
        );
        assert_eq!(book(&plan, "Bare finish").rating, Some(Rating::of_tenths(75)));
        let twice: Vec<_> = books(&plan, "Twice").iter().map(|book| (finished(book), book.reread)).collect();
        assert_eq!(twice, [(Some("2020-01-05".to_owned()), false), (Some("2023-01-05".to_owned()), true)]);
        assert_eq!(book(&plan, "Undated").rating, Some(Rating::points(9)));
        assert_eq!(book(&plan, "Blank state").status, BookStatus::Undated);
        assert_eq!(book(&plan, "On hold").status, BookStatus::InProgress);
        assert_eq!((items(&plan), plan.left_out.len(), plan.earlier_reads), (vec!["Later"], 0, 1));
        assert_eq!(book(&plan, "Given up").rating, Some(Rating::points(4)));
    }
    let plan = read("storygraph-excel.csv");
    assert_eq!((plan.format, finished(book(&plan, "Bare finish")).as_deref()), ("storygraph", Some("2022-10-12")));
}

#[test]
fn a_template_says_which_of_its_rows_cannot_be_taken() {
    let plan = read("template.csv");
    assert_eq!(plan.format, "template");
    let dune = book(&plan, "Dune");
    assert_eq!(
        (dune.word_count, dune.rating, dune.format, dune.reread),
        (188_000, Some(Rating::points(9)), BookFormat::EBook, false)
    );
    assert_eq!(dune.genres, ["Science Fiction", "Classics"]);
    assert_eq!(dune.impressions.as_deref(), Some("Sand, \"spice\"\nand worms"));
    let undated = book(&plan, "No date");
    assert_eq!(
        (undated.status, undated.rating, undated.reread, undated.format),
        (BookStatus::Undated, Some(Rating::points(7)), true, BookFormat::Print)
    );
    let zero = book(&plan, "Zero");
    assert_eq!(
        (zero.rating, zero.format, finished(zero).as_deref()),
        (Some(Rating::points(0)), BookFormat::Audio, Some("2021-03-02"))
    );
    let rejected: Vec<_> = plan.rejected.iter().map(|row| (row.line, row.problem.field)).collect();
    assert_eq!(
        rejected,
        [
            (6, Some("rating")),
            (7, Some("dateCompleted")),
            (8, Some("title")),
            (9, Some("author")),
            (10, Some("wordCount"))
        ]
    );
}

#[test]
fn the_list_takes_every_row_of_a_file_without_states_and_else_its_to_read_rows() {
    let plan = read_with("template-tbr.csv", &tbr());
    assert_eq!((plan.format, items(&plan), plan.rejected.len()), ("template", vec!["Later", "Nobody yet"], 1));
    assert_eq!((plan.items[0].draft.word_count, plan.items[0].draft.notes.as_deref()), (Some(5000), Some("a gift")));
    assert_eq!((plan.items[1].draft.word_count, plan.items[1].draft.author.as_deref()), (None, None));
    assert_eq!(items(&read_with("template.csv", &tbr())).len(), 6);
    let plan = read_with("goodreads-24.csv", &tbr());
    assert_eq!((items(&plan).len(), plan.books.len(), plan.left_out.len(), plan.rejected.len()), (3, 0, 7, 0));
    assert_eq!(plan.items[0].draft.word_count, Some(55_000));
}

#[test]
fn our_own_export_is_read_back_as_it_was() {
    let plan = read("export.csv");
    assert_eq!((plan.format, plan.rejected.len()), ("shelfwise", 0), "{:?}", plan.rejected);
    let link = book(&plan, "=HYPERLINK(1)");
    assert_eq!(
        (link.impressions.as_deref(), link.quotes.texts().collect::<Vec<_>>()),
        (Some("-dash\n"), vec!["one, two", "=three"])
    );
    assert_eq!(
        (link.word_distribution, link.word_count_source, link.reread),
        (WordDistribution::Spread, WordCountSource::Epub, true)
    );
    let tis = book(&plan, "'Tis");
    assert_eq!(
        (tis.status, tis.start_date.map(|d| d.to_string()).as_deref()),
        (BookStatus::InProgress, Some("2024-05-01"))
    );
    let undated = book(&plan, "Undated");
    assert_eq!(
        (undated.status, undated.rating, undated.word_count, undated.word_count_source),
        (BookStatus::Undated, Some(Rating::points(6)), 2750, WordCountSource::Pages)
    );
}

#[test]
fn a_file_of_no_known_tracker_is_read_once_its_columns_are_mapped() {
    let plan = read("unknown.csv");
    assert_eq!((plan.format, plan.mapped, plan.books.len()), ("unknown", false, 0));
    let guesses: Vec<_> =
        plan.columns.iter().map(|column| column.field.map(super::super::columns::Field::name)).collect();
    assert_eq!(
        guesses,
        [Some("title"), Some("author"), Some("pages"), Some("dateCompleted"), Some("rating5"), Some("format"), None]
    );
    let map = plan.columns.iter().map(|column| (super::super::columns::folded(&column.name), column.field)).collect();
    let plan = read_with("unknown.csv", &Options { columns: map, ..Options::default() });
    let momo = book(&plan, "Momo");
    assert_eq!(
        (momo.format, momo.word_count, momo.rating, finished(momo).as_deref()),
        (BookFormat::Audio, 82_500, Some(Rating::points(10)), Some("2025-04-15"))
    );
    assert_eq!(book(&plan, "Die Wand").rating, Some(Rating::points(9)));
}

#[test]
fn a_column_map_overrides_the_columns_of_a_known_format() {
    let columns = HashMap::from([
        ("privatenotes".to_owned(), None),
        ("publisher".to_owned(), Some(super::super::columns::Field::Genres)),
    ]);
    let plan = read_with("goodreads-24.csv", &Options { columns, ..Options::default() });
    let sand = book(&plan, "Sand World");
    assert!(sand.impressions.as_deref().is_some_and(|text| !text.contains("Imani")));
    assert!(sand.genres.contains(&"Some Press".to_owned()));
}

#[test]
fn rows_with_the_same_words_have_the_same_key_in_any_column_order() {
    let keys = |text: &str| {
        plan(text.as_bytes(), &Options::default()).unwrap().rows.iter().map(|row| row.key).collect::<Vec<_>>()
    };
    let rows = keys("Title,Author,Rating\nA,B,1\nA,B,1\nA,B,2\n");
    assert_eq!(rows[0], rows[1]);
    assert_ne!(rows[0], rows[2]);
    assert_eq!(rows[0], keys("rating;author;title\r\n\"1\";B;A\r\n")[0]);
}

#[test]
fn a_row_with_more_cells_than_the_header_is_refused_and_a_repeated_header_left_out() {
    let text = "Title,Author,Genres\nA,B,one,two\nA,B,\"one,two\"\nTitle,Author,Genres\nC,D,x,,\n";
    let plan = plan(text.as_bytes(), &Options::default()).unwrap();
    assert_eq!((plan.books.len(), plan.rejected.len(), plan.left_out.len()), (2, 1, 1));
    assert_eq!(plan.rejected[0].line, 2);
}

#[test]
fn a_span_with_start_after_end_is_refused() {
    let text = "Title,Author,Start Date,Date Completed\nA,B,2020-02-01,2020-01-01\nA,B,2020-01-01,\n";
    let plan = plan(text.as_bytes(), &Options::default()).unwrap();
    assert_eq!(plan.rejected[0].problem.field, Some("startDate"));
    assert_eq!(plan.books[0].draft.status, BookStatus::InProgress);
}

#[test]
fn too_many_rows_are_refused_whole() {
    let text = format!("Title,Author\n{}", "a,b\n".repeat(reader_limit() + 1));
    assert_eq!(plan(text.as_bytes(), &Options::default()).unwrap_err(), Unreadable::TooManyRows);
}

#[test]
fn too_many_columns_are_refused_whole() {
    let most = super::super::reader::MOST_COLUMNS;
    let file = |columns: usize| format!("Title,Author{}\na,b\n", ",".repeat(columns - 2));
    assert_eq!(plan(file(most).as_bytes(), &Options::default()).unwrap().books.len(), 1);
    assert_eq!(plan(file(most + 1).as_bytes(), &Options::default()).unwrap_err(), Unreadable::TooManyColumns);
}

fn reader_limit() -> usize {
    super::super::reader::MOST_ROWS
}

/// The imported rows of a file of a format in short form: title, status, dates, rating.
fn summary(format: &str, name: &str) -> Vec<String> {
    let plan = read(name);
    assert_eq!(plan.format, format);
    let mut found: Vec<(u64, String)> = Vec::new();
    for book in &plan.books {
        let draft = &book.draft;
        let days = [draft.start_date, draft.date_completed]
            .map(|day| day.map(|day| day.to_string()).unwrap_or_default())
            .join("/");
        let rating = draft.rating.map(|rating| rating.to_string()).unwrap_or_default();
        let reread = if draft.reread { " again" } else { "" };
        found.push((
            plan.rows[book.row].line,
            format!(
                "{} | {} | {} | {days} | {rating} | {}{reread}",
                draft.title,
                draft.author(),
                draft.status.name(),
                draft.format.name()
            ),
        ));
    }
    for item in &plan.items {
        found.push((
            plan.rows[item.row].line,
            format!("{} | {} | list", item.draft.title, item.draft.author.as_deref().unwrap_or_default()),
        ));
    }
    for row in &plan.rejected {
        found.push((row.line, format!("refused: {}", row.problem.message)));
    }
    found.sort_by_key(|row| row.0);
    found.into_iter().map(|(_, row)| row).collect()
}

#[test]
fn hardcover_files_are_read() {
    let rows = summary("hardcover", "hardcover.csv");
    assert_eq!(
        rows,
        [
            "Done | Dan Simmons | completed | 2025-01-02/2025-01-10 | 9 | Print",
            "Heard | Ann Two | completed | /2025-02-01 |  | Audio",
            "Wanted | Ann Two | list",
            "Now | Ann Two | in-progress | 2025-03-01/ |  | eBook",
            "Left | Ann Two | did-not-finish | / |  | Print",
            "Waiting | Ann Two | in-progress | / |  | Print",
        ]
    );
    let plan = read("hardcover.csv");
    assert_eq!(book(&plan, "Done").genres, ["Science Fiction", "Horror"]);
    assert_eq!(
        plan.shelves.iter().map(|shelf| (shelf.name.as_str(), shelf.guess)).collect::<Vec<_>>(),
        [("Did Not Finish", Destination::DidNotFinish), ("Paused", Destination::Paused)]
    );
}

#[test]
fn librarything_files_are_read_with_their_stray_bytes() {
    let rows = summary("librarything", "librarything.tsv");
    assert_eq!(
        rows,
        [
            "Rayuela \"Hopscotch\" | Julio Cortázar | completed | 2007-05-01/2007-05-08 | 9 | Print",
            "Begun | Jane Doe | in-progress | 2010-01-01/ |  | Print",
            "Wished | Jane Doe | list",
            "Mine | Jane Doe | list",
        ]
    );
    let plan = read("librarything.tsv");
    let rayuela = book(&plan, "Rayuela \"Hopscotch\"");
    assert_eq!(
        (rayuela.isbn.as_deref(), rayuela.pages, rayuela.impressions.as_deref()),
        (Some("9780441013593"), Some(590), Some("One\nTwo"))
    );
    assert_eq!((plan.left_out.len(), plan.shelves.len()), (1, 1));
}

#[test]
fn bookwyrm_files_are_read() {
    let rows = summary("bookwyrm", "bookwyrm.csv");
    assert_eq!(
        rows,
        [
            "Done | Ann Two | completed | 2024-01-01/2024-02-01 | 6 | Print",
            "Now | Ann Two | in-progress | 2024-03-01/ |  | Print",
            "Later | Ann Two | list",
            "Left | Ann Two | did-not-finish | / |  | Print",
        ]
    );
    assert_eq!(book(&read("bookwyrm.csv"), "Done").impressions.as_deref(), Some("A title\n\nFine & good"));
}

#[test]
fn openreads_files_are_read_with_every_reading_and_without_the_trash() {
    let rows = summary("openreads", "openreads.csv");
    assert_eq!(
        rows,
        [
            "Twice | Ann Two | completed | 2019-01-01/2019-01-05 |  | Print",
            "Twice | Ann Two | completed | /2023-10-27 | 7 | Print again",
            "Now | Ann Two | in-progress | 2024-01-01/ |  | eBook",
            "Later | Ann Two | list",
            "Undated | Ann Two | undated | / |  | Audio",
            "Left | Ann Two | did-not-finish | / |  | Print",
        ]
    );
    let plan = read("openreads.csv");
    assert_eq!(
        (plan.left_out.len(), books(&plan, "Twice")[0].genres.as_slice()),
        (1, &["a b".to_owned(), "c".to_owned()][..])
    );
}

#[test]
fn jelu_files_are_read_with_the_days_of_their_readings() {
    let rows = summary("jelu", "jelu.csv");
    assert_eq!(
        rows,
        [
            "Twice | Ann Two | completed | /2020-01-01 |  | Print",
            "Twice | Ann Two | completed | /2021-01-01 |  | Print again",
            "Invented | Ann Two | completed | /1970-01-01 |  | Print",
            "Now | Ann Two | in-progress | 2022-02-02/ |  | Print",
            "Later | Ann Two | list",
            "Left | Ann Two | did-not-finish | / |  | Print",
        ]
    );
}

#[test]
fn yamtrack_files_give_their_books() {
    let rows = summary("yamtrack", "yamtrack.csv");
    let (done, left) = ("2024-01-01/2024-01-09 | 8.5 | Print", "Left | Unknown author | did-not-finish | / |  | Print");
    assert_eq!(rows, [&format!("Done | Unknown author | completed | {done}"), "Later |  | list", left]);
    let plan = read("yamtrack.csv");
    assert_eq!((book(&plan, "Done").pages, plan.left_out.len()), (Some(321), 1));
}

#[test]
fn calibre_catalogues_are_read() {
    assert_eq!(summary("calibre", "calibre.csv"), ["Owned | Ann Two, Ben Three | undated | / | 8 | eBook"]);
    assert_eq!(items(&read_with("calibre.csv", &tbr())), ["Owned"]);
    assert_eq!(book(&read("calibre.csv"), "Owned").isbn.as_deref(), Some("9780441013593"));
}

/// A sample file in which some bytes gave way to others.
fn broken_file() -> impl Strategy<Value = Vec<u8>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/import");
    let mut samples: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    samples.sort();
    let byte = prop_oneof![any::<u8>(), select(b"\0\n\r\t\"',;=/-<>0\xef\xbb\xbf\xff\xc3".as_slice())];
    let damage = (any::<prop::sample::Index>(), 0..20_usize, proptest::collection::vec(byte, 0..3));
    (select(samples), proptest::collection::vec(damage, 0..8)).prop_map(|(sample, damages)| {
        let mut file = std::fs::read(sample).unwrap();
        for (place, length, bytes) in damages {
            let start = place.index(file.len() + 1);
            file.splice(start..(start + length).min(file.len()), bytes);
        }
        file
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_broken_file_makes_whole_books_that_survive_an_export(file in broken_file(), kind in select(&Kind::ALL), earlier_reads: bool) {
        let Ok(plan) = plan(&file, &Options { kind, earlier_reads, ..Options::default() }) else { return Ok(()) };
        let mut lines: Vec<u64> = plan.rows.iter().map(|row| row.line).chain(plan.rejected.iter().map(|row| row.line)).collect();
        lines.sort_unstable();
        prop_assert!(lines.is_sorted_by(|one, next| one < next), "a row is kept or rejected, once");
        for item in &plan.items {
            prop_assert_eq!(item.draft.clone().checked(), Ok(item.draft.clone()));
        }
        let books: Vec<_> = plan.books.into_iter().map(|book| (book.draft, book.log)).collect();
        if !books.is_empty() {
            let csv = export::written(&books).unwrap();
            let again = super::plan(&csv, &Options::default()).unwrap().books;
            prop_assert_eq!(again.into_iter().map(|book| (book.draft, book.log)).collect::<Vec<_>>(), books);
        }
    }

    #[test]
    fn every_row_is_counted(cells in proptest::collection::vec(("[a-c]{0,2}", "[a-c]{0,2}", "[0-9/.-]{0,10}", "[0-9.,]{0,4}", "read|to-read|currently-reading|mine|"), 0..20)) {
        let mut text = "Title,Author,Date Read,My Rating,Exclusive Shelf\n".to_owned();
        for (title, author, date, rating, shelf) in &cells {
            text += &format!("{title},{author},{date},\"{rating}\",{shelf}\n");
        }
        let filled = cells.iter().filter(|(a, b, c, d, e)| [a, b, c, d, e].iter().any(|cell| !cell.is_empty())).count();
        let plan = plan(text.as_bytes(), &Options::default()).unwrap();
        prop_assert_eq!(plan.rows.len() + plan.left_out.len() + plan.rejected.len(), filled);
    }
}
