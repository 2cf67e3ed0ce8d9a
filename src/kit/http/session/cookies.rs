//! Names and attributes of the cookies of sessions, known devices and sign-ins in progress.
use axum::http::{HeaderMap, HeaderValue, header};
use chrono::TimeDelta;
use cookie::{Cookie, SameSite};

use super::{DEVICE, Id, LONGEST, Token, TokenHash, id_hash};
use crate::config::Config;

/// How long a sign-in through a provider may take.
const FLOW: TimeDelta = TimeDelta::minutes(10);

/// Names and attributes of the cookies, which depend on whether the public address is https.
#[derive(Debug, Clone, Copy)]
pub struct Cookies {
    https: bool,
}

impl Cookies {
    /// The cookies of a server with these settings.
    pub fn of(config: &Config) -> Self {
        Self { https: config.is_https() }
    }

    /// Whether browsers send the cookies only over https.
    pub fn are_secure(self) -> bool {
        self.https
    }

    /// The name of the session cookie.
    pub fn session_name(self) -> &'static str {
        if self.https { "__Host-shelfwise_session" } else { "shelfwise_session" }
    }

    fn device_name(self) -> &'static str {
        if self.https { "__Host-shelfwise_device" } else { "shelfwise_device" }
    }

    /// What the database knows of the session that a request shows, if it shows one: the hash of an id, or of a token of 256 bits,
    /// as sessions had before they had ids (none of these is valid for more than 90 days).
    pub fn session(self, headers: &HeaderMap) -> Option<TokenHash> {
        let text = text(headers, self.session_name())?;
        text.parse().map(id_hash).ok().or_else(|| Token::parse(text).map(|token| token.hash()))
    }

    /// Replaces the session cookie of a request, or removes it. The other cookies stay.
    pub fn replace_session(self, headers: &mut HeaderMap, session: Option<Id>) {
        let name = self.session_name();
        let others = pairs(headers).filter(|pair| pair.split_once('=').is_none_or(|(found, _)| found.trim() != name));
        let mut pairs: Vec<String> = others.filter(|pair| !pair.is_empty()).map(str::to_owned).collect();
        pairs.extend(session.map(|id| format!("{name}={id}")));
        match HeaderValue::try_from(pairs.join("; ")) {
            Ok(value) if !pairs.is_empty() => drop(headers.insert(header::COOKIE, value)),
            _ => drop(headers.remove(header::COOKIE)),
        }
    }

    /// The device token that a request carries.
    pub fn device(self, headers: &HeaderMap) -> Option<Token> {
        text(headers, self.device_name()).and_then(Token::parse)
    }

    /// Sets the session cookie.
    pub fn set_session(self, id: Id) -> HeaderValue {
        self.header(self.session_name(), id.to_string(), LONGEST)
    }

    /// Sets the cookie of a known device.
    pub fn set_device(self, token: &Token) -> HeaderValue {
        self.header(self.device_name(), token.text(), DEVICE)
    }

    /// Removes the session cookie.
    pub fn clear_session(self) -> HeaderValue {
        self.header(self.session_name(), String::new(), TimeDelta::zero())
    }

    /// The sealed text of a sign-in under way; `posted` is of one whose answer another site posts.
    pub fn flow(self, headers: &HeaderMap, posted: bool) -> Option<String> {
        text(headers, self.flow_name(posted)).map(str::to_owned)
    }

    /// Sets the cookie of a sign-in under way, for ten minutes. What another site posts brings along only a cookie that says
    /// `SameSite=None`, which must be `Secure` and so needs https, or this machine.
    pub fn set_flow(self, sealed: &str, posted: bool) -> HeaderValue {
        self.flow_header(sealed.to_owned(), FLOW, posted)
    }

    /// Removes the cookie of a sign-in.
    pub fn clear_flow(self, posted: bool) -> HeaderValue {
        self.flow_header(String::new(), TimeDelta::zero(), posted)
    }

    fn flow_name(self, posted: bool) -> &'static str {
        match (self.https, posted) {
            (true, false) => "__Host-shelfwise_oauth",
            (false, false) => "shelfwise_oauth",
            (true, true) => "__Host-shelfwise_oauth_form",
            (false, true) => "shelfwise_oauth_form",
        }
    }

    fn flow_header(self, value: String, age: TimeDelta, posted: bool) -> HeaderValue {
        let mut cookie = self.cookie(self.flow_name(posted), value, age);
        if posted {
            cookie.set_same_site(SameSite::None);
            cookie.set_secure(true);
        }
        written(&cookie)
    }

    fn header(self, name: &'static str, value: String, age: TimeDelta) -> HeaderValue {
        written(&self.cookie(name, value, age))
    }

    fn cookie(self, name: &'static str, value: String, age: TimeDelta) -> Cookie<'static> {
        Cookie::build((name, value))
            .path("/")
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

    fn read_back(cookies: Cookies, set: &HeaderValue) -> Option<TokenHash> {
        let mut headers = HeaderMap::new();
        let pair = format!("a=b; {}", set.to_str().unwrap().split(';').next().unwrap());
        headers.insert(header::COOKIE, pair.parse().unwrap());
        cookies.session(&headers)
    }

    #[test]
    fn a_cookie_is_read_back_and_over_https_it_is_bound_to_the_host() {
        let id = Id::default();
        for (https, start) in [(false, "shelfwise_session="), (true, "__Host-shelfwise_session=")] {
            let cookies = Cookies { https };
            let set = cookies.set_session(id);
            let text = set.to_str().unwrap();
            assert!(
                text.starts_with(start)
                    && text.contains("HttpOnly")
                    && text.contains("SameSite=Lax")
                    && text.contains("Path=/")
            );
            assert_eq!(text.contains("Secure"), https);
            assert_eq!(read_back(cookies, &set), Some(id_hash(id)));
        }
    }

    #[test]
    fn a_replaced_session_leaves_the_other_cookies_as_they_are() {
        let (cookies, id) = (Cookies { https: false }, Id::default());
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, "a=b; shelfwise_session=x".parse().unwrap());
        headers.append(header::COOKIE, "shelfwise_session=y; shelfwise_device=d=d".parse().unwrap());
        cookies.replace_session(&mut headers, Some(id));
        let text = |headers: &HeaderMap| headers.get(header::COOKIE).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(text(&headers), Some(format!("a=b; shelfwise_device=d=d; shelfwise_session={id}")));
        assert_eq!(cookies.session(&headers), Some(id_hash(id)));
        cookies.replace_session(&mut headers, None);
        assert_eq!(text(&headers).as_deref(), Some("a=b; shelfwise_device=d=d"));
        let mut alone = HeaderMap::new();
        alone.append(header::COOKIE, "shelfwise_session=x".parse().unwrap());
        cookies.replace_session(&mut alone, None);
        assert!(alone.is_empty());
    }

    #[test]
    fn a_session_from_before_the_ids_is_still_known_by_its_token() {
        let (cookies, token) = (Cookies { https: false }, Token::new().unwrap());
        let set = cookies.header(cookies.session_name(), token.text(), LONGEST);
        assert_eq!(read_back(cookies, &set), Some(token.hash()));
    }

    #[test]
    fn only_the_plain_name_is_the_cookie_that_browsers_guard() {
        let cookies = Cookies { https: true };
        for name in ["%5F%5FHost-shelfwise_session", "__Host%2Dshelfwise_session", "shelfwise_session"] {
            let set = HeaderValue::try_from(format!("{name}={}", Id::default())).unwrap();
            assert_eq!(read_back(cookies, &set), None, "{name}");
        }
    }

    proptest! {
        #[test]
        fn a_token_is_read_only_from_its_own_text(odd in "[A-Za-z0-9_=;\" -]{0,20}", secret: [u8; 32], at in 0..44_usize) {
            let cookies = Cookies { https: false };
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
