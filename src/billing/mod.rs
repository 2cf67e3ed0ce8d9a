//! Plans and payment: a person's plan, where it comes from, its limits, and its payment.
//!
//! Tables: `subscriptions`, `orders`, `stripe_events`; `users.stripe_customer_id`. The view `paid_plans` has the plans in force,
//! and `paid_teams` the teams that are paid for. Uses `library` for the number of books, and `teams` for seats and for the team
//! that a payment creates. What a plan includes is in `access/plan.rs`. [`provider`] is the connection to Stripe, [`requests`] the requests to it, [`responses`] the data read
//! from its responses, [`subscription_state`] the meaning of that data; [`sync`] keeps the database up to date.
mod cancel;
pub mod check;
mod checkout;
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
