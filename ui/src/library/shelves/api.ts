/** The reader's series and tags: their lists, their books, and their changes, each of which is an operation that can be undone. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, api } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import { LIST_BOOKS } from "../../kit/api/limits";
import type { Book } from "../../kit/api/types";
import { libraryChanged } from "../books/api";

/** The most books that a call fetches, and a tag's page shows. */
export const MOST_BOOKS: number = LIST_BOOKS.limit.maximum;

/** The most series whose books one call fetches. */
const MOST_SERIES = 25;

/** All reads of the books of some series, {@link MOST_BOOKS} for each call. */
export const seriesBooksQuery = (names: readonly string[]) =>
  queryOptions({
    queryKey: keys.seriesBooks(names),
    queryFn: async ({ signal }) => {
      const reads: Book[] = [];
      for (let from = 0; from < names.length; from += MOST_SERIES) {
        const query = { series: names.slice(from, from + MOST_SERIES), limit: MOST_BOOKS };
        let cursor: string | null | undefined;
        do {
          const page = await api.get("/api/books", { query: { ...query, cursor }, signal });
          reads.push(...page.data);
          cursor = page.nextCursor;
        } while (cursor);
      }
      return reads;
    },
  });

/** The reads of the books with a tag, the one finished last first. `most`: how many are wanted. */
export const tagBooksQuery = (name: string, most = MOST_BOOKS) =>
  queryOptions({
    queryKey: keys.tagBooks(name, most),
    queryFn: ({ signal }) =>
      api.get("/api/books", { query: { tags: [name], sort: "dateCompleted", order: "desc", limit: most }, signal }),
  });

export function useChangeSeries() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, newName }: { name: string; newName: string }) =>
      api.patch("/api/series/{name}", { name: newName }, { path: { name } }),
    // When the first answer is lost, a retry would find nothing of the former name.
    retry: false,
    onSettled: () => libraryChanged(client),
  });
}

/** What is changed of a tag: its name, whether it stands as a shelf, and its icon. */
export interface TagChange {
  name?: string;
  shelf?: boolean;
  icon?: string | null;
}

export function useChangeTag(name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: TagChange) => api.patch("/api/tags/{name}", change, { path: { name } }),
    retry: false,
    onSettled: () => libraryChanged(client),
  });
}

/** Deletes a tag, and returns the operation that undoes it, the newest of its kind; null where the tag was gone already. */
export function useDeleteTag(name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await api.delete("/api/tags/{name}", { path: { name } });
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
      // The tag is gone, whether its undo is known or not.
      const newest = await api.get("/api/operations", { query: { limit: 1 } }).catch(() => null);
      return newest?.data.find(({ kind }) => kind === "delete-tag")?.id ?? null;
    },
    onSuccess: () => libraryChanged(client),
  });
}

/** Takes an operation back. */
export async function undo(client: QueryClient, id: number): Promise<void> {
  await api.delete("/api/operations/{id}", { path: { id } });
  libraryChanged(client);
}
