//! Imports: other trackers' files read into one row type, previewed, written whole, and undone.
