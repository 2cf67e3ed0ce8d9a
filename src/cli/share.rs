//! `shelfwise share`
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::database::{confirm, open, open_to_read, write};
use super::exit::{Exit, Outcome};
use super::output::{print_json, print_table, say};
use super::settings::Settings;
use super::site;
use super::user::{find, note};
use crate::access::Owner;
use crate::account::events::model::EventKind;
use crate::account::user_list;
use crate::config::Effective;
use crate::kit::clock::Clock;
use crate::kit::{Error, Result};
use crate::sharing::model::{Share as Link, ShareId};
use crate::sharing::rendering::Opened;
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
    /// Write what a secret link shows as files, which any web server can serve
    #[command(after_help = "Example:\n  shelfwise share export ada@example.org 7 --to /srv/www/reading\n\n\
        The folder has what people with the link see and nothing else: index.html with relative addresses, fonts, covers, the picture and \
        the feeds. Run it again, by a timer for example, to bring the folder up to date; when the link shows nothing any more, its page is deleted.")]
    Export {
        /// The account's address
        email: String,
        /// The link's id; `share list` prints it
        id: i64,
        /// The folder: a new one, an empty one, or that of an earlier export
        #[arg(long, value_name = "FOLDER")]
        to: PathBuf,
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
            Self::Export { email, id, to } => export(&settings, &email, id, &to),
            Self::Revoke { email, id, yes } => {
                let mut conn = open(&settings)?;
                let entry = find(&conn, &settings.config, &email)?;
                let links = store::all(&conn, entry.id).map_err(Exit::failed)?;
                let ids = BTreeSet::from_iter(id);
                if let Some(unknown) = ids.iter().find(|id| links.iter().all(|link| link.id != ShareId(**id))) {
                    return Err(Exit::failed(unknown_link(&entry.email, *unknown)));
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

fn unknown_link(email: &str, id: i64) -> String {
    format!("{email} has no secret link with the id {id}; `shelfwise share list {email}` prints those it has")
}

fn export(settings: &Effective, email: &str, id: i64, to: &Path) -> Outcome<()> {
    if to == Path::new("-") {
        return Err(Exit::usage("--to must be a folder"));
    }
    match page(settings, email, id)? {
        Page::Files(files) => {
            site::write(to, &files)?;
            say(&format!("Wrote {} files to {}.", files.len(), to.display()))
        }
        // A page must not outlive its link.
        Page::Nothing(why) => match site::write(to, &[])? {
            true => Err(Exit::failed(format!("{why}. The page in {} is deleted", to.display()))),
            false => Err(Exit::failed(why)),
        },
    }
}

/// What a link shows as files.
enum Page {
    Files(Vec<(String, Vec<u8>)>),
    /// Nothing, for this reason.
    Nothing(String),
}

fn page(settings: &Effective, email: &str, id: i64) -> Outcome<Page> {
    let (config, now) = (&settings.config, Clock::default().now());
    let conn = open_to_read(settings)?;
    // Every file is of the same moment.
    let snapshot = conn.unchecked_transaction().map_err(Exit::failed)?;
    let Some(entry) = user_list::find(&snapshot, config, email).map_err(Exit::failed)? else {
        return Ok(Page::Nothing(format!("there is no account for {email}")));
    };
    let share = match store::find(&snapshot, entry.id, ShareId(id)) {
        Err(Error::NotFound) => return Ok(Page::Nothing(unknown_link(&entry.email, id))),
        found => found.map_err(Exit::failed)?,
    };
    if !config.shares {
        return Ok(Page::Nothing("secret links are switched off by shares = false, and show nothing".into()));
    }
    let Some(owner) = Owner::read(&snapshot, config, entry.id, now).map_err(Exit::failed)? else {
        return Ok(Page::Nothing(format!("{} is disabled, and its links show nothing", entry.email)));
    };
    if let Err(ended) = share.require_running(&owner.zone, now) {
        return Ok(Page::Nothing(ended.to_string().trim_end_matches('.').to_owned()));
    }
    let link = Opened { conn: &snapshot, share: &share, owner: &owner, server: &config.identity() };
    link.files().map(Page::Files).map_err(|error| match error {
        Error::NotFound => {
            let kind = share.kind.name();
            Exit::failed(format!(
                "the link {id} is a {kind}, which is no page. Public pages, reviews, lists and tags are written"
            ))
        }
        other => Exit::failed(other),
    })
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
