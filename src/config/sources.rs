//! The sources of settings and their rank. From the lowest to the highest: defaults, the values that an operator stored in the
//! database, the values that the server recorded at its last start, the config file, the environment, flags. When the config file is
//! the server's own, the recorded values rank above it: they are the server's environment and flags, which outranked that file.
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde::Deserialize as _;

use super::listen::Listen;
use super::stored::STORABLE;
use super::{Config, KEYS, StoredSettings, environment};

/// The defaults: the uncommented values in the example file, which a test compares with [`Config::default`]. The settings that can
/// change while the server runs are commented out there, so that a copy of the file does not fix them.
const PRESETS: &str = include_str!("../../config.example.toml");

/// The source of a setting's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The default.
    Preset,
    /// An operator stored the value in the database.
    Stored,
    /// The server recorded at its last start that the value came from this variable (`SHELFWISE_...`) or flag (`--...`).
    Database(String),
    /// A config file.
    File(PathBuf),
    /// An environment variable.
    Environment(String),
    /// A flag.
    Flag(String),
}

impl Source {
    /// The kind of source, in one word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Preset => "preset",
            Self::Stored => "settings",
            Self::Database(_) => "database",
            Self::File(_) => "file",
            Self::Environment(_) => "environment",
            Self::Flag(_) => "flag",
        }
    }

    /// The file, variable or flag.
    pub fn name(&self) -> Option<String> {
        match self {
            Self::Preset | Self::Stored => None,
            Self::File(path) => Some(path.display().to_string()),
            Self::Database(name) | Self::Environment(name) | Self::Flag(name) => Some(name.clone()),
        }
    }
}

/// A setting that a server had from its environment or a flag.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedSetting {
    /// The key with its sections: `mail.from`.
    pub key: String,
    /// The variable or flag.
    pub name: String,
    /// The value; `None` for a secret, which is never recorded.
    pub value: Option<toml::Value>,
}

/// What a server recorded about its settings at its start.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Recorded {
    /// The absolute path of the config file; `None` when the server had none.
    pub config_file: Option<PathBuf>,
    /// The folder that relative paths in the config file refer to.
    pub working_directory: PathBuf,
    /// The settings of environment and flags, by key, without the data directory.
    pub settings: Vec<RecordedSetting>,
}

/// A setting given by a flag.
#[derive(Debug, Clone)]
pub struct Flag {
    /// The flag: `--listen`.
    pub name: &'static str,
    /// The setting's key.
    pub key: &'static str,
    /// The value, as text.
    pub value: String,
}

/// The sources to read settings from.
#[derive(Debug, Clone, Default)]
pub struct Inputs<'a> {
    /// The config file.
    pub file: Option<&'a Path>,
    /// Environment variables; those without the prefix `SHELFWISE_` are ignored.
    pub environment: Vec<(String, String)>,
    /// Flags.
    pub flags: Vec<Flag>,
    /// The values that the server recorded.
    pub recorded: Option<&'a Recorded>,
    /// The values that operators stored in the database.
    pub stored: StoredSettings,
    /// The data directory with its source, if it is known already; it outranks all others.
    pub data_dir: Option<(PathBuf, Source)>,
}

/// The settings in force with their sources.
#[derive(Debug, Clone)]
pub struct Effective {
    /// The settings.
    pub config: Config,
    /// The config file that was read.
    pub file: Option<PathBuf>,
    /// Ignored environment variables, which a container platform set.
    pub ignored: Vec<String>,
    values: BTreeMap<String, Value>,
}

/// A value and its source; `None` for a secret that only the server's environment has.
#[derive(Debug, Clone)]
struct Value {
    value: Option<toml::Value>,
    source: Source,
}

/// A setting as it is shown to a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// The key with its sections.
    pub key: String,
    /// The value; `None` when it is not set or only the server's environment has it.
    pub value: Option<toml::Value>,
    /// Whether it is a secret: the value is then `***`.
    pub is_secret: bool,
    /// The source of the value.
    pub source: Source,
}

impl Effective {
    /// Reads the settings from all sources.
    ///
    /// # Errors
    /// A sentence that names the file or variable and what is wrong with it.
    pub fn resolve(inputs: &Inputs<'_>) -> anyhow::Result<Self> {
        let file = file_layer(inputs)?;
        let sections: BTreeSet<String> = file
            .iter()
            .filter_map(|(key, _)| Some(key.strip_prefix("social.")?.split_once('.')?.0.to_owned()))
            .collect();
        let recorded = recorded_layer(inputs.recorded);
        let mut values = preset_layer().into_iter().collect();
        apply(&mut values, stored_layer(&inputs.stored));
        checked(&values).context("in the settings that are stored in the database")?;
        let own_file = inputs.recorded.is_some_and(|recorded| same_file(recorded.config_file.as_deref(), inputs.file));
        let lower = if own_file { [file, recorded] } else { [recorded, file] };
        lower.into_iter().for_each(|layer| apply(&mut values, layer));
        checked(&values).context("in the settings that the server recorded at its start")?;
        let (variables, ignored) = environment::read(&inputs.environment, &sections)?;
        let names: Vec<_> = variables.iter().map(|variable| variable.name.clone()).collect();
        let layer = |variable: environment::Variable| {
            (variable.key, Value { value: Some(variable.value), source: Source::Environment(variable.name) })
        };
        apply(&mut values, variables.into_iter().map(layer).collect());
        checked(&values).with_context(|| format!("in the environment ({})", names.join(", ")))?;
        let layer = |flag: &Flag| {
            let source = Source::Flag(flag.name.to_owned());
            (flag.key.to_owned(), Value { value: Some(flag.value.as_str().into()), source })
        };
        apply(&mut values, inputs.flags.iter().map(layer).collect());
        let mut config = checked(&values).context("in the flags")?;
        if let Some((folder, source)) = &inputs.data_dir {
            let shown = folder.to_string_lossy().into_owned();
            values.insert("data_dir".to_owned(), Value { value: Some(shown.into()), source: source.clone() });
            config.data_dir.clone_from(folder);
        }
        config.drop_empty();
        config.read_secrets()?;
        config.check()?;
        config.mail.delivery()?;
        config.fixed = fixed(|key| values.get(key).map_or(Source::Preset, |value| value.source.clone()));
        Ok(Self { config, file: inputs.file.map(Path::to_owned), ignored, values })
    }

    /// Replaces the listen address by the actual one: with the port that the system chose, or that of a socket which the service
    /// manager has opened.
    pub fn listens_at(&mut self, actual: &Listen, is_inherited: bool) {
        let source = if is_inherited { Source::Environment("LISTEN_FDS".to_owned()) } else { self.source("listen") };
        self.values.insert("listen".to_owned(), Value { value: Some(actual.to_string().into()), source });
        self.config.listen.clone_from(actual);
    }

    /// The source of a setting.
    pub fn source(&self, key: &str) -> Source {
        self.values.get(key).map_or(Source::Preset, |value| value.source.clone())
    }

    /// The variable of a secret, or of its file, that only the server's environment has; `None` when the secret is known or not
    /// set.
    pub fn withheld(&self, key: &str) -> Option<String> {
        let found = [key.to_owned(), format!("{key}_file")].into_iter().find_map(|key| self.values.get(&key));
        found.filter(|value| value.value.is_none()).and_then(|value| value.source.name())
    }

    /// Every setting, by key, with secrets masked.
    pub fn shown(&self) -> Vec<Shown> {
        let keys: BTreeSet<&str> =
            KEYS.iter().map(|(key, _)| *key).chain(self.values.keys().map(String::as_str)).collect();
        let shown = keys.into_iter().map(|key| {
            let found = self.values.get(key);
            let is_secret = is_secret(key);
            let value = found.and_then(|found| found.value.clone());
            let value = value.map(|value| if is_secret { "***".into() } else { value });
            Shown { key: key.to_owned(), value, is_secret, source: self.source(key) }
        });
        shown.collect()
    }

    /// What a server with these settings records for the commands beside it: the config file and the values from environment and
    /// flags, with absolute paths. Only the names of secrets are recorded.
    pub fn to_record(&self, working_directory: &Path) -> Recorded {
        let settings = self.values.iter().filter_map(|(key, found)| {
            let (Source::Environment(name) | Source::Flag(name)) = &found.source else { return None };
            let value = found.value.clone().map(|value| absolute(key, value, working_directory));
            let recorded =
                RecordedSetting { key: key.clone(), name: name.clone(), value: value.filter(|_| !is_secret(key)) };
            // The database knows its own path. An empty secret counts as unset.
            let is_empty =
                found.value.as_ref().and_then(toml::Value::as_str).is_some_and(|text| text.trim().is_empty());
            (key != "data_dir" && !(is_empty && is_secret(key))).then_some(recorded)
        });
        Recorded {
            config_file: self.file.as_ref().map(|file| working_directory.join(file)),
            working_directory: working_directory.to_owned(),
            settings: settings.collect(),
        }
    }
}

/// Whether the table of a config file holds a secret. The address of a mail server is one when it has a login.
pub fn holds_secret(table: toml::Table) -> bool {
    leaves(table).iter().any(|(key, value)| {
        let is_open = |text: &str| text.trim().is_empty() || (key == "mail.url" && !text.contains('@'));
        is_secret(key) && value.as_str().is_some_and(|text| !is_open(text))
    })
}

/// Whether a setting is a secret.
fn is_secret(key: &str) -> bool {
    let last = key.rsplit('.').next().unwrap_or(key);
    matches!(key, "mail.url" | "backup.ping" | "lookup.hardcover.key" | "lookup.google.key")
        || ["secret", "secret_key", "private_key", "password", "token"].iter().any(|end| last.ends_with(end))
}

/// Whether a setting is the path of a file or folder.
fn is_path(key: &str) -> bool {
    key.ends_with("_file") || matches!(key, "backup.to" | "geoip_database" | "lookup.catalogue")
}

/// Makes a path absolute if the setting is a relative path.
fn absolute(key: &str, value: toml::Value, folder: &Path) -> toml::Value {
    match value.as_str() {
        Some(path) if is_path(key) && !path.is_empty() => folder.join(path).to_string_lossy().into_owned().into(),
        _ => value,
    }
}

type Layer = Vec<(String, Value)>;

fn preset_layer() -> Layer {
    let presets: toml::Table = toml::from_str(PRESETS).unwrap_or_default();
    let defaults = Config::default();
    let changeable = |key: &str| Some((key.to_owned(), defaults.changeable(key).ok()??));
    leaves(presets)
        .into_iter()
        .chain(STORABLE.into_iter().filter_map(changeable))
        .map(|(key, value)| (key, Value { value: Some(value), source: Source::Preset }))
        .collect()
}

fn file_layer(inputs: &Inputs<'_>) -> anyhow::Result<Layer> {
    let Some(path) = inputs.file else { return Ok(Vec::new()) };
    let text =
        std::fs::read_to_string(path).with_context(|| format!("the config file {} can't be read", path.display()))?;
    // Read the file alone first, so that errors have a line number.
    let place = || format!("in {}", path.display());
    let table: toml::Table =
        toml::from_str(&text).map_err(|error| anyhow::anyhow!(described(&error, &text))).with_context(place)?;
    let config = read(&table).map_err(|unreadable| anyhow::anyhow!(unreadable.in_file(&text))).with_context(place)?;
    config.check().with_context(place)?;
    // The server resolves relative paths in the folder where it was started.
    let folder = inputs.recorded.filter(|recorded| same_file(recorded.config_file.as_deref(), Some(path)));
    let leaf = |(key, value): (String, toml::Value)| {
        let value = folder.map_or(value.clone(), |recorded| absolute(&key, value, &recorded.working_directory));
        (key, Value { value: Some(value), source: Source::File(path.to_owned()) })
    };
    Ok(leaves(table).into_iter().map(leaf).collect())
}

/// The keys of [`STORABLE`] that a higher source sets, so that their stored values have no effect.
fn fixed(source: impl Fn(&str) -> Source) -> BTreeSet<String> {
    let outranks = |key: &&str| !matches!(source(key), Source::Preset | Source::Stored);
    STORABLE.into_iter().filter(outranks).map(str::to_owned).collect()
}

/// The stored values, without keys that this program does not know.
fn stored_layer(stored: &StoredSettings) -> Layer {
    let known = stored.iter().filter(|(key, _)| STORABLE.contains(&key.as_str()));
    known.map(|(key, value)| (key.clone(), Value { value: Some(value.clone()), source: Source::Stored })).collect()
}

/// The recorded values, without keys that this program does not know (a newer or older program may have recorded them).
fn recorded_layer(recorded: Option<&Recorded>) -> Layer {
    let known = |key: &str| KEYS.iter().any(|(known, _)| *known == key) || key.starts_with("social.");
    let settings = recorded.into_iter().flat_map(|recorded| &recorded.settings).filter(|setting| known(&setting.key));
    let value = |setting: &RecordedSetting| Value {
        value: setting.value.clone(),
        source: Source::Database(setting.name.clone()),
    };
    settings.map(|setting| (setting.key.clone(), value(setting))).collect()
}

fn same_file(recorded: Option<&Path>, named: Option<&Path>) -> bool {
    match (recorded, named) {
        (None, None) => true,
        (Some(recorded), Some(named)) => {
            let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            real(recorded) == real(named)
        }
        _ => false,
    }
}

/// Every value of a table with its full key.
fn leaves(table: toml::Table) -> Vec<(String, toml::Value)> {
    let mut found = Vec::new();
    for (key, value) in table {
        match value {
            toml::Value::Table(inner) => {
                found.extend(leaves(inner).into_iter().map(|(below, value)| (format!("{key}.{below}"), value)));
            }
            value => found.push((key, value)),
        }
    }
    found
}

/// Applies a layer over the values below it. A secret also replaces the file that a lower layer names for it, and the reverse.
fn apply(values: &mut BTreeMap<String, Value>, layer: Layer) {
    let keys: BTreeSet<String> = layer.iter().map(|(key, _)| key.clone()).collect();
    for (key, value) in layer {
        let sibling = key.strip_suffix("_file").map_or_else(|| format!("{key}_file"), str::to_owned);
        if !keys.contains(&sibling) {
            values.remove(&sibling);
        }
        values.insert(key, value);
    }
}

/// Validates values, without reading the files that they name.
fn checked(values: &BTreeMap<String, Value>) -> anyhow::Result<Config> {
    let mut table = toml::Table::new();
    for (key, found) in values {
        let Some(value) = &found.value else { continue };
        let (sections, last) =
            key.rsplit_once('.').map_or((None, key.as_str()), |(sections, last)| (Some(sections), last));
        let mut target = &mut table;
        for section in sections.into_iter().flat_map(|sections| sections.split('.')) {
            let inner = target.entry(section).or_insert_with(|| toml::Table::new().into());
            let Some(inner) = inner.as_table_mut() else { bail!("{section} must be a section") };
            target = inner;
        }
        target.insert(last.to_owned(), value.clone());
    }
    let config = read(&table).map_err(|unreadable| anyhow::anyhow!("{unreadable}"))?;
    config.check()?;
    Ok(config)
}

/// Settings that can't be read.
struct Unreadable {
    /// The key of the wrong value, with its sections; `None` when no value by itself is wrong.
    key: Option<String>,
    message: String,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.key {
            Some(key) => write!(f, "{key}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl Unreadable {
    /// The error with the line of its key.
    fn in_file(&self, text: &str) -> String {
        let mut section = String::new();
        let is_here = |line: &str| {
            let line = line.trim();
            if let Some(header) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                section = format!("{header}.");
            }
            let key = line.split_once('=').map(|(key, _)| format!("{section}{}", key.trim()));
            key.is_some() && key == self.key
        };
        match text.lines().position(is_here) {
            Some(number) => format!("line {}, {self}", number + 1),
            None => self.to_string(),
        }
    }
}

/// Reads settings from a table. It goes through JSON, whose reader the program has for the bodies of requests.
fn read(table: &toml::Table) -> Result<Config, Unreadable> {
    let parse = |table: &toml::Table| Config::deserialize(serde_json::to_value(table)?);
    parse(table).map_err(|cause| {
        let alone = |(key, value): &(String, toml::Value)| parse(&nested(key, value.clone())).is_err();
        let wrong = leaves(table.clone()).into_iter().find(alone);
        Unreadable { key: wrong.map(|(key, _)| key), message: cause.to_string() }
    })
}

/// A table with one value.
fn nested(key: &str, value: toml::Value) -> toml::Table {
    let (sections, last) = key.rsplit_once('.').map_or((None, key), |(sections, last)| (Some(sections), last));
    let inner = toml::Table::from_iter([(last.to_owned(), value)]);
    sections.map_or(inner.clone(), |sections| nested(sections, inner.into()))
}

/// The syntax error with its line but without the line itself, which may contain a secret.
fn described(error: &toml::de::Error, text: &str) -> String {
    let line = error.span().and_then(|span| text.get(..span.start)).map(|before| before.matches('\n').count() + 1);
    line.map_or_else(|| error.message().to_owned(), |line| format!("line {line}: {}", error.message()))
}

/// The log format, as far as it can be read from settings that may contain other errors.
pub fn log_format(file: Option<&Path>, environment: &[(String, String)]) -> super::LogFormat {
    let named = environment.iter().find(|(name, _)| name == "SHELFWISE_LOG_FORMAT").map(|(_, value)| value.clone());
    let in_file = || {
        let table: toml::Table = toml::from_str(&std::fs::read_to_string(file?).ok()?).ok()?;
        Some(table.get("log_format")?.as_str()?.to_owned())
    };
    match named.or_else(in_file).as_deref() {
        Some("json") => super::LogFormat::Json,
        _ => super::LogFormat::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Secret, social};
    use super::*;

    fn variables(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    /// The settings that a server with this file and environment records.
    fn server(file: &Path, pairs: &[(&str, &str)]) -> Recorded {
        let inputs = Inputs { file: Some(file), environment: variables(pairs), ..Inputs::default() };
        Effective::resolve(&inputs).unwrap().to_record(Path::new("/srv/books"))
    }

    #[test]
    fn an_empty_path_counts_as_unset() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        std::fs::write(&file, "geoip_database = \"\"\n[backup]\nto = \"/srv/copies\"\n").unwrap();
        let environment = variables(&[("SHELFWISE_BACKUP_TO", ""), ("SHELFWISE_LOOKUP_CATALOGUE", "")]);
        let effective = Effective::resolve(&Inputs { file: Some(&file), environment, ..Inputs::default() }).unwrap();
        let config = effective.config;
        assert_eq!((config.backup.to, config.geoip_database, config.lookup.catalogue), (None, None, None));
    }

    #[test]
    fn a_command_works_by_the_settings_of_the_server_and_its_own_outrank_them() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        std::fs::write(&file, "book_limit = 7\nsignup = \"invite\"\n[backup]\nto = \"copies\"\nkeep = 3\n").unwrap();
        let recorded = server(&file, &[("SHELFWISE_BOOK_LIMIT", "8"), ("SHELFWISE_BACKUP_KEEP", "4")]);
        let inputs = |pairs: &[(&str, &str)]| Inputs {
            file: Some(file.as_path()),
            environment: variables(pairs),
            recorded: Some(&recorded),
            ..Inputs::default()
        };
        let effective = Effective::resolve(&inputs(&[("SHELFWISE_BACKUP_KEEP", "5")])).unwrap();
        assert_eq!((effective.config.book_limit, effective.config.backup.keep), (8, 5));
        assert_eq!(effective.config.backup.to.as_deref(), Some(Path::new("/srv/books/copies")));
        assert_eq!(effective.source("book_limit"), Source::Database("SHELFWISE_BOOK_LIMIT".into()));
        assert_eq!(effective.source("backup.keep"), Source::Environment("SHELFWISE_BACKUP_KEEP".into()));
        assert_eq!(effective.source("signup"), Source::File(file.clone()));
        assert_eq!(effective.source("default_plan"), Source::Preset);
        // A file other than the server's was chosen on purpose, and outranks the recorded values.
        let other = folder.path().join("other.toml");
        std::fs::write(&other, "book_limit = 9\n").unwrap();
        let effective = Effective::resolve(&Inputs { file: Some(&other), ..inputs(&[]) }).unwrap();
        assert_eq!((effective.config.book_limit, effective.config.backup.keep), (9, 4));
    }

    #[test]
    fn a_secret_is_never_noted_but_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        std::fs::write(&file, "[stripe]\nsecret_key_file = \"/nowhere\"\n").unwrap();
        let pairs = [
            ("SHELFWISE_MAIL_URL", "smtps://u:canary@mail.test"),
            ("SHELFWISE_MAIL_FROM", "books@example.org"),
            ("SHELFWISE_STRIPE_SECRET_KEY", "sk_canary"),
            ("SHELFWISE_SOCIAL_GOOGLE_CLIENT_ID", "google"),
            ("SHELFWISE_SOCIAL_GOOGLE_CLIENT_SECRET", "canary"),
        ];
        let recorded = server(&file, &pairs);
        assert!(!format!("{recorded:?}").contains("canary"), "{recorded:?}");
        let inputs = Inputs { file: Some(&file), recorded: Some(&recorded), ..Inputs::default() };
        let effective = Effective::resolve(&inputs).unwrap();
        assert_eq!(effective.withheld("mail.url").as_deref(), Some("SHELFWISE_MAIL_URL"));
        assert_eq!(effective.withheld("stripe.secret_key").as_deref(), Some("SHELFWISE_STRIPE_SECRET_KEY"));
        assert_eq!(effective.withheld("mail.from"), None);
        assert!(!effective.config.mail.is_on() && effective.config.mail.from.is_some());
        let own = Inputs { environment: variables(&pairs[..1]), ..inputs };
        let effective = Effective::resolve(&own).unwrap();
        assert!(effective.config.mail.is_on() && effective.withheld("mail.url").is_none());
        assert!(!format!("{:?}", effective.shown()).contains("canary"));
    }

    #[test]
    fn every_setting_that_is_kept_from_logs_is_masked_and_no_other() {
        let social = social::KEYS.iter().map(|(key, _)| format!("social.google.{key}"));
        for key in KEYS.iter().map(|(key, _)| (*key).to_owned()).chain(social) {
            let text = match key.as_str() {
                "stripe.api_base" | "public_url" | "backup.ping" | "social.google.issuer" => "https://canary.test",
                "mail.from" => "canary@example.org",
                _ => "canary",
            };
            let value = Value { value: Some(text.into()), source: Source::Preset };
            // Keys that are not free text (numbers, addresses, plans) can't be secrets.
            let Ok(config) = checked_unchecked(&key, &value) else { continue };
            assert_eq!(is_secret(&key), !format!("{config:?}").contains("canary"), "{key}");
        }
        let secret = Secret::from("canary".to_owned());
        assert!(!format!("{secret:?}").contains("canary"));
    }

    /// The settings with one value, valid or not.
    fn checked_unchecked(key: &str, value: &Value) -> Result<Config, Unreadable> {
        read(&nested(key, value.value.clone().unwrap()))
    }

    #[test]
    fn a_secret_and_its_file_are_refused_from_one_source_and_the_higher_of_two_sources_counts() {
        let folder = tempfile::tempdir().unwrap();
        let (file, secret) = (folder.path().join("config.toml"), folder.path().join("secret"));
        std::fs::write(&file, "[stripe]\nsecret_key = \"sk_file\"\n").unwrap();
        std::fs::write(&secret, "sk_of_its_own\n").unwrap();
        let in_file = ("SHELFWISE_STRIPE_SECRET_KEY_FILE", secret.to_str().unwrap());
        let resolve = |pairs: &[(&str, &str)]| {
            Effective::resolve(&Inputs { file: Some(&file), environment: variables(pairs), ..Inputs::default() })
        };
        let effective = resolve(&[in_file]).unwrap();
        assert_eq!(effective.config.stripe.secret_key.as_ref().map(Secret::expose), Some("sk_of_its_own"));
        let both = resolve(&[in_file, ("SHELFWISE_STRIPE_SECRET_KEY", "sk_env")]).unwrap_err().to_string();
        assert!(both.contains("both set"), "{both}");
    }

    #[test]
    fn what_is_wrong_in_a_file_is_said_without_an_empty_part() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        for text in
            ["default_plan = \"gold\"\n", "data_dir = \"\"\n", "[social.foo]\n", "[backup]\nkeep = 0\n", "x = 1\n"]
        {
            std::fs::write(&file, text).unwrap();
            let error =
                format!("{:#}", Effective::resolve(&Inputs { file: Some(&file), ..Inputs::default() }).unwrap_err());
            assert!(error.starts_with(&format!("in {}: ", file.display())) && !error.contains(": :"), "{error}");
        }
    }

    #[test]
    fn the_presets_are_those_of_the_program() {
        let shown = Effective::resolve(&Inputs::default()).unwrap().shown();
        let value = |key: &str| shown.iter().find(|shown| shown.key == key).unwrap().value.clone();
        assert_eq!(value("book_limit"), Some(toml::Value::Integer(150)));
        assert_eq!(value("mail.url"), None);
        assert!(shown.iter().all(|shown| shown.source == Source::Preset));
    }
}
