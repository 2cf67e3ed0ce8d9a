//! Names and attributes of the cookies of sessions, known devices and sign-ins under way.
use axum::http::{HeaderMap, HeaderValue, header};
use chrono::TimeDelta;
use cookie::{Cookie, SameSite};

use super::{DEVICE, LONGEST, Token};
use crate::config::Config;

/// A sign-in through another provider may take this long.
const FLOW: TimeDelta = TimeDelta::minutes(10);

/// Names and attributes of the cookies, which depend on whether people come by https.
#[derive(Debug, Clone, Copy)]
pub struct Cookies {
    https: bool,
}

impl Cookies {
    /// The cookies of a server with these settings.
    pub fn of(config: &Config) -> Self {
        Self { https: config.is_https() }
    }

    fn name(self, device: bool) -> &'static str {
        match (self.https, device) {
            (true, false) => "__Host-shelfwise_session",
            (false, false) => "shelfwise_session",
            (true, true) => "__Host-shelfwise_device",
            (false, true) => "shelfwise_device",
        }
    }

    /// The session token that a request carries.
    pub fn session(self, headers: &HeaderMap) -> Option<Token> {
        read(headers, self.name(false))
    }

    /// The device token that a request carries.
    pub fn device(self, headers: &HeaderMap) -> Option<Token> {
        read(headers, self.name(true))
    }

    /// Sets the session cookie.
    pub fn set_session(self, token: &Token) -> HeaderValue {
        self.header(self.name(false), token.text(), LONGEST)
    }

    /// Sets the cookie of a known device.
    pub fn set_device(self, token: &Token) -> HeaderValue {
        self.header(self.name(true), token.text(), DEVICE)
    }

    /// Takes the session cookie away.
    pub fn clear_session(self) -> HeaderValue {
        self.header(self.name(false), String::new(), TimeDelta::zero())
    }

    /// The sealed text of a sign-in under way; `posted` is of one whose answer another site posts.
    pub fn flow(self, headers: &HeaderMap, posted: bool) -> Option<String> {
        text(headers, self.flow_name(posted))
    }

    /// Sets the cookie of a sign-in under way, for ten minutes. What another site posts brings along only a cookie that says
    /// `SameSite=None`, which must be `Secure` and so needs https, or this machine.
    pub fn set_flow(self, sealed: &str, posted: bool) -> HeaderValue {
        self.flow_header(sealed.to_owned(), FLOW, posted)
    }

    /// Takes the cookie of a sign-in away.
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

fn read(headers: &HeaderMap, name: &str) -> Option<Token> {
    text(headers, name).as_deref().and_then(Token::parse)
}

fn text(headers: &HeaderMap, name: &str) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| Cookie::split_parse(value).flatten())
        .find(|cookie| cookie.name() == name)
        .map(|cookie| cookie.value().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_is_read_back_and_over_https_it_is_bound_to_the_host() {
        let token = Token::new().unwrap();
        for (https, start) in [(false, "shelfwise_session="), (true, "__Host-shelfwise_session=")] {
            let cookies = Cookies { https };
            let set = cookies.set_session(&token).to_str().unwrap().to_owned();
            assert!(
                set.starts_with(start)
                    && set.contains("HttpOnly")
                    && set.contains("SameSite=Lax")
                    && set.contains("Path=/")
            );
            assert_eq!(set.contains("Secure"), https);
            let mut headers = HeaderMap::new();
            let pair = format!("a=b; {}", set.split(';').next().unwrap());
            headers.insert(header::COOKIE, pair.parse().unwrap());
            assert!(cookies.session(&headers) == Some(token.clone()));
        }
    }
}
