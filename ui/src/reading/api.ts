import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { Goal, GoalMetric } from "../kit/api/types";
import { libraryChanged } from "../library/books/api";

/** The days of a year on which something was read. */
export const calendarQuery = (year: number) =>
  queryOptions({
    queryKey: keys.calendar(year),
    queryFn: ({ signal }) => api.get("/api/calendar", { query: { year }, signal }),
  });

/** The goals of a period. */
export const goalsQuery = (period: string) =>
  queryOptions({
    queryKey: keys.goals(period),
    queryFn: ({ signal }) => api.get("/api/goals", { query: { period }, signal }),
    select: ({ data }) => data,
  });

/** The books that count for a goal. */
export const goalBooksQuery = ({ period, metric }: Pick<Goal, "period" | "metric">) =>
  queryOptions({
    queryKey: keys.goalBooks(period, metric),
    queryFn: ({ signal }) => api.get("/api/goals/{period}/{metric}/books", { path: { period, metric }, signal }),
  });

/** What a goal is, without how far its reader has come. */
export interface GoalChoice {
  period: string;
  metric: GoalMetric;
  target: number;
  rereads: boolean;
}

export function useSetGoal() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ period, metric, ...goal }: GoalChoice) =>
      api.put("/api/goals/{period}/{metric}", goal, { path: { period, metric } }),
    onSuccess: () => libraryChanged(client),
  });
}

export function useDeleteGoal() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ period, metric }: Pick<Goal, "period" | "metric">) =>
      api.delete("/api/goals/{period}/{metric}", { path: { period, metric } }),
    onSuccess: () => libraryChanged(client),
  });
}
