//! The samples for Prometheus and Grafana name metrics that exist.
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tower::ServiceExt as _;

use crate::support::harness::TestServer;
use crate::support::tools;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(name)
}

/// The names of metrics in a text.
fn metrics(text: &str) -> BTreeSet<String> {
    let words = text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    // A pattern of file names (`shelfwise_*.deb`) ends with the underscore.
    let is_metric =
        |word: &&str| (word.starts_with("shelfwise_") || word.starts_with("process_")) && !word.ends_with('_');
    let family = |word: &str| {
        ["_bucket", "_sum", "_count"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word).to_owned()
    };
    words.filter(is_metric).map(family).collect()
}

#[tokio::test]
async fn every_metric_of_the_dashboard_and_the_rules_exists() {
    let server = TestServer::start().await;
    let request = axum::extract::Request::get("/metrics").body(axum::body::Body::empty()).unwrap();
    let answer = server.metrics.clone().oneshot(request).await.unwrap();
    let bytes = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
    let page = String::from_utf8(bytes.to_vec()).unwrap();
    let known: BTreeSet<String> =
        page.lines().filter_map(|line| Some(line.strip_prefix("# TYPE ")?.split(' ').next()?.to_owned())).collect();
    let dashboard: Value = serde_json::from_str(&std::fs::read_to_string(sample("grafana.json")).unwrap()).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let asked = panels.iter().flat_map(|panel| panel["targets"].as_array().unwrap());
    let asked: Vec<&str> = asked.map(|target| target["expr"].as_str().unwrap()).collect();
    assert!(asked.iter().all(|expression| !metrics(expression).is_empty()), "{asked:?}");
    let rules = std::fs::read_to_string(sample("prometheus-rules.yml")).unwrap();
    let rules: String = rules.lines().filter(|line| !line.trim_start().starts_with('#')).collect::<Vec<_>>().join("\n");
    for text in [asked.join("\n"), rules] {
        let named = metrics(&text);
        assert!(named.len() > 5 && named.is_subset(&known), "{:?}", named.difference(&known));
    }
    let manual = std::fs::read_to_string(sample("../docs/operating.md")).unwrap();
    let plans = ["shelfwise_plus", "shelfwise_team"].map(str::to_owned);
    let named: BTreeSet<String> = metrics(&manual).into_iter().filter(|name| !plans.contains(name)).collect();
    assert!(named.is_subset(&known), "{:?}", named.difference(&known));
}

#[test]
fn promtool_finds_nothing_wrong_with_the_rules() {
    let Some(mut command) = tools::program("promtool", "--version", "deploy/prometheus-rules.yml") else { return };
    let checked = command.args(["check", "rules"]).arg(sample("prometheus-rules.yml")).output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}
