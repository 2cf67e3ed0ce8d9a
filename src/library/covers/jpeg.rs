//! Reads the structure of JPEG files (ITU-T T.81, annex B).
use super::model::{Rest, Size, Unfit};

/// The first bytes of every file.
pub const MAGIC: &[u8] = &[0xff, 0xd8, 0xff];

const END: u8 = 0xd9;
const SCAN: u8 = 0xda;

/// The size, and the file without comments, without the metadata of cameras and editors, without a colour profile, and without what
/// follows its end.
pub fn read(bytes: &[u8]) -> Result<(Size, Vec<u8>), Unfit> {
    let mut rest = Rest(bytes);
    let mut kept = rest.take(2)?.to_vec();
    let (mut size, mut has_picture) = (None, false);
    while let Some(marker) = marker(&mut rest)? {
        if marker == END {
            break;
        }
        if is_bare(marker) {
            continue;
        }
        let length = u16::from_be_bytes(rest.array()?);
        let content = rest.take(usize::from(length).checked_sub(2).ok_or(Unfit::NotAPicture)?)?;
        if is_frame(marker) {
            let mut frame = Rest(content);
            let [_precision, height_high, height_low, width_high, width_low] = frame.array()?;
            let height = u16::from_be_bytes([height_high, height_low]);
            let width = u16::from_be_bytes([width_high, width_low]);
            let found = Size::of(width.into(), height.into())?;
            if size.is_some_and(|size| size != found) {
                return Err(Unfit::NotAPicture);
            }
            size = Some(found);
        }
        if is_kept(marker, content) {
            kept.extend([0xff, marker]);
            kept.extend(length.to_be_bytes());
            kept.extend(content);
        }
        if marker == SCAN {
            kept.extend(scan(&mut rest)?);
            has_picture = true;
        }
    }
    kept.extend([0xff, END]);
    size.filter(|_| has_picture).map(|size| (size, kept)).ok_or(Unfit::NotAPicture)
}

/// The next marker, after any number of fill bytes; `None` at the end of the file.
fn marker(rest: &mut Rest<'_>) -> Result<Option<u8>, Unfit> {
    if rest.0.is_empty() {
        return Ok(None);
    }
    if rest.array()? != [0xff] {
        return Err(Unfit::NotAPicture);
    }
    loop {
        match rest.array()? {
            [0xff] => {}
            [0] => return Err(Unfit::NotAPicture),
            [marker] => return Ok(Some(marker)),
        }
    }
}

/// The data of a scan, up to the next marker that is not a part of it.
fn scan<'b>(rest: &mut Rest<'b>) -> Result<&'b [u8], Unfit> {
    let ends = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0 | 0xd0..=0xd7 | 0xff);
    let length = rest.0.windows(2).position(ends).unwrap_or(rest.0.len());
    rest.take(length)
}

/// Whether a marker has no content.
fn is_bare(marker: u8) -> bool {
    matches!(marker, 0x01 | 0xd0..=0xd8)
}

/// Whether a marker begins a frame, whose header has the size.
fn is_frame(marker: u8) -> bool {
    matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc)
}

/// Whether a segment is needed to draw the picture: tables, frames, scans, and the two short segments about colours. A thumbnail and a
/// colour profile may hold anything.
fn is_kept(marker: u8, content: &[u8]) -> bool {
    match marker {
        0xe0 => content.starts_with(b"JFIF\0") && content.len() == 14,
        0xee => content.starts_with(b"Adobe") && content.len() == 12,
        0xc8 => false,
        0xc0..=0xcf | SCAN..=0xdd => true,
        _ => false,
    }
}
