//! The unused bytes of a database page, by SQLite's published file format (<https://sqlite.org/fileformat2.html#b_tree_pages>).
use std::ops::Range;

/// From this many pages (128 GiB with pages of 4 KiB) an overflow page can begin like a b-tree page, because its first byte is
/// the highest byte of a page number. In smaller files that byte is zero.
pub const TRACKED_PAGES: u32 = 1 << 25;
/// The size of the file header, which precedes the b-tree of page 1.
const FILE_HEADER: usize = 100;
/// The shortest freeblock is only its own header.
const FREEBLOCK_HEADER: usize = 4;

/// The unused byte ranges of a b-tree page: the gap between the cell pointers and the cells, and the freeblocks without their
/// headers. `number` is the page's number in the file and `usable` its size in bytes without the reserved end. Returns `None` for
/// other kinds of page and for damaged pages.
pub fn unused(page: &[u8], number: u32, usable: usize) -> Option<Vec<Range<usize>>> {
    let start = if number == 1 { FILE_HEADER } else { 0 };
    let header = match page.get(start)? {
        2 | 5 => 12,
        10 | 13 => 8,
        _ => return None,
    };
    let cells = big_endian(page, start + 3)?;
    let content = match big_endian(page, start + 5)? {
        0 => 65_536,
        offset => offset,
    };
    let pointers = start + header..start + header + 2 * cells;
    if pointers.end > content || content > usable || usable > page.len() {
        return None;
    }
    for pointer in pointers.clone().step_by(2) {
        if !(content..usable).contains(&big_endian(page, pointer)?) {
            return None;
        }
    }
    let mut ranges: Vec<_> = std::iter::once(pointers.end..content).collect();
    let (mut freeblock, mut lowest) = (big_endian(page, start + 1)?, content);
    while freeblock != 0 {
        let (next, size) = (big_endian(page, freeblock)?, big_endian(page, freeblock + 2)?);
        if freeblock < lowest || size < FREEBLOCK_HEADER || freeblock + size > usable {
            return None;
        }
        ranges.push(freeblock + FREEBLOCK_HEADER..freeblock + size);
        lowest = freeblock + size;
        freeblock = next;
    }
    Some(ranges)
}

/// Whether any byte in these ranges is not zero.
pub fn holds_residue(page: &[u8], ranges: &[Range<usize>]) -> bool {
    ranges.iter().any(|range| page[range.clone()].iter().fold(0, |all, byte| all | byte) != 0)
}

fn big_endian(page: &[u8], at: usize) -> Option<usize> {
    let bytes = page.get(at..at + 2)?;
    Some(usize::from(bytes[0]) << 8 | usize::from(bytes[1]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A leaf of a table with two cells and, between them, a freeblock of 16 bytes.
    fn leaf(start: usize) -> Vec<u8> {
        let mut page = vec![0xee; 512];
        page[start..start + 8].copy_from_slice(&[13, 1, 200, 0, 2, 1, 180, 0]);
        page[start + 8..start + 12].copy_from_slice(&[1, 180, 1, 216]);
        page[456..460].copy_from_slice(&[0, 0, 0, 16]);
        page
    }

    #[test]
    fn the_gap_and_the_freeblocks_are_unused_and_nothing_else() {
        assert_eq!(unused(&leaf(0), 7, 512), Some(vec![12..436, 460..472]));
        assert_eq!(unused(&leaf(100), 1, 512), Some(vec![112..436, 460..472]));
        let mut root = leaf(0);
        root[0] = 5;
        root[12..16].copy_from_slice(&[1, 180, 1, 216]);
        assert_eq!(unused(&root, 7, 512), Some(vec![16..436, 460..472]));
    }

    #[test]
    fn damaged_pages_and_pages_of_another_kind_are_left_alone() {
        for (at, byte) in [(0, 0), (0, 1), (3, 200), (5, 3), (8, 0), (1, 0), (459, 3), (458, 2), (457, 200)] {
            let mut page = leaf(0);
            page[at] = byte;
            assert_eq!(unused(&page, 7, 512), None, "byte {at} as {byte}");
        }
        assert_eq!(unused(&leaf(0), 7, 470), None);
        assert_eq!(unused(&leaf(0)[..400], 7, 512), None);
        assert_eq!(unused(&[], 7, 512), None);
    }

    proptest! {
        #[test]
        fn any_bytes_at_all_have_only_ranges_inside_the_page(bytes in proptest::collection::vec(any::<u8>(), 0..600), number in 1_u32..3) {
            for range in unused(&bytes, number, 512).unwrap_or_default() {
                prop_assert!(range.start <= range.end && range.end <= 512);
            }
        }
    }
}
