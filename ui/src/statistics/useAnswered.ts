import { useInfiniteQuery, usePrefetchInfiniteQuery, usePrefetchQuery, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { booksQuery } from "../library/books/list";
import type { Sort } from "../library/books/sort";
import { statsQuery } from "./api";
import { type Filter, toQuery } from "./filters/filter";

/** What the dashboard is asked to show. */
export interface Question {
  filter: Filter;
  sort: Sort;
}

/**
 * The question that the page is to show. A new one is sent to the server at once, and taken when both its answers are there,
 * the figures and the books, so that the page is drawn once for it; what was shown stays until then. The drawing is done in
 * slices between which the page answers: 500 spines and four charts in one go would hold it up.
 */
export function useAnswered(filter: Filter, sort: Sort): Question {
  const asked = useMemo(() => ({ filter, sort }), [filter, sort]);
  const figures = statsQuery(filter);
  const list = booksQuery({ query: toQuery(filter), sort });
  // Sooner than the queries below, which wait until the page has been drawn.
  usePrefetchQuery(figures);
  usePrefetchInfiniteQuery(list);
  const waits = [useQuery(figures).isPending, useInfiniteQuery(list).isPending].includes(true);
  const [answered, setAnswered] = useState(asked);
  if (answered !== asked && !waits) setAnswered(asked);
  return useDeferredValue(answered);
}
