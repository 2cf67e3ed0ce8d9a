//! Which compression a caller takes, and the fast kind for answers that are made anew.
use std::cell::RefCell;
use std::io::{self, Write as _};

use axum::http::{HeaderMap, HeaderValue, header};
use zstd::bulk::Compressor;

/// Smaller answers are sent as they are.
pub const WORTHWHILE: u16 = 512;

/// How an answer's bytes are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Zstandard: every present browser, by https or on its own machine.
    Zstd,
    /// What everybody takes.
    Gzip,
    /// As they are.
    Plain,
}

impl Encoding {
    /// The fastest one that a caller takes.
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

    /// The bytes as they are sent, and how that is: small ones stay as they are.
    ///
    /// # Errors
    /// The encoder's, which none writes to memory.
    pub fn encode(self, bytes: Vec<u8>) -> io::Result<(Self, Vec<u8>)> {
        match self {
            Self::Zstd if bytes.len() >= usize::from(WORTHWHILE) => Ok((self, zstd(&bytes)?)),
            Self::Gzip if bytes.len() >= usize::from(WORTHWHILE) => {
                let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                gzip.write_all(&bytes)?;
                Ok((self, gzip.finish()?))
            }
            _ => Ok((Self::Plain, bytes)),
        }
    }
}

/// Compresses with what this thread used the last time: its tables are some hundred kilobytes.
fn zstd(bytes: &[u8]) -> io::Result<Vec<u8>> {
    thread_local! {
        static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    }
    COMPRESSOR.with_borrow_mut(|kept| {
        let compressor = match kept {
            Some(compressor) => compressor,
            None => kept.insert(Compressor::new(1)?),
        };
        let mut packed = compressor.compress(bytes)?;
        // It reserved as much as the worst case takes.
        packed.shrink_to_fit();
        Ok(packed)
    })
}

/// Whether `Accept-Encoding` names an encoding without a weight of zero.
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
}
