//! Seats beyond those of a team's plan: bought with the plan's subscription, or simply set when there is none.
use serde::{Deserialize, Serialize};

use super::model::BillingRefusal;
use super::provider::Stripe;
use super::store::{self, ActiveSubscription};
use super::sync::{apply, sync};
use crate::access::Plan;
use crate::billing::requests::SubscriptionChange;
use crate::billing::subscription_state;
use crate::kit::http::patch_field::PatchField;
use crate::kit::http::session::Token;
use crate::kit::id::UserId;
use crate::kit::{App, Error, Result};
use crate::teams::model::{MOST_ADDON_SEATS, Membership, SeatUsage, TeamRole};
use crate::teams::{needs_role, store as teams};

/// The request of the team's owner.
#[derive(Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AddonSeatsUpdate {
    /// 0 to 1,000.
    #[schema(required, value_type = Option<i64>, minimum = 0, maximum = 1_000)]
    #[serde(default)]
    addon_seats: PatchField<i64>,
}

/// The seats after the change.
#[derive(Serialize, utoipa::ToSchema)]
pub struct SeatUsageResponse {
    /// All seats of the team.
    pub usage: SeatUsage,
}

impl AddonSeatsUpdate {
    fn checked(self) -> Result<u32> {
        let wanted = self
            .addon_seats
            .and_then(|seats| u32::try_from(seats).ok())
            .value()
            .filter(|seats| *seats <= MOST_ADDON_SEATS);
        wanted.ok_or_else(|| {
            Error::invalid_field(
                "addonSeats",
                format!("Add-on seats must be a whole number from 0 to {MOST_ADDON_SEATS}."),
            )
        })
    }
}

/// Sets a team's add-on seats for its owner.
///
/// # Errors
/// [`Error::NotFound`] outside a team; [`Error::Invalid`]; [`BillingRefusal`]; the refusals of teams, for others than the owner and for
/// seats that are taken.
pub async fn set(app: &App, user_id: UserId, form: AddonSeatsUpdate) -> Result<SeatUsage> {
    let billed = app.config.stripe.is_on();
    let asked = app.db.read(move |conn| {
        let own = teams::member_of(conn, user_id)?;
        if own.role != TeamRole::Owner {
            return Err(needs_role("Only the team's owner can do this."));
        }
        let (wanted, payer) = (form.checked()?, teams::payer(conn, own.team_id)?);
        if billed {
            teams::require_paid(conn, own.team_id)?;
        }
        let paid = payer.map(|payer| store::running(conn, payer)).transpose()?.flatten();
        Ok((own, wanted, payer, paid.filter(|paid| paid.plan == Plan::ShelfwiseTeam)))
    });
    let (own, wanted, payer, paid) = asked.await?;
    match paid {
        // Nobody pays for these: the operator granted the plan.
        None => app.db.write(move |tx| teams::set_addon_seats(tx, own.team_id, wanted)).await,
        Some(_) if payer != Some(user_id) => Err(BillingRefusal::OtherPayer.into()),
        Some(paid) => pay(app, own, &paid, wanted).await,
    }
}

/// Fewer seats are first removed here and then at the provider; more are first bought there and then added here. So nobody is
/// invited to a seat that is not paid.
async fn pay(app: &App, own: Membership, paid: &ActiveSubscription, wanted: u32) -> Result<SeatUsage> {
    let (db, stripe) = (&app.db, Stripe::of(app)?);
    let _turn = stripe.turn(&app.user_locks, own.user_id).await?;
    let state = sync(db, &stripe, own.user_id, &paid.stripe_id, None).await?;
    let state = state.filter(|state| state.plan == Plan::ShelfwiseTeam).ok_or(BillingRefusal::TeamUnpaid)?;
    let seat_price =
        subscription_state::seat_price(stripe.prices(), state.interval).ok_or(BillingRefusal::NotConfigured)?;
    if wanted <= state.addon_seats {
        let usage = db.write(move |tx| teams::set_addon_seats(tx, own.team_id, wanted)).await?;
        if wanted == state.addon_seats {
            return Ok(usage);
        }
    }
    let seat_price = state.seat_item.is_none().then_some(seat_price);
    let to = SubscriptionChange { plan: state.plan, interval: state.interval, price: None, seats: wanted, seat_price };
    match stripe.change(&state, &to, &Token::new()?.text()).await {
        Ok(changed) => {
            apply(db, &stripe, own.user_id, &state.stripe_id, Some(changed), None).await?;
            db.write(move |tx| teams::seats(tx, own.team_id, tx.now())).await
        }
        Err(failure) => {
            db.write(move |tx| teams::put_addon_seats(tx, own.team_id, state.addon_seats)).await?;
            Err(failure.into())
        }
    }
}
