import type { Team } from "../../kit/api/types";

const member = (userId: number, role: "owner" | "admin" | "member", displayName: string) => ({
  id: userId,
  userId,
  role,
  joinedAt: "2025-03-02T12:00:00Z",
  user: { displayName, email: `${userId}@example.org` },
});

/** A team that Nora owns, for the tests. */
export const TEAM: Team = {
  id: 1,
  name: "The Harbour Street Readers",
  role: "owner",
  owner: { displayName: "Nora Lindqvist", email: "nora@example.org" },
  subscription: { status: "active", billingInterval: null, plan: "shelfwise_team" },
  members: [
    member(1, "owner", "Nora Lindqvist"),
    member(2, "admin", "Imani Okafor"),
    member(3, "member", "Aiko Tanabe"),
  ],
  invitations: [],
};
