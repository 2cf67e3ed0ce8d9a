//! The state of a subscription, as read from the payment provider's data, and the plan of each price.
use chrono::{DateTime, TimeDelta, Utc};

use crate::access::{BillingInterval, Plan};
use crate::billing::responses::{Item, Subscription};
use crate::config::Prices;

/// How much longer than its period a renewing subscription counts without news from the provider (docs/rules.md, "Billing").
const GRACE_WITHOUT_NEWS: TimeDelta = TimeDelta::days(3);

/// The metadata key of the plan at the provider, so that it is known even if its price is no longer in the settings.
pub const PLAN_NOTE: &str = "shelfwise_plan";
/// The metadata key of the billing interval.
pub const INTERVAL_NOTE: &str = "shelfwise_interval";

/// A present or past subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubscriptionState {
    /// The provider's id of the subscription.
    pub stripe_id: String,
    /// The provider's id of the payer.
    pub customer: String,
    pub plan: Plan,
    pub interval: BillingInterval,
    /// The provider's status.
    pub status: String,
    /// Seats beyond those of the team's plan.
    pub addon_seats: u32,
    /// The provider's id of the plan's item.
    pub plan_item: String,
    /// The provider's id of the seats' item.
    pub seat_item: Option<String>,
    /// When it started.
    pub started_at: DateTime<Utc>,
    /// The end of the paid period.
    pub period_end: DateTime<Utc>,
    /// When it ends, if it was cancelled.
    pub ends_at: Option<DateTime<Utc>>,
}

impl SubscriptionState {
    /// Reads the provider's data; `None` when the subscription is not one of our plans.
    pub fn read(state: Subscription, prices: &Prices) -> Option<Self> {
        let items = &state.items.data;
        let note = |name: &str| state.metadata.as_ref().and_then(|notes| notes.get(name)).map(String::as_str);
        let noted = || Some((Plan::from_name(note(PLAN_NOTE)?)?, BillingInterval::from_name(note(INTERVAL_NOTE)?)?));
        let seat = items.iter().find(|item| is_seat(prices, item));
        let others = || items.iter().filter(|item| seat.is_none_or(|seat| seat.id != item.id));
        let known = others().find_map(|item| Some((item, plan_of(prices, item.price_id()?)?)));
        // For a price that was removed from the settings: the first item is the plan's, any other the seats'.
        let (item, (plan, interval)) = known.or_else(|| Some((others().next()?, noted()?)))?;
        let seat = seat.or_else(|| others().find(|other| other.id != item.id));
        let ends = state
            .cancel_at
            .or_else(|| state.cancel_at_period_end.unwrap_or(false).then_some(period_end(item, &state)?));
        Some(Self {
            plan_item: item.id.clone(),
            seat_item: seat.map(|seat| seat.id.clone()),
            addon_seats: seat.map_or(0, |seat| seat.quantity.unwrap_or(0)),
            started_at: moment(state.created.unwrap_or(0))?,
            period_end: moment(period_end(item, &state)?)?,
            ends_at: ends.and_then(moment),
            stripe_id: state.id,
            customer: state.customer,
            plan,
            interval,
            status: state.status,
        })
    }

    /// Until when the plan is in force without further news. After a failed payment the provider retries, and the plan stays in
    /// force meanwhile.
    pub fn counts_until(&self) -> Option<DateTime<Utc>> {
        match self.status.as_str() {
            "active" | "trialing" | "past_due" => Some(self.ends_at.unwrap_or(self.period_end + GRACE_WITHOUT_NEWS)),
            _ => None,
        }
    }

    /// Whether the subscription is over for good.
    pub fn has_ended(&self) -> bool {
        matches!(self.status.as_str(), "canceled" | "incomplete_expired")
    }
}

/// The price of a plan, if the settings have it.
pub fn price(prices: &Prices, plan: Plan, interval: BillingInterval) -> Option<&str> {
    let price = match (plan, interval) {
        (Plan::Reader, _) => return None,
        (Plan::ShelfwisePlus, BillingInterval::Monthly) => &prices.plus_monthly,
        (Plan::ShelfwisePlus, BillingInterval::Annual) => &prices.plus_annual,
        (Plan::ShelfwiseTeam, BillingInterval::Monthly) => &prices.team_monthly,
        (Plan::ShelfwiseTeam, BillingInterval::Annual) => &prices.team_annual,
    };
    price.as_deref()
}

/// The price of one more seat, if the settings have it.
pub fn seat_price(prices: &Prices, interval: BillingInterval) -> Option<&str> {
    match interval {
        BillingInterval::Monthly => prices.seat_monthly.as_deref(),
        BillingInterval::Annual => prices.seat_annual.as_deref(),
    }
}

fn plan_of(prices: &Prices, id: &str) -> Option<(Plan, BillingInterval)> {
    let paid = Plan::ALL.into_iter().flat_map(|plan| BillingInterval::ALL.map(|interval| (plan, interval)));
    paid.into_iter().find(|(plan, interval)| price(prices, *plan, *interval) == Some(id))
}

fn is_seat(prices: &Prices, item: &Item) -> bool {
    let price = item.price_id();
    price.is_some() && BillingInterval::ALL.into_iter().any(|interval| seat_price(prices, interval) == price)
}

/// The items contain the period's end; before the API of 2025-03-31 the subscription contained it.
fn period_end(item: &Item, state: &Subscription) -> Option<i64> {
    item.current_period_end.or(state.current_period_end)
}

fn moment(seconds: i64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp(seconds, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prices() -> Prices {
        let id = |id: &str| Some(id.to_owned());
        Prices {
            plus_monthly: id("p_m"),
            plus_annual: id("p_a"),
            team_monthly: id("t_m"),
            team_annual: id("t_a"),
            seat_monthly: id("s_m"),
            seat_annual: id("s_a"),
        }
    }

    fn state(status: &str, lines: &str, more: &str) -> Option<SubscriptionState> {
        let text = format!(
            r#"{{"id":"sub_1","customer":"cus_1","status":"{status}","created":1700000000,"items":{{"data":[{lines}]}}{more}}}"#
        );
        SubscriptionState::read(miniserde::json::from_str(&text).unwrap(), &prices())
    }

    const TEAM: &str = r#"{"id":"si_1","quantity":1,"current_period_end":1800000000,"price":{"id":"t_m"}},
        {"id":"si_2","quantity":4,"current_period_end":1800000000,"price":{"id":"s_m"}}"#;

    #[test]
    fn plan_interval_seats_and_period_come_from_the_lines_in_any_order() {
        let team = state("active", TEAM, "").unwrap();
        assert_eq!((team.plan, team.interval, team.addon_seats), (Plan::ShelfwiseTeam, BillingInterval::Monthly, 4));
        assert_eq!((team.plan_item.as_str(), team.seat_item.as_deref()), ("si_1", Some("si_2")));
        let (first, second) = TEAM.split_once("},\n").unwrap();
        assert_eq!(state("active", &format!("{second},{first}}}"), "").unwrap(), team);
    }

    #[test]
    fn a_price_that_the_settings_no_longer_name_is_known_by_its_note_and_a_strange_one_is_none_of_ours() {
        let old = r#"{"id":"si_1","price":{"id":"old"}},{"id":"si_2","quantity":2,"price":{"id":"old_seat"}}"#;
        let notes = r#","current_period_end":1800000000,"metadata":{"shelfwise_plan":"shelfwise_team","shelfwise_interval":"annual"}"#;
        let team = state("active", old, notes).unwrap();
        assert_eq!((team.plan, team.interval, team.addon_seats), (Plan::ShelfwiseTeam, BillingInterval::Annual, 2));
        assert_eq!(team.period_end.timestamp(), 1_800_000_000);
        assert_eq!(state("active", old, r#","current_period_end":1800000000"#), None);
    }

    #[test]
    fn a_plan_counts_to_its_end_or_three_days_past_its_period_and_only_while_it_runs() {
        let until =
            |status: &str, more: &str| state(status, TEAM, more).unwrap().counts_until().map(|at| at.timestamp());
        let unheard = 1_800_000_000 + 3 * 86_400;
        for status in ["active", "trialing", "past_due"] {
            assert_eq!(until(status, ""), Some(unheard), "{status}");
        }
        assert_eq!(until("active", r#","cancel_at_period_end":true"#), Some(1_800_000_000));
        assert_eq!(until("active", r#","cancel_at_period_end":false,"cancel_at":1790000000"#), Some(1_790_000_000));
        for status in ["canceled", "unpaid", "incomplete", "incomplete_expired", "paused", "of_the_future"] {
            assert_eq!(until(status, ""), None, "{status}");
        }
    }
}
