import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../kit/api/client";
import { keys } from "../kit/api/keys";
import type { Passage, Quote } from "../kit/api/types";
import { isSame } from "../kit/rebase";
import { FIRST_ROWS } from "../kit/ui/MoreRows";
import { bookQuery, libraryChanged } from "../library/books/api";
import { isAnswered } from "../statistics/filters/filter";

/** The most characters that are sought. */
export const MOST_LETTERS = 200;

/** Where to search; everywhere unless it is said. */
export type Where = "quotes";

/** What is found in the reader's books, texts and list, in pages. */
export function searchQuery(sought: string, where?: Where) {
  const query = { q: sought, ...(where && { in: where }) };
  return infiniteQueryOptions({
    queryKey: keys.search(query),
    queryFn: ({ pageParam, signal }) => api.get("/api/search", { query: { ...query, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // A retry would wait for a connection, and what this browser knows is the answer without one.
    retry: false,
    enabled: isAnswered(sought),
  });
}

/** Which quotes are wanted. With a seed they come in an order that follows from it, otherwise those of the newest book first. */
export interface Wanted {
  tag?: string;
  author?: string;
  seed?: string;
}

/** The quotes of the library, in pages. */
export function quotesQuery({ seed, ...of }: Wanted) {
  const query = { ...of, ...(seed !== undefined && { random: true, seed }) };
  return infiniteQueryOptions({
    queryKey: keys.quotes(query),
    queryFn: ({ pageParam, signal }) =>
      api.get("/api/quotes", { query: { ...query, limit: FIRST_ROWS, cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
}

/** The first quote in the order that follows from a day. */
export function quoteOfTheDayQuery(day: string) {
  const query = { random: true, seed: day, limit: 1 };
  return queryOptions({
    queryKey: keys.quotes(query),
    queryFn: ({ signal }) => api.get("/api/quotes", { query, signal }),
    select: ({ data: [quote] }) => quote,
  });
}

/** Whether a quote of a book is the one that is meant. */
const isMeant = ({ text, place, note, day }: Passage, quote: Quote) =>
  isSame([text, place, note, day], [quote.text, quote.place, quote.note, quote.day]);

/** Changes a quote of a book; null removes it. */
export function useChangeQuote(quote: Quote) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (changed: Partial<Passage> | null) => {
      const path = { id: quote.bookId };
      const { answer, etag } = await client.fetchQuery({ ...bookQuery(quote.bookId), staleTime: 0 });
      const at = answer.book.passages.findIndex((one) => isMeant(one, quote));
      if (at < 0) throw new Error("The quote was changed elsewhere.");
      const passages = answer.book.passages.flatMap((one, place) => {
        if (place !== at) return [one];
        return changed === null ? [] : [{ ...one, ...changed }];
      });
      return api.patch("/api/books/{id}", { passages }, { path, ifMatch: etag });
    },
    // A change whose answer was lost would not find its quote again.
    retry: false,
    onSettled: () => libraryChanged(client),
  });
}
