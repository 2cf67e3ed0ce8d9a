//! Imports: other trackers' files read into one row type, previewed, written whole, and undone.
mod columns;
mod formats;
mod goodreads;
mod html;
mod mapped;
mod plan;
mod reader;
mod row;
mod shelfwise;
mod storygraph;
mod survey;
mod values;
