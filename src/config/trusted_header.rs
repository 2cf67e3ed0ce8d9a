//! `[trusted_header]`: the headers in which a proxy names the person that it has signed in.
use anyhow::bail;
use http::HeaderName;

use super::SignupMode;
use super::section::section;
use super::social::ProviderSignup;

/// The name of this way to sign in, beside the sections of sign-in providers. No section and no issuer can have it.
pub const TRUSTED_HEADER: &str = "trusted header";
/// Headers that have a meaning of their own.
const RESERVED: [&str; 6] = ["authorization", "cookie", "host", "origin", "sec-fetch-site", "x-forwarded-for"];

section! {
    /// A proxy that signs people in and names them in headers (Authelia, Authentik, oauth2-proxy as forward authentication). The headers
    /// count from trusted_proxies alone, which must be set and must remove these headers from what clients send. docs/social-login.md
    /// says more.
    TrustedHeader {
        /// The header with the person's name at the proxy. It identifies the account.
        user: Option<String> = None, example "Remote-User";
        /// The header with the address of a new account. Unless set, the name, if it is an address.
        email: Option<String> = None, example "Remote-Email";
        /// The header with the display name of a new account. Unless set, the start of the address.
        name: Option<String> = None, example "Remote-Name";
        /// Whether a new person gets an account: true or false. Unless set, as the server's signup says.
        signup: Option<ProviderSignup> = None, example true;
        /// Where the browser goes after logging out, so that the proxy ends its own session.
        logout_url: Option<String> = None, example "https://auth.example.org/logout";
    }
}

impl TrustedHeader {
    /// Refuses names that no header can have, and a log-out address that is not a web address.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        for (key, name) in [("user", &self.user), ("email", &self.email), ("name", &self.name)] {
            let Some(name) = name else { continue };
            match name.parse::<HeaderName>() {
                Err(_) => bail!("trusted_header.{key} is `{name}`, but must be the name of a header, as Remote-User"),
                Ok(header) if RESERVED.contains(&header.as_str()) => {
                    bail!("trusted_header.{key} is `{name}`, which has a meaning of its own")
                }
                Ok(_) => {}
            }
        }
        if let Some(url) = &self.logout_url {
            let web = url.parse::<http::Uri>().is_ok_and(|uri| {
                matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some_and(|host| !host.is_empty())
            });
            if !web {
                bail!("trusted_header.logout_url is `{url}`, but must begin with https:// or http://");
            }
        }
        Ok(())
    }

    /// Whether a proxy signs people in.
    pub fn is_on(&self) -> bool {
        self.user.is_some()
    }

    /// Which new people get an account, on a server with this `signup`. An invitation has no effect: the proxy signs people in before
    /// they open its page.
    pub fn admits(&self, server: SignupMode) -> SignupMode {
        self.signup.map_or(server, ProviderSignup::admits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> TrustedHeader {
        toml::from_str(text).unwrap()
    }

    #[test]
    fn a_header_has_a_name_that_headers_can_have_and_no_meaning_of_its_own() {
        let good =
            read("user = \"Remote-User\"\nemail = \"Remote-Email\"\nlogout_url = \"https://auth.example.org/logout\"");
        good.check().unwrap();
        assert!(good.is_on() && good.email.as_deref() == Some("Remote-Email"));
        for (text, key) in [
            ("user = \"Remote User\"", "user"),
            ("user = \"Cookie\"", "user"),
            ("email = \"Authorization\"", "email"),
            ("name = \"X-Forwarded-For\"", "name"),
            ("name = \"é\"", "name"),
            ("logout_url = \"/logout\"", "logout_url"),
            ("logout_url = \"javascript:alert(1)\"", "logout_url"),
        ] {
            let error = read(text).check().unwrap_err().to_string();
            assert!(error.contains(&format!("trusted_header.{key}")), "{error}");
        }
    }
}
