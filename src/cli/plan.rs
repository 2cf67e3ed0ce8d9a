//! `shelfwise plan`
use std::io::Write as _;

use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::Settings;
use super::database::{open, print_json, print_table, write};
use super::exit::{Exit, Outcome};
use super::user::{find, note};
use crate::access::Plan as Name;
use crate::account::events::model::EventKind;
use crate::account::roster::{self, Entry};
use crate::config::PLAN_NAMES;

#[derive(Subcommand)]
pub enum Plan {
    /// Set an account's plan by hand; `reader` takes the one away that was set so
    #[command(after_help = "Example:\n  shelfwise plan set ada@example.org shelfwise_plus")]
    Set {
        /// The account's address
        email: String,
        /// The plan's name
        #[arg(value_parser = PossibleValuesParser::new(PLAN_NAMES).map(|name| Name::from_name(&name).unwrap_or(Name::Reader)))]
        plan: Name,
    },
    /// Show an account's plan and where it comes from
    #[command(after_help = "Example:\n  shelfwise plan show ada@example.org")]
    Show {
        /// The account's address
        email: String,
    },
    /// List every account's plan
    #[command(after_help = "Example:\n  shelfwise plan list --json")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

impl Plan {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let config = settings.load()?;
        let mut conn = open(&config)?;
        match self {
            Self::Set { email, plan } => {
                let entry = find(&conn, &config, &email)?;
                write(&mut conn, |tx| {
                    roster::grant(tx, entry.id, plan)?;
                    note(tx, EventKind::PlanChanged, entry.id)
                })?;
                say(&find(&conn, &config, &email)?)
            }
            Self::Show { email } => say(&find(&conn, &config, &email)?),
            Self::List { json } => list(roster::all(&conn, &config).map_err(Exit::failed)?, json),
        }
    }
}

fn list(entries: Vec<Entry>, json: bool) -> Outcome<()> {
    if json {
        let plans = entries
            .iter()
            .map(|entry| serde_json::json!({"email": entry.email, "plan": entry.plan, "source": entry.plan_source}));
        return print_json(&plans.collect::<Vec<_>>());
    }
    let head = ["EMAIL", "PLAN", "FROM"].map(str::to_owned).to_vec();
    let rows = entries.into_iter().map(|entry| {
        let source = entry.source().to_owned();
        vec![entry.email, entry.plan.name().to_owned(), source]
    });
    print_table(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
}

fn say(entry: &Entry) -> Outcome<()> {
    let (plan, source) = (entry.plan, entry.source());
    writeln!(std::io::stdout(), "{}: {} ({}), {source}", entry.email, plan.name(), plan.title()).map_err(Exit::failed)
}
