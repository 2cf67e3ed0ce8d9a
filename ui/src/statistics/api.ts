import { queryOptions } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { BooksQuery } from "../library/books/list";
import { type Filter, toQuery } from "./filters/filter";

/** The dashboard's numbers for a filter. */
export function statsQuery(filter: Filter) {
  const query = toQuery(filter);
  return queryOptions({
    queryKey: keys.statistics(query),
    queryFn: ({ signal }) => api.get("/api/stats", { query, signal }),
  });
}

/** Pace, lengths, years, languages, ratings and outcomes for the filter; `compare` names two years: `2025..2024`. */
export function readingStatsQuery(filter: BooksQuery, compare?: string) {
  const query = { ...filter, ...(compare && { compare }) };
  return queryOptions({
    queryKey: keys.readingStatistics(query),
    queryFn: ({ signal }) => api.get("/api/stats/reading", { query, signal }),
  });
}
