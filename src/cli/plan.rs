//! `shelfwise plan`
use clap::Subcommand;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::database::{open, open_to_read, write};
use super::exit::{Exit, Outcome};
use super::output::{print_json, print_table, say};
use super::settings::Settings;
use super::user::{find, note};
use crate::access::Plan as Name;
use crate::account::events::model::EventKind;
use crate::account::user_list::{self, ListedUser};
use crate::config::PLAN_NAMES;

#[derive(Subcommand)]
pub enum Plan {
    /// Grant a plan to an account; `reader` removes the granted plan
    #[command(after_help = "Example:\n  shelfwise plan set ada@example.org shelfwise_plus")]
    Set {
        /// The account's address
        email: String,
        /// The plan's name
        #[arg(value_parser = PossibleValuesParser::new(PLAN_NAMES).try_map(|name| Name::from_name(&name).ok_or("unknown plan")))]
        plan: Name,
    },
    /// Show an account's plan and where it comes from
    #[command(after_help = "Example:\n  shelfwise plan show ada@example.org")]
    Show {
        /// The account's address
        email: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
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
        let settings = settings.load()?;
        let config = &settings.config;
        match self {
            Self::Set { email, plan } => {
                let mut conn = open(&settings)?;
                let entry = find(&conn, config, &email)?;
                write(&mut conn, |tx| {
                    user_list::grant(tx, entry.id, plan)?;
                    note(tx, EventKind::PlanChanged, entry.id)
                })?;
                say(&described(&find(&conn, config, &email)?))
            }
            Self::Show { email, json } => {
                let entry = find(&open_to_read(&settings)?, config, &email)?;
                if json { print_json(&as_json(&entry)) } else { say(&described(&entry)) }
            }
            Self::List { json } => list(user_list::all(&open_to_read(&settings)?, config).map_err(Exit::failed)?, json),
        }
    }
}

fn as_json(entry: &ListedUser) -> serde_json::Value {
    serde_json::json!({"email": entry.email, "plan": entry.plan, "source": entry.plan_source})
}

fn list(entries: Vec<ListedUser>, json: bool) -> Outcome<()> {
    if json {
        return print_json(&entries.iter().map(as_json).collect::<Vec<_>>());
    }
    let head = ["EMAIL", "PLAN", "FROM"].map(str::to_owned).to_vec();
    let rows = entries.into_iter().map(|entry| {
        let source = entry.source().to_owned();
        vec![entry.email, entry.plan.name().to_owned(), source]
    });
    print_table(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
}

fn described(entry: &ListedUser) -> String {
    let (plan, source) = (entry.plan, entry.source());
    format!("{}: {} ({}), {source}", entry.email, plan.name(), plan.title())
}
