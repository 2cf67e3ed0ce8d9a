//! Secrets are planted in a run of the program. None appears in a log, an error, a metric or the database.
use std::collections::BTreeMap;
use std::fs::{self, File};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::actors::{TestClient, TestResponse, Visitor};
use crate::support::audiobookshelf::{self, FakeAudiobookshelf};
use crate::support::fault_table::row;
use crate::support::program::{Program, free_port, run, shelfwise};
use crate::support::smtp::{self, MailServer, Tls};
use crate::support::stripe::{self, FakeStripe, Mood};

const PASSWORDS: [&str; 3] = ["canary passphrase one", "canary passphrase two", "canary passphrase three"];
const TITLE: &str = "Canary Title of a Book";

/// What must not come out again, by what it is.
#[derive(Default)]
struct Planted(BTreeMap<String, String>);

impl Planted {
    fn plant(&mut self, what: &str, secret: impl Into<String>) -> String {
        let secret = secret.into();
        self.0.insert(what.to_owned(), secret.clone());
        secret
    }

    /// The cookies that an answer sets.
    fn cookies(&mut self, whose: &str, answer: &TestResponse) {
        for cookie in answer.headers.get_all("set-cookie") {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            self.plant(&format!("{name} of {whose}"), rest.split(';').next().unwrap());
        }
    }

    /// Looks for each as text, and for a token as the bytes that it stands for.
    fn expect_absent(&self, place: &str, bytes: &[u8]) {
        for (what, secret) in &self.0 {
            let token = secret.strip_prefix("shelfwise_").unwrap_or(secret);
            let raw = URL_SAFE_NO_PAD.decode(token).unwrap_or_default();
            for needle in [secret.as_bytes(), token.as_bytes(), &raw] {
                let found = needle.len() > 8 && bytes.windows(needle.len()).any(|window| window == needle);
                assert!(!found, "{what} stands in {place}");
            }
        }
    }
}

/// Everything that failed, whole.
#[derive(Default)]
struct Failures(Vec<u8>);

impl Failures {
    #[track_caller]
    fn add(&mut self, answer: TestResponse, status: u16) {
        assert_eq!(answer.status, status, "{}", answer.body);
        self.0.extend(format!("{:?}", answer.headers).bytes());
        self.0.extend(answer.bytes);
    }
}

async fn with_bearer(person: &TestClient, method: Method, path: &str, secret: &str, body: Value) -> TestResponse {
    person.send(person.request(method, path).bearer_auth(secret).json(&body)).await
}

#[tokio::test]
async fn planted_secrets_appear_in_no_log_error_metric_or_database() {
    let (folder, mut planted, mut failures) = (tempfile::tempdir().unwrap(), Planted::default(), Failures::default());
    let (data, log) = (folder.path().join("data"), folder.path().join("log"));
    let mut mail = MailServer::start(Tls::None);
    let (port, metrics) = (free_port(), free_port());
    let base = format!("http://127.0.0.1:{port}");
    let command = || {
        let mut command = shelfwise();
        command.arg("--data-dir").arg(&data).env("RUST_LOG", "debug");
        command
    };
    let mut create = command();
    create.args(["user", "create", "canary-operator@example.org", "--name", "Ida", "--admin"]);
    let made = run(create, &format!("{}\n", planted.plant("the operator's password", PASSWORDS[0])));
    assert_eq!(made.status, 0, "{}", made.err);

    let mut serve = command();
    serve.args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--public-url", &base]);
    serve.env("SHELFWISE_METRICS_LISTEN", format!("127.0.0.1:{metrics}")).stderr(File::create(&log).unwrap());
    if let Some(mail) = &mail {
        planted.plant("the mail server's password", smtp::PASSWORD);
        serve.env("SHELFWISE_MAIL_URL", mail.url()).env("SHELFWISE_MAIL_FROM", "books@example.org");
    }
    let provider = FakeStripe::start().await;
    serve.envs(provider.environment());
    planted.plant("the payment provider's key", stripe::KEY);
    planted.plant("what the payment provider signs with", stripe::SIGNING);
    let home = FakeAudiobookshelf::start().await;
    serve.env("SHELFWISE_SOURCES_HOME_URL", &home.url);
    let guard = planted.plant("the header of a media server", "canary-of-a-guard");
    serve.env("SHELFWISE_SOURCES_HOME_HEADERS", format!("X-Guard: {guard}"));
    let mut program = Program::start(serve);

    let (operator, nora, stranger) = (Visitor::at(base.clone()), Visitor::at(base.clone()), Visitor::at(base.clone()));
    let login = json!({"email": "canary-operator@example.org", "password": PASSWORDS[0]});
    planted.cookies("the operator", &operator.post("/api/auth/login", login).await);
    let email = "canary-reader@example.org";
    let form = json!({"email": email, "password": planted.plant("the password", PASSWORDS[1]), "displayName": "Nora"});
    let signed_up = nora.post("/api/auth/signup", form.clone()).await;
    planted.cookies("the reader", &signed_up);
    let id = signed_up.expect(201)["user"]["id"].as_i64().unwrap();

    let secret = |answer: &Value, key: &str| answer[key].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let token = nora.post("/api/account/tokens", json!({"name": "Sync", "access": "read"})).await.expect(201);
    let token = planted.plant("the API token", secret(&token, "secret"));
    let shared = nora.post("/api/shares", json!({"kind": "review", "period": "2026"})).await.expect(201);
    let shared = planted.plant("the secret link", secret(&shared, "url"));
    assert_eq!(stranger.get(&format!("/s/{shared}")).await.status, 200);
    let key = json!({"key": planted.plant("the key of a media server", audiobookshelf::KEY)});
    nora.put("/api/sources/home", key.clone()).await.expect(200);
    let book = json!({"title": TITLE, "author": "A", "status": "undated"});
    nora.post("/api/books", book.clone()).await.expect(201);
    operator.patch(&format!("/api/admin/users/{id}"), json!({"plan": "shelfwise_team"})).await.expect(200);
    let invited = nora.post("/api/teams/invite", json!({"email": "canary-guest@example.org"})).await.expect(201);
    let invitation = planted.plant("the invitation", secret(&invited["invitation"], "inviteUrl"));
    let link = operator.post(&format!("/api/admin/users/{id}/reset-link"), json!({})).await.expect(200);
    planted.plant("the operator's link", secret(&link, "url"));
    let mut reset = secret(&link, "url");
    if let Some(mail) = &mut mail {
        // The invitation, and two notices: a new API token, and a link that an operator made.
        let mut told =
            [mail.next().await.to().to_owned(), mail.next().await.to().to_owned(), mail.next().await.to().to_owned()];
        told.sort();
        assert_eq!(told, ["canary-guest@example.org", email, email]);
        stranger.post("/api/auth/password-reset", json!({"email": email})).await;
        reset = planted.plant("the mailed link", mail.next().await.link(&base).rsplit('/').next().unwrap());
    }

    // Every way to fail with a secret in the request.
    let reset_path = format!("/api/auth/password-reset/{reset}");
    let json_of = |path: &str, body: String| {
        stranger.send(stranger.request(Method::POST, path).header("content-type", "application/json").body(body))
    };
    failures.add(json_of("/api/auth/login", form.to_string().replace('}', "")).await, 400);
    failures
        .add(json_of("/api/auth/login", format!("{{\"email\": 1, \"password\": \"{}\"}}", PASSWORDS[1])).await, 422);
    failures.add(stranger.post("/api/auth/login", json!({"email": email, "password": PASSWORDS[0]})).await, 401);
    failures.add(stranger.post("/api/auth/signup", form).await, 409);
    failures.add(stranger.post(&reset_path, json!({"password": email})).await, 422);
    failures.add(stranger.post(&format!("{reset_path}x"), json!({"password": PASSWORDS[2]})).await, 400);
    failures.add(stranger.get(&format!("/api/nothing/{reset}?secret={token}")).await, 404);
    failures.add(stranger.get(&format!("{reset_path}x")).await, 400);
    failures.add(stranger.delete(&reset_path).await, 405);
    failures.add(stranger.get(&format!("/s/{shared}x")).await, 404);
    failures.add(stranger.get(&format!("/s/{shared}/feed.atom")).await, 404);
    failures.add(stranger.post(&format!("/s/{shared}"), json!({})).await, 405);
    failures.add(stranger.post(&format!("/api/invitations/{invitation}/accept"), json!({})).await, 401);
    failures.add(nora.post(&format!("/api/invitations/{invitation}/accept"), json!({})).await, 403);
    failures.add(with_bearer(&stranger, Method::POST, "/api/books", &token, book).await, 403);
    failures.add(with_bearer(&stranger, Method::GET, "/api/books", &format!("{token}x"), json!({})).await, 401);
    let change = json!({"currentPassword": PASSWORDS[2], "newPassword": PASSWORDS[0]});
    failures.add(nora.post("/api/account/password", change).await, 403);
    failures.add(stripe::tell_raw(&stranger, "{}", stripe::SIGNING).await, 400);
    home.world().mood = audiobookshelf::Mood::Broken;
    failures.add(nora.put("/api/sources/home", key).await, 503);
    provider.feel(Mood::Broken);
    let order = json!({"plan": "shelfwise_plus", "billingInterval": "annual", "successUrl": base, "cancelUrl": base});
    failures.add(nora.post("/api/subscriptions/checkout", order).await, 503);
    planted.plant("the new password", PASSWORDS[2]);
    assert_eq!(stranger.post(&reset_path, json!({"password": PASSWORDS[2]})).await.status, 204);
    failures.add(stranger.post(&reset_path, json!({"password": PASSWORDS[2]})).await, 400);
    planted.cookies(
        "the reader again",
        &nora.post("/api/auth/login", json!({"email": email, "password": PASSWORDS[2]})).await,
    );

    let figures = Visitor::at(format!("http://127.0.0.1:{metrics}")).get("/metrics").await;
    assert_eq!(figures.status, 200);
    assert_eq!(program.stop(), Some(0));

    planted.expect_absent("an error", &failures.0);
    let mut files = 0;
    for entry in fs::read_dir(&data).unwrap() {
        let path = entry.unwrap().path();
        planted.expect_absent(&path.display().to_string(), &fs::read(&path).unwrap());
        files += 1;
    }
    assert!(files >= 1);
    // Of people and their books, too, neither logs nor figures know anything.
    planted.plant("a title", TITLE);
    for who in ["reader", "guest", "operator"] {
        planted.plant(&format!("the {who}'s address"), format!("canary-{who}@example.org"));
    }
    let lines = fs::read(&log).unwrap();
    assert!(String::from_utf8_lossy(&lines).contains("/api/auth/password-reset/{token}"), "the log was not written");
    for what in ["logged_in", "login_failed", "reset_link_created", "password_reset"] {
        assert!(String::from_utf8_lossy(&lines).contains(&format!("what=\"{what}\"")), "{what} is not in the log");
    }
    planted.expect_absent("the log", &lines);
    planted.expect_absent("the metrics", &figures.bytes);
    let found = "in no log, error, figure or file";
    row(
        "planted secrets of a whole run of the program, with every way to fail",
        planted.0.len(),
        found,
        "in no log, error or metric",
    );
}
