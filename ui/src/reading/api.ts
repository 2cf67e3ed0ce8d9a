import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { Book, Goal, GoalMetric, ReadingDay } from "../kit/api/types";
import type { DayPayload } from "../library/book/model";
import { libraryChanged } from "../library/books/api";
import { usePerform } from "../library/outbox/useOutbox";

/** The open books with their forecasts, the goals of the running year and month, and the streak. */
export const readingDaysQuery = queryOptions({
  queryKey: keys.readingDays,
  queryFn: ({ signal }) => api.get("/api/reading", { signal }),
  staleTime: 0,
});

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

/** A note of today as it was sent, and the day of the log before it. */
export interface Noted {
  day: string;
  payload: DayPayload;
  before: ReadingDay | undefined;
}

/**
 * Notes a place of today. The answer says what the log had before, so that the note can be undone; it is null when the note waits
 * for a connection.
 */
export function useNote({ id, title }: Pick<Book, "id" | "title">) {
  const client = useQueryClient();
  const perform = usePerform();
  return useMutation({
    mutationFn: async ({ day, payload }: { day: string; payload: DayPayload }): Promise<Noted | null> => {
      const done = await perform({ kind: "place", book: { id, title }, date: day, payload }, async () => {
        const { data } = await api.get("/api/books/{id}/days", { path: { id } });
        await api.put("/api/books/{id}/days/{day}", payload, { path: { id, day } });
        return { day, payload, before: data.find((logged) => logged.day === day) };
      });
      return done.waits ? null : done.answer;
    },
    onSuccess: (noted) => noted && libraryChanged(client),
  });
}

/** Takes a note back: the log has what it had before. */
export function useUndoNote(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ day, before }: Noted) => {
      const path = { id, day };
      if (!before) return api.delete("/api/books/{id}/days/{day}", { path });
      const { at, page, minutes, note } = before;
      const place = page === null && at !== null ? { percent: at / 100 } : { page };
      await api.put("/api/books/{id}/days/{day}", { ...place, minutes, note }, { path });
    },
    onSuccess: () => libraryChanged(client),
  });
}
