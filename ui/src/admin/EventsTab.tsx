import { usePreferences } from "../access/preferences";
import { EventList } from "../account/EventList";
import { accountOf, actorOf, allEventsQuery, eventWords } from "../account/events";
import type { SecurityEvent } from "../kit/api/types";
import { instantTime } from "../kit/format";
import css from "../kit/people.module.css";
import { FROM_TABLE, useMedia } from "../kit/useMedia";

/** The security events of all accounts. */
export function EventsTab() {
  const isWide = useMedia(FROM_TABLE);
  return (
    <div className="section">
      <EventList query={allEventsQuery}>
        {(events) => (isWide ? <Wide rows={events} /> : <Narrow rows={events} />)}
      </EventList>
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
            <td>{accountOf(event) ?? <Nothing />}</td>
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
            {accountOf(event) && <p className={css.email}>{accountOf(event)}</p>}
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
function byOf(event: SecurityEvent): string | null {
  return event.actor && event.actor !== accountOf(event) ? actorOf(event.actor) : null;
}

function fromOf({ device, address }: SecurityEvent): string {
  return [device, address].filter(Boolean).join(", ");
}
