//! Typed settings from file, environment and flags, in ascending rank ([`sources`]), each declared in one line ([`section`]). An
//! unknown key or an invalid value stops the start with a sentence that names it.
mod backup;
mod environment;
mod identity;
pub mod levels;
mod limits;
pub mod listen;
pub mod lookup;
mod mail;
pub mod media_server;
mod ping;
mod secret;
pub mod section;
mod sign_in;
pub mod social;
pub mod sources;
mod stripe;
mod trusted_header;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;

use anyhow::bail;
use ipnet::IpNet;
use serde::Deserialize;

pub use backup::{Backup, Every};
pub use identity::ServerIdentity;
pub use limits::{LimitSettings, Quotas};
use listen::{Listen, SocketMode};
use lookup::Lookup;
pub use mail::{Mail, MailServer, Privacy, Sender};
use media_server::MediaServer;
pub use ping::SecretUrl;
pub use secret::Secret;
use section::{section, serialize_as_text};
use social::Social;
pub use sources::{Effective, StoredSettings};
pub use stripe::{Prices, Stripe};
pub use trusted_header::{TRUSTED_HEADER, TrustedHeader};

/// The plans' names, lowest first; their limits are defined in `access`.
pub const PLAN_NAMES: [&str; 3] = ["reader", "shelfwise_plus", "shelfwise_team"];

/// The most characters of a server's name.
pub const LONGEST_NAME: usize = 60;

section! {
    /// Shelfwise's settings. Every key is optional; values without a # are the defaults. The environment overrides this file, and
    /// flags override both. The environment variable of a key is SHELFWISE_, the section and the key, in capitals and joined by _
    /// (SHELFWISE_BOOK_LIMIT, SHELFWISE_LEGAL_OPERATOR).
    Config {
        /// Address and port to listen at: 127.0.0.1:8080 for this machine alone, 0.0.0.0:8080 for every network, [::]:8080 with IPv6. Or
        /// unix: and the path of a socket, as in unix:/run/shelfwise/http.sock, for a proxy on this machine. A socket that systemd has
        /// opened takes the place of this setting.
        listen: Listen = Listen::Tcp(([127, 0, 0, 1], 8080).into());
        /// The permissions of that socket. A program must be allowed to write to it: 660 lets the server's user and group, 666 everyone.
        socket_mode: SocketMode = SocketMode::default();
        /// The folder of the database.
        data_dir: PathBuf = "./data".into();
        /// The address that people use: http:// or https:// and a host, and a path where the server is below one, as in
        /// https://home.example.org/books. With https, cookies are Secure, and browsers use only https. Calls by another public host name
        /// are refused. Where this is not set, the first run in a browser asks for it.
        public_url: Option<PublicUrl> = None, live, example "https://books.example.org";
        /// Whether this server has plans and prices: public, or private, where every reader has every feature and no page mentions plans.
        instance: Instance = Instance::Public, live;
        /// The name of the server, for the log-in page, the titles of pages and e-mails. Shelfwise unless set.
        name: Option<String> = None, live, example "The Okafor shelf";
        /// The plan of accounts without a subscription on a public server: reader, shelfwise_plus or shelfwise_team.
        default_plan: String = "reader".to_owned(), live;
        /// How many books an account on the Reader plan may have.
        book_limit: u32 = 150;
        /// Who may sign up: open, invite or closed.
        signup: SignupMode = SignupMode::Open, live;
        /// Whether people sign in with a password. Without it the providers in [social.<name>] alone sign people in, operators included.
        password_login: bool = true;
        /// The provider that the log-in page goes to at once: the name of its section. /login?stay=true shows the page.
        login_redirect: Option<String> = None, example "authelia";
        /// Whether operators may switch their own plan on the Admin page, to see what each plan shows.
        plan_switcher: bool = true;
        /// Whether readers can make secret links, which show a part of their library to anyone who has the link. Without it existing
        /// links show nothing.
        shares: bool = true;
        /// Proxies that are trusted: addresses, networks, and "unix" for the process behind the Unix socket of `listen`. X-Forwarded-For
        /// counts from them, and so does [trusted_header]. The default is none, not even loopback.
        trusted_proxies: Vec<TrustedProxy> = Vec::new();
        /// Address and port, or a Unix socket, to serve GET /metrics at, in Prometheus' text format. The default is none; keep it off the
        /// public network.
        metrics_listen: Option<Listen> = None, example "127.0.0.1:9180";
        /// A GeoIP database file (.mmdb) of cities or countries: with it, activity is also counted by place, and readers see the places
        /// of their sessions.
        geoip_database: Option<PathBuf> = None, example "/var/lib/GeoIP/GeoLite2-City.mmdb";
        /// How log lines look: text or json.
        log_format: LogFormat = LogFormat::Text;
        /// How much is logged: error, warn, info, debug or trace; also by part, as in "info,hyper=debug". Requests of pages and calls are
        /// lines at info, those of /healthz and of files at debug. The environment variable RUST_LOG overrides this, in the same form.
        log_level: String = "info".to_owned();
        /// When the database is compacted after something was erased: nightly, between 3 and 4 o'clock of the machine's time zone, or
        /// never. Writes wait meanwhile, about a second for each 100 MB.
        compact: Compact = Compact::Nightly;
        section mail: Mail;
        section backup: Backup;
        section limits: LimitSettings;
        section stripe: Stripe;
        section trusted_header: TrustedHeader;
        section admin: FirstOperator;
        section lookup: Lookup;
        section legal: Legal;
        section shown_prices: ShownPrices;
        with
        /// Ways to sign in besides the password, by name.
        social: BTreeMap<String, Social>;
        with
        /// Media servers whose listening readers take over, by name.
        sources: BTreeMap<String, MediaServer>;
        with
        /// The live settings that the file, the environment or a flag sets: operators can't change them.
        #[serde(skip)]
        fixed: BTreeSet<String>;
    }
}

section! {
    /// Prices that the pricing page shows instead of the usual ones, with the currency.
    ShownPrices {
        /// Shelfwise Plus, a month.
        plus_monthly: Option<String> = None, example "$2.99";
        /// Shelfwise Plus, a year.
        plus_annual: Option<String> = None, example "$25";
        /// Shelfwise Team, a month.
        team_monthly: Option<String> = None, example "$5.99";
        /// Shelfwise Team, a year.
        team_annual: Option<String> = None, example "$60";
        /// One more member of a team, a month.
        seat_monthly: Option<String> = None, example "$0.99";
        /// One more member of a team, a year.
        seat_annual: Option<String> = None, example "$10";
    }
}

section! {
    /// The first operator, made at a start without an operator; without these the start prints an address that sets up the server in a
    /// browser. They have no effect once there is an operator.
    FirstOperator {
        /// The address to sign in with.
        email: Option<String> = None, example "you@example.org";
        /// The file whose first line is the password.
        password_file: Option<PathBuf> = None, example "/run/secrets/shelfwise-admin-password";
    }
}

section! {
    /// The person or organisation that runs this server, as shown on the public pages.
    Legal {
        /// The name of the person or organisation.
        operator: Option<String> = None, example "Ada Lovelace";
        /// An e-mail address or a web address.
        contact: Option<String> = None, example "ada@example.org";
        /// The law that governs the terms.
        governing_law: Option<String> = None, example "the laws of England and Wales";
    }
}

/// Who may sign up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SignupMode {
    /// Everyone.
    #[default]
    Open,
    /// People with an invitation.
    Invite,
    /// No one; the operator creates accounts.
    Closed,
}

impl SignupMode {
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Compact {
    /// Between 3 and 4 o'clock of the server's time zone, where something was erased since the last time.
    #[default]
    Nightly,
    /// By `shelfwise compact` alone.
    Never,
}

/// The format of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, serde::Serialize)]
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

impl fmt::Display for TrustedProxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Network(network) if network.prefix_len() == network.max_prefix_len() => network.addr().fmt(f),
            Self::Network(network) => network.fmt(f),
            Self::Socket => f.write_str("unix"),
        }
    }
}

/// The first parts of Shelfwise's own paths. Below one of them, a path that a proxy has stripped could not be told from one that it has
/// kept.
pub const OWN_FIRST_PARTS: [&str; 33] = [
    ".well-known", "account", "add-book", "admin", "api", "assets", "book", "dashboard", "dav", "devices",
    "forgot-password", "healthz", "import", "invite", "kosync", "login", "pricing", "privacy", "quotes", "reading",
    "reset-password", "s", "search", "series", "setup", "signup", "syncs", "tags", "tbr", "team", "terms", "users",
    "years",
];

/// Scheme, authority and, where the server is below one, a path, without a slash at the end.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct PublicUrl {
    url: String,
    /// The length of the origin, in bytes.
    origin: usize,
}

impl PublicUrl {
    /// Scheme and authority, without the path.
    pub fn origin(&self) -> &str {
        &self.url[..self.origin]
    }

    /// Host and port, without scheme and path.
    pub fn host(&self) -> &str {
        self.origin().split_once("://").map_or(self.origin(), |(_, host)| host)
    }

    /// The path, as in `/books`; empty for a server with a host of its own.
    pub fn base_path(&self) -> &str {
        &self.url[self.origin..]
    }
}

impl TryFrom<String> for PublicUrl {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let url = text.trim_end_matches('/');
        let uri: http::Uri = url.parse().map_err(|_| format!("`{text}` is not a web address"))?;
        let scheme = matches!(uri.scheme_str(), Some("http" | "https"));
        if !scheme || uri.host().is_none() || url.contains(['?', '#', '@']) {
            return Err(format!(
                "`{text}` must be http:// or https:// and a host, and a path where the server is below one"
            ));
        }
        let path = uri.path().trim_end_matches('/');
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
        let is_part = |part: &str| !matches!(part, "" | "." | "..") && part.bytes().all(plain);
        if !path.split('/').skip(1).all(is_part) {
            return Err(format!(
                "the path of `{text}` must have letters, digits, -, ., _ and ~ alone between its slashes"
            ));
        }
        if let Some(first) = path.split('/').nth(1).filter(|first| OWN_FIRST_PARTS.contains(first)) {
            return Err(format!(
                "the path of `{text}` can't begin with /{first}, which is one of Shelfwise's own addresses"
            ));
        }
        let origin = url.len() - path.len();
        Ok(Self { url: url[..origin].to_ascii_lowercase() + path, origin })
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

serialize_as_text!(TrustedProxy, PublicUrl);

impl Config {
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
        self.stripe.check()?;
        self.trusted_header.check()?;
        self.lookup.check()?;
        self.social.iter().try_for_each(|(section, social)| social.check(section))?;
        self.sources.iter().try_for_each(|(section, server)| server.check(section))?;
        Ok(())
    }

    /// Checks what only a server needs, once flags have had their say.
    pub fn check_serving(&self) -> anyhow::Result<()> {
        if self.mail.is_on() && self.public_url.is_none() {
            bail!("mail.url is set, but public_url is not: the links in mails need the address that people use");
        }
        self.check_sign_in()
    }

    /// The address that people use, with the path that the server is below.
    pub fn public_url(&self) -> String {
        match (&self.public_url, &self.listen) {
            (Some(url), _) => url.to_string(),
            (None, Listen::Tcp(address)) => format!("http://{address}"),
            (None, Listen::Unix(_)) => "http://localhost".to_owned(),
        }
    }

    /// The public origin when the operator has set one.
    pub fn own_origin(&self) -> Option<&str> {
        self.public_url.as_ref().map(PublicUrl::origin)
    }

    /// The path that the server is below, as in `/books`; empty where it has a host of its own.
    pub fn base_path(&self) -> &str {
        self.public_url.as_ref().map_or("", PublicUrl::base_path)
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
    pub fn secret_files(&self) -> Vec<(String, PathBuf)> {
        let named = section::leaves(&section::as_table(self)).into_iter();
        let named = named.filter(|(key, _)| key.strip_suffix("_file").is_some_and(section::is_secret));
        named.filter_map(|(key, file)| Some((key, file.as_str()?.into()))).collect()
    }

    /// The database file.
    pub fn database(&self) -> PathBuf {
        self.data_dir.join("shelfwise.db")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_environment(pairs: &[(&str, &str)]) -> anyhow::Result<Config> {
        Config::load(None, pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn the_public_address_may_have_a_path_of_plain_parts() {
        let read = |text: &str| PublicUrl::try_from(text.to_owned());
        for (text, origin, base) in [
            ("https://Home.Test", "https://home.test", ""),
            ("https://home.test/", "https://home.test", ""),
            ("http://home.test:8080/Books//", "http://home.test:8080", "/Books"),
            ("https://home.test/a/b-c._~1", "https://home.test", "/a/b-c._~1"),
        ] {
            let url = read(text).unwrap();
            assert_eq!((url.origin(), url.base_path()), (origin, base));
            assert_eq!(url.to_string(), format!("{origin}{base}"));
        }
        assert_eq!(read("https://home.test:1/books").unwrap().host(), "home.test:1");
        for text in [
            "home.test", "ftp://home.test", "https://home.test/a//b", "https://home.test/../a",
            "https://home.test/a b", "https://home.test/a%20b", "https://home.test/a\"b", "https://home.test/a?b",
            "https://a@home.test", "https://home.test/./a",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        let own = read("https://home.test/reading").unwrap_err();
        assert!(own.contains("can't begin with /reading"), "{own}");
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
