//! What a provider may decide: who gets an account, which account an address opens, and what a person's groups allow.
use serde_json::{Value, json};
use shelfwise::config::{Config, Mail, Sender, SignupMode};

use super::social::{counted, landed, me, section, settings, sign_in};
use crate::support::actors::{Reader, TestClient};
use crate::support::harness::TestServer;
use crate::support::issuer::Issuer;
use crate::support::smtp::{MailServer, Tls};

/// A server that knows one provider as `mine`, with further settings of that provider.
async fn house(more: &str) -> (TestServer, Issuer) {
    house_with(more, |_| {}).await
}

async fn house_with(more: &str, change: impl FnOnce(&mut Config)) -> (TestServer, Issuer) {
    let issuer = Issuer::start().await;
    let text = format!("{}{more}\n", section("mine", &issuer.base));
    let server = TestServer::with(|config| {
        config.social = settings(&text);
        change(config);
    });
    (server.await, issuer)
}

/// Signs in with these claims, in a new browser. Returns the page that it leads to, and the browser.
async fn arrive(server: &TestServer, issuer: &Issuer, claims: Value) -> (String, TestClient) {
    let userinfo = json!({"sub": claims["sub"]});
    arrive_with(server, issuer, claims, userinfo).await
}

async fn arrive_with(server: &TestServer, issuer: &Issuer, claims: Value, userinfo: Value) -> (String, TestClient) {
    issuer.manner().claims = claims;
    issuer.manner().userinfo = userinfo;
    let browser = server.visitor();
    let answer = sign_in(&browser, issuer, "mine").await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    (answer.header("location").to_owned(), (*browser).clone())
}

/// The claims of a person whose subject is the first part of the address.
fn claims(email: &str, more: Value) -> Value {
    let mut claims = json!({"sub": email.split('@').next(), "email": email, "email_verified": true, "name": "Nora L"});
    claims.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    claims
}

/// Marks the address of an account as proven, as a link that was mailed there does.
async fn prove(server: &TestServer, reader: &Reader) {
    let id = reader.id;
    let sql = "UPDATE users SET email_proven_at = created_at WHERE id = ?1";
    assert_eq!(server.db.write(move |tx| Ok(tx.execute(sql, [id])?)).await.unwrap(), 1);
}

async fn role(server: &TestServer, email: &str) -> String {
    let email = email.to_owned();
    let sql = "SELECT role FROM users WHERE email = ?1";
    server.db.read(move |conn| Ok(conn.query_row(sql, [email], |row| row.get(0))?)).await.unwrap()
}

/// The kinds of an account's events, newest first.
async fn events(person: &TestClient) -> Vec<String> {
    let listed = person.get("/api/auth/events").await.expect(200);
    listed["data"].as_array().unwrap().iter().map(|event| event["what"].as_str().unwrap().to_owned()).collect()
}

const DASHBOARD: &str = "/dashboard";
const TAKEN: &str = "/login?error=email_taken&provider=mine";
const NOT_ALLOWED: &str = "/login?error=not_allowed&provider=mine";

#[tokio::test]
async fn a_provider_makes_accounts_where_its_own_signup_says_so() {
    for (server_signup, own, lands) in [
        (SignupMode::Closed, "signup = true", DASHBOARD),
        (SignupMode::Invite, "signup = \"open\"", DASHBOARD),
        (SignupMode::Open, "signup = false", "/login?error=signup_closed&provider=mine"),
        (SignupMode::Open, "", DASHBOARD),
        (SignupMode::Closed, "", "/login?error=signup_closed&provider=mine"),
    ] {
        let (server, issuer) = house_with(own, |config| config.signup = server_signup).await;
        let (landed, _) = arrive(&server, &issuer, claims("nora@example.org", json!({}))).await;
        assert_eq!(landed, lands, "{server_signup:?} {own}");
        assert_eq!(counted(&server).await.0, i64::from(lands == DASHBOARD));
    }
}

/// The path of an invitation that an operator makes.
async fn invitation(operator: &Reader, body: Value) -> String {
    let made = operator.post("/api/admin/invitations", body).await.expect(201);
    let url = made["url"].as_str().unwrap();
    url[url.find("/invite/").unwrap()..].to_owned()
}

/// Signs in with the link of an invitation and these claims. Returns the page that it leads to.
async fn follow(server: &TestServer, issuer: &Issuer, invitation: &str, claims: Value) -> String {
    issuer.manner().claims = claims;
    let browser = server.visitor();
    let out = browser.get(&format!("/api/auth/oauth/mine?next={invitation}")).await;
    let answer = issuer.agree(out.header("location"));
    browser.get(&super::social::path("mine", &answer)).await.header("location").to_owned()
}

const CLOSED: &str = "/login?error=signup_closed&provider=mine";

#[tokio::test]
async fn an_invitation_makes_one_account_through_a_provider_for_the_address_that_was_invited() {
    let (server, issuer) = house("").await;
    let operator = server.operator().await;
    operator.patch("/api/admin/settings", json!({"signup": "invite"})).await.expect(200);
    let greta = invitation(&operator, json!({"email": "Greta@example.org"})).await;
    let lands = async |link: &str, email: &str| follow(&server, &issuer, link, claims(email, json!({}))).await;
    assert_eq!(lands("/invite/", "greta@example.org").await, CLOSED);
    assert_eq!(lands(&format!("/invite/{}", "A".repeat(43)), "greta@example.org").await, CLOSED);
    assert_eq!(lands(&greta, "eve@example.org").await, CLOSED, "another address");
    let unverified = claims("greta@example.org", json!({"email_verified": false}));
    let said = follow(&server, &issuer, &greta, unverified).await;
    assert_eq!(said, "/login?error=email_unverified&provider=mine");
    // A person with an account uses no invitation up.
    let open = invitation(&operator, json!({})).await;
    assert_eq!(lands(&open, &operator.email).await, TAKEN);
    assert_eq!(counted(&server).await, (1, 0));

    assert_eq!(lands(&greta, "greta@example.org").await, DASHBOARD);
    assert_eq!(role(&server, "greta@example.org").await, "user");
    assert_eq!(lands(&open, "ida@example.org").await, DASHBOARD);
    for used in [&greta, &open] {
        assert_eq!(lands(used, "late@example.org").await, CLOSED, "it works once");
    }
    assert_eq!(counted(&server).await, (3, 2));
}

#[tokio::test]
async fn an_invitation_does_not_count_where_the_server_or_the_provider_is_closed() {
    for (server_signup, own, lands) in [
        (SignupMode::Closed, "", CLOSED),
        (SignupMode::Invite, "signup = false", CLOSED),
        (SignupMode::Closed, "signup = \"invite\"", DASHBOARD),
        (SignupMode::Open, "signup = \"invite\"", DASHBOARD),
    ] {
        let (server, issuer) = house(own).await;
        let operator = server.operator().await;
        let link = invitation(&operator, json!({})).await;
        operator.patch("/api/admin/settings", json!({"signup": server_signup})).await.expect(200);
        let said = follow(&server, &issuer, &link, claims("greta@example.org", json!({}))).await;
        assert_eq!(said, lands, "{server_signup:?} {own}");
    }
}

#[tokio::test]
async fn a_verified_address_opens_the_account_whose_address_is_proven() {
    let (server, issuer) = house("match_email = true").await;
    let rosa = server.reader().await;
    prove(&server, &rosa).await;
    let (landed, browser) = arrive(&server, &issuer, claims(&rosa.email.to_uppercase(), json!({}))).await;
    assert_eq!(landed, DASHBOARD);
    assert_eq!(me(&browser).await["id"], json!(rosa.id));
    assert_eq!(events(&browser).await[..2], ["logged_in", "provider_connected"]);
    assert_eq!(counted(&server).await, (1, 1));
    // From now on the identity counts, whatever the address.
    let moved = json!({"sub": rosa.email.to_uppercase().split('@').next(), "email": "elsewhere@example.org", "email_verified": false});
    let (landed, browser) = arrive(&server, &issuer, moved).await;
    assert_eq!((landed.as_str(), &me(&browser).await["id"]), (DASHBOARD, &json!(rosa.id)));
    // A second identity with the same address is another person.
    let (landed, _) = arrive(&server, &issuer, claims(&rosa.email, json!({"sub": "second"}))).await;
    assert_eq!(landed, TAKEN);
    assert_eq!(counted(&server).await, (1, 1));
}

#[tokio::test]
async fn an_address_opens_no_account_that_is_unproven_an_operators_or_disabled() {
    let (server, issuer) = house("match_email = true").await;
    let lands = async |email: &str, more: Value| arrive(&server, &issuer, claims(email, more)).await.0;
    let unproven = server.reader().await;
    assert_eq!(lands(&unproven.email, json!({})).await, TAKEN);
    // The account gets an address that somebody else proved before: that does not prove it here.
    let moved = server.reader().await;
    prove(&server, &moved).await;
    let change = json!({"email": "moved@example.org", "currentPassword": crate::support::actors::PASSWORD});
    moved.patch("/api/account", change).await.expect(200);
    assert_eq!(lands("moved@example.org", json!({})).await, TAKEN);

    let operator = server.operator().await;
    prove(&server, &operator).await;
    assert_eq!(lands(&operator.email, json!({})).await, TAKEN);

    let proven = server.reader().await;
    prove(&server, &proven).await;
    for unverified in [json!(false), json!("false"), json!(null), json!({"yes": true})] {
        let said = lands(&proven.email, json!({"email_verified": unverified})).await;
        assert_eq!(said, "/login?error=email_unverified&provider=mine");
    }
    server.command(&["user", "disable", &proven.email]).await;
    assert_eq!(lands(&proven.email, json!({})).await, "/login?error=disabled&provider=mine");
    assert_eq!(counted(&server).await, (4, 0));

    let (server, issuer) = house("").await;
    let rosa = server.reader().await;
    prove(&server, &rosa).await;
    assert_eq!(arrive(&server, &issuer, claims(&rosa.email, json!({}))).await.0, TAKEN, "without the setting");
}

#[tokio::test]
async fn an_address_of_characters_that_only_look_alike_opens_no_account() {
    let (server, issuer) = house("match_email = true").await;
    let kate = server.visitor().sign_up_as("kate@example.org", "Kate").await;
    prove(&server, &kate).await;
    // The Kelvin sign is another character than `k` to every mail server, and becomes one in lower case.
    let stranger = claims("\u{212A}ate@example.org", json!({"sub": "stranger"}));
    assert_eq!(arrive(&server, &issuer, stranger.clone()).await.0, TAKEN);
    // Nor does a proof of one address count for the other.
    let moves = json!({"email": "\u{212A}ate@example.org", "currentPassword": crate::support::actors::PASSWORD});
    kate.patch("/api/account", moves).await.expect(200);
    assert_eq!(arrive(&server, &issuer, stranger).await.0, TAKEN);
    assert_eq!(counted(&server).await, (1, 0));
}

#[tokio::test]
async fn an_address_that_opens_an_account_is_reported_to_its_owner() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let (server, issuer) = house_with("match_email = true\nname = \"Home\"", |config| {
        let from = Sender::try_from("books@example.org".to_owned()).unwrap();
        config.mail = Mail { url: Some(mail.url().into()), url_file: None, from: Some(from) };
        config.public_url = Some("http://books.test".to_owned().try_into().unwrap());
    })
    .await;
    let rosa = server.reader().await;
    prove(&server, &rosa).await;
    assert_eq!(arrive(&server, &issuer, claims(&rosa.email, json!({}))).await.0, DASHBOARD);
    // Both e-mails are sent at once, in either order.
    let emails = [mail.next().await, mail.next().await];
    assert!(emails.iter().all(|email| email.to() == rosa.email));
    let mut subjects = emails.map(|email| email.headers["subject"].clone());
    subjects.sort();
    let expected =
        ["A new device logged in to your Shelfwise account", "A new way to log in to your Shelfwise account"];
    assert_eq!(subjects, expected);
}

#[tokio::test]
async fn a_person_in_no_allowed_group_is_refused_at_every_sign_in() {
    let (server, issuer) = house("allowed_groups = [\"family\", \"friends\"]").await;
    let lands =
        async |groups: Value| arrive(&server, &issuer, claims("nora@example.org", json!({"groups": groups}))).await.0;
    for near in [
        json!(null),
        json!([]),
        json!(["famil"]),
        json!(["family2"]),
        json!(["no-family"]),
        json!(["Family"]),
        json!(["family "]),
        json!(["/family"]),
        json!(["family,friends"]),
        json!("family friends"),
        json!([["family"]]),
        json!({"family": true}),
        json!(true),
    ] {
        assert_eq!(lands(near.clone()).await, NOT_ALLOWED, "{near}");
    }
    assert_eq!(counted(&server).await, (0, 0));
    assert_eq!(lands(json!(["other", "friends"])).await, DASHBOARD);
    assert_eq!(lands(json!("family")).await, DASHBOARD);
    // A person who leaves the group is refused from the next sign-in on, and connects nothing either.
    assert_eq!(lands(json!(["other"])).await, NOT_ALLOWED);
    let rosa = server.reader().await;
    issuer.manner().claims = claims("rosa@example.org", json!({"groups": ["other"]}));
    landed(&sign_in(&rosa, &issuer, "mine").await, "/account?error=not_allowed&provider=mine");
    assert_eq!(counted(&server).await, (2, 1));
}

#[tokio::test]
async fn groups_come_from_a_nested_claim_or_from_the_userinfo_endpoint() {
    let nested = "allowed_groups = [\"family\"]\ngroups_claim = \"realm_access.roles\"";
    let (server, issuer) = house(nested).await;
    let lands = async |more: Value| arrive(&server, &issuer, claims("nora@example.org", more)).await.0;
    assert_eq!(lands(json!({"groups": ["family"], "realm_access": {"roles": ["other"]}})).await, NOT_ALLOWED);
    assert_eq!(lands(json!({"realm_access": {"roles": ["family"]}})).await, DASHBOARD);

    let (server, issuer) = house("allowed_groups = [\"family\"]").await;
    let lands = async |groups: Value, userinfo: Value| {
        arrive_with(&server, &issuer, claims("nora@example.org", json!({"groups": groups})), userinfo).await.0
    };
    let another = json!({"sub": "rosa", "groups": ["family"]});
    assert_eq!(lands(json!(null), another).await, "/login?error=refused&provider=mine");
    let family = json!({"sub": "nora", "groups": ["family"]});
    assert_eq!(lands(json!(["other"]), family.clone()).await, NOT_ALLOWED, "the token has the claim");
    assert_eq!(lands(json!(null), json!({"sub": "nora"})).await, NOT_ALLOWED);
    let without = json!({"sub": "nora", "email": "nora@example.org", "email_verified": true});
    issuer.manner().userinfo = family;
    issuer.manner().claims = without;
    // The claim of the token that is missing is asked for; the others stay.
    landed(&sign_in(&server.visitor(), &issuer, "mine").await, DASHBOARD);
}

#[tokio::test]
async fn the_scope_for_groups_is_asked_for_where_the_provider_has_it() {
    for (more, offered, asked) in [
        ("allowed_groups = [\"family\"]", json!(["openid", "groups"]), "openid email profile groups"),
        ("operator_groups = [\"admins\"]", json!(["openid", "groups"]), "openid email profile groups"),
        ("allowed_groups = [\"family\"]", json!(["openid"]), "openid email profile"),
        ("allowed_groups = [\"family\"]\ngroups_claim = \"roles\"", json!(["groups"]), "openid email profile"),
        ("", json!(["groups"]), "openid email profile"),
    ] {
        let (server, issuer) = house(more).await;
        issuer.manner().description = json!({"scopes_supported": offered});
        let out = super::social::leave(&server.visitor(), "mine").await;
        assert_eq!(crate::support::issuer::query(&out)["scope"], asked, "{more}");
    }
}

#[tokio::test]
async fn groups_give_and_take_the_operators_role_at_each_sign_in() {
    let (server, issuer) = house("operator_groups = [\"admins\"]").await;
    let arrive =
        async |email: &str, groups: Value| arrive(&server, &issuer, claims(email, json!({"groups": groups}))).await;
    let (lands, ada) = arrive("ada@example.org", json!(["admins"])).await;
    assert_eq!((lands.as_str(), &me(&ada).await["role"]), (DASHBOARD, &json!("admin")));
    ada.get("/api/admin/users").await.expect(200);
    assert_eq!(events(&ada).await, ["role_changed", "signed_up"]);

    for near in [json!(["admin"]), json!(["admins2"]), json!(["ADMINS"]), json!("admins,x"), json!(null)] {
        let (lands, nora) = arrive("nora@example.org", near.clone()).await;
        assert_eq!((lands.as_str(), &me(&nora).await["role"]), (DASHBOARD, &json!("user")), "{near}");
        assert_eq!(nora.get("/api/admin/users").await.code(403), "operators_only");
    }
    let (_, nora) = arrive("nora@example.org", json!(["admins"])).await;
    nora.get("/api/admin/users").await.expect(200);
    // Somebody who leaves the group loses the role with the next sign-in, and every other session.
    let (_, again) = arrive("nora@example.org", json!(["readers"])).await;
    assert_eq!(me(&again).await["role"], "user");
    assert_eq!(nora.get("/api/auth/me").await.status, 401);

    // The last operator keeps the role, so that somebody can mend the settings.
    let (_, ada) = arrive("ada@example.org", json!(["readers"])).await;
    assert_eq!(me(&ada).await["role"], "admin");
    arrive("nora@example.org", json!(["admins"])).await;
    let (_, ada) = arrive("ada@example.org", json!(["readers"])).await;
    assert_eq!(me(&ada).await["role"], "user");
    assert_eq!(role(&server, "nora@example.org").await, "admin");
}

#[tokio::test]
async fn a_role_given_by_hand_follows_the_groups_only_where_the_settings_name_some() {
    for (more, role) in
        [("", "admin"), ("allowed_groups = [\"family\"]", "admin"), ("operator_groups = [\"admins\"]", "user")]
    {
        let (server, issuer) = house(more).await;
        server.operator().await;
        let family = claims("nora@example.org", json!({"groups": ["family"]}));
        arrive(&server, &issuer, family.clone()).await;
        server.command(&["user", "promote", "nora@example.org"]).await;
        let (_, nora) = arrive(&server, &issuer, family).await;
        assert_eq!(me(&nora).await["role"], role, "{more}");
    }
}
