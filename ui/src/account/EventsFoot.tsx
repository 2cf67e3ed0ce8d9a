import { useRef } from "react";
import { counted } from "../kit/format";
import { Button } from "../kit/ui/Button";
import css from "./Events.module.css";

interface EventsFootProps {
  shown: number;
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => Promise<{ hasNextPage: boolean }>;
  };
}

/** Shows the number of events, and a button that loads more. */
export function EventsFoot({ shown, list }: EventsFootProps) {
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
