//! How often each work was read, rated and printed, and the numbers that follow: 1 is the most popular work.
//!
//! Works are counted by the numbers of their keys, in pages that exist where a work was seen, so that memory is bounded: a count is
//! four bytes, and there are at most 256 MiB of them.

/// A work has an edition that is kept.
const KEPT: u32 = 1 << 31;
/// The dump of works has the work.
const KNOWN: u32 = 1 << 30;
/// A work has authors of its own.
const HAS_AUTHORS: u32 = 1 << 29;
/// The bits of the count, and later of the number.
const NUMBER: u32 = HAS_AUTHORS - 1;
/// Counts above this are as good as this.
const MOST: u32 = (1 << 20) - 1;
/// The counts of one page.
const PAGE: usize = 1 << 16;
/// The most pages: 256 MiB.
const MOST_PAGES: usize = 1024;

/// The counts, and later the numbers, of all works.
pub struct Popularity {
    pages: Vec<Option<Box<[u32]>>>,
    used: usize,
    next: u32,
}

impl Popularity {
    /// No work yet.
    pub fn new() -> Self {
        Self { pages: std::iter::repeat_with(|| None).take(PAGE).collect(), used: 0, next: 1 }
    }

    /// The place of a work; `None` when there is no room for one more page.
    fn place(&mut self, work: u32) -> Option<&mut u32> {
        let page = self.pages.get_mut((work >> 16) as usize)?;
        if page.is_none() && self.used < MOST_PAGES {
            *page = Some(vec![0; PAGE].into_boxed_slice());
            self.used += 1;
        }
        page.as_mut()?.get_mut(work as usize & (PAGE - 1))
    }

    fn get(&self, work: u32) -> u32 {
        let page = self.pages.get((work >> 16) as usize).and_then(Option::as_ref);
        page.and_then(|page| page.get(work as usize & (PAGE - 1))).copied().unwrap_or(0)
    }

    /// Counts readers, ratings or editions of a work. Returns whether there was room for it.
    pub fn add(&mut self, work: u32, times: u32) -> bool {
        self.place(work).map(|place| *place = (*place & !NUMBER) | ((*place & NUMBER) + times).min(MOST)).is_some()
    }

    /// Notes that an edition of a work is kept.
    pub fn keep(&mut self, work: u32) {
        if let Some(place) = self.place(work) {
            *place |= KEPT;
        }
    }

    /// Notes a work of the dump of works. Returns false for a second record of the same work, and without room.
    pub fn know(&mut self, work: u32, has_authors: bool) -> bool {
        let Some(place) = self.place(work) else { return false };
        let is_new = *place & KNOWN == 0;
        *place |= KNOWN | if has_authors { HAS_AUTHORS } else { 0 };
        is_new
    }

    /// Moves what is known of a work to the one that it became.
    pub fn redirect(&mut self, from: u32, to: u32) {
        let old = self.get(from);
        if from != to && self.add(to, old & NUMBER) {
            if old & KEPT != 0 {
                self.keep(to);
            }
            if let Some(place) = self.place(from) {
                *place = 0;
            }
        }
    }

    /// Gives every wanted work a number: the most popular 1, and works of one count in the order of their keys. With `all`, every
    /// known work is wanted, otherwise one with an edition that is kept.
    pub fn number(&mut self, all: bool) {
        let wanted = |place: u32| place & KEPT != 0 || (all && place & KNOWN != 0);
        let mut first = vec![0_u32; MOST as usize + 1];
        for place in self.pages.iter().flatten().flat_map(|page| page.iter()).filter(|place| wanted(**place)) {
            first[(*place & NUMBER) as usize] += 1;
        }
        for count in first.iter_mut().rev() {
            self.next += std::mem::replace(count, self.next);
        }
        for place in self.pages.iter_mut().flatten().flat_map(|page| page.iter_mut()) {
            let number = if wanted(*place) {
                let next = &mut first[(*place & NUMBER) as usize];
                *next += 1;
                *next - 1
            } else {
                0
            };
            *place = (*place & !NUMBER) | number;
        }
    }

    /// The number of a work, after [`Self::number`]; `None` when it is not wanted.
    pub fn number_of(&self, work: u32) -> Option<u32> {
        Some(self.get(work) & NUMBER).filter(|number| *number > 0)
    }

    /// Whether a work has authors of its own.
    pub fn has_authors(&self, work: u32) -> bool {
        self.get(work) & HAS_AUTHORS != 0
    }

    /// The number after the last one, for the first edition without a work.
    pub fn first_unused(&self) -> u32 {
        self.next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_popular_work_is_the_first() {
        let mut works = Popularity::new();
        for (work, times) in [(70_000, 3), (5, 3), (9, 100), (8, 1), (6, u32::MAX >> 8)] {
            assert!(works.add(work, times) && works.know(work, work == 9));
            works.keep(work);
        }
        assert!(works.add(77, 5) && !works.know(9, false));
        works.redirect(8, 5);
        works.number(false);
        let numbers: Vec<_> = [6, 9, 5, 70_000, 8, 77].map(|work| works.number_of(work)).into();
        assert_eq!(numbers, [Some(1), Some(2), Some(3), Some(4), None, None]);
        assert_eq!(works.first_unused(), 5);
        assert!(works.has_authors(9) && !works.has_authors(5));
    }

    #[test]
    fn memory_is_bounded_whatever_the_keys() {
        let mut works = Popularity::new();
        let counted = (0..u32::MAX).step_by(PAGE).filter(|work| works.add(*work, 1)).count();
        assert_eq!(counted, MOST_PAGES);
        assert_eq!(works.number_of(u32::MAX), None);
    }
}
