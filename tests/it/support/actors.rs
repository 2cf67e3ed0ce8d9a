//! The people of the tests: a type for each kind, made by the program's own calls and commands.
//!
//! Each of them is a [`TestClient`], which has the verbs (`get`, `post`, `patch`, `delete`). A [`Visitor`] has nothing else: neither
//! an address nor an id. A [`Reader`] comes from a sign-up or a login; [`PlusReader`], [`TeamOwner`], [`TeamAdmin`], [`TeamMember`]
//! and [`Operator`] are readers with more rights, and a [`Script`] has an API token instead of a session.
use std::ops::Deref;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

/// The password of every test account whose test does not choose one.
pub const PASSWORD: &str = "a long enough passphrase";

/// A client with a cookie jar, which shows where it is sent instead of going there.
pub fn browser() -> Client {
    client().cookie_store(true).build().unwrap()
}

/// The same, whose every request goes through a Unix socket.
pub fn local_browser(socket: &Path) -> Client {
    client().cookie_store(true).unix_socket(socket).build().unwrap()
}

/// What every client of a test has in common.
fn client() -> ClientBuilder {
    // The program's own client brings its TLS; this one asks for what the process has.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().redirect(Policy::none())
}

/// What a call answered: status, headers, and the body as JSON (a string where it is not JSON).
#[derive(Debug)]
pub struct TestResponse {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Value,
    pub bytes: Vec<u8>,
}

impl TestResponse {
    /// The body, of an answer with that status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        self.body
    }

    /// The code of an error with that status.
    #[track_caller]
    pub fn code(&self, status: u16) -> &str {
        assert_eq!(self.status, status, "{}", self.body);
        self.body["code"].as_str().unwrap()
    }

    /// The names of the invalid fields of a 422.
    #[track_caller]
    pub fn fields(&self) -> Vec<&str> {
        assert_eq!(self.status, 422, "{}", self.body);
        self.body["fields"].as_object().map(|fields| fields.keys().map(String::as_str).collect()).unwrap_or_default()
    }

    /// A header's text, or nothing.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

/// Sends requests to one server, and keeps its cookies.
#[derive(Clone)]
pub struct TestClient {
    pub client: Client,
    /// The server's address, without a slash at the end.
    pub base: String,
}

impl TestClient {
    /// A request to build on.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    /// Sends a request.
    pub async fn send(&self, request: RequestBuilder) -> TestResponse {
        let response = request.send().await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response.bytes().await.unwrap().to_vec();
        let body = serde_json::from_slice(&bytes)
            .unwrap_or_else(|_| Value::String(String::from_utf8_lossy(&bytes).into_owned()));
        TestResponse { status: StatusCode::as_u16(&status), headers, body, bytes }
    }

    /// GET.
    pub async fn get(&self, path: &str) -> TestResponse {
        self.send(self.request(Method::GET, path)).await
    }

    /// POST with JSON.
    pub async fn post(&self, path: &str, body: Value) -> TestResponse {
        self.send(self.request(Method::POST, path).json(&body)).await
    }

    /// PUT with JSON.
    pub async fn put(&self, path: &str, body: Value) -> TestResponse {
        self.send(self.request(Method::PUT, path).json(&body)).await
    }

    /// PATCH with JSON.
    pub async fn patch(&self, path: &str, body: Value) -> TestResponse {
        self.send(self.request(Method::PATCH, path).json(&body)).await
    }

    /// DELETE.
    pub async fn delete(&self, path: &str) -> TestResponse {
        self.send(self.request(Method::DELETE, path)).await
    }

    /// POST of a file as a form's field `file`, with further fields.
    pub async fn upload(
        &self,
        path: &str,
        name: &str,
        bytes: impl Into<Vec<u8>>,
        fields: &[(&str, &str)],
    ) -> TestResponse {
        let part = reqwest::multipart::Part::bytes(bytes.into()).file_name(name.to_owned());
        let form = reqwest::multipart::Form::new().part("file", part);
        let form = fields.iter().fold(form, |form, (key, value)| form.text((*key).to_owned(), (*value).to_owned()));
        self.send(self.request(Method::POST, path).multipart(form)).await
    }
}

/// A person without a session, with a cookie jar.
#[derive(Clone)]
pub struct Visitor(TestClient);

impl Visitor {
    /// A visitor of the server at an address.
    pub fn at(base: impl Into<String>) -> Self {
        Self::with(browser(), base)
    }

    /// A visitor whose client a test has built.
    pub fn with(client: Client, base: impl Into<String>) -> Self {
        Self(TestClient { client, base: base.into() })
    }

    /// Signs up with an address that nobody else of this run has.
    pub async fn sign_up(self) -> Reader {
        static NUMBER: AtomicU32 = AtomicU32::new(1);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        self.sign_up_as(&format!("reader{number}@example.org"), &format!("Reader {number}")).await
    }

    /// Signs up with an address and a display name.
    pub async fn sign_up_as(self, email: &str, name: &str) -> Reader {
        let form = json!({"email": email, "password": PASSWORD, "displayName": name, "timezone": "UTC"});
        let answer = self.post("/api/auth/signup", form).await;
        self.signed_up(email, answer)
    }

    /// The reader that this visitor is after the answer to a sign-up.
    #[track_caller]
    pub fn signed_up(self, email: &str, answer: TestResponse) -> Reader {
        self.signed_in(email, &answer.expect(201))
    }

    /// Logs in to an account whose password is [`PASSWORD`].
    pub async fn log_in(self, email: &str) -> Reader {
        self.log_in_with(email, PASSWORD).await
    }

    /// Logs in.
    pub async fn log_in_with(self, email: &str, password: &str) -> Reader {
        let answer = self.post("/api/auth/login", json!({"email": email, "password": password})).await;
        self.logged_in(email, answer)
    }

    /// The reader that this visitor is after the answer to a login.
    #[track_caller]
    pub fn logged_in(self, email: &str, answer: TestResponse) -> Reader {
        self.signed_in(email, &answer.expect(200))
    }

    #[track_caller]
    fn signed_in(self, email: &str, body: &Value) -> Reader {
        Reader { browser: self.0, email: email.to_owned(), id: body["user"]["id"].as_i64().unwrap() }
    }
}

/// A person with an account, in a browser that is signed in.
#[derive(Clone)]
pub struct Reader {
    browser: TestClient,
    /// The address at the sign-up or login.
    pub email: String,
    /// The account's id.
    pub id: i64,
}

/// A book as lists and changes answer it: without the places and notes of its quotes.
pub fn as_listed(book: &Value) -> Value {
    let mut listed = book.clone();
    listed.as_object_mut().unwrap().remove("passages").unwrap();
    listed
}

impl Reader {
    /// The same browser, for a server that has moved to another address with its data.
    pub fn at(&self, base: impl Into<String>) -> Self {
        let browser = TestClient { base: base.into(), ..self.browser.clone() };
        Self { browser, ..self.clone() }
    }

    /// The same person, signed in in a second browser.
    pub async fn elsewhere(&self) -> Self {
        Visitor::at(self.base.clone()).log_in(&self.email).await
    }

    /// A script with a new API token of this account. The access is `read` or `read-write`.
    pub async fn script(&self, access: &str) -> Script {
        let made = self.post("/api/account/tokens", json!({"name": "Sync", "access": access})).await.expect(201);
        Script::with(&self.base, made["secret"].as_str().unwrap())
    }
}

/// A reader with Shelfwise Plus.
#[derive(Clone)]
pub struct PlusReader(pub(super) Reader);

/// A reader who owns a team.
#[derive(Clone)]
pub struct TeamOwner(pub(super) Reader);

impl TeamOwner {
    /// The owner that a reader has become, by the server's word.
    pub async fn of(reader: &Reader) -> Self {
        let found = reader.get("/api/teams/current").await.expect(200);
        assert_eq!(found["team"]["role"], "owner", "{found}");
        Self(reader.clone())
    }

    /// Invites an address to the team. Returns the token of the invitation's link.
    pub async fn invite(&self, email: &str) -> String {
        let made = self.post("/api/teams/invite", json!({"email": email})).await.expect(201);
        made["invitation"]["inviteUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()
    }

    /// Invites a reader, who accepts.
    pub async fn admit(&self, reader: &Reader) -> TeamMember {
        let link = self.invite(&reader.email).await;
        reader.post(&format!("/api/invitations/{link}/accept"), json!({})).await.expect(200);
        TeamMember(reader.clone())
    }

    /// Makes a member an admin of the team.
    pub async fn promote(&self, member: &TeamMember) -> TeamAdmin {
        let path = format!("/api/teams/members/{}/role", member.id);
        self.patch(&path, json!({"role": "admin"})).await.expect(200);
        TeamAdmin(member.0.clone())
    }
}

/// A reader who belongs to a team.
#[derive(Clone)]
pub struct TeamMember(Reader);

/// A member who administers the team.
#[derive(Clone)]
pub struct TeamAdmin(Reader);

/// A reader who operates the server.
#[derive(Clone)]
pub struct Operator(pub(super) Reader);

/// A program with an API token and no cookies.
#[derive(Clone)]
pub struct Script {
    client: TestClient,
    /// The token as it was shown.
    pub secret: String,
}

impl Script {
    /// A script that sends this token, whether or not the server knows it.
    pub fn with(base: &str, secret: &str) -> Self {
        let bearer = HeaderValue::try_from(format!("Bearer {secret}")).unwrap();
        let client = client().default_headers(HeaderMap::from_iter([(AUTHORIZATION, bearer)])).build().unwrap();
        Self { client: TestClient { client, base: base.to_owned() }, secret: secret.to_owned() }
    }
}

/// Lets a person do what a more general one can.
macro_rules! derefs {
    ($($type:ty: $field:tt => $target:ty),+ $(,)?) => {
        $(impl Deref for $type {
            type Target = $target;

            fn deref(&self) -> &$target {
                &self.$field
            }
        })+
    };
}

derefs! {
    Visitor: 0 => TestClient,
    Reader: browser => TestClient,
    Script: client => TestClient,
    PlusReader: 0 => Reader,
    TeamOwner: 0 => Reader,
    TeamMember: 0 => Reader,
    TeamAdmin: 0 => Reader,
    Operator: 0 => Reader,
}
