//! Earlier imports: the list, undoing one, its rejected rows, and all of it for the complete export.
pub mod model;
pub mod store;
