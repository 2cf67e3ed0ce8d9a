//! The code of the first run, and the form that it opens.
use data_encoding::BASE32_NOPAD;
use serde::Deserialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::access::Role;
use crate::account::model::NewAccount;
use crate::config::{Config, Instance, PublicUrl, SignupMode};
use crate::kit::http::session::TokenHash;
use crate::kit::{self, FieldErrors, random};
use crate::settings::change::{SettingsChange, public};

/// A code of 160 random bits that makes the first operator.
pub struct SetupCode([u8; 20]);

impl SetupCode {
    /// A new random code.
    pub fn new() -> kit::Result<Self> {
        random::bytes().map(Self)
    }

    /// The code as text: 32 lower-case characters of base32, which a person can type.
    pub fn text(&self) -> String {
        BASE32_NOPAD.encode(&self.0).to_ascii_lowercase()
    }

    /// The code of a text in any case, if it is one. Blanks and hyphens are ignored.
    pub fn parse(text: &str) -> Option<Self> {
        let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
        BASE32_NOPAD.decode(plain.to_ascii_uppercase().as_bytes()).ok()?.try_into().ok().map(Self)
    }

    /// What the database keeps.
    pub fn hash(&self) -> TokenHash {
        Sha256::digest(self.0).into()
    }

    /// The line that the program prints: the address of the page that sets up the server.
    pub fn line(&self, config: &Config) -> String {
        let line = format!("Set up this server: {}/setup/{}", config.local_url(), self.text());
        match config.network_url() {
            Some(url) => format!("{line} (on another machine: {url}/setup/{})", self.text()),
            None => line,
        }
    }
}

/// How somebody becomes the first operator of a server that accepts no passwords, in sentences for the person who runs it.
pub fn without_passwords(config: &Config) -> String {
    let is_open = |signup: SignupMode| signup == SignupMode::Open;
    let mut open =
        config.social.iter().filter(|(section, social)| social.is_on(section) && is_open(social.admits(config.signup)));
    let by_group = open.clone().find(|(_, social)| !social.operator_groups.is_empty());
    let by_header = config.trusted_header.is_on() && is_open(config.trusted_header.admits(config.signup));
    let sign_in = format!("Sign in at {}", config.local_url());
    let promote = "run `shelfwise user promote EMAIL` on this machine.";
    match by_group {
        Some((section, _)) => {
            format!("{sign_in} as a member of one of social.{section}.operator_groups, or sign in and then {promote}")
        }
        None if by_header || open.next().is_some() => format!("{sign_in}, and then {promote}"),
        // Nobody new gets an account.
        None => format!("Set `signup = true` for a sign-in provider, restart, sign in, and then {promote}"),
    }
}

/// The first operator and the answers about the server. Values of settings are validated like those of the Admin page.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct SetupRequest {
    /// The operator's name in the interface, 1 to 100 characters.
    #[schema(required, min_length = 1, max_length = 100)]
    pub display_name: String,
    /// The address to sign in with, at most 254 characters.
    #[schema(required, min_length = 3, max_length = 254)]
    pub email: String,
    /// 8 to 256 characters.
    #[schema(required, min_length = 8, max_length = 256)]
    pub password: String,
    /// The browser's time zone, an IANA name; UTC when absent or unknown.
    pub timezone: Option<String>,
    /// Whether every reader has every feature (`private`), or the server has plans and prices.
    #[schema(required, value_type = Instance)]
    pub instance: Value,
    /// The server's name, 1 to 60 characters; absent or empty for Shelfwise.
    #[schema(value_type = Option<String>, max_length = 60)]
    pub name: Value,
    /// The address that people use, with the path that the server is below; absent for the one of the settings.
    #[schema(value_type = Option<String>)]
    pub public_url: Value,
    /// Who may sign up; absent for the value of the settings.
    #[schema(value_type = Option<SignupMode>)]
    pub signup: Value,
    /// The folder for backups, beginning with a slash; absent or empty for none.
    #[schema(value_type = Option<String>)]
    pub backup_to: Value,
}

/// The keys of the settings that the form sets, with their fields.
const FIELDS: [(&str, &str); 5] = [
    ("instance", "instance"),
    ("name", "name"),
    ("public_url", "publicUrl"),
    ("signup", "signup"),
    ("backup.to", "backupTo"),
];

/// The form's field of a setting.
pub fn field(key: &str) -> &'static str {
    FIELDS.into_iter().find(|(known, _)| *known == key).map_or("instance", |(_, field)| field)
}

impl SetupRequest {
    /// Validates every field against the settings below the stored ones. Returns the first operator, and the settings to store:
    /// those that have an answer and whose value differs from a fixed one.
    pub fn checked(self, base: &Config, host: &str) -> Result<(NewAccount, SettingsChange), FieldErrors> {
        let values = [&self.instance, &self.name, &self.public_url, &self.signup, &self.backup_to];
        let changes =
            FIELDS.into_iter().zip(values).filter_map(|((key, _), value)| Some((key.to_owned(), Some(answer(value)?))));
        let change = SettingsChange(changes.filter(|(key, value)| !is_fixed_so(base, key, value.as_ref())).collect());
        let host = match answer(&self.public_url).and_then(|url| PublicUrl::try_from(url.as_str()?.to_owned()).ok()) {
            Some(url) => url.host().to_owned(),
            None => host.to_owned(),
        };
        let zone = self.timezone.as_deref();
        let account = NewAccount::checked(&self.email, &self.display_name, self.password, zone, Role::Admin, &host);
        let mut errors = account.as_ref().err().cloned().unwrap_or_default();
        if answer(&self.instance).is_none() {
            errors.add("instance", "Please choose whether the server is private or public.");
        }
        let unfixed = Config { fixed: Default::default(), ..base.clone() };
        for (name, sentence) in change.mistakes(&unfixed).iter() {
            let key = FIELDS.into_iter().find(|(key, _)| public(key) == name);
            errors.add(key.map_or(name, |(_, field)| field), sentence);
        }
        match account {
            Ok(account) if errors.is_empty() => Ok((account, change)),
            _ => Err(errors),
        }
    }
}

/// The value of a field as a setting; `None` for a field without an answer.
fn answer(value: &Value) -> Option<toml::Value> {
    let value = match value {
        Value::String(text) => json!(text.trim()),
        value => value.clone(),
    };
    if value.is_null() || value == json!("") { None } else { toml::Value::try_from(value).ok() }
}

/// Whether a higher source fixes a setting to this value.
fn is_fixed_so(base: &Config, key: &str, value: Option<&toml::Value>) -> bool {
    base.fixed.contains(key) && base.value(key).as_ref() == value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(body: Value) -> SetupRequest {
        let mut whole = json!({
            "displayName": "Nora", "email": "nora@example.org", "password": "a long enough passphrase", "instance": "private",
        });
        whole.as_object_mut().unwrap().extend(body.as_object().unwrap().clone());
        serde_json::from_value(whole).unwrap()
    }

    #[test]
    fn a_code_is_read_back_however_it_was_typed() {
        let code = SetupCode::new().unwrap();
        let text = code.text();
        assert_eq!(text.len(), 32);
        let typed = format!(" {}-{} ", text[..16].to_uppercase(), &text[16..]);
        assert_eq!(SetupCode::parse(&typed).unwrap().hash(), code.hash());
        for other in ["", "abc", &text[1..], &format!("{text}aa"), "0".repeat(32).as_str()] {
            assert!(SetupCode::parse(other).is_none(), "{other}");
        }
    }

    #[test]
    fn every_wrong_field_has_its_sentence_and_an_empty_one_is_no_answer() {
        let base = Config::default();
        let wrong = form(json!({
            "email": "", "password": "short", "instance": "shared", "name": "x".repeat(61), "publicUrl": "books.test/x",
            "signup": 7, "backupTo": "",
        }));
        let errors = wrong.checked(&base, "").unwrap_err();
        let fields: Vec<_> = errors.iter().map(|(field, _)| field).collect();
        assert_eq!(fields, ["email", "password", "instance", "name", "publicUrl", "signup"]);
        let missing = form(json!({"instance": null})).checked(&base, "").unwrap_err();
        assert!(missing.get("instance").is_some());
        let (account, change) = form(json!({"name": " ", "signup": "invite"})).checked(&base, "").unwrap();
        assert_eq!((account.role, account.email.as_str()), (Role::Admin, "nora@example.org"));
        let keys: Vec<_> = change.0.iter().map(|(key, _)| key.as_str()).collect();
        assert_eq!(keys, ["instance", "signup"]);
    }

    #[test]
    fn an_answer_that_a_higher_source_gives_too_is_not_stored() {
        let mut base = Config { instance: Instance::Private, ..Config::default() };
        base.fixed.extend(["instance".to_owned(), "signup".to_owned()]);
        let (_, change) = form(json!({"signup": "invite"})).checked(&base, "").unwrap();
        assert_eq!(change.first_fixed(&base).as_deref(), Some("signup"));
        assert_eq!(change.0.len(), 1);
    }
}
