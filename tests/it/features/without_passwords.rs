//! A server that accepts no passwords, one that sends people on to a provider, and logging out at the provider as well.
use serde_json::{Value, json};
use shelfwise::account::setup::prepare;
use shelfwise::config::{Config, SignupMode};

use super::social::{counted, landed, me, section, settings, sign_in};
use crate::support::actors::{PASSWORD, TestClient};
use crate::support::harness::TestServer;
use crate::support::issuer::{CLIENT, Issuer, query, redirect};
use crate::support::program;

async fn house(name: &str, change: impl FnOnce(&mut Config)) -> (TestServer, Issuer) {
    let issuer = Issuer::start().await;
    let text = section(name, &issuer.base);
    let server = TestServer::with(|config| {
        config.social = settings(&text);
        change(config);
    });
    (server.await, issuer)
}

/// Signs Nora in through a provider, in a new browser.
async fn nora(server: &TestServer, issuer: &Issuer, provider: &str) -> TestClient {
    let browser = server.visitor();
    landed(&sign_in(&browser, issuer, provider).await, "/dashboard");
    (*browser).clone()
}

#[tokio::test]
async fn without_passwords_a_provider_is_the_only_way_in() {
    let (server, issuer) = house("home", |config| config.password_login = false).await;
    let visitor = server.visitor();
    let sign_up = json!({"email": "rosa@example.org", "password": PASSWORD, "displayName": "Rosa"});
    let token = shelfwise::kit::http::session::Token::new().unwrap().text();
    for (path, body) in [
        ("/api/auth/login", json!({"email": "nora@example.org", "password": PASSWORD})),
        ("/api/auth/signup", sign_up),
        ("/api/auth/password-reset", json!({"email": "nora@example.org"})),
        (&format!("/api/auth/password-reset/{token}"), json!({"password": PASSWORD})),
    ] {
        let answer = visitor.post(path, body).await;
        assert_eq!(answer.code(403), "password_login_off", "{path}");
        assert!(answer.body["error"].as_str().unwrap().contains("providers"), "{path}");
    }
    assert_eq!(counted(&server).await, (0, 0));
    let nora = nora(&server, &issuer, "home").await;
    let id = me(&nora).await["id"].clone();

    // A password from before is not accepted anywhere, an operator's neither.
    server.command(&["user", "promote", "nora@example.org"]).await;
    let ended = server.try_command(&["user", "set-password", "nora@example.org"], &format!("{PASSWORD}\n")).await;
    assert_eq!(ended.status, 0, "{}", ended.err);
    let nora = self::nora(&server, &issuer, "home").await;
    let login = json!({"email": "nora@example.org", "password": PASSWORD});
    assert_eq!(visitor.post("/api/auth/login", login).await.code(403), "password_login_off");
    assert_eq!(nora.post("/api/auth/confirm", json!({"password": PASSWORD})).await.code(409), "no_password");
    let change = json!({"currentPassword": PASSWORD, "newPassword": "another long passphrase"});
    assert_eq!(nora.post("/api/account/password", change).await.code(403), "password_login_off");
    let moves = json!({"email": "new@example.org", "currentPassword": PASSWORD});
    assert_eq!(nora.patch("/api/account", moves).await.code(403), "password_login_off");
    nora.patch("/api/account", json!({"displayName": "Nora"})).await.expect(200);
    let link = nora.post(&format!("/api/admin/users/{id}/reset-link"), json!({})).await;
    assert_eq!(link.code(403), "password_login_off");
    let rosa = json!({"displayName": "Rosa", "email": "rosa@example.org"});
    assert_eq!(nora.post("/api/admin/users", rosa).await.code(403), "password_login_off");
    assert_eq!(nora.get("/api/account/identities").await.expect(200)["hasPassword"], false);
    assert_eq!(nora.delete("/api/account/identities/home").await.code(409), "last_way_in");
    nora.delete("/api/account").await.code(409);
}

#[tokio::test]
async fn the_site_says_how_people_sign_in_and_sign_up() {
    let site = async |server: &TestServer| server.visitor().get("/api/site").await.expect(200);
    let plain = site(&TestServer::start().await).await;
    let keys = ["passwordLogin", "loginRedirect", "signupProviders"];
    assert_eq!(keys.map(|key| plain[key].clone()), [json!(true), Value::Null, json!([])]);
    for (signup, own, providers) in [
        (SignupMode::Open, "", json!(["away", "home"])),
        (SignupMode::Open, "signup = false", json!(["away"])),
        (SignupMode::Closed, "signup = true", json!(["home"])),
        (SignupMode::Invite, "", json!([])),
    ] {
        let text = format!(
            "{}{}{own}\n[unfinished]\nissuer = \"https://id.test\"\nsignup = true\n",
            section("away", "https://away.test"),
            section("home", "https://home.test"),
        );
        let server = TestServer::with(|config| {
            (config.social, config.signup) = (settings(&text), signup);
            (config.password_login, config.login_redirect) = (false, Some("home".into()));
        });
        let said = site(&server.await).await;
        assert_eq!(keys.map(|key| said[key].clone()), [json!(false), json!("home"), providers], "{signup:?} {own}");
    }
}

/// What a log-out answers; the session is over in any case.
async fn log_out(person: &TestClient) -> Option<String> {
    let answer = person.post("/api/auth/logout", json!({})).await;
    assert!(answer.header("set-cookie").starts_with("shelfwise_session=;"), "{:?}", answer.headers);
    assert_eq!(answer.header("clear-site-data"), "\"cache\"");
    let url = match answer.status {
        204 => None,
        _ => Some(answer.expect(200)["url"].as_str().unwrap().to_owned()),
    };
    assert_eq!(person.get("/api/auth/me").await.status, 401);
    url
}

#[tokio::test]
async fn a_log_out_goes_on_to_the_operators_provider_that_the_session_came_from() {
    let (server, issuer) = house("home", |config| {
        config.public_url = Some("http://books.test".to_owned().try_into().unwrap());
    })
    .await;
    let end = format!("{}/end?realm=books", issuer.base);
    issuer.manner().description = json!({"end_session_endpoint": end});
    let url = log_out(&nora(&server, &issuer, "home").await).await.unwrap();
    assert!(url.starts_with(&format!("{end}&")), "{url}");
    let sent = query(&url);
    assert_eq!((sent["client_id"].as_str(), sent["realm"].as_str()), (CLIENT, "books"));
    assert_eq!(sent["post_logout_redirect_uri"], "http://books.test/login?stay=true");
    assert_eq!(sent.len(), 3, "nothing about the person: {sent:?}");

    let rosa = server.reader().await;
    assert_eq!(log_out(&rosa).await, None, "a session by password");
    assert_eq!(log_out(&server.visitor()).await, None, "nobody");
    // Somebody who has connected the provider and signed in by password stays signed in there.
    let ida = server.reader().await;
    issuer.manner().claims = json!({"sub": "ida", "email": "ida@example.org"});
    landed(&sign_in(&ida, &issuer, "home").await, "/account");
    assert_eq!(log_out(&ida).await, None);
}

#[tokio::test]
async fn a_log_out_goes_on_to_the_provider_after_a_change_of_the_password_too() {
    let (server, issuer) = house("home", |_| {}).await;
    let end = format!("{}/end", issuer.base);
    issuer.manner().description = json!({"end_session_endpoint": end});
    let nora = nora(&server, &issuer, "home").await;
    nora.post("/api/account/password", json!({"newPassword": PASSWORD})).await.expect(204);
    let change = json!({"currentPassword": PASSWORD, "newPassword": "another long passphrase"});
    nora.post("/api/account/password", change).await.expect(204);
    assert!(log_out(&nora).await.is_some_and(|url| url.starts_with(&end)));
}

#[tokio::test]
async fn without_passwords_the_start_says_how_somebody_becomes_the_first_operator() {
    let (server, _issuer) = house("home", |config| config.password_login = false).await;
    let said = async |change: &dyn Fn(&mut Config)| {
        let mut config = (*server.app.config).clone();
        change(&mut config);
        prepare(&server.db, &config).await.map(Option::unwrap_or_default)
    };
    let plain = said(&|_| {}).await.unwrap();
    assert!(plain.contains("accepts no passwords") && plain.contains("user promote"), "{plain}");
    assert!(!plain.contains("/setup/"), "{plain}");
    let groups = |config: &mut Config| config.social.get_mut("home").unwrap().operator_groups = vec!["admins".into()];
    assert!(said(&groups).await.unwrap().contains("social.home.operator_groups"));
    let closed = said(&|config| config.signup = SignupMode::Closed).await.unwrap();
    assert!(closed.contains("signup = true"), "{closed}");
    // A member of the group could not sign in for the first time, either.
    let invited = |config: &mut Config| {
        groups(config);
        config.signup = SignupMode::Invite;
    };
    assert!(said(&invited).await.unwrap().contains("signup = true"));
    let named = said(&|config| config.admin.email = Some("nora@example.org".into())).await.unwrap_err().to_string();
    assert!(named.contains("admin.email") && named.contains("password_login is false"), "{named}");

    let visitor = server.visitor();
    let path = format!("/api/setup/{}", "a".repeat(32));
    assert_eq!(visitor.get("/setup").await.status, 404);
    assert_eq!(visitor.get(&path).await.code(404), "not_found");
    assert_eq!(visitor.post(&path, json!({})).await.code(403), "password_login_off");
    let mut command = program::command(server.folder(), &["setup-code"]);
    command.env("SHELFWISE_PASSWORD_LOGIN", "false");
    let refused = tokio::task::spawn_blocking(move || program::run(command, "")).await.unwrap();
    assert!(refused.status == 1 && refused.err.contains("user promote"), "{} {}", refused.status, refused.err);
}

#[tokio::test]
async fn a_log_out_ends_here_where_the_provider_has_no_end_of_its_own() {
    for (name, description) in [
        ("home", json!({})),
        ("home", json!({"end_session_endpoint": "http://example.org/end"})),
        ("home", json!({"end_session_endpoint": "javascript:alert(1)"})),
        // Leaving Shelfwise does not end somebody's session at Google.
        ("google", json!({"end_session_endpoint": "http://127.0.0.1:1/end"})),
    ] {
        let (server, issuer) = house(name, |_| {}).await;
        issuer.manner().description = description.clone();
        assert_eq!(log_out(&nora(&server, &issuer, name).await).await, None, "{name} {description}");
    }
    let (server, issuer) = house("home", |_| {}).await;
    issuer.manner().description = json!({"end_session_endpoint": format!("{}/end", issuer.base)});
    let nora = nora(&server, &issuer, "home").await;
    server.advance(chrono::TimeDelta::hours(2));
    issuer.manner().turn = std::sync::Arc::new(|_| Some(redirect("https://evil.test/")));
    assert_eq!(log_out(&nora).await, None, "a provider that does not answer");
}
