//! The settings of a command: those of the server whose database it uses, overridden by its own environment and flags.
use std::env;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use clap::Args;
use rustix::process::geteuid;

use super::exit::{Exit, Outcome};
use crate::config::sources::{Flag, Recorded, Source, log_format};
use crate::config::{Config, Effective, Inputs, LogFormat, StoredSettings};
use crate::kit::db::inspect::open_reader;
use crate::settings::store;

/// The config file when none is named and no server has recorded one.
const USUAL_FILE: &str = "/etc/shelfwise/config.toml";
/// The data directory when none is named.
const USUAL_FOLDER: &str = "./data";

/// The flags of every command.
#[derive(Args, Clone)]
pub struct Settings {
    /// The config file [default: the file of the server that uses the database, else /etc/shelfwise/config.toml if it exists]
    #[arg(long, global = true, env = "SHELFWISE_CONFIG", value_name = "FILE", value_parser = clap::value_parser!(std::ffi::OsString))]
    config: Option<std::ffi::OsString>,
    /// The folder of the database [default: data_dir of the config file, else ./data]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,
}

impl Settings {
    /// The settings of the server that uses the database, if any has: its config file and the recorded values of its environment
    /// and flags.
    pub fn load(&self) -> Outcome<Effective> {
        let environment = environment()?;
        let named = self.named_file();
        let mut folder = self.data_dir(named, &environment);
        let mut recorded = recorded(&folder.0);
        let mut usual = None;
        if named.is_none() && recorded.is_none() {
            usual = usual_file()?;
            folder = self.data_dir(usual, &environment);
            recorded = self::recorded(&folder.0);
        }
        if let (Some(recorded), Some(database)) = (&mut recorded, owner(&database_in(&folder.0))) {
            limit_trust(recorded, named, database, geteuid().as_raw())?;
        }
        let file = named.or(match &recorded {
            Some(recorded) => recorded.config_file.as_deref(),
            None => usual,
        });
        let place = folder.0.display().to_string();
        let stored = stored(&folder.0);
        let inputs = Inputs {
            file,
            environment,
            recorded: recorded.as_ref(),
            stored,
            data_dir: Some(folder),
            ..Inputs::default()
        };
        Effective::resolve(&inputs).map_err(|cause| {
            let of_file = file.is_some_and(|file| format!("{cause:#}").contains(&file.display().to_string()));
            match (named, &recorded) {
                (None, Some(_)) if of_file => Exit::config(format!(
                    "{cause:#} (the server that last used {place} has this file; --config names another)"
                )),
                (None, None) if of_file => unreadable_usual(cause),
                _ => Exit::config(cause),
            }
        })
    }

    /// The settings of a server that is about to start (or of a database that is about to be restored). Recorded values are
    /// ignored.
    pub fn load_to_start(&self, flags: Vec<Flag>, use_usual_file: bool) -> Outcome<Effective> {
        let environment = environment()?;
        let named = self.named_file();
        let usual = if named.is_none() && use_usual_file { usual_file()? } else { None };
        let data_dir = self.data_dir_flag();
        let inputs = Inputs { file: named.or(usual), environment, flags, data_dir, ..Inputs::default() };
        Effective::resolve(&inputs).map_err(|cause| match usual {
            Some(_) if format!("{cause:#}").contains(USUAL_FILE) => unreadable_usual(cause),
            _ => Exit::config(cause),
        })
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

    fn data_dir_flag(&self) -> Option<(PathBuf, Source)> {
        self.data_dir.clone().map(|folder| (folder, Source::Flag("--data-dir".to_owned())))
    }

    /// The data directory, which is needed before the settings: the database may name the config file. Errors in the file are
    /// reported later, when the whole file is read.
    fn data_dir(&self, file: Option<&Path>, environment: &[(String, String)]) -> (PathBuf, Source) {
        let variable = || {
            let (name, value) = environment.iter().find(|(name, _)| name == "SHELFWISE_DATA_DIR")?;
            Some((value.into(), Source::Environment(name.clone())))
        };
        let in_file = || {
            let file = file?;
            let table: toml::Table = toml::from_str(&std::fs::read_to_string(file).ok()?).ok()?;
            Some((table.get("data_dir")?.as_str()?.into(), Source::File(file.to_owned())))
        };
        let found = self.data_dir_flag().or_else(variable).or_else(in_file);
        found.unwrap_or_else(|| (USUAL_FOLDER.into(), Source::Preset))
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

/// What the server recorded in the database of a folder. Errors are left to the command that opens the database.
fn recorded(folder: &Path) -> Option<Recorded> {
    let database = database_in(folder);
    let conn = database.exists().then(|| open_reader(&database).ok()).flatten()?;
    store::find(&conn).ok().flatten()
}

/// What operators have stored in the database of a folder. What can't be read is left to the command that opens it.
pub fn stored(folder: &Path) -> StoredSettings {
    let database = database_in(folder);
    let conn = database.exists().then(|| open_reader(&database).ok()).flatten();
    conn.and_then(|conn| store::stored(&conn).ok()).unwrap_or_default()
}

fn database_in(folder: &Path) -> PathBuf {
    Config { data_dir: folder.to_owned(), ..Config::default() }.database()
}

fn owner(file: &Path) -> Option<u32> {
    std::fs::metadata(file).ok().map(|found| found.uid())
}

/// Limits the recorded values of another user, so that root does not read files for that user: files with secrets are ignored,
/// and the config file counts only if root owns it.
fn limit_trust(recorded: &mut Recorded, named: Option<&Path>, database: u32, user: u32) -> Outcome<()> {
    if user != 0 || database == 0 {
        return Ok(());
    }
    for setting in recorded.settings.iter_mut().filter(|setting| setting.key.ends_with("_file")) {
        setting.value = None;
    }
    match &recorded.config_file {
        Some(file) if named.is_none() && owner(file).is_some_and(|owner| owner != 0) => Err(Exit::config(format!(
            "the server's config file {} does not belong to root; run the command as the server's user, or name the file with --config",
            file.display()
        ))),
        _ => Ok(()),
    }
}

fn usual_file() -> Outcome<Option<&'static Path>> {
    let file = Path::new(USUAL_FILE);
    match file.try_exists() {
        Ok(true) => Ok(Some(file)),
        Ok(false) => Ok(None),
        Err(cause) => Err(unreadable_usual(anyhow::anyhow!("the config file {USUAL_FILE} can't be read: {cause}"))),
    }
}

fn unreadable_usual(cause: anyhow::Error) -> Exit {
    Exit::config(format!("{cause:#} (this is the default config file; --config names another)"))
}

/// The variables that are settings. The variable that names the config file is not one.
fn environment() -> Outcome<Vec<(String, String)>> {
    let named = env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
    let ours = named.filter(|(name, _)| name.starts_with("SHELFWISE_") && name != "SHELFWISE_CONFIG");
    let text = |(name, value): (String, std::ffi::OsString)| match value.into_string() {
        Ok(value) => Ok((name, value)),
        Err(_) => Err(Exit::config(format!("the environment variable {name} is not UTF-8"))),
    };
    ours.map(text).collect()
}

/// A sentence for a secret that only the server's environment contains; `what` names the secret.
pub fn withheld(effective: &Effective, key: &str, what: &str) -> Option<String> {
    let variable = effective.withheld(key)?;
    Some(format!("{what} is only in the server's environment: {variable}"))
}

/// The source of a data directory, in words.
pub fn describe(source: &Source) -> String {
    match source {
        Source::Preset | Source::Stored => format!("{USUAL_FOLDER} in the current folder, the default"),
        Source::File(file) => format!("data_dir in {}", file.display()),
        Source::Environment(name) | Source::Flag(name) | Source::Database(name) => name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::sources::RecordedSetting;

    #[test]
    fn root_reads_no_secret_and_no_config_file_because_another_user_says_so() {
        let note = |key: &str| RecordedSetting {
            key: key.to_owned(),
            name: "SHELFWISE_X".to_owned(),
            value: Some("/etc/other/secret".into()),
        };
        let noted = Recorded { settings: vec![note("mail.url_file"), note("backup.to")], ..Recorded::default() };
        for (database, user, kept) in [(1000, 0, false), (0, 0, true), (1000, 1000, true)] {
            let mut recorded = noted.clone();
            limit_trust(&mut recorded, None, database, user).unwrap();
            assert_eq!(recorded.settings[0].value.is_some(), kept, "{database} {user}");
            assert!(recorded.settings[1].value.is_some());
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("config.toml");
        std::fs::write(&file, "").unwrap();
        if owner(&file) == Some(0) && std::os::unix::fs::chown(&file, Some(1000), None).is_err() {
            return;
        }
        let mut recorded = Recorded { config_file: Some(file.clone()), ..Recorded::default() };
        assert!(limit_trust(&mut recorded, None, 1000, 0).unwrap_err().to_string().contains("--config"));
        limit_trust(&mut recorded, Some(&file), 1000, 0).unwrap();
        limit_trust(&mut recorded, None, 0, 0).unwrap();
    }
}
