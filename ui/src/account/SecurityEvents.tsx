import { useInfiniteQuery } from "@tanstack/react-query";
import { usePreferences } from "../access/preferences";
import { useUser } from "../access/viewer";
import { errorMessage } from "../kit/api/client";
import type { SecurityEvent } from "../kit/api/types";
import { instantTime } from "../kit/format";
import { Alert } from "../kit/ui/Alert";
import { Block } from "../kit/ui/Block";
import { Button } from "../kit/ui/Button";
import { Empty } from "../kit/ui/Empty";
import { Spinner } from "../kit/ui/Waiting";
import css from "./Events.module.css";
import { EventsFoot } from "./EventsFoot";
import { actorOf, eventWords, ownEventsQuery } from "./events";

/** The security events of the reader's account. */
export function SecurityEvents() {
  const events = useInfiniteQuery(ownEventsQuery);
  const rows = events.data?.pages.flatMap(({ data }) => data);
  return (
    <Block title="Security events" lead="What has happened around your account’s safety, the newest first.">
      {events.isPending && <Spinner>Fetching the events</Spinner>}
      {events.isError && (
        <Alert>
          <p>{errorMessage(events.error, "The events could not be fetched.")}</p>
          <Button size="compact" onClick={() => events.refetch()}>
            Try again
          </Button>
        </Alert>
      )}
      {rows?.length === 0 && <Empty title="Nothing in the last 90 days." />}
      {rows && rows.length > 0 && (
        <>
          <ul className={css.list}>
            {rows.map((event, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an event has no number of its own, and the list only grows
              <Row key={i} event={event} />
            ))}
          </ul>
          <EventsFoot shown={rows.length} list={events} />
        </>
      )}
    </Block>
  );
}

function Row({ event }: { event: SecurityEvent }) {
  const { email } = useUser();
  const { data: preferences } = usePreferences();
  const { at, actor, device, address } = event;
  const by = actor && actor !== email && `by ${actorOf(actor)}`;
  return (
    <li className={css.event}>
      <p className={css.when}>{instantTime(at, preferences?.timezone)}</p>
      <div className={css.body}>
        <p className={css.what}>{eventWords(event)}</p>
        <p className="hint">{[by, device, address].filter(Boolean).join(", ")}</p>
      </div>
    </li>
  );
}
