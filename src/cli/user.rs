//! `shelfwise user`
use std::io::Write as _;

use chrono::Utc;
use clap::{Args, Subcommand};
use rusqlite::Connection;
use tokio::runtime::Runtime;

use super::Settings;
use super::database::{confirm, open, open_or_make, print_json, print_table, read_password, write};
use super::exit::{Exit, Outcome};
use crate::access::Role;
use crate::account::model::NewAccount;
use crate::account::own::store as own;
use crate::account::roster::{self, Entry};
use crate::account::{letters, password, store};
use crate::billing;
use crate::billing::provider::Stripe;
use crate::billing::store::Ties;
use crate::config::Config;
use crate::kit::db::Tx;
use crate::kit::{FieldErrors, Result, mail, secure_erase};

#[derive(Subcommand)]
pub enum User {
    /// Make an account; the password is the first line of standard input, or asked for
    #[command(after_help = "Example:\n  shelfwise user create ada@example.org --name Ada --admin")]
    Create {
        /// The address to sign in with
        email: String,
        /// The display name
        #[arg(long)]
        name: String,
        /// Make it an operator of this server
        #[arg(long)]
        admin: bool,
    },
    /// List every account
    #[command(after_help = "Example:\n  shelfwise user list --json")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Show one account
    #[command(after_help = "Example:\n  shelfwise user show ada@example.org")]
    Show(Whose),
    /// Set a new password, the first line of standard input or asked for; all its sessions end, and mail tells the owner
    #[command(after_help = "Example:\n  shelfwise user set-password ada@example.org")]
    SetPassword(Whose),
    /// Make somebody an operator of this server
    #[command(after_help = "Example:\n  shelfwise user promote ada@example.org")]
    Promote(Whose),
    /// Make an operator a reader again; their sessions end
    #[command(after_help = "Example:\n  shelfwise user demote ada@example.org")]
    Demote(Whose),
    /// Shut an account without deleting anything; its sessions end
    #[command(after_help = "Example:\n  shelfwise user disable ada@example.org")]
    Disable(Whose),
    /// Open a disabled account again
    #[command(after_help = "Example:\n  shelfwise user enable ada@example.org")]
    Enable(Whose),
    /// Delete an account and everything in it for good
    #[command(after_help = "Example:\n  shelfwise user delete ada@example.org --yes")]
    Delete(Whose),
}

#[derive(Args)]
pub struct Whose {
    /// The account's address
    email: String,
    /// Go on without being asked
    #[arg(long)]
    yes: bool,
}

impl User {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let config = settings.load()?;
        match self {
            Self::Create { email, name, admin } => create(&config, &email, &name, admin),
            Self::List { json } => list(&config, json),
            Self::Show(whose) => show(&config, &whose.email),
            Self::SetPassword(whose) => set_password(&config, &whose.email),
            Self::Promote(whose) => {
                change(&config, &whose, "is an operator now", |tx, id| own::set_role(tx, id, Role::Admin))
            }
            Self::Demote(whose) => {
                change(&config, &whose, "is a reader now", |tx, id| own::set_role(tx, id, Role::User))
            }
            Self::Disable(whose) => change(&config, &whose, "is disabled", |tx, id| own::set_disabled(tx, id, true)),
            Self::Enable(whose) => change(&config, &whose, "is enabled", |tx, id| own::set_disabled(tx, id, false)),
            Self::Delete(whose) => delete(&config, &whose),
        }
    }
}

/// The account of an address, for a command that can't go on without one.
pub fn find(conn: &Connection, config: &Config, email: &str) -> Outcome<Entry> {
    let found = roster::find(conn, config, email).map_err(Exit::failed)?;
    found.ok_or_else(|| Exit::failed(format!("there is no account for {email}")))
}

fn create(config: &Config, email: &str, name: &str, admin: bool) -> Outcome<()> {
    let role = if admin { Role::Admin } else { Role::User };
    let account = NewAccount::checked(email, name, read_password()?, None, role)
        .map_err(|errors| Exit::failed(sentences(&errors)))?;
    let hash = password::hash_here(&account.password).map_err(Exit::failed)?;
    super::serve::make_data_dir(&config.data_dir)?;
    let mut conn = open_or_make(config)?;
    let user = write(&mut conn, |tx| store::create(tx, &account, Some(&hash)))?;
    let kind = if admin { "an operator's account" } else { "an account" };
    say(&format!("Made {kind} for {} <{}>.", user.display_name, user.email))
}

fn list(config: &Config, json: bool) -> Outcome<()> {
    let entries = roster::all(&open(config)?, config).map_err(Exit::failed)?;
    if json {
        return print_json(&entries);
    }
    let head = ["EMAIL", "NAME", "ROLE", "PLAN", "STATE", "SINCE", "LAST SEEN"].map(str::to_owned).to_vec();
    let rows = entries.into_iter().map(|entry| {
        let state = if entry.disabled { "disabled" } else { "enabled" };
        let seen = entry.last_seen.unwrap_or_else(|| "-".into());
        let role = role(entry.role).to_owned();
        vec![entry.email, entry.display_name, role, entry.plan.name().into(), state.into(), entry.created_at, seen]
    });
    print_table(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
}

fn show(config: &Config, email: &str) -> Outcome<()> {
    let entry = find(&open(config)?, config, email)?;
    let rows = [
        ("Id", entry.id.to_string()),
        ("Email", entry.email),
        ("Name", entry.display_name),
        ("Role", role(entry.role).to_owned()),
        ("Plan", format!("{} ({})", entry.plan.name(), entry.plan.title())),
        ("Disabled", if entry.disabled { "yes" } else { "no" }.to_owned()),
        ("Since", entry.created_at),
        ("Last seen", entry.last_seen.unwrap_or_else(|| "-".into())),
        ("Sessions", entry.sessions.to_string()),
        ("Books", entry.books.to_string()),
    ];
    print_table(&rows.map(|(name, value)| vec![format!("{name}:"), value]))
}

fn set_password(config: &Config, email: &str) -> Outcome<()> {
    let mut conn = open(config)?;
    let entry = find(&conn, config, email)?;
    let new = read_password()?;
    password::check(&new, &entry.email, &entry.display_name).map_err(Exit::failed)?;
    let hash = password::hash_here(&new).map_err(Exit::failed)?;
    write(&mut conn, |tx| own::set_password(tx, entry.id, &hash))?;
    let letter = letters::password_changed(entry.email.clone(), &config.public_url(), Utc::now());
    // The password is set, whatever becomes of the letter.
    let told = match runtime()?.block_on(mail::send_now(config, &letter)) {
        Ok(true) => " A letter tells its owner.".to_owned(),
        Ok(false) => String::new(),
        Err(reason) => format!(" No letter could be sent to its owner: {reason}."),
    };
    say(&format!("{} has a new password and is signed out everywhere.{told}", entry.email))
}

fn change(config: &Config, whose: &Whose, outcome: &str, call: impl FnOnce(&Tx<'_>, i64) -> Result<()>) -> Outcome<()> {
    let mut conn = open(config)?;
    let entry = find(&conn, config, &whose.email)?;
    write(&mut conn, |tx| call(tx, entry.id))?;
    say(&format!("{} {outcome}.", entry.email))
}

fn delete(config: &Config, whose: &Whose) -> Outcome<()> {
    let mut conn = open(config)?;
    let entry = find(&conn, config, &whose.email)?;
    let question = format!("This deletes {} <{}> and {} books for good.", entry.display_name, entry.email, entry.books);
    confirm(&question, whose.yes)?;
    let ties = own::may_go(&conn, entry.id).and_then(|()| billing::store::ties(&conn, entry.id, Utc::now()));
    part(config, &ties.map_err(Exit::failed)?)?;
    write(&mut conn, |tx| {
        own::delete(tx, entry.id)?;
        Ok(secure_erase::mark_due(tx)?)
    })?;
    let erased = secure_erase::erase_now(&conn).map_err(|cause| {
        let later = "but its data could not be removed from the file yet; the server tries again";
        Exit::failed(format!("{} is deleted, {later}: {cause}", entry.email))
    })?;
    let later = " A reader of the database keeps its data in the file for now; the server removes it later.";
    say(&format!("Deleted {}.{}", entry.email, if erased { "" } else { later }))
}

/// Ends what the account pays at the payment provider.
fn part(config: &Config, ties: &Ties) -> Outcome<()> {
    let parted = runtime()?.block_on(async { billing::sync::part(Stripe::of_settings(config), ties).await });
    parted.map_err(|cause| Exit::failed(format!("nothing was deleted: {cause}")))
}

fn runtime() -> Outcome<Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Exit::failed)
}

fn role(role: Role) -> &'static str {
    match role {
        Role::Admin => "operator",
        Role::User => "reader",
    }
}

fn sentences(errors: &FieldErrors) -> String {
    errors.iter().map(|(_, sentence)| sentence).collect::<Vec<_>>().join(" ")
}

fn say(sentence: &str) -> Outcome<()> {
    writeln!(std::io::stdout(), "{sentence}").map_err(Exit::failed)
}
