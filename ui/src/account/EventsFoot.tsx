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

/** How many events are shown, and the way to more of them. */
export function EventsFoot({ shown, list }: EventsFootProps) {
  const count = useRef<HTMLSpanElement>(null);
  const showMore = async () => {
    const { hasNextPage } = await list.fetchNextPage();
    // With the last page the button goes, and the focus with it.
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
