//! No address in a request leads to a redirect to it, and none reaches the payment provider.
use serde_json::{Value, json};

use crate::features::billing::{OWN, order};
use crate::features::social::{house, leave, path};
use crate::support::actors::{TestClient, TestResponse};
use crate::support::fault_table::{row, times};
use crate::support::harness::TestServer;
use crate::support::issuer::Issuer;
use crate::support::stripe::FakeStripe;

/// What an address to go on to is called in a request, here and elsewhere.
const NAMES: [&str; 16] = [
    "next", "return_to", "returnTo", "returnUrl", "return", "redirect", "redirect_uri", "redirect_url", "redirectTo",
    "url", "to", "goto", "continue", "dest", "target", "rurl",
];

/// Addresses that lead away, or do so where they are read carelessly; `own` is the server's own.
fn hostile(own: &str) -> Vec<String> {
    let listed: Vec<String> = serde_json::from_str(include_str!("../../fixtures/hostile-addresses.json")).unwrap();
    let host = own.strip_prefix("http://").unwrap();
    assert!(listed.len() >= 60);
    listed.iter().map(|address| address.replace("{own}", own).replace("{host}", host)).collect()
}

fn under_every_name(address: &str) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(NAMES.map(|name| (name, address))).finish()
}

/// Whether an answer sends a browser somewhere that is not one of our own pages.
fn leads_away(answer: &TestResponse) -> bool {
    let place = answer.header("location");
    let ours = ["/dashboard", "/login?error=unknown_provider", "/account?error=unknown_provider"];
    !(place.is_empty() || ours.contains(&place)) || !answer.header("refresh").is_empty()
}

#[tokio::test]
async fn no_call_or_page_redirects_to_a_hostile_address() {
    let server = TestServer::start().await;
    let (visitor, reader) = (server.visitor(), server.reader().await);
    let people: [&TestClient; 2] = [&visitor, &reader];
    let description: Value = serde_json::from_str(shelfwise::app::DESCRIPTION).unwrap();
    let routes = description["paths"].as_object().unwrap().iter();
    let routes = routes.filter(|(_, methods)| methods["get"].is_object()).map(|(path, _)| path.as_str());
    let paths: Vec<_> = routes.chain(shelfwise::app::PAGES.iter().copied()).collect();
    let mut calls = 0;
    let addresses = hostile(&format!("http://{}", server.address));
    // A few of each kind in every run.
    let step = addresses.len().div_ceil(times("HOSTILE", 6)).max(1);
    for address in addresses.into_iter().step_by(step) {
        let query = under_every_name(&address);
        // Also as the path itself, which careless servers tidy up and redirect to.
        let tidied: String = address.chars().filter(|letter| letter.is_ascii_graphic() && *letter != '\\').collect();
        let as_path = if tidied.starts_with('/') { tidied } else { format!("/{tidied}") };
        for person in people {
            for path in paths.iter().map(|path| format!("{path}?{query}")).chain([as_path.clone()]) {
                let answer = person.get(&path).await;
                assert!(!leads_away(&answer), "{address:?} at {path}: {}", answer.header("location"));
                calls += 1;
            }
        }
    }
    row(
        "requests with a hostile address in sixteen parameters, every call and page",
        calls,
        "none followed",
        "none works",
    );
}

#[tokio::test]
async fn signing_in_never_redirects_to_a_hostile_address() {
    let (server, issuer) = house().await;
    let addresses = hostile(&format!("http://{}", server.address));
    for address in &addresses {
        let nora = server.visitor();
        let start = nora.get(&format!("/api/auth/oauth/mine?{}", under_every_name(address))).await;
        let out = start.header("location").to_owned();
        assert!(out.starts_with(&format!("{}/authorize?", issuer.base)), "{address:?}: {out}");
        assert!(out.contains("%2Fapi%2Fauth%2Foauth%2Fmine%2Fcallback"), "{address:?}: {out}");
        // A provider, too, may bring one back.
        let back = format!("{}&{}", path("mine", &issuer.agree(&out)), under_every_name(address));
        let landed = nora.get(&back).await;
        assert_eq!((landed.status, landed.header("location")), (303, "/dashboard"), "{address:?}");
    }
    // What is followed is an invitation's own page, and nothing else.
    let nora = server.visitor();
    let out = nora.get("/api/auth/oauth/mine?next=/invite/abc-_1").await.header("location").to_owned();
    assert_eq!(nora.get(&path("mine", &issuer.agree(&out))).await.header("location"), "/invite/abc-_1");
    row(
        "hostile addresses to go on to after signing in elsewhere",
        addresses.len(),
        "all led to the dashboard",
        "none works",
    );
}

#[tokio::test]
async fn a_forged_host_changes_no_address_that_a_provider_returns_to() {
    let issuer = Issuer::start().await;
    let text = crate::features::social::section("mine", &issuer.base);
    let server = TestServer::with(|config| {
        config.social = crate::features::social::settings(&text);
        config.public_url = Some("https://books.test".to_owned().try_into().unwrap());
    })
    .await;
    let nora = server.visitor();
    for (name, value) in [
        ("host", "evil.lan"),
        ("x-forwarded-host", "evil.test"),
        ("forwarded", "host=evil.test"),
        ("x-forwarded-proto", "http"),
        ("x-original-url", "https://evil.test/"),
        ("x-rewrite-url", "https://evil.test/"),
        ("origin", "https://evil.test"),
        ("referer", "https://evil.test/"),
    ] {
        let out = nora.send(nora.request(reqwest::Method::GET, "/api/auth/oauth/mine").header(name, value)).await;
        let asked = crate::support::issuer::query(out.header("location"));
        assert_eq!(asked["redirect_uri"], "https://books.test/api/auth/oauth/mine/callback", "{name}");
    }
    let foreign = nora.request(reqwest::Method::GET, "/api/auth/oauth/mine").header("host", "evil.test");
    assert_eq!(nora.send(foreign).await.code(421), "misdirected");
    // Without a header, as a person comes.
    leave(&nora, "mine").await;
}

#[tokio::test]
async fn the_payment_provider_never_gets_a_hostile_address() {
    let fake = FakeStripe::start().await;
    let server = fake.server().await;
    let reader = server.reader().await;
    let addresses = hostile(OWN);
    let mut taken = Vec::new();
    for address in &addresses {
        for field in ["successUrl", "cancelUrl"] {
            let mut wanted = order("shelfwise_plus", "monthly");
            wanted[field] = json!(address);
            let answer = reader.post("/api/subscriptions/checkout", wanted).await;
            taken.extend((answer.status != 422 || answer.fields() != [field]).then(|| format!("{field} {address:?}")));
        }
        let answer = reader.post("/api/subscriptions/billing-portal", json!({"returnUrl": address})).await;
        taken.extend(
            (answer.status != 422 || answer.fields() != ["returnUrl"]).then(|| format!("returnUrl {address:?}")),
        );
    }
    assert!(taken.is_empty(), "{}", taken.join("\n"));
    assert!(fake.calls("POST", "").is_empty(), "the provider was asked");
    row(
        "hostile addresses to come back to after paying, in three fields",
        addresses.len(),
        "all refused",
        "none works",
    );
}
