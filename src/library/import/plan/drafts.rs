//! Makes the books of one row: one for each reading, with what belongs to it.
use std::iter::repeat_n;
use std::mem::take;

use chrono::{Datelike as _, NaiveDate};

use super::{January1970, JanuaryFirsts, Offered, PlanBuilder};
use crate::library::books::model::{
    BookDraft, BookStatus, GENRE_LENGTH, IMPRESSIONS_LENGTH, MOST_GENRES, NAME_LENGTH, WordCountSource,
    WordDistribution, estimated_words,
};
use crate::library::import::row::{Destination, Problem, Read, ReadRow};
use crate::library::rough_date::RoughDate;

/// A reading with a date of completion.
#[derive(Clone, Copy, Debug)]
struct Finished {
    date: RoughDate,
    start: Option<NaiveDate>,
    offered: Offered,
}

/// The readings of a row, as books are made of them.
struct Readings {
    /// Oldest first.
    dated: Vec<Finished>,
    /// The reading that was given up, if its day is that of a completion.
    given_up: Option<Finished>,
    /// The start of the reading that is under way.
    begun: Option<NaiveDate>,
    /// How many completions in January 1970 the reader wants without a date.
    without_date: usize,
}

/// The words of a row.
#[derive(Clone, Copy)]
pub(super) struct Words {
    /// `None` where they are unknown.
    pub count: Option<i64>,
    pub source: WordCountSource,
    /// Whether they were computed from the pages or the length.
    pub estimated: bool,
}

/// Whether a book on this shelf is being read.
fn is_open(place: Destination) -> bool {
    matches!(place, Destination::Reading | Destination::Paused)
}

impl PlanBuilder<'_> {
    /// One book for each reading with its own date, at least one; further ones without a date if the reader asked for them. Also
    /// returns whether the word count was computed, and how many readings have no date.
    pub(super) fn drafts(&self, mut row: ReadRow, place: Destination) -> (Vec<(BookDraft, Offered)>, bool, usize) {
        let readings = self.readings(&row, place);
        let dated = readings.dated.len();
        let words = self.words(&row);
        let estimated = words.estimated;
        let mut base = self.base(&mut row, words);
        let is_under_way = is_open(place) || place == Destination::DidNotFinish || dated == 0;
        let known = dated + usize::from(is_under_way);
        let earlier = usize::try_from(row.read_count).unwrap_or(0).saturating_sub(known);
        // A tracker has one rating and one review, which belong to the newest reading that is over.
        let is_about_dated = dated > 0 && place != Destination::DidNotFinish;
        let (rating, mut impressions, mut quotes) =
            (base.rating.take(), base.impressions.take(), take(&mut base.quotes));
        let mut rated = |base| BookDraft { rating, impressions: impressions.take(), quotes: take(&mut quotes), ..base };
        // Only the existence of earlier readings is known.
        let without_dates = if self.options.earlier_reads { earlier } else { 0 };
        let mut bases = repeat_n(base, known + without_dates);
        let of_dated = readings.dated.iter().zip(bases.by_ref()).enumerate().map(|(nth, (reading, base))| {
            let is_last = nth + 1 == dated;
            let base = if is_about_dated && is_last { rated(base) } else { base };
            let reread = row.reread || nth > 0 || (is_last && !is_under_way && earlier > 0);
            (BookDraft { reread, ..self.finished_draft(&row, reading, base) }, reading.offered)
        });
        let mut drafts: Vec<(BookDraft, Offered)> = of_dated.collect();
        // The other readings keep their numbers when these become readings without a date.
        drafts.sort_by_key(|(_, offered)| offered.january_1970);
        if is_under_way && let Some(base) = bases.next() {
            let base = if is_about_dated { base } else { rated(base) };
            let reread = row.reread || dated > 0 || earlier > 0;
            let draft = BookDraft { reread, ..self.unfinished_draft(&row, place, &readings, base) };
            drafts.push((draft, Offered::default()));
            if is_open(place) && !row.reads_listed {
                // What is being read has the first number, whether or not the row has an earlier reading.
                drafts.rotate_right(1);
            }
        }
        if let Some((_, offered)) = drafts.first_mut() {
            offered.january_1970 += readings.without_date;
        }
        drafts.extend(bases.enumerate().map(|(nth, base)| {
            (BookDraft { status: BookStatus::Undated, reread: nth > 0, ..base }, Offered::default())
        }));
        (drafts, estimated, earlier)
    }

    /// The readings of a row, of which those with a date become books of their own.
    fn readings(&self, row: &ReadRow, place: Destination) -> Readings {
        let mut dated: Vec<Finished> = row.reads.iter().filter_map(|read| self.finished(row, read)).collect();
        dated.sort_unstable_by_key(|read| (read.date.to, read.date.first(), read.start));
        let mut without_date = dated.len();
        if self.options.january_1970 == January1970::Undated {
            dated.retain(|read| read.offered.january_1970 == 0);
        }
        without_date -= dated.len();
        // Of a book that was given up, the newest date is that of giving up, unless the file has that day beside a list of the readings.
        let is_listed = row.reads_listed && row.stopped.is_some();
        let given_up = if place == Destination::DidNotFinish && !is_listed { dated.pop() } else { None };
        // With only one date column, the date is that of an earlier reading, which is over. Our own files have one reading a row.
        if is_open(place) && !self.inspect.format.foreign {
            dated.clear();
        }
        let open = row.reads.iter().filter(|read| read.finish.is_none()).filter_map(|read| read.start).max();
        let is_known = row.reads_listed || !dated.is_empty();
        let begun = open.or_else(|| if is_known { None } else { row.reads.iter().find_map(|read: &Read| read.start) });
        Readings { dated, given_up, begun, without_date }
    }

    /// The book of a reading with a date of completion.
    fn finished_draft(&self, row: &ReadRow, reading: &Finished, base: BookDraft) -> BookDraft {
        let Finished { date: finish, start, .. } = reading;
        // A rough date has no start, and its words are not spread.
        let is_exact = finish.from.is_none();
        let start = start.filter(|_| is_exact);
        BookDraft {
            status: BookStatus::Completed,
            date_completed: Some(finish.to),
            completed_from: finish.from,
            start_date: start,
            word_distribution: if is_exact { self.distribution(row, start) } else { WordDistribution::Final },
            ..base
        }
    }

    /// The book of a reading that is under way, was given up, or has no date.
    fn unfinished_draft(&self, row: &ReadRow, place: Destination, readings: &Readings, base: BookDraft) -> BookDraft {
        let Readings { given_up, begun, .. } = *readings;
        let (status, start_date) = match place {
            Destination::Reading | Destination::Paused => (BookStatus::InProgress, begun),
            Destination::DidNotFinish => (BookStatus::DidNotFinish, given_up.and_then(|read| read.start).or(begun)),
            _ => (BookStatus::Undated, None),
        };
        let stopped_date = row.stopped.or(given_up.filter(|read| read.date.from.is_none()).map(|read| read.date.to));
        let is_after_start = |day: &NaiveDate| start_date.is_none_or(|start| start <= *day);
        let paused_since = row.paused.or(self.options.today.filter(|_| place == Destination::Paused));
        BookDraft {
            status,
            start_date,
            stopped_date: stopped_date.filter(|day| status == BookStatus::DidNotFinish && is_after_start(day)),
            paused_since: paused_since.filter(|_| is_open(place)),
            rating: base.rating.filter(|_| status != BookStatus::InProgress),
            word_distribution: match status {
                BookStatus::Undated => WordDistribution::Final,
                _ => self.distribution(row, start_date),
            },
            ..base
        }
    }

    /// Removes starts after the finish of their reading, in another tracker's file, and of a book that is over those after every finish.
    /// The start of a book that is being read belongs to this reading, unless the file lists the dates of each. Returns a note for each
    /// start that is left empty.
    pub(super) fn part_starts(&self, row: &mut ReadRow, place: Destination) -> Vec<Problem> {
        let (mut notes, mut begun) = (Vec::new(), None);
        if !self.inspect.format.foreign {
            return notes;
        }
        let mut note = |start: NaiveDate, finish: NaiveDate| {
            let message = format!("Start date: {start} is after the finish on {finish}. The cell is left empty.");
            notes.push(Problem { field: Some("startDate"), message });
        };
        let newest = row.reads.iter().filter_map(|read| Some(read.finish?.to)).max().filter(|_| !is_open(place));
        row.reads.retain(|read| match (read.start, read.finish, newest) {
            (Some(start), None, Some(newest)) if start > newest => {
                note(start, newest);
                false
            }
            _ => true,
        });
        for read in &mut row.reads {
            let (Some(start), Some(finish)) = (read.start, read.finish) else { continue };
            if start <= finish.to {
                continue;
            }
            read.start = None;
            if is_open(place) && !row.reads_listed {
                begun = begun.max(Some(start));
            } else {
                note(start, finish.to);
            }
        }
        if begun.is_some() {
            row.reads.push(Read { start: begun, finish: None });
        }
        notes
    }

    /// Cuts a review and notes of another tracker that are too long for a book. Returns a note for each; the kept row has the whole text.
    pub(super) fn shorten(&self, row: &mut ReadRow) -> Vec<Problem> {
        let mut cut = Vec::new();
        if !self.inspect.format.foreign {
            return cut;
        }
        let mut note = |field, name: &str, rest: &str| {
            let message = format!("{name}: {rest} The row that is kept with the import has all of it.");
            cut.push(Problem { field: Some(field), message });
        };
        for (field, name, text) in
            [("impressions", "Impressions", &mut row.impressions), ("notes", "Notes", &mut row.notes)]
        {
            let length = text.chars().count();
            if let Some((end, _)) = text.char_indices().nth(IMPRESSIONS_LENGTH) {
                text.truncate(end);
                note(field, name, &format!("of {length} characters the first {IMPRESSIONS_LENGTH} are kept."));
            }
        }
        let both = row.impressions.chars().count() + row.notes.chars().count() + 2;
        if both > IMPRESSIONS_LENGTH && !row.impressions.is_empty() && !row.notes.is_empty() {
            note("notes", "Notes", "there is no room for them beside the impressions.");
            row.notes.clear();
        }
        cut
    }

    /// A reading with a date of completion, as the reader wants that date read.
    fn finished(&self, row: &ReadRow, read: &Read) -> Option<Finished> {
        let (mut date, start) = (read.finish?, read.start);
        let mut offered = Offered::default();
        let first_of_january = date.from.is_none() && (date.to.month(), date.to.day()) == (1, 1);
        if row.invents_days && date.from.is_none() && (date.to.year(), date.to.month()) == (1970, 1) {
            offered.january_1970 = 1;
        } else if self.inspect.format.foreign && first_of_january && start.is_none_or(|start| start >= date.to) {
            // A reading that began in an earlier year ended on that day.
            offered.january_firsts = 1;
            let last = NaiveDate::from_ymd_opt(date.to.year(), 12, 31);
            if let (JanuaryFirsts::Years, Some(to)) = (self.options.january_firsts, last) {
                date = RoughDate { from: Some(date.to), to };
            }
        }
        Some(Finished { date, start, offered })
    }

    /// How the words are counted, as far as the dates allow it.
    fn distribution(&self, row: &ReadRow, start: Option<NaiveDate>) -> WordDistribution {
        match row.distribution {
            WordDistribution::Spread if start.is_none() => WordDistribution::Final,
            WordDistribution::Logged if row.log.iter().all(|day| day.at.is_none()) => WordDistribution::Final,
            distribution => distribution,
        }
    }

    /// What is equal in all readings, and rating, impressions and quotes. The texts are taken out of the row.
    fn base(&self, row: &mut ReadRow, words: Words) -> BookDraft {
        let authors = take(&mut row.authors);
        let mut draft = BookDraft {
            title: take(&mut row.title),
            authors: if authors.is_empty() { vec![take(&mut row.author)] } else { authors },
            word_count: words.count.unwrap_or(0),
            word_count_source: words.source,
            pages: row.pages,
            minutes: row.minutes,
            isbn: row.isbn.take(),
            rating: row.rating,
            format: row.format,
            genres: take(&mut row.genres),
            impressions: Some(joined(&row.impressions, &row.notes)),
            quotes: take(&mut row.quotes),
            facts: take(&mut row.facts),
            ..BookDraft::default()
        };
        if self.inspect.format.foreign {
            // Other programs have no such limits. The raw row keeps the genres that are removed here.
            draft.genres.retain(|genre| genre.chars().count() <= GENRE_LENGTH);
            draft.genres.truncate(MOST_GENRES);
            if let [author] = &mut draft.authors[..] {
                *author = first_names(take(author));
            }
        }
        draft
    }

    /// The words of a row. Our own exports contain unknown counts explicitly.
    pub(super) fn words(&self, row: &ReadRow) -> Words {
        let is_own = self.inspect.format.escaped;
        let computed = estimated_words(row.format, row.pages, row.minutes).filter(|_| row.words.is_none() && !is_own);
        match computed {
            Some((count, source)) => Words { count: Some(count), source, estimated: true },
            None => {
                let source = row.words_source;
                let is_computed = matches!(source, WordCountSource::Pages | WordCountSource::Minutes);
                Words { count: row.words, source, estimated: is_own && is_computed }
            }
        }
    }
}

/// Joins two texts with an empty line between them.
pub(super) fn joined(first: &str, second: &str) -> String {
    let gap = if first.is_empty() || second.is_empty() { "" } else { "\n\n" };
    let both = format!("{first}{gap}{second}");
    // If each text fits but both together don't, the first one is kept.
    if both.chars().count() > IMPRESSIONS_LENGTH && first.chars().count() <= IMPRESSIONS_LENGTH && !first.is_empty() {
        first.to_owned()
    } else {
        both
    }
}

/// The first authors of a list, as many as fit. Anthologies name dozens.
fn first_names(author: String) -> String {
    if author.chars().count() <= NAME_LENGTH {
        return author;
    }
    let end = author.char_indices().nth(NAME_LENGTH).map_or(author.len(), |(at, _)| at);
    author[..end].rfind(", ").map(|comma| author[..comma].to_owned()).unwrap_or(author)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::import::plan::{Options, plan};
    use crate::library::text::date;

    /// The books of a file in short form: status, dates, rating, impressions.
    fn books(text: &str) -> Vec<String> {
        books_with(text, &Options { today: date("2026-11-12"), ..Options::default() })
    }

    fn books_with(text: &str, options: &Options) -> Vec<String> {
        let plan = plan(text.as_bytes(), options).unwrap();
        assert!(plan.rejected.is_empty(), "{:?}", plan.rejected);
        let day = |day: Option<NaiveDate>| day.map(|day| day.to_string()).unwrap_or_default();
        let shown = |draft: &BookDraft| {
            let rating = draft.rating.map(|rating| rating.to_string()).unwrap_or_default();
            let dates =
                [draft.start_date, draft.date_completed, draft.stopped_date, draft.paused_since].map(day).join(",");
            format!("{} {dates} {rating} {}", draft.status.name(), draft.impressions.as_deref().unwrap_or_default())
        };
        plan.books.iter().map(|book| shown(&book.draft)).collect()
    }

    #[test]
    fn a_rating_and_a_review_belong_to_the_newest_reading() {
        let file = "Title,Authors,Read Status,Dates Read,Star Rating,Review\n\
            Dune,F H,read,\"2012/05/02, 2024/05/02\",4.25,Sand\n";
        assert_eq!(books(file), ["completed ,2012-05-02,,  ", "completed ,2024-05-02,, 8.5 Sand"]);
    }

    #[test]
    fn what_was_given_up_or_rests_is_kept_with_its_day() {
        let file = "Title,Authors,Read Status,Dates Read,Star Rating,Review\n\
            Ulysses,J J,did-not-finish,2024/01/02-2024/03/04,1.5,Long\n\
            Emma,J A,paused,2024/06/01-,,\n\
            Momo,M E,did-not-finish,,,\n";
        assert_eq!(
            books(file),
            [
                "did-not-finish 2024-01-02,,2024-03-04, 3 Long",
                "in-progress 2024-06-01,,,2026-11-12  ",
                "did-not-finish ,,,  "
            ]
        );
        let own = "Title,Author,Word Count,Status,Start Date,Word Distribution,Work,Stopped Date,Paused Since\n\
            A,B,1,did-not-finish,2024-01-02,final,1,2024-01-05,\n\
            A,B,1,in-progress,2024-01-02,final,1,,2024-02-05\n";
        assert_eq!(books(own), ["did-not-finish 2024-01-02,,2024-01-05,  ", "in-progress 2024-01-02,,,2024-02-05  "]);
    }

    const OPENREADS: &str = "title,author,status,rating,readings,book_format\n\
        Year,A B,finished,4.0,|2019-01-01T00:00:00.000|,paperback\n\
        Holidays,A B,finished,,2018-12-20T00:00:00.000|2019-01-01T00:00:00.000|,paperback\n\
        Other,A B,finished,,|2019-01-02T00:00:00.000|,paperback\n";

    fn offered(text: &str, options: &Options) -> Vec<(usize, usize)> {
        let plan = plan(text.as_bytes(), options).unwrap();
        plan.books.iter().map(|book| (book.offered.january_firsts, book.offered.january_1970)).collect()
    }

    #[test]
    fn a_first_of_january_stays_a_day_unless_its_reader_makes_it_a_year() {
        let years = Options { january_firsts: JanuaryFirsts::Years, ..Options::default() };
        assert_eq!(
            books(OPENREADS),
            ["completed ,2019-01-01,, 8 ", "completed 2018-12-20,2019-01-01,,  ", "completed ,2019-01-02,,  "]
        );
        assert_eq!(
            books_with(OPENREADS, &years),
            ["completed ,2019-12-31,, 8 ", "completed 2018-12-20,2019-01-01,,  ", "completed ,2019-01-02,,  "]
        );
        let made = plan(OPENREADS.as_bytes(), &years).unwrap();
        assert_eq!(made.books[0].draft.completed_from, date("2019-01-01"));
        for options in [Options::default(), years] {
            assert_eq!(offered(OPENREADS, &options), [(1, 0), (0, 0), (0, 0)], "counted before and after the choice");
        }
        let own = "Title,Author,Word Count,Date Completed,Rating\nA,B,1,2019-01-01,5\n";
        assert_eq!(offered(own, &Options::default()), [(0, 0)], "our own files mean their days");
    }

    #[test]
    fn days_that_jelu_invents_stay_days_unless_their_reader_makes_them_undated() {
        let jelu = "Title,Author,Date Read,Shelves,Bookshelves,read_dates,dropped_dates,currently_reading\n\
            Once,A B,1970/01/01,,,1970/01/01,,\n\
            Twice,A B,1970/01/02,,,\"1970/01/02,2021/05/06\",,\n";
        let undated = Options { january_1970: January1970::Undated, ..Options::default() };
        assert_eq!(
            books(jelu),
            ["completed ,1970-01-01,,  ", "completed ,2021-05-06,,  ", "completed ,1970-01-02,,  "]
        );
        assert_eq!(books_with(jelu, &undated), ["undated ,,,  ", "completed ,2021-05-06,,  "]);
        assert_eq!(offered(jelu, &Options::default()), [(0, 1), (0, 0), (0, 1)]);
        assert_eq!(offered(jelu, &undated), [(0, 1), (0, 1)]);
    }

    /// The notes about a file: line, field and sentence.
    fn notes(text: &str) -> Vec<(u64, Option<&'static str>, String)> {
        let plan = plan(text.as_bytes(), &Options::default()).unwrap();
        let line = |row: usize| plan.rows[row].line;
        plan.notes.iter().map(|note| (line(note.row), note.problem.field, note.problem.message.clone())).collect()
    }

    #[test]
    fn a_start_after_the_finish_is_left_empty_and_the_reading_stays() {
        let file = "Title,Authors,Read Status,Dates Read,Star Rating\n\
            Dune,F H,read,2024/03/14-2024/03/04,4.5\n\
            Emma,J A,currently-reading,2024/03/14-2024/03/04,\n";
        assert_eq!(
            books(file),
            ["completed ,2024-03-04,, 9 ", "completed ,2024-03-04,,  ", "in-progress ,,,  "],
            "a listed span is one reading"
        );
        let sentence = "Start date: 2024-03-14 is after the finish on 2024-03-04. The cell is left empty.";
        assert_eq!(
            notes(file),
            [(2, Some("startDate"), sentence.to_owned()), (3, Some("startDate"), sentence.to_owned())]
        );
    }

    #[test]
    fn a_start_after_every_finish_of_hardcover_is_left_empty_where_the_book_is_over() {
        let header = "Title,Author,Status,Privacy,Hardcover Book ID,Date Started,Date Finished\n";
        let rows = [
            ("Read,,1,2024-05-06,2024-02-03", "completed ,2024-02-03,,  "),
            ("Did Not Finish,,1,2024-05-06,2024-02-03", "did-not-finish ,,2024-02-03,  "),
            ("Read,,1,\"2024-05-06, 2024-01-02\",2024-02-03", "completed 2024-01-02,2024-02-03,,  "),
        ];
        let sentence = "Start date: 2024-05-06 is after the finish on 2024-02-03. The cell is left empty.";
        for (cells, book) in rows {
            let file = format!("{header}T,A,{cells}\n");
            assert_eq!(
                (books(&file), notes(&file)),
                (vec![book.to_owned()], vec![(2, Some("startDate"), sentence.to_owned())])
            );
        }
        let open = format!("{header}T,A,Currently Reading,,1,2024-05-06,2024-02-03\n");
        assert_eq!((books(&open).len(), notes(&open).len()), (2, 0));
    }

    const GOODREADS: &str = "Book Id,Title,Author,ISBN,My Rating,Number of Pages,Date Read,Date Added,Date Started,Bookshelves,\
        Exclusive Shelf,My Review,Read Count\n";

    #[test]
    fn a_finished_reading_of_a_book_that_waits_or_is_being_read_is_kept() {
        let file = format!(
            "{GOODREADS}1,Again,A B,,4,100,2020/01/02,2019/01/01,,to-read,to-read,Good,1\n\
             2,Now,A B,,3,100,2020/01/02,2019/01/01,2024/05/06,,currently-reading,,1\n\
             3,Then,A B,,0,100,2020/01/02,2019/01/01,2019/12/12,,currently-reading,,1\n\
             4,Open,A B,,0,100,,2019/01/01,2024/05/06,,currently-reading,,1\n"
        );
        let made = plan(file.as_bytes(), &Options::default()).unwrap();
        let items: Vec<_> = made.items.iter().map(|item| item.draft.title.as_str()).collect();
        assert_eq!((items, made.rows.len(), made.notes.len()), (vec!["Again"], 4, 0));
        assert_eq!(
            books(&file),
            [
                "completed ,2020-01-02,, 8 Good",
                "in-progress 2024-05-06,,,  ",
                "completed ,2020-01-02,, 6 ",
                "in-progress ,,,  ",
                "completed 2019-12-12,2020-01-02,,  ",
                "in-progress 2024-05-06,,,  "
            ]
        );
        let list = Options { kind: crate::library::import::plan::Kind::Tbr, ..Options::default() };
        let list = plan(file.as_bytes(), &list).unwrap();
        assert_eq!((list.items.len(), list.books.len()), (1, 0), "a list takes no books");
    }

    #[test]
    fn a_cell_that_a_row_can_do_without_is_left_empty_with_a_note() {
        let file = format!(
            "{GOODREADS}1,Loud,A B,,17,many,2020/01/02,2019/01/01,soon,,read,,1\n\
             2,Dateless,A B,,4,100,never,2019/01/01,,,read,,1\n\
             3,Waiting,A B,,0,-5,never,2019/01/01,,to-read,to-read,,0\n"
        );
        let made = plan(file.as_bytes(), &Options::default()).unwrap();
        let draft = &made.books[0].draft;
        assert_eq!((draft.rating, draft.pages, draft.start_date), (None, None, None));
        assert_eq!((made.books.len(), made.items.len(), made.items[0].draft.pages), (1, 1, None));
        let rejected: Vec<_> = made.rejected.iter().map(|row| (row.line, row.problem.field)).collect();
        assert_eq!(rejected, [(3, Some("dateCompleted"))], "a finished book needs its date");
        let mut seen = notes(&file);
        seen.sort();
        let sentence = |text: &str| format!("{text} The cell is left empty.");
        assert_eq!(
            seen,
            [
                (2, Some("pages"), sentence("Pages \u{201c}many\u{201d} is not a number.")),
                (2, Some("rating"), sentence("Rating \u{201c}17\u{201d} is not a number of stars from 0 to 5.")),
                (
                    2,
                    Some("startDate"),
                    sentence("Start date: \u{201c}soon\u{201d} is not a date between 1900 and 2100.")
                ),
                (
                    4,
                    Some("dateCompleted"),
                    sentence("Date completed: \u{201c}never\u{201d} is not a date between 1900 and 2100.")
                ),
                (4, Some("pages"), sentence("Pages \u{201c}-5\u{201d} is not a whole number from 1 to 100,000.")),
            ]
        );
    }

    #[test]
    fn an_isbn_that_is_not_valid_is_left_empty_with_a_note() {
        let file = format!(
            "{GOODREADS}1,Ruined,A B,9.78006E+12,4,100,2020/01/02,2019/01/01,,,read,,1\n\
             2,Whole,A B,=\"0441013597\",4,100,2020/01/02,2019/01/01,,,read,,1\n\
             3,Kindle,A B,B0084FWN26,4,100,2020/01/02,2019/01/01,,,read,,1\n\
             4,Waiting,A B,9780441013590,0,100,,2019/01/01,,to-read,to-read,,0\n"
        );
        let made = plan(file.as_bytes(), &Options::default()).unwrap();
        assert_eq!((made.books.len(), made.items.len(), made.rejected.len()), (3, 1, 0));
        assert_eq!(made.books[1].draft.isbn.as_deref(), Some("9780441013593"));
        let sentence = |cell: &str| format!("ISBN \u{201c}{cell}\u{201d} is not a valid ISBN. The cell is left empty.");
        let (first, last) = (sentence("9.78006E+12"), sentence("9780441013590"));
        assert_eq!(notes(&file), [(2, Some("isbn"), first), (5, Some("isbn"), last)]);
    }

    #[test]
    fn a_page_of_yamtrack_is_a_day_of_the_log() {
        let file = "media_id,source,media_type,title,score,progress,status,start_date,end_date,notes,progressed_at\n\
            1,hardcover,book,Now,,150,In progress,2024-01-01,,,2024-01-09T20:00:00+00:00\n\
            2,hardcover,book,Left,,30,Dropped,,,,2024-02-02 10:00:00\n\
            3,hardcover,book,Done,8,321,Completed,,2024-03-03,,2024-03-03\n\
            4,hardcover,book,No day,,7,Paused,,,,\n";
        let made = plan(file.as_bytes(), &Options::default()).unwrap();
        let logs: Vec<Vec<_>> = made
            .books
            .iter()
            .map(|book| book.log.iter().map(|day| (day.day.to_string(), day.page, day.at)).collect())
            .collect();
        assert_eq!(
            logs,
            [
                vec![("2024-01-09".to_owned(), Some(150), Some(0))],
                vec![("2024-02-02".to_owned(), Some(30), Some(0))],
                vec![],
                vec![]
            ]
        );
        assert_eq!(made.books[2].draft.pages, Some(321));
    }

    #[test]
    fn our_own_files_hold_works_and_logs() {
        let own = "Title,Author,Word Count,Status,Word Distribution,Work,Reading Days\n\
            A,B,1,in-progress,final,7,\"[{\"\"day\"\":\"\"2024-01-02\"\",\"\"at\"\":1234,\"\"page\"\":5}]\"\n";
        let plan = plan(own.as_bytes(), &Options::default()).unwrap();
        let book = &plan.books[0];
        assert_eq!((book.work, book.log.len(), book.log[0].at, book.log[0].page), (Some(7), 1, Some(1_234), Some(5)));
        let damaged = own.replace("1234", "12345");
        let plan = crate::library::import::plan::plan(damaged.as_bytes(), &Options::default()).unwrap();
        assert_eq!(plan.rejected[0].problem.field, Some("readingDays"));
    }
}
