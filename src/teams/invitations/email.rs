//! The e-mails with an invitation.
use crate::config::ServerIdentity;
use crate::kit::mail::message::{EmailMessage, name};

/// The invitation of an address to a team, with the names of the inviter and the team.
pub fn invitation(to: String, inviter: &str, team: &str, server: &ServerIdentity, url: String) -> EmailMessage {
    let (inviter, team) = (name(inviter, "Someone"), name(team, "a team"));
    EmailMessage {
        kind: "invitation",
        to,
        subject: format!("{inviter} invites you to {team} on {}", server.name()),
        opening: vec![
            "Hello,".into(),
            format!(
                "{inviter} invites you to join {team} at {}, where people keep track of what they read.",
                server.host()
            ),
        ],
        link: Some(("See the invitation", url)),
        closing: closing(),
        server: server.clone(),
    }
}

/// The invitation of an address to a server, with the name of the inviter.
pub fn invitation_to_server(to: String, inviter: &str, server: &ServerIdentity, url: String) -> EmailMessage {
    let inviter = name(inviter, "Someone");
    EmailMessage {
        kind: "invitation",
        to,
        subject: format!("{inviter} invites you to {}", server.name()),
        opening: vec![
            "Hello,".into(),
            format!("{inviter} invites you to {}, where people keep track of what they read.", server.host()),
        ],
        link: Some(("See the invitation", url)),
        closing: closing(),
        server: server.clone(),
    }
}

fn closing() -> Vec<String> {
    vec![
        "The invitation is for this address. It works once, within seven days.".into(),
        "If you don't know anyone of that name, you can ignore this email.".into(),
    ]
}
