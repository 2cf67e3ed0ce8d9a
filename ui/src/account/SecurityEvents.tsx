import { usePreferences } from "../access/preferences";
import { useUser } from "../access/viewer";
import type { SecurityEvent } from "../kit/api/types";
import { instantTime } from "../kit/format";
import { Block } from "../kit/ui/Block";
import { EventList } from "./EventList";
import css from "./Events.module.css";
import { actorOf, eventWords, ownEventsQuery } from "./events";

/** The security events of the reader's account. */
export function SecurityEvents() {
  return (
    <Block title="Security events" lead="What has happened around your account’s safety, the newest first.">
      <EventList query={ownEventsQuery}>
        {(events) => (
          <ul className={css.list}>
            {events.map((event, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: an event has no number of its own, and the list only grows
              <Row key={i} event={event} />
            ))}
          </ul>
        )}
      </EventList>
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
