//! The page turns of a document as they are stored: sorted by time, differences as variable-length numbers, deflated. 100,000 rows take
//! about half a megabyte.
use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;

use super::coverage::PageRow;
use crate::kit::{Error, Result};

/// The form of [`pack`], the first byte.
const VERSION: u8 = 1;

pub fn pack(rows: &[PageRow]) -> Result<Vec<u8>> {
    let mut plain = Vec::with_capacity(rows.len() * 8);
    let mut last = 0;
    for row in rows {
        for number in [row.start - last, row.page, row.total, row.duration, row.device << 1 | i64::from(row.gone)] {
            write(&mut plain, number.unsigned_abs());
        }
        last = row.start;
    }
    let mut encoder = DeflateEncoder::new(vec![VERSION], Compression::default());
    let packed = encoder.write_all(&plain).and_then(|()| encoder.finish());
    packed.map_err(|cause| Error::internal(format!("packing page turns: {cause}")))
}

/// Reads packed rows, in the order of time.
pub fn unpack(packed: &[u8]) -> Result<Vec<PageRow>> {
    let Some((&VERSION, deflated)) = packed.split_first() else {
        return Err(Error::internal("page turns of an unknown form"));
    };
    let mut plain = Vec::new();
    let inflated = DeflateDecoder::new(deflated).read_to_end(&mut plain);
    inflated.map_err(|cause| Error::internal(format!("unpacking page turns: {cause}")))?;
    let (mut rest, mut rows, mut last) = (plain.as_slice(), Vec::new(), 0);
    while !rest.is_empty() {
        let mut next = || read(&mut rest).ok_or_else(|| Error::internal("page turns that break off"));
        let (start, page, total, duration, device) = (next()?, next()?, next()?, next()?, next()?);
        last += start;
        rows.push(PageRow { start: last, page, total, duration, device: device >> 1, gone: device & 1 == 1 });
    }
    Ok(rows)
}

fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

fn read(bytes: &mut &[u8]) -> Option<i64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= i64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Added to the number of an import, which makes it one of no device.
pub const IMPORTED: i64 = 1 << 40;

/// How many rows [`merge`] would add, before it takes memory for them. The sent ones are in the order of time afterwards.
pub fn count_new(known: &[PageRow], sent: &mut [PageRow]) -> usize {
    let key = |row: &PageRow| (row.start, row.page);
    sent.sort_by_key(key);
    let mut last = None;
    let is_new = |row: &&PageRow| {
        let is_first = last.replace(key(row)) != Some(key(row));
        is_first && known.binary_search_by_key(&key(row), key).is_err()
    };
    sent.iter().filter(is_new).count()
}

/// What a device's file says now, over what is known: rows are equal by page and time, and the longest duration wins. A row of this device
/// that the file lacks stays, marked as gone there. A row of an import, or of a login that was taken back, that a device has, too, is the
/// device's from now on. `None` where nothing changes.
pub fn merge(
    known: &[PageRow],
    sent: &[PageRow],
    device: i64,
    has_login: impl Fn(i64) -> bool,
) -> Option<Vec<PageRow>> {
    let known_rows = known.iter().map(|row| PageRow { gone: row.gone || row.device == device, ..*row });
    let mut rows: Vec<_> = known_rows.chain(sent.iter().map(|row| PageRow { device, gone: false, ..*row })).collect();
    // What is known stays before what is sent.
    rows.sort_by_key(|row| (row.start, row.page));
    rows.dedup_by(|new, row| {
        if (new.start, new.page) != (row.start, row.page) {
            return false;
        }
        if new.duration > row.duration {
            (row.duration, row.total) = (new.duration, new.total);
        }
        if device < IMPORTED && !has_login(row.device) {
            row.device = device;
        }
        row.gone &= row.device != device;
        true
    });
    (rows != known).then_some(rows)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn row(start: i64, page: i64, duration: i64) -> PageRow {
        PageRow { start, page, total: 100, duration, device: 1, gone: false }
    }

    #[test]
    fn a_file_adds_rows_lengthens_them_and_takes_none_away() {
        let known = [row(10, 1, 5), row(20, 2, 30), PageRow { device: 2, ..row(30, 3, 9) }];
        let merge =
            |known: &[PageRow], sent: &[PageRow], device| super::merge(known, sent, device, |device| device < 9);
        let now = merge(&known, &[row(20, 2, 40), row(20, 2, 10), row(40, 4, 7)], 1).unwrap();
        let expected = [PageRow { gone: true, ..known[0] }, row(20, 2, 40), known[2], row(40, 4, 7)];
        assert_eq!(now, expected);
        assert_eq!(merge(&now, &[row(20, 2, 40), row(40, 4, 7)], 1), None, "the same file again");
        let back = merge(&now, &[row(10, 1, 5), row(20, 2, 40), row(40, 4, 7)], 1).unwrap();
        assert!(back.iter().all(|row| !row.gone));
        assert!(merge(&known, &[], 1).unwrap().len() == 3, "an empty file removes nothing");
        assert_eq!(count_new(&known, &mut [row(40, 4, 7), row(20, 2, 40), row(40, 4, 9), row(40, 5, 1)]), 2);
        let orphan = PageRow { device: 9, gone: true, ..row(10, 1, 5) };
        assert_eq!(merge(&[orphan], &[row(10, 1, 5)], 1), Some(vec![row(10, 1, 5)]), "its login was taken back");
        assert_eq!(merge(&[orphan], &[], 1), None);
    }

    proptest! {
        #[test]
        fn what_was_packed_is_read_again(rows in prop::collection::btree_map((1..4_102_444_800_i64, 1..9_999_i64),
            (1..9_999_i64, 0..90_000_i64, 0..1_000_000_i64, any::<bool>()), 0..60)) {
            let rows: Vec<_> = rows.into_iter().map(|((start, page), (total, duration, device, gone))|
                PageRow { start, page, total, duration, device, gone }).collect();
            prop_assert_eq!(unpack(&pack(&rows).unwrap()).unwrap(), rows);
        }
    }
}
