//! E-mails arrive at an independent mail server, link only to the public address, and no response reveals them.
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use reqwest::Method;
use serde_json::json;
use shelfwise::config::{Config, Mail, Sender};

use crate::support::actors::{PASSWORD, Reader, TestClient, Visitor};
use crate::support::harness::TestServer;
use crate::support::program::{Program, free_port, run, shelfwise};
use crate::support::smtp::{Arrived, MailServer, Tls, USER};

/// The public address of the server that sends.
pub const HOME: &str = "http://books.test";
const NEW_PASSWORD: &str = "a quite new passphrase";

/// Settings with mail.
pub fn mailing(config: &mut Config, url: String) {
    let from = Sender::try_from("Shelfwise <books@example.org>".to_owned()).unwrap();
    config.mail = Mail { url: Some(url.into()), url_file: None, from: Some(from) };
    config.public_url = Some(HOME.to_owned().try_into().unwrap());
}

async fn forgot(person: &TestClient, email: &str) {
    assert_eq!(person.post("/api/auth/password-reset", json!({"email": email})).await.status, 204);
}

fn token(message: &Arrived) -> &str {
    let token = message.link(HOME).strip_prefix(&format!("{HOME}/reset-password/")).unwrap();
    assert!(message.html.contains(&format!("href=\"{HOME}/reset-password/{token}\"")), "{}", message.html);
    token
}

#[tokio::test]
async fn a_reset_link_sets_a_password_once_and_the_owner_is_informed() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let server = TestServer::with(|config| mailing(config, mail.url())).await;
    let (nora, anonymous) = (server.reader().await, server.visitor());
    assert_eq!(anonymous.get("/api/site").await.expect(200)["mail"], true);
    forgot(&anonymous, &nora.email.to_uppercase()).await;
    let message = mail.next().await;
    assert_eq!((message.sender.as_str(), message.user.as_deref()), ("books@example.org", Some(USER)));
    assert_eq!(message.to(), nora.email);
    let headers: BTreeSet<&str> = message.headers.keys().map(String::as_str).collect();
    assert!(headers.is_superset(&["date", "message-id", "mime-version"].into()), "{headers:?}");
    for (name, value) in [
        ("from", "Shelfwise <books@example.org>"),
        ("to", nora.email.as_str()),
        ("subject", "Set a new password for Shelfwise"),
        ("auto-submitted", "auto-generated"),
    ] {
        assert_eq!(message.headers[name], value);
    }
    forgot(&anonymous, &nora.email).await;
    let newer = mail.next().await;
    let whose = anonymous.get(&format!("/api/auth/password-reset/{}", token(&newer))).await.expect(200);
    assert_eq!(whose, json!({"email": nora.email}));
    let set = |token: &str, password: &'static str| {
        let (anonymous, path) = (anonymous.clone(), format!("/api/auth/password-reset/{token}"));
        async move { anonymous.post(&path, json!({"password": password})).await.status }
    };
    assert_eq!(set(token(&message), NEW_PASSWORD).await, 400, "a newer link takes the place of an older one");
    assert_eq!(set(token(&newer), "short").await, 422);
    assert_eq!(set(token(&newer), NEW_PASSWORD).await, 204);
    assert_eq!(set(token(&newer), "and another passphrase").await, 400);
    assert_eq!(nora.get("/api/auth/me").await.status, 401);
    anonymous.post("/api/auth/login", json!({"email": nora.email, "password": NEW_PASSWORD})).await.expect(200);
    let notice = mail.next().await;
    assert_eq!(notice.to(), nora.email);
    assert_eq!(notice.headers["subject"], "Your Shelfwise password was changed");
    assert!(notice.text.contains("sharing with a team was switched off"), "{}", notice.text);
    assert_eq!(notice.link(HOME), format!("{HOME}/forgot-password"));
}

#[tokio::test]
async fn responses_do_not_reveal_accounts_or_sent_mail() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let server = TestServer::with(|config| mailing(config, mail.url())).await;
    let (nora, gone) = (server.reader().await, server.reader().await);
    server.command(&["user", "disable", &gone.email]).await;
    let anonymous = server.visitor();
    let long = "x".repeat(3000);
    for body in [
        json!({"email": "nobody@example.org"}),
        json!({"email": gone.email}),
        json!({"email": ""}),
        json!({"email": 3}),
        json!({"email": long}),
        json!({}),
    ] {
        let answer = anonymous.post("/api/auth/password-reset", body).await;
        assert_eq!((answer.status, answer.bytes.len()), (204, 0));
    }
    // E-mails are sent in order: an e-mail of the calls above would arrive first.
    forgot(&anonymous, &nora.email).await;
    assert_eq!(mail.next().await.to(), nora.email);
    assert!(!mail.has_more());
}

#[tokio::test]
async fn no_response_waits_for_a_silent_mail_server() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("smtp://127.0.0.1:{}", silent.local_addr().unwrap().port());
    let server = TestServer::with(|config| mailing(config, url)).await;
    let (nora, (owner, _)) = (server.reader().await, server.team(0).await);
    forgot(&nora, &nora.email).await;
    owner.invite("somebody@example.org").await;
    let change = json!({"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD});
    assert_eq!(nora.post("/api/account/password", change).await.status, 204);
    // A message that an answer had waited for would have failed by now.
    assert_eq!(server.app.mail.record().unwrap().ok, None, "the mail server was waited for");
    // Somebody did try to speak to it.
    silent.accept().unwrap();
}

#[tokio::test]
async fn a_hundred_forged_hosts_change_no_link() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let server = TestServer::with(|config| {
        mailing(config, mail.url());
        config.trusted_proxies = vec!["127.0.0.1".to_owned().try_into().unwrap()];
    })
    .await;
    let anonymous = server.visitor();
    for n in 0..100 {
        let reader = if n % 10 == 0 { Some(server.reader().await) } else { None };
        if let Some(reader) = reader {
            server
                .db
                .write(move |tx| Ok(tx.execute("UPDATE users SET display_name = 'asked' WHERE id = ?1", [reader.id])?))
                .await
                .unwrap();
        }
        let asked = server.db.read(|conn| {
            let newest = "SELECT email FROM users WHERE display_name = 'asked' ORDER BY id DESC LIMIT 1";
            Ok(conn.query_row(newest, [], |row| row.get::<_, String>(0))?)
        });
        let host = format!("evil{n}.test");
        let request = anonymous
            .request(Method::POST, "/api/auth/password-reset")
            .header("x-forwarded-host", &host)
            .header("x-forwarded-for", format!("198.51.100.{n}"))
            .header("x-forwarded-proto", "https")
            .header("forwarded", format!("host={host}"))
            .json(&json!({"email": asked.await.unwrap()}));
        let forged = request.try_clone().unwrap().header("host", &host);
        assert_eq!(anonymous.send(forged).await.code(421), "misdirected");
        // Addresses and names of a private network are anybody's who asks.
        let private = ["192.0.2.1", "localhost", "nas.home.lan"][n % 3];
        assert_eq!(anonymous.send(request.header("host", private)).await.status, 204);
    }
    for _ in 0..100 {
        let message = mail.next().await;
        token(&message);
        for forged in ["evil", "192.0.2.1", "localhost", "home.lan"] {
            assert!(!message.text.contains(forged) && !message.html.contains(forged));
        }
    }
}

#[tokio::test]
async fn a_mailbox_gets_ten_emails_of_a_kind_per_hour_and_the_last_link_stays_valid() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let server = TestServer::with(|config| mailing(config, mail.url())).await;
    let (nora, other) = (server.reader().await, server.reader().await);
    let mut last = None;
    for _ in 0..10 {
        forgot(&nora, &nora.email).await;
        last = Some(mail.next().await);
    }
    for _ in 0..5 {
        forgot(&nora, &nora.email).await;
    }
    forgot(&nora, &other.email).await;
    assert_eq!(mail.next().await.to(), other.email);
    let path = format!("/api/auth/password-reset/{}", token(&last.unwrap()));
    assert_eq!(nora.post(&path, json!({"password": NEW_PASSWORD})).await.status, 204);
}

#[tokio::test]
async fn one_caller_requests_twenty_emails_per_hour_and_invented_addresses_do_not_raise_that() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let server = TestServer::with(|config| {
        mailing(config, mail.url());
        config.trusted_proxies = vec!["127.0.0.1".to_owned().try_into().unwrap()];
    })
    .await;
    let (nora, other) = (server.reader().await, server.reader().await);
    let ask = |email: String, from: String| {
        let request = nora.request(Method::POST, "/api/auth/password-reset").header("x-forwarded-for", from);
        nora.send(request.json(&json!({"email": email})))
    };
    for n in 0..20 {
        assert_eq!(ask(format!("nobody{n}@example.org"), "203.0.113.1".into()).await.status, 204);
    }
    assert_eq!(ask(nora.email.clone(), "203.0.113.1".into()).await.status, 204);
    // Had the twenty-first been sent, it would be here first.
    ask(other.email.clone(), "203.0.113.2".into()).await;
    assert_eq!(mail.next().await.to(), other.email);
    assert!(!mail.has_more());
}

#[tokio::test]
async fn an_owner_is_informed_of_tokens_new_devices_operator_links_and_deletion() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let server = TestServer::with(|config| mailing(config, mail.url())).await;
    let nora = server.reader().await;
    let login = json!({"email": nora.email, "password": PASSWORD});
    nora.post("/api/auth/login", login.clone()).await.expect(200);
    assert!(!mail.has_more(), "a known device is no news");
    server.visitor().post("/api/auth/login", login).await.expect(200);
    let subject = |message: Arrived| (message.to().to_owned(), message.headers["subject"].clone());
    let told = |subject: &str| (nora.email.clone(), subject.to_owned());
    assert_eq!(subject(mail.next().await), told("A new device logged in to your Shelfwise account"));
    nora.post("/api/account/tokens", json!({"name": "evil.test/win", "access": "read"})).await.expect(201);
    let token = mail.next().await;
    assert!(!token.text.contains("evil.test"));
    assert_eq!(subject(token), told("A new API token for your Shelfwise account"));
    let operator = server.operator().await;
    operator.post(&format!("/api/admin/users/{}/reset-link", nora.id), json!({})).await.expect(200);
    let link = mail.next().await;
    assert!(!link.text.contains("/reset-password/"), "the operator hands the link on: {}", link.text);
    assert_eq!(subject(link), told("A link to a new password for your Shelfwise account"));
    assert_eq!(nora.delete("/api/account").await.status, 204);
    assert_eq!(subject(mail.next().await), told("Your Shelfwise account was deleted"));
}

#[tokio::test]
async fn a_changed_address_is_reported_to_both_and_revokes_the_old_reset_link() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let server = TestServer::with(|config| mailing(config, mail.url())).await;
    let nora = server.reader().await;
    forgot(&nora, &nora.email).await;
    let link = mail.next().await;
    nora.patch("/api/account", json!({"displayName": "Nora"})).await.expect(200);
    let change = json!({"email": "new@example.org", "currentPassword": PASSWORD});
    nora.patch("/api/account", change).await.expect(200);
    let mut told = [mail.next().await, mail.next().await];
    told.sort_by_key(|message| message.to() == "new@example.org");
    assert_eq!(told[0].to(), nora.email);
    assert!(told[0].text.contains("n…w@example.org") && !told[0].text.contains("new@example.org"), "{}", told[0].text);
    assert_eq!(told[1].to(), "new@example.org");
    let path = format!("/api/auth/password-reset/{}", token(&link));
    assert_eq!(nora.post(&path, json!({"password": NEW_PASSWORD})).await.status, 400);
    let change = json!({"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD});
    assert_eq!(nora.post("/api/account/password", change).await.status, 204);
    assert_eq!(mail.next().await.to(), "new@example.org");
}

#[tokio::test]
async fn an_invitation_is_mailed_and_its_names_are_never_links() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let server = TestServer::with(|config| mailing(config, mail.url())).await;
    let (owner, _) = server.team(0).await;
    owner.patch("/api/account", json!({"displayName": "Zoë\r\nBcc: all <b>"})).await.expect(200);
    owner.patch("/api/teams/current", json!({"name": "Win at https://evil.test"})).await.expect(200);
    let link = owner.invite("greta@example.org").await;
    let message = mail.next().await;
    assert_eq!(message.to(), "greta@example.org");
    let subject = "“Zoë Bcc: all <b>” invites you to a team on Shelfwise";
    assert_eq!((message.headers["subject"].as_str(), message.headers.get("bcc")), (subject, None));
    assert_eq!(message.link(HOME), format!("{HOME}/invite/{link}"));
    assert!(message.html.contains("&lt;b&gt;") && !message.html.contains("evil") && !message.text.contains("evil"));
}

#[tokio::test]
async fn deferred_emails_are_retried_and_refused_ones_are_not() {
    let Some(mut mail) = MailServer::busy(Tls::None, 1) else { return };
    let server = TestServer::with(|config| mailing(config, mail.url())).await;
    let (owner, _) = server.team(0).await;
    owner.invite("unknown@example.org").await;
    owner.invite("greta@example.org").await;
    mail.put_off().await;
    assert_eq!(mail.next().await.to(), "greta@example.org");
    assert!(!mail.has_more());
}

/// The settings of mail in the environment of a command.
fn environment(command: &mut Command, mail: &MailServer, folder: &Path) {
    let file = folder.join("mail-url");
    std::fs::write(&file, format!("{}\n", mail.url())).unwrap();
    // A secret that others can read is a finding of `doctor`.
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    command.env("SHELFWISE_MAIL_URL_FILE", file).env("SHELFWISE_MAIL_FROM", "books@example.org");
    command.env("SHELFWISE_PUBLIC_URL", HOME).arg("--data-dir").arg(folder.join("data"));
}

/// The program, serving, and a new reader.
async fn serving(mut command: Command) -> (Program, Reader) {
    let listen = format!("127.0.0.1:{}", free_port());
    command.args(["serve", "--listen", &listen]);
    (Program::start(command), Visitor::at(format!("http://{listen}")).sign_up().await)
}

#[tokio::test]
async fn over_tls_emails_go_only_to_a_server_with_a_trusted_certificate() {
    for tls in [Tls::Starttls, Tls::Wrapped] {
        let Some(mut mail) = MailServer::start(tls) else { return };
        let folder = tempfile::tempdir().unwrap();
        let mut serve = shelfwise();
        environment(&mut serve, &mail, folder.path());
        serve.env("SSL_CERT_FILE", mail.certificate());
        let (mut program, nora) = serving(serve).await;
        forgot(&nora, &nora.email).await;
        let message = mail.next().await;
        assert!(message.private && message.user.as_deref() == Some(USER), "{tls:?}: {message:?}");
        assert_eq!(program.stop(), Some(0));

        let doctor = |trusting: bool, change: fn(String) -> String| {
            let mut doctor = shelfwise();
            environment(&mut doctor, &mail, folder.path());
            let file = folder.path().join("mail-url");
            std::fs::write(&file, change(std::fs::read_to_string(&file).unwrap())).unwrap();
            if trusting {
                doctor.env("SSL_CERT_FILE", mail.certificate());
            }
            let ended = run(
                {
                    doctor.arg("doctor");
                    doctor
                },
                "",
            );
            assert!(!ended.out.contains("word%40") && !ended.out.contains("word@"), "{}", ended.out);
            let line =
                ended.out.lines().find(|line| line.split_whitespace().nth(1) == Some("mail")).unwrap().to_owned();
            (ended.status, line)
        };
        let found = doctor(true, |url| url);
        assert!(found.0 == 0 && found.1.contains("accepts mail"), "{found:?}");
        assert!(matches!(doctor(false, |url| url), (1, line) if line.contains("certificate")));
        // The certificate is held against the name, not against the address that the name stands for.
        assert!(
            matches!(doctor(true, |url| url.replace("127.0.0.1", "localhost")), (0, line) if line.contains("accepts mail"))
        );
        let other = doctor(true, |url| url.replace("127.0.0.1", "other.localhost"));
        assert!(other.0 == 1 && other.1.contains("certificate"), "{other:?}");
        let wrong = doctor(true, |url| url.replace("p%2Fss", "another"));
        assert!(wrong.0 == 1 && wrong.1.contains("refused it with 535"), "{wrong:?}");
    }
}

#[tokio::test]
async fn a_server_on_the_same_machine_may_have_any_certificate_unless_tls_is_required() {
    let Some(mut mail) = MailServer::start(Tls::Starttls) else { return };
    let url = mail.url().trim_end_matches("?tls=required").to_owned();
    let server = TestServer::with(|config| mailing(config, url)).await;
    let nora = server.reader().await;
    forgot(&nora, &nora.email).await;
    let message = mail.next().await;
    assert!(message.private && message.to() == nora.email);
}

#[tokio::test]
async fn a_stop_sends_what_waits() {
    let Some(mut mail) = MailServer::busy(Tls::None, 1) else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut serve = shelfwise();
    environment(&mut serve, &mail, folder.path());
    let (mut program, nora) = serving(serve).await;
    forgot(&nora, &nora.email).await;
    mail.put_off().await;
    assert_eq!(program.stop(), Some(0));
    assert_eq!(mail.next().await.to(), nora.email);
}

#[test]
fn a_server_with_mail_does_not_start_without_a_public_address() {
    let folder = tempfile::tempdir().unwrap();
    let mut serve = shelfwise();
    serve.env("SHELFWISE_MAIL_URL", "smtp://u:hunter2@localhost").env("SHELFWISE_MAIL_FROM", "books@example.org");
    let ended = run(
        {
            serve.args(["serve", "--data-dir"]).arg(folder.path());
            serve
        },
        "",
    );
    assert_eq!(ended.status, 78);
    assert!(ended.err.contains("public_url") && !ended.err.contains("hunter2"), "{}", ended.err);
}

#[tokio::test]
async fn a_password_set_by_the_operator_is_reported_by_mail_and_works_without_mail() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let folder = tempfile::tempdir().unwrap();
    let command = |words: &[&str], input: &str, url: &str| {
        let mut command = shelfwise();
        environment(&mut command, &mail, folder.path());
        std::fs::write(folder.path().join("mail-url"), url).unwrap();
        let ended = run(
            {
                command.args(words);
                command
            },
            input,
        );
        assert_eq!(ended.status, 0, "{}", ended.err);
        ended.out
    };
    let url = mail.url();
    command(&["user", "create", "nora@example.org", "--name", "Nora"], "a long enough passphrase\n", &url);
    let set = ["user", "set-password", "nora@example.org"];
    let said = command(&set, "another passphrase\n", "smtp://127.0.0.1:1");
    assert!(said.contains("No e-mail could be sent"), "{said}");
    let said = command(&set, "yet another passphrase\n", &url);
    assert!(said.ends_with("is signed out everywhere. An e-mail informs its owner.\n"), "{said}");
    let message = mail.next().await;
    assert_eq!(
        (message.to(), message.headers["subject"].as_str()),
        ("nora@example.org", "Your Shelfwise password was changed")
    );
    assert!(message.text.contains("Every session was ended. API tokens"), "{}", message.text);
}
