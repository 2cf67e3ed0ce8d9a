//! Plans and payment: which plan somebody has, where it comes from, what it allows, and how it is paid.
//!
//! Tables: `subscriptions`, `orders`, `stripe_events`; `users.stripe_customer_id`. The view `paid_plans` says what counts now,
//! and `paid_teams` which teams are paid for. Doors: `library` for the number of books, `teams` for what a payment makes and its
//! seats. [`provider`] is the way to Stripe, [`calls`] what it is asked, [`answers`] what is read of what it says, [`contract`]
//! what that means; [`sync`] keeps up with it.
mod answers;
mod calls;
mod cancel;
pub mod check;
mod checkout;
pub mod contract;
#[cfg(any(test, fuzzing))]
pub mod hostile;
mod http;
pub mod model;
mod order;
pub mod provider;
mod seats;
pub mod store;
pub mod sync;
mod webhook;

pub use http::routes;
