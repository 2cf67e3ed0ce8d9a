//! Finds marks in texts, of which the dumps have millions: all marks in one pass.
use aho_corasick::AhoCorasick;

/// Short texts to look for, in either case of ASCII.
pub struct Marks(AhoCorasick);

impl Marks {
    /// Makes a finder.
    #[expect(clippy::expect_used, reason = "a few short marks, all of which the tests build")]
    pub fn new<'a>(marks: impl IntoIterator<Item = &'a str>) -> Self {
        Self(AhoCorasick::builder().ascii_case_insensitive(true).build(marks).expect("a few short marks"))
    }

    /// The place of the first mark, in their own order, that a text has in it.
    pub fn first_in(&self, text: &str) -> Option<usize> {
        self.0.find_overlapping_iter(text).map(|found| found.pattern().as_usize()).min()
    }
}
