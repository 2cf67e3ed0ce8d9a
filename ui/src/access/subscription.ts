import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { Feature, Plan } from "../kit/api/types";
import { useIsPrivate } from "./site";

/** The effective plan with its limits and features. */
export const subscriptionQuery = queryOptions({
  queryKey: keys.subscription,
  queryFn: ({ signal }) => api.get("/api/subscriptions/current", { signal }),
  retry: false,
});

/** Set `enabled` to false on pages where no one is signed in. */
export function useSubscription({ enabled = true } = {}) {
  return useQuery({ ...subscriptionQuery, enabled });
}

/**
 * Returns a function that says whether the plan includes a feature. It returns false until the plan is loaded, except on
 * a private server, which has every feature for everyone. The server enforces the plan in any case.
 */
export function useCan(): (feature: Feature) => boolean {
  const isPrivate = useIsPrivate();
  const { data } = useSubscription();
  return (feature) => isPrivate || (data?.features.includes(feature) ?? false);
}

/** The display name of each plan. */
export const PLAN_NAMES: Record<Plan, string> = {
  reader: "Reader",
  shelfwise_plus: "Shelfwise Plus",
  shelfwise_team: "Shelfwise Team",
};

/** The reader's team, null without one. */
export const teamQuery = queryOptions({
  queryKey: keys.team,
  queryFn: ({ signal }) => api.get("/api/teams/current", { signal }),
  select: ({ team }) => team,
  retry: false,
});

export function useTeam() {
  return useQuery(teamQuery);
}
