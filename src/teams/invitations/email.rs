//! The e-mail with an invitation.
use crate::kit::mail::message::{EmailMessage, host, name};

/// The invitation of an address, with the names of the inviter and the team.
pub fn invitation(to: String, inviter: &str, team: &str, home: &str, url: String) -> EmailMessage {
    let (inviter, team) = (name(inviter, "Somebody"), name(team, "a team"));
    EmailMessage {
        kind: "invitation",
        to,
        subject: format!("{inviter} invites you to {team} on Shelfwise"),
        opening: vec![
            "Hello,".into(),
            format!(
                "{inviter} invites you to join {team} at {}, where people keep track of what they read.",
                host(home)
            ),
        ],
        link: Some(("See the invitation", url)),
        closing: vec![
            "The invitation is for this address. It works once, within seven days.".into(),
            "If you know nobody of that name, you can ignore this e-mail.".into(),
        ],
    }
}
