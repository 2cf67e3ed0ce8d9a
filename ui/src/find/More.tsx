import { type RefObject, useEffect, useState } from "react";
import { counted, whole } from "../kit/format";
import { Button } from "../kit/ui/Button";
import { NotFetched } from "../kit/ui/Fetched";
import css from "./Find.module.css";

interface MoreProps {
  /** Contains the rows. */
  list: RefObject<HTMLElement | null>;
  shown: number;
  matching: number;
  /** What is counted, if it is said. */
  one?: string;
  pages: { isFetchingNextPage: boolean; isFetchNextPageError: boolean; fetchNextPage: () => unknown };
}

/** How much of a list is shown, and the button for more of it. Nothing once all of it is. */
export function More({ list, shown, matching, one, pages }: MoreProps) {
  const [first, setFirst] = useState<number | null>(null);
  // The first new row stands where the button was, which is disabled meanwhile.
  useEffect(() => {
    if (first === null || shown <= first) return;
    list.current?.children[first]?.querySelector<HTMLElement>("a, button")?.focus({ preventScroll: true });
    setFirst(null);
  }, [first, shown, list]);
  if (shown >= matching) return null;
  if (pages.isFetchNextPageError) {
    return <NotFetched onRetry={pages.fetchNextPage}>The rest could not be loaded.</NotFetched>;
  }
  const fetchMore = () => {
    setFirst(shown);
    pages.fetchNextPage();
  };
  return (
    <div className={css.more}>
      <span>
        {whole(shown)} of {one ? counted(matching, one) : whole(matching)}
      </span>
      <Button size="compact" busy={pages.isFetchingNextPage && "Fetching..."} onClick={fetchMore}>
        More
      </Button>
    </div>
  );
}
