//! Plans and payment: which plan somebody has, where it comes from, what it allows, and how it is paid.
//!
//! Tables: `subscriptions`, `orders`, `stripe_events`; `users.stripe_customer_id`. The view `paid_plans` says what counts now,
//! and `paid_teams` which teams are paid for. Doors: `library` for the number of books, `teams` for what a payment makes and its
//! seats. [`provider`] is the way to Stripe, [`requests`] what it is asked, [`responses`] what is read of what it says, [`subscription_state`]
//! what that means; [`sync`] keeps up with it.
mod cancel;
pub mod check;
mod checkout;
#[cfg(any(test, fuzzing))]
pub mod fuzz_checks;
mod http;
pub mod model;
mod order;
pub mod provider;
mod requests;
mod responses;
mod seats;
pub mod store;
pub mod subscription_state;
pub mod sync;
mod webhook;

pub use http::routes;
