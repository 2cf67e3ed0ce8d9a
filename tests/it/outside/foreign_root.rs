//! The running program loads nothing of the machine's C library, whatever the machine's `nsswitch.conf` names.
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::json;

use crate::support::actors::{PASSWORD, Visitor};
use crate::support::dns::DnsServer;
use crate::support::program::{self, Program, shelfwise};
use crate::support::tools::skip;

/// How long anything may take that must happen.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Where the tests' DNS server answers: addresses of this machine that nothing else uses.
const DNS_ADDRESS: &str = "127.77.53.16";

/// A machine's root folder with nothing in it but the program, the files of a resolver, and name service modules that end the
/// process which loads them.
struct ForeignRoot(tempfile::TempDir);

impl ForeignRoot {
    /// `None` when only root could enter it, or without a compiler.
    fn build() -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            skip("root", "a foreign root");
            return None;
        }
        let program = Path::new(env!("CARGO_BIN_EXE_shelfwise"));
        // Beside the program, so that it can be linked instead of copied.
        let root = tempfile::tempdir_in(program.parent().unwrap()).unwrap();
        fs::hard_link(program, root.path().join("shelfwise")).unwrap();
        fs::create_dir(root.path().join("etc")).unwrap();
        let write = |name: &str, text: &str| fs::write(root.path().join("etc").join(name), text).unwrap();
        let databases = ["hosts: files evil dns", "passwd: evil files", "group: evil files", "services: evil files"];
        write("nsswitch.conf", &databases.join("\n"));
        write("resolv.conf", &format!("search home.lan\nnameserver {DNS_ADDRESS}\n"));
        write("hosts", "127.0.0.1 somebody.home.lan\n");
        let module = root.path().join("module.c");
        fs::write(&module, "__attribute__((constructor)) static void load(void) { __builtin_trap(); }\n").unwrap();
        let made = Command::new("cc")
            .args(["-shared", "-nostdlib", "-fPIC", "-Wl,-soname,libnss_evil.so.2", "-o"])
            .args([root.path().join("libnss_evil.so.2"), module])
            .status();
        if !made.is_ok_and(|status| status.success()) {
            skip("cc", "a foreign root");
            return None;
        }
        let triple = format!("{}-linux-gnu", std::env::consts::ARCH);
        for folder in ["lib", "lib64", "usr/lib", "usr/lib64"] {
            for folder in [PathBuf::from(folder), Path::new(folder).join(&triple)] {
                let folder = root.path().join(folder);
                fs::create_dir_all(&folder).unwrap();
                fs::copy(root.path().join("libnss_evil.so.2"), folder.join("libnss_evil.so.2")).unwrap();
            }
        }
        Some(Self(root))
    }

    /// A command of the program that sees this root alone.
    fn command(&self) -> Command {
        within(Command::new("chroot").arg(self.0.path()).arg("/shelfwise"), &shelfwise())
    }
}

/// The same environment for another command.
fn within(command: &mut Command, of: &Command) -> Command {
    let mut made = Command::new(command.get_program());
    made.args(command.get_args());
    for (name, value) in of.get_envs() {
        match value {
            Some(value) => made.env(name, value),
            None => made.env_remove(name),
        };
    }
    made
}

/// A mail server that takes everything. It hands on what arrives.
fn mail_server() -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (send, arrived) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, send) = (stream.unwrap(), send.clone());
            thread::spawn(move || {
                let mut writer = stream.try_clone().unwrap();
                let mut say = move |line: &str| writer.write_all(format!("{line}\r\n").as_bytes()).is_ok();
                let mut message: Option<String> = None;
                say("220 mail.test");
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    let answered = match (&mut message, line.as_str()) {
                        (Some(text), ".") => {
                            let _ = send.send(std::mem::take(text));
                            message = None;
                            say("250 taken")
                        }
                        (Some(text), line) => {
                            text.push_str(line);
                            text.push('\n');
                            true
                        }
                        (None, "DATA") => {
                            message = Some(String::new());
                            say("354 go on")
                        }
                        (None, "QUIT") => say("221 bye"),
                        (None, _) => say("250 fine"),
                    };
                    if !answered {
                        break;
                    }
                }
            });
        }
    });
    (port, arrived)
}

/// A provider that hangs up on everybody, and hands on the first bytes that each says.
fn provider() -> (u16, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (send, heard) = channel();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut said = vec![0; 4096];
            let length = stream.unwrap().read(&mut said).unwrap_or(0);
            said.truncate(length);
            let _ = send.send(said);
        }
    });
    (port, heard)
}

/// Uses everything that calls out by a name or might look something up, and ends in order.
async fn use_all(command: impl Fn() -> Command, mail_host: &str, provider_host: &str, folder: &str) {
    let ((smtp, mails), (https, hellos)) = (mail_server(), provider());
    let command = |words: &[&str]| {
        let mut command = command();
        command
            .env("SHELFWISE_PUBLIC_URL", "http://books.test")
            .env("SHELFWISE_MAIL_URL", format!("smtp://{mail_host}:{smtp}?tls=none"))
            .env("SHELFWISE_MAIL_FROM", "books@example.org")
            .env("SHELFWISE_SOCIAL_HOME_ISSUER", format!("https://{provider_host}:{https}"))
            .env("SHELFWISE_SOCIAL_HOME_CLIENT_ID", "books")
            .env("SHELFWISE_SOCIAL_HOME_CLIENT_SECRET", "secret")
            .env("SHELFWISE_DATA_DIR", format!("{folder}/data"))
            .args(words);
        command
    };
    let made = program::run(command(&["user", "create", "ada@example.org", "--name", "Ada", "--admin"]), PASSWORD);
    assert_eq!(made.status, 0, "{}", made.err);
    let listen = format!("127.0.0.1:{}", program::free_port());
    let mut server = Program::start(command(&["serve", "--listen", &listen]));
    let person = Visitor::at(format!("http://{listen}"));

    let sent_back = person.get("/api/auth/oauth/home").await;
    assert!(sent_back.header("location").contains("error="), "{sent_back:?}");
    let hello = hellos.recv_timeout(TIMEOUT).unwrap();
    assert!(hello.windows(provider_host.len()).any(|part| part == provider_host.as_bytes()), "TLS asks for the name");

    let forgot = person.post("/api/auth/password-reset", json!({"email": "ada@example.org"})).await;
    assert_eq!(forgot.status, 204);
    assert!(mails.recv_timeout(TIMEOUT).unwrap().contains("http://books.test/reset-password/"));

    let copied = program::run(command(&["backup", "create", "--to", &format!("{folder}/backups")]), "");
    assert_eq!(copied.status, 0, "{}", copied.err);
    let doctor = program::run(command(&["doctor"]), "");
    assert_eq!(doctor.status, 1, "{}", doctor.err);
    let said = |what: &str| doctor.out.lines().any(|line| line.contains(what));
    assert!(said("accepts mail") && said("did not answer"), "{}", doctor.out);
    person.get("/healthz").await.expect(200);
    assert_eq!(server.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_resolved_without_the_machines_name_service_modules() {
    let Some(root) = ForeignRoot::build() else { return };
    let known: &[(&str, &[&str])] = &[("auth.home.lan", &["127.0.0.1"]), ("mail.home.lan", &["127.0.0.1"])];
    let Some(dns) = DnsServer::start(&format!("{DNS_ADDRESS}:53"), known) else {
        return skip("port-53", "a foreign root");
    };
    assert_eq!(dns.address().port(), 53);
    // A name of one word is looked for in the search domain.
    use_all(|| root.command(), "mail", "auth.home.lan", "").await;
    let asked = dns.asked();
    for name in ["auth.home.lan.", "mail.home.lan."] {
        assert!(asked.iter().any(|asked| asked == name), "{asked:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn serving_outgoing_calls_and_commands_open_no_c_library_file() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let traced = |program: &Command| {
        let mut strace = Command::new("strace");
        strace.args(["-D", "-f", "-qq", "-A", "-e", "trace=open,openat,openat2", "-o"]).arg(&trace);
        within(strace.arg(program.get_program()), program)
    };
    let probe = traced(&Command::new("true")).status();
    if !probe.is_ok_and(|status| status.success()) {
        return skip("strace", "files of the C library");
    }
    fs::write(&trace, "").unwrap();
    use_all(|| traced(&shelfwise()), "localhost", "auth.localhost", folder.path().to_str().unwrap()).await;
    let trace = fs::read_to_string(trace).unwrap();
    let opened: Vec<&str> = trace.lines().filter_map(|line| line.split('"').nth(1)).collect();
    assert!(opened.iter().any(|path| path.ends_with("shelfwise.db")), "nothing was traced");
    let of_the_c_library = |path: &&&str| {
        let parts =
            ["nsswitch", "/gconv", "/locale", "gai.conf", "host.conf", "/etc/passwd", "/etc/group", "/etc/services"];
        path.starts_with("/lib") || path.contains(".so") || parts.iter().any(|part| path.contains(part))
    };
    let wrong: Vec<_> = opened.iter().filter(of_the_c_library).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}
