#![no_main]
//! The address that proxies forward, in the first line, and cookies in the others.
use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use shelfwise::config::Config;
use shelfwise::kit::http::extract::client_of;
use shelfwise::kit::http::session::Cookies;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let mut headers = HeaderMap::new();
    for (at, line) in data.split(|byte| *byte == b'\n').enumerate().take(16) {
        let name = if at == 0 { HeaderName::from_static("x-forwarded-for") } else { header::COOKIE };
        headers.extend(HeaderValue::from_bytes(line).map(|value| (name, value)));
    }
    let peer = IpAddr::from([192, 0, 2, 1]);
    assert_eq!(client_of(peer.into(), &headers, |_| false), Some(peer), "only a proxy names another address");
    let _ = client_of(peer.into(), &headers, |_| true);
    let cookies = Cookies::of(&Config::default());
    let _ = (cookies.session(&headers), cookies.flow(&headers, true), cookies.flow(&headers, false));
    if let Some(token) = cookies.device(&headers) {
        assert!(data.windows(43).any(|text| text == token.text().as_bytes()), "a token is its text");
    }
});
