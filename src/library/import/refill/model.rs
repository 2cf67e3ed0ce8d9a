//! What a kept row can add to a book that it made, field by field.
use chrono::NaiveDate;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::kit::named::named;
use crate::kit::timestamp::Timestamp;
use crate::library::books::authors::{MOST_AUTHORS, NAME_LENGTH};
use crate::library::books::facts::{Contributor, Role, Series};
use crate::library::books::log::LoggedDay;
use crate::library::books::model::{
    AUTHOR_SEPARATOR, BookDraft, Format, Status, WORDS_A_MINUTE, WordCountSource, estimated_words, is_hours_or_discs,
};
use crate::library::books::rating::Rating;
use crate::library::books::store::stored;
use crate::library::import::edition::series_of;
use crate::library::import::history::model::ImportId;
use crate::library::operations::model::OperationId;
use crate::library::operations::store::images::Image;
use crate::library::text;

named! {
    /// A field that is filled in from imported rows.
    #[schema(as = RefillField)]
    Field {
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

impl Field {
    /// Whether it is filled in without being chosen. The others change what is not empty.
    pub fn is_preset(self) -> bool {
        !matches!(self, Self::Authors | Self::AudioPages | Self::CopiedRatings)
    }
}

/// The result of filling in, or what it would be.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RefillReport)]
pub struct RefillReport {
    /// How many kept rows were read.
    pub rows: usize,
    /// How many books gain something.
    pub books: usize,
    /// One entry for each field that can be filled in.
    pub fields: Vec<FieldReport>,
    /// How many books keep values that their reader changed, and that differ from the rows.
    pub kept: usize,
    /// The imports whose rows add something.
    pub files: Vec<FileReport>,
    /// The operation that undoes it; null in a preview, and when nothing was filled in.
    #[schema(required, value_type = Option<i64>)]
    pub undo_id: Option<OperationId>,
}

/// What is filled in of a field.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = RefillFieldReport)]
pub struct FieldReport {
    /// The field that gains values.
    pub field: Field,
    /// Whether this call fills it in. `books` is counted for the other fields, too.
    pub chosen: bool,
    /// How many books get a value.
    pub books: usize,
    /// The first of them, at most 3.
    pub examples: Vec<Example>,
}

/// A book that gains something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = RefillExample)]
pub struct Example {
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
#[schema(as = RefillFile)]
pub struct FileReport {
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
    pub now: &'p Image,
    /// The reading that the book is, or another one of the row.
    pub draft: &'p BookDraft,
    /// Whether the draft is of the reading that the book is: only then it says when that was.
    pub is_exact: bool,
    /// The latest reading of the row with a rating or a review, and whether its book exists.
    pub rated: Option<(&'p BookDraft, bool)>,
    /// The days of the reading's log, where the book has none.
    pub log: &'p [LoggedDay],
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
    /// The book gets a value.
    Fills(RefillChange),
}

/// New values of a book by column.
#[derive(Clone, Debug, PartialEq)]
pub struct RefillChange {
    /// The new values; null clears one.
    pub values: Map<String, Value>,
    /// What the field says now.
    pub before: Option<String>,
    /// What it says then.
    pub after: Option<String>,
}

fn fills<const N: usize>(values: [(&str, Value); N], before: Option<String>, after: Option<String>) -> Outcome {
    let values = values.into_iter().map(|(column, value)| (column.to_owned(), value)).collect();
    Outcome::Fills(RefillChange { values, before, after })
}

impl Pair<'_> {
    /// What the row means for a field.
    pub fn outcome(&self, field: Field) -> Outcome {
        let facts = &self.draft.facts;
        let said = |text: &Option<String>| text.clone().map(Value::from);
        match field {
            Field::Series => self.series(),
            Field::Title => self.title(),
            Field::Authors => self.authors(),
            Field::Contributors => self.contributors(),
            Field::Tags => {
                let tags = Some(facts.tags.join(",")).filter(|tags| !tags.is_empty());
                self.plain("tags", tags.map(Value::from), facts.tags.join(", "))
            }
            Field::Publisher => self.text("publisher", said(&facts.publisher)),
            Field::Published => self.text("published", said(&facts.published)),
            Field::OriginalYear => self.text("original_year", facts.original_year.map(Value::from)),
            Field::Language => self.text("language", said(&facts.language)),
            Field::Isbn => self.text("isbn", said(&self.draft.isbn)),
            Field::Pages => self.text("pages", self.draft.pages.map(Value::from)),
            Field::Minutes => self.text("minutes", self.draft.minutes.map(Value::from)),
            Field::AudioPages => self.audio_pages(),
            Field::Words => self.words(),
            Field::Ratings => self.rating(),
            Field::Dates => self.dates(),
            Field::Progress => self.progress(),
            Field::CopiedRatings => self.copied_rating(),
        }
    }

    fn now(&self, column: &str) -> Option<&str> {
        self.now.get(column)?.as_str().filter(|text| !text.is_empty())
    }

    fn number(&self, column: &str) -> Option<i64> {
        self.now.get(column)?.as_i64()
    }

    /// Whether its reader has not changed the book since it was made.
    fn is_unchanged(&self) -> bool {
        self.is_exact && self.number("changes") == Some(0)
    }

    fn text(&self, column: &str, said: Option<Value>) -> Outcome {
        let shown = match &said {
            Some(Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => String::new(),
        };
        self.plain(column, said, shown)
    }

    fn plain(&self, column: &str, said: Option<Value>, shown: String) -> Outcome {
        let Some(said) = said else { return Outcome::Nothing };
        match self.now.get(column) {
            None | Some(Value::Null) => fills([(column, said)], None, Some(shown)),
            Some(Value::String(text)) if text.is_empty() => fills([(column, said)], None, Some(shown)),
            Some(now) if *now == said => Outcome::Nothing,
            Some(_) => Outcome::Keeps,
        }
    }

    fn series(&self) -> Outcome {
        let Some(Series { name, number }) = &self.draft.facts.series else { return Outcome::Nothing };
        match self.now("series") {
            Some(now) if now == name => return Outcome::Nothing,
            Some(_) => return Outcome::Keeps,
            None => {}
        }
        let shown = match number {
            Some(number) => format!("{name}, #{number}"),
            None => name.clone(),
        };
        let series = [("series", name.as_str().into()), ("series_number", number.as_deref().into())];
        let mut outcome = fills(series, None, Some(shown));
        let bare = self.now("title").and_then(series_of).map(|(bare, _)| bare);
        if let (Outcome::Fills(change), Some(bare)) = (&mut outcome, bare.filter(|bare| *bare == self.draft.title)) {
            change.values.insert("title".to_owned(), bare.into());
        }
        outcome
    }

    /// The first version did not read subtitles.
    fn title(&self) -> Outcome {
        let now = self.now("title").filter(|_| self.is_unchanged()).unwrap_or_default();
        match self.draft.title.strip_prefix(now) {
            Some(behind) if !now.is_empty() && behind.starts_with(": ") => {
                let title = &self.draft.title;
                fills([("title", title.as_str().into())], Some(now.to_owned()), Some(title.clone()))
            }
            _ => Outcome::Nothing,
        }
    }

    fn authors(&self) -> Outcome {
        let mut names = self.draft.authors.clone();
        if self.mixes_authors {
            let others = self.draft.facts.contributors.iter().filter(|person| person.role == Role::Other);
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
        let joined = names.join(&AUTHOR_SEPARATOR.to_string());
        let now = self.now("author").unwrap_or_default();
        let imported = [self.draft.author(), self.draft.authors.first().cloned().unwrap_or_default()];
        if names.len() < 2 || now == joined {
            return Outcome::Nothing;
        }
        if !imported.iter().any(|name| name == now) {
            return Outcome::Keeps;
        }
        let after = Some(names.join(", "));
        let mut outcome = fills([("author", joined.into())], Some(now.to_owned()), after);
        // A person is not both.
        let listed: Vec<Contributor> =
            self.now("contributors").and_then(|list| serde_json::from_str(list).ok()).unwrap_or_default();
        let rest: Vec<_> = listed.iter().filter(|person| !is_among(person, &names)).collect();
        if let Outcome::Fills(change) = &mut outcome
            && rest.len() < listed.len()
        {
            let rest = if rest.is_empty() { None } else { serde_json::to_string(&rest).ok() };
            change.values.insert("contributors".to_owned(), rest.into());
        }
        outcome
    }

    fn contributors(&self) -> Outcome {
        let authors: Vec<String> =
            self.now("author").unwrap_or_default().split(AUTHOR_SEPARATOR).map(str::to_owned).collect();
        let people: Vec<_> =
            self.draft.facts.contributors.iter().filter(|person| !is_among(person, &authors)).collect();
        let said = if people.is_empty() { None } else { serde_json::to_string(&people).ok() };
        let shown: Vec<_> = people.iter().map(|person| person.name.as_str()).collect();
        self.plain("contributors", said.map(Value::from), shown.join(", "))
    }

    fn format(&self) -> Format {
        self.now("format").and_then(Format::from_name).unwrap_or(self.draft.format)
    }

    /// Words that somebody counted stay.
    fn audio_pages(&self) -> Outcome {
        let pages = self.number("pages");
        let hours = pages.or(self.audio_pages).filter(|hours| is_hours_or_discs(self.format(), *hours));
        let (Some(hours), None) = (hours, self.number("minutes")) else { return Outcome::Nothing };
        let minutes = hours * 60;
        let mut values = Map::from_iter([("pages".to_owned(), Value::Null), ("minutes".to_owned(), minutes.into())]);
        let is_counted = !matches!(self.now("word_count_source"), Some("pages" | "minutes"));
        if !is_counted || self.number("word_count") == Some(0) {
            values.insert("word_count".to_owned(), (minutes * WORDS_A_MINUTE).into());
            values.insert("word_count_source".to_owned(), WordCountSource::Minutes.name().into());
        }
        let before = pages.map(|pages| format!("{pages} pages"));
        Outcome::Fills(RefillChange { values, before, after: Some(format!("{hours} h")) })
    }

    fn words(&self) -> Outcome {
        let (words, source) = match self.draft.word_count {
            0 => {
                let (pages, minutes) = (self.number("pages"), self.number("minutes"));
                let lengths = (pages.or(self.draft.pages), minutes.or(self.draft.minutes));
                estimated_words(self.format(), lengths.0, lengths.1).unwrap_or_default()
            }
            words => (words, self.draft.word_count_source),
        };
        match self.number("word_count") {
            _ if words == 0 => Outcome::Nothing,
            Some(0) => {
                let values = [("word_count", words.into()), ("word_count_source", source.name().into())];
                fills(values, None, Some(words.to_string()))
            }
            Some(now) if now == words => Outcome::Nothing,
            _ => Outcome::Keeps,
        }
    }

    fn rating(&self) -> Outcome {
        let row = self.rated.and_then(|(draft, _)| draft.rating);
        let now = self.number("rating").map(Rating::of_tenths);
        match (row, now) {
            (Some(row), Some(now)) if row == now => Outcome::Nothing,
            (Some(row), Some(now)) if self.is_unchanged() && rounded(row) == now => {
                fills([("rating", row.tenths().into())], Some(now.to_string()), Some(row.to_string()))
            }
            (Some(_), Some(_)) => Outcome::Keeps,
            _ => Outcome::Nothing,
        }
    }

    fn dates(&self) -> Outcome {
        let draft = self.draft;
        let day = |day: NaiveDate| Value::from(stored(day));
        let Some(status) = self.now("status").and_then(Status::from_name).filter(|_| self.is_unchanged()) else {
            return Outcome::Nothing;
        };
        if let (Status::Undated, Status::Completed, Some(to)) = (status, draft.status, draft.date_completed) {
            let from = draft.completed_from;
            let shown = from.map_or_else(|| stored(to), |from| format!("{} – {}", stored(from), stored(to)));
            let values = [
                ("status", Status::Completed.name().into()),
                ("date_completed", day(to)),
                ("completed_from", from.map(day).into()),
                ("start_date", draft.start_date.map(day).into()),
                ("word_distribution", draft.word_distribution.name().into()),
            ];
            return fills(values, None, Some(shown));
        }
        let is_same = status == draft.status
            && self.now("date_completed") == draft.date_completed.map(stored).as_deref()
            && self.now("completed_from").is_none();
        if let (Status::InProgress, Some(paused), true) = (status, self.paused, is_same)
            && self.now("paused_since").is_none()
            && self.now("start_date").is_none_or(|start| start <= stored(paused).as_str())
        {
            return fills([("paused_since", day(paused))], None, Some(format!("paused since {}", stored(paused))));
        }
        match draft.start_date {
            Some(start) if is_same && self.now("start_date").is_none() => {
                fills([("start_date", day(start))], None, Some(stored(start)))
            }
            _ => Outcome::Nothing,
        }
    }

    /// No value of the book changes: the days go into its log.
    fn progress(&self) -> Outcome {
        let status = self.now("status").and_then(Status::from_name);
        let is_open = matches!(status, Some(Status::InProgress | Status::DidNotFinish)) && self.is_exact;
        let last = self.log.iter().rev().find_map(|day| match (day.page, day.at) {
            (Some(page), _) => Some(format!("page {page}")),
            (None, Some(at)) => Some(format!("{}.{:02}%", at / 100, at % 100)),
            (None, None) => None,
        });
        match last.filter(|_| is_open) {
            Some(place) => fills([], None, Some(place)),
            None => Outcome::Nothing,
        }
    }

    /// A former version gave the rating and the review of a row to each of its readings.
    fn copied_rating(&self) -> Outcome {
        let Some((rated, true)) = self.rated.filter(|_| self.is_unchanged()) else { return Outcome::Nothing };
        if self.draft.rating.is_some() || self.draft.impressions.is_some() {
            return Outcome::Nothing;
        }
        let mut values = Map::new();
        let rating = self.number("rating").map(Rating::of_tenths);
        let is_copied = rating.is_some_and(|now| rated.rating.is_some_and(|row| row == now || rounded(row) == now));
        if is_copied {
            values.insert("rating".to_owned(), Value::Null);
        }
        if rated.impressions.is_some() && self.now("impressions") == rated.impressions.as_deref() {
            values.insert("impressions".to_owned(), Value::Null);
        }
        if values.is_empty() {
            return Outcome::Nothing;
        }
        let review = self.now("impressions").map(|text| text.chars().take(80).collect());
        let before = rating.filter(|_| is_copied).map(|rating| rating.to_string()).or(review);
        Outcome::Fills(RefillChange { values, before, after: None })
    }
}

/// Whether a person without a role of their own is one of these authors.
fn is_among(person: &Contributor, authors: &[String]) -> bool {
    person.role == Role::Other && authors.iter().any(|author| text::name_key(author) == text::name_key(&person.name))
}

/// What the first version made of a rating: whole points, halves rounded up.
fn rounded(rating: Rating) -> Rating {
    Rating::points((rating.tenths() + 5) / 10)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::library::books::facts::Facts;
    use crate::library::text::date;

    fn image(value: Value) -> Image {
        value.as_object().unwrap().clone()
    }

    fn pair<'p>(now: &'p Image, draft: &'p BookDraft) -> Pair<'p> {
        Pair {
            now,
            draft,
            is_exact: true,
            rated: Some((draft, true)),
            log: &[],
            paused: None,
            audio_pages: None,
            mixes_authors: true,
        }
    }

    fn values(outcome: Outcome) -> Value {
        match outcome {
            Outcome::Fills(change) => Value::Object(change.values),
            other => format!("{other:?}").into(),
        }
    }

    fn leviathan() -> BookDraft {
        let other = |name: &str| Contributor { name: name.to_owned(), role: Role::Other };
        BookDraft {
            title: "Leviathan Wakes".into(),
            authors: vec!["James Corey".into()],
            facts: Facts {
                series: Some(Series { name: "The Expanse".into(), number: Some("1".into()) }),
                contributors: vec![other("Daniel Abraham")],
                ..Facts::default()
            },
            pages: Some(100),
            ..BookDraft::default()
        }
    }

    #[test]
    fn a_title_loses_its_series_unless_its_reader_changed_it() {
        let draft = leviathan();
        let title = |title: &str| image(json!({"title": title, "series": null, "changes": 2}));
        let imported = title("Leviathan Wakes (The Expanse, #1)");
        assert_eq!(
            values(pair(&imported, &draft).outcome(Field::Series)),
            json!({"series": "The Expanse", "series_number": "1", "title": "Leviathan Wakes"})
        );
        let changed = title("Leviathan (The Expanse, #1)");
        assert_eq!(
            values(pair(&changed, &draft).outcome(Field::Series)),
            json!({"series": "The Expanse", "series_number": "1"})
        );
        let own = image(json!({"title": "Leviathan Wakes", "series": "Expanse", "changes": 2}));
        assert_eq!(pair(&own, &draft).outcome(Field::Series), Outcome::Keeps);
    }

    #[test]
    fn a_title_gets_its_subtitle_unless_its_reader_changed_the_book() {
        let draft = BookDraft { title: "Twice: A tale".into(), ..BookDraft::default() };
        let title = |title: &str, changes: i64| image(json!({"title": title, "changes": changes}));
        let outcome = |now: &Image| pair(now, &draft).outcome(Field::Title);
        assert_eq!(values(outcome(&title("Twice", 0))), json!({"title": "Twice: A tale"}));
        for (now, changes) in [("Twice", 1), ("Twice: A tale", 0), ("Twi", 0), ("", 0), ("Thrice", 0)] {
            assert_eq!(outcome(&title(now, changes)), Outcome::Nothing, "{now}");
        }
    }

    #[test]
    fn authors_come_from_the_row_and_leave_the_contributors() {
        let draft = leviathan();
        let listed = r#"[{"name":"Daniel Abraham","role":"other"}]"#;
        let now = image(json!({"author": "James Corey", "contributors": listed}));
        assert_eq!(
            values(pair(&now, &draft).outcome(Field::Authors)),
            json!({"author": "James Corey\u{1f}Daniel Abraham", "contributors": null})
        );
        let own = image(json!({"author": "J. S. A. Corey", "contributors": null}));
        assert_eq!(pair(&own, &draft).outcome(Field::Authors), Outcome::Keeps);
        assert_eq!(values(pair(&own, &draft).outcome(Field::Contributors)), json!({"contributors": listed}));
        let both = image(json!({"author": "James Corey\u{1f}Daniel Abraham", "contributors": null}));
        assert_eq!(pair(&both, &draft).outcome(Field::Contributors), Outcome::Nothing);
        assert_eq!(pair(&both, &draft).outcome(Field::Authors), Outcome::Nothing);
    }

    #[test]
    fn only_a_rounded_rating_of_an_unchanged_book_gets_its_quarter_back() {
        let draft = BookDraft { rating: Some(Rating::of_tenths(75)), ..BookDraft::default() };
        let rated = |rating: i64, changes: i64| image(json!({"rating": rating, "changes": changes}));
        assert_eq!(values(pair(&rated(80, 0), &draft).outcome(Field::Ratings)), json!({"rating": 75}));
        assert_eq!(pair(&rated(80, 1), &draft).outcome(Field::Ratings), Outcome::Keeps);
        assert_eq!(pair(&rated(70, 0), &draft).outcome(Field::Ratings), Outcome::Keeps);
        assert_eq!(pair(&rated(75, 0), &draft).outcome(Field::Ratings), Outcome::Nothing);
    }

    #[test]
    fn a_copied_rating_stays_where_the_latest_read_is_gone() {
        let latest =
            BookDraft { rating: Some(Rating::of_tenths(85)), impressions: Some("Sand".into()), ..BookDraft::default() };
        let earlier = BookDraft::default();
        let now = image(json!({"rating": 90, "impressions": "Sand", "changes": 0}));
        let copy =
            |is_here| Pair { rated: Some((&latest, is_here)), ..pair(&now, &earlier) }.outcome(Field::CopiedRatings);
        assert_eq!(values(copy(true)), json!({"rating": null, "impressions": null}));
        assert_eq!(copy(false), Outcome::Nothing);
    }

    #[test]
    fn words_come_from_pages_only_where_none_are_known() {
        let draft = leviathan();
        let known = |words: i64, pages: Option<i64>| image(json!({"word_count": words, "pages": pages}));
        assert_eq!(
            values(pair(&known(0, Some(10)), &draft).outcome(Field::Words)),
            json!({"word_count": 2_750, "word_count_source": "pages"})
        );
        assert_eq!(pair(&known(9, None), &draft).outcome(Field::Words), Outcome::Keeps);
    }

    #[test]
    fn a_book_that_the_row_calls_paused_is_paused_unless_its_reader_has_gone_on() {
        let draft = BookDraft { status: Status::InProgress, ..BookDraft::default() };
        let paused = date("2026-03-03");
        let outcome = |now: Value| Pair { paused, ..pair(&image(now), &draft) }.outcome(Field::Dates);
        let open = json!({"status": "in-progress", "changes": 0, "start_date": "2026-01-02"});
        assert_eq!(values(outcome(open)), json!({"paused_since": "2026-03-03"}));
        for other in [
            json!({"status": "in-progress", "changes": 1}),
            json!({"status": "in-progress", "changes": 0, "paused_since": "2026-02-01"}),
            json!({"status": "in-progress", "changes": 0, "start_date": "2026-04-01"}),
            json!({"status": "completed", "changes": 0, "date_completed": "2026-01-01"}),
        ] {
            assert_eq!(outcome(other.clone()), Outcome::Nothing, "{other}");
        }
    }

    #[test]
    fn a_rough_date_is_filled_only_into_an_undated_read() {
        let draft = BookDraft {
            status: Status::Completed,
            completed_from: date("2019-01-01"),
            date_completed: date("2019-12-31"),
            ..BookDraft::default()
        };
        let undated = image(json!({"status": "undated", "changes": 0}));
        let filled = values(pair(&undated, &draft).outcome(Field::Dates));
        assert_eq!(
            (&filled["date_completed"], &filled["completed_from"]),
            (&json!("2019-12-31"), &json!("2019-01-01"))
        );
        let changed = image(json!({"status": "undated", "changes": 1}));
        assert_eq!(pair(&changed, &draft).outcome(Field::Dates), Outcome::Nothing);
    }
}
