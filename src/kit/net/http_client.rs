//! The HTTP client for calls to the payment provider, identity providers, catalogues, media servers, monitors and this machine's own
//! server.
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use anyhow::Context as _;
use reqwest::header::HeaderMap;
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use rustls::{ClientConfig, RootCertStore};

use super::resolver::{HttpResolver, OutsideResolver};

/// The time limit of a whole call, connecting included.
pub const LIMIT: Duration = Duration::from_secs(10);
/// The time limit of connecting.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// A client that follows no redirects, stores no cookies, looks up names with [`super::resolver`] and gives up after [`LIMIT`].
/// It trusts the machine's certificates, or the bundled ones when the machine has none, as in a container with only this file.
pub fn client() -> anyhow::Result<Client> {
    Ok(builder()?.build()?)
}

/// A client like [`client`] that uses no proxy of the environment. With a socket, every call goes through that Unix socket,
/// whatever host its address has.
pub fn direct_client(socket: Option<&Path>) -> anyhow::Result<Client> {
    let builder = builder()?.no_proxy();
    let builder = match socket {
        Some(socket) => builder.unix_socket(socket),
        None => builder,
    };
    Ok(builder.build()?)
}

/// A client like [`client`] with a User-Agent of its own, for catalogues. Names for which `is_outside` is true must lead to public
/// addresses; other names, as that of a proxy, may lead anywhere.
pub fn outside_client(user_agent: &str, is_outside: fn(&str) -> bool) -> anyhow::Result<Client> {
    let builder = builder()?.dns_resolver(OutsideResolver(is_outside)).user_agent(user_agent).connect_timeout(LIMIT);
    // Compressed answers may unfold to any size; some builds would unfold them by themselves.
    Ok(builder.no_gzip().no_brotli().no_deflate().no_zstd().build()?)
}

/// A client like [`client`] for one server that the operator names: it trusts the certificates of a file, too, and sends headers with every
/// request.
pub fn server_client(ca: Option<&Path>, headers: HeaderMap) -> anyhow::Result<Client> {
    let mut roots = roots();
    if let Some(file) = ca {
        let shown = file.display();
        let certificates = CertificateDer::pem_file_iter(file).with_context(|| format!("{shown} can't be read"))?;
        for certificate in certificates {
            let certificate = certificate.with_context(|| format!("{shown} is no PEM file"))?;
            roots.add(certificate).with_context(|| format!("{shown} has a certificate of no authority"))?;
        }
    }
    let builder = builder_with(roots)?.default_headers(headers);
    Ok(builder.no_gzip().no_brotli().no_deflate().no_zstd().build()?)
}

fn builder() -> anyhow::Result<ClientBuilder> {
    builder_with(roots())
}

#[expect(clippy::disallowed_methods, reason = "the client gets the resolver here")]
fn builder_with(roots: RootCertStore) -> anyhow::Result<ClientBuilder> {
    Ok(Client::builder()
        .dns_resolver(HttpResolver)
        .tls_backend_preconfigured(tls(roots)?)
        .redirect(Policy::none())
        .referer(false)
        .connect_timeout(CONNECT_LIMIT)
        .timeout(LIMIT)
        // Each call opens a connection. The other side may close an idle one at the moment a call begins on it, and a POST
        // that failed this way can't be sent again, because nobody knows whether it arrived.
        .pool_max_idle_per_host(0)
        .user_agent(concat!("Shelfwise/", env!("CARGO_PKG_VERSION"))))
}

/// The client, created when it is first used: most servers call nobody.
#[derive(Debug, Clone, Default)]
pub struct HttpClient(Arc<OnceLock<Client>>);

impl HttpClient {
    /// Returns the client; clones share its connections.
    pub fn client(&self) -> anyhow::Result<Client> {
        if let Some(made) = self.0.get() {
            return Ok(made.clone());
        }
        let made = client()?;
        Ok(self.0.get_or_init(|| made).clone())
    }
}

/// The certificates of the machine, or the bundled ones.
fn roots() -> RootCertStore {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if roots.is_empty() {
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    roots
}

/// TLS with ring, named explicitly: rustls panics when it has to choose between two providers.
fn tls(roots: RootCertStore) -> anyhow::Result<ClientConfig> {
    let provider = rustls::crypto::ring::default_provider();
    Ok(ClientConfig::builder_with_provider(provider.into())
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[test]
    fn the_client_can_be_made() {
        assert!(client().is_ok());
        assert!(outside_client("Shelfwise/1 (+https://books.example.org)", |_| true).is_ok());
        assert!(direct_client(Some(Path::new("/run/shelfwise/http.sock"))).is_ok());
    }

    /// The server answers the first request of a connection, and closes the connection when the second one arrives.
    #[tokio::test]
    async fn a_call_does_not_depend_on_the_connection_of_an_earlier_one() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/token", listener.local_addr().unwrap());
        tokio::spawn(async move {
            while let Ok((mut connection, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let mut request = [0; 4096];
                    let _first = connection.read(&mut request).await.unwrap();
                    connection.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").await.unwrap();
                    let _second = connection.read(&mut request).await.unwrap();
                });
            }
        });
        let client = client().unwrap();
        for _ in 0..2 {
            assert_eq!(client.post(&url).send().await.unwrap().status(), 200);
        }
    }
}
