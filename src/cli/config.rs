//! `shelfwise config`
use std::path::PathBuf;

use clap::Subcommand;
use serde::Serialize;

use super::exit::Outcome;
use super::output::{print_json, print_table};
use super::settings::Settings;
use crate::config::Effective;
use crate::config::sources::{Shown, Source};

/// Show the settings
#[derive(Subcommand)]
pub enum Config {
    /// Show every setting and where it comes from; secrets are masked
    #[command(after_help = "Example:\n  shelfwise config show --data-dir /var/lib/shelfwise\n\n\
        These are the settings of the server that uses the database, as it noted them at its last start, with the environment and \
        the flags of this command over them.")]
    Show {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// The whole output as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    config_file: Option<PathBuf>,
    data_dir: PathBuf,
    settings: Vec<Entry>,
}

/// A setting as JSON.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    key: String,
    /// `null` when it is not set; `***` for a secret.
    value: serde_json::Value,
    /// `preset`, `settings`, `database`, `file`, `environment` or `flag`.
    source: &'static str,
    /// The file, variable or flag.
    from: Option<String>,
    secret: bool,
    /// False for a secret that only the server's environment has.
    known: bool,
}

impl Config {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let effective = settings.load()?;
        let Self::Show { json } = self;
        if json { print_json(&report(&effective)) } else { table(&effective) }
    }
}

fn report(effective: &Effective) -> Report {
    let entry = |shown: Shown| Entry {
        known: effective.withheld(&shown.key).is_none(),
        value: serde_json::to_value(&shown.value).unwrap_or_default(),
        source: shown.source.kind(),
        from: shown.source.name(),
        secret: shown.is_secret,
        key: shown.key,
    };
    Report {
        config_file: effective.file.clone(),
        data_dir: effective.config.data_dir.clone(),
        settings: effective.shown().into_iter().map(entry).collect(),
    }
}

fn table(effective: &Effective) -> Outcome<()> {
    let head = ["SETTING", "VALUE", "FROM"].map(str::to_owned).to_vec();
    let file = effective.file.as_ref().map_or_else(|| "-".to_owned(), |file| file.display().to_string());
    let first = vec!["config file".to_owned(), file, String::new()];
    let rows = effective.shown().into_iter().map(|shown| {
        let from = match &shown.source {
            Source::Preset => "default".to_owned(),
            Source::Stored => "stored settings".to_owned(),
            Source::Database(name) => format!("{name} of the server, recorded at its last start"),
            Source::File(path) => path.display().to_string(),
            Source::Environment(name) | Source::Flag(name) => name.clone(),
        };
        let value = match (&shown.value, effective.withheld(&shown.key)) {
            (Some(toml::Value::String(text)), _) => text.clone(),
            (Some(value), _) => value.to_string(),
            (None, Some(_)) => "*** (only the server knows it)".to_owned(),
            (None, None) => "-".to_owned(),
        };
        vec![shown.key, value, from]
    });
    print_table(&[head, first].into_iter().chain(rows).collect::<Vec<_>>())
}
