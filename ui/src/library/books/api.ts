import {
  hashKey,
  type Query,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { subscriptionQuery } from "../../access/subscription";
import { ApiError, api } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import type { BookDetail } from "../../kit/api/types";
import type { BooksQuery } from "./list";
import type { ManyChanges } from "./manyChanges";
import type { BookChange, NewBook } from "./model";

/**
 * Invalidates every query that a change of the library affects. `gone` is the id of a deleted book, whose query is not
 * refetched.
 */
export function libraryChanged(client: QueryClient, gone?: number): void {
  const affected = {
    queryKey: keys.library,
    predicate: ({ queryHash }: Query) => gone === undefined || queryHash !== hashKey(keys.book(gone)),
  };
  // A first answer that is under way may be older than the change. Once it has come, it is asked for again.
  for (const { queryKey, state, promise } of client.getQueryCache().findAll(affected)) {
    if (state.data !== undefined) continue;
    promise?.then(
      () => client.invalidateQueries({ queryKey, exact: true }),
      () => undefined,
    );
  }
  // Not awaited: the change has succeeded, whether or not the lists can be refetched.
  client.invalidateQueries(affected);
}

/** The whole library by title, including books that the plan's history hides. */
export const titlesQuery = queryOptions({
  queryKey: keys.bookTitles,
  queryFn: ({ signal }) => api.get("/api/books/titles", { signal }),
  select: ({ data }) => data,
});

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

/** Every language of the reader's books, most books first. */
export const languagesQuery = queryOptions({
  queryKey: keys.languages,
  queryFn: ({ signal }) => api.get("/api/books/languages", { signal }),
  select: ({ data }) => data,
});

/** An id from the address; undefined when it is missing or not an id. */
export function idOf(parameter: string | null): number | undefined {
  return parameter !== null && /^[1-9]\d{0,15}$/.test(parameter) ? Number(parameter) : undefined;
}

/** A book as the server has it. */
export interface StoredBook {
  book: BookDetail;
  /** The entity tag of this version; null when the server sent none. */
  etag: string | null;
}

/** One book in its current state, with the tag that a change of it names. */
export const bookQuery = (id: number) =>
  queryOptions({
    queryKey: keys.book(id),
    queryFn: ({ signal }) => api.getTagged("/api/books/{id}", { path: { id }, signal }),
    select: ({ answer, etag }): StoredBook => ({ book: answer.book, etag }),
    staleTime: 0,
    gcTime: 0,
  });

/** The log of a read, oldest first. */
export const daysQuery = (id: number) =>
  queryOptions({
    queryKey: keys.days(id),
    queryFn: ({ signal }) => api.get("/api/books/{id}/days", { path: { id }, signal }),
    select: ({ data }) => data.filter((logged) => !logged.dismissed),
    staleTime: 0,
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

/** The first day on which a book was completed, yyyy-MM-dd; null without such a book. */
export const oldestQuery = queryOptions({
  queryKey: keys.oldestBook,
  queryFn: ({ signal }) => {
    const query = { sort: "dateCompleted", order: "asc", limit: 1 } as const;
    return api.get("/api/books", { query, signal });
  },
  select: ({ data }) => data[0]?.dateCompleted ?? null,
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

/** A change of a book, and the tag of the version that it is meant for; without a tag it applies to any version. */
interface BookUpdate {
  change: Partial<BookChange>;
  etag?: string | null;
  /** Whether all reads of the book get its title, author and genres. */
  allReads?: boolean;
}

export function useUpdateBook(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ change, etag = null, allReads }: BookUpdate) =>
      api.patch("/api/books/{id}", change, { path: { id }, ifMatch: etag, query: allReads ? { reads: "all" } : {} }),
    onSuccess: () => libraryChanged(client),
  });
}

/** The present book, when a change was refused because the book was changed elsewhere; otherwise null. */
export function presentBook(error: unknown): StoredBook | null {
  if (!(error instanceof ApiError) || error.code !== "changed_elsewhere") return null;
  return { book: error.body.book as BookDetail, etag: error.etag };
}

/** Changes all books of a filter. */
export function useChangeBooks(query: BooksQuery) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: ManyChanges) => api.patch("/api/books", change, { query }),
    onSuccess: () => libraryChanged(client),
  });
}

const deleteRead = (id: number) => api.delete("/api/books/{id}", { path: { id } });

/** Deletes a read, and further ones of its book before it. Of these one may be gone already, after a failure on the way. */
export function useDeleteBook(id: number, further: readonly number[]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      for (const one of further) {
        await deleteRead(one).catch((error) => {
          if (!(error instanceof ApiError) || error.status !== 404) throw error;
        });
      }
      return deleteRead(id);
    },
    onSuccess: () => libraryChanged(client, id),
    onError: () => further.length > 0 && libraryChanged(client),
  });
}
