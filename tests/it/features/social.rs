//! Signing in through providers: who gets an account, who is connected, and what is refused.
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::IntoResponse as _;
use reqwest::Method;
use serde_json::{Value, json};
use shelfwise::account::social::store::connect_person;
use shelfwise::config::social::Social;
use shelfwise::config::{Config, Mail, Sender, SignupMode};
use shelfwise::kit::ErrorCode;
use shelfwise::kit::id::UserId;

use crate::support::actors::{TestClient, TestResponse};
use crate::support::fault_table::row;
use crate::support::harness::TestServer;
use crate::support::issuer::{CLIENT, Issuer, SECRET, Signing, Turn, query, redirect};
use crate::support::smtp::{MailServer, Tls};

/// The settings of providers, as an operator writes them.
pub fn settings(text: &str) -> BTreeMap<String, Social> {
    toml::from_str(text).unwrap()
}

pub fn section(name: &str, issuer: &str) -> String {
    format!("[{name}]\nissuer = \"{issuer}\"\nclient_id = \"{CLIENT}\"\nclient_secret = \"{SECRET}\"\n")
}

/// A server that knows one provider as `mine`, and that provider.
pub async fn house() -> (TestServer, Issuer) {
    house_of("mine").await
}

async fn house_of(name: &str) -> (TestServer, Issuer) {
    let issuer = Issuer::start().await;
    let place = if name == "microsoft" { format!("{}/common/v2.0", issuer.base) } else { issuer.base.clone() };
    let text = section(name, &place);
    (TestServer::with(|config| config.social = settings(&text)).await, issuer)
}

/// Goes out to a provider; where to.
pub async fn leave(person: &TestClient, provider: &str) -> String {
    let out = person.get(&format!("/api/auth/oauth/{provider}")).await;
    assert_eq!(out.status, 303, "{}", out.body);
    out.header("location").to_owned()
}

pub fn path(provider: &str, answer: &HashMap<String, String>) -> String {
    let query: String = form_urlencoded::Serializer::new(String::new()).extend_pairs(answer).finish();
    format!("/api/auth/oauth/{provider}/callback?{query}")
}

/// Goes out, agrees and comes back.
pub async fn sign_in(person: &TestClient, issuer: &Issuer, provider: &str) -> TestResponse {
    let answer = issuer.agree(&leave(person, provider).await);
    person.get(&path(provider, &answer)).await
}

#[track_caller]
pub fn landed(answer: &TestResponse, place: &str) {
    assert_eq!((answer.status, answer.header("location")), (303, place), "{}", answer.body);
}

pub async fn me(person: &TestClient) -> Value {
    person.get("/api/auth/me").await.expect(200)["user"].clone()
}

/// How many accounts and identities there are.
pub async fn counted(server: &TestServer) -> (i64, i64) {
    let count = server.db.read(|conn| {
        let of = |table: &str| conn.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0));
        Ok((of("users")?, of("identities")?))
    });
    count.await.unwrap()
}

#[tokio::test]
async fn a_new_person_gets_an_account_and_later_signs_in_to_it() {
    let (server, issuer) = house().await;
    let nora = server.visitor();
    assert_eq!(nora.get("/api/auth/providers").await.expect(200), json!({"data": [{"id": "mine", "name": "mine"}]}));
    let start = nora.get("/api/auth/oauth/mine?timezone=Europe/Oslo").await;
    let out = start.header("location").to_owned();
    let asked = query(&out);
    assert!(out.starts_with(&format!("{}/authorize?", issuer.base)), "{out}");
    assert!(asked["state"].len() >= 43 && asked["nonce"].len() >= 43 && asked["scope"] == "openid email profile");
    assert!(asked["redirect_uri"].ends_with("/api/auth/oauth/mine/callback"));
    let cookie = start.header("set-cookie");
    assert!(
        cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && cookie.contains("Max-Age=600"),
        "{cookie}"
    );

    let back = nora.get(&path("mine", &issuer.agree(&out))).await;
    landed(&back, "/dashboard");
    let user = me(&nora).await;
    assert_eq!(
        (&user["displayName"], &user["email"], &user["role"]),
        (&json!("Nora L"), &json!("nora@example.org"), &json!("user"))
    );
    assert_eq!(nora.get("/api/preferences").await.expect(200)["preferences"]["timezone"], "Europe/Oslo");
    let listed = nora.get("/api/account/identities").await.expect(200);
    assert_eq!(listed["hasPassword"], false);
    let identity = listed["data"][0].as_object().unwrap();
    assert_eq!(identity.keys().collect::<Vec<_>>(), ["email", "linkedAt", "name", "provider"]);
    assert_eq!((&identity["provider"], &identity["email"]), (&json!("mine"), &json!("nora@example.org")));

    let elsewhere = server.visitor();
    landed(&sign_in(&elsewhere, &issuer, "mine").await, "/dashboard");
    assert_eq!(me(&elsewhere).await["id"], user["id"]);
    assert_eq!(counted(&server).await, (1, 1));
}

#[tokio::test]
async fn no_access_token_refresh_token_or_sign_in_secret_is_stored() {
    let (server, issuer) = house().await;
    let nora = server.visitor();
    let out = leave(&nora, "mine").await;
    landed(&nora.get(&path("mine", &issuer.agree(&out))).await, "/dashboard");
    let asked = query(&out);
    let file = std::fs::read(server.folder().join("shelfwise.db")).unwrap();
    let log = std::fs::read(server.folder().join("shelfwise.db-wal")).unwrap_or_default();
    let kept = [file, log].concat();
    let holds = |text: &str| kept.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("nora-1"), "the subject is what somebody is known by");
    for secret in [&asked["state"], &asked["nonce"], "refresh", SECRET] {
        assert!(!holds(secret), "{secret} is in the database");
    }
}

#[tokio::test]
async fn people_sign_in_with_each_kind_of_provider() {
    for (name, scope) in [
        ("google", "openid email profile"),
        ("github", "read:user user:email"),
        ("facebook", "email public_profile"),
        ("keycloak", "openid email profile"),
    ] {
        let (server, issuer) = house_of(name).await;
        issuer.manner().signing = Signing::Curve;
        if name == "facebook" {
            issuer.manner().user = json!({"id": "10", "name": "Nora L", "email": "nora@example.org"});
        }
        let nora = server.visitor();
        let out = leave(&nora, name).await;
        assert_eq!(query(&out)["scope"], scope);
        landed(&nora.get(&path(name, &issuer.agree(&out))).await, "/dashboard");
        let user = me(&nora).await;
        assert_eq!((&user["displayName"], &user["email"]), (&json!("Nora L"), &json!("nora@example.org")), "{name}");
        landed(&sign_in(&server.visitor(), &issuer, name).await, "/dashboard");
        assert_eq!(counted(&server).await, (1, 1), "{name}");
    }
}

#[tokio::test]
async fn githubs_address_is_the_primary_one_and_must_be_confirmed() {
    let (server, issuer) = house_of("github").await;
    issuer.manner().emails = json!([
        {"email": "other@example.org", "primary": false, "verified": true},
        {"email": "nora@example.org", "primary": true, "verified": false},
    ]);
    landed(&sign_in(&server.visitor(), &issuer, "github").await, "/login?error=email_unverified&provider=github");
    // GitHub says with a 200 that it does not take a code.
    let wrong = json!({"error": "bad_verification_code", "error_description": "The code is incorrect."});
    issuer.manner().turn =
        Arc::new(move |path| (path == "/login/oauth/access_token").then(|| axum::Json(wrong.clone()).into_response()));
    landed(&sign_in(&server.visitor(), &issuer, "github").await, "/login?error=refused&provider=github");
    assert_eq!(counted(&server).await, (0, 0));
}

#[tokio::test]
async fn microsofts_tenant_is_in_its_issuer_and_its_addresses_need_proof() {
    let (server, issuer) = house_of("microsoft").await;
    let tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47";
    let own = format!("{}/{tenant}/v2.0", issuer.base);
    issuer.manner().description = json!({"issuer": format!("{}/{{tenantid}}/v2.0", issuer.base)});
    let claims = json!({"iss": own, "tid": tenant, "sub": "m", "email": "nora@example.org", "email_verified": null, "name": "Nora L"});
    issuer.manner().claims = claims.clone();
    let says = async |over: Value| {
        let mut said = claims.clone();
        for (key, value) in over.as_object().unwrap() {
            said[key] = value.clone();
        }
        issuer.manner().claims = said;
        sign_in(&server.visitor(), &issuer, "microsoft").await
    };
    landed(&says(json!({})).await, "/login?error=email_unverified&provider=microsoft");
    landed(&says(json!({"email_verified": true})).await, "/login?error=email_unverified&provider=microsoft");
    landed(
        &says(json!({"tid": "00000000-0000-0000-0000-000000000000"})).await,
        "/login?error=refused&provider=microsoft",
    );
    landed(&says(json!({"tid": null})).await, "/login?error=refused&provider=microsoft");
    let evil = "x/../../evil";
    let forged = json!({"tid": evil, "iss": format!("{}/{evil}/v2.0", issuer.base)});
    landed(&says(forged).await, "/login?error=refused&provider=microsoft");
    assert_eq!(counted(&server).await, (0, 0));
    landed(&says(json!({"xms_edov": "1"})).await, "/dashboard");
    // The same number at another tenant is another person.
    let other = "9188040d-6c67-4c5b-b112-36a304b66dad";
    let personal = json!({"tid": other, "iss": format!("{}/{other}/v2.0", issuer.base), "email": "rosa@example.org"});
    landed(&says(personal).await, "/dashboard");
    assert_eq!(counted(&server).await, (2, 2));
}

#[tokio::test]
async fn apple_posts_its_response_and_gets_a_signed_client_secret() {
    let issuer = Issuer::start().await;
    let pkcs8 = ring::signature::EcdsaKeyPair::generate_pkcs8(
        &ring::signature::ECDSA_P256_SHA256_FIXED_SIGNING,
        &ring::rand::SystemRandom::new(),
    );
    let base64 = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, pkcs8.unwrap());
    let text = format!(
        "[apple]\nissuer = \"{}\"\nclient_id = \"{CLIENT}\"\nteam_id = \"TEAM\"\nkey_id = \"KEY\"\nprivate_key = \"\"\"\n\
         -----BEGIN PRIVATE KEY-----\n{base64}\n-----END PRIVATE KEY-----\n\"\"\"\n",
        issuer.base
    );
    let server = TestServer::with(|config| config.social = settings(&text)).await;
    issuer.manner().claims = json!({"sub": "a", "email": "nora@example.org", "email_verified": "true"});
    let nora = server.visitor();
    let start = nora.get("/api/auth/oauth/apple").await;
    let cookie = start.header("set-cookie").to_owned();
    assert!(cookie.contains("SameSite=None") && cookie.contains("Secure") && cookie.contains("HttpOnly"), "{cookie}");
    assert_eq!(query(start.header("location"))["response_mode"], "form_post");
    let mut form = issuer.agree(start.header("location"));
    form.insert("user".into(), json!({"name": {"firstName": "Nora", "lastName": "L"}}).to_string());
    let post = |cookie: &str| {
        let body: String = form_urlencoded::Serializer::new(String::new()).extend_pairs(&form).finish();
        let request = nora.request(Method::POST, "/api/auth/oauth/apple/callback").body(body);
        let cookie = cookie.split(';').next().unwrap_or_default();
        // As a browser sends it from Apple's page.
        request
            .header("cookie", cookie)
            .header("sec-fetch-site", "cross-site")
            .header("origin", "https://appleid.apple.com")
    };
    assert_eq!(nora.send(post("")).await.status, 400, "without the cookie that it began with");
    landed(&nora.send(post(&cookie)).await, "/dashboard");
    assert_eq!(me(&nora).await["displayName"], "Nora L");
    let proof = issuer.manner().form["client_secret"].clone();
    let part = |index: usize| {
        let text = proof.split('.').nth(index).unwrap();
        let bytes = base64::Engine::decode(&base64::engine::general_purpose::URL_SAFE_NO_PAD, text).unwrap();
        serde_json::from_slice::<Value>(&bytes).unwrap()
    };
    assert_eq!((&part(0)["alg"], &part(0)["kid"]), (&json!("ES256"), &json!("KEY")));
    assert_eq!(
        (&part(1)["iss"], &part(1)["sub"], &part(1)["aud"]),
        (&json!("TEAM"), &json!(CLIENT), &json!(issuer.base))
    );
    assert_eq!(nora.send(post(&cookie)).await.status, 400, "a second time");
}

#[tokio::test]
async fn without_a_sign_in_of_this_browser_the_answer_is_400() {
    let (server, issuer) = house().await;
    let nora = server.visitor();
    let answer = issuer.agree(&leave(&nora, "mine").await);
    let with = |key: &str, value: &str| {
        let mut changed = answer.clone();
        changed.insert(key.to_owned(), value.to_owned());
        path("mine", &changed)
    };
    assert_eq!(server.visitor().get(&path("mine", &answer)).await.status, 400, "another browser");
    assert_eq!(
        nora.get(&with("state", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")).await.status,
        400,
        "another state"
    );
    assert_eq!(nora.get(&with("state", "")).await.code(400), "unreadable");
    assert_eq!(nora.get("/api/auth/oauth/mine/callback").await.status, 400, "nothing");
    assert_eq!(nora.get(&format!("{}&state=x", path("mine", &answer))).await.status, 400, "two states");
    assert_eq!(nora.get(&path("other", &answer)).await.status, 400, "an unknown provider");
    let form = nora.request(Method::POST, "/api/auth/oauth/mine/callback").body("x".repeat(100_000));
    assert_eq!(nora.send(form).await.status, 400, "a form beyond every measure");
    landed(&nora.get(&path("mine", &answer)).await, "/dashboard");
    assert_eq!(nora.get(&path("mine", &answer)).await.status, 400, "a second time");
    assert_eq!(counted(&server).await, (1, 1));
}

#[tokio::test]
async fn a_response_is_accepted_only_from_the_requested_provider() {
    let (honest, hostile) = (Issuer::start().await, Issuer::start().await);
    let text = format!("{}{}", section("honest", &honest.base), section("hostile", &hostile.base));
    let server = TestServer::with(|config| config.social = settings(&text)).await;
    // The hostile provider sends people on to the honest one, and their answer to its own address.
    let nora = server.visitor();
    let asked = query(&leave(&nora, "hostile").await);
    let mut forwarded = asked.clone();
    forwarded.insert("state".into(), asked["state"].clone());
    let out = format!("x?{}", form_urlencoded::Serializer::new(String::new()).extend_pairs(&forwarded).finish());
    let answer = honest.agree(&out);
    assert_eq!(nora.get(&path("honest", &answer)).await.status, 400);
    let mut named = answer.clone();
    named.insert("iss".into(), honest.base.clone());
    landed(&nora.get(&path("hostile", &named)).await, "/login?error=refused&provider=hostile");
    assert_eq!(hostile.manner().asked.get("/token"), None, "the code was handed to the hostile provider");

    // A provider that says it names itself must.
    hostile.manner().description = json!({"authorization_response_iss_parameter_supported": true});
    let server = TestServer::with(|config| config.social = settings(&text)).await;
    let refused = sign_in(&server.visitor(), &hostile, "hostile").await;
    landed(&refused, "/login?error=refused&provider=hostile");
    assert_eq!(counted(&server).await, (0, 0));
}

/// One way for a provider to lie.
struct Lie {
    name: &'static str,
    claims: fn(&mut Value),
    signing: Signing,
    header: Value,
}

fn lies() -> Vec<Lie> {
    let says = |name, claims: fn(&mut Value)| Lie { name, claims, signing: Signing::Rsa, header: json!({}) };
    let signs = |name, signing| Lie { name, claims: |_| {}, signing, header: json!({}) };
    let heads = |name, header| Lie { name, claims: |_| {}, signing: Signing::Rsa, header };
    vec![
        says("another nonce", |claims| claims["nonce"] = json!("another")),
        says("no nonce", |claims| claims["nonce"] = Value::Null),
        says("another issuer", |claims| claims["iss"] = json!("https://accounts.google.com")),
        says("an issuer that begins alike", |claims| {
            claims["iss"] = json!(format!("{}.evil.test", claims["iss"].as_str().unwrap()))
        }),
        says("no issuer", |claims| claims["iss"] = json!("")),
        says("another audience", |claims| claims["aud"] = json!("another")),
        says("no audience", |claims| claims["aud"] = json!([])),
        says("a second audience and no party", |claims| claims["aud"] = json!([CLIENT, "another"])),
        says("another party", |claims| claims["azp"] = json!("another")),
        says("expired", |claims| claims["exp"] = json!(chrono::Utc::now().timestamp() - 61)),
        says("no end", |claims| claims["exp"] = Value::Null),
        says("an end that is no number", |claims| claims["exp"] = json!("never")),
        says("not valid yet", |claims| claims["nbf"] = json!(chrono::Utc::now().timestamp() + 300)),
        says("made in the future", |claims| claims["iat"] = json!(chrono::Utc::now().timestamp() + 300)),
        says("no subject", |claims| claims["sub"] = json!("")),
        says("a missing subject", |claims| drop(claims.as_object_mut().unwrap().remove("sub"))),
        says("a subject that is no text", |claims| claims["sub"] = json!(1)),
        says("a subject beyond every measure", |claims| claims["sub"] = json!("s".repeat(256))),
        says("a subject with a control character", |claims| claims["sub"] = json!("nora-1\u{0}")),
        signs("alg none", Signing::None),
        signs("HS256 with the public key", Signing::PublicKey),
        signs("HS256 with the client's secret", Signing::ClientSecret),
        signs("a key that nobody published", Signing::Forged),
        signs("a key published in the token itself", Signing::Embedded),
        signs("a curve's signature called RSA", Signing::Mislabelled),
        heads("an unknown algorithm", json!({"alg": "RS1"})),
        heads("none, in another case", json!({"alg": "nOnE"})),
        heads("a critical extension", json!({"crit": ["exp"]})),
        heads("another key's name", json!({"kid": "curve"})),
        heads("an encryption key's name", json!({"kid": "other"})),
    ]
}

#[tokio::test]
async fn thirty_invalid_tokens_sign_nobody_in_and_connect_nothing() {
    let (server, issuer) = house().await;
    let rosa = server.reader().await;
    let lies = lies();
    let tried = lies.len();
    assert!(tried >= 30);
    for lie in lies {
        issuer.manner().change = Arc::new(lie.claims);
        (issuer.manner().signing, issuer.manner().header) = (lie.signing, lie.header);
        let nobody = server.visitor();
        let answer = sign_in(&nobody, &issuer, "mine").await;
        assert_eq!(
            (answer.status, answer.header("location")),
            (303, "/login?error=refused&provider=mine"),
            "{}",
            lie.name
        );
        let set: Vec<_> = answer.headers.get_all("set-cookie").iter().collect();
        assert!(set.len() == 1 && set[0].to_str().unwrap().starts_with("shelfwise_oauth=;"), "{}: {set:?}", lie.name);
        assert_eq!(nobody.get("/api/auth/me").await.status, 401, "{}", lie.name);
        let linking = sign_in(&rosa, &issuer, "mine").await;
        assert_eq!(linking.header("location"), "/account?error=refused&provider=mine", "{}", lie.name);
        assert_eq!(counted(&server).await, (1, 0), "{}", lie.name);
        // As if the next one came from another address: an hour's attempts of one are fewer.
        let here = server.address.ip();
        (0..2).for_each(|_| server.app.attempts.knew_secret(here));
    }
    issuer.manner().change = Arc::new(|_| {});
    (issuer.manner().signing, issuer.manner().header) = (Signing::Rsa, json!({}));
    landed(&sign_in(&server.visitor(), &issuer, "mine").await, "/dashboard");
    row("false identity tokens, each to sign in and to connect", tried, "all refused", "none works");
}

/// Answers in the provider's place at one address.
fn instead(place: &'static str, what: impl Fn() -> axum::response::Response + Send + Sync + 'static) -> Turn {
    Arc::new(move |path| (path == place).then(&what))
}

#[tokio::test]
async fn wrong_late_long_and_redirected_responses_sign_nobody_in() {
    const DESCRIPTION: &str = "/.well-known/openid-configuration";
    let long = || "x".repeat(300 * 1024).into_response();
    let hanging = || StatusCode::REQUEST_TIMEOUT.into_response();
    let away = || redirect("https://evil.test/");
    let page = || axum::response::Html("<h1>Wrong</h1>").into_response();
    let refused = "/login?error=refused&provider=mine";
    let unavailable = "/login?error=unavailable&provider=mine";
    let mut running = tokio::task::JoinSet::new();
    for (what, turn, lands) in [
        ("a description that is gone", instead(DESCRIPTION, || StatusCode::NOT_FOUND.into_response()), unavailable),
        ("a description elsewhere", instead(DESCRIPTION, away), unavailable),
        ("a description beyond every measure", instead(DESCRIPTION, long), unavailable),
        ("a description that is a page", instead(DESCRIPTION, page), unavailable),
        ("a description that never comes", instead(DESCRIPTION, hanging), unavailable),
        ("tokens with an error", instead("/token", || StatusCode::INTERNAL_SERVER_ERROR.into_response()), refused),
        ("tokens elsewhere", instead("/token", away), refused),
        ("tokens beyond every measure", instead("/token", long), unavailable),
        ("tokens that are a page", instead("/token", page), refused),
        ("tokens that never come", instead("/token", hanging), unavailable),
        (
            "no identity token",
            instead("/token", || axum::Json(json!({"access_token": "a", "token_type": "bearer"})).into_response()),
            refused,
        ),
        (
            "an identity token that is none",
            instead("/token", || {
                axum::Json(json!({"access_token": "a", "token_type": "bearer", "id_token": "a.b"})).into_response()
            }),
            refused,
        ),
        ("keys elsewhere", instead("/jwks", away), unavailable),
        ("keys beyond every measure", instead("/jwks", long), unavailable),
        ("no keys", instead("/jwks", || axum::Json(json!({"keys": []})).into_response()), refused),
        ("keys that never come", instead("/jwks", hanging), unavailable),
    ] {
        running.spawn(async move {
            let (server, issuer) = house().await;
            issuer.manner().turn = turn;
            let nobody = server.visitor();
            let start = nobody.get("/api/auth/oauth/mine").await;
            let out = start.header("location").to_owned();
            let landed =
                if out.starts_with("/login") { start } else { nobody.get(&path("mine", &issuer.agree(&out))).await };
            assert_eq!((landed.status, landed.header("location")), (303, lands), "{what}");
            assert_eq!(nobody.get("/api/auth/me").await.status, 401, "{what}");
            assert_eq!(counted(&server).await, (0, 0), "{what}");
        });
    }
    while let Some(done) = running.join_next().await {
        done.unwrap();
    }
}

#[tokio::test]
async fn a_description_of_another_issuer_or_with_an_address_off_this_machine_without_https_is_refused() {
    for over in [
        json!({"issuer": "https://accounts.google.com"}),
        json!({"token_endpoint": "http://192.0.2.1/token"}),
        json!({"jwks_uri": "file:///etc/passwd"}),
        json!({"userinfo_endpoint": "http://example.org/"}),
        json!({"authorization_endpoint": "javascript:alert(1)"}),
    ] {
        let (server, issuer) = house().await;
        issuer.manner().description = over.clone();
        let start = server.visitor().get("/api/auth/oauth/mine").await;
        assert_eq!(start.header("location"), "/login?error=refused&provider=mine", "{over}");
    }
    // A name for the tenant is Microsoft's alone.
    let (server, issuer) = house().await;
    issuer.manner().description = json!({"issuer": format!("{}/{{tenantid}}", issuer.base)});
    landed(&server.visitor().get("/api/auth/oauth/mine").await, "/login?error=refused&provider=mine");
}

#[tokio::test]
async fn refusals_by_provider_or_person_lead_to_the_login_page() {
    let (server, _issuer) = house().await;
    for (error, lands) in [
        ("access_denied", "/login?error=cancelled&provider=mine"),
        ("server_error", "/login?error=unavailable&provider=mine"),
        ("<script>alert(1)</script>", "/login?error=refused&provider=mine"),
    ] {
        let nora = server.visitor();
        let state = query(&leave(&nora, "mine").await)["state"].clone();
        let answer = HashMap::from([("error".to_owned(), error.to_owned()), ("state".to_owned(), state)]);
        landed(&nora.get(&path("mine", &answer)).await, lands);
    }
    for code in [None, Some(""), Some("unknown"), Some("a&code=b")] {
        let nora = server.visitor();
        let state = query(&leave(&nora, "mine").await)["state"].clone();
        let code = code.map(|code| format!("&code={code}")).unwrap_or_default();
        let back = nora.get(&format!("/api/auth/oauth/mine/callback?state={state}{code}")).await;
        landed(&back, "/login?error=refused&provider=mine");
    }
    landed(&server.visitor().get("/api/auth/oauth/unknown").await, "/login?error=unknown_provider");
    assert_eq!(counted(&server).await, (0, 0));
}

#[tokio::test]
async fn a_cancelled_sign_in_is_not_remembered_as_used() {
    let (server, issuer) = house().await;
    let start = server.visitor().get("/api/auth/oauth/mine").await;
    let cookie = start.header("set-cookie").split(';').next().unwrap().to_owned();
    let out = start.header("location");
    let state = query(out)["state"].clone();
    let cancelled = HashMap::from([("error".to_owned(), "access_denied".to_owned()), ("state".to_owned(), state)]);
    let agreed = issuer.agree(out);
    let bring = async |answer: &HashMap<String, String>| {
        let browser = server.visitor();
        browser.send(browser.request(Method::GET, &path("mine", answer)).header("cookie", &cookie)).await
    };
    for _ in 0..2 {
        landed(&bring(&cancelled).await, "/login?error=cancelled&provider=mine");
    }
    // A code uses up the state.
    landed(&bring(&agreed).await, "/dashboard");
    assert_eq!(bring(&agreed).await.status, 400);
}

#[tokio::test]
async fn a_code_works_once_and_only_for_the_browser_that_requested_it() {
    let (server, issuer) = house().await;
    let (nora, thief) = (server.visitor(), server.visitor());
    let stolen = issuer.agree(&leave(&nora, "mine").await);
    // The thief has a sign-in under way, and puts the stolen code into its answer: the verifier is another.
    let state = query(&leave(&thief, "mine").await)["state"].clone();
    let injected = HashMap::from([("code".to_owned(), stolen["code"].clone()), ("state".to_owned(), state)]);
    landed(&thief.get(&path("mine", &injected)).await, "/login?error=refused&provider=mine");
    assert_eq!(thief.get("/api/auth/me").await.status, 401);
    landed(&nora.get(&path("mine", &stolen)).await, "/login?error=refused&provider=mine");
    assert_eq!(counted(&server).await, (0, 0));
}

#[tokio::test]
async fn an_address_sends_sixty_invalid_codes_per_hour_to_the_provider() {
    let (server, issuer) = house().await;
    let nora = server.visitor();
    let bring = async |code: &str| {
        let state = query(&leave(&nora, "mine").await)["state"].clone();
        let answer = HashMap::from([("code".to_owned(), code.to_owned()), ("state".to_owned(), state)]);
        nora.get(&path("mine", &answer)).await.header("location").to_owned()
    };
    for n in 0..60 {
        assert_eq!(bring(&format!("guess-{n}")).await, "/login?error=refused&provider=mine");
    }
    assert_eq!(bring("one more").await, "/login?error=too_many_attempts&provider=mine");
    assert_eq!(issuer.manner().asked["/token"], 60);
    // Who cancels, comes without a sign-in of their own, or is known costs nothing.
    let (server, issuer) = house().await;
    for _ in 0..61 {
        assert_eq!(server.visitor().get("/api/auth/oauth/mine/callback?state=x&code=y").await.status, 400);
    }
    for _ in 0..31 {
        let nora = server.visitor();
        let state = query(&leave(&nora, "mine").await)["state"].clone();
        let cancelled = HashMap::from([("error".to_owned(), "access_denied".to_owned()), ("state".to_owned(), state)]);
        landed(&nora.get(&path("mine", &cancelled)).await, "/login?error=cancelled&provider=mine");
        landed(&sign_in(&nora, &issuer, "mine").await, "/dashboard");
    }
}

#[tokio::test]
async fn an_existing_address_is_never_linked_and_an_unconfirmed_one_creates_no_account() {
    let (server, issuer) = house().await;
    let rosa = server.reader().await;
    let say = |email: Value, verified: Value| {
        issuer.manner().claims = json!({"sub": "nora-1", "email": email, "email_verified": verified});
    };
    let lands = async || sign_in(&server.visitor(), &issuer, "mine").await.header("location").to_owned();
    say(json!(rosa.email.to_uppercase()), json!(true));
    assert_eq!(lands().await, "/login?error=email_taken&provider=mine");
    for (email, verified, error) in [
        (json!("nora@example.org"), json!(false), "email_unverified"),
        (json!("nora@example.org"), json!("false"), "email_unverified"),
        (json!("nora@example.org"), json!(null), "email_unverified"),
        (json!("nora@example.org"), json!({"yes": true}), "email_unverified"),
        (json!(rosa.email), json!(false), "email_unverified"),
        (json!("nowhere"), json!(true), "email_missing"),
        (json!(""), json!(true), "email_missing"),
    ] {
        say(email, verified);
        assert_eq!(lands().await, format!("/login?error={error}&provider=mine"));
    }
    assert_eq!(counted(&server).await, (1, 0));
}

#[tokio::test]
async fn an_account_follows_its_person_to_another_id_at_the_provider() {
    let (server, issuer) = house().await;
    let nora = server.visitor();
    landed(&sign_in(&nora, &issuer, "mine").await, "/dashboard");
    let id = me(&nora).await["id"].clone();
    issuer.manner().claims = json!({"sub": "moved", "email": "nora@example.org", "email_verified": true});
    landed(&sign_in(&server.visitor(), &issuer, "mine").await, "/login?error=email_taken&provider=mine");
    let account = UserId(id.as_i64().unwrap());
    server.db.write(move |tx| connect_person(tx, account, "mine", "moved", None)).await.unwrap();
    let again = server.visitor();
    landed(&sign_in(&again, &issuer, "mine").await, "/dashboard");
    assert_eq!(me(&again).await["id"], id);
    assert_eq!(counted(&server).await, (1, 1));

    let other = UserId(server.reader().await.id);
    let taken = server.db.write(move |tx| connect_person(tx, other, "mine", "moved", None)).await.unwrap_err();
    assert_eq!(taken.code(), ErrorCode::NotFound, "no issuer is known");
    let base = issuer.base.clone();
    let taken = server.db.write(move |tx| connect_person(tx, other, "mine", "moved", Some(&base))).await.unwrap_err();
    assert_eq!(taken.code(), ErrorCode::LinkedElsewhere);
}

#[tokio::test]
async fn accounts_are_created_only_if_signup_is_open_and_a_disabled_one_stays_disabled() {
    let issuer = Issuer::start().await;
    let text = section("mine", &issuer.base);
    for signup in [SignupMode::Invite, SignupMode::Closed] {
        let server = TestServer::with(|config| (config.social, config.signup) = (settings(&text), signup)).await;
        landed(&sign_in(&server.visitor(), &issuer, "mine").await, "/login?error=signup_closed&provider=mine");
        assert_eq!(counted(&server).await, (0, 0));
    }
    let server = TestServer::with(|config| config.social = settings(&text)).await;
    landed(&sign_in(&server.visitor(), &issuer, "mine").await, "/dashboard");
    server.db.write(|tx| Ok(tx.execute("UPDATE users SET disabled = 1", [])?)).await.unwrap();
    landed(&sign_in(&server.visitor(), &issuer, "mine").await, "/login?error=disabled&provider=mine");
}

#[tokio::test]
async fn the_same_subject_at_another_issuer_is_another_person() {
    let (one, two) = (Issuer::start().await, Issuer::start().await);
    let text = format!("{}{}", section("one", &one.base), section("two", &two.base));
    let server = TestServer::with(|config| config.social = settings(&text)).await;
    landed(&sign_in(&server.visitor(), &one, "one").await, "/dashboard");
    landed(&sign_in(&server.visitor(), &two, "two").await, "/login?error=email_taken&provider=two");
    two.manner().claims = json!({"sub": "nora-1", "email": "another@example.org", "email_verified": true});
    landed(&sign_in(&server.visitor(), &two, "two").await, "/dashboard");
    assert_eq!(counted(&server).await, (2, 2));
}

#[tokio::test]
async fn keys_are_fetched_once_and_again_when_they_rotate() {
    let (server, issuer) = house().await;
    issuer.manner().signing = Signing::Curve;
    for _ in 0..2 {
        landed(&sign_in(&server.visitor(), &issuer, "mine").await, "/dashboard");
    }
    assert_eq!(issuer.manner().asked["/jwks"], 1);
    assert_eq!(issuer.manner().asked["/.well-known/openid-configuration"], 1);
    issuer.rotate();
    landed(&sign_in(&server.visitor(), &issuer, "mine").await, "/dashboard");
    assert_eq!(issuer.manner().asked["/jwks"], 2);
}

#[tokio::test]
async fn an_address_missing_in_the_token_is_requested_and_accepted_for_the_same_subject_only() {
    let (server, issuer) = house().await;
    issuer.manner().description = json!({"token_endpoint_auth_methods_supported": ["client_secret_post"]});
    issuer.manner().claims = json!({"sub": "nora-1"});
    issuer.manner().userinfo = json!({"sub": "rosa-1", "email": "nora@example.org", "email_verified": true});
    landed(&sign_in(&server.visitor(), &issuer, "mine").await, "/login?error=refused&provider=mine");
    issuer.manner().userinfo =
        json!({"sub": "nora-1", "email": "nora@example.org", "email_verified": true, "preferred_username": "nora"});
    let nora = server.visitor();
    landed(&sign_in(&nora, &issuer, "mine").await, "/dashboard");
    assert_eq!(me(&nora).await["displayName"], "nora");
    assert_eq!(issuer.manner().form["client_secret"], SECRET);
}

#[tokio::test]
async fn a_reader_connects_and_disconnects_a_provider_but_keeps_one_way_to_sign_in() {
    let (server, issuer) = house().await;
    let rosa = server.reader().await;
    landed(&sign_in(&rosa, &issuer, "mine").await, "/account");
    landed(&sign_in(&rosa, &issuer, "mine").await, "/account");
    let listed = rosa.get("/api/account/identities").await.expect(200);
    assert_eq!((&listed["hasPassword"], listed["data"].as_array().unwrap().len()), (&json!(true), 1));

    let nora = server.reader().await;
    landed(&sign_in(&nora, &issuer, "mine").await, "/account?error=linked_elsewhere&provider=mine");
    issuer.manner().claims = json!({"sub": "rosa-2", "email": "rosa-2@example.org"});
    landed(&sign_in(&rosa, &issuer, "mine").await, "/account?error=already_linked&provider=mine");

    issuer.manner().claims = json!({"sub": "nora-1", "email": "nora@example.org"});
    let elsewhere = server.visitor();
    landed(&sign_in(&elsewhere, &issuer, "mine").await, "/dashboard");
    assert_eq!(me(&elsewhere).await["id"], json!(rosa.id));
    assert_eq!(nora.delete("/api/account/identities/mine").await.code(404), "not_found");
    assert_eq!(rosa.delete("/api/account/identities/mine").await.status, 204);
    assert_eq!(rosa.delete("/api/account/identities/mine").await.status, 404);
    landed(&sign_in(&server.visitor(), &issuer, "mine").await, "/login?error=email_unverified&provider=mine");

    issuer.manner().claims = json!({"sub": "ida", "email": "ida@example.org", "email_verified": true});
    let ida = server.visitor();
    landed(&sign_in(&ida, &issuer, "mine").await, "/dashboard");
    assert_eq!(ida.delete("/api/account/identities/mine").await.code(409), "last_way_in");
    let change = ida.patch("/api/account", json!({"email": "new@example.org", "currentPassword": "guess at it"})).await;
    assert_eq!(change.code(403), "wrong_password");
    ida.post("/api/account/password", json!({"newPassword": "a long enough passphrase"})).await.expect(204);
    assert_eq!(ida.get("/api/account/identities").await.expect(200)["hasPassword"], true);
    assert_eq!(ida.delete("/api/account/identities/mine").await.status, 204);
    let login = json!({"email": "ida@example.org", "password": "a long enough passphrase"});
    server.visitor().post("/api/auth/login", login).await.expect(200);
}

#[tokio::test]
async fn connecting_a_provider_is_reported_by_mail_once() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let issuer = Issuer::start().await;
    let text = section("mine", &issuer.base);
    let with = |config: &mut Config| {
        let from = Sender::try_from("books@example.org".to_owned()).unwrap();
        config.mail = Mail { url: Some(mail.url().into()), url_file: None, from: Some(from) };
        config.public_url = Some("http://books.test".to_owned().try_into().unwrap());
        config.social = settings(&text);
    };
    let server = TestServer::with(with).await;
    let rosa = server.reader().await;
    for _ in 0..2 {
        landed(&sign_in(&rosa, &issuer, "mine").await, "/account");
    }
    let message = mail.next().await;
    assert_eq!((message.to(), message.link("http://books.test")), (rosa.email.as_str(), "http://books.test/account"));
    assert_eq!(message.headers["subject"], "A new way to log in to your Shelfwise account");
    let forgot = json!({"email": rosa.email});
    rosa.post("/api/auth/password-reset", forgot).await.expect(204);
    assert_eq!(mail.next().await.headers["subject"], "Set a new password for Shelfwise", "no second word of the same");
}

#[tokio::test]
async fn a_provider_removed_from_the_settings_signs_nobody_in() {
    let (server, issuer) = house().await;
    let nora = server.visitor();
    landed(&sign_in(&nora, &issuer, "mine").await, "/dashboard");
    let id = me(&nora).await["id"].as_i64().unwrap();
    let gone = server.db.write(move |tx| {
        let row = "INSERT INTO identities (user_id, provider, issuer, subject, linked_at) VALUES (?1, 'gone', 'https://gone.test', '1', '2026-01-01T00:00:00Z')";
        Ok(tx.execute(row, [id])?)
    });
    gone.await.unwrap();
    let listed = nora.get("/api/account/identities").await.expect(200);
    assert_eq!((&listed["data"][0]["provider"], &listed["data"][0]["name"]), (&json!("gone"), &json!("gone")));
    assert_eq!(nora.delete("/api/account/identities/mine").await.code(409), "last_way_in");
    assert_eq!(nora.delete("/api/account/identities/gone").await.status, 204);
}

#[tokio::test]
async fn connecting_begins_on_this_servers_own_pages_and_ends_with_its_session() {
    let (server, issuer) = house().await;
    let rosa = server.reader().await;
    for site in ["cross-site", "same-site"] {
        let sent = rosa.request(Method::GET, "/api/auth/oauth/mine").header("sec-fetch-site", site);
        landed(&rosa.send(sent).await, "/account?error=started_elsewhere&provider=mine");
    }
    let answer = issuer.agree(&leave(&rosa, "mine").await);
    rosa.post("/api/auth/logout", json!({})).await;
    landed(&rosa.get(&path("mine", &answer)).await, "/login?error=signed_out&provider=mine");
    assert_eq!(counted(&server).await, (1, 0));

    let answer = issuer.agree(&leave(&rosa, "mine").await);
    landed(&rosa.get(&path("mine", &answer)).await, "/dashboard");
    assert_eq!(counted(&server).await, (2, 1));
}

#[tokio::test]
async fn identities_are_in_the_export_and_deleted_with_the_account() {
    let (server, issuer) = house().await;
    issuer.manner().claims =
        json!({"sub": "canary-subject-7", "email": "canary-7@example.org", "email_verified": true});
    let nora = server.visitor();
    landed(&sign_in(&nora, &issuer, "mine").await, "/dashboard");
    let zip = nora.get("/api/account/export").await;
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(zip.bytes)).unwrap();
    let text = std::io::read_to_string(archive.by_name("identities.json").unwrap()).unwrap();
    let listed: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&listed[0]["issuer"], &listed[0]["subject"]), (&json!(issuer.base), &json!("canary-subject-7")));
    assert_eq!(nora.delete("/api/account").await.status, 204);
    server.db.compact().await.unwrap();
    assert_eq!(counted(&server).await, (0, 0));
    for name in ["shelfwise.db", "shelfwise.db-wal"] {
        let bytes = std::fs::read(server.folder().join(name)).unwrap_or_default();
        let canary = b"canary-subject-7";
        assert!(!bytes.windows(canary.len()).any(|window| window == canary), "the subject is still in {name}");
    }
}

#[tokio::test]
async fn incomplete_sections_show_no_button() {
    let text = "[google]\nclient_id = \"here\"\n[facebook]\nclient_secret = \"s\"\n[apple]\nclient_id = \"a\"\nclient_secret = \"s\"\n";
    let text = format!(
        "{text}{}[microsoft]\nclient_id = \"m\"\nclient_secret = \"s\"\n",
        section("authelia", "https://auth.example.org")
    );
    let server = TestServer::with(|config| config.social = settings(&text)).await;
    let listed = server.visitor().get("/api/auth/providers").await.expect(200);
    assert_eq!(
        listed,
        json!({"data": [{"id": "microsoft", "name": "Microsoft"}, {"id": "authelia", "name": "authelia"}]})
    );
}
