//! `shelfwise share`
use std::collections::BTreeSet;

use clap::Subcommand;

use super::database::{confirm, open, open_to_read, write};
use super::exit::{Exit, Outcome};
use super::output::{print_json, print_table, say};
use super::settings::Settings;
use super::user::{find, note};
use crate::account::events::model::EventKind;
use crate::kit::Result;
use crate::sharing::model::{Share as Link, ShareId};
use crate::sharing::store;

#[derive(Subcommand)]
pub enum Share {
    /// List the secret links of an account; their addresses are not stored
    #[command(after_help = "Example:\n  shelfwise share list ada@example.org")]
    List {
        /// The account's address
        email: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Revoke secret links of an account: all of them, or those with these ids
    #[command(after_help = "Example:\n  shelfwise share revoke ada@example.org --yes")]
    Revoke {
        /// The account's address
        email: String,
        /// Only the links with these ids; `share list` prints them
        #[arg(long)]
        id: Vec<i64>,
        /// Don't ask for confirmation
        #[arg(long)]
        yes: bool,
    },
}

impl Share {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let settings = settings.load()?;
        match self {
            Self::List { email, json } => {
                let conn = open_to_read(&settings)?;
                let entry = find(&conn, &settings.config, &email)?;
                let links = store::all(&conn, entry.id).map_err(Exit::failed)?;
                if json { print_json(&links) } else { list(&links) }
            }
            Self::Revoke { email, id, yes } => {
                let mut conn = open(&settings)?;
                let entry = find(&conn, &settings.config, &email)?;
                let links = store::all(&conn, entry.id).map_err(Exit::failed)?;
                let ids = BTreeSet::from_iter(id);
                if let Some(unknown) = ids.iter().find(|id| links.iter().all(|link| link.id != ShareId(**id))) {
                    return Err(Exit::failed(format!("{} has no secret link with the id {unknown}", entry.email)));
                }
                let what = if ids.is_empty() { "every secret link" } else { "these secret links" };
                confirm(&format!("This revokes {what} of {}.", entry.email), yes)?;
                let revoked = write(&mut conn, |tx| {
                    let revoked = if ids.is_empty() {
                        store::delete_all(tx, entry.id)?
                    } else {
                        ids.iter().try_for_each(|id| store::delete(tx, entry.id, ShareId(*id)))?;
                        ids.len()
                    };
                    if revoked > 0 {
                        note(tx, EventKind::SharesRevoked, entry.id)?;
                    }
                    Result::Ok(revoked)
                })?;
                let links = if revoked == 1 { "link" } else { "links" };
                say(&format!("Revoked {revoked} secret {links} of {}.", entry.email))
            }
        }
    }
}

fn list(links: &[Link]) -> Outcome<()> {
    let head = ["ID", "SHOWS", "PARTS", "SINCE", "ENDS", "LAST OPENED"].map(str::to_owned).to_vec();
    let or_none = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    let rows = links.iter().map(|link| {
        let of = link.period.map(|period| period.to_string()).or_else(|| link.tag.clone());
        vec![
            link.id.to_string(),
            std::iter::once(link.kind.name().to_owned()).chain(of).collect::<Vec<_>>().join(" "),
            or_none(Some(link.parts.stored()).filter(|parts| !parts.is_empty())),
            link.created_at.to_string(),
            or_none(link.expires_at.map(|at| at.to_string())),
            or_none(link.last_seen.map(|at| at.to_string())),
        ]
    });
    print_table(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
}
