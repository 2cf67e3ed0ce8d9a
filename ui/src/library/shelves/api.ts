/** The reader's series and tags: their lists, their books, and their changes, each of which is an operation that can be undone. */
import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import { libraryChanged } from "../books/api";

/** Every series of the reader, by name. */
export const seriesQuery = queryOptions({
  queryKey: keys.series,
  queryFn: ({ signal }) => api.get("/api/series", { signal }),
  select: ({ data }) => data,
});

/** Every tag of the reader, by name. */
export const tagsQuery = queryOptions({
  queryKey: keys.tags,
  queryFn: ({ signal }) => api.get("/api/tags", { signal }),
  select: ({ data }) => data,
});

/** The most books that a page of a series or a tag fetches. */
export const MOST_BOOKS = 500;

/** The reads of the books of a series. */
export const seriesBooksQuery = (name: string) =>
  queryOptions({
    queryKey: keys.seriesBooks(name),
    queryFn: ({ signal }) => api.get("/api/books", { query: { series: [name], limit: MOST_BOOKS }, signal }),
    select: ({ data }) => data,
  });

/** The reads of the books with a tag, the one finished last first. `most`: how many are wanted. */
export const tagBooksQuery = (name: string, most = MOST_BOOKS) =>
  queryOptions({
    queryKey: keys.tagBooks(name, most),
    queryFn: ({ signal }) =>
      api.get("/api/books", { query: { tags: [name], sort: "dateCompleted", order: "desc", limit: most }, signal }),
  });

export function useChangeSeries(name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (newName: string) => api.patch("/api/series/{name}", { name: newName }, { path: { name } }),
    onSuccess: () => libraryChanged(client),
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
    onSuccess: () => libraryChanged(client),
  });
}

export function useDeleteTag(name: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.delete("/api/tags/{name}", { path: { name } }),
    onSuccess: () => libraryChanged(client),
  });
}

/** Takes an operation back. `id`: null for the tag that was deleted last, whose answer names no operation. */
export async function undo(client: QueryClient, id: number | null): Promise<void> {
  const operation = id ?? (await lastDeletedTag());
  if (operation !== undefined) await api.delete("/api/operations/{id}", { path: { id: operation } });
  libraryChanged(client);
}

async function lastDeletedTag(): Promise<number | undefined> {
  const { data } = await api.get("/api/operations", { query: { limit: 10 } });
  return data.find(({ kind, undone }) => kind === "delete-tag" && undone === null)?.id;
}
