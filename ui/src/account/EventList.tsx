import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import type { SecurityEvent } from "../kit/api/types";
import { counted } from "../kit/format";
import { Button } from "../kit/ui/Button";
import { Empty } from "../kit/ui/Empty";
import { NotFetched } from "../kit/ui/Fetched";
import { Spinner } from "../kit/ui/Waiting";
import css from "./Events.module.css";
import type { EventsQuery } from "./events";

interface EventListProps {
  query: EventsQuery;
  /** Draws the events, of which there is at least one. */
  children: (events: readonly SecurityEvent[]) => ReactNode;
}

/** Security events, with their loading, error and empty states, and a button that loads more. */
export function EventList({ query, children }: EventListProps) {
  const list = useInfiniteQuery(query);
  const events = list.data?.pages.flatMap(({ data }) => data);
  return (
    <>
      {list.isPending && <Spinner>Fetching the events</Spinner>}
      {list.isError && (
        <NotFetched error={list.error} onRetry={list.refetch}>
          The events could not be loaded.
        </NotFetched>
      )}
      {events?.length === 0 && <Empty title="Nothing in the last 90 days." />}
      {events && events.length > 0 && (
        <>
          {children(events)}
          <Foot shown={events.length} list={list} />
        </>
      )}
    </>
  );
}

interface FootProps {
  shown: number;
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => Promise<{ hasNextPage: boolean }>;
  };
}

/** The number of events, and a button that loads more. */
function Foot({ shown, list }: FootProps) {
  const count = useRef<HTMLSpanElement>(null);
  const showMore = async () => {
    const { hasNextPage } = await list.fetchNextPage();
    // The button disappears with the last page, so the focus moves to the count.
    if (!hasNextPage) count.current?.focus();
  };
  return (
    <div className={css.foot}>
      {list.hasNextPage && (
        <Button size="compact" busy={list.isFetchingNextPage && "Fetching..."} onClick={showMore}>
          Show more
        </Button>
      )}
      <span className="hint" role="status" ref={count} tabIndex={-1}>
        {counted(shown, "event")}, kept for 90 days
      </span>
    </div>
  );
}
