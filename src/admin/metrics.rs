//! `GET /metrics`: the operator's statistics in Prometheus' text format, on their own listener.
use std::collections::HashMap;
use std::fmt::{Display, Write as _};
use std::path::Path;
use std::time::Duration;

use axum::http::StatusCode;

use super::analytics::model::{Devices, Locations, SystemLoad, UserInsights};
use super::load::LoadStatus;
use super::process::Process;
use crate::kit::App;
use crate::kit::db::pool::known_schema;
use crate::kit::health::{Record, free_bytes, wal_bytes};
use crate::kit::http::throttled;

/// Upper bounds of the buckets of response times, in seconds.
const BUCKETS: [f64; 11] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
const CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];
/// The route of requests without an API route: pages, files, unknown paths.
const NO_ROUTE: &str = "-";

/// Response counts since the start, by route pattern.
#[derive(Debug, Clone, Default)]
pub struct Requests(HashMap<String, Route>);

#[derive(Debug, Clone, Default)]
struct Route {
    classes: [u64; CLASSES.len()],
    /// Responses in each bucket, without those of the lower buckets.
    buckets: [u64; BUCKETS.len()],
    seconds: f64,
}

impl Requests {
    /// Counts a response.
    pub fn answered(&mut self, route: Option<&str>, status: StatusCode, took: Duration) {
        let name = route.unwrap_or(NO_ROUTE);
        let route = match self.0.get_mut(name) {
            Some(route) => route,
            None => self.0.entry(name.to_owned()).or_default(),
        };
        let class = usize::from(status.as_u16() / 100).clamp(1, CLASSES.len()) - 1;
        route.classes[class] += 1;
        route.seconds += took.as_secs_f64();
        if let Some(bucket) = BUCKETS.iter().position(|bound| took.as_secs_f64() <= *bound) {
            route.buckets[bucket] += 1;
        }
    }
}

/// All metrics of the page. None of them identifies a person.
pub struct Figures {
    /// Response counts by route.
    pub requests: Requests,
    /// Accounts.
    pub users: UserInsights,
    /// Load and sessions.
    pub system: SystemLoad,
    /// Devices of the last 30 days.
    pub devices: Devices,
    /// Places of the last 30 days.
    pub locations: Locations,
    /// The size of the database's files in bytes.
    pub database_bytes: u64,
    /// Wrong passwords since the start.
    pub login_failures: u64,
    /// The program and its resources.
    pub server: Server,
}

/// The program and its resources.
#[derive(Default)]
pub struct Server {
    /// The start in Unix seconds.
    started_at: i64,
    backups: Record,
    disk_free: Option<u64>,
    wal_bytes: u64,
    mail_failures: Option<u64>,
    webhook_failures: Option<u64>,
    process: Process,
}

impl Server {
    /// The current values of a server.
    pub fn of(app: &App) -> Self {
        let database = app.db.path();
        Self {
            started_at: app.health.started_at.timestamp(),
            backups: app.health.backups.record(),
            disk_free: free_bytes(database),
            wal_bytes: wal_bytes(database),
            mail_failures: app.mail.record().map(|record| record.failures),
            webhook_failures: app.config.stripe.is_on().then(|| app.health.webhooks.record().failures),
            process: Process::now(),
        }
    }
}

/// The size of a database with its WAL and index file, in bytes.
pub fn bytes(database: &Path) -> u64 {
    let size = |ending: &str| {
        let mut file = database.as_os_str().to_owned();
        file.push(ending);
        std::fs::metadata(file).map_or(0, |file| file.len())
    };
    size("") + size("-wal") + size("-shm")
}

/// The text of the page.
pub fn text(figures: &Figures) -> String {
    let mut page = Page(String::new());
    page.requests(&figures.requests);
    let users = &figures.users;
    page.gauge("shelfwise_users", "Accounts.", &[("", users.total_users)]);
    let new = [("day", users.new_users.day), ("week", users.new_users.week), ("month", users.new_users.month)];
    page.gauge("shelfwise_new_users", "Accounts made since midnight UTC and in 7 and 30 days.", &windows(&new));
    let active = [("day", users.retention.active_1d), ("week", users.retention.active_7d)];
    page.gauge("shelfwise_active_users", "Accounts with activity in the last 1 and 7 days.", &windows(&active));
    page.gauge("shelfwise_inactive_new_users", "New accounts with no book.", &[("", users.inactive_new_users)]);
    page.gauge(
        "shelfwise_became_inactive",
        "Accounts whose last activity is 7 days ago.",
        &[("", users.became_inactive)],
    );
    let system = &figures.system;
    page.gauge("shelfwise_active_sessions", "Sessions seen in 15 minutes.", &[("", system.active_sessions)]);
    let load = [("now", system.load_indicator.current), ("average", system.load_indicator.average)];
    page.gauge("shelfwise_load_requests_per_minute", "Requests a minute, of 5 minutes and of a day.", &windows(&load));
    let status = [LoadStatus::Green, LoadStatus::Orange, LoadStatus::Red]
        .map(|status| (format!("{{status=\"{status:?}\"}}").to_lowercase(), u8::from(status == system.load_status)));
    page.gauge("shelfwise_load_status", "1 for the present load status.", &status);
    let devices = figures.devices.devices.iter().map(|one| {
        let labels = [("device_type", one.device_type.as_str()), ("browser", &one.browser), ("os", &one.os)];
        (labelled(&labels), one.unique_users)
    });
    page.gauge("shelfwise_device_users", "Accounts by device, of 30 days.", &devices.collect::<Vec<_>>());
    let places = figures.locations.locations.iter().map(|one| {
        let city = one.city.as_deref().unwrap_or_default();
        (labelled(&[("country", one.country.as_str()), ("city", city)]), one.unique_users)
    });
    page.gauge("shelfwise_location_users", "Accounts by place, of 30 days.", &places.collect::<Vec<_>>());
    page.gauge("shelfwise_database_bytes", "Size of the database's files.", &[("", figures.database_bytes)]);
    page.head("shelfwise_login_failures_total", "Wrong passwords since the start.", "counter");
    page.line("shelfwise_login_failures_total", "", figures.login_failures);
    page.server(&figures.server);
    page.0
}

fn windows<T: Copy>(values: &[(&str, T)]) -> Vec<(String, T)> {
    values.iter().map(|(window, value)| (labelled(&[("window", window)]), *value)).collect()
}

/// Labels in Prometheus' format, with quotes, backslashes and line breaks escaped.
fn labelled(labels: &[(&str, &str)]) -> String {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let pairs = labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value)));
    format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
}

struct Page(String);

impl Page {
    fn head(&mut self, name: &str, help: &str, kind: &str) {
        self.0.push_str(&format!("# HELP {name} {help}\n# TYPE {name} {kind}\n"));
    }

    fn line(&mut self, name: &str, labels: &str, value: impl Display) {
        // Writing to a string can't fail.
        let _ = writeln!(self.0, "{name}{labels} {value}");
    }

    fn gauge(&mut self, name: &str, help: &str, values: &[(impl AsRef<str>, impl Display)]) {
        self.head(name, help, "gauge");
        for (labels, value) in values {
            self.line(name, labels.as_ref(), value);
        }
    }

    /// A metric that may have no value: then only its head is written.
    fn known(&mut self, name: &str, help: &str, kind: &str, value: Option<impl Display>) {
        self.head(name, help, kind);
        if let Some(value) = value {
            self.line(name, "", value);
        }
    }

    fn server(&mut self, server: &Server) {
        let labels = labelled(&[("version", env!("CARGO_PKG_VERSION")), ("schema", &known_schema().to_string())]);
        self.gauge("shelfwise_build_info", "1, with the program's version and schema as labels.", &[(labels, 1)]);
        let (backups, process) = (&server.backups, &server.process);
        self.known(
            "shelfwise_backup_last_success_timestamp_seconds",
            "When the newest backup of the schedule was made.",
            "gauge",
            backups.last_success.map(|at| at.timestamp()),
        );
        self.known(
            "shelfwise_backup_last_run_ok",
            "1 when the last backup of the schedule was made, 0 when it failed.",
            "gauge",
            backups.ok.map(u8::from),
        );
        self.known(
            "shelfwise_backup_failures_total",
            "Backups of the schedule that failed.",
            "counter",
            Some(backups.failures),
        );
        self.known("shelfwise_disk_free_bytes", "Room on the disk of the data directory.", "gauge", server.disk_free);
        self.known("shelfwise_wal_bytes", "Size of the write-ahead log.", "gauge", Some(server.wal_bytes));
        self.known("shelfwise_mail_failures_total", "E-mails that were given up.", "counter", server.mail_failures);
        self.known(
            "shelfwise_webhook_failures_total",
            "Signed messages of the payment provider that could not be processed.",
            "counter",
            server.webhook_failures,
        );
        let started = "Start of the process, in seconds since 1970.";
        self.known("process_start_time_seconds", started, "gauge", Some(server.started_at));
        self.known("process_cpu_seconds_total", "Processor time.", "counter", Some(process.cpu_seconds));
        self.known("process_resident_memory_bytes", "Resident memory.", "gauge", process.resident_bytes);
        self.known("process_virtual_memory_bytes", "Mapped memory.", "gauge", process.virtual_bytes);
        self.known("process_open_fds", "Open files.", "gauge", process.open_files);
        self.known("process_max_fds", "Files that may be open.", "gauge", process.most_files);
        self.known("process_threads", "Threads.", "gauge", process.threads);
    }

    fn requests(&mut self, requests: &Requests) {
        let mut routes: Vec<_> = requests.0.iter().collect();
        routes.sort_by_key(|(name, _)| name.as_str());
        self.head("shelfwise_throttled_total", "Callers refused because of a limit, by reason.", "counter");
        for (why, count) in throttled::totals() {
            self.line("shelfwise_throttled_total", &labelled(&[("why", why)]), count);
        }
        self.head("shelfwise_requests_total", "Answers by route and class of status.", "counter");
        for (name, route) in &routes {
            for (class, count) in CLASSES.iter().zip(route.classes).filter(|(_, count)| *count > 0) {
                self.line("shelfwise_requests_total", &labelled(&[("route", name), ("status", class)]), count);
            }
        }
        let name = "shelfwise_request_duration_seconds";
        self.head(name, "Answer times by route.", "histogram");
        for (pattern, route) in &routes {
            let mut below = 0;
            for (bound, count) in BUCKETS.iter().zip(route.buckets) {
                below += count;
                let labels = labelled(&[("route", pattern), ("le", &bound.to_string())]);
                self.line(&format!("{name}_bucket"), &labels, below);
            }
            let count: u64 = route.classes.iter().sum();
            self.line(&format!("{name}_bucket"), &labelled(&[("route", pattern), ("le", "+Inf")]), count);
            self.line(&format!("{name}_sum"), &labelled(&[("route", pattern)]), route.seconds);
            self.line(&format!("{name}_count"), &labelled(&[("route", pattern)]), count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_by_route_class_and_time_and_buckets_add_up() {
        let mut requests = Requests::default();
        for (millis, status) in [(3, 200), (7, 200), (7, 404), (60_000, 503)] {
            let status = StatusCode::from_u16(status).unwrap();
            requests.answered(Some("/api/books/{id}"), status, Duration::from_millis(millis));
        }
        let mut page = Page(String::new());
        page.requests(&requests);
        let name = "shelfwise_request_duration_seconds";
        for line in [
            "shelfwise_requests_total{route=\"/api/books/{id}\",status=\"2xx\"} 2".to_owned(),
            "shelfwise_requests_total{route=\"/api/books/{id}\",status=\"5xx\"} 1".to_owned(),
            format!("{name}_bucket{{route=\"/api/books/{{id}}\",le=\"0.005\"}} 1"),
            format!("{name}_bucket{{route=\"/api/books/{{id}}\",le=\"0.01\"}} 3"),
            format!("{name}_bucket{{route=\"/api/books/{{id}}\",le=\"10\"}} 3"),
            format!("{name}_bucket{{route=\"/api/books/{{id}}\",le=\"+Inf\"}} 4"),
            format!("{name}_count{{route=\"/api/books/{{id}}\"}} 4"),
        ] {
            assert!(page.0.lines().any(|known| known == line), "{line} is not in\n{}", page.0);
        }
    }

    #[test]
    fn a_label_can_not_break_out_of_its_quotes() {
        assert_eq!(labelled(&[("city", "a\"b\\c\nd")]), r#"{city="a\"b\\c\nd"}"#);
    }
}
