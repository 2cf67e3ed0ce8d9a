//! Names and attributes of the cookies of sessions, known devices and sign-ins in progress.
use axum::http::{HeaderMap, HeaderValue, header};
use chrono::TimeDelta;
use cookie::{Cookie, SameSite};

use super::{DEVICE, Id, Token, TokenHash, id_hash};
use crate::config::Config;

/// How long a sign-in through a provider may take.
const FLOW: TimeDelta = TimeDelta::minutes(10);

/// Names and attributes of the cookies, which depend on whether the public address is https, and on its path.
#[derive(Debug, Clone, Default)]
pub struct Cookies {
    https: bool,
    /// The path that the server is below; empty for none.
    base: String,
}

impl Cookies {
    /// The cookies of a server with these settings.
    pub fn of(config: &Config) -> Self {
        Self { https: config.is_https(), base: config.base_path().to_owned() }
    }

    /// Whether browsers send the cookies only over https.
    pub fn are_secure(&self) -> bool {
        self.https
    }

    /// The path below which browsers send the cookies. One without a slash at the end is that of the address itself, too.
    pub fn path(&self) -> &str {
        if self.base.is_empty() { "/" } else { &self.base }
    }

    /// A name with the prefix for which browsers demand https, and with `__Host-` also that no path narrows the cookie.
    fn guarded(&self, name: &str) -> String {
        let prefix = match (self.https, self.base.is_empty()) {
            (false, _) => "",
            (true, true) => "__Host-",
            (true, false) => "__Secure-",
        };
        format!("{prefix}{name}")
    }

    /// The name of the session cookie.
    pub fn session_name(&self) -> String {
        self.guarded("shelfwise_session")
    }

    fn device_name(&self) -> String {
        self.guarded("shelfwise_device")
    }

    /// The id of the session that a request shows.
    pub fn session_id(&self, headers: &HeaderMap) -> Option<Id> {
        text(headers, &self.session_name())?.parse().ok()
    }

    /// What the database knows of the session that a request shows, if it shows one: the hash of an id, or of a token of 256 bits,
    /// as sessions had before they had ids (none of these is valid for more than 90 days).
    pub fn session(&self, headers: &HeaderMap) -> Option<TokenHash> {
        let token = || text(headers, &self.session_name()).and_then(Token::parse);
        self.session_id(headers).map(id_hash).or_else(|| token().map(|token| token.hash()))
    }

    /// The device token that a request carries.
    pub fn device(&self, headers: &HeaderMap) -> Option<Token> {
        text(headers, &self.device_name()).and_then(Token::parse)
    }

    /// Sets the cookie of a known device.
    pub fn set_device(&self, token: &Token) -> HeaderValue {
        self.header(self.device_name(), token.text(), DEVICE)
    }

    /// Removes the session cookie.
    pub fn clear_session(&self) -> HeaderValue {
        self.header(self.session_name(), String::new(), TimeDelta::zero())
    }

    /// The sealed text of a sign-in under way; `posted` is of one whose answer another site posts.
    pub fn flow(&self, headers: &HeaderMap, posted: bool) -> Option<String> {
        text(headers, &self.flow_name(posted)).map(str::to_owned)
    }

    /// Sets the cookie of a sign-in under way, for ten minutes. What another site posts brings along only a cookie that says
    /// `SameSite=None`, which must be `Secure` and so needs https, or this machine.
    pub fn set_flow(&self, sealed: &str, posted: bool) -> HeaderValue {
        self.flow_header(sealed.to_owned(), FLOW, posted)
    }

    /// Removes the cookie of a sign-in.
    pub fn clear_flow(&self, posted: bool) -> HeaderValue {
        self.flow_header(String::new(), TimeDelta::zero(), posted)
    }

    fn flow_name(&self, posted: bool) -> String {
        self.guarded(if posted { "shelfwise_oauth_form" } else { "shelfwise_oauth" })
    }

    fn flow_header(&self, value: String, age: TimeDelta, posted: bool) -> HeaderValue {
        let mut cookie = self.cookie(self.flow_name(posted), value, age);
        if posted {
            cookie.set_same_site(SameSite::None);
            cookie.set_secure(true);
        }
        written(&cookie)
    }

    fn header(&self, name: String, value: String, age: TimeDelta) -> HeaderValue {
        written(&self.cookie(name, value, age))
    }

    fn cookie(&self, name: String, value: String, age: TimeDelta) -> Cookie<'static> {
        Cookie::build((name, value))
            .path(self.path().to_owned())
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.https)
            .max_age(cookie::time::Duration::seconds(age.num_seconds()))
            .build()
    }
}

fn written(cookie: &Cookie<'_>) -> HeaderValue {
    HeaderValue::try_from(cookie.to_string()).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// The value of the first cookie with a name.
fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut named = pairs(headers).filter_map(|pair| pair.split_once('='));
    named.find(|(found, _)| found.trim() == name).map(|(_, value)| value.trim())
}

/// The cookies of a request, each as `name=value`. Requests carry no attributes (RFC 6265, section 5.4), so there is nothing else to
/// parse.
fn pairs(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let values = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(';')).map(str::trim)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn shown(cookies: &Cookies, pair: &str) -> Option<TokenHash> {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, format!("a=b; {pair}").parse().unwrap());
        cookies.session(&headers)
    }

    #[test]
    fn over_https_cookies_are_bound_to_the_host() {
        for (https, start) in [(false, "shelfwise_session=;"), (true, "__Host-shelfwise_session=;")] {
            let cookies = Cookies { https, ..Cookies::default() };
            let cleared = cookies.clear_session();
            let text = cleared.to_str().unwrap();
            assert!(
                text.starts_with(start)
                    && text.contains("HttpOnly")
                    && text.contains("SameSite=Lax")
                    && text.contains("Path=/")
            );
            assert_eq!(text.contains("Secure"), https);
        }
    }

    #[test]
    fn a_session_from_before_the_ids_is_still_known_by_its_token() {
        let (cookies, token, id) = (Cookies::default(), Token::new().unwrap(), Id::default());
        assert_eq!(shown(&cookies, &format!("shelfwise_session={}", token.text())), Some(token.hash()));
        assert_eq!(shown(&cookies, &format!("shelfwise_session={id}")), Some(id_hash(id)));
    }

    #[test]
    fn only_the_plain_name_is_the_cookie_that_browsers_guard() {
        let cookies = Cookies { https: true, ..Cookies::default() };
        for name in ["%5F%5FHost-shelfwise_session", "__Host%2Dshelfwise_session", "shelfwise_session"] {
            assert_eq!(shown(&cookies, &format!("{name}={}", Id::default())), None, "{name}");
        }
    }

    proptest! {
        #[test]
        fn a_token_is_read_only_from_its_own_text(odd in "[A-Za-z0-9_=;\" -]{0,20}", secret: [u8; 32], at in 0..44_usize) {
            let cookies = Cookies::default();
            let token = super::super::RandomToken(secret);
            let mut text = token.text();
            text.insert_str(at.min(text.len()), &odd);
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, format!("shelfwise_device={text}").parse().unwrap());
            let read = cookies.device(&headers);
            prop_assert!(read.is_none_or(|read| text.split(';').next().is_some_and(|text| text.trim() == read.text())));
        }
    }
}
