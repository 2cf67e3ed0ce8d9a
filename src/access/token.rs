//! The permissions of API tokens (docs/rules.md, "API tokens").
use axum::http::Method;

use crate::kit::error::{Error, Result};
use crate::kit::error_code::ErrorCode;
use crate::kit::http::csrf::is_safe;
use crate::kit::named::named;

named! {
    /// What a token may do.
    TokenAccess {
        /// Only read.
        Read = "read",
        /// Read and write, as far as tokens may.
        ReadWrite = "read-write",
    }
}

/// Route prefixes that require a session. A person who finds a token can't use it to sign in, spend money, or change anybody's
/// place in a team, or make a link or a login that outlives the token.
const SESSION_ONLY: [&str; 12] = [
    "/api/account", "/api/admin", "/api/auth", "/api/devices", "/api/invitations", "/api/shares", "/api/sources",
    "/api/subscriptions", "/api/teams/invitations", "/api/teams/invite", "/api/teams/members", "/api/teams/seats",
];
/// Exceptions that a token may read: its owner's account, and the export, for backups by cron.
const READABLE: [&str; 2] = ["/api/account/export", "/api/auth/me"];

impl TokenAccess {
    /// Refuses requests that no token may make, and writes with a read-only token.
    pub fn admit(self, method: &Method, route: &str) -> Result<()> {
        let within = |areas: &[&str]| {
            areas
                .iter()
                .any(|area| route.strip_prefix(area).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
        };
        if within(&SESSION_ONLY) && !(is_safe(method) && within(&READABLE)) {
            return Err(session_required());
        }
        if self == Self::Read && !is_safe(method) {
            return Err(Error::refused(ErrorCode::ReadOnlyToken, "This API token can only read."));
        }
        Ok(())
    }
}

/// The refusal of what no token may do.
pub fn session_required() -> Error {
    Error::refused(ErrorCode::SessionRequired, "API tokens can't do this. Please log in.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_reads_writes_if_it_may_and_leaves_alone_what_asks_for_a_session() {
        let answer = |access: TokenAccess, method: Method, route: &str| match access.admit(&method, route) {
            Ok(()) => "yes".to_owned(),
            Err(refusal) => refusal.code().word().to_owned(),
        };
        for (method, route, read, write) in [
            (Method::GET, "/api/books", "yes", "yes"),
            (Method::HEAD, "/api/books", "yes", "yes"),
            (Method::POST, "/api/books", "read_only_token", "yes"),
            (Method::GET, "/api/account/export", "yes", "yes"),
            (Method::GET, "/api/account/export/books.csv", "yes", "yes"),
            (Method::GET, "/api/account/exports", "session_required", "session_required"),
            (Method::GET, "/api/accounting", "yes", "yes"),
            (Method::DELETE, "/api/account/data", "session_required", "session_required"),
            (Method::GET, "/api/account/tokens", "session_required", "session_required"),
            (Method::GET, "/api/auth/me", "yes", "yes"),
            (Method::GET, "/api/auth/sessions", "session_required", "session_required"),
            (Method::GET, "/api/admin/users", "session_required", "session_required"),
            (Method::GET, "/api/shares", "session_required", "session_required"),
            (Method::POST, "/api/shares/{id}/renew", "session_required", "session_required"),
            (Method::POST, "/api/subscriptions/cancel", "session_required", "session_required"),
            (Method::PATCH, "/api/teams/seats", "session_required", "session_required"),
            (Method::PATCH, "/api/teams/current", "read_only_token", "yes"),
            (Method::GET, "/api/teams/current", "yes", "yes"),
            (Method::PATCH, "/api/teams/members/{userId}/role", "session_required", "session_required"),
            (Method::DELETE, "/api/teams/members/{userId}", "session_required", "session_required"),
            (Method::POST, "/api/teams/invite", "session_required", "session_required"),
            (Method::DELETE, "/api/teams/invitations/{id}", "session_required", "session_required"),
            (Method::POST, "/api/invitations/{token}/accept", "session_required", "session_required"),
            (Method::POST, "/api/invitations/{token}/decline", "session_required", "session_required"),
        ] {
            let answers = TokenAccess::ALL.map(|access| answer(access, method.clone(), route));
            assert_eq!(answers, [read, write], "{method} {route}");
        }
    }
}
