import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import type { Format } from "../../kit/api/types";
import { isAlreadyReading } from "./AlreadyReading";
import { libraryChanged } from "./api";
import type { DayPayload } from "./read";

/** A book with all its reads, oldest first. */
export const workQuery = (id: number) =>
  queryOptions({
    queryKey: keys.work(id),
    queryFn: ({ signal }) => api.get("/api/works/{work}", { path: { work: id }, signal }),
    select: ({ work }) => work,
    staleTime: 0,
  });

/** The open books with their forecasts, the goals of the running year and month, and the streak. */
export const readingDaysQuery = queryOptions({
  queryKey: keys.readingDays,
  queryFn: ({ signal }) => api.get("/api/reading", { signal }),
  staleTime: 0,
});

/** A further read of a book. Without words, lengths and ISBN it is of the same edition; null says that they are unknown. */
export interface Again {
  startDate: string;
  format: Format;
  wordCount?: number;
  pages?: number | null;
  minutes?: number | null;
  isbn?: string | null;
}

/** Reads a book again. The same payload object is sent under the same idempotency key. */
export function useReadAgain(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (again: Again) => api.post("/api/books/{id}/again", again, { path: { id }, once: again }),
    onSuccess: () => libraryChanged(client),
    // A read that was begun elsewhere is shown.
    onError: (error) => isAlreadyReading(error) && libraryChanged(client),
  });
}

/** A day of a read's log, as it is noted. */
export interface NotedDay {
  day: string;
  payload: DayPayload;
}

/** Writes a day into a read's log. */
export function putDay(id: number, { day, payload }: NotedDay) {
  return api.put("/api/books/{id}/days/{day}", payload, { path: { id, day } });
}

/** Notes what was read on a day, together with another change. */
export function useNoteDay() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...noted }: NotedDay & { id: number }) => putDay(id, noted),
    onSuccess: () => libraryChanged(client),
  });
}

/** Removes a day from a read's log. */
export function useForgetDay(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (day: string) => api.delete("/api/books/{id}/days/{day}", { path: { id, day } }),
    onSuccess: () => libraryChanged(client),
  });
}

/** Makes a read a book of its own. */
export function usePart(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.post("/api/books/{id}/part", undefined, { path: { id } }),
    // When the first answer is lost, a retry would find it done. The page then shows what came of it.
    retry: false,
    onSettled: () => libraryChanged(client),
  });
}

/** Joins the reads of another book to a work. */
export function useJoin(work: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (other: number) => api.post("/api/works/{work}/join", { work: other }, { path: { work } }),
    retry: false,
    onSettled: () => libraryChanged(client),
  });
}
