//! Changes of the settings that the database stores.
use std::path::PathBuf;

use serde_json::Value;

use crate::config::section::LIVE;
use crate::config::{Config, StoredSettings};
use crate::kit::{Error, FieldErrors, Result};

/// The settings that the API changes: all live ones but the public address, which the first run and the command line store.
pub fn changeable() -> impl Iterator<Item = &'static str> {
    LIVE.iter().copied().filter(|key| *key != "public_url")
}

/// A change of settings, by key; `None` removes a stored value, so that the default applies.
#[derive(Debug, Default, PartialEq)]
pub struct SettingsChange(pub Vec<(String, Option<toml::Value>)>);

impl SettingsChange {
    /// Reads the body of a change: some of the keys of the settings, null for the default.
    ///
    /// # Errors
    /// 422 for a key that is not one of them or a value of a wrong type.
    pub fn read(body: &Value) -> Result<Self> {
        let (mut changes, mut errors) = (Vec::new(), FieldErrors::new());
        for (name, value) in leaves(body) {
            let Some(key) = changeable().find(|key| public(key) == name) else {
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

    /// A sentence for each value of this change that is not valid.
    pub fn mistakes(&self, base: &Config) -> FieldErrors {
        let mut errors = FieldErrors::new();
        for (key, value) in self.0.iter().filter_map(|(key, value)| Some((key, value.clone()?))) {
            let alone = StoredSettings::from([(key.clone(), value)]);
            if let Err(cause) = base.with_stored(&alone) {
                errors.add(public(key), expected(key).map_or_else(|| sentence(&cause), str::to_owned));
            }
        }
        errors
    }

    /// The settings in force after this change.
    pub fn applied(&self, base: &Config, stored: &StoredSettings) -> Result<Config> {
        self.mistakes(base).into_result()?;
        let mut next = stored.clone();
        for (key, value) in &self.0 {
            match value {
                Some(value) => drop(next.insert(key.clone(), value.clone())),
                None => drop(next.remove(key)),
            }
        }
        base.with_stored(&next).map_err(|cause| Error::internal(format!("{cause:#}")))
    }

    /// The first setting of this change that a higher source fixes, in the API's spelling.
    pub fn first_fixed(&self, config: &Config) -> Option<String> {
        self.0.iter().find(|(key, _)| config.fixed.contains(key)).map(|(key, _)| public(key))
    }

    /// Whether backups, with every library in them, go to another place afterwards.
    pub fn moves_backups(&self) -> bool {
        self.0.iter().any(|(key, _)| key == "backup.to")
    }

    /// The folder for backups that this change names.
    pub fn backup_folder(&self) -> Option<PathBuf> {
        let (_, value) = self.0.iter().find(|(key, _)| key == "backup.to")?;
        value.as_ref()?.as_str().map(PathBuf::from)
    }
}

/// What a value must be, for the settings whose reasons are words of a parser.
pub fn expected(key: &str) -> Option<&'static str> {
    match key {
        "instance" => Some("A server is public or private."),
        "signup" => Some("Signing up is open, invite or closed."),
        "default_plan" => Some("The default plan is reader, shelfwise_plus or shelfwise_team."),
        "limits.books" | "limits.list_items" | "limits.text_mb" => {
            Some("A quota is a whole number up to 4,294,967,295; 0 is unlimited.")
        }
        "backup.keep" => Some("The number of backups to keep is a whole number from 1 to 4,294,967,295."),
        "lookup.sources" => Some("The catalogues are a list of openlibrary, dnb, bnf, loc, ndl, hardcover and google."),
        "lookup.contact" => Some("The contact is an e-mail or web address of at most 200 characters."),
        "lookup.covers" => Some("Whether results have covers is true or false."),
        "lookup.cover_quota" => Some("The quota of covers is a whole number of MiB up to 100,000; 0 is unlimited."),
        _ => None,
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
pub fn public(key: &str) -> String {
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
    fn some_keys_are_changed_and_null_restores_the_default() {
        let config = Config::default();
        let body = json!({"instance": "private", "name": null, "limits": {"listItems": 5}});
        let change = SettingsChange::read(&body).unwrap();
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
        let unknown = SettingsChange::read(&json!({"listen": "x", "limits": {"calls": 1}})).unwrap_err();
        assert!(format!("{unknown:?}").contains("limits.calls"), "{unknown:?}");
        let change = SettingsChange::read(&json!({"backup": {"keep": 0}, "signup": "maybe"})).unwrap();
        let refused = format!("{:?}", change.applied(&config, &StoredSettings::new()).unwrap_err());
        assert!(refused.contains("backup.keep") && refused.contains("signup"), "{refused}");
        let values = json!({"limits": {"books": -1, "textMb": "x"}, "signup": 1, "instance": "mine", "defaultPlan": "gold",
            "backup": {"keep": 0.5, "every": "5x"}, "name": ""});
        let change = SettingsChange::read(&values).unwrap();
        let refused = format!("{:?}", change.applied(&config, &StoredSettings::new()).unwrap_err());
        for word in ["u32", "u8", "ariant", "nvalid", "efault_plan", "expected"] {
            assert!(!refused.replace("Invalid(", "").contains(word), "{word} is a word of the parser: {refused}");
        }
        config.fixed.insert("signup".to_owned());
        assert_eq!(change.first_fixed(&config).as_deref(), Some("signup"));
    }
}
