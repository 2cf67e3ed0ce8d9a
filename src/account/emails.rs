//! E-mails to the owner of an account. They contain no text that another person chose, except the name of a device, without
//! links.
use chrono::{DateTime, Utc};

use crate::access::TokenAccess;
use crate::config::ServerIdentity;
use crate::kit::mail::address::masked;
use crate::kit::mail::message::{EmailMessage, name};

/// The kind of the e-mail with a password reset link.
pub const RESET: &str = "password-reset";
/// The kind of the e-mail about a new account.
const ACCOUNT_MADE: &str = "account-made";
/// The kind of e-mails that report a change.
const NOTICE: &str = "account-notice";

/// The e-mail with a reset link, for a person with a forgotten password.
pub fn reset(to: String, server: &ServerIdentity, token: &str) -> EmailMessage {
    EmailMessage {
        kind: RESET,
        to,
        subject: format!("Set a new password for {}", server.name()),
        opening: vec![
            "Hello,".into(),
            format!("Someone, probably you, asked for a new password for your account at {}.", server.host()),
        ],
        link: Some(("Set a new password", format!("{}/reset-password/{token}", server.url))),
        closing: vec![
            "The link works once, within the hour. A new password ends every session, removes all API tokens, secret links, device logins and \
             connected sign-in providers, and stops sharing with a team."
                .into(),
            "If it wasn't you, there is nothing to do: your password stays as it is.".into(),
        ],
        server: server.clone(),
    }
}

/// The kind of an e-mail that an operator sends to see whether mail works.
pub const TEST: &str = "test";

/// The e-mail that shows an operator that mail works.
pub fn test(to: String, server: &ServerIdentity) -> EmailMessage {
    EmailMessage {
        kind: TEST,
        to,
        subject: format!("A test email from {}", server.name()),
        opening: vec![
            "Hello,".into(),
            format!("This is the test email that an operator of the Shelfwise server at {} asked for.", server.host()),
            "Mail works: there is nothing to do.".into(),
        ],
        link: None,
        closing: Vec::new(),
        server: server.clone(),
    }
}

/// What a password change ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Every session but the one that changed the password.
    OtherSessions,
    /// Every session.
    AllSessions,
    /// Every session but the one that changed the password, and all API tokens, secret links, device logins and connected providers.
    OtherAccess,
    /// Every session, all API tokens, secret links, device logins and connected providers, and the sharing with a team.
    AllAccessAndSharing,
}

/// Reports that the password was changed, and what that ended.
pub fn password_changed(to: String, server: &ServerIdentity, ended: Ended, at: DateTime<Utc>) -> EmailMessage {
    let news = match ended {
        Ended::OtherSessions => {
            "Every other session was ended. API tokens, secret links, device logins and connected sign-in providers go on working until you remove \
             them under Account, on the tabs Connections and Profile."
        }
        Ended::AllSessions => {
            "Every session was ended. API tokens, secret links, device logins and connected sign-in providers go on working until you remove them \
             under Account, on the tabs Connections and Profile."
        }
        Ended::OtherAccess => {
            "Every other session was ended, and all API tokens, secret links, device logins and connected sign-in providers were removed."
        }
        Ended::AllAccessAndSharing => {
            "Every session was ended, all API tokens, secret links, device logins and connected sign-in providers were removed, and sharing with a \
             team was switched off."
        }
    };
    EmailMessage {
        kind: NOTICE,
        to,
        subject: format!("Your {} was changed", server.owned("password")),
        opening: vec![
            "Hello,".into(),
            format!("The password of your account at {} was changed on {}.", server.host(), moment(at)),
            news.into(),
            "If it was you, there is nothing to do. If it wasn't, set a new password now.".into(),
        ],
        link: Some(("Set a new password", format!("{}/forgot-password", server.url))),
        closing: Vec::new(),
        server: server.clone(),
    }
}

/// Reports that another provider can sign in to the account; `provider` is its display name.
pub fn connected(to: String, server: &ServerIdentity, provider: &str, at: DateTime<Utc>) -> EmailMessage {
    EmailMessage {
        kind: NOTICE,
        to,
        subject: format!("A new way to log in to your {}", server.owned("account")),
        opening: vec![
            "Hello,".into(),
            format!(
                "{provider} was connected to your account at {} on {}. You can log in with it from now on.",
                server.host(),
                moment(at)
            ),
            "If it was you, there is nothing to do. If it wasn't, disconnect it under Account and set a new password."
                .into(),
        ],
        link: Some(("Open your account", format!("{}/account", server.url))),
        closing: Vec::new(),
        server: server.clone(),
    }
}

/// Reports that an API token was created.
pub fn token_created(to: String, server: &ServerIdentity, access: TokenAccess, at: DateTime<Utc>) -> EmailMessage {
    let access = match access {
        TokenAccess::Read => "read your library",
        TokenAccess::ReadWrite => "read and change your library",
    };
    notice(
        server,
        to,
        &format!("A new API token for your {}", server.owned("account")),
        format!("An API token was created for your account at {} on {}. It can {access}.", server.host(), moment(at)),
        "If it was you, there is nothing to do. If it wasn't, revoke it under Account, Connections and set a new password.",
        Some(("Open your account", format!("{}/account?tab=connections", server.url))),
    )
}

/// Reports that an unknown device signed in.
pub fn new_device(to: String, server: &ServerIdentity, device: &str, at: DateTime<Utc>) -> EmailMessage {
    let device = name(device, "an unknown device");
    notice(
        server,
        to,
        &format!("A new device logged in to your {}", server.owned("account")),
        format!("A new device ({device}) logged in to your account at {} on {}.", server.host(), moment(at)),
        "If it was you, there is nothing to do. If it wasn't, set a new password now: that ends every session.",
        Some(("Set a new password", format!("{}/forgot-password", server.url))),
    )
}

/// Reports that an operator created a password reset link, which works for `lasting`: "the hour", "seven days".
pub fn reset_link_made(to: String, server: &ServerIdentity, lasting: &str, at: DateTime<Utc>) -> EmailMessage {
    notice(
        server,
        to,
        &format!("A link to a new password for your {}", server.owned("account")),
        format!(
            "An operator of {} created a link on {} that sets a new password for your account, once, within {lasting}.",
            server.host(),
            moment(at)
        ),
        "If you asked for it, there is nothing to do. If you did not, ask the people who run that server.",
        None,
    )
}

/// The e-mail with a link that sets the first password of an account that an operator made. `operator` is the operator's name.
pub fn account_made(to: String, server: &ServerIdentity, operator: &str, url: String) -> EmailMessage {
    let operator = name(operator, "Someone");
    EmailMessage {
        kind: ACCOUNT_MADE,
        to,
        subject: format!("Your {}", server.owned("account")),
        opening: vec![
            "Hello,".into(),
            format!(
                "{operator} created an account for you at {}, where people keep track of what they read. You log in with this \
                 address, and with a password that you choose now.",
                server.host()
            ),
        ],
        link: Some(("Choose a password", url)),
        closing: vec![
            "The link works once, within seven days.".into(),
            "If you don't know anyone of that name, you can ignore this email.".into(),
        ],
        server: server.clone(),
    }
}

/// Reports that the account was deleted.
pub fn account_deleted(to: String, server: &ServerIdentity, at: DateTime<Utc>) -> EmailMessage {
    notice(
        server,
        to,
        &format!("Your {} was deleted", server.owned("account")),
        format!("Your account at {} was deleted on {}, with everything in it.", server.host(), moment(at)),
        "If it wasn't you, write to the people who run that server: a backup may still hold your library.",
        None,
    )
}

fn notice(
    server: &ServerIdentity,
    to: String,
    subject: &str,
    news: String,
    advice: &str,
    link: Option<(&'static str, String)>,
) -> EmailMessage {
    EmailMessage {
        kind: NOTICE,
        to,
        subject: subject.into(),
        opening: vec!["Hello,".into(), news, advice.into()],
        link,
        closing: Vec::new(),
        server: server.clone(),
    }
}

/// Reports to both addresses that one replaced the other.
pub fn email_changed(former: &str, new: &str, server: &ServerIdentity, at: DateTime<Utc>) -> [EmailMessage; 2] {
    let notice = |to: &str, news: String, closing: &str| EmailMessage {
        kind: NOTICE,
        to: to.to_owned(),
        subject: format!("Your {} was changed", server.owned("email address")),
        opening: vec!["Hello,".into(), news],
        link: None,
        closing: vec![closing.to_owned()],
        server: server.clone(),
    };
    let (at, home, hidden) = (moment(at), server.host(), masked(new));
    [
        notice(
            former,
            format!(
                "The email address of your account at {home} was changed to {hidden} on {at}. No more mail is sent here."
            ),
            "If it wasn't you, write to the people who run that server: they can restore the address and reset the password.",
        ),
        notice(
            new,
            format!("Since {at} this is the email address of an account at {home}. You log in with it."),
            "If you have no account there, someone mistyped theirs, and you can ignore this email.",
        ),
    ]
}

/// A time for readers anywhere: "21 November 2026, 14:05 UTC".
fn moment(at: DateTime<Utc>) -> String {
    at.format("%-d %B %Y, %H:%M UTC").to_string()
}
