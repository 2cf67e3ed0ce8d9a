//! E-mails to operators about the server's condition, and test e-mails.
use chrono::TimeDelta;
use serde_json::{Value, json};
use shelfwise::account::emails;
use shelfwise::admin::alerts::Alerts;
use shelfwise::admin::health::Facts;
use shelfwise::kit::health::Record;

use crate::features::mail::{HOME, mailing};
use crate::support::harness::TestServer;
use crate::support::program::{self, shelfwise};
use crate::support::smtp::{MailServer, Tls};

/// One look of the server at its condition.
async fn look(alerts: &mut Alerts, server: &TestServer, change: impl FnOnce(&mut Facts)) {
    let now = server.app.now();
    let mut facts = Facts::of(&server.app, now).await;
    change(&mut facts);
    alerts.look(&server.app, &facts, now).await;
}

/// A server with mail and scheduled backups.
async fn backing_up(mail: &MailServer) -> TestServer {
    TestServer::with(|config| {
        mailing(config, mail.url());
        config.backup.to = Some("/nowhere/backups".into());
    })
    .await
}

#[tokio::test]
async fn operators_get_an_email_about_a_failing_backup_once_a_day_and_when_it_works_again() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let server = backing_up(&mail).await;
    let (operator, _) = (server.operator().await, server.reader().await);
    let mut alerts = Alerts::default();
    server.app.health.backups.failed("Permission denied (os error 13)");
    look(&mut alerts, &server, |_| {}).await;
    // The backup is tried again before anybody hears of it.
    server.advance(TimeDelta::minutes(16));
    look(&mut alerts, &server, |_| {}).await;
    let alert = mail.next().await;
    assert_eq!(alert.to(), operator.email);
    assert_eq!(alert.headers["subject"], "A backup of your Shelfwise server failed");
    assert!(alert.text.contains("Permission denied") && !alert.text.contains("nowhere"), "{}", alert.text);
    assert_eq!(alert.link(HOME), format!("{HOME}/admin"));
    // Neither time nor a restart repeats it within a day.
    server.advance(TimeDelta::hours(1));
    look(&mut alerts, &server, |_| {}).await;
    let mut alerts = Alerts::default();
    for _ in 0..2 {
        look(&mut alerts, &server, |_| {}).await;
        server.advance(TimeDelta::hours(1));
    }
    server.app.health.backups.succeeded();
    look(&mut alerts, &server, |_| {}).await;
    assert_eq!(mail.next().await.headers["subject"], "Backups of your Shelfwise server work again");
    assert!(!mail.has_more());
}

#[tokio::test]
async fn backups_work_again_once_one_has_been_made() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let server = backing_up(&mail).await;
    let (operator, before) = (server.operator().await, server.app.now());
    let mut alerts = Alerts::default();
    server.app.health.backups.failed("Permission denied (os error 13)");
    for _ in 0..2 {
        look(&mut alerts, &server, |_| {}).await;
        server.advance(TimeDelta::minutes(16));
    }
    assert_eq!(mail.next().await.headers["subject"], "A backup of your Shelfwise server failed");
    // A server that has just started knows the newest backup in the folder and has not made another one.
    let mut alerts = Alerts::default();
    let found = Record { last_success: Some(before), ok: Some(true), ..Record::default() };
    look(&mut alerts, &server, |facts| facts.backups = found).await;
    server.app.mail.post(emails::test(operator.email.clone(), &server.app.current.get().identity()));
    assert_eq!(mail.next().await.headers["subject"], "A test email from Shelfwise");
    server.app.health.backups.succeeded();
    look(&mut alerts, &server, |_| {}).await;
    assert_eq!(mail.next().await.headers["subject"], "Backups of your Shelfwise server work again");
    assert!(!mail.has_more());
}

#[tokio::test]
async fn operators_get_an_email_about_a_lost_email_and_about_a_full_disk() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let server = TestServer::with(|config| mailing(config, mail.url())).await;
    let operator = server.operator().await;
    let mut alerts = Alerts::default();
    server.app.mail.post(emails::test("nobody".into(), &server.app.current.get().identity()));
    while server.app.mail.record().unwrap().failures == 0 {
        tokio::task::yield_now().await;
    }
    look(&mut alerts, &server, |_| {}).await;
    let lost = mail.next().await;
    assert_eq!(
        (lost.to(), &*lost.headers["subject"]),
        (&*operator.email, "Your Shelfwise server could not send an email")
    );
    assert!(lost.text.contains("the recipient is not a valid e-mail address"), "{}", lost.text);
    for _ in 0..2 {
        look(&mut alerts, &server, |facts| facts.wanted = u64::MAX).await;
        server.advance(TimeDelta::minutes(16));
    }
    assert_eq!(mail.next().await.headers["subject"], "The disk of your Shelfwise server is nearly full");
    assert!(!mail.has_more());
}

#[tokio::test]
async fn an_operator_sends_a_test_email_to_the_own_address_and_learns_why_it_failed() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let server = TestServer::with(|config| mailing(config, mail.url())).await;
    let operator = server.operator().await;
    let sent = operator.post("/api/admin/test-email", Value::Null).await.expect(200);
    assert_eq!(sent, json!({"to": operator.email}));
    let arrived = mail.next().await;
    assert_eq!((arrived.to(), &*arrived.headers["subject"]), (&*operator.email, "A test email from Shelfwise"));
    assert_eq!(server.app.mail.record().unwrap().ok, Some(true));
    let url = mail.url();
    drop(mail);
    let failed = operator.post("/api/admin/test-email", Value::Null).await;
    assert_eq!(failed.code(503), "mail_unavailable");
    assert!(failed.body["error"].as_str().unwrap().starts_with("The e-mail was not sent: "), "{}", failed.body);
    assert!(!failed.body.to_string().contains(&url), "{}", failed.body);
    assert_eq!(server.app.mail.record().unwrap().ok, Some(false));
}

#[tokio::test]
async fn a_server_without_mail_sends_no_test_email() {
    let server = TestServer::start().await;
    let refused = server.operator().await.post("/api/admin/test-email", Value::Null).await;
    assert_eq!(refused.code(503), "mail_not_configured");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn doctor_sends_a_test_email_only_when_asked() {
    let Some(mut mail) = MailServer::start(Tls::None) else { return };
    let folder = tempfile::tempdir().unwrap();
    let (data, url) = (folder.path().join("data"), mail.url());
    let run = |words: &[&str], url: &str| {
        let mut command = shelfwise();
        command.args(words).arg("--data-dir").arg(&data).env("SHELFWISE_MAIL_URL", url);
        command.env("SHELFWISE_MAIL_FROM", "books@example.org").env("SHELFWISE_PUBLIC_URL", HOME);
        program::run(command, "a quite new passphrase")
    };
    let made = run(&["user", "create", "ada@example.org", "--name", "Ada", "--admin"], &url);
    assert_eq!(made.status, 0, "{}", made.err);
    run(&["doctor"], &url);
    let sent = run(&["doctor", "--send-mail", "ops@example.org"], &url);
    assert!(sent.out.contains("sent to ops@example.org"), "{}{}", sent.out, sent.err);
    assert_eq!(mail.next().await.to(), "ops@example.org");
    assert!(!mail.has_more());
    let failed = run(&["doctor", "--send-mail", "ops@example.org"], "smtp://127.0.0.1:1");
    assert!(failed.status == 1 && failed.out.contains("not sent: "), "{}", failed.out);
}
