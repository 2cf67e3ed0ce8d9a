//! The settings of a command: it reads the config file and the environment as the server does.
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;

use super::exit::{Exit, Outcome};
use crate::config::sources::{ConfigFile, Flag, Source, log_format};
use crate::config::{Config, Effective, LogFormat, StoredSettings};
use crate::kit::db::inspect::open_reader;
use crate::settings::store;

/// The config file when none is named.
const USUAL_FILE: &str = "/etc/shelfwise/config.toml";

/// The flags of every command.
#[derive(Args, Clone)]
pub struct Settings {
    /// The config file [default: /etc/shelfwise/config.toml if it exists]
    #[arg(long, global = true, env = "SHELFWISE_CONFIG", value_name = "FILE", value_parser = clap::value_parser!(OsString))]
    config: Option<OsString>,
    /// The folder of the database [default: data_dir of the config file, else ./data]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,
}

impl Settings {
    /// The settings for a command beside the server, with what operators have stored.
    pub fn load(&self) -> Outcome<Effective> {
        let mut effective = self.load_to_start(Vec::new(), true)?;
        effective.store(stored(&effective.config)).map_err(Exit::config)?;
        Ok(effective)
    }

    /// The settings of a server that is about to start (or of a database that is about to be restored), without what operators have
    /// stored.
    pub fn load_to_start(&self, mut flags: Vec<Flag>, use_usual_file: bool) -> Outcome<Effective> {
        let file = match self.named_file() {
            Some(file) => Some(ConfigFile::read(file).map_err(Exit::config)?),
            None if use_usual_file => usual_file()?,
            None => None,
        };
        if let Some(folder) = &self.data_dir {
            let value = folder.to_string_lossy().into_owned();
            flags.push(Flag { name: "--data-dir", key: "data_dir", value });
        }
        let mut effective = Effective::resolve(file, &environment()?, &flags).map_err(Exit::config)?;
        if let Some(folder) = &self.data_dir {
            // The value of the flag is a text, which not every path is.
            effective.config.data_dir.clone_from(folder);
        }
        Ok(effective)
    }

    /// The log format of a server whose settings can't be read.
    pub fn log_format(&self) -> LogFormat {
        let usual = Path::new(USUAL_FILE);
        let file = self.named_file().or_else(|| usual.exists().then_some(usual));
        log_format(file, &environment().unwrap_or_default())
    }

    /// An empty variable counts as unset, as environment templates leave it.
    fn named_file(&self) -> Option<&Path> {
        self.config.as_deref().filter(|file| !file.is_empty()).map(Path::new)
    }
}

/// Whether the data directory is set by flag, environment or config file. A relative folder in the default config file does not
/// apply, because it depends on the current folder.
pub fn names_data_dir(effective: &Effective) -> bool {
    match effective.source("data_dir") {
        Source::Preset => false,
        Source::File(file) if file == Path::new(USUAL_FILE) => effective.config.data_dir.is_absolute(),
        _ => true,
    }
}

/// What operators have stored in the database. What can't be read is left to the command that opens it.
pub fn stored(config: &Config) -> StoredSettings {
    let database = config.database();
    let conn = database.exists().then(|| open_reader(&database).ok()).flatten();
    conn.and_then(|conn| store::stored(&conn).ok()).unwrap_or_default()
}

fn usual_file() -> Outcome<Option<ConfigFile>> {
    let unusable = |cause: anyhow::Error| {
        Exit::config(format!("{cause:#} (this is the default config file; --config names another)"))
    };
    match Path::new(USUAL_FILE).try_exists() {
        Ok(true) => ConfigFile::read(Path::new(USUAL_FILE)).map(Some).map_err(unusable),
        Ok(false) => Ok(None),
        Err(cause) => Err(unusable(anyhow::anyhow!("the config file {USUAL_FILE} can't be read: {cause}"))),
    }
}

/// The variables that are settings. The variable that names the config file is not one.
fn environment() -> Outcome<Vec<(String, String)>> {
    let named = env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
    let ours = named.filter(|(name, _)| name.starts_with("SHELFWISE_") && name != "SHELFWISE_CONFIG");
    let text = |(name, value): (String, OsString)| match value.into_string() {
        Ok(value) => Ok((name, value)),
        Err(_) => Err(Exit::config(format!("the environment variable {name} is not UTF-8"))),
    };
    ours.map(text).collect()
}

/// The source of a data directory, in words.
pub fn describe(source: &Source) -> String {
    match source {
        Source::Preset | Source::Stored => "./data in the current folder, the default".to_owned(),
        Source::File(file) => format!("data_dir in {}", file.display()),
        Source::Environment(_) | Source::Flag(_) => source.name().unwrap_or_default(),
    }
}
