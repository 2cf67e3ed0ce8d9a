//! One row for each reader: the revision of the library, the counts for its quotas, and the last ids.
//!
//! Table: `libraries`. Every transaction that changes a library raises the revision ([`changed`]), so that no cached answer is used again.
mod store;

use super::text;
use crate::config::Quotas;
pub use store::{
    add_books, add_items, add_operation, add_texts, book_count, changed, remove_books, restore_books, revision, usage,
    within_quotas,
};

/// The storage that an account uses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// The number of books, of every status and including hidden ones.
    pub books: i64,
    /// Items on the to-be-read list.
    pub list_items: i64,
    /// The bytes of texts and of stored import rows.
    pub text_bytes: i64,
}

/// The kinds of quotas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quota {
    Books,
    /// Items on the to-be-read list.
    List,
    /// Bytes of texts and stored rows.
    Texts,
}

impl Quota {
    /// The name in the API's answers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Books => "books",
            Self::List => "list",
            Self::Texts => "texts",
        }
    }

    /// How much an account may have; [`i64::MAX`] for a quota of 0, which means unlimited.
    pub fn limit(self, quotas: Quotas) -> i64 {
        let limit = match self {
            Self::Books => quotas.books,
            Self::List => quotas.list_items,
            Self::Texts => quotas.text_bytes,
        };
        if limit == 0 { i64::MAX } else { limit }
    }

    /// A sentence that names the limit.
    pub fn sentence(self, quotas: Quotas) -> String {
        let number = |number: i64| text::grouped(number.unsigned_abs());
        let limit = self.limit(quotas);
        let most = match self {
            Self::Books => format!("{} books", number(limit)),
            Self::List => format!("{} items on the to-be-read list", number(limit)),
            Self::Texts => format!("{} MB of texts and imported rows", number(limit / 1_000_000)),
        };
        format!("You have reached this server's limit of {most}. You can still read, export and delete.")
    }
}

/// Why a library does not take more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LibraryRefusal {
    /// The account stores as much as it may.
    QuotaReached {
        /// What there is too much of.
        quota: Quota,
        /// What accounts of this server may store.
        quotas: Quotas,
    },
    /// The owner's numbers for books or items are used up.
    Full,
}

/// The length of a text for its quota, in bytes.
pub fn bytes(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}
