import { useInfiniteQuery } from "@tanstack/react-query";
import { usePreferences } from "../access/preferences";
import { EventsFoot } from "../account/EventsFoot";
import { actorOf, allEventsQuery, eventWords } from "../account/events";
import { errorMessage } from "../kit/api/client";
import type { SecurityEvent } from "../kit/api/types";
import { instantTime } from "../kit/format";
import css from "../kit/styles/people.module.css";
import { Alert } from "../kit/ui/Alert";
import { Button } from "../kit/ui/Button";
import { Empty } from "../kit/ui/Empty";
import { Spinner } from "../kit/ui/Waiting";
import { useMedia } from "../kit/useMedia";

/** The security events of all accounts. */
export function EventsTab() {
  const events = useInfiniteQuery(allEventsQuery);
  const isWide = useMedia("(min-width: 900px)");
  const rows = events.data?.pages.flatMap(({ data }) => data);
  return (
    <div className="section">
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
          {isWide ? <Wide rows={rows} /> : <Narrow rows={rows} />}
          <EventsFoot shown={rows.length} list={events} />
        </>
      )}
    </div>
  );
}

interface RowsProps {
  rows: readonly SecurityEvent[];
}

function Wide({ rows }: RowsProps) {
  const { data: preferences } = usePreferences();
  return (
    <table className={css.table}>
      <caption className="vh">Security events</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Event</th>
          <th scope="col">Account</th>
          <th scope="col">By</th>
          <th scope="col">From</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((event, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an event has no number of its own, and the list only grows
          <tr key={i}>
            <td className="num">{instantTime(event.at, preferences?.timezone)}</td>
            <td>{eventWords(event)}</td>
            <td>{event.whom ?? <Nothing />}</td>
            <td>{byOf(event) ?? <Nothing />}</td>
            <td>{fromOf(event) || <Nothing />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Narrow({ rows }: RowsProps) {
  const { data: preferences } = usePreferences();
  return (
    <ul className={css.rows}>
      {rows.map((event, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an event has no number of its own, and the list only grows
        <li key={i} className={css.row}>
          <div className={css.body}>
            <p className="label">{eventWords(event)}</p>
            {event.whom && <p className={css.email}>{event.whom}</p>}
            <p className={css.meta}>
              <span>{instantTime(event.at, preferences?.timezone)}</span>
              {byOf(event) && <span>By {byOf(event)}</span>}
              {fromOf(event) && <span>{fromOf(event)}</span>}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

function Nothing() {
  return <span className="muted">-</span>;
}

/** The person who did it, unless that is the account itself. */
function byOf({ actor, whom }: SecurityEvent): string | null {
  return actor && actor !== whom ? actorOf(actor) : null;
}

function fromOf({ device, address }: SecurityEvent): string {
  return [device, address].filter(Boolean).join(", ");
}
