//! The offers of the pricing page (docs/product.md, "Plans").
use serde::Serialize;

use crate::access::Plan;
use crate::config::ShownPrices;
use crate::teams::model::{BASE_SEATS, BASE_SEATS_MONTHLY};

/// Why a plan is not bought, changed or cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BillingRefusal {
    /// This server takes no payments.
    NotConfigured,
    /// The payment provider is down, slow or answers with an error.
    Unavailable,
    Declined,
    /// The account has this plan already.
    AlreadySubscribed,
    /// The account's plan comes with a team of somebody else.
    InATeam,
    /// The plan that is ordered has too few seats for the team.
    SeatsInUse {
        /// Members who have no seat under it.
        missing: u32,
    },
    /// Nobody pays for the team.
    TeamUnpaid,
    /// Somebody else pays for the team.
    OtherPayer,
    /// Only the person who pays for the team can cancel its plan.
    NotYoursToCancel,
    /// Only the person who pays for the team can see its payments.
    NotYoursToSee,
    /// There is no subscription to cancel.
    NoSubscription,
    /// The account has paid for nothing yet.
    NoCustomer,
}

/// One card of the pricing page. Entries that a plan does not have are null.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanOffer {
    /// The plan.
    pub plan: Plan,
    /// The display name.
    pub name: &'static str,
    /// The most books; null means unlimited.
    #[schema(required)]
    pub book_limit: Option<u32>,
    /// The price of a month, with its currency.
    pub monthly: String,
    /// The price of a year, with its currency.
    pub annual: String,
    /// What annual billing saves compared with twelve months.
    #[schema(required)]
    pub saving: Option<String>,
    /// Members included with monthly billing.
    #[schema(required)]
    pub members_monthly: Option<u32>,
    /// Members included with annual billing.
    #[schema(required)]
    pub members_annual: Option<u32>,
    /// The monthly price of one more member.
    #[schema(required)]
    pub seat_monthly: Option<String>,
    /// The annual price of one more member.
    #[schema(required)]
    pub seat_annual: Option<String>,
}

/// Every plan's offer, lowest first, with the operator's own texts in place of the defaults.
pub fn offers(book_limit: u32, shown: &ShownPrices) -> Vec<PlanOffer> {
    let text = |own: &Option<String>, usual: &str| own.clone().unwrap_or_else(|| usual.to_owned());
    let offer = |plan: Plan, monthly: String, annual: String| PlanOffer {
        plan,
        name: plan.title(),
        book_limit: None,
        monthly,
        annual,
        saving: None,
        members_monthly: None,
        members_annual: None,
        seat_monthly: None,
        seat_annual: None,
    };
    let usual_plus = shown.plus_monthly.is_none() && shown.plus_annual.is_none();
    vec![
        PlanOffer { book_limit: Some(book_limit), ..offer(Plan::Reader, "$0".into(), "$0".into()) },
        PlanOffer {
            // The saving is that of the default prices; it can't be computed from other texts.
            saving: usual_plus.then(|| "Save $11/year".to_owned()),
            ..offer(Plan::ShelfwisePlus, text(&shown.plus_monthly, "$2.99"), text(&shown.plus_annual, "$25"))
        },
        PlanOffer {
            members_monthly: Some(BASE_SEATS_MONTHLY),
            members_annual: Some(BASE_SEATS),
            seat_monthly: Some(text(&shown.seat_monthly, "$0.99")),
            seat_annual: Some(text(&shown.seat_annual, "$10")),
            ..offer(Plan::ShelfwiseTeam, text(&shown.team_monthly, "$5.99"), text(&shown.team_annual, "$60"))
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operators_own_prices_show_and_the_usual_saving_then_does_not() {
        let shown = ShownPrices { plus_annual: Some("20 €".into()), ..ShownPrices::default() };
        let own = offers(150, &shown);
        assert_eq!((own[1].monthly.as_str(), own[1].annual.as_str(), &own[1].saving), ("$2.99", "20 €", &None));
        assert_eq!(offers(150, &ShownPrices::default())[1].saving.as_deref(), Some("Save $11/year"));
    }
}
