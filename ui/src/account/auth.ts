/** Signing in, signing up, and the invitation that leads there. Changes of an account are in `api.ts`. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { signedIn } from "../access/viewer";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
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
  /** The invitation that the reader came with; one to a team says whether they want to share with it. */
  invitation?: { token: string; toTeam: boolean; shareWithTeam: boolean };
}

function useAdmit() {
  const client = useQueryClient();
  return ({ user, theme }: Admission) => {
    signedIn(client, user);
    followServer(theme);
  };
}

/** Signs in, stores the user and applies the stored theme. */
export function useLogIn() {
  const admit = useAdmit();
  return useMutation({
    mutationFn: (credentials: Credentials) => api.post("/api/auth/login", credentials),
    onSuccess: admit,
  });
}

/** Creates an account. With an invitation the new account joins the team. */
export function useSignUp() {
  const admit = useAdmit();
  return useMutation({
    mutationFn: async ({ invitation, ...account }: NewAccount) => {
      const payload = { ...account, inviteToken: invitation?.token, timezone: browserTimeZone() };
      const admission = await api.post("/api/auth/signup", payload);
      return { ...admission, joined: await join(invitation) };
    },
    onSuccess: admit,
    // A retry would find the address taken by the first attempt.
    retry: false,
  });
}

/** Whether the new account could join the team. If it could not, the invitation's own page says why. */
async function join(invitation: NewAccount["invitation"]): Promise<boolean> {
  if (!invitation?.toTeam) return false;
  const { token, shareWithTeam } = invitation;
  try {
    await api.post("/api/invitations/{token}/accept", { shareWithTeam }, { path: { token } });
    return true;
  } catch {
    return false;
  }
}

/** The sign-in providers that this server offers. */
export const providersQuery = queryOptions({
  queryKey: keys.providers,
  queryFn: ({ signal }) => api.get("/api/auth/providers", { signal }),
  select: ({ data }) => data,
});

export interface Invitation {
  /** The team's name; null for an invitation to the server without a team. */
  team: string | null;
  inviter: string | null;
  /** The masked address; null where anyone with the link may sign up. */
  email: string | null;
  expiresAt: string;
}

/** The invitation behind a link. The server answers 410 when it was used or has expired. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: keys.invitation(token),
    queryFn: ({ signal }) => api.get("/api/invitations/{token}", { path: { token }, signal }),
    select: ({ invitation }) => invitation,
    retry: false,
  });
