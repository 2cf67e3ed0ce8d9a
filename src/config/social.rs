//! `[social.<name>]`: sign-in providers.
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use serde::Deserialize;

use super::secret::Secret;
use super::{Kind, Signup};

/// The longest name of a section, in characters.
const LONGEST_NAME: usize = 40;
/// Sections with these names have known addresses; any other must set its `issuer`.
pub const WELL_KNOWN: [&str; 5] = ["google", "github", "facebook", "apple", "microsoft"];
/// The sections of [`WELL_KNOWN`] whose providers report no groups.
const WITHOUT_GROUPS: [&str; 3] = ["github", "facebook", "apple"];
/// The claim that has a person's groups unless `groups_claim` names another.
const GROUPS_CLAIM: &str = "groups";
/// The keys of a section, for environment variables.
pub(super) const KEYS: [(&str, Kind); 14] = [
    ("client_id", Kind::Text),
    ("client_secret", Kind::Text),
    ("client_secret_file", Kind::Text),
    ("issuer", Kind::Text),
    ("name", Kind::Text),
    ("team_id", Kind::Text),
    ("key_id", Kind::Text),
    ("private_key", Kind::Text),
    ("private_key_file", Kind::Text),
    ("signup", Kind::Text),
    ("match_email", Kind::Switch),
    ("allowed_groups", Kind::List),
    ("operator_groups", Kind::List),
    ("groups_claim", Kind::Text),
];

/// A sign-in provider. It is enabled when the client's id and secret are set (for Apple: `team_id`, `key_id`, `private_key`).
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Social {
    /// This server's client id at the provider.
    pub client_id: Option<String>,
    /// This server's client secret.
    pub client_secret: Option<Secret>,
    /// A file with the secret, instead of `client_secret`.
    pub client_secret_file: Option<PathBuf>,
    /// The provider's address. Required for sections with other names; `microsoft` accepts one tenant, `github` your own server.
    pub issuer: Option<Issuer>,
    /// The label of the button. Default: the section's name.
    pub name: Option<String>,
    /// Apple: the team's ten characters.
    pub team_id: Option<String>,
    /// Apple: the key's ten characters.
    pub key_id: Option<String>,
    /// Apple: the content of the `.p8` file.
    pub private_key: Option<Secret>,
    /// Apple: the `.p8` file, instead of `private_key`.
    pub private_key_file: Option<PathBuf>,
    /// Which new people who come through this provider get an account. Default: as the server's `signup` says.
    pub signup: Option<ProviderSignup>,
    /// Whether a person signs in to the account with the provider's verified address, if that account's address is proven and it is
    /// not an operator's. Default false: only for a provider whose addresses the operator controls.
    pub match_email: bool,
    /// The groups of people who may sign in. Default: none, and everybody may.
    pub allowed_groups: Vec<String>,
    /// The groups of people who are operators of this server. Each sign-in gives or takes the role. Default: none, and sign-ins leave
    /// the role as it is.
    pub operator_groups: Vec<String>,
    /// The claim with a person's groups: a name, or a path of names joined by dots. Default `groups`.
    pub groups_claim: Option<String>,
}

/// Which people a provider makes accounts for: `true` or `"open"`, `"invite"`, and `false` or `"closed"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "SignupText")]
pub struct ProviderSignup(Signup);

impl ProviderSignup {
    /// Who gets an account.
    pub fn admits(self) -> Signup {
        self.0
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum SignupText {
    Switch(bool),
    Text(String),
}

impl TryFrom<SignupText> for ProviderSignup {
    type Error = String;

    fn try_from(text: SignupText) -> Result<Self, String> {
        match text {
            SignupText::Switch(true) => Ok(Self(Signup::Open)),
            SignupText::Switch(false) => Ok(Self(Signup::Closed)),
            SignupText::Text(text) => match text.as_str() {
                "true" | "open" => Ok(Self(Signup::Open)),
                "invite" => Ok(Self(Signup::Invite)),
                "false" | "closed" => Ok(Self(Signup::Closed)),
                other => Err(format!("`{other}` must be true, false, open, invite or closed")),
            },
        }
    }
}

impl Social {
    /// Reads secrets from their files, and treats empty values as unset, as environment templates leave them.
    pub(super) fn read_secrets(&mut self, section: &str) -> anyhow::Result<()> {
        for text in [&mut self.client_id, &mut self.name, &mut self.team_id, &mut self.key_id, &mut self.groups_claim] {
            *text = text.take().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        }
        read_secret(section, "client_secret", &mut self.client_secret, self.client_secret_file.as_deref())?;
        read_secret(section, "private_key", &mut self.private_key, self.private_key_file.as_deref())
    }

    /// Refuses a section with invalid values.
    pub(super) fn check(&self, section: &str) -> anyhow::Result<()> {
        let plain = section.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        if !plain || section.is_empty() || section.len() > LONGEST_NAME {
            bail!("social.{section} must be named by 1 to {LONGEST_NAME} alphanumeric characters, - and _");
        }
        if self.issuer.is_none() && !WELL_KNOWN.contains(&section) {
            bail!("social.{section} must set its issuer: only {} are known by name", WELL_KNOWN.join(", "));
        }
        for (key, groups) in [("allowed_groups", &self.allowed_groups), ("operator_groups", &self.operator_groups)] {
            if groups.iter().any(|group| group.trim().is_empty()) {
                bail!("social.{section}.{key} has a group without a name");
            }
            if !groups.is_empty() && WITHOUT_GROUPS.contains(&section) {
                bail!("social.{section}.{key} can't be used: this provider reports no groups");
            }
        }
        if let Some(key) = &self.private_key {
            p256(key).with_context(|| format!("social.{section}.private_key"))?;
        }
        Ok(())
    }

    /// Which new people who come through this provider get an account, on a server with this `signup`.
    pub fn admits(&self, server: Signup) -> Signup {
        self.signup.map_or(server, ProviderSignup::admits)
    }

    /// The claim with a person's groups.
    pub fn groups_claim(&self) -> &str {
        self.groups_claim.as_deref().unwrap_or(GROUPS_CLAIM)
    }

    /// Whether the provider is enabled and has a button.
    pub fn is_on(&self, section: &str) -> bool {
        let proof = match section {
            "apple" => self.team_id.is_some() && self.key_id.is_some() && self.private_key.is_some(),
            _ => self.client_secret.is_some(),
        };
        proof && self.client_id.is_some()
    }
}

/// Reads a secret from its file; an empty secret counts as unset.
fn read_secret(section: &str, key: &str, value: &mut Option<Secret>, file: Option<&Path>) -> anyhow::Result<()> {
    *value = value.take().filter(|secret| !secret.expose().trim().is_empty());
    Secret::fill(value, &format!("social.{section}.{key}"), file.filter(|file| !file.as_os_str().is_empty()))
}

/// The key in a `.p8` file: PKCS#8 with the curve P-256, between two lines of dashes.
pub fn p256(text: &Secret) -> anyhow::Result<EcdsaKeyPair> {
    let base64: String = text.expose().lines().filter(|line| !line.starts_with("-----")).map(str::trim).collect();
    let der = STANDARD.decode(base64).context("is not the text of a .p8 file")?;
    EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &der, &SystemRandom::new())
        .map_err(|cause| anyhow::anyhow!("is not a key of the curve P-256 ({cause})"))
}

/// The address of a provider: https, or http on this machine only.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Issuer(String);

impl Issuer {
    /// The address as the operator wrote it, including a trailing slash, which matters to providers.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Issuer {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let whole = !text.contains(['?', '#', '@']) && !text.chars().any(|c| c.is_whitespace() || c.is_control());
        if whole && is_reachable(&text) {
            Ok(Self(text))
        } else {
            Err(format!("`{text}` must be the https:// address of a provider (http:// on this machine only)"))
        }
    }
}

/// Whether an address may be called: https anywhere, http on this machine only.
pub fn is_reachable(address: &str) -> bool {
    address.parse::<http::Uri>().is_ok_and(|uri| match (uri.scheme_str(), uri.host()) {
        (Some("https"), Some(host)) => !host.is_empty(),
        (Some("http"), Some(host)) => is_loopback(host),
        _ => false,
    })
}

/// Whether an address is on this machine and not encrypted.
pub fn is_plain(address: &str) -> bool {
    address.starts_with("http://")
}

fn is_loopback(host: &str) -> bool {
    let ip = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    host == "localhost" || ip.is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issuer(text: &str) -> Result<Issuer, String> {
        Issuer::try_from(text.to_owned())
    }

    #[test]
    fn an_issuer_is_reached_by_https_and_by_http_on_this_machine_alone() {
        for good in [
            "https://auth.example.org",
            "https://auth.example.org/application/o/shelfwise/",
            "http://127.0.0.1:9000",
            "http://[::1]:9000/realms/books",
            "http://localhost:9000",
        ] {
            assert_eq!(issuer(good).unwrap().as_str(), good);
        }
        for bad in [
            "http://auth.example.org",
            "http://127.0.0.1.example.org",
            "http://localhost.example.org",
            "http://10.0.0.1",
            "https://nobody@auth.example.org",
            "https://auth.example.org/?x=1",
            "https://auth.example.org/#x",
            "ftp://auth.example.org",
            "auth.example.org",
            "https://",
            "",
        ] {
            assert!(issuer(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_section_without_all_its_secrets_is_off() {
        let some = |text: &str| Some(text.to_owned());
        let secret = Some(Secret::from("s".to_owned()));
        let mut google = Social { client_id: some("id"), ..Social::default() };
        assert!(!google.is_on("google"));
        google.client_secret = Some(Secret::from(" ".to_owned()));
        google.read_secrets("google").unwrap();
        assert!(!google.is_on("google"), "an empty secret is none");
        google.client_secret = secret.clone();
        assert!(google.is_on("google") && !google.is_on("apple"));
        let apple =
            Social { client_id: some("id"), team_id: some("t"), key_id: some("k"), private_key: secret, ..google };
        assert!(apple.is_on("apple"));
    }

    #[test]
    fn a_provider_follows_the_servers_signup_unless_it_has_its_own() {
        let read = |text: &str| toml::from_str::<Social>(text);
        for (text, own) in [
            ("", None),
            ("signup = true", Some(Signup::Open)),
            ("signup = \"open\"", Some(Signup::Open)),
            ("signup = \"true\"", Some(Signup::Open)),
            ("signup = \"invite\"", Some(Signup::Invite)),
            ("signup = false", Some(Signup::Closed)),
            ("signup = \"closed\"", Some(Signup::Closed)),
        ] {
            let social = read(text).unwrap();
            for server in [Signup::Open, Signup::Invite, Signup::Closed] {
                assert_eq!(social.admits(server), own.unwrap_or(server), "{text}");
            }
        }
        let wrong = read("signup = \"perhaps\"").unwrap_err().to_string();
        assert!(wrong.contains("perhaps"), "{wrong}");
    }

    #[test]
    fn groups_need_names_and_a_provider_that_reports_them() {
        let groups = |section: &str, groups: &[&str]| {
            let groups = groups.iter().map(|group| (*group).to_owned()).collect();
            let issuer = issuer("https://auth.example.org").ok();
            Social { issuer, allowed_groups: groups, ..Social::default() }.check(section)
        };
        groups("home", &["family", "friends of friends"]).unwrap();
        groups("microsoft", &["11111111-1111-1111-1111-111111111111"]).unwrap();
        for (section, wrong) in [("home", " "), ("github", "family"), ("facebook", "family"), ("apple", "family")] {
            let error = groups(section, &[wrong]).unwrap_err().to_string();
            assert!(error.contains(&format!("social.{section}.allowed_groups")), "{error}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        let own = Social { issuer: issuer("https://auth.example.org").ok(), ..Social::default() };
        own.check("authelia").unwrap();
        assert!(own.check("a b").is_err() && own.check(&"a".repeat(41)).is_err());
        let nowhere = Social::default().check("authelia").unwrap_err().to_string();
        assert!(nowhere.contains("social.authelia"), "{nowhere}");
        let key =
            Social { private_key: Some(Secret::from("-----BEGIN\nabcd\n-----END".to_owned())), ..Social::default() };
        let wrong = format!("{:#}", key.check("apple").unwrap_err());
        assert!(wrong.contains("social.apple.private_key") && !wrong.contains("abcd"), "{wrong}");
    }
}
