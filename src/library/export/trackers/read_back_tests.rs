//! Files for other programs, read back by the import: what arrives differs only by the announced losses, and each of them occurs.
use std::collections::{BTreeSet, HashMap};

use chrono::NaiveDate;
use proptest::prelude::*;

use super::columns::{FORMS, shelf_name};
use super::entry::ExportEntry;
use super::losses::marks_of;
use super::table::What;
use super::{Answers, ExportForm, ExportFormat, File};
use crate::library::books::facts::{BookFacts, Contributor, ContributorRole, Series};
use crate::library::books::log::ReadingDay;
use crate::library::books::model::{Book, BookDraft, BookFormat, BookId, BookStatus, ReadingProgress};
use crate::library::books::rating::Rating;
use crate::library::books::reads::order_of;
use crate::library::export::stored;
use crate::library::import::{self, ReadBack};
use crate::library::tbr::model::{TbrDraft, TbrId, TbrItem};
use crate::library::text::date;

/// A book or an item before it is written.
#[derive(Clone, Debug)]
enum Made {
    Reads(Vec<(BookDraft, Option<ReadingDay>)>),
    Item(TbrDraft),
}

const TEXTS: [&str; 7] = [
    "Good",
    "One\nTwo",
    "1 < 2 & 3 > 2",
    "=1+1",
    "- first\n- second",
    "\u{201c}Oh\u{201d}, said O'Brien",
    "Not <b>bold</b>",
];

const AUTHORS: [&[&str]; 2] = [&["Ursula Le Guin"], &["Neil Gaiman", "Terry Pratchett"]];

fn one_of<T: Clone + std::fmt::Debug + 'static>(values: &'static [T]) -> impl Strategy<Value = T> {
    proptest::sample::select(values)
}

fn day() -> impl Strategy<Value = NaiveDate> {
    (0..40_000_i64).prop_map(|days| NaiveDate::from_ymd_opt(1972, 1, 1).unwrap() + chrono::TimeDelta::days(days))
}

/// What is equal in all reads of a book.
fn of_work() -> impl Strategy<Value = BookFacts> {
    let series = (one_of(&["The Expanse", "Saga (new)"]), proptest::option::of(one_of(&["8", "0.5", "1-3", "x"])))
        .prop_map(|(name, number)| Series { name: name.to_owned(), number: number.map(str::to_owned) });
    let tags = proptest::collection::vec(one_of(&["slow", "owned", "Lent to Ann", "été"]), 0..3);
    (proptest::option::of(series), tags, proptest::option::of(-500..2020_i64)).prop_map(|(series, mut tags, year)| {
        tags.sort_unstable();
        tags.dedup();
        BookFacts {
            series,
            tags: tags.into_iter().map(str::to_owned).collect(),
            original_year: year,
            ..BookFacts::default()
        }
    })
}

fn edition() -> impl Strategy<Value = (BookFacts, Option<i64>, Option<String>, BookFormat)> {
    let people =
        one_of(&[None, Some(("Ann Lee", ContributorRole::Translator)), Some(("Bob Ray", ContributorRole::Other))]);
    let published = proptest::option::of(one_of(&["2011", "2011-06", "2011-06-15", "0049"]));
    let isbn = proptest::option::of(one_of(&["9780441013593", "9783522202589"]));
    // An import takes fewer pages of an audiobook for hours.
    let pages = proptest::option::of(61..2_000_i64);
    (
        people,
        proptest::option::of(Just("Ace")),
        published,
        proptest::option::of(one_of(&["en", "pt-BR"])),
        isbn,
        pages,
        0..3_usize,
    )
        .prop_map(|(person, publisher, published, language, isbn, pages, format)| {
            let contributors = person.map(|(name, role)| Contributor { name: name.to_owned(), role });
            let facts = BookFacts {
                contributors: contributors.into_iter().collect(),
                publisher: publisher.map(str::to_owned),
                published: published.map(str::to_owned),
                language: language.map(str::to_owned),
                ..BookFacts::default()
            };
            (facts, pages, isbn.map(str::to_owned), BookFormat::ALL[format])
        })
}

fn read() -> impl Strategy<Value = (BookDraft, Option<ReadingDay>)> {
    let dates = (0..5_usize, day(), proptest::option::of(0..300_i64), any::<bool>());
    let texts = (
        proptest::option::of(one_of(&TEXTS)),
        any::<bool>(),
        proptest::collection::vec(one_of(&["sci-fi", "Space Opera"]), 0..2),
    );
    (edition(), dates, proptest::option::of(0..=100_i64), texts, (0..4_i64, any::<bool>(), any::<bool>())).prop_map(
        |(
            (facts, pages, isbn, format),
            (shape, end, before, rough),
            rating,
            (text, quoted, genres),
            (words, reread, logged),
        )| {
            let start = before.map(|days| end - chrono::TimeDelta::days(days));
            let (status, rough) = match shape {
                0 | 1 => (BookStatus::Completed, rough && before.is_none()),
                2 => (BookStatus::Undated, false),
                3 => (BookStatus::InProgress, false),
                _ => (BookStatus::DidNotFinish, false),
            };
            let done = status == BookStatus::Completed;
            let begins = matches!(status, BookStatus::InProgress | BookStatus::DidNotFinish) || (done && !rough);
            // A prime, which no number of pages times 275 is.
            let words = if words == 0 { 104_729 } else { pages.map_or(0, |pages| pages * 275 * (words - 1).min(1)) };
            let draft = BookDraft {
                word_count: words,
                pages,
                isbn,
                status,
                start_date: start.filter(|_| begins),
                date_completed: Some(end).filter(|_| done),
                completed_from: Some(end - chrono::TimeDelta::days(40)).filter(|_| done && rough),
                stopped_date: Some(end).filter(|_| status == BookStatus::DidNotFinish && reread),
                paused_since: Some(end).filter(|_| status == BookStatus::InProgress && reread),
                rating: rating.map(Rating::of_tenths).filter(|_| status != BookStatus::InProgress),
                format,
                reread: reread && status.is_finished(),
                genres: genres.into_iter().map(str::to_owned).collect(),
                impressions: text.map(str::to_owned),
                quotes: quoted.then_some("To be").into_iter().collect(),
                facts,
                ..BookDraft::default()
            };
            let log = ReadingDay { at: Some(0), page: Some(7), ..ReadingDay::of(end) };
            (draft, Some(log).filter(|_| logged))
        },
    )
}

fn library() -> impl Strategy<Value = Vec<Made>> {
    let authors = one_of(&AUTHORS);
    let book = (authors, of_work(), proptest::collection::vec(read(), 1..4)).prop_map(|(authors, facts, mut reads)| {
        let mut open = 0;
        // A book has one read in progress.
        reads.retain(|(draft, _)| {
            open += usize::from(draft.status == BookStatus::InProgress);
            draft.status != BookStatus::InProgress || open == 1
        });
        for (draft, _) in &mut reads {
            draft.authors = authors.iter().map(|name| (*name).to_owned()).collect();
            draft.facts = BookFacts {
                series: facts.series.clone(),
                tags: facts.tags.clone(),
                original_year: facts.original_year,
                ..std::mem::take(&mut draft.facts)
            };
        }
        Made::Reads(reads)
    });
    let item = (edition(), 0..2_usize, of_work(), proptest::option::of(one_of(&TEXTS)), any::<bool>()).prop_map(
        |((_, pages, isbn, format), words, facts, notes, has_format)| {
            Made::Item(TbrDraft {
                author: Some("Jane Austen".to_owned()),
                word_count: [None, Some(104_729)][words],
                notes: notes.map(str::to_owned),
                pages,
                isbn,
                format: Some(format).filter(|_| has_format),
                tags: facts.tags,
                ..TbrDraft::default()
            })
        },
    );
    proptest::collection::vec(prop_oneof![5 => book, 1 => item], 1..6)
}

/// The books with ids and titles.
fn books(made: &[(BookDraft, Option<ReadingDay>)], number: usize) -> Vec<Book<'static>> {
    let first = i64::try_from(number * 10 + 1).unwrap();
    let mut books: Vec<Book<'static>> = (first..)
        .zip(made)
        .map(|(id, (draft, log))| {
            let ending = if number == 1 { " (with #1 inside)" } else { "" };
            let draft = BookDraft { title: format!("Book {number}{ending}"), ..draft.clone() }.checked().unwrap();
            let progress = log.as_ref().map(|day| ReadingProgress { at: 0, page: day.page, day: day.day });
            Book { id: BookId(id), work: BookId(first), progress, ..stored(&draft) }
        })
        .collect();
    books.sort_by_key(|read| (order_of(read.status, read.date_completed, read.stopped_date, read.start_date), read.id));
    books
}

fn item(draft: &TbrDraft, number: usize) -> TbrItem<'static> {
    let draft = draft.clone();
    TbrItem {
        id: TbrId(i64::try_from(number).unwrap() + 1),
        title: format!("Book {number}").into(),
        author: draft.author.map(Into::into),
        word_count: draft.word_count,
        notes: draft.notes.map(Into::into),
        pages: draft.pages,
        isbn: draft.isbn.map(Into::into),
        format: draft.format,
        tags: draft.tags,
        word_count_source: None,
        position: 1,
        created_at: "2025-01-03T10:00:00Z".into(),
    }
}

/// What the import may read although the program does not, or reads as something else than the program.
fn read_otherwise(program: ExportFormat) -> &'static [What] {
    match program {
        ExportFormat::BookWyrm => &[What::Pages, What::StoppedDay, What::StartDates, What::OtherReads],
        ExportFormat::Jelu => &[What::Isbn, What::Format, What::RoughDates, What::Edition, What::Roles, What::Authors],
        _ => &[],
    }
}

/// What differs between a read and what came back of it: each time the losses that explain it.
fn differences(read: &Book<'_>, log: Option<&ReadingDay>, back: &BookDraft, days: &[ReadingDay]) -> Vec<Vec<What>> {
    use What::*;
    let known = |words: i64, pages: Option<i64>| if words == 0 { pages.map_or(0, |pages| pages * 275) } else { words };
    let mut found = Vec::new();
    let mut differs = |has: bool, losses: &[What]| {
        if has {
            found.push(losses.to_vec());
        }
    };
    let (facts, there) = (&read.facts, &back.facts);
    differs(known(read.word_count, read.pages) != known(back.word_count, back.pages), &[Words, Pages, Edition]);
    differs(read.pages != back.pages, &[Pages, Edition]);
    differs(read.isbn.as_deref() != back.isbn.as_deref(), &[Isbn, Edition]);
    differs(read.format != back.format, &[Format]);
    differs(read.title != back.title, &[Series, Edition]);
    differs(read.status != back.status, &[OtherReads]);
    differs(read.start_date != back.start_date, &[StartDates]);
    differs((read.date_completed, read.completed_from) != (back.date_completed, back.completed_from), &[RoughDates]);
    differs(read.stopped_date != back.stopped_date, &[StoppedDay]);
    differs(read.paused_since != back.paused_since, &[Paused]);
    differs(read.rating != back.rating, &[HalfPoints, Ratings]);
    differs(read.impressions != back.impressions, &[Impressions, LineBreaks]);
    differs(read.quotes != back.quotes, &[Quotes]);
    // A form without a column for tags or for genres makes one of the other.
    let own: Vec<_> = read.genres.iter().chain(facts.tags.iter().map(String::as_str)).map(shelf_name).collect();
    let is_there = |genre: &str| back.genres.iter().any(|known| known == genre);
    let is_new = |genre: &String| !own.contains(&shelf_name(genre));
    differs(!read.genres.iter().all(is_there) || back.genres.iter().any(is_new), &[Genres]);
    differs(!facts.tags.iter().all(|tag| there.tags.contains(tag)), &[Tags]);
    differs(facts.series != there.series, &[Series]);
    differs(read.authors.iter().ne(back.authors.iter().map(String::as_str)), &[Authors]);
    // Authors after the first one come back among the contributors.
    let people = |facts: &BookFacts| {
        facts.contributors.iter().filter(|person| person.name.len() < 8).cloned().collect::<Vec<_>>()
    };
    differs(people(facts) != people(there), &[Roles, Edition]);
    differs(facts.publisher != there.publisher, &[Edition]);
    differs(facts.published != there.published, &[Edition]);
    differs(facts.language != there.language, &[Edition]);
    differs(facts.original_year != there.original_year, &[Edition]);
    let pages = |days: &[ReadingDay]| days.iter().map(|day| (day.day, day.page)).collect::<Vec<_>>();
    differs(pages(log.map_or(&[], std::slice::from_ref)) != pages(days), &[Progress]);
    found
}

/// The reads of a book as far as only their days are compared.
fn days_of(reads: impl Iterator<Item = (BookStatus, Option<NaiveDate>)>) -> Vec<(BookStatus, Option<NaiveDate>)> {
    let mut days: Vec<_> = reads.collect();
    days.sort_unstable();
    days
}

fn check(program: ExportFormat, form: &'static ExportForm, made: &[Made]) -> Result<(), TestCaseError> {
    let (mut csv, answers) = (Vec::new(), Answers::default());
    let mut owners = Vec::new();
    let mut announced = Vec::new();
    let libraries: Vec<_> = made
        .iter()
        .enumerate()
        .map(|(number, made)| match made {
            Made::Reads(reads) => (books(reads, number), None),
            Made::Item(draft) => (Vec::new(), Some(item(draft, number))),
        })
        .collect();
    let logs: HashMap<BookId, ReadingDay> = made
        .iter()
        .enumerate()
        .filter_map(|(number, made)| match made {
            Made::Reads(reads) => Some((number, reads)),
            Made::Item(_) => None,
        })
        .flat_map(|(number, reads)| (number * 10 + 1..).zip(reads))
        .filter_map(|(id, (_, log))| Some((BookId(i64::try_from(id).unwrap()), log.clone()?)))
        .collect();
    let shapes = logs.keys().map(|id| (*id, true)).collect();
    let mut file = File::new(form, &answers, &mut csv).unwrap();
    for (number, (books, item)) in libraries.iter().enumerate() {
        let entry = item.as_ref().map_or(ExportEntry::Reads(books), |item| ExportEntry::Item(item, number + 1));
        file.add(&entry).unwrap();
        let rows = if form.read_a_row { books.len().max(1) } else { 1 };
        owners.extend(std::iter::repeat_n(number, rows));
        let marks = marks_of(&entry, &shapes);
        let lost = form.losses.iter().filter(|(_, mask, _)| marks & mask != 0).map(|(what, ..)| *what);
        announced.push(lost.collect::<BTreeSet<_>>());
    }
    file.0.flush().unwrap();
    drop(file);
    let text = String::from_utf8_lossy(&csv).into_owned();
    let ReadBack { format, books: back, items, rejected } = import::read_any(&csv, date("2100-12-31"));
    let read_as = match program {
        ExportFormat::StoryGraph | ExportFormat::LibraryThing | ExportFormat::Jelu => "goodreads",
        _ => program.name(),
    };
    prop_assert_eq!((format, &rejected[..]), (read_as, &[][..]), "{}", text);
    let otherwise = read_otherwise(program);
    let mut items = items.into_iter();
    for (number, (reads, item)) in libraries.iter().enumerate() {
        let announced = &announced[number];
        let mut there: Vec<_> = back.iter().filter(|(row, ..)| owners[*row] == number).collect();
        if form.read_a_row {
            // The newest read is written first.
            there.reverse();
        }
        there
            .sort_by_key(|(_, read, _)| order_of(read.status, read.date_completed, read.stopped_date, read.start_date));
        let mut found = Vec::new();
        if let Some(item) = item {
            let back = items.next().expect("an item");
            found.extend(item_differences(item, &back));
        } else {
            let before = days_of(reads.iter().map(|read| (read.status, read.date_completed)));
            let after = days_of(there.iter().map(|(_, read, _)| (read.status, read.date_completed)));
            let flag = |reread: Option<bool>| reread.unwrap_or(false);
            let was_first = |status: &BookStatus| status.is_finished();
            let lost_flag = flag(reads.iter().find(|read| was_first(&read.status)).map(|read| read.reread))
                && !flag(there.iter().find(|(_, read, _)| was_first(&read.status)).map(|(_, read, _)| read.reread));
            // The file has the number of reads, which the import uses for a single read alone.
            let is_counted = read_as == "goodreads" && reads.len() > 1;
            if before != after || (lost_flag && !is_counted) {
                found.push(vec![What::OtherReads]);
            }
            if before == after {
                for (read, (_, back, days)) in reads.iter().zip(&there) {
                    found.extend(differences(read, logs.get(&read.id), back, days));
                }
            }
        }
        for losses in &found {
            let explained = losses.iter().any(|loss| announced.contains(loss) || otherwise.contains(loss));
            prop_assert!(explained, "{:?}: {:?} is not announced among {:?}\n{}", program, losses, announced, text);
        }
        let is_whole = !announced.contains(&What::OtherReads);
        for loss in
            announced.iter().filter(|loss| !otherwise.contains(loss) && (is_whole || **loss == What::OtherReads))
        {
            let occurs = found.iter().any(|losses| losses.contains(loss));
            prop_assert!(
                occurs,
                "{:?}: {:?} is announced and does not occur, in {:?}\n{}",
                program,
                loss,
                made[number],
                text
            );
        }
    }
    prop_assert!(items.next().is_none());
    Ok(())
}

fn item_differences(item: &TbrItem<'_>, back: &TbrDraft) -> Vec<Vec<What>> {
    use What::*;
    let known = |words: Option<i64>, pages: Option<i64>| words.or(pages.map(|pages| pages * 275));
    let mut found = Vec::new();
    let mut differs = |has: bool, losses: &[What]| {
        if has {
            found.push(losses.to_vec());
        }
    };
    differs(item.title != back.title, &[]);
    differs(item.author.as_deref() != back.author.as_deref(), &[Authors]);
    differs(known(item.word_count, item.pages) != known(back.word_count, back.pages), &[Words, Pages]);
    differs(item.pages != back.pages, &[Pages]);
    differs(item.isbn.as_deref() != back.isbn.as_deref(), &[Isbn]);
    differs(item.format != back.format, &[Format]);
    differs(item.notes.as_deref() != back.notes.as_deref(), &[Impressions, LineBreaks]);
    differs(!item.tags.iter().all(|tag| back.tags.contains(tag)), &[Tags]);
    found
}

proptest! {
    #[test]
    fn what_arrives_elsewhere_differs_by_the_announced_losses_and_by_nothing_else(made in library()) {
        for (program, form) in &FORMS {
            check(*program, form, &made)?;
        }
    }
}
