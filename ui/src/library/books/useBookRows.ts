import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useWindowRows } from "../../kit/ui/useWindowRows";
import { usePrinting } from "../../kit/usePrinting";
import { booksQuery, type ListedBooks } from "./list";

/**
 * The first books that match a filter, at most `most`. Only the rows in view are rendered, and only the pages scrolled to are fetched.
 * `estimate` is the usual height of a row in px; measured heights replace it.
 */
export function useBookRows<List extends HTMLElement>(list: ListedBooks, most: number, estimate: number) {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useInfiniteQuery(booksQuery(list));
  const books = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const matching = data?.pages[0]?.matching ?? null;
  const isPrinting = usePrinting();
  // Rows that are not fetched would be empty on paper; a line below the table counts them.
  const inWindow = useWindowRows<List>({
    count: isPrinting ? books.length : Math.min(matching ?? 0, most),
    estimate,
  });

  // After a failure the reader asks again.
  const end = (inWindow.rows.at(-1)?.index ?? -1) + 1;
  const needsMore = end > books.length && hasNextPage && !isFetchingNextPage && !error;
  useEffect(() => {
    if (needsMore) fetchNextPage();
  }, [needsMore, fetchNextPage]);

  return {
    books,
    /** The number of matching books; null while it is unknown. */
    matching,
    error,
    refetch,
    ...inWindow,
  };
}
