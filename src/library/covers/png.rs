//! Reads the structure of PNG files (<https://www.w3.org/TR/png-3/>).
use super::model::{Rest, Size, Unfit};

/// The first bytes of every file.
pub const MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The chunks that draw the picture in its colours, and the most bytes in one. A colour profile may hold anything, so it is not among
/// them.
const KEPT: [(&[u8; 4], usize); 7] =
    [(b"PLTE", 768), (b"IDAT", usize::MAX), (b"tRNS", 256), (b"gAMA", 4), (b"cHRM", 32), (b"sRGB", 1), (b"cICP", 4)];

/// The size, and the file without texts, without metadata, without a colour profile, without further frames, and without what follows
/// its end.
pub fn read(bytes: &[u8]) -> Result<(Size, Vec<u8>), Unfit> {
    let mut rest = Rest(bytes);
    let mut kept = rest.take(MAGIC.len())?.to_vec();
    let header = rest.take(8 + 13)?;
    let mut fields = Rest(header);
    if fields.take(8)? != b"\0\0\0\x0dIHDR" {
        return Err(Unfit::NotAPicture);
    }
    let size = Size::of(u32::from_be_bytes(fields.array()?), u32::from_be_bytes(fields.array()?))?;
    kept.extend(header);
    kept.extend(rest.take(4)?);
    let mut has_picture = false;
    while !rest.0.is_empty() {
        let start = rest.0;
        let length = usize::try_from(u32::from_be_bytes(rest.array()?)).map_err(|_| Unfit::NotAPicture)?;
        let name: [u8; 4] = rest.array()?;
        rest.take(length)?;
        rest.take(4)?;
        if &name == b"IEND" {
            kept.extend(END);
            break;
        }
        if KEPT.iter().any(|(kept, most)| **kept == name && length <= *most) {
            kept.extend(&start[..length + 12]);
        }
        has_picture |= &name == b"IDAT";
    }
    has_picture.then_some((size, kept)).ok_or(Unfit::NotAPicture)
}

/// The last chunk.
const END: &[u8] = b"\0\0\0\0IEND\xae\x42\x60\x82";
