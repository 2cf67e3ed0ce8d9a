//! Accounts that an operator adds, and invitations to the server.
use serde_json::{Value, json};
use shelfwise::config::{Config, Mail, Sender};

use chrono::TimeDelta;

use crate::support::actors::{Operator, PASSWORD};
use crate::support::harness::TestServer;
use crate::support::smtp::{MailServer, Tls};

fn token(url: &Value) -> String {
    url.as_str().unwrap().rsplit('/').next().unwrap().to_owned()
}

fn sign_up(email: &str, token: Option<&str>) -> Value {
    json!({"email": email, "password": PASSWORD, "displayName": "Greta", "inviteToken": token})
}

async fn invite(operator: &Operator, body: Value) -> String {
    token(&operator.post("/api/admin/invitations", body).await.expect(201)["url"])
}

#[tokio::test]
async fn an_operator_adds_an_account_with_a_password_or_with_a_link() {
    let server = TestServer::start().await;
    let operator = server.operator().await;
    let made = operator
        .post("/api/admin/users", json!({"displayName": " Greta ", "email": "greta@example.org", "password": PASSWORD}))
        .await;
    assert_eq!(made.header("cache-control"), "no-store");
    let made = made.expect(201);
    assert_eq!((&made["user"]["displayName"], &made["user"]["role"]), (&json!("Greta"), &json!("user")));
    assert_eq!(made["url"], json!(null));
    server.visitor().log_in("greta@example.org").await;

    let body = json!({"displayName": "Piet", "email": "piet@example.org", "role": "admin"});
    let made = operator.post("/api/admin/users", body).await.expect(201);
    assert_eq!(made["user"]["role"], "admin");
    assert_eq!(operator.get("/api/admin/users?search=piet").await.expect(200)["data"][0], made["user"]);
    let path = format!("/api/auth/password-reset/{}", token(&made["url"]));
    // A link to a first password outlives the hour of a link to a new one.
    server.advance(TimeDelta::days(7) - TimeDelta::minutes(1));
    let visitor = server.visitor();
    assert_eq!(visitor.post(&path, json!({"password": PASSWORD})).await.status, 204);
    assert_eq!(visitor.post(&path, json!({"password": PASSWORD})).await.status, 400, "it works once");
    visitor.log_in("piet@example.org").await;
    let events = server.operator().await.get("/api/admin/events").await.expect(200);
    let made = events["data"].as_array().unwrap().iter().filter(|event| event["what"] == "account_created").count();
    assert_eq!(made, 2);
}

#[tokio::test]
async fn a_link_that_an_operator_has_seen_does_not_prove_the_address() {
    let server = TestServer::start().await;
    let operator = server.operator().await;
    let body = json!({"displayName": "Piet", "email": "piet@example.org"});
    let made = operator.post("/api/admin/users", body).await.expect(201);
    let rosa = server.reader().await;
    let reset = operator.post(&format!("/api/admin/users/{}/reset-link", rosa.id), json!({})).await.expect(200);
    let visitor = server.visitor();
    for url in [&made["url"], &reset["url"]] {
        let path = format!("/api/auth/password-reset/{}", token(url));
        assert_eq!(visitor.post(&path, json!({"password": "another long passphrase"})).await.status, 204);
        assert_eq!(visitor.post(&path, json!({"password": PASSWORD})).await.status, 400, "it works once");
    }
    let sql = "SELECT count(*) FROM users WHERE email_proven_at IS NOT NULL";
    let proven: i64 = server.db.read(move |conn| Ok(conn.query_row(sql, [], |row| row.get(0))?)).await.unwrap();
    assert_eq!(proven, 0);
}

#[tokio::test]
async fn a_link_to_a_first_password_ends_after_seven_days() {
    let server = TestServer::start().await;
    let operator = server.operator().await;
    let body = json!({"displayName": "Piet", "email": "piet@example.org"});
    let made = operator.post("/api/admin/users", body).await.expect(201);
    server.advance(TimeDelta::days(7));
    let path = format!("/api/auth/password-reset/{}", token(&made["url"]));
    assert_eq!(server.visitor().post(&path, json!({"password": PASSWORD})).await.status, 400);
}

#[tokio::test]
async fn accounts_that_cannot_be_are_refused_by_the_rules_of_a_sign_up() {
    let server = TestServer::start().await;
    let operator = server.operator().await;
    let add = |body: Value| operator.post("/api/admin/users", body);
    assert_eq!(add(json!({})).await.fields(), ["displayName", "email"]);
    let wrong = json!({"displayName": "n".repeat(101), "email": "piet", "role": "owner", "password": "12345678"});
    assert_eq!(add(wrong).await.fields(), ["displayName", "email", "password", "role"]);
    let taken = json!({"displayName": "Two", "email": operator.email.to_uppercase()});
    assert_eq!(add(taken).await.code(409), "email_taken");
    let reader = server.reader().await;
    assert_eq!(reader.post("/api/admin/users", json!({})).await.code(403), "operators_only");
    assert_eq!(reader.post("/api/admin/invitations", json!({})).await.code(403), "operators_only");
    assert_eq!(operator.post("/api/admin/invitations", json!({"email": "piet"})).await.fields(), ["email"]);
    let taken = json!({"email": reader.email});
    assert_eq!(operator.post("/api/admin/invitations", taken).await.code(409), "email_taken");
}

#[tokio::test]
async fn an_invitation_to_the_server_makes_one_account_where_sign_up_is_by_invitation() {
    let server = TestServer::start().await;
    let operator = server.operator().await;
    operator.patch("/api/admin/settings", json!({"signup": "invite"})).await.expect(200);
    let made = operator.post("/api/admin/invitations", json!({"email": " Greta@example.org "})).await.expect(201);
    assert_eq!(made["invitation"]["email"], "Greta@example.org");
    let link = token(&made["url"]);
    let shown = server.visitor().get(&format!("/api/invitations/{link}")).await.expect(200)["invitation"].clone();
    assert_eq!((&shown["team"], &shown["email"]), (&json!(null), &json!("G…a@example.org")));
    assert!(shown["inviter"].is_string());
    let visitor = server.visitor();
    let closed = |body: Value| visitor.post("/api/auth/signup", body);
    assert_eq!(closed(sign_up("greta@example.org", None)).await.code(403), "signup_closed");
    assert_eq!(closed(sign_up("other@example.org", Some(&link))).await.code(403), "signup_closed");
    server.visitor().post("/api/auth/signup", sign_up("greta@example.org", Some(&link))).await.expect(201);
    assert_eq!(closed(sign_up("more@example.org", Some(&link))).await.code(403), "signup_closed");
    let over = server.visitor().get(&format!("/api/invitations/{link}")).await;
    assert_eq!((over.code(410), &over.body["team"]), ("invitation_over", &json!(null)));

    let open = invite(&operator, json!({})).await;
    let (one, other) = (server.visitor(), server.visitor());
    let (one, other) = tokio::join!(
        one.post("/api/auth/signup", sign_up("ada@example.org", Some(&open))),
        other.post("/api/auth/signup", sign_up("ben@example.org", Some(&open))),
    );
    let mut statuses = [one.status, other.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 403], "a link without an address works once, too");
}

#[tokio::test]
async fn invitations_are_listed_renewed_revoked_and_end_after_seven_days() {
    let server = TestServer::with(|config| config.signup = shelfwise::config::SignupMode::Invite).await;
    let operator = {
        let file = server.folder().join("password");
        std::fs::write(&file, PASSWORD).unwrap();
        let mut config = (*server.app.config).clone();
        config.admin.email = Some("nora@example.org".to_owned());
        config.admin.password_file = Some(file);
        shelfwise::account::setup::prepare(&server.db, &config).await.unwrap();
        server.visitor().log_in("nora@example.org").await
    };
    let invite = |body: Value| operator.post("/api/admin/invitations", body);
    let first = token(&invite(json!({"email": "greta@example.org"})).await.expect(201)["url"]);
    let second = invite(json!({"email": "greta@example.org"})).await.expect(201);
    let open = invite(json!({"email": null})).await.expect(201);
    let listed = operator.get("/api/admin/invitations").await.expect(200);
    assert_eq!(listed, json!({"data": [open["invitation"], second["invitation"]]}));
    let visitor = server.visitor();
    let body = sign_up("greta@example.org", Some(&first));
    assert_eq!(visitor.post("/api/auth/signup", body).await.code(403), "signup_closed", "it was renewed");

    let path = format!("/api/admin/invitations/{}", open["invitation"]["id"]);
    assert_eq!(operator.delete(&path).await.status, 204);
    assert_eq!(operator.delete(&path).await.status, 404);
    let body = sign_up("ada@example.org", Some(&token(&open["url"])));
    assert_eq!(visitor.post("/api/auth/signup", body).await.code(403), "signup_closed");

    server.advance(TimeDelta::days(7));
    let greta = token(&second["url"]);
    let body = sign_up("greta@example.org", Some(&greta));
    assert_eq!(visitor.post("/api/auth/signup", body).await.code(403), "signup_closed");
    shelfwise::app::tidy_up(&server.db).await.unwrap();
    let over = visitor.get(&format!("/api/invitations/{greta}")).await;
    assert_eq!((over.code(410), &over.body["email"]), ("invitation_over", &json!("g…a@example.org")));
    let kept: i64 = server
        .db
        .read(|conn| {
            let sql = "SELECT count(*) FROM server_invitations WHERE email IS NOT NULL";
            Ok(conn.query_row(sql, [], |row| row.get(0))?)
        })
        .await
        .unwrap();
    assert_eq!(kept, 0, "no address outlives its invitation");
}

#[tokio::test]
async fn while_sign_up_is_closed_an_invitation_does_not_count() {
    let server = TestServer::start().await;
    let operator = server.operator().await;
    let link = invite(&operator, json!({})).await;
    operator.patch("/api/admin/settings", json!({"signup": "closed"})).await.expect(200);
    let body = sign_up("greta@example.org", Some(&link));
    assert_eq!(server.visitor().post("/api/auth/signup", body.clone()).await.code(403), "signup_closed");
    operator.patch("/api/admin/settings", json!({"signup": "open"})).await.expect(200);
    server.visitor().post("/api/auth/signup", body).await.expect(201);
    let listed = operator.get("/api/admin/invitations").await.expect(200);
    assert_eq!(listed, json!({"data": []}), "a sign-up that came with it uses it up");
}

fn mailing(config: &mut Config, url: String) {
    let from = Sender::try_from("books@example.org".to_owned()).unwrap();
    config.mail = Mail { url: Some(url.into()), url_file: None, from: Some(from) };
    config.public_url = Some("http://books.test".to_owned().try_into().unwrap());
    config.name = Some("The Okafor shelf".to_owned());
}

#[tokio::test]
async fn links_are_mailed_where_there_is_mail_and_the_server_is_called_by_its_name() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let server = TestServer::with(|config| mailing(config, mail.url())).await;
    let operator = server.operator().await;
    let body = json!({"displayName": "Piet", "email": "piet@example.org"});
    let made = operator.post("/api/admin/users", body).await.expect(201);
    let arrived = mail.next().await;
    assert_eq!(arrived.to(), "piet@example.org");
    assert_eq!(arrived.headers["subject"], "Your account at The Okafor shelf");
    assert_eq!(arrived.link("http://books.test/reset-password/"), made["url"]);
    assert!(arrived.text.contains("The Okafor shelf, http://books.test"), "{}", arrived.text);
    let made = operator.post("/api/admin/invitations", json!({"email": "greta@example.org"})).await.expect(201);
    let arrived = mail.next().await;
    assert_eq!(arrived.to(), "greta@example.org");
    assert!(arrived.headers["subject"].ends_with("invites you to The Okafor shelf"), "{}", arrived.headers["subject"]);
    assert_eq!(arrived.link("http://books.test/invite/"), made["url"]);
    operator.post("/api/admin/invitations", json!({})).await.expect(201);
    server.visitor().post("/api/auth/password-reset", json!({"email": operator.email})).await;
    let arrived = mail.next().await;
    assert_eq!(arrived.headers["subject"], "Set a new password for The Okafor shelf", "no e-mail without an address");
}

#[tokio::test]
async fn a_quota_of_0_is_unlimited_everywhere() {
    let server = TestServer::start().await;
    let operator = server.operator().await;
    let none = json!({"limits": {"books": 0, "listItems": 0, "textMb": 0}});
    operator.patch("/api/admin/settings", none).await.expect(200);
    let book = json!({"title": "One", "author": "A", "status": "undated", "impressions": "Long."});
    operator.post("/api/books", book).await.expect(201);
    operator.post("/api/tbr", json!({"title": "Later"})).await.expect(201);
    let taken =
        operator.upload("/api/books/import", "books.csv", "Title,Author\nDune,Herbert\n", &[]).await.expect(200);
    assert_eq!(taken["imported"], 1, "{taken}");
    let usage = operator.get(&format!("/api/admin/users/{}/usage", operator.id)).await.expect(200);
    assert_eq!(usage["usage"]["quotas"], json!({"books": 0, "listItems": 0, "textBytes": 0}));
}
