import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { Preferences } from "../kit/api/types";
import { storeAnswer } from "../kit/query";

/** The reader's preferences. Premium preferences have their default values when the plan lacks them. */
export const preferencesQuery = queryOptions({
  queryKey: keys.preferences,
  queryFn: ({ signal }) => api.get("/api/preferences", { signal }),
  select: ({ preferences }) => preferences,
});

export function usePreferences() {
  return useQuery(preferencesQuery);
}

/** Saves some of the preferences. It shows no notice of its own. */
export function useSavePreferences() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: Partial<Preferences>) => api.patch("/api/preferences", changes),
    onSuccess: (answer) => storeAnswer(client, preferencesQuery.queryKey, answer),
  });
}
