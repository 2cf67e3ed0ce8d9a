import { queryOptions } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import { type Filter, toQuery } from "./filters/filter";

/** The dashboard's numbers for a filter. */
export function statsQuery(filter: Filter) {
  const query = toQuery(filter);
  return queryOptions({
    queryKey: keys.statistics(query),
    queryFn: ({ signal }) => api.get("/api/stats", { query, signal }),
  });
}
