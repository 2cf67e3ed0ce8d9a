//! A server of its own for a test, and people who talk to it.
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};

use reqwest::redirect::Policy;
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use shelfwise::admin::Activity;
use shelfwise::config::Config;
use shelfwise::kit::App;
use shelfwise::kit::app::Services;
use shelfwise::kit::db::pool::Db;
use shelfwise::kit::http::connection::ConnectionLimits;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// A password that every test person has.
pub const PASSWORD: &str = "a long enough passphrase";

/// A client with a cookie jar of its own; it shows where it is sent instead of going there.
pub fn browser() -> Client {
    // The program's own client brings its TLS; this one asks for what the process has.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::builder().cookie_store(true).redirect(Policy::none()).build().unwrap()
}

/// A running server with a database in a folder of its own; both go when it is dropped.
pub struct TestServer {
    /// Where it listens.
    pub address: SocketAddr,
    /// Its database, to look inside.
    pub db: Db,
    /// What its calls work with.
    pub app: App,
    /// What it has counted, to write it as the server does every minute.
    pub activity: Activity,
    /// Its second listener's routes.
    pub metrics: axum::Router,
    folder: tempfile::TempDir,
    stop: Option<oneshot::Sender<()>>,
}

impl TestServer {
    /// A server with the default settings.
    pub async fn start() -> Self {
        Self::with(|_| {}).await
    }

    /// A server whose settings a test changes first.
    pub async fn with(change: impl FnOnce(&mut Config)) -> Self {
        Self::with_services(change, |_| {}).await
    }

    /// The same, where a test changes what surrounds it, too.
    pub async fn with_services(change: impl FnOnce(&mut Config), around: impl FnOnce(&mut Services)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config { data_dir: folder.path().to_owned(), ..Config::default() };
        change(&mut config);
        let db = Db::open(&config.database()).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let mut surroundings = Services::of(&config).unwrap();
        around(&mut surroundings);
        let app = App::with_services(db.clone(), config, false, surroundings);
        let activity = Activity::default();
        let metrics = shelfwise::admin::metrics_router(app.clone(), activity.clone());
        let router = shelfwise::app::router(app.clone(), activity.clone());
        let limits =
            ConnectionLimits::of_process(app.config.limits.connections_per_address, app.config.trusted_networks());
        tokio::spawn(shelfwise::kit::http::server::serve_within(listener, router, app.timeouts, limits, async {
            let _ = stopped.await;
        }));
        Self { address, db, app, activity, metrics, folder, stop: Some(stop) }
    }

    /// Tells the server to stop, and goes on.
    pub fn halt(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    /// Waits until everything that was erased has left the file.
    pub async fn erased(&self) {
        let due = || self.db.read(|conn| Ok(shelfwise::kit::db::secure_erase::is_due(conn)?));
        while due().await.unwrap() {
            tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        }
    }

    /// The folder that holds the database.
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Somebody who is not signed in, with a cookie jar of their own.
    pub fn anonymous(&self) -> Person {
        Person::at(format!("http://{}", self.address))
    }

    /// A new reader, signed in.
    pub async fn reader(&self) -> Person {
        self.anonymous().sign_up().await
    }

    /// A new reader on a paid plan, signed in.
    pub async fn plus(&self) -> Person {
        let person = self.reader().await;
        self.grant(&person, Some("shelfwise_plus")).await;
        person
    }

    /// The owner of a new team, and as many members of it, signed in.
    pub async fn team(&self, members: usize) -> (Person, Vec<Person>) {
        let owner = self.reader().await;
        let id = owner.id;
        let made = self
            .db
            .write(move |tx| shelfwise::account::user_list::grant(tx, id, shelfwise::access::Plan::ShelfwiseTeam));
        made.await.unwrap();
        let mut joined = Vec::new();
        for _ in 0..members {
            let person = self.reader().await;
            let link = owner.invite(&person.email).await;
            person.post(&format!("/api/invitations/{link}/accept"), json!({})).await.expect(200);
            joined.push(person);
        }
        (owner, joined)
    }

    /// Sets somebody's plan as an operator would.
    pub async fn grant(&self, person: &Person, plan: Option<&'static str>) {
        let id = person.id;
        let set =
            self.db.write(move |tx| Ok(tx.execute("UPDATE users SET granted_plan = ?2 WHERE id = ?1", (id, plan))?));
        assert_eq!(set.await.unwrap(), 1);
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.halt();
    }
}

/// A browser with a cookie jar.
#[derive(Clone)]
pub struct Person {
    pub client: Client,
    pub base: String,
    pub email: String,
    pub id: i64,
}

/// What a call answered: status, headers, and the body as JSON (a string where it is none).
#[derive(Debug)]
pub struct TestResponse {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
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

impl Person {
    /// Somebody who is not signed in to the server of an address, with a cookie jar of their own.
    pub fn at(base: String) -> Self {
        Self { client: browser(), base, email: String::new(), id: 0 }
    }

    /// As a new reader, signed in.
    pub async fn sign_up(mut self) -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(1);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        self.email = format!("reader{number}@example.org");
        let form = json!({"email": self.email, "password": PASSWORD, "displayName": format!("Reader {number}"), "timezone": "UTC"});
        let answer = self.post("/api/auth/signup", form).await;
        assert_eq!(answer.status, 201, "{}", answer.body);
        self.id = answer.body["user"]["id"].as_i64().unwrap();
        self
    }

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

    /// PATCH with JSON.
    pub async fn patch(&self, path: &str, body: Value) -> TestResponse {
        self.send(self.request(Method::PATCH, path).json(&body)).await
    }

    /// DELETE.
    pub async fn delete(&self, path: &str) -> TestResponse {
        self.send(self.request(Method::DELETE, path)).await
    }

    /// Invites an address to one's team; the link's token.
    pub async fn invite(&self, email: &str) -> String {
        let made = self.post("/api/teams/invite", json!({"email": email})).await.expect(201);
        made["invitation"]["inviteUrl"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()
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
