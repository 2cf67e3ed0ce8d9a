import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { draftKeys, forgetDrafts } from "../access/drafts";
import { logOutBegun, logOutDone, logOutFailed } from "../access/logout";
import { announce } from "../access/otherTabs";
import { clearOutbox, entryKeys } from "../access/outbox";
import { shownAccount, signedOut, userChanged } from "../access/viewer";
import { ApiError, api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { Session } from "../kit/api/types";
import { libraryChanged } from "../library/books/api";
import { withConfirmation } from "./confirmation";
import { eventAdded } from "./events";

/** Milliseconds after which a log-out without an answer counts as failed: the reader is waiting to leave. */
const LOG_OUT_TIME_OUT = 10_000;

/**
 * Signs out. `leave` navigates to a public page. Whatever the server answers, the reader's data is removed from this
 * browser's memory and caches. When the server does not confirm the log-out, a page says so and tries again. When the session
 * came from a sign-in provider that ends its own session as well, the browser goes there, and from there to the log-in page.
 */
export async function logOut(client: QueryClient, leave: () => void): Promise<void> {
  logOutBegun();
  const account = shownAccount();
  if (account !== null) {
    forgetDrafts(account);
    clearOutbox(account);
  }
  const { ended, url } = await endOwnSession();
  leave();
  signedOut(client);
  announce(null);
  if (ended) logOutDone();
  else logOutFailed();
  if (url) window.location.assign(url);
}

/** How much a log-out removes that only this browser has. */
export interface Unsaved {
  /** Acts that have not been sent. */
  acts: number;
  /** Forms with text that is not saved. */
  drafts: number;
}

/** What a log-out would remove of an account; null when that is nothing. */
export function unsavedOf(account: number): Unsaved | null {
  const unsaved = { acts: entryKeys(account).length, drafts: draftKeys(account).length };
  return unsaved.acts + unsaved.drafts > 0 ? unsaved : null;
}

/** Tries again to sign out after a log-out that failed. Returns whether the server has confirmed it. */
export async function finishLogOut(client: QueryClient): Promise<boolean> {
  const { ended } = await endOwnSession();
  signedOut(client);
  if (ended) logOutDone();
  return ended;
}

/** Whether the server has confirmed that the session has ended, and where the provider of the session ends its own. */
interface LogOut {
  ended: boolean;
  url?: string;
}

/** Ends the session of this browser. */
async function endOwnSession(): Promise<LogOut> {
  try {
    const answer = await api.post("/api/auth/logout", undefined, { timeOut: LOG_OUT_TIME_OUT });
    return { ended: true, url: answer?.url };
  } catch (error) {
    console.warn("The server did not confirm the log-out:", error);
    return { ended: error instanceof ApiError && error.status === 401 };
  }
}

/** The fields of an account that may change. A new address requires the password. */
export interface ProfileChange {
  displayName?: string;
  email?: string;
  currentPassword?: string;
}

export function useChangeProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: ProfileChange) => api.patch("/api/account", change),
    onSuccess: ({ user }) => {
      userChanged(client, user);
      // The team, its figures and the list of users show the name, too.
      for (const queryKey of [keys.team, keys.shared, keys.users]) client.invalidateQueries({ queryKey });
      eventAdded(client);
    },
  });
}

interface PasswordChange {
  /** Left out when the account has no password yet. */
  currentPassword?: string;
  newPassword: string;
  /** Whether API tokens, secret links, device logins and connected providers are removed, too. */
  endOtherAccess?: boolean;
}

/** Sets a new password. Every other session ends. */
export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: PasswordChange) => withConfirmation(() => api.post("/api/account/password", change)),
    // A retry would find that the current password is wrong, because the first attempt has changed it.
    retry: false,
    onSuccess: () => {
      for (const queryKey of [keys.sessions, keys.identities, keys.tokens, keys.shares]) {
        client.invalidateQueries({ queryKey });
      }
      eventAdded(client);
    },
  });
}

/** The reader's sessions, this browser's included. */
export const sessionsQuery = queryOptions({
  queryKey: keys.sessions,
  queryFn: ({ signal }) => api.get("/api/auth/sessions", { signal }),
  select: ({ data }) => data,
});

export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (session: Session) => api.delete("/api/auth/sessions/{id}", { path: { id: session.id } }),
    onSettled: () => {
      eventAdded(client);
      return client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
}

/** Erases books, goals, list, imports and secret links. The account, its plan and its preferences stay. */
export function useDeleteData() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => withConfirmation(() => api.delete("/api/account/data")),
    onSuccess: () => {
      const account = shownAccount();
      if (account === null) return;
      clearOutbox(account);
      forgetDrafts(account);
    },
    onSettled: () => {
      libraryChanged(client);
      client.invalidateQueries({ queryKey: keys.shares });
      eventAdded(client);
    },
  });
}

export function useDeleteAccount() {
  return useMutation({ mutationFn: () => withConfirmation(() => api.delete("/api/account")), retry: false });
}
