import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import { type Filter, toQuery } from "../../statistics/filters/filter";
import type { NewChallenge } from "./model";

/** The shared statistics for a filter. The previous ones stay until the new ones arrive. */
export function teamStatsQuery(filter: Filter) {
  const query = toQuery(filter);
  return queryOptions({
    queryKey: keys.teamStatistics(query),
    queryFn: ({ signal }) => api.get("/api/teams/stats", { query, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Genres, authors and formats of all shared books, most words first. */
export const teamOptionsQuery = queryOptions({
  queryKey: keys.teamFilterOptions,
  queryFn: ({ signal }) => api.get("/api/teams/stats/options", { signal }),
});

/** The team's challenges, the one that ends last first. */
export const challengesQuery = queryOptions({
  queryKey: keys.challenges,
  queryFn: ({ signal }) => api.get("/api/teams/challenges", { signal }),
  select: ({ data }) => data,
});

function useChallengesChanged() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: challengesQuery.queryKey });
}

/** Creates a challenge, or changes one. */
export function useSaveChallenge(id?: number) {
  return useMutation({
    mutationFn: (challenge: NewChallenge) =>
      id === undefined
        ? api.post("/api/teams/challenges", challenge)
        : api.patch("/api/teams/challenges/{id}", challenge, { path: { id } }),
    // A retry after a lost answer would create the same challenge twice.
    retry: false,
    onSuccess: useChallengesChanged(),
  });
}

export function useDeleteChallenge(id: number) {
  return useMutation({
    mutationFn: () => api.delete("/api/teams/challenges/{id}", { path: { id } }),
    // Also after a failure: a challenge that no longer exists must not stay visible.
    onSettled: useChallengesChanged(),
  });
}
