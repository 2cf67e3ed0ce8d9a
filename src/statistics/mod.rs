//! The numbers: one filter, one pass over the books, one implementation for a reader and for a team.
