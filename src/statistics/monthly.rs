//! Words per Month: what each month has of the finished books (docs/rules.md, "Statistics").
use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use crate::library::books::filter::BookRow;
use crate::library::books::model::{BookId, WordDistribution};
use crate::library::months::{self, Share, name, spread};

/// A rough date of more days counts in no month.
const LONGEST_ABOUT: i64 = 366;

/// One month of the line chart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MonthlyWords {
    /// yyyy-MM.
    pub month: String,
    /// Words read in this month.
    pub words: i64,
    /// Books completed in this month.
    pub books: i64,
    /// Words that were read about then: those of books with a rough completion date, spread over all its days.
    pub about_words: i64,
}

/// The sums of a month.
#[derive(Debug, Clone, Copy, Default)]
struct OfMonth {
    words: i64,
    books: i64,
    about_words: i64,
}

/// The months of finished books, added one after the other.
#[derive(Debug, Default)]
pub struct MonthSums {
    /// By the number of months since the year 0.
    months: BTreeMap<i32, OfMonth>,
    /// The books whose words are counted by their log, in the order in which they were added.
    logged: Vec<BookId>,
}

impl MonthSums {
    /// Adds a finished book. One without a date counts in no month.
    pub fn add(&mut self, book: &BookRow<'_>) {
        let Some((first, last)) = book.completion() else { return };
        let month = months::number(last);
        if months::number(first) != month {
            // Longer ones would say nothing about any month.
            if (last - first).num_days() < LONGEST_ABOUT {
                for Share { month, words } in spread(book.word_count, first, last) {
                    self.months.entry(month).or_default().about_words += words;
                }
            }
            return;
        }
        let month = self.months.entry(month).or_default();
        month.books += 1;
        match (book.word_distribution, book.start_date) {
            (WordDistribution::Spread, Some(start)) => {
                for Share { month, words } in spread(book.word_count, start, last) {
                    self.months.entry(month).or_default().words += words;
                }
            }
            (WordDistribution::Logged, _) => self.logged.push(book.id),
            _ => month.words += book.word_count,
        }
    }

    /// The books that were added since the last call and whose words are counted by their log: [`MonthSums::add_logged`] takes them.
    pub fn take_logged(&mut self) -> Vec<BookId> {
        std::mem::take(&mut self.logged)
    }

    /// Adds words that a log counts for a month, by the number of months since the year 0.
    pub fn add_logged(&mut self, month: i32, words: i64) {
        self.months.entry(month).or_default().words += words;
    }

    /// One month, by the number of months since the year 0.
    pub fn month(&self, number: i32) -> MonthlyWords {
        let OfMonth { words, books, about_words } = self.months.get(&number).copied().unwrap_or_default();
        MonthlyWords { month: name(number), words, books, about_words }
    }

    /// Every month from the first to the last, including empty ones.
    pub fn without_gaps(&self) -> Vec<MonthlyWords> {
        let (Some((first, _)), Some((last, _))) = (self.months.first_key_value(), self.months.last_key_value()) else {
            return Vec::new();
        };
        (*first..=*last).map(|number| self.month(number)).collect()
    }
}
