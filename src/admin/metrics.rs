//! `GET /metrics`: the operator's statistics in Prometheus' text format, on their own listener.
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use prometheus::core::Collector;
use prometheus::proto::{Metric, MetricFamily};
use prometheus::{CounterVec, GaugeVec, HistogramOpts, HistogramVec, IntCounterVec, Opts, TextEncoder};

use super::analytics::model::{DeviceAnalytics, LocationAnalytics, SystemAnalytics, UserAnalytics};
use super::health::{Facts, HealthCheck};
use super::load::LoadStatus;
use super::process::Process;
use crate::kit::VERSION;
use crate::kit::db::pool::known_schema;
use crate::kit::health::Record;
use crate::kit::http::refusal_counts;

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

    fn families(&self) -> prometheus::Result<Vec<MetricFamily>> {
        let Instruments { answers, seconds } =
            (*self.0).as_ref().map_err(|cause| prometheus::Error::Msg(cause.to_string()))?;
        Ok([answers.collect(), seconds.collect()].concat())
    }
}

/// All metrics of the page. None of them identifies a person.
pub struct Figures {
    /// Response counts by route.
    pub requests: Requests,
    /// Accounts.
    pub users: UserAnalytics,
    /// Load and sessions.
    pub system: SystemAnalytics,
    /// Devices of the last 30 days.
    pub devices: DeviceAnalytics,
    /// Places of the last 30 days.
    pub locations: LocationAnalytics,
    /// The size of the database's files in bytes.
    pub database_bytes: u64,
    /// Wrong passwords since the start.
    pub login_failures: u64,
    /// The results of the server's checks, and what they looked at.
    pub checks: Vec<HealthCheck>,
    pub facts: Facts,
    /// The start in Unix seconds.
    pub started_at: i64,
    pub process: Process,
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
pub fn text(figures: &Figures) -> prometheus::Result<String> {
    let mut page = MetricsPage::default();
    let refused = refusal_counts::totals().map(|(why, count)| ([why], count as f64));
    page.counter("shelfwise_throttled_total", "Callers refused because of a limit, by reason.", ["why"], refused)?;
    page.0.extend(figures.requests.families()?);
    page.people(figures)?;
    page.server(figures)?;
    page.text()
}

#[derive(Default)]
struct MetricsPage(Vec<MetricFamily>);

impl MetricsPage {
    /// A metric without a sample is a head alone, so that a scraper knows every metric from the start.
    fn text(self) -> prometheus::Result<String> {
        let mut text = String::new();
        for mut family in self.0 {
            let mut metrics = family.take_metric();
            if metrics.is_empty() {
                let kind = format!("{:?}", family.get_field_type()).to_lowercase();
                let (name, help) = (family.name(), family.help());
                text.push_str(&format!("# HELP {name} {help}\n# TYPE {name} {kind}\n"));
                continue;
            }
            let values = |metric: &Metric| metric.get_label().iter().map(|label| label.value().to_owned()).collect();
            metrics.sort_by_key::<Vec<_>, _>(values);
            family.set_metric(metrics);
            TextEncoder::new().encode_utf8(&[family], &mut text)?;
        }
        Ok(text)
    }

    fn counter<'a, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        labels: [&str; N],
        samples: impl IntoIterator<Item = ([&'a str; N], f64)>,
    ) -> prometheus::Result<()> {
        let counter = CounterVec::new(Opts::new(name, help), &labels)?;
        samples.into_iter().for_each(|(values, value)| counter.with_label_values(&values).inc_by(value));
        self.0.extend(counter.collect());
        Ok(())
    }

    fn gauge<'a, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        labels: [&str; N],
        samples: impl IntoIterator<Item = ([&'a str; N], f64)>,
    ) -> prometheus::Result<()> {
        let gauge = GaugeVec::new(Opts::new(name, help), &labels)?;
        samples.into_iter().for_each(|(values, value)| gauge.with_label_values(&values).set(value));
        self.0.extend(gauge.collect());
        Ok(())
    }

    /// Metrics of accounts and their requests.
    fn people(&mut self, figures: &Figures) -> prometheus::Result<()> {
        let Figures { users, system, .. } = figures;
        for (name, help, value) in [
            ("shelfwise_users", "Accounts.", users.total_users as f64),
            ("shelfwise_inactive_new_users", "New accounts with no book.", users.inactive_new_users as f64),
            (
                "shelfwise_became_inactive",
                "Accounts whose last activity is at least 7 days ago.",
                users.became_inactive as f64,
            ),
            ("shelfwise_active_sessions", "Sessions seen in 15 minutes.", system.active_sessions as f64),
            ("shelfwise_database_bytes", "Size of the database's files.", figures.database_bytes as f64),
        ] {
            self.gauge(name, help, [], [([], value)])?;
        }
        let help = "Wrong passwords since the start.";
        self.counter("shelfwise_login_failures_total", help, [], [([], figures.login_failures as f64)])?;
        let new = [("day", users.new_users.day), ("week", users.new_users.week), ("month", users.new_users.month)];
        let new = new.map(|(window, count)| ([window], count as f64));
        let help = "Accounts made since midnight UTC and in 7 and 30 days.";
        self.gauge("shelfwise_new_users", help, ["window"], new)?;
        let active = [("day", users.retention.active_1d), ("week", users.retention.active_7d)];
        let active = active.map(|(window, count)| ([window], count as f64));
        let help = "Accounts with activity in the last 1 and 7 days.";
        self.gauge("shelfwise_active_users", help, ["window"], active)?;
        let load = [(["now"], system.load_indicator.current), (["average"], system.load_indicator.average)];
        let help = "Requests a minute, of 5 minutes and of a day.";
        self.gauge("shelfwise_load_requests_per_minute", help, ["window"], load)?;
        let status = [("green", LoadStatus::Green), ("orange", LoadStatus::Orange), ("red", LoadStatus::Red)];
        let status = status.map(|(name, one)| ([name], f64::from(one == system.load_status)));
        self.gauge("shelfwise_load_status", "1 for the current load status.", ["status"], status)?;
        let devices = figures.devices.devices.iter();
        let devices = devices.map(|one| ([one.device_type.as_str(), &one.browser, &one.os], one.unique_users as f64));
        let help = "Accounts by device, of 30 days.";
        self.gauge("shelfwise_device_users", help, ["device_type", "browser", "os"], devices)?;
        let places = figures.locations.locations.iter();
        let places = places
            .map(|one| ([one.country.as_str(), one.city.as_deref().unwrap_or_default()], one.unique_users as f64));
        self.gauge("shelfwise_location_users", "Accounts by place, of 30 days.", ["country", "city"], places)
    }

    /// Metrics of the program and its machine. A metric that may have no value then has no sample.
    fn server(&mut self, figures: &Figures) -> prometheus::Result<()> {
        let (Figures { facts, process, .. }, schema) = (figures, known_schema().to_string());
        let help = "1, with the program's version and schema as labels.";
        self.gauge("shelfwise_build_info", help, ["version", "schema"], [([VERSION, &schema], 1.0)])?;
        let checks = figures.checks.iter().map(|check| ([check.name], f64::from(check.ok)));
        let help = "1 when a check of the Admin page has passed, otherwise 0.";
        self.gauge("shelfwise_check_ok", help, ["check"], checks)?;
        let whole = |count: u64| count as f64;
        for (name, help, value) in [
            (
                "shelfwise_backup_last_success_timestamp_seconds",
                "When the newest backup of the schedule was made.",
                facts.backups.last_success.map(|at| at.timestamp() as f64),
            ),
            (
                "shelfwise_backup_last_run_ok",
                "1 when the last backup of the schedule was made, 0 when it failed.",
                facts.backups.ok.map(f64::from),
            ),
            ("shelfwise_disk_free_bytes", "Room on the disk of the data directory.", facts.free.map(whole)),
            ("shelfwise_wal_bytes", "Size of the WAL in bytes.", Some(whole(facts.wal))),
            (
                "process_start_time_seconds",
                "Start of the process, in seconds since 1970.",
                Some(figures.started_at as f64),
            ),
            ("process_resident_memory_bytes", "Resident memory.", process.resident_bytes.map(whole)),
            ("process_virtual_memory_bytes", "Mapped memory.", process.virtual_bytes.map(whole)),
            ("process_open_fds", "Open files.", process.open_files.map(whole)),
            ("process_max_fds", "Files that may be open.", process.most_files.map(whole)),
            ("process_threads", "Threads.", process.threads.map(whole)),
        ] {
            self.gauge(name, help, [], value.map(|value| ([], value)))?;
        }
        let failures = |record: &Option<Record>| record.as_ref().map(|record| whole(record.failures));
        for (name, help, value) in [
            (
                "shelfwise_backup_failures_total",
                "Backups of the schedule that failed.",
                Some(whole(facts.backups.failures)),
            ),
            ("shelfwise_mail_failures_total", "E-mails that were given up.", failures(&facts.mail)),
            (
                "shelfwise_webhook_failures_total",
                "Signed messages of the payment provider that could not be processed.",
                failures(&facts.payments),
            ),
            ("process_cpu_seconds_total", "Processor time.", Some(process.cpu_seconds)),
        ] {
            self.counter(name, help, [], value.map(|value| ([], value)))?;
        }
        Ok(())
    }
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
        let mut page = MetricsPage::default();
        page.gauge("places", "Places.", ["city"], [(["a\"b\\c\nd"], 1.0)]).unwrap();
        assert!(page.text().unwrap().ends_with("places{city=\"a\\\"b\\\\c\\nd\"} 1\n"));
    }
}
