import { queryOptions, useQuery } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import type { Feature, Plan } from "../kit/api/types";

/** The plan in force, its limits and features. */
export const subscriptionQuery = queryOptions({
  queryKey: ["subscription"],
  queryFn: ({ signal }) => api.get("/api/subscriptions/current", { signal }),
  retry: false,
});

/** `enabled: false` where nobody is signed in. */
export function useSubscription({ enabled = true } = {}) {
  return useQuery({ ...subscriptionQuery, enabled });
}

/** Whether the plan includes a feature. Unknown, while the plan is, is no: the server decides in any case. */
export function useCan(): (feature: Feature) => boolean {
  const { data } = useSubscription();
  return (feature) => data?.features.includes(feature) ?? false;
}

/** The plans as the pages name them. */
export const PLAN_NAMES: Record<Plan, string> = {
  reader: "Reader",
  shelfwise_plus: "Shelfwise Plus",
  shelfwise_team: "Shelfwise Team",
};

/** The user's team, null for somebody in none. */
export const teamQuery = queryOptions({
  queryKey: ["team"],
  queryFn: ({ signal }) => api.get("/api/teams/current", { signal }),
  select: ({ team }) => team,
  retry: false,
});

export function useTeam() {
  return useQuery(teamQuery);
}
