//! What an account's owner is told by mail. Nothing that somebody chose stands in these letters.
use chrono::{DateTime, Utc};

use crate::kit::email::masked;
use crate::kit::letter::{Letter, host};

/// The kind of letters with a link to a new password.
pub const RESET: &str = "password-reset";
/// The kind of letters that tell of a change.
const NOTICE: &str = "account-notice";

/// The link that somebody asked for who forgot their password.
pub fn reset(to: String, home: &str, token: &str) -> Letter {
    Letter {
        kind: RESET,
        to,
        subject: "Set a new password for Shelfwise".into(),
        opening: vec![
            "Hello,".into(),
            format!("somebody, probably you, asked for a new password for your account at {}.", host(home)),
        ],
        link: Some(("Set a new password", format!("{home}/reset-password/{token}"))),
        closing: vec![
            "The link works once, within the hour.".into(),
            "If it was not you, there is nothing to do: your password stays as it is.".into(),
        ],
    }
}

/// Tells that the password was changed.
pub fn password_changed(to: String, home: &str, at: DateTime<Utc>) -> Letter {
    Letter {
        kind: NOTICE,
        to,
        subject: "Your Shelfwise password was changed".into(),
        opening: vec![
            "Hello,".into(),
            format!("the password of your account at {} was changed on {}.", host(home), moment(at)),
            "Every other session was ended. API tokens go on working until they are revoked under Account.".into(),
            "If it was you, there is nothing to do. If it was not, set a new password now.".into(),
        ],
        link: Some(("Set a new password", format!("{home}/forgot-password"))),
        closing: Vec::new(),
    }
}

/// Tells that another provider opens the account from now on; `provider` is what the operator calls it.
pub fn connected(to: String, home: &str, provider: &str, at: DateTime<Utc>) -> Letter {
    Letter {
        kind: NOTICE,
        to,
        subject: "A new way to sign in to your Shelfwise account".into(),
        opening: vec![
            "Hello,".into(),
            format!(
                "{provider} was connected to your account at {} on {}. It signs you in from now on.",
                host(home),
                moment(at)
            ),
            "If it was you, there is nothing to do. If it was not, disconnect it under Account and set a new password."
                .into(),
        ],
        link: Some(("Open your account", format!("{home}/account"))),
        closing: Vec::new(),
    }
}

/// Tells both addresses that the one took the other's place.
pub fn email_changed(former: &str, new: &str, home: &str, at: DateTime<Utc>) -> [Letter; 2] {
    let letter = |to: &str, news: String, closing: &str| Letter {
        kind: NOTICE,
        to: to.to_owned(),
        subject: "Your Shelfwise email address was changed".into(),
        opening: vec!["Hello,".into(), news],
        link: None,
        closing: vec![closing.to_owned()],
    };
    let (at, home, hidden) = (moment(at), host(home), masked(new));
    [
        letter(
            former,
            format!(
                "the email address of your account at {home} was changed to {hidden} on {at}. No more mail comes here."
            ),
            "If it was not you, write to the people who run that server: they can set the address and the password anew.",
        ),
        letter(
            new,
            format!("since {at} this is the email address of an account at {home}. You sign in with it."),
            "If you have no account there, somebody mistyped theirs, and you can forget this letter.",
        ),
    ]
}

/// For people anywhere: "21 November 2026, 14:05 UTC".
fn moment(at: DateTime<Utc>) -> String {
    at.format("%-d %B %Y, %H:%M UTC").to_string()
}
