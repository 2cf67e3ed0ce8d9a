//! What an API token may do in its owner's place (docs/rules.md, "API tokens").
use axum::http::Method;
use serde::{Deserialize, Serialize};

use crate::kit::error::{Error, Result};
use crate::kit::http::csrf::is_safe;

/// What a token was made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TokenAccess {
    /// Reading alone.
    Read,
    /// Everything that a token may do.
    ReadWrite,
}

/// Routes, with all below them, that ask for somebody who has signed in. Somebody who finds a token gets no other way in by it,
/// spends no money, and changes nobody's place in a team.
const SESSION_ONLY: [&str; 9] = [
    "/api/account",
    "/api/admin",
    "/api/auth",
    "/api/invitations",
    "/api/subscriptions",
    "/api/teams/invitations",
    "/api/teams/invite",
    "/api/teams/members",
    "/api/teams/seats",
];
/// What a token may read there nevertheless: who it stands for, and the export, for backups by cron.
const READABLE: [&str; 2] = ["/api/account/export", "/api/auth/me"];

impl TokenAccess {
    /// Every kind.
    pub const ALL: [Self; 2] = [Self::Read, Self::ReadWrite];

    /// The contract name, in the database as well.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::ReadWrite => "read-write",
        }
    }

    /// The kind of a contract name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|access| access.name() == name)
    }

    /// Refuses what no token may do, and writing by one that was made for reading.
    ///
    /// # Errors
    /// 403 `session_required` or `read_only_token`.
    pub fn admit(self, method: &Method, route: &str) -> Result<()> {
        let within = |areas: &[&str]| {
            areas
                .iter()
                .any(|area| route.strip_prefix(area).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
        };
        if within(&SESSION_ONLY) && !(is_safe(method) && within(&READABLE)) {
            return Err(Error::forbidden("session_required", "No API token may do this. Please sign in."));
        }
        if self == Self::Read && !is_safe(method) {
            return Err(Error::forbidden("read_only_token", "This API token was made for reading alone."));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_reads_writes_if_it_may_and_leaves_alone_what_asks_for_a_session() {
        let answer = |access: TokenAccess, method: Method, route: &str| match access.admit(&method, route) {
            Ok(()) => "yes".to_owned(),
            Err(refusal) => refusal.code().to_owned(),
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
