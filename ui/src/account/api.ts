import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { signedIn, signedOut, userChanged } from "../access/viewer";
import { api } from "../kit/api/client";
import type { Session, User } from "../kit/api/types";
import { browserTimeZone } from "../kit/format";
import { followServer, type Theme } from "../kit/theme";
import { forgetDrafts } from "../library/add-book/draft";
import { libraryChanged } from "../library/books/api";

interface Admission {
  user: User;
  theme: Theme | null;
}

export interface Credentials {
  email: string;
  password: string;
}

export interface NewAccount extends Credentials {
  displayName: string;
  /** The token of a team's invitation that brought the reader here. */
  inviteToken?: string;
}

function useAdmit() {
  const client = useQueryClient();
  return ({ user, theme }: Admission) => {
    signedIn(client, user);
    followServer(theme);
  };
}

/** Signs in; afterwards the viewer is known and the stored theme applied. */
export function useLogIn() {
  const admit = useAdmit();
  return useMutation({
    mutationFn: (credentials: Credentials) => api.post<Admission>("/api/auth/login", credentials),
    onSuccess: admit,
  });
}

/** Makes an account and, where an invitation brought the reader, joins its team. */
export function useSignUp() {
  const admit = useAdmit();
  return useMutation({
    mutationFn: async (account: NewAccount) => {
      const payload = { ...account, timezone: browserTimeZone() };
      const admission = await api.post<Admission>("/api/auth/signup", payload);
      return { ...admission, joined: await join(account.inviteToken) };
    },
    onSuccess: admit,
    // A second attempt would find the address taken, by the first.
    retry: false,
  });
}

/** Whether the team took the new account in. Where it did not, the invitation's own page says why. */
async function join(inviteToken: string | undefined): Promise<boolean> {
  if (!inviteToken) return false;
  try {
    await api.post(`/api/invitations/${encodeURIComponent(inviteToken)}/accept`);
    return true;
  } catch {
    return false;
  }
}

/** Signs out, also when the server cannot be told; `leave` takes the reader to a page that everybody may see. */
export async function logOut(client: QueryClient, leave: () => void): Promise<void> {
  try {
    await api.post("/api/auth/logout");
  } catch (error) {
    console.warn("The server was not told of the logout:", error);
  }
  forgetDrafts();
  leave();
  signedOut(client);
}

/** The services besides a password that this server lets people sign in with. */
export const providersQuery = queryOptions({
  queryKey: ["providers"],
  queryFn: ({ signal }) => api.get<{ data: { id: string; name: string }[] }>("/api/auth/providers", { signal }),
  select: ({ data }) => data,
});

export interface Invitation {
  team: string;
  inviter: string;
  /** Masked. */
  email: string;
  expiresAt: string;
}

/** What an invitation's link stands for; 410 where it was used or is too old. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ["invitation", token],
    queryFn: ({ signal }) =>
      api.get<{ invitation: Invitation }>(`/api/invitations/${encodeURIComponent(token)}`, { signal }),
    select: ({ invitation }) => invitation,
    retry: false,
  });

/** What may change of an account; an address needs the password. */
export interface ProfileChange {
  displayName?: string;
  email?: string;
  currentPassword?: string;
}

export function useChangeProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: ProfileChange) => api.patch<{ user: User }>("/api/account", change),
    onSuccess: ({ user }) => userChanged(client, user),
  });
}

/** Sets a new password; every other session ends. */
export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (passwords: { currentPassword: string; newPassword: string }) =>
      api.post("/api/account/password", passwords),
    // A second attempt would find the present password wrong, by the first.
    retry: false,
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

/** Where one is signed in, this browser among them. */
export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: ({ signal }) => api.get<{ data: Session[] }>("/api/auth/sessions", { signal }),
  select: ({ data }) => data,
});

export function useEndSession() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (session: Session) => api.delete(`/api/auth/sessions/${session.id}`),
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
