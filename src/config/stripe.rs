//! The settings of payments.
use std::path::PathBuf;

use serde::Deserialize;

use super::Secret;
use super::social::is_reachable;

/// The payment provider. Payments are on when a secret key is set.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Stripe {
    /// The API key (`sk_...` or `rk_...`). Default: none, and nothing can be bought.
    pub secret_key: Option<Secret>,
    /// A file that holds the API key.
    pub secret_key_file: Option<PathBuf>,
    /// The secret that signs webhooks (`whsec_...`). Without it webhooks are refused.
    pub webhook_secret: Option<Secret>,
    /// A file that contains the webhook secret.
    pub webhook_secret_file: Option<PathBuf>,
    /// The address of the API, without a version; https, or http on this machine only. Default `https://api.stripe.com`.
    pub api_base: String,
    /// The provider's ids of the prices.
    pub prices: Prices,
}

impl Default for Stripe {
    fn default() -> Self {
        Self {
            secret_key: None,
            secret_key_file: None,
            webhook_secret: None,
            webhook_secret_file: None,
            api_base: "https://api.stripe.com".into(),
            prices: Prices::default(),
        }
    }
}

/// Ids of recurring prices (`price_...`). A plan without a price can't be bought.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Prices {
    /// Shelfwise Plus, a month.
    pub plus_monthly: Option<String>,
    /// Shelfwise Plus, a year.
    pub plus_annual: Option<String>,
    /// Shelfwise Team, a month.
    pub team_monthly: Option<String>,
    /// Shelfwise Team, a year.
    pub team_annual: Option<String>,
    /// One more member of a team, a month.
    pub seat_monthly: Option<String>,
    /// One more member of a team, a year.
    pub seat_annual: Option<String>,
}

impl Stripe {
    /// Whether payments are on.
    pub fn is_on(&self) -> bool {
        self.secret_key.is_some()
    }

    /// Reads secrets from their files, and validates the address.
    ///
    /// # Errors
    /// A sentence that names the key.
    pub(super) fn read_secrets(&mut self) -> anyhow::Result<()> {
        // An unset variable of a container is an empty text, which switches nothing on.
        let text = |secret: Option<Secret>| secret.filter(|secret| !secret.expose().trim().is_empty());
        let file = |path: &Option<PathBuf>| path.clone().filter(|path| !path.as_os_str().is_empty());
        (self.secret_key, self.webhook_secret) = (text(self.secret_key.take()), text(self.webhook_secret.take()));
        Secret::fill(&mut self.secret_key, "stripe.secret_key", file(&self.secret_key_file).as_deref())?;
        Secret::fill(&mut self.webhook_secret, "stripe.webhook_secret", file(&self.webhook_secret_file).as_deref())?;
        let base = self.api_base.trim_end_matches('/');
        let base = base.strip_suffix("/v1").unwrap_or(base);
        // The key is sent there with every request.
        if !is_reachable(base) || base.contains(['?', '#', '@']) {
            anyhow::bail!(
                "stripe.api_base is `{}`, but must be https:// and a host (http:// on this machine only)",
                self.api_base
            );
        }
        self.api_base = base.to_owned();
        let prices = &mut self.prices;
        for price in [
            &mut prices.plus_monthly,
            &mut prices.plus_annual,
            &mut prices.team_monthly,
            &mut prices.team_annual,
            &mut prices.seat_monthly,
            &mut prices.seat_annual,
        ] {
            *price = price.take().filter(|id| !id.trim().is_empty());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_goes_out_encrypted_or_not_off_this_machine() {
        let settled = |base: &str| {
            let mut stripe = Stripe { api_base: base.to_owned(), ..Stripe::default() };
            stripe.read_secrets().map(|()| stripe.api_base).map_err(|cause| cause.to_string())
        };
        for (written, meant) in [
            ("https://api.stripe.com/v1/", "https://api.stripe.com"),
            ("https://payments.example.org", "https://payments.example.org"),
            ("http://127.0.0.1:12111", "http://127.0.0.1:12111"),
            ("http://localhost:12111/v1", "http://localhost:12111"),
        ] {
            assert_eq!(settled(written).unwrap(), meant);
        }
        for bad in [
            "http://api.stripe.com",
            "http://10.0.0.1",
            "http://localhost.example.org",
            "https://api.stripe.com@example.org",
            "https://api.stripe.com?x=1",
            "ftp://api.stripe.com",
            "api.stripe.com",
            "",
        ] {
            assert!(settled(bad).unwrap_err().contains("stripe.api_base"), "{bad}");
        }
    }
}
