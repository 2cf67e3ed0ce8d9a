//! Covers of the demo: two colours and a pattern, drawn from the book's place in the list. None has letters, and none is anyone's.
use std::io::Write as _;

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

use crate::kit::Result;
use crate::library::covers::picture::Picture;

/// The size in pixels.
const WIDTH: u16 = 160;
const HEIGHT: u16 = 240;
/// Ground and figure in red, green and blue.
const COLOURS: [[u8; 6]; 6] = [
    [0x1f, 0x3a, 0x5f, 0xe9, 0xc4, 0x6a],
    [0xb2, 0x3a, 0x48, 0xfc, 0xd5, 0xce],
    [0x2d, 0x6a, 0x4f, 0xd8, 0xf3, 0xdc],
    [0xf4, 0xa2, 0x61, 0x26, 0x46, 0x53],
    [0x3c, 0x2a, 0x4d, 0xf2, 0xe9, 0xe4],
    [0xee, 0xe5, 0xd3, 0x8a, 0x1c, 0x1c],
];

/// The cover with this number: colours and pattern return together only after thirty.
pub fn cover(number: usize) -> Result<Picture> {
    let mut rows = Vec::new();
    for y in 0..i32::from(HEIGHT) {
        rows.push(0); // this row is stored without a filter
        rows.extend((0..i32::from(WIDTH)).map(|x| u8::from(is_figure(number % 5, x - 80, y - 110))));
    }
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&rows).map_err(anyhow::Error::from)?;
    let [width, height] = [WIDTH, HEIGHT].map(|length| u32::from(length).to_be_bytes());
    // Eight bits a pixel, each the number of a colour.
    let header = [&width[..], &height, &[8, 3, 0, 0, 0]].concat();
    let file = [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header),
        chunk(b"PLTE", &COLOURS[number % COLOURS.len()]),
        chunk(b"IDAT", &packed.finish().map_err(anyhow::Error::from)?),
        chunk(b"IEND", &[]),
    ]
    .concat();
    Ok(Picture::read(&file)?)
}

/// Whether a point, seen from the middle of the pattern, has the figure's colour.
fn is_figure(pattern: usize, x: i32, y: i32) -> bool {
    let distance = (x * x + y * y).isqrt();
    match pattern {
        0 => distance < 60 && distance / 6 % 2 == 0,
        1 => y > 20 + (x - 30) * (x - 30) / 90 || (x + 30).pow(2) + (y + 45).pow(2) < 24 * 24,
        2 => (x + y).rem_euclid(40) < 12,
        3 => x.abs() + y.abs() < 64 && (x.abs() + y.abs()) / 16 % 2 == 0,
        _ => (x - 8).rem_euclid(32) < 16 && (y + 6).rem_euclid(32) < 16,
    }
}

fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let mut sum = Crc::new();
    sum.update(name);
    sum.update(content);
    let length = u32::try_from(content.len()).unwrap_or(u32::MAX);
    [&length.to_be_bytes()[..], name, content, &sum.sum().to_be_bytes()].concat()
}
