import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useRowsInView } from "../../kit/ui/useRowsInView";
import { booksQuery, type ListedBooks } from "./list";

/**
 * The books of a filter, of which only those in view are drawn, and only those scrolled to are fetched. `estimate` is a
 * row's usual height in px; what rows really measure replaces it.
 */
export function useBookRows(list: ListedBooks, estimate: number) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(booksQuery(list));
  const books = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const matching = data?.pages[0]?.matching ?? null;
  const { frame, first, end, above, below } = useRowsInView(matching ?? 0, estimate);

  const needsMore = end > books.length && hasNextPage && !isFetchingNextPage;
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
