//! Reports the outcome of a job to a monitor that waits for such reports (Healthchecks and services like it).
use url::Url;

use super::http_client;
use crate::config::SecretUrl;

/// Reports an outcome: a GET of the address after a success, and of `/fail` below it after a failure. Takes ten seconds at most.
///
/// # Errors
/// A sentence that says why the monitor has not taken the report. It holds no address, which is a secret.
pub async fn ping(url: &SecretUrl, succeeded: bool) -> Result<(), String> {
    let url = if succeeded { url.url().clone() } else { failure_of(url.url()) };
    let asked = http_client::client().map_err(|cause| format!("{cause:#}"))?.get(url).send().await;
    match asked {
        Ok(answer) if answer.status().is_success() => Ok(()),
        Ok(answer) => Err(format!("the monitor answers with {}", answer.status().as_u16())),
        Err(cause) => {
            Err(format!("the monitor can't be reached: {}", anyhow::Error::new(cause.without_url()).root_cause()))
        }
    }
}

/// The address for a failure.
fn failure_of(url: &Url) -> Url {
    let mut url = url.clone();
    if let Ok(mut path) = url.path_segments_mut() {
        path.pop_if_empty().push("fail");
    }
    url
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_reported_below_the_address_and_keeps_the_query() {
        for (url, failure) in [
            ("https://hc-ping.com/8a9c", "https://hc-ping.com/8a9c/fail"),
            ("https://hc.test/ping/key/books/", "https://hc.test/ping/key/books/fail"),
            ("https://hc.test/ping/key/books?create=1", "https://hc.test/ping/key/books/fail?create=1"),
        ] {
            assert_eq!(failure_of(&Url::parse(url).unwrap()).as_str(), failure);
        }
    }
}
