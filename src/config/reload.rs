//! Which settings can change while the server runs.
use std::collections::BTreeMap;

use super::Config;

/// The result of reloading the settings.
#[derive(Debug)]
pub struct Reloaded {
    /// The settings now in force.
    pub config: Config,
    /// The top-level keys and sections that have changed and are in force.
    pub changed: Vec<String>,
    /// The top-level keys and sections with changes that need a restart.
    pub after_restart: Vec<String>,
}

impl Config {
    /// Applies the settings that can change while the server runs: those that an operator can store
    /// ([`CHANGEABLE`](super::stored::CHANGEABLE)), the log level, the GeoIP file, mail, payments, the secrets of sign-in providers,
    /// legal texts and shown prices. Switching mail or payments on or off needs a restart.
    pub fn reloaded(&self, read: &Self) -> Reloaded {
        let mut config = self.clone();
        config.log_level.clone_from(&read.log_level);
        config.geoip_database.clone_from(&read.geoip_database);
        config.backup.clone_from(&read.backup);
        config.instance = read.instance;
        config.name.clone_from(&read.name);
        config.signup = read.signup;
        config.default_plan.clone_from(&read.default_plan);
        config.limits.books = read.limits.books;
        config.limits.list_items = read.limits.list_items;
        config.limits.text_mb = read.limits.text_mb;
        config.lookup.sources.clone_from(&read.lookup.sources);
        config.lookup.contact.clone_from(&read.lookup.contact);
        config.lookup.covers = read.lookup.covers;
        config.lookup.cover_quota = read.lookup.cover_quota;
        config.fixed.clone_from(&read.fixed);
        config.legal.clone_from(&read.legal);
        config.shown_prices.clone_from(&read.shown_prices);
        if self.mail.is_on() == read.mail.is_on() {
            config.mail.clone_from(&read.mail);
        }
        if self.stripe.is_on() == read.stripe.is_on() {
            config.stripe.clone_from(&read.stripe);
        }
        for (name, social) in &mut config.social {
            // A provider that is new, removed, enabled or disabled changes the buttons, which are made at the start.
            if let Some(read) = read.social.get(name).filter(|read| read.is_on(name) == social.is_on(name)) {
                social.client_secret.clone_from(&read.client_secret);
                social.client_secret_file.clone_from(&read.client_secret_file);
                social.private_key.clone_from(&read.private_key);
                social.private_key_file.clone_from(&read.private_key_file);
            }
        }
        let mut changed = differences(self, &config);
        for (section, same) in [
            ("backup", self.backup == config.backup),
            ("mail", self.mail == config.mail),
            ("stripe", self.stripe == config.stripe),
            ("social", self.social == config.social),
        ] {
            // Debug output does not show the secrets of these.
            if !same && !changed.iter().any(|known| known == section) {
                changed.push(section.to_owned());
            }
        }
        let after_restart = differences(&config, read);
        Reloaded { config, changed, after_restart }
    }
}

/// The top-level keys and sections in which two settings differ, except for the values of secrets.
fn differences(one: &Config, other: &Config) -> Vec<String> {
    let (one, other) = (described(one), described(other));
    one.into_iter().filter(|(key, value)| other.get(key) != Some(value)).map(|(key, _)| key).collect()
}

/// Each key with its debug output of one or more lines. In `{:#?}` only the keys of the outermost level are indented by four
/// spaces.
fn described(config: &Config) -> BTreeMap<String, String> {
    let (mut found, mut key) = (BTreeMap::<String, String>::new(), String::new());
    for line in format!("{config:#?}").lines() {
        let outermost = line.strip_prefix("    ").filter(|rest| !rest.starts_with(' '));
        if let Some((name, _)) = outermost.and_then(|rest| rest.split_once(": ")) {
            key = name.to_owned();
        }
        found.entry(key.clone()).or_default().push_str(line);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::Secret;
    use super::*;

    fn config(text: &str) -> Config {
        toml::from_str(text).unwrap()
    }

    const START: &str = "book_limit = 150\n[legal]\noperator = \"Ada\"\n[social.home]\nissuer = \"https://id.test\"\n\
        client_id = \"books\"\nclient_secret = \"old\"\n[stripe]\nsecret_key = \"sk_old\"\n";

    #[test]
    fn texts_and_secrets_are_taken_over_and_named_and_the_rest_waits_for_a_restart() {
        let start = config(START);
        let same = start.reloaded(&start);
        assert!(same.changed.is_empty() && same.after_restart.is_empty());
        let read = config(&START.replace("Ada", "Eva").replace("old", "new").replace("150", "200"));
        let reloaded = start.reloaded(&read);
        assert_eq!(reloaded.changed, ["legal", "stripe", "social"]);
        assert_eq!(reloaded.after_restart, ["book_limit"]);
        let now = reloaded.config;
        assert_eq!((now.book_limit, now.legal.operator.as_deref()), (150, Some("Eva")));
        assert_eq!(now.stripe.secret_key.as_ref().map(Secret::expose), Some("sk_new"));
        assert_eq!(now.social["home"].client_secret.as_ref().map(Secret::expose), Some("new"));
    }

    #[test]
    fn payments_and_providers_are_switched_by_a_restart_alone() {
        let start = config(START);
        let read = config("[legal]\noperator = \"Ada\"\n[social.other]\nissuer = \"https://other.test\"\n");
        let reloaded = start.reloaded(&read);
        assert!(reloaded.changed.is_empty(), "{:?}", reloaded.changed);
        assert_eq!(reloaded.after_restart, ["social", "stripe"]);
        assert!(reloaded.config.stripe.is_on() && reloaded.config.social.contains_key("home"));
    }
}
