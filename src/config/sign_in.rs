//! How people sign in: checks across the settings of passwords, providers and the trusted header.
use anyhow::bail;

use super::listen::Listen;
use super::social::Social;
use super::{Config, SignupMode, TRUSTED_HEADER, TrustedHeader};

impl Config {
    /// Checks that people can sign in, and that only the configured proxies can name them.
    pub fn check_sign_in(&self) -> anyhow::Result<()> {
        self.check_header_at(&self.listen)?;
        if !self.trusted_header.is_on() && self.trusted_header != TrustedHeader::default() {
            bail!("trusted_header.user is not set, but other keys of [trusted_header] are: it identifies a person");
        }
        let by_provider = self.social.iter().any(|(section, social)| social.is_on(section));
        if !self.password_login && !by_provider && !self.trusted_header.is_on() {
            bail!("password_login is false, but no sign-in provider has its client id and secret: no one could log in");
        }
        if let Some(section) = self.login_redirect()
            && !self.social.get(section).is_some_and(|social| social.is_on(section))
        {
            bail!("login_redirect is `{section}`, but [social.{section}] is not set with its client id and secret");
        }
        Ok(())
    }

    /// Checks that the trusted header can count from a proxy at the address where the server listens.
    pub fn check_header_at(&self, listen: &Listen) -> anyhow::Result<()> {
        if !self.trusted_header.is_on() {
            return Ok(());
        }
        if self.trusted_proxies.is_empty() {
            bail!(
                "trusted_header.user is set, but trusted_proxies is empty: the header counts from those proxies alone, for example \
                 \"10.0.0.2\", or \"unix\" for the proxy behind the server's Unix socket"
            );
        }
        if listen.is_unix() && !self.trusts_socket() {
            bail!(
                "trusted_header.user is set, and the server listens on a Unix socket, but trusted_proxies does not have \"unix\": \
                 the header would count from no one"
            );
        }
        Ok(())
    }

    /// The section of the sign-in provider that the log-in page goes to at once.
    pub fn login_redirect(&self) -> Option<&str> {
        self.login_redirect.as_deref().map(str::trim).filter(|section| !section.is_empty())
    }

    /// The sections of the providers through which a new person gets an account, while the server's own setting is `signup`.
    pub fn signup_providers(&self, signup: SignupMode) -> Vec<String> {
        let open =
            |(section, social): &(&String, &Social)| social.is_on(section) && social.admits(signup) == SignupMode::Open;
        self.social.iter().filter(open).map(|(section, _)| section.clone()).collect()
    }

    /// Whether anyone can make an account, with a password or through a provider. `useOffersSignUp` in the interface has the same rule.
    pub fn offers_sign_up(&self, signup: SignupMode) -> bool {
        (self.password_login && signup == SignupMode::Open) || !self.signup_providers(signup).is_empty()
    }

    /// The names by which the database knows the ways to sign in without a password: the sections of enabled providers, and the trusted
    /// header.
    pub fn ways_in(&self) -> Vec<String> {
        let sections = self.social.iter().filter(|(section, social)| social.is_on(section));
        let header = self.trusted_header.is_on().then(|| TRUSTED_HEADER.to_owned());
        sections.map(|(section, _)| section.clone()).chain(header).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trusted_header_needs_a_proxy_to_trust_and_the_name_of_a_person() {
        let serving = |text: &str| toml::from_str::<Config>(text).unwrap().check_serving();
        let header = "[trusted_header]\nuser = \"Remote-User\"\n";
        serving(&format!("password_login = false\ntrusted_proxies = [\"127.0.0.1\"]\n{header}")).unwrap();
        let alone = serving(header).unwrap_err().to_string();
        assert!(alone.contains("trusted_proxies"), "{alone}");
        let socket = format!("listen = \"unix:/run/shelfwise.sock\"\ntrusted_proxies = [\"127.0.0.1\"]\n{header}");
        let unnamed = serving(&socket).unwrap_err().to_string();
        assert!(unnamed.contains("trusted_proxies does not have \"unix\""), "{unnamed}");
        serving(&socket.replace("127.0.0.1", "unix")).unwrap();
        let nameless = serving("trusted_proxies = [\"127.0.0.1\"]\n[trusted_header]\nemail = \"Remote-Email\"\n");
        assert!(nameless.unwrap_err().to_string().contains("trusted_header.user"));
    }

    #[test]
    fn without_passwords_and_at_once_people_need_a_provider_to_sign_in_with() {
        let serving = |text: &str| toml::from_str::<Config>(text).unwrap().check_serving();
        let refusal = |text: &str| serving(text).unwrap_err().to_string();
        let home = "[social.home]\nissuer = \"https://id.test\"\nclient_id = \"books\"\n";
        let secret = "client_secret = \"s\"\n";
        serving(&format!("password_login = false\nlogin_redirect = \"home\"\n{home}{secret}")).unwrap();
        serving("login_redirect = \"\"\n").unwrap();
        assert!(refusal("password_login = false\n").contains("password_login"));
        assert!(refusal(&format!("password_login = false\n{home}")).contains("password_login"));
        for section in ["away", "home"] {
            let said = refusal(&format!("login_redirect = \"{section}\"\n{home}"));
            assert!(said.contains("login_redirect") && said.contains(section), "{said}");
        }
    }

    #[test]
    fn people_can_sign_up_with_a_password_while_it_is_open_and_with_a_provider_that_makes_accounts() {
        let provider = "[social.home]\nissuer = \"https://id.test\"\nclient_id = \"books\"\nclient_secret = \"s\"\n";
        let offers = |text: &str| {
            let config: Config = toml::from_str(text).unwrap();
            [SignupMode::Open, SignupMode::Invite, SignupMode::Closed].map(|signup| config.offers_sign_up(signup))
        };
        assert_eq!(offers(""), [true, false, false]);
        assert_eq!(offers(&format!("{provider}signup = true\n")), [true, true, true]);
        assert_eq!(offers(&format!("password_login = false\n{provider}signup = false\n")), [false, false, false]);
    }
}
