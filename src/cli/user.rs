//! `shelfwise user`
use clap::{Args, Subcommand};
use rusqlite::Connection;
use tokio::runtime::Runtime;

use super::database::{confirm, open, open_or_make, open_to_read, read_password, there, write};
use super::exit::{Exit, Outcome};
use super::output::{books, print_json, print_table, say};
use super::settings::{Settings, names_data_dir};
use crate::access::Role;
use crate::account::emails::{self, Ended};
use crate::account::events::model::{Actor, EventKind, EventSource, NewEvent};
use crate::account::events::store::{record, record_deletion};
use crate::account::model::NewAccount;
use crate::account::own::store as own;
use crate::account::social::store as identities;
use crate::account::user_list::{self, ListedUser};
use crate::account::{password, store};
use crate::billing;
use crate::billing::provider::Stripe;
use crate::billing::store::PaymentLinks;
use crate::config::{Config, Effective};
use crate::kit::clock::Clock;
use crate::kit::db::erasure;
use crate::kit::db::inspect::BUSY;
use crate::kit::db::pool::Tx;
use crate::kit::id::UserId;
use crate::kit::mail::mailer;
use crate::kit::mail::message::EmailMessage;
use crate::kit::{FieldErrors, Result};

#[derive(Subcommand)]
pub enum User {
    /// Create an account; its password is read from the first line of standard input or asked for
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
        /// Create a new database if there is none, even if no data directory is named
        #[arg(long)]
        new: bool,
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
    Show {
        #[command(flatten)]
        whose: Whose,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Set a new password, read from standard input or asked for; all sessions end, and an e-mail informs the owner
    #[command(after_help = "Example:\n  shelfwise user set-password ada@example.org")]
    SetPassword {
        /// The account's address
        email: String,
        /// Also remove the account's API tokens, secret links, device logins and connected sign-in providers, and switch off sharing with a team
        #[arg(long)]
        end_other_access: bool,
        /// Don't ask for confirmation
        #[arg(long)]
        yes: bool,
    },
    /// Make an account an operator of this server
    #[command(after_help = "Example:\n  shelfwise user promote ada@example.org")]
    Promote(Whose),
    /// Make an operator a reader again; its sessions end
    #[command(after_help = "Example:\n  shelfwise user demote ada@example.org")]
    Demote(Whose),
    /// Disable sign-in to an account without deleting anything; its sessions end
    #[command(after_help = "Example:\n  shelfwise user disable ada@example.org")]
    Disable(Whose),
    /// Enable a disabled account again
    #[command(after_help = "Example:\n  shelfwise user enable ada@example.org")]
    Enable(Whose),
    /// Connect an account to a person at the trusted proxy ([trusted_header] in the settings) or at a provider, instead of the former one
    #[command(
        after_help = "Example:\n  shelfwise user connect ada@example.org ada\n  shelfwise user connect ada@example.org 3f1c9a --provider authentik"
    )]
    Connect {
        /// The account's address
        email: String,
        /// The value of the header that `user` in [trusted_header] names; with --provider the person's id there, the claim `sub`
        person: String,
        /// The provider, NAME of [social.NAME] in the settings
        #[arg(long, value_name = "NAME")]
        provider: Option<String>,
    },
    /// Permanently delete an account and everything in it
    #[command(after_help = "Example:\n  shelfwise user delete ada@example.org --yes")]
    Delete {
        /// The account's address
        email: String,
        /// Don't ask for confirmation
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Args)]
pub struct Whose {
    /// The account's address
    email: String,
    /// Accepted for compatibility; has no effect
    #[arg(long, hide = true)]
    yes: bool,
}

impl User {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let settings = settings.load()?;
        match self {
            Self::Create { email, name, admin, new } => create(&settings, &email, &name, admin, new),
            Self::List { json } => list(&settings, json),
            Self::Show { whose, json } => show(&settings, &whose.email, json),
            Self::SetPassword { email, end_other_access, .. } => set_password(&settings, &email, end_other_access),
            Self::Promote(whose) => {
                let kind = EventKind::RoleChanged;
                change(&settings, &whose, "is an operator now", kind, |tx, id| own::set_role(tx, id, Role::Admin))
            }
            Self::Demote(whose) => {
                let kind = EventKind::RoleChanged;
                change(&settings, &whose, "is a reader now", kind, |tx, id| own::set_role(tx, id, Role::User))
            }
            Self::Disable(whose) => {
                let kind = EventKind::AccountDisabled;
                change(&settings, &whose, "is disabled", kind, |tx, id| own::set_disabled(tx, id, true))
            }
            Self::Enable(whose) => {
                let kind = EventKind::AccountEnabled;
                change(&settings, &whose, "is enabled", kind, |tx, id| own::set_disabled(tx, id, false))
            }
            Self::Connect { email, person, provider: None } => connect(&settings, &email, &person),
            Self::Connect { email, person, provider: Some(provider) } => {
                connect_person(&settings, &email, &provider, person.trim())
            }
            Self::Delete { email, yes } => delete(&settings, &email, yes),
        }
    }
}

/// Records an action of the command line on an account.
pub fn note(tx: &Tx<'_>, kind: EventKind, user_id: UserId) -> Result<()> {
    let source = EventSource::default();
    record(tx, &NewEvent { kind, account: Some(user_id), actor: Actor::CommandLine, source: &source })
}

/// The account with an address, for a command that needs it.
pub fn find(conn: &Connection, config: &Config, email: &str) -> Outcome<ListedUser> {
    let found = user_list::find(conn, config, email).map_err(Exit::failed)?;
    found.ok_or_else(|| Exit::failed(format!("there is no account for {email}")))
}

fn create(settings: &Effective, email: &str, name: &str, admin: bool, new: bool) -> Outcome<()> {
    let config = &settings.config;
    if !new && !names_data_dir(settings) {
        there(settings)?;
    }
    let role = if admin { Role::Admin } else { Role::User };
    let account = NewAccount::checked(email, name, read_password()?, None, role, config.identity().host())
        .map_err(|errors| Exit::failed(sentences(&errors)))?;
    let hash = password::hash_here(&account.password).map_err(Exit::failed)?;
    super::serve::make_data_dir(&config.data_dir)?;
    let mut conn = open_or_make(config)?;
    let user = write(&mut conn, |tx| {
        let user = store::create(tx, &account, Some(&hash))?;
        note(tx, EventKind::AccountCreated, user.id)?;
        Ok(user)
    })?;
    let kind = if admin { "an operator's account" } else { "an account" };
    say(&format!("Created {kind} for {} <{}>.", user.display_name, user.email))
}

fn list(settings: &Effective, json: bool) -> Outcome<()> {
    let entries = user_list::all(&open_to_read(settings)?, &settings.config).map_err(Exit::failed)?;
    if json {
        return print_json(&entries);
    }
    let mut rows = vec![["EMAIL", "NAME", "ROLE", "PLAN", "STATE", "SINCE", "LAST SEEN"].map(str::to_owned).to_vec()];
    rows.extend(entries.into_iter().map(|entry| {
        let state = if entry.disabled { "disabled" } else { "enabled" };
        let seen = entry.last_seen.map_or_else(|| "-".to_owned(), |at| at.to_string());
        let role = role(entry.role).to_owned();
        vec![
            entry.email,
            entry.display_name,
            role,
            entry.plan.name().into(),
            state.into(),
            entry.created_at.to_string(),
            seen,
        ]
    }));
    // On a private server everybody has the same plan.
    if settings.config.is_private() {
        rows.iter_mut().for_each(|row| drop(row.remove(3)));
    }
    print_table(&rows)
}

fn show(settings: &Effective, email: &str, json: bool) -> Outcome<()> {
    let entry = find(&open_to_read(settings)?, &settings.config, email)?;
    if json {
        return print_json(&entry);
    }
    let mut rows = vec![
        ("Id", entry.id.to_string()),
        ("Email", entry.email),
        ("Name", entry.display_name),
        ("Role", role(entry.role).to_owned()),
        ("Plan", format!("{} ({})", entry.plan.name(), entry.plan.title())),
        ("Disabled", if entry.disabled { "yes" } else { "no" }.to_owned()),
        ("Since", entry.created_at.to_string()),
        ("Last seen", entry.last_seen.map_or_else(|| "-".to_owned(), |at| at.to_string())),
        ("Sessions", entry.sessions.to_string()),
        ("Books", entry.books.to_string()),
    ];
    rows.retain(|(name, _)| *name != "Plan" || !settings.config.is_private());
    print_table(&rows.into_iter().map(|(name, value)| vec![format!("{name}:"), value]).collect::<Vec<_>>())
}

fn set_password(settings: &Effective, email: &str, end_other_access: bool) -> Outcome<()> {
    let config = &settings.config;
    let mut conn = open(settings)?;
    let entry = find(&conn, config, email)?;
    let new = read_password()?;
    password::check(&new, &entry.email, &entry.display_name, config.identity().host()).map_err(Exit::failed)?;
    let hash = password::hash_here(&new).map_err(Exit::failed)?;
    write(&mut conn, |tx| {
        if end_other_access {
            own::recover(tx, entry.id, &hash)?;
        } else {
            own::set_password(tx, entry.id, &hash)?;
        }
        note(tx, EventKind::PasswordChanged, entry.id)
    })?;
    let (ended, others) = if end_other_access {
        let others = " Its API tokens, secret links, device logins and connected sign-in providers are removed, and sharing with a team is off.";
        (Ended::AllAccessAndSharing, others)
    } else {
        (Ended::AllSessions, "")
    };
    let message = emails::password_changed(entry.email.clone(), &config.identity(), ended, Clock::default().now());
    let notice = send_email(settings, &message)?;
    say(&format!("{} has a new password and is signed out everywhere.{others}{notice}", entry.email))
}

fn change(
    settings: &Effective,
    whose: &Whose,
    outcome: &str,
    kind: EventKind,
    call: impl FnOnce(&Tx<'_>, UserId) -> Result<()>,
) -> Outcome<()> {
    let mut conn = open(settings)?;
    let entry = find(&conn, &settings.config, &whose.email)?;
    write(&mut conn, |tx| {
        call(tx, entry.id)?;
        note(tx, kind, entry.id)
    })?;
    say(&format!("{} {outcome}.", entry.email))
}

fn connect(settings: &Effective, email: &str, header_user: &str) -> Outcome<()> {
    let mut conn = open(settings)?;
    let entry = find(&conn, &settings.config, email)?;
    write(&mut conn, |tx| {
        identities::connect_header_user(tx, entry.id, header_user.trim(), &entry.email)?;
        note(tx, EventKind::ProviderConnected, entry.id)
    })?;
    let on = settings.config.trusted_header.is_on();
    let later = if on { "" } else { " The settings name no header yet: set trusted_header.user." };
    say(&format!("{} signs in as {} at the proxy.{later}", entry.email, header_user.trim()))
}

fn connect_person(settings: &Effective, email: &str, provider: &str, person: &str) -> Outcome<()> {
    let mut conn = open(settings)?;
    let entry = find(&conn, &settings.config, email)?;
    let issuer = settings.config.social.get(provider).and_then(|social| social.issuer.as_ref());
    write(&mut conn, |tx| {
        identities::connect_person(tx, entry.id, provider, person, issuer.map(|issuer| issuer.as_str()))?;
        note(tx, EventKind::ProviderConnected, entry.id)
    })?;
    say(&format!("{} signs in as {person} at {provider}.", entry.email))
}

fn delete(settings: &Effective, email: &str, yes: bool) -> Outcome<()> {
    let mut conn = open(settings)?;
    let entry = find(&conn, &settings.config, email)?;
    let question =
        format!("This deletes {} <{}> and {} permanently.", entry.display_name, entry.email, books(entry.books));
    confirm(&question, yes)?;
    let payment_links = own::check_deletable(&conn, entry.id)
        .and_then(|()| billing::store::payment_links(&conn, entry.id, Clock::default().now()));
    release_payments(&settings.config, &payment_links.map_err(Exit::failed)?)?;
    write(&mut conn, |tx| {
        own::delete(tx, entry.id)?;
        record_deletion(tx, entry.id, Actor::CommandLine)?;
        Ok(erasure::mark_compaction_due(tx)?)
    })?;
    let erased = erasure::truncate_wal(&conn, BUSY).map_err(|cause| {
        Exit::failed(format!("{} is deleted, but the write-ahead log still has its data: {cause}", entry.email))
    })?;
    let later = " Another program is still reading the database, so the write-ahead log has its data until that ends.";
    let later = if erased { "" } else { later };
    let message = emails::account_deleted(entry.email.clone(), &settings.config.identity(), Clock::default().now());
    let notice = send_email(settings, &message)?;
    say(&format!("Deleted {}.{later}{notice}", entry.email))
}

/// Informs an account's owner by e-mail, if mail is configured. Returns a sentence about it. A failed e-mail undoes nothing.
fn send_email(settings: &Effective, message: &EmailMessage) -> Outcome<String> {
    Ok(match runtime()?.block_on(mailer::send_now(&settings.config, message)) {
        Ok(true) => " An e-mail informs its owner.".to_owned(),
        Ok(false) => String::new(),
        Err(reason) => format!(" No e-mail could be sent to its owner: {reason}."),
    })
}

/// Ends the account's subscription at the payment provider.
fn release_payments(config: &Config, payment_links: &PaymentLinks) -> Outcome<()> {
    let released =
        runtime()?.block_on(async { billing::sync::release(Stripe::of_settings(config), payment_links).await });
    released.map_err(|cause| Exit::failed(format!("nothing was deleted: {cause}")))
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
