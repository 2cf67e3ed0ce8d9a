//! Checks the settings: who can read their files, and which settings leave the server open or partly configured.
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use super::{Check, Level};
use crate::config::listen::Listen;
use crate::config::lookup::Lookup;
use crate::config::sources::holds_secret;
use crate::config::{Config, Privacy, SignupMode};

/// The mode bits that let others write.
const OTHERS_WRITE: u32 = 0o022;
/// The mode bit that lets everyone read a file, or enter a folder.
const ALL_READ: u32 = 0o004;
const ALL_PASS: u32 = 0o001;
/// The mode bit that lets everyone connect to a Unix socket.
const ALL_CONNECT: u32 = 0o002;

/// The open files below which `doctor` warns.
const FEW_FILES: u64 = 4_096;

/// The checks of the settings alone.
pub fn checks(config: &Config, file: Option<&Path>) -> Vec<Check> {
    let mut checks = Vec::new();
    if let Some(file) = file {
        checks.push(Check::of("settings file", settings_file(file)));
    }
    for (key, file) in config.secret_files() {
        checks.push(Check::of("secret", secret(&file).map_err(|why| format!("{key}: {why}"))));
    }
    // The file is read once, and may be gone afterwards.
    if let Some(file) = config.admin.password_file.as_deref().filter(|file| file.exists()) {
        checks.push(Check::of("secret", secret(file).map_err(|why| format!("admin.password_file: {why}"))));
    }
    checks.extend(open_files());
    checks.extend(address(config));
    checks.extend(open_socket(config));
    checks.extend(config.check_sign_in().err().map(|cause| Check::of("sign-in", Err(cause.to_string()))));
    if config.signup == SignupMode::Open && !config.mail.is_on() {
        let detail =
            "signup is open and mail is off: people who forget their password need an operator to set a new one";
        checks.push(Check::warning("signup", detail));
    }
    if let Ok(Some((server, _))) = config.mail.delivery()
        && server.privacy == Privacy::Unwanted
        && !server.is_loopback()
    {
        let detail = format!(
            "{} gets mail without TLS (tls=none): links that set a new password can be read on the way",
            server.host
        );
        checks.push(Check::warning("mail encryption", detail));
    }
    checks
}

/// A limit of open files that some clients reach, because each connection is a file.
fn open_files() -> Option<Check> {
    use rustix::process::{Resource, getrlimit};
    let most = getrlimit(Resource::Nofile).maximum.filter(|most| *most < FEW_FILES)?;
    let detail = format!(
        "a process may open {most} files here, and half of them are for connections: grant {FEW_FILES} or more (LimitNOFILE=, --ulimit nofile=)"
    );
    Some(Check::warning("open files", detail))
}

/// Which catalogues the look-up asks, and what of its settings has no effect. Nothing is asked.
pub fn lookup(lookup: &Lookup) -> Vec<Check> {
    let contact = match &lookup.contact {
        Some(contact) => format!("lookup.contact is {contact}"),
        None => "lookup.contact is not set: catalogues can't write to the operator, and some answer less often".into(),
    };
    let keys = [("hardcover", &lookup.hardcover.key), ("google", &lookup.google.key)];
    let is_asked = |name: &&str| keys.iter().all(|(keyed, key)| keyed != name || key.is_some());
    let asked: Vec<&str> = lookup.sources.iter().map(String::as_str).filter(is_asked).collect();
    let said = match asked.as_slice() {
        [] if lookup.sources.is_empty() => "off: lookup.sources is empty, and no catalogue is asked".to_owned(),
        [] => "off: no catalogue is asked".to_owned(),
        asked => format!("asks {}; {contact}", asked.join(", ")),
    };
    let mut checks = vec![Check::of("look-up", Ok(said))];
    for (name, key) in keys {
        let is_listed = lookup.sources.iter().any(|source| source == name);
        let fault = match (is_listed, key) {
            (true, None) => format!("lookup.sources names {name}, but lookup.{name}.key is not set: it is not asked"),
            (false, Some(_)) => {
                format!("lookup.{name}.key is set, but lookup.sources does not name {name}: it is not asked")
            }
            _ => continue,
        };
        checks.push(Check::warning("look-up", fault));
    }
    if let Some(file) = lookup.catalogue.as_ref().filter(|file| !file.exists()) {
        let fault = format!("lookup.catalogue is {}, but there is no such file", file.display());
        checks.push(Check::warning("look-up", fault));
    }
    checks
}

/// What an operator should know at the start about the address that people use: passwords that can be read on the way, links
/// that lead nowhere. None when there is nothing to say.
pub fn address_warning(config: &Config) -> Option<String> {
    address(config).filter(|check| check.level == Level::Warning).map(|check| check.detail)
}

/// Checks that no one else can change the settings, and that no one else can read secrets in them.
fn settings_file(file: &Path) -> Result<String, String> {
    let shown = file.display();
    let mode = fs::metadata(file).map_err(|cause| format!("{shown} can't be read: {cause}"))?.mode();
    if mode & OTHERS_WRITE != 0 && can_be_reached(file) {
        return Err(format!("others can write to {shown} (mode {:o}); chmod go-w closes it", mode & 0o777));
    }
    let text = fs::read_to_string(file).map_err(|cause| format!("{shown} can't be read: {cause}"))?;
    let holds_secrets = text.parse::<toml::Table>().is_ok_and(|table| holds_secret(&table));
    if holds_secrets && mode & ALL_READ != 0 && can_be_reached(file) {
        return Err(format!(
            "everyone can read {shown}, which holds secrets (mode {:o}); chmod o= closes it",
            mode & 0o777
        ));
    }
    Ok(shown.to_string())
}

/// Checks that only owner and group can read a file with a secret.
fn secret(file: &Path) -> Result<String, String> {
    let shown = file.display();
    let mode = fs::metadata(file).map_err(|cause| format!("{shown} can't be read: {cause}"))?.mode();
    if mode & (ALL_READ | OTHERS_WRITE) != 0 && can_be_reached(file) {
        return Err(format!("{shown} is open to others (mode {:o}); chmod g-w,o= closes it", mode & 0o777));
    }
    Ok(shown.to_string())
}

/// Whether everyone can enter the folders that contain a file.
fn can_be_reached(file: &Path) -> bool {
    let whole = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    whole.ancestors().skip(1).all(|folder| fs::metadata(folder).is_ok_and(|found| found.mode() & ALL_PASS != 0))
}

/// Warns of a Unix socket that every user of the machine may connect to, while its other end names the person who is signed in.
fn open_socket(config: &Config) -> Option<Check> {
    let Listen::Unix(path) = &config.listen else { return None };
    let mode = config.socket_mode.bits();
    let is_open = config.trusted_header.is_on() && config.trusts_socket() && mode & ALL_CONNECT != 0;
    is_open.then(|| {
        Check::warning(
            "socket",
            format!(
                "trusted_header counts from {}, and socket_mode {mode:o} lets every user of this machine connect there, as anyone: 660 \
                 admits the server's user and group",
                path.display()
            ),
        )
    })
}

/// Checks that people reach the server over TLS, and that it sees their own addresses.
fn address(config: &Config) -> Option<Check> {
    let name = "public address";
    let loopback = |url: &str| {
        let authority = url.split_once("://").map_or(url, |(_, authority)| authority);
        let socket = authority.parse().map(|address: std::net::SocketAddr| address.ip());
        let ip = socket.ok().or_else(|| authority.trim_matches(['[', ']']).parse().ok());
        let host = authority.split(':').next().unwrap_or_default();
        host == "localhost" || host.ends_with(".localhost") || ip.is_some_and(|ip: std::net::IpAddr| ip.is_loopback())
    };
    match config.own_origin() {
        Some(_) if config.is_https() && config.trusted_proxies.is_empty() && !config.listen.is_unix() => {
            Some(Check::warning(
                name,
                format!(
                    "{} needs a proxy with TLS, but trusted_proxies is empty: all callers count as the proxy, so that guesses of one slow down everyone's log-ins",
                    config.public_url()
                ),
            ))
        }
        Some(origin) if config.is_https() || loopback(origin) => Some(Check::of(name, Ok(config.public_url()))),
        Some(_) => Some(Check::warning(
            name,
            format!("{} is not https: passwords and cookies can be read on the way", config.public_url()),
        )),
        None if config.listen.is_unix() => Some(Check::warning(
            name,
            format!(
                "public_url is not set, and the server listens on {}: links lead to http://localhost",
                config.listen
            ),
        )),
        None if config.listen.is_local() => None,
        None => Some(Check::warning(
            name,
            format!("public_url is not set, and the server listens on {} without TLS", config.listen),
        )),
    }
}
