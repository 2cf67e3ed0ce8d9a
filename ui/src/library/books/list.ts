import { infiniteQueryOptions } from "@tanstack/react-query";
import { api } from "../../kit/api/client";
import type { Book, Books } from "../../kit/api/types";
import type { Sort } from "./sort";

/** The dashboard's filter as query parameters of `GET /api/books`. */
export type BooksQuery = Readonly<Record<string, string | readonly string[]>>;

/** The books of a filter, in an order. */
export interface ListedBooks {
  query: BooksQuery;
  sort: Sort;
}

/** Books asked for at first, enough for any screen, and with each call after that; the API gives 500 at most. */
const FIRST = 60;
const MORE = 500;

type Page = Required<Books>;

function page(query: BooksQuery, sort: Sort, cursor: string | null, signal?: AbortSignal): Promise<Page> {
  const limit = cursor === null ? FIRST : MORE;
  return api.get<Page>("/api/books", {
    query: { ...query, sort: sort.column, order: sort.order, limit, cursor },
    signal,
  });
}

/** The books of a filter, in pages as they are scrolled to. */
export function booksQuery({ query, sort }: ListedBooks) {
  return infiniteQueryOptions({
    queryKey: ["books", "list", { ...query, sort: sort.column, order: sort.order }],
    queryFn: ({ pageParam, signal }) => page(query, sort, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Comparing thousands of books with each new page would cost more than drawing the few that are seen.
    structuralSharing: false,
  });
}

/** Every book of a filter, for the export. */
export async function allBooks({ query, sort }: ListedBooks): Promise<Book[]> {
  const books: Book[] = [];
  let cursor: string | null = null;
  do {
    const { data, nextCursor }: Page = await page(query, sort, cursor);
    books.push(...data);
    cursor = nextCursor;
  } while (cursor !== null);
  return books;
}
