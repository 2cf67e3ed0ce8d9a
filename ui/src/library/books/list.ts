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

async function page(list: ListedBooks, cursor: string | null, signal?: AbortSignal): Promise<Page> {
  const query = cursor === null ? firstPage(list) : { ...inOrder(list), limit: MORE, cursor };
  return asPage(await api.get("/api/books", { query, signal }));
}

/** The list as a page: the count and the cursor are there whenever something was asked for. */
export function asPage(books: Books): Page {
  return { ...books, matching: books.matching ?? books.data.length, nextCursor: books.nextCursor ?? null };
}

function inOrder({ query, sort }: ListedBooks) {
  return { ...query, sort: sort.column, order: sort.order };
}

/** What `GET /api/books` is asked for the first books. */
export function firstPage(list: ListedBooks) {
  return { ...inOrder(list), limit: FIRST };
}

/** The books of a filter, in pages as they are scrolled to. */
export function booksQuery(list: ListedBooks) {
  return infiniteQueryOptions({
    queryKey: ["books", "list", inOrder(list)],
    queryFn: ({ pageParam, signal }) => page(list, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Comparing thousands of books with each new page would cost more than drawing the few that are seen.
    structuralSharing: false,
  });
}

/** Every book of a filter, for the export. */
export async function allBooks(list: ListedBooks): Promise<Book[]> {
  const books: Book[] = [];
  let cursor: string | null = null;
  do {
    const { data, nextCursor }: Page = await page(list, cursor);
    books.push(...data);
    cursor = nextCursor;
  } while (cursor !== null);
  return books;
}
