use super::plan::Plan;
use super::plan_source::{PlanSource, PlanSources};

#[test]
fn the_greatest_plan_counts_and_of_equals_the_one_that_is_paid() {
    for (paid, granted, in_paid_team, default, plan, source) in [
        (None, None, false, Plan::Reader, Plan::Reader, PlanSource::None),
        (None, None, true, Plan::Reader, Plan::ShelfwiseTeam, PlanSource::Team),
        (None, Some(Plan::ShelfwisePlus), true, Plan::Reader, Plan::ShelfwiseTeam, PlanSource::Team),
        (None, Some(Plan::ShelfwiseTeam), true, Plan::Reader, Plan::ShelfwiseTeam, PlanSource::Operator),
        (None, Some(Plan::ShelfwisePlus), false, Plan::ShelfwisePlus, Plan::ShelfwisePlus, PlanSource::Default),
        (Some(Plan::ShelfwisePlus), None, false, Plan::ShelfwisePlus, Plan::ShelfwisePlus, PlanSource::Stripe),
        (
            Some(Plan::ShelfwisePlus),
            Some(Plan::ShelfwiseTeam),
            true,
            Plan::Reader,
            Plan::ShelfwiseTeam,
            PlanSource::Operator,
        ),
        (
            Some(Plan::ShelfwiseTeam),
            Some(Plan::ShelfwiseTeam),
            true,
            Plan::Reader,
            Plan::ShelfwiseTeam,
            PlanSource::Stripe,
        ),
    ] {
        let means = PlanSources { default, paid, granted, in_paid_team };
        assert_eq!(means.effective(), (plan, source), "{means:?}");
    }
}
