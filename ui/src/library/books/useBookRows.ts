import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useRowsInView } from "../../kit/ui/useRowsInView";
import { type BooksQuery, booksQuery } from "./list";
import type { Sort } from "./sort";

/**
 * The books of a filter, of which only those in view are drawn, and only those scrolled to are fetched. `estimate` is a
 * row's usual height in px; what rows really measure replaces it.
 */
export function useBookRows(query: BooksQuery, sort: Sort, estimate: number) {
  const { data, error, isPlaceholderData, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(
    booksQuery(query, sort),
  );
  const books = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const matching = data?.pages[0]?.matching ?? null;
  const { frame, first, end, above, below } = useRowsInView(matching ?? 0, estimate);

  const needsMore = end > books.length && hasNextPage && !isFetchingNextPage && !isPlaceholderData;
  useEffect(() => {
    if (needsMore) fetchNextPage();
  }, [needsMore, fetchNextPage]);

  return {
    books,
    /** Books that the filter lets through; null while that is not known. */
    matching,
    error,
    refetch,
    /** Give it to what holds the rows, each of which carries its number as `data-index`. */
    frame,
    /** The numbers of the rows to draw. They are told apart by them: a new filter changes what rows say. */
    rows: Array.from({ length: end - first }, (_, i) => first + i),
    /** px of rows left out above and below. */
    above,
    below,
  };
}
