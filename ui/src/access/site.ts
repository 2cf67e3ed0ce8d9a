import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";

/** What this server offers to everybody, signed in or not. */
export const siteQuery = queryOptions({
  queryKey: keys.site,
  queryFn: ({ signal }) => api.get("/api/site", { signal }),
});

export function useSite() {
  return useQuery(siteQuery);
}
