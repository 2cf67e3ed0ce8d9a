//! The settings as the API shows and takes them.
use std::path::PathBuf;

use serde::Serialize;
use serde_json::Value;

use crate::access::Plan;
use crate::config::stored::CHANGEABLE;
use crate::config::{Config, Instance, Signup, StoredSettings};
use crate::kit::{Error, FieldErrors, Result};

/// The settings in effect.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ServerSettings {
    instance: Instance,
    /// What the server is called; null is Shelfwise.
    #[schema(required)]
    name: Option<String>,
    signup: Signup,
    /// The plan of accounts without a subscription, on a public server.
    #[schema(value_type = Plan)]
    default_plan: String,
    limits: AccountQuotas,
    backup: BackupSchedule,
}

/// What one account may store, whatever its plan.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct AccountQuotas {
    books: u32,
    list_items: u32,
    /// Texts and imported rows, in MB of 1,000,000 bytes.
    text_mb: u32,
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
pub struct SettingsAnswer {
    settings: ServerSettings,
    /// Names as in `settings`: `signup`, `backup.to`.
    fixed: Vec<String>,
}

impl SettingsAnswer {
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
            },
            fixed: config.fixed.iter().map(|key| public(key)).collect(),
        }
    }
}

/// A change of settings, by key; `None` removes a stored value, so that the default applies.
#[derive(Debug, Default, PartialEq)]
pub struct Change(pub Vec<(String, Option<toml::Value>)>);

impl Change {
    /// Reads the body of a change: some of the keys of the settings, null for the preset.
    ///
    /// # Errors
    /// 422 for a key that is not one of them or a value of a wrong type.
    pub fn read(body: &Value) -> Result<Self> {
        let (mut changes, mut errors) = (Vec::new(), FieldErrors::new());
        for (name, value) in leaves(body) {
            let Some(key) = CHANGEABLE.into_iter().find(|key| public(key) == name) else {
                errors.add(name, "This is not a setting that can change while the server runs.");
                continue;
            };
            match value {
                Value::Null => changes.push((key.to_owned(), None)),
                value => match toml::Value::try_from(trimmed(value)) {
                    Ok(value) => changes.push((key.to_owned(), Some(value))),
                    Err(_) => errors.add(name, "This value can't be read."),
                },
            }
        }
        errors.into_result()?;
        Ok(Self(changes))
    }

    /// The settings in force after this change.
    ///
    /// # Errors
    /// 422 with a sentence for each invalid value.
    pub fn applied(&self, base: &Config, stored: &StoredSettings) -> Result<Config> {
        let mut next = stored.clone();
        let mut errors = FieldErrors::new();
        for (key, value) in &self.0 {
            match value {
                Some(value) => {
                    let alone = StoredSettings::from([(key.clone(), value.clone())]);
                    if let Err(cause) = base.with_stored(&alone, &base.fixed) {
                        errors.add(public(key), sentence(&cause));
                    }
                    next.insert(key.clone(), value.clone());
                }
                None => {
                    next.remove(key);
                }
            }
        }
        errors.into_result()?;
        base.with_stored(&next, &base.fixed).map_err(|cause| Error::internal(format!("{cause:#}")))
    }

    /// The first setting of this change that a higher source fixes, in the API's spelling.
    pub fn first_fixed(&self, config: &Config) -> Option<String> {
        self.0.iter().find(|(key, _)| config.fixed.contains(key)).map(|(key, _)| public(key))
    }

    /// The folder for backups that this change names.
    pub fn backup_folder(&self) -> Option<PathBuf> {
        let (_, value) = self.0.iter().find(|(key, _)| key == "backup.to")?;
        value.as_ref()?.as_str().map(PathBuf::from)
    }
}

/// The innermost reason, as a sentence.
fn sentence(cause: &anyhow::Error) -> String {
    let reason = cause.root_cause().to_string();
    let reason = reason.trim().trim_end_matches('.').lines().next().unwrap_or_default().replace('`', "\"");
    let mut rest = reason.chars();
    rest.next().map(|first| format!("{}{}.", first.to_uppercase(), rest.as_str())).unwrap_or_default()
}

/// A key in the API's spelling: `limits.list_items` is `limits.listItems`.
fn public(key: &str) -> String {
    let mut name = String::with_capacity(key.len());
    let mut upper = false;
    for character in key.chars() {
        match character {
            '_' => upper = true,
            character if std::mem::take(&mut upper) => name.push(character.to_ascii_uppercase()),
            character => name.push(character),
        }
    }
    name
}

/// Every value of a body with its name; an object is a section.
fn leaves(body: &Value) -> Vec<(String, &Value)> {
    let Value::Object(body) = body else { return Vec::new() };
    let found = body.iter().flat_map(|(name, value)| match value {
        Value::Object(_) => {
            leaves(value).into_iter().map(|(below, value)| (format!("{name}.{below}"), value)).collect()
        }
        value => vec![(name.clone(), value)],
    });
    found.collect()
}

/// Text without blanks at its ends.
fn trimmed(value: &Value) -> Value {
    match value {
        Value::String(text) => text.trim().into(),
        value => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn some_keys_are_changed_and_null_takes_the_preset() {
        let config = Config::default();
        let body = json!({"instance": "private", "name": null, "limits": {"listItems": 5}});
        let change = Change::read(&body).unwrap();
        assert_eq!(
            change.0,
            [
                ("instance".to_owned(), Some("private".into())),
                ("limits.list_items".to_owned(), Some(5.into())),
                ("name".to_owned(), None),
            ]
        );
        let next = change.applied(&config, &StoredSettings::new()).unwrap();
        assert!(next.is_private() && next.limits.list_items == 5);
    }

    #[test]
    fn what_cannot_be_is_named() {
        let mut config = Config::default();
        let unknown = Change::read(&json!({"listen": "x", "limits": {"calls": 1}})).unwrap_err();
        assert!(format!("{unknown:?}").contains("limits.calls"), "{unknown:?}");
        let change = Change::read(&json!({"backup": {"keep": 0}, "signup": "maybe"})).unwrap();
        let refused = format!("{:?}", change.applied(&config, &StoredSettings::new()).unwrap_err());
        assert!(refused.contains("backup.keep") && refused.contains("signup"), "{refused}");
        config.fixed.insert("signup".to_owned());
        assert_eq!(change.first_fixed(&config).as_deref(), Some("signup"));
    }
}
