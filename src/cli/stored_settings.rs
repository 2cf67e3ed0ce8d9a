//! `shelfwise settings`
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use clap::Subcommand;
use clap::builder::PossibleValuesParser;
use rustix::process::geteuid;
use serde::Serialize;

use super::database::{open, write};
use super::exit::{Exit, Outcome};
use super::output::{print_json, print_table, say};
use super::settings::Settings;
use crate::account::events::model::{Actor, EventKind, EventSource, NewEvent};
use crate::account::events::store::record;
use crate::backups;
use crate::config::section::{LIVE, parse};
use crate::config::{Config, Effective, StoredSettings};
use crate::settings::change::expected;
use crate::settings::store;

#[derive(Subcommand)]
pub enum StoredSetting {
    /// List the settings that can change while the server runs, with their values
    #[command(after_help = "Example:\n  shelfwise settings list")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print the value of a setting
    #[command(after_help = "Example:\n  shelfwise settings get instance")]
    Get {
        /// The setting's key
        #[arg(value_parser = PossibleValuesParser::new(LIVE.iter().copied()))]
        key: String,
    },
    /// Store a value; a running server uses it within five seconds
    #[command(
        after_help = "Examples:\n  shelfwise settings set instance private\n  shelfwise settings set backup.to /var/backups/shelfwise"
    )]
    Set {
        /// The setting's key
        #[arg(value_parser = PossibleValuesParser::new(LIVE.iter().copied()))]
        key: String,
        /// The value
        value: String,
    },
    /// Remove a stored value, so that the default applies again
    #[command(after_help = "Example:\n  shelfwise settings unset signup")]
    Unset {
        /// The setting's key
        #[arg(value_parser = PossibleValuesParser::new(LIVE.iter().copied()))]
        key: String,
    },
}

/// A setting, as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    key: &'static str,
    value: serde_json::Value,
    /// As in `config show`.
    source: &'static str,
}

impl StoredSetting {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let settings = settings.load()?;
        match self {
            Self::List { json } => list(&settings, json),
            Self::Get { key } => say(&shown(&settings, &key)),
            Self::Set { key, value } => {
                let refused = |cause: anyhow::Error| match expected(&key) {
                    Some(sentence) => Exit::usage(format!("{key} can't be `{value}`. {sentence}")),
                    None => Exit::usage(format!("{cause:#}")),
                };
                let value = parse(&key, &key, value.trim()).map_err(refused)?;
                let alone = StoredSettings::from([(key.clone(), value.clone())]);
                Config::default().with_stored(&alone).map_err(refused)?;
                if key == "backup.to" && !settings.config.fixed.contains(&key) {
                    check_backup_folder(&settings, value.as_str().unwrap_or_default())?;
                }
                store(&settings, &key, Some(value))
            }
            Self::Unset { key } => store(&settings, &key, None),
        }
    }
}

/// Refuses a folder that backups can't be written to. The user of the database gets a folder that was missing, so that the server can
/// write to it when root runs this command.
fn check_backup_folder(settings: &Effective, folder: &str) -> Outcome<()> {
    let folder = Path::new(folder);
    let was_missing = backups::check_folder(folder)
        .map_err(|sentence| Exit::failed(format!("backup.to can't be {}: {sentence}", folder.display())))?;
    let Ok(database) = std::fs::metadata(settings.config.database()) else { return Ok(()) };
    if was_missing {
        // Only root may give a folder away; another user's own folder is right as it is.
        let _ = std::os::unix::fs::chown(folder, Some(database.uid()), Some(database.gid()));
    } else if geteuid().is_root() && std::fs::metadata(folder).is_ok_and(|found| !may_write(&database, &found)) {
        // Root may write everywhere, and so the check has said nothing about the server.
        return Err(Exit::failed(format!(
            "backup.to can't be {0}: the user of the database (uid {1}) can't write there; `chown {1}:{2} {0}` changes that",
            folder.display(),
            database.uid(),
            database.gid()
        )));
    }
    Ok(())
}

/// Whether the owner of a database may write to a folder, by the folder's owner, group and mode.
fn may_write(database: &Metadata, folder: &Metadata) -> bool {
    let needed = match folder {
        _ if database.uid() == 0 => return true,
        folder if folder.uid() == database.uid() => 0o300,
        folder if folder.gid() == database.gid() => 0o030,
        _ => 0o003,
    };
    folder.mode() & needed == needed
}

/// Stores a value or takes it away, unless something outranks it.
fn store(settings: &Effective, key: &str, value: Option<toml::Value>) -> Outcome<()> {
    if settings.config.fixed.contains(key) {
        let from = settings.source(key).name().unwrap_or_default();
        return Err(Exit::failed(format!("{key} is set by {from}, which outranks stored settings: change it there")));
    }
    let mut conn = open(settings)?;
    let (change, source) = ([(key.to_owned(), value)], EventSource::default());
    write(&mut conn, |tx| {
        store::change(tx, &change)?;
        record(
            tx,
            &NewEvent { kind: EventKind::SettingsChanged, account: None, actor: Actor::CommandLine, source: &source },
        )
    })?;
    let [(key, value)] = change;
    say(&match value {
        Some(value) => format!("{key} is {}", text(&value)),
        None => format!("{key} is not stored any more; the default applies"),
    })
}

fn shown(settings: &Effective, key: &str) -> String {
    settings.config.value(key).map_or_else(|| "-".to_owned(), |value| text(&value))
}

fn list(settings: &Effective, json: bool) -> Outcome<()> {
    if json {
        let entry = |key: &&'static str| Entry {
            key,
            value: serde_json::to_value(settings.config.value(key)).unwrap_or_default(),
            source: settings.source(key).kind(),
        };
        return print_json(&LIVE.iter().map(entry).collect::<Vec<_>>());
    }
    let head = ["SETTING", "VALUE", "FROM"].map(str::to_owned).to_vec();
    let rows = LIVE.iter().map(|key| {
        let source = settings.source(key);
        let from = source.name().unwrap_or_else(|| source.kind().to_owned());
        vec![(*key).to_owned(), shown(settings, key), from]
    });
    print_table(&[head].into_iter().chain(rows).collect::<Vec<_>>())
}

/// A value as it is typed: a text without quotation marks, a list with commas.
fn text(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(words) => words.iter().map(text).collect::<Vec<_>>().join(","),
        value => value.to_string(),
    }
}
