//! Kinds of security events, their sources, and pages of the audit trail.
use std::net::IpAddr;

use serde::Serialize;

use crate::account::device;
use crate::kit::id::UserId;
use crate::kit::named::named;
use crate::kit::timestamp::Timestamp;

/// The actor of an operator's action on the command line.
pub const COMMAND_LINE: &str = "command line";

named! {
    /// The kind of a security event.
    EventKind {
        /// An account was created by sign-up or through a provider.
        SignedUp = "signed_up",
        /// Somebody signed in with the password or through a provider.
        LoggedIn = "logged_in",
        /// A wrong password was given for an existing account.
        LoginFailed = "login_failed",
        /// Somebody signed out.
        LoggedOut = "logged_out",
        /// A session was ended from the list of sessions.
        SessionEnded = "session_ended",
        /// The password was changed, or a first one was set.
        PasswordChanged = "password_changed",
        /// A password reset link was requested by e-mail.
        PasswordResetRequested = "password_reset_requested",
        /// A password was set with a reset link.
        PasswordReset = "password_reset",
        /// The e-mail address was changed.
        EmailChanged = "email_changed",
        /// A sign-in provider was connected.
        ProviderConnected = "provider_connected",
        /// A sign-in provider was disconnected.
        ProviderDisconnected = "provider_disconnected",
        /// An API token was created.
        TokenCreated = "token_created",
        /// An API token was revoked.
        TokenRemoved = "token_removed",
        /// Books, the to-be-read list and imports were erased; the account remains.
        DataErased = "data_erased",
        /// An operator created the account.
        AccountCreated = "account_created",
        /// An account was deleted. Nothing about it is stored.
        AccountDeleted = "account_deleted",
        /// An operator disabled the account.
        AccountDisabled = "account_disabled",
        /// An operator enabled the account again.
        AccountEnabled = "account_enabled",
        /// An operator, or the account's groups at a sign-in provider, changed its role.
        RoleChanged = "role_changed",
        /// An operator set the plan, or used the plan switcher.
        PlanChanged = "plan_changed",
        /// An operator created a password reset link.
        ResetLinkCreated = "reset_link_created",
        /// An operator changed the server's settings.
        SettingsChanged = "settings_changed",
        /// The first operator set up the server.
        ServerSetUp = "server_set_up",
        /// An operator invited somebody to the server.
        InvitationCreated = "invitation_created",
        /// An operator revoked an invitation to the server.
        InvitationRevoked = "invitation_revoked",
        /// An operator took secret links of the account back.
        SharesRevoked = "shares_revoked",
    }
}

/// The stored source of an event: a network instead of an address, and the name of a device.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventSource {
    /// An IPv4 /24 or an IPv6 /48, for example "203.0.113.0/24"; `None` for the command line.
    pub address: Option<String>,
    /// Browser and system, for example "Firefox on Windows"; `None` for the command line.
    pub device: Option<String>,
}

impl EventSource {
    /// The source of a request, from its address and its user agent.
    pub fn new(ip: IpAddr, user_agent: &str) -> Self {
        Self { address: Some(network(ip)), device: Some(device::describe(user_agent)) }
    }
}

/// The network of an address: the first 24 bits of IPv4, the first 48 bits of IPv6.
fn network(ip: IpAddr) -> String {
    match ip.to_canonical() {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            format!("{a}.{b}.{c}.0/24")
        }
        IpAddr::V6(v6) => {
            let [a, b, c, ..] = v6.segments();
            format!("{}/48", std::net::Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0))
        }
    }
}

/// The actor of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// The holder of an account, signed in or just authenticated.
    Account(UserId),
    /// An operator on the command line.
    CommandLine,
    /// An unknown person: a wrong password, a requested link.
    Unknown,
}

/// An event to record.
#[derive(Debug, Clone, Copy)]
pub struct NewEvent<'e> {
    pub kind: EventKind,
    /// The account concerned; `None` for a deleted account.
    pub account: Option<UserId>,
    pub actor: Actor,
    pub source: &'e EventSource,
}

impl<'e> NewEvent<'e> {
    /// An event by the holder of the account.
    pub fn own(kind: EventKind, user_id: UserId, source: &'e EventSource) -> Self {
        Self { kind, account: Some(user_id), actor: Actor::Account(user_id), source }
    }

    /// An event by an unknown person.
    pub fn unknown(kind: EventKind, user_id: UserId, source: &'e EventSource) -> Self {
        Self { kind, account: Some(user_id), actor: Actor::Unknown, source }
    }

    /// An event by an operator about the server, and not about one account.
    pub fn of_server(kind: EventKind, operator_id: UserId, source: &'e EventSource) -> Self {
        Self { kind, account: None, actor: Actor::Account(operator_id), source }
    }

    /// An event by an operator.
    pub fn operator(kind: EventKind, operator_id: UserId, user_id: UserId, source: &'e EventSource) -> Self {
        Self { kind, account: Some(user_id), actor: Actor::Account(operator_id), source }
    }
}

/// A security event, as the account's owner and operators see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct SecurityEvent {
    /// RFC 3339, UTC.
    #[schema(value_type = String)]
    pub at: Timestamp,
    /// The actor's e-mail address, or "command line"; null for an unknown person.
    #[schema(required)]
    pub actor: Option<String>,
    /// The kind of event.
    pub what: EventKind,
    /// The e-mail address of the account concerned; null for a deleted account.
    #[schema(required)]
    pub whom: Option<String>,
    /// The network of the request, an IPv4 /24 or an IPv6 /48; null for the command line.
    #[schema(required)]
    pub address: Option<String>,
    /// Browser and system, for example "Firefox on Windows"; null for the command line.
    #[schema(required)]
    pub device: Option<String>,
}

/// A page of events, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecurityEventList {
    /// The events, newest first.
    pub data: Vec<SecurityEvent>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_keeps_the_network_of_an_address_and_not_the_address() {
        for (ip, kept) in [
            ("203.0.113.77", "203.0.113.0/24"),
            ("::ffff:203.0.113.77", "203.0.113.0/24"),
            ("2001:db8:7:1234::9", "2001:db8:7::/48"),
            ("::1", "::/48"),
        ] {
            assert_eq!(network(ip.parse().unwrap()), kept, "{ip}");
        }
    }

    #[test]
    fn the_name_of_every_kind_is_the_one_that_the_api_sends() {
        for kind in EventKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
            assert_eq!(EventKind::from_name(kind.name()), Some(kind));
        }
    }
}
