//! The permit to parse a file.
use tokio::sync::Semaphore;

/// Only one file is parsed at a time, because parsing briefly takes several times the file's size in memory.
pub static PARSING: Semaphore = Semaphore::const_new(1);
