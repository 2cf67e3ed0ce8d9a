//! The sources of settings and their rank. From the lowest to the highest: defaults, the values that operators stored in the
//! database, the config file, the environment, flags.
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};

use super::section::{self, LIVE, NAMED, SETTINGS, is_secret};
use super::{Config, LogFormat, environment};

/// The values that operators stored while the server ran, by key.
pub type StoredSettings = BTreeMap<String, toml::Value>;

/// The source of a setting's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The default.
    Preset,
    /// An operator stored the value in the database.
    Stored,
    /// A config file.
    File(PathBuf),
    /// An environment variable.
    Environment(String),
    /// A flag.
    Flag(&'static str),
}

impl Source {
    /// The kind of source, in one word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Preset => "preset",
            Self::Stored => "settings",
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
            Self::Environment(name) => Some(name.clone()),
            Self::Flag(name) => Some((*name).to_owned()),
        }
    }
}

/// A setting given by a flag.
#[derive(Debug, Clone)]
pub struct Flag {
    /// The flag: `--listen`.
    pub name: &'static str,
    /// The setting's key.
    pub key: &'static str,
    pub value: String,
}

/// A value and its source.
#[derive(Clone)]
struct Value {
    value: toml::Value,
    source: Source,
}

type Values = BTreeMap<String, Value>;

/// The settings of a config file.
pub struct ConfigFile {
    path: PathBuf,
    values: Vec<(String, toml::Value)>,
}

impl ConfigFile {
    /// Reads and checks a file.
    pub fn read(path: &Path) -> anyhow::Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("the config file {} can't be read", path.display()))?;
        let in_file = || format!("in {}", path.display());
        let file = Self { path: path.to_owned(), values: parse(&text).with_context(in_file)? };
        let mut values = Values::new();
        apply(&mut values, file.layer());
        typed(&values)?.check().with_context(in_file)?;
        Ok(file)
    }

    fn layer(&self) -> Vec<(String, Value)> {
        let source = Source::File(self.path.clone());
        let values = self.values.iter().cloned();
        values.map(|(key, value)| (key, Value { value, source: source.clone() })).collect()
    }
}

/// The settings in force with their sources.
#[derive(Clone)]
pub struct Effective {
    /// The settings.
    pub config: Config,
    /// The config file that was read.
    pub file: Option<PathBuf>,
    /// Ignored environment variables, which a container platform set.
    pub ignored: Vec<String>,
    values: Values,
    stored: StoredSettings,
}

/// A setting as it is shown to a person.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown {
    /// The key with its sections.
    pub key: String,
    /// The value; `None` when it is not set.
    pub value: Option<toml::Value>,
    /// Whether it is a secret: the value is then `***`.
    pub is_secret: bool,
    /// The source of the value.
    pub source: Source,
}

impl Effective {
    /// Puts the environment over the file, and flags over both.
    pub fn resolve(file: Option<ConfigFile>, environment: &[(String, String)], flags: &[Flag]) -> anyhow::Result<Self> {
        let mut values = Values::new();
        apply(&mut values, file.as_ref().map(ConfigFile::layer).unwrap_or_default());
        let sections = values.keys().filter(|key| NAMED.iter().any(|(kind, _)| key.starts_with(&format!("{kind}."))));
        let sections = sections.filter_map(|key| Some(key.rsplit_once('.')?.0.to_owned())).collect();
        let (variables, ignored) = environment::read(environment, &sections)?;
        let of_variable = |(name, key, value)| (key, Value { value, source: Source::Environment(name) });
        apply(&mut values, variables.into_iter().map(of_variable).collect());
        let of_flag = |flag: &Flag| {
            (flag.key.to_owned(), Value { value: flag.value.as_str().into(), source: Source::Flag(flag.name) })
        };
        apply(&mut values, flags.iter().map(of_flag).collect());
        typed(&values)?;
        read_secret_files(&mut values)?;
        let mut config = typed(&values)?;
        config.check().context("in the environment or the flags")?;
        config.mail.delivery()?;
        config.fixed = LIVE.iter().filter(|key| values.contains_key(**key)).map(|key| (*key).to_owned()).collect();
        Ok(Self { config, file: file.map(|file| file.path), ignored, values, stored: StoredSettings::new() })
    }

    /// Takes over the values that operators stored, where no other source has one.
    pub fn store(&mut self, mut stored: StoredSettings) -> anyhow::Result<()> {
        stored.retain(|key, _| LIVE.contains(&key.as_str()));
        let taken = self.config.with_stored(&stored).context("in the settings that are stored in the database")?;
        (self.config, self.stored) = (taken, stored);
        Ok(())
    }

    /// The source of a setting.
    pub fn source(&self, key: &str) -> Source {
        match self.values.get(key) {
            Some(value) => value.source.clone(),
            None if self.stored.contains_key(key) => Source::Stored,
            None => Source::Preset,
        }
    }

    /// Every setting, by key, with secrets masked.
    pub fn shown(&self) -> Vec<Shown> {
        let values: BTreeMap<_, _> = section::leaves(&section::as_table(&self.config)).into_iter().collect();
        let declared = SETTINGS.iter().map(|(key, _)| key).filter(|key| !key.contains('<'));
        let keys: BTreeSet<&String> = declared.chain(self.values.keys()).collect();
        let shown = keys.into_iter().map(|key| Shown {
            value: values.get(key).cloned(),
            is_secret: is_secret(key),
            source: self.source(key),
            key: key.clone(),
        });
        shown.collect()
    }

    /// The keys whose values, read again, are others. Stored values do not count.
    pub fn changed_keys(&self, again: &Self) -> Vec<String> {
        let value = |values: &Values, key: &str| values.get(key).map(|value| value.value.clone());
        let keys: BTreeSet<&String> = self.values.keys().chain(again.values.keys()).collect();
        let changed = keys.into_iter().filter(|key| value(&self.values, key) != value(&again.values, key));
        changed.cloned().collect()
    }
}

impl Config {
    /// Reads the file (when one is named) and the environment over it.
    pub fn load(file: Option<&Path>, environment: impl Iterator<Item = (String, String)>) -> anyhow::Result<Self> {
        let file = file.map(ConfigFile::read).transpose()?;
        Ok(Effective::resolve(file, &environment.collect::<Vec<_>>(), &[])?.config)
    }

    /// These settings with stored values instead of defaults. Fixed keys and unknown keys (of another version of the program) are
    /// ignored; an empty text counts as unset.
    pub fn with_stored(&self, stored: &StoredSettings) -> anyhow::Result<Self> {
        let counts = |key: &str| LIVE.contains(&key) && !self.fixed.contains(key);
        let mut config = self.clone();
        for (key, value) in stored.iter().filter(|(key, _)| counts(key)) {
            let read: Config = toml::Value::Table(section::table([(key, value)]))
                .try_into()
                .map_err(|cause: toml::de::Error| anyhow!(cause.message().to_owned()))
                .with_context(|| format!("{key} can't be {value}"))?;
            read.check().with_context(|| format!("{key} can't be {value}"))?;
            if value.as_str() != Some("") {
                config.take(&read, "", &|taken| taken == key);
            }
        }
        Ok(config)
    }

    /// These settings with the stored public address, for a start: cookies and sign-in providers depend on it, and keep the address
    /// of the start.
    pub fn with_stored_address(&self, stored: &StoredSettings) -> anyhow::Result<Self> {
        let address = stored.get_key_value("public_url").map(|(key, value)| (key.clone(), value.clone()));
        self.with_stored(&address.into_iter().collect())
    }

    /// The value of a setting; `None` where it is not set.
    pub fn value(&self, key: &str) -> Option<toml::Value> {
        section::leaves(&section::as_table(self)).into_iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }
}

/// Whether the table of a config file holds a secret. The address of a mail server is one when it has a login.
pub fn holds_secret(table: &toml::Table) -> bool {
    section::leaves(table).iter().any(|(key, value)| {
        let is_open = |text: &str| text.trim().is_empty() || (key == "mail.url" && !text.contains('@'));
        is_secret(key)
            && (value.as_str().is_some_and(|text| !is_open(text))
                || value.as_array().is_some_and(|list| !list.is_empty()))
    })
}

/// The values of a file, by key. What is wrong is said without the line itself, which may hold a secret.
fn parse(text: &str) -> anyhow::Result<Vec<(String, toml::Value)>> {
    let line = |error: &toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start));
        before.map_or_else(String::new, |before| format!("line {}, ", before.matches('\n').count() + 1))
    };
    let syntax = |error: toml::de::Error| anyhow!("{}{}", line(&error), error.message());
    let values = section::leaves(&toml::from_str(text).map_err(syntax)?);
    let parsed = toml::Deserializer::parse(text).map_err(syntax)?;
    if let Err(error) = serde_path_to_error::deserialize::<_, Config>(parsed) {
        let (key, error) = (error.path().to_string(), error.into_inner());
        if let Some((unknown, _)) = values.iter().find(|(key, _)| section::setting(key).is_none()) {
            bail!("{}{unknown} is not a setting{}", line(&error), nearest(unknown));
        }
        let is_date = values.iter().any(|(known, value)| *known == key && value.is_datetime());
        let reason = if is_date { "a date must be in quotation marks" } else { error.message() };
        bail!("{}{key}: {reason}", line(&error));
    }
    Ok(values)
}

/// Names the setting that was probably meant.
fn nearest(unknown: &str) -> String {
    let likeness = |key: &str| strsim::jaro_winkler(key, unknown);
    let best = SETTINGS.iter().map(|(key, _)| key).max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    best.filter(|key| likeness(key) > 0.9).map_or_else(String::new, |key| format!("; did you mean {key}?"))
}

/// Puts the values of a source over those of lower ones. A secret also replaces the file that a lower source names for it, and the
/// reverse. Texts lose the blanks at their ends; where nothing is the default, an empty one counts as unset, as environment templates
/// leave it.
fn apply(values: &mut Values, layer: Vec<(String, Value)>) {
    let keys: BTreeSet<String> = layer.iter().map(|(key, _)| key.clone()).collect();
    for (key, mut value) in layer {
        if let toml::Value::String(text) = &mut value.value {
            *text = text.trim().to_owned();
        }
        if value.value.as_str() == Some("") && section::default(&key).is_none() {
            values.remove(&key);
            continue;
        }
        let sibling = key.strip_suffix("_file").map_or_else(|| format!("{key}_file"), str::to_owned);
        if !keys.contains(&sibling) {
            values.remove(&sibling);
        }
        values.insert(key, value);
    }
}

/// Reads the secrets whose files are named.
fn read_secret_files(values: &mut Values) -> anyhow::Result<()> {
    for (file_key, Value { value, source }) in values.clone() {
        let Some(key) = file_key.strip_suffix("_file").filter(|key| is_secret(key)) else { continue };
        let Some(file) = value.as_str() else { continue };
        if values.contains_key(key) {
            bail!("{key} and {file_key} are both set; one of them is enough");
        }
        let text =
            std::fs::read_to_string(file).with_context(|| format!("{file_key} names {file}, which can't be read"))?;
        if text.trim().is_empty() {
            bail!("{file_key} names {file}, which is empty");
        }
        values.insert(key.to_owned(), Value { value: text.trim().into(), source });
    }
    Ok(())
}

/// The settings with these values, unchecked.
fn typed(values: &Values) -> anyhow::Result<Config> {
    let table = section::table(values.iter().map(|(key, value)| (key, &value.value)));
    serde_path_to_error::deserialize(toml::Value::Table(table)).map_err(|error| {
        let path = error.path().to_string();
        let key = path.split('[').next().unwrap_or_default();
        let source = values.get(key).and_then(|value| value.source.name()).unwrap_or_default();
        anyhow!("{key}, from {source}: {}", error.into_inner().message())
    })
}

/// The log format, as far as it can be read from settings that may contain other errors.
pub fn log_format(file: Option<&Path>, environment: &[(String, String)]) -> LogFormat {
    let named = environment.iter().find(|(name, _)| name == "SHELFWISE_LOG_FORMAT").map(|(_, value)| value.clone());
    let in_file = || {
        let table: toml::Table = toml::from_str(&std::fs::read_to_string(file?).ok()?).ok()?;
        Some(table.get("log_format")?.as_str()?.to_owned())
    };
    match named.or_else(in_file).as_deref() {
        Some("json") => LogFormat::Json,
        _ => LogFormat::Text,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Secret, TRUSTED_HEADER};
    use super::*;

    fn variables(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    /// The settings of a file with this text and an environment.
    fn resolve(text: &str, pairs: &[(&str, &str)]) -> Result<Effective, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let resolved =
            ConfigFile::read(file.path()).and_then(|file| Effective::resolve(Some(file), &variables(pairs), &[]));
        resolved.map_err(|cause| format!("{cause:#}"))
    }

    fn refused(text: &str, pairs: &[(&str, &str)]) -> String {
        resolve(text, pairs).err().unwrap_or_else(|| panic!("{text} {pairs:?}"))
    }

    fn stored(pairs: &[(&str, toml::Value)]) -> StoredSettings {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
    }

    #[test]
    fn each_value_comes_from_the_highest_source_that_has_one() {
        let mut effective = resolve("book_limit = 7\nsignup = \"invite\"\n", &[("SHELFWISE_BOOK_LIMIT", "8")]).unwrap();
        effective.store(stored(&[("signup", "closed".into()), ("name", "Okafor".into())])).unwrap();
        let config = &effective.config;
        assert_eq!((config.book_limit, config.signup.name(), config.name.as_deref()), (8, "invite", Some("Okafor")));
        let sources = ["book_limit", "signup", "name", "shares"].map(|key| effective.source(key).kind());
        assert_eq!(sources, ["environment", "file", "settings", "preset"]);
        assert_eq!(config.fixed, BTreeSet::from(["signup".to_owned()]));
    }

    #[test]
    fn an_empty_text_counts_as_unset_where_nothing_is_the_default() {
        let text = "geoip_database = \"\"\n[backup]\nto = \"/srv/copies\"\n";
        let empty = [
            ("SHELFWISE_BACKUP_TO", ""),
            ("SHELFWISE_LOOKUP_CATALOGUE", " "),
            ("SHELFWISE_STRIPE_SECRET_KEY", ""),
            ("SHELFWISE_TRUSTED_HEADER_USER", ""),
            ("SHELFWISE_SOCIAL_GOOGLE_CLIENT_SECRET", " "),
        ];
        let config = resolve(text, &empty).unwrap().config;
        assert_eq!((&config.backup.to, &config.geoip_database, &config.lookup.catalogue), (&None, &None, &None));
        assert!(!config.stripe.is_on() && !config.trusted_header.is_on() && config.social.is_empty());
        assert!(!config.ways_in().contains(&TRUSTED_HEADER.to_owned()));
        assert!(refused("data_dir = \"\"\n", &[]).contains("data_dir is empty"));
    }

    #[test]
    fn a_secret_is_never_shown() {
        let pairs = [
            ("SHELFWISE_MAIL_URL", "smtps://u:canary@mail.test"),
            ("SHELFWISE_MAIL_FROM", "books@example.org"),
            ("SHELFWISE_STRIPE_SECRET_KEY", "sk_canary"),
            ("SHELFWISE_SOCIAL_GOOGLE_CLIENT_ID", "google"),
            ("SHELFWISE_SOCIAL_GOOGLE_CLIENT_SECRET", "canary"),
        ];
        let effective = resolve("", &pairs).unwrap();
        let shown = effective.shown();
        let value = |key: &str| shown.iter().find(|shown| shown.key == key).unwrap().value.clone();
        assert_eq!((value("mail.url"), value("social.google.client_id")), (Some("***".into()), Some("google".into())));
        assert!(!format!("{shown:?} {:?}", effective.config).contains("canary"));
    }

    #[test]
    fn every_setting_that_is_kept_from_logs_is_masked_and_no_other() {
        for (key, _) in SETTINGS.iter() {
            let key = key.replace(['<', '>'], "");
            let text = match key.as_str() {
                "stripe.api_base" | "public_url" | "backup.ping" | "social.name.issuer" => "https://canary.test",
                "mail.from" => "canary@example.org",
                _ => "canary",
            };
            let value = Value { value: text.into(), source: Source::Preset };
            // Keys that are not free text (numbers, addresses, plans) can't be secrets.
            let Ok(config) = typed(&Values::from([(key.clone(), value)])) else { continue };
            assert_eq!(is_secret(&key), !format!("{config:?}").contains("canary"), "{key}");
        }
    }

    #[test]
    fn a_secret_and_its_file_are_refused_from_one_source_and_the_higher_of_two_sources_counts() {
        let folder = tempfile::tempdir().unwrap();
        let (secret, empty) = (folder.path().join("secret"), folder.path().join("empty"));
        std::fs::write(&secret, "  sk_of its_own\n").unwrap();
        std::fs::write(&empty, "\n").unwrap();
        let text = "[stripe]\nsecret_key = \"sk_file\"\n";
        let in_file = |file: &Path| ("SHELFWISE_STRIPE_SECRET_KEY_FILE", file.to_str().unwrap().to_owned());
        let (name, path) = in_file(&secret);
        let config = resolve(text, &[(name, &path)]).unwrap().config;
        assert_eq!(config.stripe.secret_key.as_ref().map(Secret::expose), Some("sk_of its_own"));
        assert_eq!(config.secret_files(), [("stripe.secret_key_file".to_owned(), secret.clone())]);
        let both = refused(text, &[(name, &path), ("SHELFWISE_STRIPE_SECRET_KEY", "sk_env")]);
        assert!(both.contains("both set"), "{both}");
        for wrong in [empty, folder.path().join("missing")] {
            let error = refused(text, &[(name, wrong.to_str().unwrap())]);
            assert!(error.contains("stripe.secret_key_file") && error.contains(wrong.to_str().unwrap()), "{error}");
        }
    }

    #[test]
    fn what_is_wrong_in_a_file_is_named_with_its_line_and_key() {
        for (text, words) in [
            ("default_plan = \"gold\"\n", &["default_plan is `gold`"][..]),
            ("[social.foo]\nname = \"x\"\n", &["social.foo must set its issuer"]),
            ("[backup]\nkeep = 0\n", &["backup.keep is 0"]),
            ("\nbook_limt = 1\n", &["line 2, book_limt is not a setting; did you mean book_limit?"]),
            ("[backup]\n\nfolder = \"x\"\n", &["line 3, backup.folder is not a setting"]),
            ("[ limits ]\n\"books\" = \"many\"\n", &["line 2, limits.books: ", "expected u32"]),
            ("shares = true\nlimits = { books = -1 }\n", &["line 2, limits.books: "]),
            ("name = 2026-01-01\n", &["line 1, name: a date must be in quotation marks"]),
            ("name = nan\n", &["line 1, name: ", "expected a string"]),
            ("[mail]\nurl = smtp://u:hunter2@mail.test\n", &["line 2, "]),
        ] {
            let error = refused(text, &[]);
            assert!(error.starts_with("in /") && words.iter().all(|word| error.contains(word)), "{text}{error}");
            assert!(!error.contains(": :") && !error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn the_keys_that_changed_are_named_also_those_of_secrets() {
        let before = resolve("book_limit = 7\n[stripe]\nsecret_key = \"sk_1\"\n", &[]).unwrap();
        let again = resolve("[stripe]\nsecret_key = \"sk_2\"\n", &[]).unwrap();
        assert_eq!(before.changed_keys(&again), ["book_limit", "stripe.secret_key"]);
        assert!(again.changed_keys(&again).is_empty());
    }

    #[test]
    fn stored_values_count_where_nothing_above_them_is_set() {
        let fixed = BTreeSet::from(["signup".to_owned()]);
        let base = Config { book_limit: 7, fixed, ..Config::default() };
        let config = base
            .with_stored(&stored(&[
                ("instance", "private".into()),
                ("signup", "closed".into()),
                ("backup.to", "/backups".into()),
                ("limits.books", 5.into()),
                ("lookup.contact", "".into()),
                ("book_limit", 3.into()),
                ("of_a_newer_version", true.into()),
            ]))
            .unwrap();
        assert!(config.is_private() && config.lookup.contact.is_none());
        assert_eq!((config.signup.name(), config.limits.books, config.book_limit), ("open", 5, 7));
        assert_eq!(config.value("backup.to"), Some("/backups".into()));
    }

    #[test]
    fn every_live_setting_can_be_stored_as_it_is_shown() {
        let text = "name = \"Shelf\"\npublic_url = \"http://nas.local\"\n[backup]\nto = \"/b\"\n[lookup]\ncontact = \"a@b.test\"\n";
        let base = Config { fixed: BTreeSet::new(), ..resolve(text, &[]).unwrap().config };
        let shown = LIVE.iter().map(|key| ((*key).to_owned(), base.value(key).unwrap_or_else(|| panic!("{key}"))));
        assert_eq!(Config::default().with_stored(&shown.collect()).unwrap(), base);
    }

    #[test]
    fn a_stored_value_that_cannot_be_is_refused_by_name() {
        for (key, value) in [
            ("signup", toml::Value::from("maybe")),
            ("default_plan", "gold".into()),
            ("backup.keep", 0.into()),
            ("limits.books", (-1).into()),
            ("name", "x".repeat(61).into()),
            ("name", "".into()),
            ("public_url", "books.test/shelf".into()),
        ] {
            let error = Config::default().with_stored(&stored(&[(key, value)])).unwrap_err();
            assert!(format!("{error:#}").contains(key), "{error:#}");
        }
    }
}
