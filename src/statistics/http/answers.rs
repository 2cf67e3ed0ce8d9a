//! The answers of the dashboard's calls, a reader's and a team's.
use serde::Serialize;
use utoipa::ToSchema;

use crate::access::{Feature, Viewer};
use crate::statistics::model::{Kpis, MOST_AUTHORS, Shelf, WordsByFormat, WordsByName};
use crate::statistics::monthly::MonthlyWords;
use crate::statistics::store::{Options, Scanned};

/// Everything on the dashboard except the table of books.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    kpis: Kpis,
    /// Most words first. A book with several genres counts in each of them.
    genres: Vec<WordsByName>,
    /// The top 50, most words first; null when the plan has no author analytics.
    #[schema(required)]
    authors: Option<Vec<WordsByName>>,
    /// Without gaps from the first to the last month.
    monthly_words: Vec<MonthlyWords>,
    /// Most words first; null when the plan has no format analytics.
    #[schema(required)]
    formats: Option<Vec<WordsByFormat>>,
    shelf: Shelf,
    library: LibraryCounts,
    /// The features for charts that the plan does not include.
    locked: Vec<Feature>,
}

/// The library behind the statistics.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LibraryCounts {
    /// Books of every status, hidden ones included.
    total: i64,
    /// The number of visible books, regardless of the filter.
    visible: i64,
    /// The months of history that the plan shows; null means all.
    #[schema(required)]
    limited_to_months: Option<u32>,
}

/// The options of the filter controls.
#[derive(Serialize, ToSchema)]
pub struct StatsOptions {
    /// Most words first.
    genres: Vec<WordsByName>,
    /// Most words first.
    authors: Vec<WordsByName>,
    /// Most words first.
    formats: Vec<WordsByName>,
}

impl Stats {
    /// The part of a scan that the viewer may see.
    pub fn of(scanned: Scanned, viewer: &Viewer) -> Self {
        let Scanned { found, total, visible } = scanned;
        let charts = viewer.can(Feature::AdvancedCharts);
        let mut authors = found.authors;
        authors.truncate(MOST_AUTHORS);
        Self {
            kpis: found.kpis,
            genres: found.genres,
            authors: (charts && viewer.can(Feature::AuthorAnalytics)).then_some(authors),
            monthly_words: found.months,
            formats: (charts && viewer.can(Feature::FormatAnalytics)).then_some(found.formats),
            shelf: found.shelf,
            library: LibraryCounts { total, visible, limited_to_months: viewer.limits().history_months },
            locked: locked(viewer),
        }
    }
}

/// The features for charts that the plan does not include.
fn locked(viewer: &Viewer) -> Vec<Feature> {
    let needed = [Feature::AdvancedCharts, Feature::FormatAnalytics, Feature::AuthorAnalytics];
    needed.into_iter().filter(|feature| !viewer.can(*feature)).collect()
}

impl From<Options> for StatsOptions {
    fn from(options: Options) -> Self {
        let named =
            |one: WordsByFormat| WordsByName { name: one.format.name().to_owned(), words: one.words, books: one.books };
        Self {
            genres: options.genres,
            authors: options.authors,
            formats: options.formats.into_iter().map(named).collect(),
        }
    }
}
