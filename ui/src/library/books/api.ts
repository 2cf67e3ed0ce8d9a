import { hashKey, type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { subscriptionQuery } from "../../access/subscription";
import { api } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import type { BookChange, NewBook } from "./model";

/**
 * Invalidates every query that a change of the library affects. `gone` is the id of a deleted book, whose query is not
 * refetched.
 */
export function libraryChanged(client: QueryClient, gone?: number): void {
  // Not awaited: the change has succeeded, whether or not the lists can be refetched.
  client.invalidateQueries({
    queryKey: keys.library,
    predicate: ({ queryHash }) => gone === undefined || queryHash !== hashKey(keys.book(gone)),
  });
}

/** The whole library by title, including books that the plan's history hides. */
export const titlesQuery = queryOptions({
  queryKey: keys.bookTitles,
  queryFn: ({ signal }) => api.get("/api/books/titles", { signal }),
  select: ({ data }) => data,
});

/** One book in its current state. A form that was filled from an older state would write that state back. */
export const bookQuery = (id: number) =>
  queryOptions({
    queryKey: keys.book(id),
    queryFn: ({ signal }) => api.get("/api/books/{id}", { path: { id }, signal }),
    select: ({ book }) => book,
    staleTime: 0,
    gcTime: 0,
  });

/** The books completed last, newest first: the neighbours of a new book. */
export const newestQuery = queryOptions({
  queryKey: keys.newestBooks,
  queryFn: ({ signal }) => {
    const query = { sort: "dateCompleted", order: "desc", limit: 10 } as const;
    return api.get("/api/books", { query, signal });
  },
  select: ({ data }) => data.filter((book) => book.status === "completed"),
});

/** Genres, authors and formats of the library, most words first: the choices of the filters, and the ranks of the blues. */
export const optionsQuery = queryOptions({
  queryKey: keys.filterOptions,
  queryFn: ({ signal }) => api.get("/api/stats/options", { signal }),
});

/** Adds a book. The same payload object is sent under the same idempotency key, so a second attempt adds nothing twice. */
export function useAddBook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (book: NewBook) => api.post("/api/books", book, { once: book }),
    onSuccess: () => libraryChanged(client),
    // The limit may have been reached in another tab since it was fetched.
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
