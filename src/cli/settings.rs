//! The settings of a command: those of the server whose database it works on, with its own environment and flags over them.
use std::env;
use std::path::{Path, PathBuf};

use clap::Args;

use super::exit::{Exit, Outcome};
use crate::config::sources::{Flag, Recorded, Source, log_format};
use crate::config::{Effective, Inputs, LogFormat};
use crate::kit::open::open_reader;
use crate::settings::store;

/// The config file where none is named and no server has noted one.
const USUAL_FILE: &str = "/etc/shelfwise/config.toml";
/// The data directory where none is named.
const USUAL_FOLDER: &str = "./data";

/// The flags that every command takes.
#[derive(Args)]
pub struct Settings {
    /// The config file [default: the file of the server that uses the database, else /etc/shelfwise/config.toml if it exists]
    #[arg(long, global = true, env = "SHELFWISE_CONFIG", value_name = "FILE", value_parser = clap::value_parser!(std::ffi::OsString))]
    config: Option<std::ffi::OsString>,
    /// The folder of the database [default: data_dir of the config file, else ./data]
    #[arg(long, global = true, value_name = "FOLDER")]
    pub data_dir: Option<PathBuf>,
}

impl Settings {
    /// The settings that the server of the database has, where a server has used it: its config file and what it noted of its
    /// environment and flags.
    pub fn load(&self) -> Outcome<Effective> {
        let environment = environment()?;
        if let Some(file) = self.named_file() {
            let alone = self.resolve(Some(file), &environment, None, None).map_err(Exit::config)?;
            return match recorded(&alone) {
                Some(recorded) => self.resolve(Some(file), &environment, Some(&recorded), None).map_err(Exit::config),
                None => Ok(alone),
            };
        }
        let plain = self.resolve(None, &environment, None, None).map_err(Exit::config)?;
        if let Some(recorded) = recorded(&plain) {
            return self.of_server(&plain, &environment, &recorded);
        }
        let Some(file) = usual_file()? else { return Ok(plain) };
        let of_file = self.resolve(Some(file), &environment, None, None).map_err(unreadable_usual)?;
        match recorded(&of_file) {
            Some(recorded) => self.of_server(&of_file, &environment, &recorded),
            None => Ok(of_file),
        }
    }

    /// The settings of a server that is about to start (or of a database that is about to be put in place): what an earlier start
    /// noted does not count.
    pub fn load_to_start(&self, flags: Vec<Flag>, use_usual_file: bool) -> Outcome<Effective> {
        let environment = environment()?;
        let named = self.named_file();
        let usual = if named.is_none() && use_usual_file { usual_file()? } else { None };
        let inputs = Inputs {
            file: named.or(usual),
            environment,
            flags: self.flags().into_iter().chain(flags).collect(),
            ..Inputs::default()
        };
        Effective::resolve(&inputs)
            .map_err(|cause| if usual.is_some() { unreadable_usual(cause) } else { Exit::config(cause) })
    }

    /// How the log of a server looks whose settings can't be read.
    pub fn log_format(&self) -> LogFormat {
        let usual = Path::new(USUAL_FILE);
        let file = self.named_file().or_else(|| usual.exists().then_some(usual));
        log_format(file, &environment().unwrap_or_default())
    }

    /// An empty variable names no file, as templates of environments leave it.
    fn named_file(&self) -> Option<&Path> {
        self.config.as_deref().filter(|file| !file.is_empty()).map(Path::new)
    }

    fn flags(&self) -> Vec<Flag> {
        let flag = |folder: &PathBuf| Flag {
            name: "--data-dir",
            key: "data_dir",
            value: folder.to_string_lossy().into_owned(),
        };
        self.data_dir.iter().map(flag).collect()
    }

    fn resolve(
        &self,
        file: Option<&Path>,
        environment: &[(String, String)],
        recorded: Option<&Recorded>,
        data_dir: Option<(PathBuf, Source)>,
    ) -> anyhow::Result<Effective> {
        // The flag's own bytes: as text it may not be the same folder.
        let data_dir = match &self.data_dir {
            Some(folder) => Some((folder.clone(), Source::Flag("--data-dir".to_owned()))),
            None => data_dir,
        };
        let environment = environment.to_vec();
        Effective::resolve(&Inputs { file, environment, flags: self.flags(), recorded, data_dir })
    }

    /// The settings of the server that uses a database, in the data directory where that was found.
    fn of_server(
        &self,
        found: &Effective,
        environment: &[(String, String)],
        recorded: &Recorded,
    ) -> Outcome<Effective> {
        let folder = (found.config.data_dir.clone(), found.source("data_dir"));
        let place = folder.0.display().to_string();
        self.resolve(recorded.config_file.as_deref(), environment, Some(recorded), Some(folder)).map_err(|cause| {
            Exit::config(format!(
                "{cause:#} (the settings of the server that last used {place}; --config names another file)"
            ))
        })
    }
}

/// Whether somebody named the data directory: by flag, environment or config file. A relative folder in the usual config file names
/// none, because it depends on where the command is run.
pub fn names_data_dir(effective: &Effective) -> bool {
    match effective.source("data_dir") {
        Source::Preset => false,
        Source::File(file) if file == Path::new(USUAL_FILE) => effective.config.data_dir.is_absolute(),
        _ => true,
    }
}

/// What the server noted in the database of some settings. What can't be read is left to the command that opens it.
fn recorded(effective: &Effective) -> Option<Recorded> {
    let database = effective.config.database();
    let conn = database.exists().then(|| open_reader(&database).ok()).flatten()?;
    store::find(&conn).ok().flatten()
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
    Exit::config(format!("{cause:#} (this file counts because no other is named; --config names another)"))
}

/// The variables that concern the settings. The config file's own variable is not a setting.
fn environment() -> Outcome<Vec<(String, String)>> {
    let named = env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value)));
    let ours = named.filter(|(name, _)| name.starts_with("SHELFWISE_") && name != "SHELFWISE_CONFIG");
    let text = |(name, value): (String, std::ffi::OsString)| match value.into_string() {
        Ok(value) => Ok((name, value)),
        Err(_) => Err(Exit::config(format!("the environment variable {name} is not UTF-8"))),
    };
    ours.map(text).collect()
}

/// Says that a secret stands only in the server's environment, where it does; `what` names the secret.
pub fn withheld(effective: &Effective, key: &str, what: &str) -> Option<String> {
    let variable = effective.withheld(key)?;
    Some(format!("{what} stands only in the server's environment: {variable}"))
}

/// Where a data directory was named, in words.
pub fn describe(source: &Source) -> String {
    match source {
        Source::Preset => format!("{USUAL_FOLDER} in the current folder, which counts because no other is named"),
        Source::File(file) => format!("data_dir in {}", file.display()),
        Source::Environment(name) | Source::Flag(name) | Source::Database(name) => name.clone(),
    }
}
