//! Keeps subscriptions in step with the provider. A webhook is only a hint: the state is always requested. So it does not matter
//! whether webhooks arrive in order, twice or never.
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::model::BillingRefusal;
use super::provider::Stripe;
use super::store::{self, ActiveSubscription, PaymentLinks, PendingCheckout};
use crate::billing::responses::Subscription;
use crate::billing::subscription_state::SubscriptionState;
use crate::kit::db::pool::Db;
use crate::kit::id::UserId;
use crate::kit::timestamp::Timestamp;
use crate::kit::{App, Error, ErrorCode, Result};

/// How often all due subscriptions are checked.
const ROUND: Duration = Duration::from_secs(60 * 60);
/// After a failure the next round starts after this time.
const AGAIN: Duration = Duration::from_secs(10 * 60);

/// Requests the state of a subscription and stores it, together with the event that reported it. The caller holds the user's
/// lock, so that an older response never replaces a newer one.
pub async fn sync(
    db: &Db,
    stripe: &Stripe,
    user_id: UserId,
    id: &str,
    event: Option<&str>,
) -> Result<Option<SubscriptionState>> {
    let state = match stripe.subscription(id).await {
        Ok(state) => Some(state),
        Err(failure) if failure.is_missing() => None,
        Err(failure) => return Err(failure.into()),
    };
    apply(db, stripe, user_id, id, state, event).await
}

/// Stores the state of a subscription. Nothing changes when the provider does not know it, when it is not one of our plans, or
/// when it belongs to another account. An event that was processed before has no effect.
pub async fn apply(
    db: &Db,
    stripe: &Stripe,
    user_id: UserId,
    id: &str,
    state: Option<Subscription>,
    event: Option<&str>,
) -> Result<Option<SubscriptionState>> {
    let missing = state.is_none();
    let contract = state.and_then(|state| SubscriptionState::read(state, stripe.prices()));
    let (id, event) = (id.to_owned(), event.map(str::to_owned));
    db.write(move |tx| {
        if let Some(event) = event
            && !store::note_event(tx, &event)?
        {
            return Ok(None);
        }
        let customer = store::buyer(tx, user_id)?.customer;
        match contract.filter(|contract| customer.as_deref() == Some(contract.customer.as_str())) {
            Some(contract) => {
                store::save(tx, user_id, &contract)?;
                store::apply_payment(tx, user_id, &contract)?;
                Ok(Some(contract))
            }
            None if missing => store::mark_missing(tx, &id).map(|()| None),
            None => store::mark_unknown(tx, &id).map(|()| None),
        }
    })
    .await
}

/// Requests the state of a user's checkout and stores the outcome. The caller holds the user's lock.
pub async fn look_at_order(db: &Db, stripe: &Stripe, user_id: UserId) -> Result<()> {
    let begun = db.write(move |tx| {
        store::asked_for_order(tx, user_id)?;
        store::order_since(tx, user_id, tx.now() - store::ORDER_VALID_FOR * 2)
    });
    let Some(session) = begun.await?.and_then(|begun| begun.session) else { return Ok(()) };
    let over = match stripe.session(&session).await {
        Ok(state) => match state.subscription {
            Some(id) => return sync(db, stripe, user_id, &id, None).await.map(|_| ()),
            None => state.status.as_deref() == Some("expired"),
        },
        Err(failure) if failure.is_missing() => true,
        Err(failure) => return Err(failure.into()),
    };
    if over { db.write(move |tx| store::forget_order(tx, user_id)).await } else { Ok(()) }
}

/// Ends replaced subscriptions at the provider.
///
/// # Errors
/// The provider or the database failed; the next round tries again.
pub async fn end_replaced(app: &App) -> Result<()> {
    let mut all = All::default();
    for (user_id, id) in app.db.read(store::replaced).await? {
        all.record(end_for_another(app, user_id, &id).await)?;
    }
    all.done()
}

/// The same in the background, so that the current request need not wait.
pub fn end_replaced_soon(app: &App) {
    let app = app.clone();
    tokio::spawn(async move {
        if let Err(cause) = end_replaced(&app).await {
            tracing::warn!(%cause, "ending a replaced subscription failed; it will be retried");
        }
    });
}

async fn end_for_another(app: &App, user_id: UserId, id: &str) -> Result<()> {
    let stripe = Stripe::of(app)?;
    let _turn = stripe.turn(&app.user_locks, user_id).await?;
    // Another task may have ended it while this one waited.
    if !app.db.read(store::replaced).await?.iter().any(|(_, left)| left == id) {
        return Ok(());
    }
    match stripe.end_now(id, true).await {
        Ok(state) => apply(&app.db, &stripe, user_id, id, Some(state), None).await?,
        // It may have ended by itself.
        Err(failure) if failure.is_final() => sync(&app.db, &stripe, user_id, id, None).await?,
        Err(failure) => return Err(failure.into()),
    };
    Ok(())
}

/// The outcome of a round: one failure does not stop it, unless the provider is down.
#[derive(Default)]
struct All {
    first: Option<Error>,
    unanswered: usize,
}

/// After this many consecutive failures the provider counts as down. A single subscription that always fails must not stop the
/// round for the others.
const AWAY: usize = 3;

impl All {
    fn record(&mut self, one: Result<()>) -> Result<()> {
        let Err(failure) = one else {
            self.unanswered = 0;
            return Ok(());
        };
        self.unanswered = if Self::is_away(&failure) { self.unanswered + 1 } else { 0 };
        if self.unanswered == AWAY {
            return Err(failure);
        }
        self.first.get_or_insert(failure);
        Ok(())
    }

    /// Whether the failure says that the provider, or our own database, can't be reached.
    fn is_away(failure: &Error) -> bool {
        use ErrorCode::{BillingNotConfigured, BillingUnavailable, Stopping, StorageUnavailable};
        matches!(failure.code(), BillingNotConfigured | BillingUnavailable | Stopping | StorageUnavailable)
    }

    /// The first failure.
    fn done(self) -> Result<()> {
        self.first.map_or(Ok(()), Err)
    }
}

/// One round: checks every due subscription and every open checkout.
pub async fn reconcile(app: &App) -> Result<()> {
    let mut all = All::default();
    all.record(end_replaced(app).await)?;
    let now = app.now();
    for (user_id, id) in app.db.read(move |conn| store::due(conn, now)).await? {
        all.record(compare(app, user_id, Some(&id)).await)?;
    }
    for user_id in app.db.read(store::ordering).await? {
        all.record(compare(app, user_id, None).await)?;
    }
    all.record(end_replaced(app).await)?;
    app.db.write(store::forget_old).await?;
    all.done()
}

/// Checks one subscription, or otherwise the open checkout.
async fn compare(app: &App, user_id: UserId, id: Option<&str>) -> Result<()> {
    let stripe = Stripe::of(app)?;
    let _turn = stripe.turn(&app.user_locks, user_id).await?;
    match id {
        Some(id) => sync(&app.db, &stripe, user_id, id, None).await.map(|_| ()),
        None => look_at_order(&app.db, &stripe, user_id).await,
    }
}

/// Runs rounds, the first at once, until it is dropped. Does nothing without a payment provider.
pub async fn keep_up(app: App) {
    while app.config.stripe.is_on() {
        let rest = match reconcile(&app).await {
            Ok(()) => ROUND,
            Err(cause) => {
                tracing::warn!(%cause, "synchronising payments with the provider failed");
                AGAIN
            }
        };
        tokio::time::sleep(rest).await;
    }
}

/// What may have changed without news: a subscription, and whether the checkout.
fn outdated(
    running: Option<&ActiveSubscription>,
    begun: Option<&PendingCheckout>,
    now: DateTime<Utc>,
) -> (Option<String>, bool) {
    let since = |at: Timestamp| now - at.utc();
    let renewed = running
        .filter(|running| {
            since(running.period_end) >= TimeDelta::zero() && since(running.asked_at) > TimeDelta::minutes(1)
        })
        .map(|running| running.stripe_id.clone());
    // A page that stays open is checked less and less often.
    let paid = begun.is_some_and(|begun| {
        begun.session.is_some() && since(begun.asked_at) > (since(begun.created_at) / 10).max(TimeDelta::seconds(3))
    });
    (renewed, paid)
}

/// Called when somebody looks at their plan: checks in the background whatever may have changed; the result shows the next time.
pub fn refresh_in_background(
    app: &App,
    user_id: UserId,
    running: Option<&ActiveSubscription>,
    begun: Option<&PendingCheckout>,
    now: DateTime<Utc>,
) {
    let (renewed, paid) = outdated(running, begun, now);
    if !app.config.stripe.is_on() || (renewed.is_none() && !paid) {
        return;
    }
    let app = app.clone();
    tokio::spawn(async move {
        if let Err(cause) = ask(&app, user_id).await {
            tracing::warn!(%cause, "synchronising an account's payments failed");
        }
    });
}

async fn ask(app: &App, user_id: UserId) -> Result<()> {
    let stripe = Stripe::of(app)?;
    {
        let _turn = stripe.turn(&app.user_locks, user_id).await?;
        // Two simultaneous looks cause one check: the other one may have run while this one waited.
        let now = app.now();
        let found = app.db.read(move |conn| Ok((store::running(conn, user_id)?, store::order(conn, user_id, now)?)));
        let (running, begun) = found.await?;
        let (renewed, paid) = outdated(running.as_ref(), begun.as_ref(), now);
        if let Some(id) = renewed {
            sync(&app.db, &stripe, user_id, &id, None).await?;
        }
        if paid {
            look_at_order(&app.db, &stripe, user_id).await?;
        }
    }
    end_replaced(app).await
}

/// Ends an account's subscriptions and checkout before it is deleted: nothing may be charged for a deleted account.
///
/// # Errors
/// [`BillingRefusal::Unavailable`]; [`BillingRefusal::NotConfigured`] where something is still paid but nobody can be asked to end it.
pub async fn release(stripe: Result<Stripe>, payment_links: &PaymentLinks) -> Result<()> {
    if payment_links.alive.is_empty() && payment_links.session.is_none() {
        return Ok(());
    }
    let stripe = match stripe {
        Ok(stripe) => stripe,
        Err(_) if !payment_links.counts => return Ok(()),
        Err(_) => return Err(BillingRefusal::NotConfigured.into()),
    };
    if let Some(session) = &payment_links.session {
        close(&stripe, session).await?;
    }
    for id in &payment_links.alive {
        end(&stripe, id).await?;
    }
    Ok(())
}

/// Closes a checkout page, or ends the subscription that was bought on it.
async fn close(stripe: &Stripe, session: &str) -> Result<()> {
    match stripe.expire_session(session).await {
        Ok(()) => return Ok(()),
        Err(failure) if failure.is_final() => {}
        Err(failure) => return Err(failure.into()),
    }
    match stripe.session(session).await {
        Ok(state) => match state.subscription {
            Some(id) => end(stripe, &id).await,
            None if state.status.as_deref() == Some("expired") => Ok(()),
            None => Err(BillingRefusal::Unavailable.into()),
        },
        Err(failure) if failure.is_missing() => Ok(()),
        Err(failure) => Err(failure.into()),
    }
}

async fn end(stripe: &Stripe, id: &str) -> Result<()> {
    match stripe.end_now(id, false).await {
        Ok(_) => Ok(()),
        // It may have ended by itself.
        Err(failure) if failure.is_final() => ended(stripe, id).await,
        Err(failure) => Err(failure.into()),
    }
}

async fn ended(stripe: &Stripe, id: &str) -> Result<()> {
    match stripe.subscription(id).await {
        Ok(state) if matches!(state.status.as_str(), "canceled" | "incomplete_expired") => Ok(()),
        Ok(_) => Err(BillingRefusal::Unavailable.into()),
        Err(failure) if failure.is_missing() => Ok(()),
        Err(failure) => Err(Error::from(failure)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_goes_on_past_what_the_provider_cannot_answer_and_ends_where_it_answers_nothing() {
        let mut all = All::default();
        let refused = BillingRefusal::Declined.into();
        for one in [
            Err(BillingRefusal::Unavailable.into()),
            Err(BillingRefusal::Unavailable.into()),
            Ok(()),
            Err(BillingRefusal::Unavailable.into()),
            Err(refused),
        ] {
            assert!(all.record(one).is_ok());
        }
        assert!(
            all.record(Err(BillingRefusal::Unavailable.into())).is_ok()
                && all.record(Err(BillingRefusal::Unavailable.into())).is_ok()
        );
        assert!(all.record(Err(BillingRefusal::Unavailable.into())).is_err());
        assert!(all.done().is_err());
        let mut well = All::default();
        assert!(well.record(Ok(())).is_ok() && well.done().is_ok());
    }
}
