//! Reads the structure of WebP files (RFC 9649).
use super::model::{Rest, Size, Unfit};

/// The first bytes of every file; its length and [`FORM`] follow.
pub const MAGIC: &[u8] = b"RIFF";
/// The bytes from the ninth on.
pub const FORM: &[u8] = b"WEBP";

/// The flag of the extended header for transparency. The others say that there is metadata, a colour profile or an animation.
const ALPHA: u8 = 0x10;

/// The size, and the file without metadata, without a colour profile, without frames of an animation, and without what follows the
/// picture. All of these may hold anything.
pub fn read(bytes: &[u8]) -> Result<(Size, Vec<u8>), Unfit> {
    let mut rest = Rest(bytes);
    rest.take(MAGIC.len())?;
    let length = usize::try_from(u32::from_le_bytes(rest.array()?)).map_err(|_| Unfit::NotAPicture)?;
    rest = Rest(rest.take(length.min(rest.0.len()))?);
    rest.take(FORM.len())?;
    let (mut chunks, mut size, mut has_alpha, mut has_picture) = (Vec::new(), None, false, false);
    while !rest.0.is_empty() {
        let name: [u8; 4] = rest.array()?;
        let length = u32::from_le_bytes(rest.array()?);
        let content = rest.take(usize::try_from(length).map_err(|_| Unfit::NotAPicture)?)?;
        // A chunk of odd length is followed by one more byte, which some programs forget at the end.
        rest.take((content.len() % 2).min(rest.0.len()))?;
        let mut header = [0; 10];
        let kept = match &name {
            b"VP8X" if chunks.is_empty() => {
                size = Some(canvas(content)?);
                header[0] = content[0] & ALPHA;
                header[4..].copy_from_slice(&content[4..10]);
                &header[..]
            }
            b"ALPH" if !has_alpha => content,
            b"VP8 " => {
                let found = lossy(content)?;
                size.get_or_insert(found);
                content
            }
            b"VP8L" => {
                let found = lossless(content)?;
                size.get_or_insert(found);
                content
            }
            _ => continue,
        };
        has_alpha |= &name == b"ALPH";
        has_picture = matches!(&name, b"VP8 " | b"VP8L");
        chunks.extend(name);
        chunks.extend(u32::try_from(kept.len()).map_err(|_| Unfit::TooManyBytes)?.to_le_bytes());
        chunks.extend(kept);
        chunks.extend(std::iter::repeat_n(0, kept.len() % 2));
        if has_picture {
            break;
        }
    }
    let length = u32::try_from(FORM.len() + chunks.len()).map_err(|_| Unfit::TooManyBytes)?;
    let file = [MAGIC, &length.to_le_bytes(), FORM, &chunks].concat();
    size.filter(|_| has_picture).map(|size| (size, file)).ok_or(Unfit::NotAPicture)
}

/// The size in the extended header.
fn canvas(content: &[u8]) -> Result<Size, Unfit> {
    let mut fields = Rest(content);
    fields.take(4)?;
    sides(&mut fields)
}

/// Two sides of 24 bits, each less one.
fn sides(fields: &mut Rest<'_>) -> Result<Size, Unfit> {
    let [a, b, c, d, e, f] = fields.array()?;
    Size::of(u32::from_le_bytes([a, b, c, 0]) + 1, u32::from_le_bytes([d, e, f, 0]) + 1)
}

/// The size in the header of a lossy picture.
fn lossy(content: &[u8]) -> Result<Size, Unfit> {
    let mut fields = Rest(content);
    fields.take(3)?;
    if fields.array()? != [0x9d, 0x01, 0x2a] {
        return Err(Unfit::NotAPicture);
    }
    let side = |bytes| u32::from(u16::from_le_bytes(bytes) & 0x3fff);
    Size::of(side(fields.array()?), side(fields.array()?))
}

/// The size in the header of a lossless picture.
fn lossless(content: &[u8]) -> Result<Size, Unfit> {
    let mut fields = Rest(content);
    if fields.array()? != [0x2f] {
        return Err(Unfit::NotAPicture);
    }
    let bits = u32::from_le_bytes(fields.array()?);
    Size::of((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1)
}
