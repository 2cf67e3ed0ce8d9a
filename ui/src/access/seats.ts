import { queryOptions } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { SeatUsage } from "../kit/api/types";

/**
 * The seats of the reader's team, null without a team. The key is below the team's key, so that invalidating the
 * team also refetches the seats.
 */
export const seatUsageQuery = queryOptions({
  queryKey: keys.seatUsage,
  queryFn: ({ signal }) => api.get("/api/teams/seat-usage", { signal }),
  select: ({ usage }) => usage,
  retry: false,
});

/** The number of seats in use: members and pending invitations. */
export function usedSeats({ currentMembers, pendingInvitations }: SeatUsage): number {
  return currentMembers + pendingInvitations;
}
