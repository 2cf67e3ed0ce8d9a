import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { logOutBegun, logOutDone, logOutFailed } from "../access/logout";
import { signedOut, userChanged } from "../access/viewer";
import { ApiError, api } from "../kit/api/client";
import type { Session } from "../kit/api/types";
import { forgetDrafts } from "../library/add-book/draft";
import { libraryChanged } from "../library/books/api";
import { withConfirmation } from "./confirmation";
import { identitiesQuery } from "./identities";
import { tokensQuery } from "./tokens";

/** Milliseconds after which a log-out without an answer counts as failed: somebody waits to leave. */
const LOG_OUT_TIME_OUT = 10_000;

/**
 * Signs out. `leave` takes the reader to a page that everybody may see. Whatever the server answers, nothing of the reader
 * stays in this browser's memory and caches; while the server has not confirmed it, a page says so and tries again.
 */
export async function logOut(client: QueryClient, leave: () => void): Promise<void> {
  logOutBegun();
  forgetDrafts();
  const ended = await endOwnSession();
  leave();
  signedOut(client);
  if (ended) logOutDone();
  else logOutFailed();
}

/** Tries once more to sign out after a log-out that failed; whether the server has confirmed it. */
export async function finishLogOut(client: QueryClient): Promise<boolean> {
  const ended = await endOwnSession();
  signedOut(client);
  if (ended) logOutDone();
  return ended;
}

/** Ends the session of this browser; false where the server did not confirm that it is over. */
async function endOwnSession(): Promise<boolean> {
  try {
    await api.post("/api/auth/logout", undefined, { timeOut: LOG_OUT_TIME_OUT });
    return true;
  } catch (error) {
    console.warn("The server did not confirm the log-out:", error);
    return error instanceof ApiError && error.status === 401;
  }
}

/** What may change of an account; an address needs the password. */
export interface ProfileChange {
  displayName?: string;
  email?: string;
  currentPassword?: string;
}

export function useChangeProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: ProfileChange) => api.patch("/api/account", change),
    onSuccess: ({ user }) => userChanged(client, user),
  });
}

interface PasswordChange {
  /** Absent where the account has no password yet. */
  currentPassword?: string;
  newPassword: string;
  /** Whether API tokens and connected providers go too. */
  endOtherAccess?: boolean;
}

/** Sets a new password; every other session ends. */
export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: PasswordChange) => withConfirmation(() => api.post("/api/account/password", change)),
    // A second attempt would find the present password wrong, by the first.
    retry: false,
    onSuccess: () => {
      for (const { queryKey } of [sessionsQuery, identitiesQuery, tokensQuery]) client.invalidateQueries({ queryKey });
    },
  });
}

/** Where one is signed in, this browser among them. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => api.get("/api/auth/sessions", { signal }),
  select: ({ data }) => data,
});

export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (session: Session) => api.delete("/api/auth/sessions/{id}", { path: { id: session.id } }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

/** Erases books, list and imports; the account, its plan and its preferences stay. */
export function useDeleteData() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.delete("/api/account/data"),
    onSettled: () => libraryChanged(client),
  });
}

export function useDeleteAccount() {
  return useMutation({ mutationFn: () => withConfirmation(() => api.delete("/api/account")), retry: false });
}
