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
        A command reads the config file and the environment as the server does: run it with the server's environment.")]
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
    /// `preset`, `settings`, `file`, `environment` or `flag`.
    source: &'static str,
    /// The file, variable or flag.
    from: Option<String>,
    secret: bool,
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
            source => source.name().unwrap_or_default(),
        };
        let value = match &shown.value {
            Some(toml::Value::String(text)) => text.clone(),
            Some(value) => value.to_string(),
            None => "-".to_owned(),
        };
        vec![shown.key, value, from]
    });
    print_table(&[head, first].into_iter().chain(rows).collect::<Vec<_>>())
}
