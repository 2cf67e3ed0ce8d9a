import { useInfiniteQuery } from "@tanstack/react-query";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { type BooksQuery, booksQuery } from "./list";
import type { Sort } from "./sort";

/** Distance in px from the top of the page to an element, followed as what stands above it changes. */
function useOffset() {
  const ref = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (ref.current) setOffset(Math.round(ref.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, []);
  return [ref, offset] as const;
}

/**
 * The books of a filter, of which only those in view are drawn, and only those scrolled to are fetched. `estimate` is a
 * row's usual height in px; what rows really measure replaces it.
 */
export function useBookRows(query: BooksQuery, sort: Sort, estimate: number) {
  const { data, error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    booksQuery(query, sort),
  );
  const [frame, scrollMargin] = useOffset();
  const books = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const matching = data?.pages[0]?.matching ?? null;

  const virtualizer = useWindowVirtualizer({
    count: matching ?? 0,
    estimateSize: () => estimate,
    // Rows are told apart by their place: a new filter then changes what rows say instead of making them anew.
    overscan: 6,
    scrollMargin,
  });
  const rows = virtualizer.getVirtualItems();
  const lastSeen = rows.at(-1)?.index ?? 0;
  const needsMore = lastSeen >= books.length && hasNextPage && !isFetchingNextPage && !isPlaceholderData;
  useEffect(() => {
    if (needsMore) fetchNextPage();
  }, [needsMore, fetchNextPage]);

  const first = rows[0];
  const last = rows.at(-1);
  return {
    books,
    /** Books that the filter lets through; null while that is not known. */
    matching,
    error,
    refetch,
    /** Give it to what holds the rows. */
    frame,
    /** The rows to draw, each with its index. */
    rows,
    measure: virtualizer.measureElement,
    /** px of rows left out above and below. */
    above: first ? first.start - scrollMargin : 0,
    below: last ? virtualizer.getTotalSize() - (last.end - scrollMargin) : 0,
  };
}
