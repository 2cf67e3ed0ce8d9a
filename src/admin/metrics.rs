//! `GET /metrics`: the operator's statistics in Prometheus' text format, on their own listener.
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use prometheus::core::Collector;
use prometheus::proto::{Counter, Gauge, LabelPair, Metric, MetricFamily, MetricType};
use prometheus::{HistogramOpts, HistogramVec, IntCounterVec, Opts, TextEncoder};

use super::analytics::model::{Devices, Locations, SystemLoad, UserInsights};
use super::load::LoadStatus;
use super::process::Process;
use crate::kit::db::pool::known_schema;
use crate::kit::health::{Record, free_bytes, wal_bytes};
use crate::kit::http::refusal_counts;
use crate::kit::{App, Error, Result, VERSION};

/// Upper bounds of the buckets of response times, in seconds.
const BUCKETS: [f64; 11] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];
const CLASSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];
/// The route of requests without an API route: pages, files, unknown paths.
const NO_ROUTE: &str = "-";

/// Response counts since the start, by route pattern; clones share them.
#[derive(Clone)]
pub struct Requests(Arc<prometheus::Result<Instruments>>);

struct Instruments {
    answers: IntCounterVec,
    seconds: HistogramVec,
}

impl Default for Requests {
    fn default() -> Self {
        Self(Arc::new(Instruments::new()))
    }
}

impl Instruments {
    fn new() -> prometheus::Result<Self> {
        let answers = Opts::new("shelfwise_requests_total", "Answers by route and class of status.");
        let seconds = HistogramOpts::new("shelfwise_request_duration_seconds", "Answer times by route.");
        Ok(Self {
            answers: IntCounterVec::new(answers, &["route", "status"])?,
            seconds: HistogramVec::new(seconds.buckets(BUCKETS.to_vec()), &["route"])?,
        })
    }
}

impl Requests {
    /// Counts a response: its route pattern, its status, and how long it took.
    pub fn answered(&self, route: Option<&str>, status: StatusCode, took: Duration) {
        let Ok(instruments) = &*self.0 else { return };
        let route = route.unwrap_or(NO_ROUTE);
        let class = usize::from(status.as_u16() / 100).clamp(1, CLASSES.len()) - 1;
        instruments.answers.with_label_values(&[route, CLASSES[class]]).inc();
        instruments.seconds.with_label_values(&[route]).observe(took.as_secs_f64());
    }

    /// The counts, in the order of their labels.
    fn families(&self) -> Result<Vec<MetricFamily>> {
        let Instruments { answers, seconds } =
            (*self.0).as_ref().map_err(|cause| Error::internal(cause.to_string()))?;
        let mut families = [answers.collect(), seconds.collect()].concat();
        for family in &mut families {
            let values =
                |metric: &Metric| metric.get_label().iter().map(|label| label.value().to_owned()).collect::<Vec<_>>();
            let mut metrics = family.take_metric();
            metrics.sort_by_key(values);
            family.set_metric(metrics);
        }
        Ok(families)
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
pub fn text(figures: &Figures) -> Result<String> {
    let mut page = MetricsPage(Vec::new());
    let refused = refusal_counts::totals().map(|(why, count)| (vec![("why", why)], count as f64));
    page.counter("shelfwise_throttled_total", "Callers refused because of a limit, by reason.", refused);
    page.0.extend(figures.requests.families()?);
    page.people(figures);
    page.server(&figures.server);
    page.text()
}

/// Names and values of one sample's labels.
type Labels<'a> = Vec<(&'a str, &'a str)>;

struct MetricsPage(Vec<MetricFamily>);

impl MetricsPage {
    /// A metric without a sample is a head alone, so that a scraper knows every metric from the start.
    fn text(self) -> Result<String> {
        let mut text = String::new();
        for family in self.0 {
            if family.get_metric().is_empty() {
                let kind = format!("{:?}", family.get_field_type()).to_lowercase();
                let (name, help) = (family.name(), family.help());
                text.push_str(&format!("# HELP {name} {help}\n# TYPE {name} {kind}\n"));
            } else {
                let written = TextEncoder::new().encode_utf8(&[family], &mut text);
                written.map_err(|cause| Error::internal(cause.to_string()))?;
            }
        }
        Ok(text)
    }

    fn family<'a>(
        &mut self,
        (name, help, kind): (&str, &str, MetricType),
        samples: impl IntoIterator<Item = (Labels<'a>, f64)>,
    ) {
        let metrics = samples.into_iter().map(|(labels, value)| {
            let mut metric = Metric::from_label(labels.into_iter().map(label).collect());
            if kind == MetricType::COUNTER {
                let mut counter = Counter::default();
                counter.set_value(value);
                metric.set_counter(counter);
            } else {
                let mut gauge = Gauge::default();
                gauge.set_value(value);
                metric.set_gauge(gauge);
            }
            metric
        });
        let mut family = MetricFamily::default();
        family.set_metric(metrics.collect());
        family.set_name(name.to_owned());
        family.set_help(help.to_owned());
        family.set_field_type(kind);
        self.0.push(family);
    }

    fn counter<'a>(&mut self, name: &str, help: &str, samples: impl IntoIterator<Item = (Labels<'a>, f64)>) {
        self.family((name, help, MetricType::COUNTER), samples);
    }

    fn gauge<'a>(&mut self, name: &str, help: &str, samples: impl IntoIterator<Item = (Labels<'a>, f64)>) {
        self.family((name, help, MetricType::GAUGE), samples);
    }

    /// Metrics of accounts and their requests.
    fn people(&mut self, figures: &Figures) {
        let Figures { users, system, .. } = figures;
        self.gauge("shelfwise_users", "Accounts.", one(users.total_users as f64));
        let new = [("day", users.new_users.day), ("week", users.new_users.week), ("month", users.new_users.month)];
        let help = "Accounts made since midnight UTC and in 7 and 30 days.";
        self.gauge("shelfwise_new_users", help, new.map(|(window, count)| (vec![("window", window)], count as f64)));
        let active = [("day", users.retention.active_1d), ("week", users.retention.active_7d)];
        let help = "Accounts with activity in the last 1 and 7 days.";
        self.gauge(
            "shelfwise_active_users",
            help,
            active.map(|(window, count)| (vec![("window", window)], count as f64)),
        );
        self.gauge("shelfwise_inactive_new_users", "New accounts with no book.", one(users.inactive_new_users as f64));
        let help = "Accounts whose last activity is at least 7 days ago.";
        self.gauge("shelfwise_became_inactive", help, one(users.became_inactive as f64));
        self.gauge("shelfwise_active_sessions", "Sessions seen in 15 minutes.", one(system.active_sessions as f64));
        let load = [("now", system.load_indicator.current), ("average", system.load_indicator.average)];
        let help = "Requests a minute, of 5 minutes and of a day.";
        self.gauge(
            "shelfwise_load_requests_per_minute",
            help,
            load.map(|(window, rate)| (vec![("window", window)], rate)),
        );
        let status = [("green", LoadStatus::Green), ("orange", LoadStatus::Orange), ("red", LoadStatus::Red)];
        let status = status.map(|(name, one)| (vec![("status", name)], f64::from(one == system.load_status)));
        self.gauge("shelfwise_load_status", "1 for the current load status.", status);
        let devices = figures.devices.devices.iter().map(|one| {
            let labels = vec![("device_type", one.device_type.as_str()), ("browser", &one.browser), ("os", &one.os)];
            (labels, one.unique_users as f64)
        });
        self.gauge("shelfwise_device_users", "Accounts by device, of 30 days.", devices);
        let places = figures.locations.locations.iter().map(|one| {
            let city = one.city.as_deref().unwrap_or_default();
            (vec![("country", one.country.as_str()), ("city", city)], one.unique_users as f64)
        });
        self.gauge("shelfwise_location_users", "Accounts by place, of 30 days.", places);
        self.gauge("shelfwise_database_bytes", "Size of the database's files.", one(figures.database_bytes as f64));
        let failures = one(figures.login_failures as f64);
        self.counter("shelfwise_login_failures_total", "Wrong passwords since the start.", failures);
    }

    /// Metrics of the program and its machine. A metric that may have no value then has no sample.
    fn server(&mut self, server: &Server) {
        let (Server { backups, process, .. }, schema) = (server, known_schema().to_string());
        let version = vec![("version", VERSION), ("schema", &*schema)];
        let help = "1, with the program's version and schema as labels.";
        self.gauge("shelfwise_build_info", help, [(version, 1.0)]);
        let made = backups.last_success.map(|at| at.timestamp() as f64);
        let help = "When the newest backup of the schedule was made.";
        self.gauge("shelfwise_backup_last_success_timestamp_seconds", help, one(made));
        let help = "1 when the last backup of the schedule was made, 0 when it failed.";
        self.gauge("shelfwise_backup_last_run_ok", help, one(backups.ok.map(f64::from)));
        let failures = one(backups.failures as f64);
        self.counter("shelfwise_backup_failures_total", "Backups of the schedule that failed.", failures);
        let whole = |count: Option<u64>| one(count.map(|count| count as f64));
        let help = "Room on the disk of the data directory.";
        self.gauge("shelfwise_disk_free_bytes", help, whole(server.disk_free));
        self.gauge("shelfwise_wal_bytes", "Size of the WAL in bytes.", one(server.wal_bytes as f64));
        self.counter("shelfwise_mail_failures_total", "E-mails that were given up.", whole(server.mail_failures));
        let help = "Signed messages of the payment provider that could not be processed.";
        self.counter("shelfwise_webhook_failures_total", help, whole(server.webhook_failures));
        let help = "Start of the process, in seconds since 1970.";
        self.gauge("process_start_time_seconds", help, one(server.started_at as f64));
        self.counter("process_cpu_seconds_total", "Processor time.", one(process.cpu_seconds));
        self.gauge("process_resident_memory_bytes", "Resident memory.", whole(process.resident_bytes));
        self.gauge("process_virtual_memory_bytes", "Mapped memory.", whole(process.virtual_bytes));
        self.gauge("process_open_fds", "Open files.", whole(process.open_files));
        self.gauge("process_max_fds", "Files that may be open.", whole(process.most_files));
        self.gauge("process_threads", "Threads.", whole(process.threads));
    }
}

/// A sample without labels; `None` when there is no value.
fn one(value: impl Into<Option<f64>>) -> Option<(Labels<'static>, f64)> {
    value.into().map(|value| (Vec::new(), value))
}

fn label((name, value): (&str, &str)) -> LabelPair {
    let mut label = LabelPair::default();
    label.set_name(name.to_owned());
    label.set_value(value.to_owned());
    label
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_counted_by_route_class_and_time_and_buckets_add_up() {
        let requests = Requests::default();
        for (millis, status) in [(3, 200), (7, 200), (7, 404), (60_000, 503)] {
            let status = StatusCode::from_u16(status).unwrap();
            requests.answered(Some("/api/books/{id}"), status, Duration::from_millis(millis));
        }
        let page = MetricsPage(requests.families().unwrap()).text().unwrap();
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
            assert!(page.lines().any(|known| known == line), "{line} is not in\n{page}");
        }
    }

    #[test]
    fn a_label_can_not_break_out_of_its_quotes() {
        let mut page = MetricsPage(Vec::new());
        page.gauge("places", "Places.", [(vec![("city", "a\"b\\c\nd")], 1.0)]);
        assert!(page.text().unwrap().ends_with("places{city=\"a\\\"b\\\\c\\nd\"} 1\n"));
    }
}
