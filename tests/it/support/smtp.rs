//! An independent mail server (aiosmtpd), to check what it makes of our e-mails.
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// The user that the mail server knows.
pub const USER: &str = "shelfwise@mail.test";
/// That user's password, with characters that an address must encode.
pub const PASSWORD: &str = "p/ss word@mail%";

/// A running mail server; it ends when it is dropped.
pub struct MailServer {
    child: Child,
    port: u16,
    /// What its address begins and ends with.
    scheme: (&'static str, &'static str),
    said: UnboundedReceiver<Value>,
    certificate: Option<tempfile::TempDir>,
}

/// An e-mail as it arrived.
#[derive(Debug, Deserialize)]
pub struct Arrived {
    pub sender: String,
    pub recipients: Vec<String>,
    pub headers: std::collections::BTreeMap<String, String>,
    pub text: String,
    pub html: String,
    pub private: bool,
    pub user: Option<String>,
}

impl Arrived {
    /// The one address that it went to.
    #[track_caller]
    pub fn to(&self) -> &str {
        assert_eq!(self.recipients.len(), 1);
        &self.recipients[0]
    }

    /// The first address in the text that begins so.
    #[track_caller]
    pub fn link(&self, start: &str) -> &str {
        let found = self.text.split_whitespace().find(|word| word.starts_with(start));
        found.unwrap_or_else(|| panic!("no link to {start} in {}", self.text))
    }
}

/// How the server takes connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tls {
    None,
    Starttls,
    Wrapped,
}

impl MailServer {
    /// A server that asks for a password, on a connection of that kind. `None`, with a message, when it is not available.
    pub fn start(tls: Tls) -> Option<Self> {
        Self::busy(tls, 0)
    }

    /// As [`MailServer::start`], which defers this many e-mails first.
    pub fn busy(tls: Tls, messages: u32) -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let python = root.join("target/smtp/bin/python");
        if !root.join("target/smtp/requirements.txt").exists() {
            crate::support::tools::skip("smtp-server", "mail");
            return None;
        }
        let mut command = Command::new(python);
        command.arg(root.join("tests/smtp/server.py")).args(["--user", USER, "--password", PASSWORD]);
        let (mode, scheme, certificate) = match tls {
            Tls::None => ("none", ("smtp", ""), None),
            Tls::Starttls => ("starttls", ("smtp", "?tls=required"), Some(certificate())),
            Tls::Wrapped => ("wrapped", ("smtps", ""), Some(certificate())),
        };
        command.args(["--tls", mode, "--busy", &messages.to_string()]);
        if let Some(folder) = &certificate {
            command.arg("--cert").arg(folder.path().join("cert.pem")).arg("--key").arg(folder.path().join("key.pem"));
        }
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        let (say, said) = unbounded_channel();
        std::thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let _ = say.send(serde_json::from_str(&line).unwrap());
            }
        });
        let port = u16::try_from(ready["port"].as_u64().unwrap()).unwrap();
        Some(Self { child, port, scheme, said, certificate })
    }

    /// The address that configures it.
    pub fn url(&self) -> String {
        let (scheme, query) = self.scheme;
        format!("{scheme}://shelfwise%40mail.test:p%2Fss%20word%40mail%25@127.0.0.1:{}{query}", self.port)
    }

    /// Its certificate, which no authority has signed.
    pub fn certificate(&self) -> PathBuf {
        self.certificate.as_ref().unwrap().path().join("cert.pem")
    }

    /// The next e-mail that arrives.
    pub async fn next(&mut self) -> Arrived {
        loop {
            let said = self.said().await;
            if said != json!({"busy": true}) {
                return serde_json::from_value(said).unwrap();
            }
        }
    }

    /// Waits until it has deferred an e-mail.
    pub async fn put_off(&mut self) {
        assert_eq!(self.said().await, json!({"busy": true}));
    }

    /// Whether an e-mail has arrived that the test has not read.
    pub fn has_more(&mut self) -> bool {
        self.said.try_recv().is_ok()
    }

    async fn said(&mut self) -> Value {
        let said = tokio::time::timeout(Duration::from_secs(30), self.said.recv()).await;
        said.unwrap_or_else(|_| panic!("no e-mail within half a minute")).unwrap()
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A certificate of 127.0.0.1 and localhost that is its own authority, with its key.
fn certificate() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let made = rcgen::generate_simple_self_signed(vec!["127.0.0.1".to_owned(), "localhost".to_owned()]).unwrap();
    std::fs::write(folder.path().join("cert.pem"), made.cert.pem()).unwrap();
    std::fs::write(folder.path().join("key.pem"), made.signing_key.serialize_pem()).unwrap();
    folder
}
