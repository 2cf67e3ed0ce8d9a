//! Keeping up with the provider: what it tells is only a hint, and how a subscription stands is always asked. So it does not
//! matter whether its messages come in order, twice or never.
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::provider::{Stripe, not_configured, unavailable};
use super::store::{self, ActiveSubscription, PaymentLinks, PendingCheckout};
use crate::billing::responses::Subscription;
use crate::billing::subscription_state::SubscriptionState;
use crate::kit::db::pool::Db;
use crate::kit::{App, Error, Result};

/// How often everything that is due is asked about.
const ROUND: Duration = Duration::from_secs(60 * 60);
/// After a failure the next round comes sooner.
const AGAIN: Duration = Duration::from_secs(10 * 60);

/// Asks how a subscription stands, and takes it in, together with the event that told of it. Whoever calls this holds the
/// user's turn: an older answer can then never come after a newer one.
pub async fn sync(
    db: &Db,
    stripe: &Stripe,
    user_id: i64,
    id: &str,
    event: Option<&str>,
) -> Result<Option<SubscriptionState>> {
    let told = match stripe.subscription(id).await {
        Ok(told) => Some(told),
        Err(failure) if failure.is_missing() => None,
        Err(failure) => return Err(failure.into()),
    };
    apply(db, stripe, user_id, id, told, event).await
}

/// Takes in how a subscription stands; nothing where the provider knows nothing of it, or it is none of our plans, or somebody
/// else's. An event that was taken in before has no effect.
pub async fn apply(
    db: &Db,
    stripe: &Stripe,
    user_id: i64,
    id: &str,
    told: Option<Subscription>,
    event: Option<&str>,
) -> Result<Option<SubscriptionState>> {
    let missing = told.is_none();
    let contract = told.and_then(|told| SubscriptionState::read(told, stripe.prices()));
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
                store::keep(tx, user_id, &contract)?;
                store::settle(tx, user_id, &contract)?;
                Ok(Some(contract))
            }
            None if missing => store::mark_missing(tx, &id).map(|()| None),
            None => store::mark_unknown(tx, &id).map(|()| None),
        }
    })
    .await
}

/// Asks how somebody's checkout stands, and takes in what came of it. Whoever calls this holds the user's turn.
pub async fn look_at_order(db: &Db, stripe: &Stripe, user_id: i64) -> Result<()> {
    let begun = db.write(move |tx| {
        store::asked_for_order(tx, user_id)?;
        store::order_since(tx, user_id, tx.now() - store::ORDER_STANDS * 2)
    });
    let Some(session) = begun.await?.and_then(|begun| begun.session) else { return Ok(()) };
    let over = match stripe.session(&session).await {
        Ok(told) => match told.subscription {
            Some(id) => return sync(db, stripe, user_id, &id, None).await.map(|_| ()),
            None => told.status.as_deref() == Some("expired"),
        },
        Err(failure) if failure.is_missing() => true,
        Err(failure) => return Err(failure.into()),
    };
    if over { db.write(move |tx| store::forget_order(tx, user_id)).await } else { Ok(()) }
}

/// Ends at the provider what another subscription took the place of.
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

/// The same in the background: whoever is waited for needs not wait for what others have replaced.
pub fn end_replaced_soon(app: &App) {
    let app = app.clone();
    tokio::spawn(async move {
        if let Err(cause) = end_replaced(&app).await {
            tracing::warn!(%cause, "a subscription that was replaced could not be ended; it is tried again");
        }
    });
}

async fn end_for_another(app: &App, user_id: i64, id: &str) -> Result<()> {
    let stripe = Stripe::of(app)?;
    let _turn = stripe.turn(&app.user_locks, user_id).await?;
    // Somebody else may have ended it while this waited.
    if !app.db.read(store::replaced).await?.iter().any(|(_, left)| left == id) {
        return Ok(());
    }
    match stripe.end_now(id, true).await {
        Ok(told) => apply(&app.db, &stripe, user_id, id, Some(told), None).await?,
        // It may have ended by itself.
        Err(failure) if failure.is_final() => sync(&app.db, &stripe, user_id, id, None).await?,
        Err(failure) => return Err(failure.into()),
    };
    Ok(())
}

/// How a round over many goes: one that fails keeps nobody else waiting, unless the provider is away for all.
#[derive(Default)]
struct All {
    first: Option<Error>,
    unanswered: usize,
}

/// The provider is away when it fails that often in a row: what it can never answer of one must not stop the round for all.
const AWAY: usize = 3;

impl All {
    fn record(&mut self, one: Result<()>) -> Result<()> {
        let Err(failure) = one else {
            self.unanswered = 0;
            return Ok(());
        };
        self.unanswered = if matches!(failure, Error::Unavailable(_)) { self.unanswered + 1 } else { 0 };
        if self.unanswered == AWAY {
            return Err(failure);
        }
        self.first.get_or_insert(failure);
        Ok(())
    }

    /// The first failure.
    fn done(self) -> Result<()> {
        self.first.map_or(Ok(()), Err)
    }
}

/// One round: asks about every subscription that is due and every checkout under way.
pub async fn reconcile(app: &App) -> Result<()> {
    let mut all = All::default();
    all.record(end_replaced(app).await)?;
    let now = Utc::now();
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

/// Asks about one subscription, or else about the checkout under way.
async fn compare(app: &App, user_id: i64, id: Option<&str>) -> Result<()> {
    let stripe = Stripe::of(app)?;
    let _turn = stripe.turn(&app.user_locks, user_id).await?;
    match id {
        Some(id) => sync(&app.db, &stripe, user_id, id, None).await.map(|_| ()),
        None => look_at_order(&app.db, &stripe, user_id).await,
    }
}

/// Goes its rounds, the first at once, until it is dropped. Without a payment provider there is nothing to do.
pub async fn keep_up(app: App) {
    while app.config.stripe.is_on() {
        let rest = match reconcile(&app).await {
            Ok(()) => ROUND,
            Err(cause) => {
                tracing::warn!(%cause, "payments could not be compared with the provider's");
                AGAIN
            }
        };
        tokio::time::sleep(rest).await;
    }
}

/// What may have changed unheard of how somebody stands: a subscription, and whether their checkout.
fn unheard(
    running: Option<&ActiveSubscription>,
    begun: Option<&PendingCheckout>,
    now: DateTime<Utc>,
) -> (Option<String>, bool) {
    let since = |text: &str| text.parse::<DateTime<Utc>>().map_or(TimeDelta::MAX, |at| now - at);
    let renewed = running
        .filter(|running| {
            since(&running.period_end) >= TimeDelta::zero() && since(&running.asked_at) > TimeDelta::minutes(1)
        })
        .map(|running| running.stripe_id.clone());
    // A page that is left open is asked about ever more rarely.
    let paid = begun.is_some_and(|begun| {
        begun.session.is_some() && since(&begun.asked_at) > (since(&begun.created_at) / 10).max(TimeDelta::seconds(3))
    });
    (renewed, paid)
}

/// Somebody looks at their plan: whatever may have changed unheard is asked in the background, and shows when they look again.
pub fn refresh_in_background(
    app: &App,
    user_id: i64,
    running: Option<&ActiveSubscription>,
    begun: Option<&PendingCheckout>,
    now: DateTime<Utc>,
) {
    let (renewed, paid) = unheard(running, begun, now);
    if !app.config.stripe.is_on() || (renewed.is_none() && !paid) {
        return;
    }
    let app = app.clone();
    tokio::spawn(async move {
        if let Err(cause) = ask(&app, user_id).await {
            tracing::warn!(%cause, "how a payment stands could not be asked");
        }
    });
}

async fn ask(app: &App, user_id: i64) -> Result<()> {
    let stripe = Stripe::of(app)?;
    {
        let _turn = stripe.turn(&app.user_locks, user_id).await?;
        // Who looks twice at once has one question: the other look may have asked it while this one waited.
        let now = Utc::now();
        let found = app.db.read(move |conn| Ok((store::running(conn, user_id)?, store::order(conn, user_id, now)?)));
        let (running, begun) = found.await?;
        let (renewed, paid) = unheard(running.as_ref(), begun.as_ref(), now);
        if let Some(id) = renewed {
            sync(&app.db, &stripe, user_id, &id, None).await?;
        }
        if paid {
            look_at_order(&app.db, &stripe, user_id).await?;
        }
    }
    end_replaced(app).await
}

/// Cuts what ties an account to the provider before it is deleted: nothing must be charged for what is gone.
///
/// # Errors
/// 503 `billing_unavailable`, and `billing_not_configured` when a subscription still runs but no provider is configured to end
/// it.
pub async fn release(stripe: Result<Stripe>, ties: &PaymentLinks) -> Result<()> {
    if ties.alive.is_empty() && ties.session.is_none() {
        return Ok(());
    }
    let stripe = match stripe {
        Ok(stripe) => stripe,
        Err(_) if !ties.counts => return Ok(()),
        Err(_) => return Err(not_configured()),
    };
    if let Some(session) = &ties.session {
        close(&stripe, session).await?;
    }
    for id in &ties.alive {
        end(&stripe, id).await?;
    }
    Ok(())
}

/// Closes a page, or ends what was bought on it unheard.
async fn close(stripe: &Stripe, session: &str) -> Result<()> {
    match stripe.expire_session(session).await {
        Ok(()) => return Ok(()),
        Err(failure) if failure.is_final() => {}
        Err(failure) => return Err(failure.into()),
    }
    match stripe.session(session).await {
        Ok(told) => match told.subscription {
            Some(id) => end(stripe, &id).await,
            None if told.status.as_deref() == Some("expired") => Ok(()),
            None => Err(unavailable()),
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
        Ok(told) if matches!(told.status.as_str(), "canceled" | "incomplete_expired") => Ok(()),
        Ok(_) => Err(unavailable()),
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
        let refused = Error::conflict("no", "No.");
        for one in [Err(unavailable()), Err(unavailable()), Ok(()), Err(unavailable()), Err(refused)] {
            assert!(all.record(one).is_ok());
        }
        assert!(all.record(Err(unavailable())).is_ok() && all.record(Err(unavailable())).is_ok());
        assert!(all.record(Err(unavailable())).is_err());
        assert!(all.done().is_err());
        let mut well = All::default();
        assert!(well.record(Ok(())).is_ok() && well.done().is_ok());
    }
}
