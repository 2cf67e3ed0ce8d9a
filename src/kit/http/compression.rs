//! Negotiates the compression of a response, and compresses generated responses at a fast level.
use std::cell::RefCell;
use std::io::{self, Write as _};

use axum::http::{HeaderMap, HeaderValue, header};
use flate2::write::GzEncoder;
use serde::Serialize;
use zstd::bulk::Compressor;

use super::budgets::HeldBytes;
use crate::kit::allocation;

/// Smaller responses are sent uncompressed, in bytes.
pub const WORTHWHILE: u16 = 512;
/// The Zstandard level: the lowest that still compresses well.
const LEVEL: i32 = 1;

/// The encoding of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Zstandard: every current browser, over https or on the same machine.
    Zstd,
    /// Gzip, which every client supports.
    Gzip,
    /// Not compressed.
    Plain,
}

impl Encoding {
    /// The fastest encoding that a client accepts.
    pub fn of(headers: &HeaderMap) -> Self {
        [(Self::Zstd, "zstd"), (Self::Gzip, "gzip")]
            .into_iter()
            .find(|(_, name)| accepts(headers, name))
            .map_or(Self::Plain, |(encoding, _)| encoding)
    }

    /// The value of `Content-Encoding`.
    pub fn header(self) -> Option<HeaderValue> {
        match self {
            Self::Zstd => Some(HeaderValue::from_static("zstd")),
            Self::Gzip => Some(HeaderValue::from_static("gzip")),
            Self::Plain => None,
        }
    }
}

/// How many bytes are held uncompressed. A longer body is compressed while it is written, so that a long list is never in memory
/// as a whole.
const PORTION: usize = 128 * 1024;

/// The body of a generated response, written piece by piece.
pub struct Body {
    encoding: Encoding,
    held: Vec<u8>,
    passed_on: Option<Packer>,
    memory: Option<HeldBytes>,
}

enum Packer {
    Zstd(zstd::stream::write::Encoder<'static, Vec<u8>>),
    Gzip(GzEncoder<Vec<u8>>),
}

impl Body {
    /// An empty body for a client that accepts this encoding.
    pub fn new(encoding: Encoding) -> Self {
        Self { encoding, held: Vec::new(), passed_on: None, memory: None }
    }

    /// The same, with memory from a budget.
    pub fn within(encoding: Encoding, memory: HeldBytes) -> Self {
        Self { memory: Some(memory), ..Self::new(encoding) }
    }

    /// Takes the part of the budget that the body uses, to be held as long as its bytes.
    pub fn take_memory(&mut self) -> Option<HeldBytes> {
        self.memory.take()
    }

    /// Adds bytes.
    pub fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.held.extend_from_slice(bytes);
        self.pass_on()
    }

    /// Adds a value as JSON.
    pub fn put_json(&mut self, value: &impl Serialize) -> io::Result<()> {
        // Written directly into memory, because JSON is written in very small pieces.
        serde_json::to_writer(&mut self.held, value)?;
        self.pass_on()
    }

    /// Ends the body. Returns its bytes and their encoding: a small body stays uncompressed.
    pub fn finish(mut self) -> io::Result<(Encoding, Vec<u8>)> {
        let small = self.held.len() < usize::from(WORTHWHILE);
        let mut packed = match (self.passed_on.take(), self.encoding) {
            (Some(packer), encoding) => return Ok((encoding, packer.finish(&self.held)?)),
            (None, Encoding::Zstd) if !small => zstd(&self.held)?,
            (None, Encoding::Gzip) if !small => Packer::gzip().finish(&self.held)?,
            _ => return Ok((Encoding::Plain, self.held)),
        };
        // The encoder reserved memory for the worst case.
        packed.shrink_to_fit();
        Ok((self.encoding, packed))
    }

    fn pass_on(&mut self) -> io::Result<()> {
        if self.held.len() < PORTION {
            return Ok(());
        }
        let packed = self.passed_on.as_mut().map_or(0, Packer::reserve);
        if self.encoding == Encoding::Plain {
            allocation::reserve_returned(&mut self.held);
        }
        if let Some(memory) = &mut self.memory {
            // An error of this kind becomes 503 `busy`.
            memory
                .grow_to(allocation::used(&self.held) + packed)
                .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        }
        let packer = match (&mut self.passed_on, self.encoding) {
            (_, Encoding::Plain) => return Ok(()),
            (Some(packer), _) => packer,
            (none, Encoding::Zstd) => none.insert(Packer::Zstd(zstd::stream::write::Encoder::new(Vec::new(), LEVEL)?)),
            (none, Encoding::Gzip) => none.insert(Packer::gzip()),
        };
        packer.write_all(&self.held)?;
        self.held.clear();
        Ok(())
    }
}

impl Packer {
    fn gzip() -> Self {
        Self::Gzip(GzEncoder::new(Vec::new(), flate2::Compression::fast()))
    }

    /// Prepares the output for more bytes. Returns the memory that it uses, in bytes.
    fn reserve(&mut self) -> usize {
        let output = match self {
            Self::Zstd(encoder) => encoder.get_mut(),
            Self::Gzip(encoder) => encoder.get_mut(),
        };
        allocation::reserve_returned(output);
        allocation::used(output)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Zstd(encoder) => encoder.write_all(bytes),
            Self::Gzip(encoder) => encoder.write_all(bytes),
        }
    }

    /// Adds the last bytes and returns all of them.
    fn finish(mut self, last: &[u8]) -> io::Result<Vec<u8>> {
        self.write_all(last)?;
        match self {
            Self::Zstd(encoder) => encoder.finish(),
            Self::Gzip(encoder) => encoder.finish(),
        }
    }
}

/// Compresses with this thread's compressor, whose tables take some hundred kilobytes.
fn zstd(bytes: &[u8]) -> io::Result<Vec<u8>> {
    thread_local! {
        static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    }
    COMPRESSOR.with_borrow_mut(|kept| {
        let compressor = match kept {
            Some(compressor) => compressor,
            None => kept.insert(Compressor::new(LEVEL)?),
        };
        compressor.compress(bytes)
    })
}

/// Whether `Accept-Encoding` contains an encoding with a weight above zero.
pub fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .any(|one| {
            let mut parts = one.split(';').map(str::trim);
            let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
            let refused = parts.any(|weight| {
                weight.strip_prefix("q=").is_some_and(|q| q.trim().parse::<f32>().is_ok_and(|q| q <= 0.0))
            });
            named && !refused
        })
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn an_encoding_with_a_weight_of_zero_is_refused() {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, "gzip;q=0.5, br;q=0".parse().unwrap());
        assert!(accepts(&headers, "gzip") && !accepts(&headers, "br") && !accepts(&headers, "zstd"));
    }

    #[test]
    fn the_fastest_encoding_that_is_taken_counts() {
        let of = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_ENCODING, value.parse().unwrap());
            Encoding::of(&headers)
        };
        assert_eq!(of("gzip, deflate, br, zstd"), Encoding::Zstd);
        assert_eq!(of("zstd;q=0, gzip"), Encoding::Gzip);
        assert_eq!(of("br"), Encoding::Plain);
        assert_eq!(Encoding::of(&HeaderMap::new()), Encoding::Plain);
    }

    #[test]
    fn a_body_of_any_length_is_read_back_as_it_was_written() {
        for length in [0, 100, 5_000, PORTION, 3 * PORTION + 17] {
            let text: Vec<u8> = (0..length).map(|at| b'a' + u8::try_from(at * at % 23).unwrap()).collect();
            let written = |encoding| {
                let mut body = Body::new(encoding);
                text.chunks(999).for_each(|piece| body.put(piece).unwrap());
                body.finish().unwrap()
            };
            for asked in [Encoding::Zstd, Encoding::Gzip, Encoding::Plain] {
                let (encoding, bytes) = written(asked);
                let mut read = Vec::new();
                match encoding {
                    Encoding::Zstd => read = zstd::stream::decode_all(&*bytes).unwrap(),
                    Encoding::Gzip => _ = flate2::read::GzDecoder::new(&*bytes).read_to_end(&mut read).unwrap(),
                    Encoding::Plain => read = bytes,
                }
                assert!(
                    read == text && encoding == if length < 512 { Encoding::Plain } else { asked },
                    "{asked:?} {length}"
                );
            }
        }
    }
}
