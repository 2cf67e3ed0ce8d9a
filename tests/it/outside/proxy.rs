//! `deploy/nginx.conf` and `deploy/Caddyfile` with the real nginx and the real Caddy, where they are installed: TLS in front,
//! cookies bound to the host, and the reader's address from the proxy alone.
use std::fs;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reqwest::Method;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::support::actors::{PASSWORD, Reader, Visitor};
use crate::support::program::{Program, free_port, shelfwise};
use crate::support::tools::{self, skip};

const HOST: &str = "books.example.org";
/// Where the reader's browser is: not where the proxy is.
const READER: [u8; 4] = [127, 0, 0, 2];

/// A proxy that runs a sample of ours, on ports of its own.
struct Front {
    child: Child,
    http: u16,
    https: u16,
}

impl Front {
    fn start(mut command: Command, http: u16, https: u16) -> Self {
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let (mut front, started) = (Self { child, http, https }, Instant::now());
        while TcpStream::connect(("127.0.0.1", https)).is_err() {
            assert!(front.child.try_wait().unwrap().is_none(), "the proxy ended");
            assert!(started.elapsed() < Duration::from_secs(20), "the proxy does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        front
    }

    /// The host's address at the proxy.
    fn base(&self) -> String {
        format!("https://{HOST}:{}", self.https)
    }
}

impl Drop for Front {
    fn drop(&mut self) {
        let _ = kill_process(Pid::from_child(&self.child), Signal::TERM);
        let _ = self.child.wait();
    }
}

fn sample(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy").join(name)).unwrap()
}

/// The sample with some of its words replaced, each of which must be there.
fn with(name: &str, words: &[(&str, String)]) -> String {
    words.iter().fold(sample(name), |text, (from, to)| {
        assert!(text.contains(from), "{name} has no `{from}`");
        text.replace(from, to)
    })
}

/// The server with the settings that a sample names in its comment, or without the proxies that it trusts.
fn serve(folder: &Path, name: &str, trusting: bool) -> Program {
    let lines = sample(name);
    let lines = lines.lines().filter_map(|line| line.strip_prefix("#   "));
    let settings: Vec<_> = lines.filter(|line| trusting || !line.starts_with("trusted_proxies")).collect();
    let config = folder.join("config.toml");
    fs::write(&config, settings.join("\n")).unwrap();
    let mut command = shelfwise();
    command.args(["serve", "--listen", "127.0.0.1:0", "--config"]).arg(config);
    command.arg("--data-dir").arg(folder.join("data")).env("SHELFWISE_DEFAULT_PLAN", "shelfwise_plus");
    command.env("RUST_LOG", "info").stderr(fs::File::create(folder.join("log")).unwrap());
    Program::start(command)
}

/// Where a server with a public address listens: what it prints is the public one.
fn listens_at(program: &Program) -> u16 {
    let sockets = fs::read_to_string(format!("/proc/{}/net/tcp", program.pid())).unwrap();
    let held: Vec<String> = fs::read_dir(format!("/proc/{}/fd", program.pid()))
        .unwrap()
        .filter_map(|fd| fs::read_link(fd.unwrap().path()).ok())
        .map(|link| link.to_string_lossy().into_owned())
        .collect();
    let listening = sockets.lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>());
    let mut ours = listening.filter(|parts| parts[3] == "0A" && held.contains(&format!("socket:[{}]", parts[9])));
    let address = ours.next().unwrap()[1];
    u16::from_str_radix(address.split(':').nth(1).unwrap(), 16).unwrap()
}

fn nginx(folder: &Path, behind: u16) -> Option<Front> {
    let mut command = tools::program("nginx", "-v", "deploy/nginx.conf")?;
    let (key, certificate) = (folder.join("key.pem"), folder.join("certificate.pem"));
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj"])
        .arg(format!("/CN={HOST}"))
        .arg("-addext")
        .arg(format!("subjectAltName=DNS:{HOST}"))
        .arg("-keyout")
        .arg(&key)
        .arg("-out")
        .arg(&certificate)
        .stderr(Stdio::null())
        .status();
    if !made.is_ok_and(|made| made.success()) {
        skip("openssl", "deploy/nginx.conf");
        return None;
    }
    let (http, https) = (free_port(), free_port());
    let site = with(
        "nginx.conf",
        &[
            ("\tlisten 80;\n\tlisten [::]:80;\n", format!("\tlisten 127.0.0.1:{http};\n")),
            (
                "\tlisten 443 ssl http2;\n\tlisten [::]:443 ssl http2;\n",
                format!("\tlisten 127.0.0.1:{https} ssl http2;\n"),
            ),
            ("/etc/letsencrypt/live/books.example.org/fullchain.pem", certificate.display().to_string()),
            ("/etc/letsencrypt/live/books.example.org/privkey.pem", key.display().to_string()),
            ("http://127.0.0.1:8080", format!("http://127.0.0.1:{behind}")),
        ],
    );
    fs::write(folder.join("site.conf"), site).unwrap();
    let place = folder.display();
    let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("\t{kind}_temp_path {place}/{kind};\n"))
        .concat();
    let whole = format!(
        "user root;\nworker_processes 1;\npid {place}/nginx.pid;\nerror_log {place}/error.log;\nevents {{}}\n\
         http {{\n\taccess_log off;\n{temporary}\tinclude {place}/site.conf;\n}}\n"
    );
    fs::write(folder.join("nginx.conf"), whole).unwrap();
    command.args(["-g", "daemon off;", "-e"]).arg(folder.join("error.log")).arg("-c").arg(folder.join("nginx.conf"));
    Some(Front::start(command, http, https))
}

fn caddy(folder: &Path, behind: u16) -> Option<Front> {
    let mut command = tools::program("caddy", "version", "deploy/Caddyfile")?;
    let (http, https) = (free_port(), free_port());
    let site = with("Caddyfile", &[("127.0.0.1:8080", format!("127.0.0.1:{behind}"))]);
    let place = folder.display();
    let options = format!(
        "{{\n\tadmin off\n\thttp_port {http}\n\thttps_port {https}\n\tdefault_bind 127.0.0.1\n\tlocal_certs\n\
         \tskip_install_trust\n\tstorage file_system {place}/caddy\n\tlog {{\n\t\tlevel ERROR\n\t}}\n}}\n"
    );
    fs::write(folder.join("Caddyfile"), options + &site).unwrap();
    command.args(["run", "--adapter", "caddyfile", "--config"]).arg(folder.join("Caddyfile"));
    command.env("HOME", folder).env_remove("XDG_DATA_HOME").env_remove("XDG_CONFIG_HOME");
    Some(Front::start(command, http, https))
}

/// A visitor whose browser finds the host at the proxy, or who goes to another address.
fn visitor(front: &Front, base: String) -> Visitor {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder()
        .cookie_store(true)
        .tls_danger_accept_invalid_certs(true)
        .redirect(reqwest::redirect::Policy::none())
        .local_address(IpAddr::from(READER))
        .resolve(HOST, SocketAddr::from(([127, 0, 0, 1], front.https)))
        .build()
        .unwrap();
    Visitor::with(client, base)
}

/// Waits until the proxy has its certificate and answers.
async fn reached(visitor: &Visitor) {
    let started = Instant::now();
    while visitor.request(Method::GET, "/healthz").send().await.is_err() {
        assert!(started.elapsed() < Duration::from_secs(20), "the proxy does not answer");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn sign_up(visitor: Visitor, email: &str) -> (Reader, Vec<String>) {
    let form = json!({"email": email, "password": PASSWORD, "displayName": "Ada"});
    let request = visitor.request(Method::POST, "/api/auth/signup").header("x-forwarded-for", "203.0.113.9");
    let answer = visitor.send(request.header("origin", format!("https://{HOST}")).json(&form)).await;
    let cookies = answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap().to_owned());
    let cookies = cookies.collect();
    (visitor.signed_up(email, answer), cookies)
}

async fn address_of_session(person: &Reader) -> String {
    let sessions = person.get("/api/auth/sessions").await.expect(200);
    sessions["data"][0]["ipAddress"].as_str().unwrap().to_owned()
}

/// Lives through a proxy with one of our samples, as a reader does.
async fn is_lived_behind(name: &str, proxy: fn(&Path, u16) -> Option<Front>) {
    let folder = tempfile::tempdir().unwrap();
    let mut server = serve(folder.path(), name, true);
    let port = listens_at(&server);
    let Some(front) = proxy(folder.path(), port) else { return };
    let newcomer = visitor(&front, front.base());
    reached(&newcomer).await;

    let (ada, cookies) = sign_up(newcomer, "ada@example.org").await;
    let session = cookies.iter().find(|cookie| cookie.starts_with("__Host-shelfwise_session=")).unwrap();
    for attribute in ["; Secure", "; HttpOnly", "; SameSite=Lax", "; Path=/"] {
        assert!(session.contains(attribute), "{session}");
    }
    assert!(cookies.iter().all(|cookie| cookie.starts_with("__Host-") && !cookie.contains("Domain")), "{cookies:?}");
    assert_eq!(address_of_session(&ada).await, "127.0.0.2", "the reader's own, whatever the browser claims");
    let login = json!({"email": ada.email, "password": PASSWORD});
    assert_eq!(ada.post("/api/auth/logout", json!({})).await.status, 204);
    assert_eq!(ada.get("/api/books").await.status, 401);
    ada.post("/api/auth/login", login).await.expect(200);

    let foreign = ada.request(Method::POST, "/api/books").header("origin", "https://evil.test").json(&json!({}));
    assert_eq!(ada.send(foreign).await.code(403), "cross_site");

    // Larger than what proxies let through by themselves, and larger than what the server takes: both answers are the server's.
    let rows = |count: usize| -> String {
        (0..count).map(|n| format!("Book {n},A,1000,2020-01-02,{}\n", "x".repeat(3000))).collect()
    };
    let file = |count| format!("Title,Author,Word Count,Date Completed,Impressions\n{}", rows(count));
    let imported = ada.upload("/api/books/import", "books.csv", file(1000), &[]).await.expect(200);
    assert_eq!(imported["imported"], 1000);
    let refused = ada.upload("/api/books/import", "books.csv", file(7000), &[]).await;
    assert_eq!(refused.code(413), "too_large");

    let list = ada.get("/api/books").await;
    assert_eq!(list.body["total"], 1000);
    let tag = list.header("etag").to_owned();
    let again = ada.send(ada.request(Method::GET, "/api/books").header("if-none-match", &tag)).await;
    assert_eq!((again.status, tag.is_empty()), (304, false));
    let archive = ada.get("/api/account/export").await;
    assert!(archive.status == 200 && archive.bytes.starts_with(b"PK"), "{}", archive.status);
    let page = ada.get("/login").await;
    assert!(page.status == 200 && page.header("content-security-policy").contains("default-src 'none'"));

    let client = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .resolve(HOST, SocketAddr::from(([127, 0, 0, 1], front.http)))
        .build()
        .unwrap();
    let redirected = Visitor::with(client, format!("http://{HOST}:{}", front.http)).get("/login").await;
    assert!(matches!(redirected.status, 301 | 308), "{}", redirected.status);
    assert!(redirected.header("location").starts_with(&format!("https://{HOST}")), "{:?}", redirected.headers);

    // The header of a client that bypasses the proxy, from an address that is not trusted, is ignored.
    sign_up(visitor(&front, format!("http://127.0.0.1:{port}")), "eva@example.org").await;
    let conn = rusqlite::Connection::open(folder.path().join("data/shelfwise.db")).unwrap();
    let addresses = "SELECT DISTINCT ip_address FROM sessions";
    let addresses: Vec<String> =
        conn.prepare(addresses).unwrap().query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert_eq!(addresses, ["127.0.0.2"]);
    assert_eq!(server.stop(), Some(0));
    let log = fs::read_to_string(folder.path().join("log")).unwrap();
    // The peer that sends the header without being trusted counts as a proxy, which the operator forgot.
    let (forgotten, log): (Vec<_>, Vec<_>) =
        log.lines().partition(|line| line.contains("X-Forwarded-For from 127.0.0.2"));
    assert_eq!(forgotten.len(), 1);
    let names_an_address = log.iter().find(|line| line.contains("203.0.113.9") || line.contains("127.0.0.2"));
    assert_eq!(names_an_address, None, "no addresses in the log");

    let mut wary = serve(folder.path(), name, false);
    let front = proxy(folder.path(), listens_at(&wary)).unwrap();
    let returning = visitor(&front, front.base());
    reached(&returning).await;
    let ada = returning.log_in("ada@example.org").await;
    assert_eq!(address_of_session(&ada).await, "127.0.0.1", "without trusted proxies everybody is the proxy");
    assert_eq!(wary.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_uses_the_server_behind_nginx_with_our_sample() {
    is_lived_behind("nginx.conf", nginx).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_uses_the_server_behind_caddy_with_our_sample() {
    is_lived_behind("Caddyfile", caddy).await;
}
