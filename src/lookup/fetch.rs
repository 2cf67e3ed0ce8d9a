//! Requests to catalogues: limited in time, size and addresses.
use chrono::DateTime;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, DATE, HeaderName, LOCATION, RETRY_AFTER};
use reqwest::{Client, Response};
use url::Url;

use super::sources::SourceRequest;
use crate::kit::net::http_client::{LIMIT, outside_client};

/// The longest body of an error that is read, in bytes.
const LONGEST_ERROR: usize = 16 * 1024;
/// The most redirects of one call.
const MOST_REDIRECTS: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchError {
    /// The catalogue accepts no more requests for as many seconds, if it says how many.
    Limited(Option<u32>),
    /// No whole answer within [`LIMIT`].
    Timeout,
    /// There is nothing at the address.
    NotFound,
    /// The answer has more bytes than allowed.
    TooLarge,
    /// The catalogue can't be reached, answered with an error or led elsewhere.
    Failed(&'static str),
}

/// The addresses that a call may go to: the configured one, and the catalogue's own hosts by https.
#[derive(Debug, Clone, Copy)]
pub struct AllowedHosts<'a> {
    pub configured: &'a str,
    /// The catalogue's hosts. A star stands for any name below.
    pub hosts: &'static [&'static str],
}

impl AllowedHosts<'_> {
    /// Whether an address may be called.
    fn permits(&self, url: &Url) -> bool {
        if Url::parse(self.configured).is_ok_and(|configured| configured.origin() == url.origin()) {
            return true;
        }
        let is_plain = url.username().is_empty() && url.password().is_none() && url.port().is_none();
        url.scheme() == "https" && is_plain && url.host_str().is_some_and(|host| is_one_of(self.hosts, host))
    }
}

/// Whether a host is in a list in which a star stands for any name below.
pub fn is_one_of(hosts: &[&str], host: &str) -> bool {
    hosts.iter().any(|known| match known.strip_prefix('*') {
        Some(below) => host.len() > below.len() && host.ends_with(below),
        None => *known == host,
    })
}

/// The HTTP client for catalogues. Clones share its connections.
#[derive(Clone)]
pub struct CatalogueClient(Client);

impl CatalogueClient {
    /// A client with this `User-Agent`. A name for which `is_outside` is true must lead to a public address.
    pub fn new(user_agent: &str, is_outside: fn(&str) -> bool) -> anyhow::Result<Self> {
        Ok(Self(outside_client(user_agent, is_outside)?))
    }

    /// The body of an answer of at most so many bytes.
    ///
    /// # Errors
    /// [`FetchError`], within [`LIMIT`].
    pub async fn fetch(
        &self,
        request: &SourceRequest,
        allowed: AllowedHosts<'_>,
        longest: usize,
    ) -> Result<Vec<u8>, FetchError> {
        tokio::time::timeout(LIMIT, self.follow(request, allowed, longest)).await.unwrap_or(Err(FetchError::Timeout))
    }

    async fn follow(
        &self,
        request: &SourceRequest,
        allowed: AllowedHosts<'_>,
        longest: usize,
    ) -> Result<Vec<u8>, FetchError> {
        let mut url = request.url.clone();
        for _ in 0..=MOST_REDIRECTS {
            if !allowed.permits(&url) {
                return Err(FetchError::Failed("it leads to an address that is not its own"));
            }
            let sent = match &request.body {
                Some(body) => self.0.post(url.clone()).header(CONTENT_TYPE, "application/json").body(body.clone()),
                None => self.0.get(url.clone()),
            };
            let sent = match &request.bearer {
                Some(key) if url.origin() == request.url.origin() => sent.bearer_auth(key),
                _ => sent,
            };
            let answer = sent.header(ACCEPT_ENCODING, "identity").send().await.map_err(|cause| silent(&cause))?;
            match answer.status().as_u16() {
                200 => return whole(answer, longest).await,
                301 | 302 | 303 | 307 | 308 => {
                    let place = answer.headers().get(LOCATION).and_then(|place| place.to_str().ok());
                    let place = place.and_then(|place| url.join(place).ok());
                    url = place.ok_or(FetchError::Failed("it redirects to no address"))?;
                }
                // Google says so with 400 and 403.
                400 | 403 => {
                    let body = whole(answer, LONGEST_ERROR).await.unwrap_or_default();
                    let is_quota = String::from_utf8_lossy(&body).to_lowercase().contains("quota");
                    return Err(if is_quota {
                        FetchError::Limited(None)
                    } else {
                        FetchError::Failed("it refused the query")
                    });
                }
                404 | 410 => return Err(FetchError::NotFound),
                429 => return Err(FetchError::Limited(retry_after_of(&answer))),
                503 if answer.headers().contains_key(RETRY_AFTER) => {
                    return Err(FetchError::Limited(retry_after_of(&answer)));
                }
                _ => return Err(FetchError::Failed("it answered with an error")),
            }
        }
        Err(FetchError::Failed("it redirects too often"))
    }
}

fn retry_after_of(answer: &Response) -> Option<u32> {
    let text = |name: HeaderName| answer.headers().get(name)?.to_str().ok();
    retry_after(text(RETRY_AFTER)?, text(DATE))
}

/// The seconds after which the catalogue may be asked again. It names them, or a date, which counts from the date of its answer: the
/// clocks of the catalogue and of this server may differ.
fn retry_after(wait: &str, answered: Option<&str>) -> Option<u32> {
    let wait = wait.trim();
    if !wait.is_empty() && wait.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(wait.parse().unwrap_or(u32::MAX));
    }
    let date = |text: &str| DateTime::parse_from_rfc2822(text.trim()).ok();
    u32::try_from((date(wait)? - date(answered?)?).num_seconds()).ok()
}

async fn whole(mut answer: Response, longest: usize) -> Result<Vec<u8>, FetchError> {
    // It was asked for plain bytes, and compressed ones may unfold to anything.
    if answer.headers().get(CONTENT_ENCODING).is_some_and(|coding| coding != "identity") {
        return Err(FetchError::Failed("its answer is compressed"));
    }
    let mut body = Vec::new();
    while let Some(chunk) = answer.chunk().await.map_err(|cause| silent(&cause))? {
        if body.len() + chunk.len() > longest {
            return Err(FetchError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

fn silent(cause: &reqwest::Error) -> FetchError {
    if cause.is_timeout() { FetchError::Timeout } else { FetchError::Failed("it can't be reached") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_catalogue_names_seconds_or_a_date() {
        let answered = "Tue, 24 Nov 2026 09:00:00 GMT";
        for (wait, expected) in [
            ("120", Some(120)),
            (" 5 ", Some(5)),
            ("99999999999", Some(u32::MAX)),
            ("Tue, 24 Nov 2026 09:10:00 GMT", Some(600)),
            ("Tue, 24 Nov 2026 08:59:00 GMT", None),
            ("soon", None),
            ("-1", None),
            ("", None),
        ] {
            assert_eq!(retry_after(wait, Some(answered)), expected, "{wait}");
        }
        assert_eq!(retry_after(answered, None), None);
    }

    #[test]
    fn only_the_configured_address_and_the_catalogues_own_hosts_are_called() {
        let allowed =
            AllowedHosts { configured: "http://127.0.0.1:81/api", hosts: &["archive.org", "*.us.archive.org"] };
        let permits = |url: &str| allowed.permits(&Url::parse(url).unwrap());
        for good in ["http://127.0.0.1:81/x", "https://archive.org/x", "https://ia800.us.archive.org/x"] {
            assert!(permits(good), "{good}");
        }
        for bad in [
            "http://127.0.0.1:82/x",
            "https://127.0.0.1:81/x",
            "http://archive.org/x",
            "https://archive.org:8443/x",
            "https://user@archive.org/x",
            "https://archive.org.example.org/x",
            "https://us.archive.org/x",
            "https://evilus.archive.org.example/x",
            "http://169.254.169.254/latest",
            "file:///etc/passwd",
        ] {
            assert!(!permits(bad), "{bad}");
        }
    }
}
