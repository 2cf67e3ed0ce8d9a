//! Starts a payment: one customer and one subscription per account, one checkout page at a time.
use chrono::{DateTime, Utc};
use sha2::{Digest as _, Sha256};

use super::model::BillingRefusal;
use super::order::Order;
use super::provider::{Stripe, StripeFailure};
use super::store::{self, ActiveSubscription, Buyer, PendingCheckout};
use super::sync::{apply, sync};
use crate::access::Plan;
use crate::billing::requests::SubscriptionChange;
use crate::billing::subscription_state::{self, SubscriptionState};
use crate::kit::db::pool::Db;
use crate::kit::http::session::Token;
use crate::kit::id::UserId;
use crate::kit::{App, Error, Result};
use crate::teams::model::TeamRole;
use crate::teams::store as teams;

/// How often stored data may turn out to be outdated before a checkout fails.
const ROUNDS: usize = 4;

/// The stored state of a person who wants to buy.
struct BuyerState {
    running: Option<ActiveSubscription>,
    begun: Option<PendingCheckout>,
    buyer: Buyer,
    /// Add-on seats that the members of the person's team need under the ordered plan.
    seats: u32,
}

async fn buyer_state(db: &Db, user_id: UserId, order: &Order) -> Result<BuyerState> {
    let (now, plan, interval) = (db.now(), order.plan, order.interval);
    db.read(move |conn| {
        let own = teams::membership(conn, user_id)?;
        if own.as_ref().is_some_and(|own| own.role != TeamRole::Owner) {
            return Err(BillingRefusal::InATeam.into());
        }
        let team = own.filter(|_| plan == Plan::ShelfwiseTeam);
        let usage = team.map(|team| teams::seats(conn, team.team_id, now)).transpose()?;
        Ok(BuyerState {
            running: store::running(conn, user_id)?,
            begun: store::order(conn, user_id, now)?,
            buyer: store::buyer(conn, user_id)?,
            seats: usage.map_or(0, |usage| usage.needed_beyond(interval)),
        })
    })
    .await
}

/// Starts a payment. Returns where the browser goes. A person with a subscription gets that subscription changed, never a second
/// one.
///
/// # Errors
/// [`BillingRefusal`], but for those of teams and of cancelling.
pub async fn check_out(app: &App, stripe: &Stripe, user_id: UserId, order: &Order) -> Result<String> {
    let price =
        subscription_state::price(stripe.prices(), order.plan, order.interval).ok_or(BillingRefusal::NotConfigured)?;
    let _turn = stripe.turn(&app.user_locks, user_id).await?;
    let db = &app.db;
    for _ in 0..ROUNDS {
        let BuyerState { running, begun, buyer, seats } = buyer_state(db, user_id, order).await?;
        if let Some(running) = running {
            if (running.plan, running.interval) == (order.plan, order.interval) {
                return Err(BillingRefusal::AlreadySubscribed.into());
            }
            match sync(db, stripe, user_id, &running.stripe_id, None).await? {
                Some(state) if pays_otherwise(&state, order, db.now()) => {
                    change(db, stripe, user_id, &state, order, price, seats).await?;
                    return Ok(order.success_url.clone());
                }
                _ => continue,
            }
        }
        if let Some(begun) = begun.filter(|begun| begun.session.is_some()) {
            match go_on(db, stripe, user_id, begun, order).await? {
                Some(url) => return Ok(url),
                None => continue,
            }
        }
        match open(db, stripe, user_id, buyer, order, price, seats).await? {
            Some(url) => return Ok(url),
            None => continue,
        }
    }
    Err(BillingRefusal::Unavailable.into())
}

fn pays_otherwise(state: &SubscriptionState, order: &Order, now: DateTime<Utc>) -> bool {
    state.counts_until().is_some_and(|until| until > now)
        && (state.plan, state.interval) != (order.plan, order.interval)
}

/// Changes the running subscription to the ordered plan. The price was shown without seats, so none are added.
async fn change(
    db: &Db,
    stripe: &Stripe,
    user_id: UserId,
    from: &SubscriptionState,
    order: &Order,
    price: &str,
    needed: u32,
) -> Result<()> {
    let seats = if order.plan == Plan::ShelfwiseTeam { from.addon_seats } else { 0 };
    if needed > seats {
        return Err(BillingRefusal::SeatsInUse { missing: needed - seats }.into());
    }
    let seat_price = subscription_state::seat_price(stripe.prices(), order.interval);
    if seats > 0 && seat_price.is_none() {
        return Err(BillingRefusal::NotConfigured.into());
    }
    let to = SubscriptionChange { plan: order.plan, interval: order.interval, price: Some(price), seats, seat_price };
    let key = begin(db, user_id, order).await?;
    match stripe.change(from, &to, &key).await {
        Ok(state) => apply(db, stripe, user_id, &from.stripe_id, Some(state), None).await.map(|_| ()),
        Err(failure) => Err(abandon(db, user_id, failure).await?),
    }
}

/// Resumes an open checkout page: the same order continues there, another order closes it. `None` when it is over.
async fn go_on(
    db: &Db,
    stripe: &Stripe,
    user_id: UserId,
    begun: PendingCheckout,
    order: &Order,
) -> Result<Option<String>> {
    let id = begun.session.unwrap_or_default();
    let state = match stripe.session(&id).await {
        Ok(state) => Some(state),
        Err(failure) if failure.is_missing() => None,
        Err(failure) => return Err(failure.into()),
    };
    if let Some(state) = state {
        if let Some(bought) = state.subscription {
            sync(db, stripe, user_id, &bought, None).await?;
        } else if state.status.as_deref() == Some("open") {
            if begun.order == *order
                && let Some(url) = state.url
            {
                return Ok(Some(url));
            }
            match stripe.expire_session(&id).await {
                Ok(()) => {}
                // The person has paid there at this moment.
                Err(failure) if failure.is_final() => return Err(BillingRefusal::Unavailable.into()),
                Err(failure) => return Err(failure.into()),
            }
        }
    }
    db.write(move |tx| store::forget_order(tx, user_id)).await?;
    Ok(None)
}

/// Opens a checkout page with the seats that the team's members need; the page shows them before payment. `None` when the
/// provider no longer knows the customer.
async fn open(
    db: &Db,
    stripe: &Stripe,
    user_id: UserId,
    buyer: Buyer,
    order: &Order,
    price: &str,
    seats: u32,
) -> Result<Option<String>> {
    let mut lines = vec![(price, 1)];
    if seats > 0 {
        lines.push((
            subscription_state::seat_price(stripe.prices(), order.interval).ok_or(BillingRefusal::NotConfigured)?,
            seats,
        ));
    }
    let customer = match buyer.customer {
        Some(customer) => customer,
        None => {
            let made = stripe.create_customer(&buyer.email, user_id, &customer_key(user_id, &buyer)).await?;
            let kept = made.clone();
            db.write(move |tx| store::set_customer(tx, user_id, Some(&kept))).await?;
            made
        }
    };
    let key = begin(db, user_id, order).await?;
    let opened = match stripe.open_session(&customer, user_id, order, &lines, &key).await {
        Ok(opened) => opened,
        Err(failure) => {
            let unknown = failure.is_missing_customer();
            let error = abandon(db, user_id, failure).await?;
            if !unknown {
                return Err(error);
            }
            db.write(move |tx| store::set_customer(tx, user_id, None)).await?;
            return Ok(None);
        }
    };
    db.write(move |tx| store::set_session(tx, user_id, &opened.id)).await?;
    opened.url.map(Some).ok_or_else(|| BillingRefusal::Unavailable.into())
}

async fn begin(db: &Db, user_id: UserId, order: &Order) -> Result<String> {
    let (order, fresh) = (order.clone(), Token::new()?.text());
    db.write(move |tx| store::begin_order(tx, user_id, &order, fresh)).await
}

/// An order that the provider refused is replaced by a new one the next time; an order without an answer continues under its key.
async fn abandon(db: &Db, user_id: UserId, failure: StripeFailure) -> Result<Error> {
    if failure.is_final() {
        db.write(move |tx| store::forget_order(tx, user_id)).await?;
    }
    Ok(failure.into())
}

/// The same key for every attempt to create the same customer, and never another's, so that the provider returns the customer it
/// has created.
fn customer_key(user_id: UserId, buyer: &Buyer) -> String {
    let who = format!("customer\n{user_id}\n{}\n{}", buyer.created_at, buyer.email);
    hex::encode(Sha256::digest(who))
}
