import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { withConfirmation } from "../account/confirmation";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { ListedUser, Plan, Role } from "../kit/api/types";
import { storeAnswer } from "../kit/query";
import { type UsersFilter, usersQueryOf } from "./model";
import type { SettingChanges } from "./settings";

/** Milliseconds between two requests for an answer while its page is open. */
const EVERY = 30_000;
const LOAD_EVERY = 10_000;

function polled<T>(name: string, every: number, ask: (signal: AbortSignal) => Promise<T>) {
  return queryOptions({
    queryKey: keys.operations(name),
    queryFn: ({ signal }) => ask(signal),
    refetchInterval: every,
    // An operator who comes back to the page sees fresh figures at once, not with the next poll.
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

/** The accounts that match a filter, page by page. The previous result stays until the new one arrives. */
export function usersQuery(filter: UsersFilter) {
  return infiniteQueryOptions({
    queryKey: keys.userList(filter),
    queryFn: ({ pageParam, signal }) =>
      api.get("/api/admin/users", { query: { ...usersQueryOf(filter), cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    staleTime: EVERY,
  });
}

/** What an account stores beside its quotas, without any content. */
export function usageQuery(id: number) {
  return queryOptions({
    queryKey: keys.usage(id),
    queryFn: ({ signal }) => api.get("/api/admin/users/{id}/usage", { path: { id }, signal }),
    select: ({ usage }) => usage,
    staleTime: EVERY,
  });
}

/** The fields of an account that an operator can change. */
export interface UserChange {
  role?: Role;
  plan?: Plan;
  disabled?: boolean;
}

/** Changes an account. It settles when the lists that show the account are refetched. */
export function useChangeUser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, change }: { id: number; change: UserChange }) =>
      withConfirmation(() => api.patch("/api/admin/users/{id}", change, { path: { id } })),
    onSettled: () => client.invalidateQueries({ queryKey: keys.users }),
  });
}

/** Makes a link to a new password for a user. The link can't be read a second time. */
export function useResetLink() {
  return useMutation({
    mutationFn: (user: ListedUser) =>
      withConfirmation(() => api.post("/api/admin/users/{id}/reset-link", undefined, { path: { id: user.id } })),
    // The link gives access to the account, so it is forgotten when the dialog that shows it closes.
    gcTime: 0,
  });
}

/** Sends a test e-mail to the operator. Its outcome shows in the server's checks, too. */
export function useTestEmail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.post("/api/admin/test-email", undefined),
    onSettled: () => client.invalidateQueries({ queryKey: healthQuery.queryKey }),
  });
}

/** A new account. Without a password the answer has a link that sets one. */
export interface NewUser {
  displayName: string;
  email: string;
  role: Role;
  password?: string;
}

/** Adds an account. */
export function useAddUser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (user: NewUser) => withConfirmation(() => api.post("/api/admin/users", user)),
    // A retry would find the address taken by the first attempt.
    retry: false,
    onSuccess: () => client.invalidateQueries({ queryKey: keys.users }),
    // The link or the password opens the account, so it is forgotten when the dialog that shows it closes.
    gcTime: 0,
  });
}

/** The open invitations to the server. */
export const invitationsQuery = queryOptions({
  queryKey: keys.serverInvitations,
  queryFn: ({ signal }) => api.get("/api/admin/invitations", { signal }),
  select: ({ data }) => data,
});

/** Invites an address to the server; anyone with the link when it is empty. The link can't be read a second time. */
export function useInviteToServer() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (email: string) => api.post("/api/admin/invitations", email === "" ? {} : { email }),
    retry: false,
    onSuccess: () => client.invalidateQueries({ queryKey: keys.serverInvitations }),
    gcTime: 0,
  });
}

export function useRevokeInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.delete("/api/admin/invitations/{id}", { path: { id } }),
    retry: false,
    onSettled: () => client.invalidateQueries({ queryKey: keys.serverInvitations }),
  });
}

/** The settings that can change while the server runs. Commands change them, too, so each visit asks again. */
export const settingsQuery = queryOptions({
  queryKey: keys.operations("settings"),
  queryFn: ({ signal }) => api.get("/api/admin/settings", { signal }),
  staleTime: 0,
});

/** Asks whether the server can write backups to a folder, and how much room there is. */
export const checkFolder = (to: string) => api.post("/api/admin/backup-folder", { to });

/** Changes settings. Nearly every answer depends on them: which plan everyone has, and what the pages show. */
export function useChangeSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (changes: SettingChanges) => withConfirmation(() => api.patch("/api/admin/settings", changes)),
    onSuccess: async (answer) => {
      await storeAnswer(client, settingsQuery.queryKey, answer);
      client.invalidateQueries();
    },
    // A setting may have been fixed in the config file since the form was opened.
    onError: () => client.invalidateQueries({ queryKey: settingsQuery.queryKey }),
  });
}

/** Switches the operator's own plan. Nearly every answer depends on it. */
export function useSwitchPlan() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (plan: Plan) => api.post("/api/admin/toggle-subscription", { plan }),
    onSuccess: () => client.invalidateQueries(),
  });
}
