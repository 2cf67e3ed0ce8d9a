import { queryOptions } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import type { SeatUsage } from "../kit/api/types";
import { teamQuery } from "./subscription";

/** The seats of one's team, null outside one. The key lies under the team's, as what changes the team changes them. */
export const seatUsageQuery = queryOptions({
  queryKey: [...teamQuery.queryKey, "seats"],
  queryFn: ({ signal }) => api.get("/api/teams/seat-usage", { signal }),
  select: ({ usage }) => usage,
  retry: false,
});

/** Members and standing invitations, which hold a seat too. */
export function usedSeats({ currentMembers, pendingInvitations }: SeatUsage): number {
  return currentMembers + pendingInvitations;
}
