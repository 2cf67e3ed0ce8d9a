//! What a kept row can add to a book that it made, field by field.
use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use crate::kit::named::named;
use crate::kit::timestamp::Timestamp;
use crate::library::books::authors::{MOST_AUTHORS, NAME_LENGTH};
use crate::library::books::facts::{Contributor, ContributorRole, Series};
use crate::library::books::log::ReadingDay;
use crate::library::books::model::{
    BookDraft, BookStatus, WORDS_A_MINUTE, WordCountSource, estimated_words, is_hours_or_discs,
};
use crate::library::books::store::stored;
use crate::library::import::edition::series_of;
use crate::library::import::history::model::ImportId;
use crate::library::import::sync::{SyncField, fill_in, has_estimated_words};
use crate::library::operations::model::OperationId;
use crate::library::text;

named! {
    /// A field that is filled in from imported rows.
    RefillField {
        /// Series and number; the title loses them, unless its reader has changed it.
        Series = "series",
        /// The subtitle behind the title, in books that were not changed.
        Title = "title",
        /// The authors one by one, with the additional authors of Goodreads. Only when chosen.
        Authors = "authors",
        /// Translators, narrators and others.
        Contributors = "contributors",
        /// The reader's own words for the book.
        Tags = "tags",
        /// The publisher.
        Publisher = "publisher",
        /// When the edition appeared.
        Published = "published",
        /// When the book first appeared.
        OriginalYear = "originalYear",
        /// The language of the edition.
        Language = "language",
        /// The ISBN.
        Isbn = "isbn",
        /// The pages.
        Pages = "pages",
        /// The length of an audiobook.
        Minutes = "minutes",
        /// Makes the hours that stand in the place of an audiobook's pages its length. Only when chosen.
        AudioPages = "audioPages",
        /// The words, of the row or computed from pages or the length.
        Words = "words",
        /// Ratings that a former version rounded, in books that were not changed.
        Ratings = "ratings",
        /// Dates that a former version did not read, in books that were not changed.
        Dates = "dates",
        /// The place in a read that is open or was given up, where its log has no day yet.
        Progress = "progress",
        /// Takes the rating and the review of a row off all but the latest read, in books that were not changed. Only when chosen.
        CopiedRatings = "copiedRatings",
    }
}

impl RefillField {
    /// Whether it is filled in without being chosen. The others change what is not empty.
    pub fn is_preset(self) -> bool {
        !matches!(self, Self::Authors | Self::AudioPages | Self::CopiedRatings)
    }
}

/// The result of filling in, or what it would be.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefillReport {
    /// How many kept rows were read.
    pub rows: usize,
    /// How many books gain something.
    pub books: usize,
    /// One entry for each field that can be filled in.
    pub fields: Vec<RefillFieldReport>,
    /// How many books keep values that their reader changed, and that differ from the rows.
    pub kept: usize,
    /// The imports whose rows add something.
    pub files: Vec<RefillFile>,
    /// The operation that undoes it; null in a preview, and when nothing was filled in.
    #[schema(required, value_type = Option<i64>)]
    pub undo_id: Option<OperationId>,
}

/// What is filled in of a field.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RefillFieldReport {
    /// The field that gains values.
    pub field: RefillField,
    /// Whether this call fills it in. `books` is counted for the other fields, too.
    pub chosen: bool,
    /// How many books get a value.
    pub books: usize,
    /// The first of them, at most 3.
    pub examples: Vec<RefillExample>,
}

/// A book that gains something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RefillExample {
    /// The book's id.
    pub id: i64,
    /// Its title as it is now.
    pub title: String,
    /// The value that it has; null for none.
    #[schema(required)]
    pub before: Option<String>,
    /// The value that it gets; null for none.
    #[schema(required)]
    pub after: Option<String>,
}

/// An import whose rows add something, or that left rows out without keeping them.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefillFile {
    /// The id of the import.
    #[schema(value_type = i64)]
    pub import_id: ImportId,
    /// The name of its file; empty if none was sent.
    pub file_name: String,
    /// The format of its file.
    pub format: String,
    /// When it was imported, RFC 3339 in UTC.
    #[schema(value_type = String)]
    pub created_at: Timestamp,
    /// How many books gain something from its rows.
    pub books: usize,
    /// How many of its rows were skipped by a version that did not keep such rows: importing the file again adds those that are missing.
    pub not_kept: i64,
}

/// A book and the row that made it.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'p> {
    /// The book as it is.
    pub now: &'p BookDraft,
    /// The reading that the book is, or another one of the row.
    pub draft: &'p BookDraft,
    /// Whether the draft is of the reading that the book is: only then it says when that was.
    pub is_exact: bool,
    /// Whether its reader has not changed the book since it was made from this very reading.
    pub is_unchanged: bool,
    /// The latest reading of the row with a rating or a review, and whether its book exists.
    pub rated: Option<(&'p BookDraft, bool)>,
    /// The days of the reading's log, where the book has none.
    pub log: &'p [ReadingDay],
    /// The day since which the reading is paused, where the book has no log.
    pub paused: Option<NaiveDate>,
    /// The hours or discs that the row of an audiobook has in the place of pages.
    pub audio_pages: Option<i64>,
    /// Whether the row's contributors without a role may be authors, as in files of Goodreads.
    pub mixes_authors: bool,
}

/// What a row means for a field of a book.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The row does not say more than the book.
    Nothing,
    /// The book keeps a value that differs from the row's.
    Keeps,
    /// The book becomes another one.
    Fills(Box<RefillChange>),
}

/// A book with the value that it gets.
#[derive(Clone, Debug, PartialEq)]
pub struct RefillChange {
    pub draft: BookDraft,
    /// What the field says now.
    pub before: Option<String>,
    /// What it says then.
    pub after: Option<String>,
}

impl Pair<'_> {
    /// What the row means for a field.
    pub fn outcome(&self, field: RefillField) -> Outcome {
        let facts = &self.draft.facts;
        let number = |number: Option<i64>| number.map(|number| number.to_string());
        match field {
            RefillField::Series => self.series(),
            RefillField::Title => self.title(),
            RefillField::Authors => self.authors(),
            RefillField::Contributors => self.contributors(),
            RefillField::Tags => self.plain(SyncField::Tags, Some(facts.tags.join(", "))),
            RefillField::Publisher => self.plain(SyncField::Publisher, facts.publisher.clone()),
            RefillField::Published => {
                self.plain(SyncField::Published, facts.published.as_ref().map(ToString::to_string))
            }
            RefillField::OriginalYear => {
                self.plain(SyncField::OriginalYear, facts.original_year.map(|year| year.to_string()))
            }
            RefillField::Language => self.plain(SyncField::Language, facts.language.clone()),
            RefillField::Isbn => self.plain(SyncField::Isbn, self.draft.isbn.clone()),
            RefillField::Pages => self.plain(SyncField::Pages, number(self.draft.pages)),
            RefillField::Minutes => self.plain(SyncField::Minutes, number(self.draft.minutes)),
            RefillField::AudioPages => self.audio_pages(),
            RefillField::Words => self.words(),
            RefillField::Ratings => self.rating(),
            RefillField::Dates => self.dates(),
            RefillField::Progress => self.progress(),
            RefillField::CopiedRatings => self.copied_rating(),
        }
    }

    /// The book becomes another one by `change`.
    fn fills(&self, before: Option<String>, after: Option<String>, change: impl FnOnce(&mut BookDraft)) -> Outcome {
        let mut draft = self.now.clone();
        change(&mut draft);
        Outcome::Fills(Box::new(RefillChange { draft, before, after }))
    }

    /// A field that is filled in where it is empty: compared as by a sync, but as if no file had said anything before.
    fn plain(&self, field: SyncField, shown: Option<String>) -> Outcome {
        let merged = fill_in(field, self.now, self.draft);
        if !merged.conflicts.is_empty() {
            Outcome::Keeps
        } else if merged.changed.is_empty() {
            Outcome::Nothing
        } else {
            Outcome::Fills(Box::new(RefillChange { draft: merged.draft, before: None, after: shown }))
        }
    }

    fn series(&self) -> Outcome {
        let Some(Series { name, number }) = &self.draft.facts.series else { return Outcome::Nothing };
        if self.now.facts.series.as_ref().is_some_and(|now| now.name == *name) {
            return Outcome::Nothing;
        }
        let shown = match number {
            Some(number) => format!("{name}, #{number}"),
            None => name.clone(),
        };
        let mut outcome = self.plain(SyncField::Series, Some(shown));
        let bare = series_of(&self.now.title).map(|(bare, _)| bare);
        if let (Outcome::Fills(change), Some(bare)) = (&mut outcome, bare.filter(|bare| *bare == self.draft.title)) {
            bare.clone_into(&mut change.draft.title);
        }
        outcome
    }

    /// The first version did not read subtitles.
    fn title(&self) -> Outcome {
        let now = &self.now.title;
        match self.draft.title.strip_prefix(now.as_str()) {
            Some(behind) if self.is_unchanged && !now.is_empty() && behind.starts_with(": ") => {
                let title = &self.draft.title;
                self.fills(Some(now.clone()), Some(title.clone()), |draft| draft.title.clone_from(title))
            }
            _ => Outcome::Nothing,
        }
    }

    fn authors(&self) -> Outcome {
        let mut names = self.draft.authors.clone();
        if self.mixes_authors {
            let others = self.draft.facts.contributors.iter().filter(|person| person.role == ContributorRole::Other);
            names.extend(others.map(|person| person.name.clone()));
        }
        let mut seen = Vec::new();
        names.retain(|name| {
            let key = text::name_key(name);
            let is_new = !seen.contains(&key);
            seen.push(key);
            is_new
        });
        names.truncate(MOST_AUTHORS);
        while names.len() > 1 && names.join(", ").chars().count() > NAME_LENGTH {
            names.pop();
        }
        if names.len() < 2 || self.now.authors == names {
            return Outcome::Nothing;
        }
        let now = self.now.author();
        let first = self.draft.authors.first().map(String::as_str).unwrap_or_default();
        if self.now.authors.len() > 1 || (now != self.draft.author() && now != first) {
            return Outcome::Keeps;
        }
        self.fills(Some(now), Some(names.join(", ")), |draft| {
            // A person is not both.
            draft.facts.contributors.retain(|person| !is_among(person, &names));
            draft.authors = names;
        })
    }

    fn contributors(&self) -> Outcome {
        let mut draft = self.draft.clone();
        draft.facts.contributors.retain(|person| !is_among(person, &self.now.authors));
        let shown: Vec<_> = draft.facts.contributors.iter().map(|person| person.name.as_str()).collect();
        Pair { draft: &draft, ..*self }.plain(SyncField::Contributors, Some(shown.join(", ")))
    }

    /// Words that somebody counted stay.
    fn audio_pages(&self) -> Outcome {
        let hours = self.now.pages.or(self.audio_pages).filter(|hours| is_hours_or_discs(self.now.format, *hours));
        let (Some(hours), None) = (hours, self.now.minutes) else { return Outcome::Nothing };
        let before = self.now.pages.map(|pages| format!("{pages} pages"));
        self.fills(before, Some(format!("{hours} h")), |draft| {
            let minutes = hours * 60;
            (draft.pages, draft.minutes) = (None, Some(minutes));
            if has_estimated_words(draft) {
                (draft.word_count, draft.word_count_source) = (minutes * WORDS_A_MINUTE, WordCountSource::Minutes);
            }
        })
    }

    fn words(&self) -> Outcome {
        let (words, source) = match self.draft.word_count {
            0 => {
                let (pages, minutes) = (self.now.pages.or(self.draft.pages), self.now.minutes.or(self.draft.minutes));
                estimated_words(self.now.format, pages, minutes).unwrap_or_default()
            }
            words => (words, self.draft.word_count_source),
        };
        match self.now.word_count {
            now if words == 0 || now == words => Outcome::Nothing,
            0 => self.fills(None, Some(words.to_string()), |draft| {
                (draft.word_count, draft.word_count_source) = (words, source);
            }),
            _ => Outcome::Keeps,
        }
    }

    fn rating(&self) -> Outcome {
        let row = self.rated.and_then(|(draft, _)| draft.rating);
        match (row, self.now.rating) {
            (Some(row), Some(now)) if row == now => Outcome::Nothing,
            (Some(row), Some(now)) if self.is_unchanged && row.rounded() == now => {
                self.fills(Some(now.to_string()), Some(row.to_string()), |draft| draft.rating = Some(row))
            }
            (Some(_), Some(_)) => Outcome::Keeps,
            _ => Outcome::Nothing,
        }
    }

    fn dates(&self) -> Outcome {
        let (said, now) = (self.draft, self.now);
        if !self.is_unchanged {
            return Outcome::Nothing;
        }
        if let (BookStatus::Undated, BookStatus::Completed, Some(to)) = (now.status, said.status, said.date_completed) {
            let from = said.completed_from;
            let shown = from.map_or_else(|| stored(to), |from| format!("{} – {}", stored(from), stored(to)));
            return self.fills(None, Some(shown), |draft| {
                (draft.status, draft.date_completed, draft.completed_from) = (said.status, Some(to), from);
                (draft.start_date, draft.word_distribution) = (said.start_date, said.word_distribution);
            });
        }
        let is_same = (now.status, now.date_completed, now.completed_from) == (said.status, said.date_completed, None);
        match (self.paused, said.start_date) {
            (Some(paused), _)
                if is_same
                    && now.status == BookStatus::InProgress
                    && now.paused_since.is_none()
                    && now.start_date.is_none_or(|start| start <= paused) =>
            {
                let shown = format!("paused since {}", stored(paused));
                self.fills(None, Some(shown), |draft| draft.paused_since = Some(paused))
            }
            (_, Some(start)) if is_same && now.start_date.is_none() => {
                self.fills(None, Some(stored(start)), |draft| draft.start_date = Some(start))
            }
            _ => Outcome::Nothing,
        }
    }

    /// No value of the book changes: the days go into its log.
    fn progress(&self) -> Outcome {
        let is_open = matches!(self.now.status, BookStatus::InProgress | BookStatus::DidNotFinish) && self.is_exact;
        let last = self.log.iter().rev().find_map(|day| match (day.page, day.at) {
            (Some(page), _) => Some(format!("page {page}")),
            (None, Some(at)) => Some(format!("{}.{:02}%", at / 100, at % 100)),
            (None, None) => None,
        });
        match last.filter(|_| is_open) {
            Some(place) => self.fills(None, Some(place), |_| {}),
            None => Outcome::Nothing,
        }
    }

    /// A former version gave the rating and the review of a row to each of its readings.
    fn copied_rating(&self) -> Outcome {
        let Some((rated, true)) = self.rated.filter(|_| self.is_unchanged) else { return Outcome::Nothing };
        if self.draft.rating.is_some() || self.draft.impressions.is_some() {
            return Outcome::Nothing;
        }
        let now = self.now.rating;
        let is_copied = now.is_some_and(|now| rated.rating.is_some_and(|row| row == now || row.rounded() == now));
        let is_told = rated.impressions.is_some() && self.now.impressions == rated.impressions;
        if !is_copied && !is_told {
            return Outcome::Nothing;
        }
        let review = self.now.impressions.as_ref().map(|text| text.chars().take(80).collect());
        let before = now.filter(|_| is_copied).map(|rating| rating.to_string()).or(review);
        self.fills(before, None, |draft| {
            draft.rating.take_if(|_| is_copied);
            draft.impressions.take_if(|_| is_told);
        })
    }
}

/// Whether a person without a role of their own is one of these authors.
fn is_among(person: &Contributor, authors: &[String]) -> bool {
    person.role == ContributorRole::Other
        && authors.iter().any(|author| text::name_key(author) == text::name_key(&person.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::books::facts::BookFacts;
    use crate::library::books::rating::Rating;
    use crate::library::text::date;

    fn pair<'p>(now: &'p BookDraft, draft: &'p BookDraft) -> Pair<'p> {
        Pair {
            now,
            draft,
            is_exact: true,
            is_unchanged: true,
            rated: Some((draft, true)),
            log: &[],
            paused: None,
            audio_pages: None,
            mixes_authors: true,
        }
    }

    /// The same with a book that its reader has changed.
    fn changed<'p>(now: &'p BookDraft, draft: &'p BookDraft) -> Pair<'p> {
        Pair { is_unchanged: false, ..pair(now, draft) }
    }

    fn filled(outcome: Outcome) -> BookDraft {
        match outcome {
            Outcome::Fills(change) => change.draft,
            other => panic!("{other:?}"),
        }
    }

    fn other(name: &str) -> Contributor {
        Contributor { name: name.to_owned(), role: ContributorRole::Other }
    }

    fn titled(title: &str) -> BookDraft {
        BookDraft { title: title.to_owned(), ..BookDraft::default() }
    }

    fn leviathan() -> BookDraft {
        BookDraft {
            title: "Leviathan Wakes".into(),
            authors: vec!["James Corey".into()],
            facts: BookFacts {
                series: Some(Series { name: "The Expanse".into(), number: Some("1".into()) }),
                contributors: vec![other("Daniel Abraham")],
                ..BookFacts::default()
            },
            pages: Some(100),
            ..BookDraft::default()
        }
    }

    #[test]
    fn a_title_loses_its_series_unless_its_reader_changed_it() {
        let draft = leviathan();
        let series = |title: &str| filled(changed(&titled(title), &draft).outcome(RefillField::Series));
        let with_series = |title: &str| BookDraft {
            facts: BookFacts { series: draft.facts.series.clone(), ..BookFacts::default() },
            ..titled(title)
        };
        assert_eq!(series("Leviathan Wakes (The Expanse, #1)"), with_series("Leviathan Wakes"));
        assert_eq!(series("Leviathan (The Expanse, #1)"), with_series("Leviathan (The Expanse, #1)"));
        let mut own = titled("Leviathan Wakes");
        own.facts.series = Some(Series { name: "Expanse".into(), number: None });
        assert_eq!(changed(&own, &draft).outcome(RefillField::Series), Outcome::Keeps);
    }

    #[test]
    fn a_title_gets_its_subtitle_unless_its_reader_changed_the_book() {
        let draft = titled("Twice: A tale");
        assert_eq!(filled(pair(&titled("Twice"), &draft).outcome(RefillField::Title)), draft);
        assert_eq!(changed(&titled("Twice"), &draft).outcome(RefillField::Title), Outcome::Nothing);
        for now in ["Twice: A tale", "Twi", "", "Thrice"] {
            assert_eq!(pair(&titled(now), &draft).outcome(RefillField::Title), Outcome::Nothing, "{now}");
        }
    }

    #[test]
    fn authors_come_from_the_row_and_leave_the_contributors() {
        let draft = leviathan();
        let by = |authors: &[&str], others: &[&str]| {
            let contributors = others.iter().map(|name| other(name)).collect();
            let authors = authors.iter().map(|name| (*name).to_owned()).collect();
            BookDraft { authors, facts: BookFacts { contributors, ..BookFacts::default() }, ..BookDraft::default() }
        };
        let both = by(&["James Corey", "Daniel Abraham"], &[]);
        let imported = by(&["James Corey"], &["Daniel Abraham"]);
        assert_eq!(filled(pair(&imported, &draft).outcome(RefillField::Authors)), both);
        let own = by(&["J. S. A. Corey"], &[]);
        assert_eq!(pair(&own, &draft).outcome(RefillField::Authors), Outcome::Keeps);
        let contributors = filled(pair(&own, &draft).outcome(RefillField::Contributors));
        assert_eq!(contributors, by(&["J. S. A. Corey"], &["Daniel Abraham"]));
        assert_eq!(pair(&both, &draft).outcome(RefillField::Contributors), Outcome::Nothing);
        assert_eq!(pair(&both, &draft).outcome(RefillField::Authors), Outcome::Nothing);
    }

    #[test]
    fn only_a_rounded_rating_of_an_unchanged_book_gets_its_quarter_back() {
        let rated = |tenths| BookDraft { rating: Some(Rating::of_tenths(tenths)), ..BookDraft::default() };
        let draft = rated(75);
        assert_eq!(filled(pair(&rated(80), &draft).outcome(RefillField::Ratings)), draft);
        assert_eq!(changed(&rated(80), &draft).outcome(RefillField::Ratings), Outcome::Keeps);
        assert_eq!(pair(&rated(70), &draft).outcome(RefillField::Ratings), Outcome::Keeps);
        assert_eq!(pair(&rated(75), &draft).outcome(RefillField::Ratings), Outcome::Nothing);
    }

    #[test]
    fn a_copied_rating_stays_where_the_latest_read_is_gone() {
        let rated = |tenths| BookDraft {
            rating: Some(Rating::of_tenths(tenths)),
            impressions: Some("Sand".into()),
            ..BookDraft::default()
        };
        let (latest, earlier, now) = (rated(85), BookDraft::default(), rated(90));
        let copy = |is_here| {
            Pair { rated: Some((&latest, is_here)), ..pair(&now, &earlier) }.outcome(RefillField::CopiedRatings)
        };
        assert_eq!(filled(copy(true)), BookDraft::default());
        assert_eq!(copy(false), Outcome::Nothing);
    }

    #[test]
    fn words_come_from_pages_only_where_none_are_known() {
        let draft = leviathan();
        let known = |word_count, pages| BookDraft { word_count, pages, ..BookDraft::default() };
        let words = filled(pair(&known(0, Some(10)), &draft).outcome(RefillField::Words));
        assert_eq!((words.word_count, words.word_count_source), (2_750, WordCountSource::Pages));
        assert_eq!(pair(&known(9, None), &draft).outcome(RefillField::Words), Outcome::Keeps);
    }

    #[test]
    fn a_book_that_the_row_calls_paused_is_paused_unless_its_reader_has_gone_on() {
        let draft = BookDraft { status: BookStatus::InProgress, ..BookDraft::default() };
        let paused = date("2026-03-03");
        let open = BookDraft { start_date: date("2026-01-02"), ..draft.clone() };
        let outcome = |now: &BookDraft| Pair { paused, ..pair(now, &draft) }.outcome(RefillField::Dates);
        assert_eq!(filled(outcome(&open)), BookDraft { paused_since: paused, ..open.clone() });
        assert_eq!(Pair { paused, ..changed(&draft, &draft) }.outcome(RefillField::Dates), Outcome::Nothing);
        for now in [
            BookDraft { paused_since: date("2026-02-01"), ..draft.clone() },
            BookDraft { start_date: date("2026-04-01"), ..draft.clone() },
            BookDraft { status: BookStatus::Completed, date_completed: date("2026-01-01"), ..BookDraft::default() },
        ] {
            assert_eq!(outcome(&now), Outcome::Nothing, "{now:?}");
        }
    }

    #[test]
    fn a_rough_date_is_filled_only_into_an_undated_read() {
        let draft = BookDraft {
            status: BookStatus::Completed,
            completed_from: date("2019-01-01"),
            date_completed: date("2019-12-31"),
            ..BookDraft::default()
        };
        let undated = BookDraft { status: BookStatus::Undated, ..BookDraft::default() };
        assert_eq!(filled(pair(&undated, &draft).outcome(RefillField::Dates)), draft);
        assert_eq!(changed(&undated, &draft).outcome(RefillField::Dates), Outcome::Nothing);
    }
}
