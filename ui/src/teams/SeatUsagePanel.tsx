import { useQuery } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { seatUsageQuery, usedSeats } from "../access/seats";
import { useIsPrivate } from "../access/site";
import { plansQuery } from "../billing/api";
import { errorMessage } from "../kit/api/client";
import type { SeatUsage, Team } from "../kit/api/types";
import { whole } from "../kit/format";
import { Button, IconButton } from "../kit/ui/Button";
import { NotFetched } from "../kit/ui/Fetched";
import { Panel } from "../kit/ui/Panel";
import { toast } from "../kit/ui/toast";
import { Skeleton } from "../kit/ui/Waiting";
import { useSetSeats } from "./api";
import { isLapsed, leastAddonSeats, MOST_ADDON_SEATS, seatPrice, seatsHint } from "./model";
import { SeatMeter } from "./SeatMeter";
import css from "./Team.module.css";

/** The seats of the team, who holds them, and, for the owner, how to get more. */
export function SeatUsagePanel({ team }: { team: Team }) {
  const isPrivate = useIsPrivate();
  const { data: usage, isError, error, refetch } = useQuery(seatUsageQuery);
  if (!usage) {
    return (
      <Panel title="Seat Usage" beside>
        {isError ? (
          <NotFetched error={error} onRetry={refetch}>
            The seats could not be loaded.
          </NotFetched>
        ) : (
          <Skeleton width={40} height={2} />
        )}
      </Panel>
    );
  }
  return (
    <Panel title="Seat Usage" beside end={<span className="num">{whole(usage.availableSeats)} available</span>}>
      <p className={css.used}>
        {usedSeats(usage)} / {usage.seatLimit} <span className={css.unit}>seats used</span>
      </p>
      <SeatMeter usage={usage} />
      <Remaining seats={usage.availableSeats} />
      <p className={`hint ${css.seatsHint}`}>{seatsHint(usage)}</p>
      {team.role === "owner" && !isLapsed(team) && !isPrivate && <AddonSeats team={team} usage={usage} />}
    </Panel>
  );
}

const FULL = "A seat becomes free when a member leaves or an invitation ends";

function Remaining({ seats }: { seats: number }) {
  const isPrivate = useIsPrivate();
  if (seats > 1) return null;
  return (
    <p className={css.remaining} data-full={seats === 0 || undefined}>
      <strong>{seats === 0 ? "No seats available" : "Only 1 seat remaining"}</strong>
      {seats === 0 && (isPrivate ? FULL : "Upgrade your plan to add more team members")}
    </p>
  );
}

/** Additional seats, one more or fewer with each press. Nothing is ordered before Update. */
function AddonSeats({ team, usage }: { team: Team; usage: SeatUsage }) {
  const id = useId();
  const more = useRef<HTMLButtonElement>(null);
  const [chosen, setChosen] = useState<number | null>(null);
  const { data: plans } = useQuery(plansQuery);
  const set = useSetSeats();
  const offer = plans?.find(({ plan }) => plan === "shelfwise_team");
  const wanted = chosen ?? usage.addonSeats;
  const update = () =>
    set.mutate(wanted, {
      onSuccess: () => {
        setChosen(null);
        toast({ title: "Seats updated" });
      },
      onError: (error) =>
        toast({
          title: "Update Failed",
          description: errorMessage(error, "Failed to change the seats"),
          destructive: true,
        }),
      // Without a change the Update button is disabled and has lost the focus.
      onSettled: () => more.current?.focus(),
    });
  return (
    <div className={css.addon}>
      <div>
        <p className="label" id={id}>
          Addon seats
        </p>
        <p className="hint">{seatPrice(team.subscription.billingInterval, offer, usage.baseSeats)}</p>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be named by a legend, which stands elsewhere */}
      <div className={css.stepper} role="group" aria-labelledby={id}>
        <IconButton
          icon="minus"
          label="One seat fewer"
          disabled={wanted <= leastAddonSeats(usage)}
          onClick={() => setChosen(wanted - 1)}
        />
        <output>{wanted}</output>
        <IconButton
          ref={more}
          icon="plus"
          label="One seat more"
          disabled={wanted >= MOST_ADDON_SEATS}
          onClick={() => setChosen(wanted + 1)}
        />
      </div>
      <Button
        size="compact"
        disabled={wanted === usage.addonSeats}
        busy={set.isPending && "Updating..."}
        onClick={update}
      >
        Update
      </Button>
    </div>
  );
}
