//! Typed settings from file, environment and flags, in ascending rank ([`sources`]). An unknown key or an invalid value stops the
//! start with a sentence that names it. `config.example.toml` shows every key and is read by a test.
mod backup;
mod environment;
mod identity;
mod keys;
pub mod levels;
mod limits;
pub mod listen;
pub mod lookup;
mod mail;
mod ping;
mod reload;
mod secret;
mod sign_in;
pub mod social;
pub mod sources;
pub mod stored;
mod stripe;
mod trusted_header;

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use anyhow::bail;
use ipnet::IpNet;
use serde::Deserialize;

pub use backup::{Backup, Every};
pub use identity::ServerIdentity;
use keys::{KEYS, Kind};
pub use limits::{LimitSettings, Quotas};
use listen::{Listen, SocketMode};
use lookup::Lookup;
pub use mail::{Mail, MailServer, Privacy, Sender};
pub use ping::PingUrl;
pub use reload::Reloaded;
pub use secret::Secret;
use social::Social;
pub use sources::{Effective, Inputs};
pub use stored::StoredSettings;
pub use stripe::{Prices, Stripe};
pub use trusted_header::{TRUSTED_HEADER, TrustedHeader};

/// The plans' names, lowest first; their limits are defined in `access`.
pub const PLAN_NAMES: [&str; 3] = ["reader", "shelfwise_plus", "shelfwise_team"];

/// The most characters of a server's name.
pub const LONGEST_NAME: usize = 60;

/// The settings of a server. Environment variables are named `SHELFWISE_`, section and key, in capitals joined by `_`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Where to listen: an address and a port, or `unix:` and the path of a socket. Default `127.0.0.1:8080`.
    pub listen: Listen,
    /// The permissions of Unix sockets that the server makes. Default `660`.
    pub socket_mode: SocketMode,
    /// The folder of the database. Default `./data`.
    pub data_dir: PathBuf,
    /// The address that people use, with `http://` or `https://` and no path. Default: `http://` and the listen address, or
    /// `http://localhost` for a Unix socket.
    pub public_url: Option<PublicUrl>,
    /// Whether the server has plans and prices: `public` (default), or `private`, where every reader has every feature.
    pub instance: Instance,
    /// The name of the server, for the log-in page, the titles of pages and e-mails, at most 60 characters. Default: Shelfwise.
    pub name: Option<String>,
    /// The plan of accounts without a subscription: `reader` (default), `shelfwise_plus` or `shelfwise_team`.
    pub default_plan: String,
    /// How many books an account on the Reader plan may have. Default 150.
    pub book_limit: u32,
    /// Who may sign up: `open` (default), `invite` or `closed`.
    pub signup: Signup,
    /// Whether people sign in with a password. Default true; without it only sign-in providers sign people in.
    pub password_login: bool,
    /// The section of the sign-in provider that the log-in page goes to at once. Default: none.
    pub login_redirect: Option<String>,
    /// Whether operators may switch their own plan, to see what each shows. Default true.
    pub plan_switcher: bool,
    /// Whether readers can make secret links to a part of their library. Default true; without it existing links show nothing.
    pub shares: bool,
    /// Proxies that are trusted: addresses, networks, and `unix` for the process behind the server's Unix socket. `X-Forwarded-For`
    /// and `[trusted_header]` count from them. Default: none, not even loopback.
    pub trusted_proxies: Vec<TrustedProxy>,
    /// Where `GET /metrics` is served, in Prometheus' text format. Default: off.
    pub metrics_listen: Option<Listen>,
    /// A GeoIP database (`.mmdb`) of cities or countries. With it, activity is counted by place, and readers see where their
    /// sessions are. Default: none.
    pub geoip_database: Option<PathBuf>,
    /// The format of log lines: `text` (default) or `json`.
    pub log_format: LogFormat,
    /// The log level: `error`, `warn`, `info` (default), `debug` or `trace`, also by module (`info,hyper=debug`). The environment
    /// variable `RUST_LOG` takes precedence.
    pub log_level: String,
    /// When the database is compacted after something was erased: `nightly` (default) or `never`.
    pub compact: Compact,
    /// Outgoing mail.
    pub mail: Mail,
    /// Scheduled backups.
    pub backup: Backup,
    /// Limits on what one account, one address, and all callers together may use.
    pub limits: LimitSettings,
    /// The payment provider.
    pub stripe: Stripe,
    /// Ways to sign in besides the password, by name. Default: none.
    pub social: BTreeMap<String, Social>,
    /// The headers in which a proxy names the person that it has signed in.
    pub trusted_header: TrustedHeader,
    /// The look-up of books in catalogues.
    pub lookup: Lookup,
    /// Texts of the legal pages and the contact line.
    pub legal: Legal,
    /// Prices to show instead of the defaults.
    pub shown_prices: ShownPrices,
    /// The account that a start without an operator creates.
    pub admin: FirstOperator,
    /// The keys of [`stored::STORABLE`] that the config file, the environment or a flag sets.
    #[serde(skip)]
    pub fixed: BTreeSet<String>,
}

/// Texts of prices that replace the defaults, with their currency (`"3 €"`), so that the pricing page shows an operator's own
/// prices.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ShownPrices {
    /// Shelfwise Plus, a month. Default `$2.99`.
    pub plus_monthly: Option<String>,
    /// Shelfwise Plus, a year. Default `$25`.
    pub plus_annual: Option<String>,
    /// Shelfwise Team, a month. Default `$5.99`.
    pub team_monthly: Option<String>,
    /// Shelfwise Team, a year. Default `$60`.
    pub team_annual: Option<String>,
    /// One more member of a team, a month. Default `$0.99`.
    pub seat_monthly: Option<String>,
    /// One more member of a team, a year. Default `$10`.
    pub seat_annual: Option<String>,
}

/// The first operator of a server that is set up without a browser. It has no effect once an operator exists.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FirstOperator {
    /// The address to sign in with.
    pub email: Option<String>,
    /// The file whose first line is the password.
    pub password_file: Option<PathBuf>,
}

impl FirstOperator {
    /// Treats empty values as unset, as environment templates leave them.
    fn drop_empty(&mut self) {
        self.email = self.email.take().filter(|email| !email.trim().is_empty());
        self.password_file = self.password_file.take().filter(|file| !file.to_string_lossy().trim().is_empty());
    }
}

/// The person or organisation that runs this server, for the public pages. Unset values read "the operator of this server".
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Legal {
    /// Name of the person or organisation.
    pub operator: Option<String>,
    /// An e-mail address or a web address.
    pub contact: Option<String>,
    /// The law that governs the terms, for example "the laws of Sweden".
    pub governing_law: Option<String>,
}

/// Who may sign up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = SignupMode)]
pub enum Signup {
    /// Everybody.
    #[default]
    Open,
    /// People with an invitation.
    Invite,
    /// Nobody; the operator creates accounts.
    Closed,
}

impl Signup {
    /// The contract name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Invite => "invite",
            Self::Closed => "closed",
        }
    }
}

/// Whether the server has plans and prices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Instance {
    /// Plans, prices and limits apply.
    #[default]
    Public,
    /// Every reader has every feature, and no page mentions plans or prices.
    Private,
}

impl Instance {
    /// The contract name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Private => "private",
        }
    }
}

/// When the database is compacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compact {
    /// Between 3 and 4 o'clock of the server's time zone, where something was erased since the last time.
    #[default]
    Nightly,
    /// By `shelfwise compact` alone.
    Never,
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// For log collectors.
    Json,
}

/// A proxy that is trusted: an address or a network, or the process behind the server's Unix socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum TrustedProxy {
    /// Proxies at these addresses.
    Network(IpNet),
    /// `unix`: the process behind the server's Unix socket. Its `X-Forwarded-For` counts without this entry, too.
    Socket,
}

impl TryFrom<String> for TrustedProxy {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text == "unix" {
            return Ok(Self::Socket);
        }
        let net = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
        net.map(Self::Network).map_err(|_| format!("`{text}` is neither an IP address nor a network, nor `unix`"))
    }
}

/// An origin: scheme and authority, without a path.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct PublicUrl(String);

impl PublicUrl {
    /// Host and port, without the scheme.
    pub fn host(&self) -> &str {
        self.0.split_once("://").map_or(&self.0, |(_, host)| host)
    }
}

impl TryFrom<String> for PublicUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let origin = text.trim_end_matches('/');
        let uri: http::Uri = origin.parse().map_err(|_| format!("`{text}` is not a web address"))?;
        let scheme = matches!(uri.scheme_str(), Some("http" | "https"));
        let bare = uri.path_and_query().is_none_or(|path| path == "/") && !origin.contains(['?', '#', '@']);
        if scheme && bare && uri.host().is_some() {
            Ok(Self(origin.to_ascii_lowercase()))
        } else {
            Err(format!("`{text}` must be http:// or https:// and a host, without a path"))
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: Listen::Tcp(([127, 0, 0, 1], 8080).into()),
            socket_mode: SocketMode::default(),
            data_dir: PathBuf::from("./data"),
            public_url: None,
            instance: Instance::Public,
            name: None,
            default_plan: "reader".into(),
            book_limit: 150,
            signup: Signup::Open,
            password_login: true,
            login_redirect: None,
            plan_switcher: true,
            shares: true,
            trusted_proxies: Vec::new(),
            metrics_listen: None,
            geoip_database: None,
            log_format: LogFormat::Text,
            log_level: "info".into(),
            compact: Compact::Nightly,
            mail: Mail::default(),
            backup: Backup::default(),
            limits: LimitSettings::default(),
            stripe: Stripe::default(),
            social: BTreeMap::new(),
            trusted_header: TrustedHeader::default(),
            lookup: Lookup::default(),
            legal: Legal::default(),
            shown_prices: ShownPrices::default(),
            admin: FirstOperator::default(),
            fixed: BTreeSet::new(),
        }
    }
}

impl Config {
    /// Reads the file (when one is named) and the environment over it.
    ///
    /// # Errors
    /// A sentence that names the file or variable and what is wrong with it.
    pub fn load(file: Option<&Path>, environment: impl Iterator<Item = (String, String)>) -> anyhow::Result<Self> {
        let inputs = Inputs { file, environment: environment.collect(), ..Inputs::default() };
        Ok(Effective::resolve(&inputs)?.config)
    }

    /// Treats empty values as unset, as environment templates leave them.
    fn drop_empty(&mut self) {
        for path in [&mut self.backup.to, &mut self.geoip_database] {
            *path = path.take().filter(|path| !path.as_os_str().is_empty());
        }
        self.trusted_header.drop_empty();
        self.admin.drop_empty();
        self.lookup.drop_empty();
    }

    fn read_secrets(&mut self) -> anyhow::Result<()> {
        Secret::fill(&mut self.mail.url, "mail.url", self.mail.url_file.as_deref())?;
        self.stripe.read_secrets()?;
        self.lookup.read_secrets()?;
        self.social.iter_mut().try_for_each(|(section, social)| social.read_secrets(section))
    }

    fn check(&self) -> anyhow::Result<()> {
        if !PLAN_NAMES.contains(&self.default_plan.as_str()) {
            bail!("default_plan is `{}`, but must be one of {}", self.default_plan, PLAN_NAMES.join(", "));
        }
        if let Err(cause) = levels::read(&self.log_level) {
            bail!("log_level is `{}`, but must be as `info` or `info,hyper=debug`: {cause}", self.log_level);
        }
        if self.data_dir.as_os_str().is_empty() {
            bail!("data_dir is empty, but must name the folder of the database");
        }
        if let Some(name) = &self.name
            && (name.trim().is_empty() || name.chars().count() > LONGEST_NAME || name.chars().any(char::is_control))
        {
            bail!("name must have 1 to {LONGEST_NAME} characters in one line");
        }
        if self.backup.keep == 0 {
            bail!("backup.keep is 0, but the newest backup always stays");
        }
        self.limits.check()?;
        self.trusted_header.check()?;
        self.lookup.check()?;
        self.social.iter().try_for_each(|(section, social)| social.check(section))?;
        Ok(())
    }

    /// Checks what only a server needs, once flags have had their say.
    ///
    /// # Errors
    /// A sentence that names what is missing.
    pub fn check_serving(&self) -> anyhow::Result<()> {
        if self.mail.is_on() && self.public_url.is_none() {
            bail!("mail.url is set, but public_url is not: the links in mails need the address that people use");
        }
        self.check_sign_in()
    }

    /// The address that people use.
    pub fn public_url(&self) -> String {
        match (&self.public_url, &self.listen) {
            (Some(url), _) => url.0.clone(),
            (None, Listen::Tcp(address)) => format!("http://{address}"),
            (None, Listen::Unix(_)) => "http://localhost".to_owned(),
        }
    }

    /// The public origin when the operator has set one.
    pub fn own_origin(&self) -> Option<&str> {
        self.public_url.as_ref().map(|url| url.0.as_str())
    }

    /// Whether people reach this server by https, so that cookies are `Secure`.
    pub fn is_https(&self) -> bool {
        self.own_origin().is_some_and(|origin| origin.starts_with("https://"))
    }

    /// Whether every reader has every feature, without plans and prices.
    pub fn is_private(&self) -> bool {
        self.instance == Instance::Private
    }

    /// Whether a peer is a trusted proxy.
    pub fn trusts(&self, ip: IpAddr) -> bool {
        self.trusted_proxies
            .iter()
            .any(|proxy| matches!(proxy, TrustedProxy::Network(network) if network.contains(&ip)))
    }

    /// Whether the process behind the server's Unix socket may name the person that it has signed in.
    pub fn trusts_socket(&self) -> bool {
        self.trusted_proxies.contains(&TrustedProxy::Socket)
    }

    /// The trusted proxies' networks.
    pub fn trusted_networks(&self) -> Vec<IpNet> {
        let networks = self.trusted_proxies.iter().filter_map(|proxy| match proxy {
            TrustedProxy::Network(network) => Some(*network),
            TrustedProxy::Socket => None,
        });
        networks.collect()
    }

    /// Every file that a secret is read from, with its key.
    pub fn secret_files(&self) -> Vec<(String, &Path)> {
        let mut found = vec![
            ("mail.url_file".to_owned(), &self.mail.url_file),
            ("stripe.secret_key_file".to_owned(), &self.stripe.secret_key_file),
            ("stripe.webhook_secret_file".to_owned(), &self.stripe.webhook_secret_file),
            ("lookup.hardcover.key_file".to_owned(), &self.lookup.hardcover.key_file),
            ("lookup.google.key_file".to_owned(), &self.lookup.google.key_file),
        ];
        for (section, social) in &self.social {
            found.push((format!("social.{section}.client_secret_file"), &social.client_secret_file));
            found.push((format!("social.{section}.private_key_file"), &social.private_key_file));
        }
        found.into_iter().filter_map(|(key, file)| file.as_deref().map(|file| (key, file))).collect()
    }

    /// The database file.
    pub fn database(&self) -> PathBuf {
        self.data_dir.join("shelfwise.db")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = include_str!("../config.example.toml");

    fn with_environment(pairs: &[(&str, &str)]) -> anyhow::Result<Config> {
        Config::load(None, pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn the_example_is_valid_shows_every_key_and_says_the_defaults() {
        let config: Config = toml::from_str(EXAMPLE).unwrap();
        assert_eq!(format!("{config:?}"), format!("{:?}", Config::default()));
        for (path, _) in KEYS {
            let key = path.rsplit('.').next().unwrap();
            let shown = EXAMPLE.lines().any(|line| line.trim_start_matches("# ").starts_with(&format!("{key} =")));
            assert!(shown, "{path} is not in config.example.toml");
        }
        let all: String = EXAMPLE
            .lines()
            .map(|line| line.strip_prefix("# ").filter(|l| l.contains(" = ") || l.starts_with('[')).unwrap_or(line))
            .collect::<Vec<_>>()
            .join("\n");
        let all = toml::from_str::<Config>(&all).unwrap();
        all.check().unwrap();
        for name in social::WELL_KNOWN {
            assert!(all.social.contains_key(name), "[social.{name}] is not in config.example.toml");
        }
    }

    #[test]
    fn social_logins_come_from_the_environment_too_and_their_secrets_from_files() {
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("secret");
        std::fs::write(&secret, "from a file\n").unwrap();
        let file = folder.path().join("config.toml");
        let text = "[social.my-idp]\nissuer = \"https://auth.example.org\"\nclient_id = \"books\"\n";
        std::fs::write(&file, text).unwrap();
        let load = |pairs: &[(&str, &str)]| {
            Config::load(Some(&file), pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
        };
        let path = secret.to_str().unwrap();
        let config = load(&[
            ("SHELFWISE_SOCIAL_MY_IDP_CLIENT_SECRET_FILE", path),
            ("SHELFWISE_SOCIAL_GITHUB_CLIENT_ID", "here"),
            ("SHELFWISE_SOCIAL_GITHUB_CLIENT_SECRET", ""),
        ])
        .unwrap();
        let own = &config.social["my-idp"];
        assert_eq!(own.client_secret.as_ref().map(Secret::expose), Some("from a file"));
        assert!(own.is_on("my-idp") && !config.social["github"].is_on("github"));
        for (name, value) in [
            ("SHELFWISE_SOCIAL_CLIENT_ID", "x"),
            ("SHELFWISE_SOCIAL_GOOGLE_COLOUR", "x"),
            ("SHELFWISE_SOCIAL_OTHER_CLIENT_ID", "x"),
            ("SHELFWISE_SOCIAL_MY_IDP_ISSUER", "http://auth.example.org"),
            ("SHELFWISE_SOCIAL_MY_IDP_CLIENT_SECRET_FILE", "/nowhere/to/be/found"),
        ] {
            let error = format!("{:#}", load(&[(name, value)]).unwrap_err());
            assert!(error.contains("SOCIAL") || error.contains("social"), "{error}");
        }
    }

    #[test]
    fn the_environment_wins_over_the_file_and_is_named_when_wrong() {
        let config = with_environment(&[
            ("SHELFWISE_BOOK_LIMIT", "7"),
            ("SHELFWISE_LEGAL_OPERATOR", "Ada"),
            ("SHELFWISE_TRUSTED_PROXIES", "10.0.0.0/8, ::1"),
        ])
        .unwrap();
        assert_eq!((config.book_limit, config.legal.operator.as_deref()), (7, Some("Ada")));
        assert!(config.trusts("10.1.2.3".parse().unwrap()) && !config.trusts("127.0.0.1".parse().unwrap()));
        for (name, value) in [
            ("SHELFWISE_LISTEN", "nowhere"),
            ("SHELFWISE_LISTENN", "x"),
            ("SHELFWISE_BOOK_LIMIT", "-1"),
            ("SHELFWISE_PLAN_SWITCHER", "perhaps"),
            ("SHELFWISE_PUBLIC_URL", "ftp://x"),
            ("SHELFWISE_DEFAULT_PLAN", "gold"),
            ("SHELFWISE_BACKUP_EVERY", "often"),
            ("SHELFWISE_BACKUP_EVERY", "0h"),
            ("SHELFWISE_LIMITS_CALLS_PER_ACCOUNT", "many"),
            ("SHELFWISE_LIMITS_CALLS_PER_ACCOUNT", "0"),
        ] {
            let error = format!("{:#}", with_environment(&[(name, value)]).unwrap_err());
            assert!(error.contains(name) || error.contains("default_plan") || error.contains("limits."), "{error}");
        }
    }

    #[test]
    fn an_unknown_key_of_the_file_is_named_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        std::fs::write(&file, "listen = \"127.0.0.1:1\"\nbook_limt = 3\n").unwrap();
        let error = format!("{:#}", Config::load(Some(&file), std::iter::empty()).unwrap_err());
        assert!(error.contains("book_limt") && error.contains("line 2"), "{error}");
        std::fs::write(&file, "[mail]\nurl = smtp://u:hunter2@mail.test\n").unwrap();
        let error = format!("{:#}", Config::load(Some(&file), std::iter::empty()).unwrap_err());
        assert!(error.contains("line 2") && !error.contains("hunter2"), "{error}");
    }

    #[test]
    fn mail_needs_a_sender_from_wherever_and_a_server_of_mail_the_public_address() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("url");
        std::fs::write(&file, "smtps://u:hunter2@mail.test\n").unwrap();
        let url = ("SHELFWISE_MAIL_URL_FILE", file.to_str().unwrap());
        let alone = format!("{:#}", with_environment(&[url]).unwrap_err());
        assert!(alone.contains("mail.from") && !alone.contains("hunter2"), "{alone}");
        let mut config = with_environment(&[url, ("SHELFWISE_MAIL_FROM", "books@example.org")]).unwrap();
        assert!(config.mail.is_on() && !format!("{config:?}").contains("hunter2"));
        assert!(config.check_serving().unwrap_err().to_string().contains("public_url"));
        config.public_url = Some("https://books.test".to_owned().try_into().unwrap());
        config.check_serving().unwrap();
    }
}
