//! The settings that an operator can change while the server runs. They are stored in the database; they rank above the defaults
//! and below the config file, the environment and flags.
use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, bail};

use super::Config;

/// The keys that can be stored, spelled as in the config file.
pub const CHANGEABLE: [&str; 14] = [
    "instance",
    "name",
    "signup",
    "default_plan",
    "limits.books",
    "limits.list_items",
    "limits.text_mb",
    "backup.to",
    "backup.keep",
    "backup.every",
    "lookup.sources",
    "lookup.contact",
    "lookup.covers",
    "lookup.cover_quota",
];

/// Every key that can be stored: those of [`CHANGEABLE`], and the public address. The first run stores the address, and
/// `shelfwise settings` changes it; the Admin page does not show it.
pub const STORABLE: [&str; 15] = [
    "instance",
    "name",
    "public_url",
    "signup",
    "default_plan",
    "limits.books",
    "limits.list_items",
    "limits.text_mb",
    "backup.to",
    "backup.keep",
    "backup.every",
    "lookup.sources",
    "lookup.contact",
    "lookup.covers",
    "lookup.cover_quota",
];

/// Stored values, by key.
pub type StoredSettings = BTreeMap<String, toml::Value>;

/// Parses a value from text, as on the command line.
///
/// # Errors
/// A sentence when the key takes a number or a switch and the text is not one.
pub fn parse(key: &str, text: &str) -> anyhow::Result<toml::Value> {
    let text = text.trim();
    let kind = super::KEYS.iter().find(|(known, _)| *known == key).map(|(_, kind)| kind);
    Ok(match kind {
        Some(super::Kind::Number) => {
            text.parse::<i64>().ok().with_context(|| format!("{key} must be a whole number"))?.into()
        }
        Some(super::Kind::Switch) => {
            text.parse::<bool>().ok().with_context(|| format!("{key} must be true or false"))?.into()
        }
        Some(super::Kind::List) => {
            let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
            words.map(toml::Value::from).collect::<Vec<_>>().into()
        }
        Some(super::Kind::Text) | None => text.into(),
    })
}

impl Config {
    /// These settings with stored values instead of defaults. Fixed keys and unknown keys (of another version of the program) are
    /// ignored.
    ///
    /// # Errors
    /// A sentence that names the key and what is wrong with its value.
    pub fn with_stored(&self, stored: &StoredSettings, fixed: &BTreeSet<String>) -> anyhow::Result<Self> {
        let mut config = self.clone();
        for (key, value) in stored.iter().filter(|(key, _)| !fixed.contains(*key)) {
            config.set(key, value.clone()).with_context(|| format!("{key} can't be {value}"))?;
        }
        config.drop_empty();
        config.check()?;
        Ok(config)
    }

    /// These settings with the stored public address, for a start: cookies and sign-in providers depend on it, and keep the address
    /// of the start.
    ///
    /// # Errors
    /// A sentence about a stored address that is not valid.
    pub fn with_stored_address(&self, stored: &StoredSettings) -> anyhow::Result<Self> {
        let key = "public_url";
        let address = stored.get(key).map(|value| (key.to_owned(), value.clone()));
        self.with_stored(&address.into_iter().collect(), &self.fixed)
    }

    fn set(&mut self, key: &str, value: toml::Value) -> anyhow::Result<()> {
        match key {
            "instance" => self.instance = value.try_into()?,
            "name" => self.name = Some(value.try_into()?),
            "public_url" => self.public_url = Some(value.try_into()?),
            "signup" => self.signup = value.try_into()?,
            "default_plan" => self.default_plan = value.try_into()?,
            "limits.books" => self.limits.books = value.try_into()?,
            "limits.list_items" => self.limits.list_items = value.try_into()?,
            "limits.text_mb" => self.limits.text_mb = value.try_into()?,
            "backup.to" => self.backup.to = Some(value.try_into()?),
            "backup.keep" => self.backup.keep = value.try_into()?,
            "backup.every" => self.backup.every = value.try_into()?,
            "lookup.sources" => self.lookup.sources = value.try_into()?,
            "lookup.contact" => self.lookup.contact = Some(value.try_into()?),
            "lookup.covers" => self.lookup.covers = value.try_into()?,
            "lookup.cover_quota" => self.lookup.cover_quota = value.try_into()?,
            _ => {}
        }
        Ok(())
    }

    /// The current value of a key of [`STORABLE`]; `None` if it is not set.
    ///
    /// # Errors
    /// A sentence if the key is not in [`STORABLE`].
    pub fn changeable(&self, key: &str) -> anyhow::Result<Option<toml::Value>> {
        let number = |number: u32| Some(toml::Value::from(i64::from(number)));
        Ok(match key {
            "instance" => Some(self.instance.name().into()),
            "name" => self.name.clone().map(Into::into),
            "public_url" => self.own_origin().map(Into::into),
            "signup" => Some(self.signup.name().into()),
            "default_plan" => Some(self.default_plan.clone().into()),
            "limits.books" => number(self.limits.books),
            "limits.list_items" => number(self.limits.list_items),
            "limits.text_mb" => number(self.limits.text_mb),
            "backup.to" => self.backup.to.as_ref().map(|folder| folder.to_string_lossy().into_owned().into()),
            "backup.keep" => number(self.backup.keep),
            "backup.every" => Some(self.backup.every.to_string().into()),
            "lookup.sources" => Some(self.lookup.sources.clone().into()),
            "lookup.contact" => self.lookup.contact.clone().map(Into::into),
            "lookup.covers" => Some(self.lookup.covers.into()),
            "lookup.cover_quota" => number(self.lookup.cover_quota),
            _ => bail!("`{key}` is not a setting that can change while the server runs"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(pairs: &[(&str, toml::Value)]) -> StoredSettings {
        pairs.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
    }

    #[test]
    fn stored_values_count_where_nothing_above_them_is_set() {
        let base = Config { book_limit: 7, ..Config::default() };
        let values = stored(&[
            ("instance", "private".into()),
            ("signup", "closed".into()),
            ("backup.to", "/backups".into()),
            ("limits.books", 5.into()),
            ("of_a_newer_version", true.into()),
        ]);
        let fixed = BTreeSet::from(["signup".to_owned()]);
        let config = base.with_stored(&values, &fixed).unwrap();
        assert!(config.is_private());
        assert_eq!((config.signup.name(), config.limits.books, config.book_limit), ("open", 5, 7));
        assert_eq!(config.changeable("backup.to").unwrap(), Some("/backups".into()));
    }

    #[test]
    fn a_stored_contact_that_is_empty_counts_as_unset() {
        let base = Config::default();
        let config = base.with_stored(&stored(&[("lookup.contact", "".into())]), &base.fixed).unwrap();
        assert_eq!(config.lookup.contact, None);
    }

    #[test]
    fn every_changeable_key_can_be_stored() {
        assert!(CHANGEABLE.iter().all(|key| STORABLE.contains(key)));
        assert_eq!(STORABLE.len(), CHANGEABLE.len() + 1);
    }

    #[test]
    fn every_key_can_be_stored_as_it_is_shown() {
        let base = Config { name: Some("Shelf".into()), ..Config::default() };
        let base = Config { backup: super::super::Backup { to: Some("/b".into()), ..base.backup.clone() }, ..base };
        let contact = Some("ada@example.org".to_owned());
        let base = Config { lookup: super::super::Lookup { contact, ..base.lookup.clone() }, ..base };
        let base = Config { public_url: Some("http://nas.local".to_owned().try_into().unwrap()), ..base };
        let shown: StoredSettings = STORABLE
            .into_iter()
            .map(|key| (key.to_owned(), base.changeable(key).unwrap().unwrap_or_else(|| panic!("{key}"))))
            .collect();
        let again = Config::default().with_stored(&shown, &BTreeSet::new()).unwrap();
        assert_eq!(format!("{again:?}"), format!("{base:?}"));
    }

    #[test]
    fn a_value_that_cannot_be_is_refused_by_name() {
        for (key, value) in [
            ("signup", toml::Value::from("maybe")),
            ("default_plan", "gold".into()),
            ("backup.keep", 0.into()),
            ("limits.books", (-1).into()),
            ("name", "x".repeat(61).into()),
            ("public_url", "books.test/shelf".into()),
        ] {
            let error = Config::default().with_stored(&stored(&[(key, value)]), &BTreeSet::new()).unwrap_err();
            assert!(format!("{error:#}").contains(key), "{error:#}");
        }
    }
}
