import { useRef } from "react";
import { PLAN_NAMES, useSubscription } from "../access/subscription";
import { errorMessage } from "../kit/api/client";
import type { Plan } from "../kit/api/types";
import { Badge } from "../kit/ui/Badge";
import { Button } from "../kit/ui/Button";
import { Panel } from "../kit/ui/Panel";
import { toast } from "../kit/ui/toast";
import css from "./Admin.module.css";
import { useSwitchPlan } from "./api";

const PLANS = Object.keys(PLAN_NAMES) as Plan[];

/** Switches the operator to another plan, to see what readers on that plan see. */
export function PlanSwitch() {
  const { data: current } = useSubscription();
  const { mutate, isPending, variables } = useSwitchPlan();
  const group = useRef<HTMLFieldSetElement>(null);
  const switchTo = (plan: Plan) =>
    mutate(plan, {
      onSuccess: ({ message }) => toast({ title: "Plan switched", description: message }),
      onError: (error) =>
        toast({
          title: "Error",
          description: errorMessage(error, "Failed to toggle subscription"),
          destructive: true,
        }),
      // The pressed button is disabled now and has lost the focus.
      onSettled: () => group.current?.focus(),
    });
  return (
    <Panel title="Subscription Control" end={<Badge variant="warn">Test only</Badge>}>
      <p className="muted">Switches your own plan. No payment is made.</p>
      <fieldset className={css.plans} ref={group} tabIndex={-1}>
        <legend className="vh">Your plan</legend>
        {PLANS.map((plan) => (
          <Button
            key={plan}
            disabled={!current || isPending || plan === current.subscription.plan}
            aria-pressed={plan === current?.subscription.plan}
            busy={isPending && plan === variables && "Switching..."}
            onClick={() => switchTo(plan)}
          >
            {plan}
          </Button>
        ))}
      </fieldset>
    </Panel>
  );
}
