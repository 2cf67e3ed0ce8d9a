/** How one comes in: by password, or led by an invitation. What an account is changed by stands in `api.ts`. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { signedIn } from "../access/viewer";
import { api } from "../kit/api/client";
import type { User } from "../kit/api/types";
import { browserTimeZone } from "../kit/format";
import { followServer, type Theme } from "../kit/theme";

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
    mutationFn: (credentials: Credentials) => api.post("/api/auth/login", credentials),
    onSuccess: admit,
  });
}

/** Makes an account and, where an invitation brought the reader, joins its team. */
export function useSignUp() {
  const admit = useAdmit();
  return useMutation({
    mutationFn: async (account: NewAccount) => {
      const payload = { ...account, timezone: browserTimeZone() };
      const admission = await api.post("/api/auth/signup", payload);
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
    await api.post("/api/invitations/{token}/accept", undefined, { path: { token: inviteToken } });
    return true;
  } catch {
    return false;
  }
}

/** The services besides a password that this server lets people sign in with. */
export const providersQuery = queryOptions({
  queryKey: ["providers"],
  queryFn: ({ signal }) => api.get("/api/auth/providers", { signal }),
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
    queryFn: ({ signal }) => api.get("/api/invitations/{token}", { path: { token }, signal }),
    select: ({ invitation }) => invitation,
    retry: false,
  });
