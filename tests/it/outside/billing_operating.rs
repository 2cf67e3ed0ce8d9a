//! Payments for the operator: checked by the doctor, ended when an account is deleted on the command line.
use std::path::{Path, PathBuf};

use serde_json::json;
use shelfwise::account::{store, user_list};
use shelfwise::kit::id::UserId;

use crate::features::billing::buy;
use crate::support::program::{Ended, run, shelfwise};
use crate::support::stripe::{FakeStripe, KEY, Mood};

/// Runs a command off the thread that the provider answers on.
async fn command(words: &str, data: &Path, settings: &[(String, String)]) -> Ended {
    let mut command = shelfwise();
    command.args(words.split_whitespace()).arg("--data-dir").arg(data).envs(settings.iter().cloned());
    tokio::task::spawn_blocking(move || run(command, "")).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_doctor_checks_the_provider_and_never_shows_the_key() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let data: PathBuf = server.folder().to_owned();
    let mut settings = fake.environment();
    settings.push(("SHELFWISE_PUBLIC_URL".into(), "https://books.example.org".into()));
    let look = async |name: &str, value: Option<&str>| {
        let mut settings = settings.clone();
        settings.retain(|(known, _)| known != name);
        settings.extend(value.map(|value| (name.to_owned(), value.to_owned())));
        let ended = command("doctor --json", &data, &settings).await;
        assert!(!ended.out.contains(KEY) && !ended.err.contains(KEY), "{} {}", ended.out, ended.err);
        let checks: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
        let check = checks.as_array().unwrap().iter().find(|check| check["name"] == "payments").unwrap().clone();
        (check["ok"].as_bool().unwrap(), check["detail"].as_str().unwrap().to_owned())
    };
    let (fine, said) = look("SHELFWISE_LOG_FORMAT", None).await;
    assert!(fine && said.contains("knows every price"), "{said}");
    for (name, value, word) in [
        ("SHELFWISE_STRIPE_SECRET_KEY", Some("sk_test_wrong"), "does not accept the secret key"),
        ("SHELFWISE_STRIPE_API_BASE", Some("http://127.0.0.1:1"), "does not answer"),
        ("SHELFWISE_STRIPE_PRICES_TEAM_ANNUAL", Some("price_unknown"), "team_annual"),
        ("SHELFWISE_STRIPE_PRICES_SEAT_MONTHLY", None, "seat_monthly"),
        ("SHELFWISE_STRIPE_WEBHOOK_SECRET", None, "webhook_secret"),
        ("SHELFWISE_PUBLIC_URL", None, "public_url"),
    ] {
        let (fine, said) = look(name, value).await;
        assert!(!fine && said.contains(word), "{name}: {said}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deleting_an_account_on_the_command_line_ends_its_subscription() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    let bought = buy(&fake, &server, &reader, "shelfwise_plus", "monthly").await;
    let (data, settings) = (server.folder().to_owned(), fake.environment());
    let line = format!("user delete {} --yes", reader.email);
    fake.feel(Mood::Broken);
    let ended = command(&line, &data, &settings).await;
    assert!(ended.status == 1 && ended.err.contains("nothing was deleted"), "{}", ended.err);
    let ended = command(&line, &data, &[]).await;
    assert_eq!(ended.status, 1, "without the key nobody can end it: {}", ended.out);
    reader.get("/api/auth/me").await.expect(200);
    fake.feel(Mood::Well);
    let ended = command(&line, &data, &settings).await;
    assert_eq!(ended.status, 0, "{}", ended.err);
    assert_eq!(fake.world().subscriptions[&bought]["status"], "canceled");
    assert_eq!(reader.get("/api/auth/me").await.status, 401);
}

#[tokio::test]
async fn the_lists_of_accounts_show_the_paid_plan_and_that_it_is_paid() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let (reader, operator) = (server.reader().await, server.operator().await);
    buy(&fake, &server, &reader, "shelfwise_plus", "monthly").await;
    let (config, email) = (server.app.config.clone(), reader.email.clone());
    let entry = server.db.read(move |conn| user_list::find(conn, &config, &email)).await.unwrap().unwrap();
    assert_eq!((entry.plan.name(), entry.source()), ("shelfwise_plus", "paid"));
    let page = operator.get("/api/admin/users?plan=shelfwise_plus").await.expect(200);
    assert_eq!((&page["matching"], &page["data"][0]["id"]), (&json!(1), &json!(reader.id)));
    let id = UserId(reader.id);
    let user = server.db.read(move |conn| store::find(conn, id)).await.unwrap();
    assert!(user.stripe_customer_id.is_some());
}
