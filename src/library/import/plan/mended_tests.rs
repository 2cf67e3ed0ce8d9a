//! What real files of readers have: damage by spreadsheets, two numbers for one book, files that end too early.
use super::*;
use crate::library::books::rating::Rating;

const GOODREADS: &str =
    "Book Id,Title,Author,ISBN,ISBN13,My Rating,Number of Pages,Date Read,Bookshelves,Exclusive Shelf,My Review\n";

fn read(text: &str) -> Plan {
    plan(text.as_bytes(), &Options::default()).unwrap()
}

fn goodreads(rows: &str) -> Plan {
    read(&format!("{GOODREADS}{rows}"))
}

fn reasons(plan: &Plan) -> Vec<(u64, &str)> {
    plan.rejected.iter().map(|row| (row.line, row.problem.message.as_str())).collect()
}

#[test]
fn thirteen_digits_win_over_ten_whatever_the_order_of_columns() {
    for (names, numbers) in [
        ("ISBN,ISBN13", "0441013597,9780140328721"),
        ("ISBN13,ISBN", "9780140328721,0441013597"),
        ("ISBN,ISBN13", "\"=\"\"0441013597\"\"\",\"=\"\"9780140328721\"\"\""),
    ] {
        let plan = read(&format!("Title,Author,{names},My Rating,Exclusive Shelf\nDune,F H,{numbers},4,read\n"));
        assert_eq!(plan.books[0].draft.isbn.as_deref(), Some("9780140328721"), "{names} {numbers}");
    }
    let damaged = goodreads("1,Dune,F H,0441013597,9.78014E+12,0,,,,read,\n");
    assert_eq!(damaged.books[0].draft.isbn.as_deref(), Some("9780441013593"));
}

#[test]
fn empty_cells_of_programs_for_tables_are_empty() {
    let plan = goodreads("1,Dune,F H,nan,nan,nan,nan,NaT,nan,read,nan\n2,nan,F H,,,5.0,300.0,NaN,nan,nan,\n");
    assert_eq!(reasons(&plan), []);
    let dune = &plan.books[0].draft;
    assert_eq!((dune.status, dune.rating, dune.pages, &dune.isbn), (BookStatus::Undated, None, None, &None));
    assert_eq!((dune.genres.len(), dune.impressions.as_deref()), (0, None));
    assert!(plan.shelves.is_empty() && plan.notes.is_empty());
    let titled = &plan.books[1].draft;
    assert_eq!((titled.title.as_str(), titled.rating), ("nan", Some(Rating::points(10))), "a title is a title");
}

#[test]
fn entities_become_characters_and_split_no_shelf() {
    let plan = goodreads("1,Salt &amp; Sand,Br&ouml;nte,,,0,,,\"sci&amp;fi, sea\",read,See [book:Emma|6969]\n");
    let book = &plan.books[0].draft;
    assert_eq!((book.title.as_str(), book.author().as_str()), ("Salt & Sand", "Brönte"));
    assert_eq!(book.genres, ["sci&fi", "sea"]);
    assert_eq!(book.impressions.as_deref(), Some("See Emma"));
}

#[test]
fn a_last_row_that_is_cut_off_is_rejected() {
    let whole = "1,Dune,F H,,,0,,,,read,Fine\n";
    let plan = goodreads(&format!("{whole}2,Emma,J A"));
    assert_eq!(
        reasons(&plan),
        [(3, "The file ends in the middle of this row: it has 3 of 11 cells. Export the file again.")]
    );
    assert_eq!((plan.books.len(), plan.items.len()), (1, 0));
    for file in [format!("{whole}2,Emma,J A,,,0,,,,read,"), format!("{whole}2,Emma,J A\n")] {
        assert_eq!(reasons(&goodreads(&file)), [], "{file}");
    }
    let template = read("Title,Author,Word Count\nDune,F H,1000\nEmma,J A");
    assert_eq!((template.format, template.books.len()), ("template", 2), "people may leave the last cells out");
}

#[test]
fn the_scale_of_ratings_is_that_of_the_whole_column() {
    let guesses = |column: &str, ratings: [&str; 3]| {
        let rows: Vec<String> = ratings.iter().map(|rating| format!("A,B,{rating},home")).collect();
        let plan = read(&format!("Buch,Autor,{column},Ort\n{}\n", rows.join("\n")));
        plan.columns[2].field.map(crate::library::import::columns::Field::name)
    };
    assert_eq!(guesses("Sterne", ["4", "8", "10"]), Some("rating"));
    assert_eq!(guesses("Bewertung", ["4", "8", "10"]), Some("rating"));
    assert_eq!(guesses("Bewertung", ["4", "", "5"]), Some("rating5"));
    assert_eq!(guesses("Sterne", ["nan", "\"4,5\"", "2"]), Some("rating5"));
}

#[test]
fn dates_in_every_spelling_are_read() {
    let days = |cells: &[&str]| {
        let rows: String = cells.iter().map(|cell| format!("1,A,B,,,0,,\"{cell}\",,read,\n")).collect();
        let plan = goodreads(&rows);
        assert_eq!(reasons(&plan), []);
        let date = |book: &Planned<BookDraft>| {
            let (from, to) = (book.draft.completed_from, book.draft.date_completed);
            [from, to].map(|day| day.map(|day| day.to_string()).unwrap_or_default()).join("/")
        };
        plan.books.iter().map(date).collect::<Vec<_>>()
    };
    assert_eq!(
        days(&["14-Mar-20", "14-Mar-2020", "14. März 2025", "43904", "2019", "2019-05", "2019/05"]),
        [
            "/2020-03-14", "/2020-03-14", "/2025-03-14", "/2020-03-14", "2019-01-01/2019-12-31",
            "2019-05-01/2019-05-31", "2019-05-01/2019-05-31"
        ]
    );
    assert_eq!(days(&["3/4/2020", "25/4/2020"]), ["/2020-04-03", "/2020-04-25"], "one date decides for the column");
}

#[test]
fn a_review_that_is_too_long_is_kept_as_far_as_it_fits() {
    let long = "ä".repeat(20_001);
    let plan = goodreads(&format!("1,Dune,F H,,,0,,,,read,{long}\n2,Emma,J A,,,0,,,,to-read,{long}\n"));
    assert_eq!(reasons(&plan), []);
    assert_eq!(plan.books[0].draft.impressions.as_ref().map(|text| text.chars().count()), Some(20_000));
    assert_eq!(plan.items[0].draft.notes.as_ref().map(|text| text.chars().count()), Some(20_000));
    let sentence = "Impressions: of 20001 characters the first 20000 are kept. The row that is kept with the import has all of it.";
    let notes: Vec<_> = plan.notes.iter().map(|note| (note.problem.field, note.problem.message.as_str())).collect();
    assert_eq!(notes, [(Some("impressions"), sentence), (Some("impressions"), sentence)]);
    assert!(plan.text[plan.rows[0].raw.clone()].contains(&long), "the row keeps the whole text");
}

#[test]
fn what_a_calibre_library_owns_is_asked_about() {
    let calibre = "authors,author_sort,rating,title,title_sort,uuid\n\
        Ann Two,\"Two, Ann\",,Owned,Owned,x\nAnn Two,\"Two, Ann\",4,Rated,Rated,y\n";
    let plan = read(calibre);
    assert_eq!(plan.shelves.len(), 1);
    let shelf = &plan.shelves[0];
    assert_eq!((shelf.name.as_str(), shelf.rows, shelf.guess), ("Calibre library", 1, Destination::ToRead));
    let titles = |plan: &Plan| plan.books.iter().map(|book| book.draft.title.clone()).collect::<Vec<_>>();
    assert_eq!((titles(&plan), plan.items.len()), (vec!["Rated".to_owned()], 1));
    let shelves = HashMap::from([(shelf_key("Calibre library"), Destination::Read)]);
    let read = super::plan(calibre.as_bytes(), &Options { shelves, ..Options::default() }).unwrap();
    assert_eq!((titles(&read).len(), read.items.len()), (2, 0));
}

#[test]
fn co_authors_of_every_format_arrive() {
    let bookwyrm = "title,author_text,remote_id,isbn_13,shelf\nGood Omens,\"Terry Pratchett, Neil Gaiman\",,,read\n";
    let calibre =
        "authors,author_sort,rating,title,title_sort,uuid\nTerry Pratchett & Neil Gaiman,x,4,Good Omens,x,y\n";
    let hardcover = "Title,Author,Status,Hardcover Book ID\nGood Omens,\"Terry Pratchett, Martin Jarvis (Narrator), Neil Gaiman\",Read,1\n";
    let jelu = "Title,Author,Shelves,read_dates,currently_reading,authors\nGood Omens,Terry Pratchett,,,,\"Terry Pratchett,Neil Gaiman\"\n";
    let json = r#"{"7": {"books_id": "7", "title": "Good Omens", "primaryauthor": "Pratchett, Terry", "secondaryauthor": ["Gaiman, Neil"], "secondaryauthorroles": ["Author"], "collections": ["Your library"]}}"#;
    let librarything = "Book Id\tTitle\tPrimary Author\tSecondary Author\tSecondary Author Roles\tDate Read\n\
        7\tGood Omens\tPratchett, Terry\tGaiman, Neil|Jarvis, Martin\tAuthor|Narrator\t[2007-05-08]\n";
    let own = "Title,Author,Word Count,Word Count Source,Date Completed,Rating,Status,Authors\n\
        Good Omens,\"Terry Pratchett, Neil Gaiman\",1000,entered,2020-01-01,4,completed,\"[\"\"Terry Pratchett\"\",\"\"Neil Gaiman\"\"]\"\n";
    let storygraph =
        "Title,Authors,Read Status,Dates Read,Star Rating\nGood Omens,\"Terry Pratchett, Neil Gaiman\",read,,4\n";
    for text in [bookwyrm, calibre, hardcover, jelu, json, librarything, own, storygraph] {
        let plan = read(text);
        let waiting = || Some(plan.waiting.values().next()?.authors.clone());
        let authors = plan.books.first().map(|book| book.draft.authors.clone()).or_else(waiting);
        let authors = authors.unwrap_or_else(|| plan.items[0].draft.author.iter().cloned().collect());
        assert_eq!(authors.join(", "), "Terry Pratchett, Neil Gaiman", "{}: {text}", plan.format);
        assert!(authors.len() == 2 || plan.books.is_empty(), "{}", plan.format);
    }
    // Goodreads does not say what its additional authors did.
    let plan = read(
        "Book Id,Title,Author,Additional Authors,My Rating,Exclusive Shelf\n1,Good Omens,Terry Pratchett,Neil Gaiman,4,read\n",
    );
    let others: Vec<_> = plan.books[0].draft.facts.contributors.iter().map(|person| person.name.as_str()).collect();
    assert_eq!(others, ["Neil Gaiman"]);
    // Openreads has all names in one text, which is not taken apart.
    let plan = read("title,author,status,rating,readings\nGood Omens,\"Terry Pratchett, Neil Gaiman\",finished,4,\n");
    assert_eq!(plan.books[0].draft.author(), "Terry Pratchett, Neil Gaiman");
}

#[test]
fn the_day_of_a_jelu_row_counts_only_where_it_lists_no_days() {
    let days = |text: &str| {
        let plan = read(text);
        let day = |book: &Planned<BookDraft>| book.draft.date_completed.map(|day| day.to_string());
        plan.books.iter().map(day).collect::<Vec<_>>()
    };
    let rows = ["Dune,F H,2020/02/02,,", "Kim,R K,2020/02/02,,\"2019/01/01,2021/01/01\""];
    let listed =
        days(&format!("Title,Author,Date Read,Shelves,read_dates,dropped_dates\n{},\n{},\n", rows[0], rows[1]));
    let dated: Vec<_> = listed.iter().flatten().collect();
    assert_eq!(dated, ["2019-01-01", "2021-01-01"]);
    let old = "Title,Author,Date Read,Shelves,dropped_dates\nDune,F H,2020/02/02,,\n";
    assert_eq!(days(old), [Some("2020-02-02".to_owned())]);
}

#[test]
fn a_jelu_book_that_was_given_up_after_a_read_has_both() {
    let shown = |text: &str| {
        let plan = read(text);
        let day = |day: Option<chrono::NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
        let book = |book: &Planned<BookDraft>| {
            let draft = &book.draft;
            format!(
                "{} {}/{} {}",
                draft.status.name(),
                day(draft.date_completed),
                day(draft.stopped_date),
                draft.reread
            )
        };
        plan.books.iter().map(book).collect::<Vec<_>>()
    };
    let head = "Title,Author,Date Read,Shelves,read_dates,dropped_dates,currently_reading\n";
    assert_eq!(
        shown(&format!("{head}Dune,F H,2024/05/01,,\"2019/01/01,2020/01/01\",2024/05/01,\n")),
        ["completed 2019-01-01/ false", "completed 2020-01-01/ true", "did-not-finish /2024-05-01 true"]
    );
    // Finished after it had been given up.
    assert_eq!(shown(&format!("{head}Dune,F H,2024/05/01,,2024/05/01,2020/01/01,\n")), ["completed 2024-05-01/ false"]);
}

#[test]
fn a_season_in_two_years_is_refused_with_its_question() {
    let plan = read("Title,Author,Date Completed\nDune,F H,winter 2020\nEmma,J A,winter 2019/20\n");
    let sentence = "\u{201c}winter 2020\u{201d}: Winter 2019/20 or winter 2020/21? Write it with both years.";
    assert_eq!(plan.rejected.iter().map(|row| &row.problem.message[..]).collect::<Vec<_>>(), [sentence]);
    assert_eq!(plan.books.len(), 1);
}

#[test]
fn a_subtitle_that_does_not_fit_behind_the_title_is_left_out() {
    let openreads =
        |subtitle: &str| format!("title,subtitle,author,status,rating,olid\nMomo,{subtitle},M E,finished,0,OL1M\n");
    let title = |subtitle: &str| read(&openreads(subtitle)).books[0].draft.title.clone();
    assert_eq!(title("A Story"), "Momo: A Story");
    let longest = "x".repeat(500 - "Momo: ".len());
    assert_eq!(title(&longest), format!("Momo: {longest}"));
    assert_eq!(title(&format!("{longest}x")), "Momo");
}
