import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import type { Preferences } from "../kit/api/types";
import { takeIn } from "../kit/query";

/** How the reader wants to see things. Premium ones come as their defaults where the plan lacks them. */
export const preferencesQuery = queryOptions({
  queryKey: ["preferences"],
  queryFn: ({ signal }) => api.get("/api/preferences", { signal }),
  select: ({ preferences }) => preferences,
});

export function usePreferences() {
  return useQuery(preferencesQuery);
}

/** Changes some of the preferences; says nothing by itself. */
export function useSavePreferences() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: Partial<Preferences>) => api.patch("/api/preferences", changes),
    onSuccess: (answer) => takeIn(client, preferencesQuery.queryKey, answer),
  });
}
