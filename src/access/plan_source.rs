//! Where the plan of an account comes from, and which of several counts.
use serde::Serialize;

use super::plan::Plan;

/// Where a plan in force comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PlanSource {
    /// No source: the free plan.
    None,
    /// The account's subscription at the payment provider.
    Stripe,
    /// Granted by the operator.
    Operator,
    /// The paid team that the person is in.
    Team,
    /// The server's default for every account.
    Default,
}

/// The possible sources of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanSources {
    /// The server's default plan.
    pub default: Plan,
    /// The account's subscription.
    pub paid: Option<Plan>,
    /// The plan granted by the operator.
    pub granted: Option<Plan>,
    /// Whether the account's team is paid for.
    pub in_paid_team: bool,
}

impl PlanSources {
    /// The greatest of these plans. Among equal plans a paid one comes first, so that it is shown and can be cancelled; then in
    /// the order above.
    pub fn effective(self) -> (Plan, PlanSource) {
        let mut best = (Plan::Reader, PlanSource::None);
        let paid = self.paid.map(|plan| (plan, PlanSource::Stripe));
        let granted = self.granted.map(|plan| (plan, PlanSource::Operator));
        let shared = self.in_paid_team.then_some((Plan::ShelfwiseTeam, PlanSource::Team));
        for offer in paid.into_iter().chain([(self.default, PlanSource::Default)]).chain(granted).chain(shared) {
            if offer.0 > best.0 {
                best = offer;
            }
        }
        best
    }
}
