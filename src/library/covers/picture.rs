//! Accepts files as covers: the kind by the first bytes, the size by the headers inside.
//!
//! The picture is never decoded. Its file is written again from the parts that draw it, so that neither the place where a photo was taken
//! nor a second file inside it is stored.
use super::model::{Kind, MOST_BYTES, Size, Unfit};
use super::{jpeg, png, webp};

/// A file that is accepted as a cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub kind: Kind,
    /// The size in pixels.
    pub size: Size,
    /// The file as it is stored, at most [`MOST_BYTES`].
    pub bytes: Vec<u8>,
}

impl Picture {
    /// Reads an uploaded file.
    pub fn read(file: &[u8]) -> Result<Self, Unfit> {
        if file.len() > MOST_BYTES {
            return Err(Unfit::TooManyBytes);
        }
        let kind = kind(file).ok_or(Unfit::NotAPicture)?;
        let (size, bytes) = match kind {
            Kind::Jpeg => jpeg::read(file)?,
            Kind::Png => png::read(file)?,
            Kind::Webp => webp::read(file)?,
        };
        // An end that was missing may make a file longer.
        if bytes.len() > MOST_BYTES { Err(Unfit::TooManyBytes) } else { Ok(Self { kind, size, bytes }) }
    }
}

/// The kind of a file by its first bytes.
fn kind(file: &[u8]) -> Option<Kind> {
    if file.starts_with(jpeg::MAGIC) {
        Some(Kind::Jpeg)
    } else if file.starts_with(png::MAGIC) {
        Some(Kind::Png)
    } else if file.starts_with(webp::MAGIC) && file.get(8..12) == Some(webp::FORM) {
        Some(Kind::Webp)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
        let length = u32::try_from(content.len()).unwrap().to_be_bytes();
        [&length[..], name, content, b"\0\0\0\0"].concat()
    }

    fn png(width: u32, height: u32, more: &[u8]) -> Vec<u8> {
        let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
        let end = b"\0\0\0\0IEND\xae\x42\x60\x82";
        [png::MAGIC, &chunk(b"IHDR", &header), more, &chunk(b"IDAT", b"pixels"), end].concat()
    }

    fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
        let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
        [&[0xff, marker], &length[..], content].concat()
    }

    fn jpeg(width: u16, height: u16, more: &[u8]) -> Vec<u8> {
        let frame = [&[8], &height.to_be_bytes()[..], &width.to_be_bytes(), &[1, 1, 0x11, 0]].concat();
        let jfif = segment(0xe0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
        // The data of a scan: a stuffed byte, a restart marker.
        let scan = [segment(0xda, &[1, 1, 0, 0, 63, 0]), vec![1, 2, 0xff, 0, 3, 0xff, 0xd0, 4]].concat();
        let parts = [segment(0xdb, &[0; 65]), segment(0xc2, &frame), scan.clone(), segment(0xc4, &[0; 17]), scan];
        [&[0xff, 0xd8][..], &jfif, more, &parts.concat(), &[0xff, 0xd9]].concat()
    }

    fn riff(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut body = b"WEBP".to_vec();
        for (name, content) in chunks {
            body.extend(*name);
            body.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
            body.extend(*content);
            body.extend(vec![0; content.len() % 2]);
        }
        [b"RIFF", &u32::try_from(body.len()).unwrap().to_le_bytes()[..], &body].concat()
    }

    fn lossy(width: u16, height: u16) -> Vec<u8> {
        [&[0, 0, 0, 0x9d, 0x01, 0x2a], &width.to_le_bytes()[..], &height.to_le_bytes(), b"data"].concat()
    }

    fn lossless(width: u32, height: u32) -> Vec<u8> {
        [&[0x2f], &((width - 1) | (height - 1) << 14).to_le_bytes()[..], b"dat"].concat()
    }

    fn extended(flags: u8, width: u32, height: u32) -> Vec<u8> {
        [&[flags, 0, 0, 0], &(width - 1).to_le_bytes()[..3], &(height - 1).to_le_bytes()[..3]].concat()
    }

    fn size(file: &[u8]) -> Result<(u32, u32), Unfit> {
        Picture::read(file).map(|picture| (picture.size.width, picture.size.height))
    }

    #[test]
    fn a_picture_is_known_by_its_first_bytes_and_measured_by_its_headers() {
        let files = [
            (Kind::Jpeg, jpeg(600, 900, b"")),
            (Kind::Png, png(600, 900, b"")),
            (Kind::Webp, riff(&[(b"VP8 ", &lossy(600, 900))])),
            (Kind::Webp, riff(&[(b"VP8L", &lossless(600, 900))])),
            (Kind::Webp, riff(&[(b"VP8X", &extended(0x10, 600, 900)), (b"VP8 ", &lossy(600, 900))])),
        ];
        for (kind, file) in files {
            let read = Picture::read(&file).unwrap();
            assert_eq!((read.kind, read.size), (kind, Size { width: 600, height: 900 }));
            assert_eq!(read.bytes, file, "{kind:?} has nothing to leave out");
        }
    }

    #[test]
    fn the_limits_are_1000_by_1500_pixels_and_200_kib() {
        for (width, height, fits) in [(1000, 1500, true), (1001, 1500, false), (1000, 1501, false), (1500, 1000, false)]
        {
            let expected = if fits { Ok((width, height)) } else { Err(Unfit::TooManyPixels) };
            let (short_width, short_height) = (u16::try_from(width).unwrap(), u16::try_from(height).unwrap());
            assert_eq!(size(&png(width, height, b"")), expected);
            assert_eq!(size(&jpeg(short_width, short_height, b"")), expected);
            assert_eq!(size(&riff(&[(b"VP8 ", &lossy(short_width, short_height))])), expected);
            assert_eq!(size(&riff(&[(b"VP8L", &lossless(width, height))])), expected);
            assert_eq!(size(&riff(&[(b"VP8X", &extended(0, width, height)), (b"VP8 ", &lossy(5, 5))])), expected);
        }
        assert_eq!(size(&png(30_000, 30_000, b"")[..33]), Err(Unfit::TooManyPixels), "a header says enough");
        let room = MOST_BYTES - png(5, 5, b"").len() - 12;
        assert_eq!(size(&png(5, 5, &chunk(b"IDAT", &vec![7; room]))), Ok((5, 5)));
        assert_eq!(size(&png(5, 5, &chunk(b"IDAT", &vec![7; room + 1]))), Err(Unfit::TooManyBytes));
        for empty in [png(0, 5, b""), png(5, 0, b""), jpeg(0, 5, b""), jpeg(5, 0, b"")] {
            assert_eq!(size(&empty), Err(Unfit::NotAPicture));
        }
    }

    #[test]
    fn no_size_inside_is_larger_than_the_first_one_says() {
        let frame = segment(0xc0, &[8, 0x75, 0x30, 0x75, 0x30, 1, 1, 0x11, 0]);
        assert_eq!(size(&jpeg(5, 5, &frame)), Err(Unfit::TooManyPixels));
        let other = segment(0xc0, &[8, 0, 6, 0, 6, 1, 1, 0x11, 0]);
        assert_eq!(size(&jpeg(5, 5, &other)), Err(Unfit::NotAPicture));
        let inner = riff(&[(b"VP8X", &extended(0, 5, 5)), (b"VP8L", &lossless(9_000, 9_000))]);
        assert_eq!(size(&inner), Err(Unfit::TooManyPixels));
        let frame = [&[0; 6], &extended(0, 9_000, 9_000)[4..]].concat();
        assert_eq!(size(&riff(&[(b"VP8X", &extended(2, 5, 5)), (b"ANMF", &frame)])), Err(Unfit::NotAPicture));
    }

    #[test]
    fn places_comments_profiles_frames_and_what_follows_the_end_are_left_out() {
        let secret = b"Exif\0\0 GPS 48.2,16.3 <script>alert(1)</script>";
        let appended = |file: Vec<u8>| [file, b"PK\x03\x04 GPS <script>".to_vec()].concat();
        let text = chunk(b"tEXt", secret);
        let hidden = [
            chunk(b"eXIf", secret),
            text.clone(),
            chunk(b"fdAT", secret),
            chunk(b"iCCP", secret),
            chunk(b"gAMA", secret),
            chunk(b"pHYs", secret),
        ];
        let hidden = hidden.concat();
        let long = |start: &[u8]| [start, &secret[..]].concat();
        let segments = [
            segment(0xe1, secret),
            segment(0xfe, secret),
            segment(0xed, secret),
            segment(0xe0, &long(b"JFIF\0")),
            segment(0xe2, &long(b"ICC_PROFILE\0")),
            segment(0xee, &long(b"Adobe")),
            segment(0xdf, secret),
        ];
        let segments = segments.concat();
        let (still, exif) = (extended(0, 5, 5), [extended(0x2e, 5, 5), secret.to_vec()].concat());
        let frame = [&extended(0, 5, 5)[4..], &secret[..]].concat();
        let files = [
            (jpeg(5, 5, b""), appended(jpeg(5, 5, &segments))),
            (png(5, 5, b""), appended(png(5, 5, &hidden))),
            (
                riff(&[(b"VP8X", &still), (b"VP8 ", &lossy(5, 5))]),
                appended(riff(&[
                    (b"VP8X", &exif),
                    (b"VP8X", &exif),
                    (b"ICCP", secret),
                    (b"ANIM", secret),
                    (b"ANMF", &frame),
                    (b"VP8 ", &lossy(5, 5)),
                    (b"VP8 ", &lossy(5, 5)),
                    (b"EXIF", secret),
                    (b"XMP ", secret),
                ])),
            ),
        ];
        for (plain, full) in files {
            assert_eq!(Picture::read(&full).unwrap().bytes, plain);
        }
    }

    #[test]
    fn what_is_not_a_picture_is_refused() {
        let svg = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
        let files: [&[u8]; 12] = [
            b"",
            svg,
            b"GIF89a\x05\0\x05\0\0\0\0;",
            b"BM\0\0",
            b"%PDF-1.7",
            b"<!doctype html>",
            b"\xff\xd8\xff",
            b"\xff\xd8\xff\xe0\0\x01",
            b"\xff\xd8\xffno segment",
            b"\x89PNG\r\n\x1a\n\0\0\0\x0dIDAT",
            b"RIFF\0\0\0\0WEBP",
            b"RIFF\x10\0\0\0AVI LIST",
        ];
        for file in files {
            assert_eq!(size(file), Err(Unfit::NotAPicture), "{}", String::from_utf8_lossy(file));
        }
        let broken = png(5, 5, &[0, 0, 0xff, 0xff, b'I', b'D', b'A', b'T']);
        assert_eq!(size(&broken), Err(Unfit::NotAPicture));
        // Headers without the data of a picture.
        let frame = segment(0xc0, &[8, 0, 5, 0, 5, 1, 1, 0x11, 0]);
        for empty in [
            png(5, 5, b"")[..33].to_vec(),
            [&png(5, 5, b"")[..33], b"\0\0\0\0IEND\xae\x42\x60\x82"].concat(),
            riff(&[(b"VP8X", &extended(0, 5, 5))]),
            riff(&[(b"VP8X", &extended(0, 5, 5)), (b"ALPH", b"data")]),
            [&[0xff, 0xd8][..], &frame, &[0xff, 0xd9]].concat(),
        ] {
            assert_eq!(size(&empty), Err(Unfit::NotAPicture), "{empty:x?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused_and_what_was_read_is_read_again(
            kind in 0..4_usize,
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            cut in 0..400_usize,
        ) {
            let file = match kind {
                0 => jpeg(300, 400, &bytes),
                1 => png(300, 400, &bytes),
                2 => riff(&[(b"VP8X", &extended(0xff, 30, 40)), (b"VP8L", &lossless(30, 40)), (b"ICCP", &bytes)]),
                _ => bytes,
            };
            let mut cut_off = file.clone();
            cut_off.truncate(cut);
            for file in [file, cut_off] {
                if let Ok(read) = Picture::read(&file) {
                    prop_assert_eq!(Picture::read(&read.bytes), Ok(read));
                }
            }
        }
    }

    /// The description has no place for the size of a body, so the interface states it once more.
    #[test]
    fn the_interface_makes_covers_as_large_as_they_may_be() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/ui/src/library/covers/scale.ts");
        let stated = format!("const MOST_BYTES = {} * 1024;", MOST_BYTES / 1024);
        assert!(std::fs::read_to_string(file).unwrap().contains(&stated), "{file} needs {stated}");
    }
}
