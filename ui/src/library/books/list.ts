import { infiniteQueryOptions } from "@tanstack/react-query";
import { api } from "../../kit/api/client";
import { keys } from "../../kit/api/keys";
import type { Book, Books } from "../../kit/api/types";
import { FIRST_ROWS } from "../../kit/ui/MoreRows";
import type { Sort } from "./sort";

/** The dashboard's filter as query parameters of `GET /api/books`. */
export type BooksQuery = Readonly<Record<string, string | readonly string[]>>;

/** The books that match a filter, in an order. */
export interface ListedBooks {
  query: BooksQuery;
  sort: Sort;
}

/** The books of each further request. The API returns 500 at most. */
const MORE = 500;

type Page = Required<Books>;

async function page(list: ListedBooks, cursor: string | null, signal?: AbortSignal): Promise<Page> {
  const query = cursor === null ? firstPage(list) : { ...inOrder(list), limit: MORE, cursor };
  return asPage(await api.get("/api/books", { query, signal }));
}

/** The answer as a page: count and cursor are present because a limit was sent. */
export function asPage(books: Books): Page {
  return { ...books, matching: books.matching ?? books.data.length, nextCursor: books.nextCursor ?? null };
}

function inOrder({ query, sort }: ListedBooks) {
  return { ...query, sort: sort.column, order: sort.order };
}

/** The query parameters of the first page. */
export function firstPage(list: ListedBooks) {
  return { ...inOrder(list), limit: FIRST_ROWS };
}

/** The books that match a filter, in pages that are fetched as they are shown. */
export function booksQuery(list: ListedBooks) {
  return infiniteQueryOptions({
    queryKey: keys.bookList(inOrder(list)),
    queryFn: ({ pageParam, signal }) => page(list, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Comparing thousands of books with each new page would cost more than drawing the few that are seen.
    structuralSharing: false,
  });
}

/** All books that match a filter, for the export. */
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
