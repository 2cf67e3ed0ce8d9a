import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { subscriptionQuery } from "../../access/subscription";
import { api } from "../../kit/api/client";
import type { BookChange, NewBook } from "./model";

/** How the keys begin of what a change of the library touches: its lists and figures, also the team's, and the room left. */
const TOUCHED = ["books", "stats", "shared", "tbr", "imports", "subscription"];

/** Fetches anew what a change of the library touches. `gone` is the id of a book that is no longer there to be fetched. */
export function libraryChanged(client: QueryClient, gone?: number): void {
  // Not awaited: the change is done, whether or not the lists can be fetched again.
  client.invalidateQueries({
    predicate: ({ queryKey }) => TOUCHED.includes(String(queryKey[0])) && (gone === undefined || queryKey[2] !== gone),
  });
}

/** The whole library by title, also what the plan's history hides. */
export const titlesQuery = queryOptions({
  queryKey: ["books", "titles"],
  queryFn: ({ signal }) => api.get("/api/books/titles", { signal }),
  select: ({ data }) => data,
});

/** One book as it is now: a form filled from an older state would write that state back. */
export const bookQuery = (id: number) =>
  queryOptions({
    queryKey: ["books", "one", id],
    queryFn: ({ signal }) => api.get("/api/books/{id}", { path: { id }, signal }),
    select: ({ book }) => book,
    staleTime: 0,
    gcTime: 0,
  });

/** The books completed last, the newest first: what a new one will stand beside. */
export const newestQuery = queryOptions({
  queryKey: ["books", "newest"],
  queryFn: ({ signal }) => {
    const query = { sort: "dateCompleted", order: "desc", limit: 10 } as const;
    return api.get("/api/books", { query, signal });
  },
  select: ({ data }) => data.filter((book) => book.status === "completed"),
});

/** Genres, authors and formats of the library, most words first: to filter by, and for the ranks of the blues. */
export const optionsQuery = queryOptions({
  queryKey: ["stats", "options"],
  queryFn: ({ signal }) => api.get("/api/stats/options", { signal }),
});

/** Adds a book. The same payload object is sent under the same key, so a second attempt with it adds nothing twice. */
export function useAddBook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (book: NewBook) => api.post("/api/books", book, { once: book }),
    onSuccess: () => libraryChanged(client),
    // The limit may have been reached elsewhere since it was asked for.
    onError: () => client.invalidateQueries({ queryKey: subscriptionQuery.queryKey }),
  });
}

export function useUpdateBook(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: BookChange) => api.patch("/api/books/{id}", change, { path: { id } }),
    onSuccess: () => libraryChanged(client),
  });
}

export function useDeleteBook(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.delete("/api/books/{id}", { path: { id } }),
    onSuccess: () => libraryChanged(client, id),
  });
}
