//! The requests to the payment provider, typed by its library.
use std::collections::HashMap;
use std::result::Result;

use stripe_billing::billing_portal_session::CreateBillingPortalSession;
use stripe_billing::subscription::{
    CancelSubscription, ListSubscription, RetrieveSubscription, UpdateSubscription, UpdateSubscriptionItems,
    UpdateSubscriptionPaymentBehavior, UpdateSubscriptionProrationBehavior,
};
use stripe_checkout::CheckoutSessionMode;
use stripe_checkout::checkout_session::{
    CreateCheckoutSession, CreateCheckoutSessionLineItems, CreateCheckoutSessionSubscriptionData,
    ExpireCheckoutSession, RetrieveCheckoutSession,
};
use stripe_client_core::{IdempotencyKey, RequestBuilder, RequestStrategy, StripeMethod, StripeRequest as _};
use stripe_core::customer::CreateCustomer;

use super::order::Order;
use super::provider::{Stripe, StripeFailure};
use crate::access::{BillingInterval, Plan};
use crate::billing::responses::{Anything, Customer, Portal, Session, Subscription};
use crate::billing::subscription_state::{INTERVAL_NOTE, PLAN_NOTE, SubscriptionState};
use crate::kit::id::UserId;

/// An idempotency key: the provider answers a repeated key as before and does nothing.
fn once(key: &str) -> RequestStrategy {
    IdempotencyKey::new(key).map_or(RequestStrategy::Once, RequestStrategy::Idempotent)
}

fn notes(plan: Plan, interval: BillingInterval) -> HashMap<String, String> {
    HashMap::from([(PLAN_NOTE.into(), plan.name().into()), (INTERVAL_NOTE.into(), interval.name().into())])
}

/// The new state of a subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubscriptionChange<'a> {
    pub plan: Plan,
    pub interval: BillingInterval,
    /// The price that replaces the plan's price; `None` keeps it.
    pub price: Option<&'a str>,
    /// Seats beyond those of the plan.
    pub seats: u32,
    /// The price of one seat; `None` keeps it.
    pub seat_price: Option<&'a str>,
}

impl Stripe {
    /// Creates a customer. Returns its id.
    pub async fn create_customer(&self, email: &str, user_id: UserId, key: &str) -> Result<String, StripeFailure> {
        let whose = HashMap::from([("shelfwise_user".to_owned(), user_id.to_string())]);
        let request = CreateCustomer::new().email(email).metadata(whose).build();
        let made = request.customize::<Customer>().request_strategy(once(key)).send(self).await?;
        Ok(made.id)
    }

    /// Opens the provider's page for an order: prices with their quantities.
    pub async fn open_session(
        &self,
        customer: &str,
        user_id: UserId,
        order: &Order,
        lines: &[(&str, u32)],
        key: &str,
    ) -> Result<Session, StripeFailure> {
        let line = |&(price, quantity): &(&str, u32)| {
            let mut line = CreateCheckoutSessionLineItems::new();
            (line.price, line.quantity) = (Some(price.to_owned()), Some(quantity.into()));
            line
        };
        let mut bought = CreateCheckoutSessionSubscriptionData::new();
        bought.metadata = Some(notes(order.plan, order.interval));
        let request = CreateCheckoutSession::new()
            .mode(CheckoutSessionMode::Subscription)
            .customer(customer)
            .client_reference_id(user_id.to_string())
            .line_items(lines.iter().map(line).collect::<Vec<_>>())
            .subscription_data(bought)
            .success_url(order.success_url.as_str())
            .cancel_url(order.cancel_url.as_str())
            .build();
        request.customize().request_strategy(once(key)).send(self).await
    }

    pub async fn session(&self, id: &str) -> Result<Session, StripeFailure> {
        RetrieveCheckoutSession::new(id).build().customize().send(self).await
    }

    /// Closes an unfinished checkout session.
    pub async fn expire_session(&self, id: &str) -> Result<(), StripeFailure> {
        ExpireCheckoutSession::new(id).build().customize::<Anything>().send(self).await?;
        Ok(())
    }

    pub async fn subscription(&self, id: &str) -> Result<Subscription, StripeFailure> {
        RetrieveSubscription::new(id).build().customize().send(self).await
    }

    /// Changes a subscription. The difference is charged at once, and if the charge fails nothing changes. A cancelled
    /// subscription continues if the plan changes, and still ends if only the seats change.
    pub async fn change(
        &self,
        from: &SubscriptionState,
        to: &SubscriptionChange<'_>,
        key: &str,
    ) -> Result<Subscription, StripeFailure> {
        let mut items = Vec::new();
        if let Some(price) = to.price {
            let mut line = UpdateSubscriptionItems::new();
            (line.id, line.price, line.quantity) = (Some(from.plan_item.clone()), Some(price.to_owned()), Some(1));
            items.push(line);
        }
        if from.seat_item.is_some() || to.seats > 0 {
            let mut line = UpdateSubscriptionItems::new();
            line.id.clone_from(&from.seat_item);
            if to.seats > 0 {
                (line.price, line.quantity) = (to.seat_price.map(str::to_owned), Some(to.seats.into()));
            } else {
                line.deleted = Some(true);
            }
            items.push(line);
        }
        let mut request = UpdateSubscription::new(from.stripe_id.as_str())
            .items(items)
            .metadata(notes(to.plan, to.interval))
            .proration_behavior(UpdateSubscriptionProrationBehavior::AlwaysInvoice)
            .payment_behavior(UpdateSubscriptionPaymentBehavior::ErrorIfIncomplete);
        if from.ends_at.is_some() && to.price.is_some() {
            request = request.cancel_at_period_end(false);
        }
        request.build().customize().request_strategy(once(key)).send(self).await
    }

    /// Ends a subscription at the end of its period.
    pub async fn end_with_period(&self, id: &str, key: &str) -> Result<Subscription, StripeFailure> {
        let request = UpdateSubscription::new(id).cancel_at_period_end(true).build();
        request.customize().request_strategy(once(key)).send(self).await
    }

    /// Ends a subscription now. For a replaced subscription the unused time is credited to the customer.
    pub async fn end_now(&self, id: &str, replaced: bool) -> Result<Subscription, StripeFailure> {
        let request = CancelSubscription::new(id);
        let request = if replaced { request.prorate(true).invoice_now(true) } else { request };
        request.build().customize().send(self).await
    }

    /// Opens the provider's pages for cards and invoices.
    pub async fn portal(&self, customer: &str, return_url: &str, key: &str) -> Result<String, StripeFailure> {
        let request = CreateBillingPortalSession::new().customer(customer).return_url(return_url).build();
        let opened = request.customize::<Portal>().request_strategy(once(key)).send(self).await?;
        Ok(opened.url)
    }

    /// Checks that the provider answers and accepts the key for the calls that we need.
    pub async fn look(&self) -> Result<(), StripeFailure> {
        ListSubscription::new().limit(1).build().customize::<Anything>().send(self).await?;
        Ok(())
    }

    /// Checks that the provider knows a price.
    pub async fn look_for_price(&self, id: &str) -> Result<(), StripeFailure> {
        let request = RequestBuilder::new(StripeMethod::Get, format!("/prices/{id}"));
        request.customize::<Anything>().send(self).await?;
        Ok(())
    }
}
