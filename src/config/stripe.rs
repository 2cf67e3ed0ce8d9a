//! The settings of payments.
use std::path::PathBuf;

use anyhow::bail;

use super::Secret;
use super::section::section;
use super::social::is_reachable;

section! {
    /// Payments through Stripe. They need a secret key; without one nothing can be bought, and plans are set by hand.
    /// docs/operating.md says what to set up at Stripe.
    Stripe {
        /// The API key.
        secret_key: Option<Secret> = None, example "sk_live_...";
        /// A file with the API key, instead.
        secret_key_file: Option<PathBuf> = None, example "/run/secrets/stripe_key";
        /// The secret that signs Stripe's messages to /api/stripe/webhook. Without it they are refused.
        webhook_secret: Option<Secret> = None, example "whsec_...";
        /// A file with that secret, instead.
        webhook_secret_file: Option<PathBuf> = None, example "/run/secrets/stripe_webhook";
        /// The address of the API, without a version.
        api_base: String = "https://api.stripe.com".to_owned();
        section prices: Prices;
    }
}

section! {
    /// The ids of the recurring prices at Stripe. A plan without its price can't be bought.
    Prices {
        /// Shelfwise Plus, a month.
        plus_monthly: Option<String> = None, example "price_...";
        /// Shelfwise Plus, a year.
        plus_annual: Option<String> = None, example "price_...";
        /// Shelfwise Team, a month.
        team_monthly: Option<String> = None, example "price_...";
        /// Shelfwise Team, a year.
        team_annual: Option<String> = None, example "price_...";
        /// One more member of a team, a month.
        seat_monthly: Option<String> = None, example "price_...";
        /// One more member of a team, a year.
        seat_annual: Option<String> = None, example "price_...";
    }
}

impl Stripe {
    /// Whether payments are on.
    pub fn is_on(&self) -> bool {
        self.secret_key.is_some()
    }

    /// The address of the API, without a version and a slash at its end.
    pub fn api(&self) -> &str {
        let base = self.api_base.trim_end_matches('/');
        base.strip_suffix("/v1").unwrap_or(base)
    }

    /// Refuses an address to which the key, which is sent there with every request, must not go.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if !is_reachable(self.api()) || self.api().contains(['?', '#', '@']) {
            bail!(
                "stripe.api_base is `{}`, but must be https:// and a host (http:// on this machine only)",
                self.api_base
            );
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
            let stripe = Stripe { api_base: base.to_owned(), ..Stripe::default() };
            stripe.check().map(|()| stripe.api().to_owned()).map_err(|cause| cause.to_string())
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
