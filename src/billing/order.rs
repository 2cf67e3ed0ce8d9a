//! What a person wants to buy, and where the provider's pages may lead back to.
use reqwest::Url;
use serde::Deserialize;

use crate::access::{BillingInterval, Plan};
use crate::kit::FieldErrors;
use crate::teams::model::checked_name;

/// The longest return address, in bytes.
const LONGEST_ADDRESS: usize = 2000;

/// The request of the pricing page.
#[derive(Debug, Clone, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct CheckoutRequest {
    /// `shelfwise_plus` or `shelfwise_team`.
    plan: String,
    /// `monthly` or `annual`.
    billing_interval: String,
    /// The name of a new team; only with the team plan.
    team_name: Option<String>,
    /// Where the browser goes after payment; an address of this server.
    success_url: String,
    /// Where the browser goes when the payment is cancelled; an address of this server.
    cancel_url: String,
}

/// A validated order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    pub plan: Plan,
    pub interval: BillingInterval,
    /// The name of a new team.
    pub team_name: Option<String>,
    /// Where the browser goes after payment.
    pub success_url: String,
    /// Where the browser goes when the payment is cancelled.
    pub cancel_url: String,
}

impl CheckoutRequest {
    /// Validates the order. `public` is the server's public address.
    pub fn checked(self, public: &str) -> Result<Order, FieldErrors> {
        let mut errors = FieldErrors::new();
        let plan = Plan::from_name(&self.plan).filter(|plan| *plan != Plan::Reader);
        if plan.is_none() {
            errors.add("plan", "The plan must be shelfwise_plus or shelfwise_team.");
        }
        let interval = BillingInterval::from_name(&self.billing_interval);
        if interval.is_none() {
            errors.add("billingInterval", "The interval must be monthly or annual.");
        }
        let mut team_name = None;
        if plan == Some(Plan::ShelfwiseTeam) {
            match checked_name(self.team_name.as_deref().unwrap_or_default(), "teamName") {
                Ok(name) => team_name = Some(name),
                Err(_) if self.team_name.as_deref().unwrap_or_default().trim().is_empty() => {
                    errors.add("teamName", "Please enter a team name");
                }
                Err(wrong) => wrong.iter().for_each(|(field, sentence)| errors.add(field, sentence)),
            }
        }
        for (field, address) in [("successUrl", &self.success_url), ("cancelUrl", &self.cancel_url)] {
            if !is_own(address, public) {
                errors.add(field, NOT_OUR_ADDRESS);
            }
        }
        match (plan, interval) {
            (Some(plan), Some(interval)) if errors.is_empty() => {
                Ok(Order { plan, interval, team_name, success_url: self.success_url, cancel_url: self.cancel_url })
            }
            _ => Err(errors),
        }
    }
}

/// Validates where the provider's pages lead back to.
pub fn checked_return(address: &str, public: &str) -> Result<(), FieldErrors> {
    let mut errors = FieldErrors::new();
    if !is_own(address, public) {
        errors.add("returnUrl", NOT_OUR_ADDRESS);
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

const NOT_OUR_ADDRESS: &str = "This must be an address of this server.";

/// Whether an address is on this server, however a browser may read it: without characters that browsers drop or convert (blanks,
/// control characters, backslashes), without a name or password before the host, and with the same scheme, host and port.
fn is_own(address: &str, public: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_graphic() && byte != b'\\';
    if address.len() > LONGEST_ADDRESS || !address.bytes().all(plain) {
        return false;
    }
    let (Ok(asked), Ok(own)) = (Url::parse(address), Url::parse(public)) else { return false };
    // Browsers also accept "http:host" and "http:/host" as addresses; our pages never use them.
    let written = address.len() >= public.len() && address[..public.len()].eq_ignore_ascii_case(public);
    // The parser has resolved `..` in both.
    let below = asked.path().strip_prefix(own.path().trim_end_matches('/'));
    let is_below = below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    written && is_below && asked.origin() == own.origin() && asked.username().is_empty() && asked.password().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "https://books.example.org";

    /// Known attacks on redirects: other hosts in many disguises.
    const HOSTILE: &[&str] = &[
        "",
        " ",
        "/account",
        "//evil.test",
        "///evil.test",
        "////evil.test/%2e%2e",
        "\\\\evil.test",
        "/\\evil.test",
        "evil.test",
        "books.example.org",
        "//books.example.org",
        "https:",
        "https://",
        "https:///",
        "https:evil.test",
        "https:/evil.test",
        "https:books.example.org",
        "https:/books.example.org/",
        "http://books.example.org",
        "http://books.example.org:443/",
        "https://books.example.org:8443/",
        "https://books.example.org.evil.test/",
        "https://books.example.orgevil.test/",
        "https://books.example.org@evil.test/",
        "https://books.example.org:443@evil.test/",
        "https://books.example.org%40evil.test/",
        "https://user@books.example.org/",
        "https://user:secret@books.example.org/",
        "https://@books.example.org/",
        "https://:@books.example.org/",
        "https://evil.test/https://books.example.org/",
        "https://evil.test/?https://books.example.org/",
        "https://evil.test#https://books.example.org/",
        "https://evil.test\\@books.example.org/",
        "https://books.example.org\\.evil.test/",
        "https://books.example.org\\@evil.test/",
        "https://books.example.org%2eevil.test/",
        "https://books.example.org%00.evil.test/",
        "https://books.example.org\u{0}.evil.test/",
        "https://books.example.org\t.evil.test/",
        "https://books.example.org\n.evil.test/",
        "https://books.example.org\r\nLocation: https://evil.test/",
        "https://books.example.org .evil.test/",
        " https://books.example.org/",
        "https://books.example.org/ ",
        "\u{feff}https://books.example.org/",
        "https://b\u{43e}oks.example.org/",
        "https://books\u{3002}example\u{3002}org/",
        "https://books.example.org\u{ff0f}evil.test/",
        "https://xn--boks-0qd.example.org/",
        "https://sub.books.example.org/",
        "https://example.org/",
        "https://books.example.org./",
        "https://[::1]/",
        "https://127.0.0.1/",
        "https://2130706433/",
        "javascript:alert(1)",
        "javascript://books.example.org/%0aalert(1)",
        "JaVaScRiPt:alert(1)",
        "java\tscript:alert(1)",
        "data:text/html,<script>alert(1)</script>",
        "data:https://books.example.org/",
        "vbscript:msgbox(1)",
        "blob:https://books.example.org/1",
        "file:///etc/passwd",
        "ftp://books.example.org/",
        "ws://books.example.org/",
        "view-source:https://books.example.org/",
        "{{https://books.example.org}}",
        "null",
    ];

    #[test]
    fn only_addresses_of_this_server_are_led_back_to() {
        assert!(HOSTILE.len() >= 60);
        for address in HOSTILE {
            assert!(!is_own(address, OWN), "{address:?}");
        }
        let long = format!("{OWN}/{}", "a".repeat(LONGEST_ADDRESS));
        assert!(!is_own(&long, OWN));
        for path in
            ["", "/", "/account?success=true", "/pricing?canceled=true#plans", "?next=//evil.test", "//evil.test"]
        {
            assert!(is_own(&format!("{OWN}{path}"), OWN), "{path}");
        }
        assert!(is_own("HTTPS://Books.Example.ORG/account", OWN));
        assert!(is_own("http://127.0.0.1:8080/account", "http://127.0.0.1:8080"));
        assert!(!is_own("http://127.0.0.1:80801/account", "http://127.0.0.1:8080"));
    }

    #[test]
    fn an_order_names_everything_that_is_wrong_with_it() {
        let fields = |form: CheckoutRequest| {
            let errors = form.checked(OWN).unwrap_err();
            errors.iter().map(|(field, _)| field.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(fields(CheckoutRequest::default()), ["plan", "billingInterval", "successUrl", "cancelUrl"]);
        let good = CheckoutRequest {
            plan: "shelfwise_team".into(),
            billing_interval: "annual".into(),
            team_name: Some(" Tuesdays ".into()),
            success_url: format!("{OWN}/account?success=true"),
            cancel_url: format!("{OWN}/pricing?canceled=true"),
        };
        assert_eq!(good.clone().checked(OWN).unwrap().team_name.as_deref(), Some("Tuesdays"));
        for name in [None, Some(" ".to_owned()), Some("x".repeat(101))] {
            assert_eq!(fields(CheckoutRequest { team_name: name, ..good.clone() }), ["teamName"]);
        }
        assert_eq!(fields(CheckoutRequest { plan: "reader".into(), ..good.clone() }), ["plan"]);
        let plus = CheckoutRequest { plan: "shelfwise_plus".into(), team_name: None, ..good };
        assert_eq!(plus.checked(OWN).unwrap().team_name, None);
    }
}
