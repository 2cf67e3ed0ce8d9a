//! Sign-up, sign-in and sign-out.
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::actors::{PASSWORD, Reader};
use crate::support::harness::TestServer;

#[tokio::test]
async fn a_page_of_another_account_can_neither_save_nor_read_in_this_one() {
    let server = TestServer::start().await;
    let (nora, tom) = (server.reader().await, server.reader().await);
    let meant_for = |person: &Reader, method: Method, path: &str, id: String| {
        person.request(method, path).header("Shelfwise-Account", id)
    };
    let book = json!({"title": "Emma", "author": "Jane Austen", "status": "undated"});
    let noras = meant_for(&tom, Method::POST, "/api/books", nora.id.to_string()).json(&book);
    assert_eq!(tom.send(noras).await.code(409), "other_account");
    let read = meant_for(&tom, Method::GET, "/api/books", nora.id.to_string());
    assert_eq!(tom.send(read).await.code(409), "other_account");
    let unreadable = meant_for(&tom, Method::GET, "/api/auth/me", "nobody".to_owned());
    assert_eq!(tom.send(unreadable).await.code(409), "other_account");
    assert_eq!(tom.get("/api/books").await.expect(200)["total"], 0);

    let toms = meant_for(&tom, Method::POST, "/api/books", tom.id.to_string()).json(&book);
    tom.send(toms).await.expect(201);
    let visitor = server.visitor();
    let ended = visitor.request(Method::GET, "/api/books").header("Shelfwise-Account", nora.id);
    assert_eq!(visitor.send(ended).await.code(401), "not_signed_in");
}

#[tokio::test]
async fn somebody_signs_up_is_known_signs_out_and_in_again() {
    let server = TestServer::start().await;
    let nora = server.visitor();
    let form =
        json!({"email": " Nora@Example.org ", "password": PASSWORD, "displayName": "Nora", "timezone": "Europe/Oslo"});
    let made = nora.post("/api/auth/signup", form).await.expect(201);
    assert_eq!(
        (&made["user"]["email"], &made["user"]["role"], &made["theme"]),
        (&json!("Nora@Example.org"), &json!("user"), &Value::Null)
    );
    let keys: Vec<&String> = made["user"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["createdAt", "displayName", "email", "id", "role", "stripeCustomerId"]);
    assert_eq!(nora.get("/api/auth/me").await.expect(200)["user"], made["user"]);
    assert_eq!(nora.get("/api/preferences").await.expect(200)["preferences"]["timezone"], "Europe/Oslo");
    nora.patch("/api/preferences", json!({"theme": "dark"})).await.expect(200);

    assert_eq!(nora.post("/api/auth/logout", json!({})).await.status, 204);
    assert_eq!(nora.get("/api/auth/me").await.code(401), "not_signed_in");
    let again =
        nora.post("/api/auth/login", json!({"email": "nora@EXAMPLE.org", "password": PASSWORD})).await.expect(200);
    assert_eq!((&again["user"], &again["theme"]), (&made["user"], &json!("dark")));
}

#[tokio::test]
async fn an_address_has_one_account_whatever_its_case() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let other = server.visitor();
    let form = json!({"email": nora.email.to_uppercase(), "password": PASSWORD, "displayName": "Other"});
    assert_eq!(other.post("/api/auth/signup", form.clone()).await.code(409), "email_taken");
    assert_eq!(nora.post("/api/auth/signup", form).await.code(409), "already_signed_in");
}

#[tokio::test]
async fn a_sign_up_names_every_wrong_field() {
    let server = TestServer::start().await;
    let anonymous = server.visitor();
    assert_eq!(anonymous.post("/api/auth/signup", json!({})).await.fields(), ["displayName", "email", "password"]);
    let common = json!({"email": "a@b.c", "password": "password1", "displayName": "A"});
    assert_eq!(anonymous.post("/api/auth/signup", common).await.fields(), ["password"]);
    let wrong_type = json!({"email": 3, "password": PASSWORD, "displayName": "A"});
    assert_eq!(anonymous.post("/api/auth/signup", wrong_type).await.fields(), ["email"]);
}

#[tokio::test]
async fn a_wrong_address_and_a_wrong_password_answer_alike_and_guessing_is_slowed() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let guesser = server.visitor();
    let guess =
        |email: String| guesser.post("/api/auth/login", json!({"email": email, "password": "not the password"}));
    let (known, unknown) = (guess(nora.email.clone()).await, guess("nobody@example.org".into()).await);
    assert_eq!(known.body, json!({"error": "Invalid email or password", "code": "wrong_credentials"}));
    assert_eq!((known.status, known.body), (401, unknown.body));
    let mut slowed = guess(nora.email.clone()).await;
    for _ in 0..10 {
        if slowed.status == 429 {
            break;
        }
        slowed = guess(nora.email.clone()).await;
    }
    assert_eq!(slowed.code(429), "too_many_attempts");
    assert!(slowed.header("retry-after").parse::<u64>().unwrap() >= 1);
}

#[tokio::test]
async fn each_sign_in_has_a_token_of_its_own_and_only_its_hash_is_kept() {
    let server = TestServer::start().await;
    let nora = server.reader().await;
    let login = || async {
        let answer = nora.post("/api/auth/login", json!({"email": nora.email, "password": PASSWORD})).await;
        let cookies: Vec<String> =
            answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned()).collect();
        cookies
            .into_iter()
            .find_map(|cookie| {
                cookie.strip_prefix("shelfwise_session=").map(|rest| rest.split(';').next().unwrap().to_owned())
            })
            .unwrap()
    };
    let (first, second) = (login().await, login().await);
    assert_ne!(first, second);
    assert_eq!(first.len(), 22, "128 bits in base64url");
    let stolen = server.visitor();
    let replay = stolen.request(Method::GET, "/api/auth/me").header("cookie", format!("shelfwise_session={first}"));
    assert_eq!(stolen.send(replay).await.status, 401, "a sign-in ends the browser's former session");
    for file in std::fs::read_dir(server.folder()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        assert!(!bytes.windows(second.len()).any(|window| window == second.as_bytes()));
    }
}

#[tokio::test]
async fn a_closed_server_accepts_no_sign_ups() {
    let server = TestServer::with(|config| config.signup = shelfwise::config::SignupMode::Closed).await;
    let anonymous = server.visitor();
    assert_eq!(anonymous.get("/api/site").await.expect(200)["signup"], "closed");
    let form = json!({"email": "a@b.c", "password": PASSWORD, "displayName": "A"});
    assert_eq!(anonymous.post("/api/auth/signup", form).await.code(403), "signup_closed");
}
