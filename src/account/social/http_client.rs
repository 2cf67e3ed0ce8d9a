//! Calls to providers: limited in time, size and number, without following redirects, and only https outside of this machine.
use std::pin::Pin;

use http::header::{ACCEPT, AUTHORIZATION};
use http::{HeaderValue, Request, Response};
use oauth2::url::Url;
use oauth2::{AsyncHttpClient, HttpRequest, HttpResponse};
use reqwest::Client;
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;

use super::model::SignInFailure;
use crate::config::social::is_reachable;
use crate::kit::net::http_client::HttpClient;

/// The longest response, in bytes. Key sets of large tenants have some 30 kB.
const LONGEST: usize = 256 * 1024;
/// Simultaneous calls to all providers.
const AT_ONCE: usize = 32;

/// The client for calls to providers.
pub struct ProviderClient {
    http_client: HttpClient,
    permits: Semaphore,
}

impl Default for ProviderClient {
    fn default() -> Self {
        Self { http_client: HttpClient::default(), permits: Semaphore::new(AT_ONCE) }
    }
}

/// Lets the library send requests with this client.
impl<'c> AsyncHttpClient<'c> for ProviderClient {
    type Error = SignInFailure;
    type Future = Pin<Box<dyn Future<Output = Result<HttpResponse, SignInFailure>> + Send + 'c>>;

    fn call(&'c self, request: HttpRequest) -> Self::Future {
        Box::pin(self.send(request))
    }
}

impl ProviderClient {
    /// Sends a request and reads the whole response.
    ///
    /// # Errors
    /// [`SignInFailure::Unavailable`] when there is no answer or it is too long.
    pub async fn send(&self, request: HttpRequest) -> Result<HttpResponse, SignInFailure> {
        if !is_reachable(&request.uri().to_string()) {
            return Err(SignInFailure::Unavailable("the provider names an address without https"));
        }
        let _permit = self.permits.acquire().await.map_err(|_| SignInFailure::Unavailable("the server is stopping"))?;
        let silent = |_| SignInFailure::Unavailable("the provider did not answer");
        let request = reqwest::Request::try_from(request).map_err(silent)?;
        let mut answer = self.client()?.execute(request).await.map_err(silent)?;
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(silent)? {
            if body.len() + chunk.len() > LONGEST {
                return Err(SignInFailure::Unavailable("the provider's answer is too long"));
            }
            body.extend_from_slice(&chunk);
        }
        let mut whole = Response::new(body);
        *whole.status_mut() = answer.status();
        *whole.headers_mut() = std::mem::take(answer.headers_mut());
        Ok(whole)
    }

    /// Requests JSON, with an access token if one is needed.
    ///
    /// # Errors
    /// [`SignInFailure::Unavailable`] unless the response is a 200 with JSON of this type.
    pub async fn get<T: DeserializeOwned>(&self, address: &Url, token: Option<&str>) -> Result<T, SignInFailure> {
        let unusable = |_| SignInFailure::Unavailable("the provider's address can't be used");
        let mut request = Request::get(address.as_str()).body(Vec::new()).map_err(unusable)?;
        request.headers_mut().insert(ACCEPT, HeaderValue::from_static("application/json"));
        if let Some(token) = token {
            let bearer = HeaderValue::try_from(format!("Bearer {token}"));
            let bearer = bearer.map_err(|_| SignInFailure::Unavailable("the access token can't be sent"))?;
            request.headers_mut().insert(AUTHORIZATION, bearer);
        }
        let answer = self.send(request).await?;
        if answer.status() != 200 {
            return Err(SignInFailure::Unavailable("the provider answered with an error"));
        }
        serde_json::from_slice(answer.body())
            .map_err(|_| SignInFailure::Unavailable("the provider's answer can't be read"))
    }

    fn client(&self) -> Result<Client, SignInFailure> {
        self.http_client.client().map_err(|cause| {
            tracing::error!(%cause, "setting up TLS failed");
            SignInFailure::Unavailable("setting up TLS failed")
        })
    }
}
