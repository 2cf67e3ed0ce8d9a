import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { api } from "../kit/api/client";
import type {
  BackupList,
  DeviceAnalytics,
  Health,
  ListedUser,
  LocationAnalytics,
  Plan,
  Role,
  SystemAnalytics,
  Usage,
  UserAnalytics,
  UserList,
} from "../kit/api/types";
import { type UsersFilter, usersQueryOf } from "./model";

/** How often an answer is asked for anew while its page is open, in milliseconds. */
const EVERY = 30_000;
const LOAD_EVERY = 10_000;

function polled<Answer>(path: string, every: number) {
  return queryOptions({
    queryKey: ["admin", path],
    queryFn: ({ signal }) => api.get<Answer>(`/api/admin/${path}`, { signal }),
    refetchInterval: every,
    // Whoever comes back to the page sees what is new at once, not with the next round.
    staleTime: every,
  });
}

export const userAnalyticsQuery = polled<UserAnalytics>("analytics/users", EVERY);
export const locationQuery = polled<LocationAnalytics>("analytics/location", EVERY);
export const devicesQuery = polled<DeviceAnalytics>("analytics/devices", EVERY);
export const systemQuery = polled<SystemAnalytics>("analytics/system", LOAD_EVERY);
export const healthQuery = polled<Health>("health", EVERY);
export const backupsQuery = polled<BackupList>("backups", EVERY);

const USERS = ["admin", "users"] as const;

/** The accounts of a filter, page by page. What was shown stays until they are there. */
export function usersQuery(filter: UsersFilter) {
  return infiniteQueryOptions({
    queryKey: [...USERS, filter],
    queryFn: ({ pageParam, signal }) =>
      api.get<UserList>("/api/admin/users", { query: { ...usersQueryOf(filter), cursor: pageParam }, signal }),
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
    queryFn: ({ signal }) => api.get<{ usage: Usage }>(`/api/admin/users/${id}/usage`, { signal }),
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
      api.patch<{ user: ListedUser }>(`/api/admin/users/${id}`, change),
    onSettled: () => client.invalidateQueries({ queryKey: USERS }),
  });
}

/** Makes a link for somebody to set a new password; it can't be had a second time. */
export function useResetLink() {
  return useMutation({
    mutationFn: (user: ListedUser) => api.post<{ url: string }>(`/api/admin/users/${user.id}/reset-link`),
    // Whoever has the link has the account: it leaves the memory with the dialog that shows it.
    gcTime: 0,
  });
}

/** Switches one's own plan. Nearly every answer depends on it. */
export function useSwitchPlan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (plan: Plan) => api.post<{ message: string }>("/api/admin/toggle-subscription", { plan }),
    onSuccess: () => client.invalidateQueries(),
  });
}
