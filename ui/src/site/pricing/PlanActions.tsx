import { useState } from "react";
import { useSubscription, useTeam } from "../../access/subscription";
import { useViewer } from "../../access/viewer";
import { useCheckout } from "../../billing/checkout";
import { TeamNameDialog } from "../../billing/TeamNameDialog";
import type { CurrentSubscription, Interval, Plan, PlanPrices } from "../../kit/api/types";
import { paths } from "../../kit/paths";
import { Button, LinkButton } from "../../kit/ui/Button";

interface PlanActionsProps {
  offer: PlanPrices;
  interval: Interval;
}

/** The button of a plan's card, which depends on the person who looks at it. */
export function PlanActions({ offer: { plan }, interval }: PlanActionsProps) {
  const { user } = useViewer();
  const { data: current, isError } = useSubscription({ enabled: user !== null });
  if (!user) {
    return (
      <LinkButton wide variant={plan === "shelfwise_plus" ? "primary" : "outline"} href={paths.signup()}>
        {VISITOR[plan]}
      </LinkButton>
    );
  }
  if (!current) return <Idle>{isError ? "Not available now" : "Asking for your plan..."}</Idle>;
  if (current.subscription.source === "team") {
    return <ThroughTeam plan={plan} interval={interval} current={current} />;
  }
  if (current.subscription.plan === plan) return <Idle>Current Plan</Idle>;
  if (plan === "reader") return <Idle>Downgrade</Idle>;
  return <Buy plan={plan} interval={interval} current={current} />;
}

const VISITOR: Record<Plan, string> = {
  reader: "Get Started",
  shelfwise_plus: "Upgrade Now",
  shelfwise_team: "Start a team",
};

function Idle({ children }: { children: string }) {
  return (
    <Button wide disabled>
      {children}
    </Button>
  );
}

/** Members of someone else's team can't buy a plan. An owner who was handed a team may pay for it from now on. */
function ThroughTeam({ plan, interval, current }: { plan: Plan; interval: Interval; current: CurrentSubscription }) {
  const { data: team } = useTeam();
  const { start, busy } = useCheckout();
  const owns = team?.role === "owner";
  if (plan === "reader") return <Idle>Downgrade</Idle>;
  if (plan === "shelfwise_plus") return <Idle>Downgrade to Plus</Idle>;
  if (!owns || !current.billingEnabled) {
    return (
      <>
        {team && (
          <p>
            Your plan comes with <span className="serif">{team.name}</span>.
          </p>
        )}
        <Idle>Current Plan</Idle>
      </>
    );
  }
  return (
    <>
      <p>
        The former owner of <span className="serif">{team.name}</span> still pays for it.
      </p>
      <Button
        wide
        variant="primary"
        busy={busy && "Processing..."}
        onClick={() => start({ plan, billingInterval: interval, teamName: team.name })}
      >
        Pay for the team
      </Button>
    </>
  );
}

interface BuyProps {
  plan: "shelfwise_plus" | "shelfwise_team";
  interval: Interval;
  current: CurrentSubscription;
}

function Buy({ plan, interval, current }: BuyProps) {
  const [naming, setNaming] = useState(false);
  const { start, startAsync, busy } = useCheckout();
  const { data: team, isPending } = useTeam();
  const now = current.subscription.plan;
  const label =
    plan === "shelfwise_team" ? "Start a team" : now === "shelfwise_team" ? "Downgrade to Plus" : "Upgrade Now";
  const primary = (plan === "shelfwise_plus" && now === "reader") || (plan === "shelfwise_team" && now !== "reader");
  const press = () => {
    if (plan === "shelfwise_plus") start({ plan, billingInterval: interval });
    // A team that was no longer paid for comes back as it was.
    else if (team) start({ plan, billingInterval: interval, teamName: team.name });
    else setNaming(true);
  };
  return (
    <>
      <Button
        wide
        variant={primary && current.billingEnabled ? "primary" : "outline"}
        disabled={!current.billingEnabled || isPending}
        busy={busy && "Processing..."}
        onClick={press}
      >
        {label}
      </Button>
      {naming && (
        <TeamNameDialog
          onClose={() => setNaming(false)}
          onName={(teamName) => startAsync({ plan, billingInterval: interval, teamName })}
          busy={busy}
        />
      )}
    </>
  );
}
