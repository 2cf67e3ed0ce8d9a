//! E-mails to the owner of an account. They contain no text that another person chose, except the name of a device, without
//! links.
use chrono::{DateTime, Utc};

use crate::access::TokenAccess;
use crate::kit::mail::address::masked;
use crate::kit::mail::message::{EmailMessage, host, name};

/// The kind of the e-mail with a password reset link.
pub const RESET: &str = "password-reset";
/// The kind of e-mails that report a change.
const NOTICE: &str = "account-notice";

/// The e-mail with a reset link, for a person with a forgotten password.
pub fn reset(to: String, home: &str, token: &str) -> EmailMessage {
    EmailMessage {
        kind: RESET,
        to,
        subject: "Set a new password for Shelfwise".into(),
        opening: vec![
            "Hello,".into(),
            format!("somebody, probably you, asked for a new password for your account at {}.", host(home)),
        ],
        link: Some(("Set a new password", format!("{home}/reset-password/{token}"))),
        closing: vec![
            "The link works once, within the hour. A new password ends every session, and removes all API tokens and connected \
             sign-in providers."
                .into(),
            "If it was not you, there is nothing to do: your password stays as it is.".into(),
        ],
    }
}

/// The kind of an e-mail that an operator sends to see whether mail works.
pub const TEST: &str = "test";

/// The e-mail that shows an operator that mail works.
pub fn test(to: String, home: &str) -> EmailMessage {
    EmailMessage {
        kind: TEST,
        to,
        subject: "A test e-mail from Shelfwise".into(),
        opening: vec![
            "Hello,".into(),
            format!("this is the test e-mail that an operator of the Shelfwise server at {} asked for.", host(home)),
            "Mail works: there is nothing to do.".into(),
        ],
        link: None,
        closing: Vec::new(),
    }
}

/// What a password change ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Every other session.
    Sessions,
    /// Every session, API token and connected provider.
    AllAccess,
}

/// Reports that the password was changed, and what that ended.
pub fn password_changed(to: String, home: &str, ended: Ended, at: DateTime<Utc>) -> EmailMessage {
    let news = match ended {
        Ended::Sessions => {
            "Every other session was ended. API tokens and connected sign-in providers go on working until they are removed under \
             Account."
        }
        Ended::AllAccess => {
            "Every other session was ended, and all API tokens and connected sign-in providers were removed."
        }
    };
    EmailMessage {
        kind: NOTICE,
        to,
        subject: "Your Shelfwise password was changed".into(),
        opening: vec![
            "Hello,".into(),
            format!("the password of your account at {} was changed on {}.", host(home), moment(at)),
            news.into(),
            "If it was you, there is nothing to do. If it was not, set a new password now.".into(),
        ],
        link: Some(("Set a new password", format!("{home}/forgot-password"))),
        closing: Vec::new(),
    }
}

/// Reports that another provider can sign in to the account; `provider` is its display name.
pub fn connected(to: String, home: &str, provider: &str, at: DateTime<Utc>) -> EmailMessage {
    EmailMessage {
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

/// Reports that an API token was created.
pub fn token_created(to: String, home: &str, access: TokenAccess, at: DateTime<Utc>) -> EmailMessage {
    let access = match access {
        TokenAccess::Read => "read your library",
        TokenAccess::ReadWrite => "read and change your library",
    };
    notice(
        to,
        "A new API token for your Shelfwise account",
        format!("an API token was made for your account at {} on {}. It can {access}.", host(home), moment(at)),
        "If it was you, there is nothing to do. If it was not, revoke it under Account and set a new password.",
        Some(("Open your account", format!("{home}/account"))),
    )
}

/// Reports that an unknown device signed in.
pub fn new_device(to: String, home: &str, device: &str, at: DateTime<Utc>) -> EmailMessage {
    let device = name(device, "an unknown device");
    notice(
        to,
        "A new device signed in to your Shelfwise account",
        format!("a new device ({device}) signed in to your account at {} on {}.", host(home), moment(at)),
        "If it was you, there is nothing to do. If it was not, set a new password now: that ends every session.",
        Some(("Set a new password", format!("{home}/forgot-password"))),
    )
}

/// Reports that an operator created a password reset link.
pub fn reset_link_made(to: String, home: &str, at: DateTime<Utc>) -> EmailMessage {
    notice(
        to,
        "A link to a new password for your Shelfwise account",
        format!(
            "an operator of {} made a link on {} that sets a new password for your account, once, within the hour.",
            host(home),
            moment(at)
        ),
        "If you asked for it, there is nothing to do. If you did not, ask the people who run that server.",
        None,
    )
}

/// Reports that the account was deleted.
pub fn account_deleted(to: String, home: &str, at: DateTime<Utc>) -> EmailMessage {
    notice(
        to,
        "Your Shelfwise account was deleted",
        format!("your account at {} was deleted on {}, with everything in it.", host(home), moment(at)),
        "If it was not you, write to the people who run that server: a backup may still hold your library.",
        None,
    )
}

fn notice(to: String, subject: &str, news: String, advice: &str, link: Option<(&'static str, String)>) -> EmailMessage {
    EmailMessage {
        kind: NOTICE,
        to,
        subject: subject.into(),
        opening: vec!["Hello,".into(), news, advice.into()],
        link,
        closing: Vec::new(),
    }
}

/// Reports to both addresses that one replaced the other.
pub fn email_changed(former: &str, new: &str, home: &str, at: DateTime<Utc>) -> [EmailMessage; 2] {
    let notice = |to: &str, news: String, closing: &str| EmailMessage {
        kind: NOTICE,
        to: to.to_owned(),
        subject: "Your Shelfwise email address was changed".into(),
        opening: vec!["Hello,".into(), news],
        link: None,
        closing: vec![closing.to_owned()],
    };
    let (at, home, hidden) = (moment(at), host(home), masked(new));
    [
        notice(
            former,
            format!(
                "the email address of your account at {home} was changed to {hidden} on {at}. No more mail comes here."
            ),
            "If it was not you, write to the people who run that server: they can restore the address and reset the password.",
        ),
        notice(
            new,
            format!("since {at} this is the email address of an account at {home}. You sign in with it."),
            "If you have no account there, somebody mistyped theirs, and you can ignore this e-mail.",
        ),
    ]
}

/// A time for readers anywhere: "21 November 2026, 14:05 UTC".
fn moment(at: DateTime<Utc>) -> String {
    at.format("%-d %B %Y, %H:%M UTC").to_string()
}
