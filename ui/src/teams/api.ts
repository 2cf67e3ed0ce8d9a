import {
  type QueryClient,
  queryOptions,
  skipToken,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { seatUsageQuery } from "../access/seats";
import { subscriptionQuery, teamQuery } from "../access/subscription";
import { invitationQuery } from "../account/auth";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { TeamInvitation, TeamMember, TeamRole } from "../kit/api/types";
import { storeAnswer } from "../kit/query";

/** Refetches everything about the team, and settles when it is done. */
function teamChanged(client: QueryClient) {
  // A member who leaves takes their shared books with them.
  client.invalidateQueries({ queryKey: keys.shared });
  return client.invalidateQueries({ queryKey: teamQuery.queryKey });
}

/** The links of invitations that were made in this browser since the sign-in, by the invitation's id. */
const linksQuery = queryOptions({
  queryKey: keys.invitationLinks,
  queryFn: skipToken,
  initialData: {} as Readonly<Record<number, string>>,
  gcTime: Number.POSITIVE_INFINITY,
});

export function useKnownLinks(): Readonly<Record<number, string>> {
  return useQuery(linksQuery).data ?? {};
}

/** Invites an address, or renews its invitation, whose previous link then stops working. */
export function useInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (email: string) => api.post("/api/teams/invite", { email }),
    onSuccess: ({ invitation: { id, inviteUrl } }) => {
      if (inviteUrl) client.setQueryData(linksQuery.queryKey, (known) => ({ ...known, [id]: inviteUrl }));
    },
    onSettled: () => teamChanged(client),
  });
}

export function useTakeBack() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (invitation: TeamInvitation) =>
      api.delete("/api/teams/invitations/{id}", { path: { id: invitation.id } }),
    // A retry would find that the invitation is gone after the first attempt. The same holds below.
    retry: false,
    // Also after a failure: an invitation that no longer exists must not stay visible.
    onSettled: () => teamChanged(client),
  });
}

export function useRemoveMember() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (member: TeamMember) => api.delete("/api/teams/members/{userId}", { path: { userId: member.userId } }),
    retry: false,
    onSettled: () => teamChanged(client),
  });
}

/** Leaves the team. Nearly every answer depends on the plan that came with it. */
export function useLeave() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (userId: number) => api.delete("/api/teams/members/{userId}", { path: { userId } }),
    retry: false,
    // Not awaited: the part of the page that would show the notice disappears with the team.
    onSuccess: () => {
      client.invalidateQueries();
    },
  });
}

/** Gives a member a role; `owner` hands the team over. */
export function useChangeRole() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ userId, role }: { userId: number; role: TeamRole }) =>
      api.patch("/api/teams/members/{userId}/role", { role }, { path: { userId } }),
    // After the first attempt a transferred team no longer belongs to the reader.
    retry: false,
    onSettled: () => client.invalidateQueries({ queryKey: teamQuery.queryKey, exact: true }),
  });
}

/** Makes a team, which only a private server allows. */
export function useStartTeam() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api.post("/api/teams", { name }),
    // A retry would find that the first attempt has made a team.
    retry: false,
    // Not awaited: the form that would show the notice disappears when the team is there.
    onSuccess: ({ team }) => {
      storeAnswer(client, teamQuery.queryKey, { team });
      client.invalidateQueries({ queryKey: subscriptionQuery.queryKey });
    },
    // The reader may have joined a team elsewhere.
    onError: () => client.invalidateQueries({ queryKey: teamQuery.queryKey }),
  });
}

export function useRenameTeam() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api.patch("/api/teams/current", { name }),
    onSuccess: ({ team }) => storeAnswer(client, teamQuery.queryKey, { team }),
  });
}

export function useSetSeats() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (addonSeats: number) => api.patch("/api/teams/seats", { addonSeats }),
    onSuccess: async ({ usage }) => {
      await storeAnswer(client, seatUsageQuery.queryKey, { usage });
      return client.invalidateQueries({ queryKey: subscriptionQuery.queryKey });
    },
  });
}

/** Joins the team of an invitation. Nearly every answer depends on the plan that comes with it. */
export function useAccept(token: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (answer: { shareWithTeam: boolean }) =>
      api.post("/api/invitations/{token}/accept", answer, { path: { token } }),
    retry: false,
    onSuccess: ({ team }) => {
      client.setQueryData(teamQuery.queryKey, { team });
      // The link is used now: the server would refuse to show the invitation again.
      client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== keys.invitations[0] });
    },
    // The page may show the reason of the refusal: a team that the reader is in, or an invitation that has ended.
    onError: () => {
      client.invalidateQueries({ queryKey: teamQuery.queryKey });
      client.invalidateQueries({ queryKey: invitationQuery(token).queryKey });
    },
  });
}

/** Declines an invitation, which frees its seat. */
export function useDecline(token: string) {
  return useMutation({
    mutationFn: () => api.post("/api/invitations/{token}/decline", undefined, { path: { token } }),
    retry: false,
  });
}
