import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api } from "../kit/api/client";
import type { ListedUser, Plan, Role } from "../kit/api/types";
import { type UsersFilter, usersQueryOf } from "./model";

/** How often an answer is asked for anew while its page is open, in milliseconds. */
const EVERY = 30_000;
const LOAD_EVERY = 10_000;

function polled<T>(name: string, every: number, ask: (signal: AbortSignal) => Promise<T>) {
  return queryOptions({
    queryKey: ["admin", name],
    queryFn: ({ signal }) => ask(signal),
    refetchInterval: every,
    // An operator who comes back to the page sees what is new at once, not with the next round.
    staleTime: every,
  });
}

export const userAnalyticsQuery = polled("analytics/users", EVERY, (signal) =>
  api.get("/api/admin/analytics/users", { signal }),
);
export const locationQuery = polled("analytics/location", EVERY, (signal) =>
  api.get("/api/admin/analytics/location", { signal }),
);
export const devicesQuery = polled("analytics/devices", EVERY, (signal) =>
  api.get("/api/admin/analytics/devices", { signal }),
);
export const systemQuery = polled("analytics/system", LOAD_EVERY, (signal) =>
  api.get("/api/admin/analytics/system", { signal }),
);
export const healthQuery = polled("health", EVERY, (signal) => api.get("/api/admin/health", { signal }));
export const backupsQuery = polled("backups", EVERY, (signal) => api.get("/api/admin/backups", { signal }));

const USERS = ["admin", "users"] as const;

/** The accounts of a filter, page by page. What was shown stays until they are there. */
export function usersQuery(filter: UsersFilter) {
  return infiniteQueryOptions({
    queryKey: [...USERS, filter],
    queryFn: ({ pageParam, signal }) =>
      api.get("/api/admin/users", { query: { ...usersQueryOf(filter), cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    staleTime: EVERY,
  });
}

/** How much an account holds, and how much it may: never what. */
export function usageQuery(id: number) {
  return queryOptions({
    queryKey: ["admin", "usage", id],
    queryFn: ({ signal }) => api.get("/api/admin/users/{id}/usage", { path: { id }, signal }),
    select: ({ usage }) => usage,
    staleTime: EVERY,
  });
}

/** What an operator may change of somebody's account. */
export interface UserChange {
  role?: Role;
  plan?: Plan;
  disabled?: boolean;
}

/** Changes an account; done once the lists that show it are fetched anew. */
export function useChangeUser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, change }: { id: number; change: UserChange }) =>
      api.patch("/api/admin/users/{id}", change, { path: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: USERS }),
  });
}

/** Makes a link for somebody to set a new password; it can't be had a second time. */
export function useResetLink() {
  return useMutation({
    mutationFn: (user: ListedUser) =>
      api.post("/api/admin/users/{id}/reset-link", undefined, { path: { id: user.id } }),
    // Whoever has the link has the account: it leaves the memory with the dialog that shows it.
    gcTime: 0,
  });
}

/** Switches one's own plan. Nearly every answer depends on it. */
export function useSwitchPlan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (plan: Plan) => api.post("/api/admin/toggle-subscription", { plan }),
    onSuccess: () => client.invalidateQueries(),
  });
}
