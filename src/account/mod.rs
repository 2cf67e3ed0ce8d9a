//! Accounts: sign-up, sign-in, sign-out, and everything that people do with their own account.
//!
//! Tables: `users` (rows are created here), `password_resets`, `api_tokens`, `identities`, `events`, `setup_code`, and `sessions` and
//! `known_devices` through `kit`. Uses `preferences` for the theme and time zone of a new account, `library`, `reading` and `sharing` for
//! exporting and erasing a reader's data, and `teams`, whose invitations allow sign-ups and whose owners can't simply delete their
//! account.
pub mod device;
pub mod emails;
pub mod events;
mod hasher;
mod http;
mod logout;
pub mod model;
pub mod own;
pub mod password;
pub mod reset;
pub mod setup;
pub mod social;
pub mod store;
pub mod tokens;
pub mod trusted_header;
pub mod user_list;

pub use own::PARTS;
pub use social::Social;
use utoipa_axum::router::OpenApiRouter;

use crate::kit::App;

/// The routes of this module.
pub fn routes(social: &Social) -> OpenApiRouter<App> {
    http::routes()
        .merge(logout::routes(social))
        .merge(events::routes())
        .merge(own::routes())
        .merge(reset::routes())
        .merge(setup::routes())
        .merge(tokens::routes())
        .merge(social::routes(social))
}
