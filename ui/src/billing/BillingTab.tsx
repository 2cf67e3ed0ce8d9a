import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { seatUsageQuery, usedSeats } from "../access/seats";
import { PLAN_NAMES, useSubscription, useTeam } from "../access/subscription";
import { useUser } from "../access/viewer";
import { useZone } from "../access/zone";
import { errorMessage } from "../kit/api/client";
import type { CurrentSubscription, Team } from "../kit/api/types";
import { counted, instantDate, whole } from "../kit/format";
import { paths } from "../kit/paths";
import { Alert, Banner } from "../kit/ui/Alert";
import { Badge } from "../kit/ui/Badge";
import { ActRow } from "../kit/ui/Block";
import { Button, LinkButton } from "../kit/ui/Button";
import { DefinitionRow, DefinitionRows } from "../kit/ui/DefinitionRows";
import { AlertDialog } from "../kit/ui/Dialog";
import { Fetched } from "../kit/ui/Fetched";
import { Link } from "../kit/ui/Link";
import { toast } from "../kit/ui/toast";
import { Skeleton } from "../kit/ui/Waiting";
import { AskOperator } from "./AskOperator";
import { plansQuery, useBillingPortal, useCancelSubscription } from "./api";
import css from "./BillingTab.module.css";

/** The effective plan, where it comes from, and what the reader can do about it. */
export function BillingTab() {
  return (
    <Fetched query={useSubscription()} waiting="Fetching your plan" failed="Your plan could not be loaded.">
      {(current) => <Loaded current={current} />}
    </Fetched>
  );
}

function Loaded({ current }: { current: CurrentSubscription }) {
  const { subscription, billingEnabled } = current;
  const { stripeCustomerId } = useUser();
  const zone = useZone();
  const { plan, source, status, cancelAtPeriodEnd } = subscription;
  const cancellable =
    status === "active" && plan !== "reader" && !cancelAtPeriodEnd && (source === "stripe" || source === "operator");
  return (
    <div className={css.bill}>
      {cancelAtPeriodEnd && subscription.currentPeriodEnd && (
        <Alert kind="note">
          Canceled. You keep {PLAN_NAMES[plan]} until {instantDate(subscription.currentPeriodEnd, zone)}; then the
          account reverts to the Reader plan. To keep it after all, open Manage Billing.
        </Alert>
      )}
      {status === "past_due" && (
        <Banner icon="alert" action={stripeCustomerId && <ManageBillingButton size="compact" />}>
          The last payment failed. Check your card to keep {PLAN_NAMES[plan]}.
        </Banner>
      )}
      <Rows current={current} />
      {source === "team" && (
        <p className="hint">
          The plan is yours for as long as you are in the team. Afterwards the account is a Reader account; nothing you
          logged is lost.
        </p>
      )}
      {!billingEnabled && source !== "team" && (
        <p className="hint">
          This server takes no payments: plans are set by hand. To change yours, ask <AskOperator />.
        </p>
      )}
      {stripeCustomerId && <ManageBilling />}
      {cancellable && <Cancel current={current} />}
    </div>
  );
}

function Rows({ current }: { current: CurrentSubscription }) {
  const { subscription, team: seats, limits } = current;
  const { plan, status, source, currentPeriodEnd, cancelAtPeriodEnd } = subscription;
  const { data: team } = useTeam();
  const zone = useZone();
  const upgrade = (
    <LinkButton size="compact" variant={plan === "reader" ? "primary" : "outline"} href={paths.pricing()}>
      Upgrade Plan
    </LinkButton>
  );
  return (
    <DefinitionRows>
      <DefinitionRow name="Plan" action={upgrade}>
        <span className="serif">{PLAN_NAMES[plan]}</span>
        {plan !== "reader" && <Badge variant={status === "active" ? "ok" : "warn"}>{status}</Badge>}
      </DefinitionRow>
      {source === "stripe" && <Price current={current} />}
      {source === "team" && team && <Through team={team} />}
      {(source === "operator" || source === "default") && (
        <DefinitionRow name="Set by">
          {source === "operator" ? "the operator of this server" : "this server, for everyone"}
        </DefinitionRow>
      )}
      {plan !== "reader" && source !== "team" && (
        <DefinitionRow name={cancelAtPeriodEnd ? "Ends" : "Renewal date"}>
          {currentPeriodEnd ? instantDate(currentPeriodEnd, zone) : "none"}
        </DefinitionRow>
      )}
      {seats && (
        // A reader whose plan comes from a team opens the team by the row above.
        <DefinitionRow name="Team seats" action={source !== "team" && <Link href={paths.team()}>Manage seats</Link>}>
          <SeatsUsed />
        </DefinitionRow>
      )}
      {limits.bookLimit !== null && (
        <DefinitionRow name="Books">
          <span className="num">
            {whole(limits.bookCount)} / {whole(limits.bookLimit)}
          </span>
        </DefinitionRow>
      )}
      {limits.historyMonths !== null && (
        <DefinitionRow name="Analytics history">year to date, or the last {limits.historyMonths} months</DefinitionRow>
      )}
    </DefinitionRows>
  );
}

/** The number of seats in use. The subscription's own answer counts members only, and pending invitations hold seats, too. */
function SeatsUsed() {
  const { data: usage, isError } = useQuery(seatUsageQuery);
  if (!usage) return isError ? <span className="muted">could not be loaded</span> : <Skeleton width={40} />;
  return (
    <span className="num">
      {usedSeats(usage)} / {usage.seatLimit} seats used
    </span>
  );
}

/** The price that is paid, as the operator words it. */
function Price({ current: { subscription, team } }: { current: CurrentSubscription }) {
  const { data: plans } = useQuery(plansQuery);
  const { plan, billingInterval } = subscription;
  const offer = plans?.find((one) => one.plan === plan);
  if (!billingInterval || !offer) return null;
  const annual = billingInterval === "annual";
  const [price, seat] = annual ? [offer.annual, offer.seatAnnual] : [offer.monthly, offer.seatMonthly];
  const included = annual ? offer.membersAnnual : offer.membersMonthly;
  const seats = team && included !== null ? team.seatLimit - included : 0;
  return (
    <DefinitionRow name="Billing">
      {annual ? `Annual, ${price} per year` : `Monthly, ${price} per month`}
      {seats > 0 && seat && (
        <span className="muted">
          {" "}
          and {counted(seats, "seat")} at {seat} each
        </span>
      )}
    </DefinitionRow>
  );
}

function Through({ team }: { team: Team }) {
  return (
    <>
      <DefinitionRow name="Through" action={<Link href={paths.team()}>Team</Link>}>
        <span className="serif">{team.name}</span>
      </DefinitionRow>
      <DefinitionRow name="Paid by">{team.owner.displayName}</DefinitionRow>
    </>
  );
}

function ManageBilling() {
  return (
    <ActRow
      title="Payment details and invoices"
      hint="Opens the payment provider’s portal. You come back to this page."
    >
      <ManageBillingButton />
    </ActRow>
  );
}

function ManageBillingButton({ size }: { size?: "compact" }) {
  const portal = useBillingPortal();
  const open = () =>
    portal.mutate(undefined, {
      onError: (error) =>
        toast({
          title: "Error",
          description: errorMessage(error, "Failed to open the billing portal"),
          destructive: true,
        }),
    });
  return (
    <Button icon="external" size={size} busy={(portal.isPending || portal.isSuccess) && "Processing..."} onClick={open}>
      Manage Billing
    </Button>
  );
}

function Cancel({ current: { subscription, team } }: { current: CurrentSubscription }) {
  const [asking, setAsking] = useState(false);
  const cancel = useCancelSubscription();
  const zone = useZone();
  const { plan, source, currentPeriodEnd } = subscription;
  // A plan that an operator has set has no paid period.
  const ends = source === "stripe" && currentPeriodEnd ? instantDate(currentPeriodEnd, zone) : null;
  const others = team ? team.memberCount - 1 : 0;
  const everyone = others > 0 ? "everyone in the team is" : "you are";
  const keepers = others > 0 ? `You and the ${counted(others, "other member")} keep` : "You keep";
  const confirm = async () => {
    await cancel.mutateAsync();
    toast({
      title: "Subscription canceled",
      description: ends
        ? `You keep ${PLAN_NAMES[plan]} until ${ends}`
        : "Your subscription has been canceled immediately",
    });
  };
  return (
    <>
      <ActRow
        title="Cancel"
        hint={
          ends
            ? `You keep the plan until ${ends}. After that ${everyone} on the Reader plan. Books beyond its limit stay, but no new ones can be added.`
            : "Nothing was paid in advance, so the plan ends now."
        }
      >
        <Button variant="danger-outline" onClick={() => setAsking(true)}>
          Cancel Subscription
        </Button>
      </ActRow>
      {asking && (
        <AlertDialog
          onClose={() => setAsking(false)}
          title="Cancel your subscription?"
          text={
            ends
              ? `${keepers} ${PLAN_NAMES[plan]} until ${ends}. Nothing is deleted.`
              : `${PLAN_NAMES[plan]} ends at once. Nothing is deleted.`
          }
          cancel="Keep subscription"
          confirm="Cancel Subscription"
          action={confirm}
          busy="Processing..."
          failed="Failed to cancel the subscription"
        />
      )}
    </>
  );
}
