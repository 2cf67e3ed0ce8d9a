//! The settings as the API shows them.
use serde::Serialize;

use crate::access::Plan;
use crate::config::{Config, Instance, SignupMode};
use crate::settings::change::{changeable, public};

/// The settings in effect.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServerSettings {
    instance: Instance,
    /// What the server is called; null is Shelfwise.
    #[schema(required)]
    name: Option<String>,
    signup: SignupMode,
    /// The plan of accounts without a subscription, on a public server.
    #[schema(value_type = Plan)]
    default_plan: String,
    limits: AccountQuotas,
    backup: BackupSchedule,
    lookup: LookupSettings,
}

/// What one account may store, whatever its plan; 0 is unlimited.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct AccountQuotas {
    /// Books of every status.
    books: u32,
    /// Items on the to-be-read list.
    list_items: u32,
    /// Texts and imported rows, in MB of 1,000,000 bytes.
    text_mb: u32,
}

/// The look-up of books in catalogues.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct LookupSettings {
    /// The catalogues to ask, in the order of their results.
    sources: Vec<String>,
    /// An e-mail or web address that a catalogue may write to.
    #[schema(required)]
    contact: Option<String>,
    /// Whether covers come with the results.
    covers: bool,
    /// The covers that one account may store, in MiB; 0 is unlimited.
    cover_quota: u32,
}

/// The backups that the server creates on a schedule.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct BackupSchedule {
    /// The folder; null where the server makes no backups.
    #[schema(required)]
    to: Option<String>,
    /// How many of the newest stay.
    keep: u32,
    /// A whole number and `s`, `m`, `h` or `d`.
    every: String,
}

/// The settings, and which of them only the config file, the environment or a flag can change.
#[derive(Serialize, utoipa::ToSchema)]
pub struct SettingsResponse {
    settings: ServerSettings,
    /// Names as in `settings`: `signup`, `backup.to`.
    fixed: Vec<String>,
}

impl SettingsResponse {
    /// The settings in effect.
    pub fn of(config: &Config) -> Self {
        Self {
            settings: ServerSettings {
                instance: config.instance,
                name: config.name.clone(),
                signup: config.signup,
                default_plan: config.default_plan.clone(),
                limits: AccountQuotas {
                    books: config.limits.books,
                    list_items: config.limits.list_items,
                    text_mb: config.limits.text_mb,
                },
                backup: BackupSchedule {
                    to: config.backup.to.as_ref().map(|folder| folder.to_string_lossy().into_owned()),
                    keep: config.backup.keep,
                    every: config.backup.every.to_string(),
                },
                lookup: LookupSettings {
                    sources: config.lookup.sources.clone(),
                    contact: config.lookup.contact.clone(),
                    covers: config.lookup.covers,
                    cover_quota: config.lookup.cover_quota,
                },
            },
            fixed: changeable().filter(|key| config.fixed.contains(*key)).map(public).collect(),
        }
    }
}
