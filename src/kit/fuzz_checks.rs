//! Properties that must hold for any input bytes: for the fuzzer (`fuzz/`) and for the tests. Not part of the program.
//!
//! Each module that reads untrusted input has a module like this one. A function takes any bytes and panics when a property is
//! violated. This one covers cookies, queries and client addresses.
use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::config::Config;
use crate::kit::http::csrf::is_from_here;
use crate::kit::http::extract::{Query, client_ip, forwarded_address};
use crate::kit::http::session::{Cookies, Id, Token, bearer, id_hash};

/// Up to this many lines of the input become headers.
const LINES: usize = 16;

/// Cookies and bearer tokens, one header per line. A token that is read has exactly the text that was written, and a secret has
/// no blanks around it.
pub fn cookies(data: &[u8]) {
    let headers = headers(data, &[header::COOKIE, header::AUTHORIZATION]);
    let cookies = Cookies::of(&Config::default());
    if let Some(token) = cookies.device(&headers) {
        assert!(Token::parse(&token.text()) == Some(token.clone()), "a token is its text");
        let again = sent_back(&cookies.set_device(&token));
        assert!(cookies.device(&again) == Some(token), "what is set is read back");
    }
    if let Some(hash) = cookies.session(&headers) {
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let words = lines.flat_map(|line| line.split([';', '='])).map(str::trim);
        let written = |word: &str| match word.parse::<Id>() {
            Ok(id) => id_hash(id) == hash && id.to_string() == word && is_read_back(cookies, id),
            Err(_) => Token::parse(word).is_some_and(|token| token.hash() == hash && token.text() == word),
        };
        assert!(words.into_iter().any(written), "a session's id is its text");
    }
    for posted in [true, false] {
        if let Some(sealed) = cookies.flow(&headers, posted) {
            assert!(!sealed.contains(';'), "a cookie ends where the next begins: {sealed:?}");
        }
    }
    if let Some(secret) = bearer(&headers) {
        assert_eq!(secret, secret.trim());
    }
}

/// The request headers of a browser that received a cookie.
fn sent_back(set: &HeaderValue) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let pair = set.as_bytes().split(|byte| *byte == b';').next().unwrap_or_default();
    headers.extend(HeaderValue::from_bytes(pair).map(|pair| (header::COOKIE, pair)));
    headers
}

/// Whether a session's cookie is read back as it was set.
fn is_read_back(cookies: Cookies, id: Id) -> bool {
    cookies.session(&sent_back(&cookies.set_session(id))) == Some(id_hash(id))
}

/// Client addresses and origins, one header per line. Only a trusted proxy may name the client's address, and that address is in
/// its header; a foreign origin is never accepted as our own.
pub fn addresses(data: &[u8]) {
    let forwarded = HeaderName::from_static("x-forwarded-for");
    let site = HeaderName::from_static("sec-fetch-site");
    let headers = headers(data, &[forwarded.clone(), header::ORIGIN, header::HOST, site.clone()]);
    let peer = IpAddr::from([192, 0, 2, 1]);
    assert_eq!(client_ip(peer, &headers, |_| false), peer);
    let said: Vec<IpAddr> = headers
        .get_all(&forwarded)
        .iter()
        .flat_map(|value| value.as_bytes().split(|byte| *byte == b','))
        .filter_map(|part| str::from_utf8(part).ok().and_then(forwarded_address))
        .map(|ip| ip.to_canonical())
        .collect();
    for client in [client_ip(peer, &headers, |ip| ip == peer), client_ip(peer, &headers, |_| true)] {
        assert!(client == peer || said.contains(&client), "{client} is in no header");
    }
    let client = client_ip(peer, &headers, |ip| ip == peer);
    let nearest = said.iter().rev().find(|ip| **ip != peer);
    assert!(client == peer || Some(&client) == nearest, "only the hop before the proxy is known");
    let own = "https://books.example.org";
    if is_from_here(&headers, Some(own)) {
        let says =
            |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?").to_ascii_lowercase());
        let fetched = says(&site).is_none_or(|site| matches!(site.as_str(), "same-origin" | "none"));
        let by_host = |origin: &str| {
            let host = says(&header::HOST).filter(|_| says(&site).is_some());
            host.is_some_and(|host| [format!("http://{host}"), format!("https://{host}")].contains(&origin.to_owned()))
        };
        let origin = says(&header::ORIGIN).is_none_or(|origin| origin == own || by_host(&origin));
        assert!(fetched && origin, "{headers:?}");
    }
}

/// Query strings: everything that is read can be written, and reads the same again.
pub fn query(data: &[u8]) -> Query {
    let query = Query::parse(&String::from_utf8_lossy(data));
    let written = form_urlencoded::Serializer::new(String::new()).extend_pairs(&query.0).finish();
    assert_eq!(Query::parse(&written), query);
    for (key, _) in &query.0 {
        assert_eq!(query.get(key), query.all(key).last(), "the last value of a key counts");
    }
    query
}

/// One header per line; the first byte chooses its name. Lines that are not valid headers are skipped.
fn headers(data: &[u8], names: &[HeaderName]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for line in data.split(|byte| *byte == b'\n').take(LINES) {
        let Some((which, value)) = line.split_first() else { continue };
        if let (Some(name), Ok(value)) = (names.get(usize::from(*which) % names.len()), HeaderValue::from_bytes(value))
        {
            headers.append(name, value);
        }
    }
    headers
}

/// Checks every file of a folder of the repository and `forms` broken variants of each: bytes flipped, removed and doubled, the
/// same ones in every run.
#[cfg(test)]
pub fn broken(folder: &str, forms: usize, check: impl Fn(&[u8])) {
    let seeds = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut files: Vec<_> = std::fs::read_dir(&seeds).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty(), "{folder} is empty");
    let mut random = fastrand::Rng::with_seed(7);
    for file in files {
        let whole = std::fs::read(file).unwrap();
        checked(&whole, &check);
        for _ in 0..forms {
            // Long files differ little at their ends, and short ones break faster.
            let from = random.usize(..=whole.len().saturating_sub(2_000));
            let mut bytes = [&whole[..from.min(300)], &whole[from..whole.len().min(from + 2_000)]].concat();
            for _ in 0..random.usize(1..8) {
                mangle(&mut bytes, &mut random);
            }
            checked(&bytes, &check);
        }
    }
}

/// Runs a check, and shows its input if it fails.
#[cfg(test)]
fn checked(bytes: &[u8], check: &impl Fn(&[u8])) {
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(bytes)));
    assert!(outcome.is_ok(), "the input was: b\"{}\"", bytes.escape_ascii());
}

#[cfg(test)]
fn mangle(bytes: &mut Vec<u8>, random: &mut fastrand::Rng) {
    const TELLING: &[u8] = b"\0\n\r\t\"',;=%&.:/\\@+-#<>\xff\xc3\x28\xef\xbb\xbf0";
    let place = random.usize(..=bytes.len());
    let length = random.usize(..20).min(bytes.len() - place);
    match random.u8(..5) {
        0 => bytes.insert(place, random.u8(..)),
        1 => bytes.insert(place, TELLING[random.usize(..TELLING.len())]),
        2 => drop(bytes.drain(place..place + length)),
        3 => {
            let piece = bytes[place..place + length].to_vec();
            let to = random.usize(..=bytes.len());
            bytes.splice(to..to, piece);
        }
        _ => {
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= 1 << random.u8(..8);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cookie_and_no_secret_is_read_as_another() {
        broken("fuzz/seeds/cookies", 2_000, cookies);
    }

    #[test]
    fn nobody_but_a_trusted_proxy_says_where_a_request_comes_from() {
        broken("fuzz/seeds/addresses", 2_000, addresses);
    }

    #[test]
    fn a_query_is_read_as_it_was_written() {
        broken("fuzz/seeds/filters", 2_000, |data| drop(query(data)));
    }
}
