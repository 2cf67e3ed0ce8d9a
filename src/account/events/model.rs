//! Kinds of security events, where an event came from, and a page of the audit trail.
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use crate::account::device;
use crate::kit::FieldErrors;

/// Events of a page where the query names no number.
const PAGE: usize = 50;
/// Most events of a page.
const LARGEST_PAGE: usize = 200;
/// The actor of what an operator did on the command line.
pub const COMMAND_LINE: &str = "command line";

/// What happened, as the API and the database name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// An account was made on the sign-up page or through a provider.
    SignedUp,
    /// A log-in with the password or through a provider.
    LoggedIn,
    /// A wrong password for an account that exists.
    LoginFailed,
    /// A log-out.
    LoggedOut,
    /// A session was ended from the list of sessions.
    SessionEnded,
    /// The password was changed, or a first one was set.
    PasswordChanged,
    /// A link to a new password was asked for by e-mail.
    PasswordResetRequested,
    /// A password was set with a link.
    PasswordReset,
    /// The e-mail address was changed.
    EmailChanged,
    /// A sign-in provider was connected.
    ProviderConnected,
    /// A sign-in provider was disconnected.
    ProviderDisconnected,
    /// An API token was made.
    TokenCreated,
    /// An API token was revoked.
    TokenRemoved,
    /// Books, lists and imports were erased; the account stays.
    DataErased,
    /// An operator made the account.
    AccountCreated,
    /// An account was deleted. Nothing of it is kept here.
    AccountDeleted,
    /// An operator disabled the account.
    AccountDisabled,
    /// An operator enabled the account again.
    AccountEnabled,
    /// An operator made the account an operator's, or a reader's again.
    RoleChanged,
    /// An operator set the plan, or used the plan switcher.
    PlanChanged,
    /// An operator made a link to a new password.
    ResetLinkCreated,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [Self; 21] = [
        Self::SignedUp,
        Self::LoggedIn,
        Self::LoginFailed,
        Self::LoggedOut,
        Self::SessionEnded,
        Self::PasswordChanged,
        Self::PasswordResetRequested,
        Self::PasswordReset,
        Self::EmailChanged,
        Self::ProviderConnected,
        Self::ProviderDisconnected,
        Self::TokenCreated,
        Self::TokenRemoved,
        Self::DataErased,
        Self::AccountCreated,
        Self::AccountDeleted,
        Self::AccountDisabled,
        Self::AccountEnabled,
        Self::RoleChanged,
        Self::PlanChanged,
        Self::ResetLinkCreated,
    ];

    /// The contract name, in the database as well.
    pub fn name(self) -> &'static str {
        match self {
            Self::SignedUp => "signed_up",
            Self::LoggedIn => "logged_in",
            Self::LoginFailed => "login_failed",
            Self::LoggedOut => "logged_out",
            Self::SessionEnded => "session_ended",
            Self::PasswordChanged => "password_changed",
            Self::PasswordResetRequested => "password_reset_requested",
            Self::PasswordReset => "password_reset",
            Self::EmailChanged => "email_changed",
            Self::ProviderConnected => "provider_connected",
            Self::ProviderDisconnected => "provider_disconnected",
            Self::TokenCreated => "token_created",
            Self::TokenRemoved => "token_removed",
            Self::DataErased => "data_erased",
            Self::AccountCreated => "account_created",
            Self::AccountDeleted => "account_deleted",
            Self::AccountDisabled => "account_disabled",
            Self::AccountEnabled => "account_enabled",
            Self::RoleChanged => "role_changed",
            Self::PlanChanged => "plan_changed",
            Self::ResetLinkCreated => "reset_link_created",
        }
    }

    /// The kind of a contract name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Where an event came from, as far as it is kept: a network instead of an address, and a device in words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Source {
    /// An IPv4 /24 or an IPv6 /48, for example "203.0.113.0/24"; nothing for the command line.
    pub address: Option<String>,
    /// Browser and system, for example "Firefox on Windows"; nothing for the command line.
    pub device: Option<String>,
}

impl Source {
    /// The source of a request, from its address and its user agent.
    pub fn new(ip: IpAddr, user_agent: &str) -> Self {
        Self { address: Some(network(ip)), device: Some(device::describe(user_agent)) }
    }
}

/// The network of an address: the first 24 bits of IPv4, the first 48 of IPv6.
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

/// Who acted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// The holder of an account who is signed in or has just proven who they are.
    Account(i64),
    /// An operator on the command line.
    CommandLine,
    /// Somebody unknown: a wrong password, a link that was asked for.
    Unknown,
}

/// An event to be recorded.
#[derive(Debug, Clone, Copy)]
pub struct NewEvent<'e> {
    /// What happened.
    pub kind: EventKind,
    /// The account that it is about; nothing for one that is deleted.
    pub account: Option<i64>,
    /// Who acted.
    pub actor: Actor,
    /// Where it came from.
    pub source: &'e Source,
}

impl<'e> NewEvent<'e> {
    /// What the holder of an account did to it.
    pub fn own(kind: EventKind, user_id: i64, source: &'e Source) -> Self {
        Self { kind, account: Some(user_id), actor: Actor::Account(user_id), source }
    }

    /// What somebody unknown did to an account.
    pub fn unknown(kind: EventKind, user_id: i64, source: &'e Source) -> Self {
        Self { kind, account: Some(user_id), actor: Actor::Unknown, source }
    }

    /// What an operator did to an account.
    pub fn operator(kind: EventKind, operator_id: i64, user_id: i64, source: &'e Source) -> Self {
        Self { kind, account: Some(user_id), actor: Actor::Account(operator_id), source }
    }
}

/// A security event, as the account's owner and operators see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = SecurityEvent)]
pub struct Event {
    /// RFC 3339, UTC.
    pub at: String,
    /// The e-mail address of who acted, or "command line"; null for somebody unknown.
    #[schema(required)]
    pub actor: Option<String>,
    /// What happened.
    pub what: EventKind,
    /// The e-mail address of the account that it is about; null for an account that is deleted.
    #[schema(required)]
    pub whom: Option<String>,
    /// The network of the request, an IPv4 /24 or an IPv6 /48; null for the command line.
    #[schema(required)]
    pub address: Option<String>,
    /// Browser and system, for example "Firefox on Windows"; null for the command line.
    #[schema(required)]
    pub device: Option<String>,
}

/// A page of events, the newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = SecurityEventList)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// The events, the newest first.
    pub data: Vec<Event>,
    /// Asks for the next page; null on the last.
    #[schema(required)]
    pub next_cursor: Option<String>,
}

/// Which page of events is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    /// The last event of the page before.
    pub cursor: Option<i64>,
    /// Events of the page, 1 to 200.
    pub limit: usize,
}

impl PageRequest {
    /// Reads `cursor` and `limit` of a query; an absent or empty one takes its default.
    ///
    /// # Errors
    /// One sentence for each key with a value that can't be read.
    pub fn read<'q>(get: impl Fn(&str) -> Option<&'q str>) -> Result<Self, FieldErrors> {
        let mut errors = FieldErrors::new();
        let get = |key: &str| get(key).map(str::trim).filter(|text| !text.is_empty());
        let cursor = get("cursor").map(str::parse::<i64>);
        if matches!(cursor, Some(Err(_))) {
            errors.add("cursor", "The cursor is the nextCursor of the page before.");
        }
        let limit = get("limit").map_or(Ok(PAGE), str::parse);
        if !limit.as_ref().is_ok_and(|limit| (1..=LARGEST_PAGE).contains(limit)) {
            errors.add("limit", "The limit is a whole number from 1 to 200.");
        }
        match (cursor.transpose(), limit) {
            (Ok(cursor), Ok(limit)) if errors.is_empty() => Ok(Self { cursor, limit }),
            _ => Err(errors),
        }
    }
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

    #[test]
    fn a_page_has_one_to_two_hundred_events_and_fifty_by_default() {
        let read = |query: &[(&str, &'static str)]| {
            let found: Vec<(String, &'static str)> =
                query.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect();
            PageRequest::read(move |key| found.iter().find(|(known, _)| known == key).map(|(_, value)| *value))
        };
        assert_eq!(read(&[]), Ok(PageRequest { cursor: None, limit: 50 }));
        assert_eq!(read(&[("cursor", "7"), ("limit", "200")]), Ok(PageRequest { cursor: Some(7), limit: 200 }));
        for wrong in ["0", "201", "-1", "many"] {
            assert!(read(&[("limit", wrong)]).unwrap_err().get("limit").is_some(), "{wrong}");
        }
        assert!(read(&[("cursor", "x")]).unwrap_err().get("cursor").is_some());
    }
}
