import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { signedOut, userChanged } from "../access/viewer";
import { api } from "../kit/api/client";
import type { Session } from "../kit/api/types";
import { forgetDrafts } from "../library/add-book/draft";
import { libraryChanged } from "../library/books/api";
import { identitiesQuery } from "./identities";

/** Signs out, also when the server cannot be told; `leave` takes the reader to a page that everybody may see. */
export async function logOut(client: QueryClient, leave: () => void): Promise<void> {
  try {
    await api.post("/api/auth/logout", undefined);
  } catch (error) {
    console.warn("The server was not told of the logout:", error);
  }
  forgetDrafts();
  leave();
  signedOut(client);
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

/** Sets a new password; every other session ends. */
export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (passwords: { currentPassword?: string; newPassword: string }) =>
      api.post("/api/account/password", passwords),
    // A second attempt would find the present password wrong, by the first.
    retry: false,
    onSuccess: () => {
      client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      client.invalidateQueries({ queryKey: identitiesQuery.queryKey });
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
  return useMutation({ mutationFn: () => api.delete("/api/account"), retry: false });
}
