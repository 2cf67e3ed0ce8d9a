//! Teams: members, roles, seats and invitations.
//!
//! Tables: `teams`, `members`, `invitations`, `server_invitations`; `users` is read for names and addresses, and `share_with_team` of
//! `preferences` is set with each new team. Only the view `paid_teams` says which teams are paid for. The statistics of teams are in `statistics`.
mod http;
pub mod invitations;
pub mod member_view;
pub mod model;
pub mod store;

use utoipa_axum::router::OpenApiRouter;

pub use http::{needs_role, require_manager};

use crate::kit::App;

/// The routes of this module.
pub fn routes() -> OpenApiRouter<App> {
    http::routes().merge(invitations::routes())
}
