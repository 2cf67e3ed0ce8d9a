import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api/client";
import { type Filter, toQuery } from "../../statistics/filters/filter";
import type { NewChallenge } from "./model";

/*
 * All keys begin with "shared": whatever is counted over those who share is fetched anew with a change of one's own library,
 * of one's sharing, or of who is in the team.
 */

/** The pooled numbers for a filter. What was shown stays until they are there. */
export function teamStatsQuery(filter: Filter) {
  const query = toQuery(filter);
  return queryOptions({
    queryKey: ["shared", "stats", query],
    queryFn: ({ signal }) => api.get("/api/teams/stats", { query, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Genres, authors and formats of all that is shared, most words first. */
export const teamOptionsQuery = queryOptions({
  queryKey: ["shared", "options"],
  queryFn: ({ signal }) => api.get("/api/teams/stats/options", { signal }),
});

/** The team's challenges, those that end last first. */
export const challengesQuery = queryOptions({
  queryKey: ["shared", "challenges"],
  queryFn: ({ signal }) => api.get("/api/teams/challenges", { signal }),
  select: ({ data }) => data,
});

function useChallengesChanged() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: challengesQuery.queryKey });
}

/** Sets the team a challenge, or changes one. */
export function useSaveChallenge(id?: number) {
  return useMutation({
    mutationFn: (challenge: NewChallenge) =>
      id === undefined
        ? api.post("/api/teams/challenges", challenge)
        : api.patch("/api/teams/challenges/{id}", challenge, { path: { id } }),
    // An answer that got lost must not set the same challenge twice.
    retry: false,
    onSuccess: useChallengesChanged(),
  });
}

export function useDeleteChallenge(id: number) {
  return useMutation({
    mutationFn: () => api.delete("/api/teams/challenges/{id}", { path: { id } }),
    // Also after a failure: one that is already gone should not stay in sight.
    onSettled: useChallengesChanged(),
  });
}
