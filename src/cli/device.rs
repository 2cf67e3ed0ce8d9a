//! `shelfwise device`
use clap::Subcommand;
use clap::builder::TypedValueParser as _;
use serde_json::json;

use super::database::{confirm, open, open_to_read, write};
use super::exit::{Exit, Outcome};
use super::output::{print_json, print_table, say};
use super::settings::Settings;
use super::user::find;
use crate::devices::hash_here;
use crate::devices::model::{self, DeviceAddresses, DeviceCreate, DeviceId, DeviceKind, key_of};
use crate::devices::store::{devices, overview};
use crate::kit::Error;
use crate::preferences;

#[derive(Subcommand)]
pub enum Device {
    /// Create a login for a device, good for nothing but reporting what is read; its password is printed now and never again
    #[command(after_help = "Example:\n  shelfwise device create ada@example.org --kind koreader --name \"Kobo Libra\"")]
    Create {
        /// The account's address
        email: String,
        /// What reports
        #[arg(long, default_value = "koreader", value_parser = names!(DeviceKind))]
        kind: DeviceKind,
        /// What the account's page calls it
        #[arg(long, default_value = "E-reader")]
        name: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List the devices of an account and what they have reported
    #[command(after_help = "Example:\n  shelfwise device list ada@example.org")]
    List {
        /// The account's address
        email: String,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Take the login of a device back; what it has reported stays
    #[command(after_help = "Example:\n  shelfwise device revoke ada@example.org 7 --yes")]
    Revoke {
        /// The account's address
        email: String,
        /// The device's id; `device list` prints it
        id: i64,
        /// Don't ask for confirmation
        #[arg(long)]
        yes: bool,
    },
}

impl Device {
    /// Runs the command.
    pub fn run(self, settings: &Settings) -> Outcome<()> {
        let settings = settings.load()?;
        match self {
            Self::Create { email, kind, name, json } => {
                let mut conn = open(&settings)?;
                let entry = find(&conn, &settings.config, &email)?;
                let name = DeviceCreate::named(&name).map_err(|errors| Exit::failed(Error::from(errors)))?;
                let (login, password) = model::credentials().map_err(Exit::failed)?;
                let secret = hash_here(&key_of(&password)).map_err(Exit::failed)?;
                let device = write(&mut conn, |tx| devices::add(tx, entry.id, &name, kind, &login, secret))?;
                let urls = DeviceAddresses::below(&settings.config.public_url());
                if json {
                    return print_json(&json!({"device": device, "login": login, "password": password, "urls": urls}));
                }
                let row = |name: &str, value: &str| vec![name.to_owned(), value.to_owned()];
                print_table(&[
                    row("User name", &login),
                    row("Password", &password),
                    row("Progress sync", &urls.kosync),
                    row("WebDAV, for statistics", &urls.webdav),
                ])
            }
            Self::List { email, json } => {
                let conn = open_to_read(&settings)?;
                let entry = find(&conn, &settings.config, &email)?;
                let listed = preferences::store::find(&conn, entry.id)
                    .and_then(|preferences| overview::devices(&conn, entry.id, &preferences.zone()));
                let listed = listed.map_err(Exit::failed)?;
                if json { print_json(&listed) } else { list(&listed) }
            }
            Self::Revoke { email, id, yes } => {
                let mut conn = open(&settings)?;
                let entry = find(&conn, &settings.config, &email)?;
                let known = devices::all(&conn, entry.id).map_err(Exit::failed)?;
                let Some(device) = known.into_iter().find(|device| device.id == DeviceId(id)) else {
                    return Err(Exit::failed(format!("{} has no device with the id {id}", entry.email)));
                };
                confirm(&format!("This takes back the login of {} of {}.", device.name, entry.email), yes)?;
                write(&mut conn, |tx| devices::delete(tx, entry.id, device.id))?;
                say(&format!("{} can't report any more.", device.name))
            }
        }
    }
}

fn list(devices: &[model::Device]) -> Outcome<()> {
    let head = ["ID", "NAME", "KIND", "LOGIN", "LAST SEEN", "DAYS", "BOOKS", "UNKNOWN"].map(str::to_owned).to_vec();
    let rows = devices.iter().map(|device| {
        vec![
            device.id.to_string(),
            device.name.clone(),
            device.kind.name().to_owned(),
            device.login.clone(),
            device.last_seen_at.map_or_else(|| "-".to_owned(), |at| at.to_string()),
            device.reports.days.to_string(),
            device.reports.books.to_string(),
            device.reports.unknown.to_string(),
        ]
    });
    print_table(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
}
