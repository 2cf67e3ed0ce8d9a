//! A subscription as the payment provider tells it, in our words, and which price means which plan.
use chrono::{DateTime, TimeDelta, Utc};

use crate::access::{Interval, Plan};
use crate::billing::responses::{Item, Subscription};
use crate::config::Prices;

/// A subscription that renews counts this much longer than its period when nothing is heard of it (docs/rules.md, "Billing").
const UNHEARD: TimeDelta = TimeDelta::days(3);

/// Under these names the plan stands with the provider's subscription, so that it is known also when its price is no longer ours.
pub const PLAN_NOTE: &str = "shelfwise_plan";
/// The same for how often it is paid.
pub const INTERVAL_NOTE: &str = "shelfwise_interval";

/// What somebody pays, or has paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubscriptionState {
    /// The provider's name for it.
    pub stripe_id: String,
    /// The provider's name for who pays.
    pub customer: String,
    /// What is paid.
    pub plan: Plan,
    /// How often.
    pub interval: Interval,
    /// The provider's word.
    pub status: String,
    /// Seats beyond those of the team's plan.
    pub addon_seats: u32,
    /// The line of the plan at the provider.
    pub plan_item: String,
    /// The line of the seats there.
    pub seat_item: Option<String>,
    /// When it began.
    pub started_at: DateTime<Utc>,
    /// The end of what is paid.
    pub period_end: DateTime<Utc>,
    /// When it ends, if it was cancelled.
    pub ends_at: Option<DateTime<Utc>>,
}

impl SubscriptionState {
    /// What the provider's answer means; nothing when what is bought is none of our plans.
    pub fn read(told: Subscription, prices: &Prices) -> Option<Self> {
        let items = &told.items.data;
        let note = |name: &str| told.metadata.as_ref().and_then(|notes| notes.get(name)).map(String::as_str);
        let noted = || Some((Plan::from_name(note(PLAN_NOTE)?)?, Interval::from_name(note(INTERVAL_NOTE)?)?));
        let seat = items.iter().find(|item| is_seat(prices, item));
        let others = || items.iter().filter(|item| seat.is_none_or(|seat| seat.id != item.id));
        let known = others().find_map(|item| Some((item, plan_of(prices, item.price_id()?)?)));
        // A price from before a change of the settings: the first line is the plan's, and any other the seats'.
        let (item, (plan, interval)) = known.or_else(|| Some((others().next()?, noted()?)))?;
        let seat = seat.or_else(|| others().find(|other| other.id != item.id));
        let ends =
            told.cancel_at.or_else(|| told.cancel_at_period_end.unwrap_or(false).then_some(period_end(item, &told)?));
        Some(Self {
            plan_item: item.id.clone(),
            seat_item: seat.map(|seat| seat.id.clone()),
            addon_seats: seat.map_or(0, |seat| seat.quantity.unwrap_or(0)),
            started_at: moment(told.created.unwrap_or(0))?,
            period_end: moment(period_end(item, &told)?)?,
            ends_at: ends.and_then(moment),
            stripe_id: told.id,
            customer: told.customer,
            plan,
            interval,
            status: told.status,
        })
    }

    /// Until when its plan counts, whether anything more is heard or not. A failed payment is tried again by the provider, and
    /// the plan counts meanwhile.
    pub fn counts_until(&self) -> Option<DateTime<Utc>> {
        match self.status.as_str() {
            "active" | "trialing" | "past_due" => Some(self.ends_at.unwrap_or(self.period_end + UNHEARD)),
            _ => None,
        }
    }

    /// Whether nothing more can become of it.
    pub fn has_ended(&self) -> bool {
        matches!(self.status.as_str(), "canceled" | "incomplete_expired")
    }
}

/// The price of a plan, where the settings name it.
pub fn price(prices: &Prices, plan: Plan, interval: Interval) -> Option<&str> {
    let price = match (plan, interval) {
        (Plan::Reader, _) => return None,
        (Plan::ShelfwisePlus, Interval::Monthly) => &prices.plus_monthly,
        (Plan::ShelfwisePlus, Interval::Annual) => &prices.plus_annual,
        (Plan::ShelfwiseTeam, Interval::Monthly) => &prices.team_monthly,
        (Plan::ShelfwiseTeam, Interval::Annual) => &prices.team_annual,
    };
    price.as_deref()
}

/// The price of one more seat, where the settings name it.
pub fn seat_price(prices: &Prices, interval: Interval) -> Option<&str> {
    match interval {
        Interval::Monthly => prices.seat_monthly.as_deref(),
        Interval::Annual => prices.seat_annual.as_deref(),
    }
}

fn plan_of(prices: &Prices, id: &str) -> Option<(Plan, Interval)> {
    let paid = Plan::ALL.into_iter().flat_map(|plan| Interval::ALL.map(|interval| (plan, interval)));
    paid.into_iter().find(|(plan, interval)| price(prices, *plan, *interval) == Some(id))
}

fn is_seat(prices: &Prices, item: &Item) -> bool {
    let price = item.price_id();
    price.is_some() && Interval::ALL.into_iter().any(|interval| seat_price(prices, interval) == price)
}

/// The period's end stands with the lines; before the API of 2025-03-31 it stood with the subscription.
fn period_end(item: &Item, told: &Subscription) -> Option<i64> {
    item.current_period_end.or(told.current_period_end)
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

    fn told(status: &str, lines: &str, more: &str) -> Option<SubscriptionState> {
        let text = format!(
            r#"{{"id":"sub_1","customer":"cus_1","status":"{status}","created":1700000000,"items":{{"data":[{lines}]}}{more}}}"#
        );
        SubscriptionState::read(miniserde::json::from_str(&text).unwrap(), &prices())
    }

    const TEAM: &str = r#"{"id":"si_1","quantity":1,"current_period_end":1800000000,"price":{"id":"t_m"}},
        {"id":"si_2","quantity":4,"current_period_end":1800000000,"price":{"id":"s_m"}}"#;

    #[test]
    fn plan_interval_seats_and_period_come_from_the_lines_in_any_order() {
        let team = told("active", TEAM, "").unwrap();
        assert_eq!((team.plan, team.interval, team.addon_seats), (Plan::ShelfwiseTeam, Interval::Monthly, 4));
        assert_eq!((team.plan_item.as_str(), team.seat_item.as_deref()), ("si_1", Some("si_2")));
        let (first, second) = TEAM.split_once("},\n").unwrap();
        assert_eq!(told("active", &format!("{second},{first}}}"), "").unwrap(), team);
    }

    #[test]
    fn a_price_that_the_settings_no_longer_name_is_known_by_its_note_and_a_strange_one_is_none_of_ours() {
        let old = r#"{"id":"si_1","price":{"id":"old"}},{"id":"si_2","quantity":2,"price":{"id":"old_seat"}}"#;
        let notes = r#","current_period_end":1800000000,"metadata":{"shelfwise_plan":"shelfwise_team","shelfwise_interval":"annual"}"#;
        let team = told("active", old, notes).unwrap();
        assert_eq!((team.plan, team.interval, team.addon_seats), (Plan::ShelfwiseTeam, Interval::Annual, 2));
        assert_eq!(team.period_end.timestamp(), 1_800_000_000);
        assert_eq!(told("active", old, r#","current_period_end":1800000000"#), None);
    }

    #[test]
    fn a_plan_counts_to_its_end_or_three_days_past_its_period_and_only_while_it_runs() {
        let until =
            |status: &str, more: &str| told(status, TEAM, more).unwrap().counts_until().map(|at| at.timestamp());
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
