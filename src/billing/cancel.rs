//! Cancels a subscription at the end of its period or immediately.

use super::model::BillingRefusal;
use super::provider::Stripe;
use super::store::{self, ActiveSubscription};
use super::sync::{apply, sync};
use crate::access::Viewer;
use crate::access::plan_source::PlanSource;
use crate::kit::http::session::Token;
use crate::kit::id::UserId;
use crate::kit::{App, Result};
use crate::teams::model::TeamRole;
use crate::teams::store as teams;

const AT_ONCE: &str = "Your subscription has been canceled immediately";

/// Cancels the subscription behind a person's plan, or otherwise the one they pay in addition. Returns the message to show.
///
/// # Errors
/// [`BillingRefusal::NotYoursToCancel`] for a member of another's team; [`BillingRefusal::NoSubscription`]; the provider's.
pub async fn cancel(app: &App, viewer: &Viewer, immediate: bool) -> Result<String> {
    let user_id = viewer.user_id;
    if viewer.plan_source == PlanSource::Operator {
        app.db.write(move |tx| store::end_granted_plan(tx, user_id)).await?;
        return Ok(AT_ONCE.into());
    }
    let found = app.db.read(move |conn| Ok((store::running(conn, user_id)?, teams::membership(conn, user_id)?)));
    let (running, own) = found.await?;
    let Some(running) = running else {
        if viewer.plan_source == PlanSource::Team || own.is_some_and(|own| own.role != TeamRole::Owner) {
            return Err(BillingRefusal::NotYoursToCancel.into());
        }
        return Err(BillingRefusal::NoSubscription.into());
    };
    let stripe = Stripe::of(app)?;
    let _turn = stripe.turn(&app.user_locks, user_id).await?;
    if immediate { now(app, &stripe, user_id, &running).await } else { later(app, &stripe, user_id, &running).await }
}

async fn now(app: &App, stripe: &Stripe, user_id: UserId, running: &ActiveSubscription) -> Result<String> {
    let id = &running.stripe_id;
    match stripe.end_now(id, false).await {
        Ok(state) => apply(&app.db, stripe, user_id, id, Some(state), None).await?,
        Err(failure) if failure.is_final() => sync(&app.db, stripe, user_id, id, None).await?,
        Err(failure) => return Err(failure.into()),
    };
    let left = app.db.read(move |conn| store::running(conn, user_id)).await?;
    match left.filter(|left| left.stripe_id == *id) {
        None => Ok(AT_ONCE.into()),
        Some(_) => Err(BillingRefusal::Unavailable.into()),
    }
}

async fn later(app: &App, stripe: &Stripe, user_id: UserId, running: &ActiveSubscription) -> Result<String> {
    let id = &running.stripe_id;
    let state = match stripe.end_with_period(id, &Token::new()?.text()).await {
        Ok(state) => apply(&app.db, stripe, user_id, id, Some(state), None).await?,
        Err(failure) if failure.is_final() => sync(&app.db, stripe, user_id, id, None).await?,
        Err(failure) => return Err(failure.into()),
    };
    let state = state
        .filter(|state| state.counts_until().is_some_and(|until| until > app.now()))
        .ok_or(BillingRefusal::NoSubscription)?;
    let ends_at = state.ends_at.ok_or(BillingRefusal::Unavailable)?;
    Ok(format!("You keep {} until {}.", state.plan.title(), ends_at.format("%B %-d, %Y")))
}

/// The customer whose cards and invoices the provider may show to the viewer.
///
/// # Errors
/// [`BillingRefusal::NotYoursToSee`] for a member of another's team who pays nothing; [`BillingRefusal::NotConfigured`].
pub async fn customer(app: &App, viewer: &Viewer) -> Result<Option<String>> {
    if !app.config.stripe.is_on() {
        return Err(BillingRefusal::NotConfigured.into());
    }
    let (user_id, by_team) = (viewer.user_id, viewer.plan_source == PlanSource::Team);
    app.db
        .read(move |conn| {
            let found = store::buyer(conn, user_id)?.customer;
            let of_team = teams::membership(conn, user_id)?.is_some_and(|own| own.role != TeamRole::Owner);
            // A former payer has a customer, too.
            if (of_team || by_team) && store::running(conn, user_id)?.is_none() {
                return Err(BillingRefusal::NotYoursToSee.into());
            }
            Ok(found)
        })
        .await
}
