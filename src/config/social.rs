//! `[social.<name>]`: sign-in providers.
use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use serde::Deserialize;

use super::SignupMode;
use super::secret::Secret;
use super::section::{NAME_LENGTH, is_plain_name, section, serialize_as_text};

/// Sections with these names have known addresses; any other must set its `issuer`.
pub const WELL_KNOWN: [&str; 5] = ["google", "github", "facebook", "apple", "microsoft"];
/// The sections of [`WELL_KNOWN`] whose providers report no groups.
const WITHOUT_GROUPS: [&str; 3] = ["github", "facebook", "apple"];
/// The claim that has a person's groups unless `groups_claim` names another.
const GROUPS_CLAIM: &str = "groups";
section! {
    /// Sign-in providers; docs/social-login.md says how to set up each. google, github, facebook, apple and microsoft are known by name;
    /// any other OpenID Connect provider has a section under any name. A button shows once the client's id and secret are set (for Apple:
    /// team_id, key_id and private_key). The callback address for the provider is <public_url>/api/auth/oauth/<name>/callback.
    Social {
        /// This server's client id at the provider.
        client_id: Option<String> = None, example "shelfwise";
        /// This server's client secret.
        client_secret: Option<Secret> = None, example "...";
        /// A file with the client secret, instead.
        client_secret_file: Option<PathBuf> = None, example "/etc/shelfwise/authelia.secret";
        /// The provider's address, which a section with a name of its own needs. With one, microsoft admits the people of one tenant, and
        /// github is your own server.
        issuer: Option<Issuer> = None, example "https://auth.example.org";
        /// The label of the button. Unless set, the section's name.
        name: Option<String> = None, example "Authelia";
        /// Apple: the team's ten characters.
        team_id: Option<String> = None, example "ABCDE12345";
        /// Apple: the key's ten characters.
        key_id: Option<String> = None, example "FGHIJ67890";
        /// Apple: the text of the .p8 file.
        private_key: Option<Secret> = None, example "...";
        /// Apple: the .p8 file, instead.
        private_key_file: Option<PathBuf> = None, example "/etc/shelfwise/AuthKey_FGHIJ67890.p8";
        /// Which new people get an account: true (all), invite or false. Unless set, as the server's signup says.
        signup: Option<ProviderSignup> = None, example true;
        /// Whether a verified address signs in to the account that has it, if that account's address is proven and it is not an
        /// operator's. Only for a provider whose addresses you control.
        match_email: bool = false;
        /// The groups of people who may sign in; everyone unless set.
        allowed_groups: Vec<String> = Vec::new(), example ["family"];
        /// The groups of people who operate this server. Each sign-in gives or takes the role; the last operator keeps it.
        operator_groups: Vec<String> = Vec::new(), example ["admins"];
        /// The claim with the groups: a name, or a path of names joined by dots (realm_access.roles).
        groups_claim: Option<String> = None, example "groups";
    }
}

/// Which people a provider makes accounts for: `true` or `"open"`, `"invite"`, and `false` or `"closed"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "SignupText")]
pub struct ProviderSignup(SignupMode);

impl ProviderSignup {
    /// Who gets an account.
    pub fn admits(self) -> SignupMode {
        self.0
    }
}

impl fmt::Display for ProviderSignup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl fmt::Display for Issuer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

serialize_as_text!(ProviderSignup, Issuer);

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
            SignupText::Switch(true) => Ok(Self(SignupMode::Open)),
            SignupText::Switch(false) => Ok(Self(SignupMode::Closed)),
            SignupText::Text(text) => match text.as_str() {
                "true" | "open" => Ok(Self(SignupMode::Open)),
                "invite" => Ok(Self(SignupMode::Invite)),
                "false" | "closed" => Ok(Self(SignupMode::Closed)),
                other => Err(format!("`{other}` must be true, false, open, invite or closed")),
            },
        }
    }
}

impl Social {
    /// Refuses a section with invalid values.
    pub(super) fn check(&self, section: &str) -> anyhow::Result<()> {
        if !is_plain_name(section) {
            bail!("social.{section} must be named by 1 to {NAME_LENGTH} alphanumeric characters, - and _");
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
    pub fn admits(&self, server: SignupMode) -> SignupMode {
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
            ("signup = true", Some(SignupMode::Open)),
            ("signup = \"open\"", Some(SignupMode::Open)),
            ("signup = \"true\"", Some(SignupMode::Open)),
            ("signup = \"invite\"", Some(SignupMode::Invite)),
            ("signup = false", Some(SignupMode::Closed)),
            ("signup = \"closed\"", Some(SignupMode::Closed)),
        ] {
            let social = read(text).unwrap();
            for server in [SignupMode::Open, SignupMode::Invite, SignupMode::Closed] {
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
