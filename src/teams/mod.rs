//! Teams: who reads together, in which role, on how many seats, and who is invited.
//!
//! Tables: `teams`, `members`, `invitations`; `users` is read for names and addresses, and `share_with_team` of `preferences` is
//! set anew with each team. The view `paid_teams` alone says which
//! teams are paid for. Doors: none. What a team reads together is counted above, in the statistics.
mod http;
pub mod invitations;
pub mod model;
pub mod store;

pub use http::{needs_role, require_manager, routes};
